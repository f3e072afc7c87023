"""Trees of random games as compiled code: what `advisor.engine.uct` says, many times as fast.

`uct_control` names the words of the memory in which everything is found. Several threads may let
one tree grow: they count without locks, so that now and then a game is not counted (Enzenberger and
Mueller 2010), and one at a time lists the moves of a state. Only who makes the code imports this
module, which takes seconds.
"""

from math import sqrt

import numpy as np

from advisor.circuits.compiling import (
    Words,
    at,
    call,
    exchange,
    floats_at,
    function,
    inline,
    lowest,
    single,
    small_at,
)
from advisor.engine import playout_control as c
from advisor.engine import uct_control as u
from advisor.engine.playout_kernel import over, pick, put

_ZERO, _ONE, _ABOVE = np.float32(0), np.float32(1), np.float32(4)
_BIAS, _TINY = np.float32(u.BIAS), np.float32(1e-6)


@inline
def column(b: Words, name: int) -> Words:
    """A column of the tree."""
    return small_at(b[u.TREE] + 4 * name * b[u.ROOM])


@inline
def column_from(b: Words, name: int, entry: int) -> Words:
    """The same from an entry on."""
    return small_at(b[u.TREE] + 4 * (name * b[u.ROOM] + entry))


@function
def best(m: int, node: int) -> int:
    """The move to go on with: as the scores of `advisor.engine.uct` say."""
    b = at(m)
    first = column(b, u.FIRST)[node]
    count = column(b, u.COUNT)[node]
    scores, bits = floats_at(b[u.SCORES]), small_at(b[u.SCORES])
    scores[0] = single(column(b, u.VISITS)[node])
    explore: float = floats_at(b[u.EXPLORE])[bits[0] >> 16]
    mean = single(column(b, u.WINS)[node]) / scores[0]
    turn = column(b, u.TURN)
    usual = mean if turn[node] == turn[column(b, u.PARENT)[node]] else -mean
    visits, wins = column_from(b, u.VISITS, first), column_from(b, u.WINS, first)
    alike_visits = column_from(b, u.ALIKE_VISITS, first)
    alike_wins = column_from(b, u.ALIKE_WINS, first)
    proven = column_from(b, u.PROVEN, first)
    for i in range(count):
        n, alike = single(visits[i]), single(alike_visits[i])
        own = single(wins[i]) / (n if n > _ZERO else _ONE) if n > _ZERO else usual
        other = single(alike_wins[i]) / (alike if alike > _ZERO else _ONE)
        part = alike / (n + alike + _BIAS * n * alike + _TINY)
        score = _ABOVE + own + part * (other - own) + explore / sqrt(n + _ONE)
        scores[i] = score if proven[i] >= 0 else _ZERO
    # Numbers above 0 are ordered as their bits, and the greatest of integers is found side by side.
    greatest = 0
    for i in range(count):
        greatest = max(greatest, bits[i])
    for i in range(count):
        if bits[i] == greatest:
            return int(first + i)
    return int(first)


@function
def descend(m: int) -> int:
    """From the root to the entry that the next game begins from."""
    b = at(m)
    visits, wins = column(b, u.VISITS), column(b, u.WINS)
    first, proven = column(b, u.FIRST), column(b, u.PROVEN)
    node, asked = 0, b[u.ASKED]
    visits[0] += 1
    wins[0] -= 1
    while first[node] != 0:
        node = best(m, node)
        if asked != 0 and proven[asked] == 0 and visits[asked] + 1 < visits[node]:
            node = asked
        asked = 0
        visits[node] += 1
        wins[node] -= 1
        if proven[node] != 0:
            break
    return node


@function
def begin(m: int, slot: int) -> int:
    """Puts the next game into a slot: a state and the move that is to be made there."""
    b = at(m)
    leaf = descend(m)
    node = column(b, u.PARENT)[leaf]
    turn = column(b, u.TURN)[node]
    states, stride, words = at(b[c.STATES]), b[c.STRIDE], b[c.WORDS]
    row = at(b[u.NODES] + 8 * words * column(b, u.STATE)[node])
    for q in range(words):
        states[q * stride + slot] = row[q]
    at(b[c.MOVE])[slot] = column(b, u.MOVE)[leaf] + (b[c.SECOND_ROWS] if turn else 0)
    at(b[u.LEAF])[slot] = leaf
    at(b[u.SIDE])[slot] = turn
    at(b[c.OWNER])[slot] = b[c.BEGUN]
    # What is proven needs no game.
    at(b[c.AGE])[slot] = b[c.LONGEST] - 1 if column(b, u.PROVEN)[leaf] != 0 else -1
    b[c.BEGUN] += 1
    masks = b[c.MASKS]
    played = at(b[u.PLAYED] + 16 * slot * masks)
    for w in range(2 * masks):
        played[w] = 0
    return 0


