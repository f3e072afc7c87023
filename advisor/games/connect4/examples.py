"""Reads positions with known results from lines of files, in three formats.

All are for the standard board.

Rows of the UCI "Connect-4" data set have the squares a1 to a6, b1 to b6, ... g6 (``x``, ``o``, or
``b`` for blank; with or without commas between them), the result for x and perhaps the exact score
for the player to move::

    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbboobbbbxoxoxx,loss,-3

Pascal Pons' test sets have the moves (or a picture with ``/`` between its rows) and the exact score
for the player to move::

    2252576253462244111563365343671351441 -1

The opening book, and files that `benchmarks/train/label.py` writes, have the exact score of a disc
in each column, ``-`` where it is full::

    4453 -2 -2 -1 0 1 -2 -2

Scores are Pons' ("Solving Connect 4"), for the player to move.
"""

import re

from advisor.errors import InputError, at
from advisor.games.bounds import Bounds
from advisor.games.connect4.board import DISCS, Board, Geometry
from advisor.games.connect4.notation import STANDARD, parse_line
from advisor.games.connect4.solver import known_bounds
from advisor.games.examples import Example, sign
from aspcircuits.texts import quote_text

_RESULTS = {"loss": -1, "draw": 0, "win": 1}
_HEIGHT = 6
_UCI = re.compile(r"((?:[bxo],?){42}),(win|draw|loss)(?:,([+-]?[0-9]{1,3}))?")


def example(line: str) -> Example:
    """Read a position and its result from a line; check what can be checked without a search.

    Args:
        line: in any of the three formats.

    Raises:
        InputError: the fault in the line, without the line's place.
    """
    if "," in line:
        return _uci(line)
    words = line.split()
    if len(words) == 2:
        return _read_with_score(line)
    if len(words) > 2:
        return _read_with_columns(line)
    raise InputError(
        f"{quote_text(line)} is not a position with its result (use lines such as '4455 1', "
        "rows of the UCI data set, or what benchmarks/train/label.py writes)"
    )


def open_position(line: str) -> Board:
    """Return the position at the start of a line.

    Raises:
        InputError: it is none, or its game is over.
    """
    position = position_of(line)
    if position.result() is not None:
        raise InputError(f"{quote_text(line.split()[0])}: the game is over")
    return position


def position_of(line: str, size: Geometry = STANDARD) -> Board:
    """Return the position at the start of a line; its game may be over.

    Raises:
        InputError: it is none; quotes what was found.
    """
    text = line.split()[0]
    with at(quote_text(text)):
        return parse_line(text, size)


def scores_of(position: Board, line: str) -> dict[int, int]:
    """Return the scores of a position's moves, by column, from its line; see `example`."""
    _, *words = line.split()
    width = position.geometry.width
    if len(words) != width:
        raise InputError(f"{len(words)} scores (expected {width}, one for each column)")
    scores = {}
    moves = position.moves()
    for column, word in enumerate(words, 1):
        if column not in moves:
            if word != "-":
                raise InputError(f"column {column} is full, but has the score {quote_text(word)}")
        elif not re.fullmatch(r"[+-]?[0-9]{1,4}", word):
            raise InputError(f"column {column}: {quote_text(word)} is not a score (use an integer)")
        else:
            scores[column] = int(word)
            known = -known_bounds(position.after(column))
            check_score(scores[column], known, f"column {column}: ")
    return scores


def _read_with_columns(line: str) -> Example:
    position = open_position(line)
    scores = scores_of(position, line)
    best = max(scores.values())
    return Example(position, sign(best), best, scores)


def _read_with_score(line: str) -> Example:
    score = line.split()[1]
    if not re.fullmatch(r"[+-]?[0-9]{1,3}", score):
        raise InputError(
            f"{quote_text(line)} is not moves and a score (use lines such as '4455 1')"
        )
    position = position_of(line)
    check_score(int(score), known_bounds(position))
    return Example(position, sign(int(score)), int(score))


def _uci(line: str) -> Example:
    row = _UCI.fullmatch(line)
    if row is None:
        raise InputError(
            f"{quote_text(line)} is not a row of the data set (use 42 squares b, x or o from a1 "
            "up, then win, draw or loss for x, and perhaps the score)"
        )
    squares = row[1].replace(",", "").replace("b", ".")
    rows = (squares[height::_HEIGHT] for height in reversed(range(_HEIGHT)))
    position = parse_line("/".join(rows))
    result = _RESULTS[row[2]] * (1 if position.turn == 1 else -1)
    score = None if row[3] is None else int(row[3])
    if score is not None:
        check_score(score, known_bounds(position))
        if sign(score) != result:
            raise InputError(
                f"the score {score} for {DISCS[position.turn]}, who is to move, "
                f"contradicts the {row[2]} for x"
            )
    return Example(position, result, score)


def check_score(score: int, known: Bounds, place: str = "") -> None:
    """Raise an InputError, which begins with the place, if a score contradicts known bounds."""
    if not known.lower <= score <= known.upper:
        exactly = known.score
        right = f"from {known.lower} to {known.upper}" if exactly is None else str(exactly)
        raise InputError(f"{place}the score {score} is wrong (it is {right})")
