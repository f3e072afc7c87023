"""Trees of random games as compiled code: `advisor.engine.uct`, many times as fast.

`uct_control` names the words of the memory that holds everything. Several threads may grow one
tree: they count without locks, so that now and then a game is not counted (Enzenberger and Mueller
2010), and one at a time lists the moves of a state. Only the process that compiles the code imports
this module, since that takes seconds.
"""

from math import sqrt

import numpy as np

from advisor.engine import control as c
from advisor.engine import uct_control as u
from advisor.engine.playout_kernel import count_moves, list_finished, pick_one, write_moves
from advisor.engine.states import copy_words, run, statuses, write_step_input
from aspcircuits.compiling import (
    Words,
    at,
    exchange,
    floats_at,
    function,
    inline,
    lowest,
    ones,
    record_at,
    single,
    small_at,
)

trees_at = record_at(u.Trees)
proved = inline(u.prove)

_ZERO, _ONE, _ABOVE = np.float32(0), np.float32(1), np.float32(4)
_BIAS, _TINY = np.float32(u.BIAS), np.float32(1e-6)


@inline
def column(b: u.Trees, name: int) -> Words:
    """Return a column of the tree."""
    return small_at(b.tree + 4 * name * b.room)


@inline
def column_from(b: u.Trees, name: int, entry: int) -> Words:
    """Return a column of the tree from an entry on."""
    return small_at(b.tree + 4 * (name * b.room + entry))


@function
def best(m: int, node: int) -> int:
    """Return the entry to descend to: the one with the best score of `advisor.engine.uct`."""
    b = trees_at(m)
    first = column(b, u.FIRST)[node]
    count = column(b, u.COUNT)[node]
    scores, bits = floats_at(b.scores), small_at(b.scores)
    scores[0] = single(column(b, u.VISITS)[node])
    explore: float = floats_at(b.explore)[bits[0] >> 16]
    mean = single(column(b, u.WINS)[node]) / scores[0]
    turn = column(b, u.TURN)
    usual = mean if turn[node] == turn[column(b, u.PARENT)[node]] else -mean
    visits, wins = column_from(b, u.VISITS, first), column_from(b, u.WINS, first)
    alike_visits = column_from(b, u.ALIKE_VISITS, first)
    alike_wins = column_from(b, u.ALIKE_WINS, first)
    proven = column_from(b, u.PROVEN, first)
    little = _TINY * usual
    for i in range(count):
        n, alike = single(visits[i]), single(alike_visits[i])
        root = sqrt(n + _ONE)
        sums = single(wins[i]) * (_ONE + _BIAS * alike) + single(alike_wins[i]) + little
        share = n + alike + _BIAS * n * alike + _TINY
        score = _ABOVE + (sums * root + explore * share) / (share * root)
        scores[i] = score if proven[i] >= 0 else _ZERO
    # The bits of positive floats are ordered like integers, and vector code finds the greatest of
    # these: the first among equals, since its place is counted from the end.
    greatest = 0
    for i in range(count):
        greatest = max(greatest, (bits[i] << 32) + count - i)
    return int(first + count - (greatest & 0xFFFFFFFF))


@function
def descend(m: int) -> int:
    """Descend from the root to the entry from which the next game begins."""
    b = trees_at(m)
    visits, wins = column(b, u.VISITS), column(b, u.WINS)
    first, proven = column(b, u.FIRST), column(b, u.PROVEN)
    node, asked = 0, b.asked
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
    """Put the next game into a slot: a state and the move to make there."""
    b = trees_at(m)
    leaf = descend(m)
    node = column(b, u.PARENT)[leaf]
    turn = column(b, u.TURN)[node]
    row = b.nodes + 8 * b.node_words * column(b, u.STATE)[node]
    copy_words(b.words, row, 1, b.states + 8 * slot, b.stride)
    at(b.move)[slot] = column(b, u.MOVE)[leaf] + (b.second_rows if turn else 0)
    at(b.leaf)[slot] = leaf
    at(b.side)[slot] = turn
    at(b.owner)[slot] = b.begun
    # A proven entry needs no game.
    at(b.age)[slot] = b.longest - 1 if column(b, u.PROVEN)[leaf] != 0 else -1
    b.begun += 1
    masks = b.masks
    played = at(b.played + 16 * slot * masks)
    for w in range(2 * masks):
        played[w] = 0
    return 0


