"""A game of Connect Four looked back on, move by move from its end.

Results are those of the opening book, of the solver and of Allis' rules; where these say too
little, the look-ahead judges.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from advisor.advice import board_reasons
from advisor.advice.advice import Advice
from advisor.advice.advise import Advisor
from advisor.advice.grades import Mark, Prospect, mark
from advisor.advice.proved import with_bounds
from advisor.advice.review import Refutation, Reviewed
from advisor.engine.below import played
from advisor.engine.search import search
from advisor.games.bounds import Bounds
from advisor.games.connect4 import look_back
from advisor.games.connect4.board import DISCS, Position, geometry
from advisor.games.connect4.drawing import svg
from advisor.games.connect4.notation import GAME
from advisor.games.connect4.solver import score_in, winner_moves
from advisor.games.connect4.victor.prove import bound, covers
from advisor.games.marks import Marks, Worth
from advisor.games.players import called, named
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

_GROUNDING = 0.1
"""Seconds without which the rules are not asked: their program has to be grounded once."""


@dataclass(frozen=True, slots=True)
class Board:
    """A position, with marks if something is to be pointed at."""

    position: Position
    marks: Marks | None = None

    def text(self) -> list[str]:
        """See `advisor.advice.review.Scene`."""
        return self.position.rows()

    def svg(self) -> str:
        """See `advisor.advice.review.Scene`."""
        return svg(self.position, self.marks)

    def called(self, player: str) -> str:
        """See `advisor.advice.review.Scene`."""
        return called(player)


def review(
    advisor: Advisor,
    start: Position,
    moves: tuple[int, ...],
    grading: Grading,
    stop: Stop,
    depth: int | None = None,
    seconds: float | None = None,
) -> Iterator[Reviewed]:
    """The moves of a game, the last one first.

    Args:
        advisor: its solver serves the whole game.
        start: where the game begins.
        moves: legal columns from there on.
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
    positions = [start]
    for column in moves:
        positions.append(positions[-1].after(column))
    limit = Limit(depth).otherwise(advisor.knows.settings(start.geometry).depth or 1)
    if seconds is not None:
        limit = replace(limit, seconds=seconds / 2 / len(moves))
    elif depth is None:
        limit = replace(limit, seconds=LOOKING)
    exact = SECONDS if seconds is None else seconds / 2
    looking = _Looking(advisor, grading, limit, stop, stop.within(exact))
    for ply in range(len(moves), 0, -1):
        stop.check()
        yield looking.back(ply, positions[ply - 1], moves[ply - 1])


def ended(position: Position) -> str:
    """How a game has ended at a position, in words."""
    if position.result() is None:
        return "not finished"
    return f"{named(position.winner)} has won" if position.winner else "a draw"


