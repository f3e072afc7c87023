"""Connect Four as it is loaded: boards of one size, and what is known of them."""

import os.path
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.games.connect4 import notation
from advisor.games.connect4.board import MAX_CONNECT, MAX_SIDE, Geometry, Position, geometry
from advisor.games.connect4.notation import GAME, STANDARD
from advisor.games.connect4.record import Record
from advisor.games.players import MARKS, player
from advisor.games.room import Question, Told
from advisor.limits import Stop
from advisor.settings import reading
from advisor.settings.config import DEFAULT, Config

_LIMITS = {"width": MAX_SIDE, "height": MAX_SIDE, "connect": MAX_CONNECT}


class _Known(threading.local):
    """What is known by some weights; in each thread its own, with what it has compiled and proved.

    Args:
        weights: as they are read when somebody asks, or the settings themselves.
        book: whether the opening books count; None: as the weights say.
    """

    def __init__(self, weights: str | Config, book: bool | None) -> None:
        self.weights = weights
        self.book = book

    @cached_property
    def knows(self) -> Any:
        from advisor.games.connect4.knowledge import Knowledge  # which a position does without

        config = reading.load(self.weights) if isinstance(self.weights, str) else self.weights
        return Knowledge(config if self.book is None else replace(config, book=self.book))


_kept = lru_cache(_Known)
"""By presets: those that asked before have compiled and proved for who asks now."""


def _known(weights: str | Config, book: bool | None) -> _Known:
    """A file is read anew: it may have changed."""
    if not isinstance(weights, str):
        return _Known(weights, book)
    return _kept(weights, book) if weights in reading.presets() else _read(weights, book)


def _read(file: str, book: bool | None) -> _Known:
    return _Known(reading.load(file), book)


