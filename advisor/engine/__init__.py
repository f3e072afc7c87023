"""Search, without a game."""
