"""Puzzles that are made: what they claim holds, and the same seed makes them again."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from advising import Advisor
from advisor.errors import InputError
from advisor.games import puzzles, rooms
from advisor.games.abilities import Abilities
from advisor.games.connect4.board import Board
from advisor.games.connect4.notation import parse_line
from advisor.games.connect4.solver import Solver, score_in
from advisor.library import posing
from advisor.library.loading import load_game
from advisor.library.posing import Posing, likeness
from advisor.library.replaying import begin, longest_defence, play_out, replay
from advisor.limits import Limit
from advisor.settings import reading
from aspcircuits.stopping import Stop
from command import advisor
from ctrl_c import ctrl_c
from second_games import misere

ADVISOR = Advisor(reading.load())
SMALL = ("--size", "5x4", "--connect", 3)


def make(folder: Path, *arguments: object) -> list[Path]:
    """The files that the command writes."""
    done = advisor("puzzles", "make", "-o", folder, "--json", *arguments)
    assert (done.code, done.err) == (0, "")
    return [Path(file) for file in json.loads(done.out)["files"]]


def winning(game: Abilities, moves: int) -> list[Any]:
    """The moves that win within a number of moves, by the rules alone: the plainest search."""

    known: dict[Any, bool] = {}

    def wins(game: Abilities, moves: int) -> bool:
        if (game.key, moves) not in known:
            found = any(beats(game.after(move), moves) for move in game.legal().values())
            known[game.key, moves] = found
        return known[game.key, moves]

    def beats(game: Abilities, moves: int) -> bool:
        over = game.result
        if over is not None or moves == 1:
            return over is not None and over.kind == "loss"
        replies = [game.after(reply) for reply in game.legal().values()]
        return all(reply.result is None and wins(reply, moves - 1) for reply in replies)

    return [move for move in game.legal().values() if beats(game.after(move), moves)]


def by_rules(position: Board, moves: int) -> list[int]:
    """The columns that win within a number of moves."""
    return winning(ADVISOR.see(position), moves)


@pytest.mark.slow
@pytest.mark.parametrize("win_in", [2, 4])
def test_a_puzzle_is_what_it_says(win_in: int, tmp_path: Path) -> None:
    for file in make(tmp_path / "new", "--win-in", win_in, "--count", 4, *SMALL):
        posed = puzzles.load(str(file))
        assert by_rules(posed.position, win_in) == list(posed.solution)
        assert len(posed.solution) == 1
        if win_in > 1:
            assert by_rules(posed.position, win_in - 1) == []
            assert ADVISOR.choose(posed.position, Limit(0)) not in posed.solution
        if win_in > 2:
            assert ADVISOR.choose(posed.position, Limit(2)) not in posed.solution
        assert posed.seed == 1
        assert posed.difficulty is not None
        at = posed.difficulty.depth
        for depth in range(max(1, at), 2 * win_in):
            assert ADVISOR.choose(posed.position, Limit(depth)) in posed.solution
        if at:
            assert ADVISOR.choose(posed.position, Limit(at - 1)) not in posed.solution


def test_several_first_moves_may_win_if_that_is_allowed(tmp_path: Path) -> None:
    made = make(tmp_path / "new", "--win-in", 3, "--count", 8, "--many", *SMALL)
    posed = [puzzles.load(str(file)) for file in made]
    assert {len(each.solution) for each in posed} > {1}
    for each in posed:
        assert by_rules(each.position, 3) == list(each.solution)


def texts(files: list[Path]) -> list[str]:
    return [file.read_text() for file in files]


def test_the_same_seed_makes_the_same_puzzles_also_with_a_break(tmp_path: Path) -> None:
    whole = texts(make(tmp_path / "whole", "--win-in", 3, "--count", 4, *SMALL))
    make(tmp_path / "parts", "--win-in", 3, "--count", 2, *SMALL)
    more = make(tmp_path / "parts", "--win-in", 3, "--count", 4, "--resume", *SMALL)
    assert texts(more) == whole
    shared = make(tmp_path / "shared", "--win-in", 3, "--count", 4, "--jobs", 2, *SMALL)
    assert texts(shared) == whole
    assert len({*whole}) == 4


def test_ctrl_c_keeps_what_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    arguments = ("puzzles", "make", "-o", folder, "--win-in", 3, "--count", 5000, *SMALL)
    sheet = tmp_path / "sheet.html"
    with ctrl_c("_look", lambda names: names.get("task") == "5"):
        done = advisor(*arguments, "--html", sheet)
    made = sorted(folder.glob("*.yaml"))
    assert done.code == 130
    assert done.err == f"error: interrupted: {len(made)} of 5000 puzzles\n"
    assert made
    assert sheet.read_text().count("<figure>") == len(made)
    again = make(folder, "--win-in", 3, "--count", len(made) + 1, "--resume", *SMALL)
    fresh = make(tmp_path / "fresh", "--win-in", 3, "--count", len(made) + 1, *SMALL)
    assert texts(again) == texts(fresh)


def test_nothing_of_the_user_s_is_overwritten(tmp_path: Path) -> None:
    folder, sheet = tmp_path / "mine", tmp_path / "sheet.html"
    folder.mkdir()
    (folder / "1.yaml").write_text("mine")
    sheet.write_text("mine")
    arguments = ("puzzles", "make", "--win-in", 2, "--count", 1, *SMALL, "-o")
    refused = advisor(*arguments, folder)
    told = f"error: {folder}: holds files already (choose another folder)\n"
    assert (refused.code, refused.err) == (2, told)
    assert "nothing to resume (no made.jsonl there" in advisor(*arguments, folder, "--resume").err
    assert "exists already" in advisor(*arguments, tmp_path / "new", "--html", sheet).err
    assert (folder / "1.yaml").read_text() == sheet.read_text() == "mine"
    assert not (tmp_path / "new").exists()
    made = make(tmp_path / "new", "--win-in", 2, "--count", 2, *SMALL)
    made[0].write_text("changed")
    assert "--resume goes on with it" in advisor(*arguments, tmp_path / "new").err
    make(tmp_path / "new", "--win-in", 2, "--count", 3, "--resume", *SMALL)
    assert made[0].read_text() == "changed"
    other = advisor(*arguments, tmp_path / "new", "--resume", "--seed", 9)
    assert "holds another run (seed: 1 there, 9 here)" in other.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--win-in", "0"], "greater than or equal to 1"),
        (["--win-in", "11", "--size", "5x4"], "--win-in: 11 moves do not fit on this board"),
        (
            ["--win-in", "5", "--game", "tictactoe"],
            "--win-in: 5 moves take too long: none of 512 random games lasts for 9 plies after",
        ),
        (["--win-in", "2", "--seed", "-1"], "'--seed': -1 is not from 0 to 18446744073709551615"),
        (["--win-in", "2", "--const", "size=5"], "connect4: no #const 'size'"),
        (["--win-in", "2", "--game", "hex", "--size", "5x5"], "hex: no #const 'width'"),
        (["--win-in", "2", "--game", "morris"], "puzzles need sides that take turns"),
        (["--win-in", "2", "--html", "no/such/file"], "cannot be written (no such folder)"),
    ],
)
def test_what_cannot_be_made_gets_one_line(arguments: list[str], told: str, tmp_path: Path) -> None:
    done = advisor("puzzles", "make", "-o", tmp_path / "new", *arguments)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_what_is_looked_through_is_told_and_comes_to_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posing, "_PATIENCE", 3 * 64)
    told: list[str] = []
    made = Posing(tmp_path / "new", 4, 1, game="tictactoe")
    made.hear(told.append)
    with pytest.raises(InputError, match="found only 0 of 1 such puzzles"):
        next(iter(made))
    assert told == ["game 64", "game 128", "game 192"]


def key(position: Board) -> str:
    begun = rooms.load().begin(position)
    return begun.game.puzzle_maker.likeness(begun)


def test_a_position_and_its_mirror_image_are_one_puzzle(tmp_path: Path) -> None:
    position = parse_line("44432")
    assert key(position) == key(position.mirror)
    assert key(position) != key(parse_line("44435"))
    (first, *_) = make(tmp_path / "new", "--win-in", 3, "--count", 1, *SMALL)
    posed = puzzles.load(str(first))
    posing = Posing(tmp_path / "others", 3, 1, constants=posed.constants)
    posing.known = {key(posed.position.mirror)}
    (file,) = posing
    assert likeness(puzzles.load(str(file))) not in posing.known


@pytest.mark.parametrize("game", ["tictactoe", "gomoku"])
def test_a_puzzle_of_any_game_is_what_it_says(game: str, tmp_path: Path) -> None:
    sizes = ("--const", "width=5", "--const", "height=4", "--const", "connect=4")
    sizes = sizes if game == "gomoku" else ()
    for file in make(tmp_path / "new", "--win-in", 2, "--count", 2, "--game", game, *sizes):
        posed = puzzles.load(str(file), game)
        begun, _ = begin(posed)
        found = winning(begun, 2)
        assert [begun.phrasing.play_name(move) for move in found] == list(posed.solution)
        done = advisor("puzzle", file)
        assert done.code == 0
        assert "solved in 2 moves (book: 2)" in done.out
    done = advisor("puzzles", tmp_path / "new")
    assert "2 of 2 solved" in done.out


# The sheet


def test_a_sheet_to_print(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.html"
    made = make(tmp_path / "new", "--win-in", 2, "--count", 3, *SMALL, "--html", sheet)
    text = sheet.read_text().replace("<!doctype html>", "")
    root = ET.fromstring(re.sub("<meta [^>]*>", "", text))
    pictures = root.findall(".//figure/{http://www.w3.org/2000/svg}svg")
    assert len(pictures) == 3
    solutions = ["".join(item.itertext()) for item in root.findall(".//ol/li")]
    for file, told in zip(made, solutions, strict=True):
        posed = puzzles.load(str(file))
        assert told.startswith(f"column {posed.solution[0]} (found ")
    assert sheet.read_text().index("</main>") < sheet.read_text().index("Solutions")


# The second book


def test_the_second_book_has_60_problems_that_the_first_one_lacks() -> None:
    posed = [puzzles.load(each) for each in puzzles.part_ids("second")]
    assert len(posed) == 60
    kinds = {(p.position.geometry.width, p.position.geometry.connect, p.win_in) for p in posed}
    first = {(7, 4, win_in) for win_in in range(1, 6)}
    assert not kinds & first
    assert {(7, 4, 6), (7, 4, 7), (6, 4, 5), (8, 4, 5), (5, 3, 5), (9, 5, 4)} <= kinds
    known = set(map(likeness, posed))
    assert len(known) == 60
    assert puzzles.part_ids("second") == [id for id in puzzles.ids() if id[:6] == "second"]
    assert puzzles.part_ids("second/6x5") == [f"second/6x5/{number}" for number in range(1, 13)]


@pytest.mark.slow
@pytest.mark.parametrize("puzzle_id", puzzles.part_ids("second")[1::12])
def test_a_problem_of_the_second_book_is_solved_in_its_number_of_moves(puzzle_id: str) -> None:
    posed = puzzles.load(puzzle_id)
    solver = Solver(posed.position.geometry)
    assert not solver.at_least(posed.position, score_in(posed.position, "win", posed.win_in - 1))
    begun, limit = begin(posed)
    verdict = play_out(
        posed,
        begun,
        lambda game: ADVISOR.choose(game.position.board, limit),
        longest_defence(posed),
        max_moves=posed.win_in,
    )
    assert verdict.moves_used == posed.win_in
    assert verdict.line[0] in posed.solution


@pytest.mark.parametrize("place", ["no/such", "chapter9", "second/7x7", ""])
def test_puzzles_that_do_not_exist(place: str) -> None:
    done = advisor("puzzles", place)
    assert (done.code, done.out) == (2, "")
    assert "is neither a folder nor puzzles that come with the advisor" in done.err


def test_a_folder_is_replayed_by_its_path(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    make(folder, "--win-in", 1, "--count", 11, *SMALL)
    found = json.loads(advisor("puzzles", folder, "--json").out)
    ids = [verdict["id"] for verdict in found["puzzles"]]
    assert ids == [f"{folder}/{number}.yaml" for number in range(1, 12)]
    assert found["solved"] == 11
    assert "for the book alone" in advisor("puzzles", folder, "--extra").err
    assert "but --game hex" in advisor("puzzles", folder, "--game", "hex").err


def test_a_win_may_come_with_the_move_of_the_other_side(tmp_path: Path) -> None:
    game, folder = misere(tmp_path), tmp_path / "new"
    for file in make(folder, "--game", game, "--win-in", 2, "--count", 3, "--many"):
        found = replay(str(file))
        assert (found.solved, found.moves_used, found.end.over) == (True, 2, True)
    assert advisor("puzzles", folder, "--all-defences").code == 0


def test_a_game_that_is_soon_over_has_no_long_opening(tmp_path: Path) -> None:
    """Players take one or two of seven; whoever takes the last wins, so with four left in two.
    What only looks like a move makes terms, of which there are many."""
    rules = """role(a). role(b). other(a, b). other(b, a).
