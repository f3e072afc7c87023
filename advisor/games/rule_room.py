"""A game that has its rules and nothing more, as it is loaded."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain

from advisor.engine.answer_sets import as_program
from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.games import by_rules, knowledge, set_up
from advisor.games.bounds import Bounds, Solved
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.playing import Begun, Playing
from advisor.games.room import Question, Room, Told
from advisor.settings.config import Config
from aspcircuits import circuit
from aspcircuits.circuit import Circuit
from aspcircuits.stopping import Stop
from aspcircuits.texts import quoted


@dataclass(frozen=True, slots=True)
class RuleRoom(Room):
    """See `advisor.games.room.Room`.

    Attributes:
        circuits: the rules, compiled.
        written_as: the class of its states, by which they are written.
    """

    circuits: Circuits
    settings: Config = field()
    elsewhere: str | None = None
    written_as: type[Playing] = Playing

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
    def constants(self) -> Mapping[str, int]:
        return self.circuits.rules.constants

    @property
    def source(self) -> str:
        return self.circuits.rules.source

    @property
    def circuit(self) -> Circuit:
        """Of a state and a move: what the rules say of both, and the features."""
        rules = self.circuits.rules
        derived = ("legal", 2), ("next", 1), ("terminal", 0), ("goal", 2), ("feature", 3)
        outputs = [each for each in derived if rules.derived(each[0])]
        return circuit.compile_files(rules.files, rules.open_atoms, outputs, rules.constants)

    @property
    def aim(self) -> str:
        return self.circuits.rules.display.aim

    def begin(self, text: str | Playing, name: str | None = None) -> Playing:
        if isinstance(text, Playing):
            return text
        with self.serving(), at(name) if name else nullcontext():
            return self.written_as.of(self.circuits, text)

    def games(self, source: str) -> Iterator[tuple[str, Playing | InputError]]:
        name, text = textfile.given(source, textfile.MAX_GAMES_BYTES)
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

    def _replay(self, begun: Begun | InputError, place: str) -> Playing | InputError:
        """The state at the end of a game, or why it cannot be played, with its place."""
        try:
            with self.serving(), at(place) if place else nullcontext():
                if isinstance(begun, InputError):
                    raise begun
                return self.written_as.replay(self.circuits, begun)
        except InputError as error:
            return error

    def symbols(self, state: Playing) -> list[str]:
        """Where every state is seen by the side to move, only its own notation can tell one."""
        if self.circuits.exchanges and self.written_as is Playing:
            return []
        return sorted({symbol for _, symbol in set_up.pieces(self.circuits)})

    def put(
        self, state: Playing, squares: Mapping[tuple[int, int], str], player: str | None
    ) -> Playing:
        """A base atom stands for a piece if by itself it puts something on the board (``at/3``).
        Whose turn it is, is told by two atoms of one name, one for each role."""
        pieces, blanks = set_up.pieces(self.circuits), set_up.blanks(self.circuits)
        rules = self.circuits.rules
        atoms = state.atoms - {atom for (square, _), atom in pieces.items() if square in squares}
        atoms = atoms - {blanks[square] for square in squares if square in blanks}
        for square, symbol in squares.items():
            if symbol and (square, symbol) not in pieces:
                where = rules.display.place(("", *square)).strip("()")
                known = ", ".join(dict.fromkeys(each for at, each in pieces if at == square))
                told = f"(use {known})" if known else "(it is no square)"
                found = quoted(symbol)
                raise InputError(f"squares: no {found} stands on {where} {told}")
            if symbol:
                atoms |= {pieces[square, symbol]}
            elif square in blanks:
                atoms |= {blanks[square]}
        turn = state.turn if player is None else rules.players.index(player)
        for pair in map(rules.pair, {atom[0] for atom in rules.base}):
            if pair and atoms & {*pair}:
                atoms = atoms - {*pair} | {pair[turn]}
        return state.set_up(state.game, state.standing(atoms, turn))

    def weighed(self, weights: str | None, book: bool | None) -> "RuleRoom":
        """Loaded anew; who asks often loads it once with these weights."""
        if book is not None:
            raise InputError(f"book: {self.name} has no opening book")
        if weights is None:
            return self
        return replace(load(self.source, weights, self.constants), written_as=self.written_as)

    def see(self, position: Playing | str) -> RuleAbilities:
        begun = self.begin(position)
        return RuleAbilities(begun if begun.game is self.circuits else begun.by(self.circuits))

    def serving(self, stop: Stop | None = None) -> AbstractContextManager[None]:
        return self.circuits.serving(stop)

    solve = staticmethod(by_rules.solve)

    def told(self, state: Playing, known: Solved) -> Told:
        def told(result: Bounds) -> str:
            if result.outcome is None:
                return "not proved in time"
            if result.plies is None:
                return "a draw"
            return state.outcome(result.outcome, result.plies)

        headline = told(known.position)
        rows = [(move, told(result)) for move, result in (known.moves or {}).items()]
        line = f"; best play: {' '.join(known.line)}" if known.line else ""
        effort = f"{known.position.nodes} positions in {known.position.seconds:.2f} s{line}"
        headline = f"{headline[0].upper()}{headline[1:]}."
        return Told(headline, ("move", "result"), rows, effort)

    def question(self, state: Playing, program: str, plan: str | None) -> Question:
        if plan is not None:
            raise InputError(f"`plan`: {self.name} has no such plans")
        facts = [("true", atom) for atom in self.circuits.atoms(state.row)]
        files = dict.fromkeys((*self.circuits.rules.files, *self.settings.files(program)))
        weights = self.settings.weights[program]
        about = f", weights {self.settings.name}: the answer holds what is said of its {program}"
        return Question(about, ("0",), as_program([*files], facts, weights, self.constants))


def load(
    game: str, weights: str | Config | None, constants: Mapping[str, int], stop: Stop | None = None
) -> RuleRoom:
    """A game, ready to be played; see `knowledge.load`."""
    circuits, config = knowledge.load(game, weights, constants, stop)
    usual = config.name
    if constants and weights is not None:
        usual = knowledge.settings(game, weights).name
    return RuleRoom(circuits, config, None if usual == config.name else usual)
