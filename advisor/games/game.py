"""A game and its positions with the moves that led there: `Game` and `Position`.

Both define the public members of every game, and the few that a game's own module provides. A game
defined by rules alone is a `rule_game.RuleGame` with positions of `rule_position`; `rooms` lists
the games with a module of their own. Both classes are in one module since each names the other.
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
from advisor.games.tree import MoveTree, grow_tree, read_moves, tree_of_line
from advisor.settings.config import Config
from advisor.settings.writing import Weights
from aspcircuits.arguments import is_whole, whole
from aspcircuits.circuit import Circuit
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

Constants = tuple[tuple[str, int], ...]
"""The values of constants that a game's rules leave open, by their names."""

C = TypeVar("C", bound=type)


class Told(NamedTuple):
    """Exact results for people.

    Attributes:
        headline: the position's result.
        columns, rows: a table of its moves' results; no rows unless requested.
        effort: the engine and its work.
    """

    headline: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    effort: str


class Question(NamedTuple):
    """A question as a program for plain clingo.

    Attributes:
        about: the meaning of an answer, in a few words.
        options: for clingo.
        program: the encodings by their names, the position, the weights.
    """

    about: str
    options: Sequence[str]
    program: str


class Marked(Protocol):
    """The part of an advice that a picture needs."""

    @property
    def position(self) -> Position:
        """The position that the advice is about."""

    @property
    def marks(self) -> Marks | None:
        """The marks that a picture may show; None if the game is over."""


def unchanging(made: C) -> C:
    """Make a class refuse changes, with an error that says so; for games and positions.

    A frozen dataclass with slots would by itself raise a TypeError about `super` when a property is
    set.
    """

    def refuse(self: object, name: str, *_: object) -> None:
        kind = Position if isinstance(self, Position) else Game
        raise FrozenInstanceError(f"{name} cannot be set: a {kind.__name__} never changes")

    for name in ("__setattr__", "__delattr__"):
        setattr(made, name, refuse)
    return made


