"""The memory of the selective look-ahead; see `advisor.engine.control`.

A task is a node of the search tree; its memory address is its name.
"""

from advisor.engine.control import SearchWords
from advisor.engine.nodes import WIN
from aspcircuits.layout import Layout, layout


@layout
class Selective(SearchWords):
    """A selective search."""

    # Tasks
    free: int  # addresses of free tasks
    free_count: int  # their number
    fewest: int  # the least number of free tasks so far
    tasks: int  # the first task
    task_size: int  # bytes of a task
    task_room: int  # number of tasks; if few are free, fewer moves are searched at once
    owed: int  # tasks of this round that may still need a free task
    moves_room: int  # moves that a task has room for; for more, the search restarts with twice
    children: int  # the most states that are made together
    waiting: int  # addresses of tasks whose states are still to be made
    waiting_count: int
    growing: int  # addresses of tasks whose children are still to be made
    growing_count: int
    older: int  # how many of these were there before the last ones came
    now: int  # room for the tasks of a round
    grown_tasks: int  # addresses of tasks that may have more children to search
    grown_count: int
    split: int  # room for tasks that are to search more children at once
    split_rank: int  # their priorities
    # Columns
    states: int  # of the tasks of a round: states
    said: int  # the output of look or noisy for them, noisy moves first
    legal: int  # within it, all legal moves
    status: int
    steps: int  # the input of step for them
    child_steps: int  # the same columns for their children
    child_states: int
    child_values: int
    rank: int  # room to put moves in order
    # Move statistics
    history: int  # of each move, for each side, how often it caused a cutoff
    killers: int  # two moves for each ply
    replies: int  # for each move, the last reply that caused a cutoff
    # How it is searched
    reductions: int  # plies, for each depth and place of a move: 64 * 64
    margin: int  # typical change of a value by a move
    root_depth: int
    move_count: int  # of the game
    pass_row: int  # row of the table for a null move; -1 for a game without one
    age: int  # table entries of an earlier age are ignored
    bonus: int  # of each move at the root; 0 for none
    done: int  # whether the search is finished


@layout
class TaskWords(Layout):
    """A node. Its line, state, moves, their values and their order follow in memory."""

    parent: int  # 0 at the root
    number: int  # of the move that led here; -1 for a null move
    index: int  # the index of that move among its parent's
    kind: int
    type: int
    depth: int  # for a quiet task, how many noisy moves have led there
    asked: int  # the requested depth; positions with few moves are searched deeper
    reduced: int  # plies by which the depth is reduced
    ply: int
    side: int
    alpha: int  # raised by the values that are found
    beta: int
    above: int  # the parent's alpha when the task was made
    least: int  # alpha at the beginning
    by_itself: int  # its static value
    best: int
    best_move: int
    hint: int
    count: int
    next: int
    open: int  # children that are being searched
    seen: int  # children that are finished
    state: int
    listed: int  # whether it is among the grown tasks
    calm: int  # whether a null move is allowed, see `PASS_BIT`
    key: int
    check: int
    length: int  # of its line


TARGET, MOST = 128, 512
"""Tasks of a round: enough to be worth the time of a call, and the most that there may be."""
CHILDREN = 1 << 13
"""The most states that are made together, unless a single task has more children."""

LONGEST = 100
"""The most plies, and moves of a line, that fit; deeper states are leaves."""

SPARE = LONGEST + 8
"""Tasks that stay free, so that the deepest task can always be searched to its end."""
LINE_FROM = TaskWords.dtype().itemsize // 8
STATE_FROM = LINE_FROM + LONGEST
"""The words of a task where its line and its state begin."""

NORMAL, QUIET = range(2)
"""Kinds of tasks: all moves; noisy moves alone."""
OPEN_WINDOW, CUT, ALL = range(3)
"""Node types, as expected from the windows and the tasks above."""
IDLE, NEW, GROWN, LEFT = range(4)
"""States of a task: free; without children yet; with children; with nothing waiting for it."""

NOISY_BIT = 32
"""The bit of a task's move that is set if the move is noisy."""

LEFT_OUT = -4 * WIN
"""Stands for the bonus of a move at the root that must not be chosen."""
