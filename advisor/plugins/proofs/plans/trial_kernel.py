"""The functions of `trial.PlanTrial`, to be compiled by numba.

Only the process that makes the code imports this module (`circuits.functions`); `compiled_trial`
describes its input and output.
"""

# numba, not mypy, finds the types of what follows.
# mypy: ignore-errors

from advisor.games.connect4.board import completing_four
from advisor.plugins.proofs.plans.compiled_trial import MISSED, NO_ROOM, QUIET, REACHED, TrialWords
from aspcircuits.compiling import at, function, inline, lowest, record_at

words_at = record_at(TrialWords)
completing = inline(completing_four)


@inline
def place_of(memory, own, opp):
    """Return the entry of a state, or the first one that may become its entry."""
    words = words_at(memory)
    table = at(words.table)
    key = own + (own | opp) + words.bottom
    mixed = key * -7046029254386353131
    mixed ^= mixed >> 32
    place = mixed & words.places
    while table[2 * place + 1] >> 1 == words.number and table[2 * place] != key:
        place = place + 1 & words.places
    return place, key


@function
def threats_in_a_row(memory: int, own: int, opp: int, threats: int) -> int:
    words = words_at(memory)
    stride, full, bottom = words.stride, words.full, words.bottom
    playable = (own | opp) + bottom & full
    if completing(own, stride) & playable:
        return 1
    his = completing(opp, stride)
    blocks = his & playable
    if threats <= 0 or blocks & blocks - 1:
        return 0
    moves = blocks if blocks else playable
    while moves:
        bit = moves & -moves
        moves &= moves - 1
        after = own | bit
        replies = (after | opp) + bottom & full
        forced = completing(after, stride) & replies
        if forced == 0 or his & replies:
            continue
        if forced & forced - 1:
            return 1
        if threats_in_a_row(memory, after, opp | forced, threats - 1):
            return 1
    return 0


@function
def kind_of(memory: int, own: int, opp: int) -> int:
    words = words_at(memory)
    stride, full = words.stride, words.full
    playable = (own | opp) + words.bottom & full
    if playable == 0:
        return REACHED if words.hold else MISSED
    if completing(own, stride) & playable:
        return REACHED
    free = full & ~own
    if words.hold and not completing(free, stride) & free:  # the opponent can have no line
        return REACHED
    blocks = completing(opp, stride) & playable
    if blocks & blocks - 1:
        return MISSED
    if words.threats > 0 and threats_in_a_row(memory, own, opp, words.threats):
        return REACHED
    return blocks if blocks else QUIET


@inline
def lowest_number(memory, playable):
    """Return the bit of the playable square with the lowest number; 0 if two have it."""
    ranks = at(words_at(memory).ranks)
    best, square = ranks[lowest(playable)], playable & -playable
    playable &= playable - 1
    while playable:
        rank = ranks[lowest(playable)]
        if rank < best:
            best, square = rank, playable & -playable
        elif rank == best:
            square = 0
        playable &= playable - 1
    return square


@inline
def write_failure(memory):
    """Write the line that led here to the output."""
    words = words_at(memory)
    out, path = at(words.out), at(words.path)
    length = words.length
    if words.used + 1 + 2 * length <= words.out_room:
        used = words.used
        out[used] = length
        for i in range(2 * length):
            out[used + 1 + i] = path[i]
        words.used = used + 1 + 2 * length
    words.failures += 1


@function
def right(memory: int, own: int, opp: int) -> int:
    words = words_at(memory)
    if words.failures >= words.most:
        return 0
    table = at(words.table)
    place, key = place_of(memory, own, opp)
    if table[2 * place + 1] >> 1 == words.number:
        return table[2 * place + 1] & 1
    if words.states >= words.room:
        words.failures = words.most
        return 0
    stride, full, bottom = words.stride, words.full, words.bottom
    kind = kind_of(memory, own, opp)
    fine = 1
    if kind != REACHED:
        square = kind
        if kind == QUIET:
            path = at(words.path)
            path[2 * words.length], path[2 * words.length + 1] = own, opp
            words.length += 1
            square = lowest_number(memory, (own | opp) + bottom & full)
        replies = 0
        if kind == MISSED or square == 0:
            fine = 0
        else:
            replies = (own | opp | square) + bottom & full
            if completing(opp, stride) & replies or (replies == 0 and words.hold == 0):
                fine = 0
        if fine == 0:
            write_failure(memory)
        else:
            while replies:
                reply = replies & -replies
                replies &= replies - 1
                if right(memory, own | square, opp | reply) == 0:
                    fine = 0
        if kind == QUIET:
            words.length -= 1
    place, key = place_of(memory, own, opp)
    table[2 * place], table[2 * place + 1] = key, 2 * words.number + fine
    words.states += 1
    return fine


@function
def quiet_after(memory: int, own: int, opp: int) -> int:
    words = words_at(memory)
    table = at(words.table)
    replies = (own | opp) + words.bottom & words.full
    if completing(opp, words.stride) & replies or (replies == 0 and words.hold == 0):
        return 0
    while replies:
        reply = replies & -replies
        replies &= replies - 1
        place, key = place_of(memory, own, opp | reply)
        if table[2 * place + 1] >> 1 == words.number:
            continue
        if words.states >= words.room or words.used + 2 > words.out_room:
            return NO_ROOM
        table[2 * place], table[2 * place + 1] = key, 2 * words.number
        words.states += 1
        kind = kind_of(memory, own, opp | reply)
        if kind == QUIET:
            out = at(words.out)
            out[words.used], out[words.used + 1] = own, opp | reply
            words.used += 2
        elif kind == MISSED:
            return 0
        elif kind != REACHED:
            found = quiet_after(memory, own | kind, opp | reply)
            if found != 1:
                return found
    return 1


@function
def latest_right(memory: int, own: int, opp: int, plans: int, row: int, count: int) -> int:
    words = words_at(memory)
    mine = words.ranks
    found = -1
    number = count - 1
    while number >= 0 and found < 0:
        words.ranks = plans + number * row
        words.number += 1
        words.failures = words.states = words.length = words.used = 0
        if right(memory, own, opp):
            found = number
        number -= 1
    words.ranks = mine
    return found
