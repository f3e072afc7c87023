"""The look-ahead as compiled code: alpha-beta over rows of machine words, no game in it.

It is the search of `advisor.engine.search` below one position, and its values are the same. What
the game is, it is told by three functions that it calls through pointers, over blocks of states:

    look    states -> moves, candidates if the game names any, status
    step    states, each with the table's row of a move -> states
    leaf    states -> twice the value, plus one where it is certain

Arrays of states are columns of words: word w of state i is ``columns[w * stride + i]``. A call
costs the same for one state as for a whole block. So the last plies are batches, in which equal
positions are merged; and above them a node's children are made together with those of the siblings
after it, as far as there is room. `advisor.engine.control` names the words of the memory in which
everything else is found.

Values of states are for the first role, or for the side to move where states are seen by it; the
values that functions return are for the side to move. Forced ones count from the root of the call.

Only who makes the code imports this module, which takes seconds.
"""

from advisor.circuits.compiling import at, function, lowest
from advisor.engine import control as c
from advisor.engine.batches import batch, replied
from advisor.engine.below import FORCED, WIN
from advisor.engine.quiescence import by_themselves
from advisor.engine.states import (
    FACTOR_1,
    FACTOR_2,
    NONE,
    asked,
    certain,
    draw_again,
    first_mask,
    from_node,
    identity,
    placed,
    run,
    sign,
    sign_below,
    width,
)

_FEWEST = 4
"""Of the likely replies so many are tried at least."""


@function
def expand(m: int, ply: int, slot: int, depth: int) -> int:
    """The children of a slot, and of the siblings that are to be looked at after it.

    0 if there is no room even for those of this one.
    """
    b = at(m)
    masks, stride = b[c.MASKS], b[c.STRIDE]
    here = at(b[c.PLIES] + 8 * c.PLY_SIZE * ply)
    below = at(b[c.PLIES] + 8 * c.PLY_SIZE * (ply + 1))
    b[c.STAMP] += 1
    stamp = b[c.STAMP]
    below[c.FILLED] = stamp
    looks, order, move = at(here[c.LOOKS]), at(here[c.ORDER]), at(below[c.MOVE])
    first_child, children, owner = at(here[c.FIRST_CHILD]), at(here[c.CHILDREN]), at(here[c.OWNER])
    owners = at(below[c.OWNER])
    status = (b[c.LOOK_WORDS] - 1) * stride
    made = 0
    cursor = here[c.CURSOR]
    while True:
        count = width(m, here[c.LOOKS] + 8 * slot, stride, depth)
        if made + count > b[c.ROOM]:
            if made == 0:
                return 0
            break
        first_child[slot], children[slot], owner[slot] = made, count, stamp
        first = first_mask(m, looks[status + slot], depth)
        rows = b[c.SECOND_ROWS] if looks[status + slot] < 0 else 0
        for w in range(masks):
            bits = looks[(first + w) * stride + slot]
            while bits:
                number = 64 * w + lowest(bits)
                bits &= bits - 1
                move[made] = number
                owners[made] = -1
                source, target = here[c.STATES] + 8 * slot, b[c.STEP_IN] + 8 * made
                asked(m, source, stride, rows + number, target, stride)
                made += 1
        cursor += 1
        if cursor >= here[c.LISTED]:
            break
        slot = order[cursor]
    run(m, c.STEP, b[c.STEP_IN], stride, below[c.STATES], ply, made)
    run(m, c.LOOK, below[c.STATES], stride, below[c.LOOKS], ply + 1, made)
    draw_again(m, below[c.STATES], below[c.LOOKS], stride, ply + 1, made)
    if depth >= b[c.ORDERED]:
        run(m, c.LEAF, below[c.STATES], stride, below[c.VALUES], ply + 1, made)
    return 1


