"""What strategies and features of Connect Four mean, stated a second time from their sentences.

The encodings and their circuits agree elsewhere, by which both may be wrong alike. Here each name
has a definition in plain Python, written from the sentence that a user reads, and is compared with
what the encodings derive of thousands of random positions.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest

import advisor
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator, Strategies
from advisor.settings.reading import load
from aspcircuits.clingo_api import Term, render

Square = tuple[int, int]
Line = tuple[str, tuple[Square, ...]]
SIZES = ((7, 6, 4), (6, 5, 4), (5, 4, 3))
DIRECTIONS = {"level": (0, 1), "upright": (1, 0), "rising": (1, 1), "falling": (-1, 1)}


@cache
def lines(width: int, height: int, connect: int) -> list[Line]:
    """All lines of a board, each with its direction."""
    found = []
    for name, (up, right) in DIRECTIONS.items():
        for row in range(1, height + 1):
            for column in range(1, width + 1):
                squares = tuple((row + i * up, column + i * right) for i in range(connect))
                if all(1 <= r <= height and 1 <= c <= width for r, c in squares):
                    found.append((name, squares))
    return found


class PlainBoard:
    """A position as a plain dictionary, and what a player sees on it."""

    def __init__(self, width: int, height: int, connect: int, discs: dict[Square, int]) -> None:
        self.width, self.height, self.connect = width, height, connect
        self.discs = discs
        self.lines = lines(width, height, connect)

    def playable(self) -> list[Square]:
        """Where a disc comes to rest in each column that has room."""
        tops = [1 + sum(c == column for _, c in self.discs) for column in range(1, self.width + 1)]
        return [(r, c) for c, r in enumerate(tops, 1) if r <= self.height]

    def empty(self) -> list[Square]:
        every = ((r, c) for r in range(1, self.height + 1) for c in range(1, self.width + 1))
        return [square for square in every if square not in self.discs]

    def open_lines(self, player: int, lacking: int) -> Iterator[Line]:
        """Lines without a disc of the opponent on which the player lacks this number of discs."""
        for name, squares in self.lines:
            owners = [self.discs.get(square) for square in squares]
            if 3 - player not in owners and self.connect - owners.count(player) == lacking:
                yield name, squares

    def completes(self, player: int) -> set[Square]:
        """Empty squares, playable or not, on which a disc of the player completes a line."""
        return {
            square
            for _, squares in self.open_lines(player, 1)
            for square in squares
            if square not in self.discs
        }

    def wins(self, player: int) -> set[Square]:
        """Where the player would complete a line now."""
        return self.completes(player) & set(self.playable())

    def after(self, player: int, square: Square) -> "PlainBoard":
        return PlainBoard(self.width, self.height, self.connect, {**self.discs, square: player})


# Strategies: what speaks for a move of the player to move


def firing(board: PlainBoard, me: int, move: Square) -> set[Term]:
    """The strategies whose sentences are true of a move."""
    you, (row, column) = 3 - me, move
    after = board.after(me, move)
    above = (row + 1, column)
    found: set[Term] = set()
    if move in board.wins(me):
        found.add("win")  # completes my line
    if move in board.wins(you):
        found.add("block")  # keeps you from completing a line
    if above in board.completes(you):
        found.add("gift")  # lets you play above it and complete a line
    # Wins that the move makes: I could not win there before, and now could. You stop one at most,
    # unless you win first.
    new = after.wins(me) - board.wins(me)
    if len(new) >= 2 and not after.wins(you):
        found.add("fork")
    if above in board.completes(me) and len(new) < 2:
        found.add("spoil")  # gives up my line, for you can then take the square above
    # Squares that win later, and that won at no time before.
    for r, _ in after.completes(me) - board.completes(me) - after.wins(me):
        found.add(("threat", "good" if (r - me) % 2 == 0 else "other"))
    builds = any(
        move in squares and any(board.discs.get(square) == me for square in squares)
        for lacking in range(1, board.connect)
        for _, squares in board.open_lines(me, lacking)
    )
    if builds and (row - me) % 2 == 0:
        found.add("parity")  # on a row that suits me, and builds a line that has begun
    distance = int(abs(column - (board.width + 1) / 2))
    if distance <= 3:
        found.add(("center", distance))
    return found


def random_boards(
    count: int, seed: int, size: tuple[int, int, int]
) -> list[tuple[PlainBoard, Board]]:
    """Positions of random games of which the game goes on, as plain boards and as the advisor's."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        position, discs = Board(geometry(*size)), {}
        for _ in range(rng.randrange(size[0] * size[1])):
            column = rng.choice(sorted(position.moves()))
            square = position.row_of(column), column
            child = position.after(column)
            if child.result() is not None:
                break
            discs[square], position = position.turn, child
        found.append((PlainBoard(*size, discs), position))
    return found


