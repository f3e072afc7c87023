"""Connect Four as it is loaded: boards of one size, and what is known of them."""

import os.path
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.games.bounds import Bounds, Solved
from advisor.games.connect4 import notation
from advisor.games.connect4.board import MAX_CONNECT, MAX_SIDE, Board, Geometry, geometry
from advisor.games.connect4.notation import GAME, STANDARD
from advisor.games.connect4.record import Record
from advisor.games.examples import Example
from advisor.games.players import MARKS, player
from advisor.games.room import Question, Room, Told
from advisor.games.score import Score
from advisor.settings import reading
from advisor.settings.config import DEFAULT, Config
from aspcircuits.circuit import Circuit
from aspcircuits.stopping import Stop
from aspcircuits.texts import quoted


@dataclass(unsafe_hash=True)
class _Known(threading.local):
    """What is known by some weights; in each thread its own, with what it has compiled."""

    weights: str | Config
    book: bool | None

    def __reduce__(self) -> tuple[Any, ...]:
        return _known, (self.weights, self.book)

    @cached_property
    def knows(self) -> Any:
        from advisor.games.connect4.abilities import Knowledge  # which a position does without

        config = reading.load(self.weights) if isinstance(self.weights, str) else self.weights
        return Knowledge(config if self.book is None else replace(config, book=self.book))


_kept = lru_cache(_Known)
"""By presets: those that asked before have compiled and proved for who asks now."""


def _known(weights: str | Config, book: bool | None) -> _Known:
    if isinstance(weights, str):
        if weights in reading.presets():
            return _kept(weights, book)
        weights = reading.load(weights)  # a file is read anew: it may have changed
    return _Known(weights, book)


