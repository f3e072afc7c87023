"""What one request may ask for. A server answers many; the command line answers its owner."""

from advisor.settings.config import LEVELS, depth_of_level

MAX_BODY = 16_384
"""Bytes of a request, boards and weights included."""

MAX_SIDE = 12
"""Squares; the encodings of larger boards take seconds to compile."""

MAX_BATCH = 500
"""Positions of a batch."""

MAX_GAME = 500
"""Moves of a game that is given by its rules."""

MAX_START = 8_192
"""Letters of the text that says where such a game begins."""

MAX_CONSTANT = 20
"""Of a number that such a game's rules leave open, such as the side of its board."""

MAX_SECONDS = 30.0
"""Of look-ahead; also where a request names a depth only."""

MAX_LEVEL = LEVELS[-1]
MAX_DEPTH = depth_of_level(MAX_LEVEL)
MAX_WAITING = 100
"""Requests in the queue; those beyond are asked to come back later."""
