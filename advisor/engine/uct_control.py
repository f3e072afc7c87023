"""The memory of a tree of random games, shared by `advisor.engine.uct` and its compiled twin.

A tree is a table of 32-bit integers: a row (an entry) for each listed move, a column for each of
the names below. The moves of a state are adjacent. Besides the table there are the states whose
moves are listed, one after the other, each with a mask of its moves; statistics of each move over
all random games; and a few counters.
"""

from typing import Any

from advisor.engine.control import PlayoutWords
from aspcircuits.layout import layout

# The columns
VISITS, WINS = range(2)
"""Games that went through the entry, and the sum of their results for the side that made the move.

A game under way counts as lost, so that others go elsewhere: the *virtual loss*.
"""
ALIKE_VISITS, ALIKE_WINS = 2, 3
"""Visits and wins of all games through the parent in which its side made the move later (RAVE)."""
PROVEN = 4
"""The certain result of the entry, for the side that made the move.

0 for none, `DRAWN`, or a win or loss: `CERTAIN` less the most plies to its end.
"""
FIRST, COUNT = 5, 6
"""The first entry of the moves that follow, 0 if they are not listed, and their number."""
MOVE, PARENT = 7, 8
TURN = 9
"""The role to move after the move, 0 or 1; known if the moves that follow are listed."""
STATE = 10
"""The number of the state; valid if the moves that follow are listed."""
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
    """Words of a thread; slots, games, begun and seed count only its own games."""

    tree: int  # the columns
    room: int  # their length
    nodes: int  # the states, each with a mask of its moves
    node_words: int  # the words of a state and its mask
    most_nodes: int  # the most states
    shared_counters: int
    means: int  # for each move of each role, the sum of results, each plus 1, and the games
    # Of each slot
    leaf: int  # the entry from which its game began
    side: int  # the player to move in it
    played: int  # for both roles, the moves of its game
    other: int  # another move to choose from
    scores: int  # room for the scores of a state's moves
    tried: int  # room for the states after each of a state's moves
    tried_looks: int  # room for the output of look for them
    explore: int  # the table of `advisor.engine.uct.explore`
    asked: int  # the entry that gets as many games as the best one; 0 for none
    proves: int  # whether the ends of games prove anything
    finished: int  # games that have ended


# How it grows
EXPAND_AT = 8
"""Visits after which the moves of a state are listed."""
FEW_SLOTS, GAMES_A_SLOT = 64, 64
"""Games side by side at first, besides one for each root move; finished games for each more."""
BIAS = 0.001
"""Bias of RAVE: the greater, the sooner an entry's own games outweigh it (Silver 2009)."""
EXPLORATION = 0.3
OTHER_SEED = 0x5851F42D4C957F2D
"""Added to the seed to draw the other move."""


def prove(
    entry: int, value: int, proven: Any, parent: Any, turn: Any, first: Any, count: Any
) -> int:
    """Store the certain result of an entry and propagate it up the tree.

    Works on the columns of NumPy and of compiled code.
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