base(turn(P)) :- role(P). base(left(0..7)).
input(P, take(N, 1..40)) :- role(P), N = 1..2. init(turn(a)). init(left(7)).
legal(P, take(N, 1)) :- true(turn(P)), true(left(M)), N = 1..2, N <= M.
next(left(M-N)) :- true(left(M)), does(_, take(N, _)).
next(turn(Q)) :- true(turn(P)), other(P, Q).
terminal :- true(left(0)). goal(P, 0) :- true(turn(P)). goal(P, 1) :- role(P), not true(turn(P)).
"""
    (tmp_path / "rules.lp").write_text(rules, encoding="utf-8")
    maker = load_game(str(tmp_path)).puzzle_maker
    found = [lines for task in range(4) for lines in maker.candidates(2, 1, task, Stop())]
    assert found
    for (position,) in found:
        assert position.abilities.wins(2, Stop())
        assert not position.abilities.wins(1, Stop())


def test_puzzles_of_games_that_do_not_say_whose_turn_it_is(tmp_path: Path) -> None:
    """Two players take from one heap, and the player who takes the last loses. On an empty heap
    neither can move, so the state does not show whose turn it would be."""
    (tmp_path / "rules.lp").write_text(
        """role(a). role(b). other(a, b). other(b, a).
#defined true/1. #defined does/2.
base(left(0..9)). base(turn(P)) :- role(P). input(P, take(1..3)) :- role(P).
init(left(9)). init(turn(a)).
legal(P, take(N)) :- true(turn(P)), true(left(M)), N = 1..3, N <= M.
next(left(M - N)) :- true(left(M)), does(_, take(N)).
next(turn(Q)) :- true(turn(P)), other(P, Q).
terminal :- true(left(0)).
goal(P, 100) :- true(turn(P)), true(left(0)). goal(P, 0) :- role(P), not true(turn(P)).
""",
        encoding="utf-8",
    )
    folder = tmp_path / "new"
    for file in make(folder, "--game", tmp_path, "--win-in", 1, "--count", 2):
        posed = puzzles.load(str(file))
        left = 9 - sum(map(int, re.findall(r"take\((\d)\)", posed.position)))
        assert [*posed.solution] == [f"take({left - 1})"]
    assert advisor("puzzles", folder).code == 0
