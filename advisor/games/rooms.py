"""Finds each game's module: only this one knows which games have a module of their own.

Those modules are imported when they are needed, since no game needs another one's.
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
"""The game that is meant if none is named."""


def load(
    game: str | None = None,
    weights: str | Config | None = DEFAULT,
    constants: Mapping[str, int] | None = None,
    stop: Stop | None = None,
) -> Game:
    """Load a game, ready to be played.

    Args:
        game: the name of one that comes with the advisor, or a folder with its rules; None for the
            usual one.
        weights: a weights file, a preset of the game, or settings; None for the rules alone.
        constants: values for ``#const`` statements.
        stop: may end the loading.

    Raises:
        InputError: there is no such game, or it has no such constant.
        ConfigError, EncodingError: weights that do not fit, or rules that cannot be played.
        KeyboardInterrupt: `stop` was set.
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
    """Return a game's `Home` for its settings; an InputError if there is no such game."""
    if _is_usual(game):
        return CONNECT4
    from advisor.games import knowledge, rules

    return knowledge.home(rules.rule_files(game))


class Named(NamedTuple):
    """The arguments of `load_once`; they change when a file of the game changes."""

    game: str
    weights: str | None
    constants: Constants
    as_now: Versions


def name_game(game: str | None, weights: str | None, constants: Mapping[str, int]) -> Named:
    """Name a game with its files as they are now; called once per run, which keeps these files."""
    from advisor.games import rules

    game = USUAL if game is None else game
    ours = weights in (None, DEFAULT) and game in rules.games()
    as_now = () if ours else reading.load(weights or DEFAULT, home(game)).versions
    return Named(game, weights, tuple(constants.items()), as_now)


@lru_cache(maxsize=8)
def load_once(named: Named) -> Game:
    """Return a game, which a process loads once."""
    return load(named.game, named.weights, dict(named.constants))


def by_circuits(circuits: "Circuits") -> "RuleGame":
    """Return the game with compiled rules, and with the weights they were compiled with.

    A pickle of it has the rules alone.
    """
    from advisor.games import knowledge, rule_game

    whose = knowledge.home(circuits.rules.files)
    weights = {"moves": circuits.strategies, "features": circuits.weights}
    settings = Config(DEFAULT, None, whose.knowledge, weights=weights, home=whose)
    return rule_game.RuleGame(circuits, settings, None, _written_as(circuits))


def _written_as(circuits: "Circuits") -> "type[RulePosition]":
    """Return the class of its positions, which decides their notation: a copy of chess is chess."""
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
    """Load the book of the exact engine of the usual game, if one is installed."""
    if extras.has_extra("exact"):
        from advisor.games.connect4 import exact

        exact.load_book()


def explain(proof: Any) -> list[str]:
    """Write a proof in the usual game line by line; see `advisor.games.connect4.proofs`."""
    from advisor.games.connect4.proofs import find_proofs

    return find_proofs().explain(proof)


def code() -> "list[tuple[str, Callable[[], Tiers[Any]]]]":
    """List the usual game's own machine code: each description, and a function that finds it."""
    from advisor.games.connect4 import selftest

    return selftest.code()


def tests() -> "dict[str, Callable[[], str]]":
    """Return the usual game's self-tests; each returns what is wrong, or an empty text."""
    from advisor.games.connect4 import selftest

    return selftest.tests()


def board_file(source: str) -> Given:
    """Read a file of the usual game, whose boards have a form of their own."""
    from advisor.games.connect4 import notation

    return notation.given(source)


def connect4(config: Config) -> "Knowledge":
    """Return the evaluators, strategies and solvers of the usual game, with some weights."""
    from advisor.games.connect4.abilities import Knowledge

    return Knowledge(config)
