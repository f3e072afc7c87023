"""The search of `solver.PythonSearch` for boards of at most 64 bits, to be compiled by numba.

Only the process that makes the code imports this module (`circuits.functions`); `compiled_search`
describes its input and output. It is faster than the search in Python for these reasons: nodes lie
on a stack of its own, so it can pause anywhere; the lanes of a vector examine all moves of a node
side by side; a single forced reply is played without a node; a move that leaves the opponent two
squares to block, or none to play, ends the node at once; and the table is of fixed size.

An entry of the table is one word: the part of the mixed position that its place does not imply, the
amount of work the entry stands for, and the least and the greatest score that are proved. Mixing is
one-to-one, so no two positions are confused, and a word is read and written at once.
"""

# numba, not mypy, finds the types of what follows.
# mypy: ignore-errors

import numpy as np

from advisor.games.connect4.compiled_search import BUCKET, ZERO_SCORE, SolverWords, StackFrame, Try
from advisor.games.connect4.line_kernel import WORD, ZERO, completing, has_line
from aspcircuits.compiling import (
    function,
    inline,
    ones,
    prefetch,
    record_at,
    unsigned_at,
    values_at,
)

ONE = WORD(1)

# With fewer empty squares, searching again is as fast as the table.
STORED_LEFT = 6
# From this many on, the replies to all moves are looked up before the first is searched.
LOOKED_UP_LEFT = 10

control_at, frame_at, try_at = record_at(SolverWords), record_at(StackFrame), record_at(Try)
board_at = values_at(SolverWords)


@inline
def mix_key(key, bits):
    """Return a number of `bits` bits under a one-to-one map of these numbers."""
    every = ~ZERO >> (WORD(64) - bits)
    key = key * WORD(0x9E3779B97F4A7C15) & every
    key ^= key >> (bits >> ONE)
    return key * WORD(0xC2B2AE3D27D4EB4F) & every


@inline
def place_of(key, left, b):
    """Return a position's place in the table; early in the game, its image has the same place."""
    if left >= b.mirror_left:
        rest, mirrored, stride = key, ZERO, WORD(b.stride)
        for _ in range(b.width):
            mirrored = mirrored << stride | rest & (ONE << stride) - ONE
            rest >>= stride
        key = min(key, mirrored)
    return mix_key(key, WORD(b.bits))


@inline
def bucket_of(place, b):
    """Return the address of the table's entries in which a position may be."""
    return b.table + np.int64(place >> WORD(b.tag_bits)) * (8 * BUCKET)


@inline
def find(place, b):
    """Return the entry of a position, 0 if nothing is proved of it."""
    entries, tag = unsigned_at(bucket_of(place, b)), place & (ONE << WORD(b.tag_bits)) - ONE
    for i in range(BUCKET):
        entry = entries[i]
        if entry != ZERO and entry >> WORD(b.data_bits) == tag:
            return entry
    return ZERO


@inline
def at_least(entry):
    """Return the proved lower bound of the score; less than any score if there is none."""
    return np.int64(entry >> WORD(6) & WORD(63)) - ZERO_SCORE


@inline
def at_most(entry):
    """Return the proved upper bound of the score; more than any score if there is none."""
    bound = np.int64(entry & WORD(63))
    return bound - ZERO_SCORE if bound else np.int64(ZERO_SCORE)


@inline
def keep(place, score, reached, work, b):
    """Store a bound, in place of the entry with least work; return whether there was room."""
    entries, tag = unsigned_at(bucket_of(place, b)), place & (ONE << WORD(b.tag_bits)) - ONE
    data_bits, most_work = WORD(b.data_bits), WORD(b.most_work)
    chosen, old, least = 0, ZERO, ~ZERO
    for i in range(BUCKET):
        entry = entries[i]
        if entry == ZERO or entry >> data_bits == tag:
            chosen, old = i, entry
            break
        stands_for = entry >> WORD(12) & most_work
        if stands_for < least:
            chosen, old, least = i, entry, stands_for
    room = old == ZERO
    if old >> data_bits != tag:
        old = ZERO
    bound = WORD(score + ZERO_SCORE)
    lower, upper = old >> WORD(6) & WORD(63), old & WORD(63)
    if reached:
        lower = max(lower, bound)
    elif upper == ZERO or bound < upper:
        upper = bound
    kept = max(work, old >> WORD(12) & most_work)
    entries[chosen] = tag << data_bits | kept << WORD(12) | lower << WORD(6) | upper
    return room


