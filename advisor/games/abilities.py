"""What a game can do for an advice on one of its positions.

Of a game of which no more is known than its rules `by_rules` tells it, of others their own module.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from advisor.engine.nodes import LeafEvaluator
from advisor.games.bounds import Bounds, Solved
from advisor.games.events import Event
from advisor.games.marks import Marks
from advisor.games.phrasing import Json, Phrasing, Planned
from advisor.games.score import Score
from advisor.limits import Limit
from advisor.settings.config import WeightTable
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop


@dataclass(frozen=True, slots=True)
class Firing:
    """A strategy that speaks for a move or, with a negative weight, against it.

    Attributes:
        strategy: its name, as ``center(0)``.
        reasons: the places that made it fire.
    """

    strategy: str
    weight: int
    reasons: tuple[Term, ...] = ()

    def to_json(self, phrasing: Phrasing) -> Json:
        """The firing as the ``--json`` outputs give it."""
        because = phrasing.because_json(self.reasons)
        return {"strategy": self.strategy, "weight": self.weight, **because}


@dataclass(frozen=True, slots=True)
class End:
    """What holds at the end of a line of play.

    Attributes:
        features: names, whose they are (0 for who begins a game), and places.
        drawn: the game is a draw there, or the look-ahead takes it for one.
        added: how many of the moves are noisy ones, beyond the depth of the search.
    """

    line: tuple[Term, ...]
    features: Iterable[tuple[Term, int, Term]]
    drawn: bool = False
    added: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """A position to be shown.

    >>> scene = advisor.review(advisor.position("4453")).moves[2].before
    >>> scene.text()[-2:], scene.called("x")
    (['...o...', '...x...'], 'red')

    Attributes:
        text: makes the board, top row first.
        svg: makes the same as an SVG document; None if the game has no picture.
        called: a player of the game, by name, as sentences name him.
        numbered: its text names rows and columns.
        numeral: what stands before the next move, as ``2...`` in chess; None for its count.
    """

    text: Callable[[], Sequence[str]]
    svg: Callable[[], str | None]
    called: Callable[[str], str]
    numbered: bool
    numeral: str | None = None


class Abilities(Protocol):
    """A position with what its game knows of it.

    Exact scores are the game's own: the greater the better, above 0 a win, sooner wins and later
    losses better.

    Attributes:
        position: the position itself.
        phrasing: how what is said of it is written.
        ranked: moves are told the best first; otherwise in their own order.
        weights: of the features; without any random games decide what the look-ahead leaves open.
        by_chance: the position for random games, where these decide; None where they never do.
        follow: which lines of the search are wanted where no score is traced.
        elsewhere: the preset that the weights are of, if it is not the one asked for.
        in_points: exact scores are told as points; otherwise only as results.
        foresees: plies beyond its depth at which a look-ahead sees wins and losses.
        alternates: every move hands the turn over.
        backfires: a move may lose the game at once, so that a reply may be what wins.
    """

    position: Any
    phrasing: Phrasing
    ranked: bool
    weights: WeightTable
    follow: Literal["best", "all"] | None
    by_chance: Any = None
    elsewhere: str | None = None
    in_points: bool = True
    foresees: int = 0
    alternates: bool = True
    backfires: bool = False
    strategic: bool = True

    @property
    def key(self) -> Hashable:
        """What tells the position from others of a game."""

    @property
    def result(self) -> Score | None:
        """Of a finished game, for the player whose turn it would be; None while it goes on."""

    def legal(self) -> Mapping[int, Term]:
        """The moves by their numbers in the search, in the order in which they are told."""

    def firings(self, stop: Stop) -> Iterable[tuple[Term, Firing]]:
        """Legal moves, and strategies that fire for them and count; an EncodingError if the
        encodings cannot be used."""

    def fired(self, stop: Stop) -> Iterable[tuple[Term, str]]:
        """The moves and strategies of `firings`, without reasons, which may be faster."""
        return ((move, firing.strategy) for move, firing in self.firings(stop))

    def events(self, move: Term) -> Sequence[Event]:
        """Return what a legal move does on the board, the most important event first."""
        return ()

    def standing(self) -> Sequence[str]:
        """Tell in sentences what both players have on the board that wins later."""
        return ()

    def totals(self, stop: Stop) -> Mapping[Term, int]:
        """What the strategies say of each legal move: the sum of the weights that fire."""
        totals = dict.fromkeys(self.legal().values(), 0)
        for move, firing in self.firings(stop):
            totals[move] += firing.weight
        return totals

    @property
    def dead(self) -> bool:
        """Nobody can win any more, so that there is nothing to look for."""
        return False

    def root(self) -> Any:
        """The position as the search takes it."""

    @property
    def supposed(self) -> bool:
        """Whether a look-ahead takes what leads back here for a draw that need not be one; see
        `advisor.engine.recurrences.Recurrences`."""
        return False

    def deeper(self) -> int:
        """Plies that are looked ahead here beyond those that are asked for."""
        return 0

    def evaluator(self, stop: Stop) -> LeafEvaluator[Any]:
        """What scores positions for the search."""

    def seen(self, value: int, exhaustive: bool, line: Sequence[int]) -> Score:
        """A value of the search, to which a line leads as far as it was asked for, as a score;
        `exhaustive`: every line was followed to the end of the game."""

    def ends(self, lines: Sequence[Sequence[int]]) -> Iterable[End]:
        """What holds at the ends of lines of the search, from which values are taken."""

    def told(self, line: Sequence[int]) -> tuple[Term, ...]:
        """A line of the search as people make its moves."""

    def book(self) -> Mapping[Term, Bounds]:
        """What an opening book knows of the moves, if one knows them."""
        return {}

    def plan(self) -> Planned | None:
        """What the solution of the board plays, if it has something to say."""
        return None

    def near_end(self, limit: Limit, stop: Stop) -> Mapping[Term, Bounds]:
        """What a part of the time proves of the moves, if the end of the game is near enough."""
        return {}

    def at_sight(self, move: Term) -> Bounds:
        """What is certain of a legal move without any search."""

    def bounds(self, score: Score) -> Bounds:
        """What a score says of the exact one; a heuristic one says nothing."""

    def forced(self, bounds: Bounds) -> Score | None:
        """What is proved by bounds of an exact score, None if no result is."""

    def certain(self, stop: Stop, on_progress: Callable[[Solved], None], jobs: int = 1) -> Solved:
        """What is certain of the moves, by all that the game knows, in so many threads, or what is
        known by the time that `stop` is set; `on_progress` is told what is known so far."""

    @property
    def hint(self) -> str | None:
        """One line on how exact results are had much sooner; None if there is nothing to get."""
        return None

    @property
    def alone(self) -> str | None:
        """Who finds exact results in one thread whatever is asked for, by name; None for none."""
        return None

    def proofs(self, moves: Sequence[Term], best: Sequence[Term], stop: Stop) -> list[str]:
        """What is proved of moves so that a person can follow it, in paragraphs; in full of the
        best ones."""
        return []

    def prepare(self, make: bool = False) -> None:
        """Loads the machine code that is kept, for much work, or makes what is missing at once; by
        default there is none."""
        return

    def from_middle(self, move: Term) -> float:
        """How far from the middle of the board a move is; the less the nearer."""

    def wins(self, moves: int, stop: Stop) -> bool:
        """Whether the side to move wins within so many own moves, or by the reply to the last; a
        KeyboardInterrupt if `stop` is set, as by `winning`."""

    def winning(self, moves: int, stop: Stop) -> list[Term]:
        """The moves that do, each counted among those."""

    def after(self, move: Term) -> "Abilities":
        """The same after a legal move."""

    def backed_up(self, later: Bounds, mine: bool) -> Bounds:
        """What is certain of a move whose next position has these bounds for who is to move there,
        which if `mine` is the player who makes the move."""
        return later if mine else -later

    @property
    def review_depth(self) -> int:
        """Plies that a review looks ahead here where no depth is given, however long it takes."""
        return 8

    def prepare_review(self) -> None:
        """Makes what the grades of a review depend on and what may not be there yet."""
        return

    def looked_back(self, stop: Stop) -> Mapping[Term, Bounds]:
        """What is proved of the moves of a game that is gone through from its end; at least what
        is at sight. It is waited for, so that it does not depend on the time."""
        return {move: self.at_sight(move) for move in self.legal().values()}

    def proof(self, move: Term, score: Score, stop: Stop) -> str:
        """By what such a proof shows that a move wins as its score says, in a few words; nothing
        where there is none, or threats alone do it."""
        return ""

    def line(self, stop: Stop, most: int) -> tuple[Term, ...]:
        """Best play by both sides, as far as it is proved in time, of so many moves at most."""
        return ()

    def scene(self, marks: Marks | None = None) -> Scene:
        """The position as a review shows it."""
