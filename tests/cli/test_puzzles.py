"""The puzzle book, solved with the default settings in the book's number of moves."""

from dataclasses import replace as changed
from typing import Any

import pytest

from advising import Advisor
from advisor.errors import InputError
from advisor.games import puzzles
from advisor.games.abilities import Abilities
from advisor.games.puzzles import Posed
from advisor.library.replaying import all_defences, begin, longest_defence, play_out
from advisor.settings.reading import load

ADVISOR = Advisor(load())


def begun(puzzle: Posed) -> Abilities:
    return begin(puzzle)[0]


def choose(game: Abilities) -> Any:
    return ADVISOR.choose(game.position.board)


@pytest.mark.parametrize("chapter", [1, 2, 3, 4, 5])
def test_every_puzzle_is_solved_in_the_book_s_number_of_moves(chapter: int) -> None:
    posed = puzzles.book(chapter, extra=True)
    assert len(posed) == (15 if chapter == 5 else 30)
    missed = []
    for puzzle in posed:
        verdict = play_out(
            puzzle, begun(puzzle), choose, longest_defence(puzzle), max_moves=puzzle.win_in
        )
        # Against the longest defence no player wins sooner than the book says.
        if verdict.moves_used != puzzle.win_in or verdict.line[0] not in puzzle.solution:
            missed.append((puzzle.id, verdict.moves_used, verdict.line))
    assert not missed


@pytest.mark.parametrize("puzzle_id", ["chapter1/15", "chapter2/30", "chapter3/30", "chapter4/30"])
def test_no_defence_helps(puzzle_id: str) -> None:
    puzzle = puzzles.load(puzzle_id)
    verdict = play_out(puzzle, begun(puzzle), choose, all_defences, max_moves=puzzle.win_in)
    assert verdict.solved


def test_the_line_is_a_game_that_the_attacker_wins() -> None:
    puzzle = puzzles.load("chapter3/1")
    verdict = play_out(puzzle, begun(puzzle), choose, longest_defence(puzzle))
    position = puzzle.position
    for column in verdict.line:
        assert position.result() is None
        position = position.play(column)
    assert position.winner == puzzle.position.turn
    assert verdict.moves_used == (len(verdict.line) + 1) // 2 == puzzle.win_in


def lazy(game: Abilities) -> Any:
    """An attacker who sees nothing."""
    return min(game.legal().values())


@pytest.mark.parametrize("defence", ["longest", "all"])
def test_a_bad_attacker_does_not_solve(defence: str) -> None:
    puzzle = puzzles.load("chapter3/30")
    replies = all_defences if defence == "all" else longest_defence(puzzle)
    verdict = play_out(puzzle, begun(puzzle), lazy, replies, max_moves=puzzle.win_in)
    assert not verdict.solved
    assert verdict.moves_used is None
    assert verdict.to_json()["solved"] is False


def test_a_win_that_takes_longer_than_the_book_is_no_solution() -> None:
    # x can win at once with column 4 but waits as long as o lets it.
    base = puzzles.load("chapter1/1")
    slow = changed(base, source="")
    first = next(c for c in sorted(base.position.moves()) if c not in base.solution)

    def attack_late(game: Abilities) -> Any:
        return first if game.position.board == base.position else choose(game)

    verdict = play_out(slow, begun(slow), attack_late, longest_defence(slow))
    assert not verdict.solved
    assert verdict.moves_used is None or verdict.moves_used > base.win_in


def test_a_chapter_that_does_not_exist() -> None:
    with pytest.raises(InputError, match=r"^no chapter 9 \(use 1, 2, 3, 4, 5\)$"):
        puzzles.book(9)
