"""Checks of the exercises: right, or a line on the mistake and a position that shows it.

The checks compute the right answer in plain Python, so that reading them gives no rule away. Each
check takes the answer to an exercise and returns a `Verdict`.
"""

from checks.found import backed, near, rival
from checks.games import FILES, enough_games, leave, misere, player, refused, two_heaps
from checks.ladder import (
    above_discs,
    apart,
    corners,
    crowded,
    frame,
    highest,
    not_red,
    one_colour,
    one_empty,
    red_discs,
    rooks,
    tall,
)
from checks.proofs import SMALL, answered, lesson, on_top_of_it, plan, refutation, won_by_rules
from checks.rules import full_column, mirrored, on_top, posts, sensible, two_plies
from checks.values import features, probability, rooted, tower
from checks.verdicts import Verdict

__all__ = [
    "FILES",
    "SMALL",
    "Verdict",
    "above_discs",
    "answered",
    "apart",
    "backed",
    "corners",
    "crowded",
    "enough_games",
    "features",
    "frame",
    "full_column",
    "highest",
    "leave",
    "lesson",
    "mirrored",
    "misere",
    "near",
    "not_red",
    "on_top",
    "on_top_of_it",
    "one_colour",
    "one_empty",
    "plan",
    "player",
    "posts",
    "probability",
    "red_discs",
    "refused",
    "refutation",
    "rival",
    "rooks",
    "rooted",
    "sensible",
    "tall",
    "tower",
    "two_heaps",
    "two_plies",
    "won_by_rules",
]
