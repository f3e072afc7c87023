"""Grows a solution of Connect Four: from the empty board until every leaf has a plan.

The file is the state: each decision is added to it as a paragraph, and is on the disk before the
next one. A new run continues where the file ends. The tree is walked depth first, by decisions that
are in the file or are made now, so with one process interruptions make no difference.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import IO

from advisor.errors import BatchError, InputError
from advisor.files import outfile, textfile
from advisor.games.players import MARKS
from advisor.lab import batch
from advisor.lab.journal import lock_file
from advisor.plugins.proofs.building.decisions import Decision, Efforts, decide, open_replies, roots
from advisor.plugins.proofs.building.shrinking import shrink_solution
from advisor.plugins.proofs.building.solution import Leaf, Play, Solution, parse, whole_part
from advisor.plugins.proofs.plans.trial import Goal, State
from aspcircuits.stopping import POLL, Stop
from aspcircuits.texts import file_name

_HEAD = """\
A solution of Connect Four on {width}x{height}: {me} {goal}, whatever {you} does.
Part of asp-advisor, under its MIT licence.

A position is written as the columns that led to it, "-" is the empty board, and stands for its
mirror image too; it is always {me}'s turn. The words of a line, by two examples:
  play 5             {me} plays column 5
  plan 7 threats 2   from here on {me} plays by plan 7: complete a line if you can, by up to 2
                     threats in a row each of which {you} must block; else block if you must;
                     else play the playable square with the lowest number
What is not written {me} wins by at most so many threats in a row as the line "threats" says{drawn}.

