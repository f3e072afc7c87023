"""What is compiled of the look-ahead: its last plies, full width, and what all of it needs.

See `advisor.engine.kernel`, which is the tree above.
"""

from advisor.asp.compiling import at, call, function, lowest, ones
from advisor.engine import control as c
from advisor.engine.below import FORCED, WIN

NONE = -4 * WIN
"""In place of a value that is not known, or that there is none of."""

FACTOR_1, FACTOR_2 = -7046029254386353131, -4658895280553007687


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
        key *= FACTOR_2
    return key ^ (key >> 32)


@function
def certain(m: int, status: int, depth: int) -> int:
    """A state's value if a search so deep is certain of it, otherwise `NONE`."""
    b = at(m)
    bits = status & at(b[c.CERTAIN])[depth]
    if bits == 0:
        return NONE
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
    """Where the moves to try begin: with the candidates, if there are any for so many plies."""
    b = at(m)
    if depth >= b[c.CANDIDATES_FROM] and (status >> c.USE_CANDIDATES) & 1:
        return b[c.MASKS]
    return 0


@function
def run(m: int, name: int, source: int, stride: int, target: int, ply: int, count: int) -> int:
    """Calls look, step or leaf for so many states at a ply."""
    b = at(m)
    shared = b[c.SHARED + ((b[c.TURN] + ply) & 1)]
    block = b[name - c.LOOK + c.LOOK_BLOCK]
    blocks = (count + block - 1) // block
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


# Many states at once


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
        if known != NONE:
            values[i] = known * sign(m, what)
            continue
        values[i] = NONE
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
        at_bucket = (scramble(address + 8 * i, stride, words, FACTOR_1) >> 20) & mask
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
            values[i] = 0 if values[i] == NONE else values[i] * sign(m, looks[status + i])
    return 1
