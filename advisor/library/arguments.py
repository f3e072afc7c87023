"""Checks callers' arguments, whose faults would otherwise show deep inside.

A wrong argument is an `InputError` that says what is allowed.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from numbers import Real
from typing import TYPE_CHECKING, Any

from advisor.errors import InputError, at
from advisor.games.players import MARKS, player
from advisor.limits import LEVELS, MAX_DEPTH, MAX_GAMES, MAX_JOBS, MAX_SEED, Limit
from aspcircuits.arguments import constants, path, several, whole
from aspcircuits.stopping import Stop

if TYPE_CHECKING:
    from advisor.advice.uci_program import UciCommand

__all__ = ["MARKS", "constants", "path", "player", "several", "whole"]


def position(value: object) -> None:
    """Raise an InputError if a question is not about a position, for example about its text."""
    from advisor.games.game import Position  # `--version` and a shell do without it

    if not isinstance(value, Position):
        raise InputError(f"{value!r} is not a position (advisor.position makes one)")


def going_on(value: Any) -> None:
    """Raise an InputError if the argument is no position, or if its game is over."""
    position(value)
    if value.over:
        raise InputError("the game is over")


def game(value: object) -> None:
    """Raise an InputError if a question is not about a loaded game, for example about its name."""
    from advisor.games.game import Game

    if not isinstance(value, Game):
        raise InputError(f"{value!r} is not a game (advisor.load_game makes one)")


def texts(name: str, given: Iterable[object]) -> Iterator[str]:
    """Yield each of several texts when needed; an InputError if one is no text."""
    for each in given:
        if not isinstance(each, str):
            raise InputError(f"{name}: {each!r} is not a text")
        yield each


def board(size: object, connect: object) -> dict[str, int]:
    """Return the constants that a board's size stands for."""
    found = {}
    if size is not None:
        if not isinstance(size, Sequence) or isinstance(size, str) or len(size) != 2:
            raise InputError(f"size {size!r} is not a pair of columns and rows such as (8, 7)")
        found = dict(zip(("width", "height"), size, strict=True))
    if connect is not None:
        found["connect"] = connect
    most = 2**31 - 1
    return {name: whole(name, value, -most, most) for name, value in found.items()}


def engine(text: object, game: Any) -> "UciCommand | None":
    """Return the program that decides in a game, by its command; None for the advisor's search.

    Raises:
        InputError: it is no such text, or the game has exact scores of its own.
    """
    if text is None:
        return None
    if not isinstance(text, str):
        raise InputError(f"engine {text!r} is not a text such as 'stockfish;Threads=2'")
    from advisor.advice.uci_program import UciCommand  # most questions do without it

    if game.begin().abilities.in_points:
        raise InputError(f"`engine`: {game.name} needs none, it has exact scores (`exact`)")
    with at("`engine`"):
        return UciCommand.parse(text)


def time(seconds: object) -> float | None:
    """Return a time limit in seconds; None for no limit."""
    return None if seconds is None else positive(seconds)


def positive(seconds: object) -> float:
    """Return a time in seconds, which has to be positive and finite."""
    if not isinstance(seconds, Real) or not 0 < float(seconds) < inf:
        raise InputError(f"seconds {seconds!r} must be positive and finite")
    return float(seconds)


def stop(given: object) -> Stop:
    """Return the caller's `Stop`, or a new one for None."""
    if not isinstance(given, Stop | None):
        raise InputError(f"stop {given!r} is not an advisor.Stop")
    return given or Stop()


def jobs(value: object) -> int:
    """Return the number of threads that may share the work."""
    return whole("jobs", value, 1, MAX_JOBS)


def games(value: object, least: int = 1) -> int:
    """Return the number of games to play."""
    return whole("games", value, least, MAX_GAMES)


def limit(depth: object, seconds: object, of_level: object = None) -> Limit:
    """Return the limit of a search, by a depth and time or by a level."""
    if of_level is not None:
        if depth is not None:
            raise InputError("depth and level are both given (use one of them)")
        return Limit.of_level(level(of_level), time(seconds))
    plies = None if depth is None else whole("depth", depth, 0, MAX_DEPTH)
    return Limit(plies, time(seconds))


def level(value: object) -> int:
    """Return a level of play."""
    return whole("level", value, LEVELS[0], LEVELS[-1])


def seed(value: object) -> int:
    """Return the seed of random choices."""
    return whole("seed", value, 0, MAX_SEED)
