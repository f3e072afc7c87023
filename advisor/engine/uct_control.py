"""The memory of a tree of random games, as `advisor.engine.uct` and its compiled twin both know it.

A tree is a table of 32-bit integers: an entry for each move that has been listed, a column for each
of the names below. The moves of a state lie side by side. Beside it are the states whose moves are
listed, row after row, each with a mask of these; what random games say of each move wherever it was
made; and a few counters.
"""

from typing import Any

from advisor.engine.control import PlayoutWords
from aspcircuits.layout import layout

# The columns
VISITS, WINS = range(2)
"""Games that went through the entry, and the sum of their results for who made the move. While a
game is on its way it counts as lost, so that others go elsewhere: the *virtual loss*."""
ALIKE_VISITS, ALIKE_WINS = 2, 3
"""The same of all games that went through the parent and had the move at any time after it."""
PROVEN = 4
"""What the entry is certain to lead to, for who made the move: 0 for nothing, `DRAWN`, or a win or
loss, `CERTAIN` less the plies to its end at most."""
FIRST, COUNT = 5, 6
"""The first entry of the moves that follow, 0 if they are not listed, and how many there are."""
MOVE, PARENT = 7, 8
TURN = 9
"""Who is to move after the move: 0 or 1. Known where the moves that follow are listed."""
STATE = 10
"""The number of the state, where the moves that follow are listed."""
COLUMNS = 11

DRAWN, CERTAIN = 1, 1 << 20

# The counters, 32 bits each
ENTRIES, EXPANDED = 0, 1
"""Entries and states that are in use."""
LOCK = 2
"""1 while a thread lists the moves of a state."""
COUNTERS = 3


@layout
class Trees(PlayoutWords):
    """What a thread is told; of its games the slots, games in all, begun and the seed count."""

    tree: int  # the columns ...
    room: int  # ... and how long they are
    nodes: int  # the states, each with a mask of its moves ...
    node_words: int  # ... how long these are together ...
    most_nodes: int  # ... and how many there may be
    shared_counters: int
    means: int  # for each move of each role the sum of results, each one more, and the games
    # Of each slot
    leaf: int  # the entry that its game began from
    side: int  # who is to move in it
    played: int  # for both roles the moves of its game
    other: int  # another move that may be made
    scores: int  # room for the scores of a state's moves
    tried: int  # room for the states after each of a state's moves ...
    tried_looks: int  # ... and for what look says of them
    explore: int  # the table of `advisor.engine.uct.explore`
    asked: int  # the entry that gets as many games as the best one; 0 for none
    proves: int  # whether the ends of games prove anything
    finished: int  # games that have ended


# How it grows
EXPAND_AT = 8
"""Visits at which the moves of a state are listed."""
FEW_SLOTS, GAMES_A_SLOT = 64, 64
"""Games that are played side by side at first, beside one for each of the root's moves; another one
for each so many that have ended."""
BIAS = 0.001
"""Of RAVE: the greater, the sooner an entry's own games count for more (Silver 2009)."""
EXPLORATION = 0.3
OTHER_SEED = 0x5851F42D4C957F2D
"""Added to the seed, it draws the other move."""


def prove(
    entry: int, value: int, proven: Any, parent: Any, turn: Any, first: Any, count: Any
) -> int:
    """Keeps what an entry is certain to lead to, and what follows from that further up.

    Of columns, whoever has them: NumPy, or compiled code.
    """
    proven[entry] = value
    while entry != 0:
        node = parent[entry]
        if proven[node] != 0:
            return 0
        value = proven[entry]
        if value <= DRAWN:
            for i in range(first[node], first[node] + count[node]):
                if proven[i] == 0:
                    return 0
                value = max(value, proven[i])
        if value != DRAWN:
            value = value - 1 if value > 0 else value + 1
            value = value if turn[node] == turn[parent[node]] else -value
        proven[node] = value
        entry = node
    return 0
