"""`advisor solution`: a solution of a whole board, of moves and plans."""

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InputError
from advisor.games.connect4 import game
from advisor.plugins.proofs.building import growing
from advisor.plugins.proofs.building.checking import check
from advisor.plugins.proofs.plans.trial import Goal
from aspcircuits.texts import file_name


class SolutionGoal(StrEnum):
    """Who reaches which goal; to hold is at least to draw."""

    X_WINS = "x-wins"
    X_HOLDS = "x-holds"
    O_WINS = "o-wins"
    O_HOLDS = "o-holds"


_USUAL = Path("solutions/7x6.txt")


@command("solution build", "advisor solution build small.txt --size 4x4 --goal o-holds")
def build_file(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE")] = _USUAL,
    jobs: options.Jobs = 1,
    time: options.ProofSeconds = None,
    size: options.Size = None,
    goal: Annotated[SolutionGoal | None, typer.Option(show_default="x-wins")] = None,
    output: options.Output,
) -> None:
    """Grow a solution in a file until every leaf has a plan.

    It may be stopped and run again. A new file is begun for a board of the given size and for a
    player who reaches the goal there with best play. The exit code is 1 as long as the solution is
    unfinished. solutions/check.py checks what there is.

    Args:
        file: The solution to continue.
        goal: The goal of a new file.
    """
    with screen.waiting("growing the solution") as (stop, status):
        if not file.exists():
            mark, reached = (goal or SolutionGoal.X_WINS).split("-")
            board = game.load(None, options.constants(None, size)).board_size
            growing.begin(file, Goal(board, hold=reached == "holds"), 1 if mark == "x" else 2)
        elif size is not None or goal is not None:
            option = "--goal" if size is None else "--size"
            raise InputError(f"{option}: {file_name(file)} exists already and has its own")
        progress = growing.build(
            file, jobs, stop.with_limit(time), lambda progress: status(_describe_progress(progress))
        )
    told = {"moves": progress.moves, "leaves": progress.leaves, "plans": progress.plans}
    screen.answer(
        output.json,
        lambda: {**told, "open": progress.open, "done": progress.done},
        lambda out: out.print(f"{file_name(file)}: {_describe_progress(progress)}", soft_wrap=True),
        "interrupted" if stop.is_interrupted else "",
    )
    if progress.open:
        raise typer.Exit(1)


@command("solution shrink", "advisor solution shrink small.txt")
def shrink_file(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE")] = _USUAL,
    guesses: Annotated[int, typer.Option(min=0, max=10_000)] = 0,
    no_color: options.NoColor = False,
) -> None:
    """Make a solution smaller: fewer moves, plans and numbers.

    What is missing in an unfinished solution stays missing. If it is stopped, the file stays as it
    is.

    Args:
        file: Written anew when all is done.
        guesses: Look for plans in place of moves, with this number of guesses for each.
    """
    with screen.waiting("making the solution smaller") as (stop, status):
        before, after = growing.shrink(file, stop, status, guesses)
    line = f"{file_name(file)}: {after}; before: {before}"
    screen.console().print(line, markup=False, soft_wrap=True)


@command("solution check", "advisor solution check small.txt")
def check_file(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE")] = _USUAL,
    output: options.Output,
) -> None:
    """Try every plan of a solution, and note what was checked.

    The note is a file beside it. Advice uses only what was checked, so check a solution again when
    it has changed or grown. solutions/check.py makes the same check without the project's code.

    Args:
        file: Checked as far as it goes.
    """
    with screen.waiting("checking the plans") as (stop, _):
        found = check(file, stop)
    if output.json:
        screen.print_json(asdict(found))
        return
    left = f"; {found.unfinished} of the moves have replies without an answer yet"
    screen.console().print(
        f"{file_name(file)}: {found.moves} moves, {found.leaves} leaves with {found.plans} plans, "
        f"{found.tried} positions tried, none wrong{left if found.unfinished else ''}",
        markup=False,
        soft_wrap=True,
    )


def _describe_progress(progress: growing.GrowthProgress) -> str:
    told = f"{progress.moves} moves, {progress.leaves} leaves with {progress.plans} plans"
    if not progress.open:
        return f"{told}; every leaf has a plan"
    return f"{told}; {progress.open} positions open, {progress.done:.2%} of the tree done"
