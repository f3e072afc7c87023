"""Random games as compiled code: `advisor.engine.playouts` with the same moves, many times as fast.

What the game is, it is told by look and step, as `advisor.engine.kernel` says; `playout_control`
names the words of the memory in which everything is found. Loops go over all slots and have no
branches where that is possible, so that they become vector instructions. Only who makes the code
imports this module, which takes seconds.
"""

from advisor.circuits.compiling import at, call, function, ones
from advisor.engine import playout_control as c


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
    """Chooses one of each slot's moves: `LEFT` becomes how many come before it."""
    b = at(m)
    owner, age, left, seed = at(b[c.OWNER]), at(b[c.AGE]), at(b[c.LEFT]), b[c.SEED]
    for i in range(b[c.COUNT]):
        left[i] = (chance(seed, owner[i], age[i]) * left[i]) >> c.CHANCE_BITS
    return 0


@function
def find(m: int, w: int) -> int:
    """Looks for the chosen moves in a word of all moves, `BITS`: which of these it is."""
    b = at(m)
    mask, left = at(b[c.LOOKS] + 8 * w * b[c.STRIDE]), at(b[c.LEFT])
    bits, n, move = at(b[c.BITS]), at(b[c.NTH]), at(b[c.MOVE])
    for i in range(b[c.COUNT]):
        before = left[i]
        here = ones(mask[i])
        found = before >= 0 and before < here
        bits[i] = mask[i] if found else bits[i]
        n[i] = before if found else n[i]
        move[i] = 64 * w if found else move[i]
        left[i] = before - here
    return 0


@function
def pick(m: int) -> int:
    """A random move for every slot whose game goes on: the number of its row of the table."""
    b = at(m)
    count, stride = b[c.COUNT], b[c.STRIDE]
    left, bits, n, move = at(b[c.LEFT]), at(b[c.BITS]), at(b[c.NTH]), at(b[c.MOVE])
    for i in range(count):
        left[i] = 0
        bits[i] = 0
        n[i] = 0
        move[i] = 0
    for w in range(b[c.MASKS]):
        add_ones(b[c.LOOKS] + 8 * w * stride, b[c.LEFT], count)
    draw(m)
    for w in range(b[c.MASKS]):
        find(m, w)
    status = at(b[c.LOOKS] + 8 * (b[c.LOOK_WORDS] - 1) * stride)
    second = b[c.SECOND_ROWS]
    for i in range(count):
        number = move[i] + nth(bits[i], n[i]) + (second if status[i] < 0 else 0)
        move[i] = number if bits[i] != 0 else 0
    return 0


@function
def put(m: int) -> int:
    """Puts the rows of the slots' moves where step reads them."""
    b = at(m)
    count, stride, extra, move = b[c.COUNT], b[c.STRIDE], b[c.MOVE_WORDS], at(b[c.MOVE])
    for q in range(extra):
        into, table = at(b[c.STATES] + 8 * (b[c.WORDS] + q) * stride), at(b[c.TABLE] + 8 * q)
        for i in range(count):
            into[i] = table[extra * move[i]]
    return 0


@function
def over(m: int) -> int:
    """Lists the slots whose games are over; how many they are."""
    b = at(m)
    status = at(b[c.LOOKS] + 8 * (b[c.LOOK_WORDS] - 1) * b[c.STRIDE])
    bits, age, found, longest = at(b[c.BITS]), at(b[c.AGE]), at(b[c.ENDED]), b[c.LONGEST]
    count = 0
    for i in range(b[c.COUNT]):
        found[count] = i
        count += 1 if status[i] & 7 or bits[i] == 0 or age[i] >= longest else 0
    return count


@function
def ended(m: int) -> int:
    """The same, and keeps their results."""
    b = at(m)
    status = at(b[c.LOOKS] + 8 * (b[c.LOOK_WORDS] - 1) * b[c.STRIDE])
    age, found, owner, results = at(b[c.AGE]), at(b[c.ENDED]), at(b[c.OWNER]), at(b[c.RESULTS])
    count = over(m)
    for j in range(count):
        i = found[j]
        result = (status[i] & 1) - (status[i] >> 1 & 1)
        turned = b[c.EXCHANGES] & age[i]  # the result is for who is to move at the end
        results[owner[i]] = -result if turned else result
    return count


@function
def begin(m: int, slot: int) -> int:
    """Puts a game that has not begun yet into a slot."""
    b = at(m)
    game = b[c.BEGUN]
    states, row = at(b[c.STATES]), at(b[c.ROWS] + 8 * b[c.WORDS] * game)
    for q in range(b[c.WORDS]):
        states[q * b[c.STRIDE] + slot] = row[q]
    at(b[c.OWNER])[slot], at(b[c.AGE])[slot] = game, 0
    b[c.BEGUN] += 1
    return 0


@function
def give_up(m: int, slot: int) -> int:
    """Leaves a slot to the last one's game."""
    b = at(m)
    b[c.COUNT] -= 1
    last = b[c.COUNT]
    states = at(b[c.STATES])
    for q in range(b[c.WORDS]):
        states[q * b[c.STRIDE] + slot] = states[q * b[c.STRIDE] + last]
    for column in (c.OWNER, c.AGE):
        at(b[column])[slot] = at(b[column])[last]
    return 0


@function
def play(m: int, plies: int) -> int:
    """Plays on for so many plies of each slot's game; how many games have not ended yet."""
    b = at(m)
    stride, age, over = b[c.STRIDE], at(b[c.AGE]), at(b[c.ENDED])
    while b[c.COUNT] < b[c.SLOTS] and b[c.BEGUN] < b[c.GAMES]:
        b[c.COUNT] += 1
        begin(m, b[c.COUNT] - 1)
    for _ in range(plies):
        count = b[c.COUNT]
        if count == 0:
            break
        blocks = (count + b[c.LOOK_BLOCK] - 1) // b[c.LOOK_BLOCK]
        call(b[c.LOOK], b[c.STATES], stride, 0, b[c.LOOKS], b[c.LOOK_SCRATCH], blocks)
        pick(m)
        done = ended(m)
        put(m)
        blocks = (count + b[c.STEP_BLOCK] - 1) // b[c.STEP_BLOCK]
        # A block is read before it is written, so that states can take the place of others.
        call(b[c.STEP], b[c.STATES], stride, 0, b[c.STATES], b[c.STEP_SCRATCH], blocks)
        b[c.PLIES] += count - done
        for i in range(count):
            age[i] += 1
        for j in range(done - 1, -1, -1):
            if b[c.BEGUN] < b[c.GAMES]:
                begin(m, over[j])
            else:
                give_up(m, over[j])
    return b[c.COUNT] + b[c.GAMES] - b[c.BEGUN]
