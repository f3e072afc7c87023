"""A game or a puzzle as one standalone page: boards to step through."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files

from advisor.advice.review import Review, Reviewed
from advisor.views import review_html
from advisor.views import review_words as words
from advisor.views.document import document, figure


@dataclass(frozen=True, slots=True)
class Frame:
    """A position as a page shows it.

    Attributes:
        picture: as `figure` takes it.
        move: the move that led to the position.
        numeral: the number of that move, such as ``3.``.
        status: the side to move, or the winner.
    """

    picture: str | Sequence[str]
    move: str
    numeral: str
    status: str


@dataclass(frozen=True, slots=True)
class ReplayQuestion:
    """A question about the first position; the frames after it are the solution.

    Attributes:
        moves: every legal move, as people write it.
        right: the right answers.
    """

    task: str
    moves: Sequence[str]
    right: Sequence[str]


def page(
    title: str,
    frames: Sequence[Frame],
    *,
    review: Review | None = None,
    question: ReplayQuestion | None = None,
    ply: int = 0,
) -> str:
    """Make the page. Without scripts it shows all boards, one below the other.

    Args:
        title: of the page.
        frames: the positions in order.
        review: grades for the moves, and a summary below the boards.
        question: turns the page into a puzzle.
        ply: index of the frame to show first.
    """
    graded = {} if review is None else {move.ply: move for move in review.moves}
    body = [f"<section class='card'><h1>{escape(title)}</h1>"]
    if question is not None:
        body += _question(question)
    body.append(f"<div id='boards' data-first='{ply}'>")
    for number, frame in enumerate(frames):
        told = [frame.status]
        if move := graded.get(number):
            told = [f"{words.turn(move)}: {words.grade(move)}", *move.reasons]
        elif frame.move:
            told.insert(0, f"{frame.numeral} {frame.move}")
        text = "".join(f"<p>{escape(line)}</p>" for line in told)
        body.append(figure(frame.picture, f"<figcaption aria-live='polite'>{text}</figcaption>"))
    body += ["</div>", *_line(frames, graded), "</section>"]
    if review is not None:
        body += review_html.game(replace(review, title="Review"), "g1")
    text = "\n".join(body)
    script = (files("advisor.views") / "replay.js").read_text("utf-8")
    return document(title, f"<main>\n{text}\n</main>\n<script>\n{script}</script>")


def _question(question: ReplayQuestion) -> Iterator[str]:
    yield f"<p><b>{escape(question.task)}</b></p>"
    right = escape(" or ".join(question.right))
    yield f"<div id='answers' class='buttons' data-right='{right}'>"
    for move in question.moves:
        yes = "yes" if move in question.right else ""
        yield f"<button type='button' data-right='{yes}'>{escape(move)}</button>"
    yield "</div><p id='verdict' role='status'></p>"
    yield "<p class='buttons'>"
    yield "<button type='button' id='given' hidden>Show the solution</button></p>"


def _line(frames: Sequence[Frame], graded: Mapping[int, Reviewed]) -> Iterator[str]:
    """Write the list of moves, each of which shows its board."""
    yield "<div id='line'><p class='buttons'>"
    yield "<button type='button' id='back' aria-label='Step back'>&lsaquo;</button>"
    yield "<button type='button' id='forth' aria-label='Step forward'>&rsaquo;</button></p>"
    yield "<ol class='line'>"
    for ply, frame in enumerate(frames[1:], 1):
        grade = f" class='{graded[ply].mark.grade}'" if ply in graded else ""
        link = f"<a href='#' data-ply='{ply}' class='grade'>{escape(frame.move)}</a>"
        yield f"<li{grade}><span class='quiet'>{escape(frame.numeral)}</span> {link}</li>"
    yield "</ol></div>"
