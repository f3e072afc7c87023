"""A game as it is loaded, and a position with the moves that led there: `Game` and `Position`.

Both carry what is public of any game, and name the few members that a game's own module provides. A
game that has its rules alone is a `rule_game.RuleGame` with positions of `rule_position`; `rooms`
says which game has a room of its own. They stand in one module since each names the other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import FrozenInstanceError
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from advisor.errors import InputError
from advisor.files import textfile
from advisor.games.abilities import Abilities, Scene
from advisor.games.arrays import StateArrays
from advisor.games.bounds import Solved
from advisor.games.examples import Example
from advisor.games.marks import Marks
from advisor.games.phrasing import Phrasing
from advisor.settings.config import Config
from advisor.settings.writing import Weights
from aspcircuits.arguments import is_whole, whole
from aspcircuits.circuit import Circuit
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

Constants = tuple[tuple[str, int], ...]
"""The numbers that were chosen of those that a game's rules leave open, by their names."""

C = TypeVar("C", bound=type)


class Told(NamedTuple):
    """Exact results for people.

    Attributes:
        headline: that of the position.
        columns, rows: a table of those of its moves; no rows where they were not asked for.
    """

    headline: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    effort: str


class Question(NamedTuple):
    """A question as a program for plain clingo.

    Attributes:
        about: what an answer says, in a few words.
        program: the encodings by their names, the position, the weights.
    """

    about: str
    options: Sequence[str]
    program: str


class Marked(Protocol):
    """An advice, as a picture needs it."""

    @property
    def position(self) -> Position:
        """The position that it is about."""

    @property
    def marks(self) -> Marks | None:
        """What a picture may show of it; None if the game is over."""


def unchanging(made: C) -> C:
    """A class of games or positions that never change, and say so; a frozen dataclass with slots
    would by itself raise a TypeError about `super` where a property is set."""

    def refuse(self: object, name: str, *_: object) -> None:
        kind = Position if isinstance(self, Position) else Game
        raise FrozenInstanceError(f"{name} cannot be set: a {kind.__name__} never changes")

    for name in ("__setattr__", "__delattr__"):
        setattr(made, name, refuse)
    return made


