"""Proofs by plans for any position, and games against a plan."""

import json
from pathlib import Path
from random import Random

import pytest

from advisor.errors import InputError
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.solver import Solver
from advisor.plugins.proofs.plans import solved
from advisor.plugins.proofs.plans.proof import check, known_proof, look_for
from advisor.plugins.proofs.plans.solved import CheckedSolution
from advisor.plugins.proofs.plans.trial import By
from aspcircuits import code_cache
from aspcircuits.stopping import Stop
from command import advisor
from commands import run

G = geometry()


@pytest.fixture(scope="module")
def part() -> CheckedSolution:
    found = solved.solution_of(G)
    assert found is not None, "solutions/7x6.txt has changed: advisor solution check"
    return found


def late(random: Random, empty: int) -> Board:
    """From a random unfinished game, with this number of empty squares."""
    while True:
        position = Board(G)
        while position.plies_left > empty and not position.over:
            position = position.after(random.choice(position.moves()))
        if not position.over and not position.wins_at_once():
            return position


def test_plans_are_found_for_whoever_wins_or_holds_and_for_nobody_else() -> None:
    random, solver = Random(11), Solver(G)
    goals, several = set(), False
    for _ in range(30):
        position = late(random, random.choice((12, 13)))
        score = solver.solve(position).score
        assert score is not None
        better = position.turn if score > 0 else 3 - position.turn
        for player in (1, 2):
            found = look_for(position, player, Stop())
            if score and player != better:
                assert found is None
            elif found:
                assert found.player == player
                assert found.hold == (score == 0)
                assert check(found).failure is None
                assert check(found).exhaustive
                replies = [column for answer in found.answers for column in answer.replies]
                expected = [] if player == position.turn else sorted(position.moves())
                assert sorted(replies) == expected
                goals.add((player == position.turn, found.hold))
                several |= len({answer.step.plan for answer in found.answers}) > 1
    assert goals == {(True, True), (True, False), (False, True), (False, False)}
    assert several


def test_a_wrong_plan_is_found_to_be_wrong() -> None:
    random = Random(4)
    wrong = 0
    while wrong < 3:
        position = late(random, 14)
        found = look_for(position, position.turn, Stop())
        if found is None or found.answers[0].step.by is not By.NUMBER:
            continue
        (answer,) = found.answers
        plan = answer.step.plan
        assert plan is not None
        other = type(plan)(plan.player, plan.numbers[::-1], 0, plan.hold)
        step = type(answer.step)(answer.step.column, answer.step.by, other)
        changed = type(found)(
            position, found.player, found.hold, (type(answer)((), position, step),)
        )
        wrong += check(changed).failure is not None
        assert check(found).result_text.startswith("checked: the plan holds")


def test_looking_for_a_plan_hears_a_stop_and_says_what_it_cannot_do() -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        look_for(late(Random(1), 20), None, stop)
    with pytest.raises(InputError, match="four in line"):
        look_for(Board(geometry(7, 6, 5)), None, Stop())
    done = advisor("prove", "1122334", "--by", "plan")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "the game is over" in done.err


def test_other_code_that_is_being_made_takes_no_proof_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only one process makes code at a time, which for a large game takes most of a minute."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with code_cache.exclude_others():
        shown = run("prove", "--size", "4x3", "", "--by", "plan", "--time", "12").stdout
    assert "By this plan yellow holds at least a draw" in shown


def test_a_position_of_the_solution_is_proved_by_it(part: CheckedSolution) -> None:
    leaves = [moves for moves in part.starts if 8 < len(moves) < 13]
    for moves in (leaves[0], leaves[1]):
        position = Board(G).play_all(map(int, moves))
        found = known_proof(position)
        assert found is not None
        assert check(found).failure is None
        assert known_proof(position, player=2) is None
        shown = json.loads(advisor("prove", moves, "--json", "--check").out)
        assert shown["proved"] == {
            "player": "x",
            "outcome": "wins",
            "first": found.answers[0].step.column,
        }
        assert (shown["by"], shown["check"]["holds"]) == ("plan", True)
        assert shown["plans"][0]["plan"]["source"] == "solution"
    printed = advisor("prove", leaves[0]).out
    assert printed.startswith("proved by the solution: x (red) wins, beginning with column ")


