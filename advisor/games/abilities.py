"""The interface between the advice and a game, for one of its positions.

`by_rules` implements this for games defined by rules alone; Connect Four has its own
implementation.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from advisor.engine.nodes import LeafEvaluator
from advisor.games.bounds import Bounds, Solved
from advisor.games.events import Danger, Event
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
        strategy: its name, such as ``center(0)``.
        reasons: the places that made it fire.
    """

    strategy: str
    weight: int
    reasons: tuple[Term, ...] = ()

    def to_json(self, phrasing: Phrasing) -> Json:
        """Return the firing as the ``--json`` outputs give it."""
        because = phrasing.because_json(self.reasons)
        return {"strategy": self.strategy, "weight": self.weight, **because}


@dataclass(frozen=True, slots=True)
class End:
    """The end of a line of play, with the features that hold there.

    Attributes:
        features: for each feature its name, its owner (0 is the player who begins the game), and
            its place.
        drawn: the game is a draw there, or the look-ahead takes it for one.
        added: number of noisy moves at the end of the line, beyond the depth of the search.
    """

    line: tuple[Term, ...]
    features: Iterable[tuple[Term, int, Term]]
    drawn: bool = False
    added: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """A position that can be shown as text or as a picture.

    >>> scene = advisor.review(advisor.position("4453")).moves[2].before
    >>> scene.text()[-2:], scene.called("x")
    (['...o...', '...x...'], 'red')

    Attributes:
        text: returns the board's rows, top row first.
        svg: returns the board as an SVG document; None if the game has no picture.
        called: returns the name that sentences use for a player.
        numbered: the text labels rows and columns.
        numeral: the text before the next move, such as ``2...`` in chess; None for its ply number.
    """

    text: Callable[[], Sequence[str]]
    svg: Callable[[], str | None]
    called: Callable[[str], str]
    numbered: bool
    numeral: str | None = None