class _Looking:
    """What is shared by all moves of a game: who judges them, and the time that they have."""

    def __init__(
        self, advisor: Advisor, grading: Grading, limit: Limit, stop: Stop, exact: Stop
    ) -> None:
        self._advisor = advisor
        self._grading = grading
        self._scale = grading.scale_of(GAME)
        self._limit = limit
        self._stop = stop
        self._exact = exact
        self._later: dict[Position, tuple[int, ...]] = {}  # what the look-ahead expects from there
        self._after: dict[Position, Bounds] = {}  # what is certain of the position after a move

    def back(self, ply: int, position: Position, column: int) -> Reviewed:
        """The review of one move."""
        solver = self._advisor.knows.solver(position.geometry)
        known = dict(look_back.scores(position, solver, self._exact))
        # What was found of the next position is certain of the move that led there.
        if found_later := self._after.get(position.after(column)):
            known[column] = known[column].within(-found_later)
        prospects = {c: _proved(position, solution) for c, solution in known.items()}
        found = mark(prospects, column, self._grading, self._scale)
        advice = None
        if not found.exact:
            known = self._by_rules(position, known)
            advice = self._advice(position, known, self._limit)
            self._later = {position: advice.variation}
            prospects = {c: _prospect(advice, c, solution) for c, solution in known.items()}
            found = mark(prospects, column, self._grading, self._scale)
        elif self._may_be_only(found, column, prospects):
            advice = self._advice(position, known, self._limit)
            prospects = {c: _prospect(advice, c, solution) for c, solution in known.items()}
            found = mark(prospects, column, self._grading, self._scale)
        elif found.only or found.grade in ERRORS:  # of which strategies have something to say
            advice = self._advice(position, known, Limit(0))
        self._after = {position: _bounds(prospects)}
        refutation, missed = None, []
        if found.grade in ERRORS:
            assert advice is not None
            refutation = self._refutation(position.after(column), found.exact)
            proof = partial(self._won_by_rules, position)
            missed = board_reasons.missed(position, column, found, prospects, proof)
        reasons = board_reasons.reasons(advice, column, found, prospects)
        self._stop.check()
        expected = prospects[column].expected(self._scale)
        return Reviewed(
            ply=ply,
            side=position.turn - 1,
            player=DISCS[position.turn],
            move=column,
            names={c: str(c) for c in prospects},
            mark=found,
            prospects=prospects,
            expected=expected if position.turn == 1 else 1 - expected,
            reasons=tuple(reasons),
            missed=tuple(missed),
            before=Board(position, _marks(found, prospects, column)),
            refutation=refutation,
        )

    def _may_be_only(
        self, found: Mark[int], column: int, prospects: Mapping[int, Prospect]
    ) -> bool:
        """Whether it is open if other moves lead to as good a result as the best one."""
        own = prospects[column].result
        others = [prospect.result for c, prospect in prospects.items() if c != column]
        return (
            found.grade == "best"
            and any(low < own[0] <= high for low, high in others)
            and all(low < own[0] for low, _ in others)
        )

    def _advice(self, position: Position, known: Mapping[int, Bounds], limit: Limit) -> Advice:
        """The advice with what is proved: the strategies, and the look-ahead unless its depth is 0.

        The look-ahead's values stand for scores: what strategies add to them says which move to
        prefer, not what it is worth, as of a block where every other move loses.
        """
        looked = limit.depth != 0
        advice = self._advisor.advise(position, limit, traced=looked, alike=True, stop=self._stop)
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

    def _by_rules(self, position: Position, known: Mapping[int, Bounds]) -> dict[int, Bounds]:
        """What is known of the moves, with what Allis' rules prove of them.

        On larger boards than the usual one, grounding them takes longer than a review should.
        """
        found = dict(known)
        if position.geometry.squares > geometry().squares:
            return found
        for column, solution in known.items():
            after = position.after(column)
            if self._exact.seconds_left < _GROUNDING or after.over or not covers(after):
                continue
            for player, sign in ((position.turn, 1), (after.turn, -1)):
                outcome = bound(after, player, stop=self._exact)
                if outcome is not None and solution.score is None:
                    least = (outcome == "wins") * 1
                    low, high = solution.lower, solution.upper
                    if sign > 0:
                        low = max(low, least)
                    else:
                        high = min(high, -least)
                    solution = Bounds(low, high, solution.nodes, solution.seconds)
            found[column] = solution
        return found

    def _won_by_rules(self, position: Position, column: int) -> bool:
        """Whether Allis' rules, which are about zugzwang, prove a win after this move."""
        after = position.after(column)
        if after.over or position.geometry.squares > geometry().squares or not covers(after):
            return False
        return bound(after, position.turn, stop=self._stop) == "wins"

    def _refutation(self, position: Position, exact: bool) -> Refutation | None:
        """What an error allows: best play from there, as far as it is proved or else foreseen."""
        if position.result() is not None:
            return None
        solver = self._advisor.knows.solver(position.geometry)
        in_time = self._stop.within(_LINE) if exact else self._exact
        line = look_back.line(position, solver, in_time, _PLIES)
        end = played(position, line)
        if end.result() is None and len(line) < 2:
            line = (self._later.get(position) or self._expected(position))[:_PLIES]
            end = played(position, line)
        return Refutation(tuple(map(str, line)), Board(end))

    def _expected(self, position: Position) -> tuple[int, ...]:
        """The line of play that the look-ahead expects."""
        found = search(
            position,
            self._advisor.knows.evaluator(position.geometry, self._stop),
            depth=self._limit.depth,
            stop=self._stop.within(self._limit.seconds),
        )
        return found.variation


def _proved(position: Position, solution: Bounds) -> Prospect:
    """What is proved of a move alone."""
    kind = solution.outcome or "heuristic"
    moves = None if solution.score is None else winner_moves(position, solution.score)
    return Prospect(kind, (solution.lower, solution.upper), moves)


def _prospect(advice: Advice, column: int, solution: Bounds) -> Prospect:
    """What is known of a move: proved, or seen by the look-ahead."""
    score = advice.move(column).score
    points = (solution.lower, solution.upper)
    if solution.score is None and score.kind in ("win", "loss") and score.moves is not None:
        seen = score_in(advice.position, "win" if score.kind == "win" else "loss", score.moves)
        points = (seen, seen)
    return Prospect(score.kind, points, score.moves, advice.move(column).ahead)


def _bounds(prospects: Mapping[int, Prospect]) -> Bounds:
    """What is certain of the score of a position, by what is of its moves."""
    points = [prospect.points for prospect in prospects.values() if prospect.points]
    return Bounds(max(low for low, _ in points), max(high for _, high in points))


def _marks(found: Mark[int], prospects: Mapping[int, Prospect], column: int) -> Marks:
    """The better moves pointed at, every move's worth below its column."""
    worth = {c: _worth(c, prospect) for c, prospect in prospects.items()}
    return Marks(found.better or (column,), worth)


def _worth(column: int, prospect: Prospect) -> Worth:
    words = board_reasons.outcome(prospect)
    if prospect.kind == "heuristic":
        return Worth(prospect.kind, f"{prospect.value or 0:+d}", f"column {column} {words}")
    short = prospect.kind if prospect.moves is None else f"{prospect.kind} {prospect.moves}"
    return Worth(prospect.kind, short, f"column {column} {words}")