@pytest.mark.parametrize(
    ("size", "count"),
    [((7, 6, 4), 60), *(pytest.param(size, 600, marks=pytest.mark.slow) for size in SIZES)],
    ids=str,
)
def test_strategies_fire_where_their_sentences_are_true(
    size: tuple[int, int, int], count: int
) -> None:
    strategies = Strategies(load(), geometry(*size))
    boards = random_boards(count, seed=11, size=size)
    fired = strategies.fired_mask([position for _, position in boards])
    for (board, position), found in zip(boards, fired, strict=True):
        for row, column in board.playable():
            said = {strategies.names[n] for n in found[column - 1].nonzero()[0]}
            assert said == firing(board, position.turn, (row, column)), (position, column)


def test_two_lines_through_one_square_are_no_fork() -> None:
    strategies = Strategies(load(), geometry())
    board = Board(geometry())
    for column in (1, 1, 2, 2, 5, 5):
        board = board.after(column)
    (fired,) = strategies.fired_mask([board])
    assert not fired[:, strategies.names.index("fork")].any()


# Events: what explanations say of a move


def name_of(square: Square) -> str:
    row, column = square
    return "abcdefgh"[column - 1] + str(row)


def happening(board: PlainBoard, me: int, move: Square) -> dict[str, set[str]]:
    """Return the events of a move by their sentences, each with the squares that it names."""
    you, after = 3 - me, board.after(me, move)
    above = (move[0] + 1, move[1])

    def ends(lines: Iterator[Line]) -> set[str]:
        return {name_of(square) for _, squares in lines for square in (squares[0], squares[-1])}

    def named(squares: set[Square]) -> set[str]:
        return {name_of(square) for square in squares}

    if move in board.wins(me):
        return {"win": set()}
    found: dict[str, set[str]] = {}
    if move in board.wins(you):
        found["block"] = set()
    if above in board.completes(you):
        found["gift"] = {name_of(above)}  # lets you win at once
    new = after.wins(me) - board.wins(me)
    if len(new) >= 2 and not after.wins(you):
        found["fork"] = named(new)
    # One winning move, which the opponent, who cannot win, has to take. The square did not win
    # before, not even later: to lay it open is a spoil.
    made = new - board.completes(me)
    if len(new) == len(made) == 1 and not after.wins(you) and not board.wins(me):
        found["force"] = named(new)
    if above in board.completes(me) and len(new) < 2:
        found["spoil"] = {name_of(above)}
    for row, column in after.completes(me) - board.completes(me) - after.wins(me):
        kind = "threat(good)" if (row - me) % 2 == 0 else "threat(other)"
        found.setdefault(kind, set()).add(name_of((row, column)))
    for name, player, lacking in (("stop", you, 2), ("build", me, 3)):
        through = [
            line
            for line in board.open_lines(player, lacking)
            if move in line[1] and line[0] != "upright"
        ]
        if through and (name == "stop" or board.connect > 3):
            found[name] = ends(iter(through))
    return found


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_events_happen_where_their_sentences_are_true(size: tuple[int, int, int]) -> None:
    usual = advisor.load_game("connect4")
    names: Counter[str] = Counter()
    for board, position in random_boards(60, seed=12, size=size):
        game = usual.on(position).abilities
        for row, column in board.playable():
            meant = happening(board, position.turn, (row, column))
            events = game.events(column)
            assert {event.name for event in events} == set(meant), (position, column)
            for event in events:
                squares = set(re.findall(r"\b[a-h]\d\b", event.text))
                if event.name in ("stop", "build"):  # lines that overlap are named as one
                    assert squares <= meant[event.name], (position, column, event.text)
                elif event.name not in ("win", "block"):
                    assert squares == meant[event.name], (position, column, event.text)
            names.update([*meant])
    assert len(names) >= 8, names


