"""Games and their positions, whichever game it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np
import numpy.typing as npt

from advisor.errors import InputError
from advisor.games.abilities import Abilities, Scene
from advisor.games.phrasing import Phrasing
from advisor.games.room import Played, Question, Room, Told
from advisor.library import arguments
from advisor.library.weighing import Weights

if TYPE_CHECKING:
    from advisor.advice.advice import Advice

C = TypeVar("C", bound=type)


def _served(made: C) -> C:
    """A class whose objects ask the rules whatever they are asked, one thread at a time. The room's
    lock has to be the first one that is taken: a `cached_property` of Python 3.11 has one for all
    objects, and who came with that to ask for the room's would wait for a thread that waits for
    him."""

    def served(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def asked(self: Any, *args: Any, **kwargs: Any) -> Any:
            with self.game.room.serving():
                return method(self, *args, **kwargs)

        return asked

    for name, member in [*vars(made).items()]:
        if isinstance(member, property):
            setattr(made, name, member.getter(served(cast(Any, member.fget))))
        elif isinstance(member, FunctionType) and (
            not name.startswith("__") or name in ("__str__", "__repr__")
        ):
            setattr(made, name, served(member))
    return made


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

    @property
    def source(self) -> str | None:
        """What loads it again: its name if it comes along, else a path; None for Connect Four."""
        return self.room.source

    @property
    def aim(self) -> str:
        """What the players are after, in a sentence; nothing if its rules do not say."""
        return self.room.aim

    @property
    def bookish(self) -> bool:
        """Whether it has opening books."""
        return self.room.bookish

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Of the files that its games are saved in; none where any name will do."""
        return self.room.suffixes

    @property
    def instead(self) -> str | None:
        """The weights that were asked for, where others are used since those are for one size."""
        return self.room.elsewhere

    @property
    def weights(self) -> Weights:
        """Those of its strategies and features."""
        return Weights(self.room.settings)

    def position(self, text: str = "", *, name: str | None = None) -> Position:
        """A position.

        Args:
            text: see `advisor.position`.
            name: what errors call the text; by default they quote it where that says enough.

        Raises:
            InputError: a move that is not legal, or no position.
        """
        if not isinstance(text, str):
            raise InputError(f"a position is given by a text, not by {text!r}")
        return self.at(self.room.begin(text, name))

    def line(self, text: str) -> Position:
        """The position of a line of a file, which holds moves or a picture.

        Raises:
            InputError: it does not; the caller knows where the line is from.
        """
        return self.at(self.room.line(text))

    def at(self, state: Played) -> Position:
        """A position as its room has it (internal)."""
        room = self.room.of(state)
        return Position(self if room is self.room else Game(room), state)

    def __repr__(self) -> str:
        return f"advisor.load_game({self.room.given})"


