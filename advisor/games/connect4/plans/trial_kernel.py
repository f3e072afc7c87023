"""The functions of `trial.Trial`, to be compiled by numba.

Only the process that makes the code imports this module (`circuits.functions`); what it gets
and gives is told in `compiled_trial`.
"""

# numba, not mypy, finds the types of what follows.
# mypy: ignore-errors

from advisor.circuits.compiling import at, function, inline, lowest
from advisor.games.connect4.board import completing_four
from advisor.games.connect4.plans.compiled_trial import (
    BOTTOM,
    FAILURES,
    FULL,
    HOLD,
    LENGTH,
    MISSED,
    MOST,
    NO_ROOM,
    NUMBER,
    OUT,
    OUT_ROOM,
    PATH,
    PLACES,
    QUIET,
    RANKS,
    REACHED,
    ROOM,
    STATES,
    STRIDE,
    TABLE,
    THREATS,
    USED,
)

completing = inline(completing_four)


@inline
def has_line(discs, stride):
    two = discs & discs >> 1
    found = two & two >> 2
    for step in (stride - 1, stride, stride + 1):
        two = discs & discs >> step
        found |= two & two >> 2 * step
    return found != 0


@inline
def place_of(memory, own, opp):
    """The entry of a state, or the first one that may become its entry."""
    words, table = at(memory), at(at(memory)[TABLE])
    key = own + (own | opp) + words[BOTTOM]
    mixed = key * -7046029254386353131
    mixed ^= mixed >> 32
    place = mixed & words[PLACES]
    while table[2 * place + 1] >> 1 == words[NUMBER] and table[2 * place] != key:
        place = place + 1 & words[PLACES]
    return place, key


@function
def threats_in_a_row(memory: int, own: int, opp: int, threats: int) -> int:
    words = at(memory)
    stride, full, bottom = words[STRIDE], words[FULL], words[BOTTOM]
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
    words = at(memory)
    stride, full = words[STRIDE], words[FULL]
    playable = (own | opp) + words[BOTTOM] & full
    if playable == 0:
        return REACHED if words[HOLD] else MISSED
    if completing(own, stride) & playable:
        return REACHED
    if words[HOLD] and not has_line(full & ~own, stride):
        return REACHED
    blocks = completing(opp, stride) & playable
    if blocks & blocks - 1:
        return MISSED
    if words[THREATS] > 0 and threats_in_a_row(memory, own, opp, words[THREATS]):
        return REACHED
    return blocks if blocks else QUIET


@inline
def lowest_number(memory, playable):
    """The bit of the playable square with the lowest number; 0 if two have it."""
    ranks = at(at(memory)[RANKS])
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
def failed(memory):
    """Gives back the line that led here."""
    words = at(memory)
    out, path = at(words[OUT]), at(words[PATH])
    length = words[LENGTH]
    if words[USED] + 1 + 2 * length <= words[OUT_ROOM]:
        used = words[USED]
        out[used] = length
        for i in range(2 * length):
            out[used + 1 + i] = path[i]
        words[USED] = used + 1 + 2 * length
    words[FAILURES] += 1


@function
def right(memory: int, own: int, opp: int) -> int:
    words = at(memory)
    if words[FAILURES] >= words[MOST]:
        return 0
    table = at(words[TABLE])
    place, key = place_of(memory, own, opp)
    if table[2 * place + 1] >> 1 == words[NUMBER]:
        return table[2 * place + 1] & 1
    if words[STATES] >= words[ROOM]:
        words[FAILURES] = words[MOST]
        return 0
    stride, full, bottom = words[STRIDE], words[FULL], words[BOTTOM]
    kind = kind_of(memory, own, opp)
    fine = 1
    if kind != REACHED:
        square = kind
        if kind == QUIET:
            path = at(words[PATH])
            path[2 * words[LENGTH]], path[2 * words[LENGTH] + 1] = own, opp
            words[LENGTH] += 1
            square = lowest_number(memory, (own | opp) + bottom & full)
        replies = 0
        if kind == MISSED or square == 0:
            fine = 0
        else:
            replies = (own | opp | square) + bottom & full
            if completing(opp, stride) & replies or (replies == 0 and words[HOLD] == 0):
                fine = 0
        if fine == 0:
            failed(memory)
        else:
            while replies:
                reply = replies & -replies
                replies &= replies - 1
                if right(memory, own | square, opp | reply) == 0:
                    fine = 0
        if kind == QUIET:
            words[LENGTH] -= 1
    place, key = place_of(memory, own, opp)
    table[2 * place], table[2 * place + 1] = key, 2 * words[NUMBER] + fine
    words[STATES] += 1
    return fine


@function
def quiet_after(memory: int, own: int, opp: int) -> int:
    words = at(memory)
    table = at(words[TABLE])
    replies = (own | opp) + words[BOTTOM] & words[FULL]
    if completing(opp, words[STRIDE]) & replies or (replies == 0 and words[HOLD] == 0):
        return 0
    while replies:
        reply = replies & -replies
        replies &= replies - 1
        place, key = place_of(memory, own, opp | reply)
        if table[2 * place + 1] >> 1 == words[NUMBER]:
            continue
        if words[STATES] >= words[ROOM] or words[USED] + 2 > words[OUT_ROOM]:
            return NO_ROOM
        table[2 * place], table[2 * place + 1] = key, 2 * words[NUMBER]
        words[STATES] += 1
        kind = kind_of(memory, own, opp | reply)
        if kind == QUIET:
            out = at(words[OUT])
            out[words[USED]], out[words[USED] + 1] = own, opp | reply
            words[USED] += 2
        elif kind == MISSED:
            return 0
        elif kind != REACHED:
            found = quiet_after(memory, own | kind, opp | reply)
            if found != 1:
                return found
    return 1


@function
def latest_right(memory: int, own: int, opp: int, plans: int, row: int, count: int) -> int:
    words = at(memory)
    mine = words[RANKS]
    found = -1
    number = count - 1
    while number >= 0 and found < 0:
        words[RANKS] = plans + number * row
        words[NUMBER] += 1
        words[FAILURES] = words[STATES] = words[LENGTH] = words[USED] = 0
        if right(memory, own, opp):
            found = number
        number -= 1
    words[RANKS] = mine
    return found
