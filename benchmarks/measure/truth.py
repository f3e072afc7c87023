"""Check that the sentences of explanations are true, by a second reading in plain Python.

    python benchmarks/measure/truth.py GAME [COUNT] [--out FILE]

It explains COUNT positions of random games (500, in Connect Four 2,000), always the same ones, and
compares every sentence with the board: it computes the squares, lines, moves and counts again from
the words alone, without any encoding. It prints each sentence that is false, unknown or without a
verb, then the number of sentences of each kind; it exits with 1 if there was such a sentence. FILE
keeps the explanations, so that another run resumes where this one ended.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import advisor

Square = tuple[int, int]
Stones = dict[Square, str]

PLIES = {"connect4": 36, "hex": 40, "gomoku": 60, "reversi": 58, "breakthrough": 50, "morris": 60}
"""Maximum plies of the random games."""

NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
STRAIGHT = ((1, 0), (0, 1), (1, 1), (1, -1))
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
"""Directions to the neighbours of a cell of Hex."""


@dataclass(frozen=True)
class Turn:
    """A move in a position, as the sentences about it see it."""

    position: Any
    move: str

    @cached_property
    def size(self) -> tuple[int, int]:
        rows = self.position.to_json()["rows"]
        return len(rows[0]), len(rows)

    @cached_property
    def stones(self) -> Stones:
        return stones(self.position)

    @cached_property
    def after(self) -> Stones:
        return stones(self.position.play(self.move))

    @property
    def me(self) -> str:
        return str(self.position.turn)

    @property
    def you(self) -> str:
        (name,) = {*self.position.game.players} - {self.me}
        return str(name)

    @cached_property
    def square(self) -> Square:
        """The square where a stone, a disc or a man arrives."""
        if self.position.game.name == "connect4":
            column = int(self.move)
            return column, 1 + sum(x == column for x, _ in self.stones)
        return self.named(self.move.removeprefix("x").rpartition("-")[2])

    def named(self, name: str) -> Square:
        """Return the square with this name in sentences."""
        column = "abcdefghijklmno".index(name[0]) + 1
        row = int(name[1:])
        return column, self.size[1] + 1 - row if self.position.game.name == "reversi" else row


def stones(position: Any) -> Stones:
    """Return the stones of a position by column and row, rows counted from below."""
    rows = list(reversed(position.to_json()["rows"]))
    return {
        (x, y): stone
        for y, row in enumerate(rows, 1)
        for x, stone in enumerate(row, 1)
        if stone not in (None, "", ".")
    }


def listing(turn: Turn, text: str, full: set[Square]) -> bool:
    """Whether a text names these squares, or some of them and the number of the others."""
    names = re.findall(r"\b[a-o]\d+\b", text)
    more = re.search(r"(\d+) more", text)
    named = {turn.named(name) for name in names}
    return named <= full and len(names) == len(named) == len(full) - int(more[1] if more else 0)


# Rows of stones, in several games


def step(square: Square, way: Square, times: int = 1) -> Square:
    return square[0] + times * way[0], square[1] + times * way[1]


def inside(square: Square, size: tuple[int, int]) -> bool:
    return 1 <= square[0] <= size[0] and 1 <= square[1] <= size[1]


@cache
def rows_of(size: tuple[int, int], length: int) -> list[tuple[Square, list[Square]]]:
    """List every straight row of a length on a board, with its direction."""
    found = []
    for x in range(1, size[0] + 1):
        for y in range(1, size[1] + 1):
            for way in STRAIGHT:
                row = [step((x, y), way, i) for i in range(length)]
                if all(inside(square, size) for square in row):
                    found.append((way, row))
    return found


def lacking(
    turn: Turn, board: Stones, player: str, length: int, count: int
) -> list[tuple[Square, list[Square]]]:
    """List rows on which a player lacks `count` stones and the opponent has none."""
    found = []
    for way, row in rows_of(turn.size, length):
        held = [board.get(square) for square in row]
        if held.count(player) == length - count and held.count(None) == count:
            found.append((way, row))
    return found


def completing(turn: Turn, board: Stones, player: str, length: int) -> set[Square]:
    """Return empty squares on which a stone of a player completes a row."""
    found = lacking(turn, board, player, length, 1)
    return {square for _, row in found for square in row if square not in board}


def spans(turn: Turn, found: list[tuple[Square, list[Square]]]) -> set[frozenset[Square]]:
    """Return the ends of rows; rows that overlap on one straight line count as one."""
    straights: dict[Any, list[list[Square]]] = {}
    for way, row in found:
        square = row[0]
        while inside(step(square, way, -1), turn.size):
            square = step(square, way, -1)
        straights.setdefault((way, square), []).append(row)
    ends = set()
    for (way, _), rows in straights.items():
        rows.sort(key=lambda row: row[0][0] * way[0] if way[0] else row[0][1])
        joined = [rows[0]]
        for row in rows[1:]:
            if row[0] in joined[-1]:
                joined[-1] = joined[-1] + [square for square in row if square not in joined[-1]]
            else:
                joined.append(row)
        ends |= {frozenset((row[0], row[-1])) for row in joined}
    return ends


def on_lines(turn: Turn, text: str, found: list[tuple[Square, list[Square]]]) -> bool:
    """Whether a text such as "on a1-d4 and on b2-e2" names exactly these rows."""
    named = {
        frozenset(map(turn.named, pair)) for pair in re.findall(r"on ([a-o]\d+)-([a-o]\d+)", text)
    }
    more = re.search(r"(\d+) more", text)
    meant = spans(turn, found)
    return bool(named) and named <= meant and len(meant) - len(named) == int(more[1] if more else 0)


# Connect Four


def playable(turn: Turn, board: Stones) -> set[Square]:
    """Return the squares on which a disc can land."""
    tops = [(x, 1 + sum(column == x for column, _ in board)) for x in range(1, turn.size[0] + 1)]
    return {square for square in tops if inside(square, turn.size)}


def wins_now(turn: Turn, board: Stones, player: str) -> set[Square]:
    return completing(turn, board, player, 4) & playable(turn, board)


def answers(turn: Turn, player: str) -> Iterator[Stones]:
    """Yield the boards after the move and each reply."""
    for square in playable(turn, turn.after):
        yield {**turn.after, square: player}


def completes_lines(turn: Turn, text: str) -> bool:
    rows = [row for row in lacking(turn, turn.after, turn.me, 4, 0) if turn.square in row[1]]
    return on_lines(turn, text, rows)


def blocks(turn: Turn, _: str, text: str) -> bool:
    rows = [row for row in lacking(turn, turn.stones, turn.you, 4, 1) if turn.square in row[1]]
    return on_lines(turn, text, rows)


def gives(turn: Turn, _: str, text: str) -> bool:
    above = turn.square[0], turn.square[1] + 1
    return listing(turn, text, {above}) and above in wins_now(turn, turn.after, turn.you)


def forks(turn: Turn, text: str, _: str) -> bool:
    """Whether the opponent cannot win, and every reply leaves a win."""
    new = wins_now(turn, turn.after, turn.me) - wins_now(turn, turn.stones, turn.me)
    safe = not wins_now(turn, turn.after, turn.you)
    left = all(wins_now(turn, board, turn.me) for board in answers(turn, turn.you))
    return listing(turn, text, new) and len(new) > 1 and safe and left


def forces(turn: Turn, text: str, _: str) -> bool:
    """Whether the opponent loses at once without a reply on the named square."""
    (square,) = map(turn.named, re.findall(r"\b[a-g]\d\b", text))
    safe = not wins_now(turn, turn.after, turn.you)
    lost = all(
        square in wins_now(turn, board, turn.me)
        for board in answers(turn, turn.you)
        if square not in board
    )
    return wins_now(turn, turn.after, turn.me) == {square} and safe and lost


def lets_take(turn: Turn, _: str, __: str, text: str) -> bool:
    above = turn.square[0], turn.square[1] + 1
    own = above in completing(turn, turn.stones, turn.me, 4)
    return listing(turn, text, {above}) and own and above in playable(turn, turn.after)


def gives_up(turn: Turn, _: str, line: str, you: str, text: str) -> bool:
    """Whether the opponent can take the square above, which would have completed these lines."""
    rows = lacking(turn, turn.stones, turn.me, 4, 1)
    above = turn.square[0], turn.square[1] + 1
    through = on_lines(turn, line, [each for each in rows if above in each[1]])
    return through and lets_take(turn, "", "", text)


def later(favoured: bool) -> Callable[..., bool]:
    """Make a check of new squares that win later, on rows that favour the player or not."""

    def check(turn: Turn, *said: str) -> bool:
        (text,) = (each for each in said if re.search(r"\d", each))
        new = completing(turn, turn.after, turn.me, 4) - completing(turn, turn.stones, turn.me, 4)
        own = 1 if turn.me == "x" else 0
        waiting = {(x, y) for x, y in new - playable(turn, turn.after)}
        return listing(turn, text, {s for s in waiting if (s[1] % 2 == own) is favoured})

    return check


def stops(turn: Turn, count: str | None, text: str, _: str) -> bool:
    return through(turn, lacking(turn, turn.stones, turn.you, 4, 2), count, text)


def builds(turn: Turn, _: str, count: str | None, text: str) -> bool:
    return through(turn, lacking(turn, turn.after, turn.me, 4, 2), count, text)


def through(turn: Turn, rows: Any, count: str | None, text: str) -> bool:
    """Whether a text names the rows through the move, except vertical ones, and their number."""
    found = [each for each in rows if turn.square in each[1] and each[0] != (0, 1)]
    return on_lines(turn, text, found) and (not count or NUMBERS.index(count) == len(found))


def takes_row(turn: Turn, square: str, row: str, *_: str | None) -> bool:
    """Whether the move is on an odd row for the player who began, on an even one for the other."""
    odd = turn.square[1] % 2 == 1
    return turn.named(square) == turn.square and odd is (row == "odd") is (turn.me == "x")


def from_middle(distance: int | None) -> Callable[..., bool]:
    def check(turn: Turn, count: str = "") -> bool:
        far = abs(2 * turn.square[0] - turn.size[0] - 1) // 2
        return far == (int(count) if distance is None else distance)

    return check


# Hex


def joins(turn: Turn, text: str) -> bool:
    near = {step(turn.square, way) for way in AROUND}
    return listing(turn, text, {s for s in near if turn.stones.get(s) == turn.me})


def between(a: Square, b: Square) -> list[Square]:
    """Return the two cells between the ends of a bridge; empty for other pairs."""
    both = [step(a, way) for way in AROUND if step(a, way) in {step(b, w) for w in AROUND}]
    return both if len(both) == 2 and b not in {step(a, way) for way in AROUND} else []


def bridges(turn: Turn, text: str) -> bool:
    full = {
        other
        for other, who in turn.stones.items()
        if who == turn.me
        and (cells := between(turn.square, other))
        and all(inside(c, turn.size) and c not in turn.stones for c in cells)
    }
    return listing(turn, text, full)


def intrudes(turn: Turn, text: str) -> bool:
    theirs = [s for s, who in turn.stones.items() if who == turn.you]
    pairs = [(a, b) for a in theirs for b in theirs if turn.square in between(a, b)]
    return listing(turn, text, {a for a, _ in pairs})


def touches(turn: Turn, player: str) -> bool:
    at, end = (turn.square[0], turn.size[0]) if player == "red" else (turn.square[1], turn.size[1])
    return player == turn.me and at in (1, end)


# Reversi, breakthrough, tic-tac-toe, gomoku, morris


def flipped(turn: Turn, square: Square, me: str) -> set[Square]:
    found: set[Square] = set()
    for way in (*STRAIGHT, *((-x, -y) for x, y in STRAIGHT)):
        line, at = [], step(square, way)
        while turn.stones.get(at) not in (None, me):
            line.append(at)
            at = step(at, way)
        found |= set(line) if turn.stones.get(at) == me else set()
    return found


def turns(turn: Turn, text: str) -> bool:
    return listing(turn, text, flipped(turn, turn.square, turn.me))


def passes(turn: Turn) -> bool:
    every = ((x, y) for x in range(1, turn.size[0] + 1) for y in range(1, turn.size[1] + 1))
    return not any(flipped(turn, s, turn.me) for s in every if s not in turn.stones)


def takes_corner(turn: Turn, text: str) -> bool:
    return turn.named(text) == turn.square and {*turn.square} <= {1, turn.size[0]}


def takes(turn: Turn, text: str) -> bool:
    gone = {s for s, who in turn.stones.items() if who == turn.you and turn.after.get(s) != who}
    return listing(turn, text, gone)


def ahead(turn: Turn) -> int:
    return 1 if turn.me == "white" else -1


def attackers(turn: Turn) -> list[Square]:
    """List the opponent's men that could take the man that has arrived."""
    x, y = turn.square
    men = [(x + side, y + ahead(turn)) for side in (-1, 1)]
    return [s for s in men if turn.after.get(s) == turn.you]


