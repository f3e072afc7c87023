"""Work on many positions or games: batch runs, matches, measurements."""
