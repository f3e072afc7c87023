"""`advisor suggest`: the best move of a position, and why."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import advisor
from advisor.advice import explain, proved
from advisor.advice.advice import Advice, Move
from advisor.cli import options, other_game, screen
from advisor.cli.groups import example
from advisor.engine.search import Result
from advisor.games.connect4.exact import Exact, install_hint
from advisor.games.connect4.plans import plan_text
from advisor.games.connect4.plans.following import Step
from advisor.games.connect4.victor.moves import proofs
from advisor.games.connect4.wording import lines_text
from advisor.games.players import named
from advisor.limits import Stop, interruptible


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor suggest 4453 --explain"))(suggest)


def suggest(
    board: options.OptionalBoard = None,
    depth: options.Depth = None,
    level: options.Level = None,
    time: options.Seconds = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    explained: Annotated[bool, typer.Option("--explain", help="Say why, in sentences.")] = False,
    exactly: options.Exactly = False,
    book: options.Book = None,
    jobs: options.Threads = 1,
    size: options.Size = None,
    connect: options.Connect = options.DEFAULT_CONNECT,
    game: options.OtherGame = None,
    const: options.Constants = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Suggest a move for a position, and say why."""
    options.note_threads(jobs)
    text = options.joined(board)
    if (other := other_game.named(game, const, text)) is not None:
        from advisor.cli import any_game  # which Connect Four starts without

        other_game.refuse(
            size=size,
            connect=connect != options.DEFAULT_CONNECT,
            book=book is not None,
        )
        chosen = options.chosen_limit(depth, level, time / 2 if time and exactly else time)
        state, chosen = any_game.playing(other, weights, chosen)
        seconds = (time / 2 if time else proved.SECONDS) if exactly else None
        any_game.suggest(state, chosen, explained, jobs, json, no_color, seconds)
        return
    other_game.refuse_constants(const)
    limit = options.chosen_limit(depth, level, time / 2 if time and exactly else time)
    given = options.chosen_board(text, size, connect)
    status = screen.console(no_color, stderr=True).status("looking ahead")
    if json or not status.console.is_terminal:
        options.note_depth(limit)

    def show_depth(result: Result) -> None:
        status.update(f"looking ahead: depth {result.depth}, column {result.best[0]}")

    with (
        interruptible() as stop,
        nullcontext() if json or not status.console.is_terminal else status,
    ):
        advice = advisor.suggest(
            advisor.Board.of(given),
            depth=limit.depth,
            seconds=limit.seconds,
            weights=weights,
            book=book,
            traced=explained or json,
            at_once=limit.depth is None and not (explained or json or exactly),
            jobs=jobs,
            stop=stop,
            on_iteration=show_depth,
        )
        if exactly and advice.best and not advice.interrupted:
            status.update("searching to the end of the game")
            seconds = time / 2 if time else proved.SECONDS
            advice = _with_exact(
                advice, seconds, jobs, stop, lambda _, known: status.update(_so_far(known))
            )
    if json:
        screen.print_json(advice.to_json())
        return
    out = screen.console(no_color)
    if not advice.best:
        over = given.position
        screen.print_finished(out, over.rows(), over.winner, lines_text(over.lines()))
        return
    _print_advice(out, given.name if text else "the empty board", advice, exactly)
    if explained:
        out.print()
        with interruptible() as stop:
            columns = [move.move for move in advice.moves]
            proved_too = proofs(advice.position, columns, advice.chosen, stop)
            for paragraph in (*explain.explain(advice), *proved_too):
                out.print(paragraph, markup=False)


def _print_advice(out: Console, name: str, advice: Advice, exactly: bool) -> None:
    position = advice.position
    out.print(f"{name}: {named(position.turn)} to move", markup=False)
    out.print()
    out.print(screen.board(position.rows(), pointed=advice.best), soft_wrap=True)
    out.print()
    out.print(explain.headline(advice), style="bold")
    out.print()
    if len(advice.moves) == len(position.moves()):
        out.print(_table(advice, exactly))
        out.print()
    out.print(_effort(advice), style="dim")
    if isinstance(advice.solved, Step):
        _print_plan(out, advice, advice.solved)


def _table(advice: Advice, exactly: bool) -> Table:
    """What is known of each move."""
    cells = {
        "column": [str(move.move) for move in advice.moves],
        "row": [str(advice.position.row_of(move.move)) for move in advice.moves],
        "score": [_number(move.value) for move in advice.moves],
        "exact": [_number(move.score.points) for move in advice.moves],
        "outcome": [advice.phrasing.outcome(move.score) for move in advice.moves],
        "strategies": [_fired(move) for move in advice.moves],
    }
    if not exactly:
        del cells["exact"]
    if not advice.depth and advice.solved:
        del cells["score"], cells["strategies"]  # nobody has looked at them
    rows = zip(*cells.values(), strict=True)
    return screen.table(cells, rows, left=("outcome", "strategies"))


def _print_plan(out: Console, advice: Advice, step: Step) -> None:
    """What the solution plays, and the picture that it plays by."""
    out.print()
    if step.plan:
        rows = plan_text.picture(step.plan, advice.position, step.column)
        out.print(screen.picture(rows), soft_wrap=True)
        out.print()
    out.print(" ".join(plan_text.sentences(step, advice.position, advice.better)), markup=False)


def _so_far(known: Exact) -> str:
    """The columns' exact scores as far as they are proved."""
    columns = sorted((known.columns or {}).items())
    scores = (f"{c}: {'?' if s.score is None else s.score}" for c, s in columns)
    return f"exact scores by column: {', '.join(scores)}"


def _with_exact(
    advice: Advice,
    seconds: float,
    jobs: int,
    stop: Stop,
    on_progress: Callable[[Advice, Exact], None],
) -> Advice:
    """The advice with every exact outcome that is found in time, and a note if some are not."""
    if not advice.from_book and (hint := install_hint(advice.position)):
        print(f"note: searching for {seconds:g} s. {hint}", file=sys.stderr)
    advice, known = proved.exactly(advice, seconds, stop, jobs=jobs, on_progress=on_progress)
    if not known.proved and not stop.interrupted:
        print(f"note: not everything is proved within {seconds:g} s (--time)", file=sys.stderr)
    return advice


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _fired(move: Move) -> str:
    return ", ".join(f"{f.strategy} {f.weight:+d}" for f in move.fires)


def _effort(advice: Advice) -> str:
    if not advice.depth:
        return f"{_known(advice) or 'one answer set, '}no look-ahead"
    line = " ".join(map(str, advice.variation))
    weights = f"; weights of the preset {advice.elsewhere}"
    return (
        f"{'interrupted: ' if advice.interrupted else ''}"
        f"{_known(advice)}"
        f"depth {advice.depth}, {advice.leaves} leaves in {advice.seconds:.2f} s"
        f"{screen.by(advice.machine_code, advice.seconds)}; "
        f"expected line: {line}{weights if advice.elsewhere else ''}"
    )


def _known(advice: Advice) -> str:
    """Who knows the moves besides the look-ahead."""
    if advice.from_book:
        return "known by exact play (opening book); "
    return "known by the solution; " if advice.solved else ""
