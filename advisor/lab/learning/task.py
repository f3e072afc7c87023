"""What is to be learned, and the time that there is for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from advisor.lab.learning.steps import Steps
from advisor.limits import Limit, Stop

STRATEGIES = "strategies"
RULES = "rules"
"""The preset that plays without knowledge."""

GAMES = 1024
"""Of one round, at most."""

OnProgress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be learned, and how.

    Attributes:
        game, constants: what is played.
        seconds: for all of it.
        games: of one round, at most.
        seed: of all that is random but what depends on the clock.
        only, without: families; see `proposals`. `STRATEGIES` are all strategies.
        own: a file with candidates of one's own.
        beside: weights of the game whose features are candidates, too.
        against: the weights of the game that are to be beaten.
        limit: of a move of the match; None for what the time allows.
    """

    game: str
    constants: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 600.0
    games: int = GAMES
    seed: int = 1
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    own: Path | None = None
    beside: str | None = None
    against: str = RULES
    limit: Limit | None = None

    @property
    def sizes(self) -> tuple[tuple[str, int], ...]:
        """The constants, in an order of their own."""
        return tuple(sorted(self.constants.items()))


class Clock:
    """The time of a run.

    Args:
        seconds: all of it.
        stop: may end it.
        steps: keep what the clock has decided.
        on_progress: called with what is being done and how much of the time is over (0 to 1).

    Attributes:
        steps: as said.
        stop: set when the time is up.
    """

    def __init__(self, seconds: float, stop: Stop, steps: Steps, on_progress: OnProgress) -> None:
        self.steps, self.stop = steps, stop.within(seconds)
        self._seconds, self._on_progress = seconds, on_progress

    def left(self, until: float = 1.0) -> float:
        """Seconds until a part of the time is over; negative once it is."""
        return self.stop.seconds_left - (1 - until) * self._seconds

    @property
    def over(self) -> float:
        """The part of the time that is over."""
        return 1 - self.stop.seconds_left / self._seconds

    def goes_on(self, question: str, until: float) -> bool:
        """Whether there is time for more; a run that goes on decides as before."""
        self.stop.check()
        return bool(self.steps.settled(f"{question}?", self.left(until) > 0))

    def report(self, stage: str) -> None:
        """Says what is being done.

        Raises:
            KeyboardInterrupt: it is to stop.
        """
        self.stop.check()
        self._on_progress(stage, self.over)
