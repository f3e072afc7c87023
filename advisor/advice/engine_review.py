"""Review of a game by an engine: its values grade the moves, the rules give the reasons.

Each position of the game is a question to the engine, the last one first. A move's score is the
better of two views: among the engine's best moves of its position, and by the best reply in the
next position. An engine's statement is never a proof.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from advisor.advice import by_engine, review_reasons
from advisor.advice.advice import Advice
from advisor.advice.explain import move_sentences
from advisor.advice.grades import Mark, Prospect, Unit, mark
from advisor.advice.looking_back import build_reviewed, go_back
from advisor.advice.review import Refutation, Reviewed
from advisor.advice.uci_program import UciCommand
from advisor.games.abilities import Abilities, Scene
from advisor.limits import Limit
from advisor.settings.grading import ERRORS, Grading
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

_USUAL = Limit(12)
"""The engine's default depth for a grade.

It is a depth, not a time, so that the same game gets the same grades.
"""

_LINES = 2
"""The best move and the next best, which shows whether it is an only move."""

UNIT: Unit = "engine"
"""The unit of a move's loss by an engine's values."""


def review(
    start: Abilities,
    moves: Sequence[Term],
    engine: UciCommand,
    grading: Grading,
    stop: Stop,
    depth: int | None = None,
    seconds: float | None = None,
) -> Iterator[Reviewed]:
    """Review the moves of a game, the last one first; see `looking_back.review`.

    Args:
        start: where the game begins.
        moves: of the game.
        engine: the program to ask.
        grading: the scale of grades.
        stop: ends the review when set.
        depth: that the engine looks ahead for each move.
        seconds: for the whole game.

    Raises:
        InputError: see `by_engine.advise`.
        KeyboardInterrupt: `stop` was set; the reviews yielded by then hold.
    """
    scale = grading.scale_of(start.phrasing.game)
    looker = _EngineLooker(engine, grading, scale, Limit(depth), stop.without_limit)
    return go_back(start, moves, looker, stop, seconds)


@dataclass(slots=True)
class _EngineLooker:
    """Judges moves by an engine; see `looking_back.Looker`."""

    _engine: UciCommand
    _grading: Grading
    _scale: float
    _limit: Limit
    stop: Stop
    _later: Advice | None = None  # on the position after the move that comes next

    def back(self, games: Sequence[Abilities], moves: Sequence[Term]) -> Reviewed:
        (game, after), move = games[-2:], moves[-1]
        later = self._later or self._advise(after, apart=True)
        here = self._advise(game, apart=False)
        self._later = here
        advice = by_engine.with_move(here, move, later)
        prospects = {each.move: Prospect(each.score) for each in advice.moves}
        found = self._mark(game, prospects, move)
        why, missed, refutation = self._reasons(game, prospects, move, found), [], None
        if found.grade in ERRORS:
            why = move_sentences(advice, move)
            missed = review_reasons.missed_chances(
                game, move, found, prospects, self.stop.without_limit
            )
            line = later.variation
            if line:
                refutation = Refutation(tuple(after.phrasing.names_along(line)), _end(after, line))
        self.stop.check()
        reviewed = build_reviewed(
            game, moves, prospects, found, self._scale, why, missed, refutation
        )
        best = here.variation if found.grade in ERRORS else ()
        engine = f"{here.engine}, depth {here.depth}"
        return replace(reviewed, instead=tuple(game.phrasing.names_along(best)), engine=engine)

    def _advise(self, game: Abilities, apart: bool) -> Advice:
        return by_engine.advise(
            game,
            self._engine,
            self._limit,
            self.stop,
            otherwise=_USUAL,
            lines=_LINES,
            apart=apart,
        )

    def _mark(self, game: Abilities, prospects: dict[Term, Prospect], move: Term) -> Mark[Term]:
        """Return the grade by the engine's scores; moves that it does not score are no better."""
        found = mark(prospects, move, self._grading, self._scale)
        unique = len(prospects) > 1 or len(game.legal()) == 1
        return replace(found, proved=False, unit=UNIT, only=found.only and unique)

    def _reasons(
        self, game: Abilities, prospects: dict[Term, Prospect], move: Term, found: Mark[Term]
    ) -> list[str]:
        """Return the result of a move that is no error, in sentences."""
        say = game.phrasing
        if len(prospects) == 1 < len(game.legal()):
            return [f"{say.comes_to([move], prospects[move].score)}."]
        return review_reasons.grade_reasons(None, say, move, found, prospects, self._scale)


def _end(game: Abilities, line: Sequence[Term]) -> Scene:
    for move in line:
        game = game.after(move)
    return game.scene()
