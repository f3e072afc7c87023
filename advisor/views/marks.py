"""An advice as marks on a picture of its position."""

from advisor.advice.advice import Advice
from advisor.games.marks import Marks
from advisor.games.phrasing import worth

_LINES = 5
"""Lines of a forced win that are drawn; more would only cover the board."""


def marks(advice: Advice) -> Marks | None:
    """The suggested moves, what each is worth, a plan, lines of a forced win; None if over."""
    if not advice.chosen:
        return None
    say, score = advice.phrasing, advice.first.score
    won = score.kind == "win"
    lines = say.lines(advice.chosen[0], score) if won else ()
    values = {move.move: worth(say, move.move, move.score) for move in advice.moves}
    numbers = advice.solved.numbers if advice.solved else {}
    return Marks(advice.chosen, values, lines if len(lines) <= _LINES else (), numbers)
