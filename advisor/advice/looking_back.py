"""Reviews a game, move by move from its end.

The game's abilities prove results; where these are not enough, the look-ahead judges. A result that
is certain for a position is certain for the move that led there.

The work for a move is fixed: depths, numbers of random games and seeds, never time. So the same
game gets the same grades, and a time limit only decides how many moves get one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Protocol

from advisor.advice import facade, review_reasons
from advisor.advice.advice import Advice, Move
from advisor.advice.grades import Mark, Prospect, mark
from advisor.advice.line_events import FORESEEN
from advisor.advice.review import Refutation, Reviewed
from advisor.engine.search import search
from advisor.games.abilities import Abilities
from advisor.games.bounds import Bounds
from advisor.games.examples import sign
from advisor.games.marks import Marks
from advisor.games.phrasing import worth
from advisor.games.score import Score
from advisor.limits import Limit
from advisor.settings.grading import ERRORS, Grading
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

_DOUBTS = 2
"""Depths before the last one that have to agree on an error."""

_CHECKED = 2
"""Plies by which the look-ahead is extended before a guess marks an error."""

_BEYOND = 2
"""Plies by which the other moves are searched further if the move played loses later."""

_PLIES = 12
"""Most plies of a refutation."""

_SEED, _OTHER_SEED = 1, 2
"""Seeds of random games. A move counts as an error only if games from both seeds agree."""

_ROUNDS = 64.0
"""Rounds of random games of a position; see `Limit`."""

Known = Mapping[Term, Bounds]


def review(
    start: Abilities,
    moves: Sequence[Term],
    grading: Grading,
    stop: Stop,
    depth: int | None = None,
    seconds: float | None = None,
    usual: int | None = None,
) -> Iterator[Reviewed]:
    """Yield the reviews of a game's moves, the last one first.

    Args:
        start: where the game begins; its proofs serve the whole game.
        moves: of the game.
        grading: the scale of grades.
        stop: ends the review when set.
        depth: plies to look ahead for each move that exact scores do not decide.
        seconds: for the whole game. After that no more moves are graded; the last move of the game
            is graded in any case.
        usual: the default depth; None for the game's own for each position.

    Raises:
        ConfigError, EncodingError: see `facade.advise`.
        KeyboardInterrupt: `stop` was set; the reviews yielded by then hold.
    """
    start.prepare_review()
    scale, noise = (of(start.phrasing.game) for of in (grading.scale_of, grading.noise_of))
    back = _Looking(grading, scale, noise, depth or usual, stop.without_limit)
    return go_back(start, moves, back, stop, seconds)


class Looker(Protocol):
    """A judge of the moves of one game, the last one first.

    Attributes:
        stop: ends the work on a move.
    """

    stop: Stop

    def back(self, games: Sequence[Abilities], moves: Sequence[Term]) -> Reviewed:
        """Review the last one of these moves; the last one of the games is after it."""


def go_back(
    start: Abilities, moves: Sequence[Term], back: Looker, stop: Stop, seconds: float | None
) -> Iterator[Reviewed]:
    """Yield the reviews of a game's moves by a judge; see `review`."""
    games = [*accumulate(moves, lambda game, move: game.after(move), initial=start)]
    in_time = stop.with_limit(seconds)
    for ply in range(len(moves), 0, -1):
        stop.check()
        found = back.back(games[: ply + 1], moves[:ply])
        if back.stop.is_set():  # its work was cut short
            return
        yield found
        back.stop = in_time
        if in_time.is_set():
            return


@dataclass(frozen=True, slots=True)
class _Next:
    """Knowledge of the position after a move, for its side to move.

    Attributes:
        bounds: of its exact score.
        best: the prospect of its best move.
        line: expected by the look-ahead; empty without one.
    """

    bounds: Bounds
    best: Prospect
    line: tuple[Term, ...]