@function
def listed(m: int, ply: int, slot: int, depth: int, hint: int) -> int:
    """Orders those children of a slot whose values are to be found out; how many there are."""
    b = at(m)
    stride = b[c.STRIDE]
    here = at(b[c.PLIES] + 8 * c.PLY_SIZE * ply)
    below = at(b[c.PLIES] + 8 * c.PLY_SIZE * (ply + 1))
    looks, move, values = at(below[c.LOOKS]), at(below[c.MOVE]), at(below[c.VALUES])
    history, answer = at(b[c.HISTORY]), at(b[c.ANSWERS])[at(here[c.MOVE])[slot]]
    status = (b[c.LOOK_WORDS] - 1) * stride
    turned = sign_below(m, at(here[c.LOOKS])[status + slot])
    first = at(here[c.FIRST_CHILD])[slot]
    by_value = depth >= b[c.ORDERED]
    count = 0
    for i in range(first, first + at(here[c.CHILDREN])[slot]):
        if certain(m, looks[status + i], depth - 1) != NONE:
            continue
        better = history[move[i]]
        if by_value:
            better = (values[i] >> 1) * turned
        if move[i] == below[c.KILLER]:
            better = 2 * WIN
        if move[i] == answer:
            better = 4 * WIN
        if move[i] == hint:
            better = 8 * WIN
        count = placed(below[c.ORDER], below[c.RANK], count, i, better)
    return count


@function
def fill(m: int, ply: int, slot: int, place: int) -> int:
    """Copies a slot of a ply to a place on level 0 of the batch."""
    b = at(m)
    here, level = at(b[c.PLIES] + 8 * c.PLY_SIZE * ply), at(b[c.LEVELS])
    for name, words in ((c.STATES, b[c.WORDS]), (c.LOOKS, b[c.LOOK_WORDS])):
        source, target = at(here[name]), at(level[name])
        for w in range(words):
            target[w * b[c.LONG] + place] = source[w * b[c.STRIDE] + slot]
    return 0


@function
def entry_of(m: int, ply: int, slot: int) -> int:
    """The address of the table's entry for a position, whose KEY and CHECK are put down."""
    b = at(m)
    stride = b[c.STRIDE]
    here = at(b[c.PLIES] + 8 * c.PLY_SIZE * ply)
    state = here[c.STATES] + 8 * slot
    status = at(here[c.LOOKS])[(b[c.LOOK_WORDS] - 1) * stride + slot]
    key = identity(m, state, stride, status, FACTOR_1) ^ b[c.SALT + (ply & 1)]
    b[c.KEY], b[c.CHECK] = key, identity(m, state, stride, status, FACTOR_2)
    return b[c.MEMORY] + 32 * ((key >> 16) & b[c.MEMORY_MASK])


@function
def recalled(m: int, ply: int, slot: int) -> int:
    """The bound, depth and best move remembered of a position, whose value is KNOWN; or 0."""
    b = at(m)
    entry = at(entry_of(m, ply, slot))
    known, meta = entry[2], entry[3]
    b[c.KNOWN] = known
    if entry[0] ^ known ^ meta != b[c.KEY] or entry[1] ^ known * FACTOR_1 ^ meta != b[c.CHECK]:
        return 0
    return meta


@function
def remember(m: int, ply: int, slot: int, depth: int, found: int, move: int, bound: int) -> int:
    """Puts a position's value and best move into the table; `bound` says whether it is certain."""
    b = at(m)
    entry = at(entry_of(m, ply, slot))
    known = from_node(found, -ply)
    meta = ((move + 1) << c.MOVE_BIT) | (depth << c.DEPTH_BIT) | bound
    entry[0], entry[1] = b[c.KEY] ^ known ^ meta, b[c.CHECK] ^ known * FACTOR_1 ^ meta
    entry[2], entry[3] = known, meta
    return 0


@function
def enough(m: int, ply: int, slot: int, depth: int, move: int) -> int:
    """Notes, for the order of moves, that one was enough in a slot."""
    b = at(m)
    at(b[c.PLIES] + 8 * c.PLY_SIZE * (ply + 1))[c.KILLER] = move
    at(b[c.HISTORY])[move] += depth * depth
    before = at(at(b[c.PLIES] + 8 * c.PLY_SIZE * ply)[c.MOVE])
    at(b[c.ANSWERS])[before[slot]] = move
    return 0


