"""Combines certain knowledge of a position's moves with guesses, here and nowhere else.

Every advice goes through `verdict`, first with the game's stored knowledge (an opening book, a
solution of the board), then with the proofs of a search to its end. So all parts of an advice
agree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.advice.advice import Move
from advisor.games.abilities import Abilities
from advisor.games.bounds import Bounds, proved_best, undominated_moves
from advisor.games.phrasing import Planned
from advisor.games.score import Score, ScoreKind
from aspcircuits.clingo_api import Term


@dataclass(frozen=True, slots=True)
class Verdict:
    """The values of the moves, and the best ones.

    Attributes:
        moves: with everything that is proved of them.
        best: the best ones, the first choice first.
        chosen_from: the moves proved to have the same result, among which the look-ahead's values
            chose; otherwise none.
    """

    moves: tuple[Move, ...]
    best: tuple[Term, ...]
    chosen_from: tuple[Term, ...]


def verdict(
    game: Abilities, moves: Sequence[Move], proved: Mapping[Term, Bounds], plan: Planned | None
) -> Verdict:
    """Return the verdict on moves: their proved values, and which of them are best.

    The best are the moves with the best exact score, if it is known which these are. Otherwise it
    is the solution's move, unless the look-ahead sees a win, or unless the solution only holds
    where another move wins. Otherwise, among the moves that no other is proved to beat, they are
    those with the look-ahead's highest values.

    Args:
        game: the position.
        moves: as the look-ahead sees them, perhaps with earlier proofs.
        proved: bounds of any number of moves, from the view of the player to move.
        plan: the move of the board's solution, if it has one.
    """
    bounds = {m.move: proved.get(m.move) or game.at_sight(m.move) for m in moves}
    won = any(known.lower > 0 for known in proved.values())
    told = dict(proved)
    if plan and plan.move in bounds:
        least = max(bounds[plan.move].lower, 0 if plan.hold else 1)
        told[plan.move] = replace(bounds[plan.move], lower=least)
    known = {move: told.get(move, least) for move, least in bounds.items()}
    for move in moves:
        if move.score.kind != "heuristic":  # forced results of the look-ahead count, too
            known[move.move] = known[move.move].intersect(game.bounds(move.score))
    scored = tuple(
        replace(m, score=_proved_score(game, told[m.move], m.score)) if m.move in told else m
        for m in moves
    )
    seen = {move.move: seen_rank(move) for move in moves}
    planned = plan.move if plan else None
    chosen_from: tuple[Term, ...] = ()
    if not (best := proved_best(known)):
        best = undominated_moves(known)
        if plan and max(seen.values())[0] < WON and not (plan.hold and won):
            best = [plan.move]
        elif len(best) > 1:
            chosen_from = tuple(best)
        top = max(seen[move] for move in best)
        best = [move for move in best if seen[move] == top]
    totals = {move.move: move.total for move in moves}
    best.sort(key=lambda m: (m != planned, *(-part for part in seen[m]), -totals[m]))
    # The text on the first move holds for all: a proved draw is not called as good as a move of
    # which nothing is proved, though the look-ahead values both alike.
    kinds = {move.move: move.score.kind for move in scored}
    alike = tuple(move for move in best if kinds[move] == kinds[best[0]])
    return Verdict(scored, alike, chosen_from)


def _proved_score(game: Abilities, known: Bounds, seen: Score) -> Score:
    """Return the proved score of a move, or the score known before if that says more."""
    forced = game.proved_score(known)
    if forced is None or (known.score is None and seen.kind != "heuristic"):
        return seen
    return forced


LOST, OPEN, WON = range(3)
"""The first part of a move's rank, as the look-ahead sees it."""


def seen_rank(move: Move) -> tuple[int, int]:
    """Return a sort key, greater is better, by the look-ahead alone, whatever is proved."""
    kind = move.score.kind if move.ahead is None else "heuristic"
    return rank_score(kind, move.score, move.value)


def rank(move: Move) -> tuple[int, int, int]:
    """Return a sort key, greater is better, by all that chooses moves except random games."""
    return *rank_score(move.score.kind, move.score, move.value), move.total


def rank_score(kind: ScoreKind, score: Score, value: int | None) -> tuple[int, int]:
    """Return a sort key, greater is better; kind and value may differ from the score's own."""
    length = score.plies or score.moves or 0
    return {"win": (WON, -length), "loss": (LOST, length)}.get(kind, (OPEN, value or 0))
