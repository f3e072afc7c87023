"""The memory through which Python and the compiled searches and games communicate.

Each class declares 64-bit words, which compiled code knows by the same names. A word for an array
holds its address.
"""

from aspcircuits.layout import Layout, layout

LOOK, STEP, LEAF, NOISY = range(4)
"""The functions of a game, see `advisor.engine.kernel`.

`NOISY` is like `LOOK` without candidates, for the moves to follow before a leaf is valued.
"""


@layout
class GameWords(Layout):
    """A game, as `advisor.engine.machine.Machine.tell` describes it."""

    words: int  # of a state
    masks: int  # words with a bit for each move
    look_words: int  # that look writes for a state: moves, candidates if there are any, status last
    exchanges: int  # 1 if states are seen from the side to move
    circuits: int  # for LOOK and so on: address of the code, of its memory, and states in a block
    shared: int  # for each turn, a word that all states of a call have in common
    turn: int  # of the position to search: 0, or 1 if it takes the other shared word
    table: int  # a row for each move
    move_words: int  # of a row
    second_rows: int  # where the rows for moves of the second role begin; 0 if they are the first's


@layout
class SearchWords(GameWords):
    """A look-ahead, selective or not."""

    stride: int  # from column to column
    long: int  # from column to column, where more states are made together
    noisy_plies: int  # the most noisy moves in a row below a leaf; 0 for none
    results: int  # the value of each certain result, by its bit in the status
    certain: int  # for each depth, the bits of the results that a search of that depth would find
    kept: int  # the bits that identify a state: all but its counters
    # For even and for odd plies: states that are a draw, without their counters; their number;
    # and a word that marks what is remembered under these draws.
    drawn: int
    drawn_count: int
    salt: int
    # The transposition table, which threads may share: entries of four words; their number less
    # one. The last two words are a position's value and the other data about it. The first two
    # identify the position, mixed with the last two, so that an entry of which two threads have
    # written half each matches no position.
    memory: int
    memory_mask: int
    known: int  # the value in the entry that was read last
    # While it runs
    stop: int  # set by another thread to end the search
    budget: int  # nodes after which the search ends
    ended: int  # why it ended before it was done: one of the numbers below, or 0
    # Counts of its work
    nodes: int
    leaves: int
    guesses: int
    added: int  # states that were scored after noisy moves


@layout
class FullWidth(SearchWords):
    """A search at full width: a tree of plies, and below it levels of a batch."""

    room: int  # the most children that are made together above the batches
    most: int  # the most states on a level of a batch
    candidates_from: int  # at this depth and above, the candidates are enough
    at_once: int  # plies of a batch, at least 1
    first: int  # leaves, about, of a node's first batch
    target: int  # leaves, about, of its later ones
    ordered: int  # at this depth and above, children are ordered by their static values
    together: int  # the depth of nodes whose children are refuted together; 0 for none
    few: int  # leaves, about, of a batch with a few likely replies to each; 0 if it has all
    history: int  # for each move, how often it was the best one
    refuting: int  # for each move, how many states it refuted whose replies are leaves
    answers: int  # for each move, and for none, the last reply that was enough; -1 for none yet
    likely: int  # room for a state's likely replies
    likely_rank: int  # how often these refuted
    plies: int  # each a `Ply`
    levels: int  # each a `Level`; a batch's levels, then those below it for noisy moves
    step_in: int  # input of step above the batches
    long_step_in: int  # input of step in the batches
    buckets: int  # hash table of equal positions: entries of two words
    buckets_mask: int  # their number less one
    stamp: int  # counts up; marks what is still valid of memory that is overwritten
    key: int  # of the position that was looked up last: two words that identify it
    check: int


@layout
class States(Layout):
    """Columns of states, of what look writes for them, and of their values."""

    states: int
    looks: int
    values: int


@layout
class Ply(States):
    """A ply of the tree."""

    move: int
    order: int
    rank: int
    first_child: int
    children: int
    owner: int  # a slot's children are in the next ply if its owner equals `filled` there
    filled: int
    cursor: int
    listed: int
    killer: int
    cut: int  # 1 if one move of the node searched there is expected to cause a cutoff
    best: int  # the slot of the child with the best value


@layout
class Level(States):
    """A level of a batch."""

    parent: int  # of each edge to the next level, the state above
    copy: int  # of each edge to the next level, the state below
    low: int  # of each state, its window
    high: int
    start: int  # where its edges to leaves begin
    end: int  # where they end
    count: int  # how many states
    edges: int  # how many edges


@layout
class PlayoutWords(GameWords):
    """Random games that are played side by side, each in a slot."""

    slots: int  # how many at most
    stride: int  # from column to column
    states: int  # columns, followed by the columns of the moves
    looks: int  # columns
    owner: int  # of each slot, the number of its game
    age: int  # plies that have been played of that game
    # Of each slot, while a move is chosen
    earlier: int  # columns: its moves before each mask
    left: int  # the number of all its moves
    bits: int  # which of them is chosen; then the mask that contains it
    nth: int  # the index of the move within that mask
    move: int
    over: int  # the slots whose games are over
    count: int  # of slots that are in use
    # The games in all
    rows: int  # the states from which they begin, row after row
    games: int  # their number
    begun: int  # how many have begun
    results: int  # of each game, written when it has ended
    seed: int  # of the random numbers
    longest: int  # plies after which a game is drawn
    plies: int  # of all games together


# Why a search has ended
STOPPED, SPENT, NO_ROOM = 1, 2, 3

# The bits of a status above the bits of certain results
PASS_BIT = 60
"""Set if a null move is allowed: the side to move may be supposed to pass."""
LATE = 61
"""Set if the state's counters matter."""
USE_CANDIDATES = 62
SECOND_MOVES = 63
"""Set if the second role is to move."""
DRAWN = 2
"""The bit of the result "a draw here and now"."""

# The fourth word of a table entry: bound, certain, depth and move
CERTAIN_BIT, DEPTH_BIT, MOVE_BIT = 2, 8, 16

# Random numbers: see `advisor.engine.playouts.random_words`
OF_GAME, OF_PLY = -7046029254386353131, -2643881736870682267
MIX_1, MIX_2 = -4658895280553007687, -7723592293110705685
CHANCE_BITS = 31
