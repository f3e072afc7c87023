"""The search of `solver.PythonSearch` for boards of at most 64 bits, to be compiled by numba.

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

from collections import namedtuple

import numpy as np

from advisor.circuits.compiling import at, function, inline, ones, prefetch, unsigned_at
from advisor.games.connect4 import compiled_search as layout
from advisor.games.connect4.compiled_search import BUCKET, MOVES, ZERO_SCORE
from advisor.games.connect4.line_kernel import WORD, ZERO, completing, has_line

ONE = WORD(1)

# With fewer empty squares, searching again takes no longer than the table does.
STORED_LEFT = 6
# With as many, the replies to all moves are looked up before the first is searched.
LOOKED_UP_LEFT = 10


KernelBoard = namedtuple(
    "KernelBoard",
    "width, connect, mirror_left, lanes, table, stride, full, bottom, paired, bits, tag_bits,"
    "data_bits, most_work, steps, columns",
)
"""What all nodes need of the settings, and the table."""


@inline
def board_of(settings_, table):
    settings = unsigned_at(settings_)
    return KernelBoard(
        np.int64(settings[layout.WIDTH]),
        np.int64(settings[layout.CONNECT]),
        np.int64(settings[layout.MIRROR_LEFT]),
        np.int64(settings[layout.LANES]),
        table,
        settings[layout.STRIDE],
        settings[layout.FULL],
        settings[layout.BOTTOM],
        settings[layout.PAIRED],
        settings[layout.BITS],
        settings[layout.TAG_BITS],
        settings[layout.DATA_BITS],
        (ONE << settings[layout.WORK_BITS]) - ONE,
        unsigned_at(settings_ + 8 * layout.STEPS),
        unsigned_at(settings_ + 8 * layout.COLUMNS),
    )


@inline
def mixed(key, b):
    """A one-to-one map of the numbers of so many bits onto themselves."""
    every = ~ZERO >> (WORD(64) - b.bits)
    key = key * WORD(0x9E3779B97F4A7C15) & every
    key ^= key >> (b.bits >> ONE)
    return key * WORD(0xC2B2AE3D27D4EB4F) & every


@inline
def place_of(key, left, b):
    """Where in the table a position is; as long as many squares are empty its image, too."""
    if left >= b.mirror_left:
        rest, mirrored, column = key, ZERO, (ONE << b.stride) - ONE
        for _ in range(b.width):
            mirrored = mirrored << b.stride | rest & column
            rest >>= b.stride
        key = min(key, mirrored)
    return mixed(key, b)


@inline
def bucket_of(place, b):
    """The address of the entries of the table among which a position is."""
    return b.table + np.int64(place >> b.tag_bits) * (8 * BUCKET)


@inline
def find(place, b):
    """What is proved of a position, 0 if nothing is."""
    entries, tag = unsigned_at(bucket_of(place, b)), place & (ONE << b.tag_bits) - ONE
    for i in range(BUCKET):
        entry = entries[i]
        if entry != ZERO and entry >> b.data_bits == tag:
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
def keep(place, score, reached, work, b):
    """Keeps a bound, in place of what took least work; returns whether there was room."""
    entries, tag = unsigned_at(bucket_of(place, b)), place & (ONE << b.tag_bits) - ONE
    chosen, old, least = 0, ZERO, ~ZERO
    for i in range(BUCKET):
        entry = entries[i]
        if entry == ZERO or entry >> b.data_bits == tag:
            chosen, old = i, entry
            break
        stands_for = entry >> WORD(12) & b.most_work
        if stands_for < least:
            chosen, old, least = i, entry, stands_for
    room = old == ZERO
    if old >> b.data_bits != tag:
        old = ZERO
    bound = WORD(score + ZERO_SCORE)
    lower, upper = old >> WORD(6) & WORD(63), old & WORD(63)
    if reached:
        lower = max(lower, bound)
    elif upper == ZERO or bound < upper:
        upper = bound
    kept = max(work, old >> WORD(12) & b.most_work)
    entries[chosen] = tag << b.data_bits | kept << WORD(12) | lower << WORD(6) | upper
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
    """Plays replies that are forced, up to a position with a choice or a certain result.

    Returns the position with the question about it; its moves that do not lose at once; whether it
    is the turn of the other player now; and a value, and whether that is known.
    """
    turned = False
    while True:
        playable = mask + b.bottom & b.full
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
        if b.connect == 4:
            threats = completing(own, b.steps, 4)
        else:
            threats = completing(own, b.steps, b.connect)
        threats &= b.full & ~mask
        left, limit, turned = left - 1, 1 - limit, not turned


@inline
def value_at_sight(mover, mask, left, limit, b):
    """What answers the question without a look at the moves, and whether anything does."""
    # Nobody wins with the next two discs: these are the soonest loss and the soonest win.
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
    # Where every column has an even number of empty squares, each disc can be answered on top of
    # it: then the side to move gets the paired squares and no other.
    empty = b.full & ~mask
    if limit <= 0:
        hoped = mover ^ mask | empty
    elif mask + b.bottom & b.full & ~b.paired:
        hoped = mover | empty
    else:
        hoped = mover | empty & b.paired
    return np.int64(0), not has_line(hoped, b.steps, b.connect)


@inline
def wins_after(mover, mask, moves, lane, b):
    """Looks at each move in a lane of its own; returns whether one leaves the opponent lost.

    He is if he has two squares to block, or none to play. A lane gets three words: the squares on
    which the mover then wins, those of them that must be blocked, and the position's place.
    """
    wins, blocks = unsigned_at(lane), unsigned_at(lane + 8 * b.lanes)
    places = unsigned_at(lane + 16 * b.lanes)
    other, empty = mover ^ mask, b.full & ~mask
    if b.connect == 4:
        for i in range(b.lanes):
            move = moves & b.columns[i]
            wins[i] = completing(mover | move, b.steps, 4) & empty & ~move
    else:
        for i in range(b.lanes):
            move = moves & b.columns[i]
            wins[i] = completing(mover | move, b.steps, b.connect) & empty & ~move
    lost = ZERO
    for i in range(b.lanes):
        after = mask | moves & b.columns[i]
        replies, above = after + b.bottom & b.full, wins[i] >> ONE
        block = replies & wins[i]
        hopeless = block & block - ONE | block & above
        if replies & ~above == ZERO:
            hopeless = ONE
        if moves & b.columns[i] == ZERO:
            hopeless = ZERO
        lost |= hopeless
        blocks[i] = block
        places[i] = mixed(other + after, b)
    return lost != ZERO


@inline
def insert(frame, count, after, wins):
    """Adds a move: the more squares it wins on, the earlier; central moves first among equals."""
    squares, place = ones(np.int64(wins)), MOVES + 3 * count
    while place > MOVES and frame[place - 1] < squares:
        frame[place] = frame[place - 3]
        frame[place + 1] = frame[place - 2]
        frame[place + 2] = frame[place - 1]
        place -= 3
    frame[place], frame[place + 1], frame[place + 2] = after, wins, squares


@inline
def sort_moves(frame, mover, mask, moves, left, limit, lane, b):
    """Puts those moves into a frame that have to be searched.

    Returns how many they are, the best value known by then, and whether that is enough.
    """
    wins, blocks = unsigned_at(lane), unsigned_at(lane + 8 * b.lanes)
    places = unsigned_at(lane + 16 * b.lanes)
    other, looked_up = mover ^ mask, left >= LOOKED_UP_LEFT
    if looked_up:
        for i in range(b.lanes):
            move = moves & b.columns[i]
            if move != ZERO and blocks[i] == ZERO:
                if left - 1 >= b.mirror_left:
                    places[i] = place_of(other + (mask | move), left - 1, b)
                prefetch(bucket_of(places[i], b))
    best, count = -left, 0
    for i in range(b.lanes):
        move = moves & b.columns[i]
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
        insert(frame, count, mask | move, wins[i])
        count += 1
    return count, best, count == 0


@inline
def descend(frame, child):
    """Makes the frame of the next move of a node."""
    move = MOVES + 3 * np.int64(frame[layout.NEXT])
    child[layout.MOVER], child[layout.MASK] = frame[layout.MOVER] ^ frame[layout.MASK], frame[move]
    child[layout.THREATS], child[layout.LEFT] = frame[move + 1], frame[layout.LEFT] - ONE
    child[layout.LIMIT] = WORD(1 - np.int64(frame[layout.LIMIT]))
    frame[layout.NEXT] += ONE


@function
def search(settings_, control_, stack, table):
    """Goes on with the question on the stack until it is answered: then the depth is negative.

    It pauses before, at any depth, when it has visited as many nodes as it may, or the table has
    no more room.
    """
    b, control = board_of(settings_, table), at(control_)
    # Below the frames: what is known of the moves of the present node.
    frames, size = stack + 24 * b.lanes, 8 * (MOVES + 3 * b.lanes)
    depth, nodes, budget = control[layout.DEPTH], control[layout.NODES], control[layout.BUDGET]
    filled, room = control[layout.FILLED], control[layout.ROOM]
    while depth >= 0 and nodes < budget and filled < room:
        nodes += 1
        frame = unsigned_at(frames + depth * size)
        mover, mask, left, limit, moves, turned, value, known = forced_replies(
            frame[layout.MOVER],
            frame[layout.MASK],
            frame[layout.THREATS],
            np.int64(frame[layout.LEFT]),
            np.int64(frame[layout.LIMIT]),
            b,
        )
        if not known:
            value, known = value_at_sight(mover, mask, left, limit, b)
        if not known and wins_after(mover, mask, moves, stack, b):
            value, known = left - 1 >> 1, True
        if not known:
            count, value, known = sort_moves(frame, mover, mask, moves, left, limit, stack, b)
            if not known:
                frame[layout.MOVER], frame[layout.MASK] = mover, mask
                frame[layout.LEFT], frame[layout.LIMIT] = WORD(left), WORD(limit)
                frame[layout.BEST], frame[layout.TURNED] = WORD(value), WORD(turned)
                frame[layout.COUNT], frame[layout.NEXT] = WORD(count), ZERO
                frame[layout.BEFORE] = WORD(nodes)

        # With a value, back to the last node that has another move to try.
        while known:
            if turned:
                value = -value
            depth -= 1
            if depth < 0:
                control[layout.VALUE] = value
                break
            frame = unsigned_at(frames + depth * size)
            best = max(np.int64(frame[layout.BEST]), -value)
            frame[layout.BEST] = WORD(best)
            left, limit = np.int64(frame[layout.LEFT]), np.int64(frame[layout.LIMIT])
            if best < limit and frame[layout.NEXT] < frame[layout.COUNT]:
                break
            if left >= STORED_LEFT:
                work = logarithm(nodes - np.int64(frame[layout.BEFORE]), b.most_work)
                place = place_of(frame[layout.MOVER] + frame[layout.MASK], left, b)
                if keep(place, best, best >= limit, work, b):
                    filled += 1
            value, turned = best, frame[layout.TURNED] != ZERO

        if depth >= 0:
            descend(frame, unsigned_at(frames + (depth + 1) * size))
            depth += 1
    control[layout.DEPTH], control[layout.NODES], control[layout.FILLED] = depth, nodes, filled
    return 0
