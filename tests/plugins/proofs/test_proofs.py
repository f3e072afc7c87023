"""Counting proofs: which claims are true, which are proved, which proofs are wrong."""

import pytest

from advisor.errors import InputError
from advisor.games.connect4.board import Board, geometry
from proofs import bench_prove
from test_victor import CASES, position


def test_the_diagrams() -> None:
    result = bench_prove((position(case["rows"]), case["exact_score"]) for case in CASES)
    assert result.wrong == []
    assert result.calls == 2 * len(CASES)
    tallies = result.by_discs.values()
    assert sum(t.true[1] + t.true[2] for t in tallies) == len(CASES)
    proved = sum(t.proved[1] + t.proved[2] for t in tallies)
    assert proved >= sum(case["expect"] == "proof" for case in CASES)


def test_a_wrong_proof_is_reported() -> None:
    board = Board(geometry(6, 6))
    result = bench_prove([(board, 1)])
    assert result.wrong == [(board, 2)]


def test_without_scores_only_the_time_counts() -> None:
    result = bench_prove([(Board(geometry(6, 4)), None)])
    assert (result.calls, result.by_discs) == (2, {})


def test_a_board_that_is_not_covered() -> None:
    with pytest.raises(InputError, match="even height"):
        bench_prove([(Board(geometry(7, 5)), None)])