def near(turn: Turn, text: str) -> bool:
    far = turn.square[1] + ahead(turn) == (turn.size[1] if turn.me == "white" else 1)
    return turn.named(text) == turn.square and far and not attackers(turn)


def hangs(turn: Turn, text: str) -> bool:
    x, y = turn.square
    guards = [turn.after.get((x + side, y - ahead(turn))) for side in (-1, 1)]
    return turn.named(text) == turn.square and bool(attackers(turn)) and turn.me not in guards


def length(turn: Turn) -> int:
    return 3 if turn.position.game.name == "tictactoe" else 5


def completes_row(turn: Turn) -> bool:
    return bool([r for _, r in lacking(turn, turn.after, turn.me, length(turn), 0)])


def keeps_from_row(turn: Turn, _: str, text: str) -> bool:
    wins = completing(turn, turn.stones, turn.you, length(turn))
    return turn.named(text) == turn.square and turn.square in wins


def threatens_row(turn: Turn, text: str) -> bool:
    """Whether a text names squares that would then complete a row through the move."""
    wins = completing(turn, turn.after, turn.me, length(turn))
    if turn.position.game.name == "tictactoe":
        through = [r for _, r in lacking(turn, turn.after, turn.me, 3, 1) if turn.square in r]
        return listing(turn, text, {s for r in through for s in r if s not in turn.after})
    named = {turn.named(name) for name in re.findall(r"\b[a-o]\d+\b", text)}
    return bool(named) and named <= wins and "more" not in text