@dataclass(frozen=True, slots=True)
class BoardRoom(Room):
    """See `advisor.games.room.Room`.

    Attributes:
        size: of boards that do not say their own.
        known: by which weights, a preset or settings, and whether the opening books count; None: as
            the weights say.
    """

    size: Geometry
    known: _Known = field(repr=False)

    name = GAME
    players = (MARKS[1], MARKS[2])
    bookish: ClassVar[bool] = True
    suffixes = (".yaml", ".yml")

    @property
    def knows(self) -> Any:
        return self.known.knows

    @property
    def constants(self) -> dict[str, int]:
        return notation.unusual(self.size)

    @property
    def settings(self) -> Config:
        found: Config = self.knows.config
        return found

    def begin(self, text: str | Board, name: str | None = None) -> Record:
        """A move string, a picture, facts, or YAML."""
        if isinstance(text, Board):
            return Record.of(text)
        name = quoted(text) if name is None else name
        with at(name):
            board = notation.board_of_text(text, self.size, name)
            return Record.of(board.position, board.moves)

    def line(self, text: str) -> Record:
        """A move string, or a picture with ``/`` between its rows."""
        return Record.of(*notation.board_of_line(text, self.size))

    def example(self, line: str, stop: Stop | None = None) -> Example:
        """See `advisor.games.connect4.examples`."""
        from advisor.games.connect4 import exact, examples

        example = examples.example(line)
        return example if stop is None else exact.checked(example, stop)

    def read(self, source: str) -> tuple[str, Record]:
        board = notation.read_board(source, size=self.size)
        name = board.name if source.strip() else "the empty board"
        return name, Record.of(board.position, board.moves)

    def games(self, source: str) -> Iterator[tuple[str, Record | InputError]]:
        """A file may have a game on each line."""
        listed = os.path.isfile(source) and not source.lower().endswith((".yaml", ".yml", ".lp"))
        if source != "-" and not listed:
            yield self.read(source)
            return
        name, text = textfile.given(source, textfile.MAX_GAMES_BYTES)
        if ":" in text:
            yield name, self.begin(text, name)
            return
        found = False
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not line.strip().startswith("#"):
                found = True
                place = f"{name}: line {number}"
                try:
                    with at(place):
                        game: Record | InputError = self.line(line)
                except InputError as error:
                    game = error
                yield place, game
        if not found:
            raise InputError(f"{name}: holds no games (write the moves of one on each line)")

    def symbols(self, state: Record) -> list[str]:
        return [*self.players]

    def put(
        self, state: Record, squares: Mapping[tuple[int, int], str], player: str | None
    ) -> Record:
        """Where the discs do not say whose turn it is, or another's is wanted, it is composed."""
        return Record.of(notation.put(state.position, squares, player))

    def of(self, state: Record) -> "BoardRoom":
        """A YAML file says its own size."""
        size = state.start.geometry
        return self if size == self.size else replace(self, size=size)

    def written(self, state: Record) -> str:
        g, unusual = state.start.geometry, notation.unusual(state.start.geometry)
        size = f", size={(g.width, g.height)}" if {"width", "height"} & {*unusual} else ""
        return repr(state.text) + size + (f", connect={g.connect}" if "connect" in unusual else "")

    def weighed(self, weights: str | None, book: bool | None) -> "BoardRoom":
        weighed = self.known.weights if weights is None else weights
        return replace(self, known=_known(weighed, self.known.book if book is None else book))

    def see(self, position: Record | Board | str) -> Any:
        from advisor.games.connect4.abilities import BoardAbilities

        record = position if isinstance(position, Record) else self.begin(position)
        return BoardAbilities(record.position, self.knows)

    @property
    def circuit(self) -> Circuit:
        """Of the features, from the discs and whose turn it is."""
        from advisor.games.connect4.evaluator import CircuitEvaluator

        return CircuitEvaluator(self.knows.settings(self.size), self.size).circuit

    def solve(
        self,
        state: Record,
        every_move: bool,
        jobs: int,
        stop: Stop,
        on_progress: Callable[[Solved], None] | None = None,
    ) -> Solved:
        from advisor.games.connect4 import exact

        return exact.solve(
            state.position, columns=every_move, stop=stop, jobs=jobs, on_progress=on_progress
        )

    def told(self, state: Record, known: Solved) -> Told:
        from advisor.games.connect4.phrasing import outcome
        from advisor.games.connect4.solver import winner_moves

        def told(known: Bounds) -> tuple[str, str]:
            points = f"{known.lower} to {known.upper}" if known.score is None else str(known.score)
            if known.outcome is None:
                return points, "not proved in time"
            return points, outcome(Score(known.outcome, winner_moves(state.position, known.score)))

        moves = known.moves or {}
        rows = [(str(column), *told(moves[column])) for column in sorted(moves)]
        score, result = told(known.position)
        nodes, seconds = known.position.nodes, known.position.seconds
        effort = f"engine {known.engine}: {nodes} positions in {seconds:.2f} s"
        if known.engine == "book":
            effort = "known by exact play (opening book)"
        return Told(f"score {score}: {result}", ("column", "score", "outcome"), rows, effort)

    def question(self, state: Record, program: str, plan: str | None) -> Question:
        from advisor.engine.answer_sets import OPTIONS, as_program
        from advisor.games.connect4.proofs import find_proofs

        position = state.position
        if plan is not None:
            return find_proofs().question(position, player(plan))
        settings = self.knows.settings(position.geometry)
        about = "minus the cost is its value for x"
        if program == "moves":
            about = "an answer holds a best move"
        text = as_program(
            settings.files(program),
            position.facts(),
            settings.weights[program],
            position.geometry.constants,
        )
        return Question(f", weights {settings.name}: {about}", OPTIONS, text)


def load(weights: str | Config | None, constants: Mapping[str, int]) -> BoardRoom:
    """Connect Four with some weights, of some size.

    Raises:
        InputError: there is no such constant, or it is out of range.
        ConfigError, EncodingError: weights that cannot be used.
    """
    limits = {"width": MAX_SIDE, "height": MAX_SIDE, "connect": MAX_CONNECT}
    for name, value in constants.items():
        if name not in limits:
            known = ", ".join(limits)
            raise InputError(f"{GAME}: no #const '{name}' (the game has #const {known})")
        notation.whole_number(name, str(value), 1, limits[name])
    size = geometry(**{**STANDARD.constants, **constants})
    return BoardRoom(size, _known(DEFAULT if weights is None else weights, None))
