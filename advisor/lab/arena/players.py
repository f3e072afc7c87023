"""Players of matches: the advisor with some weights, and players to compare it with."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from advisor import registry
from advisor.advice import facade
from advisor.advice.choice import choose, is_weak, near_best
from advisor.advice.uci_program import UciCommand, best_move
from advisor.advice.verdict import rank
from advisor.errors import InputError, at
from advisor.games import rooms
from advisor.games.game import Game, Position
from advisor.games.rooms import Named
from advisor.limits import LEVELS, MAX_DEPTH, NO_LIMIT, Limit
from advisor.settings import config
from advisor.settings.config import DEFAULT
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop
from aspcircuits.texts import quote_text

_PROGRAM = "program:"
"""The beginning of another program's name."""

_TIME = Limit(seconds=0.1)
"""The limit of a move if neither weights nor name give a depth or time."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player that chooses moves; its name is the user's text. Players can be pickled.

    Attributes:
        name: the user's text.
        named: the game, with its weights.
        limit: of a move.
    """

    name: str
    named: Named
    limit: Limit = NO_LIMIT

    @property
    def game(self) -> Game:
        """The game as this player knows it, loaded once in a process."""
        return _load(self.named)

    def prepare(self) -> None:
        """Prepare whatever its moves should not have to wait for; by default nothing."""

    @property
    def identity(self) -> Any:
        """JSON that differs if the play may differ."""
        constants = [list(pair) for pair in self.named.constants]
        return [self.name, self.named.game, constants, self.limit.depth, self.limit.seconds]

    def moves(self, position: Position, stop: Stop, seed: int = 0) -> list[Term]:
        """Return the moves that are equal to this player, in a position whose game goes on.

        The seed is for random games.

        Raises:
            KeyboardInterrupt: `stop` was set.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Advised(Player):
    """The advisor with some weights.

    Attributes:
        level: None for full strength; see `near_best`.
        book: whether it uses opening books; None: as its weights say.
    """

    level: int | None = None
    book: bool | None = None

    @property
    def game(self) -> Game:
        """The game with its weights; a weak level has no book."""
        book = False if is_weak(self.level) else self.book
        return _load(self.named, book)

    @property
    def identity(self) -> Any:
        """JSON with the settings, weights and encodings."""
        constants = [list(pair) for pair in self.named.constants]
        known = config.fingerprint(self.game.settings)
        level = [] if self.level is None else [self.level]
        return [self.named.game, constants, known, self.limit.depth, self.limit.seconds, *level]

    def prepare(self) -> None:
        self.game.position().abilities.prepare(make=True)

    def moves(self, position: Position, stop: Stop, seed: int = 0) -> list[Term]:
        """Return all moves that are good enough for the level; at full strength the best.

        If a look-ahead decides, only its first best move is returned.
        """
        game = self.game.see(position)
        if self.level is None and self.limit.depth != 0 and game.by_chance is None:
            found = choose(game, self.limit, stop, followed=False)
            stop.check()
            return [found.move]
        advice = facade.advise(game, self.limit, seed, stop)
        stop.check()
        if self.level is not None:
            return near_best(advice, self.level)
        if not game.ranked:
            return [*advice.chosen]
        best = advice.first
        return [m.move for m in advice.moves if (rank(m), m.mean) == (rank(best), best.mean)]


class Lot(Player):
    """Plays any legal move."""

    def moves(self, position: Position, stop: Stop, seed: int = 0) -> list[Term]:
        game = self.game.see(position)
        legal = game.legal()
        return [legal[number] for number in game.root().moves()]


class Central(Player):
    """Plays nearest to the middle."""

    def moves(self, position: Position, stop: Stop, seed: int = 0) -> list[Term]:
        game = self.game.see(position)
        away = {move: game.from_middle(move) for move in game.legal().values()}
        return [move for move, distance in away.items() if distance == min(away.values())]


class Perfect(Player):
    """Plays by exact scores."""

    def moves(self, position: Position, stop: Stop, seed: int = 0) -> list[Term]:
        """Return the moves that win soonest, or lose last."""
        known = self.game.see(position).certain(stop, lambda _: None).moves or {}
        stop.check()
        best = max(bounds.lower for bounds in known.values())
        return [move for move, bounds in known.items() if bounds.lower == best]


class ProgramPlayer(Player):
    """Another program; see `advisor.advice.uci_program`."""

    def moves(self, position: Position, stop: Stop, seed: int = 0) -> list[Term]:
        """Return the program's answer to the moves of the game so far."""
        command = UciCommand.parse(self.name.removeprefix(_PROGRAM))
        return [best_move(command, position, self.limit, stop, otherwise=_TIME)]


PluginEngine = Callable[[str, Sequence[Any], Sequence[Any], int], Iterable[Any]]
"""A function that chooses moves for a plugin's player.

Its arguments are the game, the moves so far, the legal ones, as the game writes them, and a seed.
It returns the moves that are equal to it.
"""


