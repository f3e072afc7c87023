"""Exact results by a game's rules: who wins, and how soon, whatever the other side does.

The look-ahead of `advisor.engine.search` goes deeper until no guess is left in it. What it finds is
then certain, whatever features the game has: they only say which moves it tries first.
"""

from collections.abc import Callable
from dataclasses import replace

from advisor.engine.row_search import RowEvaluator
from advisor.engine.search import FORCED, WIN, search
from advisor.games.bounds import Bounds, Solved
from advisor.games.playing import Playing
from advisor.limits import Stop


def solve(
    playing: Playing,
    every_move: bool = False,
    jobs: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[Solved], None] | None = None,
) -> Solved:
    """The exact result of a state.

    Args:
        playing: the state; of a finished game the result as it stands.
        every_move: find the result of each move too, which takes longer.
        jobs: see `advisor.engine.search.search`.
        stop: whoever sets it gets what is proved by then.
        on_progress: called with what is proved so far, if that is not all.
    """
    if playing.over:
        winner = playing.winner
        score = 0 if winner is None else WIN if winner == playing.turn else -WIN
        return Solved("search", Bounds(score, score))
    stop = stop or Stop()
    position, evaluator = playing.position, RowEvaluator(playing.game)
    found = first = search(position, evaluator, stop=stop, every_move=every_move, jobs=jobs)
    results = {move: _bounds(score, found.exhaustive) for move, score in found.scores.items()}
    nodes, seconds = found.nodes + found.leaves, found.seconds

    def solved() -> Solved:
        result, names = _bounds(first.value, first.exhaustive), playing.names
        line = playing.moves_of(first.variation) if result.outcome else ()
        moves = {names[playing.name(move)]: known for move, known in results.items()}
        whole = replace(result, nodes=nodes, seconds=seconds)
        return Solved("search", whole, moves if every_move else None, tuple(playing.told(line)))

    # A search ends when the best of its moves is certain; the others are asked about in turn.
    while every_move and not stop.is_set():
        left = [move for move, known in results.items() if known.outcome is None]
        if not left:
            break
        if on_progress is not None:
            on_progress(solved())
        found = search(position, evaluator, stop=stop, moves=left, every_move=True, jobs=jobs)
        results |= {m: _bounds(score, found.exhaustive) for m, score in found.scores.items()}
        nodes, seconds = nodes + found.nodes + found.leaves, seconds + found.seconds
    return solved()


def _bounds(value: int, exhaustive: bool) -> Bounds:
    """What a value of the search proves; a guess proves nothing."""
    if abs(value) >= FORCED:
        return Bounds(value, value)
    return Bounds(0, 0) if exhaustive else Bounds(-WIN, WIN)
