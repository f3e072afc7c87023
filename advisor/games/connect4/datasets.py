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

import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from advisor.errors import InputError
from advisor.files.textfile import file_name, quoted
from advisor.games.connect4 import labels
from advisor.games.connect4.board import DISCS, Position
from advisor.games.connect4.notation import parse_line
from advisor.games.connect4.solver import known_bounds, sign

_RESULTS = {"loss": -1, "draw": 0, "win": 1}

_LONGEST = 2000
"""Bytes of a line; a row of the UCI data set takes less than 100."""


@dataclass(frozen=True, slots=True)
class Example:
    """A position and what is known of it.

    Attributes:
        position: its game may be over.
        result: 1, 0 or -1, a win, draw or loss for the player to move if nobody errs.
        score: the exact score for the player to move, None if the file does not have it.
        columns: the exact score of every move by column, where the file has them.
    """

    position: Position
    result: int
    score: int | None = None
    columns: Mapping[int, int] | None = None

    @property
    def result_of_player_1(self) -> int:
        """1, 0 or -1."""
        return self.result if self.position.turn == 1 else -self.result


def read(path: Path, on_progress: Callable[[float], None] = lambda part: None) -> list[Example]:
    """All positions of a file.

    Args:
        path: the file.
        on_progress: called now and then with the part of the file that has been read (0 to 1).

    Raises:
        InputError: the file cannot be read or has no positions, or the first line that is wrong.
    """
    name = file_name(path)
    examples = []
    parse = None
    place = ""
    try:
        with open(path, "rb") as raw:
            for number, line in enumerate(_lines(raw, on_progress), 1):
                place = f"line {number}: "
                if len(line) == _LONGEST:
                    raise InputError(f"is too long (at most {_LONGEST} bytes)")
                text = line.decode("utf-8-sig").strip()
                if text and not text.startswith("#"):
                    parse = parse or _parser_of(text)
                    examples.append(parse(text))
    except InputError as error:
        raise InputError(f"{name}: {place}{error}") from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name}: cannot be read ({reason})") from None
    except UnicodeDecodeError:
        raise InputError(f"{name}: is not a text file (use UTF-8, plain or by gzip)") from None
    if not examples:
        raise InputError(f"{name}: holds no positions")
    return examples


def _lines(raw: BufferedReader, on_progress: Callable[[float], None]) -> Iterator[bytes]:
    """The lines of a file, which may be compressed; of a longer one the first `_LONGEST` bytes."""
    size = os.fstat(raw.fileno()).st_size  # a pipe has none
    packed = raw.peek(2)[:2] == b"\x1f\x8b"
    unpacked = gzip.GzipFile(fileobj=raw) if packed else raw
    for number, line in enumerate(iter(lambda: unpacked.readline(_LONGEST), b"")):
        if size and number % 1000 == 0:
            on_progress(raw.tell() / size)
        yield line


def _parser_of(line: str) -> Callable[[str], Example]:
    """What reads lines such as this one."""
    if "," in line:
        return _uci
    words = line.split()
    if len(words) == 2:
        return _scored
    if len(words) > 2:
        return _labelled
    raise InputError(
        f"{quoted(line)} is no position with its result (use lines such as '4455 1', "
        "rows of the UCI data set, or what bench label writes)"
    )


_HEIGHT = 6
_UCI = re.compile(r"((?:[bxo],?){42}),(win|draw|loss)(?:,([+-]?[0-9]{1,3}))?")


def _uci(line: str) -> Example:
    row = _UCI.fullmatch(line)
    if row is None:
        raise InputError(
            f"{quoted(line)} is no row of the data set (use 42 squares b, x or o from a1 up, "
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
    try:
        position = parse_line(words[0])
    except InputError as error:
        raise InputError(f"{quoted(words[0])}: {error}") from None
    score = int(words[1])
    labels.check_score(score, known_bounds(position))
    return Example(position, sign(score), score)


def _labelled(line: str) -> Example:
    labelled = labels.parse(line)
    score = max(labelled.scores.values())
    return Example(labelled.position, sign(score), score, labelled.scores)
