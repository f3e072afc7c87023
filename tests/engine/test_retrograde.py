"""Retrograde analysis finds what is certain, and calls nothing certain that is not."""

from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from re import sub

import numpy as np
import pytest

from advisor.engine.nodes import FORCED, WIN
from advisor.engine.retrograde import certain_moves
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.rows import Ahead, expand, for_movers
from advisor.engine.search import search
from advisor.games import knowledge, rooms
from advisor.games.bounds import undominated_moves
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.rules import read
from advisor.limits import Limit
from aspcircuits.stopping import Stop

SKIRMISH = Path(__file__).parents[1] / "data" / "skirmish"
MOST = 1 << 17
Square = tuple[int, int]
Ending = tuple[Square, Square, int, bool]
"""The white king, the black king, the rank of white's pawn, and whether white is to move."""


@cache
def loaded(name: str) -> Circuits:
    return knowledge.load(name)[0]


def states(game: Circuits, count: int, plies: int) -> list[RowPosition]:
    """Positions of random games, which go on."""
    random, found = Random(1), []
    while len(found) < count:
        position = RowPosition(game, game.start)
        for _ in range(random.randint(0, plies)):
            after = position.after(random.choice(position.moves()))
            if after.result() is not None:
                break
            position = after
        found.append(position)
    return found


def by_search(position: RowPosition, move: int, depth: int) -> int | None:
    """A move's value as a look-ahead so deep finds it; None if it is not certain of it."""
    child = position.after(move)
    if (result := child.result()) is not None:
        return -result * (WIN - 1)
    found = search(child, RowEvaluator(position.game), depth=depth)
    if not found.exhaustive and abs(found.value) < FORCED:
        return None
    return (found.value > 0) - (found.value < 0) - found.value


def test_every_move_of_tictactoe_has_its_exact_value() -> None:
    game = loaded("tictactoe")
    for position in states(game, 4, 7):
        found = certain_moves(game, position.row, game.start, Stop(), MOST)
        for move in position.moves():
            value = by_search(position, move, 9)
            assert found[move] == (value, value)


def test_a_count_of_quiet_moves_is_heeded() -> None:
    """The clock ends games that a side would win without it. All lines of six plies say so."""
    game = Circuits(read(str(SKIRMISH)), {"stone": 100, "middle": 7, "ahead": 13})
    heeded = won = 0
    for i, given in enumerate(states(game, 12, 30)):
        row = given.row & ~game.counters | np.uint64(i % 7)
        if game.look(row[None]).over[0]:
            continue
        found = certain_moves(game, row, game.start, Stop(), MOST)
        without = certain_moves(game, given.row & ~game.counters, game.start, Stop(), MOST)
        children = expand(game, row[None])
        values = for_movers(game, children, Ahead(game).look(children.rows, 5))
        for move, value in zip(children.move.tolist(), values.tolist(), strict=True):
            low, high = found.get(move, (-WIN, WIN))
            if abs(value) >= FORCED:
                assert low <= value <= high
            elif low == high:
                assert WIN - abs(low) > 6
            won += low > 0 or high < 0
            heeded += (low, high) != without.get(move)
    assert won > 10
    assert heeded > 10


def test_states_that_are_not_looked_into_may_lead_to_anything() -> None:
    game = loaded("tictactoe")
    exact = certain_moves(game, game.start, game.start, Stop(), MOST)
    for most in (2, 20, 600, 3000):
        part = certain_moves(game, game.start, game.start, Stop(), most)
        for move, (low, high) in part.items():
            assert low <= exact[move][0] <= exact[move][1] <= high
    stopped = Stop()
    stopped.set()
    assert certain_moves(game, game.start, game.start, stopped, MOST) == {}


# King and pawn against king, by itself: nothing of it is taken from the package.

BOARD = [*product(range(8), range(8))]


def near(one: Square, other: Square) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= 1


AROUND = {here: [there for there in BOARD if there != here and near(here, there)] for here in BOARD}


def reached_by(man: Square, rook: bool, blockers: set[Square]) -> set[Square]:
    """The squares that a rook or queen reaches, up to and with what stands in its way."""
    found = set()
    for step in product((-1, 0, 1), repeat=2):
        if step == (0, 0) or (rook and all(step)):
            continue
        x, y = man[0] + step[0], man[1] + step[1]
        while 0 <= x < 8 and 0 <= y < 8:
            found.add((x, y))
            if (x, y) in blockers:
                break
            x, y = x + step[0], y + step[1]
    return found