@function
def prove(m: int, entry: int, value: int) -> int:
    """See `uct_control.prove`."""
    b = trees_at(m)
    proven, parent, turn = column(b, u.PROVEN), column(b, u.PARENT), column(b, u.TURN)
    first, count = column(b, u.FIRST), column(b, u.COUNT)
    return proved(entry, value, proven, parent, turn, first, count)


@function
def back_up(m: int, slot: int, result: int) -> int:
    """Count a game, by its result for role 0, all the way up."""
    b = trees_at(m)
    masks = b.masks
    visits, wins = column(b, u.ALIKE_VISITS), column(b, u.ALIKE_WINS)
    own_wins, move, state = column(b, u.WINS), column(b, u.MOVE), column(b, u.STATE)
    first, parent, turn = column(b, u.FIRST), column(b, u.PARENT), column(b, u.TURN)
    entry = at(b.leaf)[slot]
    while entry != 0:
        node = parent[entry]
        role = turn[node]
        points = -result if role else result
        own_wins[entry] += points + 1
        played = at(b.played + 8 * (2 * slot + role) * masks)
        played[move[entry] >> 6] |= 1 << (move[entry] & 63)
        legal = at(b.nodes + 8 * (b.node_words * state[node] + b.words))
        begun = first[node]
        for w in range(masks):
            left = played[w] & legal[w]
            while left != 0:
                i = begun + ones(legal[w] & ((left & -left) - 1))
                visits[i] += 1
                wins[i] += points
                left &= left - 1
            begun += ones(legal[w])
        entry = node
    own_wins[0] += 1 + (-result if turn[0] else result)
    return 0


@function
def finish(m: int, slot: int) -> int:
    """Count the finished game of a slot."""
    b = trees_at(m)
    status = statuses(m, b.looks, b.stride)[slot]
    result = (status & 1) - (status >> 1 & 1)
    if b.exchanges and at(b.side)[slot]:
        result = -result
    leaf = at(b.leaf)[slot]
    mover = column(b, u.TURN)[column(b, u.PARENT)[leaf]]
    proven = column(b, u.PROVEN)
    if at(b.age)[slot] == 0 and status & 7 and proven[leaf] == 0 and b.proves:
        own = -result if mover else result
        prove(m, leaf, own * u.CERTAIN if own else u.DRAWN)
    known = proven[leaf]
    if known != 0:
        own = 0 if known == u.DRAWN else (1 if known > 0 else -1)
        result = -own if mover else own
    back_up(m, slot, result)
    moves, masks = 64 * b.masks, b.masks
    for role in range(2):
        points = 1 - result if role else 1 + result
        for w in range(masks):
            left = at(b.played + 8 * (2 * slot + role) * masks)[w]
            while left != 0:
                means = at(b.means + 16 * (role * moves + 64 * w + lowest(left)))
                means[0] += points
                means[1] += 1
                left &= left - 1
    b.finished += 1
    return 0


@function
def try_moves(m: int, leaf: int) -> int:
    """Prove which of the moves that follow end the game; see `advisor.engine.uct`."""
    b = trees_at(m)
    first, count = column(b, u.FIRST)[leaf], column(b, u.COUNT)[leaf]
    turn, proven, move = column(b, u.TURN)[leaf], column(b, u.PROVEN), column(b, u.MOVE)
    row = b.nodes + 8 * b.node_words * column(b, u.STATE)[leaf]
    second = b.second_rows if turn else 0
    sign = -1 if turn or b.exchanges else 1
    best, where = -u.CERTAIN, 0
    for start in range(first, first + count, b.slots):
        many = min(b.slots, first + count - start)
        for i in range(many):
            write_step_input(m, row, 1, move[start + i] + second, b.tried + 8 * i, b.stride)
        run(m, c.STEP, b.tried, b.stride, b.tried, 0, many)
        run(m, c.LOOK, b.tried, b.stride, b.tried_looks, 0, many)
        status = statuses(m, b.tried_looks, b.stride)
        for i in range(many):
            if status[i] & 7:
                own = sign * ((status[i] & 1) - (status[i] >> 1 & 1))
                value = own * u.CERTAIN if own else u.DRAWN
                proven[start + i] = value
                if where == 0 or value > best:
                    best, where = value, start + i
    return prove(m, where, best) if where else 0


