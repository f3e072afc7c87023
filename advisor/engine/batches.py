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
    certain,
    copied,
    draw_again,
    first_mask,
    later,
    placed,
    run,
    scramble,
    sign,
    sign_below,
)


@function
def grow(m: int, level: int, depth: int) -> int:
    """The states of a batch's next level, `depth` plies above its end; 0 if there is no room."""
    b = at(m)
    here = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * level)
    masks, stride, most, into = b[c.MASKS], b[c.LONG], b[c.MOST], b[c.LONG_STEP_IN]
    looks, values, parent = at(here[c.LOOKS]), at(here[c.VALUES]), at(here[c.PARENT])
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
                row = rows + 64 * w + lowest(bits)
                bits &= bits - 1
                asked(m, here[c.STATES] + 8 * i, stride, row, into + 8 * made, stride)
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
                copied(m, address + 8 * i, stride, address + 8 * kept, stride)
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
    b = at(m)
    here, stride = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * level), b[c.LONG]
    count, values = here[c.COUNT], at(here[c.VALUES])
    run(m, c.LEAF, here[c.STATES], stride, here[c.VALUES], ply, count)
    if b[c.AGAIN_COUNT + (ply & 1)]:
        for i in range(count):
            if again(m, here[c.STATES] + 8 * i, stride, ply):
                values[i] = 1
    guesses = count
    for i in range(count):
        guesses -= values[i] & 1
    b[c.LEAVES] += count
    b[c.GUESSES] += guesses
    return 0


@function
def likely(m: int, looks: int, stride: int, first: int, most: int) -> int:
    """Lists so many of a state's moves, those by which most were refuted; how many there are."""
    b, g = at(m), at(looks)
    rank, refuting = at(b[c.LIKELY_RANK]), at(b[c.REFUTING])
    count = 0
    for w in range(b[c.MASKS]):
        bits = g[(first + w) * stride]
        while bits:
            number = 64 * w + lowest(bits)
            bits &= bits - 1
            better = refuting[number]
            if count == most:
                if most == 0 or rank[count - 1] >= better:
                    continue
                count -= 1
            count = placed(b[c.LIKELY], b[c.LIKELY_RANK], count, number, better)
    return count


@function
def replied(m: int, ply: int, low: int, high: int) -> int:
    """One ply: the values of the states on level 0, in place; 0 if there was no room.

    FROM has how many replies to look at, the likely ones; TO how many that leaves out. Where they
    refute a state, whose value is then a bound, TO becomes 0. Otherwise see `batch`.
    """
    b = at(m)
    here, below = at(b[c.LEVELS]), at(b[c.LEVELS] + 8 * c.LEVEL_SIZE)
    stride, into = b[c.LONG], b[c.LONG_STEP_IN]
    looks = at(here[c.LOOKS] + 8 * (b[c.LOOK_WORDS] - 1) * stride)
    values, parent, number = at(here[c.VALUES]), at(here[c.PARENT]), at(here[c.COPY])
    limit, left_out, order = at(here[c.FROM]), at(here[c.TO]), at(b[c.LIKELY])
    made = 0
    for i in range(here[c.COUNT]):
        if made + limit[i] > b[c.MOST]:
            return 0
        rows = b[c.SECOND_ROWS] if looks[i] < 0 else 0
        first = first_mask(m, looks[i], 1)
        for n in range(likely(m, here[c.LOOKS] + 8 * i, stride, first, limit[i])):
            row = rows + order[n]
            asked(m, here[c.STATES] + 8 * i, stride, row, into + 8 * made, stride)
            parent[made], number[made] = i, order[n]
            made += 1
    below[c.COUNT] = made
    if made > 0:
        run(m, c.STEP, into, stride, below[c.STATES], ply, made)
        score(m, 1, ply + 1)
    lower, refuting = at(below[c.VALUES]), at(b[c.REFUTING])
    e = 0
    for i in range(here[c.COUNT]):
        best, refutation = NONE, -1
        while e < made and parent[e] == i:
            found = later(lower[e] >> 1) * sign_below(m, looks[i])
            if found > best:
                best, refutation = found, number[e]
            e += 1
        own = sign(m, looks[i])
        if best >= (high if own > 0 else -low):
            left_out[i] = 0
            refuting[refutation] += 1
        values[i] = 0 if best == NONE else best * own
    return 1


@function
def batch(m: int, ply: int, plies: int, low: int, high: int) -> int:
    """Full width: the values of the states on level 0, in place; 0 if there was no room.

    Values that are not between `low` and `high` are only bounds on that side.
    """
    b = at(m)
    stride = b[c.LONG]
    for level in range(plies):
        here = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * level)
        below = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (level + 1))
        count = here[c.COUNT]
        if level > 0 and count > 0:
            run(m, c.LOOK, here[c.STATES], stride, here[c.LOOKS], ply + level, count)
            draw_again(m, here[c.STATES], here[c.LOOKS], stride, ply + level, count)
        if grow(m, level, plies - level) == 0:
            return 0
        made = here[c.EDGES]
        below[c.COUNT] = made
        if made > 0:
            run(m, c.STEP, b[c.LONG_STEP_IN], stride, below[c.STATES], ply + level, made)
            if level + 1 < plies:
                below[c.COUNT] = merge(m, level + 1, made)
    if at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * plies)[c.COUNT] > 0:
        score(m, plies, ply + plies)
    for level in range(plies - 1, -1, -1):
        here = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * level)
        below = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (level + 1))
        values, lower = at(here[c.VALUES]), at(below[c.VALUES])
        parent, copy, looks = at(here[c.PARENT]), at(here[c.COPY]), at(here[c.LOOKS])
        status = (b[c.LOOK_WORDS] - 1) * stride
        if level + 1 == plies and b[c.NOISY_PLIES] > 0:
            if plies > 1:  # nobody asks for values of states in between
                low, high = NONE, -NONE
            if raised(m, ply + plies, plies, low, high) == 0:
                return 0
        else:
            for e in range(here[c.EDGES]):
                found = lower[e] >> 1 if level + 1 == plies else lower[copy[e]]
                i = parent[e]
                found = later(found) * sign_below(m, looks[status + i])
                if found > values[i]:
                    values[i] = found
        for i in range(here[c.COUNT]):
            values[i] = 0 if values[i] == NONE else values[i] * sign(m, looks[status + i])
    return 1