@dataclass(slots=True)
class _Looking:
    """The judge of a game's moves, with the state that they share."""

    _grading: Grading
    _scale: float
    _noise: float
    _depth: int | None
    stop: Stop
    _next: _Next | None = None
    _proved: Known | None = None  # of the position that comes next, so one move earlier

    def back(self, games: Sequence[Abilities], moves: Sequence[Term]) -> Reviewed:
        """Review the last one of these moves; the last one of the games is after it."""
        (game, after), move = games[-2:], moves[-1]
        say, (known, least) = game.phrasing, self._certain(games, moves)
        prospects: dict[Term, Prospect] = {
            m: _proved_prospect(game, bounds) for m, bounds in known.items()
        }
        found = self._mark(prospects, move, least)
        advice, line = None, ()
        own = prospects[move].result[0]
        others = [prospect.result for m, prospect in prospects.items() if m != move]
        # It may be open whether other moves lead to as good a result as the best one.
        may_be_only = (
            found.grade == "best"
            and any(own <= high for _, high in others)
            and all(low < own for low, _ in others)
        )
        if not found.exact or may_be_only:
            advice, prospects, found = self._judge_move(games, known, move, least)
            blamed = found.grade in ERRORS and prospects[move].kind == "heuristic"
            if blamed and game.by_chance is None:
                advice, prospects, found = self._judge_move(games, known, move, least, _CHECKED)
            line = advice.variation
            known = {m: b.intersect(game.bounds(advice.move(m).score)) for m, b in known.items()}
            if game.by_chance is not None and (found.only or found.grade in ERRORS):
                other = self._by_other_games(game, move)
                prospects = _prospects(game, advice, known, [other])
                found = self._mark(prospects, move, least)
        elif found.only or found.grade in ERRORS:  # strategies have something to say about these
            advice = facade.with_bounds(facade.by_strategies(game, self.stop), known)
        prospects = self._count_moves(game, prospects, move)
        refutation, missed, instead = None, [], tuple[Term, ...]()
        if found.grade in ERRORS:
            instead = self._better_line(game, found.better[0], advice)
            ahead = advice.move(move).expected if advice else None
            refutation = self._refutation(after, found.exact, ahead.line[1:] if ahead else ())
            missed = review_reasons.missed_chances(
                game, move, found, prospects, self.stop.without_limit
            )
        bounds = Bounds(max(b.lower for b in known.values()), max(b.upper for b in known.values()))
        # Among equally good moves, take the one played: counts continue along the game.
        ranks = {m: each.rank(self._scale)[: 2 + game.alternates] for m, each in prospects.items()}
        best = prospects[max(ranks, key=lambda m: (ranks[m], m == move))]
        self._next = _Next(bounds, best, line)
        why = review_reasons.grade_reasons(advice, say, move, found, prospects, self._scale)
        self.stop.check()
        reviewed = build_reviewed(
            game, moves, prospects, found, self._scale, why, missed, refutation
        )
        return replace(
            reviewed,
            instead=tuple(say.names_along(instead)),
            known={
                say.code(m): (b.lower, b.upper)
                for m, b in known.items()
                if (b.lower, b.upper) != (game.at_sight(m).lower, game.at_sight(m).upper)
            },
        )

    def _mark(self, prospects: Mapping[Term, Prospect], move: Term, least: int) -> Mark[Term]:
        return mark(prospects, move, self._grading, self._scale, least, self._noise)

    def _judge_move(
        self, games: Sequence[Abilities], known: Known, move: Term, least: int, deeper: int = 0
    ) -> tuple[Advice, dict[Term, Prospect], Mark[Term]]:
        """Judge a move by an advice `deeper` plies deeper."""
        game, after = games[-2:]
        advice, doubts = self._advice(game, after, known, move, deeper)
        known = {m: b.intersect(game.bounds(advice.move(m).score)) for m, b in known.items()}
        prospects = _prospects(game, advice, known, doubts)
        if self._next and after.phrasing.turn != game.phrasing.turn:
            prospects[move] = _add_doubt(prospects[move], self._next.best)
        return advice, prospects, self._mark(prospects, move, least)

    def _certain(self, games: Sequence[Abilities], moves: Sequence[Term]) -> tuple[Known, int]:
        """Return the certain bounds of the moves beside the last one of these, and the least
        result.

        Bounds use the proofs of the positions before and after it, too. The least result is the
        worst one that best play can have there.
        """
        (game, after), move = games[-2:], moves[-1]
        turn, known = game.phrasing.turn, dict(self._proved or game.looked_back(self.stop))
        if self._next:
            back = game.backed_up(self._next.bounds, after.phrasing.turn == turn)
            known[move] = known[move].intersect(back)
        if len(moves) == 1:
            return known, -1
        earlier = games[-3]
        self._proved = earlier.looked_back(self.stop)
        here = self._proved[moves[-2]]
        here = here if earlier.phrasing.turn == turn else -here
        return _within_results(known, here), sign(here.lower)

    def _advice(
        self, game: Abilities, after: Abilities, known: Known, move: Term, deeper: int
    ) -> tuple[Advice, Sequence[Advice]]:
        """Return the advice with certain results, and the advice of the depths before the last one.

        If that shows the move to be lost, the other moves are searched to the same depth, if it is
        not much greater: they may lose in the same way.
        """
        depth = (self._depth or min(game.review_depth, after.review_depth)) + deeper
        found, doubts = self._look_ahead(game, depth, move)
        certain = game.proved_score(known[move])
        if certain is not None and certain.kind == "loss" and certain.plies is not None:
            further = min(certain.plies, depth + _BEYOND)
            if further > found.depth and found.move(move).score.kind == "heuristic":
                found, doubts = self._look_ahead(game, further, move)
        return facade.with_bounds(found, known), doubts

    def _look_ahead(
        self, game: Abilities, depth: int, move: Term
    ) -> tuple[Advice, Sequence[Advice]]:
        depths: list[Advice] = []
        limit = Limit(depth, rounds=_ROUNDS)
        found = facade.advise(
            game,
            limit,
            _SEED,
            self.stop,
            traced=True,
            alike=True,
            asked=move,
            on_iteration=depths.append,
        )
        self.stop.check()
        return found, [] if game.by_chance is not None else depths[-1 - _DOUBTS : -1]

    def _by_other_games(self, game: Abilities, move: Term) -> Advice:
        """Return the advice by other random games."""
        limit = Limit(1, rounds=_ROUNDS)
        found = facade.advise(game, limit, _OTHER_SEED, self.stop, alike=True, asked=move)
        self.stop.check()
        return found

    def _count_moves(
        self, game: Abilities, prospects: dict[Term, Prospect], move: Term
    ) -> dict[Term, Prospect]:
        """Return prospects with the winner's moves from the next position's advice, if only that
        has them.

        Where a player may move twice, lines of the same length may contain more or fewer of them:
        the line of the next position counts, with which the game may have gone on.
        """
        own, later = prospects[move], self._next.best.moves if self._next else 0
        known = own.moves is not None and game.alternates
        if own.kind not in ("win", "loss") or known or later is None:
            return prospects
        moves = later + (own.kind == "win")
        return {**prospects, move: replace(own, score=replace(own.score, moves=moves))}

    def _better_line(
        self, game: Abilities, better: Term, advice: Advice | None
    ) -> tuple[Term, ...]:
        """Return a better move with the expected play after it, as far as events are described."""
        move = advice.move(better) if advice else None
        if move and move.trace:
            return move.trace.line
        if move and move.expected:
            return move.expected.line
        after = game.after(better)
        ended = after.result is not None
        return (better, *(() if ended else after.line(self.stop.without_limit, FORESEEN - 1)))

    def _refutation(
        self, game: Abilities, exact: bool, ahead: tuple[Term, ...]
    ) -> Refutation | None:
        """Return the play that an error allows: proved or else expected best play.

        `ahead` is the play that a tree of random games expects.
        """
        if game.result is not None:
            return None
        line = game.line(self.stop.without_limit, _PLIES) if exact else ()
        end = _play_line(game, line)
        if end.result is None and len(line) < 2:
            foreseen = self._next.line if self._next else ahead
            if not foreseen and game.by_chance is None:
                evaluator, depth = game.evaluator(self.stop), self._depth or game.review_depth
                found = search(game.root(), evaluator, depth=depth, stop=self.stop)
                self.stop.check()
                foreseen = game.moves_of_line(found.variation)
            line = foreseen[:_PLIES]
            end = _play_line(game, line)
        return Refutation(tuple(game.phrasing.names_along(line)), end.scene()) if line else None


