"""The look-ahead against plain full-width negamax, on Connect Four and on a game of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.engine.nodes import INFINITE, Wanted
from advisor.engine.search import FORCED, WIN, Result, Tree, search
from advisor.games import puzzles
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.notation import parse_line
from advisor.settings.reading import load
from aspcircuits.stopping import Stop
from games import Size, later, negamax, played, positions

SIZES: list[Size] = [(4, 4, 3), (4, 4, 4), (5, 4, 3), (5, 4, 4), (3, 6, 3), (7, 6, 4)]
CONFIG = load()


# A game of the test's own


@dataclass(frozen=True)
class Heaps:
    """Nim that may be drawn: who takes the last stone wins, unless two single stones are left.

    Stones are taken from one heap, one or two at a time. Positions come again at other plies.
    """

    heaps: tuple[int, ...]
    turn: int = 1

    @property
    def key(self) -> int:
        return sum(stones * 10**i for i, stones in enumerate(self.heaps))

    @property
    def plies_left(self) -> int:
        return sum(self.heaps)

    def result(self) -> int | None:
        if not any(self.heaps):
            return -1
        return 0 if sorted(self.heaps)[-2:] == [1, 1] and sum(self.heaps) == 2 else None

    def moves(self) -> list[int]:
        return [
            10 * heap + taken
            for heap, stones in enumerate(self.heaps)
            for taken in (2, 1)
            if taken <= stones
        ]

    def candidates(self) -> list[int]:
        return self.moves()

    def wins_at_once(self) -> bool:
        return any(self.after(move).result() == -1 for move in self.moves())

    def after(self, move: int) -> "Heaps":
        heap, taken = divmod(move, 10)
        heaps = list(self.heaps)
        heaps[heap] -= taken
        return Heaps(tuple(heaps), 3 - self.turn)


class Plain:
    """An evaluator that knows a number for every position, and looks ahead full width."""

    def __init__(self, plies_at_once: int, spread: int = 9) -> None:
        self.leaves = self.guesses = 0
        self._plies = plies_at_once
        self._spread = spread

    def plies_at_once(self, position: Any) -> int:
        return self._plies

    def positions_at_once(self, plies: int) -> int:
        return 1 + plies % 3

    def eldest(self, children: int, plies: int) -> int:
        return min(children, 1 + children % self.positions_at_once(plies))

    def values(self, positions: Sequence[Any], plies: int, wanted: Wanted | None = None) -> Any:
        """Return values that are right only as far as `wanted` requires."""
        assert 1 <= len(positions) <= self.positions_at_once(plies)
        values = np.array([negamax(p, plies, self.leaf) for p in positions], np.int64)
        if wanted:
            least = int(values.min())
            if least <= wanted.low:
                values[np.arange(len(values)) != values.argmin()] = INFINITE
            else:
                values = np.minimum(values, min(wanted.high, least + wanted.spread))
        return values

    def machine_search(self, position: Any) -> None:
        return None

    def leaf(self, position: Any) -> int:
        self.leaves += 1
        self.guesses += 1
        key: int = position.key
        return (key * 2654435761 >> 7) % (2 * self._spread + 1) - self._spread


class Shallow(CircuitEvaluator):
    """Looks ahead less than it could, so that more of the tree is the search's own."""

    def __init__(self, position: Board, plies_at_once: int) -> None:
        super().__init__(CONFIG, position.geometry)
        self._fewer = plies_at_once

    def plies_at_once(self, position: Board) -> int:
        return min(self._fewer, super().plies_at_once(position))


HEAPS = st.lists(st.integers(0, 5), min_size=2, max_size=3).map(tuple).map(Heaps)
OPEN_HEAPS = HEAPS.filter(lambda heaps: heaps.result() is None)


# What every search must fulfil


NO_BONUS: dict[int, int] = {}


def root_scores(
    position: Any,
    depth: int,
    leaf: Any,
    bonus: dict[int, int] = NO_BONUS,
    known: dict[tuple[Any, int], int] | None = None,
) -> dict[int, int]:
    """Every move's value by plain negamax, from the view of the side to move, and its bonus."""
    known = {} if known is None else known
    values = {
        move: later(-negamax(position.after(move), depth - 1, leaf, known), 1)
        for move in position.moves()
    }
    if depth >= position.plies_left:
        return values
    return {
        move: value
        if abs(value) >= FORCED or position.after(move).result() == 0
        else value + bonus.get(move, 0)
        for move, value in values.items()
    }


