"""Matches in any game that is given by its rules: two players, both sides of every opening."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from advisor.advice.any_game import advise
from advisor.advice.choice import choose
from advisor.advice.verdict import rank
from advisor.asp.clingo_api import Term
from advisor.engine.playouts import MAX_PLIES
from advisor.errors import InputError
from advisor.files import linefile
from advisor.files.textfile import quoted
from advisor.games import knowledge
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.playing import Playing
from advisor.lab.arena.match import Game
from advisor.lab.arena.players import split
from advisor.lab.arena.program import ProgramPlayer
from advisor.lab.batch import Work
from advisor.limits import NO_LIMIT, Limit, Stop
from advisor.settings import config
from advisor.settings.config import DEFAULT

_TRIES = 50
"""Random games without a new opening, for each one found, after which there are no more."""

_RANDOM = "random"
"""The name of who plays anywhere."""

_PROGRAM = "program:"
"""What the name of another program begins with."""

_TIME = Limit(seconds=0.1)
"""A move of a player whose weights and name say nothing of depth or time."""

_WHOLE = 10.0
"""Seconds that a match takes at least, for which machine code of trees is loaded if it is kept."""


class Player(Protocol):
    """Somebody who chooses moves; can be pickled."""

    @property
    def circuits(self) -> Circuits:
        """The game."""

    @property
    def identity(self) -> Any:
        """JSON that differs where the play may differ."""

    def move(self, played: Playing, rng: np.random.Generator, stop: Stop) -> Term:
        """A move after those of a game.

        Raises:
            KeyboardInterrupt: it was to stop.
        """


@dataclass(frozen=True, slots=True)
class GamePlayer:
    """Somebody who chooses moves; can be pickled.

    Attributes:
        game, constants: what is played.
        weights: None plays anywhere.
        limit: of a move.
    """

    game: str
    constants: tuple[tuple[str, int], ...]
    weights: str | None
    limit: Limit

    @property
    def circuits(self) -> Circuits:
        """The game as this player knows it, compiled once in a process."""
        return _loaded(self.game, self.weights or DEFAULT, self.constants)[0]

    @property
    def identity(self) -> Any:
        """JSON that differs where the play may differ."""
        weights = None
        if self.weights is not None:
            weights = config.fingerprint(_loaded(self.game, self.weights, self.constants)[1])
        limit = [self.limit.depth, self.limit.seconds]
        return [self.game, [list(pair) for pair in self.constants], weights, limit]

    def move(self, played: Playing, rng: np.random.Generator, stop: Stop) -> Term:
        """A move after those of a game; between equally good ones it draws lots.

        Raises:
            KeyboardInterrupt: it was to stop.
        """
        state = Playing.begin(self.circuits, played.begun)
        for move in played.moves:
            state = state.play(move)
        legal = state.legal
        if self.weights is not None and state.game.selective:
            chosen = choose(RuleAbilities(state), self.limit, stop, followed=False).move
            stop.check()
            return chosen
        if self.weights is not None:
            ranked = advise(RuleAbilities(state), self.limit, rng, stop).moves
            stop.check()
            best = ranked[0]
            legal = [c.move for c in ranked if (rank(c), c.mean) == (rank(best), best.mean)]
        return legal[rng.integers(len(legal))]


@lru_cache(maxsize=64)  # as many as meet in a tournament
def _loaded(
    game: str, weights: str, constants: tuple[tuple[str, int], ...]
) -> tuple[Circuits, config.Config]:
    circuits, settings = knowledge.load(game, weights, dict(constants))
    if circuits.selective:
        circuits.prepare()
        circuits.tree.kept()
    if not circuits.weights:
        circuits.tree.grower(_WHOLE)
    return circuits, settings


def player(text: str, game: str, constants: Mapping[str, int], limit: Limit = NO_LIMIT) -> Player:
    """A player as ``default``, ``my.yaml:depth=2``, ``default:time=0.2``, ``random`` or
    ``program:stockfish;UCI_Elo=1800:time=0.3``.

    Args:
        text: a name, and perhaps a limit.
        game, constants: what is played.
        limit: of one who names none.

    Raises:
        InputError, ConfigError, EncodingError: one line on what cannot be used.
    """
    given = tuple(sorted(constants.items()))
    if text.startswith(_PROGRAM):
        command, own, _ = split(text.removeprefix(_PROGRAM))
        circuits, _ = _loaded(game, DEFAULT, given)
        chosen = own or (_TIME if limit == NO_LIMIT else limit)
        return ProgramPlayer(command, circuits, chosen)
    name, own, _ = split(text)
    if name == _RANDOM:
        if own:
            raise InputError(f"{quoted(text)}: {_RANDOM} has no depth and no time")
        return GamePlayer(game, given, None, Limit())
    usual = _loaded(game, name, given)[1].depth
    limit = own or limit
    if limit == NO_LIMIT:
        limit = _TIME if usual is None else Limit(usual)
    return GamePlayer(game, given, name, limit)


def umpire(
    first: Player,
    second: Player,
    seed: int,
    on_move: Callable[[str], None] | None = None,
) -> Work[list[Game]]:
    """What plays an opening out twice; see `advisor.lab.arena.match.umpire`."""
    return partial(_play_both, first, second, seed, on_move)


def _play_both(
    first: Player,
    second: Player,
    seed: int,
    on_move: Callable[[str], None] | None,
    opening: str,
    stop: Stop,
) -> list[Game]:
    games = []
    # Lots are the same however an opening is written.
    begun = Playing.of(first.circuits, opening)
    coded = " ".join(map(begun.notation.code, begun.moves)) or opening
    for number, players in enumerate(((first, second), (second, first))):
        lots = np.random.default_rng([seed, number, *coded.encode()])
        moves, points = _play(players, opening, lots, on_move, stop)
        games.append({"moves": moves, "points": points if number == 0 else 1 - points})
    return games


def _play(
    players: Sequence[Player],
    opening: str,
    lots: np.random.Generator,
    on_move: Callable[[str], None] | None,
    stop: Stop,
) -> tuple[str, float]:
    """The moves, and the points of who has the first role."""
    state = Playing.of(players[0].circuits, opening)
    while not state.over and len(state.moves) < MAX_PLIES:
        if on_move:
            on_move(f"{len(state.moves)} moves long")
        state = state.play(players[state.turn].move(state, lots, stop))
    points = {None: 0.5, 0: 1.0, 1: 0.0}[state.winner]
    return state.notation.line(state), points


def record(game: Circuits, players: tuple[str, str], moves: str, number: int) -> str:
    """A game as its notation writes whole games; in the odd numbers the second player began."""
    first, second = players if number % 2 == 0 else players[::-1]
    state = Playing.of(game, moves)
    names = [name.capitalize() for name in game.rules.players]
    return state.notation.record(state, dict(zip(names, (first, second), strict=True)))


def random_openings(game: Circuits, count: int, plies: int, seed: int) -> list[str]:
    """Different openings of so many plies after which the game goes on.

    Raises:
        InputError: there are not so many.
    """
    rng = np.random.default_rng(seed)
    found: dict[bytes, str] = {}
    tried = 0  # since the last one was found
    while len(found) < count and tried < _TRIES * (10 + len(found)):
        known, tried = len(found), tried + 1
        state = Playing.of(game)
        while not state.over and len(state.moves) < plies:
            legal = state.legal
            state = state.play(legal[rng.integers(len(legal))])
        if not state.over:
            found.setdefault(state.row.tobytes(), state.notation.line(state))
        tried = 0 if len(found) > known else tried
    if len(found) < count:
        raise InputError(
            f"only {len(found)} different openings of {plies} plies for {2 * count} games "
            "(use fewer games or more plies)"
        )
    return list(found.values())


def read_openings(game: Circuits, path: Path) -> list[str]:
    """The openings in a file, the moves of one on a line.

    Raises:
        InputError: one line with file and place.
    """

    def opening(line: str) -> str:
        if Playing.of(game, line).over:
            raise InputError(f"{quoted(line)} ends the game (an opening leaves moves to play)")
        return line

    return [found for _, found in linefile.entries(path, opening)]
