"""The search of `solver.Solver._bound` for boards of at most 64 bits, to be compiled by numba.

Only the process that makes the code imports this module (`circuits.functions`); what it gets
and gives is told in `compiled_search`. It differs from the search in Python in what makes it fast:
nodes lie on a stack of its own, so that it can pause anywhere; all moves of a node are looked at
side by side in the lanes of a vector; a single forced reply is played without a node; a move that
leaves the opponent two squares to block, or none to play, ends the node at once; and the table is
of fixed size.

An entry of the table is one word: the rest of the mixed position that its place does not tell,
how much work the entry stands for, and the least and the greatest score that are proved. Mixing
is one-to-one, so that no two positions are taken for one another, and a word is read and written
at once.
"""

# numba, not mypy, finds the types of what follows.
# mypy: ignore-errors

import numpy as np

from advisor.circuits.compiling import at, function, inline, ones, prefetch, unsigned_at
from advisor.games.connect4.board import completing_four
from advisor.games.connect4.compiled_search import (
    BEFORE,
    BEST,
    BITS,
    BOTTOM,
    BUCKET,
    BUDGET,
    COLUMNS,
    CONNECT,
    COUNT,
    DATA_BITS,
    DEPTH,
    FILLED,
    FOUR,
    FULL,
    LANES,
    LEFT,
    LIMIT,
    MASK,
    MIRROR_LEFT,
    MOVER,
    MOVES,
    NEXT,
    NODES,
    PAIRED,
    ROOM,
    STEPS,
    STRIDE,
    TAG_BITS,
    THREATS,
    TURNED,
    VALUE,
    WIDTH,
    WORK_BITS,
    ZERO_SCORE,
)

WORD = np.uint64
ZERO, ONE, TWO, THREE = WORD(0), WORD(1), WORD(2), WORD(3)

# With fewer empty squares, searching again takes no longer than the table does.
STORED_LEFT = 6
# With as many, the replies to all moves are looked up before the first is searched.
LOOKED_UP_LEFT = 10


completing = inline(completing_four)


@inline
def completing_any(discs, connect, settings):
    """`completing` for any number in line, on boards where some directions may have no room."""
    squares = ZERO
    for direction in range(4):
        step = settings[STEPS + direction]
        if step != ZERO:
            for hole in range(connect):
                line = ~ZERO
                for i in range(connect):
                    if i > hole:
                        line &= discs >> WORD(i - hole) * step
                    elif i < hole:
                        line &= discs << WORD(hole - i) * step
                squares |= line
    return squares


@inline
def has_line(discs, connect, settings):
    found = ZERO
    for direction in range(4):
        step = settings[STEPS + direction]
        if step != ZERO:
            line = discs
            for i in range(1, connect):
                line &= discs >> WORD(i) * step
            found |= line
    return found != ZERO


@inline
def mixed(key, bits, board):
    """A one-to-one map of the numbers of so many bits onto themselves."""
    key = key * WORD(0x9E3779B97F4A7C15) & board
    key ^= key >> (bits >> ONE)
    return key * WORD(0xC2B2AE3D27D4EB4F) & board


@inline
def unmirrored(key, width, stride):
    """The same for a position and its mirror image."""
    rest, mirrored, column = key, ZERO, (ONE << stride) - ONE
    for _ in range(width):
        mirrored = mirrored << stride | rest & column
        rest >>= stride
    return min(key, mirrored)


@inline
def find(table, place, tag_bits, data_bits):
    """What is proved of a position, 0 if nothing is."""
    bucket, tag = np.int64(place >> tag_bits) * BUCKET, place & (ONE << tag_bits) - ONE
    words = unsigned_at(table + 8 * bucket)
    for i in range(BUCKET):
        entry = words[i]
        if entry != ZERO and entry >> data_bits == tag:
            return entry
    return ZERO


@inline
def at_least(entry):
    """A score that is proved; less than any where none is."""
    return np.int64(entry >> WORD(6) & WORD(63)) - ZERO_SCORE


@inline
def at_most(entry):
    """A score that is proved; beyond any where none is."""
    bound = np.int64(entry & WORD(63))
    return bound - ZERO_SCORE if bound else np.int64(ZERO_SCORE)


