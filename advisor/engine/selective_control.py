"""The memory of the selective look-ahead: words after those of `advisor.engine.control`.

A task is a node of the tree that is being searched, in memory at the address that is its name.
"""

from advisor.engine.below import WIN
from advisor.engine.control import SIZE as _BEFORE

(
    # Tasks
    FREE,  # addresses of tasks that nobody has, ...
    FREE_COUNT,  # ... and how many
    TASKS,  # the first one
    TASK_SIZE,  # octets of each
    TASK_COUNT,
    MOVES_ROOM,  # moves that a task has room for
    WAITING,  # addresses of tasks whose states are still to be made, ...
    WAITING_COUNT,
    GROWING,  # ... of those whose children are
    GROWING_COUNT,
    NOW,  # room for the tasks of a round
    GROWN_TASKS,  # addresses of tasks that may have more children to search, ...
    GROWN_COUNT,
    SPLIT,  # ... room for those that are asked for more, ...
    SPLIT_RANK,  # ... and how much they are worth it
    TARGET,  # tasks of a round, about
    MOST_TASKS,  # and at most
    # Columns
    STATES,  # of the tasks of a round: states, ...
    LEGAL,  # their moves, ...
    NOISY,  # ... which of them are noisy, ...
    STATUS,
    SAID,  # all of that, as look or noisy says it, ...
    STEPS,  # ... what step reads of them, ...
    CHILD_STEPS,  # ... and of their children; likewise
    CHILD_STATES,
    CHILD_VALUES,
    RANK,  # room to put moves in order
    # What it has learnt
    HISTORY,  # of each move, for each side, how often it was enough
    KILLERS,  # two moves for each ply
    REPLIES,  # for each move the one last enough after it
    # How it is searched
    REDUCTIONS,  # plies, for each depth and number of a move: 64 * 64
    MARGIN,  # what a move changes, about
    FUTILE,  # so few plies above the end a move may be hopeless by itself, ...
    FEW_DEPTH,  # ... only a few moves are looked at, ...
    WELL_OFF,  # ... or the side to move needs no move at all
    FEW_MOVES,  # with so few moves a ply more is looked ahead
    ROOT_DEPTH,
    MOVE_COUNT,  # of the game
    PASS_ROW,  # of the table: no move at all; -1 for a game in which nobody passes
    AGE,  # what an earlier search has remembered is not looked at
    BONUS,  # of each move at the root; 0 for none
    # The answer
    DONE,
    ROUNDS,
    END,
) = range(_BEFORE, _BEFORE + 44)

# A task
(
    PARENT,  # 0 at the root
    NUMBER,  # of the move that led here; -1 for no move at all
    INDEX,  # of it among its parent's
    KIND,
    TYPE,
    DEPTH,  # for a quiet task, how many noisy moves have led there
    ASKED,  # the depth that was asked for, which few moves may raise
    REDUCED,  # plies by which that is less than it would be
    PLY,
    SIDE,
    ALPHA,  # raised by what is found
    BETA,
    FROM,  # what alpha was at first, for the parent
    LEAST,  # what alpha was at first
    BY_ITSELF,  # its value without a look ahead
    BEST,
    BEST_MOVE,
    HINT,
    COUNT,
    NEXT,
    OPEN,  # children that are being searched
    SEEN,  # children that have been
    STATE,
    LISTED,  # whether it is among the grown tasks
    CALM,  # whether it may be supposed that its side passes
    KEY,
    CHECK,
    LENGTH,
    LINE,  # so many moves
) = range(29)
LONGEST = 100
"""Plies that there is room for."""
WORDS_FROM = LINE + LONGEST
"""Where the state begins; after it the moves, their values and their order."""

NORMAL, QUIET = range(2)
"""Kinds: all moves; noisy moves alone."""
OPEN_WINDOW, CUT, ALL = range(3)
"""Types: what the windows and the tasks above let expect of it."""
IDLE, NEW, GROWN, LEFT = range(4)
"""States of a task: free; without children yet; with them; without anybody who waits for it."""

NOISY_BIT = 32
"""Of a task's moves, whether it is a noisy one."""
PASS_BIT = 60
"""Of a status, whether who moves may be supposed to pass."""

LEFT_OUT = -4 * WIN
"""In place of a bonus, of a move at the root that is not to be chosen."""