def check(
    position: Any,
    found: Result,
    depth: int,
    leaf: Any,
    every_move: bool,
    bonus: dict[int, int] = NO_BONUS,
) -> None:
    """Holds a result of a search to `depth` to plain negamax with the same leaves."""
    if found.exhaustive:
        bonus = NO_BONUS
    known: dict[tuple[Any, int], int] = {}
    scores = root_scores(position, depth, leaf, bonus, known)
    value = max(scores.values())
    best = [move for move, score in scores.items() if score == value]
    assert found.value == value
    if every_move:
        # A forced result ends the search early; the other moves' scores are of that depth.
        assert found.scores == root_scores(position, found.depth, leaf, bonus, known)
        assert sorted(found.best) == sorted(best)
    else:
        assert found.scores.keys() == set(found.best)
        assert set(found.best) <= set(best)
    assert (
        found.depth == min(depth, position.plies_left) or abs(value) >= FORCED or found.exhaustive
    )
    if found.depth >= position.plies_left:
        assert found.exhaustive
    elif found.exhaustive and position.plies_left < 9:
        to_the_end = root_scores(position, position.plies_left, leaf, known=known)
        assert value == max(to_the_end.values())
    assert not found.interrupted


def check_variation(position: Any, found: Result, leaf: Any) -> None:
    """Plays the principal variation out: it must arrive where the value says."""
    assert found.variation[0] == found.best[0]
    for move in found.variation:
        assert position.result() is None
        assert move in position.moves()
        position = position.after(move)
    plies = len(found.variation)
    result = position.result()
    if abs(found.value) >= FORCED:
        assert result == -1
        assert plies == WIN - abs(found.value)
    else:
        assert result == 0 or (result is None and plies == found.depth)
    sign = -1 if plies % 2 else 1
    assert later(sign * negamax(position, 0, leaf), plies) == found.value


@pytest.mark.slow
@settings(max_examples=80)
@given(
    positions(SIZES, open_only=True), st.integers(1, 5), st.sampled_from([1, 2, 9]), st.booleans()
)
def test_connect_four_is_searched_like_plain_negamax(
    position: Board, depth: int, batch: int, every_move: bool
) -> None:
    if position.geometry.width == 7:
        depth = min(depth, 4)
    evaluator = Shallow(position, batch)
    known: dict[tuple[int, int], int] = {}

    def leaf(p: Board) -> int:
        if (p.mover, p.mask) not in known:
            known[p.mover, p.mask] = int(evaluator.values([p], 0)[0])
        return known[p.mover, p.mask]

    found = search(position, evaluator, depth=depth, every_move=every_move)
    check(position, found, depth, leaf, every_move)
    check_variation(position, found, leaf)


@pytest.mark.slow
@settings(max_examples=100)
@given(
    positions([(4, 4, 3), (4, 4, 4), (3, 5, 3), (5, 4, 4)], open_only=True, min_plies=4),
    st.integers(1, 6),
    st.integers(1, 3),
    st.integers(0, 30),
    st.booleans(),
)
def test_whatever_the_leaves_say(
    position: Board, depth: int, batch: int, spread: int, every_move: bool
) -> None:
    # These leaves know no forced result; a small spread makes ties, a large one few.
    evaluator = Plain(batch, spread)
    found = search(position, evaluator, depth=depth, every_move=every_move)
    check(position, found, depth, evaluator.leaf, every_move)
    check_variation(position, found, evaluator.leaf)


@settings(max_examples=50)
@given(OPEN_HEAPS, st.integers(1, 8), st.integers(1, 3), st.booleans())
def test_the_search_knows_no_game(heaps: Heaps, depth: int, batch: int, every_move: bool) -> None:
    evaluator = Plain(batch)
    found = search(heaps, evaluator, depth=depth, every_move=every_move)
    check(heaps, found, depth, evaluator.leaf, every_move)


