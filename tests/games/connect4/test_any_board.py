"""Boards of every size, and every length of line: rules, encodings, circuit, search, commands."""

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from advising import Advisor, advise
from advisor import cli
from advisor.engine import search
from advisor.engine.nodes import Wanted
from advisor.engine.search import WIN
from advisor.files.resources import ENCODINGS
from advisor.games import puzzles
from advisor.games.connect4.board import MAX_CONNECT, Board, Geometry, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.score import Score
from advisor.library.replaying import all_defences, begin, play_out
from advisor.limits import Limit
from advisor.settings import reading
from aspcircuits.clingo_api import Program
from aspcircuits.stopping import Stop
from games import negamax, played, positions, reference_value, solved, value_in

DEFAULT = reading.load()
SIZES = [
    *[(1, 1, 1), (1, 1, 4), (1, 40, 4), (40, 1, 4), (3, 3, 9), (7, 6, 1), (2, 3, 2), (5, 4, 4)],
    *[(7, 6, 4), (8, 7, 4), (10, 8, 5), (12, 2, 3), (2, 12, 3), (4, 4, MAX_CONNECT)],
]
SMALL = [(1, 1, 1), (1, 1, 2), (1, 6, 3), (6, 1, 3), (3, 3, 9), (3, 2, 1), (2, 3, 2), (3, 3, 3)]


def lines_by_counting(g: Geometry) -> set[frozenset[tuple[int, int]]]:
    board = {(row, column) for row in range(1, g.height + 1) for column in range(1, g.width + 1)}
    lines = set()
    for row, column in board:
        for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
            line = frozenset((row + i * up, column + i * right) for i in range(g.connect))
            if line <= board:
                lines.add(line)
    return lines


def lines_by_encoding(g: Geometry) -> dict[Any, set[tuple[int, int]]]:
    program = Program([ENCODINGS / "connect4" / "board.lp"], constants=g.constants)
    lines: dict[Any, set[tuple[int, int]]] = {}
    for (_, line, row, column), _ in program.atoms("on_line", 3):
        lines.setdefault(line, set()).add((row, column))
    return lines


@pytest.mark.parametrize(
    ("w", "h", "n"),
    [
        (7, 6, 4),
        (4, 4, 4),
        (10, 8, 5),
        (3, 40, 3),
        (40, 3, 2),
        (20, 20, 20),
        (5, 4, 1),
        (40, 40, 4),
    ],
)
def test_the_number_of_lines_is_that_of_the_formula(w: int, h: int, n: int) -> None:
    expected = 4 * w * h - 3 * w * n - 3 * h * n + 3 * w + 3 * h - 4 * n + 2 * n * n + 2
    assert (w, h, n) != (7, 6, 4) or expected == 69
    assert len(lines_by_encoding(geometry(w, h, n))) == expected


@pytest.mark.parametrize("size", [*SIZES, *SMALL], ids=str)
def test_the_lines_are_those_found_by_counting(size: tuple[int, int, int]) -> None:
    g = geometry(*size)
    by_counting = lines_by_counting(g)
    assert {frozenset(line) for line in lines_by_encoding(g).values()} == by_counting
    for line in by_counting:
        discs = sum(g.bit(*square) for square in line)
        assert g.has_line(discs)
        assert all(not g.has_line(discs ^ g.bit(*square)) for square in line)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)  # the first position of a geometry compiles its circuit
@given(position=positions(SIZES, open_only=True))
def test_circuit_and_answer_set_agree(position: Board) -> None:
    by_circuit = CircuitEvaluator(DEFAULT, position.geometry).values([position], 0)[0]
    by_answer_set = solved(position, DEFAULT)
    assert by_circuit == value_in(by_answer_set, position)
    assert position.dead == ("drawn" in by_answer_set.atoms)


def test_a_position_is_dead_only_if_neither_side_can_win() -> None:
    # One column of five squares: after x, o, x only x can still fill the upper three of them.
    position = played((1, 5, 3), [0, 0, 0])
    assert not position.dead
    assert position.play(1).dead


