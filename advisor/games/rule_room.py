"""A game that has its rules and nothing more, as it is loaded."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import ClassVar

from advisor.asp.reference import as_program
from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.files.resources import ENCODINGS
from advisor.games import by_rules, knowledge, notations, solving
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.playing import Playing
from advisor.games.room import Question, Told
from advisor.games.solving import Result, Solved
from advisor.limits import Stop
from advisor.settings.config import Config


@dataclass(frozen=True, slots=True)
class RuleRoom:
    """See `advisor.games.room.Room`.

    Attributes:
        circuits: the rules, compiled.
        settings: the weights.
        elsewhere: the name of those that they are in place of, since these are for another size.
    """

    circuits: Circuits
    settings: Config
    elsewhere: str | None = None
    bookish: ClassVar[bool] = False
    suffixes: ClassVar[tuple[str, ...]] = ()

    @property
    def name(self) -> str:
        """See `advisor.games.room.Room`."""
        return self.circuits.rules.name

    @property
    def players(self) -> tuple[str, str]:
        """See `advisor.games.room.Room`."""
        return self.circuits.rules.players

    @property
    def constants(self) -> Mapping[str, int]:
        """See `advisor.games.room.Room`."""
        return self.circuits.rules.constants

    @property
    def _source(self) -> str:
        """The game or its folder."""
        folder = self.circuits.rules.files[0].parent
        return self.name if folder == ENCODINGS / self.name else str(folder)

    @property
    def given(self) -> str:
        """See `advisor.games.room.Room`."""
        constants = f", constants={dict(self.constants)}" if self.constants else ""
        return repr(self._source) + constants

    @property
    def aim(self) -> str:
        """As the rules say it."""
        return self.circuits.rules.display.aim

    def begin(self, text: str) -> Playing:
        """The moves so far, or what else the notation reads."""
        with self.serving():
            return Playing.of(self.circuits, text)

    def read(self, source: str) -> tuple[str, Playing]:
        """The text of a file, of standard input, or what was typed."""
        name, text = textfile.given(source)
        with _named(name):
            return name or self.name, self.begin(text)

    def games(self, source: str) -> list[tuple[str, Playing]]:
        """Those of a text that may hold several."""
        name, text = textfile.given(source)
        texts = notations.of(self.circuits.rules).games(text)
        title = name or self._source
        if not texts:
            raise InputError(f"{title}: no moves to review")
        titles = [f"{title}, game {n + 1}" for n in range(len(texts))]
        titles = titles if len(texts) > 1 else [title]
        with _named(name):
            return [*zip(titles, map(self.begin, texts), strict=True)]

    def of(self, state: Playing) -> "RuleRoom":
        """See `advisor.games.room.Room`."""
        return self

    def written(self, state: Playing) -> str:
        """See `advisor.games.room.Room`."""
        return f"{state.text!r}, game={self.given}"

    def weighed(self, weights: str | None, book: bool | None) -> "RuleRoom":
        """Loaded anew; who asks often loads it once with these weights."""
        if book is not None:
            raise InputError(f"book: {self.name} has no opening book")
        return self if weights is None else load(self._source, weights, self.constants)

    def abilities(self, state: Playing) -> RuleAbilities:
        """See `advisor.games.room.Room`."""
        return self.see(state)

    def see(self, position: Playing | str) -> RuleAbilities:
        """See `advisor.games.room.Room`."""
        begun = self.begin(position) if isinstance(position, str) else position
        return RuleAbilities(begun if begun.game is self.circuits else begun.by(self.circuits))

    def serving(self, stop: Stop | None = None) -> AbstractContextManager[None]:
        """See `by_rules.serving`."""
        return by_rules.serving(self.circuits, stop)

    def solve(
        self,
        state: Playing,
        every_move: bool,
        jobs: int,
        stop: Stop,
        on_progress: Callable[[Solved], None] | None = None,
    ) -> Solved:
        """See `solving.solve`."""
        return solving.solve(state, every_move, jobs, stop, on_progress)

    def told(self, state: Playing, known: Solved) -> Told:
        """Results in the notation's words."""

        def told(result: Result) -> str:
            if result.outcome is None:
                return "not proved in time"
            if result.plies is None:
                return "a draw"
            return state.notation.outcome(result.outcome, result.plies)

        headline = told(known.result)
        rows = [(move, told(result)) for move, result in (known.moves or {}).items()]
        line = f"; best play: {' '.join(known.line)}" if known.line else ""
        effort = f"{known.nodes} positions in {known.seconds:.2f} s{line}"
        headline = f"{headline[0].upper()}{headline[1:]}."
        return Told(headline, ("move", "result"), rows, effort)

    def prove(
        self,
        state: Playing,
        player: str | None,
        by: str | None,
        strict: bool,
        seconds: float | None,
        usual: float,
        stop: Stop,
    ) -> None:
        """See `advisor.games.room.Room`."""
        raise InputError(f"{self.name} has no proofs beside its exact results (solve finds them)")

    def question(self, state: Playing, program: str, plan: str | None) -> Question:
        """The rules and what is known beside them, in this state."""
        if plan is not None:
            raise InputError(f"--plan: {self.name} has no such plans")
        facts = [("true", atom) for atom in self.circuits.atoms(state.row)]
        files = dict.fromkeys((*self.circuits.rules.files, *self.settings.files(program)))
        weights = self.settings.weights[program]
        about = f", weights {self.settings.name}: the answer holds what is said of its {program}"
        return Question(about, ("0",), as_program([*files], facts, weights, self.constants))


def load(
    game: str, weights: str | None, constants: Mapping[str, int], stop: Stop | None = None
) -> RuleRoom:
    """A game, ready to be played.

    Args:
        game: a name or a folder.
        weights: a weights file or a preset; None for the rules alone, which are there sooner.
        constants: for what the rules leave open.
        stop: see `advisor.games.rules.read`.

    Raises:
        InputError, ConfigError, EncodingError, KeyboardInterrupt: see `knowledge.load`.
    """
    circuits, config = knowledge.load(game, weights, constants, stop)
    usual = config.name
    if constants and weights is not None:
        usual = knowledge.settings(game, weights).name
    return RuleRoom(circuits, config, None if usual == config.name else usual)


def _named(name: str) -> AbstractContextManager[None]:
    return at(name) if name else nullcontext()
