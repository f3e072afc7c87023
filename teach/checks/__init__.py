"""Checks of the exercises: right, or a line on the mistake and a position that shows it.

The checks compute the right answer in plain Python, so that reading them gives no rule away. Each
check takes the answer to an exercise and returns a `Verdict`.
"""

from checks.found import backed, near, rival
from checks.games import FILES, enough_games, leave, misere, player, refused, two_heaps
from checks.proofs import SMALL, answered, lesson, on_top_of_it, plan, refutation, won_by_rules
from checks.rules import full_column, mirrored, on_top, posts, sensible, two_plies
from checks.values import features, probability, rooted, tower
from checks.verdicts import Verdict

__all__ = [
    "FILES",
    "SMALL",
    "Verdict",
    "answered",
    "backed",
    "enough_games",
    "features",
    "full_column",
    "leave",
    "lesson",
    "mirrored",
    "misere",
    "near",
    "on_top",
    "on_top_of_it",
    "plan",
    "player",
    "posts",
    "probability",
    "refused",
    "refutation",
    "rival",
    "rooted",
    "sensible",
    "tower",
    "two_heaps",
    "two_plies",
    "won_by_rules",
]