@cache
def to_the_end(position: Board) -> int:
    """The value to the end of the game, by plain minimax; forced values count plies from here."""
    result = position.result()
    if result is not None:
        return result * WIN
    values = [-to_the_end(position.play(column)) for column in position.moves()]
    return max(value - (value > 0) + (value < 0) for value in values)


@pytest.mark.parametrize("preset", ["default", "pomakis", "alex"])
@pytest.mark.parametrize("size", SMALL, ids=str)
def test_small_boards_are_solved(size: tuple[int, int, int], preset: str) -> None:
    position = Board(geometry(*size))
    best = to_the_end(position)
    advice = advise(position, reading.load(preset), depth=position.plies_left)
    if best == 0:
        assert advice.score == Score("draw")
    else:
        kind, plies = ("win", WIN - best) if best > 0 else ("loss", WIN + best)
        assert (advice.score.kind, advice.score.moves) == (kind, (plies + 1) // 2)
    for column in advice.best:
        value = -to_the_end(position.play(column))
        assert value - (value > 0) + (value < 0) == best
    assert Advisor(reading.load(preset)).choose(position, Limit(position.plies_left)) in advice.best


@pytest.mark.parametrize("size", [(3, 3, 4), (40, 40, 41), (40, 40, MAX_CONNECT), (1, 9, 10)])
def test_a_connect_larger_than_the_board_draws_every_game(size: tuple[int, int, int]) -> None:
    position = Board(geometry(*size))
    for column in (1, 1, size[0], 1):
        advice = advise(position, reading.load(), depth=50)
        assert advice.best
        assert {move.score for move in advice.moves} == {Score("draw")}
        position = position.play(column)


@pytest.mark.parametrize("size", [(40, 40, 4), (40, 1, 3), (1, 40, 2), (20, 20, 5)], ids=str)
def test_one_answer_set_advises_on_the_largest_boards(size: tuple[int, int, int]) -> None:
    position = Board(geometry(*size))
    middle = {(size[0] + 1) // 2, size[0] // 2 + 1}
    assert set(advise(position, reading.load(), depth=0).best) == middle


def test_a_board_of_several_words_with_five_in_line() -> None:
    position = played((12, 10, 5), [5, 6, 5, 5, 6, 7, 4, 3, 8, 9])
    assert position.result() is None
    evaluator = CircuitEvaluator(DEFAULT, position.geometry)

    def static(board: Board) -> int:
        return int(evaluator.values([board], 0)[0])

    assert static(position) == reference_value(position, DEFAULT)
    assert evaluator.values([position], 1)[0] == negamax(position, 1, static)


def test_a_win_is_found_on_a_board_of_several_words() -> None:
    # Four discs of x lie side by side on row 1, both ends open; o does not threaten anything.
    position = Board(geometry(12, 10, 5))
    for column in (5, 5, 6, 6, 7, 7, 8, 12):
        position = position.play(column)
    advisor = Advisor(reading.load())
    advice = advisor.advise(position, Limit(2))
    assert advice.best == (4, 9)
    assert advice.score == Score("win", moves=1)
    after = advisor.advise(position.play(1), Limit(2))
    assert after.score == Score("loss", moves=1)


# Time


class Counted(CircuitEvaluator):
    """Notes how many positions it is given and lets a clock of its own tick with each call."""

    def __init__(self, g: Geometry) -> None:
        super().__init__(reading.load(), g)
        self.calls: list[tuple[int, int]] = []

    def values(self, positions: Any, plies: int, wanted: Wanted | None = None) -> Any:
        self.calls.append((len(positions), plies))
        return super().values(positions, plies, wanted)

    def clock(self) -> float:
        return float(len(self.calls))


@pytest.mark.parametrize("limit", [0, 1, 2, 7])
@pytest.mark.parametrize("size", [(7, 6, 4), (12, 10, 5)], ids=str)
def test_no_batch_begins_after_the_time_is_over(
    size: tuple[int, int, int], limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator = Counted(geometry(*size))
    monkeypatch.setattr("advisor.engine.search.time.monotonic", evaluator.clock)
    found = search.search(Board(geometry(*size)), evaluator, stop=Stop(limit), every_move=True)
    first_ply = -(-size[0] // evaluator.positions_at_once(0))
    # A batch may begin on the stroke of the deadline and then be the one too many.
    assert len(evaluator.calls) <= max(first_ply, limit + 1)
    assert found.best
    assert found.depth >= 1


def test_batches_are_small_where_a_position_takes_long() -> None:
    position = Board(geometry(12, 10, 5))
    evaluator = Counted(position.geometry)
    search.search(position, evaluator, depth=3)
    gates = len(evaluator.circuit.gates)
    sizes = [count * 12**plies for count, plies in evaluator.calls]
    assert max(sizes) * gates <= 2 * 4_000 * 2_000  # twice 4,000 leaves of the standard board
    assert max(sizes) >= 64  # fewer do not fill a machine word


# Puzzles and commands


def test_a_puzzle_on_a_large_board_is_solved(tmp_path: Path) -> None:
    file = tmp_path / "open_three.yaml"
    file.write_text(
        "width: 10\nheight: 7\nmoves: '5,5,6,6'\nwin_in: 2\nsolution: [4, 7]\n", encoding="utf-8"
    )
    puzzle = puzzles.load(str(file))
    advisor = Advisor(reading.load())
    begun, _ = begin(puzzle)
    verdict = play_out(
        puzzle, begun, lambda game: advisor.choose(game.position.board, Limit(4)), all_defences
    )
    assert verdict.solved
    assert verdict.line[0] in puzzle.solution


def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["advisor", *arguments])
    with pytest.raises(SystemExit) as left:
        cli.main()
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


def test_suggest_takes_a_size_and_a_level(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # On 10x8 with 5 in line x has 4 of them side by side.
    moves = ["4,4,5,5,6,6,7,7", "--size", "10x8", "--connect", "5", "--level", "3", "--json"]
    code, out, _ = run(capsys, monkeypatch, "suggest", *moves)
    advice = json.loads(out)
    assert code == 0
    assert advice["score"] == {"kind": "win", "in": 1}
    assert advice["best"] == [3, 8]
    assert len(advice["moves"]) == 10
    file = tmp_path / "facts.lp"
    file.write_text("cell(1,1,9). cell(2,1,1). turn(1).\n", encoding="utf-8")
    arguments = ["--size", "9x2", "--level", "2", "--json"]
    code, out, _ = run(capsys, monkeypatch, "suggest", str(file), *arguments)
    assert code == 0
    assert json.loads(out)["depth"] == 3


def test_a_board_wider_than_the_terminal_is_printed_in_one_piece(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run(capsys, monkeypatch, "suggest", "40", "--size", "40x1", "--depth", "0")
    assert code == 0
    assert "  1" + "  ." * 39 + "  x\n" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "0"], "--level"),
        (["--level", "21"], "--level"),
        (["--level", "x"], "--level"),
        (["--level", "3", "--depth", "3"], "give --level or --depth, not both"),
        (["--size", "0x4"], "'0x4' is not a size of a board (use WIDTHxHEIGHT such as 10x8, each"),
        (["--size", "41x4"], "'41x4'"),
        (["--size", "4"], "'4'"),
        (["--size", "٤x٤"], "'٤x٤'"),
        (["--connect", "0"], "--connect"),
        (["--weights", "pomaki"], "'pomaki' is neither a weights file nor a preset"),
    ],
)
def test_bad_options_are_one_line(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, out, err = run(capsys, monkeypatch, "suggest", "44", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("level", "depth"), [(1, 2), (4, 4), (7, 5)])
def test_a_level_is_a_depth(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, level: int, depth: int
) -> None:
    asked = ("suggest", "222224441177", "--level", str(level), "--json")
    _, out, _ = run(capsys, monkeypatch, *asked)
    assert json.loads(out)["depth"] == depth