def double_row(turn: Turn, text: str, *_: str) -> bool:
    """Whether there are at least two such squares and the opponent has none, so one remains."""
    count = len(re.findall(r"\b[a-o]\d+\b", text))
    theirs = completing(turn, turn.after, turn.you, length(turn))
    alone = turn.position.game.name == "tictactoe" or not theirs
    return count > 1 and threatens_row(turn, text) and alone


def open_row(board: Stones, turn: Turn, who: str, count: int) -> list[set[Square]]:
    """List the free ends of rows of exactly `count` stones through the square of the move."""
    found = []
    for way in STRAIGHT:
        first = last = turn.square
        while board.get(step(first, way, -1)) == who:
            first = step(first, way, -1)
        while board.get(step(last, way)) == who:
            last = step(last, way)
        stretch = 1 + max(abs(last[0] - first[0]), abs(last[1] - first[1]))
        ends = {step(first, way, -1), step(last, way)}
        if stretch == count and all(inside(e, turn.size) and e not in board for e in ends):
            found.append(ends)
    return found


def open_three(turn: Turn, text: str) -> bool:
    rows = open_row(turn.after, turn, turn.me, 3)
    return listing(turn, text, {end for ends in rows for end in ends})


def keeps_open(turn: Turn, _: str, text: str) -> bool:
    theirs = {**turn.stones, turn.square: turn.you}
    return turn.named(text) == turn.square and bool(open_row(theirs, turn, turn.you, 4))


