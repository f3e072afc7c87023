"""What a notation is: how positions and moves of a game are written.

It writes what the rules say and decides nothing: which moves are legal it is told.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from advisor.asp.clingo_api import Term
from advisor.games.diagram import Diagram


@dataclass(frozen=True, slots=True)
class Begun:
    """Where a game begins, and what was played, as a text says it.

    Attributes:
        atoms: of the state at the beginning, as the first role sees it; None for the game's own.
        turn: who is to move there, 0 for the first role; means something only with `atoms`.
        moves: each with what errors about it begin with.
        origin: what the notation remembers of the text beyond that.
    """

    atoms: frozenset[Term] | None = None
    turn: int = 0
    moves: tuple[tuple[str, str], ...] = ()
    origin: Any = None


class State(Protocol):
    """What a notation sees of a state; moves and atoms are as the first role sees them."""

    @property
    def begun(self) -> Begun:
        """Where the game began."""

    @property
    def played(self) -> "Iterator[State]":
        """The states from the beginning on, this one the last."""

    @property
    def names(self) -> Mapping[Term, str]:
        """The legal moves as people write them."""

    @property
    def moves(self) -> Sequence[Term]:
        """Those that were made since the beginning."""

    @property
    def turn(self) -> int:
        """Who is to move, 0 for the first role."""

    @property
    def player(self) -> str:
        """The same by name."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""

    @property
    def winner(self) -> int | None:
        """The role that has won, None for a draw or a game that goes on."""

    @property
    def legal(self) -> Sequence[Term]:
        """The legal moves."""

    @property
    def atoms(self) -> frozenset[Term]:
        """The base atoms that hold."""

    def foreseen(self, statement: str) -> tuple[set[Term], set[Term]]:
        """After which legal moves the game is won, and after which a statement of the rules' own
        holds."""

    def holds(self, statement: str, other_side: bool = False) -> bool:
        """Whether such a statement holds, or would if the other side were to move."""

    def board(self) -> list[str]:
        """The text board that the rules speak of."""

    def diagram(self, move: Term | None = None) -> Diagram | None:
        """The same as a picture shows it, perhaps with the squares of a move marked."""


class Notation(Protocol):
    """A way to write positions and moves of one game."""

    def begin(self, text: str) -> Begun:
        """What a text says of a position or a game.

        Raises:
            InputError: one line with the place in the text, what was found and what is allowed.
        """

    def games(self, text: str) -> list[str]:
        """The games that a text holds, each as `begin` takes it.

        Raises:
            InputError: as `begin`.
        """

    def check(self, state: State) -> None:
        """Refuses where a game cannot begin.

        Raises:
            InputError: what is wrong, and what is allowed.
        """

    def find(self, state: State, text: str) -> Term:
        """The legal move that a text names.

        Raises:
            InputError: it names none, or several.
        """

    def code(self, move: Term) -> str:
        """A move as programs name it, whatever the state."""

    def names(self, state: State) -> Mapping[Term, str]:
        """The legal moves as people write them."""

    def position(self, state: State) -> str:
        """The text that gives the state again, by its own or with its past."""

    def line(self, state: State) -> str:
        """The game so far on a line that `begin` reads."""

    def outcome(self, kind: str, plies: int, at_most: bool = False) -> str:
        """A win or a loss, as ``kind`` says, in so many plies, or in no more than these."""

    def won_by(self, move: str) -> str:
        """That a move, as people write it, wins the game: a sentence without its full stop."""

    def picture(self, state: State) -> str:
        """A picture in text that says all of the state, if the game has one."""

    def board(self, state: State) -> list[str]:
        """The text board, top row first."""

    def extras(self, state: State) -> Mapping[str, Callable[[], Any]]:
        """What positions of the game have besides, by name, as ``fen``."""

    def record(self, state: State, tags: Mapping[str, str]) -> str:
        """The whole game as a text; `tags` are what is said of it."""

    def place(self, where: Term) -> str:
        """What a feature or a reason is about, in words."""

    @property
    def shapes(self) -> Mapping[str, Mapping[str, Any]]:
        """How a page draws what the text board shows: ``outline`` and ``lines`` are SVG paths in a
        square of 48, ``side`` is the role, ``name`` what it is called; none for letters."""

    def drawing(self, state: State, suggested: Term | None = None) -> str:
        """An SVG document, which may point at a move.

        Raises:
            InputError: the game has no picture.
        """
