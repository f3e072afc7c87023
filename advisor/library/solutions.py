"""Solutions of whole boards, of moves and plans: grown in a file, made smaller, checked."""

import os
from collections.abc import Callable
from pathlib import Path

from advisor.errors import InputError
from advisor.files.textfile import file_name
from advisor.games.connect4 import room
from advisor.games.connect4.plans.trial import Goal
from advisor.lab import solution
from advisor.lab.solution import Progress
from advisor.lab.solution import shrink as shrink_solution
from advisor.lab.solution_check import check as check_solution
from advisor.library import arguments
from advisor.limits import Stop

__all__ = ["Progress", "check_solution", "grow_solution", "shrink_solution"]


def grow_solution(
    file: str | os.PathLike[str],
    *,
    size: tuple[int, int] | None = None,
    goal: str | None = None,
    seconds: float | None = None,
    jobs: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> Progress:
    """Grows a solution of a whole board in a file, as far as there is time.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "small.txt")
    ...     grown = advisor.grow_solution(file, size=(4, 4), goal="o-holds")
    ...     checked = advisor.check_solution(file)
    >>> grown.open, checked.unfinished, checked.plans == grown.plans
    (0, 0, True)

    Args:
        file: is continued, or begun for a size and a goal.
        size: columns and rows of a new one's board.
        goal: of a new one: "x-wins", which is the usual one, "x-holds", "o-wins" or "o-holds".
        seconds, stop: end it; it may be run again.
        jobs: processes.
        on_progress: told after every decision.

    Raises:
        InputError: the file holds something else, or has its size and its goal; or a goal that
            cannot be reached.
        BatchError: another run is writing to it, it cannot be written, or a worker died.
    """
    path = Path(file)
    if not path.exists():
        mark, reached = (goal or "x-wins").split("-")
        board = room.load(None, arguments.board(size, None)).size
        solution.begin(path, Goal(board, hold=reached == "holds"), 1 if mark == "x" else 2)
    elif size is not None or goal is not None:
        option = "--goal" if size is None else "--size"
        raise InputError(f"{option}: {file_name(path)} exists already and has its own")
    return solution.build(path, jobs, (stop or Stop()).within(seconds), on_progress)
