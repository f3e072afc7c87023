"""What one request may ask for. A server answers many; the command line answers its owner."""

from advisor.limits import LEVELS

MAX_BODY = 16_384
"""Bytes of a request, boards and weights included."""

MAX_SIDE = 12
"""Squares; the encodings of larger boards take seconds to compile."""

MAX_BATCH = 500
"""Positions of a batch."""

MAX_GAME = 500
"""Moves of a game."""

MAX_START = 8_192
"""Letters of the text that says where a game begins."""

MAX_CONSTANT = 100
"""Of a number that a game's rules leave open, such as the side of its board. What it costs is
bounded by `MAX_MAKING` and `MAX_MEMORY`."""

MAX_SECONDS = 30.0
"""Of look-ahead; also where a request names a depth only."""

MAX_REVIEW = 240.0
"""Seconds of processor time for the review of a game, which takes about half of one for a move. The
moves that they are not enough for are not graded, which the answer says."""

MAX_LEVEL = LEVELS[-1]
MAX_DEPTH = MAX_LEVEL
"""A level looks as many plies ahead."""

MAX_MAKING = 60
"""Seconds that a request may take beside its own time, mostly for compiling a game or a board: what
chess takes on a new machine that has other things to do."""

MAX_MEMORY = 2 << 30
"""Bytes of one worker. Hex with a side of 20 takes a tenth of it."""

TOO_LARGE = (
    f"the board or the game is too large here: more than {MAX_MEMORY >> 20} MB of memory "
    "(choose a smaller one)"
)
"""Told where it needs more."""

MAX_PROVED = 250
"""Positions of which the server remembers what reviews have proved of their moves."""

MAX_WAITING = 100
"""Requests in each queue, that of short ones and that of others; those beyond are asked to come
back later."""

MAX_EACH = MAX_WAITING // 4
"""Of those from one address, unless it is that of the server's own machine."""

MAX_SENDING = 10.0
"""Seconds until the headers of a request have to be there, and as many until its body is."""