@settings(max_examples=15)
@given(OPEN_HEAPS, st.integers(3, 8))
def test_a_table_without_room_changes_no_value(heaps: Heaps, depth: int) -> None:
    evaluator = Plain(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Tree, "room", 3)
        found = search(heaps, evaluator, depth=depth, every_move=True)
    check(heaps, found, depth, evaluator.leaf, every_move=True)


BONUSES = st.dictionaries(st.integers(1, 5), st.integers(-40, 40))


@pytest.mark.slow
@settings(max_examples=80)
@given(
    positions([(4, 4, 3), (4, 4, 4), (3, 5, 3), (5, 4, 4)], open_only=True),
    st.integers(1, 6),
    st.integers(1, 3),
    st.sampled_from([1, 9, 30]),
    st.booleans(),
    BONUSES,
)
def test_a_bonus_counts_for_its_move_and_for_no_forced_result(
    position: Board,
    depth: int,
    batch: int,
    spread: int,
    every_move: bool,
    bonus: dict[int, int],
) -> None:
    evaluator = Plain(batch, spread)
    found = search(position, evaluator, depth=depth, every_move=every_move, bonus=bonus)
    check(position, found, depth, evaluator.leaf, every_move, bonus)
    asked = search(position, evaluator, depth=depth, every_move=every_move, bonus=lambda: bonus)
    assert (asked.scores, asked.lines) == (found.scores, found.lines)


def test_nobody_asks_for_a_bonus_where_a_win_is_seen_at_once() -> None:
    def refused() -> dict[int, int]:
        raise AssertionError("was asked")

    found = search(parse_line("112233"), CircuitEvaluator(CONFIG, geometry()), bonus=refused)
    assert found.best == (4,)


@pytest.mark.slow
@settings(max_examples=40)
@given(OPEN_HEAPS, st.integers(1, 8), st.booleans(), st.lists(st.integers(-9, 9), min_size=3))
def test_a_bonus_knows_no_game(
    heaps: Heaps, depth: int, every_move: bool, bonuses: list[int]
) -> None:
    evaluator = Plain(2)
    bonus = dict(zip(heaps.moves(), bonuses, strict=False))
    found = search(heaps, evaluator, depth=depth, every_move=every_move, bonus=bonus)
    check(heaps, found, depth, evaluator.leaf, every_move, bonus)


def test_one_heap_is_won_unless_its_stones_are_a_multiple_of_three() -> None:
    for stones in range(1, 16):
        found = search(Heaps((stones, 0)), Plain(1))
        assert found.value > FORCED if stones % 3 else found.value < -FORCED
        if stones % 3:
            assert found.best == (stones % 3,)


# Forced results


def test_a_win_at_once_is_worth_one_ply() -> None:
    found = search(parse_line("112233"), CircuitEvaluator(CONFIG, geometry()), depth=6)
    assert (found.value, found.best, found.variation) == (WIN - 1, (4,), (4,))
    assert found.depth == 1


@pytest.mark.parametrize("puzzle_id", ["chapter2/30", "chapter3/30", "chapter4/1"])
def test_the_sooner_win_and_the_later_loss_are_better(puzzle_id: str) -> None:
    # The book says in how many own moves x wins; its solution is every move that wins so fast.
    puzzle = puzzles.load(puzzle_id)
    plies = 2 * puzzle.win_in - 1
    evaluator = CircuitEvaluator(CONFIG, puzzle.position.geometry)
    found = search(puzzle.position, evaluator, every_move=True)
    assert found.value == WIN - plies
    assert set(found.best) == set(puzzle.solution)
    loser = search(puzzle.position.after(found.best[0]), evaluator, every_move=True)
    assert loser.value == -(WIN - (plies - 1))
    assert all(score <= loser.value for score in loser.scores.values())


def test_a_whole_game_is_searched_to_its_end_and_known_to_be_drawn() -> None:
    # 4x4 with four in line is a draw (J. Tromp's table of solved sizes).
    found = search(Board(geometry(4, 4, 4)), CircuitEvaluator(CONFIG, geometry(4, 4, 4)))
    assert (found.value, found.exhaustive) == (0, True)
    assert found.depth <= 16


