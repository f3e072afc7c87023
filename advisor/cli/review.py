"""`advisor review`: what was wrong with a game."""

import io
import os.path
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from advisor.advice import board_review
from advisor.advice.advise import Advisor
from advisor.advice.review import Review, Reviewed
from advisor.cli import options, other_game, review_text, screen
from advisor.errors import InputError, InterruptedWorkError, at
from advisor.files import outfile
from advisor.games.connect4.board import DISCS, Geometry
from advisor.games.connect4.notation import Board, board_of_line, read_board
from advisor.games.connect4.record import Game
from advisor.games.position_file import Given
from advisor.limits import NO_LIMIT, Limit, interruptible
from advisor.settings import grading, reading
from advisor.settings.grading import Grading
from advisor.views import review_html


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(review)


@dataclass(frozen=True, slots=True)
class _Played:
    """A game to look back on: what it is called, how it ended, and what grades its moves."""

    title: str
    players: tuple[str, str]
    length: int
    ended: str
    graded: Callable[..., Iterator[Reviewed]]


def review(
    board: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A move string such as 4453, a YAML file with moves, a file with a game on each "
            "line, or - for standard input; with --game also PGN.",
            show_default=False,
        ),
    ],
    depth: options.Depth = None,
    level: options.Level = None,
    time: Annotated[
        float | None,
        typer.Option(
            "--time",
            callback=options.within(0.01, 86400),
            metavar="SECONDS",
            help="For a whole game: half of it for exact scores, half to look ahead.",
            show_default="a second for exact scores",
        ),
    ] = None,
    grades: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Thresholds for the grades (YAML), in place of some of the usual ones.",
            show_default=False,
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the review as a page that needs nothing else."),
    ] = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    size: options.Size = None,
    connect: options.Connect = options.DEFAULT_CONNECT,
    game: options.OtherGame = None,
    const: options.Constants = None,
    json: options.Json = False,
    no_color: options.NoColor = False,
) -> None:
    """Grade every move of a game by what it gave away.

    A grade rests on exact scores where they are found in time ("exact"), on results that are proved
    ("proved"), and otherwise on what the look-ahead guesses.
    """
    thresholds = grading.load(None if grades is None else str(grades))
    limit = options.chosen_limit(depth, level, None)
    if limit.depth == 0:
        raise InputError("--depth 0: a review looks ahead (use 1 or more)")
    if html is not None:
        outfile.check_writable(html)
    if (other := other_game.named(game, const, board)) is None:
        other_game.refuse_constants(const)
        sized = options.chosen_size(size, connect)
        played = _connect4(_boards(board, sized), weights, thresholds, limit, time)
    else:
        other_game.refuse(size=size, connect=connect != options.DEFAULT_CONNECT)
        played = _others(other, weights, thresholds, limit, time)
    done, cut_short = _all(played, json, no_color)
    if html is not None:
        outfile.write(html, review_html.page(done).encode())
    if not json:
        review_text.show(done, screen.console(no_color))
    if cut_short:
        raise InterruptedWorkError("interrupted: the review is not complete")


def _all(played: list[_Played], json: bool, no_color: bool) -> tuple[list[Review], bool]:
    """The reviews, those of all games that were begun, and whether the work was interrupted."""
    done: list[Review] = []
    status = screen.console(no_color, stderr=True).status("looking back")
    with (
        interruptible() as stop,
        nullcontext() if not status.console.is_terminal else status,
    ):
        for game in played:
            found: list[Reviewed] = []
            try:
                for move in game.graded(stop=stop):
                    found.append(move)
                    left = f"{game.title}: {game.length - len(found)} moves to go"
                    status.update(f"looking back on {left}")
            except KeyboardInterrupt:
                if not found and not done:
                    raise
            if not found:
                break
            done.append(Review.of(game.title, game.players, game.length, found, game.ended))
            if json:
                screen.print_json(done[-1].to_json())
                sys.stdout.flush()
    return done, stop.interrupted and (len(done) < len(played) or done[-1].partial)


# Connect Four


def _boards(source: str, size: Geometry) -> list[Board]:
    """The games that a user names.

    Raises:
        InputError: it is none; see `read_board`.
    """
    listed = os.path.isfile(source) and not source.lower().endswith((".yaml", ".yml", ".lp"))
    if source != "-" and not listed:
        return [read_board(source, size=size)]
    name, text = options.given_text(source)
    if source == "-" and ":" in text:
        return [read_board("-", stdin=io.BytesIO(text.encode()), size=size)]
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.strip().startswith("#"):
            place = f"{name}: line {number}"
            with at(place):
                found.append(board_of_line(line, size, place))
    if not found:
        raise InputError(f"{name}: holds no games (write the moves of one on each line)")
    return found


def _connect4(
    boards: list[Board],
    weights: str,
    thresholds: Grading,
    limit: Limit,
    seconds: float | None,
) -> list[_Played]:
    """Games of Connect Four.

    Raises:
        InputError: a board without moves.
    """
    advisor = Advisor(reading.load(weights))
    limit = limit.otherwise(advisor.config.depth or 1)
    played = []
    for board in boards:
        game = Game.of(board)
        if not game.moves:
            raise InputError(f"{board.name}: no moves to look back on (give a game by its moves)")
        ended = board_review.ended(game.position)
        shared = replace(limit, seconds=seconds / 2 / len(game.moves)) if seconds else limit
        graded = partial(
            board_review.review,
            advisor,
            game.start,
            game.moves,
            thresholds,
            shared,
            seconds=seconds / 2 if seconds else board_review.SECONDS,
        )
        sides = (DISCS[1], DISCS[2])
        played.append(_Played(board.name, sides, len(game.moves), ended, graded))
    return played


# Any other game


def _others(
    given: Given, weights: str, thresholds: Grading, limit: Limit, seconds: float | None
) -> list[_Played]:
    """Games by their rules; a text may hold several.

    Raises:
        InputError: a move that is not legal, or none at all; see `any_game.playing`.
    """
    from advisor.advice import game_review  # which Connect Four starts without
    from advisor.cli import any_game

    first, limit = any_game.playing(replace(given, moves=""), weights, limit)
    texts = first.notation.games(given.moves)
    played = []
    for number, text in enumerate(texts, 1):
        end = any_game.begun(first.game, replace(given, moves=text))
        title = given.name or given.game
        if len(texts) > 1:
            title += f", game {number}"
        if not end.moves:
            raise InputError(f"{title}: no moves to look back on (give a game by its moves)")
        share = limit
        if seconds:
            share = replace(limit, seconds=seconds / len(end.moves))
        elif limit == NO_LIMIT:
            share = game_review.USUAL
        graded = partial(game_review.review, end, thresholds, share)
        players = end.game.rules.players
        played.append(_Played(title, players, len(end.moves), any_game.ended(end), graded))
    if not played:
        raise InputError(f"{given.name or given.game}: no moves to look back on")
    return played
