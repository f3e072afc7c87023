"""Advice for any game that is given by its rules.

A look-ahead finds what is certain; what it leaves open is decided by the game's features and
strategies, if it has weights for any, and where it has no features by random games: in a tree
where there is compiled code for that or their number is given, otherwise after each of its moves.
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from advisor.advice.advice import Advice, Expected, Firing, Move, in_order
from advisor.advice.trace import trace
from advisor.asp.clingo_api import Term, render
from advisor.engine.playouts import try_moves
from advisor.engine.row_search import RowEvaluator
from advisor.engine.search import FORCED, WIN, Result, search
from advisor.engine.uct import Branch, Grower, Search, think
from advisor.errors import InputError
from advisor.games.by_rules import RuleAbilities
from advisor.games.lines import features, own_moves, seen, settled
from advisor.games.playing import Playing
from advisor.games.score import Score
from advisor.limits import Limit, Stop

DEFAULT = Limit(seconds=1.0)
"""How long a move may take, unless told otherwise."""

_PLAYOUTS, _EACH = 2048, 16
"""Random games where a depth is given, and how many more for each move."""

_LOOKING, _BEFORE_TREES = 0.3, 0.1
"""The look-ahead's part of the time, before random games and before a tree of them."""

_LONG = 1.0
"""Seconds that a tree may take NumPy where no time is given."""


def advise(
    playing: Playing,
    limit: Limit,
    rng: np.random.Generator,
    stop: Stop | None = None,
    traced: bool = False,
    jobs: int = 1,
    asked: Term | None = None,
    go_on: bool = False,
) -> Advice:
    """What to play in a state; of a finished game there is nothing to say.

    Args:
        playing: the state.
        limit: of depth and time; `DEFAULT` if it has none. A depth of 0 asks the strategies alone;
            any other one is a few plies more where the game says ``deeper/1``. Random games go on
            as long as there is time; where a depth is given, it is a fixed number of them that
            time may cut short.
        rng: what is random.
        stop: ends the thinking with what is known by then.
        traced: tell of each heuristic value where it comes from.
        jobs: threads, see `advisor.engine.search.search`; they share a tree of random games, which
            is another one each time, too.
        asked: a move to be looked at as much as the best one.
        go_on: a tree of random games keeps what earlier questions about the game have put there.

    Raises:
        InputError: a depth of 0 in a game without strategies.
    """
    started = time.monotonic()
    limit = DEFAULT if limit == Limit() else limit
    stop = (stop or Stop()).within(limit.seconds)
    game = playing.game
    if playing.over:
        return _told(playing, (), 0.0)
    fires = firings(playing)
    if limit.depth == 0:
        if not game.strategies:
            raise InputError("--depth 0 asks strategies, and this game has none (use 1 or more)")
        moves = [Move(move, Score("heuristic", value=0), fires[move]) for move in playing.legal]
        moves = [replace(m, score=Score("heuristic", value=m.total)) for m in moves]
        ranked = sorted(moves, key=lambda move: -move.total)
        return _told(playing, ranked, time.monotonic() - started)
    looking, grower = stop, None
    if not game.weights:
        grower = game.tree.grower(_LONG if limit.seconds is None else limit.seconds)
        if limit.seconds is not None:
            looking = stop.within((_BEFORE_TREES if grower else _LOOKING) * limit.seconds)
    evaluator = RowEvaluator(game)
    deeper = 0 if limit.depth is None else game.deeper(playing.row)
    position = playing.position
    found = search(
        position,
        evaluator,
        depth=None if limit.depth is None else limit.depth + deeper,
        stop=looking,
        every_move=True,
        bonus={
            number: sum(firing.weight for firing in fires[playing.name(number)])
            for number in position.moves()
        },
        follow=None if game.alternates and not traced else "all",
        jobs=jobs,
    )
    known = {
        number: _seen(playing, found, number, fires[playing.name(number)], traced)
        for number in found.scores
    }
    guessed = [number for number, move in known.items() if move.score.kind == "heuristic"]
    won = any(move.score.kind == "win" for move in known.values())
    untried, machine_code = 0, found.machine_code
    number = next((move for move in guessed if playing.name(move) == asked), None)
    # Beside a move that is asked about, one guess may be the only move that does not lose.
    undecided = not won and len(guessed) > (1 if asked is None else 0)
    if not game.weights and (undecided or number is not None):
        if grower or limit.depth is not None:
            machine_code = grower is not None
            rule = Search(
                seed=int(rng.integers(-(1 << 63), 1 << 63)),
                games=None if limit.depth is None else _PLAYOUTS + _EACH * len(known),
                stop=stop,
                asked=number,
                proves=game.rules.repetition is None,
                jobs=jobs,
            )
            _grow(playing, known, grower, rule, found.depth, go_on)
        else:
            machine_code = game.tree.player() is not None
            _try(playing, known, guessed, number, rng, stop)
        untried = sum(known[move].mean is None for move in guessed)
    ranked = sorted(known.values(), key=rank, reverse=True)
    told = _told(playing, ranked, time.monotonic() - started)
    line = seen(game, position, found.variation)
    return replace(
        told,
        variation=_variation(ranked[0], line),
        depth=found.depth,
        nodes=found.nodes,
        leaves=found.leaves,
        machine_code=machine_code,
        deeper=0 if limit.depth is None else max(0, found.depth - limit.depth),
        added=evaluator.added,
        untried=untried,
    )


