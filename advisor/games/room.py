"""A game as it is loaded, and a position with the moves that led there, whoever knows the game.

By its rules alone a game has a `rule_room.RuleRoom`, whose positions are `playing.Playing`; `rooms`
says which game has a room of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar, NamedTuple, Protocol

from advisor.errors import InputError
from advisor.files import textfile
from advisor.games.abilities import Abilities
from advisor.games.bounds import Solved
from advisor.games.examples import Example
from advisor.games.marks import Marks
from advisor.settings.config import Config
from aspcircuits.circuit import Circuit
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

Constants = tuple[tuple[str, int], ...]
"""The numbers that were chosen of those that a game's rules leave open, by their names."""


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


class Played(Protocol):
    """A position and the moves that led there; none ever changes.

    Players are 0, who begins a game, and 1. Moves are terms; as people hand them over they are what
    the game says: texts, or numbers of columns.
    """

    @property
    def moves(self) -> Sequence[Term]:
        """The moves since the beginning, as far as they are known."""

    @property
    def made(self) -> tuple[Any, ...]:
        """The same as `move` takes them."""

    @property
    def played(self) -> "Iterator[Played]":
        """The positions from the beginning on, this one the last."""

    @property
    def names(self) -> Mapping[Term, Any]:
        """The legal moves as `move` takes them, while the game goes on."""

    @property
    def turn(self) -> int:
        """Who is to move; means nothing once the game is over."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""

    @property
    def winner(self) -> int | None:
        """Who has won; None for a draw and while the game goes on."""

    def move(self, said: Any, place: str | None = None) -> Term:
        """The legal move that somebody hands over as `names` has it; an InputError if it is none,
        which begins with its `place`, by default the move's number."""

    def find(self, typed: str) -> Term:
        """The same as somebody types it."""
        return self.move(typed, "")

    def play(self, move: Term) -> "Played":
        """The position after a legal move."""

    def called(self, player: int) -> str:
        """A player where he is met first."""

    def stands(self, position: Any) -> bool:
        """Whether this is the position that an advice is about."""

    @property
    def key(self) -> tuple[object, ...]:
        """What is the same for the same position and side to move, whatever led there; two are
        equal if the moves are the same, too."""

    numbered: ClassVar[bool]
    """Whether `rows` have what stands beside them."""

    @property
    def rows(self) -> Sequence[str]:
        """The board in text, the top row first; of a game without one what holds."""

    def lines(self) -> Sequence[str]:
        """The same with what stands beside it."""
        return self.rows

    @property
    def picture(self) -> str:
        """A text that says all of the position."""

    def code(self, move: Term) -> str:
        """A move as programs name it."""

    @property
    def text(self) -> str:
        """What the game reads as this position again."""

    @property
    def record(self) -> str:
        """The game so far as a file that the game reads."""

    @property
    def line(self) -> str:
        """The moves since the beginning on a line; nothing before the first one."""
        return self.text

    @property
    def from_start(self) -> bool:
        """Whether the game began as games do, or `line` says how, so that it tells all of it."""
        return True

    @property
    def resumed(self) -> str | None:
        """What may be typed for this position; None where only a file can tell it."""
        return self.line

    @property
    def completed(self) -> Sequence[tuple[tuple[int, int], ...]]:
        """Of a game that is won by lines: the squares (row, column) of each of them."""
        return ()

    @property
    def won_on(self) -> str:
        """The same in words, as ``on d1-g1``."""
        return ""

    @property
    def passed_over(self) -> Sequence[str]:
        """Parts of the text it was read from that mean nothing, each with its place."""
        return ()

    @property
    def extras(self) -> Mapping[str, Callable[[], Any]]:
        """What positions of this game have besides, as ``fen``."""
        return {}

    def svg(self, marks: Marks | None = None) -> str:
        """A picture, as an SVG document; an InputError if the game has none."""

    def to_json(self) -> dict[str, Any]:
        """What a program needs to draw the position and to know what can be played."""


