"""What is compiled of the look-ahead: leaves, settled by the noisy moves in them.

The values are those of `advisor.engine.rows.settled`. A call of the game's functions costs the same
for one state as for a block of them, so that many leaves are settled together, ply by ply of noisy
moves; what cannot change a value between the bounds that are asked for is left out. Only who makes
the code imports this module.
"""

from advisor.circuits.compiling import at, function
from advisor.engine import control as c
from advisor.engine.states import (
    NONE,
    branched,
    copied,
    from_node,
    level_at,
    placed,
    run,
    sign,
    sign_below,
    statuses,
    tree_at,
)


@function
def bounded(m: int, n: int, low: int, high: int, turned: int, level: int) -> int:
    """Notes between what bounds a state's value matters to one above it."""
    here = level_at(tree_at(m).levels, level)
    low, high = from_node(low, -1), from_node(high, -1)
    at(here.low)[n], at(here.high)[n] = (low, high) if turned > 0 else (-high, -low)
    return 0


@function
def followed(m: int, ply: int, level: int, last: int) -> int:
    """From a level of states, raised by what is certain, to those after noisy moves that is not."""
    b = tree_at(m)
    stride, into = b.long, b.long_step_in
    here, below = level_at(b.levels, level), level_at(b.levels, level + 1)
    run(m, c.NOISY, here.states, stride, here.looks, ply, here.count)
    status, values = at(here.looks + 8 * b.masks * stride), at(here.values)
    lows, highs, parent = at(here.low), at(here.high), at(here.parent)
    states, looks, copy, above, made = here.states, here.looks, here.copy, here.parent, 0
    for i in range(here.count):
        if sign(m, status[i]) < 0:
            values[i] = -values[i]
            lows[i], highs[i] = -highs[i], -lows[i]
        if values[i] >= highs[i]:
            continue  # it may be left at that, and that is enough
        own, most = status[i], b.most  # at depth 0 there are no candidates
        made = branched(m, states, looks, stride, i, own, 0, into, made, most, copy, above, i)
        if made < 0:
            return 0
    kept = 0
    if made > 0:
        run(m, c.STEP, into, stride, below.states, ply, made)
        run(m, c.LEAF, below.states, stride, below.values, ply + 1, made)
        b.added += made
        lower = at(below.values)
        for e in range(made):
            i = parent[e]
            turned = sign_below(m, status[i])
            own, sure = lower[e] >> 1, lower[e] & 1
            found = from_node(own, 1) * turned
            worst = max(values[i], lows[i])
            if last or sure or found <= worst:
                values[i] = max(values[i], found)
            elif values[i] < highs[i]:
                source, target = below.states + 8 * e, below.states + 8 * kept
                copied(b.words, source, stride, target, stride)
                lower[kept], parent[kept] = own, i
                bounded(m, kept, worst, highs[i], turned, level + 1)
                kept += 1
    below.count = kept
    return 1


@function
def settled(m: int, ply: int) -> int:
    """Settles the states on the first level of noisy moves, none certain; 0 if there is no room."""
    b = tree_at(m)
    stride, plies, top = b.long, b.noisy_plies, b.at_once + 1
    depth = 0
    while depth < plies and level_at(b.levels, top + depth).count > 0:
        if followed(m, ply + depth, top + depth, 1 if depth + 1 == plies else 0) == 0:
            return 0
        depth += 1
    for level in range(top + depth - 1, top - 1, -1):
        here, below = level_at(b.levels, level), level_at(b.levels, level + 1)
        status = at(here.looks + 8 * b.masks * stride)
        values, lower, parent = at(here.values), at(below.values), at(here.parent)
        for e in range(below.count):
            i = parent[e]
            values[i] = max(values[i], from_node(lower[e], 1) * sign_below(m, status[i]))
        for i in range(here.count):
            values[i] *= sign(m, status[i])
    return 1


