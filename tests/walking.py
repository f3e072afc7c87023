"""One walk over the page, for any game and any hand: play, advice, a reason, a review, a puzzle.

Then it changes what the game knows: a rule of the owner's own game, a weight where there are any.
At each stop axe looks at the page, and by keyboard the focus is seen and never lost.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from browser import PATIENCE, Server, expect, faults, visit

HANDS = ("mouse", "touch", "keyboard")
GRADES = ("best", "good", "unclear", "inaccuracy", "mistake", "blunder")

RULES = """% Purpose: four marks beside or above each other win, on five times five squares.
% Input:   true(A), does(P, M)
% Derives: the game

#defined true/1.
#defined does/2.

role(x). role(o).
other(x, o). other(o, x).
cell(1..5, 1..5).

base(mark(P, X, Y)) :- role(P), cell(X, Y).
base(turn(P))       :- role(P).
input(P, put(X, Y)) :- role(P), cell(X, Y).
init(turn(x)).

mark(P, X, Y) :- true(mark(P, X, Y)).
turn(P)       :- true(turn(P)).
free(X, Y)    :- cell(X, Y), not mark(x, X, Y), not mark(o, X, Y).

legal(P, put(X, Y)) :- turn(P), free(X, Y), not terminal.

next(mark(P, X, Y)) :- mark(P, X, Y).
next(mark(P, X, Y)) :- does(P, put(X, Y)).
next(turn(P'))      :- turn(P), other(P, P').

wins(P) :- mark(P, X, Y), mark(P, X + 1, Y), mark(P, X + 2, Y), mark(P, X + 3, Y).
wins(P) :- mark(P, X, Y), mark(P, X, Y + 1), mark(P, X, Y + 2), mark(P, X, Y + 3).

terminal :- wins(_).
terminal :- not free(_, _).
goal(P, 100) :- wins(P).
goal(P, 0)   :- other(P, P'), wins(P').
goal(P, 50)  :- role(P), not wins(x), not wins(o).

at(X, Y, P) :- mark(P, X, Y).
aim("Four beside or above each other win.").
called((X, Y), (letter(X), Y)) :- cell(X, Y).
called(put(X, Y), (X, Y))      :- cell(X, Y).
"""
FEATURES = """% What a position is worth.
feature(nook, P, (1, 1)) :- mark(P, 1, 1).
sentence(feature(nook), "a mark in the nook").
"""
MENDED = FEATURES.replace("1, 1", "5, 4")
"""The nook is elsewhere, and so is the best first move."""
WEIGHTS = "features: {nook: 9}\n"


@dataclass(frozen=True)
class Game:
    """What the walk needs to know of a game; moves are squares, or columns of Connect Four."""

    address: str
    moves: tuple[str, ...]
    """What is pointed at, square after square."""
    played: str
    """The moves in the address then, those that it had before too."""
    steps: int
    """As many moves in the list."""
    squares: int = 1
    """Of a move."""
    weight: str | None = None


GAMES = {
    "connect4": Game(
        "size=5x4x4&exact=off&level=2&moves=243", ("1", "1"), "24311", 5, weight="center(0)"
    ),
    "chess": Game(
        "game=chess&moves=f2f3", ("5,7", "5,5", "7,2", "7,4"), "f2f3 e7e5 g2g4", 3, 2, "check"
    ),
    "hex": Game("game=hex&const=size=3", ("1,1", "2,2"), "put(1,1) put(2,2)", 2),
    "own": Game(
        "game={own}&moves=put(2,2)+put(1,5)",
        ("3,2", "5,5"),
        "put(2,2) put(1,5) put(3,2) put(5,5)",
        4,
    ),
}
"""Games in which a move of theirs is an error, out of which the walk makes a puzzle."""


def write_games(folder: Path) -> list[Path]:
    """A game of one's own for each hand, since each changes its rules."""
    games = [folder / f"own_{hand}" for hand in HANDS]
    for game in games:
        game.mkdir()
        for name, text in (
            ("rules.lp", RULES),
            ("features.lp", FEATURES),
            ("weights.yaml", WEIGHTS),
        ):
            (game / name).write_text(text)
    return games


@contextmanager
def serving(folder: Path) -> Iterator[tuple[Server, str]]:
    """A server with these games, and the key of its owner as an address has it.

    The key is empty where no plugin lets the owner edit rules.
    """
    server = Server(*(part for game in write_games(folder) for part in ("--game", game)))
    try:
        edited = find_spec("advisor.plugins.classroom") is not None
        yield server, server.says().split()[0].partition("&")[2] if edited else ""
    finally:
        server.stop()


class Hand:
    """Points at things: by mouse, by touch, or by Tab, arrows and Enter alone."""

    def __init__(self, page: Any, kind: str) -> None:
        self._page = page
        self.kind = kind

    def press(self, what: Any) -> None:
        """Presses a button, chooses a field to write into."""
        what = self._page.locator(what).first if isinstance(what, str) else what
        expect(what).to_be_enabled()
        if self.kind == "mouse":
            what.click()
        elif self.kind == "touch":
            what.tap()
        else:
            self._reach(what)
            if what.evaluate("e => !e.matches('input, textarea')"):
                self._page.keyboard.press("Enter")

    def write(self, what: Any, text: str) -> None:
        """Replaces what stands in a field."""
        self.press(what)
        self._page.keyboard.press("ControlOrMeta+A")
        self._page.keyboard.insert_text(text)

    def play(self, squares: tuple[str, ...]) -> None:
        """A move on the board: a column or a square, or two of them, by mouse by dragging."""
        places = [
            self._page.locator(f"[data-square='{at}'], [data-column='{at}']") for at in squares
        ]
        if self.kind == "keyboard":
            for place in places:
                self._walk(place)
                self._page.keyboard.press("Enter")
        elif self.kind == "mouse" and len(places) == 2:
            self._drag(*places)
        else:
            for place in places:
                self.press(place)

    def look(self) -> None:
        """By keyboard: where the focus is can be seen."""
        if self.kind == "keyboard":
            seen = self._page.evaluate(
                """() => {
                  const e = document.activeElement, {top, bottom} = e.getBoundingClientRect();
                  const marked = getComputedStyle(e).outlineStyle !== "none"
                    || e.matches(".slanted .field");
                  return e !== document.body && e.checkVisibility() && e.matches(":focus-visible")
                    && marked && bottom > 0 && top < innerHeight ? "" : e.outerHTML.slice(0, 200);
                }"""
            )
            assert seen == ""

    def _drag(self, begin: Any, end: Any) -> None:
        mouse = self._page.mouse
        for place, press in ((begin, mouse.down), (end, mouse.up)):
            box = place.bounding_box()
            mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
            press()

    def _reach(self, what: Any) -> None:
        """By Tab, back where it lies before."""
        back = what.evaluate(
            """e => Boolean(document.activeElement !== document.body
                 && document.activeElement.compareDocumentPosition(e) & 2)"""
        )
        for _ in range(200):
            if what.evaluate("e => e === document.activeElement"):
                return self.look()
            self._page.keyboard.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"Tab does not lead to {what}")

    def _walk(self, place: Any) -> None:
        """To a square of the board, by arrows."""
        board = self._page.locator(".board:visible, .grid:visible")
        if not board.evaluate("e => e.contains(document.activeElement)"):
            self._reach(board.locator("button:not([tabindex='-1'])").first)
        for _ in range(40):
            right, up = place.evaluate(
                """e => {
                  const at = (e) => (e.dataset.square ?? `${e.dataset.column},1`).split(",");
                  const [from, to] = [document.activeElement, e].map(at);
                  return [to[0] - from[0], to[1] - from[1]];
                }"""
            )
            if not right and not up:
                return self.look()
            across = "ArrowRight" if right > 0 else "ArrowLeft"
            self._page.keyboard.press(across if right else "ArrowUp" if up > 0 else "ArrowDown")
        raise AssertionError(f"arrows do not lead to {place}")


