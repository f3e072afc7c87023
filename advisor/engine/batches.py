"""The last plies of the look-ahead as compiled code: full width, many states at once.

Noisy moves settle the leaves, to the values of `advisor.engine.rows.Ahead.quiet_values`. A call of
the game's functions takes as long for one state as for a block. Many leaves are therefore settled
together, one ply of noisy moves after the other. Leaves that cannot change a value inside the
window are left out.

`advisor.engine.kernel` is the tree above. Only the process that compiles the code imports this
module.
"""

from advisor.engine import control as c
from advisor.engine.states import (
    FACTOR_1,
    NONE,
    append_steps,
    certain,
    copy_words,
    draw_again,
    first_mask,
    from_node,
    identity,
    insert_sorted,
    is_recurrence,
    level_at,
    rows_of,
    run,
    sign,
    sign_below,
    statuses,
    tree_at,
    write_step_input,
)
from aspcircuits.compiling import at, function, lowest

_ALL = 1 << c.LATE
"""A status that makes every bit of a state part of its identity."""

_SETTLED = 512
"""Number of leaves, about, whose noisy moves are followed together."""


@function
def set_window(m: int, n: int, low: int, high: int, turned: int, level: int) -> int:
    """Set the window of state `n` on a level, given the window of a state above it."""
    here = level_at(tree_at(m).levels, level)
    low, high = from_node(low, -1), from_node(high, -1)
    at(here.low)[n], at(here.high)[n] = (low, high) if turned > 0 else (-high, -low)
    return 0


@function
def follow_noisy(m: int, ply: int, level: int, last: int) -> int:
    """Follow the noisy moves of a level's states; put undecided results on the next level.

    A certain value raises that of the state above at once; with `last`, every value does. Return 0
    if there is no room.
    """
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
            continue  # the side to move may stand pat, and that is enough
        own, most = status[i], b.most  # at depth 0 there are no candidates
        made = append_steps(m, states, looks, stride, i, own, 0, into, made, most, copy, above, i)
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
                copy_words(b.words, source, stride, target, stride)
                lower[kept], parent[kept] = own, i
                set_window(m, kept, worst, highs[i], turned, level + 1)
                kept += 1
    below.count = kept
    return 1


@function
def settle_states(m: int, ply: int) -> int:
    """Settle undecided states on the first level of noisy moves; return 0 if there is no room."""
    b = tree_at(m)
    stride, plies, top = b.long, b.noisy_plies, b.at_once + 1
    depth = 0
    while depth < plies and level_at(b.levels, top + depth).count > 0:
        if follow_noisy(m, ply + depth, top + depth, 1 if depth + 1 == plies else 0) == 0:
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
def prepare_parents(m: int, leaves: int, low: int, high: int) -> int:
    """Prepare states above leaves: note certain values, set windows, order the other leaves."""
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
                filled = insert_sorted(below.copy + first, below.parent + first, filled, e, found)
            e += 1
        end[i] = start[i] + filled
        turned = sign(m, status[i]) < 0
        lows[i], highs[i] = (-high, -low) if turned else (low, high)
    return 0