def mills() -> list[set[Square]]:
    """List the lines of nine men's morris: three adjacent points on its squares, or across."""
    found = []
    for out in (1, 2, 3):
        low, high = out, 8 - out
        for at in (low, high):
            found += [{(low, at), (4, at), (high, at)}, {(at, low), (at, 4), (at, high)}]
    for part in ((1, 2, 3), (5, 6, 7)):
        found += [{(i, 4) for i in part}, {(4, i) for i in part}]
    return found


def closes_mill(turn: Turn, text: str) -> bool:
    after, me = turn.after, turn.me
    through = [mill for mill in mills() if turn.square in mill]
    closed = [mill for mill in through if all(after.get(square) == me for square in mill)]
    named = [{*map(turn.named, pair)} for pair in re.findall(r"([a-g]\d)-([a-g]\d)", text)]
    known = all(any(pair <= mill for mill in closed) for pair in named)
    return known and len(named) == len(closed) and ("mills" in text) is (len(closed) > 1)


def keeps_from_mill(turn: Turn, _: str, text: str) -> bool:
    """Whether the opponent has the other two points of a mill, and a man for the third."""
    square = turn.named(text)
    men = [s for s, who in turn.stones.items() if who == turn.you]
    placed = len(turn.position.played) - sum(m.startswith("x") for m in turn.position.played) < 18
    for mill in mills():
        others = mill - {square}
        if square in mill and all(turn.stones.get(s) == turn.you for s in others):
            spare = [s for s in men if s not in others]
            steps = [s for s in spare if any({s, square} <= {a, b} for a, b in joined())]
            if placed or (len(men) == 3 and spare) or steps:
                return square == turn.square
    return False


