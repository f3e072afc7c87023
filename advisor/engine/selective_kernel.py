"""The selective look-ahead as compiled code: what seems hopeless is looked at less deep, or not.

As `advisor.engine.kernel`, without a game in it, but its values are not those of full width. What
it leaves out:

    null move    who would be well off even without a move need not look for one (Donninger 1993)
    reductions   moves that come late in a good order are looked at less deep, and again if that
                 shows them to be better than expected (late move reductions; Romstad 2006)
    futility     a move is left out whose value by itself is too far below what one has

Forced results are never guessed: a loss is one only where every reply was looked at and loses, and
what was left out counts as a value that is not forced.

A call of the game's functions costs the same for one state as for a whole block. So the tree is not
searched by recursion: its nodes are tasks that wait for states, and of all tasks that wait, in
whatever part of the tree, each round makes the states together. Where few wait, tasks whose
moves would be searched one after the other have several of them searched at once (young brothers
wait: Feldmann, Mysliwietz, Vornberger 1994). With one thread the same question has the same answer.

Values are for the side to move in each task, and count forced results from there. Only who makes
the code imports this module.
"""

from advisor.circuits.compiling import at, function, lowest
from advisor.engine import control as c
from advisor.engine import selective_control as s
from advisor.engine.below import FORCED, WIN
from advisor.engine.states import (
    FACTOR_1,
    FACTOR_2,
    NONE,
    again,
    asked,
    certain,
    identity,
    later,
    placed,
    run,
    sign,
    sooner,
)

_AGE_BIT = 40
"""Of the word of the table that says what is remembered, from where on the age of it stands."""

_MOST_HISTORY = 1 << 14


@function
def moves_of(m: int, task: int) -> int:
    """Where a task has its moves."""
    return task + 8 * (s.WORDS_FROM + at(m)[c.WORDS])


@function
def values_of(m: int, task: int) -> int:
    """Where it has what they lead to, by itself."""
    return moves_of(m, task) + 8 * at(m)[s.MOVES_ROOM]


@function
def order_of(m: int, task: int) -> int:
    """Where it has their order."""
    return moves_of(m, task) + 16 * at(m)[s.MOVES_ROOM]


@function
def recalled(m: int, task: int) -> int:
    """What is remembered of a task's state, whose value is KNOWN; or 0."""
    b, t = at(m), at(task)
    key, check = t[s.KEY], t[s.CHECK]
    place = (key >> 16) & b[c.MEMORY_MASK]
    for i in range(2):
        entry = at(b[c.MEMORY] + 32 * (place ^ i))
        known, meta = entry[2], entry[3]
        if meta >> _AGE_BIT != b[s.AGE] or entry[0] ^ known ^ meta != key:
            continue
        if entry[1] ^ known * FACTOR_1 ^ meta == check:
            b[c.KNOWN] = known
            return meta
    return 0


@function
def remember(m: int, task: int, bound: int) -> int:
    """Puts what was found of a task into the table, in place of the less deep of two entries."""
    b, t = at(m), at(task)
    key, found, depth = t[s.KEY], t[s.BEST], max(0, t[s.DEPTH])
    place = (key >> 16) & b[c.MEMORY_MASK]
    chosen, least = place, 1 << 30
    for i in range(2):
        entry = at(b[c.MEMORY] + 32 * (place ^ i))
        meta = entry[3]
        if entry[0] ^ entry[2] ^ meta == key:
            chosen = place ^ i
            break
        worth = -1
        if meta >> _AGE_BIT == b[s.AGE]:
            worth = (meta >> c.DEPTH_BIT) & 255
        if worth < least:
            least, chosen = worth, place ^ i
    move = t[s.BEST_MOVE] if t[s.BEST_MOVE] >= 0 else t[s.HINT]
    meta = (b[s.AGE] << _AGE_BIT) | ((move + 1) << c.MOVE_BIT) | (depth << c.DEPTH_BIT) | bound
    entry = at(b[c.MEMORY] + 32 * chosen)
    entry[0], entry[1] = key ^ found ^ meta, t[s.CHECK] ^ found * FACTOR_1 ^ meta
    entry[2], entry[3] = found, meta
    return 0


