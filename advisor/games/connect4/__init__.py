"""Connect Four: boards of any size and the ways to write them down."""