def walk(browser: Any, server: Server, key: str, name: str, kind: str, axe: Any) -> None:
    """Goes through the page with a game.

    Args:
        browser: in which it is shown.
        server: one of `serving`.
        key: its owner's.
        name: of the game, one of `GAMES`.
        kind: of pointing, one of `HANDS`.
        axe: looks at the page.
    """
    game = GAMES[name]
    size = {"width": 390, "height": 844} if kind == "touch" else {"width": 1200, "height": 900}
    context = browser.new_context(viewport=size, has_touch=kind == "touch", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: dialog.accept())
    hand = Hand(page, kind)

    def look() -> None:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert faults(page, axe) == []
        hand.look()

    visit(page, server, f"{game.address.format(own=f'own_{kind}')}&{key}")
    _play(page, hand, game)
    _ask_why(page, hand)
    look()
    _review(page, hand, game)
    look()
    _solve(page, hand, game)
    look()
    _take_away(page, hand)
    _play_the_advisor(page, hand, game)
    hand.press("[data-mode='analyse']")
    if name == "own":
        if key:
            _change_a_rule(page, hand, look)
    elif game.weight:
        _change_a_weight(page, hand, game.weight)
    else:
        expect(page.locator("#rules-card, #weights-card").locator("visible=true")).to_have_count(0)
    look()
    assert errors == []
    context.close()


