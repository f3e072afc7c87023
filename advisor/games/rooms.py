"""Which room a game has: the one place that knows who has abilities or a notation of its own.

Rooms are imported when they are asked for, since no game needs another one's.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from advisor import extras
from advisor.errors import ConfigError
from advisor.files.resources import ENCODINGS, Versions
from advisor.games.game import Constants, Game
from advisor.games.position_file import Given
from advisor.settings import reading
from advisor.settings.config import CONNECT4, DEFAULT, Config, Home
from aspcircuits.stopping import Stop

if TYPE_CHECKING:
    from advisor.games.circuits import Circuits
    from advisor.games.connect4.abilities import Knowledge
    from advisor.games.connect4.arrays import BoardArrays as BoardArrays
    from advisor.games.connect4.board import Board as Board
    from advisor.games.connect4.board import Geometry as Geometry
    from advisor.games.rule_game import RuleGame
    from advisor.games.rule_position import RulePosition
    from aspcircuits.tiers import Tiers

USUAL = "connect4"
"""The game that is meant where none is named."""


def load(
    game: str | None = None,
    weights: str | Config | None = DEFAULT,
    constants: Mapping[str, int] | None = None,
    stop: Stop | None = None,
) -> Game:
    """A game, ready to be played.

    Args:
        game: the name of one that comes with the advisor, or a folder with its rules; None for the
            usual one.
        weights: a weights file, a preset of the game, or settings; None for no more than
            its rules need.

    Raises:
        InputError: there is no such game, or it has no such constant.
        ConfigError, EncodingError: weights that do not fit, or rules that cannot be played.
        KeyboardInterrupt: it was to stop.
    """
    game = USUAL if game is None else game
    if isinstance(weights, Config) and weights.home.game != (wanted := home(game).game):
        whose = f"weights of {weights.home.game}, not of {wanted}"
        raise ConfigError(f"{weights.name}: {whose} (load_weights(game=...) gives those)")
    if _is_usual(game):
        from advisor.games.connect4 import game as boards

        return boards.load(weights, constants or {})
    from advisor.games import rule_game

    found = rule_game.load(game, weights, constants or {}, stop)
    return replace(found, written_as=_written_as(found.circuits))


def _is_usual(game: str) -> bool:
    return game == USUAL or Path(game) == ENCODINGS / USUAL


def home(game: str) -> Home:
    """A game as its settings see it; an InputError if there is no such game."""
    if _is_usual(game):
        return CONNECT4
    from advisor.games import knowledge, rules

    return knowledge.home(rules.rule_files(game))


class Named(NamedTuple):
    """What `kept` loads; another one once a file of it has changed."""

    game: str
    weights: str | None
    constants: Constants
    as_now: Versions


def named(game: str | None, weights: str | None, constants: Mapping[str, int]) -> Named:
    """A game with its files as they are now; asked once for a run, which has them throughout."""
    from advisor.games import rules

    game = USUAL if game is None else game
    ours = weights in (None, DEFAULT) and game in rules.games()
    as_now = () if ours else reading.load(weights or DEFAULT, home(game)).versions
    return Named(game, weights, tuple(constants.items()), as_now)


@lru_cache(maxsize=8)
def kept(named: Named) -> Game:
    """A game, which a process loads once."""
    return load(named.game, named.weights, dict(named.constants))


def by_circuits(circuits: "Circuits") -> "RuleGame":
    """The game that has these rules, by the weights that were compiled; a pickle of it has the
    rules alone."""
    from advisor.games import knowledge, rule_game

    whose = knowledge.home(circuits.rules.files)
    weights = {"moves": circuits.strategies, "features": circuits.weights}
    settings = Config(DEFAULT, None, whose.knowledge, weights=weights, home=whose)
    return rule_game.RuleGame(circuits, settings, None, _written_as(circuits))


def _written_as(circuits: "Circuits") -> "type[RulePosition]":
    """The class of its positions, which says how they are written: a copy of chess is chess."""
    from advisor.games import rules

    own = rules.rule_files("chess")
    files = circuits.rules.files
    copies = zip(own, files, strict=False)
    if len(files) >= len(own) and all(a.read_bytes() == b.read_bytes() for a, b in copies):
        from advisor.games.chess.notation import ChessRulePosition

        return ChessRulePosition
    from advisor.games.rule_position import RulePosition

    return RulePosition


def prepare() -> None:
    """Loads the book of the exact engine of the usual game, if one is installed."""
    if extras.installed("exact"):
        from advisor.games.connect4 import exact

        exact.load_book()


def explain(proof: Any) -> list[str]:
    """Tell a proof in the usual game line by line; see `advisor.games.connect4.proofs`."""
    from advisor.games.connect4.proofs import find_proofs

    return find_proofs().explain(proof)


def code() -> "list[tuple[str, Callable[[], Tiers[Any]]]]":
    """The machine code of the usual game's own: what it is of, and what finds it."""
    from advisor.games.connect4 import selftest

    return selftest.code()


def tests() -> "dict[str, Callable[[], str]]":
    """Self-tests of the usual game: each says what is wrong, nothing if all is well."""
    from advisor.games.connect4 import selftest

    return selftest.tests()


def board_file(source: str) -> Given:
    """What a file of the usual game says, whose boards have a form of their own."""
    from advisor.games.connect4 import notation

    return notation.given(source)


def connect4(config: Config) -> "Knowledge":
    """Evaluators, strategies and solvers of the usual game's boards, by some weights."""
    from advisor.games.connect4.abilities import Knowledge

    return Knowledge(config)
