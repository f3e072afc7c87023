"""Pages of texts that look like HTML: none of them becomes an element or an attribute."""

from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import pytest

import advisor
from advisor.advice.review import Refutation, Review
from advisor.games.abilities import Scene
from advisor.views import document, notebook, replay_html, review_html, sheet

EVIL = "<i>&\"'"
SCENE = Scene(text=lambda: [EVIL], svg=lambda: None, called=lambda _: EVIL, numbered=False)


@cache
def review() -> Review:
    """A lost game whose every text is evil, and whose moves are errors."""
    found = advisor.review(advisor.position("1223334444", size=(4, 4)), depth=2)
    moves = tuple(
        replace(
            move,
            player=EVIL,
            names=dict.fromkeys(move.names, EVIL),
            mark=replace(move.mark, grade="blunder", better=(*move.names,)[:2]),
            reasons=(EVIL,),
            missed=(EVIL,),
            before=SCENE,
            refutation=Refutation((EVIL,), SCENE),
        )
        for move in found.moves[:-1]
    )
    last = replace(found.moves[-1], player=EVIL, names=dict.fromkeys(found.moves[-1].names, EVIL))
    last = replace(last, reasons=(EVIL,), before=SCENE, mark=replace(last.mark, grade="best"))
    return replace(found, title=EVIL, players=(EVIL, EVIL), ended=EVIL, moves=(*moves, last))


def frames() -> list[replay_html.Frame]:
    return [replay_html.Frame([EVIL], EVIL, EVIL, EVIL) for _ in range(3)]


PAGES = {
    "review": lambda: review_html.page([review()]),
    "two reviews": lambda: review_html.page([review(), review()]),
    "replay": lambda: replay_html.page(EVIL, frames()),
    "graded replay": lambda: replay_html.page(EVIL, frames(), review=review()),
    "puzzle": lambda: replay_html.page(
        EVIL, frames(), question=replay_html.ReplayQuestion(EVIL, [EVIL], [EVIL])
    ),
    "notebook": lambda: notebook.review(review()),
    "cards": lambda: document.cards(
        EVIL, [document.section(EVIL, [EVIL], [EVIL], [[EVIL]], [([EVIL], EVIL)])]
    ),
    "sheet": lambda: sheet.html(EVIL, [sheet.Exercise([EVIL], EVIL, EVIL, EVIL)]),
}


class Reader(HTMLParser):
    """Collects what a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.texts += (value or "" for _, value in attrs)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("kind", PAGES)
def test_no_text_becomes_an_element(kind: str) -> None:
    page = PAGES[kind]()
    read = Reader(page)
    assert "i" not in read.tags
    assert all(name.replace("-", "").isalnum() for name in read.attributes)
    # Each of them is still there as it was, and nothing was escaped twice.
    assert sum(text.count(EVIL) for text in read.texts) == page.count("&lt;i&gt;") > 2
    assert "&amp;amp;" not in page
