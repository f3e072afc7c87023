"""What is certain of a position's moves and what is guessed, put together, here and nowhere else.

Every advice goes through `verdict`, first with what the opening book and the solution of the board
say, then with whatever the exact engine proves. So all that is shown of an advice says the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.advice.advice import Move
from advisor.games.connect4.board import Position
from advisor.games.connect4.solver import (
    Outcome,
    Solution,
    known_bounds,
    score_in,
    settled,
    undominated,
    winner_moves,
)
from advisor.games.phrasing import Planned
from advisor.games.score import Score

_OUTCOMES: Mapping[str, Outcome] = {"win": "win", "draw": "draw", "loss": "loss"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the moves are worth.

    Attributes:
        moves: with all that is proved of them.
        best: columns of the best ones, the first choice first.
        chosen_from: where the look-ahead's values chose among moves that are proved to end alike,
            those moves; otherwise none.
    """

    moves: tuple[Move, ...]
    best: tuple[int, ...]
    chosen_from: tuple[int, ...]


def verdict(
    position: Position,
    moves: Sequence[Move],
    proved: Mapping[int, Solution],
    step: Planned | None,
) -> Verdict:
    """Which moves are best.

    Those with the best exact score, where it is settled which these are. Otherwise the solution's
    move, unless a win is seen or its player would only hold where another move wins; otherwise,
    among the moves than which none is proved to lead to a better result, those that the look-ahead
    values most.

    Args:
        position: its game goes on.
        moves: as the look-ahead sees them, perhaps with what was proved of them before.
        proved: of moves, by column, from the view of the player to move; of any number of them.
        step: what the solution of the board plays, if it has something to say.
    """
    bounds = {m.move: proved.get(m.move, -known_bounds(position.after(m.move))) for m in moves}
    won = any(solution.lower > 0 for solution in proved.values())
    told = dict(proved)
    if step and step.move in bounds:
        least = max(bounds[step.move].lower, 0 if step.hold else 1)
        told[step.move] = replace(bounds[step.move], lower=least)
    known = {move.move: _known(position, move, (bounds | told)[move.move]) for move in moves}
    scored = tuple(
        replace(m, score=proved_score(position, told[m.move], m.score)) if m.move in told else m
        for m in moves
    )
    rank = {move.move: seen_rank(move) for move in moves}
    planned = step.move if step else None
    chosen_from: tuple[int, ...] = ()
    if not (best := settled(known)):
        best = undominated(known)
        if step and max(rank.values())[0] < WON and not (step.hold and won):
            best = [step.move]
        elif len(best) > 1:
            chosen_from = tuple(best)
        top = max(rank[column] for column in best)
        best = [column for column in best if rank[column] == top]
    totals = {move.move: move.total for move in moves}
    best.sort(
        key=lambda c: (c != planned, *(-part for part in rank[c]), -totals[c], c),
    )
    # What is said of the first one holds for all: a move that draws for certain is not called as
    # good as one of which nothing is proved, though the look-ahead values both alike.
    kinds = {move.move: move.score.kind for move in scored}
    alike = tuple(column for column in best if kinds[column] == kinds[best[0]])
    return Verdict(scored, alike, chosen_from)


def proved_score(position: Position, known: Solution, seen: Score) -> Score:
    """What is proved of a move; what was known of it before if that says more."""
    if known.score is not None:
        assert known.outcome is not None
        moves = winner_moves(position, known.score)
        return Score(known.outcome, moves=moves, proved=True, points=known.score)
    if known.outcome is not None and seen.kind == "heuristic":
        return Score(known.outcome, proved=True)
    return seen


def _known(position: Position, move: Move, proved: Solution) -> Solution:
    """The bounds of a move's exact score, also by what the look-ahead has seen to be forced."""
    score = move.score
    outcome = _OUTCOMES.get(score.kind)
    if outcome is None or (score.moves is None and outcome != "draw"):
        return proved
    points = score_in(position, outcome, score.moves or 0)
    return replace(proved, lower=points, upper=points)


LOST, OPEN, WON = range(3)
"""The first part of a move's rank, as the look-ahead sees it."""


def seen_rank(move: Move) -> tuple[int, int]:
    """The greater the better, as the look-ahead sees the move, whatever is proved of it besides."""
    score = move.score
    if move.ahead is None and score.kind == "win":
        return WON, -(score.moves or 0)
    if move.ahead is None and score.kind == "loss":
        return LOST, score.moves or 0
    return OPEN, move.value or 0
