"""The selective look-ahead as compiled code: hopeless moves are pruned or searched less deeply.

Like `advisor.engine.kernel`, it works for any game, but its values may differ from a full-width
search. It saves work by:

    null move    a side that would be well off even after passing need not search its moves
                 (Donninger 1993)
    reductions   moves late in a good order are searched less deeply, and again at full depth if
                 they turn out better than expected (late move reductions; Romstad 2006)
    futility     a move is pruned if its static value is too far below alpha

Forced results are never guessed: a loss is one only if every reply was searched and loses, and
anything pruned counts as a value that is not forced.

A call of the game's functions takes as long for one state as for a whole block. So the search is
not recursive: nodes are tasks that wait for their states, and each round makes the states of all
waiting tasks together, wherever they are in the tree. If few tasks wait, some that would search
their moves one by one search several of them at once (young brothers wait: Feldmann, Mysliwietz,
Vornberger 1994). With one thread, the same call gives the same result.

Values are for the side to move in each task, and count forced results from there. Only the process
that compiles the code imports this module.
"""

from advisor.engine import control as c
from advisor.engine import selective_control as s
from advisor.engine.nodes import AT_LEAST, AT_MOST, EXACT, FORCED, WIN
from advisor.engine.states import (
    FACTOR_2,
    NONE,
    certain,
    copy_words,
    from_node,
    identity,
    insert_sorted,
    is_recurrence,
    position_key,
    read_entry,
    rows_of,
    run,
    settles,
    sign,
    write_entry,
    write_step_input,
)
from aspcircuits.compiling import Words, at, function, inline, lowest, record_at

selective_at, task_at = record_at(s.Selective), record_at(s.TaskWords)

_NUMBER = (1 << s.NOISY_BIT) - 1
"""The bits of a task's move that are its number."""

_AGE_BIT = 40
"""The lowest bit of the age, in the word of a table entry with depth, move and bound."""

_MOST_HISTORY = 1 << 14

_FUTILE, _FEW_DEPTH, _WELL_OFF = 3, 2, 5
"""Greatest depths for futility pruning, late move pruning and reverse futility pruning."""

_FEW_MOVES = 3
"""With at most this many moves, a position is searched one ply deeper."""


@inline
def state_of(task: int) -> int:
    """Return the address of a task's state."""
    return task + 8 * s.STATE_FROM


@inline
def moves_of(b: s.Selective, task: int) -> Words:
    """Return a task's moves."""
    return at(state_of(task) + 8 * b.words)


@inline
def values_of(b: s.Selective, task: int) -> Words:
    """Return the static values of the states that a task's moves lead to."""
    return at(state_of(task) + 8 * (b.words + b.moves_room))


@inline
def order_of(b: s.Selective, task: int) -> int:
    """Return the address of the order of a task's moves."""
    return state_of(task) + 8 * (b.words + 2 * b.moves_room)


@inline
def history_of(b: s.Selective, t: s.TaskWords) -> Words:
    """Return how often each move of a task's side caused a cutoff."""
    return at(b.history + 8 * t.side * b.move_count)


@inline
def reply_to(b: s.Selective, t: s.TaskWords) -> Words:
    """Return the last move that caused a cutoff after the move that led to a task."""
    return at(b.replies + 8 * (t.side * b.move_count + t.number))


@inline
def killers_of(b: s.Selective, t: s.TaskWords) -> Words:
    """Return the two last moves that caused a cutoff at a task's ply."""
    return at(b.killers + 16 * t.ply)


@inline
def is_forced(value: int) -> int:
    """Return whether a value stands for a won or lost game."""
    return value >= FORCED or value <= -FORCED


@function
def recall_state(m: int, task: int) -> int:
    """Return the table's data on a task's state and set `known` to its value; or 0."""
    b, t = selective_at(m), task_at(task)
    place = (t.key >> 16) & b.memory_mask
    for i in range(2):
        meta = read_entry(m, b.memory + 32 * (place ^ i), t.key, t.check)
        if meta != 0 and meta >> _AGE_BIT == b.age:
            return meta
    return 0


