"""Exact scores by search: against plain minimax, published scores and known results."""

import sys
import time
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.games.bounds import Bounds, undominated_moves
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.solver import Solver, known_bounds, solve_columns, winner_moves
from aspcircuits.stopping import Stop
from test_sets import read_test_set

PONS = Path(__file__).parents[2] / "data" / "pons"


def solve(position: Board, **options: Any) -> Bounds:
    return Solver(position.geometry).solve(position, **options)


@cache
def minimax(position: Board) -> int:
    """The score by the rules alone."""
    squares, discs = position.geometry.squares, position.discs
    if position.winner:
        score = (squares + 1 - (discs - 1)) // 2
        return score if position.winner == position.turn else -score
    if position.full:
        return 0
    return max(-minimax(position.play(column)) for column in position.moves())


@st.composite
def composed(draw: st.DrawFn, most_empty: int = 9) -> Board:
    """Any discs of both players on any small board, with either side to move."""
    size = geometry(
        draw(st.integers(1, 6)), draw(st.integers(1, 6)), draw(st.sampled_from([4, 4, 3, 5, 2, 1]))
    )
    empty = draw(st.integers(0, min(most_empty, size.squares)))
    heights = [size.height] * size.width
    for _ in range(empty):
        column = draw(st.sampled_from([c for c in range(size.width) if heights[c]]))
        heights[column] -= 1
    mask = sum(
        size.bit(row + 1, column + 1)
        for column, height in enumerate(heights)
        for row in range(height)
    )
    mover = mask & draw(st.integers(0, size.full))
    return Board(size, draw(st.sampled_from((1, 2))), mover, mask)


def without_lines(position: Board) -> Board:
    """The position with discs swapped between the players until few lines are left.

    Random discs on a full board nearly always hold a line; the search needs games that go on.
    """
    size, mover = position.geometry, position.mover
    for row, column in size.squares_of(position.mask):
        bit = size.bit(row, column)
        if size.has_line(mover if mover & bit else position.mask ^ mover):
            mover ^= bit
    return Board(size, position.turn, mover, position.mask)


@given(composed())
def test_scores_equal_minimax_on_any_small_board(position: Board) -> None:
    for p in (position, without_lines(position)):
        assert solve(p).score == minimax(p)


@given(composed(most_empty=7))
def test_column_scores_equal_minimax(position: Board) -> None:
    position = without_lines(position)
    moves = position.moves() if position.result() is None else []
    expected = {c: -minimax(position.play(c)) for c in moves}
    assert {c: s.score for c, s in solve_columns(position).items()} == expected


@given(composed(most_empty=7))
def test_outcomes_are_the_signs_of_the_scores(position: Board) -> None:
    position = without_lines(position)
    if position.result() is not None:
        return
    signs = {"win": 1, "draw": 0, "loss": -1}
    found = Solver(position.geometry).outcomes(position)
    for column, known in found.items():
        score = -minimax(position.play(column))
        assert known.outcome is not None
        assert signs[known.outcome] == (score > 0) - (score < 0)
        assert known.lower <= score <= known.upper
    best = max(signs[known.outcome or ""] for known in found.values())
    keeping = [c for c, known in found.items() if signs[known.outcome or ""] == best]
    assert undominated_moves(found) == keeping


def test_outcomes_out_of_time_say_what_is_certain_already() -> None:
    position = Board(geometry())
    found = Solver(position.geometry).outcomes(position, Stop(0))
    assert sorted(found) == [1, 2, 3, 4, 5, 6, 7]
    assert {(known.lower, known.upper) for known in found.values()} == {(-20, 20)}
    assert undominated_moves(found) == position.moves()


def test_a_move_is_dropped_only_for_one_that_is_no_worse() -> None:
    open_, lost, drawn = Bounds(-18, 18), Bounds(-18, -1), Bounds(0, 0)
    not_lost, won = Bounds(0, 18), Bounds(2, 18)
    assert undominated_moves({1: open_, 2: lost, 3: drawn}) == [1, 3]
    assert undominated_moves({1: open_, 3: drawn, 4: not_lost}) == [1, 4]
    assert undominated_moves({1: open_, 3: drawn, 4: not_lost, 5: won}) == [5]
    assert undominated_moves({2: lost, 6: lost}) == [2, 6]
    assert undominated_moves({}) == []


