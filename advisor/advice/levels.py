"""How a weaker level of play picks its moves."""

from advisor.advice.advice import Advice
from advisor.advice.verdict import OPEN, seen_rank
from advisor.asp.clingo_api import Term
from advisor.limits import FULL_STRENGTH

_TOLERANCE = 0.05
"""For each level below, this share of the way from the best to the worst move is near enough."""


def is_weak(level: int | None) -> bool:
    """Whether a level is below full strength, which None is; such a level knows no book."""
    return level is not None and level < FULL_STRENGTH


def near_best(advice: Advice, level: int) -> list[Term]:
    """The moves that a player of this level holds for good enough.

    Below full strength only what the look-ahead has seen counts, nothing that is proved besides. A
    win that is seen is played as fast as it can be, and no move that is seen to lose is among them
    while another is there. So no level misses a win in one, nor does it let the opponent have one,
    unless its encodings foresee nothing and it looks but one ply ahead.
    """
    if not is_weak(level):
        return [move.move for move in advice.moves if move.move in advice.chosen]
    seen = {move.move: seen_rank(move) for move in advice.moves}
    top = max(seen.values())
    if top[0] != OPEN:
        return [move for move, rank in seen.items() if rank == top]
    values: dict[Term, float] = {m: value for m, (kind, value) in seen.items() if kind == OPEN}
    if all(advice.move(move).value is None for move in values):  # random games alone guess
        means = {move: advice.move(move).mean for move in values}
        values = {move: mean for move, mean in means.items() if mean is not None} or values
    best = max(values.values())
    margin = (best - min(values.values())) * _TOLERANCE * (FULL_STRENGTH - level)
    return [move for move, value in values.items() if value >= best - margin]