@dataclass(frozen=True, slots=True)
class PluginPlayer(Player):
    """A player from a plugin.

    Attributes:
        engine: ``module:function`` of a `PluginEngine`.
    """

    engine: str = ""

    def moves(self, position: Position, stop: Stop, seed: int = 0) -> list[Term]:
        """Return the moves of its engine.

        Raises:
            InputError: the engine returns none, or one that is not legal.
        """
        choose: PluginEngine = registry.load(self.engine)
        chosen = [*choose(self.named.game, position.played, [*position.moves], seed)]
        with at(quote_text(self.name)):
            if not chosen:
                raise InputError("its engine returns no move")
            return [position.read_move(move, "") for move in chosen]


@lru_cache(maxsize=64)  # as many as meet in a tournament
def _load(named: Named, book: bool | None = None) -> Game:
    game = rooms.load(named.game, named.weights, dict(named.constants))
    if book is not None and (game.bookish or book):
        game = game.with_weights(None, book)
    # Without machine code a full-width look-ahead replaces a selective one, which finds other
    # values. So wait for the code: a match must not depend on when it is ready.
    game.position().abilities.prepare(make=game.settings.selective)
    return game


_OTHERS: dict[str, type[Player]] = {"random": Lot, "central": Central, "perfect": Perfect}
_LIMITS = "depth=N, level=N or time=SECONDS"


def parse(
    text: str,
    game: str | None = None,
    constants: Mapping[str, int] | None = None,
    *,
    limit: Limit = NO_LIMIT,
    book: bool | None = None,
) -> Player:
    """Read a player from a text.

    Texts are such as ``preset``, ``my.yaml:depth=4``, ``alex:time=0.2``, ``random``, ``perfect`` or
    ``program:stockfish;UCI_Elo=1800:time=0.3``.

    Args:
        text: the player.
        game: None for the usual one.
        constants: of the game.
        limit: of a player whose text has none.
        book: see `Advised`.

    Raises:
        InputError, ConfigError, EncodingError: one line on what cannot be used.
    """
    name, own, level = split_player(text)
    program = text.startswith(_PROGRAM)
    ours = {DEFAULT, *_OTHERS, *rooms.home(rooms.USUAL if game is None else game).presets}
    engine = None if program or name in ours or "." in name else registry.find("engines", name)
    weights = DEFAULT if program or engine or name in _OTHERS else name
    named = rooms.name_game(game, weights, dict(sorted((constants or {}).items())))
    if program:
        with at(_PROGRAM.removesuffix(":")):
            UciCommand.parse(name.removeprefix(_PROGRAM))
        return ProgramPlayer(name, named, own or limit)
    if engine or name in _OTHERS:
        if own:
            raise InputError(
                f"{quote_text(text)}: {name} has no {text.rpartition(':')[2].partition('=')[0]}"
            )
        return PluginPlayer(name, named, engine=engine) if engine else _OTHERS[name](name, named)
    player = Advised(text, named, own or limit, level, book)
    usual = player.game.settings.depth  # a player that cannot play is reported before any game
    if player.limit == NO_LIMIT:
        player = replace(player, limit=_TIME if usual is None else Limit(usual))
    return player


@cache
def ready(player: Player) -> Player:
    """Return the player, after the preparations that a process needs once.

    Raises:
        ConfigError, EncodingError: it turns out that it cannot play.
    """
    position = player.game.position()
    game = position.abilities
    if player.limit.depth == 0:
        player.moves(position, Stop())
    else:
        game.evaluator(Stop())
    game.totals(Stop())  # this needs a weight for every name that may occur in a game
    return player


def slowness(*players: Player) -> str | None:
    """Return a warning about a player that is very slow without an extra, None if there is none."""
    for player in players:
        hint = player.game.position().hint
        if isinstance(player, Perfect) and hint:
            return f"perfect takes minutes or hours a move early in the game. {hint}"
    return None


def split_player(text: str) -> tuple[str, Limit | None, int | None]:
    """Split a player's text into its name, and the limit and the level if there are any."""
    name, _, own = text.rpartition(":")
    key, equals, value = own.partition("=")
    if not (name and equals):
        return text, None, None
    allowed: dict[str, tuple[float, float]] = {
        "depth": (0, MAX_DEPTH),
        "level": (LEVELS[0], LEVELS[-1]),
        "time": (0.001, 86400),
    }
    if key not in allowed:
        raise InputError(f"{quote_text(text)}: unknown {quote_text(key)} (use {_LIMITS})")
    low, high = allowed[key]
    try:
        number = float(value) if key == "time" else int(value)
    except ValueError:
        raise InputError(
            f"{quote_text(text)}: {quote_text(value)} is not a number (use {_LIMITS})"
        ) from None
    if not low <= number <= high:
        raise InputError(f"{quote_text(text)}: {key} {value} is out of range (use {low} to {high})")
    if key == "time":
        return name, Limit(seconds=number), None
    if key == "level":
        return name, Limit.of_level(int(number)), int(number)
    return name, Limit(int(number)), None
