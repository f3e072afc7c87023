"""Basics of the compiled look-ahead: values, states, and calls of the game's functions.

See `advisor.engine.kernel`. Only the process that compiles the code imports this module.
"""

from advisor.engine import control as c
from advisor.engine import nodes
from advisor.engine.nodes import WIN
from aspcircuits.compiling import Words, at, call, function, inline, lowest, ones, record_at

NONE = -4 * WIN
"""Stands for a value that is unknown or does not exist."""

FACTOR_1, FACTOR_2 = -7046029254386353131, -4658895280553007687

game_at, search_at = record_at(c.GameWords), record_at(c.SearchWords)
tree_at, ply_at, level_at = record_at(c.FullWidth), record_at(c.Ply), record_at(c.Level)

from_node = function(nodes.from_node)
settles = function(nodes.settles)


@inline
def statuses(m: int, looks: int, stride: int) -> Words:
    """Return the statuses in the output of look."""
    return at(looks + 8 * (game_at(m).look_words - 1) * stride)


@function
def insert_sorted(order: int, rank: int, count: int, item: int, better: int) -> int:
    """Insert an item into a list with the best one first, after equals; return the new length."""
    items, ranks = at(order), at(rank)
    j = count
    while j > 0 and ranks[j - 1] < better:
        ranks[j], items[j] = ranks[j - 1], items[j - 1]
        j -= 1
    ranks[j], items[j] = better, item
    return count + 1


@function
def identity(m: int, state: int, stride: int, status: int, factor: int) -> int:
    """Return a hash of what identifies a state; its counters are part of it only if they matter."""
    b, s = search_at(m), at(state)
    kept = at(b.kept)
    late = -((status >> c.LATE) & 1)
    key = (s[0] & (kept[0] | late)) * factor
    for w in range(1, b.words):
        key = (key ^ (key >> 29)) + (s[w * stride] & (kept[w] | late))
        key *= FACTOR_2
    return key ^ (key >> 32)


@function
def copy_words(words: int, source: int, stride: int, target: int, long: int) -> int:
    """Copy a column of words to another place."""
    s, t = at(source), at(target)
    for w in range(words):
        t[w * long] = s[w * stride]
    return 0


@function
def write_step_input(m: int, source: int, stride: int, row: int, target: int, long: int) -> int:
    """Write an input of step: a state, and a move's row of the table."""
    b = game_at(m)
    words, extra = b.words, b.move_words
    copy_words(words, source, stride, target, long)
    into, table = at(target), at(b.table + 8 * extra * row)
    for q in range(extra):
        into[(words + q) * long] = table[q]
    return 0


@function
def rows_of(m: int, status: int) -> int:
    """Return the row of the table where the moves of a state begin."""
    return game_at(m).second_rows if status < 0 else 0


@function
def first_mask(m: int, status: int, depth: int) -> int:
    """Return the index of the first mask of moves to try: of the candidates if they are enough."""
    b = tree_at(m)
    if depth >= b.candidates_from and (status >> c.USE_CANDIDATES) & 1:
        return b.masks
    return 0


@function
def append_steps(
    m: int,
    states: int,
    looks: int,
    stride: int,
    i: int,
    status: int,
    depth: int,
    into: int,
    made: int,
    most: int,
    numbers: int,
    parents: int,
    parent: int,
) -> int:
    """Append an input of step for each move of state `i` of some columns.

    There are `made` inputs already; `most` is their limit. Each gets the number of its move and the
    `parent`. Return the new number of inputs, or -1 for no room: each mask needs room for 64 moves.
    """
    bits_at = at(looks + 8 * (first_mask(m, status, depth) * stride + i))
    state, rows, number_of, parent_of = states + 8 * i, rows_of(m, status), at(numbers), at(parents)
    for w in range(game_at(m).masks):
        bits = bits_at[w * stride]
        if made + 64 > most:
            return -1
        while bits:
            number = 64 * w + lowest(bits)
            bits &= bits - 1
            write_step_input(m, state, stride, rows + number, into + 8 * made, stride)
            number_of[made], parent_of[made] = number, parent
            made += 1
    return made