def build_reviewed(
    game: Abilities,
    moves: Sequence[Term],
    prospects: Mapping[Term, Prospect],
    found: Mark[Term],
    scale: float,
    why: Sequence[str],
    missed: Sequence[str],
    refutation: Refutation | None,
) -> Reviewed:
    """Build the review of the last one of these moves.

    Args:
        game: before the move.
        moves: of the game so far.
        prospects: of the moves of which something is known.
        found: the mark.
        scale: units of the game's weights per logit.
        why: the reasons for the grade.
        missed: chances that the move missed.
        refutation: the play that an error allows.
    """
    say, move = game.phrasing, moves[-1]
    expected, code = prospects[move].expected_result(scale), say.code
    values = {m: worth(say, m, prospect.score) for m, prospect in prospects.items()}
    return Reviewed(
        ply=len(moves),
        side=say.turn,
        player=say.players[say.turn],
        move=code(move),
        names={code(m): str(say.play_name(m)) for m in prospects},
        mark=replace(found, better=tuple(map(code, found.better))),
        prospects={code(m): prospect for m, prospect in prospects.items()},
        expected=expected if say.turn == 0 else 1 - expected,
        reasons=tuple(why),
        missed=tuple(missed),
        before=game.scene(Marks(found.better or (move,), values)),
        refutation=refutation,
    )


