"""Ways to play, counted by compiled code: `advisor.engine.rows.perft`, many times as fast.

What the game is, it is told by look and step, as `advisor.engine.kernel` says. Each level has room
for a batch of states; a level whose room is full is counted before more of its states are made.
Only who makes the code imports this module, which takes seconds.
"""

from advisor.circuits.compiling import at, function, lowest, ones, record_at
from advisor.engine import control as c
from advisor.engine.states import rows_of, run, statuses

perft_at = record_at(c.Perft)


@function
def level(m: int, array: int, columns: int, plies: int) -> int:
    """Where the columns of a level begin, which is named by the plies that are left."""
    return array + 8 * columns * perft_at(m).stride * plies


@function
def counted(m: int, looks: int, count: int) -> int:
    """The moves of so many states together."""
    b, found = perft_at(m), 0
    for w in range(b.masks):
        bits = at(looks + 8 * w * b.stride)
        for i in range(count):
            found += ones(bits[i])
    return found


@function
def made(m: int, plies: int, count: int) -> int:
    """Makes the chosen moves of a level's states: the states of the next one, so many."""
    b = perft_at(m)
    words, extra, stride = b.words, b.move_words, b.stride
    above = level(m, b.states, words + extra, plies)
    below = level(m, b.states, words + extra, plies - 1)
    chosen = level(m, b.chosen, 2, plies)
    parent, row = at(chosen), at(chosen + 8 * stride)
    for q in range(words):
        source, target = at(above + 8 * q * stride), at(below + 8 * q * stride)
        for i in range(count):
            target[i] = source[parent[i]]
    for q in range(extra):
        table, target = at(b.table + 8 * q), at(below + 8 * (words + q) * stride)
        for i in range(count):
            target[i] = table[extra * row[i]]
    run(m, c.STEP, below, stride, below, 0, count)
    return count


@function
def count_ways(m: int, plies: int, count: int) -> int:
    """How many ways there are to play so many plies, at least one, from so many states."""
    b = perft_at(m)
    stride = b.stride
    states = level(m, b.states, b.words + b.move_words, plies)
    looks = level(m, b.looks, b.look_words, plies)
    run(m, c.LOOK, states, stride, looks, 0, count)
    if plies == 1:
        return counted(m, looks, count)
    chosen = level(m, b.chosen, 2, plies)
    parent, row = at(chosen), at(chosen + 8 * stride)
    status = statuses(m, looks, stride)
    found = many = 0
    for i in range(count):
        first = rows_of(m, status[i])
        for w in range(b.masks):
            bits = at(looks + 8 * w * stride)[i]
            while bits:
                parent[many], row[many] = i, first + 64 * w + lowest(bits)
                bits &= bits - 1
                many += 1
                if many == b.batch:
                    found += count_ways(m, plies - 1, made(m, plies, many))
                    many = 0
    if many:
        found += count_ways(m, plies - 1, made(m, plies, many))
    return found
