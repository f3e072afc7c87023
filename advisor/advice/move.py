"""A move of Connect Four and what is said of it."""

from dataclasses import dataclass, field

from advisor.advice.score import Score
from advisor.advice.trace import Trace
from advisor.games.connect4.board import Square


@dataclass(frozen=True, slots=True)
class Firing:
    """A strategy that speaks for a move or, with a negative weight, against it.

    Attributes:
        strategy: its name, as ``center(0)``.
        weight: from the configuration.
        reasons: the lines (in order of their squares) or single squares that made it fire.
    """

    strategy: str
    weight: int
    reasons: tuple[tuple[Square, ...], ...]

    def to_json(self) -> dict[str, object]:
        """The firing as the ``--json`` outputs give it: its squares without their lines."""
        squares = sorted({square for reason in self.reasons for square in reason})
        return {
            "strategy": self.strategy,
            "weight": self.weight,
            "squares": [list(square) for square in squares],
        }


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """One legal move.

    Attributes:
        column, row: where the disc comes to rest.
        score: what the move is worth; a heuristic one is `ahead` and `total` together.
        fires: the strategies that fired for it and count, weightiest first.
        ahead: what the look-ahead sees at the end of the line of play, in weight units; None if
            it sees a forced result, or where none was made.
        trace: where `ahead` comes from; None unless that was asked for and `ahead` counted: in a
            heuristic score, or to choose among several moves that are proved to end alike.
    """

    column: int
    row: int
    score: Score
    fires: tuple[Firing, ...]
    ahead: int | None = None
    trace: Trace | None = field(default=None, repr=False)

    @property
    def total(self) -> int:
        """What the strategies say: the sum of the weights that fired."""
        return sum(firing.weight for firing in self.fires)

    @property
    def value(self) -> int | None:
        """What the look-ahead and the strategies say together, whatever is proved of the move."""
        return self.score.value if self.ahead is None else self.ahead + self.total

    def to_json(self) -> dict[str, object]:
        """The move as the ``--json`` outputs give it."""
        return {
            "column": self.column,
            "row": self.row,
            "score": self.score.to_json(),
            **({} if self.ahead is None else {"ahead": self.ahead}),
            "fires": [firing.to_json() for firing in self.fires],
            **({"trace": self.trace.to_json()} if self.trace else {}),
        }
