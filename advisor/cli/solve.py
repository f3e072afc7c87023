"""`advisor solve`: exact scores, by a search to the end of the game."""

from contextlib import AbstractContextManager, nullcontext
from typing import Annotated

import typer
from rich.console import Console

import advisor
from advisor.cli import options, other_game, screen
from advisor.cli.groups import example
from advisor.errors import InputError, InterruptedWorkError
from advisor.games.bounds import Bounds
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Position
from advisor.games.connect4.exact import Exact
from advisor.games.connect4.solver import winner_moves
from advisor.games.connect4.wording import lines_text
from advisor.games.players import named
from advisor.games.position_file import Given
from advisor.games.solving import Result
from advisor.limits import interruptible


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor solve 44 --size 5x4 --columns"))(solve)


def solve(
    board: options.OptionalBoard = None,
    columns: Annotated[
        bool, typer.Option("--columns", "--moves", help="Find the result of every move too.")
    ] = False,
    game: options.OtherGame = None,
    const: options.Constants = None,
    size: options.Size = None,
    connect: options.Connect = options.DEFAULT_CONNECT,
    time: options.ProofSeconds = None,
    jobs: options.Threads = 1,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Find the exact result of a position, by a search to its end.

    Of Connect Four it is a score (Pascal Pons' conventions): a win scores half the number of
    squares that are empty before the winning disc, rounded up: the sooner, the higher. A draw is 0,
    a loss negative, always for the player to move. Of other games it is a win, a draw or a loss,
    and in how many plies; that is for small boards and for the ends of games.
    """
    text = options.joined(board)
    if other := other_game.named(game, const, text):
        other_game.refuse(size=size, connect=connect != options.DEFAULT_CONNECT)
        _by_rules(other, columns, time, jobs, json, no_color)
        return
    other_game.refuse_constants(const)
    if board is None:  # nobody waits for all of 7x6 by mistake
        raise InputError("BOARD is missing (use '' for the empty board)")
    given = options.chosen_board(text, size, connect)
    position = given.position
    options.note_threads(jobs, exact.choose(position))
    with interruptible() as stop, _waiting(json, no_color):
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


def _by_rules(
    given: Given, every_move: bool, time: float | None, jobs: int, json: bool, no_color: bool
) -> None:
    """The exact result of a position of a game by its rules."""
    from advisor.cli import any_game

    game = any_game.loaded(given, options.DEFAULT_WEIGHTS)
    state = advisor.State(game, any_game.begun(game.circuits, given))
    with interruptible() as stop, _waiting(json, no_color):
        known = advisor.solve(state, columns=every_move, seconds=time, jobs=jobs, stop=stop)
    cut_short = stop.interrupted and not known.proved
    if json:
        screen.print_json({"game": game.name, **known.to_json(), **screen.interrupted(cut_short)})
    else:
        out = screen.console(no_color)
        out.print(str(state), markup=False)
        out.print()
        if not state.over:
            told = _told(state, known.result)
            out.print(f"{told[0].upper()}{told[1:]}.", style="bold")
            out.print()
            if known.moves is not None:
                rows = [(move, _told(state, result)) for move, result in known.moves.items()]
                out.print(screen.table(("move", "result"), rows, left=("move", "result")))
                out.print()
            line = f"; best play: {' '.join(known.line)}" if known.line else ""
            effort = f"{known.nodes} positions in {known.seconds:.2f} s{line}"
            out.print(effort, style="dim", markup=False)
    if cut_short:
        raise InterruptedWorkError("interrupted")
    if not known.proved:
        raise typer.Exit(1)


def _told(state: advisor.State, result: Result) -> str:
    """A result of a game by its rules in words."""
    if result.outcome is None:
        return "not proved in time"
    if result.plies is None:
        return "a draw"
    return state.playing.notation.outcome(result.outcome, result.plies)


def _waiting(json: bool, no_color: bool) -> AbstractContextManager[object]:
    """Says on a terminal what is being done."""
    status = screen.console(no_color, stderr=True).status("searching to the end of the game")
    return nullcontext() if json or not status.console.is_terminal else status


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


def _score(solution: Bounds) -> str:
    if solution.score is None:
        return f"{solution.lower} to {solution.upper}"
    return str(solution.score)


def _outcome(position: Position, solution: Bounds) -> str:
    """The outcome with the winner's number of moves, as far as it is proved."""
    verbs = {"win": "wins", "loss": "loses", "draw": "draws", None: "not proved in time"}
    verb = verbs[solution.outcome]
    if solution.score is None or solution.outcome == "draw":
        return verb
    return f"{verb} in {winner_moves(position, solution.score)}"
