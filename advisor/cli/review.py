"""`advisor review`: what was wrong with a game."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, review_text, screen
from advisor.cli.groups import command
from advisor.errors import InputError, InterruptedWorkError
from advisor.files import outfile
from advisor.views import review_html


@command("review", "advisor review 4453443355 --depth 4")
def review(
    *,
    board: Annotated[list[str], typer.Argument(metavar="GAME")],
    depth: options.Depth = None,
    level: options.Level = None,
    time: Annotated[
        float | None,
        options.seconds(
            "For a whole game: half of it for exact scores, half to look ahead.",
            low=0.01,
            show_default="half a second for exact scores",
        ),
    ] = None,
    grades: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    variant: options.Variant,
    output: options.Output,
) -> None:
    """Grade every move of a game by what it gave away.

    A grade rests on exact scores where they are found in time ("exact"), on results that are proved
    ("proved"), and otherwise on what the look-ahead guesses.

    Args:
        board: A move string such as 4453, a YAML file with moves, a file with a game on each line,
            or - for standard input; with --game also PGN.
        grades: Other thresholds for the grades (YAML).
        html: Write the review as one HTML page.
    """
    limit = options.LookOptions(depth, level).limit
    if limit.depth == 0:
        raise InputError("--depth 0: a review looks ahead (use 1 or more)")
    if html is not None:
        outfile.check_writable(html)
    played = variant.games(board, weights)
    for title, given in played:
        if not given.played:
            raise InputError(f"{title}: no moves to review (give a game by its moves)")
    ask = partial(advisor.review, depth=limit.depth, seconds=time, grades=grades)
    done, cut_short = _all(played, ask, output.json)
    if html is not None:
        outfile.write(html, review_html.page(done).encode())
    if not output.json:
        review_text.show(done, screen.console())
    if cut_short:
        raise InterruptedWorkError("interrupted: the review is not complete")


def _all(
    played: Sequence[tuple[str, advisor.Position]], ask: Callable[..., advisor.Review], json: bool
) -> tuple[list[advisor.Review], bool]:
    """The reviews, those of all games that were begun, and whether the work was interrupted."""
    done: list[advisor.Review] = []
    with screen.waiting("looking back") as (stop, status):
        for title, game in played:

            def show(move: advisor.Reviewed, title: str = title) -> None:
                if status:
                    status(f"reviewing {title}: {move.ply - 1} moves to go")

            try:
                done.append(ask(game, title=title, stop=stop, on_move=show))
            except KeyboardInterrupt:
                if not done:
                    raise
                break
            if json:
                screen.print_json(done[-1].to_json())
                sys.stdout.flush()
    return done, stop.interrupted and (len(done) < len(played) or done[-1].partial)
