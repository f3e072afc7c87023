"""Views of an advice or a review in a notebook: a picture and a table."""

from advisor.advice.advice import Advice
from advisor.advice.explain import headline
from advisor.advice.review import Review
from advisor.errors import InputError
from advisor.views import review_words as words
from advisor.views.document import section

_SHOWN = 10
"""Number of moves shown of an advice whose moves are sorted by worth."""


def advice(found: Advice) -> str:
    """Show the position with the best move, and the worth of every move."""
    try:
        picture = found.position.svg(found)
    except InputError:  # the game has no picture
        picture = str(found.position).splitlines()
    shown = found.moves[:_SHOWN] if found.game.ranked else found.moves
    rows = [(*found.phrasing.cells(move.move).values(), found.worth(move)) for move in shown]
    heads = (*found.phrasing.cells(shown[0].move), "worth") if shown else ()
    return section(headline(found), (), heads, rows, [(picture, found.position.status)])


def review(found: Review) -> str:
    """Show a summary of both sides, and the position before the worst error."""
    sides = ("", *words.players(found)) if found.moves else ()
    errors = [move for move in found.moves if move.error]
    worst = max(errors, key=lambda move: move.mark.drop, default=None)
    figures = []
    if worst:
        told = f"{words.turn(worst)}: {words.grade(worst)}. {words.verdict(worst)}"
        figures = [(worst.before.svg() or worst.before.text(), told)]
    rows = words.summary(found.sides)
    return section(found.title, [words.heading(found)], sides, rows, figures)
