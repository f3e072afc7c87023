"""Many positions or games: batch runs, matches, measurements."""
