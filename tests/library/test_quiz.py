"""The quiz: its verdicts are true, hints lead to the solution, progress is stored."""

import json
from pathlib import Path

import pytest

import advisor
from advisor.games import puzzles
from aspcircuits.stopping import Stop
from command import advisor as command
from second_games import misere

STOP = Stop()


def quiz(lines: str, *arguments: object) -> str:
    """What is printed; it must end well."""
    done = command("quiz", *arguments, stdin=lines.encode())
    assert (done.code, done.err) == (0, "")
    return done.out


@pytest.mark.parametrize("puzzle", ["chapter1/3", "chapter3/5", "second/5x4-connect-3/8"])
def test_the_third_hint_solves_a_puzzle_and_no_hint_is_wrong(puzzle: str) -> None:
    posed = advisor.puzzle(puzzle)
    attempt = advisor.Attempt(posed.position, posed.win_in)
    while not attempt.solved:
        right = attempt.position.abilities.winning(attempt.left, STOP)
        if attempt.left == posed.win_in:
            assert right == list(posed.solution)
        no, among, yes = attempt.hint(), attempt.hint(), attempt.hint()
        assert (no.kind, among.kind, yes.kind) == ("not", "among", "is")
        assert no.moves[0] not in right
        assert len({*among.moves} & {*right}) == 1
        assert yes.moves[0] in right
        attempt.play(str(yes.moves[0]))
    assert attempt.left == 1
    assert (attempt.wrong, attempt.hints) == (0, 3 * posed.win_in)


def test_a_wrong_move_is_refuted_and_taken_back() -> None:
    posed = advisor.puzzle("chapter3/5")
    attempt = advisor.Attempt(posed.position, posed.win_in)
    for column in posed.position.moves:
        if column in posed.solution:
            continue
        judged = attempt.play(str(column))
        assert judged.verdict == "wrong"
        assert attempt.position == posed.position
        after = posed.position.play(column)
        if not after.over:
            found = advisor.reply(after, posed.win_in)
            assert judged.told == found.told
            then = after.play(found.moves[0])
            assert then.abilities.winning(posed.win_in - 1, STOP) == []
            assert found.outcome != "wins" or (found.left or 0) >= posed.win_in
    assert attempt.wrong == 6


def test_a_game_by_its_rules_is_taught_too() -> None:
    posed = advisor.puzzle("mate2/2", game="chess")
    attempt = advisor.Attempt(posed.position, posed.win_in)
    wrong = next(move for move in posed.position.moves if move not in posed.solution)
    assert attempt.play(wrong).verdict == "wrong"
    assert attempt.play(posed.solution[0]).verdict == "right"
    assert attempt.hint().kind == "not"
    (last, *_) = attempt.position.abilities.winning(1, STOP)
    assert attempt.play(attempt.position.names[last]).verdict == "solved"


def test_an_attempt_takes_the_moves_that_puzzles_and_hints_name() -> None:
    posed = advisor.puzzle("chapter3/5")
    attempt = advisor.Attempt(posed.position, posed.win_in)
    assert attempt.play(attempt.hint().moves[0]).verdict == "wrong"
    assert attempt.play(posed.solution[0]).verdict == "right"


def test_where_nobody_can_try_is_told() -> None:
    over, begun = advisor.position("1212121"), advisor.position()
    for ask in (lambda: advisor.reply(over, 1), lambda: advisor.Attempt(over, 1)):
        with pytest.raises(advisor.InputError, match="the game is over"):
            ask()
    with pytest.raises(advisor.InputError, match="moves -1 is out of range"):
        advisor.reply(begun, -1)
    with pytest.raises(advisor.InputError, match="win_in 0 is out of range"):
        advisor.Attempt(begun, 0)
    with pytest.raises(advisor.InputError, match="no move of x wins in 2"):
        advisor.Attempt(begun, 2).hint()