@inline
def keep(table, place, tag_bits, data_bits, most_work, score, reached, work):
    """Keeps a bound, in place of what took least work; returns whether there was room."""
    bucket, tag = np.int64(place >> tag_bits) * BUCKET, place & (ONE << tag_bits) - ONE
    words = unsigned_at(table + 8 * bucket)
    chosen, old, least = 0, ZERO, ~ZERO
    for i in range(BUCKET):
        entry = words[i]
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
    words[chosen] = tag << data_bits | kept << WORD(12) | lower << WORD(6) | upper
    return room


@inline
def logarithm(number, most):
    result = ZERO
    number >>= 2
    while number > 0 and result < most:
        number >>= 1
        result += ONE
    return result


@function
def search(settings_, control_, stack, table):
    """Goes on with the question on the stack until it is answered: then the depth is negative.

    It pauses before, at any depth, when it has visited as many nodes as it may, or the table has
    no more room.
    """
    settings, control = unsigned_at(settings_), at(control_)
    width, connect = np.int64(settings[WIDTH]), np.int64(settings[CONNECT])
    stride = settings[STRIDE]
    full, bottom, bits = settings[FULL], settings[BOTTOM], settings[BITS]
    board = ~ZERO >> (WORD(64) - bits)
    tag_bits, data_bits = settings[TAG_BITS], settings[DATA_BITS]
    most_work = (ONE << settings[WORK_BITS]) - ONE
    mirror_left, lanes = np.int64(settings[MIRROR_LEFT]), np.int64(settings[LANES])
    four, paired = settings[FOUR] != ZERO, settings[PAIRED]
    columns = unsigned_at(settings_ + 8 * COLUMNS)
    # Below the frames: what is known of the moves of the present node.
    wins, blocks = unsigned_at(stack), unsigned_at(stack + 8 * lanes)
    places, frames = unsigned_at(stack + 16 * lanes), stack + 24 * lanes
    size = 8 * (MOVES + 3 * lanes)
    depth, nodes, budget = control[DEPTH], control[NODES], control[BUDGET]
    filled, room = control[FILLED], control[ROOM]
    while True:
        if nodes >= budget or filled >= room:
            control[DEPTH], control[NODES], control[FILLED] = depth, nodes, filled
            return 0
        nodes += 1
        frame = unsigned_at(frames + depth * size)
        mover, mask, threats = frame[MOVER], frame[MASK], frame[THREATS]
        left, limit = np.int64(frame[LEFT]), np.int64(frame[LIMIT])
        value, known, turned, moves = np.int64(0), True, False, ZERO

        # Replies that are forced, up to a position with a choice or a certain result.
        while True:
            playable = mask + bottom & full
            forced = playable & threats
            if forced == ZERO:
                moves = playable & ~(threats >> ONE)
                if moves == ZERO:
                    value = -(left >> 1)
                elif left > 2:
                    known = False
                break
            if forced & forced - ONE | forced & threats >> ONE:
                value = -(left >> 1)
                break
            if left <= 2:
                break
            own = mover | forced
            mover ^= mask
            mask |= forced
            threats = (
                completing(own, stride, ONE) if four else completing_any(own, connect, settings)
            )
            threats &= full & ~mask
            left, limit, turned = left - 1, 1 - limit, not turned

        other, empty = mover ^ mask, full & ~mask
        if not known:
            # Nobody wins with the next two discs: these are the soonest loss and the soonest win.
            soonest_loss, soonest_win = 1 - (left >> 1), left - 1 >> 1
            known = True
            if soonest_loss >= limit:
                value = soonest_loss
            elif soonest_win < limit:
                value = soonest_win
            else:
                known = False
        if not known and left >= STORED_LEFT:
            key = mover + mask
            if left >= mirror_left:
                key = unmirrored(key, width, stride)
            entry = find(table, mixed(key, bits, board), tag_bits, data_bits)
            if entry != ZERO:
                lower, upper = at_least(entry), at_most(entry)
                if lower >= limit:
                    value, known = lower, True
                elif upper < limit:
                    value, known = upper, True
        if not known:
            # Where every column has an even number of empty squares, each disc can be answered
            # on top of it: then the side to move gets the paired squares and no other.
            if limit <= 0:
                hoped = other | empty
            elif playable & ~paired:
                hoped = mover | empty
            else:
                hoped = mover | empty & paired
            known = not has_line(hoped, connect, settings)
        if not known:
            if four:
                for i in range(lanes):
                    move = moves & columns[i]
                    wins[i] = completing(mover | move, stride, ONE) & empty & ~move
            else:
                for i in range(lanes):
                    move = moves & columns[i]
                    wins[i] = completing_any(mover | move, connect, settings) & empty & ~move
            lost = ZERO
            for i in range(lanes):
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
                places[i] = mixed(other + after, bits, board)
            if lost != ZERO:
                value, known = soonest_win, True
        if not known:
            looked_up = left >= LOOKED_UP_LEFT
            if looked_up:
                for i in range(lanes):
                    move = moves & columns[i]
                    if move != ZERO and blocks[i] == ZERO:
                        if left - 1 >= mirror_left:
                            key = unmirrored(other + (mask | move), width, stride)
                            places[i] = mixed(key, bits, board)
                        prefetch(table + np.int64(places[i] >> tag_bits) * (8 * BUCKET))
            best, count = -left, 0
            for i in range(lanes):
                move = moves & columns[i]
                if move == ZERO:
                    continue
                if looked_up and blocks[i] == ZERO:
                    entry = find(table, places[i], tag_bits, data_bits)
                    if entry != ZERO:
                        lower, upper = -at_most(entry), -at_least(entry)
                        if lower >= limit:
                            best, known = lower, True
                            break
                        if upper < limit:
                            best = max(best, upper)
                            continue
                # The more squares it wins on, the earlier; central moves first among equals.
                squares, place = ones(np.int64(wins[i])), count
                while place > 0 and frame[MOVES + 3 * place - 1] < squares:
                    frame[MOVES + 3 * place] = frame[MOVES + 3 * place - 3]
                    frame[MOVES + 3 * place + 1] = frame[MOVES + 3 * place - 2]
                    frame[MOVES + 3 * place + 2] = frame[MOVES + 3 * place - 1]
                    place -= 1
                frame[MOVES + 3 * place] = mask | move
                frame[MOVES + 3 * place + 1] = wins[i]
                frame[MOVES + 3 * place + 2] = squares
                count += 1
            if count == 0:
                known = True
            if known:
                value = best
            else:
                frame[MOVER], frame[MASK], frame[LEFT] = mover, mask, WORD(left)
                frame[LIMIT], frame[BEST], frame[TURNED] = WORD(limit), WORD(best), WORD(turned)
                frame[COUNT], frame[NEXT], frame[BEFORE] = WORD(count), ZERO, WORD(nodes)

        # With a value, back to the last node that has another move to try.
        while known:
            if turned:
                value = -value
            depth -= 1
            if depth < 0:
                control[DEPTH], control[NODES], control[FILLED] = depth, nodes, filled
                control[VALUE] = value
                return 0
            frame = unsigned_at(frames + depth * size)
            best = max(np.int64(frame[BEST]), -value)
            frame[BEST] = WORD(best)
            left, limit = np.int64(frame[LEFT]), np.int64(frame[LIMIT])
            if best < limit and frame[NEXT] < frame[COUNT]:
                break
            if left >= STORED_LEFT:
                key = frame[MOVER] + frame[MASK]
                if left >= mirror_left:
                    key = unmirrored(key, width, stride)
                place = mixed(key, bits, board)
                work = logarithm(nodes - np.int64(frame[BEFORE]), most_work)
                if keep(table, place, tag_bits, data_bits, most_work, best, best >= limit, work):
                    filled += 1
            value, turned = best, frame[TURNED] != ZERO

        child = unsigned_at(frames + (depth + 1) * size)
        move = MOVES + 3 * np.int64(frame[NEXT])
        child[MOVER], child[MASK] = frame[MOVER] ^ frame[MASK], frame[move]
        child[THREATS], child[LEFT] = frame[move + 1], frame[LEFT] - ONE
        child[LIMIT] = WORD(1 - np.int64(frame[LIMIT]))
        frame[NEXT] += ONE
        depth += 1
