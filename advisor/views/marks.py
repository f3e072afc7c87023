"""An advice as marks on a picture of its position."""

from advisor.advice.advise import Advice
from advisor.advice.explain import outcome, winning_lines
from advisor.advice.move import MoveAdvice
from advisor.games.marks import Marks, Worth

_LINES = 5
"""Lines of a forced win that are drawn; more would only cover the board."""


def marks(advice: Advice) -> Marks | None:
    """The suggested moves, what each is worth, a plan, lines of a forced win; None if over."""
    if not advice.best:
        return None
    lines = (winning_lines(advice, advice.best[0]) or ()) if advice.score.kind == "win" else ()
    worth = {move.column: _worth(move) for move in advice.moves}
    return Marks(advice.best, worth, lines if len(lines) <= _LINES else (), advice.numbers)


def _worth(move: MoveAdvice) -> Worth:
    score = move.score
    if score.kind == "heuristic":
        short = f"{score.value:+d}" if score.value else "0"
    else:
        short = score.kind if score.moves is None else f"{score.kind} {score.moves}"
    words = outcome(score) or f"scores {score.value}"
    return Worth(score.kind, short, f"column {move.column} {words}")