def lasts(man: Square, white: Square, black: Square, rook: bool) -> bool:
    """Whether a man that has just been promoted is neither taken nor a stalemate."""
    hit = reached_by(man, rook, {white})
    flights = [to for to in AROUND[black] if not near(to, white)]
    if man in flights:
        return False
    free = [to for to in flights if to not in hit]
    return bool(free) or black in reached_by(man, rook, {white, black})


def won_endings(file: int) -> tuple[list[Ending], set[Ending]]:
    """All positions with a pawn on a file, and the ones that white wins."""
    endings: list[Ending] = []
    before: dict[Ending, list[Ending]] = {}
    replies: dict[Ending, int] = {}
    won: set[Ending] = set()
    for white, black, rank in product(BOARD, BOARD, range(1, 7)):
        pawn = file, rank
        if near(white, black) or pawn in (white, black):
            continue
        hit = [(file - 1, rank + 1), (file + 1, rank + 1)]
        moves = [to for to in AROUND[black] if not near(to, white) and to not in hit]
        endings.append(here := (white, black, rank, False))
        if moves and pawn not in moves:
            replies[here] = len(moves)
            for to in moves:
                before.setdefault((white, to, rank, True), []).append(here)
        if black in hit:
            continue
        endings.append(here := (white, black, rank, True))
        after = [(to, black, rank, False) for to in AROUND[white] if to != pawn]
        ahead = [rank + 1] if (file, rank + 1) not in (white, black) else []
        ahead += [3] if ahead and rank == 1 and (file, 3) not in (white, black) else []
        if ahead == [7]:
            if any(lasts((file, 7), white, black, rook) for rook in (False, True)):
                won.add(here)
        else:
            after += [(white, black, to, False) for to in ahead]
        for there in after:
            before.setdefault(there, []).append(here)
    waiting = [*won]
    while waiting:
        for here in before.get(waiting.pop(), ()):
            if here in won:
                continue
            replies[here] = replies.get(here, 1) - 1
            if here[3] or replies[here] == 0:
                won.add(here)
                waiting.append(here)
    return endings, won


def fen(ending: Ending) -> str:
    white, black, rank, moves = ending
    men = {white: "K", black: "k", (4, rank): "P"}
    rows = "/".join("".join(men.get((x, y), "1") for x in range(8)) for y in range(7, -1, -1))
    return f"{sub('1+', lambda ones: str(len(ones[0])), rows)} {'w' if moves else 'b'} - - 0 1"


def after(ending: Ending, code: str) -> Ending:
    """The ending after a white move that promotes nothing, written as in e2e4."""
    white, black, rank, _ = ending
    origin, target = ((ord(code[i]) - ord("a"), int(code[i + 1]) - 1) for i in (0, 2))
    return (target, black, rank, False) if origin == white else (white, black, target[1], False)


@pytest.mark.slow
def test_king_and_pawn_against_king() -> None:
    """A position is certainly a draw if and only if white cannot win it."""
    endings, won = won_endings(4)
    known = ((4, 0), (4, 7), 1, True)  # Kd2 and Kf2 win, all else lets the other king come near
    assert [to for to in ((3, 1), (5, 1), (3, 0), (5, 0)) if (to, (4, 7), 1, False) in won] == [
        (3, 1),
        (5, 1),
    ]
    game = loaded("chess")
    game.tree.compile_now()
    random, seen = Random(2), [0, 0]
    asked = [e for e in endings if e[3] and e[2] < 6]
    for ending in (known, *random.sample(asked, 2)):
        playing = rooms.by_circuits(game).begin(fen(ending))
        found = certain_moves(game, playing.row, game.start, Stop(), MOST)
        for number, move in playing.by_number.items():
            wins = after(ending, playing.code_of(move)) in won
            assert found[number] == (0, WIN if wins else 0), (fen(ending), playing.code_of(move))
            seen[wins] += 1
    assert min(seen) > 1


@pytest.mark.slow
def test_a_pawn_is_not_pushed_too_soon() -> None:
    game = loaded("chess")
    game.tree.compile_now()
    given = rooms.by_circuits(game).begin("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    found = RuleAbilities(given).near_end(Limit(), Stop())
    assert sorted(given.names[move] for move in undominated_moves(found)) == ["Kd2", "Kf2"]
    drawn = [given.names[move] for move, bounds in found.items() if bounds.outcome == "draw"]
    assert sorted(drawn) == ["Kd1", "Kf1", "e3", "e4"]