def _play(page: Any, hand: Hand, game: Game) -> None:
    """Moves arrive on the board, in the list and in the address."""
    before = page.locator("#moves-card .step").count()
    for first in range(0, len(game.moves), game.squares):
        hand.play(game.moves[first : first + game.squares])
        before += 1
        expect(page.locator("#moves-card .step")).to_have_count(before)
        expect(page.locator(":is(.square, .field).last")).to_have_count(game.squares)
        hand.look()
    assert before == game.steps
    moves = "new URLSearchParams(location.hash.slice(1)).get('moves')"
    assert page.evaluate(moves) == game.played
    # What to play is on the board and in words, all of it in sight on a phone.
    expect(page.locator("#best strong")).to_be_visible()
    expect(page.locator("#bar")).to_have_attribute("aria-label", re.compile("^Who is ahead: "))
    expect(page.locator(":is(.score, .field).best").first).to_be_visible()
    for seen in ("#best", "#bar", ".board:visible, .grid:visible"):
        expect(page.locator(seen)).to_be_in_viewport(ratio=1)


def _ask_why(page: Any, hand: Hand) -> None:
    """Why not the last move? The answer names squares, which light up, also where it is read."""
    expect(page.locator("#progress.busy")).to_have_count(0)
    hand.press(page.locator("#choices-card > summary"))
    hand.press(page.locator("#move-list button").last)
    asked = page.locator("#move-list [aria-pressed='true']")
    expect(asked).to_have_count(1)
    if hand.kind == "keyboard":
        expect(asked).to_be_focused()
    lit = page.locator(":is(.square, .field).lit")
    expect(lit.first).to_be_visible()
    reason = page.locator("#advice .speaks").first
    hand.press(reason)
    expect(lit.first).to_be_visible()
    hand.press(page.locator("#advice-card").get_by_role("button", name="Back to the advice"))
    expect(page.locator("#advice-title")).to_have_text("Why")


def _review(page: Any, hand: Hand, game: Game) -> None:
    """Each move gets a grade, and the errors are found."""
    hand.press("#review")
    expect(page.locator("#review-card .sides")).to_be_visible()
    dots = page.locator("#review-card .dot")
    expect(dots).to_have_count(game.steps)
    for dot in dots.all():
        assert set(dot.get_attribute("class").split()) & {*GRADES}
    back = page.get_by_role("button", name="First position")
    hand.press(back)
    expect(page.locator("#moves-card .later")).to_have_count(game.steps)
    hand.press(page.get_by_role("button", name="Next error"))
    error = re.compile("inaccuracy|mistake|blunder")
    expect(page.locator("#review-card .headline .grade")).to_have_text(error)