@function
def expand(m: int, slot: int) -> int:
    """List the moves of the state in a slot, if it is due and there is room."""
    b = trees_at(m)
    leaf = at(b.leaf)[slot]
    first = column(b, u.FIRST)
    if first[leaf] != 0 or column(b, u.VISITS)[leaf] < u.EXPAND_AT:
        return 0
    shared, lock = small_at(b.shared_counters), b.shared_counters + 4 * u.LOCK
    while exchange(lock, 1):
        pass
    begun, number = shared[u.ENTRIES], shared[u.EXPANDED]
    masks = b.masks
    if first[leaf] == 0 and begun + 64 * masks <= b.room and number < b.most_nodes:
        entry, row = begun, b.nodes + 8 * b.node_words * number
        copy_words(b.words, b.states + 8 * slot, b.stride, row, 1)
        copy_words(masks, b.looks + 8 * slot, b.stride, row + 8 * b.words, 1)
        for w in range(masks):
            left = at(b.looks + 8 * w * b.stride)[slot]
            while left != 0:
                for name in range(u.COLUMNS):
                    column(b, name)[entry] = 0
                column(b, u.MOVE)[entry] = 64 * w + lowest(left)
                column(b, u.PARENT)[entry] = leaf
                entry += 1
                left &= left - 1
        column(b, u.COUNT)[leaf] = entry - begun
        column(b, u.TURN)[leaf] = at(b.side)[slot]
        column(b, u.STATE)[leaf] = number
        shared[u.ENTRIES] = entry
        shared[u.EXPANDED] = number + 1
        exchange(b.tree + 4 * (u.FIRST * b.room + leaf), begun)  # now other threads see it
    exchange(lock, 0)
    return try_moves(m, leaf) if b.proves and first[leaf] == begun else 0


@function
def choose(m: int) -> int:
    """Choose a move for every slot: the one of two random moves with the better mean (MAST)."""
    b = trees_at(m)
    count = b.count
    move, other, side = at(b.move), at(b.other), at(b.side)
    count_moves(m)
    pick_one(m)
    for i in range(count):
        other[i] = move[i]
    b.seed += u.OTHER_SEED
    pick_one(m)
    b.seed -= u.OTHER_SEED
    means, moves, second = at(b.means), 64 * b.masks, b.second_rows
    for i in range(count):
        role = side[i] * (moves - second)
        x, y = 2 * (other[i] + role), 2 * (move[i] + role)
        move[i] = other[i] if means[x] * means[y + 1] > means[y] * means[x + 1] else move[i]
    return 0


@function
def note(m: int) -> int:
    """Record for every slot the player to move and the move it makes, if there is one."""
    b = trees_at(m)
    masks, second = b.masks, b.second_rows
    move, bits, side = at(b.move), at(b.bits), at(b.side)
    played = at(b.played)
    for i in range(b.count):
        number = move[i] - second * side[i]
        made = 1 if bits[i] != 0 else 0
        played[(2 * i + side[i]) * masks + (number >> 6)] |= made << (number & 63)
    return 0


@function
def grow(m: int, ticks: int) -> int:
    """Play up to `ticks` plies in each slot; return whether there is more to do."""
    b = trees_at(m)
    age, ended, side = at(b.age), at(b.over), at(b.side)
    status = statuses(m, b.looks, b.stride)
    proven, asked = column(b, u.PROVEN), b.asked
    few = u.FEW_SLOTS + column(b, u.COUNT)[0]
    for _ in range(ticks):
        if b.finished >= b.games or (proven[0] != 0 and proven[asked] != 0):
            return 0
        count = b.count
        run(m, c.LOOK, b.states, b.stride, b.looks, 0, count)
        if b.exchanges == 0:  # states tell whose turn it is
            for i in range(count):
                side[i] = 1 if status[i] < 0 else 0
        choose(m)
        note(m)
        done = list_finished(m)
        for j in range(done):
            finish(m, ended[j])
            begin(m, ended[j])
        for i in range(count):
            if age[i] == 0:
                expand(m, i)
        wanted = min(b.slots, few + b.finished // u.GAMES_A_SLOT)
        while b.count < wanted:
            b.count += 1
            begin(m, b.count - 1)
        count = b.count
        write_moves(m)
        run(m, c.STEP, b.states, b.stride, b.states, 0, count)
        for i in range(count):
            age[i] += 1
            side[i] ^= b.exchanges
    return 1
