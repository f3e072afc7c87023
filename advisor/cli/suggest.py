"""`advisor suggest`: the best move of a position, and why."""

from typing import Any

from rich.table import Table

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from aspcircuits.stopping import interruptible

_SHOWN = 10
"""Moves that a suggestion lists where they are ranked."""


@command("suggest", "advisor suggest chapter2/28 --explain")
def suggest(
    *,
    look: options.LookOptions,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    explain: bool = False,
    numbers: bool = False,
    exact: bool = False,
    engine: options.Engine = None,
    book: options.Book = None,
    jobs: options.Threads = 1,
    where: options.Where,
    output: options.Output,
) -> None:
    """Suggest a move for a position, and say why.

    Args:
        explain: Say why, in sentences.
        numbers: Say where the scores come from.
        exact: Also find every move's exact outcome.
    """
    look.check_engine(engine)
    if engine is None:
        options.note_threads(jobs)
    limit, proving = look.split_limit(exact)
    name, position = where.position(weights)
    if output.json or not screen.console(stderr=True).is_terminal:
        options.note_depth(limit)
    with screen.waiting("looking ahead", not output.json) as (stop, status):
        advice = advisor.suggest(
            position,
            depth=limit.depth,
            seconds=limit.seconds,
            exact=proving,
            engine=engine,
            book=book,
            traced=explain or numbers or output.json,
            at_once=limit.depth is None and not (explain or numbers or output.json or exact),
            jobs=jobs,
            stop=stop,
            on_iteration=lambda so_far: status(_progress(so_far)),
        )
    if advice.certain:
        _note_exact(position, advice, proving)
    if output.json:
        screen.print_json(advice.to_json())
        return
    out = screen.console()
    if not advice.chosen:
        screen.print_finished(out, position)
        return
    _print_advice(out, name, position, advice, exact, explain)
    if explain:
        out.print()
        with interruptible() as stop:
            for paragraph in (*advisor.explain(advice), *advisor.proofs(advice, stop=stop)):
                out.print(paragraph)
    if numbers:
        out.print()
        for paragraph in advisor.explain(advice, numbers=True):
            out.print(paragraph)


def _print_advice(
    out: screen.Out,
    name: str,
    position: "advisor.Position",
    advice: "advisor.Advice",
    exact: bool,
    explain: bool,
) -> None:
    out.paragraph(f"{name}: {position.status}")
    screen.print_board(out, position, advice.best, lettered=explain)
    out.paragraph(advisor.headline(advice), style="bold")
    if advice.engine or len(advice.moves) == len(position.moves):
        table = _table(advice, exact)
        out.print(table)
        if any(column.header == "score" for column in table.columns):
            out.print(_unit(position, advice), style="dim")
        out.print()
    out.print(_effort(advice), style="dim")
    if advice.solved:
        out.print()
        if rows := advice.solved.picture():
            out.paragraph(screen.picture(rows), soft_wrap=True)
        out.print(" ".join(advice.solved.sentences(advice.better)))


def _table(advice: "advisor.Advice", exact: bool) -> Table:
    """Return a table of what is known about each move."""
    say, shown = advice.phrasing, _moves_to_list(advice)
    asked = bool(advice.depth) or not advice.solved  # otherwise the moves have not been examined
    named = [say.cells(move.move) for move in shown]
    cells = {column: [each[column] for each in named] for column in named[0]}
    certain: dict[str, list[Any]] = {
        "score": [_value(move) if asked else None for move in shown],
        "exact": [move.score.points if exact else None for move in shown],
        "games": [None if move.mean is None else move.playouts for move in shown],
        "won": [
            None if move.mean is None or advice.is_unsure(move) else f"{50 * (1 + move.mean):.1f} %"
            for move in shown
        ],
        "outcome": [say.outcome(move.score) for move in shown],
        "strategies": [
            ", ".join(f"{f.strategy} {f.weight:+d}" for f in move.fires) if asked else ""
            for move in shown
        ],
    }
    cells |= {name: column for name, column in certain.items() if {*column} - {None, ""}}
    rows = zip(*cells.values(), strict=True)
    return screen.table(cells, rows, left=("move", "outcome", "strategies"))


def _value(move: Any) -> int | None:
    """Return a move's value by the look-ahead, or by the strategies if there is none."""
    value: int | None = move.score.value if move.ahead is None else move.ahead
    return value


def _unit(position: "advisor.Position", advice: "advisor.Advice") -> str:
    """Explain the scores and weights of a table in one line."""
    if advice.engine:
        return f"score: as {advice.engine} counts, in chess hundredths of a pawn"
    units = advisor.logit_scale(position.game.name)
    return f"score: an estimate; {units:g} units more multiply the odds of winning by 2.7"


def _moves_to_list(advice: "advisor.Advice") -> tuple[Any, ...]:
    return advice.moves[:_SHOWN] if advice.game.ranked else advice.moves


def _progress(advice: "advisor.Advice") -> str:
    """Return the progress of the work in one line."""
    if advice.certain is None:
        return f"looking ahead: {screen.depth_text(advice)}"
    bounds = sorted((str(move), each.score) for move, each in advice.certain.bounds.items())
    scores = (f"{move}: {'?' if score is None else score}" for move, score in bounds)
    return f"exact scores by {advice.phrasing.noun}: {', '.join(scores)}"


def _note_exact(
    position: "advisor.Position", advice: "advisor.Advice", seconds: float | None
) -> None:
    """Print a note if exact outcomes are missing, and how to get them sooner."""
    if not advice.from_book and (hint := position.hint):
        options.note(f"searching for {seconds:g} s. {hint}")
    if advice.certain and not advice.certain.proved and not advice.interrupted:
        options.note(f"not everything is proved within {seconds:g} s (--time)")


def _effort(advice: "advisor.Advice") -> str:
    """Return the effort of the advice, and the sources of moves besides the look-ahead."""
    left_out = len(advice.moves) - len(_moves_to_list(advice))
    known = f"{left_out} more {'move' if left_out == 1 else 'moves'}; " if left_out else ""
    if advice.from_book:
        known += "known by exact play (opening book); "
    elif advice.solved:
        known += "known by the solution; "
    if advice.engine:
        line = " ".join(advice.phrasing.names_along(advice.variation))
        ended = "interrupted: " if advice.interrupted else ""
        spent = f"{advice.nodes} nodes in {advice.seconds:.2f} s"
        return f"{ended}{advice.engine}, depth {advice.depth}, {spent}\nexpected line: {line}"
    if not advice.depth:
        return f"{known or 'one answer set, '}no look-ahead"
    seen = f"depth {advice.depth}"
    if advice.deeper:
        seen += f" ({advice.deeper} more than asked for)"
    if advice.selective:
        seen += ", selective"
    if advice.added:
        seen += f", {advice.added} states after noisy moves"
    line = f"\nexpected line: {' '.join(advice.phrasing.names_along(advice.variation))}"
    if games := sum(move.playouts for move in advice.moves):
        tree = " in a tree" if any(move.expected for move in advice.moves) else ""
        seen, line = f"{seen}, {games} random games{tree}", ""
    elif not left_out:  # the line is long enough otherwise
        seen += f", {advice.leaves} leaves"
    if advice.untried:
        seen += f" ({advice.untried} moves not tried)"
    weights = f"; weights of the preset {advice.elsewhere}" if advice.elsewhere else ""
    return (
        f"{'interrupted: ' if advice.interrupted else ''}{known}{seen} in {advice.seconds:.2f} s"
        f"{screen.name_code(advice.machine_code, advice.seconds)}{weights}{line}"
    )
