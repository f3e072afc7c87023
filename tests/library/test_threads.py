"""Threads that ask at once get the answers of one thread; benchmarks/threads.py asks more."""

from random import Random

import pytest

from threads import GAMES, Questions, answered, at_once

THREADS = 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "count"),
    [
        (["rules"], 12),
        (["shared evaluator", "own evaluator"], 80),
        (["circuit"], 600),
        (["suggest", "solve"], 24),
        (["game play"], 12),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_answers_are_those_of_one_thread(kinds: list[str], count: int) -> None:
    asked = Questions(games=GAMES[1:]).some(Random(1), count, kinds)
    found = at_once(asked, THREADS)
    expected = answered(asked, range(count))
    for answers in found:
        for (name, _), answer, right in zip(asked, answers, expected, strict=True):
            assert answer == right, name
