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

from advisor.asp.compiling import at, call, function, lowest, ones
from advisor.engine import control as c
from advisor.engine.search import FORCED, WIN

_INFINITE = WIN + 1
_NONE = -4 * WIN
"""In place of a value that is not known, or that there is none of."""

_FACTOR_1, _FACTOR_2 = -7046029254386353131, -4658895280553007687


@function
def later(value: int) -> int:
    """A value one ply above: what is forced is one ply further off."""
    if value >= FORCED:
        return value - 1
    if value <= -FORCED:
        return value + 1
    return value


@function
def from_node(value: int, ply: int) -> int:
    """A value that counts from a node at `ply`, counted from the root."""
    if value >= FORCED:
        return value - ply
    if value <= -FORCED:
        return value + ply
    return value


@function
def scramble(states: int, stride: int, words: int, factor: int) -> int:
    """A number for a state."""
    s = at(states)
    key = s[0] * factor
    for w in range(1, words):
        key = (key ^ (key >> 29)) + s[w * stride]
        key *= _FACTOR_2
    return key ^ (key >> 32)


@function
def certain(m: int, status: int, depth: int) -> int:
    """A state's value if a search so deep is certain of it, otherwise `_NONE`."""
    b = at(m)
    bits = status & at(b[c.CERTAIN])[depth]
    if bits == 0:
        return _NONE
    return at(b[c.RESULTS])[lowest(bits)]


@function
def sign(m: int, status: int) -> int:
    """What turns a state's value into one for its side to move."""
    return -1 if status < 0 and at(m)[c.EXCHANGES] == 0 else 1


@function
def sign_below(m: int, status: int) -> int:
    """What turns a child's value into one for the side to move above it, in this state."""
    return -1 if at(m)[c.EXCHANGES] == 1 or status < 0 else 1


@function
def first_mask(m: int, status: int, depth: int) -> int:
    """Where the moves to try begin: candidates are for two plies and more."""
    if depth >= 2 and (status >> c.USE_CANDIDATES) & 1:
        return at(m)[c.MASKS]
    return 0


@function
def run(m: int, name: int, source: int, stride: int, target: int, ply: int, count: int) -> int:
    """Calls look, step or leaf for so many states at a ply."""
    b = at(m)
    shared = b[c.SHARED + ((b[c.TURN] + ply) & 1)]
    blocks = (count + b[c.BLOCK] - 1) // b[c.BLOCK]
    scratch = b[name - c.LOOK + c.LOOK_SCRATCH]
    call(b[name], source, stride, shared, target, scratch, blocks)
    return 0


@function
def width(m: int, looks: int, stride: int, depth: int) -> int:
    """How many moves there are to try."""
    b, g = at(m), at(looks)
    first = first_mask(m, g[(b[c.LOOK_WORDS] - 1) * stride], depth)
    count = 0
    for w in range(first, first + b[c.MASKS]):
        count += ones(g[w * stride])
    return count


# Batches


@function
def grow(m: int, level: int, depth: int) -> int:
    """The states of a batch's next level, `depth` plies above its end; 0 if there is no room."""
    b = at(m)
    here = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * level)
    words, masks, extra = b[c.WORDS], b[c.MASKS], b[c.MOVE_WORDS]
    stride, most = b[c.LONG], b[c.MOST]
    states, looks, values = at(here[c.STATES]), at(here[c.LOOKS]), at(here[c.VALUES])
    parent, into, table = at(here[c.PARENT]), at(b[c.LONG_STEP_IN]), at(b[c.TABLE])
    status = (b[c.LOOK_WORDS] - 1) * stride
    made = 0
    for i in range(here[c.COUNT]):
        what = looks[status + i]
        known = certain(m, what, depth)
        if known != _NONE:
            values[i] = known * sign(m, what)
            continue
        values[i] = _NONE
        first = first_mask(m, what, depth)
        rows = b[c.SECOND_ROWS] if what < 0 else 0
        for w in range(masks):
            bits = looks[(first + w) * stride + i]
            if made + 64 > most:
                return 0
            while bits:
                row = (rows + 64 * w + lowest(bits)) * extra
                bits &= bits - 1
                for q in range(words):
                    into[q * stride + made] = states[q * stride + i]
                for q in range(extra):
                    into[(words + q) * stride + made] = table[row + q]
                parent[made] = i
                made += 1
    here[c.EDGES] = made
    return 1


@function
def merge(m: int, level: int, made: int) -> int:
    """Leaves each state of a level once; how many there are."""
    b = at(m)
    above = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (level - 1))
    copy, address = at(above[c.COPY]), at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * level)[c.STATES]
    states, words, stride = at(address), b[c.WORDS], b[c.LONG]
    buckets, mask = at(b[c.BUCKETS]), b[c.BUCKETS_MASK]
    b[c.STAMP] += 1
    stamp = b[c.STAMP]
    kept = 0
    for i in range(made):
        at_bucket = (scramble(address + 8 * i, stride, words, _FACTOR_1) >> 20) & mask
        while True:
            if buckets[2 * at_bucket] != stamp:
                buckets[2 * at_bucket] = stamp
                buckets[2 * at_bucket + 1] = kept
                for w in range(words):
                    states[w * stride + kept] = states[w * stride + i]
                copy[i] = kept
                kept += 1
                break
            other = buckets[2 * at_bucket + 1]
            same = True
            for w in range(words):
                if states[w * stride + other] != states[w * stride + i]:
                    same = False
                    break
            if same:
                copy[i] = other
                break
            at_bucket = (at_bucket + 1) & mask
    return kept


