"""Ways to play, counted by compiled code: `advisor.engine.rows.perft`, many times as fast.

What the game is, it is told by look and step, as `advisor.engine.kernel` says. Each level has room
for a batch of states; a level whose room is full is counted before more of its states are made.
Only who makes the code imports this module, which takes seconds.
"""

from advisor.circuits.compiling import at, call, function, lowest, ones
from advisor.engine import perft_control as c
from advisor.engine import playout_control as g


@function
def level(m: int, name: int, columns: int, plies: int) -> int:
    """Where the columns of a level begin, which is named by the plies that are left."""
    return at(m)[name] + 8 * columns * at(m)[c.STRIDE] * plies


@function
def counted(m: int, looks: int, count: int) -> int:
    """The moves of so many states together."""
    b, found = at(m), 0
    for w in range(b[g.MASKS]):
        bits = at(looks + 8 * w * b[c.STRIDE])
        for i in range(count):
            found += ones(bits[i])
    return found


@function
def made(m: int, plies: int, count: int) -> int:
    """Makes the chosen moves of a level's states: the states of the next one, so many."""
    b = at(m)
    words, extra, stride = b[g.WORDS], b[g.MOVE_WORDS], b[c.STRIDE]
    above = level(m, c.STATES, words + extra, plies)
    below = level(m, c.STATES, words + extra, plies - 1)
    chosen = level(m, c.CHOSEN, 2, plies)
    parent, row = at(chosen), at(chosen + 8 * stride)
    for q in range(words):
        source, target = at(above + 8 * q * stride), at(below + 8 * q * stride)
        for i in range(count):
            target[i] = source[parent[i]]
    for q in range(extra):
        table, target = at(b[g.TABLE] + 8 * q), at(below + 8 * (words + q) * stride)
        for i in range(count):
            target[i] = table[extra * row[i]]
    blocks = (count + b[g.STEP_BLOCK] - 1) // b[g.STEP_BLOCK]
    # A block is read before it is written, so that states can take the place of others.
    call(b[g.STEP], below, stride, 0, below, b[g.STEP_SCRATCH], blocks)
    return count


@function
def count_ways(m: int, plies: int, count: int) -> int:
    """How many ways there are to play so many plies, at least one, from so many states."""
    b = at(m)
    stride, masks, extra = b[c.STRIDE], b[g.MASKS], b[g.MOVE_WORDS]
    states = level(m, c.STATES, b[g.WORDS] + extra, plies)
    looks = level(m, c.LOOKS, b[g.LOOK_WORDS], plies)
    blocks = (count + b[g.LOOK_BLOCK] - 1) // b[g.LOOK_BLOCK]
    call(b[g.LOOK], states, stride, 0, looks, b[g.LOOK_SCRATCH], blocks)
    if plies == 1:
        return counted(m, looks, count)
    chosen = level(m, c.CHOSEN, 2, plies)
    parent, row = at(chosen), at(chosen + 8 * stride)
    status = at(looks + 8 * (b[g.LOOK_WORDS] - 1) * stride)
    found = many = 0
    for i in range(count):
        first = b[g.SECOND_ROWS] if status[i] < 0 else 0
        for w in range(masks):
            bits = at(looks + 8 * w * stride)[i]
            while bits:
                parent[many], row[many] = i, first + 64 * w + lowest(bits)
                bits &= bits - 1
                many += 1
                if many == b[c.BATCH]:
                    found += count_ways(m, plies - 1, made(m, plies, many))
                    many = 0
    if many:
        found += count_ways(m, plies - 1, made(m, plies, many))
    return found
