"""What to play, at any level, and what it leads to, without reasons: for games and protocols."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.advice.advice import Advice
from advisor.advice.verdict import OPEN, seen_rank
from advisor.asp.clingo_api import Term
from advisor.engine.search import FORCED, WIN, Result, search
from advisor.games.abilities import Abilities
from advisor.games.bounds import undominated
from advisor.limits import FULL_STRENGTH, Limit, Stop

_TOLERANCE = 0.05
"""For each level below, this share of the way from the best to the worst move is near enough."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and what it leads to, for the side to move.

    Attributes:
        line: the move and the expected play after it, as far as it was asked for and is known.
        plies: until the game is won or lost, None if that is not certain.
        value: in weight units; if the result is certain it says who wins, by its sign.
        depth: plies that were looked ahead; 0 if something else decided.
    """

    line: tuple[Term, ...]
    plies: int | None = None
    value: int = 0
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0

    @property
    def move(self) -> Term:
        return self.line[0]


def choose(
    game: Abilities,
    limit: Limit,
    stop: Stop | None = None,
    on_iteration: Callable[[Choice], None] | None = None,
    moves: Sequence[Term] = (),
    nodes: int | None = None,
    followed: bool = True,
) -> Choice:
    """What to play, several times faster than `facade.advise` says it.

    What the game knows for certain comes first, then the look-ahead and the strategies.

    Args:
        game: a position whose game goes on; that it has stood too often before does not matter.
        limit: of depth and time; a depth of 0 asks the strategies alone.
        stop: ends the thinking with what is known by then, which is at least one ply.
        on_iteration: is told what is found, each time that it has looked deeper.
        moves: those to choose from; none for all.
        followed: the expected play is wanted, which takes a little longer.

    Raises:
        ConfigError, EncodingError: the settings' encodings cannot be used.
    """
    heard = stop or Stop()
    root, legal = game.root(), game.legal()
    numbers = [number for number in root.moves() if not moves or legal[number] in moves]
    if limit.depth == 0 or game.dead:
        return Choice((max((legal[n] for n in numbers), key=game.totals(heard).__getitem__),))
    in_time = heard.within(limit.seconds)
    good = undominated(game.book() or game.near_end(limit, in_time))
    if len(good) == 1 and not moves:
        return Choice((good[0],))
    evaluator = game.evaluator(heard)

    def bonus() -> dict[int, int]:
        totals = game.totals(heard)
        return {number: totals[legal[number]] for number in numbers}

    found = search(
        root,
        evaluator,
        depth=limit.depth,
        stop=in_time,
        moves=[n for n in numbers if legal[n] in good] or numbers,
        bonus=bonus,
        follow="best" if followed else None,
        nodes=nodes,
        go_on=limit.seconds is not None,  # another time it would look further or less far anyway
        on_iteration=on_iteration and (lambda r: on_iteration(_choice(game, r, followed))),
    )
    chosen = _choice(game, found, followed)
    plan = game.plan() if found.value < FORCED and not moves else None
    return Choice((plan.move,)) if plan and (not good or plan.move in good) else chosen


def _choice(game: Abilities, found: Result, followed: bool) -> Choice:
    line = game.told(found.variation if followed else found.best[:1])
    plies = WIN - abs(found.value) if abs(found.value) >= FORCED else None
    return Choice(line, plies, found.value, found.depth, found.nodes + found.leaves, found.seconds)


def is_weak(level: int | None) -> bool:
    """Whether a level is below full strength, which None is; such a level knows no book."""
    return level is not None and level < FULL_STRENGTH


def near_best(advice: Advice, level: int) -> list[Term]:
    """The moves that a player of this level holds for good enough.

    Below full strength only what the look-ahead has seen counts, nothing that is proved besides. A
    win that is seen is played as fast as it can be, and no move that is seen to lose is among them
    while another is there. So no level misses a win in one, nor does it let the opponent have one,
    unless its encodings foresee nothing and it looks but one ply ahead.
    """
    if not (is_weak(level) and advice.moves):
        return [move.move for move in advice.moves if move.move in advice.chosen]
    seen = {move.move: seen_rank(move) for move in advice.moves}
    top = max(seen.values())
    if top[0] != OPEN:
        return [move for move, rank in seen.items() if rank == top]
    values: dict[Term, float] = {m: value for m, (kind, value) in seen.items() if kind == OPEN}
    if all(advice.move(move).value is None for move in values):  # random games alone guess
        means = {move: advice.move(move).mean for move in values}
        values = {move: mean for move, mean in means.items() if mean is not None} or values
    best = max(values.values())
    margin = (best - min(values.values())) * _TOLERANCE * (FULL_STRENGTH - level)
    return [move for move, value in values.items() if value >= best - margin]
