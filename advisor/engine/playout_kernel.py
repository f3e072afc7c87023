"""Random games as compiled code: `advisor.engine.playouts` with the same moves, many times as fast.

What the game is, it is told by look and step, as `advisor.engine.kernel` says; `control` names
the words of the memory in which everything is found. Loops go over all slots and have no
branches where that is possible, so that they become vector instructions. Only who makes the code
imports this module, which takes seconds.
"""

from advisor.circuits.compiling import at, function, ones, record_at
from advisor.engine import control as c
from advisor.engine.states import copied, run, statuses

playouts_at = record_at(c.Playouts)


@function
def chance(seed: int, game: int, ply: int) -> int:
    """The upper bits of `advisor.engine.playouts.random_words`."""
    word = seed + game * c.OF_GAME + ply * c.OF_PLY
    word = (word ^ ((word >> 30) & ((1 << 34) - 1))) * c.MIX_1
    word = (word ^ ((word >> 27) & ((1 << 37) - 1))) * c.MIX_2
    return (word >> (64 - c.CHANCE_BITS)) & ((1 << c.CHANCE_BITS) - 1)


@function
def nth(bits: int, n: int) -> int:
    """The place of the n-th bit that is set, counted from 0; somewhere if there are fewer."""
    place = 0
    for half in (32, 16, 8, 4, 2, 1):
        before = ones(bits & ((1 << half) - 1))
        upper = n >= before
        n -= before if upper else 0
        place += half if upper else 0
        bits = bits >> half if upper else bits
    return place


@function
def add_ones(mask: int, sums: int, count: int) -> int:
    """Adds for each slot how many bits of a mask are set."""
    bits, so_far = at(mask), at(sums)
    for i in range(count):
        so_far[i] += ones(bits[i])
    return 0


@function
def draw(m: int) -> int:
    """Chooses one of each slot's moves: `left` becomes how many come before it."""
    b = playouts_at(m)
    owner, age, left, seed = at(b.owner), at(b.age), at(b.left), b.seed
    for i in range(b.count):
        left[i] = (chance(seed, owner[i], age[i]) * left[i]) >> c.CHANCE_BITS
    return 0


@function
def find(m: int, w: int) -> int:
    """Looks for the chosen moves in a word of all moves, `bits`: which of these it is."""
    b = playouts_at(m)
    mask, left = at(b.looks + 8 * w * b.stride), at(b.left)
    bits, n, move = at(b.bits), at(b.nth), at(b.move)
    for i in range(b.count):
        before = left[i]
        here = ones(mask[i])
        found = before >= 0 and before < here
        bits[i] = mask[i] if found else bits[i]
        n[i] = before if found else n[i]
        move[i] = 64 * w if found else move[i]
        left[i] = before - here
    return 0


@function
def count_moves(m: int) -> int:
    """How many moves each slot has: that is in `left` then."""
    b = playouts_at(m)
    count, left = b.count, at(b.left)
    for i in range(count):
        left[i] = 0
    for w in range(b.masks):
        add_ones(b.looks + 8 * w * b.stride, b.left, count)
    return 0


@function
def pick_one(m: int) -> int:
    """A random move for every slot whose game goes on: the number of its row of the table. How many
    there are is in `left`."""
    b = playouts_at(m)
    count, stride = b.count, b.stride
    bits, n, move = at(b.bits), at(b.nth), at(b.move)
    for i in range(count):
        bits[i] = 0
        n[i] = 0
        move[i] = 0
    draw(m)
    for w in range(b.masks):
        find(m, w)
    status = statuses(m, b.looks, stride)
    second = b.second_rows
    for i in range(count):
        number = move[i] + nth(bits[i], n[i]) + (second if status[i] < 0 else 0)
        move[i] = number if bits[i] != 0 else 0
    return 0


@function
def put(m: int) -> int:
    """Puts the rows of the slots' moves where step reads them."""
    b = playouts_at(m)
    count, stride, extra, move = b.count, b.stride, b.move_words, at(b.move)
    for q in range(extra):
        into, table = at(b.states + 8 * (b.words + q) * stride), at(b.table + 8 * q)
        for i in range(count):
            into[i] = table[extra * move[i]]
    return 0


@function
def over(m: int) -> int:
    """Lists the slots whose games are over; how many they are."""
    b = playouts_at(m)
    status = statuses(m, b.looks, b.stride)
    bits, age, found, longest = at(b.bits), at(b.age), at(b.over), b.longest
    count = 0
    for i in range(b.count):
        found[count] = i
        count += 1 if status[i] & 7 or bits[i] == 0 or age[i] >= longest else 0
    return count


@function
def ended(m: int) -> int:
    """The same, and keeps their results."""
    b = playouts_at(m)
    status = statuses(m, b.looks, b.stride)
    age, found, owner, results = at(b.age), at(b.over), at(b.owner), at(b.results)
    count = over(m)
    for j in range(count):
        i = found[j]
        result = (status[i] & 1) - (status[i] >> 1 & 1)
        turned = b.exchanges & age[i]  # the result is for who is to move at the end
        results[owner[i]] = -result if turned else result
    return count


@function
def begin(m: int, slot: int) -> int:
    """Puts a game that has not begun yet into a slot."""
    b = playouts_at(m)
    game = b.begun
    copied(b.words, b.rows + 8 * b.words * game, 1, b.states + 8 * slot, b.stride)
    at(b.owner)[slot], at(b.age)[slot] = game, 0
    b.begun += 1
    return 0


@function
def give_up(m: int, slot: int) -> int:
    """Leaves a slot to the last one's game."""
    b = playouts_at(m)
    b.count -= 1
    last = b.count
    copied(b.words, b.states + 8 * last, b.stride, b.states + 8 * slot, b.stride)
    at(b.owner)[slot], at(b.age)[slot] = at(b.owner)[last], at(b.age)[last]
    return 0


@function
def play(m: int, plies: int) -> int:
    """Plays on for so many plies of each slot's game; how many games have not ended yet."""
    b = playouts_at(m)
    age, over = at(b.age), at(b.over)
    while b.count < b.slots and b.begun < b.games:
        b.count += 1
        begin(m, b.count - 1)
    for _ in range(plies):
        count = b.count
        if count == 0:
            break
        run(m, c.LOOK, b.states, b.stride, b.looks, 0, count)
        count_moves(m)
        pick_one(m)
        done = ended(m)
        put(m)
        run(m, c.STEP, b.states, b.stride, b.states, 0, count)
        b.plies += count - done
        for i in range(count):
            age[i] += 1
        for j in range(done - 1, -1, -1):
            if b.begun < b.games:
                begin(m, over[j])
            else:
                give_up(m, over[j])
    return b.count + b.games - b.begun
