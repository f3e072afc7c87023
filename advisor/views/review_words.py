"""Words for reviews, on the terminal, on pages and in pictures alike."""

from collections.abc import Iterator, Sequence

from advisor.advice.grades import Prospect
from advisor.advice.review import Refutation, Review, Reviewed, Side
from advisor.files.textfile import amount
from advisor.games.wording import join_words
from advisor.settings.grading import MARKS

_LEGEND = (
    "Exact: by the exact score. Proved: the results are. Look-ahead, random games: a guess. "
    "Unclear: it looks like an error, but not by every look at it."
)

_KINDS = {1: "win", 0: "draw", -1: "loss"}


def legend(reviews: Sequence[Review]) -> str:
    """Explain how the grades of some games are known."""
    engines = sorted({move.engine for review in reviews for move in review.moves} - {""})
    if not engines:
        return _LEGEND
    return (
        f"Values and lines are those of {join_words(engines, 'and')}; "
        "reasons are found by the rules."
    )


def heading(review: Review) -> str:
    """Say how long a game was and how it ended."""
    count = len(review.moves)
    graded = "only the last one is" if count == 1 else f"only the last {count} are"
    partial = f" ({graded} graded)" if review.partial else ""
    return f"{amount(review.length, 'move')}{partial}; {review.ended}"


def player(move: Reviewed) -> str:
    return move.before.called(move.player)


def players(review: Review) -> tuple[str, str]:
    """Name both sides, the one that began first, by mark and, if it differs, by name."""
    called = review.moves[0].before.called
    first, second = (f"{p} ({called(p)})" if called(p) != p else p for p in review.players)
    return first, second


def numeral(move: Reviewed) -> str:
    """Return the number of a move as its game writes it, such as ``3.``."""
    return move.before.numeral or f"{move.ply}."


def turn(move: Reviewed) -> str:
    return f"{numeral(move)} {player(move)} plays {move.name}"


def grade(move: Reviewed) -> str:
    """Return the grade of a move, with a note on an only move."""
    return f"{move.mark.grade}, only move" if move.mark.only else move.mark.grade


def knowledge(move: Reviewed) -> str:
    """Say how the grade is known."""
    if move.engine:
        return move.engine
    if move.mark.exact or move.mark.proved:
        return "exact" if move.mark.exact else "proved"
    return "random games" if move.mark.unit == "mean result" else "look-ahead"


def better(move: Reviewed) -> str:
    return join_words(move.better, "or")


def verdict(move: Reviewed) -> str:
    """Say what an error gave away, and how that is known."""
    return f"{_given_away(move)} ({knowledge(move)}); better: {better(move)}"


def loss_text(move: Reviewed) -> str:
    """Return the number of units that a move gave away; empty if it means nothing."""
    mark = move.mark
    told = mark.exact if mark.proved else mark.loss or not move.error
    return f"{mark.loss:g}" if told else ""


def _given_away(move: Reviewed) -> str:
    mark, kind = move.mark, move.prospect.kind
    if move.engine:
        return f"from {leads_to(move.best)} to {leads_to(move.prospect)}"
    if mark.exact and move.prospect.score.points is not None:  # the game counts points
        return f"{amount(round(mark.loss), 'point')} lost"
    if kind == "loss" and (not mark.drop or not mark.proved):
        return "lost sooner than need be" if mark.proved else "a certain loss"
    if mark.proved:
        was = move.prospect.result[0] + round(2 * mark.drop)
        return f"a {_KINDS[was]} becomes a {kind}"
    if mark.unit == "mean result":
        return f"expected result lower by {100 * mark.drop:.0f} %"
    return f"{amount(round(mark.loss), 'unit')} of the weights lost"


def missed_text(move: Reviewed) -> str:
    """Say what a better move would have achieved."""
    return f"Missed: {join_words(move.missed, 'and')}."


def refutation(move: Reviewed, found: Refutation) -> str:
    """Describe what a move allows; name the move if the sentences before are about others."""
    name = move.name if move.engine else "It"
    return f"{name} allows {' '.join(found.line)}."


def leads_to(prospect: Prospect) -> str:
    """Say in a few words what a move leads to."""
    if prospect.kind != "heuristic":
        verb = {"win": "wins", "draw": "draws", "loss": "loses"}[prospect.kind]
        return verb if prospect.moves is None else f"{verb} in {prospect.moves}"
    if prospect.mean is not None:
        return f"{prospect.mean:+.2f}"
    return f"{prospect.score.value or 0:+d}"


def summary(sides: tuple[Side, Side]) -> Iterator[tuple[str, str, str]]:
    """Summarise the moves of both sides in rows: a name, and a cell for each side."""

    def row(name: str, *cells: object) -> tuple[str, str, str]:
        first, second = ("-" if cell is None else str(cell) for cell in cells)
        return name, first, second

    yield row("accuracy", *(None if s.accuracy is None else f"{s.accuracy:.1f}" for s in sides))
    for unit in sorted({unit for side in sides for unit in side.losses}):
        losses = (side.losses.get(unit) for side in sides)
        yield row(f"average loss, {unit}", *(None if x is None else f"{x:.2f}" for x in losses))
    for each in MARKS:
        yield row(each, *(side.grades[each] for side in sides))
    yield row("only moves found", *(side.only for side in sides))
    yield row("longest run without an error", *(side.longest_run for side in sides))
    yield row("turning point, ply", *(side.turning_point for side in sides))