@function
def remember(m: int, task: int, bound: int) -> int:
    """Store a task's result in the table, in place of the shallower of two entries."""
    b, t = selective_at(m), task_at(task)
    place = (t.key >> 16) & b.memory_mask
    chosen, least = place, 1 << 30
    for i in range(2):
        entry = at(b.memory + 32 * (place ^ i))
        meta = entry[3]
        if entry[0] ^ entry[2] ^ meta == t.key:
            chosen = place ^ i
            break
        worth = (meta >> c.DEPTH_BIT) & 255 if meta >> _AGE_BIT == b.age else -1
        if worth < least:
            least, chosen = worth, place ^ i
    move = t.best_move if t.best_move >= 0 else t.hint
    depth = max(0, t.depth)
    meta = (b.age << _AGE_BIT) | ((move + 1) << c.MOVE_BIT) | (depth << c.DEPTH_BIT) | bound
    return write_entry(b.memory + 32 * chosen, t.key, t.check, t.best, meta)


@function
def release(m: int, task: int) -> int:
    """Free a task."""
    b = selective_at(m)
    task_at(task).state = s.IDLE
    at(b.free)[b.free_count] = task
    b.free_count += 1
    return 0


@function
def is_abandoned(task: int) -> int:
    """Return whether nothing waits for a task's result any more."""
    while task != 0:
        if task_at(task).state == s.LEFT:
            return 1
        task = task_at(task).parent
    return 0


@function
def drop(m: int, task: int) -> int:
    """Free a task that nothing waits for, and the tasks above that waited only for it."""
    while True:
        parent = task_at(task).parent
        release(m, task)
        p = task_at(parent)
        p.open -= 1
        if p.open > 0:
            return 0
        if p.state == s.LEFT:
            release(m, parent)
            return 0
        task = parent


@function
def bonus(m: int, task: int, number: int) -> int:
    """Return the bonus of a move at the root, 0 elsewhere."""
    b = selective_at(m)
    if task_at(task).parent != 0 or b.bonus == 0:
        return 0
    return at(b.bonus)[number]


@function
def subtract_bonus(value: int, more: int) -> int:
    """Return a value without a bonus of `more`, which forced values do not have."""
    return value if is_forced(value) else value - more


@function
def begin_task(
    m: int, task: int, parent: int, number: int, kind: int, expected: int, depth: int
) -> int:
    """Initialise a task and make it wait for its state."""
    b, t = selective_at(m), task_at(task)
    t.parent, t.number = parent, number
    t.kind, t.type, t.depth, t.asked = kind, expected, depth, depth
    t.best, t.best_move, t.hint = NONE, -1, -1
    t.count, t.next, t.open, t.seen = 0, 0, 0, 0
    t.state, t.listed, t.calm, t.length = s.NEW, 0, 0, 0
    at(b.waiting)[b.waiting_count] = task
    b.waiting_count += 1
    return 0


@function
def launch(
    m: int,
    parent: int,
    number: int,
    index: int,
    kind: int,
    expected: int,
    depth: int,
    reduced: int,
    low: int,
    high: int,
) -> int:
    """Make a task for a move or a null move; its value matters above between `low` and `high`."""
    b, p = selective_at(m), task_at(parent)
    b.free_count -= 1
    b.fewest = min(b.fewest, b.free_count)
    task = at(b.free)[b.free_count]
    t = task_at(task)
    begin_task(m, task, parent, number, kind, expected, depth)
    t.index, t.reduced, t.above = index, reduced, low
    t.by_itself = -p.by_itself
    if number >= 0:
        more = bonus(m, parent, number)
        low, high = subtract_bonus(low, more), subtract_bonus(high, more)
        t.by_itself = more - values_of(b, parent)[index]
    t.alpha, t.beta = -from_node(high, -1), -from_node(low, -1)
    t.least, t.ply, t.side = t.alpha, p.ply + 1, 1 - p.side
    p.open += 1
    return task


