"""The rules of the game as compiled code, on bitboards that fit into a word.

`look` and `step` as `advisor.engine.kernel` calls them. A state is two words, the discs of player 1
and those of player 2, as `Frontier.words` has them; the word that all states share is the player to
move, 1 or 2. A move is the number of its square's bit, so that what look says of moves are
bitboards too, and a move's row of the table is that bit.

The rules are those of `board`; tests hold the values to it. What a state's status says is listed in
`machine`, which also fills the scratch memory. Only who makes the code imports this module.
"""

from advisor.circuits.compiling import at, function
from advisor.engine.control import SECOND_MOVES, USE_CANDIDATES
from advisor.games.connect4.machine import BLOCK, BOTTOM, CONNECT, DIRECTIONS, FULL, PLANES, STEPS

OWN, OTHERS, PLAYABLE, EMPTY, WINNING, THREATS, WON, AFTER = range(8)
"""Arrays in the scratch memory; after the last one as many again as a line has squares, twice."""


@function
def step(source: int, stride: int, player: int, target: int, scratch: int, blocks: int) -> int:
    """States after a move of the player, whose bit is the third word of each."""
    now, then = at(source), at(target)
    count = blocks * at(scratch)[BLOCK]
    for w in range(2):
        moves = w == player - 1
        for i in range(count):
            move = now[2 * stride + i] if moves else 0
            then[w * stride + i] = now[w * stride + i] | move
    return 0


@function
def complete(scratch: int, discs: int, empty: int, squares: int, lines: int) -> int:
    """In `squares` the empty squares on which one more disc completes a line, in `lines` lines.

    All but `scratch` are numbers of arrays.
    """
    b = at(scratch)
    size, connect = b[BLOCK], b[CONNECT]
    planes = scratch + 8 * PLANES
    d, e = at(planes + 8 * size * discs), at(planes + 8 * size * empty)
    s, n = at(planes + 8 * size * squares), at(planes + 8 * size * lines)
    for i in range(size):
        s[i] = n[i] = 0
    for k in range(b[DIRECTIONS]):
        by = b[STEPS + k]
        # Where the next t squares in either direction are all the player's.
        for t in range(1, connect):
            after = at(planes + 8 * size * (AFTER + t))
            before = at(planes + 8 * size * (AFTER + connect + t))
            if t == 1:
                for i in range(size):
                    after[i], before[i] = d[i] >> by, d[i] << by
            else:
                fewer = at(planes + 8 * size * (AFTER + t - 1))
                less = at(planes + 8 * size * (AFTER + connect + t - 1))
                for i in range(size):
                    after[i] = fewer[i] & (d[i] >> (t * by))
                for i in range(size):
                    before[i] = less[i] & (d[i] << (t * by))
        for hole in range(connect):
            after = at(planes + 8 * size * (AFTER + connect - 1 - hole))
            before = at(planes + 8 * size * (AFTER + connect + hole))
            if hole == 0:
                for i in range(size):
                    s[i] |= after[i]
                    n[i] |= after[i] & d[i]
            elif hole == connect - 1:
                for i in range(size):
                    s[i] |= before[i]
            else:
                for i in range(size):
                    s[i] |= after[i] & before[i]
    for i in range(size):
        s[i] &= e[i]
    return 0


@function
def look(source: int, stride: int, player: int, target: int, scratch: int, blocks: int) -> int:
    """Three words of each state: the playable squares, those among them that are safe, the status.

    A square is safe if playing there leaves the opponent no winning move.
    """
    b = at(scratch)
    size, bottom, full = b[BLOCK], b[BOTTOM], b[FULL]
    planes = scratch + 8 * PLANES
    own, others = at(planes + 8 * size * OWN), at(planes + 8 * size * OTHERS)
    playable, empty = at(planes + 8 * size * PLAYABLE), at(planes + 8 * size * EMPTY)
    winning, threats = at(planes + 8 * size * WINNING), at(planes + 8 * size * THREATS)
    won = at(planes + 8 * size * WON)
    other = 3 - player
    lost, wins, loses = 1 << (other - 1), 1 << (2 + player), 1 << (4 + other)
    second = (player - 1) << SECOND_MOVES
    for start in range(0, blocks * size, size):
        mine, theirs = at(source + 8 * start), at(source + 8 * (stride + start))
        if player == 2:
            mine, theirs = theirs, mine
        moves = at(target + 8 * start)
        safe = at(target + 8 * (stride + start))
        status = at(target + 8 * (2 * stride + start))
        for i in range(size):
            own[i], others[i] = mine[i], theirs[i]
            mask = mine[i] | theirs[i]
            playable[i] = (mask + bottom) & full
            empty[i] = full & ~mask
        complete(scratch, OWN, PLAYABLE, WINNING, WON)
        complete(scratch, OTHERS, EMPTY, THREATS, WON)
        for i in range(size):
            urgent = threats[i] & playable[i]
            good = playable[i] & ~(threats[i] >> 1)
            good = good & urgent if urgent else good
            good = 0 if urgent & (urgent - 1) else good
            said = lost if won[i] else 0
            said |= 0 if playable[i] else 4
            said |= wins if winning[i] else 0
            said |= 0 if good else loses
            moves[i], safe[i] = playable[i], good
            status[i] = (said if said else 1 << USE_CANDIDATES) | second
    return 0
