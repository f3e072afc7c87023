"""Review of a game: what each move gave away, and a summary for each side. Independent of the game.

`looking_back` makes a `Reviewed` of each move.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import exp
from typing import Any

from advisor import registry
from advisor.advice.grades import Mark, Prospect
from advisor.errors import InputError
from advisor.files.textfile import amount
from advisor.games.abilities import Scene
from advisor.settings.grading import ERRORS, MARKS
from aspcircuits.texts import shorten_text

PlayedMove = int | str


@dataclass(frozen=True, slots=True)
class Refutation:
    """The play that an error allows.

    Attributes:
        line: the moves after it, as people write them.
        end: the position at the end of the line.
    """

    line: tuple[str, ...]
    end: Scene

    def to_json(self) -> dict[str, Any]:
        """Return the refutation as ``review --json`` gives it."""
        return {"line": list(self.line), "board": list(self.end.text())}


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A move of a game and its evaluation.

    >>> move = advisor.review(advisor.position("4453")).moves[2]
    >>> move.player, move.name, move.better, move.error
    ('x', '5', ('4',), True)

    Attributes:
        ply: its number in the game, from 1.
        side: the side that made it, 0 for the one that begins a game.
        player: that side's name.
        move: its name for programs.
        names: of all legal moves of which something is known, as people write them.
        mark: its grade.
        prospects: of the same moves.
        expected: the result that side 0 may expect after it, from 0 to 1.
        reasons: sentences.
        missed: the chances of better moves, in a few words each.
        before: the position before it, with the values of the moves.
        known: lower and upper bounds of the exact scores of legal moves, if the review found more
            than is certain without search.
        refutation: of an error.
        instead: of an error: the best move and the expected play after it, as people write them.
        engine: the program that the grade relies on, such as ``Stockfish 16, depth 12``; empty for
            the advisor's own grade.
    """

    ply: int
    side: int
    player: str
    move: PlayedMove
    names: dict[PlayedMove, str]
    mark: Mark[PlayedMove]
    prospects: dict[PlayedMove, Prospect]
    expected: float
    reasons: tuple[str, ...]
    missed: tuple[str, ...]
    before: Scene
    refutation: Refutation | None = None
    instead: tuple[str, ...] = ()
    known: dict[PlayedMove, tuple[int, int]] = field(default_factory=dict)
    engine: str = ""

    @property
    def name(self) -> str:
        """The move as people write it."""
        return self.names[self.move]

    @property
    def error(self) -> bool:
        """Whether it was an inaccuracy or worse."""
        return self.mark.grade in ERRORS

    @property
    def prospect(self) -> Prospect:
        """The prospect of the move."""
        return self.prospects[self.move]

    @property
    def best(self) -> Prospect:
        """The prospect of the best move."""
        return self.prospects[(*self.mark.better, self.move)[0]]

    @property
    def better(self) -> tuple[str, ...]:
        """The best moves, as people write them, if this one is not among them."""
        return tuple(self.names[move] for move in self.mark.better)

    @property
    def accuracy(self) -> float:
        """The accuracy, from 0 to 100: see `accuracy`."""
        return accuracy(self.mark.drop)

    def to_json(self) -> dict[str, Any]:
        """Return the move as ``review --json`` gives it."""
        mark = self.mark
        return {
            "ply": self.ply,
            "side": self.player,
            "move": self.move,
            "name": self.name,
            "grade": mark.grade,
            "only": mark.only,
            "exact": mark.exact,
            "proved": mark.proved,
            **({"engine": self.engine} if self.engine else {}),
            "better": list(mark.better),
            "better_names": list(self.better),
            "loss": mark.loss,
            "unit": mark.unit,
            "score": self.prospect.to_json(),
            "best_score": self.best.to_json(),
            "expected": round(self.expected, 4),
            "reasons": list(self.reasons),
            "missed": list(self.missed),
            **({"refutation": self.refutation.to_json()} if self.refutation else {}),
        }