class Game(ABC):
    """A game, in one size and with the weights of its strategies and features if it has any.

    Two are equal that come from one source with the same constants and weights.

    >>> game = advisor.load_game("tictactoe")
    >>> game.name, game.players
    ('tictactoe', ('x', 'o'))
    >>> game.position("b2").turn
    'o'
    """

    __slots__ = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """That of the folder with its rules."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, str]:
        """Both players' names, the one who begins first."""

    @property
    @abstractmethod
    def constants(self) -> dict[str, int]:
        """The numbers that its rules leave open, as they were given."""

    @property
    def source(self) -> str | None:
        """What loads it again: its name if it comes along, else a path; None for Connect Four."""
        return None

    @property
    def aim(self) -> str:
        """What the players are after, in a sentence; nothing if its rules do not say."""
        return ""

    @property
    def bookish(self) -> bool:
        """Whether it has opening books."""
        return False

    @property
    @abstractmethod
    def suffixes(self) -> tuple[str, ...]:
        """Of the files that its games are saved in."""

    @property
    def instead(self) -> str | None:
        """The weights that were asked for, where others are used since those are for one size."""
        return None

    @property
    def weights(self) -> Weights:
        """Those of its strategies and features."""
        return Weights(self.settings)

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
        return self.begin(text, name)

    def line(self, text: str) -> Position:
        """The position of a line of a file, which holds moves or a picture.

        Raises:
            InputError: it does not; the caller knows where the line is from.
        """
        return self.begin(text)

    # Internal: what a game's own module provides

    @abstractmethod
    def begin(self, text: Any = "", name: str | None = None) -> Position:
        """See `position`; a file of the game's own may hold something else than a text."""

    @property
    @abstractmethod
    def settings(self) -> Config:
        """Its weights, and what else they say."""

    @property
    @abstractmethod
    def circuit(self) -> Circuit:
        """What follows from its states, by logic alone; see `advisor.library.circuits`."""

    @abstractmethod
    def games(self, source: str) -> Iterator[tuple[str, Position | InputError]]:
        """Yield the games of a source with what each is called, or why it is none.

        An InputError is raised where the source as a whole cannot be read or holds no game."""

    def read(self, source: str) -> tuple[str, Position]:
        """Read what somebody may type where a position is wanted: a file, ``-``, or a text. Return
        it with what it is called, with which an InputError begins if it is none."""
        name, text = textfile.given(source)
        return name or self.name, self.begin(text, name)

    def example(self, line: str, stop: Stop | None = None) -> Example:
        """Read a position and its result from a line of a file of such; an InputError if it holds
        none, or if exact play, which `stop` ends, finds that it is wrong."""
        raise InputError(f"{self.name} has no files of positions with results")

    @abstractmethod
    def weighed(self, weights: str | None, book: bool | None) -> Game:
        """The game with other weights, if named, and with its opening books or without, which is an
        InputError if it has none."""

    @abstractmethod
    def arrays(self, machine_code: bool | None) -> StateArrays:
        """Very many states at once; see `advisor.Arrays`."""

    @abstractmethod
    def see(self, position: Position) -> Abilities:
        """What can be done in a position by the weights of this game, also in one of the game with
        other weights."""

    @abstractmethod
    def solve(
        self,
        position: Any,
        /,
        every_move: bool,
        jobs: int,
        stop: Stop,
        on_progress: Callable[[Solved], None] | None = None,
    ) -> Solved:
        """The exact result, by search to the end of the game, as far as it is proved in time."""

    @property
    @abstractmethod
    def puzzle_maker(self) -> Any:
        """What finds puzzles; see `advisor.games.puzzle_making.PuzzleMaker`."""

    @property
    def given(self) -> str:
        """What `load_game` takes for it, as it is written in Python."""
        constants = f", constants={dict(self.constants)}" if self.constants else ""
        return repr(self.source or self.name) + constants

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __repr__(self) -> str:
        return f"advisor.load_game({self.given})"


