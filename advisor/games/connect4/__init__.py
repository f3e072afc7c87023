"""Connect Four: boards of any size, and their notations."""