@pytest.mark.parametrize(
    ("width", "height", "connect"), [(4, 3, 3), (3, 4, 3), (5, 2, 3), (3, 3, 2), (2, 5, 4)]
)
def test_every_position_of_a_small_board(width: int, height: int, connect: int) -> None:
    """One solver for all, so that its table meets every kind of question."""
    start = Board(geometry(width, height, connect))
    solver = Solver(start.geometry)
    seen, todo = {start}, [start]
    while todo:
        position = todo.pop()
        assert solver.solve(position).score == minimax(position)
        if position.result() is None:
            children = {position.play(column) for column in position.moves()} - seen
            seen |= children
            todo += children


@pytest.mark.parametrize(("name", "count"), [("Test_L3_R1", 150), ("Test_L2_R1", 20)])
def test_published_scores(name: str, count: int) -> None:
    for case in read_test_set(PONS / name)[:count]:
        assert solve(case.position).score == case.score, case


@pytest.mark.parametrize(("width", "height"), [(4, 4), (5, 4)])
def test_known_draws(width: int, height: int) -> None:
    assert solve(Board(geometry(width, height, 4))).score == 0


@pytest.mark.parametrize(
    ("width", "height", "connect"), [(7, 6, 8), (40, 40, 41), (3, 3, 4), (1, 40, 4), (40, 1, 41)]
)
def test_draw_where_nobody_can_win(width: int, height: int, connect: int) -> None:
    solution = solve(Board(geometry(width, height, connect)))
    assert (solution.score, solution.outcome) == (0, "draw")


@pytest.mark.parametrize(("width", "height"), [(1, 1), (7, 6), (40, 40)])
def test_connect_one_is_won_with_the_first_disc(width: int, height: int) -> None:
    solution = solve(Board(geometry(width, height, 1)))
    assert solution.score == (width * height + 1) // 2
    assert solution.outcome == "win"


def test_a_finished_game_keeps_the_score_of_its_last_disc() -> None:
    position = Board(geometry())
    for column in (1, 2, 1, 2, 1, 2):
        position = position.play(column)
    assert solve(position).score == 18  # the winner's fourth disc: 22 - 4
    over = position.play(1)
    assert solve(over).score == -18
    assert solve_columns(over) == {}


def test_full_columns_are_left_out() -> None:
    position = Board(geometry(3, 2, 4)).play(2).play(2)
    assert list(solve_columns(position)) == [1, 3]