@function
def release(m: int, task: int) -> int:
    """Nobody has a task any more."""
    b = at(m)
    at(task)[s.STATE] = s.IDLE
    at(b[s.FREE])[b[s.FREE_COUNT]] = task
    b[s.FREE_COUNT] += 1
    return 0


@function
def left(task: int) -> int:
    """Whether nobody waits for what a task will find."""
    while task != 0:
        if at(task)[s.STATE] == s.LEFT:
            return 1
        task = at(task)[s.PARENT]
    return 0


@function
def drop(m: int, task: int) -> int:
    """Gives up a task that nobody waits for, and those above it that waited for it alone."""
    while True:
        parent = at(task)[s.PARENT]
        release(m, task)
        p = at(parent)
        p[s.OPEN] -= 1
        if p[s.OPEN] > 0:
            return 0
        if p[s.STATE] == s.LEFT:
            release(m, parent)
            return 0
        task = parent


@function
def bonus(m: int, task: int, number: int) -> int:
    """What is added to a move's value, at the root alone."""
    b = at(m)
    if at(task)[s.PARENT] != 0 or b[s.BONUS] == 0:
        return 0
    return at(b[s.BONUS])[number]


@function
def without(value: int, more: int) -> int:
    """A value before so much was added, which nothing is to a forced one."""
    if value >= FORCED or value <= -FORCED:
        return value
    return value - more


@function
def launch(
    m: int,
    parent: int,
    number: int,
    index: int,
    kind: int,
    expected: int,
    depth: int,
    reduced: int,
    low: int,
    high: int,
) -> int:
    """A task for what a move, or none, leads to; between these bounds its value matters above."""
    b, p = at(m), at(parent)
    b[s.FREE_COUNT] -= 1
    task = at(b[s.FREE])[b[s.FREE_COUNT]]
    t = at(task)
    t[s.PARENT], t[s.NUMBER], t[s.INDEX] = parent, number, index
    t[s.KIND], t[s.TYPE], t[s.DEPTH], t[s.REDUCED] = kind, expected, depth, reduced
    t[s.ASKED], t[s.PLY], t[s.SIDE] = depth, p[s.PLY] + 1, 1 - p[s.SIDE]
    t[s.FROM] = low
    t[s.BY_ITSELF] = -p[s.BY_ITSELF]
    if number >= 0:
        more = bonus(m, parent, number)
        low, high = without(low, more), without(high, more)
        t[s.BY_ITSELF] = more - at(values_of(m, parent))[index]
    t[s.ALPHA], t[s.BETA] = -sooner(high), -sooner(low)
    t[s.LEAST] = t[s.ALPHA]
    t[s.BEST], t[s.BEST_MOVE], t[s.HINT] = NONE, -1, -1
    t[s.COUNT], t[s.NEXT], t[s.OPEN], t[s.SEEN] = 0, 0, 0, 0
    t[s.STATE], t[s.LISTED], t[s.CALM], t[s.LENGTH] = s.NEW, 0, 0, 0
    p[s.OPEN] += 1
    at(b[s.WAITING])[b[s.WAITING_COUNT]] = task
    b[s.WAITING_COUNT] += 1
    return task


@function
def better(m: int, task: int, value: int, number: int, child: int) -> int:
    """A move, or what is left out, is worth so much; `child` has the play after it, or 0."""
    t = at(task)
    if value > t[s.BEST]:
        t[s.BEST] = value
        if value > t[s.ALPHA]:
            t[s.ALPHA], t[s.BEST_MOVE] = value, number
            if t[s.TYPE] == s.OPEN_WINDOW:
                t[s.LINE], t[s.LENGTH] = number, 1
                if child != 0 and at(child)[s.KIND] == s.NORMAL:
                    length = min(at(child)[s.LENGTH], s.LONGEST - 1)
                    for i in range(length):
                        t[s.LINE + 1 + i] = at(child)[s.LINE + i]
                    t[s.LENGTH] = length + 1
    return 0