@function
def refuted(m: int, ply: int, j: int, depth: int, low: int, own: int) -> int:
    """Notes which siblings are worth too much to who moves in them, as one child of each shows.

    Most of the siblings after one that was good enough are refuted by the child that promises most,
    whose leaves are few: so those of many siblings are a batch. Only siblings whose children have
    been made have their turn.

    Args:
        m: the memory.
        ply: of the siblings.
        j: the first one, in their order.
        depth: of the search below them.
        low: what the side above them has; so little, turned, is too much.
        own: the status of the position above.

    Returns:
        the number after the last one; -1 if there was no room.
    """
    b = at(m)
    stride = b[c.STRIDE]
    here = at(b[c.PLIES] + 8 * c.PLY_SIZE * ply)
    below = at(b[c.PLIES] + 8 * c.PLY_SIZE * (ply + 1))
    order, notes, owner = at(here[c.ORDER]), at(here[c.RANK]), at(here[c.OWNER])
    chosen, looks, move = at(here[c.VALUES]), at(here[c.LOOKS]), at(below[c.MOVE])
    status = (b[c.LOOK_WORDS] - 1) * stride
    taken, end, turned = 0, j, 1
    while end < here[c.LISTED] and owner[order[end]] == below[c.FILLED]:
        slot = order[end]
        end += 1
        chosen[slot] = -1
        if b[c.EXCHANGES] == 0 and (own < 0) == (looks[status + slot] < 0):
            continue  # the same side moves again
        meta = recalled(m, ply, slot)
        if meta != 0 and (meta >> c.DEPTH_BIT) & 255 == depth:
            continue  # its value is known perhaps
        turned = sign_below(m, looks[status + slot])
        if listed(m, ply, slot, depth, (meta >> c.MOVE_BIT) - 1) > 0:
            chosen[slot] = at(below[c.ORDER])[0]
            fill(m, ply + 1, chosen[slot], taken)
            taken += 1
    if taken == 0:
        return end
    worst, good = from_node(-low - 1, -ply - 1), from_node(-low, -ply - 1)
    if turned < 0:
        worst, good = -good, -worst
    level = at(b[c.LEVELS])
    level[c.COUNT] = taken
    guesses = b[c.GUESSES]
    if batch(m, ply + 1, depth - 1, worst, good) == 0:
        return -1
    bound = c.AT_LEAST | ((1 if b[c.GUESSES] == guesses else 0) << c.CERTAIN_BIT)
    found = at(level[c.VALUES])
    n = 0
    for k in range(j, end):
        child = chosen[order[k]]
        if child < 0:
            continue
        known = from_node(found[n], ply + 1) * turned
        n += 1
        if known >= -low:
            notes[k] = known
            b[c.NODES] += 1
            b[c.BUDGET] -= 1
            enough(m, ply, order[k], depth, move[child])
            remember(m, ply, order[k], depth, known, move[child], bound)
    return end