class Room(Protocol):
    """A game as it is loaded, in one size and with one set of weights."""

    @property
    def name(self) -> str:
        """That of the folder with its rules."""

    @property
    def source(self) -> str | None:
        """What loads it again: its name if it comes along, else a path; None for the usual one."""
        return None

    @property
    def players(self) -> tuple[str, str]:
        """Both players' names, the one who begins first."""

    @property
    def constants(self) -> Mapping[str, int]:
        """The numbers that its rules leave open, as they were given."""

    @property
    def settings(self) -> Config:
        """Its weights."""

    @property
    def elsewhere(self) -> str | None:
        """The name of the weights that these are in place of, which are for another size."""
        return None

    @property
    def given(self) -> str:
        """What `load_game` takes for it, as it is written in Python."""
        constants = f", constants={dict(self.constants)}" if self.constants else ""
        return repr(self.source or self.name) + constants

    @property
    def circuit(self) -> Circuit:
        """What is asked of its states, by logic alone; see `advisor.library.circuits`."""

    @property
    def aim(self) -> str:
        """What the players are after; nothing if it is not said."""
        return ""

    bookish: ClassVar[bool] = False
    """Whether there are opening books."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Of the files that its games are saved in."""

    def begin(self, text: Any, name: str | None = None) -> Played:
        """The position that a text tells of, or one as abilities have it; an InputError if it tells
        of none, which calls the text by its name, or quotes it where that says enough."""

    def line(self, text: str) -> Played:
        """The same of a line, which holds moves or a picture; the caller knows where it is from."""
        return self.begin(text)

    def read(self, source: str) -> tuple[str, Played]:
        """What somebody may type where a position is wanted: a file, ``-``, or a text. It has what
        that is called, too, with which an InputError begins if it is none."""
        name, text = textfile.given(source)
        return name or self.name, self.begin(text, name)

    def example(self, line: str, stop: Stop | None = None) -> Example:
        """A position and its result, as a line of a file of such tells them; an InputError if it
        does not, or if exact play, which `stop` ends, finds that it is wrong."""
        raise InputError(f"{self.name} has no files of positions with results")

    def games(self, source: str) -> Iterator[tuple[str, Played | InputError]]:
        """Yield the games of a source with what each is called, or why it is none.

        An InputError is raised where the source as a whole cannot be read or holds no game."""

    def symbols(self, state: Any) -> list[str]:
        """What may stand on squares where a position is set up; none where none can be."""

    def put(self, state: Any, squares: Mapping[tuple[int, int], str], player: str | None) -> Any:
        """The position with other things on some squares (column, row), empty for nothing; an
        InputError if it is none. Without a `player` whoever it is is to move, or as pieces say."""

    def of(self, state: Any) -> "Room":
        """The room of a position, whose text may say its own size."""
        return self

    def written(self, state: Any) -> str:
        """What `position` takes for it, as it is written in Python."""
        return f"{state.line!r}, game={self.given}"

    def weighed(self, weights: str | None, book: bool | None) -> "Room":
        """The same with other weights, where they are named, with its opening books or without,
        which is an InputError if the game has none."""

    def see(self, position: Any) -> Abilities:
        """What can be done in a position, which is given as here, as abilities have it, also
        another room's, or as a text."""

    def serving(self, stop: Stop | None = None) -> AbstractContextManager[None]:
        """What asks the rules does it inside, one thread at a time where that is needed; a
        KeyboardInterrupt if `stop` is set while another one is served."""
        return nullcontext()

    def solve(
        self,
        state: Any,
        every_move: bool,
        jobs: int,
        stop: Stop,
        on_progress: Callable[[Solved], None] | None = None,
    ) -> Solved:
        """The exact result, by search to the end of the game, as far as it is proved in time."""

    def told(self, state: Any, known: Solved) -> Told:
        """What `solve` has found."""

    def question(self, state: Any, program: str, plan: str | None) -> Question:
        """What clingo is to be asked by hand, of its "moves" or "features", or instead for a plan
        with which a player holds the position; an InputError if there are no such plans."""