@function
def batch(m: int, ply: int, plies: int) -> int:
    """Full width: the values of the states on level 0, in place; 0 if there was no room."""
    b = at(m)
    stride = b[c.LONG]
    for level in range(plies):
        here = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * level)
        below = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (level + 1))
        if level > 0 and here[c.COUNT] > 0:
            run(m, c.LOOK, here[c.STATES], stride, here[c.LOOKS], ply + level, here[c.COUNT])
        if grow(m, level, plies - level) == 0:
            return 0
        made = here[c.EDGES]
        below[c.COUNT] = made
        if made > 0:
            run(m, c.STEP, b[c.LONG_STEP_IN], stride, below[c.STATES], ply + level, made)
            if level + 1 < plies:
                below[c.COUNT] = merge(m, level + 1, made)
    last = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * plies)
    count = last[c.COUNT]
    if count > 0:
        run(m, c.LEAF, last[c.STATES], stride, last[c.VALUES], ply + plies, count)
        values = at(last[c.VALUES])
        guesses = 0
        for i in range(count):
            guesses += 1 - (values[i] & 1)
            values[i] >>= 1
        b[c.LEAVES] += count
        b[c.GUESSES] += guesses
    for level in range(plies - 1, -1, -1):
        here = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * level)
        below = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (level + 1))
        values, lower = at(here[c.VALUES]), at(below[c.VALUES])
        parent, copy, looks = at(here[c.PARENT]), at(here[c.COPY]), at(here[c.LOOKS])
        status = (b[c.LOOK_WORDS] - 1) * stride
        for e in range(here[c.EDGES]):
            child = copy[e] if level + 1 < plies else e
            i = parent[e]
            found = later(lower[child]) * sign_below(m, looks[status + i])
            if found > values[i]:
                values[i] = found
        for i in range(here[c.COUNT]):
            values[i] = 0 if values[i] == _NONE else values[i] * sign(m, looks[status + i])
    return 1


# The tree above the batches


@function
def expand(m: int, ply: int, slot: int, depth: int) -> int:
    """The children of a slot, and of the siblings that are to be looked at after it.

    0 if there is no room even for those of this one.
    """
    b = at(m)
    words, masks, extra, stride = b[c.WORDS], b[c.MASKS], b[c.MOVE_WORDS], b[c.STRIDE]
    here = at(b[c.PLIES] + 8 * c.PLY_SIZE * ply)
    below = at(b[c.PLIES] + 8 * c.PLY_SIZE * (ply + 1))
    b[c.STAMP] += 1
    stamp = b[c.STAMP]
    below[c.FILLED] = stamp
    states, looks, order = at(here[c.STATES]), at(here[c.LOOKS]), at(here[c.ORDER])
    first_child, children, owner = at(here[c.FIRST_CHILD]), at(here[c.CHILDREN]), at(here[c.OWNER])
    move, into, table = at(below[c.MOVE]), at(b[c.STEP_IN]), at(b[c.TABLE])
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
                for q in range(words):
                    into[q * stride + made] = states[q * stride + slot]
                for q in range(extra):
                    into[(words + q) * stride + made] = table[(rows + number) * extra + q]
                made += 1
        cursor += 1
        if cursor >= here[c.LISTED]:
            break
        slot = order[cursor]
    run(m, c.STEP, b[c.STEP_IN], stride, below[c.STATES], ply, made)
    run(m, c.LOOK, below[c.STATES], stride, below[c.LOOKS], ply + 1, made)
    if depth == 1 or depth >= b[c.ORDERED]:
        run(m, c.LEAF, below[c.STATES], stride, below[c.VALUES], ply + 1, made)
        if depth == 1:
            b[c.LEAVES] += made
    return 1