@function
def prove(m: int, entry: int, value: int) -> int:
    """Keeps what an entry is certain to lead to, and what follows from that further up."""
    b = at(m)
    proven, parent, turn = column(b, u.PROVEN), column(b, u.PARENT), column(b, u.TURN)
    proven[entry] = value
    while entry != 0:
        node = parent[entry]
        if proven[node] != 0:
            return 0
        value = proven[entry]
        if value <= u.DRAWN:
            first = column(b, u.FIRST)[node]
            for i in range(first, first + column(b, u.COUNT)[node]):
                if proven[i] == 0:
                    return 0
                value = max(value, proven[i])
        if value != u.DRAWN:
            value = value - 1 if value > 0 else value + 1
            value = value if turn[node] == turn[parent[node]] else -value
        proven[node] = value
        entry = node
    return 0


@function
def back_up(m: int, slot: int, result: int) -> int:
    """Counts a game, by its result for role 0, all the way up."""
    b = at(m)
    masks = b[c.MASKS]
    visits, wins = column(b, u.ALIKE_VISITS), column(b, u.ALIKE_WINS)
    own_wins, move = column(b, u.WINS), column(b, u.MOVE)
    first, count = column(b, u.FIRST), column(b, u.COUNT)
    parent, turn = column(b, u.PARENT), column(b, u.TURN)
    entry = at(b[u.LEAF])[slot]
    while entry != 0:
        node = parent[entry]
        role = turn[node]
        points = -result if role else result
        own_wins[entry] += points + 1
        played = at(b[u.PLAYED] + 8 * (2 * slot + role) * masks)
        played[move[entry] >> 6] |= 1 << (move[entry] & 63)
        for i in range(first[node], first[node] + count[node]):
            made = (played[move[i] >> 6] >> (move[i] & 63)) & 1
            visits[i] += made
            wins[i] += points * made
        entry = node
    own_wins[0] += 1 + (-result if turn[0] else result)
    return 0


@function
def finish(m: int, slot: int) -> int:
    """Counts the game of a slot, which is over."""
    b = at(m)
    status = at(b[c.LOOKS] + 8 * (b[c.LOOK_WORDS] - 1) * b[c.STRIDE])[slot]
    result = (status & 1) - (status >> 1 & 1)
    if b[c.EXCHANGES] and at(b[u.SIDE])[slot]:
        result = -result
    leaf = at(b[u.LEAF])[slot]
    mover = column(b, u.TURN)[column(b, u.PARENT)[leaf]]
    proven = column(b, u.PROVEN)
    if at(b[c.AGE])[slot] == 0 and status & 7 and proven[leaf] == 0 and b[u.PROVES]:
        own = -result if mover else result
        prove(m, leaf, own * u.CERTAIN if own else u.DRAWN)
    known = proven[leaf]
    if known != 0:
        own = 0 if known == u.DRAWN else (1 if known > 0 else -1)
        result = -own if mover else own
    back_up(m, slot, result)
    moves, masks = 64 * b[c.MASKS], b[c.MASKS]
    for role in range(2):
        points = 1 - result if role else 1 + result
        for w in range(masks):
            left = at(b[u.PLAYED] + 8 * (2 * slot + role) * masks)[w]
            while left != 0:
                means = at(b[u.MEANS] + 16 * (role * moves + 64 * w + lowest(left)))
                means[0] += points
                means[1] += 1
                left &= left - 1
    b[u.FINISHED] += 1
    return 0


