"""The best move alone: for games against the clock, where scores of the others only cost time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.advice.facade import firings
from advisor.asp.clingo_api import Term
from advisor.engine.row_search import RowEvaluator
from advisor.engine.search import FORCED, WIN, Result, search
from advisor.games.by_rules import RuleAbilities
from advisor.games.lines import seen
from advisor.games.playing import Playing
from advisor.limits import Limit, Stop


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and what it leads to, for the side to move.

    Attributes:
        line: the move and the expected play after it, as far as it is known.
        plies: until the game is won or lost, None if that is not certain.
        value: in weight units; if the result is certain it says who wins, by its sign.
        depth: plies that were looked ahead.
        nodes, seconds: what it took.
    """

    line: tuple[Term, ...]
    plies: int | None
    value: int
    depth: int
    nodes: int
    seconds: float


def choose(
    playing: Playing,
    limit: Limit,
    stop: Stop | None = None,
    on_iteration: Callable[[Choice], None] | None = None,
    moves: Sequence[Term] = (),
    nodes: int | None = None,
    full_width: bool = False,
) -> Choice:
    """What to play in a state whose game goes on, by the look-ahead and the strategies.

    Args:
        playing: the state; that it has stood too often before does not matter.
        limit: of depth, at least 1, and time.
        stop: ends the thinking with what is known by then, which is at least one ply.
        on_iteration: is told what is found, each time that it has looked deeper.
        moves: those to choose from; none for all.
        nodes: the thinking ends with about so many, too.
        full_width: even where the settings want a selective look-ahead.
    """
    stop = (stop or Stop()).within(limit.seconds)
    game, position = playing.game, playing.position
    evaluator = RowEvaluator(game, selective=game.selective and not full_width)
    if nodes is not None:
        stop = _Budget(stop, evaluator, nodes)
    totals = {
        move: sum(f.weight for f in found)
        for move, found in firings(RuleAbilities(playing)).items()
    }

    def told(result: Result) -> None:
        if on_iteration is not None:
            on_iteration(_choice(playing, result))

    found = search(
        position,
        evaluator,
        depth=limit.depth,
        stop=stop,
        moves=[move for move in position.moves() if playing.name(move) in moves] or None,
        bonus={move: totals[playing.name(move)] for move in position.moves()},
        on_iteration=told,
    )
    return _choice(playing, found)


class _Budget(Stop):
    """A stop that is set as well once so many states have been scored."""

    def __init__(self, stop: Stop, evaluator: RowEvaluator, nodes: int) -> None:
        super().__init__()
        self._stop, self._evaluator, self._nodes = stop, evaluator, nodes

    def is_set(self) -> bool:
        return self._evaluator.leaves >= self._nodes or self._stop.is_set()


def _choice(playing: Playing, found: Result) -> Choice:
    line = seen(playing.game, playing.position, found.variation)
    plies = WIN - abs(found.value) if abs(found.value) >= FORCED else None
    return Choice(line, plies, found.value, found.depth, found.nodes + found.leaves, found.seconds)
