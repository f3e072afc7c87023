"""Who chooses moves: the advisor with some weights, or somebody to compare it with."""

from dataclasses import dataclass, replace
from typing import Any, Protocol

from advisor.advice.advise import advise, choose
from advisor.errors import InputError
from advisor.files.textfile import quoted
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Geometry, Position
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.settings import config
from advisor.settings.config import LEVELS, MAX_DEPTH, Config, depth_of_level


class Player(Protocol):
    """Somebody who chooses moves. Players can be pickled."""

    @property
    def name(self) -> str:
        """As the user named it."""

    @property
    def identity(self) -> Any:
        """JSON that differs where the play may differ."""

    def warm_up(self, size: Geometry) -> None:
        """Does what need be done but once in a process."""

    def columns(self, position: Position) -> list[int]:
        """The columns between which it does not care, of a position whose game goes on."""


@dataclass(frozen=True, slots=True)
class Advisor:
    """The advisor; see `advisor.advice.advise.advise` for its settings."""

    name: str
    config: Config
    depth: int | None
    seconds: float | None

    @property
    def identity(self) -> Any:
        """The settings, weights and encodings."""
        return [config.fingerprint(self.config), self.plies, self.seconds]

    @property
    def plies(self) -> int | None:
        """The depth, None if there is but a time limit."""
        if self.depth is None and self.seconds is None:
            return self.config.depth
        return self.depth

    def warm_up(self, size: Geometry) -> None:
        """Compiles the encoding."""
        if self.plies != 0:
            CircuitEvaluator(self.config, size)

    def columns(self, position: Position) -> list[int]:
        """Without look-ahead all best moves; with look-ahead the one that it finds first."""
        if self.plies == 0:
            return list(advise(position, self.config, depth=0).best)
        return [choose(position, self.config, depth=self.depth, seconds=self.seconds)]


@dataclass(frozen=True, slots=True)
class Lot:
    """Plays anywhere."""

    name: str = "random"
    identity: Any = "random"

    def warm_up(self, size: Geometry) -> None:
        """Nothing."""

    def columns(self, position: Position) -> list[int]:
        """All."""
        return position.moves()


@dataclass(frozen=True, slots=True)
class Central:
    """Plays nearest to the middle."""

    name: str = "central"
    identity: Any = "central"

    def warm_up(self, size: Geometry) -> None:
        """Nothing."""

    def columns(self, position: Position) -> list[int]:
        """One or two."""
        width = position.geometry.width
        moves = position.moves()
        nearest = min(abs(2 * column - width - 1) for column in moves)
        return [column for column in moves if abs(2 * column - width - 1) == nearest]


@dataclass(frozen=True, slots=True)
class Perfect:
    """Plays by exact scores."""

    name: str = "perfect"
    identity: Any = "perfect"

    def warm_up(self, size: Geometry) -> None:
        """Nothing."""

    def columns(self, position: Position) -> list[int]:
        """Those that win soonest, or lose last."""
        known = exact.solve(position, columns=True).columns or {}
        best = max(solution.lower for solution in known.values())
        return [column for column, solution in known.items() if solution.lower == best]


_OTHERS: dict[str, Player] = {each.name: each for each in (Lot(), Central(), Perfect())}
_LIMITS = "depth=N, level=N or time=SECONDS"


def parse(
    text: str,
    depth: int | None = None,
    seconds: float | None = None,
    book: bool | None = None,
) -> Player:
    """A player as ``preset``, ``my.yaml:depth=4``, ``alex:time=0.2``, ``random``, ``perfect``...

    Args:
        text: a name, and perhaps a limit.
        depth, seconds: the limits of one who names none.
        book: whether the advisor keeps to the opening book; None for what its weights say.

    Raises:
        InputError, ConfigError: one line on what cannot be used.
    """
    name, colon, limit = text.rpartition(":")
    if not colon or "=" not in limit:
        name, limit = text, ""
    if name in _OTHERS:
        if limit:
            raise InputError(f"{quoted(text)}: {name} has no {limit.partition('=')[0]}")
        return _OTHERS[name]
    if limit:
        depth, seconds = _limits(text, limit)
    settings = config.load(name)
    if book is not None:
        settings = replace(settings, book=book)
    return Advisor(text, settings, depth, seconds)


def _limits(text: str, limit: str) -> tuple[int | None, float | None]:
    key, _, value = limit.partition("=")
    allowed: dict[str, tuple[float, float]] = {
        "depth": (0, MAX_DEPTH),
        "level": (LEVELS[0], LEVELS[-1]),
        "time": (0.001, 86400),
    }
    if key not in allowed:
        raise InputError(f"{quoted(text)}: unknown {quoted(key)} (use {_LIMITS})")
    low, high = allowed[key]
    try:
        number = float(value) if key == "time" else int(value)
    except ValueError:
        raise InputError(f"{quoted(text)}: {quoted(value)} is no number (use {_LIMITS})") from None
    if not low <= number <= high:
        raise InputError(f"{quoted(text)}: {key} {value} is out of range (use {low} to {high})")
    if key == "time":
        return None, number
    return (depth_of_level(int(number)) if key == "level" else int(number)), None