@function
def expand(m: int, slot: int) -> int:
    """Lists the moves of the state in a slot, if it is time and there is room."""
    b = at(m)
    leaf = at(b[u.LEAF])[slot]
    first = column(b, u.FIRST)
    if first[leaf] != 0 or column(b, u.VISITS)[leaf] < u.EXPAND_AT:
        return 0
    shared, lock = small_at(b[u.SHARED]), b[u.SHARED] + 4 * u.LOCK
    while exchange(lock, 1):
        pass
    begun, number = shared[u.ENTRIES], shared[u.EXPANDED]
    masks, stride, words = b[c.MASKS], b[c.STRIDE], b[c.WORDS]
    if first[leaf] == 0 and begun + 64 * masks <= b[u.ROOM] and number < b[u.MOST_NODES]:
        entry = begun
        for w in range(masks):
            left = at(b[c.LOOKS] + 8 * w * stride)[slot]
            while left != 0:
                for name in range(u.COLUMNS):
                    column(b, name)[entry] = 0
                column(b, u.MOVE)[entry] = 64 * w + lowest(left)
                column(b, u.PARENT)[entry] = leaf
                entry += 1
                left &= left - 1
        row, states = at(b[u.NODES] + 8 * words * number), at(b[c.STATES])
        for q in range(words):
            row[q] = states[q * stride + slot]
        column(b, u.COUNT)[leaf] = entry - begun
        column(b, u.TURN)[leaf] = at(b[u.SIDE])[slot]
        column(b, u.STATE)[leaf] = number
        shared[u.ENTRIES] = entry
        shared[u.EXPANDED] = number + 1
        exchange(b[u.TREE] + 4 * (u.FIRST * b[u.ROOM] + leaf), begun)  # now others see it
    exchange(lock, 0)
    return 0


@function
def choose(m: int) -> int:
    """A move for every slot: of two random ones that with the better mean (MAST)."""
    b = at(m)
    count = b[c.COUNT]
    move, other, side = at(b[c.MOVE]), at(b[u.OTHER]), at(b[u.SIDE])
    pick(m)
    for i in range(count):
        other[i] = move[i]
    b[c.SEED] += u.OTHER_SEED
    pick(m)
    b[c.SEED] -= u.OTHER_SEED
    means, moves, second = at(b[u.MEANS]), 64 * b[c.MASKS], b[c.SECOND_ROWS]
    for i in range(count):
        role = side[i] * (moves - second)
        x, y = 2 * (other[i] + role), 2 * (move[i] + role)
        move[i] = other[i] if means[x] * means[y + 1] > means[y] * means[x + 1] else move[i]
    return 0


@function
def note(m: int) -> int:
    """Notes for every slot whose turn it is, and the move that it makes, if there is one."""
    b = at(m)
    masks, second = b[c.MASKS], b[c.SECOND_ROWS]
    move, bits, side = at(b[c.MOVE]), at(b[c.BITS]), at(b[u.SIDE])
    played = at(b[u.PLAYED])
    for i in range(b[c.COUNT]):
        number = move[i] - second * side[i]
        made = 1 if bits[i] != 0 else 0
        played[(2 * i + side[i]) * masks + (number >> 6)] |= made << (number & 63)
    return 0


@function
def sides(m: int) -> int:
    """Whose turn it is in every slot, where states tell that."""
    b = at(m)
    status = at(b[c.LOOKS] + 8 * (b[c.LOOK_WORDS] - 1) * b[c.STRIDE])
    side = at(b[u.SIDE])
    for i in range(b[c.COUNT]):
        side[i] = 1 if status[i] < 0 else 0
    return 0


@function
def grow(m: int, ticks: int) -> int:
    """Plays on for so many plies of each slot's game; whether there is more to do."""
    b = at(m)
    stride, age, ended, side = b[c.STRIDE], at(b[c.AGE]), at(b[c.ENDED]), at(b[u.SIDE])
    proven, asked = column(b, u.PROVEN), b[u.ASKED]
    few = u.FEW_SLOTS + column(b, u.COUNT)[0]
    for _ in range(ticks):
        if b[u.FINISHED] >= b[c.GAMES] or (proven[0] != 0 and proven[asked] != 0):
            return 0
        count = b[c.COUNT]
        blocks = (count + b[c.LOOK_BLOCK] - 1) // b[c.LOOK_BLOCK]
        call(b[c.LOOK], b[c.STATES], stride, 0, b[c.LOOKS], b[c.LOOK_SCRATCH], blocks)
        if b[c.EXCHANGES] == 0:
            sides(m)
        choose(m)
        note(m)
        done = over(m)
        for j in range(done):
            finish(m, ended[j])
            begin(m, ended[j])
        for i in range(count):
            if age[i] == 0:
                expand(m, i)
        wanted = min(b[c.SLOTS], few + b[u.FINISHED] // u.GAMES_A_SLOT)
        while b[c.COUNT] < wanted:
            b[c.COUNT] += 1
            begin(m, b[c.COUNT] - 1)
        count = b[c.COUNT]
        put(m)
        blocks = (count + b[c.STEP_BLOCK] - 1) // b[c.STEP_BLOCK]
        call(b[c.STEP], b[c.STATES], stride, 0, b[c.STATES], b[c.STEP_SCRATCH], blocks)
        for i in range(count):
            age[i] += 1
            side[i] ^= b[c.EXCHANGES]
    return 1
