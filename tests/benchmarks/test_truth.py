"""Sentences of explanations are true, and the program that reads them finds what is false."""

from collections import Counter

import pytest

import advisor
import truth


@pytest.mark.parametrize(
    ("game", "count"),
    [
        ("connect4", 8),
        ("tictactoe", 6),
        ("breakthrough", 2),
        *(
            pytest.param(game, 40, marks=pytest.mark.slow)
            for game in ("connect4", "hex", "reversi", "breakthrough", "morris", "gomoku")
        ),
    ],
)
def test_every_sentence_is_true_has_a_verb_and_counts_what_it_lists(game: str, count: int) -> None:
    seen, wrong = truth.read_all(game, count)
    assert wrong == []
    assert seen["sentences"] >= count


def wrong(game: str, moves: str, *sentences: str) -> list[str]:
    """What is wrong with sentences about a position."""
    reader = truth.Reader(advisor.position(moves, game=game), Counter())
    for sentence in sentences:
        reader.read(sentence, None)
    return [kind for kind, _ in reader.wrong]


@pytest.mark.parametrize(
    ("game", "moves", "sentence"),
    [
        (
            "connect4",
            "142454",
            "Red must play column 3: it keeps yellow from completing a line on d1-d4.",
        ),
        ("connect4", "142454", "Column 4 keeps yellow from completing a line on d2-g2."),
        ("connect4", "443322", "Column 1 wins at once: red completes a line on b1-e1."),
        ("connect4", "443322", "Column 6 wins at once: red completes a line on c1-f1."),
        ("connect4", "4455", "Column 3 threatens to win on b1, so yellow must answer there."),
        ("connect4", "4455", "After 3 2, red has two discs on row 1 (c1)."),
        ("hex", "d4 a1", "d5 joins d4 and e5."),
        ("hex", "d4 a1", "g7 makes a bridge to d4."),
        ("reversi", "", "d3 turns d4 and d5."),
        ("breakthrough", "", "a2-a3 takes the man on a3."),
        ("tictactoe", "b2 a1", "c1 threatens to complete a line on b3."),
        ("gomoku", "h8 a1", "h9 makes a row with open ends on h7 and h10."),
        ("morris", "d6 e3", "d5 closes a mill on d5-d7 and takes a man."),
    ],
)
def test_a_false_sentence_is_found(game: str, moves: str, sentence: str) -> None:
    assert {*wrong(game, moves, sentence)} == {"false"}


def test_a_sentence_that_nobody_knows_or_without_a_verb_is_found() -> None:
    assert wrong("connect4", "4455", "Column 3 dazzles yellow.") == ["no verb", "unknown"]
    assert wrong("connect4", "4455", "Column 3 makes yellow nervous.") == ["unknown"]
    assert not truth.has_verb("On the other hand, yellow (which has b2): it wins.")
