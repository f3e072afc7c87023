"""What callers hand over, checked here: what is wrong with it would show deep below.

What cannot be used is an `InputError` that says what can.
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
    """That a question is about a position, not about the text of one."""
    from advisor.games.game import Position  # which `--version` and a shell do without

    if not isinstance(value, Position):
        raise InputError(f"{value!r} is not a position (advisor.position makes one)")


def going_on(value: Any) -> None:
    """The same, and that its game goes on."""
    position(value)
    if value.over:
        raise InputError("the game is over")


def game(value: object) -> None:
    """That a question is about a game as it was loaded, not about the name of one."""
    from advisor.games.game import Game

    if not isinstance(value, Game):
        raise InputError(f"{value!r} is not a game (advisor.load_game makes one)")


def texts(name: str, given: Iterable[object]) -> Iterator[str]:
    """Each of several, which has to be one, as it is wanted."""
    for each in given:
        if not isinstance(each, str):
            raise InputError(f"{name}: {each!r} is not a text")
        yield each


def board(size: object, connect: object) -> dict[str, int]:
    """A size of a board as the constants that it stands for."""
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
    """The program that decides in a game, by the command that starts it; None for our own search.

    Raises:
        InputError: it is no such text, or the game has exact scores of its own.
    """
    if text is None:
        return None
    if not isinstance(text, str):
        raise InputError(f"engine {text!r} is not a text such as 'stockfish;Threads=2'")
    from advisor.advice.uci_program import UciCommand  # which most questions do without

    if game.begin().abilities.in_points:
        raise InputError(f"`engine`: {game.name} needs none, it has exact scores (`exact`)")
    with at("`engine`"):
        return UciCommand.parse(text)


def time(seconds: object) -> float | None:
    """Seconds that something may take; None for as long as it takes."""
    return None if seconds is None else positive(seconds)


def positive(seconds: object) -> float:
    """The same where there has to be an end."""
    if not isinstance(seconds, Real) or not 0 < float(seconds) < inf:
        raise InputError(f"seconds {seconds!r} must be positive and finite")
    return float(seconds)


def stop(given: object) -> Stop:
    """What ends the work; for None one that nobody sets."""
    if not isinstance(given, Stop | None):
        raise InputError(f"stop {given!r} is not an advisor.Stop")
    return given or Stop()


def jobs(value: object) -> int:
    """How many threads may share the work."""
    return whole("jobs", value, 1, MAX_JOBS)


def games(value: object, least: int = 1) -> int:
    """How many are to be played."""
    return whole("games", value, least, MAX_GAMES)


def limit(depth: object, seconds: object, of_level: object = None) -> Limit:
    """How far to look: to a depth, or as a level does."""
    if of_level is not None:
        if depth is not None:
            raise InputError("depth and level are both given (use one of them)")
        return Limit.of_level(level(of_level), time(seconds))
    plies = None if depth is None else whole("depth", depth, 0, MAX_DEPTH)
    return Limit(plies, time(seconds))


def level(value: object) -> int:
    """A level of play."""
    return whole("level", value, LEVELS[0], LEVELS[-1])


def seed(value: object) -> int:
    """That of random choices."""
    return whole("seed", value, 0, MAX_SEED)
