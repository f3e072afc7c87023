"""How far to look and when to stop: one way for everything that may take long.

Code that starts long work makes a `Stop` and passes it down. A time limit, Ctrl-C, or a client that
has gone sets it. The work looks at it often and, once it is set, ends with its results so far. Work
without partial results calls `Stop.check`, which raises KeyboardInterrupt, at places of its own
choosing.
"""

from dataclasses import dataclass, replace

MAX_DEPTH = 100
"""Maximum plies of a look-ahead."""

MAX_WIN = MAX_DEPTH // 2
"""Maximum own moves of a win to search for."""

LEVELS = range(1, 21)
"""Levels of play; the last one is full strength. `Limit.of_level` limits the thinking of each, and
`advisor.advice.choice` chooses its moves."""

_ROUNDS, _ROUNDS_GROW = 6, 1.3
"""Rounds of random games at the lowest level, and how many times as many each next level plays."""

MAX_GAMES = 1_000_000
"""Games of a run; of a match the openings are chosen before the first one, in a minute or so."""

MAX_ROUNDS = 1_000
"""Maximum rounds of a tournament, which ends earlier once everybody has met everybody."""

MATCH_GAMES, TOURNAMENT_GAMES = 20, 4
"""Default number of games; in a tournament, of each pair."""

MAX_JOBS = 1024
"""Maximum processes or threads."""

MAX_SEED = 2**64 - 1
"""Of random choices, the least being 0."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How far to look ahead, and for how long.

    Attributes:
        depth: plies; 0 asks for the answer set of the position alone, None is as deep as the time
            allows.
        seconds: None is as long as it takes.
        rounds: of random games, where these decide: a round is a game for every legal move, and
            some more. None: as many as go with a depth, or with the time.
        before_games: plies of the look-ahead before these random games; by default the depth.
    """

    depth: int | None = None
    seconds: float | None = None
    rounds: float | None = None
    before_games: int | None = None

    @classmethod
    def of_level(cls, level: int, seconds: float | None = None) -> "Limit":
        """The work of a level of play, the same on every machine; at most for some seconds."""
        rounds = _ROUNDS * _ROUNDS_GROW ** (level - LEVELS[0])
        # Before random games two plies are enough: a win, and a reply that wins.
        return cls(2 + level // 2, seconds, rounds, before_games=2)

    def with_default_depth(self, depth: int | None) -> "Limit":
        """This limit or, where it names neither depth nor time, that depth."""
        return replace(self, depth=depth) if self == NO_LIMIT else self


NO_LIMIT = Limit()
"""No limit given; the callee uses its default depth."""