def test_after_a_move_of_the_solution_every_reply_is_answered(part: CheckedSolution) -> None:
    several = threats = False
    for moves in ["", *[m for m in part.starts if 10 < len(m) < 13][:40]]:
        before = Board(G).play_all(map(int, moves))
        step = solved.known_step(before)
        assert step is not None
        position = before.after(step.column)
        if position.over:
            continue
        found = known_proof(position)
        assert found is not None
        assert (found.player, found.hold) == (1, False)
        assert known_proof(position, player=2) is None
        replies = [column for answer in found.answers for column in answer.replies]
        assert sorted(replies) == sorted(position.moves())
        several |= any(len(answer.replies) > 1 for answer in found.answers)
        threats |= any(answer.step.by in (By.WIN, By.THREAT) for answer in found.answers)
        if all(answer.step.plan for answer in found.answers):
            assert check(found).failure is None
            assert check(found).exhaustive
    assert several
    assert threats
    shown = advisor("prove", "4", "--check").out
    assert shown.startswith("proved by the solution: x (red) wins\n\nAfter column 1: column ")
    assert shown.endswith("checked: the solution won 300 games against random replies\n")


def test_after_another_move_it_is_proved_only_if_every_reply_is_answered(
    part: CheckedSolution,
) -> None:
    solver, proved = Solver(G), 0
    for moves in [m for m in part.starts if len(m) > 18][::5]:
        before = Board(G).play_all(map(int, moves))
        for column in before.moves():
            after = before.after(column)
            if not after.over and known_proof(after, player=1):
                assert not solver.at_least(after, 0)
                proved += 1
    assert proved


def test_solutions_for_the_second_player_prove_the_empty_board() -> None:
    for size, result in (("6x4", "wins"), ("6x6", "wins"), ("4x4", "holds")):
        proved = json.loads(advisor("prove", "--size", size, "", "--json", "--check").out)
        assert proved["proved"] == {"player": "o", "outcome": result, "first": None}
        assert proved["check"]["holds"] is True


def test_what_proves_it_is_told_and_can_be_chosen() -> None:
    board = ".......|.......|xx.....".replace("|", "/")  # on 7x3 the rules say nothing
    done = advisor("prove", board, "--by", "rules")
    assert (done.code, done.out) == (2, "")
    rules = json.loads(advisor("prove", "--size", "4x6", "", "--json").out)
    assert rules["by"] == "rules"
    plan = advisor("prove", "--size", "4x3", "", "--by", "plan", "--time", "60").out
    assert plan.startswith("proved by a plan: ")
    assert "holds at least a draw, whatever" in " ".join(plan.split())
    nothing = advisor("prove", "1", "--by", "plan", "--time", "0.01")
    assert (nothing.code, nothing.out) == (
        1,
        "no proof found (that says nothing about the position)\n",
    )


def test_a_game_against_the_plan_names_what_it_plays_by(part: CheckedSolution) -> None:
    moves = next(m for m in part.starts if 8 < len(m) < 13 and (s := _step(m)) and s is By.NUMBER)
    typed = b"p\n" + b"1\n2\n3\n4\n5\n6\n7\n" * 8 + b"q\n"
    out = advisor("play", moves, "--first", "advisor", "--time", "0.2", stdin=typed).out
    told = " ".join(out.split())
    assert "is the lowest that can be played" in told
    assert "win if you can" in told
    assert "The advisor has won" in told
    without = advisor(
        "play", moves, "--first", "advisor", "--time", "0.2", "--no-book", stdin=b"p\nq\n"
    ).out
    assert "there is no plan here" in without


def _step(moves: str) -> By | None:
    found = solved.known_step(Board(G).play_all(map(int, moves)))
    return found.by if found else None
