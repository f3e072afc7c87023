"""Bounds of scores, and the moves that may be best by them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from advisor.engine.nodes import FORCED, WIN
from advisor.games.examples import sign
from advisor.games.score import Outcome

M = TypeVar("M")

SolverName = Literal["search", "solver", "bitbully", "book"]
"""The solver or book that finds exact results; see `Solved`."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Proved bounds of a position's score for the side to move, and the effort spent on them.

    >>> known = advisor.Bounds(0, 2)
    >>> known.score, known.outcome, advisor.Bounds(1, 2).outcome, -known
    (None, None, 'win', Bounds(lower=-2, upper=0, nodes=0, seconds=0.0))

    Attributes:
        lower: the score is at least this.
        upper: the score is at most this.
        nodes: positions searched for the bounds.
        seconds: time taken.
    """

    lower: int
    upper: int
    nodes: int = 0
    seconds: float = 0.0

    @property
    def score(self) -> int | None:
        """The exact score, None if it is not proved."""
        return self.lower if self.lower == self.upper else None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome for the side to move, None if not proved; may be known before `score`."""
        if self.lower > 0:
            return "win"
        if self.upper < 0:
            return "loss"
        return "draw" if self.lower == self.upper == 0 else None

    @property
    def plies(self) -> int | None:
        """Plies to the end, in games whose exact scores count them; None if not proved."""
        score = self.score or 0
        return WIN - abs(score) if abs(score) >= FORCED else None

    def intersect(self, other: "Bounds") -> "Bounds":
        """Combine both proofs: return the tighter bounds, with the effort of both."""
        low, high = max(self.lower, other.lower), min(self.upper, other.upper)
        return Bounds(low, high, self.nodes + other.nodes, self.seconds + other.seconds)

    def __neg__(self) -> "Bounds":
        """Return the bounds from the other player's point of view."""
        return Bounds(-self.upper, -self.lower, self.nodes, self.seconds)


@dataclass(frozen=True, slots=True)
class Solved:
    """Proved results of a position, and the solver that proved them.

    >>> solved = advisor.solve(advisor.position("44", size=(5, 4)))
    >>> solved.score, solved.outcome, solved.engine
    (0, 'draw', 'solver')

    Attributes:
        engine: the solver: "search" for a game defined by rules alone; for Connect Four "solver",
            "bitbully", or "book" for an opening book.
        position: the exact score or its bounds, for the side to move, and the effort for everything
            in this answer. In Connect Four it is Pascal Pons' score; in other games a win in n
            plies counts `WIN` - n, see `Bounds.plies`.
        moves: scores of all moves, each for the player who makes it; keys are moves as `play` of
            the library takes them, or as abilities have them. None if they were not requested.
        line: best play in the game's notation, as far as it decides the result; may be empty.
    """

    engine: SolverName
    position: Bounds
    moves: Mapping[Any, Bounds] | None = None
    line: tuple[str, ...] = ()

    @property
    def score(self) -> int | None:
        """The exact score, None if it is not proved."""
        return self.position.score

    @property
    def outcome(self) -> Outcome | None:
        """The outcome for the side to move, None if it is not proved."""
        return self.position.outcome

    @property
    def plies(self) -> int | None:
        """See `Bounds.plies`."""
        return self.position.plies

    @property
    def proved(self) -> bool:
        """Whether every requested score is proved."""
        return all(s.score is not None for s in (self.position, *(self.moves or {}).values()))

    def to_json(self) -> dict[str, Any]:
        """Return the answer as the ``--json`` outputs give it: points and bounds, or outcomes and
        plies.
        """
        effort = {"nodes": self.position.nodes, "seconds": round(self.position.seconds, 6)}
        moves = (self.moves or {}).items()
        if self.engine == "search":
            told = {**_result(self.position), "line": [*self.line], **effort}
            asked = self.moves is not None
            return told | ({"moves": {m: _result(b) for m, b in moves}} if asked else {})
        told = {"score": self.score}
        if self.score is None:
            told["bounds"] = [self.position.lower, self.position.upper]
        told |= {"engine": self.engine, **effort}
        if self.moves is not None:
            told["columns"] = {str(column): known.score for column, known in moves}
            if open_ := {str(c): [b.lower, b.upper] for c, b in moves if b.score is None}:
                told["column_bounds"] = open_
        return told


def _result(known: Bounds) -> dict[str, Any]:
    return {"outcome": known.outcome, **({} if known.plies is None else {"plies": known.plies})}


def undominated_moves(bounds: Mapping[M, Bounds]) -> list[M]:
    """Return the moves that no other move is proved to equal and possibly beat.

    Bounds are from the view of the player making the moves; only win, draw and loss count, not
    when the game ends.
    """
    ranges = {move: (sign(known.lower), sign(known.upper)) for move, known in bounds.items()}
    return [
        move
        for move, (least, greatest) in ranges.items()
        if not any(low >= greatest and high > least for low, high in ranges.values())
    ]


def proved_best(bounds: Mapping[M, Bounds]) -> list[M]:
    """Return the moves with the best exact score, or [] if it is not proved which these are.

    `bounds` has all moves, from the view of the player making them.
    """
    reached = max(known.lower for known in bounds.values())
    if any(known.upper > reached for known in bounds.values()):
        return []
    return [move for move, known in bounds.items() if known.lower == reached]
