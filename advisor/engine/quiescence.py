"""What is compiled of the look-ahead: leaves, settled by the noisy moves in them.

The values are those of `advisor.engine.rows.settled`. A call of the game's functions costs the same
for one state as for a block of them, so that many leaves are settled together, ply by ply of noisy
moves; what cannot change a value between the bounds that are asked for is left out. Only who makes
the code imports this module.
"""

from advisor.circuits.compiling import at, function, lowest
from advisor.engine import control as c
from advisor.engine.states import NONE, asked, copied, later, run, sign, sign_below, sooner


@function
def bounded(m: int, n: int, low: int, high: int, turned: int, level: int) -> int:
    """Notes between what bounds a state's value matters to one above it."""
    here = at(at(m)[c.LEVELS] + 8 * c.LEVEL_SIZE * level)
    if turned > 0:
        at(here[c.LOW])[n], at(here[c.HIGH])[n] = sooner(low), sooner(high)
    else:
        at(here[c.LOW])[n], at(here[c.HIGH])[n] = -sooner(high), -sooner(low)
    return 0


@function
def followed(m: int, ply: int, level: int, last: int) -> int:
    """From a level of states to those after noisy moves that have to be settled in turn.

    Values become those for who moves there, and are raised by the children that are settled.
    """
    b = at(m)
    masks, stride, most, into = b[c.MASKS], b[c.LONG], b[c.MOST], b[c.LONG_STEP_IN]
    here = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * level)
    below = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (level + 1))
    count = here[c.COUNT]
    run(m, c.NOISY, here[c.STATES], stride, here[c.LOOKS], ply, count)
    looks, values = at(here[c.LOOKS]), at(here[c.VALUES])
    lows, highs, parent = at(here[c.LOW]), at(here[c.HIGH]), at(here[c.PARENT])
    status = masks * stride
    made = 0
    for i in range(count):
        if sign(m, looks[status + i]) < 0:
            values[i] = -values[i]
            lows[i], highs[i] = -highs[i], -lows[i]
        if values[i] >= highs[i]:
            continue  # it may be left at that, and that is enough
        rows = b[c.SECOND_ROWS] if looks[status + i] < 0 else 0
        for w in range(masks):
            bits = looks[w * stride + i]
            if made + 64 > most:
                return 0
            while bits:
                row = rows + 64 * w + lowest(bits)
                bits &= bits - 1
                asked(m, here[c.STATES] + 8 * i, stride, row, into + 8 * made, stride)
                parent[made] = i
                made += 1
    kept = 0
    if made > 0:
        run(m, c.STEP, into, stride, below[c.STATES], ply, made)
        run(m, c.LEAF, below[c.STATES], stride, below[c.VALUES], ply + 1, made)
        b[c.ADDED] += made
        lower = at(below[c.VALUES])
        for e in range(made):
            i = parent[e]
            turned = sign_below(m, looks[status + i])
            own, sure = lower[e] >> 1, lower[e] & 1
            found = later(own) * turned
            worst = max(values[i], lows[i])
            if last or sure or found <= worst:
                values[i] = max(values[i], found)
            elif values[i] < highs[i]:
                source, target = below[c.STATES] + 8 * e, below[c.STATES] + 8 * kept
                copied(m, source, stride, target, stride)
                lower[kept], parent[kept] = own, i
                bounded(m, kept, worst, highs[i], turned, level + 1)
                kept += 1
    below[c.COUNT] = kept
    return 1


@function
def settled(m: int, ply: int) -> int:
    """Settles the states on the first level of noisy moves, in place; 0 if there is no room.

    They have values of their own, none of them certain, and bounds.
    """
    b = at(m)
    stride, plies, top = b[c.LONG], b[c.NOISY_PLIES], b[c.AT_ONCE] + 1
    depth = 0
    while depth < plies and at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (top + depth))[c.COUNT] > 0:
        if followed(m, ply + depth, top + depth, 1 if depth + 1 == plies else 0) == 0:
            return 0
        depth += 1
    for level in range(top + depth - 1, top - 1, -1):
        here = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * level)
        below = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (level + 1))
        status = at(here[c.LOOKS] + 8 * b[c.MASKS] * stride)
        values, lower, parent = at(here[c.VALUES]), at(below[c.VALUES]), at(here[c.PARENT])
        for e in range(below[c.COUNT]):
            i = parent[e]
            values[i] = max(values[i], later(lower[e]) * sign_below(m, status[i]))
        for i in range(here[c.COUNT]):
            values[i] *= sign(m, status[i])
    return 1