def joined() -> Iterator[tuple[Square, Square]]:
    """Yield pairs of points of morris that are next to each other on a line."""
    for mill in mills():
        a, b, c = sorted(mill)
        yield from ((a, b), (b, c))


S = r"((?:[a-o]\d+(?:, | and )?)+(?:\d+ more)?)"
L = r"(on [a-o]\d+-[a-o]\d+(?:(?:, | and |, and )(?:on [a-o]\d+-[a-o]\d+|\d+ more))*)"
MOVES = (
    r"(?:Columns? \d+(?:(?:, | and )\d+)*|(?:All other|Every) \w+"
    r"|[\w+#=-]+(?:(?:, | and )[\w+#=-]+(?: more)?)*)"
)
WHO = r"(red|yellow|blue|white|black|x|o)"

LINE = f"(?:a line|(?:({'|'.join(NUMBERS)}) )?lines)"
WINNING = "(?:a winning square|winning squares)"

CONNECT4: Mapping[str, Callable[..., bool]] = {
    f"completes a line {L}": completes_lines,
    f"keeps {WHO} from completing a line {L}": blocks,
    f"lets {WHO} win at once on {S}": gives,
    f"threatens to win on {S}, and {WHO} can stop only one": forks,
    f"threatens to win on {S} at once, and {WHO} can stop only one": forks,
    f"threatens to win on {S}, so {WHO} must answer there": forces,
    f"lets {WHO} take {WHO}'s own winning square {S}": lets_take,
    f"makes {S} {WINNING} on a row that tends to fall to {WHO}": later(True),
    f"makes {S} {WINNING} for {WHO}, below which {WHO} must not play": later(False),
    f"lets {WHO} win on {S} later, and in the end such squares tend to fall to {WHO}": later(True),
    f"lets {WHO} win on {S} later, so {WHO} must not play right below": later(False),
    f"gives up {WHO}'s line {L}, for {WHO} can then take {S}": gives_up,
    f"closes {LINE} {L} in which {WHO} needed only two more discs": stops,
    f"leaves {WHO} only two discs short of {LINE} {L}": builds,
    f"takes {S} on an (odd|even) row, which suits {WHO}, and builds {LINE} {L}": takes_row,
    "lies in the middle, through which most lines run": from_middle(0),
    "lies next to the middle, through which most lines run": from_middle(1),
    r"lies (\d) columns from the middle, through which most lines run": from_middle(None),
}
READINGS: Mapping[str, Mapping[str, Callable[..., bool]]] = {
    "connect4": CONNECT4,
    "hex": {
        f"joins {S}": joins,
        f"makes a bridge to {S}": bridges,
        f"gets between {S}": intrudes,
        f"touches a side that {WHO} has to join": touches,
    },
    "reversi": {
        f"takes the corner {S}, where a disc is never turned": takes_corner,
        f"turns {S}": turns,
        "passes, since nothing can be turned": passes,
    },
    "breakthrough": {
        f"takes the man on {S}": takes,
        f"stands one step from the far row on {S}, where nothing can take it": near,
        f"goes to {S}, where the man can be taken and nothing takes back": hangs,
    },
    "tictactoe": {
        "completes a line": completes_row,
        f"keeps {WHO} from completing a line on {S}": keeps_from_row,
        f"makes a double threat, to complete a line on {S}": double_row,
        f"threatens to complete a line on {S}": threatens_row,
    },
    "gomoku": {
        "completes a row": completes_row,
        f"keeps {WHO} from completing a row on {S}": keeps_from_row,
        f"threatens to complete a row on {S}, and {WHO} can stop only one": double_row,
        f"threatens to complete a row on {S}": threatens_row,
        f"keeps {WHO} from a row with two open ends through {S}": keeps_open,
        f"makes a row with open ends on {S}": open_three,
    },
    "morris": {
        r"closes ((?:a mill|mills) on .*) and takes a man": closes_mill,
        f"takes the man on {S}": takes,
        f"keeps {WHO} from closing a mill with a man on {S}": keeps_from_mill,
    },
}
"""Patterns of the effects of a move in sentences, each with its check on the board."""

