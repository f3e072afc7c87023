"""The block of memory by which Python and the compiled random games speak to each other.

The game alone is what `advisor.engine.perft_kernel` is told too. Each name is the number of a
64-bit word. Arrays are given by their addresses.
"""

# The game, as `advisor.engine.control` says
WORDS, MASKS, LOOK_WORDS, MOVE_WORDS = 0, 1, 2, 3
EXCHANGES = 4
TABLE, SECOND_ROWS = 5, 6
LOOK, STEP, LOOK_SCRATCH, STEP_SCRATCH, LOOK_BLOCK, STEP_BLOCK = range(7, 13)
GAME = 13
"""So many words."""

# The games that are played side by side
SLOTS, STRIDE = 13, 14
"""How many at most; from column to column."""
STATES, LOOKS = 15, 16
"""Columns; those of the states are followed by those of the moves."""
OWNER, AGE = 17, 18
"""Of each slot: the number of its game, and how many plies of that have been played."""
LEFT, NTH, BITS, MOVE, ENDED = range(19, 24)
"""Of each slot, while a move is chosen; and the slots whose games are over."""
COUNT = 24
"""Of slots that are in use."""

# The games in all
ROWS, GAMES, BEGUN = 25, 26, 27
"""The states that they begin from, row after row; how many they are, and how many have begun."""
RESULTS = 28
"""Of each game, written when it has ended."""
SEED, LONGEST, PLIES = 29, 30, 31
"""What is random; plies after which a game is drawn; plies that all games had together."""

SIZE = 32

# What is random: see `advisor.engine.playouts.random_words`
OF_GAME, OF_PLY = -7046029254386353131, -2643881736870682267
MIX_1, MIX_2 = -4658895280553007687, -7723592293110705685
CHANCE_BITS = 31
