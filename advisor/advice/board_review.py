"""A game whose results can be proved, looked back on, move by move from its end.

Results are those that its abilities prove; where these say too little, the look-ahead judges.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from advisor.advice import board_reasons, facade
from advisor.advice.advice import Advice
from advisor.advice.advise import Advisor
from advisor.advice.grades import Mark, Prospect, mark
from advisor.advice.proved import with_bounds
from advisor.advice.review import Refutation, Reviewed
from advisor.asp.clingo_api import Term
from advisor.engine.search import search
from advisor.games import rooms
from advisor.games.abilities import LookingBack
from advisor.games.bounds import Bounds
from advisor.games.marks import Marks, Worth
from advisor.games.phrasing import Phrasing
from advisor.games.score import Score
from advisor.limits import Limit, Stop
from advisor.settings.grading import ERRORS, Grading

SECONDS = 0.5
"""For exact scores and proofs of a whole game, unless told otherwise."""

LOOKING = 0.25
"""For the look-ahead of a move, unless told otherwise; with the extra ``fast`` it takes less."""

_PLIES = 12
"""The most that a refutation goes on for."""

_LINE = 0.1
"""Seconds for a line from a position whose scores are known: each of its moves needs new ones."""


def review(
    advisor: Advisor,
    start: Any,
    moves: Sequence[Term],
    grading: Grading,
    stop: Stop,
    depth: int | None = None,
    seconds: float | None = None,
) -> Iterator[Reviewed]:
    """The moves of a game, the last one first.

    Args:
        advisor: its solver serves the whole game.
        start: where the game begins.
        moves: legal ones from there on.
        grading: the thresholds.
        stop: ends it.
        depth: plies to look ahead for each move that exact scores do not decide; by default that
            of the settings.
        seconds: for the whole game: half of it for exact scores and proofs, half for the
            look-ahead, every move of which has as much. By default these have `SECONDS` and, where
            no depth is given, `LOOKING` for each move.

    Raises:
        ConfigError, EncodingError: see `Advisor.advise`.
        KeyboardInterrupt: it was to stop; what has come by then holds.
    """
    games = [rooms.of_board(start, advisor.knows)]
    for move in moves:
        games.append(games[-1].after(move))
    limit = Limit(depth).otherwise(advisor.knows.settings(start.geometry).depth or 1)
    if seconds is not None:
        limit = replace(limit, seconds=seconds / 2 / len(moves))
    elif depth is None:
        limit = replace(limit, seconds=LOOKING)
    exact = SECONDS if seconds is None else seconds / 2
    looking = _Looking(grading, grading.scale_of(games[0].phrasing.game), limit, stop, exact)
    for ply in range(len(moves), 0, -1):
        stop.check()
        yield looking.back(ply, games[ply - 1], moves[ply - 1])


class _Looking:
    """What is shared by all moves of a game: who judges them, and the time that they have."""

    def __init__(
        self, grading: Grading, scale: float, limit: Limit, stop: Stop, exact: float
    ) -> None:
        self._grading = grading
        self._scale = scale
        self._limit = limit
        self._stop = stop
        self._exact = stop.within(exact)
        self._later: dict[Any, tuple[Term, ...]] = {}  # what the look-ahead expects from there
        self._after: dict[Any, Bounds] = {}  # what is certain of the position after a move

    def back(self, ply: int, game: LookingBack, move: Term) -> Reviewed:
        """The review of one move."""
        say, after = game.phrasing, game.after(move)
        known = dict(game.looked_back(self._exact))
        # What was found of the next position is certain of the move that led there.
        if found_later := self._after.get(after.position):
            known[move] = known[move].within(-found_later)
        prospects = {m: _proved(game, bounds) for m, bounds in known.items()}
        found = mark(prospects, move, self._grading, self._scale)
        advice = None
        if not found.exact:
            known = dict(game.by_rules(known, self._exact))
            advice = self._advice(game, known, self._limit)
            self._later = {game.position: advice.variation}
            prospects = {m: _prospect(advice, m, bounds) for m, bounds in known.items()}
            found = mark(prospects, move, self._grading, self._scale)
        elif self._may_be_only(found, move, prospects):
            advice = self._advice(game, known, self._limit)
            prospects = {m: _prospect(advice, m, bounds) for m, bounds in known.items()}
            found = mark(prospects, move, self._grading, self._scale)
        elif found.only or found.grade in ERRORS:  # of which strategies have something to say
            advice = self._advice(game, known, Limit(0))
        self._after = {game.position: _bounds(prospects)}
        refutation, missed = None, []
        if found.grade in ERRORS:
            assert advice is not None
            refutation = self._refutation(after, found.exact)
            missed = board_reasons.missed(game, move, found, prospects, self._stop)
        reasons = board_reasons.reasons(advice, say, move, found, prospects)
        self._stop.check()
        expected = prospects[move].expected(self._scale)
        return Reviewed(
            ply=ply,
            side=say.turn,
            player=say.players[say.turn],
            move=say.code(move),
            names={say.code(m): str(say.played(m)) for m in prospects},
            mark=found,
            prospects=prospects,
            expected=expected if say.turn == 0 else 1 - expected,
            reasons=tuple(reasons),
            missed=tuple(missed),
            before=game.scene(_marks(say, found, prospects, move)),
            refutation=refutation,
        )

    def _may_be_only(
        self, found: Mark[Any], move: Term, prospects: Mapping[Term, Prospect]
    ) -> bool:
        """Whether it is open if other moves lead to as good a result as the best one."""
        own = prospects[move].result
        others = [prospect.result for m, prospect in prospects.items() if m != move]
        return (
            found.grade == "best"
            and any(low < own[0] <= high for low, high in others)
            and all(low < own[0] for low, _ in others)
        )

    def _advice(self, game: LookingBack, known: Mapping[Term, Bounds], limit: Limit) -> Advice:
        """The advice with what is proved: the strategies, and the look-ahead unless its depth is 0.

        The look-ahead's values stand for scores: what strategies add to them says which move to
        prefer, not what it is worth, as of a block where every other move loses.
        """
        looked = limit.depth != 0
        advice = facade.advise(game, limit, traced=looked, alike=True, stop=self._stop)
        if advice.interrupted:
            self._stop.check()
        if looked and advice.score.kind == "heuristic":
            moves = tuple(
                replace(move, score=Score("heuristic", value=move.ahead))
                if move.score.kind == "heuristic"
                else move
                for move in advice.moves
            )
            top = max((m.score.value or 0, -m.move) for m in moves if m.score.kind == "heuristic")
            best = tuple(m.move for m in moves if m.score == Score("heuristic", value=top[0]))
            advice = replace(advice, moves=moves, chosen=best, score=advice.move(best[0]).score)
        return with_bounds(advice, known)

    def _refutation(self, game: LookingBack, exact: bool) -> Refutation | None:
        """What an error allows: best play from there, as far as it is proved or else foreseen."""
        if game.result is not None:
            return None
        line = game.line(self._stop.within(_LINE) if exact else self._exact, _PLIES)
        end = _played(game, line)
        if end.result is None and len(line) < 2:
            line = (self._later.get(game.position) or self._expected(game))[:_PLIES]
            end = _played(game, line)
        return Refutation(tuple(game.phrasing.told(line)), end.scene())

    def _expected(self, game: LookingBack) -> tuple[Term, ...]:
        """The line of play that the look-ahead expects."""
        found = search(
            game.root(),
            game.evaluator(self._stop),
            depth=self._limit.depth,
            stop=self._stop.within(self._limit.seconds),
        )
        return game.told(found.variation)


def _played(game: LookingBack, line: Sequence[Term]) -> LookingBack:
    for move in line:
        game = game.after(move)
    return game


def _proved(game: LookingBack, bounds: Bounds) -> Prospect:
    """What is proved of a move alone."""
    forced = game.forced(bounds) or Score("heuristic")
    return Prospect(forced.kind, (bounds.lower, bounds.upper), forced.moves)


def _prospect(advice: Advice, move: Term, bounds: Bounds) -> Prospect:
    """What is known of a move: proved, or seen by the look-ahead."""
    score = advice.move(move).score
    points = (bounds.lower, bounds.upper)
    if bounds.score is None and score.kind in ("win", "loss"):
        seen = advice.game.points(score)
        points = points if seen is None else (seen, seen)
    return Prospect(score.kind, points, score.moves, advice.move(move).ahead)


def _bounds(prospects: Mapping[Term, Prospect]) -> Bounds:
    """What is certain of the score of a position, by what is of its moves."""
    points = [prospect.points for prospect in prospects.values() if prospect.points]
    return Bounds(max(low for low, _ in points), max(high for _, high in points))


def _marks(
    say: Phrasing, found: Mark[Any], prospects: Mapping[Term, Prospect], move: Term
) -> Marks:
    """The better moves pointed at, every move's worth beside it."""
    worth = {m: _worth(say.moves([m]), prospect) for m, prospect in prospects.items()}
    return Marks(found.better or (move,), worth)


def _worth(name: str, prospect: Prospect) -> Worth:
    words = f"{name} {board_reasons.outcome(prospect)}"
    if prospect.kind == "heuristic":
        return Worth(prospect.kind, f"{prospect.value or 0:+d}", words)
    short = prospect.kind if prospect.moves is None else f"{prospect.kind} {prospect.moves}"
    return Worth(prospect.kind, short, words)