def _told(playing: Playing, moves: Sequence[Move], seconds: float) -> Advice:
    """The advice as far as nobody has looked ahead; of a finished game its result."""
    first = moves[0].score if moves else Score("draw")
    if not moves and playing.winner is not None:
        first = Score("win" if playing.winner == playing.turn else "loss", moves=0)
    chosen = tuple(move.move for move in moves[:1])
    return Advice(RuleAbilities(playing), chosen, first, tuple(moves), chosen, seconds=seconds)


def _variation(best: Move, line: tuple[Term, ...]) -> tuple[Term, ...]:
    """The play that is expected from the best move on."""
    if best.trace:
        return best.trace.line
    if best.expected:
        return best.expected.line
    return line if line[:1] == (best.move,) else (best.move,)


def rank(move: Move) -> tuple[int, int, int]:
    """The better move has the greater one; random games are not part of it."""
    score = move.score
    if score.kind == "win":
        return 2, -(score.plies or 0), move.total
    if score.kind == "loss":
        return 0, score.plies or 0, move.total
    return 1, score.value or 0, move.total


def _seen(
    playing: Playing, found: Result, number: int, fires: tuple[Firing, ...], traced: bool
) -> Move:
    """A move as the look-ahead sees it."""
    game, value, move = playing.game, found.scores[number], playing.name(number)
    if abs(value) >= FORCED:
        plies = WIN - abs(value)
        own = (plies + 1) // 2
        if not game.alternates:
            own = own_moves(game, playing.position, found.lines[number], value > 0)
        return Move(move, Score("win" if value > 0 else "loss", own, plies=plies), fires)
    if found.exhaustive:
        return Move(move, Score("draw"), fires)
    if not game.weights and not game.strategies:
        return Move(move, Score("heuristic"))
    ahead = value - sum(firing.weight for firing in fires)
    told = Move(move, Score("heuristic", value=value), fires, ahead)
    if not traced:
        return told
    root, line = playing.position, found.lines[number]
    whole = settled(root, line)
    held = features(game, root, whole)
    added = len(whole) - len(line)
    made = seen(game, root, whole)
    return replace(told, trace=trace(made, held, game.weights, playing.turn, added=added))


def _grow(
    playing: Playing,
    known: dict[int, Move],
    grower: Grower | None,
    rule: Search,
    depth: int,
    go_on: bool,
) -> None:
    """Tells moves what a tree of random games says of them, beside a look-ahead so deep."""
    certain = [
        (number, move.score.kind, move.score.plies or 0)
        for number, move in known.items()
        if move.score.kind != "heuristic"
    ]
    for branch in think(playing.game, grower, playing.row, playing.look, rule, certain, go_on):
        # Put in again, so that among equals the one with more games comes first.
        known[branch.move] = _grown(known.pop(branch.move), branch, playing, depth)


def _try(
    playing: Playing,
    known: dict[int, Move],
    guessed: Sequence[int],
    asked: int | None,
    rng: np.random.Generator,
    stop: Stop,
) -> None:
    """Tells moves how random games end that are played after them."""
    numbers = np.array(guessed, np.intp)
    tried = try_moves(playing.game, playing.row, rng, moves=numbers, stop=stop, asked=asked)
    for number, count, mean in zip(tried.moves, tried.playouts, tried.means, strict=True):
        move = known.pop(int(number))
        if count:
            move = replace(move, playouts=int(count), mean=float(mean))
        known[int(number)] = move


def _grown(move: Move, branch: Branch, playing: Playing, depth: int) -> Move:
    """A move with what a tree of random games says of it beside a look-ahead so deep."""
    if move.score.kind == "heuristic" and branch.kind != "heuristic":
        game, own = playing.game, None
        if branch.plies is not None:
            own = (branch.plies + 1) // 2
            if not game.alternates:
                own = own_moves(game, playing.position, branch.line, branch.kind == "win")
        within = branch.plies is not None and branch.plies > depth + 1
        score = Score(branch.kind, own, plies=branch.plies, within=within)
        move = replace(move, score=score, ahead=None)
    if not branch.games:
        return move
    expected = Expected(seen(playing.game, playing.position, branch.line), branch.share)
    return replace(move, playouts=branch.games, mean=branch.mean, expected=expected)


def firings(playing: Playing) -> Mapping[Term, tuple[Firing, ...]]:
    """The strategies that speak for each move; what has no weight of its own does not count."""
    game, exchanged = playing.game, playing.exchanged
    reasons: dict[Term, dict[Term, set[Term]]] = defaultdict(lambda: defaultdict(set))
    for _, strategy, *said in game.says(playing.row) if game.strategies else ():
        move, *why = (game.rules.seen(term, exchanged) for term in said)
        reasons[move][strategy].update(why)
    return {
        move: in_order(
            Firing(render(strategy), game.strategies[strategy], tuple(sorted(why, key=render)))
            for strategy, why in reasons[move].items()
            if game.strategies[strategy]
        )
        for move in playing.legal
    }
