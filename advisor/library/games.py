"""Games that are given by their rules, and their positions."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakKeyDictionary

from advisor.engine.recurrences import identity
from advisor.errors import InputError
from advisor.files.resources import ENCODINGS
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.playing import Playing
from advisor.library import arguments
from advisor.limits import POLL, Stop
from advisor.settings.config import DEFAULT, Config

if TYPE_CHECKING:
    from advisor.advice.any_game import GameAdvice


F = TypeVar("F", bound=Callable[..., Any])

_locks: WeakKeyDictionary[Circuits, threading.RLock] = WeakKeyDictionary()
_locking = threading.Lock()


@contextmanager
def served(circuits: Circuits, stop: Stop | None = None) -> Iterator[None]:
    """Circuits work in memory of their own, so that one thread at a time is served (internal).

    Raises:
        KeyboardInterrupt: `stop` was set while another thread was served.
    """
    with _locking:
        lock = _locks.setdefault(circuits, threading.RLock())
    while not lock.acquire(timeout=POLL):
        if stop is not None:
            stop.check()
    try:
        yield
    finally:
        lock.release()


def _served(method: F) -> F:
    """What asks the rules, one thread at a time."""

    @wraps(method)
    def asked(self: State, *args: Any, **kwargs: Any) -> Any:
        with served(self.game.circuits):
            return method(self, *args, **kwargs)

    return cast(F, asked)


@arguments.unchanging
@dataclass(frozen=True, slots=True)
class Game:
    """A game by its rules, with the weights of its strategies and features if it has any.

    >>> game = advisor.load_game("tictactoe")
    >>> game.name, game.players
    ('tictactoe', ('x', 'o'))
    >>> game.position("b2").turn
    'o'

    Attributes:
        circuits: its rules, compiled (internal).
        settings: its weights (internal).
    """

    circuits: Circuits = field(repr=False)
    settings: Config = field(repr=False)

    @property
    def name(self) -> str:
        """That of the folder with its rules."""
        return self.circuits.rules.name

    @property
    def players(self) -> tuple[str, str]:
        """Both players' names, the one who begins first."""
        return self.circuits.rules.players

    @property
    def constants(self) -> dict[str, int]:
        """The numbers that its rules leave open, as they were given."""
        return dict(self.circuits.rules.constants)

    def position(self, text: str = "") -> State:
        """A position.

        Args:
            text: the moves so far; in chess also a FEN or PGN.

        Raises:
            InputError: a move that is not legal, or no position.
        """
        if not isinstance(text, str):
            raise InputError(f"a position is given by a text, not by {text!r}")
        with served(self.circuits):
            return State(self, Playing.of(self.circuits, text))

    def __repr__(self) -> str:
        return f"advisor.load_game({self._given})"

    @property
    def _given(self) -> str:
        """What `load_game` and `position` take for it, as it is written."""
        folder = self.circuits.rules.files[0].parent
        game = self.name if folder == ENCODINGS / self.name else str(folder)
        return repr(game) + (f", constants={self.constants}" if self.constants else "")


