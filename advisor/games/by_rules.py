"""What a game can do for an advice that has its rules and nothing more."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from advisor.asp.clingo_api import Term
from advisor.engine.search import WIN
from advisor.games.bounds import Bounds
from advisor.games.by_notation import ByNotation
from advisor.games.playing import Playing
from advisor.games.score import Score
from advisor.games.solving import Result, solve
from advisor.limits import Stop

_OPEN = Bounds(-WIN, WIN)


@dataclass(frozen=True, slots=True)
class Searched:
    """See `advisor.games.abilities.Known`."""

    moves: Mapping[Term, Bounds]
    seconds: float

    @property
    def proved(self) -> bool:
        """See `advisor.games.abilities.Known`."""
        return all(known.score is not None for known in self.moves.values())


class RuleAbilities:
    """See `advisor.games.abilities.Abilities`; an exact score counts the plies to the end."""

    def __init__(self, playing: Playing) -> None:
        self.position = playing
        self.phrasing = ByNotation(playing)

    def at_sight(self, move: Term) -> Bounds:
        """Nothing is."""
        return _OPEN

    def points(self, score: Score) -> int | None:
        """By the plies; what takes at most so many may take fewer."""
        if score.kind == "draw":
            return 0
        if score.plies is None or score.within:
            return None
        return WIN - score.plies if score.kind == "win" else score.plies - WIN

    def forced(self, bounds: Bounds) -> Score | None:
        """With the plies, where they are known."""
        if bounds.outcome is None:
            return None
        if not bounds.score:
            return Score(bounds.outcome, proved=True)
        plies = WIN - abs(bounds.score)
        moves = (plies + 1) // 2 if self.position.game.alternates else None
        return Score(bounds.outcome, moves, proved=True, plies=plies)

    def certain(
        self, stop: Stop, on_progress: Callable[[Searched], None], jobs: int = 1
    ) -> Searched:
        """By a search of every move to the end of the game."""
        found = solve(self.position, True, jobs, stop)
        results = found.moves or {}
        bounds = {move: _bounds(results[name]) for move, name in self.position.names.items()}
        return Searched(bounds, found.seconds)


def _bounds(result: Result) -> Bounds:
    if result.outcome is None:
        return _OPEN
    if result.plies is None:
        return Bounds(0, 0)
    score = (WIN - result.plies) * (1 if result.outcome == "win" else -1)
    return Bounds(score, score)
