"""Plans for the rest of a game: how they are tried, and that clingo finds one if there is one."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.solver import Solver
from advisor.plugins.proofs.plans import compiled_trial
from advisor.plugins.proofs.plans.compiled_trial import CompiledTrial, trial
from advisor.plugins.proofs.plans.synthesis import Effort, Ended, Hints, find, number_squares
from advisor.plugins.proofs.plans.trial import Goal, Kind, PlanTrial, bits, state_of
from aspcircuits import llvm
from aspcircuits.stopping import Stop

BOARDS = [(7, 6), (6, 5), (5, 4), (9, 6)]


def late(g: Geometry, random: Random, empty: int) -> Board:
    """From a random unfinished game, with this number of empty squares."""
    while True:
        position = Board(g)
        while position.plies_left > empty and not position.over:
            position = position.after(random.choice(position.moves()))
        if not position.over:
            return position


@pytest.mark.skipif(not llvm.available(), reason="machine code needs the extra fast")
@pytest.mark.parametrize("hold", [False, True])
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_machine_code_tries_as_python_does(board: tuple[int, int], hold: bool) -> None:
    g, random = geometry(*board), Random(f"{board} {hold}")
    for threats in (0, 1, 3):
        goal = Goal(g, hold, threats)
        python, compiled = PlanTrial(goal), trial(goal)
        assert isinstance(compiled, CompiledTrial)
        for most in (1, 64):
            position = late(g, random, random.randrange(6, g.squares * 6 // 10))
            numbers = [random.randrange(40) for _ in range(g.width * g.stride)]
            state = state_of(position)
            tried = compiled.try_plan(state, numbers, most)
            assert tried == python.try_plan(state, numbers, most)
            assert compiled.is_reached(state) == python.is_reached(state)
            for column in position.moves():
                after = position.after(column)
                moved = after.mask ^ after.mover, after.mover
                assert compiled.quiet_after(moved) == python.quiet_after(moved)


@pytest.mark.skipif(not llvm.available(), reason="machine code needs the extra fast")
@pytest.mark.parametrize(("room", "words"), [("_PLACES", 4), ("_OUT", 4)])
def test_what_machine_code_has_no_room_for_is_found_all_the_same(
    room: str, words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_trial, room, words)
    goal = Goal(geometry())
    compiled, state = trial(goal), (1, 0)
    assert isinstance(compiled, CompiledTrial)
    found = compiled.quiet_after(state)
    assert found == PlanTrial(goal).quiet_after(state)
    assert found is not None
    assert 2 * len(found) > words


@pytest.mark.skipif(not llvm.available(), reason="machine code needs the extra fast")
def test_machine_code_finds_the_plan_that_python_finds() -> None:
    g, random = geometry(), Random(5)
    goal = Goal(g, hold=True)
    python, compiled = PlanTrial(goal), trial(goal)
    found = set()
    while len(found) < 6:
        state = state_of(late(g, random, 12))
        if python.kind(*state)[0] is not Kind.QUIET:
            continue
        orders = [random.sample(bits(g.full), g.squares) for _ in range(50)]
        plans = np.array([number_squares(g, order) for order in orders])
        latest = python.latest_right(state, plans, Stop())
        assert compiled.latest_right(state, plans, Stop()) == latest
        found.add(latest)
    assert None in found


@pytest.mark.parametrize("board", [(5, 4), (4, 5), (7, 6)], ids=str)
def test_bounds_are_those_of_the_score(board: tuple[int, int]) -> None:
    g, random = geometry(*board), Random(str(board))
    solver = Solver(g)
    for _ in range(40):
        position = late(g, random, random.randrange(1, 12))
        score = solver.solve(position).score
        assert score is not None
        for limit in range(-7, 8):
            assert solver.at_least(position, limit) == (score >= limit)
            if not position.wins_at_once():
                assert solver.undecided_at_least(position.mover, position.mask, limit, Stop()) == (
                    score >= limit
                )


@pytest.mark.slow
@pytest.mark.parametrize("hold", [False, True])
@pytest.mark.parametrize("board", [(4, 4), (7, 6)], ids=str)
def test_a_plan_is_found_if_and_only_if_some_order_is_right(
    board: tuple[int, int], hold: bool
) -> None:
    g, random = geometry(*board), Random(f"{board} {hold}")
    corrected, none = 0, 0
    while corrected < 2 or none < 2:
        goal = Goal(g, hold, threats=0)
        position = late(g, random, 6)
        state, trying = state_of(position), PlanTrial(goal)
        if trying.kind(*state)[0] is Kind.REACHED:
            continue
        found = find(trying, Hints(goal), state, [Effort(500)])
        if isinstance(found.numbers, tuple):
            assert trying.try_plan(state, found.numbers).right
            corrected += found.rounds > 1
        else:
            assert found.numbers is Ended.NO_PLAN
            orders = permutations(bits(g.full & ~position.mask))
            assert not any(
                trying.try_plan(state, number_squares(g, order)).right for order in orders
            )
            none += 1


def test_fewer_threats_are_less_than_more() -> None:
    # The plan's first rule only: x has three in a row open at both ends.
    position = Board(geometry()).play_all(map(int, "31425"))
    state = state_of(position.play(1))
    assert PlanTrial(Goal(geometry())).wins_by_threats(*state, threats=0)
    # Two in a row with room at both ends: one threat makes three, and o can block one end only.
    state = state_of(Board(geometry()).play_all(map(int, "4151")))
    rules = PlanTrial(Goal(geometry()))
    assert not rules.wins_by_threats(*state, threats=0)
    assert rules.wins_by_threats(*state, threats=1)


def test_two_playable_squares_with_the_lowest_number_are_a_mistake() -> None:
    g = geometry(4, 4)
    goal = Goal(g, hold=True)
    state = state_of(Board(g))
    tied = list(number_squares(g, bits(g.full)))
    tied[0] = tied[g.stride] = 0  # the lowest squares of two columns
    tried = PlanTrial(goal).try_plan(state, tied)
    assert not tried.right
    assert tried.failures == ((state,),)


def test_looking_for_a_plan_hears_a_stop() -> None:
    stop = Stop()
    stop.set()
    goal = Goal(geometry())
    state = state_of(Board(geometry()).play_all(map(int, "42656166444557")))
    with pytest.raises(KeyboardInterrupt):
        find(PlanTrial(goal), Hints(goal), state, [Effort(10)], stop=stop)


def test_looking_through_known_plans_hears_a_stop() -> None:
    stop = Stop()
    stop.set()
    state = state_of(Board(geometry()).play_all(map(int, "42656166444557")))
    plans = np.array([number_squares(geometry())] * 3)
    for each in (PlanTrial(Goal(geometry())), trial(Goal(geometry()))):
        with pytest.raises(KeyboardInterrupt):
            each.latest_right(state, plans, stop)
