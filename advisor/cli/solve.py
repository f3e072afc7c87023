"""`advisor solve`: exact scores, by a search to the end of the game."""

from contextlib import nullcontext
from typing import Annotated

import typer
from rich.console import Console

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InterruptedWorkError
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Position
from advisor.games.connect4.exact import Exact
from advisor.games.connect4.solver import Solution, winner_moves
from advisor.games.connect4.wording import lines_text
from advisor.games.players import named
from advisor.limits import interruptible


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor solve 44 --size 5x4 --columns"))(solve)


def solve(
    board: options.BoardArgument,
    columns: Annotated[bool, typer.Option("--columns", help="Score every move too.")] = False,
    size: options.Size = None,
    connect: options.Connect = options.DEFAULT_CONNECT,
    time: options.ProofSeconds = None,
    jobs: options.Threads = 1,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Find the exact score of a position (Pascal Pons' conventions).

    A win scores half the number of squares that are empty before the winning disc, rounded up: the
    sooner, the higher. A draw is 0, a loss negative, always for the player to move.
    """
    given = options.chosen_board(options.joined(board), size, connect)
    position = given.position
    options.note_threads(jobs, exact.choose(position))
    status = screen.console(no_color, stderr=True).status("searching to the end of the game")
    with (
        interruptible() as stop,
        nullcontext() if json or not status.console.is_terminal else status,
    ):
        known = advisor.solve(
            advisor.Board.of(given), columns=columns, seconds=time, jobs=jobs, stop=stop
        )
    cut_short = stop.interrupted and not known.proved
    if json:
        screen.print_json({**known.to_json(), **screen.interrupted(cut_short)})
    elif position.result() is not None:
        where = lines_text(position.lines())
        screen.print_finished(screen.console(no_color), position.rows(), position.winner, where)
    else:
        hint = exact.install_hint(position)
        if hint and not known.proved:
            screen.console(no_color, stderr=True).print(f"note: {hint}", markup=False)
        _print(screen.console(no_color), given.name, known, position)
    if cut_short:
        raise InterruptedWorkError("interrupted")
    if not known.proved:
        raise typer.Exit(1)


def _print(out: Console, name: str, known: Exact, position: Position) -> None:
    out.print(f"{name}: {named(position.turn)} to move", markup=False)
    out.print()
    out.print(f"score {_score(known.position)}: {_outcome(position, known.position)}", style="bold")
    if known.columns is not None:
        out.print()
        rows = [
            (str(column), _score(solution), _outcome(position, solution))
            for column, solution in sorted(known.columns.items())
        ]
        out.print(screen.table(("column", "score", "outcome"), rows, left=("outcome",)))
    out.print()
    nodes, seconds = known.position.nodes, known.position.seconds
    out.print(f"engine {known.engine}: {nodes} positions in {seconds:.2f} s", style="dim")


def _score(solution: Solution) -> str:
    if solution.score is None:
        return f"{solution.lower} to {solution.upper}"
    return str(solution.score)


def _outcome(position: Position, solution: Solution) -> str:
    """The outcome with the winner's number of moves, as far as it is proved."""
    verbs = {"win": "wins", "loss": "loses", "draw": "draws", None: "not proved in time"}
    verb = verbs[solution.outcome]
    if solution.score is None or solution.outcome == "draw":
        return verb
    return f"{verb} in {winner_moves(position, solution.score)}"