@function
def promised(m: int, leaves: int, low: int, high: int) -> int:
    """Notes, for states above leaves, what is certain, bounds, and the other leaves in order."""
    b = tree_at(m)
    here, below = level_at(b.levels, leaves - 1), level_at(b.levels, leaves)
    status, values = statuses(m, here.looks, b.long), at(here.values)
    parent, leaf = at(here.parent), at(below.values)
    lows, highs, start, end = at(here.low), at(here.high), at(here.start), at(here.end)
    e = 0
    for i in range(here.count):
        first, filled = 8 * e, 0
        start[i] = e
        while e < here.edges and parent[e] == i:
            found = from_node(leaf[e] >> 1, 1) * sign_below(m, status[i])
            if leaf[e] & 1:
                values[i] = max(values[i], found)
            else:
                filled = placed(below.copy + first, below.parent + first, filled, e, found)
            e += 1
        end[i] = start[i] + filled
        turned = sign(m, status[i]) < 0
        lows[i], highs[i] = (-high, -low) if turned else (low, high)
    return 0


@function
def hopeful(m: int, leaves: int) -> int:
    """Puts the leaves that promise most on the first level of noisy moves; how many they are."""
    b = tree_at(m)
    here, below = level_at(b.levels, leaves - 1), level_at(b.levels, leaves)
    first = level_at(b.levels, b.at_once + 1)
    status, values, leaf = statuses(m, here.looks, b.long), at(here.values), at(below.values)
    lows, highs, start, end = at(here.low), at(here.high), at(here.start), at(here.end)
    order, promise = at(below.copy), at(below.parent)
    owner, own = at(below.start), at(first.values)
    waiting = 0
    for i in range(here.count):
        if start[i] < end[i]:
            hope = promise[start[i]]
            if values[i] >= highs[i]:
                start[i] = end[i]  # it is worth so much at least, but perhaps less than hoped
            elif hope <= max(values[i], lows[i]):
                values[i] = max(values[i], hope)
                start[i] = end[i]
            else:
                waiting += 1
    share, taken = max(1, b.settled // max(1, waiting)), 0
    for i in range(here.count):
        worst = max(values[i], lows[i])
        last = min(end[i], start[i] + share)
        while start[i] < last and promise[start[i]] > worst:
            e = order[start[i]]
            copied(b.words, below.states + 8 * e, b.long, first.states + 8 * taken, b.long)
            owner[taken], own[taken] = i, leaf[e] >> 1
            bounded(m, taken, worst, highs[i], sign_below(m, status[i]), b.at_once + 1)
            start[i] += 1
            taken += 1
    first.count = taken
    return taken


@function
def raised(m: int, ply: int, leaves: int, low: int, high: int) -> int:
    """The values, for who moves there, of states above the leaves on a level; 0 for no room.

    Noisy moves can only make a leaf better for who moves there, so that its own value says what the
    side above may hope for at most. The most hopeful leaves are settled first, others only where
    they promise more than was found. What is not between `low` and `high` is only a bound.
    """
    b = tree_at(m)
    here, first = level_at(b.levels, leaves - 1), level_at(b.levels, b.at_once + 1)
    status, values, own = statuses(m, here.looks, b.long), at(here.values), at(first.values)
    owner = at(level_at(b.levels, leaves).start)
    promised(m, leaves, low, high)
    while hopeful(m, leaves) > 0:
        if settled(m, ply) == 0:
            return 0
        for n in range(first.count):
            i = owner[n]
            values[i] = max(values[i], from_node(own[n], 1) * sign_below(m, status[i]))
    return 1


@function
def by_themselves(m: int) -> int:
    """The values of the states on level 0 of a batch, in place; 0 if there is no room."""
    b = tree_at(m)
    stride, settling = b.long, b.noisy_plies > 0
    here = level_at(b.levels)
    first = level_at(b.levels, b.at_once + 1)
    values, owner, own = at(here.values), at(here.start), at(first.values)
    count, taken = here.count, 0
    run(m, c.LEAF, here.states, stride, here.values, 0, count)
    b.leaves += count
    for i in range(count):
        sure = values[i] & 1
        values[i] >>= 1
        b.guesses += 1 - sure
        if settling and not sure:
            copied(b.words, here.states + 8 * i, stride, first.states + 8 * taken, stride)
            owner[taken], own[taken] = i, values[i]
            bounded(m, taken, NONE, -NONE, 1, b.at_once + 1)
            taken += 1
    first.count = taken
    if settled(m, 0) == 0:
        return 0
    for n in range(taken):
        values[owner[n]] = own[n]
    return 1