OTHERS = (
    r"After .* (red|yellow|blue|white|black|x|o) wins \d+ % of the random games.*",
    r"Only \d+ random games? tried .*, too few to tell how good it is",
    r".* is the only move that is not known to lose",
    r"No other move lasts longer",
    r".* (do|does) as well",
    r"Nothing that counts tells .* from other moves",
    r"Only small differences speak for .*",
    r".* was chosen by (what is proved|the solution), not by its score",
    r".* (is|are) the look-ahead's choice among moves .*",
    r"After .*, neither player can complete a line any more",
    r".* (leads?|hold) to a draw.*",
)
"""Patterns of sentences that say nothing to check on the board."""

VERB = re.compile(
    r"\b(is|are|was|wins?|loses?|leads?|has|have|do|does|tells|speak|lasts?|must|runs|can|completes"
    r"|keeps|lets|threatens|makes|closes|leaves|takes|lies|gives|joins|gets|touches|turns|passes"
    r"|stands|goes)\b"
)
"""Verbs, one of which makes a sentence; a heading or a list of squares has none."""


def has_verb(sentence: str) -> bool:
    """Whether the main clause has a verb, before its relative clauses and outside brackets."""
    text = re.sub(r"^Not .*?: |\(.*?\)", "", sentence)
    main = re.split(r", which |: |, the last of which ", text)[0]
    return bool(VERB.search(main))


