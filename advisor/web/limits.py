"""Limits of one request; a server has many clients, the command line only its owner."""

from advisor.limits import LEVELS

MAX_BODY = 16_384
"""Maximum bytes of a request, boards and weights included."""

MAX_SIDE = 12
"""Maximum squares of a board's side; larger boards take seconds to compile."""

MAX_BATCH = 500
"""Maximum positions of a batch."""

MAX_GAME = 500
"""Maximum moves of a game."""

MAX_TREE = 1_000
"""Maximum moves of a game with its variations."""

MAX_TREE_TEXT = 40_000
"""Maximum letters of the text of a game with variations and comments."""

MAX_TREE_BODY = 262_144
"""Maximum bytes of a request about such a game."""

MAX_START = 8_192
"""Maximum letters of the text that gives the start of a game."""

MAX_CONSTANT = 100
"""Maximum of a constant of a game's rules, such as the side of its board.

`MAX_MAKING` and `MAX_MEMORY` bound its cost.
"""

MAX_SECONDS = 30.0
"""Maximum seconds of a look-ahead, also if a request gives only a depth."""

MAX_REVIEW = 240.0
"""Maximum seconds of processor time to review a game, at about half a second a move.

Moves beyond that are not graded, and the answer says so.
"""

MAX_LEVEL = LEVELS[-1]
MAX_DEPTH = MAX_LEVEL
"""Maximum depth in plies: a level looks that number of plies ahead."""

MAX_MAKING = 60
"""Maximum seconds of a request beyond its own time, mostly to compile a game or a board.

This is enough for chess on a new and busy machine.
"""

MAX_MEMORY = 2 << 30
"""Maximum bytes of one worker. Hex with a side of 20 takes a tenth of that."""

TOO_LARGE = (
    f"the board or the game is too large here: more than {MAX_MEMORY >> 20} MB of memory "
    "(choose a smaller one)"
)
"""The error message if a worker needs more memory."""

MAX_PROVED = 250
"""Maximum positions for which the server keeps the bounds that reviews have proved."""

MAX_WAITING = 100
"""Maximum requests in each queue, for short and for other jobs.

Further clients get the answer to try again later.
"""

MAX_EACH = MAX_WAITING // 4
"""Maximum requests in each queue from one address other than the server's own machine."""

MAX_SENDING = 10.0
"""Maximum seconds to send the headers of a request, and again to send its body."""
