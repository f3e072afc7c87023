"""The memory of the selective look-ahead; see `advisor.engine.control`.

A task is a node of the tree that is being searched, in memory at the address that is its name.
"""

from advisor.engine.control import SearchWords
from advisor.engine.nodes import WIN
from aspcircuits.layout import Layout, layout


@layout
class Selective(SearchWords):
    """A selective search."""

    # Tasks
    free: int  # addresses of tasks that nobody has, ...
    free_count: int  # ... and how many
    fewest: int  # how many there were at the least
    tasks: int  # the first one
    task_size: int  # octets of each
    task_room: int  # how many there are; where few are free, fewer moves are searched at once
    owed: int  # tasks of this round that may still need a free one
    moves_room: int  # moves that a task has room for; for more the search begins anew with twice
    children: int  # states that are made together at most
    waiting: int  # addresses of tasks whose states are still to be made, ...
    waiting_count: int
    growing: int  # ... of those whose children are
    growing_count: int
    older: int  # how many of them were there before the last ones
    now: int  # room for the tasks of a round
    grown_tasks: int  # addresses of tasks that may have more children to search, ...
    grown_count: int
    split: int  # ... room for those that are asked for more, ...
    split_rank: int  # ... and how much they are worth it
    # Columns
    states: int  # of the tasks of a round: states, ...
    said: int  # what look or noisy says of them, noisy moves first, ...
    legal: int  # ... in it all moves, ...
    status: int
    steps: int  # ... what step reads of them, ...
    child_steps: int  # ... and of their children; likewise
    child_states: int
    child_values: int
    rank: int  # room to put moves in order
    # What it has learnt
    history: int  # of each move, for each side, how often it was enough
    killers: int  # two moves for each ply
    replies: int  # for each move the one last enough after it
    # How it is searched
    reductions: int  # plies, for each depth and number of a move: 64 * 64
    margin: int  # what a move changes, about
    root_depth: int
    move_count: int  # of the game
    pass_row: int  # of the table: no move at all; -1 for a game in which nobody passes
    age: int  # what an earlier search has remembered is not looked at
    bonus: int  # of each move at the root; 0 for none
    done: int  # whether the answer is there


@layout
class TaskWords(Layout):
    """A node. After it come its line, its state, its moves, their values and their order."""

    parent: int  # 0 at the root
    number: int  # of the move that led here; -1 for no move at all
    index: int  # of it among its parent's
    kind: int
    type: int
    depth: int  # for a quiet task, how many noisy moves have led there
    asked: int  # the depth that was asked for, which few moves may raise
    reduced: int  # plies by which that is less than it would be
    ply: int
    side: int
    alpha: int  # raised by what is found
    beta: int
    above: int  # what the parent's alpha was
    least: int  # what alpha was at first
    by_itself: int  # its value without a look ahead
    best: int
    best_move: int
    hint: int
    count: int
    next: int
    open: int  # children that are being searched
    seen: int  # children that have been
    state: int
    listed: int  # whether it is among the grown tasks
    calm: int  # whether it may be supposed that its side passes
    key: int
    check: int
    length: int  # of its line


TARGET, MOST = 128, 512
"""Tasks of a round: so many are worth the time that a call takes, so many there may be."""
CHILDREN = 1 << 13
"""States that are made together at most, or all children of a single task."""

LONGEST = 100
"""Plies, and moves of a line, that there is room for; deeper states are leaves."""

SPARE = LONGEST + 8
"""Tasks that stay free for the deepest task of all to be searched to its end."""
LINE_FROM = TaskWords.dtype().itemsize // 8
STATE_FROM = LINE_FROM + LONGEST
"""The words of a task where its line and its state begin."""

NORMAL, QUIET = range(2)
"""Kinds: all moves; noisy moves alone."""
OPEN_WINDOW, CUT, ALL = range(3)
"""Types: what the windows and the tasks above let expect of it."""
IDLE, NEW, GROWN, LEFT = range(4)
"""States of a task: free; without children yet; with them; without anybody who waits for it."""

NOISY_BIT = 32
"""Of a task's moves, whether it is a noisy one."""

LEFT_OUT = -4 * WIN
"""In place of a bonus, of a move at the root that is not to be chosen."""