def test_the_reply_may_be_what_wins(tmp_path: Path) -> None:
    file = misere(tmp_path) / "1.yaml"
    file.write_text("game: .\nmoves: a1 c1 a2 b3 b1 a3\nwin_in: 1\nsolution: [c2]\n")
    assert advisor.replay(str(file)).moves_used == 1
    attempt = advisor.Attempt(advisor.puzzle(str(file)).position, 1)
    assert attempt.play("c3").verdict == "wrong"
    # Of the two other moves one has been tried.
    assert [attempt.hint().kind for _ in range(2)] == ["not", "is"]
    assert attempt.hint().moves == ("c2",)
    shown = quiz("c2\n", file)
    assert "O answers b2 and loses.\nSolved." in shown
    assert "1 of 1 solved." in shown


def test_a_puzzle_that_no_move_solves_is_told_as_one(tmp_path: Path) -> None:
    file = tmp_path / "1.yaml"
    file.write_text("game: tictactoe\nmoves: a1 b2 c3\nwin_in: 1\n")
    assert quiz("a2\nq\n", file).count("no move of o wins in 1") == 1


def test_a_puzzle_in_the_terminal() -> None:
    shown = quiz("x\n9\nh\n4\n5\nh\nh\nh\nq\n", "chapter3/5")
    assert "chapter3/5: x (red) to move and win in 3" in shown
    assert "'x' is not a column (? lists the commands)" in shown
    assert "column 9 is out of range (use 1 to 7)" in shown
    assert "The move is not column" in shown
    assert "No: " in shown
    assert "0 of 1 solved." in shown


def test_progress_is_kept_in_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "progress"
    first, second = (puzzles.load(f"chapter1/{number}").solution[0] for number in (1, 2))
    shown = quiz(f"h\n{first}\ns\n", "chapter1", "--progress", kept)
    assert "Solved." in shown
    assert "Puzzle 3 of 30" in shown
    assert json.loads(kept.read_text()) == {"puzzle": "chapter1/1", "wrong": 0, "hints": 1}
    shown = quiz(f"{second}\nq\n", "chapter1", "--progress", kept)
    assert "chapter1/1:" not in shown
    assert shown.endswith("2 of 30 solved.\n")
    assert len(kept.read_text().splitlines()) == 2


def test_a_last_line_without_an_end_stays_a_line(tmp_path: Path) -> None:
    kept = tmp_path / "progress"
    kept.write_text('{"puzzle": "chapter1/1", "wrong": 2, "hints": 1}')
    solved = [puzzles.load(f"chapter1/{number}").solution[0] for number in (2, 3)]
    assert quiz(f"{solved[0]}\n{solved[1]}\nq\n", "chapter1", "--progress", kept).endswith(
        "3 of 30 solved.\n"
    )
    told = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [each["puzzle"] for each in told] == ["chapter1/1", "chapter1/2", "chapter1/3"]


def test_a_file_of_something_else_stays_as_it_is(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("mine\n")
    done = command("quiz", "chapter1", "--progress", mine)
    told = f"error: {mine}: line 1 is not a line of a quiz's progress (choose another file)\n"
    assert (done.code, done.err, mine.read_text()) == (2, told, "mine\n")


@pytest.mark.parametrize("place", ["chapter9", "chapter1/99", "no/such.yaml"])
def test_what_is_no_puzzle_gets_one_line(place: str) -> None:
    done = command("quiz", place)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1


def test_hints_do_not_name_a_move_that_was_refuted() -> None:
    posed = advisor.puzzle("chapter2/5")
    attempt = advisor.Attempt(posed.position, posed.win_in)
    tried = [move for move in posed.position.moves if attempt.play(move).verdict == "wrong"][:3]
    attempt = advisor.Attempt(posed.position, posed.win_in)
    for move in tried:
        attempt.play(move)
    named = [*attempt.hint(explained=False).moves, *attempt.hint(explained=False).moves]
    assert not {*named} & {*tried}