class Abilities(Protocol):
    """A position together with its game's knowledge of it.

    Exact scores use the game's own scale: greater is better, above 0 is a win, sooner wins and
    later losses are better.

    Attributes:
        position: the position itself.
        phrasing: how sentences about the position are worded.
        ranked: moves are listed best first; otherwise in the order of `legal`.
        weights: of the features; without any, random games decide what the look-ahead leaves open.
        by_chance: the position for random games; None where the advice never uses them.
        follow: which lines the search returns when no score is traced.
        elsewhere: the preset that the weights belong to, if it is not the requested one.
        in_points: exact scores are shown as points; otherwise only as results.
        foresees: plies beyond its depth at which a look-ahead sees wins and losses.
        alternates: every move hands the turn over.
        backfires: a move may lose the game at once, so a reply may be the winning move.
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
        """A key that distinguishes the position from others of its game."""

    @property
    def result(self) -> Score | None:
        """The result of a finished game for the player whose turn it would be; None until then."""

    def legal(self) -> Mapping[int, Term]:
        """Return the moves by their numbers in the search, in the order they are listed in."""

    def firings(self, stop: Stop) -> Iterable[tuple[Term, Firing]]:
        """Yield each legal move with a strategy that fires for it and counts.

        Raises:
            EncodingError: the encodings cannot be used.
        """

    def fired_strategies(self, stop: Stop) -> Iterable[tuple[Term, str]]:
        """Yield the moves and strategies of `firings` without reasons, which may be faster."""
        return ((move, firing.strategy) for move, firing in self.firings(stop))

    def events(self, move: Term) -> Sequence[Event]:
        """Return the events that a legal move causes on the board, the most important first."""
        return ()

    def standing(self) -> Sequence[str]:
        """Describe, in sentences, what both players have on the board that wins later."""
        return ()

    def dangers(self, language: str = "") -> Sequence[Danger] | None:
        """Return what ``events.lp`` marks as threatened; None if it has no such rules.

        `language`: of the texts, where they are translated.
        """
        return None

    def squares_of(self, move: Term) -> Sequence[tuple[int, int]]:
        """Return the squares that a move names, column and row; empty if it names none."""
        return ()

    def square_name(self, square: tuple[int, int]) -> str:
        """Return the name of a square, given by column and row."""
        return f"{square[0]},{square[1]}"

    def totals(self, stop: Stop) -> Mapping[Term, int]:
        """Return each legal move's total: the sum of the weights of the strategies that fire."""
        totals = dict.fromkeys(self.legal().values(), 0)
        for move, firing in self.firings(stop):
            totals[move] += firing.weight
        return totals

    @property
    def dead(self) -> bool:
        """Whether neither player can win any more, so a search is pointless."""
        return False

    def root(self) -> Any:
        """Return the position in the form that the search takes."""

    @property
    def supposes_draw(self) -> bool:
        """Whether a look-ahead scores a return to this position as a draw though it may not be one.

        See `advisor.engine.recurrences.Recurrences`.
        """
        return False

    def deeper(self) -> int:
        """Return the number of plies to look ahead here beyond the requested depth."""
        return 0

    def evaluator(self, stop: Stop) -> LeafEvaluator[Any]:
        """Return the evaluator that scores positions for the search."""

    def score_of_value(self, value: int, exhaustive: bool, line: Sequence[int]) -> Score:
        """Return a value of the search as a score.

        Args:
            value: from the search, for the side to move.
            exhaustive: every line was followed to the end of the game.
            line: the moves that lead to the value, up to the depth of the search.
        """

    def ends(self, lines: Sequence[Sequence[int]]) -> Iterable[End]:
        """Yield what holds at the ends of lines of the search, from which the values are taken."""

    def moves_of_line(self, line: Sequence[int]) -> tuple[Term, ...]:
        """Return a line of the search as moves that people make."""

    def book(self) -> Mapping[Term, Bounds]:
        """Return the opening book's bounds of the moves it contains."""
        return {}

    def plan(self) -> Planned | None:
        """Return the move that the board's solution plays, if the solution has one here."""
        return None

    def near_end(self, limit: Limit, stop: Stop) -> Mapping[Term, Bounds]:
        """Return the bounds proved with part of the time, if the end of the game is near enough."""
        return {}

    def at_sight(self, move: Term) -> Bounds:
        """Return the bounds of a legal move that are certain without any search."""

    def bounds(self, score: Score) -> Bounds:
        """Return the bounds that a score puts on the exact one; a heuristic score puts none."""

    def proved_score(self, bounds: Bounds) -> Score | None:
        """Return the result that bounds of an exact score prove, None if they prove no result."""

    def certain(self, stop: Stop, on_progress: Callable[[Solved], None], jobs: int = 1) -> Solved:
        """Return certain results of the moves, by every means that the game has.

        Args:
            stop: when it is set, the function returns the results so far.
            on_progress: called with the results so far.
            jobs: number of threads.
        """

    @property
    def hint(self) -> str | None:
        """A line that says how to get exact results much sooner; None if nothing would help."""
        return None

    @property
    def alone(self) -> str | None:
        """The name of the solver that uses one thread whatever `jobs` is; None if there is none."""
        return None

    def proofs(self, moves: Sequence[Term], best: Sequence[Term], stop: Stop) -> list[str]:
        """Return proofs about moves that a person can follow, in paragraphs.

        Args:
            moves: the moves to write about.
            best: those whose proof is given in full.
            stop: ends the work when set.
        """
        return []

    def prepare(self, make: bool = False) -> None:
        """Load the cached machine code, for long work; by default a game has none.

        Args:
            make: compile what is missing at once.
        """
        return

    def from_middle(self, move: Term) -> float:
        """Return a move's distance from the middle of the board."""

    def wins(self, moves: int, stop: Stop) -> bool:
        """Return whether the side to move wins within `moves` own moves, or by the reply to the
        last.

        Raises:
            KeyboardInterrupt: `stop` is set; `winning` raises it too.
        """

    def winning(self, moves: int, stop: Stop) -> list[Term]:
        """Return the moves that begin such a win; each counts as one of `moves`."""

    def after(self, move: Term) -> "Abilities":
        """Return the abilities of the position after a legal move."""

    def backed_up(self, later: Bounds, mine: bool) -> Bounds:
        """Return the bounds of a move, given the bounds of the position it leads to.

        Args:
            later: for the side to move there.
            mine: that side is the player who makes the move.
        """
        return later if mine else -later

    @property
    def review_depth(self) -> int:
        """Plies that a review looks ahead here if no depth is given, however long that takes."""
        return 8

    def prepare_review(self) -> None:
        """Make whatever the grades of a review depend on and may not exist yet."""
        return

    def looked_back(self, stop: Stop) -> Mapping[Term, Bounds]:
        """Return what is proved of the moves when a review goes back from the end of the game.

        This contains at least what `at_sight` knows. The caller waits for it, so the result does
        not depend on time.
        """
        return {move: self.at_sight(move) for move in self.legal().values()}

    def proof(self, move: Term, score: Score, stop: Stop) -> str:
        """Name, in a few words, the proof that a move wins as its score says.

        It is empty where there is no proof, or where threats alone win.
        """
        return ""

    def line(self, stop: Stop, most: int) -> tuple[Term, ...]:
        """Return best play by both sides as far as it is proved in time, at most `most` moves."""
        return ()

    def scene(self, marks: Marks | None = None) -> Scene:
        """Return the position as a review shows it."""