@function
def expected_below(kind: int, first: int) -> int:
    """The type of a child's task."""
    if kind == s.OPEN_WINDOW:
        return s.OPEN_WINDOW if first else s.CUT
    return s.ALL if kind == s.CUT else s.CUT


@function
def patient(kind: int) -> int:
    """So many children are searched before others are together."""
    return 0 if kind == s.ALL else 1


@function
def reduction(m: int, task: int, place: int, number: int, depth: int) -> int:
    """By how many plies less deep a move is looked at first."""
    b, t = at(m), at(task)
    if t[s.CALM] == 0 or number == t[s.HINT]:
        return 0
    plies = at(b[s.REDUCTIONS])[64 * min(depth, 63) + min(place, 63)]
    if t[s.TYPE] == s.OPEN_WINDOW:
        plies -= 1
    killers = at(b[s.KILLERS] + 16 * t[s.PLY])
    if killers[0] == number or killers[1] == number:
        plies -= 1
    plies -= at(b[s.HISTORY])[t[s.SIDE] * b[s.MOVE_COUNT] + number] // (_MOST_HISTORY // 2)
    return max(0, min(plies, depth - 1))


@function
def advance(m: int, task: int) -> int:
    """Has more of a task's moves searched; 1 if none is left that would matter."""
    b, t = at(m), at(task)
    moves, values = at(moves_of(m, task)), at(values_of(m, task))
    order = at(order_of(m, task))
    open_window = t[s.TYPE] == s.OPEN_WINDOW
    while t[s.NEXT] < t[s.COUNT]:
        if t[s.BEST] >= t[s.BETA]:
            return 1
        if t[s.OPEN] > 0 and (t[s.SEEN] < patient(t[s.TYPE]) or b[s.WAITING_COUNT] >= b[s.TARGET]):
            return 0
        place = t[s.NEXT]
        t[s.NEXT] = place + 1
        i = order[place]
        number, noisy = moves[i] & ((1 << s.NOISY_BIT) - 1), moves[i] >> s.NOISY_BIT
        own, alpha = values[i], t[s.ALPHA]
        quiet = t[s.KIND] == s.QUIET
        depth = t[s.DEPTH] + 1 if quiet else t[s.DEPTH] - 1
        if quiet or depth <= 0:
            followed = depth if quiet else 0
            if own <= alpha or followed >= b[c.NOISY_PLIES]:
                better(m, task, own, number, 0)
            else:
                kind = expected_below(t[s.TYPE], 1)
                launch(m, task, number, i, s.QUIET, kind, followed, 0, alpha, t[s.BETA])
            continue
        if (
            place > 0
            and not open_window
            and t[s.CALM]
            and alpha > -FORCED
            and alpha < FORCED
            and number != t[s.HINT]
        ):
            if depth <= b[s.FUTILE] and own + b[s.MARGIN] * depth <= alpha:
                better(m, task, own + b[s.MARGIN] * depth, number, 0)
                continue
            if noisy == 0 and depth <= b[s.FEW_DEPTH] and place >= 3 + 2 * depth * depth:
                better(m, task, alpha, number, 0)
                continue
        less = 0
        if depth >= 2 and place >= 2 and noisy == 0:
            less = reduction(m, task, place, number, depth)
        if open_window and place == 0:
            launch(m, task, number, i, s.NORMAL, s.OPEN_WINDOW, depth, 0, alpha, t[s.BETA])
        else:
            kind = expected_below(t[s.TYPE], 0)
            launch(m, task, number, i, s.NORMAL, kind, depth - less, less, alpha, alpha + 1)
    return 1 if t[s.OPEN] == 0 or t[s.BEST] >= t[s.BETA] else 0


