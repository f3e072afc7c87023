"""A game of any kind looked back on."""

import os
from collections.abc import Callable

from advisor.advice import looking_back
from advisor.advice.review import Review, Reviewed
from advisor.errors import InputError
from advisor.games.game import Position
from advisor.library import arguments
from advisor.settings import grading
from aspcircuits.stopping import Stop


def review(
    game: Position,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    engine: str | None = None,
    weights: str | os.PathLike[str] | None = None,
    grades: str | os.PathLike[str] | None = None,
    title: str = "",
    stop: Stop | None = None,
    on_move: Callable[[Reviewed], None] | None = None,
) -> Review:
    """Every move of a game graded by what it gave away, with reasons and refutations.

    >>> found = advisor.review(advisor.position("4453"))
    >>> worst = max(found.moves, key=lambda move: move.mark.drop)
    >>> worst.ply, worst.name, worst.mark.grade
    (3, '5', 'blunder')
    >>> worst.before.svg()[:4]
    '<svg'

    Args:
        game: a position with the moves that led there.
        depth: plies to look ahead where exact scores do not decide; by default the game's own.
        seconds: for the whole game. Moves that they are not enough for are not graded, but for the
            last one of the game; no grade depends on them. By default as long as it takes.
        engine: the program whose values grade the moves, as for `suggest`; by default it looks 12
            plies ahead for each. If it fails amid the game there is the review until then, with
            why it `failed`.
        weights: as for `suggest`.
        grades: thresholds for the grades (YAML), in place of some of the usual ones.
        title: what the review calls the game; by default its text.
        stop: once it is set there is the review of the moves that are done, the last of the game.
        on_move: told of every move as it is done, the last one first.

    Raises:
        InputError: no moves to review, or a depth of 0; an engine that fails from the beginning.
        ConfigError, EncodingError: thresholds, weights or encodings that cannot be used.
        KeyboardInterrupt: somebody set `stop` before a move was done.
    """
    arguments.position(game)
    if not game.played:
        raise InputError("no moves to review (give a game by its moves)")
    if depth == 0:
        raise InputError("a review looks ahead (use a depth of 1 or more)")
    thresholds = grading.load(None if grades is None else arguments.path("grades", grades))
    stop = arguments.stop(stop)
    limit = arguments.limit(depth, seconds)
    weighed = game.game
    if weights is not None:
        weighed = weighed.weighed(arguments.path("weights", weights), None)
    start, moves = weighed.see(next(iter(game.positions))), game.path
    program = arguments.engine(engine, weighed)
    if program is not None:
        from advisor.advice import engine_review  # which most reviews do without

        asked = program, thresholds, stop, limit.depth, limit.seconds
        graded = engine_review.review(start, moves, *asked)
    else:
        own = weighed.settings.depth
        usual = None if own is None else max(own, 1)
        asked_us = thresholds, stop, limit.depth, limit.seconds, usual
        graded = looking_back.review(start, moves, *asked_us)
    found: list[Reviewed] = []
    failed = ""
    try:
        for move in graded:
            found.append(move)
            if on_move is not None:
                on_move(move)
    except KeyboardInterrupt:
        if not found or not stop.interrupted:
            raise
    except InputError as error:
        if not found:
            raise
        failed = str(error)
    in_order = tuple(sorted(found, key=lambda move: move.ply))
    ended = game.status if game.over else "not finished"
    return Review(title or game.text, start.phrasing.players, len(moves), in_order, ended, failed)


def logit_scale(game: str) -> float:
    """How many units of a game's weights make up a logit of the expected result, as grades take it.

    >>> advisor.logit_scale("chess")
    272.0
    """
    return grading.load().scale_of(game)
