"""The batch evaluator against the answer sets of single positions and a plain look-ahead."""

import dataclasses
import random
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.engine.search import FORCED
from advisor.games.connect4.board import PLAYERS, Board, Frontier, Geometry, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.settings.reading import load
from aspcircuits import circuit
from games import Size, later, negamax, played, positions, reference_value

SIZES: list[Size] = [(7, 6, 4), (5, 4, 3), (8, 7, 5), (4, 4, 4), (9, 6, 4), (6, 5, 4), (3, 6, 3)]
BEYOND_64_BITS: list[Size] = [(10, 8, 4), (8, 8, 5), (13, 4, 4)]
"""Their bitboards take more than 64 bits: (height + 1) * width."""

CONFIG = load()


@cache
def evaluator_of(g: Geometry) -> CircuitEvaluator:
    return CircuitEvaluator(CONFIG, g)


def evaluator(position: Board) -> CircuitEvaluator:
    return evaluator_of(position.geometry)


def static(
    made: Callable[[Geometry], CircuitEvaluator] = evaluator_of,
) -> Callable[[Board], int]:
    """The value of a position by itself."""
    return lambda position: int(made(position.geometry).values([position], 0)[0])


def mirrored(position: Board) -> Board:
    """The board with the other player to move: a composed position."""
    other = position.mover ^ position.mask
    return Board(position.geometry, 3 - position.turn, other, position.mask)


@settings(max_examples=25)
@given(positions(SIZES, open_only=True))
def test_values_are_those_of_the_answer_sets(position: Board) -> None:
    assert static()(position) == reference_value(position, CONFIG)


@pytest.mark.slow
@settings(max_examples=20)
@given(positions(SIZES, open_only=True, min_plies=12))
def test_one_ply_ahead_the_answer_sets_know_how_the_game_ended(position: Board) -> None:
    children = [position.play(move) for move in position.moves()]
    best = max(later(-reference_value(child, CONFIG), 1) for child in children)
    assert evaluator(position).values([position], 1)[0] == best


@settings(max_examples=25)
@given(st.lists(positions([(5, 4, 3)], open_only=True), min_size=1, max_size=6), st.integers(0, 3))
def test_a_value_is_that_of_the_end_of_the_principal_variation(
    batch: list[Board], plies: int
) -> None:
    values, leaves = evaluator(batch[0]).principal_leaves(batch, plies)
    assert (values == evaluator(batch[0]).values(batch, plies)).all()
    for position, value, leaf in zip(batch, values.tolist(), leaves, strict=True):
        if abs(value) >= FORCED:
            continue
        assert position in earlier(leaf, leaf.discs - position.discs)
        if leaf.result() is None:
            assert leaf.discs == position.discs + plies
            assert static()(leaf) == (value if leaf.turn == position.turn else -value)
        else:
            assert value == leaf.result() == 0


def earlier(position: Board, plies: int) -> list[Board]:
    """All positions from which this number of discs leads to this one."""
    g = position.geometry
    found = [position]
    for _ in range(plies):
        before = []
        for now in found:
            other = now.mover ^ now.mask
            for column in g.columns:
                filled = now.mask & column
                top = 1 << (filled.bit_length() - 1) if filled else 0
                if top & other:
                    before.append(Board(g, 3 - now.turn, other ^ top, now.mask ^ top))
        found = before
    return found


@pytest.mark.slow
@settings(max_examples=25)
@given(positions([*SIZES, *BEYOND_64_BITS], open_only=True), st.integers(0, 3))
def test_the_look_ahead_is_plain_negamax(position: Board, plies: int) -> None:
    if position.geometry.width > 5:
        plies = min(plies, 2)
    expected = negamax(position, plies, static())
    assert evaluator(position).values([position], plies)[0] == expected


@settings(max_examples=25)
@given(
    positions([(4, 4, 4), (3, 5, 4), (5, 3, 4)], open_only=True, min_plies=10), st.integers(2, 5)
)
def test_the_look_ahead_sees_the_end_of_the_game(position: Board, plies: int) -> None:
    expected = negamax(position, plies, static())
    assert evaluator(position).values([position], plies)[0] == expected


