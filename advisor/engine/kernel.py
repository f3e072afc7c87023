"""The look-ahead as compiled code: alpha-beta over rows of machine words, for any game.

It is the search of `advisor.engine.search` below one position, with the same values. The game is
three functions that it calls through pointers, on blocks of states:

    look    states -> moves, candidates if the game names any, status
    step    states, each with the table's row of a move -> states
    leaf    states -> twice the value, plus one if it is certain

Arrays of states are columns of words: word w of state i is ``columns[w * stride + i]``. A call
takes as long for one state as for a whole block. So the last plies are batches, in which equal
positions are merged. Above them, a node's children are made together with the children of later
siblings, as far as there is room. `advisor.engine.control` names the words of the memory that holds
everything else.

Values of states are for the first role, or for the side to move in games that show states from its
view. Functions return values for the side to move. Forced values count plies from the root of the
call.

Only the process that compiles the code imports this module, since that takes seconds.
"""

from collections.abc import Callable

from advisor.engine import control as c
from advisor.engine.batches import batch, by_themselves, search_replies
from advisor.engine.nodes import AT_LEAST, AT_MOST, EXACT, FORCED, WIN
from advisor.engine.states import (
    FACTOR_2,
    NONE,
    append_steps,
    certain,
    copy_words,
    draw_again,
    from_node,
    identity,
    insert_sorted,
    level_at,
    ply_at,
    position_key,
    read_entry,
    run,
    settles,
    sign,
    sign_below,
    statuses,
    tree_at,
    width,
    write_entry,
)
from aspcircuits.compiling import at, function, inline

_FEWEST = 4
"""Least number of likely replies to try."""


@function
def expand(m: int, ply: int, slot: int, depth: int) -> int:
    """Make the children of a slot and of later siblings; return 0 if not even its own have room."""
    b = tree_at(m)
    stride = b.stride
    here, below = ply_at(b.plies, ply), ply_at(b.plies, ply + 1)
    b.stamp += 1
    below.filled = b.stamp
    status, order = statuses(m, here.looks, stride), at(here.order)
    first_child, children, owner = at(here.first_child), at(here.children), at(here.owner)
    states, looks, move, parents = here.states, here.looks, below.move, below.owner
    made, cursor = 0, here.cursor
    while True:
        count = width(m, looks + 8 * slot, stride, depth)
        if made + count > b.room:
            if made == 0:
                return 0
            break
        first_child[slot], children[slot], owner[slot] = made, count, b.stamp
        own, into, most = status[slot], b.step_in, b.room + 64  # there is room for this one
        made = append_steps(
            m, states, looks, stride, slot, own, depth, into, made, most, move, parents, -1
        )
        cursor += 1
        if cursor >= here.listed:
            break
        slot = order[cursor]
    run(m, c.STEP, b.step_in, stride, below.states, ply, made)
    run(m, c.LOOK, below.states, stride, below.looks, ply + 1, made)
    draw_again(m, below.states, below.looks, stride, ply + 1, made)
    if depth >= b.ordered:
        run(m, c.LEAF, below.states, stride, below.values, ply + 1, made)
    return 1


@function
def list_children(m: int, ply: int, slot: int, depth: int, hint: int) -> int:
    """Return the best value of a slot's children that are certain; `NONE` if none is.

    Its move goes to `best` of the ply below. The other children are ordered, and `listed` counts
    them.
    """
    b = tree_at(m)
    here, below = ply_at(b.plies, ply), ply_at(b.plies, ply + 1)
    status, move, values = statuses(m, below.looks, b.stride), at(below.move), at(below.values)
    history, answer = at(b.history), at(b.answers)[at(here.move)[slot]]
    turned = sign_below(m, statuses(m, here.looks, b.stride)[slot])
    first = at(here.first_child)[slot]
    by_value = depth >= b.ordered
    best, count = NONE, 0
    below.best = -1
    for i in range(first, first + at(here.children)[slot]):
        known = certain(m, status[i], depth - 1)
        if known != NONE:
            known = from_node(known, ply + 1) * turned
            if known > best:
                best, below.best = known, move[i]
            continue
        better = history[move[i]]
        if by_value:
            better = (values[i] >> 1) * turned
        if move[i] == below.killer:
            better = 2 * WIN
        if move[i] == answer:
            better = 4 * WIN
        if move[i] == hint:
            better = 8 * WIN
        count = insert_sorted(below.order, below.rank, count, i, better)
    below.listed = count
    return best