@function
def hopeful(m: int, leaves: int) -> int:
    """Put the most promising leaves on the first level of noisy moves; return their number."""
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
                start[i] = end[i]  # it is worth this much at least, but perhaps less than hoped
            elif hope <= max(values[i], lows[i]):
                values[i] = max(values[i], hope)
                start[i] = end[i]
            else:
                waiting += 1
    share, taken = max(1, _SETTLED // max(1, waiting)), 0
    for i in range(here.count):
        worst = max(values[i], lows[i])
        last = min(end[i], start[i] + share)
        while start[i] < last and promise[start[i]] > worst:
            e = order[start[i]]
            copy_words(b.words, below.states + 8 * e, b.long, first.states + 8 * taken, b.long)
            owner[taken], own[taken] = i, leaf[e] >> 1
            set_window(m, taken, worst, highs[i], sign_below(m, status[i]), b.at_once + 1)
            start[i] += 1
            taken += 1
    first.count = taken
    return taken


@function
def back_up_leaves(m: int, ply: int, leaves: int, low: int, high: int) -> int:
    """Compute the values of the states above a level of leaves, in place; return 0 for no room.

    Values are from the view of the side to move in each state. Noisy moves can only raise a leaf's
    value for the side to move there, so its static value is an upper bound for the side above. The
    most promising leaves are settled first; others only if they promise more than was found. A
    value outside (`low`, `high`) is only a bound.
    """
    b = tree_at(m)
    here, first = level_at(b.levels, leaves - 1), level_at(b.levels, b.at_once + 1)
    status, values, own = statuses(m, here.looks, b.long), at(here.values), at(first.values)
    owner = at(level_at(b.levels, leaves).start)
    prepare_parents(m, leaves, low, high)
    while hopeful(m, leaves) > 0:
        if settle_states(m, ply) == 0:
            return 0
        for n in range(first.count):
            i = owner[n]
            values[i] = max(values[i], from_node(own[n], 1) * sign_below(m, status[i]))
    return 1


@function
def by_themselves(m: int) -> int:
    """Score the states on level 0 of a batch at depth 0, in place; return 0 if there is no room."""
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
            copy_words(b.words, here.states + 8 * i, stride, first.states + 8 * taken, stride)
            owner[taken], own[taken] = i, values[i]
            set_window(m, taken, NONE, -NONE, 1, b.at_once + 1)
            taken += 1
    first.count = taken
    if settle_states(m, 0) == 0:
        return 0
    for n in range(taken):
        values[owner[n]] = own[n]
    return 1


@function
def grow(m: int, level: int, depth: int) -> int:
    """Make a batch's next level of states, `depth` plies above its end; return 0 for no room."""
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
        made = append_steps(
            m, states, looks, stride, i, own, depth, into, made, most, copy, parent, i
        )
        if made < 0:
            return 0
    here.edges = made
    return 1


@function
def merge(m: int, level: int, made: int) -> int:
    """Keep one copy of each state on a level; return how many remain."""
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
                copy_words(b.words, address + 8 * i, stride, address + 8 * kept, stride)
                copy[i] = kept
                kept += 1
                break
            other, w = buckets[2 * at_bucket + 1], 0
            while w < words and states[w * stride + other] == states[w * stride + i]:
                w += 1
            if w == words:
                copy[i] = other
                break
            at_bucket = (at_bucket + 1) & mask
    return kept


@function
def score(m: int, level: int, ply: int) -> int:
    """Score the states of a level: write twice the value of each, plus one if it is certain."""
    b = tree_at(m)
    here, stride = level_at(b.levels, level), b.long
    count, values = here.count, at(here.values)
    run(m, c.LEAF, here.states, stride, here.values, ply, count)
    if at(b.drawn_count)[ply & 1]:
        for i in range(count):
            if is_recurrence(m, here.states + 8 * i, stride, ply):
                values[i] = 1
    guesses = count
    for i in range(count):
        guesses -= values[i] & 1
    b.leaves += count
    b.guesses += guesses
    return 0


@function
def list_likely(m: int, looks: int, stride: int, first: int, most: int) -> int:
    """List up to `most` moves of a state, frequent refutations first; return their number."""
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
            count = insert_sorted(b.likely, b.likely_rank, count, number, better)
    return count


@function
def search_replies(m: int, ply: int, low: int, high: int) -> int:
    """Search one ply like `batch`, with only the most likely replies to each state.

    `start` holds the number of replies to try, `end` the number left out. If those tried refute a
    state, its value is a bound and `end` becomes 0.
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
        for n in range(list_likely(m, here.looks + 8 * i, stride, first, limit[i])):
            row = rows + order[n]
            write_step_input(m, here.states + 8 * i, stride, row, into + 8 * made, stride)
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
    """Compute the full-width values of the states on level 0, in place; return 0 for no room.

    A value outside (`low`, `high`) is only a bound on that side.
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
            if plies > 1:  # values of states in between are not needed
                low, high = NONE, -NONE
            if back_up_leaves(m, ply + plies, plies, low, high) == 0:
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