def _play_line(game: Abilities, line: Sequence[Term]) -> Abilities:
    for move in line:
        game = game.after(move)
    return game


def _within_results(known: Known, here: Bounds) -> dict[Term, Bounds]:
    """Tighten the moves' bounds by the result of the position.

    No move does better, and if only one can do as well, it does.
    """
    low, high = sign(here.lower), sign(here.upper)
    found = dict(known)
    if high < 1:
        found = {m: Bounds(min(b.lower, high), min(b.upper, high)) for m, b in found.items()}
    able = [m for m, b in found.items() if sign(b.upper) >= low]
    if low > -1 and len(able) == 1:
        only = found[able[0]]
        found[able[0]] = Bounds(max(only.lower, low), only.upper)
    return found


def _proved_prospect(game: Abilities, bounds: Bounds) -> Prospect:
    """Return the prospect of a move by proofs alone."""
    score = replace(game.proved_score(bounds) or Score("heuristic"), proved=False)
    return Prospect(score, _points(game, bounds))


def _prospects(
    game: Abilities, advice: Advice, known: Known, others: Sequence[Advice]
) -> dict[Term, Prospect]:
    """Return the prospects of all moves in an advice; for guesses, also by the other advices.

    With random games, a move counts as not examined if it had less than half as many as the move
    with most: after a game or two, chance would make some move the best of all. The strategies'
    part of a value says which move to prefer, not what it is worth, for example a block where every
    other move loses.
    """
    found: dict[Term, Prospect] = {}
    for move in advice.moves:
        points = _points(game, known[move.move])
        if move.score.kind != "heuristic":
            score = replace(move.score, value=None, proved=False)
            found[move.move] = Prospect(score, points)
            continue
        doubts = tuple(_guess(other, move) for other in others)
        found[move.move] = replace(_guess(advice, move), points=points, doubts=doubts)
    return found


def _add_doubt(own: Prospect, later: Prospect) -> Prospect:
    """Add one more look to a move's prospect: the opponent's best prospect, seen a ply deeper."""
    if own.kind != "heuristic" or later.kind != "heuristic" or not later.looked_at:
        return own
    value, mean = later.score.value, later.mean
    score = Score("heuristic", value=None if value is None else -value)
    look = Prospect(score, None, None if mean is None else -mean, later.games)
    return replace(own, doubts=(*own.doubts, look))


def _guess(advice: Advice, wanted: Move) -> Prospect:
    """Return an advice's prospect of a move that comes from another advice."""
    move = advice.move(wanted.move)
    if move.score.kind != "heuristic":
        return Prospect(move.score)
    if 2 * move.playouts < max(each.playouts for each in advice.moves):
        return Prospect(Score("heuristic"))
    return Prospect(Score("heuristic", value=move.score.value), None, move.mean, move.playouts)


def _points(game: Abilities, bounds: Bounds) -> tuple[int, int]:
    """Return the bounds as they are shown: points or results."""
    low, high = bounds.lower, bounds.upper
    return (low, high) if game.in_points else (sign(low), sign(high))
