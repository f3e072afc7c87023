"""How a weaker level of play picks its moves."""

import random
from dataclasses import replace

from advisor.advice.advise import Advice
from advisor.advice.score import Score
from advisor.settings.config import Config

FULL_STRENGTH = 8
"""From this level on only best moves are played."""

_TOLERANCE = 0.05
"""For each level below, this share of the way from the best to the worst move is near enough."""


def settings_of(config: Config, level: int | None) -> Config:
    """The settings that a level plays by; None is full strength. Weaker ones know no book."""
    if level is None or level >= FULL_STRENGTH:
        return config
    return replace(config, book=False)


def pick(advice: Advice, level: int, source: random.Random) -> int:
    """A move of a player of this level, one of those near the best.

    Args:
        advice: on a game that goes on, looked ahead at least a ply.
        level: from 1; see `FULL_STRENGTH`.
        source: chooses.
    """
    return source.choice(near_best(advice, level))


def near_best(advice: Advice, level: int) -> list[int]:
    """The columns that a player of this level holds for good enough.

    A win that is seen is played as fast as it can be, and no move that is seen to lose is among
    them while another is there. So no level misses a win in one, nor does it let the opponent have
    one, unless its encodings foresee nothing and it looks but one ply ahead.
    """
    values = {
        move.column: _value(move.score)
        for move in advice.moves
        if move.score.kind in ("heuristic", "draw")
    }
    if advice.score.kind not in ("heuristic", "draw"):
        return sorted(advice.best)
    top = max(values.values())
    spread = top - min(values.values())
    margin = spread * _TOLERANCE * max(0, FULL_STRENGTH - level)
    return [column for column, value in values.items() if value >= top - margin]


def _value(score: Score) -> int:
    return score.value or 0
