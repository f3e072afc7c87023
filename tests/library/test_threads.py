"""Threads that ask at once get the answers of one thread; `measure/threads.py` asks more."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

import advisor
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


def test_threads_that_search_in_one_game_do_not_disturb_each_other() -> None:
    game = advisor.load_game("tictactoe")
    game.position().abilities.prepare(make=True)
    asked = [game.position(text) for text in ("a1", "b2", "a1 b1", "c3 a1")]

    def ask(_: int) -> list[object]:
        told = [advisor.reply(position, 3).told for position in asked]
        return [*told, advisor.Attempt(asked[2], 3).hint(), advisor.Attempt(asked[2], 3).play("b2")]

    expected = ask(0)
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(ask, range(24))] == [expected] * 24
    assert ask(0) == expected
