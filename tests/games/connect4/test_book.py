"""The opening book: what it holds, what it decides, and for whom."""

from dataclasses import replace
from pathlib import Path

import pytest

import advisor as library
from advising import Advisor, advise
from advisor import extras
from advisor.advice.choice import is_weak
from advisor.advice.verdict import seen_rank
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.notation import parse_line
from advisor.games.examples import sign
from advisor.lab.arena import players
from advisor.limits import Limit
from advisor.settings.reading import load
from aspcircuits.stopping import Stop
from command import advisor

EMPTY = Board(geometry())


def early(discs: int) -> list[Board]:
    """All positions with this number of discs."""
    if not discs:
        return [EMPTY]
    return list({p.after(column): None for p in early(discs - 1) for column in p.moves()})


def scores(position: Board) -> dict[int, int]:
    return {column: known.lower for column, known in exact.book(position).items()}


def test_every_early_position_is_there_and_each_follows_from_the_next() -> None:
    counts = []
    for discs in range(exact.DISCS + 1):
        positions = early(discs)
        counts.append(len(positions))
        for position in positions:
            found = scores(position)
            assert sorted(found) == sorted(position.moves())
            if discs < exact.DISCS:
                for column, score in found.items():
                    assert score == -max(scores(position.after(column)).values())
    assert counts == [1, 7, 49, 238, 1120]


def test_published_scores() -> None:
    # J. Allen and V. Allis, 1988: the first player wins in the middle, and only there.
    assert [scores(EMPTY)[column] for column in range(1, 8)] == [-2, -1, 0, 1, 0, -1, -2]
    assert scores(EMPTY.after(2)) == {8 - c: s for c, s in scores(EMPTY.after(6)).items()}


@pytest.mark.skipif(not extras.has_extra("exact"), reason="needs the extra exact")
def test_an_exact_engine_finds_the_same() -> None:
    for position in early(4)[::97]:
        columns = exact.solve(position, columns=True, engine="bitbully").moves or {}
        assert {c: s.lower for c, s in columns.items()} == scores(position)


def test_other_positions_are_not_there() -> None:
    two_of_one = Board(geometry(), turn=1, mover=0, mask=geometry().bit(1, 1) * 3)
    for position in (parse_line("12345"), two_of_one, Board(geometry(6, 6, 4))):
        assert exact.book(position) == {}


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 4])
def test_no_result_is_given_away_and_the_advice_says_why(depth: int) -> None:
    config = load()
    for position in [*early(1), *early(2)[::5], *early(4)[::150]]:
        best = max(map(sign, scores(position).values()))
        advice = advise(position, config, depth=depth)
        assert advice.from_book
        assert advice.to_json()["book"] is True
        assert advice.score.proved
        assert {sign(scores(position)[column]) for column in advice.best} == {best}
        chosen = Advisor(config).choose(position, Limit(depth=depth))
        assert sign(scores(position)[chosen]) == best
        # Exact scores decide among moves; the look-ahead decides which is named first.
        top = max(scores(position).values())
        assert set(advice.best) == {c for c, s in scores(position).items() if s == top}
        seen = {c: seen_rank(advice.move(c)) for c in advice.best}
        if advice.solved and advice.solved.move in advice.best:
            assert advice.best[0] == advice.solved.move
        else:
            assert seen[advice.best[0]] == max(seen.values())
    first = advise(EMPTY, config, depth=depth)
    assert (first.best, first.score.kind, first.score.moves) == ((4,), "win", 21)


def test_alone_the_position_s_answer_set_decides() -> None:
    assert not advise(EMPTY, load(), depth=0).from_book


def test_weights_of_one_s_own_go_without_unless_they_ask_for_it(tmp_path: Path) -> None:
    def book_of(text: str) -> bool:
        file = tmp_path / "my.yaml"
        file.write_text(text)
        return load(str(file)).book

    assert load().book
    assert [load(name).book for name in ("original", "alex", "pomakis")] == [False] * 3
    assert book_of("extends: default\ndepth: 4\n")
    assert not book_of("extends: default\nmoves: {center: {3: 90000}}\n")
    assert not book_of("extends: default\nencodings: {extra: []}\n")
    assert book_of("extends: default\nmoves: {center: {3: 90000}}\nbook: true\n")
    assert not book_of("extends: default\nbook: false\n")


def test_players_and_levels_with_and_without() -> None:
    empty = library.position()
    first = players.parse("default", limit=Limit(depth=1)).moves(empty, Stop())
    assert first == [4]
    own = players.parse("default", limit=Limit(depth=1), book=False)
    assert own.moves(empty, Stop()) == [
        Advisor(replace(load(), book=False)).choose(EMPTY, Limit(depth=1))
    ]
    assert own.identity != players.parse("default", limit=Limit(depth=1)).identity
    assert [is_weak(level) for level in (None, 20, 19)] == [False, False, True]


def test_the_command_line_says_what_is_known() -> None:
    with_it = advisor("suggest", "", "--depth", 2)
    assert "Play column 4: wins in 21 (proved)." in with_it.out
    assert "known by exact play (opening book); depth 2" in with_it.out
    without = advisor("suggest", "", "--depth", 2, "--no-book")
    assert "proved" not in without.out
    assert "book" not in without.out
    asked = advisor("suggest", "", "--depth", 2, "--book", "--weights", "alex")
    assert "Play column 4: wins in 21 (proved)." in asked.out
