"""`advisor suggest`: the best move of a position, and why."""

import sys
from contextlib import nullcontext
from typing import Annotated

import typer
from rich.console import Console

from advisor.advice import explain
from advisor.advice.advise import Advice, MoveAdvice, advise, with_exact
from advisor.cli import options, screen
from advisor.engine.search import Result
from advisor.games.connect4 import exact
from advisor.games.connect4.notation import Board, read_board

_EXACT_SECONDS = 30.0
"""For ``--exact`` where no ``--time`` is given."""


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(suggest)


def suggest(
    board: options.BoardArgument,
    depth: options.Depth = None,
    level: options.Level = None,
    time: options.Seconds = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    explained: Annotated[bool, typer.Option("--explain", help="Say why, in sentences.")] = False,
    exactly: Annotated[
        bool, typer.Option("--exact", help="Also find every column's exact outcome.")
    ] = False,
    prover: Annotated[
        bool,
        typer.Option("--prover", help="Let Allis' strategic rules cut the look-ahead by proofs."),
    ] = False,
    book: options.Book = None,
    size: options.Size = None,
    connect: options.Connect = options.DEFAULT_CONNECT,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Suggest a move for a position, and say why."""
    plies = options.chosen_depth(depth, level)
    settings = options.chosen_settings(weights, book)
    given = read_board(board, size=options.chosen_size(size, connect))
    status = screen.console(no_color, stderr=True).status("looking ahead")

    def show_depth(result: Result) -> None:
        status.update(f"looking ahead: depth {result.depth}, column {result.best[0]}")

    with nullcontext() if json or not status.console.is_terminal else status:
        advice = advise(
            given.position,
            settings,
            depth=plies,
            seconds=time / 2 if time and exactly else time,
            prover=prover,
            on_iteration=show_depth,
        )
        if exactly and advice.best:
            status.update("searching to the end of the game")
            advice = _with_exact(advice, time / 2 if time else _EXACT_SECONDS)
    if json:
        screen.print_json(advice.to_json())
        return
    out = screen.console(no_color)
    if advice.best:
        _print_advice(out, given, advice, explained)
    else:
        print_finished(out, given)


def _print_advice(out: Console, given: Board, advice: Advice, explained: bool) -> None:
    position = given.position
    out.print(f"{given.name}: {screen.player(position.turn)} to move", markup=False)
    out.print()
    out.print(screen.board(position, pointed=advice.best), soft_wrap=True)
    out.print()
    out.print(f"Play {_columns(advice.best)}{_result(advice)}", style="bold")
    out.print()
    rows = ([str(m.column), str(m.row), *_score(m), _fired(m)] for m in advice.moves)
    names = ("column", "row", "score", "outcome", "strategies")
    out.print(screen.table(names, rows, left=("outcome", "strategies")))
    out.print()
    out.print(_effort(advice), style="dim")
    if explained:
        out.print()
        for paragraph in (*explain.explain(advice), *explain.explain_proofs(advice)):
            out.print(paragraph, markup=False)


def _with_exact(advice: Advice, seconds: float) -> Advice:
    """The advice with every exact outcome that is found in time, and a note if some are not."""
    position = advice.position
    if hint := exact.install_hint(position):
        print(f"note: searching for {seconds:g} s. {hint}", file=sys.stderr)
    found: list[exact.Exact] = []
    try:
        known = exact.solve(position, columns=True, seconds=seconds, on_progress=found.append)
    except KeyboardInterrupt:
        if not found:
            return advice
        known = found[-1]
    if not known.proved:
        print(f"note: not everything is proved within {seconds:g} s (--time)", file=sys.stderr)
    return with_exact(advice, known)


def print_finished(out: Console, given: Board) -> None:
    """A finished game: who won with which line, or that it is drawn."""
    position = given.position
    out.print(screen.board(position), soft_wrap=True)
    out.print()
    if not position.winner:
        out.print("The game is over: a draw.", style="bold")
        return
    lines = position.geometry.winning_lines(position.discs_of(position.winner))
    where = explain.lines_text(lines)
    out.print(f"The game is over: {screen.player(position.winner)} has won {where}.", style="bold")


def _columns(columns: tuple[int, ...]) -> str:
    if len(columns) == 1:
        return f"column {columns[0]}"
    *most, last = map(str, columns)
    return f"column {', '.join(most)} or {last} (equally good)"


def _result(advice: Advice) -> str:
    forced = explain.outcome(advice.score)
    return f": {forced}." if forced else "."


def _score(move: MoveAdvice) -> tuple[str, str]:
    value = "" if move.score.value is None else str(move.score.value)
    return value, explain.outcome(move.score)


def _fired(move: MoveAdvice) -> str:
    return ", ".join(f"{f.strategy} {f.weight:+d}" for f in move.fires if f.weight)


def _effort(advice: Advice) -> str:
    if not advice.depth:
        return "one answer set, no look-ahead"
    line = " ".join(map(str, advice.variation))
    known = "known by exact play (opening book); " if advice.from_book else ""
    return (
        f"{known}depth {advice.depth}, {advice.leaves} leaves in {advice.seconds:.2f} s; "
        f"expected line: {line}"
    )