@function
def fill(m: int, ply: int, slot: int, place: int) -> int:
    """Copy a slot of a ply to a place on level 0 of the batch."""
    b = tree_at(m)
    here, level = ply_at(b.plies, ply), level_at(b.levels)
    copy_words(b.words, here.states + 8 * slot, b.stride, level.states + 8 * place, b.long)
    copy_words(b.look_words, here.looks + 8 * slot, b.stride, level.looks + 8 * place, b.long)
    return 0


@function
def entry_of(m: int, ply: int, slot: int) -> int:
    """Return the address of a position's table entry; set `key` and `check` to the position's."""
    b = tree_at(m)
    here = ply_at(b.plies, ply)
    state, status = here.states + 8 * slot, statuses(m, here.looks, b.stride)[slot]
    b.key = position_key(m, state, b.stride, status, ply)
    b.check = identity(m, state, b.stride, status, FACTOR_2)
    return b.memory + 32 * ((b.key >> 16) & b.memory_mask)


@function
def recall_entry(m: int, ply: int, slot: int) -> int:
    """Return the table's data on a position and set `known` to its value; 0 if it has none."""
    b, entry = tree_at(m), entry_of(m, ply, slot)
    return read_entry(m, entry, b.key, b.check)


@function
def remember(m: int, ply: int, slot: int, depth: int, found: int, move: int, bound: int) -> int:
    """Store a position's value and best move in the table.

    `bound` is the kind of the bound, with `CERTAIN_BIT` set if the value is certain.
    """
    b, entry = tree_at(m), entry_of(m, ply, slot)
    meta = ((move + 1) << c.MOVE_BIT) | (depth << c.DEPTH_BIT) | bound
    return write_entry(entry, b.key, b.check, from_node(found, -ply), meta)


@function
def settled_by(m: int, meta: int, ply: int, depth: int, alpha: int, beta: int) -> int:
    """Return a position's value if its table entry settles this depth and window; or `NONE`."""
    b = tree_at(m)
    known, deep = b.known, (meta >> c.DEPTH_BIT) & 255
    sure = (meta >> c.CERTAIN_BIT) & 1 == 1 or known >= FORCED or known <= -FORCED
    # A heuristic value holds for its depth only; a certain one for every greater depth.
    if meta == 0 or not (deep == depth or (sure and deep < depth)):
        return NONE
    known = from_node(known, ply)
    if not settles(meta & 3, known, alpha, beta):
        return NONE
    b.guesses += 0 if sure else 1
    return known


@function
def enough(m: int, ply: int, slot: int, depth: int, move: int) -> int:
    """Update the move statistics: `move` caused a cutoff in a slot."""
    b = tree_at(m)
    ply_at(b.plies, ply + 1).killer = move
    at(b.history)[move] += depth * depth
    at(b.answers)[at(ply_at(b.plies, ply).move)[slot]] = move
    return 0


@function
def value_children(
    m: int, ply: int, taken: int, depth: int, alpha: int, beta: int, turned: int
) -> int:
    """Replace the states on level 0 by their values, for the side to move in the position above.

    They are children at `ply`. `turned` is the sign of a child's value for the side above. At depth
    0 only likely replies are searched, see `search_replies`. A value outside (`alpha`, `beta`) is
    only a bound. Return 0 if there was no room, which ends the search.
    """
    b = tree_at(m)
    level = level_at(b.levels)
    level.count = taken
    low, high = from_node(alpha, -ply), from_node(beta, -ply)
    if turned < 0:
        low, high = -high, -low
    done = batch(m, ply, depth, low, high) if depth > 0 else search_replies(m, ply, low, high)
    if done == 0:
        b.ended = c.NO_ROOM
        return 0
    found = at(level.values)
    for n in range(taken):
        found[n] = from_node(found[n], ply) * turned
    return 1


