"""Solutions as theorems: Rocq proves what they claim, and nothing that a changed one claims."""

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from advisor.files.resources import ENCODINGS
from advisor.plugins.proofs.building.solution import Leaf, Play, Solution, read

pytestmark = pytest.mark.slow

SOLUTIONS = ENCODINGS.parent / "solutions"
PROVE = SOLUTIONS / "theorem" / "prove.py"
SMALL = SOLUTIONS / "6x4.txt"

needs_rocq = pytest.mark.skipif(
    shutil.which("coqc") is None, reason="coqc is not installed (apt-get install coq)"
)


def module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROVE), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Rocq's files are compiled, once for all tests of this module."""
    return tmp_path_factory.mktemp("theorem")


def test_the_data_are_those_of_the_solution() -> None:
    checker, prove = module(SOLUTIONS / "check.py"), module(PROVE)
    path = SOLUTIONS / "7x6.txt"
    board = checker.Board(7, 6)  # with the same seven bits for a column
    leaves, moves, plans = set(), set(), {}
    lines = iter(path.read_text().splitlines())
    for words in (line.partition("#")[0].split() for line in lines):
        if words[:1] == ["plan"]:
            order: dict[int, int] = {}
            for row in range(6)[::-1]:
                for column, number in enumerate(map(int, next(lines).split())):
                    order[number] = order.get(number, 0) | 1 << 7 * column + row
            plans[words[1]] = [order[number] for number in sorted(order)]
        elif words[1:2] == ["plan"]:
            leaves.add((words[2], *board.position(words[0]), int(words[4])))
        elif words[1:2] == ["play"]:
            p, q = board.position(words[0])
            after = board.position(words[0] + words[2])[1]
            moves.add((p, q, (after & ~p).bit_length() - 1))

    text = "\n".join(prove.rocq(read(path)))
    found_leaves, found_plans = set(), {}
    for name, groups, its in re.findall(r"plan(\d+) : .*? := \(\[(.*?)\],\s+\[(.*?)\]\)", text):
        found_plans[name] = list(map(int, groups.split("; ")))
        for p, q, threats in re.findall(r"Leaf (\d+) (\d+) (\d+)", its):
            found_leaves.add((name, int(p), int(q), int(threats)))
    found = re.findall(r"Move (\d+) (\d+) (\d+)", text)
    assert {tuple(map(int, move)) for move in found} == moves
    assert found_leaves == leaves
    assert found_plans == plans
    assert "Theorem first_player_can_win : first_player_can 7 6 win." in text


def test_the_page_quotes_the_statement() -> None:
    game = re.sub(r"\(\*.*?\*\)\n", "", (PROVE.parent / "Game.v").read_text(), flags=re.S)
    page = (SOLUTIONS.parent / "docs" / "theorem.md").read_text()
    quoted = re.findall(r"```coq\n(.*?)```", page, re.S)
    assert len(quoted) == 3
    for definition in "\n".join(quoted).split("\n\n"):
        assert definition.strip() in game


@needs_rocq
def test_small_boards_are_proved_from_integers_alone(build: Path) -> None:
    ended = run("--build", build, SMALL, SOLUTIONS / "4x4.txt")
    assert ended.returncode == 0, ended.stderr
    assert "second_player_can_win\n     : second_player_can 6 4 win\n" in ended.stdout
    assert "second_player_can_hold\n     : second_player_can 4 4 hold\n" in ended.stdout
    # Each of the three ways to reach a goal is in what is shown.
    for way in ("by_a_line", "by_a_move", "by_a_full_board"):
        assert f"{way} : forall" in ended.stdout


def leaf_dropped(solution: Solution) -> None:
    del solution.said[next(k for k, said in solution.said.items() if isinstance(said, Leaf))]


def first_move_changed(solution: Solution) -> None:
    key, said = next(item for item in solution.said.items() if isinstance(item[1], Play))
    solution.said[key] = Play(said.moves, said.column % solution.geometry.width + 1)


def numbers_reversed(solution: Solution) -> None:
    solution.plans[0] = tuple(number and 100 - number for number in solution.plans[0])


def better_claimed(solution: Solution) -> None:
    solution.player = 3 - solution.player


@needs_rocq
@pytest.mark.parametrize(
    "change", [leaf_dropped, first_move_changed, numbers_reversed, better_claimed]
)
def test_a_changed_solution_proves_nothing(
    build: Path, tmp_path: Path, change: Callable[[Solution], None]
) -> None:
    prove = module(PROVE)
    prove.prepare(build)
    solution = read(SMALL)
    change(solution)
    (build / "Changed.v").write_text("\n".join(prove.rocq(solution)))
    with pytest.raises(prove.RefusedError, match="_player_checked"):
        prove.compile_theory(build, "Changed")


@needs_rocq
def test_an_assumption_is_refused(build: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prove = module(PROVE)
    prove.prepare(build)
    lines = list(prove.rocq(read(SMALL)))
    lines[-2:] = ["Axiom believe_me : second_player_can 6 4 win. exact believe_me. Qed."]
    monkeypatch.setattr(prove, "rocq", lambda _: ["(* *)", *lines[1:]])
    with pytest.raises(prove.RefusedError, match=r"without proof: Solution6x4\.believe_me"):
        prove.prove(SMALL, build)


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ended = run("--build", tmp_path / "build")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "error: coqc is not installed (Debian, Ubuntu: apt-get install coq)\n"


@needs_rocq
def test_a_board_that_is_too_large_is_an_error(build: Path, tmp_path: Path) -> None:
    large = tmp_path / "8x8.txt"
    large.write_text("board 8 8\n\n")
    ended = run("--build", build, large)
    assert ended.returncode == 2
    assert ended.stderr == "error: 8x8.txt: 8x8 found, up to 7x6 is allowed\n"
