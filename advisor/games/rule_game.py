"""A game defined by rules alone, as a `Game`."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any

from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.files.resources import Versions, versions
from advisor.games import by_rules, knowledge
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.game import Constants, Position, unchanging
from advisor.games.rule_arrays import RuleArrays
from advisor.games.rule_position import Begun, GameByRules, RulePosition
from advisor.games.rule_puzzles import RulePuzzles
from advisor.games.rules import rule_files
from advisor.games.tree import MoveTree
from advisor.settings.config import DEFAULT, KINDS, Config
from aspcircuits import circuit
from aspcircuits.circuit import Circuit
from aspcircuits.stopping import Stop


@unchanging
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RuleGame(GameByRules):
    """A game defined by rules alone; see `advisor.games.game.Game`.

    Attributes:
        circuits: the rules, compiled.
        by: the weights that it was loaded with: a preset, settings, or None for its rules alone.
        written_as: the class of its positions, which decides their notation.
    """

    circuits: Circuits
    settings: Config
    by: str | Config | None = None
    written_as: type[RulePosition] = RulePosition
    instead: str | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleGame) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity[:2])

    @property
    def _identity(self) -> tuple[object, ...]:
        rules = self.circuits.rules
        return rules.source, rules.key, self.by is None, self.settings

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments that load it again; a process does that once."""
        constants = tuple(self.constants.items())
        return _rebuild_game, (self.source, self.by, constants, self.written_as)

    @property
    def suffixes(self) -> tuple[str, ...]:
        return self.written_as.suffixes

    @property
    def name(self) -> str:
        return self.circuits.rules.name

    @property
    def players(self) -> tuple[str, str]:
        return self.circuits.rules.players

    @property
    def constants(self) -> dict[str, int]:
        return dict(self.circuits.rules.constants)

    @property
    def source(self) -> str:
        return self.circuits.rules.source

    @property
    def circuit(self) -> Circuit:
        """The circuit of the rules and features; its inputs are a state and a move."""
        rules = self.circuits.rules
        derived = ("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2), ("feature", 3)
        outputs = [each for each in derived if rules.derived_atoms(each[0])]
        return circuit.compile_files(rules.files, rules.open_atoms, outputs, rules.constants)

    @property
    def aim(self) -> str:
        return self.circuits.rules.display.aim

    def begin(self, text: str = "", name: str | None = None) -> RulePosition:
        with at(name) if name else nullcontext():
            return self.written_as.of(self, text)

    def read_tree(self, text: str, name: str | None = None) -> MoveTree:
        with at(name) if name else nullcontext():
            return self.written_as.read_tree(self, text)

    def games(self, source: str) -> Iterator[tuple[str, Position | InputError]]:
        name, text = textfile.read_given(source, textfile.MAX_GAMES_BYTES)
        whole = name or self.name
        games = self.written_as.games(text)
        first, second = next(games, None), next(games, None)
        if first is None:
            raise InputError(f"{whole}: no moves to review")
        if second is None:
            yield whole, self._replay(first, name)
            return
        for number, game in enumerate(chain([first, second], games), 1):
            title = f"{whole}, game {number}"
            yield title, self._replay(game, title)

    def _replay(self, begun: Begun | InputError, place: str) -> Position | InputError:
        """Return the position at the end of a game, or the error why it cannot be played."""
        try:
            with at(place) if place else nullcontext():
                if isinstance(begun, InputError):
                    raise begun
                return self.written_as.replay(self, begun)
        except InputError as error:
            return error

    def with_weights(self, weights: str | None, book: bool | None) -> "RuleGame":
        """Load the game again with other weights; callers should keep the result."""
        if book is not None:
            raise InputError(f"book: {self.name} has no opening book")
        if weights is None:
            return self
        return replace(load(self.source, weights, self.constants), written_as=self.written_as)

    def arrays(self, machine_code: bool | None) -> RuleArrays:
        return RuleArrays(self, machine_code)

    def see(self, position: Position) -> RuleAbilities:
        begun: Any = position
        return RuleAbilities(begun if begun.game is self else begun.by(self))

    solve = staticmethod(by_rules.solve)

    @property
    def puzzle_maker(self) -> RulePuzzles:
        return RulePuzzles(self.begin())


def load(
    game: str, weights: str | Config | None, constants: Mapping[str, int], stop: Stop | None = None
) -> RuleGame:
    """Load a game, ready to be played; see `knowledge.load`."""
    circuits, config = knowledge.load(game, weights, constants, stop)
    usual = config.name
    if constants and weights is not None:
        usual = knowledge.settings(game, weights).name
    # A file of weights may change; its contents when it was loaded do not.
    is_own = isinstance(weights, str) and weights not in {DEFAULT, *config.home.presets}
    by = config if is_own else weights
    return RuleGame(circuits, config, by, instead=None if usual == config.name else usual)


def _rebuild_game(
    source: str, by: str | Config | None, constants: Constants, written_as: type[RulePosition]
) -> RuleGame:
    """Return a game from its pickled parts, by its files as they are now."""
    files = rule_files(source)
    known = [file for program in KINDS for file in knowledge.settings(source).files(program)]
    own = [file for file, *_ in by.versions] if isinstance(by, Config) else []
    return _load_once(source, by, constants, written_as, versions([*files, *known, *own]))


@lru_cache(maxsize=8)
def _load_once(
    source: str,
    by: str | Config | None,
    constants: Constants,
    written_as: type[RulePosition],
    _: Versions,
) -> RuleGame:
    """Load a pickled game once per process, as long as its files stay the same."""
    return replace(load(source, by, dict(constants)), written_as=written_as)