@dataclass(frozen=True, slots=True)
class BoardRoom:
    """See `advisor.games.room.Room`.

    Attributes:
        size: of boards that do not say their own.
        weights: a preset, a file, or settings.
        book: whether the opening books count; None: as the weights say.
    """

    size: Geometry = STANDARD
    weights: str | Config = DEFAULT
    book: bool | None = None
    _known: _Known | None = field(default=None, repr=False, compare=False)

    name = GAME
    players = (MARKS[1], MARKS[2])
    aim = ""
    bookish: ClassVar[bool] = True
    suffixes: ClassVar[tuple[str, ...]] = (".yaml", ".yml")

    def __post_init__(self) -> None:
        if self._known is None:
            object.__setattr__(self, "_known", _known(self.weights, self.book))

    def __reduce__(self) -> tuple[Any, ...]:
        return BoardRoom, (self.size, self.weights, self.book)

    @property
    def knows(self) -> Any:
        """What is known, in this thread."""
        assert self._known is not None
        return self._known.knows

    @property
    def constants(self) -> dict[str, int]:
        """See `advisor.games.room.Room`."""
        usual = STANDARD.constants
        return {key: n for key, n in self.size.constants.items() if n != usual[key]}

    @property
    def settings(self) -> Config:
        """See `advisor.games.room.Room`."""
        found: Config = self.knows.config
        return found

    @property
    def elsewhere(self) -> str | None:
        """Told with an advice, since a board may have another size."""
        return None

    @property
    def given(self) -> str:
        """See `advisor.games.room.Room`."""
        return repr(GAME) + (f", constants={self.constants}" if self.constants else "")

    def begin(self, text: str) -> Record:
        """A move string, a picture, facts, or YAML."""
        name = textfile.quoted(text)
        with at(name):
            return Record.of(notation.board_of_text(text, self.size, name))

    def read(self, source: str) -> tuple[str, Record]:
        """See `notation.read_board`."""
        board = notation.read_board(source, size=self.size)
        return board.name if source.strip() else "the empty board", Record.of(board)

    def games(self, source: str) -> list[tuple[str, Record]]:
        """A file may have a game on each line."""
        listed = os.path.isfile(source) and not source.lower().endswith((".yaml", ".yml", ".lp"))
        if source != "-" and not listed:
            return [self.read(source)]
        name, text = textfile.given(source)
        if ":" in text:
            with at(name):
                board = notation.board_of_text(text, self.size, name)
            return [(board.name, Record.of(board))]
        found = []
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not line.strip().startswith("#"):
                place = f"{name}: line {number}"
                with at(place):
                    board = notation.board_of_line(line, self.size, place)
                found.append((place, Record.of(board)))
        if not found:
            raise InputError(f"{name}: holds no games (write the moves of one on each line)")
        return found

    def of(self, state: Record) -> "BoardRoom":
        """A YAML file says its own size."""
        size = state.start.geometry
        return self if size == self.size else replace(self, size=size)

    def written(self, state: Record) -> str:
        """See `advisor.games.room.Room`."""
        g = state.start.geometry
        size = (g.width, g.height)
        usual = (STANDARD.width, STANDARD.height)
        told = repr(state.text) + (f", size={size}" if size != usual else "")
        return told + (f", connect={g.connect}" if g.connect != STANDARD.connect else "")

    def weighed(self, weights: str | None, book: bool | None) -> "BoardRoom":
        """See `advisor.games.room.Room`."""
        return BoardRoom(
            self.size,
            self.weights if weights is None else weights,
            self.book if book is None else book,
        )

    def abilities(self, state: "Record | Position") -> Any:
        """See `advisor.games.room.Room`."""
        return self.see(state.position if isinstance(state, Record) else state)

    def see(self, position: Position | str) -> Any:
        """See `advisor.games.room.Room`."""
        from advisor.games.connect4.abilities import BoardAbilities

        begun = self.begin(position).position if isinstance(position, str) else position
        return BoardAbilities(begun, self.knows)

    def serving(self, stop: Stop | None = None) -> AbstractContextManager[None]:
        """Each thread has what it needs."""
        return nullcontext()

    def solve(
        self,
        state: Record,
        every_move: bool,
        jobs: int,
        stop: Stop,
        on_progress: Callable[[Any], None] | None = None,
    ) -> Any:
        """See `exact.solve`."""
        from advisor.games.connect4 import exact

        return exact.solve(
            state.position, columns=every_move, stop=stop, jobs=jobs, on_progress=on_progress
        )

    def told(self, state: Record, known: Any) -> Told:
        """Scores, and what they mean."""
        from advisor.games.connect4 import exact

        position, columns = state.position, known.columns or {}
        rows = [(str(c), *exact.told(position, bounds)) for c, bounds in sorted(columns.items())]
        score, outcome = exact.told(position, known.position)
        nodes, seconds = known.position.nodes, known.position.seconds
        effort = f"engine {known.engine}: {nodes} positions in {seconds:.2f} s"
        return Told(f"score {score}: {outcome}", ("column", "score", "outcome"), rows, effort)

    def prove(
        self,
        state: Record,
        player: str | None,
        by: str | None,
        strict: bool,
        seconds: float | None,
        usual: float,
        stop: Stop,
    ) -> Any:
        """See `proving.prove`."""
        from advisor.games.connect4 import proving

        return proving.prove(state.position, player, by, strict, seconds, usual, stop)

    def question(self, state: Record, program: str, plan: str | None) -> Question:
        """See `advisor.games.room.Room`."""
        from advisor.asp.reference import OPTIONS, as_program
        from advisor.games.connect4.victor import prove

        position = state.position
        constants = position.geometry.constants
        if plan is not None:
            about = f": an answer set is a plan for {plan}; without one nothing is proved"
            asked = prove.question(position, player(plan))
            return Question(about, (), as_program(prove.PLAN, asked, {}, constants))
        settings = self.knows.settings(position.geometry)
        about = "minus the cost is its value for x"
        if program == "moves":
            about = "an answer holds a best move"
        text = as_program(
            settings.files(program), position.facts(), settings.weights[program], constants
        )
        return Question(f", weights {settings.name}: {about}", OPTIONS, text)


def load(weights: str | None, constants: Mapping[str, int]) -> BoardRoom:
    """Connect Four with some weights, of some size.

    Raises:
        InputError: there is no such constant, or it is out of range.
        ConfigError, EncodingError: weights that cannot be used.
    """
    for name, value in constants.items():
        if name not in _LIMITS:
            known = ", ".join(_LIMITS)
            raise InputError(f"{GAME}: no #const '{name}' (the game has #const {known})")
        if not 1 <= value <= _LIMITS[name]:
            raise InputError(f"{name} {value} is out of range (use 1 to {_LIMITS[name]})")
    size = geometry(**{**STANDARD.constants, **constants})
    return BoardRoom(size, DEFAULT if weights is None else weights)
