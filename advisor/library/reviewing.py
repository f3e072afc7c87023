"""A game of any kind looked back on."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.advice import board_review
from advisor.advice.review import Review, Reviewed
from advisor.errors import InputError
from advisor.library import arguments
from advisor.limits import NO_LIMIT, Limit, Stop
from advisor.settings import grading
from advisor.settings.grading import Grading

if TYPE_CHECKING:
    from advisor.library.positions import Position


def review(
    game: "Position",
    *,
    depth: int | None = None,
    seconds: float | None = None,
    weights: str | os.PathLike[str] | None = None,
    grades: str | os.PathLike[str] | None = None,
    title: str = "",
    stop: Stop | None = None,
    on_move: Callable[[Reviewed], None] | None = None,
) -> Review:
    """Every move of a game graded by what it gave away, with reasons and refutations.

    >>> found = advisor.review(advisor.position("4453443355"), depth=4)
    >>> worst = max(found.moves, key=lambda move: move.mark.drop)
    >>> worst.ply, worst.name, worst.mark.grade
    (3, '5', 'blunder')
    >>> worst.before.svg()[:4]
    '<svg'

    Args:
        game: a position with the moves that led there.
        depth: plies to look ahead where exact scores do not decide.
        seconds: for the whole game; of Connect Four half of it for exact scores.
        weights: as for `suggest`.
        grades: thresholds for the grades (YAML), in place of some of the usual ones.
        title: what the review calls the game; by default its text.
        stop: whoever sets it gets the review of the moves that are done, the last of the game.
        on_move: told of every move as it is done, the last one first.

    Raises:
        InputError: no moves to review, or a depth of 0.
        ConfigError, EncodingError: thresholds, weights or encodings that cannot be used.
        KeyboardInterrupt: `stop` was set before a move was done.
    """
    arguments.position(game)
    if not game.played:
        raise InputError("no moves to review (give a game by its moves)")
    if depth == 0:
        raise InputError("a review looks ahead (use a depth of 1 or more)")
    thresholds = grading.load(None if grades is None else arguments.path("grades", grades))
    stop = stop or Stop()
    looked = arguments.limit(depth, seconds)
    room = game.game.room
    if weights is not None:
        room = room.weighed(arguments.path("weights", weights), None)
    begun = room.abilities(next(game.state.played))
    graded = _graded(game, Limit(looked.depth), looked.seconds, weights, thresholds, stop)
    found: list[Reviewed] = []
    try:
        with _served(game, stop):
            for move in graded:
                found.append(move)
                if on_move is not None:
                    on_move(move)
    except KeyboardInterrupt:
        if not found or not stop.interrupted:
            raise
    players = (MARKS[1], MARKS[2]) if isinstance(game, Board) else game.game.players
    return Review.of(title or game.text, players, len(game.played), found, _ended(game))


def _served(game: "Position", stop: Stop) -> AbstractContextManager[None]:
    if isinstance(game, Board):
        return nullcontext()
    from advisor.library.games import served

    return served(game.game.circuits, stop)


def _graded(
    game: "Position",
    limit: Limit,
    seconds: float | None,
    weights: str | os.PathLike[str],
    thresholds: Grading,
    stop: Stop,
) -> Iterator[Reviewed]:
    """The moves, the last one first."""
    if isinstance(game, Board):
        record, by = game.record, advisor_by(weights)
        return board_review.review(
            by, record.start, record.moves, thresholds, stop, limit.depth, seconds
        )
    from advisor.advice import game_review

    if weights != DEFAULT:
        raise InputError("weights are for Connect Four (see load_game)")
    shared = limit.otherwise(game.game.settings.depth)
    if seconds:
        shared = replace(shared, seconds=seconds / len(game.played))
    elif shared == NO_LIMIT:
        shared = game_review.USUAL
    return game_review.review(game.playing, thresholds, shared, stop)


def _ended(game: "Position") -> str:
    """How it has ended, in words."""
    if isinstance(game, Board):
        return ended(game.bitboards)
    if not game.over:
        return "not finished"
    return f"{game.winner} has won" if game.winner else "a draw"
