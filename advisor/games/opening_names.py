"""Names of openings, from the file ``opening_names.txt`` beside a game's rules."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from advisor.errors import InputError
from advisor.files.linefile import entries
from aspcircuits.texts import quote_text

FILE = "opening_names.txt"
"""The file of names; it may be missing."""


def opening_name(folder: Path, played: Sequence[str]) -> str:
    """Return the name of the longest known line that a game begins with; empty without one.

    Args:
        folder: of the game's rules.
        played: the moves from the start, as people write them.
    """
    names = read_names(folder / FILE)
    longest = max(map(len, names), default=0)
    lines = (tuple(played[:count]) for count in range(min(longest, len(played)), 0, -1))
    return next((names[line] for line in lines if line in names), "")


@lru_cache(maxsize=8)
def read_names(file: Path) -> Mapping[tuple[str, ...], str]:
    """Read the names of a file by their moves; none if there is no such file.

    Raises:
        InputError: a line has not the form ``moves | name``.
    """
    return dict(line for _, line in entries(file, _named)) if file.is_file() else {}


def _named(line: str) -> tuple[tuple[str, ...], str]:
    moves, bar, name = line.partition("|")
    if not (moves.strip() and bar and name.strip()):
        raise InputError(f"{quote_text(line)} has not the form 'e4 c5 | Sicilian Defence'")
    return tuple(moves.split()), name.strip()
