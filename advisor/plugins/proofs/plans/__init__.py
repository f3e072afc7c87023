"""Plans: pictures that say what to play for the rest of a game, found by clingo and tried."""

PLAN_SECONDS = 5.0
"""Seconds to look for a plan where the caller gives no time."""
