"""Ground programs as circuits, evaluated by NumPy and as machine code."""