def _solve(page: Any, hand: Hand, game: Game) -> None:
    """An error becomes a puzzle; hints lead to its solution."""
    hand.press("#practise")
    expect(page.locator("#puzzle-title")).to_contain_text("My mistakes, problem 1")
    expect(page.locator("#puzzle-card")).to_contain_text(re.compile("was played, an? .*: find a"))
    _play_as_hinted(page, hand, game, "#verdict", "The move is (?!not)")
    expect(page.locator(".verdict.solved")).to_be_visible()
    expect(page.locator("#book-card")).to_contain_text("1 of ")


def _play_as_hinted(page: Any, hand: Hand, game: Game, told: str, named: str) -> None:
    """Asks for hints until one names the move, as this expression says, and plays it."""
    words = page.locator(told)
    while not re.search(named, before := words.inner_text()):
        hand.press("#hint")
        expect(words).not_to_have_text(before)
    # Of a move from square to square first one where it can begin, then one to which it leads.
    for _ in range(game.squares):
        place = page.locator(".hinted:is(.open, .column):not(.chosen)").first
        hand.play((place.evaluate("e => e.dataset.square ?? e.dataset.column"),))


def _take_away(page: Any, hand: Hand) -> None:
    """The puzzle as a page of its own."""
    hand.press("#share-card > summary")
    with page.expect_download() as download:
        hand.press("#export")
    assert "find a better move" in download.value.path().read_text()


def _play_the_advisor(page: Any, hand: Hand, game: Game) -> None:
    """A move by hints, which the advisor answers unless it ends the game; no list gives it away."""
    hand.press("[data-mode='play']")
    expect(page.locator("#sentence")).to_contain_text(re.compile("Your move|The advisor played"))
    expect(page.locator("#choices-card")).to_be_hidden()
    steps = page.locator("#moves-card .step")
    before = steps.count()
    _play_as_hinted(page, hand, game, "#sentence", "Best: ")
    expect(steps.nth(before)).to_be_visible()
    expect(page.locator("#live")).to_contain_text(" plays ")
    expect(page.locator("#progress.busy")).to_have_count(0)
    expect(page.locator("#status")).to_contain_text(re.compile("to move|is over|won"))


def _change_a_rule(page: Any, hand: Hand, look: Any) -> None:
    """An error is told at its line; what is mended decides."""
    hand.press("#restart")
    expect(page.locator("#best")).to_contain_text("A1", ignore_case=True)
    hand.press("#rules-card > summary")
    expect(page.locator("#rules-text")).to_have_value(FEATURES)
    hand.write(page.locator("#rules-text"), MENDED.replace("mark(P, 5", "mrk(P, 5"))
    hand.press("#rules-save")
    expect(page.locator("#rules-error")).to_contain_text("features.lp:2: no rule derives 'mrk/3'")
    expect(page.locator(".line-numbers mark")).to_have_text("2")
    look()
    hand.press(page.get_by_role("button", name="Go to line 2"))
    expect(page.locator("#rules-text")).to_be_focused()
    hand.write(page.locator("#rules-text"), MENDED)
    hand.press("#rules-save")
    expect(page.locator("#rules-card [role=status]")).to_contain_text("Saved: features.lp.")
    expect(page.locator("#best")).to_contain_text("E4", ignore_case=True)


def _change_a_weight(page: Any, hand: Hand, weight: str) -> None:
    """The advice is asked for by it, once there is some by the usual weight."""
    expect(page.locator("#choices-card")).to_be_visible()
    hand.press("#weights-card > summary")
    hand.write(page.locator("#weight-search"), weight)
    name = page.locator("code", has_text=re.compile(f"^{re.escape(weight)}$"))
    row = page.locator(".weight-row", has=name)
    with page.expect_request(lambda request: ": 77}" in (request.post_data or "")):
        hand.write(row.locator("input[type=number]"), "77")
        page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(":77"))
