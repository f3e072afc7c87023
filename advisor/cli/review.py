"""`advisor review`: what was wrong with a game."""

from pathlib import Path
from typing import Annotated

import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

import advisor
from advisor.cli import options, review_summary, screen
from advisor.cli.groups import command
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import outfile
from advisor.library.summarising import check_empty
from advisor.views import review_html
from advisor.views import review_words as words

_LOST = {
    "points": "lost points",
    "weights": "units",
    "mean result": "mean",
    "engine": "centipawns",
}
"""What is lost, by the unit that a mark has."""

_STYLES = {"inaccuracy": "yellow", "mistake": "magenta", "blunder": "bold red"}


@command("review", "advisor review 4453443355 --depth 4")
def review(
    *,
    board: Annotated[list[str], typer.Argument(metavar="GAME")],
    depth: options.Depth = None,
    level: options.Level = None,
    time: Annotated[
        float | None,
        options.seconds(
            "For a whole game; moves that it is not enough for are not graded.",
            low=0.01,
            show_default="as long as it takes",
        ),
    ] = None,
    grades: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    engine: options.Engine = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    summary: bool = False,
    player: Annotated[str | None, typer.Option(metavar="NAME", show_default="both sides")] = None,
    puzzles: Annotated[Path | None, typer.Option(metavar="FOLDER")] = None,
    sharing: options.SharingOptions,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    variant: options.Variant,
    output: options.Output,
) -> None:
    """Grade every move of a game by what it gave away.

    A grade rests on exact scores ("exact"), on results that are proved ("proved"), and otherwise on
    guesses: if another look does not confirm an error, the move is "unclear". A game gets the same
    grades each time.

    Args:
        board: A move string such as 4453, a YAML file with moves, a file with a game on each line,
            a folder of such files, or - for standard input; with --game also PGN.
        grades: Other thresholds for the grades (YAML).
        html: Write the review as one HTML page.
        summary: Print what the errors of all games missed and allowed, and how often, in place of
            the games.
        player: Of a summary: whose errors count, by a name in the games (or a part of it) or a
            side.
        puzzles: Of a summary: write its positions as puzzles to a new folder; quiz poses them.
    """
    look = options.LookOptions(depth, level)
    look.check_engine(engine)
    limit = look.limit
    if limit.depth == 0:
        raise InputError("--depth 0: a review looks ahead (use 1 or more)")
    if html is not None:
        outfile.check_writable(html)
    games = variant.games(board, weights)
    if summary:
        if html is not None or time is not None:
            raise InputError("--summary has no --html and no --time")
        if puzzles is not None:
            check_empty(puzzles)
        many = advisor.Summary(
            games,
            player=player,
            game=variant.game,
            constants=variant.constants,
            weights=weights,
            depth=limit.depth,
            engine=engine,
            grades=grades,
            sharing=sharing.chosen,
        )
        review_summary.show(many, puzzles, output.json)
        return
    for name, given in (("player", player), ("puzzles", puzzles), ("resume", sharing.resume)):
        if given is not None:
            raise InputError(f"--{name} goes with --summary")
    if sharing.dask is not None or sharing.jobs > 1:
        raise InputError("--jobs and --dask go with --summary")
    done: list[advisor.Review] = []
    complete, failed = False, False
    with screen.waiting("looking back") as (stop, status):

        def show(move: "advisor.Reviewed") -> None:
            status(f"reviewing {title}: {move.ply - 1} moves to go")

        for title, game in games:
            if isinstance(game, InputError) or not game.played:
                nothing = f"{title}: no moves to review (give a game by its moves)"
                error = str(game) if isinstance(game, InputError) else nothing
                options.note(error, "error")
                failed = True
                if output.json:
                    screen.print_json({"game": title, "error": error, "code": InputError.code})
                continue
            try:
                found = advisor.review(
                    game,
                    title=title,
                    depth=limit.depth,
                    seconds=time,
                    engine=engine,
                    grades=grades,
                    stop=stop,
                    on_move=show,
                )
            except KeyboardInterrupt:
                if not done:
                    raise
                break
            except InputError as error:
                if not done:
                    raise
                options.note(f"{title}: {error}", "error")  # an engine has failed
                failed = True
                break
            done.append(found)
            if output.json:
                screen.print_json(found.to_json())
            if found.failed:
                options.note(f"{title}: {found.failed}", "error")
                failed = True
            if found.partial:
                break
        else:
            complete = True
    if html is not None and done:
        outfile.write(html, review_html.page(done).encode())
    if not output.json and done:
        out = screen.console()
        for each in done:
            _show(out, each)
        out.print(words.legend(done), style="dim")
    if stop.is_interrupted and not complete:
        raise InterruptedWorkError("interrupted: the review is not complete")
    if failed:
        raise typer.Exit(2)


def _show(out: screen.Out, review: "advisor.Review") -> None:
    out.paragraph(f"{review.title}: {words.heading(review)}", style="bold")
    out.paragraph(_table(review))
    for move in review.moves:
        if move.error:
            _error(out, move)
    rows = words.summary(review.sides)
    out.paragraph(screen.table(("", *words.players(review)), rows, left=("",)))


def _table(review: "advisor.Review") -> Table:
    """Return every move with its grade, and its loss in a column for each unit."""
    units = [unit for unit in _LOST if any(move.mark.unit == unit for move in review.moves)]
    rows = [
        (
            move.ply,
            words.player(move),
            move.name,
            words.grade(move),
            *(words.loss_text(move) if move.mark.unit == unit else "" for unit in units),
            _leads_to(move),
        )
        for move in review.moves
    ]
    lost = (_LOST[unit] for unit in units)
    names = ("ply", "player", "move", "grade", *lost, "leads to")
    return screen.table(names, rows, left=("player", "move", "grade", "leads to"))


def _leads_to(move: "advisor.Reviewed") -> str:
    """Say what a move leads to, and how that is known; the legend explains an engine's values."""
    known = "" if move.engine else f" ({words.knowledge(move)})"
    return f"{words.leads_to(move.prospect)}{known}"


def _error(out: screen.Out, move: "advisor.Reviewed") -> None:
    """Print a paragraph on an error, with the play that it allows."""
    style = _STYLES[move.mark.grade]
    out.print(f"{words.turn(move)}: {move.mark.grade}", style=style)
    told = [words.verdict(move) + ".", *move.reasons]
    if move.missed:
        told.append(words.missed_text(move))
    if move.refutation:
        told.append(words.refutation(move, move.refutation).removesuffix(".") + ":")
    out.print(Padding(Text(" ".join(told)), (0, 0, 0, 4), expand=False))
    if move.refutation:
        out.print(screen.scene(move.refutation.end, lettered=True), soft_wrap=True)
    out.print()
