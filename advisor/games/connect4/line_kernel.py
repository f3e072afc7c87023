"""Lines of the board in compiled code: parts of `compiled_rules` and `search_kernel`."""

# numba, not mypy, finds the types of what follows.
# mypy: ignore-errors

import numpy as np

from aspcircuits.compiling import inline

WORD = np.uint64
ZERO = WORD(0)


@inline
def completing(discs, steps, connect):
    """The squares on which one more disc makes so many in line, occupied ones and others too.

    Args:
        discs: a player's.
        steps: as `board.Geometry` has them, four, with 0 where no line has room.
        connect: given as a number, it makes several times as fast code.
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
    """Whether so many of these discs are in line."""
    found = ZERO
    for direction in range(4):
        step = steps[direction]
        if step != ZERO:
            line = discs
            for i in range(1, connect):
                line &= discs >> WORD(i) * step
            found |= line
    return found != ZERO
