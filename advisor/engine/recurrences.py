"""States that are a draw if they come again, in games that count how often a state has stood.

For a look-ahead, they depend on the moves before its root, not on the path to a state. So the table
entry of a state does not depend on the path, and its value is that of plain negamax.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Rows


@dataclass(frozen=True, slots=True)
class Recurrences:
    """The states that must not come again, as seen from a given state.

    Attributes:
        counters: shape (words,), the bits of a state that are not part of its identity.
        here: states, without their counters, that are a draw with the same side to move as now.
        there: those with the other side to move, which means nothing if a state names its side.
        supposed: the rules would allow the state itself to come again; it counts as a draw only
            because a line that leads back to it has gained nothing. If the state is won, its other
            moves may be worth more than this makes them.
    """

    counters: Rows
    here: frozenset[bytes]
    there: frozenset[bytes]
    supposed: bool = False

    @classmethod
    def of(
        cls, before: Sequence[bytes], row: Rows, times: int, counters: Rows, exchanges: bool
    ) -> "Recurrences":
        """Return the states that must not come again if one that has stood `times` times is a draw.

        Args:
            before: the states played before, without their counters, the latest one last.
            row: the state now. A line that leads back to it has gained nothing and is a draw too.
            exchanges: see `advisor.engine.rows.RowGame`.
        """
        now = identity(row, counters)
        states = [*before, now]
        if not exchanges:
            often = _often(states, times - 1)
            drawn = often | {now}
            return cls(counters, drawn, drawn, now not in often)
        here, there = (_often(states[last::-2], times - 1) for last in (-1, -2))
        return cls(counters, here | {now}, there, now not in here)

    @property
    def harmless(self) -> bool:
        """Whether a win that is found without looking back is a real one.

        That is so if only the state itself is a draw when it comes again: a line that comes to a
        state twice can be cut short.
        """
        # If states name their side, both sets are the same; otherwise both may hold equal bytes.
        theirs = () if self.there is self.here else self.there
        return len(self.here) + len(theirs) == 1

    def next(self) -> "Recurrences":
        """Return the recurrences as seen one ply later."""
        return Recurrences(self.counters, self.there, self.here)

    def among(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Return which of some states must not come again."""
        found = np.zeros(len(rows), np.bool_)
        kept = ~self.counters
        for state in self.here:
            wanted = np.frombuffer(state, np.uint64)
            near = np.flatnonzero(rows[:, 0] & kept[0] == wanted[0])
            found[near] |= ((rows[near] & kept) == wanted).all(axis=1)
        return found


def identity(row: Rows, counters: Rows) -> bytes:
    """Return the bytes that identify a state, shape (words,): all but its counters."""
    return (row & ~counters).tobytes()


def _often(states: Sequence[bytes], times: int) -> frozenset[bytes]:
    return frozenset(state for state, count in Counter(states).items() if count >= times)
