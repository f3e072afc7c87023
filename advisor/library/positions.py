"""Games and their positions, whichever game it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.games import position_file, rooms
from advisor.games.abilities import Abilities
from advisor.games.room import Played, Room
from advisor.library import arguments
from advisor.settings.config import DEFAULT

if TYPE_CHECKING:
    from advisor.advice.advice import Advice

F = TypeVar("F", bound=Callable[..., Any])


def _served(method: F) -> F:
    """What asks the rules, one thread at a time."""

    @wraps(method)
    def asked(self: Position, *args: Any, **kwargs: Any) -> Any:
        with self.game.room.serving():
            return method(self, *args, **kwargs)

    return cast(F, asked)


@arguments.unchanging
@dataclass(frozen=True, slots=True)
class Game:
    """A game, with the weights of its strategies and features if it has any.

    >>> game = advisor.load_game("tictactoe")
    >>> game.name, game.players
    ('tictactoe', ('x', 'o'))
    >>> game.position("b2").turn
    'o'

    Attributes:
        room: what is known of it (internal).
    """

    room: Room = field(repr=False)

    @property
    def name(self) -> str:
        """That of the folder with its rules."""
        return self.room.name

    @property
    def players(self) -> tuple[str, str]:
        """Both players' names, the one who begins first."""
        return self.room.players

    @property
    def constants(self) -> dict[str, int]:
        """The numbers that its rules leave open, as they were given."""
        return dict(self.room.constants)

    def position(self, text: str = "") -> Position:
        """A position.

        Args:
            text: the moves so far, or whatever else the game reads; see `advisor.position`.

        Raises:
            InputError: a move that is not legal, or no position.
        """
        if not isinstance(text, str):
            raise InputError(f"a position is given by a text, not by {text!r}")
        return self.at(self.room.begin(text))

    def at(self, state: Played) -> Position:
        """A position as its room has it (internal)."""
        room = self.room.of(state)
        return Position(self if room is self.room else Game(room), state)

    def __repr__(self) -> str:
        return f"advisor.load_game({self.room.given})"


