"""The block of memory by which Python and the compiled search speak to each other.

Each name is the number of a 64-bit word: in the block itself, or in the entry of a ply or of a
level of a batch. Arrays are given by their addresses.
"""

# Sizes
WORDS = 0
"""Of a state."""
MASKS = 1
"""Words with a bit for each move."""
LOOK_WORDS = 2
"""What look says of a state: its moves, its candidates if there are such, its status last."""
MOVE_WORDS = 3
"""Of a move's row in the table."""
ROOM, STRIDE = 4, 5
"""The most children that are made together above the batches; from column to column there."""
MOST, LONG = 6, 7
"""The most states on a level of a batch; from column to column there."""

# The game
EXCHANGES = 8
"""1 if states are seen by the side to move."""
TURN = 9
"""Of the position that is searched: 0, or 1 if its states take the other shared word."""
SHARED = 10
"""Two words, for either turn, that all states of a call have in common."""
LOOK, STEP, LEAF, NOISY = 12, 13, 14, 15
"""The last one as look, without candidates: the moves that a leaf's value is not taken before."""
LOOK_SCRATCH, STEP_SCRATCH, LEAF_SCRATCH, NOISY_SCRATCH = 16, 17, 18, 19
LOOK_BLOCK, STEP_BLOCK, LEAF_BLOCK, NOISY_BLOCK = 20, 21, 22, 23
"""States that each works on at once."""
NOISY_PLIES = 24
"""How many noisy moves may follow each other below a leaf; 0 where no move is noisy."""
RESULTS = 25
"""The value of each certain result, by its bit in the status."""
CERTAIN = 26
"""For each depth the bits of the results that a search so deep would find."""
TABLE = 27
"""A row for each move."""
SECOND_ROWS = 28
"""Where the rows for moves of the second role begin; 0 if they are those of the first."""
CANDIDATES_FROM = 29
"""So many plies ahead the candidates are enough."""
KEPT = 30
"""The bits of a state that tell it from others, all but its counters."""
AGAIN, AGAIN_COUNT = 31, 33
"""Two of each, for even and for odd plies: states that are a draw, without their counters, in the
order of their first words; and how many."""
SALT = 35
"""Two words, for even and for odd plies: what is remembered counts for equal ones only."""

# How it is searched
AT_ONCE = 37
"""Plies of a batch, at least 1."""
FIRST, TARGET = 38, 39
"""Leaves, about, of a node's first batch and of its later ones."""
SETTLED = 40
"""Leaves, about, after which noisy moves are followed together."""
ORDERED = 41
"""From so many plies on children are ordered by their own values."""
HISTORY = 42
"""For each move how often it was the best one."""
MEMORY, MEMORY_MASK = 43, 44
"""The transposition table, which threads may share: entries of four words, their number less one.
The last two are a position's value and the rest that is remembered of it; the first two tell it
from others, mixed with these, so that what two threads have written halves of is nobody's."""
PLIES, LEVELS = 45, 46
"""The entries below. After the levels of a batch come those of the noisy moves below it."""
STEP_IN, LONG_STEP_IN = 47, 48
"""What step reads, above the batches and in them."""
BUCKETS, BUCKETS_MASK = 49, 50
"""Where equal positions are found: entries of two words, their number less one."""
STAMP = 51
"""Counts up with whatever is overwritten."""

# While it runs
STOP = 52
"""Set by another thread to end the search."""
BUDGET = 53
"""Nodes after which the search ends."""
ENDED = 54
"""Why it has ended before it was done: one of the numbers below, or 0."""
NODES, LEAVES, GUESSES, ADDED = 55, 56, 57, 58
"""The last one: states that were scored after noisy moves."""

TOGETHER = 59
"""The depth of nodes whose children are refuted together; 0 for none."""

FEW = 60
"""Leaves, about, of a batch with a few likely replies to each state; 0 where it has all of them."""
REFUTING = 61
"""For each move how many states it refuted whose replies are leaves."""
LIKELY, LIKELY_RANK = 62, 63
"""Room for a state's likely replies, and for how often they refuted."""

KEY, CHECK, KNOWN = 64, 65, 66
"""Of the position that was looked up last: what tells it from others, and its value."""

ANSWERS = 67
"""For each move, and for none, the one that was last enough after it; -1 for none yet."""

SIZE = 72

STOPPED, SPENT, NO_ROOM = 1, 2, 3

# The entry of a ply
STATES, LOOKS, VALUES, MOVE, ORDER, RANK, FIRST_CHILD, CHILDREN, OWNER = range(9)
"""Addresses. Children of a slot are in the next ply if its owner is what is filled in there."""
FILLED, CURSOR, LISTED, KILLER = 9, 10, 11, 12
CUT = 13
"""1 if one move of the node that is searched there is expected to be enough."""
BEST = 14
"""The slot of the child that has the best value."""
PLY_SIZE = 16

# The entry of a level
PARENT, COPY, LOW, HIGH, FROM, TO = 3, 4, 5, 6, 7, 8
"""After STATES, LOOKS, VALUES. Of each edge to the next level the state above and the one below; of
each state its window, and where its edges to leaves begin and end."""
COUNT, EDGES = 9, 10
"""How many states, and edges."""
LEVEL_SIZE = 16

# The bits of a status above those of certain results
LATE = 61
"""Whether the state's counters matter."""
USE_CANDIDATES = 62
SECOND_MOVES = 63
"""Whether it is the turn of the second role."""
DRAWN = 2
"""The bit of a result that is a draw here and now."""

# A remembered position: bound, certain, depth and move of its fourth word
EXACT, AT_LEAST, AT_MOST = range(3)
CERTAIN_BIT, DEPTH_BIT, MOVE_BIT = 2, 8, 16