@function
def listed(m: int, ply: int, slot: int, depth: int, hint: int) -> int:
    """Orders those children of a slot whose values are to be found out; how many there are."""
    b = at(m)
    stride = b[c.STRIDE]
    here = at(b[c.PLIES] + 8 * c.PLY_SIZE * ply)
    below = at(b[c.PLIES] + 8 * c.PLY_SIZE * (ply + 1))
    looks, move, values = at(below[c.LOOKS]), at(below[c.MOVE]), at(below[c.VALUES])
    order, rank, history = at(below[c.ORDER]), at(below[c.RANK]), at(b[c.HISTORY])
    status = (b[c.LOOK_WORDS] - 1) * stride
    turned = sign_below(m, at(here[c.LOOKS])[status + slot])
    first = at(here[c.FIRST_CHILD])[slot]
    by_value = depth == 1 or depth >= b[c.ORDERED]
    count = 0
    for i in range(first, first + at(here[c.CHILDREN])[slot]):
        if certain(m, looks[status + i], depth - 1) != _NONE:
            continue
        better = history[move[i]]
        if by_value:
            better = (values[i] >> 1) * turned
        if move[i] == below[c.KILLER]:
            better = 4 * WIN
        if move[i] == hint:
            better = 8 * WIN
        j = count
        while j > 0 and rank[j - 1] < better:
            rank[j], order[j] = rank[j - 1], order[j - 1]
            j -= 1
        rank[j], order[j] = better, i
        count += 1
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
    words, stride = b[c.WORDS], b[c.STRIDE]
    here = at(b[c.PLIES] + 8 * c.PLY_SIZE * ply)
    below = at(b[c.PLIES] + 8 * c.PLY_SIZE * (ply + 1))

    state = here[c.STATES] + 8 * slot
    key = scramble(state, stride, words, _FACTOR_1)
    check = scramble(state, stride, words, _FACTOR_2)
    entry = at(b[c.MEMORY] + 32 * ((key >> 16) & b[c.MEMORY_MASK]))
    hint = -1
    if entry[0] == key and entry[1] == check and entry[3] != 0:
        known, meta = entry[2], entry[3]
        hint = (meta >> c.MOVE_BIT) - 1
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
    status = (b[c.LOOK_WORDS] - 1) * stride
    turned = sign_below(m, at(here[c.LOOKS])[status + slot])
    looks, move, values = at(below[c.LOOKS]), at(below[c.MOVE]), at(below[c.VALUES])
    order = at(below[c.ORDER])
    first = at(here[c.FIRST_CHILD])[slot]
    best, best_move = _NONE, -1
    for i in range(first, first + at(here[c.CHILDREN])[slot]):
        known = certain(m, looks[status + i], depth - 1)
        if known != _NONE:
            known = from_node(known, ply + 1) * turned
            if known > best:
                best, best_move = known, move[i]
    if best < beta:
        count = listed(m, ply, slot, depth, hint)
        below[c.LISTED] = count
        if depth == 1:
            for j in range(count):
                i = order[j]
                b[c.GUESSES] += 1 - (values[i] & 1)
                known = from_node(values[i] >> 1, ply + 1) * turned
                if known > best:
                    best, best_move = known, move[i]
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
                if batch(m, ply + 1, depth - 1) == 0:
                    b[c.ENDED] = c.NO_ROOM
                    return 0
                found = at(level[c.VALUES])
                for n in range(taken):
                    known = from_node(found[n], ply + 1) * turned
                    if known > best:
                        best, best_move = known, move[order[j + n]]
                j += taken
        else:
            above = at(here[c.LOOKS])[status + slot]
            for j in range(count):
                i = order[j]
                below[c.CURSOR] = j
                low = max(alpha, best)
                # The same side may move again: then its value needs no turning.
                again = b[c.EXCHANGES] == 0 and (above < 0) == (looks[status + i] < 0)
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
        below[c.KILLER] = best_move
        at(b[c.HISTORY])[best_move] += depth * depth
    elif best <= alpha:
        bound = c.AT_MOST
    entry[0], entry[1], entry[2] = key, check, from_node(best, -ply)
    entry[3] = (
        ((best_move + 1) << c.MOVE_BIT)
        | (depth << c.DEPTH_BIT)
        | ((1 if b[c.GUESSES] == guesses else 0) << c.CERTAIN_BIT)
        | bound
    )
    return best


@function
def search(m: int, depth: int, alpha: int, beta: int) -> int:
    """The value, for its side to move, of the position in the first slot of ply 0.

    Its game goes on. With a depth of 0 it is scored by itself.
    """
    b = at(m)
    here, stride = at(b[c.PLIES]), b[c.STRIDE]
    b[c.ENDED] = 0
    run(m, c.LOOK, here[c.STATES], stride, here[c.LOOKS], 0, 1)
    status = at(here[c.LOOKS])[(b[c.LOOK_WORDS] - 1) * stride]
    if depth == 0:
        run(m, c.LEAF, here[c.STATES], stride, here[c.VALUES], 0, 1)
        found = at(here[c.VALUES])[0]
        b[c.LEAVES] += 1
        b[c.GUESSES] += 1 - (found & 1)
        return (found >> 1) * sign(m, status)
    at(here[c.OWNER])[0] = -1
    here[c.CURSOR], here[c.LISTED] = 0, 0
    return value(m, 0, 0, depth, alpha, beta)


@function
def remembered(m: int) -> int:
    """The best move, as far as it is remembered, of the position in the first slot of ply 0."""
    b = at(m)
    state, stride, words = at(b[c.PLIES])[c.STATES], b[c.STRIDE], b[c.WORDS]
    key = scramble(state, stride, words, _FACTOR_1)
    check = scramble(state, stride, words, _FACTOR_2)
    entry = at(b[c.MEMORY] + 32 * ((key >> 16) & b[c.MEMORY_MASK]))
    if entry[0] == key and entry[1] == check and entry[3] != 0:
        return (entry[3] >> c.MOVE_BIT) - 1
    return -1
