"""How hard a made puzzle is, by what it takes to find its solution; as puzzle files say it."""

from dataclasses import dataclass

from advisor.errors import InputError
from advisor.files.textfile import quoted

MAX_SEED = 999_999_999
"""The largest seed that a puzzle file can name."""

_MOST = 9999
_KEYS = ("depth", "missed", "tempting")


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What it takes to find the first move.

    Attributes:
        depth: from so many plies on the look-ahead always chooses it.
        missed: on the way to the win, with the longest defence, the share of the attacker's moves
            at which the first choice of the strategies loses it or takes longer; 0 to 1.
        tempting: wrong first moves that the strategies, or the look-ahead two plies ahead, rate
            above it.
    """

    depth: int
    missed: float
    tempting: int

    def __str__(self) -> str:
        return f"{{depth: {self.depth}, missed: {self.missed:.2f}, tempting: {self.tempting}}}"

    @property
    def words(self) -> str:
        """The same in a sentence's words."""
        wrong = "no wrong move tempts"
        if self.tempting:
            wrong = f"{self.tempting} wrong move{'s tempt' if self.tempting > 1 else ' tempts'}"
        return f"found {self.depth} plies ahead, {wrong}"


def read(said: object) -> Difficulty:
    """What a puzzle file says under ``difficulty:``.

    Raises:
        InputError: a key that is unknown or missing, a value that is no number.
    """
    if not isinstance(said, dict) or {*said} != {*_KEYS}:
        raise InputError(f"difficulty: {quoted(str(said))} (use {', '.join(_KEYS)} with numbers)")
    for key, value in said.items():
        if type(value) not in (int, float) or not 0 <= value <= _MOST:
            raise InputError(f"difficulty: {key}: {quoted(str(value))} is not a number from 0 on")
    return Difficulty(int(said["depth"]), float(said["missed"]), int(said["tempting"]))