@function
def is_recurrence(m: int, state: int, stride: int, ply: int) -> int:
    """Return whether a state is one that must not come again.

    Those states are sorted by their first words: there are many in games where a state may stand
    only once, since all that were played are among them.
    """
    b = search_at(m)
    words, states, many = b.words, at(at(b.drawn)[ply & 1]), at(b.drawn_count)[ply & 1]
    s, kept = at(state), at(b.kept)
    low, high = 0, many
    while low < high:
        middle = (low + high) >> 1
        if states[middle * words] < s[0] & kept[0]:
            low = middle + 1
        else:
            high = middle
    while low < many and states[low * words] == s[0] & kept[0]:
        w = 1
        while w < words and states[low * words + w] == s[w * stride] & kept[w]:
            w += 1
        if w == words:
            return 1
        low += 1
    return 0


@function
def draw_again(m: int, states: int, looks: int, stride: int, ply: int, count: int) -> int:
    """Mark as drawn the states at a ply that must not come again."""
    b = search_at(m)
    if at(b.drawn_count)[ply & 1]:
        status = statuses(m, looks, stride)
        for i in range(count):
            if is_recurrence(m, states + 8 * i, stride, ply):
                status[i] |= 1 << c.DRAWN
    return 0


@function
def certain(m: int, status: int, depth: int) -> int:
    """Return a state's value if a search of this depth is certain of it, otherwise `NONE`."""
    b = search_at(m)
    bits = status & at(b.certain)[depth]
    if bits == 0:
        return NONE
    return at(b.results)[lowest(bits)]


@function
def sign(m: int, status: int) -> int:
    """Return the factor that turns a state's value into one for its side to move."""
    return -1 if status < 0 and game_at(m).exchanges == 0 else 1


@function
def sign_below(m: int, status: int) -> int:
    """Return the factor that turns a child's value into one for the side to move in this state."""
    return -1 if game_at(m).exchanges == 1 or status < 0 else 1


@function
def width(m: int, look: int, stride: int, depth: int) -> int:
    """Return the number of moves to try."""
    first, count = first_mask(m, statuses(m, look, stride)[0], depth), 0
    for w in range(first, first + game_at(m).masks):
        count += ones(at(look)[w * stride])
    return count


@function
def run(m: int, name: int, source: int, stride: int, target: int, ply: int, count: int) -> int:
    """Call look, step, leaf or noisy on `count` states at a ply.

    A block is read before it is written, so the output may overwrite the input.
    """
    b = game_at(m)
    shared, circuit = at(b.shared)[(b.turn + ply) & 1], at(b.circuits + 24 * name)
    blocks = (count + circuit[2] - 1) // circuit[2]
    call(circuit[0], source, stride, shared, target, circuit[1], blocks)
    return 0


@function
def position_key(m: int, state: int, stride: int, status: int, ply: int) -> int:
    """Return the key that finds a position in the table."""
    return identity(m, state, stride, status, FACTOR_1) ^ at(search_at(m).salt)[ply & 1]


@function
def read_entry(m: int, entry: int, key: int, check: int) -> int:
    """Return the data of a position's table entry and set `known` to its value; or 0."""
    e = at(entry)
    known, meta = e[2], e[3]
    search_at(m).known = known
    if e[0] ^ known ^ meta != key or e[1] ^ known * FACTOR_1 ^ meta != check:
        return 0
    return meta


@function
def write_entry(entry: int, key: int, check: int, known: int, meta: int) -> int:
    """Write a position into an entry of the table."""
    e = at(entry)
    e[0], e[1] = key ^ known ^ meta, check ^ known * FACTOR_1 ^ meta
    e[2], e[3] = known, meta
    return 0