@function
def raised(m: int, ply: int, leaves: int, low: int, high: int) -> int:
    """The values, for who moves there, of states above the leaves on a level; 0 for no room.

    Noisy moves can only make a leaf better for who moves there, so that its own value says what the
    side above may hope for at most. The most hopeful leaves are settled first, others only where
    they promise more than was found.

    Args:
        m: the memory.
        ply: of the leaves.
        leaves: their level. They have been scored, and the states above have the values of those
            that are certain.
        low, high: bounds of the states above; values that are not between them are bounds too.
    """
    b = at(m)
    stride = b[c.LONG]
    here = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (leaves - 1))
    below = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * leaves)
    first = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (b[c.AT_ONCE] + 1))
    count, edges = here[c.COUNT], here[c.EDGES]
    looks = at(here[c.LOOKS] + 8 * (b[c.LOOK_WORDS] - 1) * stride)
    values, parent, leaf = at(here[c.VALUES]), at(here[c.PARENT]), at(below[c.VALUES])
    lows, highs, start, end = at(here[c.LOW]), at(here[c.HIGH]), at(here[c.FROM]), at(here[c.TO])
    order, promise = at(below[c.COPY]), at(below[c.PARENT])
    owner, own = at(below[c.FROM]), at(first[c.VALUES])

    # The leaves below each state that are not certain, those that promise more first.
    e = 0
    for i in range(count):
        turned, filled = sign_below(m, looks[i]), e
        start[i] = e
        while e < edges and parent[e] == i:
            found = later(leaf[e] >> 1) * turned
            if leaf[e] & 1:
                values[i] = max(values[i], found)
            else:
                j = filled
                while j > start[i] and promise[j - 1] < found:
                    promise[j], order[j] = promise[j - 1], order[j - 1]
                    j -= 1
                promise[j], order[j] = found, e
                filled += 1
            e += 1
        end[i] = filled
        if sign(m, looks[i]) > 0:
            lows[i], highs[i] = low, high
        else:
            lows[i], highs[i] = -high, -low

    while True:
        waiting = 0
        for i in range(count):
            if start[i] < end[i]:
                hope = promise[start[i]]
                if values[i] >= highs[i]:
                    start[i] = end[i]  # it is worth so much at least, but perhaps less than hoped
                elif hope <= max(values[i], lows[i]):
                    values[i] = max(values[i], hope)
                    start[i] = end[i]
                else:
                    waiting += 1
        if waiting == 0:
            return 1
        share = max(1, b[c.SETTLED] // waiting)
        taken = 0
        for i in range(count):
            turned = sign_below(m, looks[i])
            worst = max(values[i], lows[i])
            last = min(end[i], start[i] + share)
            while start[i] < last and promise[start[i]] > worst:
                e = order[start[i]]
                source = below[c.STATES] + 8 * e
                copied(m, source, stride, first[c.STATES] + 8 * taken, stride)
                owner[taken], own[taken] = i, leaf[e] >> 1
                bounded(m, taken, worst, highs[i], turned, b[c.AT_ONCE] + 1)
                start[i] += 1
                taken += 1
        first[c.COUNT] = taken
        if settled(m, ply) == 0:
            return 0
        for n in range(taken):
            i = owner[n]
            values[i] = max(values[i], later(own[n]) * sign_below(m, looks[i]))


@function
def by_themselves(m: int) -> int:
    """The values of the states on level 0 of a batch, in place; 0 if there is no room."""
    b = at(m)
    stride, settling = b[c.LONG], b[c.NOISY_PLIES] > 0
    here = at(b[c.LEVELS])
    first = at(b[c.LEVELS] + 8 * c.LEVEL_SIZE * (b[c.AT_ONCE] + 1))
    values, owner, own = at(here[c.VALUES]), at(here[c.FROM]), at(first[c.VALUES])
    count, taken = here[c.COUNT], 0
    run(m, c.LEAF, here[c.STATES], stride, here[c.VALUES], 0, count)
    b[c.LEAVES] += count
    for i in range(count):
        sure = values[i] & 1
        values[i] >>= 1
        b[c.GUESSES] += 1 - sure
        if settling and not sure:
            copied(m, here[c.STATES] + 8 * i, stride, first[c.STATES] + 8 * taken, stride)
            owner[taken], own[taken] = i, values[i]
            bounded(m, taken, NONE, -NONE, 1, b[c.AT_ONCE] + 1)
            taken += 1
    first[c.COUNT] = taken
    if settled(m, 0) == 0:
        return 0
    for n in range(taken):
        values[owner[n]] = own[n]
    return 1
