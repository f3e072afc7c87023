"""Advice on a position of any game, and its reasons."""

import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, overload

from advisor.advice.advice import Advice
from advisor.advice.advise import Advisor
from advisor.engine.search import Result
from advisor.errors import InputError
from advisor.games.connect4.board import Position as Bitboards
from advisor.library import arguments
from advisor.library.positions import Board
from advisor.limits import Stop
from advisor.settings import reading
from advisor.settings.config import DEFAULT

if TYPE_CHECKING:
    from advisor.games.connect4.plans.proof import PlanProof
    from advisor.games.connect4.victor.plan import Proof
    from advisor.library.games import State


@overload
def suggest(
    position: Board,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    weights: str | os.PathLike[str] = DEFAULT,
    book: bool | None = None,
    traced: bool = True,
    at_once: bool = False,
    jobs: int = 1,
    stop: Stop | None = None,
    on_iteration: Callable[[Result], None] | None = None,
) -> Advice: ...


@overload
def suggest(
    position: "State",
    *,
    depth: int | None = None,
    seconds: float | None = None,
    traced: bool = True,
    seed: int | None = 1,
    jobs: int = 1,
    stop: Stop | None = None,
) -> Advice: ...


def suggest(
    position: "Board | State",
    *,
    depth: int | None = None,
    seconds: float | None = None,
    weights: str | os.PathLike[str] = DEFAULT,
    book: bool | None = None,
    traced: bool = True,
    at_once: bool = False,
    seed: int | None = 1,
    jobs: int = 1,
    stop: Stop | None = None,
    on_iteration: Callable[[Result], None] | None = None,
) -> Advice:
    """What to play, and what every move is worth to the player to move.

    >>> a = advisor.suggest(advisor.position("363224242233"), depth=4)
    >>> a.best, a.score.kind
    ((4,), 'heuristic')
    >>> a.scores[5].kind, a.scores[5].moves
    ('loss', 2)
    >>> t = advisor.position("a1 b2 a2 c3", game="tictactoe")
    >>> advisor.suggest(t, depth=9).best
    ('a3',)

    Args:
        position: of any game; a finished one has its result alone.
        depth: plies to look ahead; 0 asks for the answer set of the position alone. By default
            that of the weights.
        seconds: look as deep as this time allows, or no longer than this to the depth given.
        weights: a preset or a weights file (Connect Four; other games have theirs from
            `load_game`).
        book: keep to the opening books, the advisor's and that of the extra ``exact``, and to the
            solution of the board; by default unless the weights are your own.
        traced: find out where each score comes from, which `explain` tells; quicker without.
        at_once: do not look ahead where a solution of the board wins (Connect Four); the advice
            then has other moves only where the opening book knows them.
        seed: of random games, where a game has no weights; None for others each time.
        jobs: threads that share the work, where there is machine code; the answer is the same,
            but for random games, which threads put into one tree as they come.
        stop: whoever sets it, from another thread, gets what is known by then.
        on_iteration: told of every completed depth (Connect Four).

    Raises:
        ConfigError, EncodingError: weights or encodings that cannot be used.
        InputError: what does not go with such a position, or a depth, a time, jobs, a seed or
            weights that are none.
        KeyboardInterrupt: `stop` was set before anything was known.
    """
    arguments.position(position)
    limit = arguments.limit(depth, seconds)
    jobs = arguments.jobs(jobs)
    if isinstance(position, Board):
        return advisor_by(weights, book).advise(
            position.bitboards,
            limit,
            traced=traced,
            at_once=at_once,
            jobs=jobs,
            stop=stop,
            on_iteration=on_iteration,
        )
    if weights != DEFAULT or book is not None or at_once or on_iteration is not None:
        raise InputError(
            "weights, book, at_once, on_iteration are for Connect Four (see load_game)"
        )
    import numpy as np

    from advisor.advice.any_game import advise
    from advisor.library.games import served

    seed = None if seed is None else arguments.whole("seed", seed, 0, 2**64 - 1)
    limit = limit.otherwise(position.game.settings.depth)
    with served(position.game.circuits, stop):
        return advise(position.playing, limit, np.random.default_rng(seed), stop, traced, jobs)


def explain(said: "Advice | Proof | PlanProof | None") -> list[str]:
    """Advice in paragraphs, a proof line by line, for people.

    >>> p = advisor.position("443355")
    >>> advisor.explain(advisor.suggest(p, depth=4))[0]
    'Column 2 wins at once: red completes a line on b1-e1.'

    Args:
        said: with `traced`, if reasons are to be told; of a finished game there are none. None is
            what `prove` gives where it has found nothing.

    Raises:
        InputError: neither advice nor a proof.
    """
    if isinstance(said, Advice):
        from advisor.advice import explain

        with _served(said):
            return explain.explain(said) if said.chosen else []
    from advisor.games.connect4.plans import proof_text as plan_text
    from advisor.games.connect4.plans.proof import PlanProof
    from advisor.games.connect4.victor import proof_text
    from advisor.games.connect4.victor.plan import Proof

    if isinstance(said, PlanProof):
        return plan_text.report(said)
    if said is None or isinstance(said, Proof):
        return proof_text.report(said, None)
    raise InputError(f"a {type(said).__name__} is neither advice nor a proof")


def _served(said: Advice) -> AbstractContextManager[None]:
    """What asks the rules of a game, one thread at a time."""
    if isinstance(said.position, Bitboards):
        return nullcontext()
    from advisor.library.games import served

    return served(said.position.game)


def advisor_by(weights: str | os.PathLike[str] = DEFAULT, book: bool | None = None) -> Advisor:
    """Who advises by some weights.

    By a preset it is the same one in a thread each time, with what it has compiled and proved. A
    file is read anew: it may have changed.

    Raises:
        ConfigError, EncodingError: see `suggest`.
    """
    source = arguments.path("weights", weights)
    known = (source, book)
    if known not in _kept.advisors:
        settings = reading.load(source)
        made = Advisor(settings if book is None else replace(settings, book=book))
        if source not in reading.presets():
            return made
        _kept.advisors[known] = made
    return _kept.advisors[known]


class _Kept(threading.local):
    """Those by presets; what they have compiled is for one thread at a time."""

    def __init__(self) -> None:
        self.advisors: dict[tuple[str, bool | None], Advisor] = {}


_kept = _Kept()
