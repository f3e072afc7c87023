"""Exact results by a game's rules: who wins, and how soon, whatever the other side does.

The look-ahead of `advisor.engine.search` goes deeper until no guess is left in it. What it finds is
then certain, whatever features the game has: they only say which moves it tries first.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.engine.row_search import RowEvaluator
from advisor.engine.search import FORCED, WIN, search
from advisor.games.playing import Playing
from advisor.games.score import Score
from advisor.limits import Stop


@dataclass(frozen=True, slots=True)
class Solved:
    """What is proved about a position.

    Attributes:
        result: of the position, for the side to move; heuristic if it is not proved. Its plies are
            the winner's shortest way against the longest defence.
        line: best play from there on, as people write moves, as far as it decides the result.
        moves: the same of every move, as people write them; None if that was not asked for.
        nodes: positions looked at.
        seconds: what it took.
    """

    result: Score
    line: tuple[str, ...]
    moves: Mapping[str, Score] | None
    nodes: int
    seconds: float

    @property
    def outcome(self) -> str | None:
        """The outcome for the side to move, None if it is not proved."""
        return self.result.outcome

    @property
    def proved(self) -> bool:
        """Whether every result asked for is proved."""
        return all(each.outcome for each in (self.result, *(self.moves or {}).values()))

    def to_json(self) -> dict[str, Any]:
        """As the ``--json`` outputs give it."""
        said = {
            **_json(self.result),
            "line": list(self.line),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }
        if self.moves is not None:
            said["moves"] = {move: _json(each) for move, each in self.moves.items()}
        return said


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
        return Solved(
            Score(playing.ended, plies=None if playing.winner is None else 0), (), None, 0, 0.0
        )
    stop = stop or Stop()
    position, evaluator = playing.position, RowEvaluator(playing.game)
    results: dict[int, Score] = {}
    left, first, nodes, seconds = None, None, 0, 0.0
    # A search ends when the best of its moves is certain; the others are asked about in turn.
    while True:
        found = search(position, evaluator, stop=stop, moves=left, every_move=every_move, jobs=jobs)
        first = first or found
        results |= {m: _result(score, found.exhaustive) for m, score in found.scores.items()}
        nodes, seconds = nodes + found.nodes + found.leaves, seconds + found.seconds
        result = _result(first.value, first.exhaustive)
        line = playing.moves_of(first.variation) if result.outcome else ()
        moves = {playing.names[playing.name(move)]: each for move, each in results.items()}
        told = tuple(playing.told(line))
        solved = Solved(result, told, moves if every_move else None, nodes, seconds)
        left = [move for move, result in results.items() if result.outcome is None]
        if not (every_move and left) or stop.is_set():
            return solved
        if on_progress is not None:
            on_progress(solved)


def _result(value: int, exhaustive: bool) -> Score:
    if abs(value) >= FORCED:
        return Score("win" if value > 0 else "loss", plies=WIN - abs(value))
    return Score("draw" if exhaustive else "heuristic")


def _json(result: Score) -> dict[str, Any]:
    plies = {} if result.plies is None else {"plies": result.plies}
    return {"outcome": result.outcome, **plies}