# Features


def waiting(board: PlainBoard, player: int) -> set[Square]:
    """Squares that complete a line, but cannot be played yet."""
    return board.completes(player) - set(board.playable())


def worth(board: PlainBoard, player: int) -> dict[Square, str]:
    """The most that can come of each empty square; a single disc stops an upright line."""
    found: dict[Square, str] = {}
    for what, lacking in (("third", 3), ("half", 2)):
        for name, squares in board.open_lines(player, lacking):
            if name != "upright":
                found.update(dict.fromkeys((s for s in squares if s not in board.discs), what))
    return {**found, **dict.fromkeys(waiting(board, player), "threat")}


def when(board: PlainBoard, square: Square) -> str:
    """How many discs below it a square still needs: none, one, or more."""
    row, column = square
    needed = sum(r < row and c == column for r, c in board.empty())
    return {0: "now", 1: "next"}.get(needed, "later")


def above_a_waiting_win(board: PlainBoard) -> set[Square]:
    """Squares above the lowest one in their column that wins for either player later."""
    wins = waiting(board, 1) | waiting(board, 2)
    return {(r, c) for r, c in board.empty() if any(c == c2 and r > r2 for r2, c2 in wins)}


def under(board: PlainBoard, player: int, kinds: set[str]) -> Iterator[Term]:
    """Pairs of squares right above each other, of which the lower one is the player's."""
    mine = worth(board, player)
    for whose, upper in (("own", mine), ("other", worth(board, 3 - player))):
        for (row, column), what in mine.items():
            on_top = upper.get((row + 1, column))
            if what in kinds and on_top in kinds:
                yield "under", whose, what, on_top


def half_done(board: PlainBoard, player: int) -> Iterator[list[Square]]:
    """The two gaps in each level or diagonal line that lacks two discs."""
    for name, squares in board.open_lines(player, 2):
        if name != "upright":
            yield [square for square in squares if square not in board.discs]


def ready(board: PlainBoard, player: int) -> Iterator[Term]:
    """Lines of which one gap can be played now, or both."""
    playable = board.playable()
    for gaps in half_done(board, player):
        if any(gap in playable for gap in gaps):
            yield "ready", 1
        if all(gap in playable for gap in gaps):
            yield "ready", 2


def usual_features(board: PlainBoard, player: int) -> Iterator[Term]:
    """The features of common.lp and position.lp, for boards of an even height."""
    side = {1: "first", 2: "second"}[player]

    def rank(row: int) -> int:
        return row if row <= 6 else 5 + (row + 1) % 2

    for lacking in (2, 3):
        for name, squares in board.open_lines(player, lacking):
            if name == "level":
                yield "level", side, lacking, rank(squares[0][0])
            elif name != "upright":
                yield "slope", lacking
    yield from ready(board, player)
    yield from [("threat", "now")] * len(board.wins(player))
    late = above_a_waiting_win(board)
    for square, what in worth(board, player).items():
        if square in late:
            yield "too_late", what
        else:
            yield what, side, when(board, square), rank(square[0])
    for row, _ in chain.from_iterable(half_done(board, player)):
        yield "meet", side, rank(row)  # a gap that two lines have in common is one of each
    yield from under(board, player, {"threat", "half", "third"})
    for (row, column), owner in board.discs.items():
        if owner == player:
            yield "disc", min(3, int(abs(column - (board.width + 1) / 2))), rank(row)


