"""Plans: pictures that say what to play for the rest of a game, found by clingo and tried."""
