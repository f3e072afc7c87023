"""What all of the compiled look-ahead needs: values, states, and what a game says of them.

See `advisor.engine.kernel`. Only who makes the code imports this module.
"""

from advisor.circuits.compiling import at, call, function, lowest, ones
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
def sooner(value: int) -> int:
    """The value whose `later` this one is."""
    if value >= FORCED:
        return value + 1
    if value <= -FORCED:
        return value - 1
    return value


@function
def placed(order: int, rank: int, count: int, item: int, better: int) -> int:
    """Puts an item into a list whose best one is first, after those as good; its new length."""
    items, ranks = at(order), at(rank)
    j = count
    while j > 0 and ranks[j - 1] < better:
        ranks[j], items[j] = ranks[j - 1], items[j - 1]
        j -= 1
    ranks[j], items[j] = better, item
    return count + 1


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
def identity(m: int, state: int, stride: int, status: int, factor: int) -> int:
    """A number for what tells a state from others: its counters only if they matter."""
    b, s = at(m), at(state)
    kept = at(b[c.KEPT])
    late = -((status >> c.LATE) & 1)
    key = (s[0] & (kept[0] | late)) * factor
    for w in range(1, b[c.WORDS]):
        key = (key ^ (key >> 29)) + (s[w * stride] & (kept[w] | late))
        key *= FACTOR_2
    return key ^ (key >> 32)


@function
def copied(m: int, source: int, stride: int, target: int, long: int) -> int:
    """A state from one place to another."""
    s, t = at(source), at(target)
    for w in range(at(m)[c.WORDS]):
        t[w * long] = s[w * stride]
    return 0


@function
def asked(m: int, source: int, stride: int, row: int, target: int, long: int) -> int:
    """What step is to read: a state, and a move's row of the table."""
    b = at(m)
    words, extra = b[c.WORDS], b[c.MOVE_WORDS]
    copied(m, source, stride, target, long)
    into, table = at(target), at(b[c.TABLE] + 8 * extra * row)
    for q in range(extra):
        into[(words + q) * long] = table[q]
    return 0


@function
def again(m: int, state: int, stride: int, ply: int) -> int:
    """Whether a state is one that must not come again."""
    b = at(m)
    words, states, many = b[c.WORDS], b[c.AGAIN + (ply & 1)], b[c.AGAIN_COUNT + (ply & 1)]
    s, kept = at(state), at(b[c.KEPT])
    low, high = 0, many
    while low < high:
        middle = (low + high) >> 1
        if at(states)[middle * words] < s[0] & kept[0]:
            low = middle + 1
        else:
            high = middle
    while low < many and at(states)[low * words] == s[0] & kept[0]:
        same = 1
        for w in range(1, words):
            if at(states)[low * words + w] != s[w * stride] & kept[w]:
                same = 0
                break
        if same:
            return 1
        low += 1
    return 0


@function
def draw_again(m: int, states: int, looks: int, stride: int, ply: int, count: int) -> int:
    """Marks those of so many states at a ply as drawn that must not come again."""
    b = at(m)
    if b[c.AGAIN_COUNT + (ply & 1)]:
        status = at(looks + 8 * (b[c.LOOK_WORDS] - 1) * stride)
        for i in range(count):
            if again(m, states + 8 * i, stride, ply):
                status[i] |= 1 << c.DRAWN
    return 0


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