@settings(max_examples=12)
@given(
    st.sampled_from([*SIZES, *BEYOND_64_BITS]).flatmap(
        lambda size: st.lists(positions([size], open_only=True), min_size=2, max_size=70)
    ),
    st.integers(0, 2),
)
def test_a_batch_of_both_turns_is_the_sum_of_its_parts(batch: list[Board], plies: int) -> None:
    batch = [*batch, *map(mirrored, batch[:3])]
    batch = [position for position in batch if position.result() is None]
    together = evaluator(batch[0])
    values = together.values(batch, plies)
    assert values.shape == (len(batch),)
    assert values.tolist() == [evaluator(p).values([p], plies)[0] for p in batch]


@settings(max_examples=12)
@given(
    st.sampled_from([*SIZES, *BEYOND_64_BITS]).flatmap(
        lambda size: st.lists(positions([size], open_only=True), min_size=2, max_size=70)
    ),
    st.integers(0, 2),
)
def test_arrays_are_valued_like_objects(batch: list[Board], plies: int) -> None:
    asked = evaluator(batch[0])
    for turn in PLAYERS:
        of_turn = [position for position in batch if position.turn == turn]
        if of_turn:
            arrays = Frontier.of(of_turn)
            assert asked.values(arrays, plies).tolist() == asked.values(of_turn, plies).tolist()
            for own, other in zip(asked.counts(arrays), asked.counts(of_turn), strict=True):
                assert own.tolist() == other.tolist()


def test_arrays_larger_than_a_part_are_valued_in_order() -> None:
    position = played((7, 6, 4), [3, 3, 2, 4])
    children, _ = Frontier.of([position]).children()
    many = children.take(np.arange(70_001) % len(children))
    few = evaluator(position).values(children, 0)
    assert (evaluator(position).values(many, 0) == few[np.arange(70_001) % len(few)]).all()


@pytest.mark.parametrize("plies", [0, 1])
def test_more_positions_than_fit_into_a_word(plies: int) -> None:
    randomly = random.Random(1988)
    batch = []
    for _ in range(200):
        choices = [randomly.randrange(7) for _ in range(randomly.randrange(42))]
        batch.append(played((7, 6, 4), choices, open_only=True))
    values = evaluator(batch[0]).values(batch, plies)
    sample = randomly.sample(range(200), 15)
    assert [values[i] for i in sample] == [
        negamax(batch[i], plies, lambda position: reference_value(position, CONFIG)) for i in sample
    ]


@pytest.mark.parametrize("size", BEYOND_64_BITS, ids=str)
def test_long_bitboards_are_valued_like_short_ones(size: Size) -> None:
    randomly = random.Random(64)
    for plies in (0, 20, 35):
        choices = [randomly.randrange(size[0]) for _ in range(plies)]
        position = played(size, choices, open_only=True)
        assert static()(position) == reference_value(position, CONFIG)


def test_a_position_is_worth_as_much_to_one_side_as_it_costs_the_other() -> None:
    # Where neither side can win at once, whose turn it is changes only the sign.
    for choices in ([], [3, 3], [3, 3, 2, 4], [3, 2, 3, 2, 0, 6, 6]):
        position = played((7, 6, 4), choices)
        assert static()(position) == -static()(mirrored(position))


def test_leaves_are_counted() -> None:
    position = Board(geometry())
    counted = CircuitEvaluator(CONFIG, geometry())
    counted.values([position], 0)
    assert counted.leaves == 1
    counted.values([position], 1)
    assert counted.leaves == 1 + 7
    counted.values([position], 2)
    assert counted.leaves == 1 + 7 + 49


def test_new_weights_need_no_new_circuit(monkeypatch: pytest.MonkeyPatch) -> None:
    position = played((7, 6, 4), [3, 3, 2, 4, 0, 1])
    before = static()(position)

    def refuse(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(circuit, "compile_program", refuse)
    features = {name: 3 * weight + 1 for name, weight in CONFIG.weights["features"].items()}
    other = dataclasses.replace(CONFIG, weights={**CONFIG.weights, "features": features})
    after = static(lambda g: CircuitEvaluator(other, g))(position)
    assert after == reference_value(position, other)
    assert after != before
