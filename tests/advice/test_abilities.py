"""Abilities of any game: exact results of every move, counted in plies."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from advisor.advice.facade import add_exact_results, advise
from advisor.engine.search import WIN
from advisor.games import knowledge, rooms
from advisor.games.bounds import Bounds
from advisor.games.by_rules import RuleAbilities
from advisor.games.score import Score
from advisor.limits import Limit
from aspcircuits.stopping import Stop

LINES = [
    *([(x, y) for x in (1, 2, 3)] for y in (1, 2, 3)),
    *([(x, y) for y in (1, 2, 3)] for x in (1, 2, 3)),
    [(1, 1), (2, 2), (3, 3)],
    [(1, 3), (2, 2), (3, 1)],
]
Marks = frozenset[tuple[int, int]]


@cache
def minimax(own: Marks, other: Marks) -> tuple[int, int]:
    """Who wins tic-tac-toe for the side to move, and after how many plies, by plain recursion."""
    if any(other.issuperset(line) for line in LINES):
        return -1, 0
    left = {(x, y) for x in (1, 2, 3) for y in (1, 2, 3)} - own - other
    if not left:
        return 0, 0
    replies = [minimax(other, own | {square}) for square in left]
    results = [(-result, plies + 1) for result, plies in replies]
    return max(results, key=lambda r: (r[0], -r[0] * r[1]))


@pytest.mark.parametrize("played", ["", "b2 a2", "a1 b1", "b2 a1 c1", "a1 b2 c3 c1", "b2 b1 a1 c3"])
def test_every_move_of_a_small_game_is_proved(played: str) -> None:
    game, _ = knowledge.load("tictactoe")
    state = rooms.by_circuits(game).begin(played)
    rng = np.random.default_rng(1)
    advice = add_exact_results(advise(RuleAbilities(state), Limit(1), rng), 30, Stop())
    assert advice.certain
    assert advice.certain.proved
    marks = [move[1:] for move in state.path]
    own, other = (
        frozenset(marks[len(marks) % 2 :: 2]),
        frozenset(marks[(len(marks) + 1) % 2 :: 2]),
    )
    expected = {}
    for move in state.legal:
        result, plies = minimax(other, own | {move[1:]})
        kind = {1: "loss", 0: "draw", -1: "win"}[result]
        expected[move] = kind, plies + 1 if result else None
    assert {m.move: (m.score.kind, m.score.plies) for m in advice.moves} == expected
    ranks = {"win": 2, "draw": 1, "loss": 0}
    assert ranks[advice.score.kind] == max(ranks[kind] for kind, _ in expected.values())
    # The best ones end alike, as soon; each of them is named, the first one first.
    score = advice.score
    as_good = [m.move for m in advice.moves if expected[m.move] == (score.kind, score.plies)]
    assert (advice.chosen, advice.first) == (tuple(as_good), advice.moves[0])


def test_exact_scores_count_plies_and_a_bound_in_plies_is_none() -> None:
    game, _ = knowledge.load("tictactoe")
    by = RuleAbilities(rooms.by_circuits(game).begin())
    won, lost = WIN - 3, 4 - WIN
    assert by.bounds(Score("win", plies=3)) == Bounds(won, won)
    assert by.bounds(Score("loss", plies=4)) == Bounds(lost, lost)
    assert by.bounds(Score("win", plies=3, within=True)) == Bounds(won, WIN)
    assert by.bounds(Score("loss", plies=4, within=True)) == Bounds(-WIN, lost)
    assert by.bounds(Score("draw")) == Bounds(0, 0)
    assert by.bounds(Score("heuristic", value=5)) == Bounds(-WIN, WIN)
    for score in (Score("win", 2, plies=3), Score("loss", 2, plies=4), Score("loss"), Score("win")):
        for within in {score.plies is not None, False}:
            told = replace(score, within=within, proved=True)
            assert by.proved_score(by.bounds(told)) == told
            later = by.backed_up(by.bounds(told), mine=False)
            found, other = by.proved_score(later), {"win": "loss", "loss": "win"}[score.kind]
            assert found is not None
            assert (found.kind, found.within) == (other, within)
            assert found.plies == (score.plies and score.plies + 1)
    assert by.backed_up(Bounds(-WIN, WIN), mine=True) == Bounds(-WIN, WIN)
