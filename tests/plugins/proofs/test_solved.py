"""The solution in use: what is checked of it wins, and nothing else is said to."""

import importlib.util
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import advisor as public
from advising import Advisor, advise
from advisor.advice.advice import Advice
from advisor.errors import InputError
from advisor.files.resources import SOLUTIONS
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.notation import parse_line
from advisor.games.connect4.solver import Solver
from advisor.limits import Limit
from advisor.plugins.proofs.building.checking import check
from advisor.plugins.proofs.building.solution import whole_part
from advisor.plugins.proofs.plans import plan_text, solved
from advisor.plugins.proofs.plans.plan_text import PlannedMove
from advisor.plugins.proofs.plans.solved import CheckedRecord, CheckedSolution, known_step
from advisor.plugins.proofs.plans.trial import (
    By,
    Goal,
    PlanStep,
    PlanTrial,
    ProvedPlan,
    by_threats,
    mirrored_numbers,
    state_of,
)
from advisor.settings.reading import load
from command import advisor

G = geometry()


@pytest.fixture(scope="module")
def part() -> CheckedSolution:
    found = solved.solution_of(G)
    assert found is not None, "solutions/7x6.txt has changed: advisor solution check"
    return found


@pytest.fixture(scope="module")
def leaf(part: CheckedSolution) -> Board:
    """A position of the solution in which a number decides, too far from its end for a search."""
    for moves in part.starts:
        position = after(moves)
        step = known_step(position)
        if step and step.by is By.NUMBER and position.discs <= 12:
            return position
    raise AssertionError("no leaf with few discs")


def after(moves: str) -> Board:
    return Board(G).play_all(map(int, moves))


def played(position: Board) -> tuple[int, By | None]:
    """The column of x: by the solution, or the first of a few threats that win."""
    found = known_step(position)
    step = found or by_threats(position)
    assert step, f"{position}: neither known nor won by threats"
    return step.column, found.by if found else None


def test_x_wins_every_game_by_the_solution(part: CheckedSolution) -> None:
    random = Random(7)
    rules = set()
    for start in random.choices(part.starts, k=200):
        position = after(start)
        if random.random() < 0.5:
            position = position.mirror
        while not position.over:
            column, by = played(position)
            rules.add(by)
            position = position.play(column)
            if not position.over:
                position = position.after(random.choice(position.moves()))
        assert position.winner == 1
    assert rules == {*By, None}