Plans are found by clingo (encodings/connect4/plans); an exact solver chose among {me}'s moves, and
nothing rests on its word: python solutions/check.py FILE tries everything that {you} can do.
Made by: advisor solution build FILE, which goes on from where the file ends. As long as it is
unfinished, the checker counts the positions that are missing."""


@dataclass(frozen=True, slots=True)
class GrowthProgress:
    """The progress of a growing solution.

    Attributes:
        moves: positions in which a move is played.
        leaves: positions with a plan.
        plans: different ones.
        open: positions that are known to need a decision.
        done: the share of the tree that is finished, if all replies to a move have equal shares of
            what follows it; 1 if everything is.
    """

    moves: int
    leaves: int
    plans: int
    open: int
    done: float


def begin(path: Path, goal: Goal, player: int = 1) -> None:
    """Write the head of a new file.

    Args:
        path: of the file.
        goal: for the player, who need not begin.
        player: the player who reaches it.

    Raises:
        InputError: the file exists, or cannot be written, or there are no solutions of this board.
    """
    head = Solution(goal, player).head(
        _HEAD.format(
            width=goal.geometry.width,
            height=goal.geometry.height,
            me=MARKS[player],
            you=MARKS[3 - player],
            goal="holds at least a draw" if goal.hold else "wins",
            drawn=f",\nor {MARKS[3 - player]} cannot complete a line any more" if goal.hold else "",
        )
    )
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(head)
    except OSError as error:
        raise InputError(f"{file_name(path)}: cannot be written ({error.strerror})") from None


def build(
    path: Path,
    jobs: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[GrowthProgress], None] = lambda _: None,
    efforts: Efforts | None = None,
    start: str = "",
) -> GrowthProgress:
    """Grow the solution in a file until it is complete or `stop` is set.

    Args:
        path: a file that `begin` or an earlier build has written.
        jobs: processes.
        on_progress: called after every decision.
        efforts: how hard to look for plans.
        start: moves; only what follows them is grown.

    Raises:
        InputError: the file holds something else, or its goal cannot be reached.
        BatchError: another build is writing to it, it cannot be written, or a worker died.
        KeyboardInterrupt: `stop` was set while the file was read.
    """
    stop = stop or Stop()
    with _open_solution(path, stop) as (solution, file), ExitStack() as stack:
        workers = batch.local(jobs)
        executor = stack.enter_context(workers.open()) if workers else None
        growth = _Growth(solution, file, path, efforts or Efforts(), start)
        try:
            for _ in growth.steps(executor, jobs, stop):
                on_progress(growth.progress)
        except BrokenExecutor:
            raise BatchError("a worker died (out of memory?); run again to go on") from None
        except KeyboardInterrupt:
            if not stop.is_set():
                raise
        return growth.progress


def shrink(
    path: Path,
    stop: Stop | None = None,
    told: Callable[[str], None] = lambda _: None,
    guesses: int = 0,
) -> tuple[str, str]:
    """Make the solution in a file smaller; the file is written when everything is done.

    Args:
        told: called with a description of each step.
        guesses: for each plan that might replace a move; 0 to look for none.

    Returns:
        the sizes before and after, in words.

    Raises:
        InputError: the file holds something else, or cannot be written.
        BatchError: a build is writing to it.
        KeyboardInterrupt: `stop` was set; the file is unchanged.
    """
    stop = stop or Stop()
    with _open_solution(path, stop) as (solution, _):
        small = shrink_solution(solution, stop, told, guesses)
        head = "".join(takewhile(_of_head, textfile.read_text(path).splitlines(keepends=True)))
        outfile.write(path, f"{head.rstrip()}\n\n{small.by_plans()}".encode())
    return solution.size, small.size


def _of_head(line: str) -> bool:
    return line.partition("#")[0].split()[:1] in ([], ["board"], ["goal"], ["threats"])


@contextmanager
def _open_solution(path: Path, stop: Stop) -> Iterator[tuple[Solution, IO[bytes]]]:
    """Open a file: yield its solution, and the file at the end of its last whole paragraph."""
    name = file_name(path)
    try:
        # Closed below: only errors from opening it are the user's.
        file = open(path, "r+b", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise InputError(f"{name}: {textfile.unreadable(error)}") from None
    with file:
        if not lock_file(file):
            raise BatchError(f"{name}: another build is writing to it")
        whole = whole_part(textfile.read_text(path))
        solution = parse(whole, name, stop)
        file.truncate(len(whole.encode()))
        file.seek(0, os.SEEK_END)
        yield solution, file


class _Growth:
    """A solution, and a stack of positions to be decided, each with its share of the tree."""

    def __init__(
        self, solution: Solution, file: IO[bytes], path: Path, efforts: Efforts, start: str
    ) -> None:
        self._solution, self._file, self._path = solution, file, path
        self._efforts = efforts
        self._seen: set[State] = set()
        beginnings = roots(solution, start)
        self._todo = [(moves, 1 / len(beginnings)) for moves in reversed(beginnings)]
        self._moves = self._leaves = 0
        self._done = 0.0
        self._in_flight: dict[Future[Decision], tuple[str, float]] = {}

    @property
    def progress(self) -> GrowthProgress:
        """The progress so far."""
        undecided = len(self._todo) + len(self._in_flight)
        plans = len(self._solution.plans)
        return GrowthProgress(self._moves, self._leaves, plans, undecided, self._done)

    def steps(self, executor: Executor | None, jobs: int, stop: Stop) -> Iterator[None]:
        """Work, and yield after every decision."""
        s = self._solution
        while True:
            while len(self._in_flight) < jobs and not stop.is_set():
                position = self._next(stop)
                if position is None:
                    break
                moves, part = position
                question = (s.goal, moves, tuple(s.plans), self._efforts)
                if executor is not None:
                    self._in_flight[executor.submit(decide, *question)] = position
                    continue
                try:
                    decision = decide(*question, stop)
                except KeyboardInterrupt:
                    self._todo.append(position)
                    raise
                self._apply_decision(decision, part)
                yield
            if not self._in_flight:
                return
            finished, _ = wait(self._in_flight, POLL, FIRST_COMPLETED)
            for future in finished:
                self._apply_decision(future.result(), self._in_flight.pop(future)[1])
                yield
            if stop.is_set():
                return

    def _next(self, stop: Stop) -> tuple[str, float] | None:
        """Return the next position without a decision, after following the existing decisions."""
        s = self._solution
        while self._todo and not stop.is_set():
            moves, part = self._todo.pop()
            key = s.key_of(moves)
            if key in self._seen:
                self._done += part
                continue
            self._seen.add(key)
            said = s.said.get(key)
            if said is None:
                return moves, part
            self._follow(said, part)
        return None

    def _follow(self, said: Play | Leaf, part: float) -> None:
        """Continue after a decision."""
        replies: list[str] = []
        if isinstance(said, Play):
            self._moves += 1
            s = self._solution
            replies = open_replies(s.goal, said.after)
        else:
            self._leaves += 1
        if not replies:
            self._done += part
        self._todo += [(moves, part / len(replies)) for moves in reversed(replies)]

    def _apply_decision(self, decision: Decision, part: float) -> None:
        """Write a decision down, then follow it."""
        s = self._solution
        key = s.key_of(decision.moves)
        if key not in s.said:  # another worker may have found a plan for it
            open_ = [each for each in decision.planned if s.key_of(each.moves) not in s.said]
            new = [*dict.fromkeys(each.numbers for each in open_ if each.numbers not in s.plans)]
            plans = [*s.plans, *new]
            said: list[Play | Leaf] = [
                Leaf(each.moves, plans.index(each.numbers) + 1, each.threats) for each in open_
            ]
            if decision.column is not None:
                said.append(Play(decision.moves, decision.column))
            self._write(s.text(new, said))
            s.plans += new
            for each in said:
                s.add(each)
        self._follow(s.said[key], part)

    def _write(self, paragraph: str) -> None:
        rest = paragraph.encode()
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            name = file_name(self._path)
            raise BatchError(f"{name}: {error.strerror} (what was found before is kept)") from None
