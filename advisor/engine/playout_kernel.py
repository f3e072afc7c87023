"""Random games as compiled code: the moves of `advisor.engine.playouts`, many times as fast.

The game is given by its functions look and step, see `advisor.engine.kernel`. `control` names the
words of the memory that holds everything. Loops go over all slots, without branches if possible, so
that they become vector instructions. Only the process that compiles the code imports this module,
since that takes seconds.
"""

from advisor.engine import control as c
from advisor.engine.states import copy_words, run, statuses
from aspcircuits.compiling import at, function, ones, record_at

playouts_at = record_at(c.PlayoutWords)


@function
def chance(seed: int, game: int, ply: int) -> int:
    """Return the upper bits of `advisor.engine.playouts.random_words`."""
    word = seed + game * c.OF_GAME + ply * c.OF_PLY
    word = (word ^ ((word >> 30) & ((1 << 34) - 1))) * c.MIX_1
    word = (word ^ ((word >> 27) & ((1 << 37) - 1))) * c.MIX_2
    return (word >> (64 - c.CHANCE_BITS)) & ((1 << c.CHANCE_BITS) - 1)


@function
def nth(bits: int, n: int) -> int:
    """Return the place of the n-th set bit, counted from 0; any place if there are fewer."""
    place = 0
    for half in (32, 16, 8, 4, 2, 1):
        before = ones(bits & ((1 << half) - 1))
        upper = n >= before
        n -= before if upper else 0
        place += half if upper else 0
        bits = bits >> half if upper else bits
    return place


@function
def count_moves(m: int) -> int:
    """Count the moves of each slot in `left`, and those before each mask in `earlier`."""
    b = playouts_at(m)
    count, left = b.count, at(b.left)
    for i in range(count):
        left[i] = 0
    for w in range(b.masks):
        column = 8 * w * b.stride
        bits, earlier = at(b.looks + column), at(b.earlier + column)
        for i in range(count):
            earlier[i] = left[i]
            left[i] += ones(bits[i])
    return 0


@function
def find(m: int, w: int) -> int:
    """Move on to mask `w` in the slots whose chosen move is not in an earlier mask."""
    b = playouts_at(m)
    earlier, chosen = at(b.earlier + 8 * w * b.stride), at(b.bits)
    n, move = at(b.nth), at(b.move)
    for i in range(b.count):
        here = chosen[i] >= earlier[i]
        n[i] = chosen[i] - earlier[i] if here else n[i]
        move[i] = 64 * w if here else move[i]
    return 0


@function
def pick_one(m: int) -> int:
    """Choose a random move, as a row of the table, for every slot whose game goes on.

    The moves have been counted. `bits` receives the mask that contains the move, 0 if there is
    none.
    """
    b = playouts_at(m)
    count, stride, seed, second = b.count, b.stride, b.seed, b.second_rows
    owner, age, left = at(b.owner), at(b.age), at(b.left)
    bits, n, move, masks = at(b.bits), at(b.nth), at(b.move), at(b.looks)
    for i in range(count):
        chosen = (chance(seed, owner[i], age[i]) * left[i]) >> c.CHANCE_BITS
        bits[i] = chosen
        n[i] = chosen
        move[i] = 0
    for w in range(1, b.masks):
        find(m, w)
    for i in range(count):
        bits[i] = masks[(move[i] >> 6) * stride + i]
    status = statuses(m, b.looks, stride)
    for i in range(count):
        number = move[i] + nth(bits[i], n[i]) + (second if status[i] < 0 else 0)
        move[i] = number if bits[i] != 0 else 0
    return 0


@function
def write_moves(m: int) -> int:
    """Copy the table rows of the slots' moves to the input of step."""
    b = playouts_at(m)
    count, stride, extra, move = b.count, b.stride, b.move_words, at(b.move)
    for q in range(extra):
        into, table = at(b.states + 8 * (b.words + q) * stride), at(b.table + 8 * q)
        for i in range(count):
            into[i] = table[extra * move[i]]
    return 0


@function
def list_finished(m: int) -> int:
    """List the slots whose games are over; return their number."""
    b = playouts_at(m)
    status = statuses(m, b.looks, b.stride)
    bits, age, found, longest = at(b.bits), at(b.age), at(b.over), b.longest
    count = 0
    for i in range(b.count):
        found[count] = i
        count += 1 if status[i] & 7 or bits[i] == 0 or age[i] >= longest else 0
    return count


@function
def finish_games(m: int) -> int:
    """List the slots whose games are over and store their results; return their number."""
    b = playouts_at(m)
    status = statuses(m, b.looks, b.stride)
    age, found, owner, results = at(b.age), at(b.over), at(b.owner), at(b.results)
    count = list_finished(m)
    for j in range(count):
        i = found[j]
        result = (status[i] & 1) - (status[i] >> 1 & 1)
        turned = b.exchanges & age[i]  # the result is for the side to move at the end
        results[owner[i]] = -result if turned else result
    return count


@function
def begin(m: int, slot: int) -> int:
    """Put the next game that has not begun into a slot."""
    b = playouts_at(m)
    game = b.begun
    copy_words(b.words, b.rows + 8 * b.words * game, 1, b.states + 8 * slot, b.stride)
    at(b.owner)[slot], at(b.age)[slot] = game, 0
    b.begun += 1
    return 0


@function
def give_up(m: int, slot: int) -> int:
    """Free a slot: the game of the last slot moves into it."""
    b = playouts_at(m)
    b.count -= 1
    last = b.count
    copy_words(b.words, b.states + 8 * last, b.stride, b.states + 8 * slot, b.stride)
    at(b.owner)[slot], at(b.age)[slot] = at(b.owner)[last], at(b.age)[last]
    return 0


@function
def play(m: int, plies: int) -> int:
    """Play up to `plies` plies in each slot; return how many games have not ended yet."""
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
        done = finish_games(m)
        write_moves(m)
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