@function
def better(m: int, task: int, value: int, number: int, child: int) -> int:
    """Update a task's best value by that of a move or of pruned moves.

    `child` is the task with the line after the move, or 0.
    """
    t = task_at(task)
    if value > t.best:
        t.best = value
        if value > t.alpha:
            t.alpha, t.best_move = value, number
            if t.type == s.OPEN_WINDOW:
                line = at(task + 8 * s.LINE_FROM)
                line[0], t.length = number, 1
                if child != 0 and task_at(child).kind == s.NORMAL:
                    length = min(task_at(child).length, s.LONGEST - 1)
                    rest = at(child + 8 * s.LINE_FROM)
                    for i in range(length):
                        line[1 + i] = rest[i]
                    t.length = length + 1
    return 0


@function
def expected_below(kind: int, first: int) -> int:
    """Return the node type of a child's task."""
    if kind == s.OPEN_WINDOW:
        return s.OPEN_WINDOW if first else s.CUT
    return s.ALL if kind == s.CUT else s.CUT


@function
def reduction(m: int, task: int, place: int, move: int, depth: int) -> int:
    """Return by how many plies the first search of a move is reduced."""
    b, t = selective_at(m), task_at(task)
    number = move & _NUMBER
    if t.calm == 0 or number == t.hint or depth < 2 or place < 2 or move >> s.NOISY_BIT:
        return 0
    plies = at(b.reductions)[64 * min(depth, 63) + min(place, 63)]
    if t.type == s.OPEN_WINDOW:
        plies -= 1
    killers = killers_of(b, t)
    if killers[0] == number or killers[1] == number:
        plies -= 1
    plies -= history_of(b, t)[number] // (_MOST_HISTORY // 2)
    return max(0, min(plies, depth - 1))


@function
def pruned_value(m: int, task: int, place: int, move: int, own: int, depth: int) -> int:
    """Return the value of a move that is pruned; NONE if it has to be searched."""
    b, t = selective_at(m), task_at(task)
    if place == 0 or t.type == s.OPEN_WINDOW or t.calm == 0 or is_forced(t.alpha):
        return NONE
    if move & _NUMBER == t.hint:
        return NONE
    if depth <= _FUTILE and own + b.margin * depth <= t.alpha:
        return own + b.margin * depth
    late = depth <= _FEW_DEPTH and place >= 3 + 2 * depth * depth
    return t.alpha if late and move >> s.NOISY_BIT == 0 else NONE


@function
def try_move(m: int, task: int, place: int) -> int:
    """Search the move at a place of the order, or prune it and take its value."""
    b, t = selective_at(m), task_at(task)
    i = at(order_of(b, task))[place]
    move, own = moves_of(b, task)[i], values_of(b, task)[i]
    number, alpha, depth = move & _NUMBER, t.alpha, t.depth - 1
    if t.kind == s.QUIET or depth <= 0:
        followed = t.depth + 1 if t.kind == s.QUIET else 0
        if own <= alpha or followed >= b.noisy_plies:
            return better(m, task, own, number, 0)
        kind = expected_below(t.type, 1)
        return launch(m, task, number, i, s.QUIET, kind, followed, 0, alpha, t.beta)
    instead = pruned_value(m, task, place, move, own, depth)
    if instead != NONE:
        return better(m, task, instead, number, 0)
    first = 1 if place == 0 and t.type == s.OPEN_WINDOW else 0
    less = reduction(m, task, place, move, depth)
    kind, high = expected_below(t.type, first), t.beta if first else alpha + 1
    return launch(m, task, number, i, s.NORMAL, kind, depth - less, less, alpha, high)


@function
def advance(m: int, task: int) -> int:
    """Start the search of more of a task's moves; return 1 if no move is left that matters."""
    b, t = selective_at(m), task_at(task)
    while t.next < t.count:
        if t.best >= t.beta:
            return 1
        alone = t.seen == 0 and t.type != s.ALL  # the first reply may be enough
        crowded = b.waiting_count >= s.TARGET or b.free_count <= s.SPARE + b.owed
        if t.open > 0 and (alone or crowded):
            return 0
        t.next += 1
        try_move(m, task, t.next - 1)
    return 1 if t.open == 0 or t.best >= t.beta else 0