@function
def by_turns(m: int, ply: int, alpha: int, beta: int, best: int, turned: int) -> int:
    """The best value of a node two plies above the leaves whose children have been listed.

    Where no move is expected to be enough nearly all children are refuted, most of them by one of a
    few replies. So a first batch has all replies to the first child and a few likely ones to each
    other one; what these do not refute is looked at after that.

    Args:
        best: the value of the children that were certain.
        turned: what turns a child's value into one for the side to move.

    Returns:
        the best value; BEST of the ply below is its slot, -1 if it is that of a certain child. Once
        there was no room it means nothing.
    """
    b = at(m)
    below, level = at(b[c.PLIES] + 8 * c.PLY_SIZE * (ply + 1)), at(b[c.LEVELS])
    order, left, count = at(below[c.ORDER]), at(below[c.RANK]), below[c.LISTED]
    limit, left_out, found = at(level[c.FROM]), at(level[c.TO]), at(level[c.VALUES])
    below[c.BEST] = -1
    for j in range(count):
        left[j] = width(m, below[c.LOOKS] + 8 * order[j], b[c.STRIDE], 1)
    few = max(_FEWEST, b[c.FEW] // max(1, count))
    likely, j = 1, 0
    while best < beta and (likely or j < count):
        start, taken, leaves = j, 0, 0
        while j < count:
            replies = left[j]
            if replies >= 0:
                if likely and taken > 0:
                    replies = min(replies, few)
                elif taken > 0 and leaves + replies > b[c.TARGET]:
                    break
                fill(m, ply + 1, order[j], taken)
                limit[taken], left_out[taken] = replies, left[j] - replies
                taken += 1
                leaves += replies
            j += 1
        if taken > 0:
            level[c.COUNT] = taken
            low, high = from_node(max(alpha, best), -ply - 1), from_node(beta, -ply - 1)
            if turned < 0:
                low, high = -high, -low
            if replied(m, ply + 1, low, high) == 0:
                b[c.ENDED] = c.NO_ROOM
                return 0
            n = 0
            for k in range(start, j):
                if left[k] >= 0:
                    if left_out[n] == 0:
                        left[k] = -1
                        known = from_node(found[n], ply + 1) * turned
                        if known > best:
                            best, below[c.BEST] = known, order[k]
                    n += 1
        if likely:
            likely, j = 0, 0
    return best


@function
def value(m: int, ply: int, slot: int, depth: int, alpha: int, beta: int) -> int:
    """Fail-soft alpha-beta, for the side to move in a slot of which nothing is certain.

    Once the search has ended before it was done the value means nothing.
    """
    b = at(m)
    b[c.NODES] += 1
    b[c.BUDGET] -= 1
    if b[c.STOP] != 0:
        b[c.ENDED] = c.STOPPED
    elif b[c.BUDGET] < 0:
        b[c.ENDED] = c.SPENT
    if b[c.ENDED] != 0:
        return 0
    stride = b[c.STRIDE]
    here = at(b[c.PLIES] + 8 * c.PLY_SIZE * ply)
    below = at(b[c.PLIES] + 8 * c.PLY_SIZE * (ply + 1))

    status = (b[c.LOOK_WORDS] - 1) * stride
    own_status = at(here[c.LOOKS])[status + slot]
    meta = recalled(m, ply, slot)
    known = b[c.KNOWN]
    hint = (meta >> c.MOVE_BIT) - 1
    if meta != 0:
        sure = (meta >> c.CERTAIN_BIT) & 1 == 1 or known >= FORCED or known <= -FORCED
        deep = (meta >> c.DEPTH_BIT) & 255
        # A heuristic value holds for its depth only; a certain one for every greater depth.
        if deep == depth or (sure and deep < depth):
            known = from_node(known, ply)
            bound = meta & 3
            if (
                bound == c.EXACT
                or (bound == c.AT_LEAST and known >= beta)
                or (bound == c.AT_MOST and known <= alpha)
            ):
                if not sure:
                    b[c.GUESSES] += 1
                return known

    guesses = b[c.GUESSES]
    if at(here[c.OWNER])[slot] != below[c.FILLED] and expand(m, ply, slot, depth) == 0:
        b[c.ENDED] = c.NO_ROOM
        return 0
    turned = sign_below(m, own_status)
    looks, move, order = at(below[c.LOOKS]), at(below[c.MOVE]), at(below[c.ORDER])
    first = at(here[c.FIRST_CHILD])[slot]
    best, best_move = NONE, -1
    for i in range(first, first + at(here[c.CHILDREN])[slot]):
        known = certain(m, looks[status + i], depth - 1)
        if known != NONE:
            known = from_node(known, ply + 1) * turned
            if known > best:
                best, best_move = known, move[i]
    if best < beta:
        count = listed(m, ply, slot, depth, hint)
        below[c.LISTED] = count
        if b[c.FEW] and depth == 2 and here[c.CUT] == 0:
            best = by_turns(m, ply, alpha, beta, best, turned)
            if below[c.BEST] >= 0:
                best_move = move[below[c.BEST]]
            if b[c.ENDED] != 0:
                return 0
        elif depth - 1 <= b[c.AT_ONCE]:
            j = 0
            while j < count and best < beta:
                aim = b[c.TARGET] if j > 0 else b[c.FIRST]
                estimate, taken = 0, 0
                while j + taken < count:
                    i = order[j + taken]
                    moves = width(m, below[c.LOOKS] + 8 * i, stride, depth - 1)
                    leaves = moves
                    for _ in range(depth - 2):
                        leaves *= moves
                    if taken > 0 and estimate + leaves > aim:
                        break
                    fill(m, ply + 1, i, taken)
                    taken += 1
                    estimate += leaves
                level = at(b[c.LEVELS])
                level[c.COUNT] = taken
                low, high = from_node(max(alpha, best), -ply - 1), from_node(beta, -ply - 1)
                if turned < 0:
                    low, high = -high, -low
                if batch(m, ply + 1, depth - 1, low, high) == 0:
                    b[c.ENDED] = c.NO_ROOM
                    return 0
                found = at(level[c.VALUES])
                for n in range(taken):
                    known = from_node(found[n], ply + 1) * turned
                    if known > best:
                        best, best_move = known, move[order[j + n]]
                j += taken
        else:
            notes, tried = at(below[c.RANK]), 1
            below[c.CUT] = 1 if beta - alpha > 1 else 1 - here[c.CUT]
            for j in range(count):
                notes[j] = NONE
            for j in range(count):
                i = order[j]
                below[c.CURSOR] = j
                low = max(alpha, best)
                if j == tried and depth == b[c.TOGETHER]:
                    filled = at(b[c.PLIES] + 8 * c.PLY_SIZE * (ply + 2))[c.FILLED]
                    if at(below[c.OWNER])[i] == filled or expand(m, ply + 1, i, depth - 1):
                        tried = refuted(m, ply + 1, j, depth - 1, low, own_status)
                    else:
                        tried = -1
                    if tried < 0:
                        b[c.ENDED] = c.NO_ROOM
                        return 0
                if notes[j] != NONE:
                    if -notes[j] > best:
                        best, best_move = -notes[j], move[i]
                    continue
                # The same side may move again: then its value needs no turning.
                again = b[c.EXCHANGES] == 0 and (own_status < 0) == (looks[status + i] < 0)
                if j == 0 or beta - low == 1:
                    if again:
                        known = value(m, ply + 1, i, depth - 1, low, beta)
                    else:
                        known = -value(m, ply + 1, i, depth - 1, -beta, -low)
                else:
                    if again:
                        known = value(m, ply + 1, i, depth - 1, low, low + 1)
                    else:
                        known = -value(m, ply + 1, i, depth - 1, -low - 1, -low)
                    if b[c.ENDED] == 0 and low < known and known < beta:
                        if again:
                            known = value(m, ply + 1, i, depth - 1, low, beta)
                        else:
                            known = -value(m, ply + 1, i, depth - 1, -beta, -low)
                if b[c.ENDED] != 0:
                    return 0
                if known > best:
                    best, best_move = known, move[i]
                    if best >= beta:
                        break
    bound = c.EXACT
    if best >= beta:
        bound = c.AT_LEAST
        enough(m, ply, slot, depth, best_move)
    elif best <= alpha:
        bound = c.AT_MOST
    bound |= (1 if b[c.GUESSES] == guesses else 0) << c.CERTAIN_BIT
    remember(m, ply, slot, depth, best, best_move, bound)
    return best


@function
def search(m: int, depth: int, alpha: int, beta: int) -> int:
    """The value, for its side to move, of the position in the first slot of ply 0.

    Its game goes on, and the depth is greater than that of a batch.
    """
    b = at(m)
    here = at(b[c.PLIES])
    b[c.ENDED] = 0
    run(m, c.LOOK, here[c.STATES], b[c.STRIDE], here[c.LOOKS], 0, 1)
    at(here[c.OWNER])[0] = -1
    here[c.CURSOR], here[c.LISTED], here[c.CUT] = 0, 0, 1
    return value(m, 0, 0, depth, alpha, beta)


@function
def scored(m: int, plies: int) -> int:
    """The values, for those to move, of the states on level 0 of a batch, full width.

    Their games go on. Always 0; where there was no room, that is why it has ended.
    """
    b = at(m)
    here, stride = at(b[c.LEVELS]), b[c.LONG]
    b[c.ENDED] = 0
    run(m, c.LOOK, here[c.STATES], stride, here[c.LOOKS], 0, here[c.COUNT])
    done = by_themselves(m) if plies == 0 else batch(m, 0, plies, NONE, -NONE)
    if done == 0:
        b[c.ENDED] = c.NO_ROOM
    values = at(here[c.VALUES])
    status = at(here[c.LOOKS] + 8 * (b[c.LOOK_WORDS] - 1) * stride)
    for i in range(here[c.COUNT]):
        values[i] *= sign(m, status[i])
    return 0