class Reader:
    """Reads the explanation of one position; `wrong` collects false and unknown sentences."""

    def __init__(self, position: Any, seen: Counter[str]) -> None:
        self.position, self.seen = position, seen
        self.wrong: list[tuple[str, str]] = []
        self.moves = {str(move): move for move in position.moves}

    def read(self, sentence: str, subject: str | None) -> str | None:
        """Check a sentence; return the move that "It" in the next sentence stands for."""
        if not has_verb(sentence):
            self.wrong.append(("no verb", sentence))
        text = re.sub(r"^Not (.*?): it ", r"\1 ", sentence.removesuffix("."))
        name = r"(?:[Cc]olumn )?([\w+#=-]+)"
        if found := re.fullmatch(rf"(\w+) must play {name}: it (.*)", text):
            self.check(sentence, self.must(found[2]))
            self.does(sentence, [found[2]], found[3])
            return found[2]
        if found := re.fullmatch(rf"{name} runs into (?:\w+'s )?{name}, which (.*)", text):
            self.does(sentence, [found[1], found[2]], found[3])
        elif found := re.fullmatch(rf"{name} can lead to (.*), the last of which (.*)", text):
            self.does(sentence, [found[1], *found[2].split()], found[3])
        elif found := re.fullmatch(
            rf"({MOVES}) (?:lasts? longest: \w+ )?(wins?|loses?)( the game|\b.*)", text
        ):
            return self.decided(sentence, found[1], found[2].rstrip("s"), found[3]) or subject
        elif found := re.fullmatch(r"After ([\w -]+), ((?:\w+) (?:has|would have) .*)", text):
            self.check(sentence, self.counts(found[2]), "features")
        elif any(re.fullmatch(pattern, text) for pattern in OTHERS):
            self.seen["no claim on the board"] += 1
            found = re.match(rf"{name} ", text)
            return found[1] if found and found[1] in self.moves else subject
        elif found := re.fullmatch(rf"After ([^,]+), {name} (.*)", text):
            self.does(sentence, [*found[1].split(), found[2]], found[3])
        elif found := re.fullmatch(rf"(?:It(?: also)?|{name}) (.*)", text):
            move = found[1] if found[1] in self.moves else subject
            self.does(sentence, [move or ""], found[2])
            return move
        else:
            self.wrong.append(("unknown", sentence))
        return subject

    def check(self, sentence: str, true: bool, kind: str = "") -> None:
        self.seen[kind or "moves"] += 1
        if not true:
            self.wrong.append(("false", sentence))

    def does(self, sentence: str, line: list[str], said: str) -> None:
        """Check the effects of the last move of a line."""
        position = self.position
        for move in line[:-1]:
            position = position.play(move)
        turn = Turn(position, line[-1])
        if turn.move not in map(str, position.moves):
            self.wrong.append(("no move", sentence))
            return
        readings = READINGS[position.game.name]
        while said:
            for pattern, true in readings.items():
                found = re.match(rf"{pattern}(?:$|, and (?=[a-z]+s )| and (?=[a-z]+s ))", said)
                if found:
                    kind = pattern.replace(S, "_").replace(L, "_").replace(WHO, "_")
                    self.check(sentence, true(turn, *found.groups()), kind)
                    said = said[found.end() :]
                    break
            else:
                self.wrong.append(("unknown", sentence))
                return

    def must(self, move: str) -> bool:
        """Whether every other move loses at once."""
        return move in self.moves and all(
            self.loses(each) for name, each in self.moves.items() if name != move
        )

    def loses(self, move: Any) -> bool:
        after, turn = self.position.play(move), Turn(self.position, str(move))
        if self.position.game.name == "gomoku":
            return bool(completing(turn, turn.after, turn.you, 5))
        return any(after.play(reply).winner == after.turn for reply in after.moves)

    def decided(self, sentence: str, names: str, kind: str, rest: str) -> str | None:
        """Check an immediate win or loss and the lines that are named; only count longer ones."""
        named = [name for name in re.findall(r"[\w#+=-]+", names) if name in self.moves]
        if not named and not re.match(r"(All other|Every) ", names):
            self.wrong.append(("unknown", sentence))
            return None
        if names.startswith("All other"):
            named = []  # the sentence does not say which
        me = self.position.turn
        at_once = rest.startswith((" at once", " the game"))
        self.seen[f"{kind} {'at once' if at_once else 'later'}"] += 1
        for name in named if at_once else ():
            move = self.moves[name]
            won = kind == "win" and self.position.play(move).winner == me
            if not (won or (kind == "lose" and self.loses(move))):
                self.wrong.append(("false", sentence))
        if at_once and named and (found := re.search(r"completes a line (.*)", rest)):
            for name in named:
                self.check(sentence, self.lines(name, kind, found[1]), "lines of an end")
        return named[0] if len(named) == 1 else None

    def lines(self, name: str, kind: str, text: str) -> bool:
        """Whether a text names lines that the winning move or reply completes."""
        turn = Turn(self.position, name)
        if kind == "win":
            return completes_lines(turn, text)
        after = self.position.play(self.moves[name])
        board, them, ends = stones(after), after.turn, set[frozenset[Square]]()
        for square in wins_now(turn, board, them):
            rows = lacking(turn, {**board, square: them}, them, 4, 0)
            ends |= spans(turn, [each for each in rows if square in each[1]])
        named = re.findall(r"on ([a-g]\d)-([a-g]\d)", text)
        return bool(named) and {frozenset(map(turn.named, pair)) for pair in named} <= ends

    def counts(self, text: str) -> bool:
        """Whether a text names as many squares or lines as it counts."""
        true = True
        for number, places in re.findall(rf"({'|'.join(NUMBERS)}) [^()]*? \(([^()]*)\)", text):
            where = places.partition(": ")[2] if " place" in places else places
            where = where.partition(";")[0]
            told = re.search(r"in (\w+) places?", places)
            count = NUMBERS.index(told[1] if told else number)
            more = re.search(r"(\d+) more", where)
            listed = len(re.findall(r"[a-g]\d(?:-[a-g]\d)?", where)) + int(more[1] if more else 0)
            true = true and (not listed or listed == count)
        return true


