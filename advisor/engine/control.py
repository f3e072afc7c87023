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
ROOM, STRIDE = 5, 6
"""The most children that are made together above the batches; from column to column there."""
MOST, LONG = 7, 8
"""The most states on a level of a batch; from column to column there."""

# The game
EXCHANGES = 10
"""1 if states are seen by the side to move."""
TURN = 11
"""Of the position that is searched: 0, or 1 if its states take the other shared word."""
SHARED = 12
"""Two words, for either turn, that all states of a call have in common."""
LOOK, STEP, LEAF = 14, 15, 16
LOOK_SCRATCH, STEP_SCRATCH, LEAF_SCRATCH = 17, 18, 19
LOOK_BLOCK, STEP_BLOCK, LEAF_BLOCK = 46, 47, 48
"""States that each works on at once."""
RESULTS = 20
"""The value of each certain result, by its bit in the status."""
CERTAIN = 21
"""For each depth the bits of the results that a search so deep would find."""
TABLE = 22
"""A row for each move."""
SECOND_ROWS = 37
"""Where the rows for moves of the second role begin; 0 if they are those of the first."""

# How it is searched
AT_ONCE = 23
"""Plies of a batch, at least 1."""
FIRST, TARGET = 24, 25
"""Leaves, about, of a node's first batch and of its later ones."""
ORDERED = 26
"""From so many plies on children are ordered by their own values."""
HISTORY = 27
"""For each move how often it was the best one."""
MEMORY, MEMORY_MASK = 28, 29
"""The transposition table: entries of four words, their number less one."""
PLIES, LEVELS = 30, 31
"""The entries below."""
STEP_IN, LONG_STEP_IN = 32, 33
"""What step reads, above the batches and in them."""
BUCKETS, BUCKETS_MASK = 34, 35
"""Where equal positions are found: entries of two words, their number less one."""
STAMP = 36
"""Counts up with whatever is overwritten."""

CANDIDATES_FROM = 38
"""So many plies ahead the candidates are enough."""

# While it runs
STOP = 40
"""Set by another thread to end the search."""
BUDGET = 41
"""Nodes after which the search ends."""
ENDED = 42
"""Why it has ended before it was done: one of the numbers below, or 0."""
NODES, LEAVES, GUESSES = 43, 44, 45

SIZE = 49

STOPPED, SPENT, NO_ROOM = 1, 2, 3

# The entry of a ply
STATES, LOOKS, VALUES, MOVE, ORDER, RANK, FIRST_CHILD, CHILDREN, OWNER = range(9)
"""Addresses. Children of a slot are in the next ply if its owner is what is filled in there."""
FILLED, CURSOR, LISTED, KILLER = 9, 10, 11, 12
PLY_SIZE = 16

# The entry of a level
PARENT, COPY, COUNT, EDGES = 3, 4, 5, 6
"""After STATES, LOOKS, VALUES: of each edge to the next level; how many states and edges."""
LEVEL_SIZE = 8

# The bits of a status above those of certain results
USE_CANDIDATES = 62
SECOND_MOVES = 63
"""Whether it is the turn of the second role."""

# A remembered position: bound, certain, depth and move of its third word
EXACT, AT_LEAST, AT_MOST = range(3)
CERTAIN_BIT, DEPTH_BIT, MOVE_BIT = 2, 8, 16
