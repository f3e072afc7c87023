"""The rules of the game as compiled code, on bitboards that fit into a word.

`look` and `step` are functions as `advisor.engine.kernel` calls them. A state is two words, the
discs of player 1 and of player 2, as in `Frontier.words`; the word that all states share is the
player to move, 1 or 2. A move is the number of its square's bit, so the moves that look returns are
bitboards, too, and a move's row of the table is that bit.

Tests check that these rules agree with `board`. `machine` lists the bits of a state's
status. Only the process that makes the code imports this module.
"""

# numba, not mypy, finds the types of what follows.
# mypy: ignore-errors

from advisor.engine.control import SECOND_MOVES, USE_CANDIDATES
from advisor.games.connect4.line_kernel import WORD, ZERO, completing
from advisor.games.connect4.machine import BoardWords
from aspcircuits.compiling import at, function, inline, record_at, unsigned_at

board_at = record_at(BoardWords)


@function
def step(source: int, stride: int, player: int, target: int, _scratch: int, count: int) -> int:
    """Write the states after a move of the player; the move's bit is the third word of each."""
    now, then = at(source), at(target)
    for w in range(2):
        moves = w == player - 1
        for i in range(count):
            move = now[2 * stride + i] if moves else 0
            then[w * stride + i] = now[w * stride + i] | move
    return 0


@inline
def look_inline(own, other, player, memory, moves, safe, status, count, connect):
    """See `look`; compiled anew for each constant `connect`."""
    board = board_at(memory)
    bottom, full, steps = WORD(board.bottom), WORD(board.full), unsigned_at(board.steps)
    for i in range(count):
        mine, theirs = own[i], other[i]
        wins, threats = completing(mine, steps, connect), completing(theirs, steps, connect)
        playable = (mine | theirs) + bottom & full
        said = 1 << 2 - player if threats & theirs else 0
        threats &= full & ~mine & ~theirs
        urgent, good = threats & playable, playable & ~(threats >> WORD(1))
        good = good & urgent if urgent else good
        good = ZERO if urgent & urgent - WORD(1) else good
        said |= 0 if playable else 4
        said |= 1 << 2 + player if wins & playable else 0
        said |= 0 if good else 1 << 7 - player
        moves[i], safe[i] = playable, good
        status[i] = (said if said else 1 << USE_CANDIDATES) | player - 1 << SECOND_MOVES


@function
def look(source: int, stride: int, player: int, target: int, memory: int, count: int) -> int:
    """Write three words of each state: the playable squares, the safe ones among them, the status.

    A square is safe if playing there leaves the opponent no winning move.
    """
    own = unsigned_at(source + 8 * stride * (player - 1))
    other = unsigned_at(source + 8 * stride * (2 - player))
    moves, safe = unsigned_at(target), unsigned_at(target + 8 * stride)
    status, connect = at(target + 16 * stride), board_at(memory).connect
    if connect == 4:
        look_inline(own, other, player, memory, moves, safe, status, count, 4)
    elif connect == 3:
        look_inline(own, other, player, memory, moves, safe, status, count, 3)
    elif connect == 5:
        look_inline(own, other, player, memory, moves, safe, status, count, 5)
    else:
        look_inline(own, other, player, memory, moves, safe, status, count, connect)
    return 0
