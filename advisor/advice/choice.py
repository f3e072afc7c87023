"""Chooses a move at any level, with its consequences but without reasons.

This serves games and protocols.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp

from advisor.advice.advice import Advice, Move
from advisor.advice.verdict import OPEN, seen_rank
from advisor.engine.search import FORCED, WIN, Result, search
from advisor.games.abilities import Abilities
from advisor.games.bounds import undominated_moves
from advisor.games.score import Score
from advisor.limits import LEVELS, Limit
from advisor.settings import chances
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

_STRICT = 1.25
"""Above 1, so the share grows faster at high levels, where the work alone matters less."""

_UNKNOWN = OPEN, 0
"""The rank of a move whose result is too far away for a level to see."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and its consequences, for the side to move.

    Attributes:
        line: the move and the expected play after it, if requested and known.
        plies: until the game is won or lost, None if that is not certain.
        value: in weight units; for a certain result, its sign says who wins.
        depth: plies looked ahead; 0 if something else decided.
        nodes: positions searched.
        seconds: time taken.
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
    """Choose a move, several times faster than `facade.advise`.

    The game's certain knowledge comes first, then the look-ahead and the strategies.

    Args:
        game: a position whose game goes on; earlier repetitions of it do not matter.
        limit: of depth and time; a depth of 0 asks the strategies alone.
        stop: ends the thinking with what is known by then, which is at least one ply.
        on_iteration: called with the choice after every depth.
        moves: those to choose from; none for all.
        nodes: most positions to search.
        followed: the expected play is wanted, which takes a little longer.

    Raises:
        ConfigError, EncodingError: the settings' encodings cannot be used.
    """
    heard = stop or Stop()
    root, legal = game.root(), game.legal()
    numbers = [number for number in root.moves() if not moves or legal[number] in moves]
    if limit.depth == 0 or game.dead:
        return Choice((max((legal[n] for n in numbers), key=game.totals(heard).__getitem__),))
    in_time = heard.with_limit(limit.seconds)
    good = undominated_moves(game.book() or game.near_end(limit, in_time))
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
    line = game.moves_of_line(found.variation if followed else found.best[:1])
    plies = WIN - abs(found.value) if abs(found.value) >= FORCED else None
    return Choice(line, plies, found.value, found.depth, found.nodes + found.leaves, found.seconds)


def is_weak(level: int | None) -> bool:
    """Return whether a level is below full strength (None); weak levels use no book."""
    return level is not None and level < LEVELS[-1]


def near_best(advice: Advice, level: int) -> list[Term]:
    """Return the moves among which a player of this level chooses at random.

    At full strength these are the best moves. A weaker player uses only the look-ahead and the
    random games, no proofs, and only forced results within `level` + 1 plies. It plays a visible
    win as fast as it can, and no visibly losing move while there is another. So every level takes a
    win in one and blocks one.

    The remaining moves qualify if their promise (`_promises`) is a large enough share of the best
    one's. At level 1 any share is enough, so moves are otherwise random; it grows with every level.
    """
    if not (is_weak(level) and advice.moves):
        return [move.move for move in advice.moves if move.move in advice.chosen]
    within = level + 1
    seen = {
        m.move: seen_rank(m) if plies_to_end(m.score) <= within else _UNKNOWN for m in advice.moves
    }
    top = max(rank[0] for rank in seen.values())
    left = [move for move in advice.moves if seen[move.move][0] == top]
    if top != OPEN:
        best = max(seen.values())
        return [move.move for move in left if seen[move.move] == best]
    least = ((level - LEVELS[0]) / (LEVELS[-1] - LEVELS[0])) ** _STRICT
    promises = _promises(advice, left)
    least *= max(promises.values())  # 0 if all moves lose, too late for the level to see
    return [move for move, promise in promises.items() if promise >= least]


def plies_to_end(score: Score) -> int:
    """Return the plies to the end in a score; 0 for a guess or a draw."""
    if score.plies is not None or score.moves is None:
        return score.plies or 0
    return 2 * score.moves - (score.kind == "win")


def _promises(advice: Advice, moves: Sequence[Move]) -> dict[Term, float]:
    """Return how much each move promises beside the best of them, from 0 to 1.

    In random games this is the share of games that began with it, since a better move is tried more
    often; with values, the odds of a win. A win that is too far away to be seen promises as much as
    the best move, a loss nothing.
    """
    forced = {"win": 1.0, "loss": 0.0}
    guesses = [move for move in moves if move.score.kind not in forced or move.ahead is not None]
    promises = {move.move: forced.get(move.score.kind, 0.0) for move in moves}
    if most := max((move.playouts for move in guesses), default=0):
        return promises | {move.move: move.playouts / most for move in guesses}
    best = max((move.value or 0 for move in guesses), default=0)
    game = advice.phrasing.game
    less = {move.move: (move.value or 0) - best for move in guesses}
    odds = {move: exp(chances.logit_of_value(game, value)) for move, value in less.items()}
    return promises | odds
