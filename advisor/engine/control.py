"""The block of memory by which Python and the compiled search speak to each other.

Each name is the number of a 64-bit word: in the block itself, or in the entry of a ply or of a
level of a batch. Each list is numbered by its order alone, and unpacking fails if it is not as long
as it says. Arrays are given by their addresses.
"""

(
    # Sizes
    WORDS,  # of a state
    MASKS,  # words with a bit for each move
    LOOK_WORDS,  # what look says of a state: moves, candidates if there are such, status last
    MOVE_WORDS,  # of a move's row in the table
    ROOM,  # the most children that are made together above the batches
    STRIDE,  # from column to column there
    MOST,  # the most states on a level of a batch
    LONG,  # from column to column there
    # The game
    EXCHANGES,  # 1 if states are seen by the side to move
    TURN,  # of the position that is searched: 0, or 1 if its states take the other shared word
    SHARED,  # for each turn, a word that all states of a call have in common
    _,
    # Functions, in the same order three times: where they are, ...
    LOOK,
    STEP,
    LEAF,
    NOISY,  # as look, without candidates: the moves that a leaf's value is not taken before
    # ... their memory, ...
    LOOK_SCRATCH,
    STEP_SCRATCH,
    LEAF_SCRATCH,
    NOISY_SCRATCH,
    # ... and the states that each works on at once
    LOOK_BLOCK,
    STEP_BLOCK,
    LEAF_BLOCK,
    NOISY_BLOCK,
    NOISY_PLIES,  # noisy moves that may follow each other below a leaf; 0 where no move is noisy
    RESULTS,  # the value of each certain result, by its bit in the status
    CERTAIN,  # for each depth the bits of the results that a search so deep would find
    TABLE,  # a row for each move
    SECOND_ROWS,  # where the rows for moves of the second role begin; 0 if they are the first's
    CANDIDATES_FROM,  # so many plies ahead the candidates are enough
    KEPT,  # the bits of a state that tell it from others, all but its counters
    # States that are a draw, for even and for odd plies, without their counters, in the order of
    # their first words; and how many
    AGAIN,
    _,
    AGAIN_COUNT,
    _,
    SALT,  # for even and for odd plies: what is remembered counts for equal ones only
    _,
    # How it is searched
    AT_ONCE,  # plies of a batch, at least 1
    FIRST,  # leaves, about, of a node's first batch
    TARGET,  # leaves, about, of its later ones
    SETTLED,  # leaves, about, after which noisy moves are followed together
    ORDERED,  # from so many plies on children are ordered by their own values
    TOGETHER,  # the depth of nodes whose children are refuted together; 0 for none
    FEW,  # leaves, about, of a batch with a few likely replies to each state; 0 where it has all
    HISTORY,  # for each move how often it was the best one
    REFUTING,  # for each move how many states it refuted whose replies are leaves
    ANSWERS,  # for each move, and for none, the one last enough after it; -1 for none yet
    LIKELY,  # room for a state's likely replies
    LIKELY_RANK,  # and for how often they refuted
    # The transposition table, which threads may share: entries of four words, their number less
    # one. The last two are a position's value and the rest that is remembered of it; the first two
    # tell it from others, mixed with these, so that what two threads have written halves of is
    # nobody's.
    MEMORY,
    MEMORY_MASK,
    PLIES,  # the entries below
    LEVELS,  # likewise; after the levels of a batch come those of the noisy moves below it
    STEP_IN,  # what step reads above the batches
    LONG_STEP_IN,  # and in them
    BUCKETS,  # where equal positions are found: entries of two words
    BUCKETS_MASK,  # their number less one
    STAMP,  # counts up with whatever is overwritten
    # While it runs
    STOP,  # set by another thread to end the search
    BUDGET,  # nodes after which the search ends
    ENDED,  # why it has ended before it was done: one of the numbers below, or 0
    # Counts of its work
    NODES,
    LEAVES,
    GUESSES,
    ADDED,  # states that were scored after noisy moves
    # Of the position that was looked up last: two words that tell it from others, and its value
    KEY,
    CHECK,
    KNOWN,
    SIZE,
) = range(69)

# Why a search has ended
STOPPED, SPENT, NO_ROOM = 1, 2, 3

# The entry of a ply
(
    STATES,
    LOOKS,
    VALUES,
    MOVE,
    ORDER,
    RANK,
    FIRST_CHILD,
    CHILDREN,
    OWNER,  # children of a slot are in the next ply if its owner is what is filled in there
    FILLED,
    CURSOR,
    LISTED,
    KILLER,
    CUT,  # 1 if one move of the node that is searched there is expected to be enough
    BEST,  # the slot of the child that has the best value
) = range(15)
PLY_SIZE = 16
"""Two lines of the processor's cache."""

# The entry of a level; like that of a ply it begins with STATES, LOOKS and VALUES
(
    PARENT,  # of each edge to the next level, the state above
    COPY,  # and the one below
    LOW,  # of each state its window
    HIGH,
    FROM,  # and where its edges to leaves begin
    TO,  # and end
    COUNT,  # how many states
    EDGES,  # how many edges
) = range(VALUES + 1, VALUES + 9)
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
