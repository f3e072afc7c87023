"""Reviews of games as one standalone page, without scripts or other files."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from advisor.advice.review import Review, Reviewed
from advisor.views import review_words as words
from advisor.views.document import document, quiet


def page(reviews: Sequence[Review]) -> str:
    """Make the page; every error shows its boards, and the graph of the outcome links to it."""
    title = "Review of " + (reviews[0].title if len(reviews) == 1 else f"{len(reviews)} games")
    body = "\n".join(line for i, each in enumerate(reviews, 1) for line in game(each, f"g{i}"))
    return document(title, f"<main>\n{body}\n</main>")


def game(review: Review, prefix: str) -> Iterator[str]:
    """Write a game as lines of HTML: graph, summary of both sides, all moves, all errors.

    The ids of its elements begin with the prefix.
    """
    yield "<section class='card'>"
    yield f"<h1>{escape(review.title)}</h1>"
    yield f"<p>{escape(words.heading(review))}</p>"
    yield from _graph(review, prefix)
    yield "</section>"
    yield "<section class='card'><h2>Both sides</h2>"
    yield from _summary(review)
    yield "</section>"
    yield "<section class='card'><h2>Moves</h2><ol class='moves'>"
    for move in review.moves:
        yield from _row(move, prefix)
    yield "</ol></section>"
    for move in review.moves:
        if move.error:
            yield from _error(move, prefix)


def _graph(review: Review, prefix: str) -> Iterator[str]:
    """Draw the expected result of the side that began after each move; guesses are dashed."""
    first, second = map(escape, words.players(review))
    points = [(100 * m.ply / review.length, 100 * (1 - m.expected), m) for m in review.moves]
    yield "<div>"
    yield f"<p class='ends quiet'><span>{first} wins</span></p>"
    yield "<div class='graph'>"
    yield "<svg viewBox='0 0 100 100' preserveAspectRatio='none' aria-hidden='true'>"
    for (x1, y1, _), (x2, y2, move) in pairwise(points):
        kind = "" if move.mark.proved else " class='guess'"
        yield f"<polyline{kind} points='{x1:.2f},{y1:.2f} {x2:.2f},{y2:.2f}'/>"
    yield "</svg>"
    for x, y, move in points:
        known = "proved" if move.mark.proved else "guess"
        told = escape(f"{words.turn(move)}: {words.grade(move)}, {words.leads_to(move.prospect)}")
        grade = move.mark.grade.replace(" ", "-")
        yield (
            f"<a class='dot {known} {grade}' href='#{prefix}-{move.ply}' "
            f"style='left:{x:.2f}%;top:{y:.2f}%' title='{told}' aria-label='{told}'></a>"
        )
    yield "</div>"
    yield f"<p class='ends quiet'><span>{second} wins</span><span>move {review.length}</span></p>"
    legend = escape(words.legend([review]))
    yield f"<p class='quiet'>Filled points are proved, hollow ones guessed. {legend}</p>"
    yield "</div>"


def _summary(review: Review) -> Iterator[str]:
    yield "<table><thead><tr><td></td>"
    yield from (f"<th class='number'>{escape(player)}</th>" for player in words.players(review))
    yield "</tr></thead><tbody>"
    for name, *cells in words.summary(review.sides):
        numbers = "".join(f"<td class='number'>{escape(cell)}</td>" for cell in cells)
        yield f"<tr><th scope='row'>{escape(name)}</th>{numbers}</tr>"
    yield "</tbody></table>"


def _row(move: Reviewed, prefix: str) -> Iterator[str]:
    """Write a move in the list, with its first reason as a tooltip; an error links to its card."""
    name = escape(f"{words.player(move)} {move.name}")
    target = f"{prefix}-{move.ply}"
    if move.error:
        place = f"<li class='{move.mark.grade}'>"
        name = f"<a href='#{target}'>{name}</a>"
    else:
        place = f"<li id='{target}'>"
    yield f"{place}<span class='quiet'>{words.numeral(move)}</span><span>{name}</span>"
    told = f"{words.leads_to(move.prospect)} ({words.knowledge(move)})"
    why = escape(" ".join(move.reasons))
    yield (
        f"<span title='{why}'><span class='grade'>{escape(words.grade(move))}</span> "
        f"<span class='quiet'>{escape(told)}</span></span></li>"
    )


def _error(move: Reviewed, prefix: str) -> Iterator[str]:
    yield f"<section class='card' id='{prefix}-{move.ply}'>"
    yield (
        f"<h2>{escape(words.turn(move))}: "
        f"<span class='grade {move.mark.grade}'>{escape(move.mark.grade)}</span></h2>"
    )
    yield f"<p>{escape(words.verdict(move))}</p>"
    reasons = "".join(f"<li>{escape(reason)}</li>" for reason in move.reasons)
    yield f"<ul class='reasons'>{reasons}</ul>"
    if move.missed:
        yield f"<p>{escape(words.missed_text(move))}</p>"
    yield "<div class='boards'>"
    scenes = [(move.before, f"Before: better was {words.better(move)}.")]
    if move.refutation:
        scenes.append((move.refutation.end, words.refutation(move, move.refutation)))
    # A game without a picture shows its text.
    yield from (quiet(scene.svg() or scene.text(), caption) for scene, caption in scenes)
    yield "</div></section>"
