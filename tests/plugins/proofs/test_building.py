"""Solutions: grown, read again, and checked by a program that shares nothing with the project."""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from advisor.errors import InputError
from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import geometry
from advisor.plugins.proofs.building.decisions import Efforts, open_replies
from advisor.plugins.proofs.building.growing import GrowthProgress, begin, build, shrink
from advisor.plugins.proofs.building.solution import Leaf, Play, Solution, parse, read
from advisor.plugins.proofs.plans.synthesis import Effort
from advisor.plugins.proofs.plans.trial import Goal, PlanTrial
from aspcircuits.stopping import Stop
from command import advisor
from commands import ENTRY, ROOT, environment

CHECKER = ENCODINGS.parent / "solutions" / "check.py"
SOLUTION = CHECKER.parent / "7x6.txt"
START = "4265616644455755"
"""Won by x: from here on a few moves and plans."""
EFFORTS = Efforts(empty=22, full=(Effort(30),), quick=(Effort(12),), moves=2)


def checker() -> Any:
    spec = importlib.util.spec_from_file_location("check", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER_MODULE = checker()
CHECK = CHECKER_MODULE.check


def checked(text: str, start: str) -> tuple[int, int]:
    """The bad and the missing positions, as the checker's command counts them."""
    lines = filter(None, (line.partition("#")[0].split() for line in text.splitlines()))
    try:
        _, bad, missing = CHECK(lines, start)
    except (KeyError, IndexError, TypeError, ValueError, StopIteration):
        return 1, 0
    return bad, missing


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A solution of what follows the start, made without an interruption."""
    path = tmp_path_factory.mktemp("grown") / "7x6.txt"
    begin(path, Goal(geometry()))
    progress = build(path, efforts=EFFORTS, start=START)
    assert progress.open == 0
    assert progress.moves > 0
    assert progress.plans > 1
    return path.read_text()


@pytest.fixture(scope="module")
def part() -> tuple[str, str]:
    """A small part of the solution of 7x6: where it begins, and its text."""
    solution = read(SOLUTION)
    parts = (
        (said.moves, below(solution, said.moves))
        for said in sorted(solution.said.values(), key=lambda said: said.moves)
        if isinstance(said, Play) and len(said.moves) == 20
    )
    return next((start, text) for start, text in parts if text.count(" threats ") > 2)


def below(solution: Solution, start: str) -> str:
    """What a solution says of a position and of what follows from it, as a file."""
    found = Solution(solution.goal, solution.player)
    todo = [start]
    while todo:
        said = solution.said.get(solution.key(solution.state(todo.pop())))
        if said is None or said in found.said.values():
            continue
        if isinstance(said, Leaf):
            numbers = solution.plans[said.plan - 1]
            if numbers not in found.plans:
                found.plans.append(numbers)
            said = replace(said, plan=found.plans.index(numbers) + 1)
        else:
            todo += open_replies(found.goal, said.moves + str(said.column))
        found.said.setdefault(found.key(found.state(said.moves)), said)
    return found.head("A part") + found.by_plans()


def test_the_checker_is_short_and_needs_nothing() -> None:
    lines = CHECKER.read_text().splitlines()
    assert len(lines) <= 120
    assert [line for line in lines if "import" in line] == ["import sys"]


def test_the_checker_says_that_there_is_no_file() -> None:
    command = [sys.executable, str(CHECKER), "none.txt"]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "cannot be used: FileNotFoundError(2, 'No such file or directory')\nbad 1 missing 0\n"
    )


def test_what_has_grown_is_right(grown: str) -> None:
    assert checked(grown, START) == (0, 0)
    # ... and is no solution of the whole game.
    assert checked(grown, "-") == (0, 1)


def test_processes_share_the_work_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "4x4.txt"
    goal = ("--size", "4x4", "--goal", "o-holds")
    done = advisor("solution", "build", path, *goal, "--jobs", 2, "--json")
    assert (done.code, json.loads(done.out)["open"]) == (0, 0)
    assert checked(path.read_text(), "-") == (0, 0)
    again = advisor("solution", "build", path, *goal)
    assert (again.code, again.err) == (2, f"error: --size: {path} exists already and has its own\n")


def test_interrupted_and_resumed_is_the_same(grown: str, tmp_path: Path) -> None:
    path = tmp_path / "7x6.txt"
    begin(path, Goal(geometry()))

    def stopping(stop: Stop, decisions: Iterator[int]) -> Callable[[GrowthProgress], None]:
        return lambda _progress: stop.set() if next(decisions) == 2 else None

    for attempts in count(1):
        stop = Stop()
        progress = build(path, 1, stop, stopping(stop, count(1)), EFFORTS, START)
        if not progress.open:
            break
        assert attempts < 50
        with open(path, "a") as file:
            file.write("plan 77\n 1  2")  # as if it had been killed while it wrote
    assert attempts > 1
    assert path.read_text() == grown


def test_a_smaller_solution_is_right_and_smaller(grown: str, tmp_path: Path) -> None:
    path = tmp_path / "7x6.txt"
    # A move to the start, which is where what is reached begins.
    lead = "".join(f"{START[:i] or '-'} play {START[i]}\n" for i in range(0, len(START), 2))
    path.write_text(f"{grown}{lead}\n")
    before = read(path)
    done = advisor("solution", "shrink", path)
    assert done.code == 0
    small = read(path)
    assert checked(path.read_text(), START) == (0, 0)
    assert path.read_text().startswith(grown[: grown.index("threats 3")])
    assert len(small.plans) < len(before.plans)
    assert len(small.said) <= len(before.said)
    for numbers in small.plans:
        # As few as there are if only neighbours in the order are given the same number.
        used = sorted(set(numbers) - {0})
        assert used == list(range(1, len(used) + 1))
    # A solution that cannot be made smaller stays as it is.
    text = path.read_text()
    assert advisor("solution", "shrink", path).code == 0
    assert len(read(path).plans) <= len(small.plans)
    assert checked(text, START) == (0, 0)


def test_new_plans_take_the_place_of_moves(grown: str, tmp_path: Path) -> None:
    path = tmp_path / "7x6.txt"
    lead = "".join(f"{START[:i] or '-'} play {START[i]}\n" for i in range(0, len(START), 2))
    path.write_text(f"{grown}{lead}\n")
    before = read(path)
    assert advisor("solution", "shrink", path, "--guesses", "100").code == 0
    small = read(path)
    assert small.moves < before.moves
    assert len(small.said) < len(before.said)
    assert checked(path.read_text(), START) == (0, 0)


def test_a_stop_leaves_a_solution_as_it_is(grown: str, tmp_path: Path) -> None:
    path = tmp_path / "7x6.txt"
    path.write_text(grown)
    stop = Stop()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        shrink(path, stop)
    assert path.read_text() == grown
    assert list(tmp_path.iterdir()) == [path]


def wins(text: str, start: str) -> bool:
    """The project's own word on whether x wins by such a text from the start on."""
    try:
        solution = parse(text, "text")
    except InputError:
        return False
    todo, seen = [start], set()
    while todo:
        moves = todo.pop()
        key = solution.key(solution.state(moves))
        if key in seen:
            continue
        seen.add(key)
        said = solution.said.get(key)
        if said is None:
            return False
        if isinstance(said, Leaf):
            trial = PlanTrial(replace(solution.goal, threats=said.threats))
            if not trial.try_plan(solution.state(said.moves), solution.plans[said.plan - 1]).right:
                return False
        else:
            played = said.moves + str(said.column)
            if solution.given_away(solution.position(played)):
                return False
            todo += open_replies(solution.goal, played)
    return True


@pytest.mark.slow
def test_random_changes_are_found(part: tuple[str, str]) -> None:
    start, text = part
    assert checked(text, start) == (0, 0)
    random = Random(1)
    lines = text.splitlines()
    body = lines.index("threats 3")
    wrong = 0
    for _ in range(15):
        changed = list(lines)
        number = random.randrange(body, len(changed))
        words = changed[number].split()
        if not words or random.random() < 0.2:
            del changed[number]
        else:
            place = random.randrange(len(words))
            words[place] = str(random.randrange(1, 43 if len(words) == 7 else 5))
            changed[number] = " ".join(words)
        text = "\n".join(changed) + "\n"
        if checked(text, start) == (0, 0):
            assert wins(text, start), text
        else:
            wrong += 1
    assert 5 < wrong < 15


def test_two_equal_numbers_are_bad_where_both_could_be_played() -> None:
    board = CHECKER_MODULE.Board()
    bottom = board.single(board.playable(0, 0))
    numbers = {square: number for number, square in enumerate(bottom, 1)}
    assert board.follow(numbers, 0, 0) == board.after(bottom[0], 0)
    assert board.follow({**numbers, bottom[3]: 2}, 0, 0) == board.after(bottom[0], 0)
    assert board.follow({**numbers, bottom[3]: 1}, 0, 0) is None


def test_what_is_cut_off_is_no_solution(part: tuple[str, str]) -> None:
    start, text = part
    for end in range(0, len(text.rstrip()), 17):
        assert checked(text[:end], start) != (0, 0)


@pytest.mark.parametrize("end", [0, 500, None])
def test_the_checker_says_no_by_its_exit_code(grown: str, tmp_path: Path, end: int | None) -> None:
    path = tmp_path / "7x6.txt"
    path.write_text(grown[:end])
    for start, code, last in (("-", 1, "bad 0 missing 1"), (START, int(end is not None), "")):
        done = subprocess.run(
            [sys.executable, CHECKER, path, start], capture_output=True, text=True
        )
        assert done.returncode == code
        assert last in done.stdout.splitlines()[-1]


def test_leaves_of_the_solution_of_7x6_are_right() -> None:
    # The whole is checked by solutions/check.py itself, in minutes.
    solution = read(SOLUTION)
    assert solution.geometry == geometry()
    leaves = [s for s in solution.said.values() if isinstance(s, Leaf) and len(s.moves) >= 12]
    for leaf in Random(3).sample(leaves, 5):
        alone = Solution(solution.goal)
        text = alone.text([solution.plans[leaf.plan - 1]], [replace(leaf, plan=1)])
        assert checked(alone.head("one leaf") + text, leaf.moves) == (0, 0), leaf


@pytest.mark.parametrize("board", ["4x4", "6x4"])
def test_solutions_of_other_boards_are_right(board: str) -> None:
    # Larger ones are checked by solutions/check.py itself, in seconds or minutes.
    assert checked((CHECKER.parent / f"{board}.txt").read_text(), "-") == (0, 0)


def test_nothing_is_right_after_moves_that_give_the_game_away() -> None:
    # The opponent, whose turn it is, completes a line at once.
    for board, moves in (("6x4", "121212"), ("6x6", "121212"), ("4x4", "121212")):
        assert checked((CHECKER.parent / f"{board}.txt").read_text(), moves) == (1, 0)


def test_a_solution_reaches_its_goal_and_no_other_one() -> None:
    text = (CHECKER.parent / "4x4.txt").read_text()
    assert "\ngoal o holds\n" in text
    for goal in ("o wins", "x holds", "x wins"):
        assert checked(text.replace("\ngoal o holds\n", f"\ngoal {goal}\n"), "-") != (0, 0)
    for goal in ("holds", "o", "o hold", "y holds"):
        changed = text.replace("\ngoal o holds\n", f"\ngoal {goal}\n")
        assert checked(changed, "-") != (0, 0)
        with pytest.raises(InputError, match="is not a line of a solution"):
            parse(changed, "4x4")


@pytest.mark.parametrize("goal", ["x-holds", "o-holds"])
def test_whoever_holds_has_a_solution_and_nobody_wins(tmp_path: Path, goal: str) -> None:
    path = tmp_path / "4x3.txt"
    done = advisor("solution", "build", path, "--size", "4x3", "--goal", goal)
    assert (done.code, done.err) == (0, "")
    assert checked(path.read_text(), "-") == (0, 0)
    # Positions after a missing line are missing, too.
    lines = path.read_text().splitlines()
    left = [line for line in lines if " threats " not in line]
    assert checked("\n".join(left), "-") != (0, 0)
    assert advisor("solution", "check", path).code == 0
    path.write_text("\n".join(left) + "\n\n")
    assert advisor("solution", "check", path).code == 0
    assert "\nopen -\n" in path.with_suffix(".checked").read_text()
    again = advisor("solution", "build", path, "--goal", goal)
    assert (again.code, again.err.count("\n")) == (2, 1)
    assert "exists already and has its own" in again.err
    won = goal.replace("holds", "wins")
    never = advisor("solution", "build", tmp_path / "won.txt", "--size", "4x3", "--goal", won)
    assert (never.code, never.err.count("\n")) == (2, 1)
    assert f"{goal[0]} does not win" in never.err


def test_the_command_grows_a_file_and_says_what_is_left(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    done = advisor("solution", "build", path, "--time", "0.001", "--json")
    assert done.code == 1
    assert '"open": 1' in done.out
    assert parse(path.read_text(), "new").geometry == geometry()
    done = advisor("solution", "build", tmp_path / "wide.txt", "--size", "10x6")
    assert done.code == 2
    assert "at most 9 columns" in done.err
    assert not (tmp_path / "wide.txt").exists()
    path.write_text(path.read_text() + "4 play 3\n\n")
    done = advisor("solution", "build", path, "--time", "0.001")
    assert done.code == 2
    assert f"{path}: line" in done.err
    assert "not x's turn" in done.err


def test_the_command_runs_its_own_program(tmp_path: Path) -> None:
    (tmp_path / "building").mkdir()
    (tmp_path / "building" / "__init__.py").write_text("raise SystemExit('another package')")
    done = subprocess.run(
        [*ENTRY, "solution", "--help"],
        capture_output=True,
        text=True,
        env={**environment(), "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_group_of_commands_asks_for_its_help() -> None:
    shown = advisor("solution")
    assert shown == advisor("solution", "--help")
    assert shown.code == 0
    assert "..." not in shown.out.partition("--help")[2]