@given(st.data())
def test_moves_of_the_winner_follow_from_the_score(data: st.DataObject) -> None:
    """On 7x6 a win scores 22 - the winner's own discs when the game ends."""
    discs = data.draw(st.integers(0, 41))
    mask = sum(1 << (square // 6 * 7 + square % 6) for square in range(discs))
    position = Board(geometry(), 1, 0, mask)
    own = discs // 2
    score = data.draw(st.integers(1, 21 - own))
    assert winner_moves(position, score) == 22 - score - own
    if discs < 41:
        other = discs - own
        score = data.draw(st.integers(1, 21 - other))
        assert winner_moves(position, -score) == 22 - score - other
    assert winner_moves(position, 0) is None


@pytest.mark.parametrize(
    ("bounds", "score", "outcome"),
    [
        ((2, 2), 2, "win"),
        ((1, 5), None, "win"),
        ((-3, -1), None, "loss"),
        ((0, 0), 0, "draw"),
        ((0, 4), None, None),
        ((-1, 1), None, None),
    ],
)
def test_what_bounds_prove(bounds: tuple[int, int], score: int | None, outcome: str | None) -> None:
    solution = Bounds(*bounds)
    assert (solution.score, solution.outcome) == (score, outcome)
    turned = -solution
    assert (turned.lower, turned.upper) == (-bounds[1], -bounds[0])


@pytest.mark.parametrize("size", [geometry(40, 40, 4), geometry(20, 20, 5), geometry(7, 6, 4)])
def test_out_of_time_gives_bounds(size: Geometry) -> None:
    position = Board(size)
    known = known_bounds(position)
    solution = solve(position, stop=Stop(0.2))
    assert solution.score is None
    assert known.lower <= solution.lower < solution.upper <= known.upper
    assert solution.nodes > 0
    columns = solve_columns(position, stop=Stop(0.2))
    assert list(columns) == list(range(1, size.width + 1))
    assert all(s.lower <= s.upper for s in columns.values())


def test_every_column_gets_its_share_of_the_time() -> None:
    shares: list[float] = []

    def answer(position: Board, stop: Stop, _: object) -> Bounds:
        shares.append(stop.seconds_left)
        return known_bounds(position)

    solve_columns(Board(geometry(7, 6, 4)), Stop(7000), solve=answer)
    # Time that earlier columns left is for the others.
    assert shares == pytest.approx([7000 / left for left in range(7, 0, -1)], rel=0.01)


def test_a_column_that_was_not_done_with_its_share_gets_what_others_left() -> None:
    start = Board(geometry(7, 6, 4))
    asked: list[Board] = []

    def answer(position: Board, stop: Stop, _: object) -> Bounds:
        asked.append(position)
        if len(asked) > 1:
            return Bounds(-2, -2, nodes=1) if len(asked) < 8 else Bounds(-9, -1, nodes=1)
        while not stop.is_set():
            time.sleep(0.001)
        return Bounds(-1, 9, nodes=10)

    columns = solve_columns(start, Stop(2), solve=answer)
    first, *others = start.moves()
    assert asked == [start.after(c) for c in (first, *others, first)]
    assert columns[first] == Bounds(1, 1, nodes=11)  # the union of both proofs
    assert all(columns[c].score == 2 for c in others)


def test_what_is_proved_of_the_columns_is_told() -> None:
    steps: list[dict[int, Bounds]] = []
    columns = solve_columns(Board(geometry(4, 4, 4)), None, steps.append)
    assert steps[-1] == columns != steps[0]


def test_a_mirror_image_is_known_from_the_table() -> None:
    start = Board(geometry(5, 4, 4))
    solver = Solver(start.geometry)
    left, right = (solver.solve(start.play(column)) for column in (1, 5))
    assert left.score == right.score
    assert left.nodes > 1000 > 10 > right.nodes


def test_bounds_narrow_to_the_score() -> None:
    position = Board(geometry(5, 4, 4))
    steps: list[Bounds] = []
    solution = solve(position, on_progress=steps.append)
    assert (steps[0].lower, steps[0].upper) == (-10, 9)
    assert steps[-1].score == solution.score == 0
    for before, after in pairwise(steps):
        assert before.lower <= after.lower <= 0 <= after.upper <= before.upper
        assert before.nodes <= after.nodes


@pytest.mark.parametrize("asked_after", range(5))
def test_a_stopped_search_keeps_its_bounds_and_can_go_on(asked_after: int) -> None:
    position = Board(geometry(5, 5, 4))
    solver, stop = Solver(position.geometry), Stop()
    steps: list[Bounds] = []

    def step(known: Bounds) -> None:
        steps.append(known)
        if len(steps) > asked_after:
            stop.set()

    found = solver.solve(position, stop, step)
    assert found.nodes - steps[asked_after].nodes <= 64
    assert steps[-1] == found
    assert found.lower <= 0 <= found.upper
    assert found.score is None
    for column in (3, 3, 3, 2, 4, 2, 2, 4):
        position = position.play(column)
    assert solver.solve(position).score == solve(position).score


def test_a_game_longer_than_the_recursion_limit() -> None:
    """The search goes as deep as the board is large; the caller's limit stays what it was."""
    position = Board(geometry(5, 4, 4))
    depth, frame = 0, sys._getframe()
    while frame.f_back:
        depth, frame = depth + 1, frame.f_back
    before, few = sys.getrecursionlimit(), depth + 18
    try:
        sys.setrecursionlimit(few)
        # Machine code has a stack of its own.
        assert Solver(geometry(5, 4, 4), machine_code=False).solve(position).score == 0
        assert sys.getrecursionlimit() == few
    finally:
        sys.setrecursionlimit(before)
