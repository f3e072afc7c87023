"""Positions with the exact score of every column, in a small text file.

A line is a position (a move string or a picture with ``/`` between its rows) and, for each column
from the left, the exact score of a disc there, ``-`` where the column is full::

    4453 -2 -2 -1 0 1 -2 -2

Scores are Pascal Pons' ("Solving Connect 4"), for the player to move.
"""

import re

from advisor.errors import InputError
from advisor.files.textfile import quoted
from advisor.games.bounds import Bounds
from advisor.games.connect4.board import Geometry, Position
from advisor.games.connect4.notation import STANDARD, parse_line
from advisor.games.connect4.solver import known_bounds
from advisor.games.examples import Example, sign

HEADER = (
    "# Exact score of a disc in each column, for the player to move, after Pascal Pons;\n"
    "# - where the column is full. "
)


def open_position(line: str) -> Position:
    """The position that a line begins with.

    Raises:
        InputError: it is none, or its game is over.
    """
    position = position_of(line)
    if position.result() is not None:
        raise InputError(f"{quoted(line.split()[0])}: the game is over")
    return position


def position_of(line: str, size: Geometry = STANDARD) -> Position:
    """The position that a line begins with; its game may be over.

    Raises:
        InputError: it is none; quotes what was found.
    """
    text = line.split()[0]
    try:
        return parse_line(text, size)
    except InputError as error:
        raise InputError(f"{quoted(text)}: {error}") from None


def parse(line: str) -> Example:
    """A line of a labelled file, its scores checked against what needs no search.

    Raises:
        InputError: what is wrong in the line, but not where it is.
    """
    position = open_position(line)
    scores = scores_of(position, line)
    best = max(scores.values())
    return Example(position, sign(best), best, scores)


def scores_of(position: Position, line: str) -> dict[int, int]:
    """The scores of a position's moves, by column, that its line tells; see `parse`."""
    _, *words = line.split()
    width = position.geometry.width
    if len(words) != width:
        raise InputError(f"{len(words)} scores (expected {width}, one a column)")
    scores = {}
    moves = position.moves()
    for column, word in enumerate(words, 1):
        if column not in moves:
            if word != "-":
                raise InputError(f"column {column} is full, but has the score {quoted(word)}")
        elif not re.fullmatch(r"[+-]?[0-9]{1,4}", word):
            raise InputError(f"column {column}: {quoted(word)} is not a score (use an integer)")
        else:
            scores[column] = int(word)
            known = -known_bounds(position.after(column))
            check_score(scores[column], known, f"column {column}: ")
    return scores


def check_score(score: int, known: Bounds, place: str = "") -> None:
    """Refuses a score that contradicts what is known.

    Raises:
        InputError: it does; the text begins with the place.
    """
    if not known.lower <= score <= known.upper:
        exactly = known.score
        right = f"from {known.lower} to {known.upper}" if exactly is None else str(exactly)
        raise InputError(f"{place}the score {score} is wrong (it is {right})")
