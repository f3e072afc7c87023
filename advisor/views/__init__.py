"""Pages, pictures and texts that present advice, reviews and puzzles."""
