"""Who scores a position, what the answer looks like, and BitBully against the own search."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import extras
from advisor.games.bounds import Solved
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Board, geometry
from aspcircuits.stopping import Stop
from test_sets import read_test_set

PONS = Path(__file__).parents[2] / "data" / "pons"

EMPTY = Board(geometry())

needs_bitbully = pytest.mark.skipif(
    not extras.has_extra("exact"), reason="bitbully is not installed (pip install bitbully)"
)


def after(*moves: int, size: tuple[int, int, int] = (7, 6, 4)) -> Board:
    position = Board(geometry(*size))
    for column in moves:
        position = position.play(column)
    return position


def composed(to_move: bool) -> Board:
    """Two discs, both of the side to move or both of the other."""
    bits = geometry().bit(1, 1) | geometry().bit(1, 7)
    return Board(geometry(), 1, bits if to_move else 0, bits)


@st.composite
def late(draw: st.DrawFn) -> Board:
    """A 7x6 position with discs that alternate and at most 14 empty squares, over or not."""
    size = geometry()
    heights = [size.height] * size.width
    for _ in range(draw(st.integers(0, 14))):
        column = draw(st.sampled_from([c for c in range(size.width) if heights[c]]))
        heights[column] -= 1
    squares = draw(
        st.permutations([size.bit(r + 1, c + 1) for c, h in enumerate(heights) for r in range(h)])
    )
    mover = sum(squares[: len(squares) // 2])
    return Board(size, draw(st.sampled_from((1, 2))), mover, sum(squares))


# The own search.


def test_score_and_columns_agree() -> None:
    position = after(size=(5, 4, 4))
    answer = exact.solve(position, columns=True)
    assert answer.engine == "solver"
    assert answer.moves is not None
    assert {c: s.score for c, s in answer.moves.items()} == {1: -1, 2: 0, 3: 0, 4: 0, 5: -1}
    assert answer.score == exact.solve(position).score == 0
    assert (answer.outcome, answer.proved) == ("draw", True)
    assert answer.position.nodes == sum(s.nodes for s in answer.moves.values())


def test_json_of_a_proved_answer() -> None:
    answer = exact.solve(after(1, 2, 1, 2, 1, 2, size=(4, 5, 4)), columns=True)
    out = json.loads(json.dumps(answer.to_json()))
    assert list(out) == ["score", "engine", "nodes", "seconds", "columns"]
    assert (out["score"], out["engine"], out["columns"]["1"]) == (7, "solver", 7)
    assert "columns" not in exact.solve(after(1, 1, size=(3, 2, 3))).to_json()


def test_json_of_bounds() -> None:
    answer = exact.solve(Board(geometry(10, 8, 5)), columns=True, stop=Stop(0.1))
    out = json.loads(json.dumps(answer.to_json()))
    assert not answer.proved
    assert answer.outcome is None
    assert out["score"] is None
    assert out["bounds"][0] < out["bounds"][1]
    assert list(out["columns"]) == [str(column) for column in range(1, 11)]
    for column, score in out["columns"].items():
        assert (column in out["column_bounds"]) == (score is None)


def test_a_finished_game_has_a_score_and_no_columns() -> None:
    answer = exact.solve(after(1, 2, 1, 2, 1, 2, 1), columns=True)
    assert (answer.score, answer.moves) == (-18, {})


@pytest.mark.parametrize("engine", ["solver", "bitbully"])
def test_a_stopped_answer_is_what_is_proved_by_then(engine: exact.Engine) -> None:
    if engine == "bitbully" and not extras.has_extra("exact"):
        pytest.skip("bitbully is not installed")
    stop = Stop()
    reports: list[Solved] = []

    def third_time(answer: Solved) -> None:
        reports.append(answer)
        if len(reports) == 3:
            stop.set()

    position = after(1, 2, 1, 2, 1, 2, 7, 7, 6, 6, 7, 6)
    answer = exact.solve(position, columns=True, stop=stop, engine=engine, on_progress=third_time)
    whole = exact.solve(position, columns=True).moves
    assert not answer.proved
    assert answer.moves is not None
    assert whole is not None
    assert list(answer.moves) == [1, 2, 3, 4, 5, 6, 7]
    for column, known in answer.moves.items():
        assert known.lower <= (whole[column].score or 0) <= known.upper


@pytest.mark.parametrize(
    "position",
    [
        Board(geometry(7, 7, 4)),
        Board(geometry(7, 6, 5)),
        composed(to_move=True),
        composed(to_move=False),
    ],
)
def test_positions_that_bitbully_does_not_know(position: Board) -> None:
    assert exact.choose(position) == "solver"
    assert exact.install_hint(position) is None


def test_without_bitbully(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitbully", None)  # importing it fails now
    assert not extras.has_extra("exact")
    assert exact.choose(EMPTY) == "solver"
    assert "pip install" in (exact.install_hint(EMPTY) or "")
    assert exact.solve(after(1, 2, 1, 2, 1, 2)).engine == "solver"


# BitBully.


@needs_bitbully
def test_the_empty_standard_board() -> None:
    answer = exact.solve(EMPTY, columns=True, engine="bitbully")
    assert (answer.engine, answer.score, answer.proved) == ("bitbully", 1, True)
    assert answer.moves is not None
    assert [s.score for s in answer.moves.values()] == [-2, -1, 0, 1, 0, -1, -2]
    assert exact.install_hint(EMPTY) is None


@needs_bitbully
@pytest.mark.parametrize("name", ["Test_L1_R1", "Test_L2_R1", "Test_L3_R1"])
def test_bitbully_finds_published_scores(name: str) -> None:
    for case in read_test_set(PONS / name)[:20]:
        answer = exact.solve(case.position, engine="bitbully")
        assert (answer.engine, answer.score) == ("bitbully", case.score), case


@needs_bitbully
@given(late())
def test_bitbully_and_own_search_agree(position: Board) -> None:
    own = exact.solve(position, columns=True, engine="solver")
    other = exact.solve(position, columns=True, engine="bitbully")
    assert own.moves is not None
    assert other.moves is not None
    assert {c: s.score for c, s in own.moves.items()} == {
        c: s.score for c, s in other.moves.items()
    }
    assert own.score == other.score == exact.solve(position, engine="bitbully").score


@needs_bitbully
def test_bitbully_begins_nothing_when_the_time_is_up() -> None:
    answer = exact.solve(EMPTY, columns=True, stop=Stop(0), engine="bitbully")
    assert answer.engine == "bitbully"
    assert not answer.proved
    assert answer.position.lower <= 1 <= answer.position.upper
