"""Who chooses moves: the advisor with some weights, or somebody to compare it with."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Protocol

from advisor.advice import advise
from advisor.advice.levels import near_best, settings_of
from advisor.errors import InputError
from advisor.files.textfile import quoted
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Geometry, Position, geometry
from advisor.games.connect4.solver import Solver
from advisor.limits import NO_LIMIT, Limit, Stop
from advisor.settings import config, reading
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
        """Does what need be done but once in a process.

        Raises:
            ConfigError, EncodingError: it turns out that this player cannot play.
        """

    def columns(self, position: Position, stop: Stop) -> list[int]:
        """The columns between which it does not care, of a position whose game goes on.

        Raises:
            KeyboardInterrupt: it was to stop.
        """


class Advisor:
    """The advisor with some settings; see `advisor.advice.advise.Advisor`."""

    def __init__(self, name: str, config: Config, limit: Limit, level: int | None = None) -> None:
        self.name = name
        self.limit = limit.otherwise(config.depth)
        self._level = level
        self._advisor = advise.Advisor(settings_of(config, level))

    @property
    def identity(self) -> Any:
        """The settings, weights and encodings."""
        settings = config.fingerprint(self._advisor.config)
        level = [] if self._level is None else [self._level]
        return [settings, self.limit.depth, self.limit.seconds, *level]

    def warm_up(self, size: Geometry) -> None:
        """Compiles the encodings, or asks for an answer set where each move will be one."""
        if self.limit.depth != 0:
            self._advisor.knows.evaluator(size)
            self._advisor.knows.strategies(size)
        else:
            self._advisor.advise(Position(size), self.limit)

    def columns(self, position: Position, stop: Stop) -> list[int]:
        """Without look-ahead all best moves; with look-ahead the one that it finds first.

        At a level all moves that a player of this level holds for good enough.
        """
        if self._level is not None:
            advice = self._advisor.advise(position, self.limit, stop=stop)
            stop.check()
            return near_best(advice, self._level)
        if self.limit.depth == 0:
            return list(self._advisor.advise(position, self.limit, stop=stop).best)
        return [self._advisor.choose(position, self.limit, stop=stop)]


@dataclass(frozen=True, slots=True)
class Lot:
    """Plays anywhere."""

    name: str = "random"
    identity: Any = "random"

    def warm_up(self, size: Geometry) -> None:
        """Nothing."""

    def columns(self, position: Position, stop: Stop) -> list[int]:
        """All."""
        return position.moves()


@dataclass(frozen=True, slots=True)
class Central:
    """Plays nearest to the middle."""

    name: str = "central"
    identity: Any = "central"

    def warm_up(self, size: Geometry) -> None:
        """Nothing."""

    def columns(self, position: Position, stop: Stop) -> list[int]:
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

    def columns(self, position: Position, stop: Stop) -> list[int]:
        """Those that win soonest, or lose last."""
        solver = _solver(position.geometry)
        known = exact.solve(position, columns=True, stop=stop, solver=solver).columns or {}
        stop.check()
        best = max(solution.lower for solution in known.values())
        return [column for column, solution in known.items() if solution.lower == best]


@lru_cache(maxsize=1)
def _solver(size: Geometry) -> Solver:
    """One for all games of a match, with what it has proved."""
    return Solver(size)


_OTHERS: dict[str, Player] = {each.name: each for each in (Lot(), Central(), Perfect())}
_LIMITS = "depth=N, level=N or time=SECONDS"


def parse(text: str, limit: Limit = NO_LIMIT, book: bool | None = None) -> Player:
    """A player as ``preset``, ``my.yaml:depth=4``, ``alex:time=0.2``, ``random``, ``perfect``...

    Args:
        text: a name, and perhaps a limit.
        limit: of one who names none.
        book: whether the advisor keeps to the opening book; None for what its weights say.

    Raises:
        InputError, ConfigError: one line on what cannot be used.
    """
    name, own, level = split(text)
    if name in _OTHERS:
        if own:
            raise InputError(
                f"{quoted(text)}: {name} has no {text.rpartition(':')[2].partition('=')[0]}"
            )
        return _OTHERS[name]
    settings = reading.load(name)
    if book is not None:
        settings = replace(settings, book=book)
    return Advisor(text, settings, own or limit, level)


def split(text: str) -> tuple[str, Limit | None, int | None]:
    """The name of a player, and the limit and the level beside it if there are any.

    Raises:
        InputError: the limit is none.
    """
    name, colon, own = text.rpartition(":")
    if not colon or "=" not in own:
        return text, None, None
    key, number = _limit(text, own)
    if key == "time":
        return name, Limit(seconds=number), None
    if key == "level":
        return name, Limit(depth_of_level(int(number))), int(number)
    return name, Limit(int(number)), None


def slowness(*players: Player) -> str | None:
    """One line on a player who will take very long for want of an extra, None if there is none."""
    hint = exact.install_hint(Position(geometry()))
    if hint is None or not any(isinstance(player, Perfect) for player in players):
        return None
    return f"perfect takes minutes or hours a move early in the game. {hint}"


def _limit(text: str, limit: str) -> tuple[str, float]:
    """What a limit is called, and its number."""
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
        raise InputError(
            f"{quoted(text)}: {quoted(value)} is not a number (use {_LIMITS})"
        ) from None
    if not low <= number <= high:
        raise InputError(f"{quoted(text)}: {key} {value} is out of range (use {low} to {high})")
    return key, number
