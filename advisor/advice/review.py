"""A game looked back on: what each move gave away, and what that makes of each side. Knows no game.

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
from aspcircuits.texts import shortened

PlayedMove = int | str


@dataclass(frozen=True, slots=True)
class Refutation:
    """What an error allows.

    Attributes:
        line: the moves after it, as people write them.
        end: the position at the end of the line.
    """

    line: tuple[str, ...]
    end: Scene

    def to_json(self) -> dict[str, Any]:
        """The refutation as ``review --json`` gives it."""
        return {"line": list(self.line), "board": list(self.end.text())}


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A move of a game and what it was worth.

    >>> move = advisor.review(advisor.position("4453")).moves[2]
    >>> move.player, move.name, move.better, move.error
    ('x', '5', ('4',), True)

    Attributes:
        ply: its number in the game, from 1.
        side: who made it, 0 for the side that begins a game.
        player: the same by name.
        move: as programs name it.
        names: of all legal moves that something is known of, as people write them.
        mark: its grade.
        prospects: of the same moves.
        expected: the result that side 0 may expect after it, from 0 to 1.
        reasons: sentences.
        missed: what better moves would have brought, in a few words each.
        before: the position before it, with what the moves are worth.
        known: lower and upper bounds of the exact scores of legal moves, where the review found
            more than is certain at sight.
        refutation: of an error.
        instead: of an error: the best move and the play that is expected after it, as people write
            them.
        engine: the program whose word the grade is, as ``Stockfish 16, depth 12``; empty where it
            is our own.
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
    def played(self) -> Prospect:
        """What the move leads to."""
        return self.prospects[self.move]

    @property
    def best(self) -> Prospect:
        """What the best move leads to."""
        return self.prospects[(*self.mark.better, self.move)[0]]

    @property
    def better(self) -> tuple[str, ...]:
        """The best moves if it is none of them, as people write them."""
        return tuple(self.names[move] for move in self.mark.better)

    @property
    def accuracy(self) -> float:
        """From 0 to 100: see `accuracy`."""
        return accuracy(self.mark.drop)

    def to_json(self) -> dict[str, Any]:
        """The move as ``review --json`` gives it."""
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
            "score": self.played.to_json(),
            "best_score": self.best.to_json(),
            "expected": round(self.expected, 4),
            "reasons": list(self.reasons),
            "missed": list(self.missed),
            **({"refutation": self.refutation.to_json()} if self.refutation else {}),
        }


def accuracy(drop: float) -> float:
    """How accurate a move is, from 0 to 100, by what it gave away of the expected result.

    The formula of Lichess (lichess.org/page/accuracy), whose winning percentage is a hundred times
    the expected result here.
    """
    return max(0.0, min(100.0, 103.1668 * exp(-0.04354 * 100 * drop) - 3.1669))


@dataclass(frozen=True, slots=True)
class Side:
    """One side's moves in all.

    >>> first, second = advisor.review(advisor.position("4453")).sides
    >>> first.player, first.grades["blunder"], round(second.accuracy)
    ('x', 1, 100)

    Attributes:
        player: its name.
        moves: how many were graded.
        grades: how many of each grade.
        only: how many only moves it found.
        accuracy: the mean of its moves', from 0 to 100; None without moves.
        losses: the mean loss of its moves, by unit.
        longest_run: moves of its own in a row without an error.
        turning_point: the ply of the error that gave away most of the expected result, the last of
            several; None if there was none.
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
        """What a side's moves, in the order in which they were made, come to."""
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
        """The side as ``review --json`` gives it."""
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
    """A game looked back on.

    >>> advisor.review(advisor.position("4453"))
    <Review 4453: 4 moves, x 50 %, o 100 %>

    Attributes:
        title: what it is called.
        players: the sides by name, the one that begins first.
        length: how many moves the game has.
        moves: those that were graded, in their order.
        ended: how the game ended, in words.
        failed: why an engine did not go on, if that ended the work; otherwise empty.
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
        return f"<Review {shortened(self.title)}: {amount(len(self.moves), 'move')}, {told}>"

    def _repr_html_(self) -> str:  # what notebooks show
        return str(registry.load("advisor.views.notebook:review")(self))

    @property
    def partial(self) -> bool:
        """Whether the work was ended before all moves were graded."""
        return len(self.moves) < self.length

    @property
    def sides(self) -> tuple[Side, Side]:
        """What each side's moves come to."""
        first, second = (
            Side.of(player, [move for move in self.moves if move.side == side])
            for side, player in enumerate(self.players)
        )
        return first, second

    def to_json(self) -> dict[str, Any]:
        """The object of ``review --json``."""
        return {
            "game": self.title,
            "ended": self.ended,
            **({"interrupted": True} if self.partial else {}),
            **({"error": self.failed, "code": InputError.code} if self.failed else {}),
            "moves": [move.to_json() for move in self.moves],
            "sides": {side.player: side.to_json() for side in self.sides},
        }