@arguments.unchanging
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class State:
    """A position of a game by its rules, and the moves that led there.

    It is asked as a `Board` is; its moves are texts. None is ever changed.

    >>> p = advisor.position("e4 e5 Nf3", game="chess")
    >>> p.turn, len(p.moves), p.played
    ('black', 29, ('e4', 'e5', 'Nf3'))
    >>> p.play("Nc6").text
    'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
    >>> p.play("Nc5")
    Traceback (most recent call last):
    advisor.errors.InputError: move 4: 'Nc5' is not legal (use Ba3, Bb4, ...)

    Attributes:
        game: the game.
        playing: the state (internal).
    """

    game: Game
    playing: Playing

    @property
    def _what(self) -> tuple[object, ...]:
        """What tells it from others: two that were loaded apart are equal too."""
        playing, begun = self.playing, self.playing.begun
        row = playing.row.tobytes()
        return self.game.circuits.rules.key, begun.atoms, begun.turn, playing.moves, row

    def __eq__(self, other: object) -> bool:
        return self._what == other._what if isinstance(other, State) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._what)

    @property
    def key(self) -> tuple[object, ...]:
        """What is the same for the same state and side to move, whatever moves led there.

        Counters that do nothing but count towards a draw, as those of chess, are left out.

        Returns:
            something to compare and to look up by; what it holds may change.
        """
        game, playing = self.game.circuits, self.playing
        return game.rules.key, playing.exchanged, identity(playing.row, game.counters)

    @property
    def fen(self) -> str:
        """Of chess: the position as a FEN.

        >>> advisor.position("Nf3", game="chess").fen
        'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1'

        Raises:
            AttributeError: of another game.
        """
        self._require_chess("fen")
        return self.text

    @property
    @_served
    def pgn(self) -> str:
        """Of chess: the game so far as a PGN.

        Raises:
            AttributeError: of another game.
        """
        self._require_chess("pgn")
        return self.playing.notation.record(self.playing, {}).rstrip() + "\n"

    def _require_chess(self, what: str) -> None:
        if self.game.circuits.rules.files[0].parent != ENCODINGS / "chess":
            raise AttributeError(f"{self.game.name} has no {what} (text is its moves)")

    @property
    @_served
    def turn(self) -> str:
        """Who is to move, by name; means nothing once the game is over."""
        return self.playing.player

    @property
    @_served
    def moves(self) -> tuple[str, ...]:
        """The legal moves as people write them; none if the game is over."""
        return () if self.over else tuple(self.playing.names.values())

    @property
    @_served
    def played(self) -> tuple[str, ...]:
        """The moves since the position that was given, as people write them."""
        return tuple(Playing.begin(self.playing.game, self.playing.begun).told(self.playing.moves))

    @property
    @_served
    def over(self) -> bool:
        """Whether the game is over."""
        return self.playing.over

    @property
    @_served
    def winner(self) -> str | None:
        """Who has won, by name; None for a draw and while the game goes on."""
        winner = self.playing.winner
        return None if winner is None or not self.over else self.game.players[winner]

    @property
    @_served
    def rows(self) -> tuple[str, ...]:
        """The text board with its numbers, the top row first; none if the rules name no squares."""
        return tuple(self.playing.notation.board(self.playing))

    @property
    @_served
    def text(self) -> str:
        """What `position` reads as this state again: the moves so far or, in chess, a FEN."""
        return self.playing.notation.position(self.playing)

    @_served
    def play(self, *moves: str) -> State:
        """The position after one move or several.

        Raises:
            InputError: one is not legal.
        """
        playing = self.playing
        for move in moves:
            if not isinstance(move, str):
                raise InputError(f"move {move!r} is not a text")
            playing = playing.play(playing.move(move))
        return State(self.game, playing)

    @_served
    def back(self, moves: int = 1) -> State:
        """The position so many moves before.

        Raises:
            InputError: fewer are known.
        """
        known = len(self.playing.moves)
        left = known - arguments.whole("moves back", moves, 0, known)
        return State(self.game, list(self.playing.played)[left])

    @_served
    def svg(self, advice: GameAdvice | None = None) -> str:
        """A picture, as an SVG document.

        Args:
            advice: of this position, if its best move is to be shown.

        Raises:
            InputError: the game has no picture; `str` shows its text board. Or the advice is of
                another position.
        """
        about = getattr(advice, "state", None)
        if advice and (about is None or State(self.game, about) != self):
            raise InputError("the advice is of another position")
        best = advice.moves[0].move if advice and advice.moves else None
        return self.playing.notation.drawing(self.playing, best)

    def _repr_svg_(self) -> str | None:  # what notebooks show
        try:
            return self.svg()
        except InputError:
            return None

    def __str__(self) -> str:
        return "\n".join([*(self.rows or [self.text]), self._status])

    @property
    def _status(self) -> str:
        if not self.over:
            return f"{self.turn} to move"
        return f"{self.winner} has won" if self.winner else "a draw"

    def __repr__(self) -> str:
        return f"advisor.position({self.text!r}, game={self.game._given})"


def load_game(
    game: str | os.PathLike[str],
    *,
    weights: str | os.PathLike[str] = DEFAULT,
    constants: Mapping[str, int] | None = None,
) -> Game:
    """A game, ready to be played.

    >>> hex = advisor.load_game("hex", constants={"size": 3})
    >>> len(hex.position().moves)
    9

    Args:
        game: the name of one that comes with the advisor (``breakthrough``, ``chess``, ``gomoku``,
            ``hex``, ``morris``, ``reversi``, ``tictactoe``), or a folder with a ``rules.lp``.
        weights: a weights file or one of the game's presets; by default its own weights.
        constants: numbers that the rules leave open.

    Raises:
        InputError: there is no such game, or it has no such constant.
        ConfigError: weights that do not fit.
        EncodingError: the rules are not those of a game that can be played.
    """
    given, weighed = arguments.path("game", game), arguments.path("weights", weights)
    return Game(*knowledge.load(given, weighed, arguments.constants(constants)))


def state(
    game: str | os.PathLike[str] | Game, text: str, constants: Mapping[str, int] | None
) -> State:
    """See `position`."""
    if not isinstance(game, Game):
        return load_game(game, constants=constants).position(text)
    if constants:
        raise InputError(f"constants: {game.name} is loaded already (load_game takes them)")
    return game.position(text)