@function
def refute_siblings(m: int, ply: int, j: int, depth: int, low: int, own: int) -> int:
    """Try to refute siblings from the `j`-th on in one batch, each by its most promising child.

    After a sibling that was good enough, most others are refuted by their most promising child,
    which has few leaves, so the leaves of many siblings fit into a batch. The batch covers siblings
    whose children were made together with the `j`-th sibling's. Refuted ones are marked in `rank`.
    `low` is the value that the side above already has, `own` the status there. Return the index
    after the last sibling tried.
    """
    b = tree_at(m)
    here, below = ply_at(b.plies, ply), ply_at(b.plies, ply + 1)
    order, notes, owner = at(here.order), at(here.rank), at(here.owner)
    chosen, move = at(here.values), at(below.move)
    status = statuses(m, here.looks, b.stride)
    if owner[order[j]] != below.filled and expand(m, ply, order[j], depth) == 0:
        b.ended = c.NO_ROOM
        return 0
    taken, leaves, end, turned = 0, 0, j, 1
    while end < here.listed and owner[order[end]] == below.filled:
        slot = order[end]
        end += 1
        chosen[slot] = -1
        if b.exchanges == 0 and (own < 0) == (status[slot] < 0):
            continue  # the same side moves again
        meta = recall_entry(m, ply, slot)
        if meta != 0 and (meta >> c.DEPTH_BIT) & 255 == depth:
            continue  # its value may be known
        turned = sign_below(m, status[slot])
        list_children(m, ply, slot, depth, (meta >> c.MOVE_BIT) - 1)
        if below.listed > 0:
            child = at(below.order)[0]
            leaves += width(m, below.looks + 8 * child, b.stride, depth - 1)
            if leaves > b.most // 2 and taken > 0:
                continue  # they may have no room
            chosen[slot] = child
            fill(m, ply + 1, child, taken)
            taken += 1
    guesses = b.guesses
    if taken == 0 or value_children(m, ply + 1, taken, depth - 1, -low - 1, -low, turned) == 0:
        return end
    bound = AT_LEAST | ((1 if b.guesses == guesses else 0) << c.CERTAIN_BIT)
    found = at(level_at(b.levels).values)
    n = 0
    for k in range(j, end):
        child = chosen[order[k]]
        if child < 0:
            continue
        if found[n] >= -low:
            notes[k] = found[n]
            b.nodes += 1
            b.budget -= 1
            enough(m, ply, order[k], depth, move[child])
            remember(m, ply, order[k], depth, found[n], move[child], bound)
        n += 1
    return end


