"""What is compiled of the look-ahead: its last plies, full width, many states at once.

See `advisor.engine.kernel`, which is the tree above. Only who makes the code imports this module.
"""

from advisor.circuits.compiling import at, function, lowest
from advisor.engine import control as c
from advisor.engine.quiescence import raised
from advisor.engine.states import (
    FACTOR_1,
    NONE,
    again,
    asked,
    branched,
    certain,
    copied,
    draw_again,
    first_mask,
    from_node,
    identity,
    level_at,
    placed,
    rows_of,
    run,
    sign,
    sign_below,
    statuses,
    tree_at,
)

_ALL = 1 << c.LATE
"""A status for which all of a state tells it from others."""


@function
def grow(m: int, level: int, depth: int) -> int:
    """The states of a batch's next level, `depth` plies above its end; 0 if there is no room."""
    b = tree_at(m)
    here, stride = level_at(b.levels, level), b.long
    status, values = statuses(m, here.looks, stride), at(here.values)
    states, looks, copy, parent, made = here.states, here.looks, here.copy, here.parent, 0
    for i in range(here.count):
        known = certain(m, status[i], depth)
        if known != NONE:
            values[i] = known * sign(m, status[i])
            continue
        values[i] = NONE
        own, into, most = status[i], b.long_step_in, b.most
        made = branched(m, states, looks, stride, i, own, depth, into, made, most, copy, parent, i)
        if made < 0:
            return 0
    here.edges = made
    return 1


@function
def merge(m: int, level: int, made: int) -> int:
    """Leaves each state of a level once; how many there are."""
    b = tree_at(m)
    copy, address = at(level_at(b.levels, level - 1).copy), level_at(b.levels, level).states
    states, words, stride = at(address), b.words, b.long
    buckets, mask = at(b.buckets), b.buckets_mask
    b.stamp += 1
    stamp = b.stamp
    kept = 0
    for i in range(made):
        at_bucket = (identity(m, address + 8 * i, stride, _ALL, FACTOR_1) >> 20) & mask
        while True:
            if buckets[2 * at_bucket] != stamp:
                buckets[2 * at_bucket] = stamp
                buckets[2 * at_bucket + 1] = kept
                copied(b.words, address + 8 * i, stride, address + 8 * kept, stride)
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
def score(m: int, level: int, ply: int) -> int:
    """Scores the states of a level: twice the value each, plus one where it is certain."""
    b = tree_at(m)
    here, stride = level_at(b.levels, level), b.long
    count, values = here.count, at(here.values)
    run(m, c.LEAF, here.states, stride, here.values, ply, count)
    if at(b.drawn_count)[ply & 1]:
        for i in range(count):
            if again(m, here.states + 8 * i, stride, ply):
                values[i] = 1
    guesses = count
    for i in range(count):
        guesses -= values[i] & 1
    b.leaves += count
    b.guesses += guesses
    return 0


@function
def likely(m: int, looks: int, stride: int, first: int, most: int) -> int:
    """Lists so many of a state's moves, those by which most were refuted; how many there are."""
    b, g = tree_at(m), at(looks)
    rank, refuting = at(b.likely_rank), at(b.refuting)
    count = 0
    for w in range(b.masks):
        bits = g[(first + w) * stride]
        while bits:
            number = 64 * w + lowest(bits)
            bits &= bits - 1
            better = refuting[number]
            if count == most:
                if most == 0 or rank[count - 1] >= better:
                    continue
                count -= 1
            count = placed(b.likely, b.likely_rank, count, number, better)
    return count


@function
def replied(m: int, ply: int, low: int, high: int) -> int:
    """As `batch`, one ply, with as many likely replies as `start` has and all but those in `end`.

    Where they refute a state, whose value is then a bound, `end` becomes 0.
    """
    b = tree_at(m)
    here, below = level_at(b.levels), level_at(b.levels, 1)
    stride, into = b.long, b.long_step_in
    status = statuses(m, here.looks, stride)
    values, parent, number = at(here.values), at(here.parent), at(here.copy)
    limit, left_out, order = at(here.start), at(here.end), at(b.likely)
    made = 0
    for i in range(here.count):
        if made + limit[i] > b.most:
            return 0
        rows, first = rows_of(m, status[i]), first_mask(m, status[i], 1)
        for n in range(likely(m, here.looks + 8 * i, stride, first, limit[i])):
            row = rows + order[n]
            asked(m, here.states + 8 * i, stride, row, into + 8 * made, stride)
            parent[made], number[made] = i, order[n]
            made += 1
    below.count = made
    if made > 0:
        run(m, c.STEP, into, stride, below.states, ply, made)
        score(m, 1, ply + 1)
    lower, refuting = at(below.values), at(b.refuting)
    e = 0
    for i in range(here.count):
        best, refutation = NONE, -1
        while e < made and parent[e] == i:
            found = from_node(lower[e] >> 1, 1) * sign_below(m, status[i])
            if found > best:
                best, refutation = found, number[e]
            e += 1
        own = sign(m, status[i])
        if best >= (high if own > 0 else -low):
            left_out[i] = 0
            refuting[refutation] += 1
        values[i] = 0 if best == NONE else best * own
    return 1


@function
def batch(m: int, ply: int, plies: int, low: int, high: int) -> int:
    """Full width: the values of the states on level 0, in place; 0 if there was no room.

    What is not between `low` and `high` is only a bound on that side.
    """
    b = tree_at(m)
    stride = b.long
    for level in range(plies):
        here, below = level_at(b.levels, level), level_at(b.levels, level + 1)
        count = here.count
        if level > 0 and count > 0:
            run(m, c.LOOK, here.states, stride, here.looks, ply + level, count)
            draw_again(m, here.states, here.looks, stride, ply + level, count)
        if grow(m, level, plies - level) == 0:
            return 0
        made = here.edges
        below.count = made
        if made > 0:
            run(m, c.STEP, b.long_step_in, stride, below.states, ply + level, made)
            if level + 1 < plies:
                below.count = merge(m, level + 1, made)
    if level_at(b.levels, plies).count > 0:
        score(m, plies, ply + plies)
    for level in range(plies - 1, -1, -1):
        here, below = level_at(b.levels, level), level_at(b.levels, level + 1)
        values, lower = at(here.values), at(below.values)
        parent, copy = at(here.parent), at(here.copy)
        status = statuses(m, here.looks, stride)
        if level + 1 == plies and b.noisy_plies > 0:
            if plies > 1:  # nobody asks for values of states in between
                low, high = NONE, -NONE
            if raised(m, ply + plies, plies, low, high) == 0:
                return 0
        else:
            for e in range(here.edges):
                found = lower[e] >> 1 if level + 1 == plies else lower[copy[e]]
                i = parent[e]
                found = from_node(found, 1) * sign_below(m, status[i])
                if found > values[i]:
                    values[i] = found
        for i in range(here.count):
            values[i] = 0 if values[i] == NONE else values[i] * sign(m, status[i])
    return 1