def some_positions(game: str, seed: int = 7) -> Iterator[Any]:
    """Yield unfinished positions of random games; keep a fifth of the positions that one move can
    end."""
    return random_positions(advisor.load_game(game), seed, PLIES.get(game, 7), kept=0.2)


def random_positions(game: Any, seed: int, plies: int, kept: float = 1.0) -> Iterator[Any]:
    """Yield such positions of any game; keep the share `kept` of positions that one move can
    end."""
    rng, start = random.Random(seed), game.position()
    while True:
        position = start
        for _ in range(rng.randint(1, plies)):
            after = position.play(rng.choice(position.moves))
            if after.over:
                break
            position = after
        wanted = rng.random() >= 1 - kept
        if wanted or not any(position.play(move).over for move in position.moves):
            yield position


def explained(game: str, count: int, kept: Path | None = None) -> Iterator[tuple[Any, list[Any]]]:
    """Yield positions with the paragraphs that explain them, each as its sentences."""
    from advisor.advice.explain import paragraphs

    lines = kept.read_text().splitlines() if kept and kept.exists() else []
    for number, position in zip(range(count), some_positions(game), strict=False):
        if number < len(lines):
            yield position, json.loads(lines[number])
            continue
        told = paragraphs(advisor.suggest(position, depth=5 if game == "connect4" else 2))
        if kept:
            with kept.open("a") as file:
                file.write(json.dumps(told) + "\n")
        yield position, told


def read_all(game: str, count: int, kept: Path | None = None) -> tuple[Counter[str], list[str]]:
    """Count the kinds of sentences, and list the wrong ones."""
    seen: Counter[str] = Counter()
    wrong = []
    for position, told in explained(game, count, kept):
        reader = Reader(position, seen)
        for paragraph in told:
            subject = None
            for sentence in paragraph:
                seen["sentences"] += 1
                subject = reader.read(sentence, subject)
        wrong += [f"{kind}: {text}  [{position.text}]" for kind, text in reader.wrong]
    return seen, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=READINGS)
    parser.add_argument("count", type=int, nargs="?")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    count = asked.count or (2000 if asked.game == "connect4" else 500)
    seen, wrong = read_all(asked.game, count, asked.out)
    for line in wrong:
        print(line)
    for kind, number in seen.most_common():
        print(f"{number:6} {kind}")
    print(f"{asked.game}: {count} explanations, {seen['sentences']} sentences, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