@inline
def logarithm(number, most):
    result = ZERO
    number >>= 2
    while number > 0 and result < most:
        number >>= 1
        result += ONE
    return result


@inline
def forced_replies(mover, mask, threats, left, limit, b):
    """Play forced replies up to a position with a choice or a certain result.

    Return the position with the question about it; its moves that do not lose at once; whether it
    is now the other player's turn; and a value, and whether that is known.
    """
    bottom, full, steps, connect = WORD(b.bottom), WORD(b.full), unsigned_at(b.steps), b.connect
    turned = False
    while True:
        playable = mask + bottom & full
        forced = playable & threats
        moves = playable & ~(threats >> ONE)
        if forced == ZERO:
            lost = moves == ZERO
            value = -(left >> 1) if lost else np.int64(0)
            return mover, mask, left, limit, moves, turned, value, lost or left <= 2
        if forced & forced - ONE | forced & threats >> ONE:
            return mover, mask, left, limit, moves, turned, -(left >> 1), True
        if left <= 2:
            return mover, mask, left, limit, moves, turned, np.int64(0), True
        own = mover | forced
        mover ^= mask
        mask |= forced
        threats = completing(own, steps, 4) if connect == 4 else completing(own, steps, connect)
        threats &= full & ~mask
        left, limit, turned = left - 1, 1 - limit, not turned


@inline
def value_at_sight(mover, mask, left, limit, b):
    """Return a value that answers the question without trying moves, and whether there is one."""
    # The next two discs win for neither: these are the soonest loss and the soonest win.
    soonest_loss, soonest_win = 1 - (left >> 1), left - 1 >> 1
    if soonest_loss >= limit:
        return soonest_loss, True
    if soonest_win < limit:
        return soonest_win, True
    if left >= STORED_LEFT:
        entry = find(place_of(mover + mask, left, b), b)
        if entry != ZERO:
            lower, upper = at_least(entry), at_most(entry)
            if lower >= limit:
                return lower, True
            if upper < limit:
                return upper, True
    # If every column has an even number of empty squares, each disc can be answered on top of it:
    # then the side to move gets the paired squares and no other.
    full, paired = WORD(b.full), WORD(b.paired)
    empty = full & ~mask
    if limit <= 0:
        hoped = mover ^ mask | empty
    elif mask + WORD(b.bottom) & full & ~paired:
        hoped = mover | empty
    else:
        hoped = mover | empty & paired
    return np.int64(0), not has_line(hoped, unsigned_at(b.steps), b.connect)


@inline
def wins_after(mover, mask, moves, b):
    """Examine each move in a lane of its own; return whether one leaves the opponent lost.

    The opponent is lost with two squares to block, or with none to play.
    """
    wins, blocks, places = unsigned_at(b.wins), unsigned_at(b.blocks), unsigned_at(b.places)
    columns, steps = unsigned_at(b.columns), unsigned_at(b.steps)
    bottom, full, bits = WORD(b.bottom), WORD(b.full), WORD(b.bits)
    other, empty = mover ^ mask, full & ~mask
    if b.connect == 4:
        for i in range(b.lanes):
            move = moves & columns[i]
            wins[i] = completing(mover | move, steps, 4) & empty & ~move
    else:
        for i in range(b.lanes):
            move = moves & columns[i]
            wins[i] = completing(mover | move, steps, b.connect) & empty & ~move
    lost = ZERO
    for i in range(b.lanes):
        after = mask | moves & columns[i]
        replies, above = after + bottom & full, wins[i] >> ONE
        block = replies & wins[i]
        hopeless = block & block - ONE | block & above
        if replies & ~above == ZERO:
            hopeless = ONE
        if moves & columns[i] == ZERO:
            hopeless = ZERO
        lost |= hopeless
        blocks[i] = block
        places[i] = mix_key(other + after, bits)
    return lost != ZERO