def features_of_any_size(board: PlainBoard, player: int) -> Iterator[Term]:
    """The features of common.lp and any_size.lp."""
    side = {1: "first", 2: "second"}[player]

    def row_kind(row: int) -> str:
        # If all other columns fill up first, who begins the last one gets its odd rows.
        begins = 1 if (board.width - 1) * board.height % 2 == 0 else 2
        return "good" if (row % 2 == 1) == (player == begins) else "other"

    for lacking in range(2, board.connect + 1):
        for name, squares in board.open_lines(player, lacking):
            if name == "upright":
                continue
            if lacking <= 3:
                yield "line", "level" if name == "level" else "slope", lacking
            elif any(board.discs.get(square) == player for square in squares):
                yield "line", "begun"
    yield from ready(board, player)
    yield from [("threat", "now")] * len(board.wins(player))
    late = above_a_waiting_win(board)
    for square, what in worth(board, player).items():
        kind = row_kind(square[0])
        if square in late:
            yield "too_late", what
        elif what == "threat":
            yield what, side, kind, when(board, square)
        elif what == "half":
            yield what, kind, when(board, square)
        else:
            yield what, kind
    for row, _ in chain.from_iterable(half_done(board, player)):
        yield "meet", row_kind(row)
    yield from under(board, player, {"threat", "half"})
    through = Counter(square for _, squares in board.lines for square in squares)
    most = max(through.values())
    for square, owner in board.discs.items():
        if owner == player and 2 * through[square] >= most:
            yield "disc"


def areas(board: PlainBoard, player: int) -> Iterator[Term]:
    """Open lines by how many own discs they hold."""
    for lacking in range(1, board.connect):
        for _ in board.open_lines(player, lacking):
            yield "area", board.connect - lacking


def runs(board: PlainBoard, player: int) -> Iterator[Term]:
    """Discs side by side, as many as there are, by how many of their two ends are empty; of a disc
    that is alone in a direction, that direction."""
    empty = set(board.empty())
    for up, right in DIRECTIONS.values():
        for (row, column), owner in board.discs.items():
            before = (row - up, column - right)
            if owner != player or board.discs.get(before) == player:
                continue
            length = 1
            while board.discs.get((row + length * up, column + length * right)) == player:
                length += 1
            ends = (before in empty) + ((row + length * up, column + length * right) in empty)
            if ends:
                yield "run", "both" if ends == 2 else "one", length


def results(board: PlainBoard, me: int) -> set[Term]:
    """What is certain two plies ahead, by trying every move and reply."""
    you, found = 3 - me, set()
    if board.wins(me):
        found.add(("decided", me, 1))
    elif all(board.after(me, move).wins(you) for move in board.playable()):
        found.add(("decided", you, 2))
    squares = [squares for _, squares in board.lines]
    if all({1, 2} <= {board.discs.get(square) for square in line} for line in squares):
        found.add("drawn")
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "meant", "sizes"),
    [
        ("default", usual_features, ((7, 6, 4), (6, 4, 4))),
        ("any-size", features_of_any_size, ((7, 6, 4), (6, 5, 4), (8, 7, 5), (5, 4, 3))),
        ("pomakis", areas, ((7, 6, 4), (8, 7, 5))),
        ("alex", runs, ((7, 6, 4), (5, 4, 3))),
    ],
)
def test_features_are_what_their_sentences_say(preset: str, meant: Any, sizes: Any) -> None:
    config = load(preset)
    for size in sizes:
        boards = random_boards(300, seed=12, size=size)
        evaluator = CircuitEvaluator(config, geometry(*size), machine_code=False)
        held = evaluator.holding([position for _, position in boards])
        for (board, position), atoms in zip(boards, held, strict=True):
            for player in (1, 2):
                said = Counter(
                    atom[1] for atom in atoms if atom[0] == "feature" and atom[2] == player
                )
                expected = Counter(meant(board, player))
                assert {
                    render(n): said[n] - expected[n]
                    for n in said | expected
                    if said[n] != expected[n]
                } == {}, position
            if preset in ("default", "any-size"):
                certain = {
                    atom for atom in atoms if atom[0] == "decided" or atom in ("drawn", ("drawn",))
                }
                assert {a if a != ("drawn",) else "drawn" for a in certain} == results(
                    board, position.turn
                ), position