def accuracy(drop: float) -> float:
    """Return how accurate a move is, from 0 to 100, by the expected result it gave away.

    The formula is that of Lichess (lichess.org/page/accuracy), whose winning percentage is a
    hundred times the expected result here.
    """
    return max(0.0, min(100.0, 103.1668 * exp(-0.04354 * 100 * drop) - 3.1669))


@dataclass(frozen=True, slots=True)
class Side:
    """A summary of one side's moves.

    >>> first, second = advisor.review(advisor.position("4453")).sides
    >>> first.player, first.grades["blunder"], round(second.accuracy)
    ('x', 1, 100)

    Attributes:
        player: its name.
        moves: the number of moves graded.
        grades: the number of moves with each grade.
        only: the number of only moves that it found.
        accuracy: the mean accuracy of its moves, from 0 to 100; None without moves.
        losses: the mean loss of its moves, by unit.
        longest_run: most moves of its own in a row without an error.
        turning_point: the ply of the error that gave away most of the expected result, the last one
            of several equal ones; None without an error.
    """

    player: str
    moves: int
    grades: dict[str, int]
    only: int
    accuracy: float | None
    losses: dict[str, float]
    longest_run: int
    turning_point: int | None

    @classmethod
    def of(cls, player: str, moves: Sequence[Reviewed]) -> "Side":
        """Summarise a side's moves, given in the order in which they were made."""
        runs = accumulate(moves, lambda run, move: 0 if move.error else run + 1, initial=0)
        by_unit: dict[str, list[float]] = {}
        for move in moves:
            by_unit.setdefault(move.mark.unit, []).append(move.mark.loss)
        errors = [move for move in moves if move.error and move.mark.drop > 0]
        turning = max(errors, key=lambda move: (move.mark.drop, move.ply), default=None)
        return cls(
            player,
            len(moves),
            {grade: sum(move.mark.grade == grade for move in moves) for grade in MARKS},
            sum(move.mark.only for move in moves),
            sum(move.accuracy for move in moves) / len(moves) if moves else None,
            {unit: sum(losses) / len(losses) for unit, losses in sorted(by_unit.items())},
            max(runs),
            turning.ply if turning else None,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the side as ``review --json`` gives it."""
        return {
            "moves": self.moves,
            "accuracy": None if self.accuracy is None else round(self.accuracy, 1),
            "average_loss": {unit: round(loss, 3) for unit, loss in self.losses.items()},
            "grades": self.grades,
            "only_moves": self.only,
            "longest_run": self.longest_run,
            "turning_point": self.turning_point,
        }


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game.

    >>> advisor.review(advisor.position("4453"))
    <Review 4453: 4 moves, x 50 %, o 100 %>

    Attributes:
        title: the name of the game.
        players: the sides' names, the one that begins first.
        length: the number of moves in the game.
        moves: the graded moves, in their order.
        ended: how the game ended, in words.
        failed: why an engine stopped working, if that ended the review; otherwise empty.
    """

    title: str
    players: tuple[str, str]
    length: int
    moves: tuple[Reviewed, ...]
    ended: str
    failed: str = ""

    def __repr__(self) -> str:
        sides = ("-" if s.accuracy is None else f"{s.accuracy:.0f} %" for s in self.sides)
        told = ", ".join(f"{p} {known}" for p, known in zip(self.players, sides, strict=True))
        return f"<Review {shorten_text(self.title)}: {amount(len(self.moves), 'move')}, {told}>"

    def _repr_html_(self) -> str:  # for notebooks
        return str(registry.load("advisor.views.notebook:review")(self))

    @property
    def partial(self) -> bool:
        """Whether the review ended before all moves were graded."""
        return len(self.moves) < self.length

    @property
    def sides(self) -> tuple[Side, Side]:
        """The summaries of both sides' moves."""
        first, second = (
            Side.of(player, [move for move in self.moves if move.side == side])
            for side, player in enumerate(self.players)
        )
        return first, second

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``review --json``."""
        return {
            "game": self.title,
            "ended": self.ended,
            **({"interrupted": True} if self.partial else {}),
            **({"error": self.failed, "code": InputError.code} if self.failed else {}),
            "moves": [move.to_json() for move in self.moves],
            "sides": {side.player: side.to_json() for side in self.sides},
        }
