"""An advice as marks on a picture of its position."""

from advisor.advice.advice import Advice, Move
from advisor.games.marks import Marks, Worth
from advisor.games.phrasing import Phrasing

_LINES = 5
"""Lines of a forced win that are drawn; more would only cover the board."""


def marks(advice: Advice) -> Marks | None:
    """The suggested moves, what each is worth, a plan, lines of a forced win; None if over."""
    if not advice.chosen:
        return None
    say, score = advice.phrasing, advice.first.score
    won = score.kind == "win"
    lines = say.lines(advice.chosen[0], score) if won else ()
    worth = {move.move: _worth(say, move) for move in advice.moves}
    numbers = say.numbers(advice.solved) if advice.solved else {}
    return Marks(advice.chosen, worth, lines if len(lines) <= _LINES else (), numbers)


def _worth(say: Phrasing, move: Move) -> Worth:
    score = move.score
    if score.kind == "heuristic":
        short = f"{score.value:+d}" if score.value else "0"
    else:
        short = score.kind if score.moves is None else f"{score.kind} {score.moves}"
    words = say.outcome(score) or f"scores {score.value}"
    return Worth(score.kind, short, f"{say.moves([move.move])} {words}")
