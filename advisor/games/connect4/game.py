"""Connect Four as a `Game`: boards of one size, with knowledge of them."""

import os.path
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.games.bounds import Solved
from advisor.games.connect4 import notation
from advisor.games.connect4.board import MAX_CONNECT, MAX_SIDE, Board, Geometry, geometry
from advisor.games.connect4.notation import GAME, STANDARD
from advisor.games.connect4.position import BoardPosition
from advisor.games.examples import Example
from advisor.games.game import Game, Position, unchanging
from advisor.games.players import MARKS
from advisor.settings import reading
from advisor.settings.config import DEFAULT, Config
from aspcircuits.circuit import Circuit
from aspcircuits.stopping import Stop
from aspcircuits.texts import quote_text


class _Known(threading.local):
    """Knowledge with some weights; each thread has its own, with its compiled objects.

    Attributes:
        weights: a preset or settings.
        book: whether the opening books count; None: as the weights say.
    """

    def __init__(self, weights: str | Config, book: bool | None) -> None:
        self.weights, self.book = weights, book

    @cached_property
    def settings(self) -> Config:
        config = reading.load(self.weights) if isinstance(self.weights, str) else self.weights
        return config if self.book is None else replace(config, book=self.book)

    @cached_property
    def knows(self) -> Any:
        from advisor.games.connect4.abilities import Knowledge  # a position does without it

        return Knowledge(self.settings)


_kept = lru_cache(_Known)
"""By preset: later callers reuse what earlier ones have compiled and proved."""


def _load_known(weights: str | Config, book: bool | None) -> _Known:
    if isinstance(weights, str):
        if weights in reading.presets():
            return _kept(weights, book)
        weights = reading.load(weights)  # a file is read again: it may have changed
    return _Known(weights, book)


@unchanging
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BoardGame(Game):
    """Connect Four as an `advisor.games.game.Game`.

    Attributes:
        board_size: of boards that do not give their own.
        known: the knowledge with its weights.
    """

    board_size: Geometry
    known: _Known

    name = GAME
    players = (MARKS[1], MARKS[2])
    bookish = True
    suffixes = (".yaml", ".yml")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BoardGame):
            return NotImplemented
        mine, theirs = self.known, other.known
        alike = mine is theirs or mine.settings == theirs.settings
        return self.board_size == other.board_size and alike

    def __hash__(self) -> int:
        return hash((self.board_size, self.known.settings))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the weights by name if they are a preset."""
        return _rebuild_game, (self.constants, self.known.weights, self.known.book)

    @property
    def knows(self) -> Any:
        return self.known.knows

    @property
    def constants(self) -> dict[str, int]:
        return notation.unusual(self.board_size)

    @property
    def settings(self) -> Config:
        return self.known.settings

    def begin(self, text: str | Board = "", name: str | None = None) -> BoardPosition:
        """Begin from a move string, a picture, facts, or YAML; or from a board."""
        if isinstance(text, Board):
            return self.on(text)
        name = quote_text(text) if name is None else name
        with at(name):
            board = notation.board_of_text(text, self.board_size, name)
            return self.on(board.position, board.moves)

    def line(self, text: str) -> BoardPosition:
        """Begin from a move string, or from a picture with ``/`` between its rows."""
        return self.on(*notation.board_of_line(text, self.board_size))

    def on(self, board: Board, columns: tuple[int, ...] = ()) -> BoardPosition:
        """Return the position with a board, which may have a size of its own."""
        size = board.geometry
        game = self if size == self.board_size else replace(self, board_size=size)
        return BoardPosition.of(game, board, columns)

    def example(self, line: str, stop: Stop | None = None) -> Example:
        """Read an example; see `advisor.games.connect4.examples`."""
        from advisor.games.connect4 import exact, examples

        example = examples.example(line)
        return example if stop is None else exact.check_example(example, stop)

    def read(self, source: str) -> tuple[str, BoardPosition]:
        board = notation.read_board(source, size=self.board_size)
        name = board.name if source.strip() else "the empty board"
        return name, self.on(board.position, board.moves)

    def games(self, source: str) -> Iterator[tuple[str, Position | InputError]]:
        """Yield the games of a source; a file may have a game on each line."""
        listed = os.path.isfile(source) and not source.lower().endswith((".yaml", ".yml", ".lp"))
        if source != "-" and not listed:
            yield self.read(source)
            return
        name, text = textfile.read_given(source, textfile.MAX_GAMES_BYTES)
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
                        game: Position | InputError = self.line(line)
                except InputError as error:
                    game = error
                yield place, game
        if not found:
            raise InputError(f"{name}: holds no games (write the moves of one on each line)")

    def with_weights(self, weights: str | None, book: bool | None) -> "BoardGame":
        weighed = self.known.weights if weights is None else weights
        return replace(self, known=_load_known(weighed, self.known.book if book is None else book))

    def arrays(self, machine_code: bool | None) -> Any:
        from advisor.games.connect4.arrays import BoardArrays

        return BoardArrays(self.begin(), self.knows, machine_code)

    def see(self, position: Position) -> Any:
        from advisor.games.connect4.abilities import BoardAbilities

        begun: Any = position
        return BoardAbilities(begun if begun.game is self else begun.by(self), self.knows)

    @property
    def circuit(self) -> Circuit:
        """The circuit of the features; its inputs are the discs and the player to move."""
        from advisor.games.connect4.evaluator import CircuitEvaluator

        size = self.board_size
        return CircuitEvaluator(self.knows.settings(size), size).circuit

    def solve(
        self,
        position: BoardPosition,
        /,
        every_move: bool,
        jobs: int,
        stop: Stop,
        on_progress: Callable[[Solved], None] | None = None,
    ) -> Solved:
        from advisor.games.connect4 import exact

        return exact.solve(
            position.board, columns=every_move, stop=stop, jobs=jobs, on_progress=on_progress
        )

    @property
    def puzzle_maker(self) -> Any:
        from advisor.games.connect4.sampling import BoardPuzzles

        return BoardPuzzles(self.begin())


def _rebuild_game(
    constants: Mapping[str, int], weights: str | Config, book: bool | None
) -> BoardGame:
    """Return a game from its pickled parts."""
    size = geometry(**{**STANDARD.constants, **constants})
    return BoardGame(size, _load_known(weights, book))


def load(weights: str | Config | None, constants: Mapping[str, int]) -> BoardGame:
    """Return Connect Four with some weights, of some size.

    Raises:
        InputError: there is no such constant, or it is out of range.
        ConfigError, EncodingError: the weights cannot be used.
    """
    limits = {"width": MAX_SIDE, "height": MAX_SIDE, "connect": MAX_CONNECT}
    for name, value in constants.items():
        if name not in limits:
            known = ", ".join(limits)
            raise InputError(f"{GAME}: no #const '{name}' (the game has #const {known})")
        notation.whole_number(name, str(value), 1, limits[name])
    size = geometry(**{**STANDARD.constants, **constants})
    return BoardGame(size, _load_known(DEFAULT if weights is None else weights, None))