def test_positions_that_are_used_are_solved_and_the_others_are_not(part: CheckedSolution) -> None:
    """By the word of the program that shares nothing with the project."""
    spec = importlib.util.spec_from_file_location("check", SOLUTIONS / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def whole(moves: str) -> bool:
        text = solved.file_of(G).read_text().splitlines()
        lines = filter(None, (line.partition("#")[0].split() for line in text))
        return module.check(lines, moves or "-")[1:] == (0, 0)

    random = Random(3)
    late = [moves for moves in part.starts if len(moves) > 13]
    assert all(whole(moves) for moves in random.sample(late, 2))
    unfinished = CheckedRecord.read(CheckedRecord.file(solved.file_of(G))).unfinished
    opened = sorted((moves.decode() for moves in unfinished), key=len)
    assert not any(whole(moves) for moves in opened[-1:])
    assert not any(known_step(after(moves)) for moves in opened if len(moves) > 8)


def test_a_position_inside_a_plan_is_played_by_it(leaf: Board) -> None:
    first = known_step(leaf)
    assert first is not None
    position = leaf.play(first.column)
    steps = [known_step(position.after(column)) for column in position.moves()]
    # A few come up in other plans too; of some replies x makes use by threats.
    assert sum(step is not None and step.plan == first.plan for step in steps) > 2


def test_mirror_images_are_known_by_mirrored_plans(part: CheckedSolution) -> None:
    random = Random(5)
    for moves in random.choices(part.starts, k=60):
        position = after(moves)
        step, image = known_step(position), known_step(position.mirror)
        assert step is not None
        assert image is not None
        assert (step.plan is None) == (image.plan is None)
        if step.plan and image.plan and step.plan.name == image.plan.name:
            assert image.plan.numbers in (
                mirrored_numbers(G, step.plan.numbers),
                step.plan.numbers,
            )
        if step.by is By.NUMBER and position != position.mirror:
            assert image.column == G.width + 1 - step.column


def test_the_empty_board_is_solved(part: CheckedSolution) -> None:
    assert known_step(Board(G)) == PlanStep(4, By.MOVE)
    for column in range(1, 8):
        reply = after("4").play(column)
        assert known_step(reply) or by_threats(reply)


def test_other_positions_are_not_known(part: CheckedSolution) -> None:
    assert len(part.starts) > 1000
    assert known_step(after("1")) is None  # o is to move
    assert known_step(Board(geometry(6, 6))) is None
    assert known_step(after("4141414")) is None
    assert known_step(after("1212")) is None


OTHERS = [
    geometry(*map(int, path.stem.split("x")))
    for path in sorted(SOLUTIONS.glob("*x*.txt"))
    if path != solved.file_of(G)
]
"""Boards with a solution, besides 7x6."""


@pytest.mark.parametrize("g", OTHERS, ids=lambda g: f"{g.width}x{g.height}")
def test_other_solutions_were_checked_whole_and_reach_their_goal(g: Geometry) -> None:
    path = solved.file_of(g)
    record = CheckedRecord.read(CheckedRecord.file(path))
    assert (record.size, record.unfinished) == (path.stat().st_size, frozenset())
    found = solved.solution_of(g)
    assert found is not None
    rules = PlanTrial(Goal(g, found.hold))
    enough = {found.player, 0} if found.hold else {found.player}
    random = Random(g.squares)
    for _ in range(40):
        position = Board(g)
        while not position.over:
            if position.turn != found.player:
                position = position.after(random.choice(position.moves()))
                continue
            step = known_step(position)
            assert step or rules.is_reached(state_of(position)), position
            if step is None:
                step = by_threats(position)
            position = position.play(step.column if step else random.choice(position.moves()))
        assert position.winner in enough


# Advice


@pytest.fixture(autouse=True)
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra ``exact``, whose book knows more than the solution of most positions."""
    monkeypatch.setitem(sys.modules, "bitbully", None)


def advised(position: Board, **changes: Any) -> Advice:
    return Advisor(load(**changes)).advise(position, Limit(2))


def test_the_plan_decides_and_is_told(leaf: Board) -> None:
    step = known_step(leaf)
    assert step is not None
    assert step.plan is not None
    advice = advised(leaf)
    assert advice.solved == PlannedMove(leaf, step)
    assert advice.best == (step.column,)
    assert (advice.score.kind, advice.score.proved) == ("win", True)
    assert Advisor(load()).choose(leaf, Limit(2)) == step.column
    told = advice.to_json()["plan"]
    assert isinstance(told, dict)
    assert told["number"] == step.plan.name
    assert told["threats"] == step.plan.threats
    square = G.height - leaf.row_of(step.column), step.column - 1
    rows = told["numbers"]
    playable = [rows[G.height - leaf.row_of(c)][c - 1] for c in leaf.moves()]
    assert rows[square[0]][square[1]] == min(playable)
    discs = [(7 - row, column - 1) for _, row, column in leaf.cells()]
    assert {(r, c) for r in range(6) for c in range(7) if rows[r][c] is None} == {
        (row - 1, column) for row, column in discs
    }


def test_a_faster_win_that_is_seen_is_played(part: CheckedSolution) -> None:
    """Inside of plans: the solution's move is suggested, or one by which the look-ahead wins."""
    random, advisor_, faster = Random(2), Advisor(load()), []
    while len(faster) < 20:
        position = after(random.choice(part.starts))
        for _ in range(random.randrange(4)):
            step = known_step(position)
            if step and not position.play(step.column).over:
                reply = position.play(step.column)
                position = reply.after(random.choice(reply.moves()))
        if position.over or not known_step(position):
            continue
        advice = advisor_.advise(position, Limit(4))
        assert advice.solved is not None
        assert advice.score.kind == "win"
        faster.append(not advice.score.proved)
        assert faster[-1] or advice.best[0] == advice.solved.move
    assert len(set(faster)) == 2


def test_where_the_solution_wins_it_can_be_asked_at_once(
    part: CheckedSolution, leaf: Board
) -> None:
    random, at_once = Random(6), Advisor(load())
    for moves in ["", "41", *random.choices(part.starts, k=20)]:
        position = after(moves)
        advice = at_once.advise(position, at_once=True)
        step = known_step(position)
        assert step is not None
        assert advice.solved == PlannedMove(position, step)
        if advice.from_book:
            top = max(score.points or 0 for score in advice.scores.values())
            assert advice.move(advice.best[0]).score.points == top
            sooner = step.column not in advice.best
            assert (advice.to_json()["plan"]["text"][-1].endswith(" sooner.")) is sooner  # type: ignore[index, call-overload]
        else:
            assert advice.best == (step.column,)
        assert (advice.score.kind, advice.score.proved) == ("win", True)
        assert (advice.depth, advice.leaves) == (0, 0)
        # Of other moves nothing is said, but for what the opening book knows.
        book_knows = advice.from_book
        assert book_knows == (position.discs <= 4)
        assert len(advice.moves) == (len(position.moves()) if book_knows else 1)
        assert all(move.score.proved for move in advice.moves)
    own = replace(load(), book=False)
    assert Advisor(own).advise(leaf, Limit(1), at_once=True).leaves > 0
    # A plan that only holds is no reason to overlook a win.
    held = Board(geometry(6, 5))
    advice = at_once.advise(held, Limit(1), at_once=True)
    assert advice.solved is not None
    assert advice.leaves > 0


def test_a_plan_that_holds_is_played_unless_something_better_is_known() -> None:
    g = geometry(6, 5)
    held = solved.solution_of(g)
    assert held is not None
    assert held.hold
    random, solver, advisor_ = Random(8), Solver(g), Advisor(load())
    seen = set()
    early, late = ([m for m in held.starts if len(m) in range(n, n + 5)] for n in (4, 9))
    for moves in random.choices(early, k=4) + random.choices(late, k=4):
        position = Board(g).play_all(map(int, moves))
        score = solver.solve(position).score
        assert score is not None
        assert score >= 0
        # By a depth, and by a time half of which goes to the exact solver.
        for limit in (Limit(1), Limit(seconds=0.05)):
            advice = advisor_.advise(position, limit)
            assert advice.solved is not None
            for column in (advice.best[0], advisor_.choose(position, limit)):
                assert not solver.at_least(position.after(column), 1)
            seen.add((score > 0, advice.best[0] == advice.solved.move))
    assert (False, True) in seen


def test_it_is_used_where_the_opening_book_is(leaf: Board, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("extends: default\nmoves: {parity: 7}\n")
    assert Advisor(load(str(own))).advise(leaf, Limit(2)).solved is None
    own.write_text("extends: default\nmoves: {parity: 7}\nbook: true\n")
    assert Advisor(load(str(own))).advise(leaf, Limit(2)).solved is not None
    assert Advisor(load("pomakis")).advise(leaf, Limit(2)).solved is None
    assert Advisor(load()).advise(leaf, Limit(0)).solved is None
    assert Advisor(replace(load(), book=False)).advise(leaf, Limit(2)).solved is None
    assert Advisor(load()).advise(leaf, Limit(2), alike=True).solved is None


def test_suggest_answers_at_once_unless_it_is_asked_for_more() -> None:
    for asked in ([], ["--time", "5"]):
        out = advisor("suggest", "", *asked).out
        assert "known by exact play (opening book); no look-ahead" in out
        assert "Play column 4: wins in 21 (proved)." in out
    out = advisor("suggest", "444444").out
    assert "known by the solution; no look-ahead" in out
    assert "strategies" not in out
    for asked in (["--depth", "1"], ["--level", "20", "--time", "0.1"], ["--no-book"]):
        assert "strategies" in advisor("suggest", "444444", *asked).out


def test_suggest_says_what_a_solution_that_holds_is_worth() -> None:
    shown = " ".join(advisor("suggest", "--size", "6x5", "", "--depth", "1").out.split())
    assert "holds at least a draw (proved)." in shown
    assert "by which red holds at least a draw: every reply is answered there." in shown


def test_suggest_shows_the_board_with_the_numbers(leaf: Board) -> None:
    step = known_step(leaf)
    assert step is not None
    board = "/".join(leaf.rows())
    shown = advisor("suggest", board, "--depth", 2).out
    assert step.plan is not None
    assert "\n".join(plan_text.picture(step.plan, leaf, step.column)) in shown
    assert "block if you must; otherwise play the lowest" in " ".join(shown.split())
    found = json.loads(advisor("suggest", board, "--depth", 2, "--json").out)
    assert found["plan"]["text"][-1] in " ".join(shown.split())
    assert (
        json.loads(advisor("suggest", board, "--depth", 2, "--no-book", "--json").out)["plan"]
        is None
    )


def test_sentences() -> None:
    numbers = tuple(range(1, G.width * G.stride + 1))
    position = after("44")
    step = PlanStep(1, By.NUMBER, ProvedPlan(1, numbers, 0, name=9))
    assert PlannedMove(position, step).sentences() == [
        "By plan 9 of the solution red wins, whatever yellow does: win if you can; block if you "
        "must; otherwise play the lowest number that can be played.",
        "It needs no calculation at all.",
        "Now the lowest number is 1, on a1.",
    ]
    assert plan_text.picture(ProvedPlan(1, numbers, 0), position, 1)[-3:] == [
        "  1   1  8 15  x 29 36 43",
        "      1  2  3  4  5  6  7",
        "      ^",
    ]


# Files that are not as they were checked


def copied(folder: Path) -> Path:
    path = folder / "7x6.txt"
    path.write_bytes(solved.file_of(G).read_bytes())
    CheckedRecord.file(path).write_bytes(CheckedRecord.file(solved.file_of(G)).read_bytes())
    return path


def test_what_has_changed_is_not_used_and_what_has_grown_is_used_as_before(tmp_path: Path) -> None:
    path = copied(tmp_path)
    whole = path.read_bytes()
    size = CheckedRecord.read(CheckedRecord.file(path)).size
    found = CheckedSolution.read(path, G)
    assert found is not None
    path.write_bytes(whole[:size] + b"\n4444444 plan 1 threats 0\nplan 7 x")
    grown = CheckedSolution.read(path, G)
    assert grown is not None
    assert grown.starts == found.starts
    random = Random(1)
    for _ in range(60):
        place = random.randrange(size)
        changed = bytearray(whole)
        changed[place] ^= 1 << random.randrange(7)
        path.write_bytes(changed)
        assert CheckedSolution.read(path, G) is None
        path.write_bytes(whole[:place])
        assert CheckedSolution.read(path, G) is None


def test_a_record_that_is_broken_or_missing_is_an_error_and_nothing_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaf: Board
) -> None:
    path = copied(tmp_path)
    monkeypatch.setattr(solved, "SOLUTIONS", tmp_path)
    for text in (None, "", "bytes 12\n", "sha256 abc\n", "bytes 1\nbytes x\n", "7x6 is solved\n"):
        CheckedRecord.file(path).unlink(missing_ok=True)
        if text is not None:
            CheckedRecord.file(path).write_text(text)
        solved.solution_of.cache_clear()
        assert known_step(leaf) is None
    solved.solution_of.cache_clear()


def test_the_check_tells_what_is_wrong_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "7x6.txt"
    text = whole_part(solved.file_of(G).read_text().partition("plan 2\n")[0])
    path.write_text(text)
    check(path)
    few = CheckedSolution.read(path, G)
    assert few is not None
    assert 0 < len(few.starts) < len(text.splitlines())
    CheckedRecord.file(path).unlink()
    # A plan with the numbers of two rows exchanged wins no more.
    lines = text.splitlines()
    row = lines.index("plan 1") + 4
    lines[row], lines[row + 1] = lines[row + 1], lines[row]
    path.write_text("\n".join(lines) + "\n\n")
    with pytest.raises(InputError, match=r"7x6.txt: plan 1 does not win after \d+"):
        check(path)
    done = advisor("solution", "check", path)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert not CheckedRecord.file(path).exists()


def test_a_move_that_the_solution_plays_was_not_chosen_by_its_score() -> None:
    advice = advise(parse_line("3", geometry(4, 4)), load(), depth=2, traced=True)
    value = {column: score.value for column, score in advice.scores.items()}
    assert advice.best == (3,)
    assert value[3] == min(value.values())
    (told,) = public.explain(advice)
    assert "was chosen by the solution, not by its score." in told
    (told,) = public.explain(advice, numbers=True)
    apart = (advice.move(1).value or 0) - (advice.move(3).value or 0)
    standing = f"{apart} less than column 1: it was chosen by the solution, not by its sum."
    assert standing in told
    assert public.reason(advice, 3) == "plan 1: number 1 is the lowest that can be played"
    (other,) = public.explain(advice, 1, numbers=True)
    standing = f"{apart} more than column 3, which was chosen by the solution, not by its sum."
    assert standing in other
    # What goes against the difference of the sums begins with "On the other hand".
    for text, sign in ((told, "-"), (other, "+")):
        for sentence in re.split(r"(?<=\.) ", text):
            signs = set(re.findall(r"[(;] ?([+-])\d+\)", sentence))
            assert signs <= {sign} or (
                sentence.startswith("On the other hand") and sign not in signs
            )