class Game(ABC):
    """A game, in one size and with the weights of its strategies and features if it has any.

    Two games are equal if they come from one source with the same constants and weights.

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
        """The name of the folder with its rules."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, str]:
        """Both players' names, the one who begins first."""

    @property
    @abstractmethod
    def constants(self) -> dict[str, int]:
        """The values given to constants that its rules leave open."""

    @property
    def source(self) -> str | None:
        """The name or path that loads the game again; None for Connect Four."""
        return None

    @property
    def aim(self) -> str:
        """The players' aim, in a sentence; empty if the rules do not give it."""
        return ""

    @property
    def bookish(self) -> bool:
        """Whether the game has opening books."""
        return False

    @property
    @abstractmethod
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of the files that its games are saved in."""

    @property
    def instead(self) -> str | None:
        """The requested weights, if others replace them because they are for one size only."""
        return None

    @property
    def weights(self) -> Weights:
        """The weights of its strategies and features."""
        return Weights(self.settings)

    def position(self, text: str = "", *, name: str | None = None) -> Position:
        """Return a position.

        Args:
            text: see `advisor.position`.
            name: the text's name in errors; by default they quote the text if that is enough.

        Raises:
            InputError: a move is not legal, or the text is no position.
        """
        if not isinstance(text, str):
            raise InputError(f"a position is a text, not {text!r}")
        return self.begin(text, name)

    def read_tree(self, text: str, name: str | None = None) -> MoveTree:
        """Return a game with its variations and remarks, which a PGN may have.

        >>> tree = advisor.load_game("chess").read_tree("1. e4 {best} (1. d4 d5) 1... e5 *")
        >>> [(move.text, move.follows, move.after) for move in tree.moves][:2]
        [('e2e4', 0, ['{best}']), ('d2d4', 0, [])]
        >>> tree.record.splitlines()[-2]
        '1. e4 {best} (1. d4 d5) 1... e5 *'

        An illegal move ends its variation; `left_out` of the tree tells which.

        Args:
            text: of the game.
            name: as for `position`.

        Raises:
            InputError: a move of the main line is not legal, or the text is no game.
        """
        return tree_of_line(self.begin(text, name))

    def line(self, text: str) -> Position:
        """Return the position on a line of a file, which holds moves or a picture.

        Raises:
            InputError: the line holds neither; the caller knows where the line is from.
        """
        return self.begin(text)

    # Internal: what a game's own module provides

    @abstractmethod
    def begin(self, text: Any = "", name: str | None = None) -> Position:
        """Return a position, see `position`; a game's own files may hold other things than text."""

    @property
    @abstractmethod
    def settings(self) -> Config:
        """Its weights, and the other settings in their file."""

    @property
    @abstractmethod
    def circuit(self) -> Circuit:
        """A logic circuit of what follows from a state; see `advisor.library.circuits`."""

    @abstractmethod
    def games(self, source: str) -> Iterator[tuple[str, Position | InputError]]:
        """Yield the games of a source, each with its name, or with the error that it has.

        Raises:
            InputError: the source as a whole cannot be read, or holds no game.
        """

    def read(self, source: str) -> tuple[str, Position]:
        """Read whatever a user may type for a position: a file, ``-``, or a text.

        Return its name and the position.

        Raises:
            InputError: it is no position; the message begins with the name.
        """
        name, text = textfile.read_given(source)
        return name or self.name, self.begin(text, name)

    def example(self, line: str, stop: Stop | None = None) -> Example:
        """Read a position and its result from a line of a file of such lines.

        Args:
            line: of the file.
            stop: limits a check by exact play; None for no such check.

        Raises:
            InputError: the line holds no result, or exact play disproves it.
        """
        raise InputError(f"{self.name} has no files of positions with results")

    @abstractmethod
    def with_weights(self, weights: str | None, book: bool | None) -> Game:
        """Return the game with other weights, if named, and with or without its opening books.

        Raises:
            InputError: `book` is given and the game has none.
        """

    @abstractmethod
    def arrays(self, machine_code: bool | None) -> StateArrays:
        """Return the interface to arrays of states; see `advisor.Arrays`."""

    @abstractmethod
    def see(self, position: Position) -> Abilities:
        """Return a position's abilities with the weights of this game.

        The position may come from the same game with other weights.
        """

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
        """Return the exact result, by search to the end of the game, as far as it is proved in
        time.
        """

    @property
    @abstractmethod
    def puzzle_maker(self) -> Any:
        """The object that finds puzzles; see `advisor.games.puzzle_making.PuzzleMaker`."""

    @property
    def given(self) -> str:
        """The arguments with which `load_game` makes this game, written in Python."""
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

    Two positions are equal if the games played so far are; they have the same `key` if their boards
    are equal. `position` makes one; positions never change.

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
        path: the moves made since the beginning, as far as they are known (internal, like
            everything with terms; there, players are 0, who begins a game, and 1).
        numbered: whether `rows` include labels.
    """

    __slots__ = ()

    game: Game
    path: tuple[Term, ...]
    numbered: ClassVar[bool]

    @property
    @abstractmethod
    def key(self) -> tuple[object, ...]:
        """A key of the position and side to move, the same whatever moves led there.

        >>> advisor.position("4453").key == advisor.position("44").key
        False
        >>> advisor.position("4453").key == advisor.position("4354").key
        True

        Use it to compare and to look up; its contents may change.
        """

    @property
    def turn(self) -> str:
        """The side to move, by name, such as ``"x"`` (who begins) or ``"white"``.

        It means nothing once the game is over.
        """
        return self.game.players[self.side]

    @property
    def moves(self) -> tuple[Any, ...]:
        """The legal moves as people write them, as integers in Connect Four; none if the game is
        over.
        """
        return () if self.over else tuple(self.names.values())

    @property
    @abstractmethod
    def played(self) -> tuple[Any, ...]:
        """The moves so far, written like `moves`; none if only the board was given."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether the game is over."""

    @property
    def winner(self) -> str | None:
        """The name of the winner; None for a draw and while the game goes on."""
        side = self.winning_side
        return None if side is None else self.game.players[side]

    @property
    @abstractmethod
    def rows(self) -> tuple[str, ...]:
        """The board in text, the top row first; the atoms that hold if the rules name no squares.

        A row of Connect Four has ``.``, ``x`` or ``o`` for each square; for other games see `str`.
        """

    @property
    def size(self) -> tuple[int, int]:
        """In Connect Four: columns and rows.

        Raises:
            AttributeError: the game is another one, as for every member that only one game has.
        """
        return cast(tuple[int, int], self._extra("size"))

    @property
    def connect(self) -> int:
        """In Connect Four: the number of discs in line that wins."""
        return cast(int, self._extra("connect"))

    @property
    def cells(self) -> npt.NDArray[np.int8]:
        """In Connect Four: the discs as an array of shape (rows, columns) for `Evaluator`.

        The bottom row comes first: 0 for an empty square, 1 for x, 2 for o.
        """
        return cast(npt.NDArray[np.int8], self._extra("cells"))

    @property
    def fen(self) -> str:
        """In chess: the position as a FEN.

        >>> advisor.position("Nf3", game="chess").fen
        'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1'
        """
        return cast(str, self._extra("fen"))

    @property
    def pgn(self) -> str:
        """In chess: the game so far as a PGN."""
        return cast(str, self._extra("pgn"))

    def _extra(self, name: str) -> Any:
        if name not in self.extras:
            raise AttributeError(f"{self.game.name} has no {name} (every game has text and rows)")
        return self.extras[name]()

    @property
    @abstractmethod
    def text(self) -> str:
        """A text that `position` reads as this position again.

        It is the moves so far, rows, a FEN, or for a composed board a file.

        >>> advisor.position("44").text, advisor.position("x../ox.", size=(3, 2)).text
        ('44', 'x../ox.')
        """

    @property
    def status(self) -> str:
        """A phrase for the side to move, or for the result.

        >>> advisor.position("44").status
        'x (red) to move'
        """
        if not self.over:
            return f"{self.player_label(self.side)} to move"
        side = self.winning_side
        return "a draw" if side is None else f"{self.player_label(side)} has won"

    def play(self, *moves: Any) -> Position:
        """Return the position after one or more moves.

        A move is written as in `moves`, or as an advice, a review or a solution names it.

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

    def grow(
        self, moves: Sequence[Mapping[str, Any]], remarks: Sequence[str] = (), result: str = ""
    ) -> MoveTree:
        """Return a game with variations that begins with this position.

        >>> moves = [{"move": "b2", "follows": 0}, {"move": "a1", "follows": 0, "instead": 1}]
        >>> tree = advisor.position(game="tictactoe").grow(moves)
        >>> tree.names, tree.main.played
        (['b2', 'a1'], ('b2',))

        Args:
            moves: in the order of a text, each with the number of the move that it ``follows``, 0
                for none. A variation begins with a move that also says ``instead`` of which one it
                stands; ``before``, ``after`` and ``behind`` are its remarks.
            remarks: ahead of the first move.
            result: of the main line; empty if unknown.

        Raises:
            InputError: a move is not legal, or follows none; or moves led to this position.
        """
        if self.path:
            raise InputError(f"this position comes after {len(self.path)} moves (give them too)")
        return grow_tree(self, [*read_moves(moves)], remarks, result, every=True)

    def after_text(self, text: Any) -> Position:
        """Return the position after a move as a user types it, or as `moves` contains it.

        >>> advisor.position("44").after_text("4").played
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
        """Return the position `moves` moves before.

        Raises:
            InputError: fewer moves are known.
        """
        known = len(self.path)
        left = known - whole("moves back", moves, 0, known)
        return list(self.positions)[left]

    def svg(self, advice: Marked | None = None) -> str:
        """Return a picture, as an SVG document.

        Args:
            advice: of this position; the picture then shows the best move and the game's other
                marks.

        Raises:
            InputError: the game has no picture; `str` shows its text board. Or the advice is of
                another position.
        """
        if not advice:
            return self.draw(None)
        whose = getattr(advice, "position", None)
        if not isinstance(whose, Position) or whose.key != self.key:
            raise InputError("the advice is for another position")
        return self.draw(advice.marks)

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the data that a program needs to draw the position and to know its moves.

        >>> told = advisor.position("4453").to_json()
        >>> told["turn"], told["rows"][-1], told["moves"][3]
        ('x', '..oxx..', [4, 3])
        >>> told = advisor.position("b2", game="tictactoe").to_json()
        >>> told["turn"], told["moves"][0]["name"], told["moves"][0]["squares"]
        ('o', 'a1', [(1, 1)])

        Returns:
            the answer of ``/api/position``: a move of Connect Four is its column and its row, of
            other games an object with the squares that it names.
        """

    @property
    @abstractmethod
    def symbols(self) -> tuple[str, ...]:
        """The symbols that `put` accepts; none if positions of the game cannot be set up.

        >>> advisor.position(game="tictactoe").symbols
        ('o', 'x')
        """

    def put(self, squares: Mapping[tuple[int, int], str], turn: str | None = None) -> Position:
        """Return the position with other contents of some squares, as a new beginning.

        >>> p = advisor.position(game="tictactoe").put({(2, 2): "o", (1, 1): "x"}, turn="o")
        >>> p.turn, p.text
        ('o', 'true(mark(o,2,2)) true(mark(x,1,1)) true(turn(o))')

        Args:
            squares: by column and row, one of `symbols` or an empty text for nothing.
            turn: the side to move; by default unchanged, in Connect Four as the discs imply.

        Raises:
            InputError: the result is no position of the game, or positions cannot be set up.
        """
        if not self.symbols:
            raise InputError(f"{self.game.name}: its positions cannot be set up")
        players = self.game.players
        if turn is not None and turn not in players:
            raise InputError(f"turn: no player {turn!r} (use {' or '.join(players)})")
        return self.with_squares(_check_squares(squares), turn)

    def code(self, move: Any) -> str:
        """Return a legal move's name in JSON.

        >>> advisor.position(game="tictactoe").code("b2")
        'put(2,2)'
        """
        return self.code_of(self.read_move(move))

    @property
    def picture(self) -> str:
        """The board as a text that determines the position: rows, in chess a FEN."""
        return "\n".join(self.rows)

    @property
    def won_lines(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The squares (row, column) of each line that won, in a game that is won by lines."""
        return ()

    @property
    def won_on(self) -> str:
        """The winning lines in words, such as ``on d1-g1``; empty if unknown."""
        return ""

    @property
    def history(self) -> str:
        """The moves so far, as one line."""
        told = "Moves" if self.from_start else "Moves since the start"
        return f"{told}: {self.moves_line or 'none'}"

    @property
    @abstractmethod
    def record(self) -> str:
        """The game so far, as a file that `position` reads."""

    def tree_text(self, tree: MoveTree) -> str:
        """Return a game whose main line ends here as a file, with what the format has room for."""
        return self.record

    @property
    def people(self) -> tuple[str, str]:
        """The players' names from the text, the one who begins first; otherwise the sides' names.

        >>> advisor.position("4453").people
        ('x', 'o')
        """
        return self.game.players

    @property
    def resume_text(self) -> str | None:
        """A text to type for the position; None if only a file can express it."""
        return self.moves_line

    @property
    def scene(self) -> Scene:
        """The position as it is shown: its lines of text, its picture if it has one."""
        return self.abilities.scene()

    @property
    def phrasing(self) -> Phrasing:
        """The wording of sentences about the position."""
        return self.abilities.phrasing

    @property
    def hint(self) -> str | None:
        """A line that says how to get exact results much sooner; None if nothing would help."""
        return self.abilities.hint

    @property
    def alone(self) -> str | None:
        """The name of the solver that uses one thread whatever `jobs` is; None if there is none."""
        return self.abilities.alone

    @abstractmethod
    def describe_solution(self, known: Any) -> Told:
        """Return a result of `solve` for people: a headline, a table, the effort.

        >>> p = advisor.position("44", size=(5, 4))
        >>> p.describe_solution(advisor.solve(p)).headline
        'score 0: draws'
        """

    @abstractmethod
    def question(
        self, program: Literal["moves", "features"] = "moves", plan: str | None = None
    ) -> Question:
        """Return a question about the position as a program for plain clingo.

        >>> advisor.position("4453").question().program.splitlines()[-1].startswith("weight(")
        True

        Args:
            program: for the best move, or for the value of the position.
            plan: ask instead for a plan with which this player holds the position.

        Raises:
            InputError: the game has no such plans.
        """

    # Internal: moves are terms, players numbers

    @property
    def abilities(self) -> Abilities:
        """The position's abilities in its game."""
        return self.game.see(self)

    @abstractmethod
    def by(self, game: Any) -> Position:
        """Return the same position of the game with other weights."""

    @property
    @abstractmethod
    def side(self) -> int:
        """The side to move, 0 for the player who begins; means nothing once the game is over."""

    @property
    @abstractmethod
    def winning_side(self) -> int | None:
        """The side that has won, 0 or 1; None for a draw and while the game goes on."""

    @property
    @abstractmethod
    def names(self) -> Mapping[Term, Any]:
        """The legal moves with the names that people write, while the game goes on."""

    @property
    @abstractmethod
    def positions(self) -> Iterator[Position]:
        """The positions from the beginning on, this one last."""

    @abstractmethod
    def read_move(self, said: Any, place: str | None = None) -> Term:
        """Return the legal move with a name from `names`.

        Raises:
            InputError: there is none; it begins with `place`, by default the move's number.
        """

    def read_typed(self, typed: str) -> Term:
        """Return the legal move that a user types."""
        return self.read_move(typed, "")

    @abstractmethod
    def after(self, term: Term) -> Position:
        """Return the position after a legal move."""

    @abstractmethod
    def code_of(self, term: Term) -> str:
        """Return a move's name for programs."""

    def player_label(self, side: int) -> str:
        """Return a player's name for a first mention."""
        return self.game.players[side]

    def lines(self) -> Sequence[str]:
        """Return the rows with their labels."""
        return self.rows

    @property
    def moves_line(self) -> str:
        """The moves since the beginning on a line; empty before the first one."""
        return self.text

    @property
    def from_start(self) -> bool:
        """Whether `moves_line` tells the whole game: it began as usual, or the line says how."""
        return True

    @property
    def extras(self) -> Mapping[str, Callable[[], Any]]:
        """Members that only positions of this game have, such as ``fen``."""
        return {}

    @abstractmethod
    def draw(self, marks: Marks | None) -> str:
        """Return a picture with marks, as an SVG document; an InputError if the game has none."""

    @abstractmethod
    def with_squares(self, squares: Mapping[tuple[int, int], str], player: str | None) -> Position:
        """See `put`; the arguments have the right types."""

    @property
    def written(self) -> str:
        """The arguments with which `advisor.position` makes this position, written in Python."""
        return f"{self.moves_line!r}, game={self.game.given}"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def _repr_svg_(self) -> str | None:  # notebooks show this
        try:
            return self.svg()
        except InputError:
            return None

    def __str__(self) -> str:
        return "\n".join([*(self.lines() or [self.text]), self.status])

    def __repr__(self) -> str:
        return f"advisor.position({self.written})"


def _check_squares(given: object) -> dict[tuple[int, int], str]:
    """Return the symbols to put on squares, by column and row; check the types."""
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