@arguments.unchanging
@_served
@dataclass(frozen=True, slots=True, repr=False)
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

    game: Game = field(compare=False)
    state: Played

    @property
    def key(self) -> tuple[object, ...]:
        """What is the same for the same position and side to move, whatever moves led there.

        >>> advisor.position("4453").key == advisor.position("44").key
        False
        >>> advisor.position("4453").key == advisor.position("4354").key
        True

        It is there to compare and to look up by; what it holds may change.
        """
        return self.state.key

    @property
    def turn(self) -> str:
        """Who is to move, by name, as ``"x"`` (who begins) or ``"white"``; means nothing once the
        game is over."""
        return self.game.players[self.state.turn]

    @property
    def moves(self) -> tuple[Any, ...]:
        """The legal moves as people write them, of Connect Four the columns as numbers; none if
        the game is over."""
        return () if self.state.over else tuple(self.state.names.values())

    @property
    def played(self) -> tuple[Any, ...]:
        """The moves so far likewise; none where only the board was given."""
        return self.state.made

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.over

    @property
    def winner(self) -> str | None:
        """Who has won, by name; None for a draw and while the game goes on."""
        winner = self.state.winner
        return None if winner is None else self.game.players[winner]

    @property
    def rows(self) -> tuple[str, ...]:
        """The board in text, the top row first; what holds if the rules name no squares.

        Of Connect Four a row is ``.``, ``x`` or ``o`` a square, of other games what `str` shows.
        """
        return tuple(self.state.rows)

    @property
    def size(self) -> tuple[int, int]:
        """Of Connect Four: columns and rows.

        Raises:
            AttributeError: of another game, as all that one game alone has.
        """
        return cast(tuple[int, int], self._extra("size"))

    @property
    def connect(self) -> int:
        """Of Connect Four: how many discs in line win."""
        return cast(int, self._extra("connect"))

    @property
    def cells(self) -> npt.NDArray[np.int8]:
        """Of Connect Four: the discs as an array of shape (rows, columns) for `Evaluator`, the
        bottom row first: 0 for nobody's, 1 for x, 2 for o."""
        return cast(npt.NDArray[np.int8], self._extra("cells"))

    @property
    def fen(self) -> str:
        """Of chess: the position as a FEN.

        >>> advisor.position("Nf3", game="chess").fen
        'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1'
        """
        return cast(str, self._extra("fen"))

    @property
    def pgn(self) -> str:
        """Of chess: the game so far as a PGN."""
        return cast(str, self._extra("pgn"))

    def _extra(self, name: str) -> Any:
        extras = self.state.extras
        if name not in extras:
            raise AttributeError(f"{self.game.name} has no {name} (text and rows are of any game)")
        return extras[name]()

    @property
    def text(self) -> str:
        """What `position` reads as this position again: the moves so far, rows, a FEN, or of a
        composed board a file.

        >>> advisor.position("44").text, advisor.position("x../ox.", size=(3, 2)).text
        ('44', 'x../ox.')
        """
        return self.state.text

    @property
    def status(self) -> str:
        """Who is to move or has won.

        >>> advisor.position("44").status
        'x (red) to move'
        """
        if not self.over:
            return f"{self.state.called(self.state.turn)} to move"
        winner = self.state.winner
        return "a draw" if winner is None else f"{self.state.called(winner)} has won"

    def play(self, *moves: Any) -> Position:
        """The position after one move or several.

        >>> advisor.position("e4 e5 Nf3", game="chess").play("Nc5")
        Traceback (most recent call last):
        aspcircuits.errors.InputError: move 4: 'Nc5' is not legal (use Ba3, Bb4, ...)

        Raises:
            InputError: one is not legal, or the game is over.
        """
        state = self.state
        for move in moves:
            state = state.play(state.move(move))
        return Position(self.game, state)

    def typed(self, text: Any) -> Position:
        """The position after a move as somebody types it, or as `moves` have it.

        >>> advisor.position("44").typed("4").played
        (4, 4, 4)

        Raises:
            InputError: it is none, or not legal.
        """
        return Position(self.game, self.state.play(self.state.find(str(text))))

    @property
    def passed_over(self) -> Sequence[str]:
        """Parts of the text that the position was read from which mean nothing, with their places.

        >>> advisor.position("4453").passed_over
        ()
        """
        return self.state.passed_over

    def back(self, moves: int = 1) -> Position:
        """The position so many moves before.

        Raises:
            InputError: fewer are known.
        """
        known = len(self.state.moves)
        left = known - arguments.whole("moves back", moves, 0, known)
        return Position(self.game, list(self.state.played)[left])

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

    def to_json(self) -> dict[str, Any]:
        """What a program needs to draw the position and to know what can be played.

        >>> told = advisor.position("4453").to_json()
        >>> told["turn"], told["rows"][-1], told["moves"][3]
        ('x', '..oxx..', [4, 3])
        >>> told = advisor.position("b2", game="tictactoe").to_json()
        >>> told["turn"], told["moves"][0]["name"], told["moves"][0]["squares"]
        ('o', 'a1', [(1, 1)])

        Returns:
            the answer of ``/api/position``: of Connect Four a move is its column and its row, of
            other games an object with the squares that it names.
        """
        return self.state.to_json()

    @property
    def symbols(self) -> tuple[str, ...]:
        """What `put` may put on squares; nothing where positions of the game cannot be set up.

        >>> advisor.position(game="tictactoe").symbols
        ('o', 'x')
        """
        return tuple(self.game.room.symbols(self.state))

    def put(self, squares: Mapping[tuple[int, int], str], turn: str | None = None) -> Position:
        """The position with other things on some squares, as a new beginning.

        >>> p = advisor.position(game="tictactoe").put({(2, 2): "o", (1, 1): "x"}, turn="o")
        >>> p.turn, p.text
        ('o', 'true(mark(o,2,2)) true(mark(x,1,1)) true(turn(o))')

        Args:
            squares: by column and row, one of `symbols` or an empty text for nothing.
            turn: who is to move; by default who is, of Connect Four whom the discs imply.

        Raises:
            InputError: that is no position of the game; or it cannot be set up.
        """
        if not self.symbols:
            raise InputError(f"{self.game.name}: its positions cannot be set up")
        if turn is not None and turn not in self.game.players:
            raise InputError(f"turn: no player {turn!r} (use {' or '.join(self.game.players)})")
        set_up = arguments.squares(squares)
        return self.game.at(self.game.room.put(self.state, set_up, turn))

    def code(self, move: Any) -> str:
        """A legal move as JSON names it.

        >>> advisor.position(game="tictactoe").code("b2")
        'put(2,2)'
        """
        return self.state.code(self.state.move(move))

    @property
    def picture(self) -> str:
        """The board as a text that says all of the position: rows, of chess a FEN."""
        return self.state.picture

    @property
    def numbered(self) -> bool:
        """Whether `rows` have what stands beside them."""
        return self.state.numbered

    @property
    def won_lines(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The squares (row, column) of each line that won, in a game that is won by lines."""
        return tuple(self.state.completed)

    @property
    def won_on(self) -> str:
        """The same in words, as ``on d1-g1``; nothing where nobody knows."""
        return self.state.won_on

    @property
    def history(self) -> str:
        """The moves so far in a line."""
        told = "Moves" if self.state.from_start else "Moves since the start"
        return f"{told}: {self.state.line or 'none'}"

    @property
    def record(self) -> str:
        """The game so far as a file that `position` reads."""
        return self.state.record

    @property
    def resumed(self) -> str | None:
        """What may be typed for the position; None where only a file can tell it."""
        return self.state.resumed

    @property
    def scene(self) -> Scene:
        """The position to be shown: its lines of text, its picture if it has one."""
        return self.abilities.scene()

    @property
    def phrasing(self) -> Phrasing:
        """How what is said of the position is written."""
        return self.abilities.phrasing

    @property
    def hint(self) -> str | None:
        """How exact results would be had much sooner, in a line; None if nothing would help."""
        return self.abilities.hint

    @property
    def alone(self) -> str | None:
        """Who finds exact results in one thread whatever is asked for; None for nobody."""
        return self.abilities.alone

    def told(self, known: Any) -> Told:
        """What `solve` has found of the position, for people: a headline, a table, the effort.

        >>> p = advisor.position("44", size=(5, 4))
        >>> p.told(advisor.solve(p)).headline
        'score 0: draws'
        """
        return self.game.room.told(self.state, known)

    def question(
        self, program: Literal["moves", "features"] = "moves", plan: str | None = None
    ) -> Question:
        """A question about the position as a program for plain clingo.

        >>> advisor.position("4453").question().program.splitlines()[-1].startswith("weight(")
        True

        Args:
            program: for the best move, or for the value of the position.
            plan: in their place, for a plan with which this player holds it.

        Raises:
            InputError: the game has no such plans.
        """
        return self.game.room.question(self.state, program, plan)

    @property
    def abilities(self) -> Abilities:
        """What its game can do there (internal)."""
        return self.game.room.see(self.state)

    def _repr_svg_(self) -> str | None:  # what notebooks show
        try:
            return self.svg()
        except InputError:
            return None

    def __str__(self) -> str:
        return "\n".join([*(self.state.lines() or [self.text]), self.status])

    def __repr__(self) -> str:
        return f"advisor.position({self.game.room.written(self.state)})"
