"""The task of one run, its steps with their journal, and its clock."""

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
"""Name of all strategies together, in `Task.without`."""

RULES = "rules"
"""Name of the preset that plays by the rules alone."""

GAMES = 1024
"""Default maximum of games in one round."""

OnProgress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Task:
    """The game to learn, and the settings of the run.

    Attributes:
        game: its name or folder.
        constants: of its rules.
        seconds: time for the whole run.
        games: maximum number of games in one round.
        seed: seed of all random choices that do not depend on the clock.
        only, without: families; see `propose`. `STRATEGIES` names all strategies.
        own: a file with the user's candidates.
        beside: weights of the game whose features are candidates too.
        against: weights of the game to beat in a match.
        limit: limit of a move in a match; None to choose one by the remaining time.
        force: write the features even if they do not win.
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
    force: bool = False

    @property
    def sizes(self) -> tuple[tuple[str, int], ...]:
        """The constants, sorted."""
        return tuple(sorted(self.constants.items()))


class Steps:
    """The steps of one run; a context manager that holds its journal open.

    Later steps depend on results of earlier ones and on the clock. The journal therefore keeps
    decisions made by the clock as well, and a resumed run repeats them.

    Attributes:
        width: number of tasks to hand over at once.
        fresh: whether this process has done work that the journal did not have.
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
        """Do some tasks, or take their results from the journal; return the results as JSON.

        Raises:
            BatchError: the journal belongs to another run, or workers keep dying.
            KeyboardInterrupt: Ctrl-C.
        """

        def done(rest: Sequence[str]) -> Iterable[Any]:
            self.fresh |= bool(rest)
            return run(work, rest, self._workers)

        return self._kept_or(done, tasks)

    def settle(self, question: str, now: Any) -> Any:
        """Return the journal's answer to a question, or else `now`; as JSON."""
        return self._kept_or(lambda rest: [now] * len(rest), [question])[0]

    def _kept_or(
        self, done: Callable[[Sequence[str]], Iterable[Any]], tasks: Sequence[str]
    ) -> list[Any]:
        """Take results from the journal as far as it goes; do the rest and record them there."""
        self._asked.extend(tasks)
        found = [*islice(self._kept, len(tasks))]
        self._asked.clear()
        rest = tasks[len(found) :]
        for task, result in zip(rest, done(rest), strict=True):
            if self._journal is not None:
                self._journal.add([(task, result)])
            found.append(result)
        return found


class Clock:
    """The clock of a run. The steps keep its decisions; its stop is set when the time is up."""

    def __init__(self, seconds: float, steps: Steps, on_progress: OnProgress) -> None:
        self.steps, self.stop = steps, Stop(seconds)
        self._seconds, self._on_progress = seconds, on_progress

    def seconds_until(self, until: float = 1.0) -> float:
        """Return the seconds until a share of the time has passed; negative afterwards."""
        return self.stop.seconds_left - (1 - until) * self._seconds

    @property
    def share_passed(self) -> float:
        """The share of the time that has passed."""
        return 1 - self.stop.seconds_left / self._seconds

    def goes_on(self, question: str, until: float) -> bool:
        """Whether a share of the time has not passed yet; a resumed run decides as before."""
        self.stop.check()
        return bool(self.steps.settle(f"{question}?", self.seconds_until(until) > 0))

    def report(self, stage: str) -> None:
        """Report a stage.

        Raises:
            KeyboardInterrupt: the run was stopped.
        """
        self.stop.check()
        self._on_progress(stage, self.share_passed)