@function
def learnt(m: int, task: int) -> int:
    """Update the move statistics after a cutoff: the best move gains, those tried before lose."""
    b, t = selective_at(m), task_at(task)
    best = t.best_move
    killers = killers_of(b, t)
    if killers[0] != best:
        killers[1] = killers[0]
        killers[0] = best
    if t.number >= 0:
        reply_to(b, t)[0] = best
    history = history_of(b, t)
    more = min(32 * t.depth * t.depth, _MOST_HISTORY // 8)
    history[best] += more - history[best] * more // _MOST_HISTORY
    moves, order = moves_of(b, task), at(order_of(b, task))
    for place in range(t.next):
        number = moves[order[place]] & _NUMBER
        if number != best:
            history[number] -= more + history[number] * more // _MOST_HISTORY
    return 0


@function
def receive_result(m: int, task: int, child: int) -> int:
    """Take the result of a child; return 1 if that completes the task."""
    b, t, f = selective_at(m), task_at(task), task_at(child)
    value, number = -from_node(f.best, 1), f.number
    if number < 0:
        if value >= t.beta:
            t.best = value if value < FORCED else t.beta
            return 1
        at(b.growing)[b.growing_count] = task
        b.growing_count += 1
        return 0
    value = subtract_bonus(value, -bonus(m, task, number))
    if value > f.above and f.kind == s.NORMAL:
        reduced = f.reduced > 0 and value < FORCED
        narrow = t.type == s.OPEN_WINDOW and f.type != s.OPEN_WINDOW and value < t.beta
        if reduced or narrow:
            kind, high = (f.type, t.alpha + 1) if reduced else (s.OPEN_WINDOW, t.beta)
            depth = f.asked + f.reduced
            launch(m, task, number, f.index, s.NORMAL, kind, depth, 0, t.alpha, high)
            return 0
    t.seen += 1
    better(m, task, value, number, child)
    if t.best >= t.beta:
        return 1
    return advance(m, task)


@function
def complete(m: int, task: int) -> int:
    """Finish a task whose value is known, and continue the tasks that wait for it."""
    b = selective_at(m)
    while True:
        t = task_at(task)
        if t.kind == s.NORMAL:
            bound = EXACT
            if t.best >= t.beta:
                bound = AT_LEAST
                if t.best_move >= 0 and t.state == s.GROWN:
                    learnt(m, task)
            elif t.best <= t.least:
                bound = AT_MOST
            if t.key != 0:
                remember(m, task, bound)
        parent = t.parent
        if parent == 0:
            b.done = 1
            return 0
        p = task_at(parent)
        p.open -= 1
        known = 0
        unwanted = p.state == s.LEFT
        if not unwanted:
            known = receive_result(m, parent, task)
        if t.open > 0:
            t.state = s.LEFT
        else:
            release(m, task)
        if unwanted:
            if p.open == 0:
                release(m, parent)
            return 0
        if known == 0:
            return 0
        task = parent


@function
def gather_tasks(m: int) -> int:
    """Choose the tasks of a round; return their number.

    Each may need one free task. If few are free, a round has one task, the deepest one, which needs
    at most as many as a line has plies: so there is always one.
    """
    b = selective_at(m)
    waiting, now = at(b.waiting), at(b.now)
    most = max(1, min(s.MOST, b.free_count - s.SPARE))
    taken = 0
    while b.waiting_count > 0 and taken < most:
        b.waiting_count -= 1
        task = waiting[b.waiting_count]
        if is_abandoned(task):
            drop(m, task)
        else:
            now[taken] = task
            taken += 1
    return taken


@function
def look_at_states(m: int, count: int) -> int:
    """Call look, or noisy if there are noisy moves, on the states of a round."""
    b = selective_at(m)
    name = c.NOISY if b.noisy_plies else c.LOOK
    return run(m, name, b.states, b.stride, b.said, 0, count)


@function
def make_states(m: int, count: int) -> int:
    """Make the states of a round's tasks, and call the game's functions on them."""
    b = selective_at(m)
    stride, now = b.stride, at(b.now)
    for i in range(count):
        task = now[i]
        t = task_at(task)
        parent, row = t.parent, 0
        if parent == 0:
            parent = task
        elif t.number < 0:
            row = b.pass_row
        else:
            row = t.number + (b.second_rows if t.side == 0 else 0)
        write_step_input(m, state_of(parent), 1, row, b.steps + 8 * i, stride)
    run(m, c.STEP, b.steps, stride, b.states, 0, count)
    for i in range(count):
        state = state_of(now[i])
        if task_at(now[i]).parent == 0:
            copy_words(b.words, state, 1, b.states + 8 * i, stride)
        else:
            copy_words(b.words, b.states + 8 * i, stride, state, 1)
    return look_at_states(m, count)


@function
def list_moves(m: int, task: int, i: int) -> int:
    """List the moves of the i-th task of the round.

    Return 0 if there is no room, which ends the search.
    """
    b, t = selective_at(m), task_at(task)
    stride, room = b.stride, b.moves_room
    moves = moves_of(b, task)
    noisy = at(b.said)
    legal = at(b.said if t.kind == s.QUIET else b.legal)
    count = 0
    for w in range(b.masks):
        bits = legal[w * stride + i]
        loud = noisy[w * stride + i] if b.noisy_plies else 0
        while bits:
            bit = lowest(bits)
            bits &= bits - 1
            if count == room:
                b.ended = c.NO_ROOM
                return 0
            moves[count] = 64 * w + bit + (((loud >> bit) & 1) << s.NOISY_BIT)
            count += 1
    t.count = count
    return 1


@function
def known_of(m: int, task: int, i: int, status: int) -> int:
    """Return whether the value of the i-th task of the round is certain or in the table."""
    b, t = selective_at(m), task_at(task)
    known = certain(m, status, 0)
    if known != NONE:
        t.best = known * sign(m, status)
        return 1
    state = b.states + 8 * i
    t.key = position_key(m, state, b.stride, status, t.ply)
    t.check = identity(m, state, b.stride, status, FACTOR_2)
    meta = recall_state(m, task)
    if meta == 0:
        return 0
    t.hint = ((meta >> c.MOVE_BIT) & ((1 << 24) - 1)) - 1
    known = b.known
    forced = is_forced(known)
    deep = forced or (meta >> c.DEPTH_BIT) & 255 >= t.depth
    if t.type == s.OPEN_WINDOW or not deep or not settles(meta & 3, known, t.alpha, t.beta):
        return 0
    b.guesses += 0 if forced else 1
    t.best, t.key = known, 0
    return 1


@function
def by_itself(m: int, task: int) -> int:
    """Give a task its static value, which is heuristic; always return 1."""
    selective_at(m).guesses += 1
    t = task_at(task)
    t.best, t.key = t.by_itself, 0
    return 1


@function
def examine_task(m: int, task: int, i: int) -> int:
    """Examine the state of the i-th task of the round; return 1 if that settles its value."""
    b, t = selective_at(m), task_at(task)
    b.nodes += 1
    t.key = 0
    if t.ply >= s.LONGEST - 2:
        return by_itself(m, task)
    own, beta = t.by_itself, t.beta
    if t.kind == s.QUIET:
        by_itself(m, task)
        t.alpha = max(t.alpha, own)
        if own >= beta:
            return 1
        if list_moves(m, task, i) == 0:
            return 0
    else:
        status = at(b.status)[i]
        t.calm = 1 if b.pass_row < 0 else (status >> c.PASS_BIT) & 1
        if t.parent == 0 and b.exchanges == 0:
            t.side = 1 if status < 0 else 0
        if known_of(m, task, i, status):
            return 1
        calm = t.type != s.OPEN_WINDOW and not is_forced(beta) and t.calm and t.number >= 0
        if calm and t.depth <= _WELL_OFF and own - b.margin * t.depth >= beta:
            return by_itself(m, task)
        if list_moves(m, task, i) == 0:
            return 0
        if t.count <= _FEW_MOVES and t.parent != 0 and t.ply < 2 * b.root_depth:
            t.depth += 1
        elif t.hint < 0 and t.depth >= 4 and t.parent != 0:
            t.depth -= 1
        if calm and b.pass_row >= 0 and t.depth >= 2 and own >= beta:
            depth = t.depth - 3 - t.depth // 4 - min(2, (own - beta) // (2 * b.margin))
            kind = s.NORMAL if depth > 0 else s.QUIET
            type_ = expected_below(t.type, 0)
            launch(m, task, -1, 0, kind, type_, max(0, depth), 0, beta - 1, beta)
            return 0
    if t.count == 0:
        t.best = own
        return 1
    at(b.growing)[b.growing_count] = task
    b.growing_count += 1
    return 0


@function
def rank_of(m: int, task: int, move: int, own: int) -> int:
    """Return the priority of a move that leads to a state with this static value."""
    b, t = selective_at(m), task_at(task)
    number = move & _NUMBER
    if number == t.hint:
        return 8 * WIN
    if t.kind == s.QUIET or t.depth <= 1:
        return own
    killers = killers_of(b, t)
    if move >> s.NOISY_BIT:
        return 4 * WIN + own
    if number == killers[0]:
        return 3 * WIN
    if number == killers[1]:
        return 2 * WIN
    rank = min(own - t.by_itself, b.margin // 2) * 64 + history_of(b, t)[number]
    if t.number >= 0 and number == reply_to(b, t)[0]:
        rank += _MOST_HISTORY
    return rank


@function
def order_moves(m: int, task: int, first: int, turned: int) -> int:
    """Order a task's moves by the values of their states, which begin at `first`.

    Certain values count at once. Return 1 if that settles the value of the task.
    """
    b, t = selective_at(m), task_at(task)
    long, ply = b.long, t.ply + 1
    moves, values = moves_of(b, task), values_of(b, task)
    found, states = at(b.child_values), b.child_states
    some_again = at(b.drawn_count)[ply & 1]
    count = 0
    for i in range(t.count):
        value, number = found[first + i], moves[i] & _NUMBER
        sure, own = value & 1, from_node(value >> 1, 1) * turned
        if some_again and is_recurrence(m, states + 8 * (first + i), long, ply):
            sure, own = 1, 0
        more = bonus(m, task, number)
        if more == s.LEFT_OUT:
            continue
        own = subtract_bonus(own, -more)
        if sure:
            better(m, task, own, number, 0)
            continue
        b.guesses += 1
        rank = rank_of(m, task, moves[i], own)
        moves[count], values[count] = moves[i], own
        count = insert_sorted(order_of(b, task), b.rank, count, count, rank)
    t.count, t.state = count, s.GROWN
    if t.best >= t.beta:
        return 1
    if t.kind == s.NORMAL and t.listed == 0:
        t.listed = 1
        at(b.grown_tasks)[b.grown_count] = task
        b.grown_count += 1
    return advance(m, task)


@function
def make_children(m: int) -> int:
    """Make the children of tasks that wait for them, as many as there is room for.

    Each task may need one free task, as in `gather_tasks`.
    """
    b = selective_at(m)
    long, now, growing = b.long, at(b.now), at(b.growing)
    most = max(1, b.free_count - s.SPARE)
    made, taken = 0, 0
    while b.growing_count > 0 and taken < most:
        task = growing[b.growing_count - 1]
        t = task_at(task)
        if is_abandoned(task):
            b.growing_count -= 1
            drop(m, task)
            continue
        if made + t.count > b.children:
            break
        b.growing_count -= 1
        moves, rows = moves_of(b, task), rows_of(m, -t.side)
        for i in range(t.count):
            row = rows + (moves[i] & _NUMBER)
            write_step_input(m, state_of(task), 1, row, b.child_steps + 8 * (made + i), long)
        made += t.count
        if t.kind == s.QUIET:
            b.added += t.count
        else:
            b.leaves += t.count
        now[taken] = task
        taken += 1
    b.older = b.growing_count
    if taken == 0:
        return 0
    run(m, c.STEP, b.child_steps, long, b.child_states, 0, made)
    run(m, c.LEAF, b.child_states, long, b.child_values, 0, made)
    first = 0
    for k in range(taken):
        task = now[k]
        t = task_at(task)
        after = first + t.count
        b.owed = taken - k - 1
        turned = -1 if b.exchanges or t.side else 1
        if order_moves(m, task, first, turned):
            complete(m, task)
            if b.done:
                return 0
        first = after
    return 0


@function
def split_tasks(m: int) -> int:
    """If few tasks wait, let others search several moves at once, the deepest ones first."""
    b = selective_at(m)
    want = s.TARGET - b.waiting_count
    tasks, chosen = at(b.grown_tasks), at(b.split)
    kept, count = 0, 0
    for k in range(b.grown_count):
        task = tasks[k]
        t = task_at(task)
        if t.state != s.GROWN or t.next >= t.count:
            t.listed = 0
            continue
        tasks[kept] = task
        kept += 1
        if want > 0 and t.open > 0 and (t.seen > 0 or t.type == s.ALL):
            rank = 2 * t.depth + (0 if t.type == s.CUT else 3)
            if count == want:
                if at(b.split_rank)[count - 1] >= rank:
                    continue
                count -= 1
            count = insert_sorted(b.split, b.split_rank, count, task, rank)
    b.grown_count = kept
    for k in range(count):
        if b.waiting_count >= s.TARGET:
            break
        task = chosen[k]
        if task_at(task).state != s.GROWN or is_abandoned(task):
            continue
        if advance(m, task):
            complete(m, task)
            if b.done:
                break
    return 0


@function
def open_root(m: int, depth: int, alpha: int, beta: int) -> int:
    """Make the root, whose state is there, the only task, and let it wait."""
    b = selective_at(m)
    root, last = b.tasks, b.task_room - 1
    b.ended, b.done, b.owed, b.root_depth = 0, 0, 0, depth
    b.waiting_count, b.growing_count, b.grown_count, b.free_count = 0, 0, 0, last
    b.fewest, b.older = last, 0
    for k in range(last):
        at(b.free)[k] = root + (last - k) * b.task_size
    copy_words(b.words, state_of(root), 1, b.states, b.stride)
    run(m, c.LEAF, b.states, b.stride, b.child_values, 0, 1)
    look_at_states(m, 1)
    status, t = at(b.status)[0], task_at(root)
    begin_task(m, root, 0, -1, s.NORMAL if depth > 0 else s.QUIET, s.OPEN_WINDOW, depth)
    t.by_itself = (at(b.child_values)[0] >> 1) * sign(m, status)
    t.index, t.reduced, t.ply, t.side = 0, 0, 0, 1 if status < 0 else 0
    t.alpha, t.beta, t.least = alpha, beta, alpha
    return 0


@function
def think(m: int, depth: int, alpha: int, beta: int) -> int:
    """Return the value of the root's state, whose game goes on, for its side to move.

    At depth 0 it is the value after noisy moves alone. If the search ends early, it is the best
    value that the root had by then.

    If few tasks are free, the task that was changed last goes on: each of the others could leave a
    line of unfinished tasks, for which there is no room.
    """
    b = selective_at(m)
    open_root(m, depth, alpha, beta)
    while b.done == 0 and b.ended == 0:
        if b.stop != 0:
            b.ended = c.STOPPED
            break
        count = 0
        if b.free_count > s.SPARE or b.growing_count <= b.older:
            b.older = b.growing_count
            count = gather_tasks(m)
        if count > 0:
            make_states(m, count)
        for i in range(count):
            task = at(b.now)[i]
            b.owed = count - i - 1
            if examine_task(m, task, i):
                complete(m, task)
            if b.done or b.ended:
                break
        if b.done == 0 and b.ended == 0:
            if b.free_count > s.SPARE or b.growing_count > b.older or b.waiting_count == 0:
                make_children(m)
            b.owed = 0
            if b.done == 0:
                split_tasks(m)
    return task_at(b.tasks).best
