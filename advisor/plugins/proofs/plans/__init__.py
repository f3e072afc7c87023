"""Plans: pictures of what to play for the rest of a game, found by clingo and tried."""

PLAN_SECONDS = 5.0
"""Default seconds to look for a plan."""
