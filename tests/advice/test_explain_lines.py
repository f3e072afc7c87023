"""What explanations say of forced results, and how they read."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import advisor
from advising import advise
from advisor.games import puzzles
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.forcing import completed_lines
from advisor.games.connect4.notation import parse_line
from advisor.games.connect4.wording import squares_text
from advisor.settings import reading

DEFAULT = reading.load()
SHORT = [puzzle for puzzle in puzzles.book(extra=True) if puzzle.win_in <= 3]


def ends_with_one_of(lines, position, player, moves):
    """Whether a player can force one of exactly these lines; plain recursion, nothing shared."""
    if position.winner:
        discs = position.discs_of(player)
        return any(all(discs & position.geometry.bit(*square) for square in line) for line in lines)
    if position.full or moves == 0:
        return False
    own = position.turn == player
    reached = (
        ends_with_one_of(lines, position.play(column), player, moves - own)
        for column in position.moves()
    )
    return any(reached) if own else all(reached)


@pytest.mark.parametrize("puzzle", SHORT[::6], ids=lambda puzzle: puzzle.id)
def test_one_of_the_named_lines_is_forced(puzzle):
    position = puzzle.position
    lines = completed_lines(position, position.turn, puzzle.win_in)
    assert lines
    # An immediate win of another line would end the game too; it is no part of the claim.
    assert ends_with_one_of(lines, position, position.turn, puzzle.win_in)


@pytest.mark.parametrize("puzzle", SHORT, ids=lambda puzzle: puzzle.id)
def test_no_win_is_found_before_the_book_s(puzzle):
    position = puzzle.position
    assert completed_lines(position, position.turn, puzzle.win_in)
    if puzzle.win_in > 1:
        assert completed_lines(position, position.turn, puzzle.win_in - 1) is None


def test_a_budget_that_is_too_small_gives_no_lines():
    puzzle = puzzles.load("chapter3/30")
    assert completed_lines(puzzle.position, 1, 3, budget=5) is None


def test_a_long_win_names_the_end_of_the_best_defence_only():
    advice = advise(puzzles.load("chapter5/15").position, DEFAULT)
    found = advice.phrasing.lines(4, advice.score)
    assert not found or len(found) > 3
    assert advisor.explain(advice)[0].startswith(
        "Column 4 wins in 5 moves, whatever yellow does; after the best defence red completes "
    )


def test_both_squares_of_a_double_threat_are_named():
    # Zeilberger's chapter 2: after column 1, yellow can stop the diagonal or the column.
    advice = advise(puzzles.load("chapter2/7").position, DEFAULT, depth=4)
    assert advisor.explain(advice)[0] == (
        "Column 1 wins in 2 moves: it threatens to win on a5 and c2 at once, and yellow can stop "
        "only one."
    )


def test_moves_that_lose_alike_share_a_sentence():
    advice = advise(parse_line("12131"), DEFAULT, depth=2)  # three red discs in column 1
    assert advisor.explain(advice) == [
        "Yellow must play column 1: it keeps red from completing a line on a1-a4."
    ]


def test_a_weaker_move_is_compared_with_the_best():
    advice = advise(puzzles.load("chapter3/30").position, DEFAULT, depth=4)
    better = r"Column 6 is better: a win in 3 moves\.$"
    assert re.search(better, advisor.explain(advice, 1)[0])


def positions(sizes=((7, 6, 4), (5, 4, 3), (8, 7, 4), (1, 1, 1))):
    def played(size, columns):
        position = Board(geometry(*size))
        for column in columns:
            after = position.play(moves[column % len(moves)]) if (moves := position.moves()) else 0
            if not after or after.result() is not None:
                break
            position = after
        return position

    columns = st.lists(st.integers(0, 6), max_size=30)
    return st.builds(played, st.sampled_from(sizes), columns)


@settings(max_examples=12, deadline=None)
@given(positions(), st.integers(0, 3))
def test_every_paragraph_is_well_formed(position, depth):
    advice = advise(position, DEFAULT, depth=depth)
    paragraphs = advisor.explain(advice) + [advisor.explain(advice, c)[0] for c in position.moves()]
    assert len(paragraphs) > len(position.moves())
    for paragraph in paragraphs:
        assert re.fullmatch(r"[A-Z].*\.", paragraph), paragraph
        assert not re.search(r"[{}]|  | [,.;:]|[,;:]\.| on , | and ,|None", paragraph), paragraph
        sentences = re.split(r"(?<=\.) ", paragraph)
        assert len(sentences) <= 5, paragraph
        assert len(set(sentences)) == len(sentences), paragraph


def test_lines_are_named_by_their_direction():
    assert squares_text([(1, 3), (1, 4), (1, 5), (1, 6)]) == "on c1-f1"
    assert squares_text([(2, 5), (3, 5), (4, 5), (5, 5)]) == "on e2-e5"
    assert squares_text([(1, 4), (2, 3), (3, 2), (4, 1)]) == "on a4-d1"
    assert squares_text([(4, 6)]) == "on f4"


def test_a_length_that_did_not_decide_is_no_reason():
    # Every column loses; exact play is known, and of equal results the look-ahead chooses.
    advice = advise(parse_line("4453"), DEFAULT, depth=2)
    assert advice.score.kind == "loss"
    longest = max(move.score.moves for move in advice.moves)
    told = " ".join(advisor.explain(advice))
    assert ("lasts longer" in told or "last longest" in told) is (
        [m.move for m in advice.moves if m.score.moves == longest] == list(advice.best)
    )
    for move in advice.moves:
        better = move.move not in advice.best and move.score.moves < advice.score.moves
        assert ("is better" in advisor.explain(advice, move.move)[0]) is better
