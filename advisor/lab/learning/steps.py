"""Work in steps, each kept in a journal, so that a run goes on where it was stopped."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from advisor.lab.batch import Work, Workers, run
from advisor.lab.journal import Journal


class Steps:
    """The steps of one run; a context, in which its journal is open.

    What a step is may depend on the results of those before it, and on the time that they took:
    where a journal has results, whatever was decided by the clock is decided again as then.

    Args:
        workers: who does the work; None for this process.
        journal: None keeps nothing.
        width: how many tasks are worth handing over at once.

    Attributes:
        fresh: all that the journal had has been asked for, and more was done.
    """

    def __init__(
        self, workers: Workers | None = None, journal: Journal | None = None, width: int = 1
    ) -> None:
        self._workers, self._journal, self.width = workers, journal, width
        self.fresh = False
        self._open = ExitStack()
        self._asked: deque[str] = deque()
        self._kept: Iterator[Any] = iter(())

    def __enter__(self) -> Self:
        if self._journal is not None:
            self._open.enter_context(self._journal)
            self._kept = self._journal.replay(iter(self._asked.popleft, None))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._open.close()

    def do(self, work: Work[Any], tasks: Sequence[str]) -> list[Any]:
        """The results of some tasks, as JSON.

        Raises:
            BatchError: the journal is of another run, or workers keep dying.
            KeyboardInterrupt: Ctrl-C.
        """
        found: list[Any] = []
        for task in tasks:
            self._asked.append(task)
            kept = next(self._kept, self)
            if kept is self:
                self._asked.clear()
                break
            found.append(kept)
        rest = tasks[len(found) :]
        self.fresh |= bool(rest)
        for task, result in zip(rest, run(work, rest, self._workers), strict=True):
            self._add(task, result)
            found.append(result)
        return found

    def settled(self, question: str, now: Any) -> Any:
        """What the clock says now, as JSON, or has said in the run that goes on."""
        self._asked.append(question)
        kept = next(self._kept, self)
        if kept is not self:
            return kept
        self._asked.clear()
        self._add(question, now)
        return now

    def _add(self, task: str, result: Any) -> None:
        if self._journal is not None:
            self._journal.add(task, result)
