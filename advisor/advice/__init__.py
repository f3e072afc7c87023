"""A position and settings in, a move with its reasons out."""
