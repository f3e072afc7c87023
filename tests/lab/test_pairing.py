"""Rounds by the Swiss system: no two players meet twice, and tables are complete."""

import json
from random import Random

import pytest

from advisor.lab.arena.contest import Contest
from advisor.lab.arena.likeness import Likeness, find_alike
from advisor.lab.arena.pairing import pair_all, pair_round
from advisor.lab.batch import run


def strength(name: str) -> int:
    return int(name)


def games(task: str) -> list[dict[str, object]]:
    """Both games of a pair; the stronger one wins."""
    one, other, _ = json.loads(task)
    points = float(strength(one) > strength(other))
    return [{"moves": "", "points": points}] * 2


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 9, 30, 31, 60])
def test_no_pair_meets_twice_and_each_round_has_as_many_pairs_as_it_can(count: int) -> None:
    """Until all players have met: the pairs of all rounds are then all pairs."""
    names = [str(number) for number in range(count)]
    Random(count).shuffle(names)
    met: set[frozenset[str]] = set()
    played = dict.fromkeys(names, 0)
    rounds = 0
    while pairs := pair_round(names, met, played):
        rounds += 1
        paired = [name for pair in pairs for name in pair]
        assert len(paired) == len(set(paired))
        assert not met & {frozenset(pair) for pair in pairs}
        if rounds <= count // 2:
            assert len(pairs) == count // 2
            assert max(played.values()) - min(played.values()) <= 1
        met |= {frozenset(pair) for pair in pairs}
        for name in paired:
            played[name] += 1
        Random(rounds).shuffle(names)
    assert met == {frozenset(pair) for pair in pair_all(names)}


@pytest.mark.parametrize("ahead", [1, 7])
def test_a_round_begins_once_all_results_of_the_last_one_are_in(ahead: int) -> None:
    """However many tasks are taken ahead, as workers do."""
    contest = Contest([*map(str, range(8))], ["1", "2"], rounds=3)
    begun = list[str]()
    while True:
        while len(begun) < ahead and (task := next(contest, None)):
            begun.append(task)
        if not begun:
            break
        contest.add(begun[0], games(begun.pop(0)))
    assert contest.games_done == contest.total == 3 * 4 * 2 * 2
    table = contest.standings
    assert {each.total.games for each in table} == {3 * 2 * 2}
    assert (table[0].player, table[-1].player) == ("7", "0")
    assert all(len(each.against) == 3 for each in table)


def test_the_batch_goes_on_with_the_next_round() -> None:
    contest = Contest([*map(str, range(6))], ["1"], rounds=3)
    taken = list[str]()

    def note(task: str, _: object) -> list[dict[str, object]]:
        taken.append(task)
        return games(task)

    for found in run(note, contest):
        contest.add(taken[len(contest.results)], found)
    assert contest.games_done == 3 * 3 * 2
    assert contest.standings[0].player == "5"


def test_stronger_opponents_decide_between_equal_shares_in_rounds_alone() -> None:
    results = {
        json.dumps(["a", "b", ""]): [{"points": 1}, {"points": 1}],
        json.dumps(["c", "d", ""]): [{"points": 1}, {"points": 1}],
        json.dumps(["b", "d", ""]): [{"points": 1}, {"points": 1}],
    }
    for rounds, places in ((None, [1, 1, 3, 4]), (2, [1, 2, 3, 4])):
        contest = Contest("abcd", [""], rounds)
        for task, found in results.items():
            contest.add(task, found)
        table = contest.standings
        assert [each.player for each in table] == ["a", "c", "b", "d"]
        assert [each.place for each in table] == places


def test_a_failing_player_is_counted_with_the_loser() -> None:
    contest = Contest("ab", [""])
    contest.add(
        next(contest), [{"points": 0, "error": "a fails"}, {"points": 1, "error": "b fails"}]
    )
    assert {each.player: each.errors for each in contest.standings} == {"a": 1, "b": 1}


def test_equal_texts_are_not_told_once_more_for_their_moves() -> None:
    marks = {
        "a": Likeness("1", "1"),
        "b": Likeness("1", "1"),
        "c": Likeness("2", "1"),
        "d": Likeness("", ""),
    }
    marks["e"] = Likeness("", "")
    told = [(each.how, each.players) for each in find_alike(marks)]
    assert told == [("text", ["a", "b"]), ("moves", ["a", "b", "c"])]
    assert find_alike({"a": marks["a"], "b": marks["b"]})[-1].how == "text"
