"""Positions with known results, from the files in which such positions come.

Three formats are told apart by the first line that holds a position; all are for the standard
board, plain or compressed by gzip:

``uci``: rows of the UCI "Connect-4" data set, the squares a1 to a6, b1 to b6, ... g6 (``x``, ``o``,
or ``b`` for blank; with or without commas between them), the result for x and perhaps the exact
score for the player to move::

    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbboobbbbxoxoxx,loss,-3

``scores``: Pascal Pons' test sets, the moves (or a picture with ``/`` between its rows) and the
exact score for the player to move::

    2252576253462244111563365343671351441 -1

``labels``: as `advisor.games.connect4.labels` has them, the exact score of every column.

Empty lines and lines that begin with ``#`` are skipped.
"""

import re
from collections.abc import Callable
from pathlib import Path

from advisor.errors import InputError
from advisor.files import linefile
from advisor.files.textfile import quoted
from advisor.games.connect4 import labels
from advisor.games.connect4.board import DISCS
from advisor.games.connect4.notation import parse_line
from advisor.games.connect4.solver import known_bounds
from advisor.games.examples import Example, sign

_RESULTS = {"loss": -1, "draw": 0, "win": 1}


def read(path: Path, on_progress: Callable[[float], None] = lambda part: None) -> list[Example]:
    """All positions of a file.

    Args:
        path: the file.
        on_progress: called now and then with the part of the file that has been read (0 to 1).

    Raises:
        InputError: the file cannot be read or has no positions, or the first line that is wrong.
    """
    parsers: list[Callable[[str], Example]] = []

    def parse(line: str) -> Example:
        if not parsers:
            parsers.append(_parser_of(line))
        return parsers[0](line)

    return [example for _, example in linefile.entries(path, parse, on_progress)]


def _parser_of(line: str) -> Callable[[str], Example]:
    """What reads lines such as this one."""
    if "," in line:
        return _uci
    words = line.split()
    if len(words) == 2:
        return _scored
    if len(words) > 2:
        return labels.parse
    raise InputError(
        f"{quoted(line)} is not a position with its result (use lines such as '4455 1', "
        "rows of the UCI data set, or what bench label writes)"
    )


_HEIGHT = 6
_UCI = re.compile(r"((?:[bxo],?){42}),(win|draw|loss)(?:,([+-]?[0-9]{1,3}))?")


def _uci(line: str) -> Example:
    row = _UCI.fullmatch(line)
    if row is None:
        raise InputError(
            f"{quoted(line)} is not a row of the data set (use 42 squares b, x or o from a1 up, "
            "then win, draw or loss for x, and perhaps the score)"
        )
    squares = row[1].replace(",", "").replace("b", ".")
    rows = (squares[height::_HEIGHT] for height in reversed(range(_HEIGHT)))
    position = parse_line("/".join(rows))
    result = _RESULTS[row[2]] * (1 if position.turn == 1 else -1)
    score = None if row[3] is None else int(row[3])
    if score is not None:
        labels.check_score(score, known_bounds(position))
        if sign(score) != result:
            raise InputError(
                f"the score {score} for {DISCS[position.turn]}, who is to move, "
                f"contradicts the {row[2]} for x"
            )
    return Example(position, result, score)


def _scored(line: str) -> Example:
    words = line.split()
    if len(words) != 2 or not re.fullmatch(r"[+-]?[0-9]{1,3}", words[1]):
        raise InputError(f"{quoted(line)} is not moves and a score (use lines such as '4455 1')")
    position = labels.position_of(line)
    score = int(words[1])
    labels.check_score(score, known_bounds(position))
    return Example(position, sign(score), score)
