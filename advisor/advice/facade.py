"""The facade: turns a position and its game's abilities into an advice with reasons.

A look-ahead finds forced results. Otherwise the game's features and strategies decide, or random
games if it has no features. Other certain knowledge of the game, and proofs by a search to its end,
overrule these, in `verdict`.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from advisor.advice.advice import Advice, Certain, Held, Move, Trace
from advisor.advice.verdict import Verdict, rank, verdict
from advisor.engine.search import FORCED, Result, search
from advisor.errors import InputError
from advisor.games.abilities import Abilities, End, Firing
from advisor.games.bounds import Bounds, Solved, proved_best
from advisor.games.score import Score
from advisor.limits import NO_LIMIT, Limit
from advisor.settings.config import WeightTable
from aspcircuits.clingo_api import Term, render
from aspcircuits.stopping import Stop

DEFAULT = Limit(seconds=1.0)
"""The default time for a move."""

_AS_SAID = 4
"""Plies up to which a selective look-ahead misses no sooner result.

It sees all immediate wins, so no win is sooner than three plies; but it may miss some wins in three
plies.
"""


def advise(
    game: Abilities,
    limit: Limit = NO_LIMIT,
    rng: np.random.Generator | int | None = None,
    stop: Stop | None = None,
    *,
    traced: bool = False,
    alike: bool = False,
    at_once: bool = False,
    asked: Term | None = None,
    go_on: bool = False,
    jobs: int = 1,
    proved_before: Mapping[Term, Bounds] = MappingProxyType({}),
    on_iteration: Callable[[Advice], None] | None = None,
) -> Advice:
    """Score every move of a position; a finished game gets only its result.

    Args (others: see `advisor.suggest`):
        limit: `NO_LIMIT` means `DEFAULT`. Preparation of a board or a game does not count as time.
            A depth of 0 asks the strategies alone; any other one is extended if the game derives
            ``deeper/1``. Random games go on as long as there is time; with a depth, their number is
            fixed, but time may cut it short.
        rng: the random generator or its seed; None for a new one each time.
        alike: judge all moves by the same means; the solution of a board would favour its own.
        asked: a move to examine as thoroughly as the best one.
        jobs: threads; with a time limit they share a tree of random games, which then differs from
            run to run.
        proved_before: bounds of the exact scores of any moves.

    Raises:
        InputError: a depth of 0 in a game without strategies.
        ConfigError, EncodingError: the settings' encodings cannot be used.
        KeyboardInterrupt: it was stopped before anything was known.
    """
    limit = DEFAULT if limit == NO_LIMIT else limit
    if limit.depth == 0 and not game.strategic:
        raise InputError("`depth`: 0 asks the strategies, and this game has none (use 1 or more)")
    stop = stop or Stop()
    if known_at_once := _without_looking(game, limit, stop, at_once):
        return known_at_once
    evaluator, started = game.evaluator(stop), time.monotonic()
    in_time, fires = stop.with_limit(limit.seconds), _firings(game, stop)
    book, plan = game.book(), None if alike else game.plan()
    proved = _combine_bounds(book or game.near_end(limit, in_time), proved_before)
    looking, guess = limit, None
    if game.by_chance is not None:
        from advisor.advice import random_games  # most positions do without it

        looking, guess = random_games.begin(game, limit, rng, in_time, jobs, asked, go_on)

    def tell_so_far(so_far: Result) -> Advice:
        """Return the advice after one of the depths, without its effort."""
        seen = verdict(game, [*_moves_seen(game, so_far, fires).values()], proved, plan)
        return replace(
            build_advice(game, seen, game.moves_of_line(so_far.variation)), depth=so_far.depth
        )

    found = search(
        game.root(),
        evaluator,
        depth=None if looking.depth is None else looking.depth + game.deeper(),
        stop=in_time.with_limit(looking.seconds),
        every_move=True,
        bonus={n: sum(f.weight for f in fires[move]) for n, move in game.legal().items()},
        follow="all" if traced else game.follow,
        jobs=jobs,
        on_iteration=on_iteration and (lambda so_far: on_iteration(tell_so_far(so_far))),
    )
    known = _moves_seen(game, found, fires)
    machine_code, untried = found.machine_code, 0
    if guess and not proved_best(
        {m: proved.get(m) or game.at_sight(m) for m in game.legal().values()}
    ):
        machine_code, untried = guess(found, known)
    judged = verdict(game, [*known.values()], proved, plan)
    if traced:
        judged = _add_traces(game, found, judged)
    return replace(
        build_advice(game, judged, game.moves_of_line(found.variation)),
        depth=found.depth,
        nodes=found.nodes,
        leaves=found.leaves,
        seconds=time.monotonic() - started,
        machine_code=machine_code,
        interrupted=stop.is_interrupted,
        from_book=bool(book),
        solved=plan,
        deeper=0 if limit.depth is None else max(0, found.depth - limit.depth),
        added=evaluator.added,
        untried=untried,
        selective=found.selective,
    )


def _combine_bounds(
    one: Mapping[Term, Bounds], other: Mapping[Term, Bounds]
) -> Mapping[Term, Bounds]:
    """Combine the bounds of moves from two proofs."""
    both = {move: one[move].intersect(other[move]) for move in one.keys() & other.keys()}
    return {**one, **other, **both}


def build_advice(game: Abilities, judged: Verdict, line: Sequence[Term] = ()) -> Advice:
    """Build the advice on judged moves, with an expected line of play."""
    moves, chosen = judged.moves, judged.best
    first = next(move for move in moves if move.move == chosen[0])
    if game.ranked:
        moves = tuple(sorted(moves, key=rank, reverse=True))
    if first.score.kind == "heuristic" and first.score.value is None:
        chosen = chosen[:1]  # by random games, which never show that two moves are equally good
    if first.trace:
        line = first.trace.line
    elif first.expected:
        line = first.expected.line
    line = tuple(line) if [*line[:1]] == [first.move] else chosen[:1]
    return Advice(game, chosen, first.score, moves, line, elsewhere=game.elsewhere)


def add_exact_results(
    advice: Advice,
    seconds: float,
    stop: Stop,
    jobs: int = 1,
    on_progress: Callable[[Advice], None] = lambda _: None,
) -> Advice:
    """Return the advice with everything that is proved of its moves.

    Args:
        advice: on a game that goes on.
        seconds: for the search.
        stop: ends the search with what is proved by then.
        jobs: number of threads.
        on_progress: called with the advice as its proofs grow.
    """

    def add_proofs(known: Solved) -> Advice:
        found = with_bounds(advice, known.moves or {}, known.position.seconds)
        return replace(found, certain=Certain(advice.game, known))

    known = advice.game.certain(
        stop.with_limit(seconds), lambda known: on_progress(add_proofs(known)), jobs
    )
    return replace(add_proofs(known), interrupted=stop.is_interrupted)


def with_bounds(advice: Advice, proved: Mapping[Term, Bounds], seconds: float = 0.0) -> Advice:
    """Return the advice with everything that is proved about its moves; see `verdict`.

    Args:
        advice: on a game that goes on.
        proved: exact scores of its moves, or their bounds.
        seconds: time that the proofs took.
    """
    judged = verdict(advice.game, advice.moves, proved, advice.solved)
    # A trace would have nothing to say about a proved result.
    moves = tuple(
        m if m.score.kind == "heuristic" else replace(m, trace=None) for m in judged.moves
    )
    found = build_advice(advice.game, replace(judged, moves=moves), advice.variation)
    return replace(
        advice,
        moves=found.moves,
        chosen=found.chosen,
        score=found.score,
        variation=found.variation,
        seconds=advice.seconds + seconds,
    )


def _without_looking(game: Abilities, limit: Limit, stop: Stop, at_once: bool) -> Advice | None:
    """Return the advice if no look-ahead is needed or wanted, otherwise None."""
    if (over := game.result) is not None:
        return Advice(game, (), over)
    started = time.monotonic()
    if at_once and (plan := game.plan()) and not plan.hold:
        # The solution's move, with which the player to move wins, and the book's moves.
        book = game.book()
        moves = [Move(move, plan.won) for move in sorted({plan.move, *book})]
        made = build_advice(game, verdict(game, moves, book, plan))
        made = replace(made, from_book=bool(book), solved=plan)
    elif limit.depth == 0 or game.dead:
        made = by_strategies(game, stop)
    else:
        return None
    return replace(made, seconds=time.monotonic() - started)


def by_strategies(game: Abilities, stop: Stop) -> Advice:
    """Advise by the strategies alone, or by the fact that neither player can win any more."""
    fires = _firings(game, stop)
    moves = [Move(move, Score("draw"), found) for move, found in fires.items()]
    if not game.dead:
        moves = [replace(m, score=Score("heuristic", value=m.total)) for m in moves]
    top = max(move.total for move in moves)
    best = tuple(move.move for move in moves if move.total == top)
    return build_advice(game, Verdict(tuple(moves), best, ()))


def _moves_seen(
    game: Abilities, found: Result, fires: Mapping[Term, tuple[Firing, ...]]
) -> dict[int, Move]:
    """Return the moves as the look-ahead sees them."""
    legal, known = game.legal(), {}
    for number in found.scores if game.ranked else legal:
        move, score = legal[number], _score(game, found, number)
        if found.selective and (score.plies or 0) > _AS_SAID:
            score = replace(score, within=True)
        if score.value is not None:  # the search adds the strategies' weights
            strategic = sum(firing.weight for firing in fires[move])
            score = replace(score, value=score.value - strategic)
        known[number] = Move(move, score, fires[move], score.value)
    return known


def _score(game: Abilities, found: Result, number: int) -> Score:
    value, line = found.scores[number], found.lines.get(number, ())
    if number in found.drawn:
        return game.score_of_value(0, True, line)
    if not (game.supposes_draw and FORCED <= found.value != value):
        return game.score_of_value(value, found.exhaustive, line)
    # Beside a win, a draw need not be one, and another win may come sooner.
    score = game.score_of_value(value, False, line)
    return replace(score, within=True) if score.kind == "win" else score


def _add_traces(game: Abilities, found: Result, judged: Verdict) -> Verdict:
    """Return the verdict with traces of the values that counted."""
    numbers = {move: number for number, move in game.legal().items()}
    counted = [
        move.move
        for move in judged.moves
        if move.ahead is not None
        and (move.score.kind == "heuristic" or move.move in judged.chosen_from)
    ]
    ends = game.ends([found.lines[numbers[move]] for move in counted])
    turn = game.phrasing.turn
    traces = {
        move: _trace(end, game.weights, turn) for move, end in zip(counted, ends, strict=True)
    }
    moves = tuple(replace(move, trace=traces.get(move.move)) for move in judged.moves)
    return replace(judged, moves=moves)


def _trace(end: End, weights: WeightTable, player: int) -> Trace:
    """Return a player's value of the position at a line's end, feature by feature.

    It is the weights of the player's features minus the weights of the opponent's. The search does
    not use it.
    """
    held = [
        Held(_text(feature), owner, where, weight if owner == player else -weight)
        for feature, owner, where in end.features
        if (weight := weights[feature])
    ]
    held.sort(key=lambda h: (-abs(h.weight), h.feature, h.player, _text(h.where)))
    return Trace(end.line, tuple(held), end.drawn, end.added)


_text = lru_cache(maxsize=1 << 16)(render)


def _firings(game: Abilities, stop: Stop) -> Mapping[Term, tuple[Firing, ...]]:
    """Return the strategies for each legal move, largest weight first, with their reasons."""
    found: dict[Term, list[Firing]] = defaultdict(list)
    for move, firing in game.firings(stop):
        found[move].append(firing)
    return {
        move: tuple(sorted(found[move], key=lambda f: (-abs(f.weight), f.strategy)))
        for move in game.legal().values()
    }
