"""What is certain of a position's moves and what is guessed, put together, here and nowhere else.

Every advice goes through `verdict`, first with what the game knows by heart (an opening book, a
solution of the board), then with whatever a search to its end proves. So all that is shown of an
advice says the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.advice.advice import Move
from advisor.games.abilities import Abilities
from advisor.games.bounds import Bounds, settled, undominated
from advisor.games.phrasing import Planned
from advisor.games.score import Score, ScoreKind
from aspcircuits.clingo_api import Term


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the moves are worth.

    Attributes:
        moves: with all that is proved of them.
        best: the best ones, the first choice first.
        chosen_from: where the look-ahead's values chose among moves that are proved to end alike,
            those moves; otherwise none.
    """

    moves: tuple[Move, ...]
    best: tuple[Term, ...]
    chosen_from: tuple[Term, ...]


def verdict(
    game: Abilities, moves: Sequence[Move], proved: Mapping[Term, Bounds], plan: Planned | None
) -> Verdict:
    """Which moves are best.

    Those with the best exact score, where it is settled which these are. Otherwise the solution's
    move, unless a win is seen or its player would only hold where another move wins; otherwise,
    among the moves than which none is proved to lead to a better result, those that the look-ahead
    values most.

    Args:
        moves: as the look-ahead sees them, perhaps with what was proved of them before.
        proved: of moves, from the view of the player to move; of any number of them.
        plan: what the solution of the board plays, if it has something to say.
    """
    bounds = {m.move: proved.get(m.move) or game.at_sight(m.move) for m in moves}
    won = any(known.lower > 0 for known in proved.values())
    told = dict(proved)
    if plan and plan.move in bounds:
        least = max(bounds[plan.move].lower, 0 if plan.hold else 1)
        told[plan.move] = replace(bounds[plan.move], lower=least)
    known = {move: told.get(move, least) for move, least in bounds.items()}
    for move in moves:
        if move.score.kind != "heuristic":  # what the look-ahead has seen to be forced counts, too
            known[move.move] = known[move.move].within(game.bounds(move.score))
    scored = tuple(
        replace(m, score=_proved(game, told[m.move], m.score)) if m.move in told else m
        for m in moves
    )
    seen = {move.move: seen_rank(move) for move in moves}
    planned = plan.move if plan else None
    chosen_from: tuple[Term, ...] = ()
    if not (best := settled(known)):
        best = undominated(known)
        if plan and max(seen.values())[0] < WON and not (plan.hold and won):
            best = [plan.move]
        elif len(best) > 1:
            chosen_from = tuple(best)
        top = max(seen[move] for move in best)
        best = [move for move in best if seen[move] == top]
    totals = {move.move: move.total for move in moves}
    best.sort(key=lambda m: (m != planned, *(-part for part in seen[m]), -totals[m]))
    # What is said of the first one holds for all: a move that draws for certain is not called as
    # good as one of which nothing is proved, though the look-ahead values both alike.
    kinds = {move.move: move.score.kind for move in scored}
    alike = tuple(move for move in best if kinds[move] == kinds[best[0]])
    return Verdict(scored, alike, chosen_from)


def _proved(game: Abilities, known: Bounds, seen: Score) -> Score:
    """What is proved of a move; what was known of it before if that says more."""
    forced = game.forced(known)
    if forced is None or (known.score is None and seen.kind != "heuristic"):
        return seen
    return forced


LOST, OPEN, WON = range(3)
"""The first part of a move's rank, as the look-ahead sees it."""


def seen_rank(move: Move) -> tuple[int, int]:
    """The greater the better, as the look-ahead sees the move, whatever is proved of it besides."""
    kind = move.score.kind if move.ahead is None else "heuristic"
    return rank_score(kind, move.score, move.value)


def rank(move: Move) -> tuple[int, int, int]:
    """The greater the better, by what chooses among moves; random games are not part of it."""
    return *rank_score(move.score.kind, move.score, move.value), move.total


def rank_score(kind: ScoreKind, score: Score, value: int | None) -> tuple[int, int]:
    """The greater the better; the kind and the value may be others than the score's own."""
    length = score.plies or score.moves or 0
    return {"win": (WON, -length), "loss": (LOST, length)}.get(kind, (OPEN, value or 0))
