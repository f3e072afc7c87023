"""Review of a game of any kind."""

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
    """Grade every move of a game by what it gave away, with reasons and refutations.

    >>> found = advisor.review(advisor.position("4453"))
    >>> worst = max(found.moves, key=lambda move: move.mark.drop)
    >>> worst.ply, worst.name, worst.mark.grade
    (3, '5', 'blunder')
    >>> worst.before.svg()[:4]
    '<svg'

    Args:
        game: a position with the moves that led there.
        depth: plies to look ahead if exact scores do not decide; by default the game's own.
        seconds: for the whole game. If time runs out, the remaining moves are not graded; the last
            move of the game always is. No grade depends on the time. By default there is no limit.
        engine: the program whose values grade the moves, as for `suggest`; by default it looks 12
            plies ahead for each. If it fails during the review, the result contains the moves until
            then, and `failed` says why.
        weights: as for `suggest`.
        grades: thresholds for the grades (YAML), which replace some of the usual ones.
        title: the game's name in the review; by default its text.
        stop: when set, the review ends with the moves graded by then, the last ones of the game.
        on_move: called with every graded move, the last one first.

    Raises:
        InputError: no moves to review, or a depth of 0; an engine that fails from the beginning.
        ConfigError, EncodingError: thresholds, weights or encodings that cannot be used.
        KeyboardInterrupt: `stop` was set before a move was graded.
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
        weighed = weighed.with_weights(arguments.path("weights", weights), None)
    start, moves = weighed.see(next(iter(game.positions))), game.path
    program = arguments.engine(engine, weighed)
    if program is not None:
        from advisor.advice import engine_review  # most reviews do without it

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
        if not found or not stop.is_interrupted:
            raise
    except InputError as error:
        if not found:
            raise
        failed = str(error)
    in_order = tuple(sorted(found, key=lambda move: move.ply))
    ended = game.status if game.over else "not finished"
    return Review(title or game.text, start.phrasing.players, len(moves), in_order, ended, failed)


def logit_scale(game: str) -> float:
    """Return the units of a game's weights per logit of the expected result, as in grades.

    >>> advisor.logit_scale("chess")
    272.0
    """
    return grading.load().scale_of(game)