@function
def learnt(m: int, task: int) -> int:
    """A move was enough: others like it come sooner, those that were not come later."""
    b, t = at(m), at(task)
    best = t[s.BEST_MOVE]
    killers = at(b[s.KILLERS] + 16 * t[s.PLY])
    if killers[0] != best:
        killers[1] = killers[0]
        killers[0] = best
    if t[s.NUMBER] >= 0:
        at(b[s.REPLIES])[t[s.SIDE] * b[s.MOVE_COUNT] + t[s.NUMBER]] = best
    history = at(b[s.HISTORY] + 8 * t[s.SIDE] * b[s.MOVE_COUNT])
    more = min(32 * t[s.DEPTH] * t[s.DEPTH], _MOST_HISTORY // 8)
    history[best] += more - history[best] * more // _MOST_HISTORY
    moves, order = at(moves_of(m, task)), at(order_of(m, task))
    for place in range(t[s.NEXT]):
        number = moves[order[place]] & ((1 << s.NOISY_BIT) - 1)
        if number != best:
            history[number] -= more + history[number] * more // _MOST_HISTORY
    return 0


@function
def received(m: int, task: int, child: int) -> int:
    """Takes what a child has found; 1 if with it the task's own value is known."""
    b, t, f = at(m), at(task), at(child)
    value, number = -later(f[s.BEST]), f[s.NUMBER]
    if number < 0:
        if value >= t[s.BETA]:
            t[s.BEST] = value if value < FORCED else t[s.BETA]
            return 1
        at(b[s.GROWING])[b[s.GROWING_COUNT]] = task
        b[s.GROWING_COUNT] += 1
        return 0
    value = without(value, -bonus(m, task, number))
    if value > f[s.FROM] and f[s.KIND] == s.NORMAL:
        narrow = t[s.TYPE] == s.OPEN_WINDOW and f[s.TYPE] != s.OPEN_WINDOW
        depth = f[s.ASKED] + f[s.REDUCED]
        if f[s.REDUCED] > 0 and value < FORCED:
            low = t[s.ALPHA]
            launch(m, task, number, f[s.INDEX], s.NORMAL, f[s.TYPE], depth, 0, low, low + 1)
            return 0
        if narrow and value < t[s.BETA]:
            low, kind = t[s.ALPHA], s.OPEN_WINDOW
            launch(m, task, number, f[s.INDEX], s.NORMAL, kind, depth, 0, low, t[s.BETA])
            return 0
    t[s.SEEN] += 1
    better(m, task, value, number, child)
    if t[s.BEST] >= t[s.BETA]:
        return 1
    return advance(m, task)


@function
def complete(m: int, task: int) -> int:
    """A task's value is known: whoever waits for it goes on."""
    b = at(m)
    while True:
        t = at(task)
        if t[s.KIND] == s.NORMAL:
            bound = c.EXACT
            if t[s.BEST] >= t[s.BETA]:
                bound = c.AT_LEAST
                if t[s.BEST_MOVE] >= 0 and t[s.STATE] == s.GROWN:
                    learnt(m, task)
            elif t[s.BEST] <= t[s.LEAST]:
                bound = c.AT_MOST
            if t[s.KEY] != 0:
                remember(m, task, bound)
        parent = t[s.PARENT]
        if parent == 0:
            b[s.DONE] = 1
            return 0
        p = at(parent)
        p[s.OPEN] -= 1
        known = 0
        unwanted = p[s.STATE] == s.LEFT
        if not unwanted:
            known = received(m, parent, task)
        if t[s.OPEN] > 0:
            t[s.STATE] = s.LEFT
        else:
            release(m, task)
        if unwanted:
            if p[s.OPEN] == 0:
                release(m, parent)
            return 0
        if known == 0:
            return 0
        task = parent


@function
def gathered(m: int) -> int:
    """Chooses the tasks of a round; how many there are."""
    b = at(m)
    waiting, now = at(b[s.WAITING]), at(b[s.NOW])
    taken = 0
    while b[s.WAITING_COUNT] > 0 and taken < b[s.MOST_TASKS]:
        b[s.WAITING_COUNT] -= 1
        task = waiting[b[s.WAITING_COUNT]]
        if left(task):
            drop(m, task)
        else:
            now[taken] = task
            taken += 1
    return taken


@function
def looked(m: int, count: int) -> int:
    """What the game says of the states of a round."""
    b = at(m)
    name = c.NOISY if b[c.NOISY_PLIES] else c.LOOK
    return run(m, name, b[s.STATES], b[c.STRIDE], b[s.SAID], 0, count)


@function
def met(m: int, count: int) -> int:
    """Makes the states of a round's tasks, and what the game says of them."""
    b = at(m)
    stride, now, words = b[c.STRIDE], at(b[s.NOW]), b[c.WORDS]
    for i in range(count):
        task = now[i]
        t = at(task)
        parent, row = t[s.PARENT], 0
        if parent == 0:
            parent = task
        elif t[s.NUMBER] < 0:
            row = b[s.PASS_ROW]
        else:
            row = t[s.NUMBER] + (b[c.SECOND_ROWS] if t[s.SIDE] == 0 else 0)
        asked(m, parent + 8 * s.WORDS_FROM, 1, row, b[s.STEPS] + 8 * i, stride)
    run(m, c.STEP, b[s.STEPS], stride, b[s.STATES], 0, count)
    states = at(b[s.STATES])
    for i in range(count):
        t = at(now[i])
        if t[s.PARENT] == 0:
            for w in range(words):
                states[w * stride + i] = t[s.WORDS_FROM + w]
        else:
            for w in range(words):
                t[s.WORDS_FROM + w] = states[w * stride + i]
    return looked(m, count)


@function
def listed(m: int, task: int, i: int) -> int:
    """Writes down the moves of a task, the i-th one of the round; 0 if there is no room."""
    b, t = at(m), at(task)
    stride, room = b[c.STRIDE], b[s.MOVES_ROOM]
    moves = at(moves_of(m, task))
    noisy = at(b[s.NOISY])
    legal = at(b[s.NOISY] if t[s.KIND] == s.QUIET else b[s.LEGAL])
    count = 0
    for w in range(b[c.MASKS]):
        bits = legal[w * stride + i]
        loud = noisy[w * stride + i] if b[c.NOISY_PLIES] else 0
        while bits:
            bit = lowest(bits)
            bits &= bits - 1
            if count == room:
                return 0
            moves[count] = 64 * w + bit + (((loud >> bit) & 1) << s.NOISY_BIT)
            count += 1
    t[s.COUNT] = count
    return 1


@function
def prepared(m: int, task: int, i: int) -> int:
    """Looks at a task's state, the i-th one of the round; 1 if its value is known by that."""
    b, t = at(m), at(task)
    stride = b[c.STRIDE]
    b[c.NODES] += 1
    b[c.BUDGET] -= 1
    t[s.KEY] = 0
    own = t[s.BY_ITSELF]
    if t[s.PLY] >= s.LONGEST - 2:
        b[c.GUESSES] += 1
        t[s.BEST] = own
        return 1
    if t[s.KIND] == s.QUIET:
        b[c.GUESSES] += 1
        t[s.BEST], t[s.ALPHA] = own, max(t[s.ALPHA], own)
        if own >= t[s.BETA]:
            return 1
        if listed(m, task, i) == 0:
            b[c.ENDED] = c.NO_ROOM
            return 0
    else:
        status = at(b[s.STATUS])[i]
        known = certain(m, status, 0)
        if known != NONE:
            t[s.BEST] = known * sign(m, status)
            return 1
        state = b[s.STATES] + 8 * i
        t[s.KEY] = identity(m, state, stride, status, FACTOR_1) ^ b[c.SALT + (t[s.PLY] & 1)]
        t[s.CHECK] = identity(m, state, stride, status, FACTOR_2)
        t[s.CALM] = 1 if b[s.PASS_ROW] < 0 else (status >> s.PASS_BIT) & 1
        if t[s.PARENT] == 0 and b[c.EXCHANGES] == 0:
            t[s.SIDE] = 1 if status < 0 else 0
        meta = recalled(m, task)
        narrow = t[s.TYPE] != s.OPEN_WINDOW
        beta = t[s.BETA]
        if meta != 0:
            t[s.HINT] = ((meta >> c.MOVE_BIT) & ((1 << 24) - 1)) - 1
            known = b[c.KNOWN]
            forced = known >= FORCED or known <= -FORCED
            if narrow and (forced or (meta >> c.DEPTH_BIT) & 255 >= t[s.DEPTH]):
                bound = meta & 3
                if (
                    bound == c.EXACT
                    or (bound == c.AT_LEAST and known >= beta)
                    or (bound == c.AT_MOST and known <= t[s.ALPHA])
                ):
                    b[c.GUESSES] += 0 if forced else 1
                    t[s.BEST], t[s.KEY] = known, 0
                    return 1
        usual = beta > -FORCED and beta < FORCED
        calm = narrow and usual and t[s.CALM] and t[s.NUMBER] >= 0
        if calm and t[s.DEPTH] <= b[s.WELL_OFF] and own - b[s.MARGIN] * t[s.DEPTH] >= beta:
            b[c.GUESSES] += 1
            t[s.BEST], t[s.KEY] = own, 0
            return 1
        if listed(m, task, i) == 0:
            b[c.ENDED] = c.NO_ROOM
            return 0
        if t[s.COUNT] <= b[s.FEW_MOVES] and t[s.PARENT] != 0 and t[s.PLY] < 2 * b[s.ROOT_DEPTH]:
            t[s.DEPTH] += 1
        elif t[s.HINT] < 0 and t[s.DEPTH] >= 4 and t[s.PARENT] != 0:
            t[s.DEPTH] -= 1
        if calm and b[s.PASS_ROW] >= 0 and t[s.DEPTH] >= 2 and own >= beta:
            less = 3 + t[s.DEPTH] // 4 + min(2, (own - beta) // (2 * b[s.MARGIN]))
            depth = t[s.DEPTH] - less
            kind = s.NORMAL if depth > 0 else s.QUIET
            type_ = expected_below(t[s.TYPE], 0)
            launch(m, task, -1, 0, kind, type_, max(0, depth), 0, beta - 1, beta)
            return 0
    if t[s.COUNT] == 0:
        t[s.BEST] = own
        return 1
    at(b[s.GROWING])[b[s.GROWING_COUNT]] = task
    b[s.GROWING_COUNT] += 1
    return 0


@function
def ordered(m: int, task: int, first: int, turned: int) -> int:
    """Orders a task's moves by the values of their states, which begin at `first`.

    What is certain counts at once. 1 if the value of the task is known by that.
    """
    b, t = at(m), at(task)
    long, ply = b[c.LONG], t[s.PLY] + 1
    moves, values = at(moves_of(m, task)), at(values_of(m, task))
    found, states = at(b[s.CHILD_VALUES]), b[s.CHILD_STATES]
    history = at(b[s.HISTORY] + 8 * t[s.SIDE] * b[s.MOVE_COUNT])
    killers = at(b[s.KILLERS] + 16 * t[s.PLY])
    reply = -1
    if t[s.NUMBER] >= 0:
        reply = at(b[s.REPLIES])[t[s.SIDE] * b[s.MOVE_COUNT] + t[s.NUMBER]]
    by_value = t[s.KIND] == s.QUIET or t[s.DEPTH] <= 1
    some_again = b[c.AGAIN_COUNT + (ply & 1)]
    count = 0
    for i in range(t[s.COUNT]):
        value = found[first + i]
        sure, own = value & 1, later(value >> 1) * turned
        if some_again and again(m, states + 8 * (first + i), long, ply):
            sure, own = 1, 0
        number = moves[i] & ((1 << s.NOISY_BIT) - 1)
        more = bonus(m, task, number)
        if more == s.LEFT_OUT:
            continue
        own = without(own, -more)
        if sure:
            better(m, task, own, number, 0)
            continue
        b[c.GUESSES] += 1
        rank = own
        if not by_value:
            rank = min(own - t[s.BY_ITSELF], b[s.MARGIN] // 2) * 64 + history[number]
            if number == reply:
                rank += _MOST_HISTORY
            if number == killers[1]:
                rank = 2 * WIN
            if number == killers[0]:
                rank = 3 * WIN
            if moves[i] >> s.NOISY_BIT:
                rank = 4 * WIN + own
        if number == t[s.HINT]:
            rank = 8 * WIN
        moves[count], values[count] = moves[i], own
        count = placed(order_of(m, task), b[s.RANK], count, count, rank)
    t[s.COUNT], t[s.STATE] = count, s.GROWN
    if t[s.BEST] >= t[s.BETA]:
        return 1
    if t[s.KIND] == s.NORMAL and t[s.LISTED] == 0:
        t[s.LISTED] = 1
        at(b[s.GROWN_TASKS])[b[s.GROWN_COUNT]] = task
        b[s.GROWN_COUNT] += 1
    return advance(m, task)


@function
def grown(m: int) -> int:
    """Makes the children of tasks that wait for them, as many as there is room for."""
    b = at(m)
    long, now, growing = b[c.LONG], at(b[s.NOW]), at(b[s.GROWING])
    made, taken = 0, 0
    while b[s.GROWING_COUNT] > 0:
        task = growing[b[s.GROWING_COUNT] - 1]
        t = at(task)
        if left(task):
            b[s.GROWING_COUNT] -= 1
            drop(m, task)
            continue
        if made + t[s.COUNT] > b[c.MOST]:
            break
        b[s.GROWING_COUNT] -= 1
        moves = at(moves_of(m, task))
        rows = b[c.SECOND_ROWS] if t[s.SIDE] else 0
        for i in range(t[s.COUNT]):
            row = rows + (moves[i] & ((1 << s.NOISY_BIT) - 1))
            asked(m, task + 8 * s.WORDS_FROM, 1, row, b[s.CHILD_STEPS] + 8 * (made + i), long)
        made += t[s.COUNT]
        if t[s.KIND] == s.QUIET:
            b[c.ADDED] += t[s.COUNT]
        else:
            b[c.LEAVES] += t[s.COUNT]
        now[taken] = task
        taken += 1
    if taken == 0:
        return 0
    run(m, c.STEP, b[s.CHILD_STEPS], long, b[s.CHILD_STATES], 0, made)
    run(m, c.LEAF, b[s.CHILD_STATES], long, b[s.CHILD_VALUES], 0, made)
    first = 0
    for k in range(taken):
        task = now[k]
        t = at(task)
        after = first + t[s.COUNT]
        turned = -1 if b[c.EXCHANGES] or t[s.SIDE] else 1
        if ordered(m, task, first, turned):
            complete(m, task)
            if b[s.DONE]:
                return 0
        first = after
    return 0


@function
def split(m: int) -> int:
    """Where few tasks wait, has others search several moves at once, the deepest ones first."""
    b = at(m)
    want = b[s.TARGET] - b[s.WAITING_COUNT]
    tasks, chosen = at(b[s.GROWN_TASKS]), at(b[s.SPLIT])
    kept, count = 0, 0
    for k in range(b[s.GROWN_COUNT]):
        task = tasks[k]
        t = at(task)
        if t[s.STATE] != s.GROWN or t[s.NEXT] >= t[s.COUNT]:
            t[s.LISTED] = 0
            continue
        tasks[kept] = task
        kept += 1
        if want > 0 and t[s.OPEN] > 0 and t[s.SEEN] >= patient(t[s.TYPE]):
            rank = 2 * t[s.DEPTH] + (0 if t[s.TYPE] == s.CUT else 3)
            if count == want:
                if at(b[s.SPLIT_RANK])[count - 1] >= rank:
                    continue
                count -= 1
            count = placed(b[s.SPLIT], b[s.SPLIT_RANK], count, task, rank)
    b[s.GROWN_COUNT] = kept
    for k in range(count):
        if b[s.WAITING_COUNT] >= b[s.TARGET]:
            break
        task = chosen[k]
        if at(task)[s.STATE] != s.GROWN or left(task):
            continue
        if advance(m, task):
            complete(m, task)
            if b[s.DONE]:
                break
    return 0


@function
def think(m: int, depth: int, alpha: int, beta: int) -> int:
    """The value, for its side to move, of the state of the first task, whose game goes on.

    Where its depth is 0 it is that after noisy moves alone. Once it has ended before it was done
    it is what the root had by then.
    """
    b = at(m)
    root = b[s.TASKS]
    t = at(root)
    b[c.ENDED], b[s.DONE], b[s.ROOT_DEPTH] = 0, 0, depth
    b[s.WAITING_COUNT], b[s.GROWING_COUNT], b[s.GROWN_COUNT] = 0, 0, 0
    free, count = at(b[s.FREE]), b[s.TASK_COUNT] - 1
    b[s.FREE_COUNT] = count
    for k in range(count):
        free[k] = root + (count - k) * b[s.TASK_SIZE]
    states, stride = at(b[s.STATES]), b[c.STRIDE]
    for w in range(b[c.WORDS]):
        states[w * stride] = t[s.WORDS_FROM + w]
    run(m, c.LEAF, b[s.STATES], stride, b[s.CHILD_VALUES], 0, 1)
    looked(m, 1)
    status = at(b[s.STATUS])[0]
    t[s.BY_ITSELF] = (at(b[s.CHILD_VALUES])[0] >> 1) * sign(m, status)
    t[s.PARENT], t[s.NUMBER], t[s.INDEX], t[s.REDUCED] = 0, -1, 0, 0
    t[s.KIND] = s.NORMAL if depth > 0 else s.QUIET
    t[s.TYPE], t[s.DEPTH], t[s.ASKED] = s.OPEN_WINDOW, depth, depth
    t[s.PLY], t[s.SIDE] = 0, 1 if status < 0 else 0
    t[s.ALPHA], t[s.BETA], t[s.LEAST] = alpha, beta, alpha
    t[s.BEST], t[s.BEST_MOVE], t[s.HINT] = NONE, -1, -1
    t[s.COUNT], t[s.NEXT], t[s.OPEN], t[s.SEEN] = 0, 0, 0, 0
    t[s.STATE], t[s.LISTED], t[s.CALM], t[s.LENGTH] = s.NEW, 0, 0, 0
    at(b[s.WAITING])[0] = root
    b[s.WAITING_COUNT] = 1
    while b[s.DONE] == 0:
        b[s.ROUNDS] += 1
        if b[c.STOP] != 0:
            b[c.ENDED] = c.STOPPED
        elif b[c.BUDGET] < 0:
            b[c.ENDED] = c.SPENT
        elif b[s.FREE_COUNT] < 2 * b[s.MOST_TASKS]:
            b[c.ENDED] = c.NO_ROOM
        if b[c.ENDED] != 0:
            break
        count = gathered(m)
        if count > 0:
            met(m, count)
            for i in range(count):
                task = at(b[s.NOW])[i]
                if prepared(m, task, i):
                    complete(m, task)
                if b[s.DONE] or b[c.ENDED]:
                    break
        if b[s.DONE] or b[c.ENDED]:
            continue
        grown(m)
        if b[s.DONE] == 0:
            split(m)
    return t[s.BEST]
