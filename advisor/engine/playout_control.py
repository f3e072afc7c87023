"""The block of memory by which Python and the compiled random games speak to each other.

The game alone is what `advisor.engine.perft_kernel` is told too. Each name is the number of a
64-bit word, by its place in the list. Arrays are given by their addresses.
"""

# The game, as `advisor.engine.control` says
(
    WORDS,
    MASKS,
    LOOK_WORDS,
    MOVE_WORDS,
    EXCHANGES,
    TABLE,
    SECOND_ROWS,
    LOOK,
    STEP,
    LOOK_SCRATCH,
    STEP_SCRATCH,
    LOOK_BLOCK,
    STEP_BLOCK,
    GAME,  # so many words
) = range(14)

(
    # The games that are played side by side
    SLOTS,  # how many at most
    STRIDE,  # from column to column
    STATES,  # columns, followed by those of the moves
    LOOKS,  # columns
    OWNER,  # of each slot the number of its game
    AGE,  # and how many plies of that have been played
    # Of each slot, while a move is chosen
    LEFT,
    NTH,
    BITS,
    MOVE,
    ENDED,  # the slots whose games are over
    COUNT,  # of slots that are in use
    # The games in all
    ROWS,  # the states that they begin from, row after row
    GAMES,  # how many they are
    BEGUN,  # how many have begun
    RESULTS,  # of each game, written when it has ended
    SEED,  # what is random
    LONGEST,  # plies after which a game is drawn
    PLIES,  # that all games had together
    SIZE,
) = range(GAME, GAME + 20)

# What is random: see `advisor.engine.playouts.random_words`
OF_GAME, OF_PLY = -7046029254386353131, -2643881736870682267
MIX_1, MIX_2 = -4658895280553007687, -7723592293110705685
CHANCE_BITS = 31