@arguments.unchanging
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Position:
    """A position of a game, and the moves that led there if they are known.

    Two are equal if their games are, and have the same `key` if their boards are. `position` makes
    one; none is ever changed.

    >>> p = advisor.position("4453")
    >>> p.turn, p.moves, p.played
    ('x', (1, 2, 3, 4, 5, 6, 7), (4, 4, 5, 3))
    >>> print(p.play(4))
    6 . . . . . . .
    5 . . . . . . .
    4 . . . . . . .
    3 . . . x . . .
    2 . . . o . . .
    1 . . o x x . .
      1 2 3 4 5 6 7
    o (yellow) to move
    >>> c = advisor.position("e4 e5 Nf3", game="chess")
    >>> c.turn, len(c.moves), c.played
    ('black', 29, ('e4', 'e5', 'Nf3'))
    >>> c.play("Nc6").text
    'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'

    Attributes:
        game: the game.
        state: the position as its room has it (internal).
    """

    game: Game
    state: Played

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.state.identity == other.state.identity

    def __hash__(self) -> int:
        return hash(self.state.identity)

    @property
    @_served
    def key(self) -> tuple[object, ...]:
        """What is the same for the same position and side to move, whatever moves led there.

        >>> advisor.position("4453").key == advisor.position("44").key
        False
        >>> advisor.position("4453").key == advisor.position("4354").key
        True

        Returns:
            something to compare and to look up by; what it holds may change.
        """
        return self.state.key

    @property
    @_served
    def turn(self) -> str:
        """Who is to move, by name, as ``"x"`` (who begins) or ``"white"``; means nothing once the
        game is over."""
        return self.game.players[self.state.turn]

    @property
    @_served
    def moves(self) -> tuple[Any, ...]:
        """The legal moves as people write them, of Connect Four the columns as numbers; none if
        the game is over."""
        return () if self.state.over else tuple(self.state.names.values())

    @property
    @_served
    def played(self) -> tuple[Any, ...]:
        """The moves so far likewise; none where only the board was given."""
        return self.state.made

    @property
    @_served
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.over

    @property
    @_served
    def winner(self) -> str | None:
        """Who has won, by name; None for a draw and while the game goes on."""
        winner = self.state.winner if self.state.over else None
        return None if winner is None else self.game.players[winner]

    @property
    @_served
    def rows(self) -> tuple[str, ...]:
        """The board in text, the top row first; none if the rules name no squares.

        Of Connect Four a row is ``.``, ``x`` or ``o`` a square, of other games what `str` shows.
        """
        return tuple(self.state.rows)

    @property
    def size(self) -> tuple[int, int]:
        """Of Connect Four: columns and rows.

        Raises:
            AttributeError: of another game, here and for `connect` and `cells`.
        """
        found: tuple[int, int] = self._extra("size")
        return found

    @property
    def connect(self) -> int:
        """Of Connect Four: how many discs in line win."""
        found: int = self._extra("connect")
        return found

    @property
    def cells(self) -> npt.NDArray[np.int8]:
        """Of Connect Four: the discs as an array for `Evaluator`.

        Returns:
            shape (rows, columns), the bottom row first: 0 for nobody's, 1 for x, 2 for o.
        """
        found: npt.NDArray[np.int8] = self._extra("cells")
        return found

    @property
    def fen(self) -> str:
        """Of chess: the position as a FEN.

        >>> advisor.position("Nf3", game="chess").fen
        'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1'

        Raises:
            AttributeError: of another game.
        """
        found: str = self._extra("fen")
        return found

    @property
    def pgn(self) -> str:
        """Of chess: the game so far as a PGN.

        Raises:
            AttributeError: of another game.
        """
        found: str = self._extra("pgn")
        return found

    @_served
    def _extra(self, name: str) -> Any:
        extras = self.state.extras
        if name not in extras:
            raise AttributeError(f"{self.game.name} has no {name} (text and rows are of any game)")
        return extras[name]()

    @property
    @_served
    def text(self) -> str:
        """What `position` reads as this position again: the moves so far, rows or a FEN.

        >>> advisor.position("44").text, advisor.position("x../ox.", size=(3, 2)).text
        ('44', 'x../ox.')
        """
        return self.state.text

    @property
    @_served
    def status(self) -> str:
        """Who is to move or has won.

        >>> advisor.position("44").status
        'x (red) to move'
        """
        if not self.over:
            return f"{self.state.called(self.state.turn)} to move"
        winner = self.state.winner
        return "a draw" if winner is None else f"{self.state.called(winner)} has won"

    @_served
    def play(self, *moves: Any) -> Position:
        """The position after one move or several.

        >>> advisor.position("e4 e5 Nf3", game="chess").play("Nc5")
        Traceback (most recent call last):
        advisor.errors.InputError: move 4: 'Nc5' is not legal (use Ba3, Bb4, ...)

        Raises:
            InputError: one is not legal, or the game is over.
        """
        state = self.state
        for move in moves:
            state = state.play(state.move(move))
        return Position(self.game, state)

    @_served
    def typed(self, text: str) -> Position:
        """The position after a move as somebody types it.

        >>> advisor.position("44").typed("4").played
        (4, 4, 4)

        Raises:
            InputError: it is none, or not legal.
        """
        return Position(self.game, self.state.play(self.state.find(text)))

    @_served
    def back(self, moves: int = 1) -> Position:
        """The position so many moves before.

        Raises:
            InputError: fewer are known.
        """
        known = len(self.state.moves)
        left = known - arguments.whole("moves back", moves, 0, known)
        return Position(self.game, list(self.state.played)[left])

    @_served
    def svg(self, advice: Advice | None = None) -> str:
        """A picture, as an SVG document.

        Args:
            advice: of this position, if the best move and what else a picture of its game shows of
                an advice is wanted.

        Raises:
            InputError: the game has no picture; `str` shows its text board. Or the advice is of
                another position.
        """
        if not advice:
            return self.state.svg()
        if not self.state.stands(getattr(advice, "position", None)):
            raise InputError("the advice is of another position")
        from advisor.views.marks import marks

        return self.state.svg(marks(advice))

    @property
    def abilities(self) -> Abilities:
        """What its game can do there (internal)."""
        return self.game.room.abilities(self.state)

    def _repr_svg_(self) -> str | None:  # what notebooks show
        try:
            return self.svg()
        except InputError:
            return None

    @_served
    def __str__(self) -> str:
        return "\n".join([*(self.state.lines() or [self.text]), self.status])

    @_served
    def __repr__(self) -> str:
        return f"advisor.position({self.game.room.written(self.state)})"


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
    >>> advisor.load_game("connect4", constants={"width": 5}).position("44").size
    (5, 6)

    Args:
        game: the name of one that comes with the advisor (``breakthrough``, ``chess``,
            ``connect4``, ``gomoku``, ``hex``, ``morris``, ``reversi``, ``tictactoe``), or a folder
            with a ``rules.lp``.
        weights: a weights file or one of the game's presets; by default its own weights.
        constants: numbers that the rules leave open.

    Raises:
        InputError: there is no such game, or it has no such constant.
        ConfigError: weights that do not fit.
        EncodingError: the rules are not those of a game that can be played.
    """
    given, weighed = arguments.path("game", game), arguments.path("weights", weights)
    return Game(rooms.load(given, weighed, arguments.constants(constants)))


def position(
    text: str | Path | Sequence[Any] = "",
    *,
    size: tuple[int, int] | None = None,
    connect: int | None = None,
    game: str | os.PathLike[str] | Game | None = None,
    constants: Mapping[str, int] | None = None,
) -> Position:
    """A position, of Connect Four unless a game is named.

    >>> advisor.position("4453").play(4).turn
    'o'
    >>> advisor.position([4, 4, 5, 3]) == advisor.position("4453")
    True
    >>> advisor.position(". . . / . o . / x x o", size=(3, 3), connect=3).moves
    (1, 2, 3)
    >>> advisor.position("b2 a1", game="tictactoe").turn
    'x'
    >>> advisor.position("4444444")
    Traceback (most recent call last):
    advisor.errors.InputError: '4444444': move 7: column 4 is full (6 discs)

    Args:
        text: the columns played (``"4453"``, with commas on boards wider than 9), a picture whose
            rows are lines or have ``/`` between them, top row first, the text of a board file
            (YAML) or facts such as ``cell(1,1,4).``; of another game the moves so far, in chess
            also a FEN or PGN. A `pathlib.Path` is a file with a board, of any game; with `game`
            one that holds such a text. The moves from the start may also be a list, as `played`
            gives them.
        size: columns and rows of a board that does not say its own, each 1 to 40: short for the
            constants ``width`` and ``height``.
        connect: how many in line win there, likewise.
        game: the name of a game, its folder, or what `load_game` gave.
        constants: numbers that the rules of the game leave open, as ``{"size": 5}``.

    Raises:
        InputError: the text is no position, or there is no such game; it says where and what is
            allowed.
        EncodingError: the game's rules cannot be played.
    """
    if not isinstance(text, str | Path | Sequence | np.ndarray):
        raise InputError(
            f"a position is given by a text, a list of moves or a pathlib.Path, not by {text!r}"
        )
    wanted = {**arguments.board(size, connect), **arguments.constants(constants)}
    if isinstance(text, Path):
        if not text.is_file():
            textfile.read_text(text)  # says what is wrong with it
        return read(str(text), game, wanted)[1]
    loaded = _loaded(game, wanted)
    return loaded.position(text) if isinstance(text, str) else loaded.position().play(*text)


def read(
    source: str,
    game: str | os.PathLike[str] | Game | None = None,
    constants: Mapping[str, int] | None = None,
    weights: str | None = DEFAULT,
) -> tuple[str, Position]:
    """What somebody may type where a position is wanted, and what that is called (internal).

    Args:
        source: a file, ``-`` for standard input, or a text; a YAML file may name its game.
        game: by default the usual one.
        constants, weights: of the game; without weights no more is loaded than its rules need.

    Raises:
        InputError: it is none, or a file names another game.
        ConfigError, EncodingError: see `load_game`.
    """
    loaded, given = _named(source, game, constants, weights)
    if given is None:
        name, state = loaded.room.read(source)
        return name, loaded.at(state)
    with at(given.name):
        return given.name, loaded.position(given.moves)


def read_games(
    source: str,
    game: str | None = None,
    constants: Mapping[str, int] | None = None,
    weights: str | None = DEFAULT,
) -> list[tuple[str, Position]]:
    """The same for games, of which a text may hold several (internal)."""
    loaded, given = _named(source, game, constants, weights)
    if given is None:
        return [(name, loaded.at(state)) for name, state in loaded.room.games(source)]
    with at(given.name):
        return [(given.name, loaded.position(given.moves))]


def _named(
    source: str,
    game: str | os.PathLike[str] | Game | None,
    constants: Mapping[str, int] | None,
    weights: str | None,
) -> tuple[Game, position_file.Given | None]:
    """The game that a file names, and what the file says; or that which is asked for."""
    given = position_file.read(source, rooms.USUAL)
    if given is None:
        return _loaded(game, constants, weights), None
    if isinstance(game, str) and game != given.game:
        raise InputError(
            f"{given.name}: game: {textfile.quoted(given.game)}, but --game {game} (leave one out)"
        )
    wanted = {**given.constants, **(constants or {})}
    with at(given.name):
        return _loaded(given.game if game is None else game, wanted, weights), given


def _loaded(
    game: str | os.PathLike[str] | Game | None,
    constants: Mapping[str, int] | None,
    weights: str | None = DEFAULT,
) -> Game:
    if not isinstance(game, Game):
        named = rooms.USUAL if game is None else arguments.path("game", game)
        return Game(rooms.load(named, weights, constants))
    if constants:
        raise InputError(f"constants: {game.name} is loaded already (load_game takes them)")
    return game