class Position(ABC):
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
        path: the moves made since the beginning, as far as they are known (internal, as all that is
            about terms; players are 0, who begins a game, and 1 there).
        numbered: whether `rows` have what stands beside them.
    """

    __slots__ = ()

    game: Game
    path: tuple[Term, ...]
    numbered: ClassVar[bool]

    @property
    @abstractmethod
    def key(self) -> tuple[object, ...]:
        """What is the same for the same position and side to move, whatever moves led there.

        >>> advisor.position("4453").key == advisor.position("44").key
        False
        >>> advisor.position("4453").key == advisor.position("4354").key
        True

        It is there to compare and to look up by; what it holds may change.
        """

    @property
    def turn(self) -> str:
        """Who is to move, by name, as ``"x"`` (who begins) or ``"white"``; means nothing once the
        game is over."""
        return self.game.players[self.side]

    @property
    def moves(self) -> tuple[Any, ...]:
        """The legal moves as people write them, of Connect Four the columns as numbers; none if
        the game is over."""
        return () if self.over else tuple(self.names.values())

    @property
    @abstractmethod
    def played(self) -> tuple[Any, ...]:
        """The moves so far likewise; none where only the board was given."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the game is over."""

    @property
    def winner(self) -> str | None:
        """Who has won, by name; None for a draw and while the game goes on."""
        side = self.winning_side
        return None if side is None else self.game.players[side]

    @property
    @abstractmethod
    def rows(self) -> tuple[str, ...]:
        """The board in text, the top row first; what holds if the rules name no squares.

        Of Connect Four a row is ``.``, ``x`` or ``o`` a square, of other games what `str` shows.
        """

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
        if name not in self.extras:
            raise AttributeError(f"{self.game.name} has no {name} (text and rows are of any game)")
        return self.extras[name]()

    @property
    @abstractmethod
    def text(self) -> str:
        """What `position` reads as this position again: the moves so far, rows, a FEN, or of a
        composed board a file.

        >>> advisor.position("44").text, advisor.position("x../ox.", size=(3, 2)).text
        ('44', 'x../ox.')
        """

    @property
    def status(self) -> str:
        """Who is to move or has won.

        >>> advisor.position("44").status
        'x (red) to move'
        """
        if not self.over:
            return f"{self.called(self.side)} to move"
        side = self.winning_side
        return "a draw" if side is None else f"{self.called(side)} has won"

    def play(self, *moves: Any) -> Position:
        """The position after one move or several, each as `moves` has it, or as an advice, a review
        or a solution names it.

        >>> advisor.position("e4 e5 Nf3", game="chess").play("Nc5")
        Traceback (most recent call last):
        aspcircuits.errors.InputError: move 4: 'Nc5' is not legal (use Ba3, Bb4, ...)

        Raises:
            InputError: one is not legal, or the game is over.
        """
        position: Position = self
        for move in moves:
            position = position.after(position.read_move(move))
        return position

    def typed(self, text: Any) -> Position:
        """The position after a move as somebody types it, or as `moves` have it.

        >>> advisor.position("44").typed("4").played
        (4, 4, 4)

        Raises:
            InputError: it is none, or not legal.
        """
        return self.after(self.read_typed(str(text)))

    @property
    def passed_over(self) -> Sequence[str]:
        """Parts of the text that the position was read from which mean nothing, with their places.

        >>> advisor.position("4453").passed_over
        ()
        """
        return ()

    def back(self, moves: int = 1) -> Position:
        """The position so many moves before.

        Raises:
            InputError: fewer are known.
        """
        known = len(self.path)
        left = known - whole("moves back", moves, 0, known)
        return list(self.positions)[left]

    def svg(self, advice: Marked | None = None) -> str:
        """A picture, as an SVG document.

        Args:
            advice: of this position, if the best move and what else a picture of its game shows of
                an advice is wanted.

        Raises:
            InputError: the game has no picture; `str` shows its text board. Or the advice is of
                another position.
        """
        if not advice:
            return self.draw(None)
        whose = getattr(advice, "position", None)
        if not isinstance(whose, Position) or whose.key != self.key:
            raise InputError("the advice is of another position")
        return self.draw(advice.marks)

    @abstractmethod
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

    @property
    @abstractmethod
    def symbols(self) -> tuple[str, ...]:
        """What `put` may put on squares; nothing where positions of the game cannot be set up.

        >>> advisor.position(game="tictactoe").symbols
        ('o', 'x')
        """

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
        players = self.game.players
        if turn is not None and turn not in players:
            raise InputError(f"turn: no player {turn!r} (use {' or '.join(players)})")
        return self.with_squares(_checked(squares), turn)

    def code(self, move: Any) -> str:
        """A legal move as JSON names it.

        >>> advisor.position(game="tictactoe").code("b2")
        'put(2,2)'
        """
        return self.code_of(self.read_move(move))

    @property
    def picture(self) -> str:
        """The board as a text that says all of the position: rows, of chess a FEN."""
        return "\n".join(self.rows)

    @property
    def won_lines(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The squares (row, column) of each line that won, in a game that is won by lines."""
        return ()

    @property
    def won_on(self) -> str:
        """The same in words, as ``on d1-g1``; nothing where nobody knows."""
        return ""

    @property
    def history(self) -> str:
        """The moves so far in a line."""
        told = "Moves" if self.from_start else "Moves since the start"
        return f"{told}: {self.moves_line or 'none'}"

    @property
    @abstractmethod
    def record(self) -> str:
        """The game so far as a file that `position` reads."""

    @property
    def people(self) -> tuple[str, str]:
        """Who plays, by the names that the text gives, the one who begins first; otherwise the
        names of the sides.

        >>> advisor.position("4453").people
        ('x', 'o')
        """
        return self.game.players

    @property
    def resumed(self) -> str | None:
        """What may be typed for the position; None where only a file can tell it."""
        return self.moves_line

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

    @abstractmethod
    def told(self, known: Any) -> Told:
        """What `solve` has found of the position, for people: a headline, a table, the effort.

        >>> p = advisor.position("44", size=(5, 4))
        >>> p.told(advisor.solve(p)).headline
        'score 0: draws'
        """

    @abstractmethod
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

    # Internal: moves are terms, players numbers

    @property
    def abilities(self) -> Abilities:
        """What its game can do there."""
        return self.game.see(self)

    @abstractmethod
    def by(self, game: Any) -> Position:
        """The same position of the game with other weights."""

    @property
    @abstractmethod
    def side(self) -> int:
        """Who is to move, 0 for who begins a game; means nothing once the game is over."""

    @property
    @abstractmethod
    def winning_side(self) -> int | None:
        """Who has won likewise; None for a draw and while the game goes on."""

    @property
    @abstractmethod
    def names(self) -> Mapping[Term, Any]:
        """The legal moves with what people write for them, while the game goes on."""

    @property
    @abstractmethod
    def positions(self) -> Iterator[Position]:
        """The positions from the beginning on, this one the last."""

    @abstractmethod
    def read_move(self, said: Any, place: str | None = None) -> Term:
        """The legal move that somebody hands over as `names` has it; an InputError if it is none,
        which begins with its `place`, by default the move's number."""

    def read_typed(self, typed: str) -> Term:
        """The legal move that somebody types."""
        return self.read_move(typed, "")

    @abstractmethod
    def after(self, term: Term) -> Position:
        """The position after a legal move."""

    @abstractmethod
    def code_of(self, term: Term) -> str:
        """A move as programs name it."""

    def called(self, side: int) -> str:
        """A player where he is met first."""
        return self.game.players[side]

    def lines(self) -> Sequence[str]:
        """The rows with what stands beside them."""
        return self.rows

    @property
    def moves_line(self) -> str:
        """The moves since the beginning on a line; nothing before the first one."""
        return self.text

    @property
    def from_start(self) -> bool:
        """Whether the game began as games do, or `moves_line` says how, so that it tells all."""
        return True

    @property
    def extras(self) -> Mapping[str, Callable[[], Any]]:
        """What positions of this game have besides, as ``fen``."""
        return {}

    @abstractmethod
    def draw(self, marks: Marks | None) -> str:
        """A picture with marks, as an SVG document; an InputError if the game has none."""

    @abstractmethod
    def with_squares(self, squares: Mapping[tuple[int, int], str], player: str | None) -> Position:
        """See `put`; what is given is of the right kinds."""

    @property
    def written(self) -> str:
        """What `advisor.position` takes for it, as it is written in Python."""
        return f"{self.moves_line!r}, game={self.game.given}"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def _repr_svg_(self) -> str | None:  # what notebooks show
        try:
            return self.svg()
        except InputError:
            return None

    def __str__(self) -> str:
        return "\n".join([*(self.lines() or [self.text]), self.status])

    def __repr__(self) -> str:
        return f"advisor.position({self.written})"


def _checked(given: object) -> dict[tuple[int, int], str]:
    """What is to stand on squares, by column and row."""
    if not isinstance(given, Mapping):
        raise InputError(f"squares {given!r} must be places with symbols such as {{(1, 2): 'x'}}")
    found = {}
    for place in given.items():
        match place:
            case (column, row), str() as symbol if is_whole(column) and is_whole(row):
                found[int(column), int(row)] = symbol
            case square, symbol:
                told = f"squares: {square!r}: {symbol!r} is no column and row with a symbol"
                raise InputError(f"{told}, such as (1, 2): 'x'")
    return found
