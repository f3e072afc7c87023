"""Lines of the board in compiled code, for `compiled_rules` and `search_kernel`."""

# numba, not mypy, finds the types of what follows.
# mypy: ignore-errors

import numpy as np

from aspcircuits.compiling import inline

WORD = np.uint64
ZERO = WORD(0)


@inline
def completing(discs, steps, connect):
    """Return the squares on which one more disc makes `connect` in line, occupied or not.

    Args:
        discs: a player's.
        steps: four, as in `board.Geometry`, with 0 for directions in which no line fits.
        connect: given as a constant, it makes the code several times as fast.
    """
    squares = ZERO
    for direction in range(4):
        step = steps[direction]
        if step != ZERO:
            for hole in range(connect):
                line = ~ZERO
                for i in range(connect):
                    if i > hole:
                        line &= discs >> WORD(i - hole) * step
                    elif i < hole:
                        line &= discs << WORD(hole - i) * step
                squares |= line
    return squares


@inline
def has_line(discs, steps, connect):
    """Return whether `connect` of these discs are in line."""
    found = ZERO
    for direction in range(4):
        step = steps[direction]
        if step != ZERO:
            line = discs
            for i in range(1, connect):
                line &= discs >> WORD(i) * step
            found |= line
    return found != ZERO
