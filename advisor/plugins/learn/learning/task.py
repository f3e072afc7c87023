"""What is to be learned, in steps that a journal keeps, and the time that there is for it."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Self

from advisor.lab.batch import Work, Workers, run
from advisor.lab.journal import Journal
from advisor.limits import Limit
from aspcircuits.stopping import Stop

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


class Steps:
    """The steps of one run; a context, in which its journal is open.

    What a step is may depend on the results of those before it, and on the time that they took:
    where a journal has results, whatever was decided by the clock is decided again as then.

    Attributes:
        width: how many tasks are worth handing over at once.
        fresh: all that the journal had has been asked for, and more was done.
    """

    def __init__(self, workers: Workers | None = None, journal: Journal | None = None) -> None:
        self._workers, self._journal = workers, journal
        self.width = workers.in_flight if workers else 1
        self.fresh = False
        self._open = ExitStack()
        self._asked: deque[str] = deque()
        self._kept: Iterator[Any] = iter(())

    def __enter__(self) -> Self:
        if self._journal is not None:
            self._open.enter_context(self._journal)
            self._kept = self._journal.replay(iter(self._asked.popleft, None))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def do(self, work: Work[Any], tasks: Sequence[str]) -> list[Any]:
        """The results of some tasks, as JSON.

        Raises:
            BatchError: the journal is of another run, or workers keep dying.
            KeyboardInterrupt: Ctrl-C.
        """

        def done(rest: Sequence[str]) -> Iterable[Any]:
            self.fresh |= bool(rest)
            return run(work, rest, self._workers)

        return self._kept_or(done, tasks)

    def settled(self, question: str, now: Any) -> Any:
        """What the clock says now, as JSON, or has said in the run that goes on."""
        return self._kept_or(lambda rest: [now] * len(rest), [question])[0]

    def _kept_or(
        self, done: Callable[[Sequence[str]], Iterable[Any]], tasks: Sequence[str]
    ) -> list[Any]:
        """What the journal has of the next tasks, and then what is done now, which it keeps."""
        self._asked.extend(tasks)
        found = [*islice(self._kept, len(tasks))]
        self._asked.clear()
        rest = tasks[len(found) :]
        for task, result in zip(rest, done(rest), strict=True):
            if self._journal is not None:
                self._journal.add(task, result)
            found.append(result)
        return found


class Clock:
    """The time of a run, whose steps keep what the clock has decided; its stop ends with it."""

    def __init__(self, seconds: float, steps: Steps, on_progress: OnProgress) -> None:
        self.steps, self.stop = steps, Stop(seconds)
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
        """Says what is being done, unless the run is to stop."""
        self.stop.check()
        self._on_progress(stage, self.over)
