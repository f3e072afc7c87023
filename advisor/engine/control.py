"""The memory by which Python and the compiled search and games speak to each other.

Each class declares 64-bit words; compiled code has them by the same names. Arrays are given by
their addresses.
"""

from aspcircuits.layout import Layout, layout

LOOK, STEP, LEAF, NOISY = range(4)
"""What a game is, see `advisor.engine.kernel`; noisy is as look, without candidates: the moves that
a leaf's value is not taken before."""


@layout
class GameWords(Layout):
    """A game, as `advisor.engine.machine.Machine.tell` tells it."""

    words: int  # of a state
    masks: int  # words with a bit for each move
    look_words: int  # what look says of a state: moves, candidates if there are such, status last
    exchanges: int  # 1 if states are seen by the side to move
    circuits: int  # of LOOK and so on: where it is, its memory, and the states it works on at once
    shared: int  # for each turn, a word that all states of a call have in common
    turn: int  # of the position that is asked about: 0, or 1 if it takes the other shared word
    table: int  # a row for each move
    move_words: int  # of a row
    second_rows: int  # where the rows for moves of the second role begin; 0 if they are the first's


@layout
class SearchWords(GameWords):
    """A look-ahead, selective or not."""

    stride: int  # from column to column
    long: int  # from column to column, where more states are made together
    noisy_plies: int  # so many noisy moves may follow each other below a leaf; 0 for none
    results: int  # the value of each certain result, by its bit in the status
    certain: int  # for each depth the bits of the results that a search so deep would find
    kept: int  # the bits of a state that tell it from others, all but its counters
    # For even and for odd plies: states that are a draw, without their counters; how many they are;
    # and a word that tells what is remembered for these.
    drawn: int
    drawn_count: int
    salt: int
    # The transposition table, which threads may share: entries of four words, their number less
    # one. The last two are a position's value and the rest that is remembered of it; the first two
    # tell it from others, mixed with these, so that what two threads have written halves of is
    # nobody's.
    memory: int
    memory_mask: int
    known: int  # the value of the position that was looked up last
    # While it runs
    stop: int  # set by another thread to end the search
    budget: int  # nodes after which the search ends
    ended: int  # why it has ended before it was done: one of the numbers below, or 0
    # Counts of its work
    nodes: int
    leaves: int
    guesses: int
    added: int  # states that were scored after noisy moves


@layout
class FullWidth(SearchWords):
    """A search at full width: a tree of plies, and below it levels of a batch."""

    room: int  # the most children that are made together above the batches
    most: int  # and on a level of a batch
    candidates_from: int  # so many plies ahead the candidates are enough
    at_once: int  # plies of a batch, at least 1
    first: int  # leaves, about, of a node's first batch
    target: int  # leaves, about, of its later ones
    ordered: int  # from so many plies on children are ordered by their own values
    together: int  # the depth of nodes whose children are refuted together; 0 for none
    few: int  # leaves, about, of a batch with a few likely replies to each; 0 where it has all
    history: int  # for each move how often it was the best one
    refuting: int  # for each move how many states it refuted whose replies are leaves
    answers: int  # for each move, and for none, the one last enough after it; -1 for none yet
    likely: int  # room for a state's likely replies
    likely_rank: int  # and for how often they refuted
    plies: int  # each a `Ply`
    levels: int  # each a `Level`; after those of a batch come those of the noisy moves below it
    step_in: int  # what step reads above the batches
    long_step_in: int  # and in them
    buckets: int  # where equal positions are found: entries of two words
    buckets_mask: int  # their number less one
    stamp: int  # counts up with whatever is overwritten
    key: int  # of the position that was looked up last: two words that tell it from others
    check: int


@layout
class States(Layout):
    """Columns of states, of what look says of them, and what they are worth."""

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
    owner: int  # children of a slot are in the next ply if its owner is what is filled in there
    filled: int
    cursor: int
    listed: int
    killer: int
    cut: int  # 1 if one move of the node that is searched there is expected to be enough
    best: int  # the slot of the child that has the best value


@layout
class Level(States):
    """A level of a batch."""

    parent: int  # of each edge to the next level, the state above
    copy: int  # and the one below
    low: int  # of each state its window
    high: int
    start: int  # and where its edges to leaves begin
    end: int  # and end
    count: int  # how many states
    edges: int  # how many edges


@layout
class PlayoutWords(GameWords):
    """Random games that are played side by side, each in a slot."""

    slots: int  # how many at most
    stride: int  # from column to column
    states: int  # columns, followed by those of the moves
    looks: int  # columns
    owner: int  # of each slot the number of its game
    age: int  # and how many plies of that have been played
    # Of each slot, while a move is chosen
    earlier: int  # columns: its moves before each mask
    left: int  # all of its moves
    bits: int  # which of them is chosen; the mask that has it
    nth: int  # which move of that mask it is
    move: int
    over: int  # the slots whose games are over
    count: int  # of slots that are in use
    # The games in all
    rows: int  # the states that they begin from, row after row
    games: int  # how many they are
    begun: int  # how many have begun
    results: int  # of each game, written when it has ended
    seed: int  # what is random
    longest: int  # plies after which a game is drawn
    plies: int  # that all games had together


# Why a search has ended
STOPPED, SPENT, NO_ROOM = 1, 2, 3

# The bits of a status above those of certain results
PASS_BIT = 60
"""Whether who moves may be supposed to pass."""
LATE = 61
"""Whether the state's counters matter."""
USE_CANDIDATES = 62
SECOND_MOVES = 63
"""Whether it is the turn of the second role."""
DRAWN = 2
"""The bit of a result that is a draw here and now."""

# A remembered position: bound, certain, depth and move of its fourth word
CERTAIN_BIT, DEPTH_BIT, MOVE_BIT = 2, 8, 16

# What is random in a game: see `advisor.engine.playouts.random_words`
OF_GAME, OF_PLY = -7046029254386353131, -2643881736870682267
MIX_1, MIX_2 = -4658895280553007687, -7723592293110705685
CHANCE_BITS = 31