# Limits


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.2])
def test_a_stopped_search_has_completed_its_last_depth(seconds: float) -> None:
    position = played((5, 4, 4), [2, 1])
    evaluator = Plain(2)
    found = search(position, evaluator, stop=Stop(seconds), every_move=True)
    assert found.depth >= 1
    assert not found.interrupted
    if found.depth <= 6:
        assert found.scores == root_scores(position, found.depth, evaluator.leaf)


def test_a_better_move_of_the_iteration_that_is_cut_short_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = played((5, 4, 4), [2, 1, 5])
    evaluator = Plain(1)
    better = 0
    for seconds in range(1, 160, 2):
        ticks = count()  # the clock goes on by a second whenever it is looked at
        monkeypatch.setattr("time.monotonic", lambda ticks=ticks: float(next(ticks)))
        told: list[Result] = []
        found = search(position, evaluator, stop=Stop(seconds), on_iteration=told.append)
        monkeypatch.undo()
        before, (move, *_) = told[-1], found.best
        assert (found.depth, found.exhaustive) == (before.depth, False)
        if move == before.best[0]:
            assert found.value == before.value
            continue
        better += 1
        scores = root_scores(position, found.depth + 1, evaluator.leaf)
        assert found.value == scores[move] > scores[before.best[0]]
    assert better


def test_a_bound_of_nodes_counts_scored_states_too() -> None:
    evaluator, iterations = CircuitEvaluator(CONFIG, geometry()), []
    search(Board(geometry()), evaluator, depth=4, on_iteration=iterations.append)
    for told in iterations[:-1]:
        bound = told.nodes + told.leaves
        assert told.leaves < bound
        found = search(Board(geometry()), evaluator, depth=4, nodes=bound)
        assert (found.depth, found.leaves) == (told.depth, told.leaves), "nothing more was scored"


def test_each_iteration_is_told_and_the_last_one_is_the_result() -> None:
    told: list[Result] = []
    found = search(
        Board(geometry()),
        CircuitEvaluator(CONFIG, geometry()),
        depth=5,
        on_iteration=told.append,
    )
    assert [result.depth for result in told] == [1, 2, 3, 4, 5]
    assert (told[-1].scores, told[-1].variation) == (found.scores, found.variation)


@pytest.mark.parametrize("stop_at", [1, 3])
def test_a_stop_keeps_the_last_completed_iteration(stop_at: int) -> None:
    stop = Stop()

    def told(result: Result) -> None:
        if result.depth == stop_at:
            stop.set()

    root = Board(geometry())
    evaluator = CircuitEvaluator(CONFIG, geometry())
    found = search(root, evaluator, depth=5, every_move=True, stop=stop, on_iteration=told)
    assert found.interrupted
    assert found.depth == stop_at
    assert found.scores == search(root, evaluator, depth=stop_at, every_move=True).scores


@pytest.mark.parametrize("batch", [60, 200, 700])
def test_nothing_is_looked_at_once_it_is_to_stop(batch: int) -> None:
    stop, root = Stop(), played((5, 4, 4), [2, 1])

    class Stopping(Plain):
        asked = 0

        def values(self, positions: Sequence[Any], plies: int, wanted: Wanted | None = None) -> Any:
            self.asked += 1
            if self.asked == batch:
                stop.set()
            return super().values(positions, plies, wanted)

    evaluator = Stopping(1)
    found = search(root, evaluator, every_move=True, stop=stop, follow="all")
    assert (found.interrupted, evaluator.asked) == (True, batch)
    assert {len(line) for line in found.lines.values()} == {found.depth}


def test_a_stop_from_the_beginning_leaves_an_answer() -> None:
    stop = Stop()
    stop.set()
    root = Board(geometry())
    found = search(root, CircuitEvaluator(CONFIG, geometry()), stop=stop, every_move=True)
    assert (found.interrupted, found.depth, set(found.scores)) == (True, 1, set(range(1, 8)))
    assert not search(root, CircuitEvaluator(CONFIG, geometry()), stop=Stop(0)).interrupted


def test_a_ctrl_c_that_nobody_listens_for_is_passed_on() -> None:
    class Stopped(Plain):
        def values(self, positions: Sequence[Any], plies: int, wanted: Wanted | None = None) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(Board(geometry()), Stopped(1), depth=3)
