"""States that are a draw if they recur, against the definition, played out with a game's whole
past."""

from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest

from advisor.engine.recurrences import Recurrences

TIMES = 3
WIN, DRAW, LOSS = 1, 0, -1


Moves = tuple[tuple[int, ...], ...]
"""Of a piece on a few places, which two players move in turns; who cannot has lost."""


@cache
def with_past(moves: Moves, past: tuple[tuple[int, int], ...]) -> int:
    """The result for the side to move, after the places visited and the side to move at each."""
    if past.count(past[-1]) >= TIMES:
        return DRAW
    place, turn = past[-1]
    replies = [-with_past(moves, (*past, (to, 1 - turn))) for to in moves[place]]
    return max(replies, default=LOSS)


def without_past(moves: Moves) -> dict[int, int]:
    """What is won and lost, by going back from the ends."""
    known: dict[int, int] = {}
    for _ in moves:
        for place, after in enumerate(moves):
            results = {-known.get(to, DRAW) for to in after} or {LOSS}
            if WIN in results or results == {LOSS}:
                known[place] = max(results)
    return known


def recurrences(past: list[tuple[int, int]], exchanges: bool) -> Recurrences:
    """Of states that name whose turn it is, or are seen by the side to move."""
    numbers = [place if exchanges else 2 * place + turn for place, turn in past]
    *before, now = [np.array([number], np.uint64) for number in numbers]
    return Recurrences.of(
        [row.tobytes() for row in before], now, TIMES, np.zeros(1, np.uint64), exchanges
    )


@pytest.mark.parametrize("seed", range(30))
def test_where_nothing_stood_twice_what_is_found_without_looking_back_holds(seed: int) -> None:
    random, checked = Random(seed), 0
    moves = tuple(tuple(random.sample(range(5), random.choice((0, 2, 2)))) for _ in range(5))
    known = without_past(moves)
    for _ in range(20):
        past = [(random.randrange(5), 0)]
        for _ in range(random.randrange(5)):
            place, turn = past[-1]
            if not moves[place]:
                break
            past.append((random.choice(moves[place]), 1 - turn))
        again = [state for state, count in Counter(past).items() if count > 1 and state != past[-1]]
        assert all(recurrences(past, each).harmless == (not again) for each in (False, True))
        if not again and past.count(past[-1]) < TIMES:
            found = with_past(moves, tuple(past))
            assert found == known.get(past[-1][0], DRAW)
            checked += 1
    assert checked


def test_what_stood_twice_may_turn_a_win_into_a_draw() -> None:
    moves = (1,), (0, 2), (3,), (4,), ()  # from 1 the way by 2 is the only one that ends
    assert without_past(moves)[1] == with_past(moves, ((1, 0),)) != DRAW
    past = [(2, 1), (0, 0), (2, 1), (1, 0)]
    assert not any(recurrences(past, each).harmless for each in (False, True))
    assert with_past(moves, tuple(past)) == DRAW


def test_what_looks_alike_to_both_sides_is_not_the_same() -> None:
    past = [(1, 1), (0, 0), (1, 1), (1, 0)]  # the other side has had it twice
    assert not any(recurrences(past, each).harmless for each in (False, True))