@inline
def insert(first, count, mask, wins, b):
    """Add a move: the more squares it wins on, the earlier; central moves first among equals."""
    squares, place = ones(np.int64(wins)), first + count
    while place > first and try_at(b.moves, place - 1).squares < squares:
        here, earlier = try_at(b.moves, place), try_at(b.moves, place - 1)
        here.mask, here.wins, here.squares = earlier.mask, earlier.wins, earlier.squares
        place -= 1
    here = try_at(b.moves, place)
    here.mask, here.wins, here.squares = mask, wins, squares


@inline
def sort_moves(depth, mover, mask, moves, left, limit, b):
    """List the moves of a node that have to be searched.

    Return their number, the best value known so far, and whether that is enough.
    """
    wins, blocks, places = unsigned_at(b.wins), unsigned_at(b.blocks), unsigned_at(b.places)
    columns, other, looked_up = unsigned_at(b.columns), mover ^ mask, left >= LOOKED_UP_LEFT
    if looked_up:
        for i in range(b.lanes):
            move = moves & columns[i]
            if move != ZERO and blocks[i] == ZERO:
                if left - 1 >= b.mirror_left:
                    places[i] = place_of(other + (mask | move), left - 1, b)
                prefetch(bucket_of(places[i], b))
    best, count = -left, 0
    for i in range(b.lanes):
        move = moves & columns[i]
        if move == ZERO:
            continue
        if looked_up and blocks[i] == ZERO:
            entry = find(places[i], b)
            if entry != ZERO:
                lower, upper = -at_most(entry), -at_least(entry)
                if lower >= limit:
                    return count, lower, True
                if upper < limit:
                    best = max(best, upper)
                    continue
        insert(depth * b.lanes, count, mask | move, wins[i], b)
        count += 1
    return count, best, count == 0


@inline
def descend(depth, b):
    """Make the frame of the next move of a node."""
    frame, child = frame_at(b.frames, depth), frame_at(b.frames, depth + 1)
    move = try_at(b.moves, depth * b.lanes + frame.next)
    child.mover, child.mask, child.threats = frame.mover ^ frame.mask, move.mask, move.wins
    child.left, child.limit = frame.left - 1, 1 - frame.limit
    frame.next += 1


@inline
def ascend(depth, value, turned, nodes, control, b):
    """Take a node's value up to the last node that has another move to try.

    Return its depth, or -1 if the value is the answer, and the number of entries that the table
    got.
    """
    added = 0
    while True:
        if turned:
            value = -value
        depth -= 1
        if depth < 0:
            control.value = value
            return depth, added
        frame = frame_at(b.frames, depth)
        best = max(frame.best, -value)
        frame.best = best
        if best < frame.limit and frame.next < frame.count:
            return depth, added
        if frame.left >= STORED_LEFT:
            work = logarithm(nodes - frame.before, WORD(b.most_work))
            place = place_of(WORD(frame.mover + frame.mask), frame.left, b)
            if keep(place, best, best >= frame.limit, work, b):
                added += 1
        value, turned = best, frame.turned != 0


@function
def search(memory):
    """Work on the question of the first frame until it is answered: then the depth is -1.

    It pauses at any depth once it has visited as many nodes as it may, or once the table is full.
    """
    b, control = board_at(memory), control_at(memory)
    depth, nodes, filled = b.depth, b.nodes, b.filled
    while depth >= 0 and nodes < b.budget and filled < b.room:
        nodes += 1
        frame = frame_at(b.frames, depth)
        mover, mask, left, limit, moves, turned, value, known = forced_replies(
            WORD(frame.mover), WORD(frame.mask), WORD(frame.threats), frame.left, frame.limit, b
        )
        if not known:
            value, known = value_at_sight(mover, mask, left, limit, b)
        if not known and wins_after(mover, mask, moves, b):
            value, known = left - 1 >> 1, True
        if not known:
            count, value, known = sort_moves(depth, mover, mask, moves, left, limit, b)
            if not known:
                frame.mover, frame.mask, frame.left, frame.limit = mover, mask, left, limit
                frame.best, frame.turned = value, turned
                frame.count, frame.next, frame.before = count, 0, nodes
        if known:
            depth, added = ascend(depth, value, turned, nodes, control, b)
            filled += added
        if depth >= 0:
            descend(depth, b)
            depth += 1
    control.depth, control.nodes, control.filled = depth, nodes, filled
    return 0