@function
def first_replies(m: int, ply: int, alpha: int, beta: int, best: int, turned: int) -> int:
    """Search a node two plies above the leaves in which every move may fail low.

    Like `in_batches` otherwise. In such a node a few likely replies refute most children. The batch
    has only these replies, but all replies to the first child. Children that are not refuted stay
    listed.
    """
    b = tree_at(m)
    below, level = ply_at(b.plies, ply + 1), level_at(b.levels)
    order, count = at(below.order), below.listed
    limit, left_out, found = at(level.start), at(level.end), at(level.values)
    few = max(_FEWEST, b.few // max(1, count))
    for n in range(count):
        replies = width(m, below.looks + 8 * order[n], b.stride, 1)
        limit[n] = min(replies, few) if n > 0 else replies
        left_out[n] = replies - limit[n]
        fill(m, ply + 1, order[n], n)
    if count == 0 or value_children(m, ply + 1, count, 0, max(alpha, best), beta, turned) == 0:
        return best
    below.listed = 0
    for n in range(count):
        if left_out[n] > 0:
            order[below.listed] = order[n]
            below.listed += 1
        elif found[n] > best:
            best, below.best = found[n], at(below.move)[order[n]]
    return best


@function
def in_batches(m: int, ply: int, depth: int, alpha: int, beta: int, best: int, turned: int) -> int:
    """Return the best value of a node whose children are listed, searching them batch after batch.

    `best` is the value found so far; `turned` is the sign of a child's value for this node. The
    best move goes to `best` of the ply below. Depth 1 is a ply of replies, see `search_replies`.
    """
    b = tree_at(m)
    below, level = ply_at(b.plies, ply + 1), level_at(b.levels)
    order, j = at(below.order), 0
    limit, left_out, found = at(level.start), at(level.end), at(level.values)
    while j < below.listed and best < beta:
        aim = b.target if j > 0 else b.first
        estimate, taken = 0, 0
        while j + taken < below.listed:
            i = order[j + taken]
            moves = width(m, below.looks + 8 * i, b.stride, max(1, depth - 1))
            leaves = moves
            for _ in range(depth - 2):
                leaves *= moves
            if taken > 0 and estimate + leaves > aim:
                break
            fill(m, ply + 1, i, taken)
            limit[taken], left_out[taken] = moves, 0
            taken += 1
            estimate += leaves
        if value_children(m, ply + 1, taken, depth - 1, max(alpha, best), beta, turned) == 0:
            return best
        for n in range(taken):
            if found[n] > best:
                best, below.best = found[n], at(below.move)[order[j + n]]
        j += taken
    return best


@inline
def one_by_one(
    value: Callable[..., int],
    m: int,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
    best: int,
    own: int,
) -> int:
    """Search a node's children like `in_batches`, one by one, with the function that calls this."""
    b = tree_at(m)
    here, below = ply_at(b.plies, ply), ply_at(b.plies, ply + 1)
    status, order, notes = statuses(m, below.looks, b.stride), at(below.order), at(below.rank)
    below.cut = 1 if beta - alpha > 1 else 1 - here.cut
    tried = 1
    for j in range(below.listed):
        notes[j] = NONE
    for j in range(below.listed):
        i, low = order[j], max(alpha, best)
        below.cursor = j
        if j == tried and depth == b.together:
            tried = refute_siblings(m, ply + 1, j, depth - 1, low, own)
        known = -notes[j]
        if notes[j] == NONE:
            # If the same side moves again, the value keeps its sign.
            again = b.exchanges == 0 and (own < 0) == (status[i] < 0)
            high = beta if j == 0 else low + 1
            while b.ended == 0:
                if again:
                    known = value(m, ply + 1, i, depth - 1, low, high)
                else:
                    known = -value(m, ply + 1, i, depth - 1, -high, -low)
                if high >= beta or known <= low or known >= beta:
                    break
                high = beta
        if b.ended != 0:
            break
        if known > best:
            best, below.best = known, at(below.move)[i]
            if best >= beta:
                break
    return best


@function
def value(m: int, ply: int, slot: int, depth: int, alpha: int, beta: int) -> int:
    """Return the fail-soft alpha-beta value for the side to move in a slot that is not certain.

    If the search ends early, the values are meaningless.
    """
    b = tree_at(m)
    b.nodes += 1
    b.budget -= 1
    if b.stop != 0:
        b.ended = c.STOPPED
    elif b.budget < 0:
        b.ended = c.SPENT
    if b.ended != 0:
        return 0
    here, below = ply_at(b.plies, ply), ply_at(b.plies, ply + 1)
    meta = recall_entry(m, ply, slot)
    known = settled_by(m, meta, ply, depth, alpha, beta)
    if known != NONE:
        return known
    guesses = b.guesses
    if at(here.owner)[slot] != below.filled and expand(m, ply, slot, depth) == 0:
        b.ended = c.NO_ROOM
        return 0
    own = statuses(m, here.looks, b.stride)[slot]
    best = list_children(m, ply, slot, depth, (meta >> c.MOVE_BIT) - 1)
    if best < beta:
        turned = sign_below(m, own)
        if b.few and depth == 2 and here.cut == 0:
            best = first_replies(m, ply, alpha, beta, best, turned)
            if b.ended == 0:
                best = in_batches(m, ply, 1, alpha, beta, best, turned)
        elif depth - 1 <= b.at_once:
            best = in_batches(m, ply, depth, alpha, beta, best, turned)
        else:
            best = one_by_one(value, m, ply, depth, alpha, beta, best, own)
    if b.ended != 0:
        return 0
    bound = EXACT
    if best >= beta:
        bound = AT_LEAST
        enough(m, ply, slot, depth, below.best)
    elif best <= alpha:
        bound = AT_MOST
    bound |= (1 if b.guesses == guesses else 0) << c.CERTAIN_BIT
    remember(m, ply, slot, depth, best, below.best, bound)
    return best


@function
def search(m: int, depth: int, alpha: int, beta: int) -> int:
    """Return the value of the position in the first slot of ply 0, deeper than a batch."""
    b = tree_at(m)
    here = ply_at(b.plies)
    b.ended = 0
    run(m, c.LOOK, here.states, b.stride, here.looks, 0, 1)
    at(here.owner)[0] = -1
    here.cursor, here.listed, here.cut = 0, 0, 1
    return value(m, 0, 0, depth, alpha, beta)


@function
def score_states(m: int, plies: int) -> int:
    """Replace the states on level 0 of a batch by their full-width values for the side to move."""
    b = tree_at(m)
    here = level_at(b.levels)
    b.ended = 0
    run(m, c.LOOK, here.states, b.long, here.looks, 0, here.count)
    done = by_themselves(m) if plies == 0 else batch(m, 0, plies, NONE, -NONE)
    if done == 0:
        b.ended = c.NO_ROOM
    values, status = at(here.values), statuses(m, here.looks, b.long)
    for i in range(here.count):
        values[i] *= sign(m, status[i])
    return 0
