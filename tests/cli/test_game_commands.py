"""``advisor game`` and ``--game``."""

import json
import re
import shlex
import shutil
from pathlib import Path
from random import Random

import pytest

from advisor.cli.play import Opponent
from advisor.files.resources import ENCODINGS
from advisor.games import knowledge, slips
from advisor.games.rules import games
from advisor.library.circuits import circuit_of
from advisor.library.loading import load_game, position
from advisor.limits import Limit
from command import advisor


def test_check_tells_what_a_game_is_like() -> None:
    done = advisor("game", "check", "tictactoe", "--games", 50, "--compare", 5)
    assert (done.code, done.err) == (0, "")
    assert "tictactoe: keeps the contract" in done.out
    assert "equal to clingo on" in done.out


def test_check_as_json() -> None:
    arguments = ("gomoku", "--const", "width=5", "--const", "height=4", "--games", 30)
    done = advisor("game", "check", *arguments, "--compare", 3, "--json")
    report = json.loads(done.out)
    assert report["game"] == "gomoku"
    assert report["base"] == 2 * 20 + 2
    assert sum(report["results"].values()) == report["games"] == 30
    assert report["length"]["max"] <= 20
    assert report["branching"]["max"] == 20


def test_check_refuses_what_is_no_game(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text("role(a).\n")
    done = advisor("game", "check", tmp_path)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("error: ")
    assert "1 player found (a); a game has two" in done.err
    assert done.err.count("\n") == 1


_STUCK = """
role(a). role(b).  base(at(0..5)).  base(control(P)) :- role(P).
init(at(0)).  init(control(a)).  input(P, go(K)) :- role(P), K = 1..2.
legal(P, go(K)) :- true(control(P)), true(at(N)), N < 4, K = 1..2.
next(at(N + K)) :- true(at(N)), does(P, go(K)).
next(control(b)) :- true(control(a)).  next(control(a)) :- true(control(b)).
terminal :- true(at(5)).
goal(P, 0) :- true(control(P)), true(at(5)).  goal(P, 100) :- role(P), not true(control(P)).
"""


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("", "does not hold (advisor game check shows after which moves)"),
        ("go(2) go(2)", "does not hold; after go(2) go(2)"),
    ],
)
def test_no_advice_rests_on_a_state_without_moves(tmp_path: Path, moves: str, said: str) -> None:
    (tmp_path / "rules.lp").write_text(_STUCK)
    done = advisor("suggest", "--game", tmp_path, moves)
    assert (done.code, done.out) == (3, "")
    assert f"no player has a move, and terminal {said}" in done.err
    assert done.err.count("\n") == 1
    told = advisor("game", "check", tmp_path).err
    assert "no player has a move, and terminal does not hold; after go(2) go(2)" in told


_LINE = """#const last = 3.
role(a). role(b). other(a, b). other(b, a).
base(disc(P, 1..last)) :- role(P). base(turn(P)) :- role(P).
input(P, put(X)) :- role(P), X = 1..last.
init(turn(a)).
disc(P, X) :- true(disc(P, X)).
full(X) :- disc(_, X).
legal(P, put(X)) :- true(turn(P)), X = 1..last, not full(X).
next(disc(P, X)) :- disc(P, X).
next(disc(P, X)) :- does(P, put(X)).
next(turn(P)) :- true(turn(P')), other(P', P).
terminal :- full(1), full(2), full(last).
goal(P, 50) :- role(P).
at(X, 1, x) :- disc(a, X).
"""


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("disc(a, X)", "disk(a, X)", ":14: no rule derives 'disk/2' (did you mean 'disc/2'?)"),
        ("disc(a, X)", "disc(a, X, 1)", ":14: 'disc/3' has the wrong number of arguments: disc/2"),
        ("at(X, 1, x)", "att(X, 1, x)", ":14: nothing reads 'att/3' (did you mean 'at/3'?)"),
        ("at(X, 1, x)", "at(X, x)", ":14: nothing reads 'at/2' (did you mean 'at/3'?)"),
        ("disc(a, X)", "disc(red, X)", ":14: nothing derives 'disc(red,X)' (did you mean 'disc("),
        (
            "disc(a, X)",
            "disc(red, X)",
            ":14: nothing derives 'disc(red,X)' (did you mean 'disc(b,3)'?); line 6 of rules.lp "
            "lacks true(disc(red, X))",
        ),
        (
            "disc(a, X)",
            "disc(a, X), X > last",
            ":14: this rule never applies: 1 > 3: this is false",
        ),
        ("disc(a, X)", "disc(a, X), X != (X;X+0)", ":14: this rule never applies: 1 != 1: this is"),
        (
            "disc(a, X)",
            "disc(a, X), other(X, _)",
            ":14: this rule never applies: other(1, _): no such atom holds (nearest: other(a,b))",
        ),
        ("true(turn(P')), other", "true(trn(P')), other", ":11: nothing derives 'true(trn(P'))' ("),
        ("other(P', P)", "P = P'", ":8: only a has moved, in 20 random games: the turn never pass"),
        ("true(turn(P)), X", "turn(P), X", ":8: no rule derives 'turn/1' (did you mean "),
        ("at(X, 1, x) :-", "at(X, 1, (x;y)) :-", ":14: at(1,1,x) and at(1,1,y) hold in one state"),
        (
            "true(turn(P)), X",
            "true(trun(P)), X",
            ":8: no base/1 names 'trun(P)' (did you mean 'turn(",
        ),
    ],
)
def test_check_warns_of_what_is_hardly_meant(
    tmp_path: Path, right: str, wrong: str, said: str
) -> None:
    (tmp_path / "rules.lp").write_text(_LINE)
    checked = ("game", "check", tmp_path, "--games", 20, "--compare", 9)
    assert advisor(*checked).err == ""
    assert _LINE.count(right) == 1
    (tmp_path / "rules.lp").write_text(_LINE.replace(right, wrong))
    done = advisor(*checked, "--json")
    assert f"rules.lp{said}" in done.err.splitlines()[0]
    assert done.err.startswith("warning: ")
    if done.code == 0:
        assert [f"warning: {each}" for each in json.loads(done.out)["warnings"]] == [
            done.err.rstrip()
        ]


def test_check_warns_where_no_game_ends(tmp_path: Path) -> None:
    endless = _LINE.replace(", not full(X)", "").replace(
        "does(P, put(X))", "does(P, put(1)), X = 1"
    )
    (tmp_path / "rules.lp").write_text(endless)
    checked = ("game", "check", tmp_path, "--games", 3, "--compare", 1)
    done = advisor(*checked)
    assert done.err.endswith("rules.lp:12: none of 3 random games ended within 1000 plies\n")
    assert "unknown, as no game has ended" in done.out
    told = json.loads(advisor(*checked, "--json").out)
    assert told["length"] == {"min": None, "mean": None, "max": None}
    assert (told["unfinished"], len(told["warnings"])) == (3, 1)


def test_a_game_that_is_over_before_a_move_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    over = _LINE.replace("full(1), full(2), full(last)", "not full(1)")
    (tmp_path / "rules.lp").write_text(over)
    done = advisor("game", "check", ".")
    assert (done.code, done.out) == (3, "")
    place = "error: rules.lp:12: "
    assert done.err == f"{place}terminal holds at the start (it must not hold before a move)\n"


@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_the_games_that_come_along_have_no_slips(game: str) -> None:
    rules, _ = knowledge.ground(game)
    assert slips.ground_warnings(rules) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("game", "check", "ches"), "'ches' is neither a game (breakthrough, "),
        (
            ("game", "check", "hex", "--const", "size=x"),
            "expected NAME=NUMBER such as size=5, not 'size=x'",
        ),
        (
            ("game", "check", "hex", "--const", "width=5"),
            "no #const 'width' (the game has #const s",
        ),
        (("suggest", "--game", "tictactoe", "put(4,4)"), "move 1: 'put(4,4)' is not legal for x"),
        (
            ("suggest", "--game", "tictactoe", "put("),
            "'put(' is not legal for x (use a1, a2, a3, b1",
        ),
        (("suggest", "--game", "hex", "", "--no-book"), "hex has no opening book\n"),
        (
            ("suggest", "--game", "hex", "", "--size", "5x5"),
            "hex: no #const 'width' (the game has #const s",
        ),
        (("suggest", "--game", "hex", "", "--weights", "nobody"), "(presets: default, rules)"),
        (("suggest", "--game", "tictactoe", "", "--depth", 0), "this game has none (use 1 or more"),
        (("suggest", "", "--const", "size=5"), "connect4: no #const 'size' (the game has #const w"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], said: str) -> None:
    done = advisor(*arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.mark.slow
def test_a_file_names_its_game(tmp_path: Path) -> None:
    folder, file = tmp_path / "mine", tmp_path / "board.yaml"
    folder.mkdir()
    (folder / "rules.lp").write_bytes((ENCODINGS / "gomoku" / "rules.lp").read_bytes())
    file.write_text(
        "game: mine\nconst: {width: 5, height: 5}\nmoves: put(1,1) put(5,5)\nnote: mine\n"
    )
    listed = file.with_name("listed.yml")
    listed.write_text(
        "game: gomoku\nconst: {width: 5, height: 5}\nmoves:\n  - put(1,1)\n  - put(5,5)\n"
    )
    typed = ("--game", "gomoku", "put(1,1) put(5,5)", "--const", "width=5", "--const", "height=5")
    wanted = board_of("suggest", *typed, "--depth", "1")
    assert "5 . . . . w" in wanted
    assert board_of("suggest", file, "--depth", "1") == wanted
    assert board_of("suggest", listed, "--depth", "1", "--game", "gomoku") == wanted
    assert "6 . . . . ." in board_of("suggest", file, "--depth", "1", "--const", "height=6")
    assert wanted in advisor("play", file, "--first", "me", stdin=b"q\n").out
    file.write_text("game: connect4\nmoves: '44'\n")
    assert "column 4" in advisor("suggest", file).out


def board_of(*arguments: object) -> str:
    """The board that a suggestion shows."""
    return str(advisor(*arguments).out.split("\n\n")[1])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game: hxe\n", "game: 'hxe' is neither a game (breakthrough, "),
        ("game: [hex]\n", "game: \"['hex']\" is neither a game"),
        ("game: hex\nmove: put(1,1)\n", "line 2: move: unknown key (did you mean 'moves'?)"),
        (
            "game: hex\nmoves: {put: 1}\n",
            "line 2: moves: \"{'put': '1'}\" found, should be moves as put(2,2) put(1,1)",
        ),
        ("game: hex\nmoves: put(9,9)\n", "move 1: 'put(9,9)' is not legal for red"),
        (
            "game: hex\nconst: 5\n",
            "line 2: const: '5' found, should be names with numbers as {size: 5}",
        ),
        (
            "game: hex\nconst: {size: big}\n",
            "line 2: const.size: 'big' found, should be a whole number",
        ),
        ("game: hex\nconst: {width: 5}\n", "no #const 'width'"),
        (f"game: hex\nconst: {{size: {10**20}}}\n", f"const.size: '{10**20}' found, should be a "),
        ("game: hex\nconst: {size: 5.0}\n", "const.size: '5.0' found, should be a whole number"),
        ("game: hex\nmoves:\n", "line 2: moves: nothing found, should be moves as put(2,2)"),
        (
            "game: hex\ndifficulty: 3\n",
            "line 2: difficulty: '3' found, should be depth, missed and tempting with numbers",
        ),
        (
            "game: hex\ndifficulty: {depth: 1_0, missed: 0, tempting: 0}\n",
            "line 2: difficulty.depth: '1_0' found, should be a number",
        ),
        ("game: hex\nwin_in: 100\n", "win_in: '100' found, should be a whole number from 1 to 99"),
        ("game: hex\nseed: x\n", "line 2: seed: 'x' found, should be a whole number from 0 to 184"),
        ("game: hex\ngame: hex\n", "line 2: key 'game' is given twice"),
    ],
)
def test_a_file_of_a_game_that_is_wrong(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "board.yaml"
    file.write_text(text)
    done = advisor("suggest", file)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_file_of_another_game_is_not_drawn(tmp_path: Path) -> None:
    file = tmp_path / "board.yaml"
    file.write_text("game: hex\n")
    assert "game: 'hex', but --game morris" in advisor("suggest", file, "--game", "morris").err


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of one's own in the current folder, and a file of a puzzle of it in another one."""
    shutil.copytree(ENCODINGS / "tictactoe", tmp_path / "mine")
    file = tmp_path / "files" / "1.yaml"
    file.parent.mkdir()
    file.write_text("game: ../mine\nmoves: a1 b2 a2 b3\nwin_in: 1\nsolution: [a3]\n")
    monkeypatch.chdir(tmp_path)
    return file


def test_a_game_may_be_named_by_any_of_its_paths(own: Path) -> None:
    for name in ("mine", "./mine", own.parent.parent / "mine"):
        assert advisor("moves", own, "--game", name).out.split()[0] == "a3"
        assert advisor("puzzles", own.parent, "--game", name).code == 0
    assert "but --game tictactoe" in advisor("puzzles", own.parent, "--game", "tictactoe").err


def test_a_game_that_a_file_names_goes_on_by_its_name(own: Path) -> None:
    told = advisor("play", own, stdin=b"q\n").out.splitlines()[-1]
    command = shlex.split(told.removeprefix("Go on with: advisor "))
    assert command == ["play", "--game", str(own.parent.parent / "mine"), "a1 b2 a2 b3"]
    assert advisor(*command, stdin=b"a3\nq\n").code == 0


def test_a_game_goes_on_with_all_that_was_said() -> None:
    said = ["--level", "3", "--first", "advisor", "--time", "0.5", "--seed", "7", "--game", "hex"]
    told = advisor("play", *said, "--const", "size=3", stdin=b"q\n").out.splitlines()[-1]
    command = shlex.split(told.removeprefix("Go on with: advisor "))
    assert command[:-1] == ["play", *said, "--const", "size=3"]


def test_a_review_calls_a_game_by_its_name(own: Path) -> None:
    done = advisor("review", "--game", own.parent.parent / "mine", "a1 b2", "--depth", 1)
    assert done.out.startswith("mine: 2 moves")


def test_a_folder_called_as_a_game_that_comes_along_is_told(own: Path) -> None:
    Path("mine").rename("hex")
    said = "note: hex is the game that comes with the advisor (./hex is the folder here)\n"
    assert advisor("game", "check", "hex", "--games", 1, "--compare", 0).err == said
    assert advisor("moves", "--game", "hex").err == said
    done = advisor("moves", "--game", "./hex")
    assert (done.err, done.out.split()[0]) == ("", "a1")


@pytest.mark.slow
def test_a_game_in_the_terminal_keeps_to_the_width() -> None:
    done = advisor("play", "--game", "chess", "e4 Nf6", "--time", 0.1, stdin=b"m\nh\nQd5\nq\n")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "'Qd5' is not legal" in done.out


@pytest.mark.parametrize(
    ("game", "level", "seconds", "limit"),
    [
        ("hex", None, None, Limit(None, 2.0)),
        ("hex", None, 30.0, Limit(None, 30.0)),
        ("hex", 3, 30.0, Limit(None, 30.0)),
        ("connect4", None, None, Limit(8, 10.0)),
        ("connect4", 3, 1.0, Limit(8, 1.0)),
    ],
)
def test_a_move_takes_as_long_as_was_asked_for(
    game: str, level: int | None, seconds: float | None, limit: Limit
) -> None:
    begun = position(game=game)
    assert Opponent(begun, level, seconds, None, Random(1)).limit == limit


def test_however_short_the_time_some_moves_are_tried_and_it_is_told_how_many() -> None:
    asked = ("suggest", "", "--time", "0.001", "--game")
    told = json.loads(advisor(*asked, "gomoku", "--json").out)
    untried = [move for move in told["moves"] if "playouts" not in move["score"]]
    assert len(told["moves"]) == 225
    assert 0 < told["untried"] == len(untried) < 225
    assert told["best"] == [told["moves"][0]["move"]]
    assert told["moves"][-len(untried) :] == untried
    assert re.search(
        r"random games in a tree \(\d+ moves not tried\)", advisor(*asked, "gomoku").out
    )


def test_weights_are_those_of_the_size() -> None:
    board = ("--const", "width=5", "--const", "height=4")
    asked = ("suggest", "12", "--depth", "1")
    named = advisor(*asked, *board, "--game", "connect4")
    assert named.code == 0
    assert "weights of the preset any-size" in named.out
    for same in (advisor(*asked, "--size", "5x4"), advisor(*asked, *board)):
        assert without_time(same.out) == without_time(named.out)
    assert "weights of the preset" not in advisor(*asked, "--const", "width=7").out


def without_time(out: str) -> str:
    """What is printed but for what it took."""
    return re.sub(r"in [\d.]+ s", "", out)


WINNING = "put(1,1) put(1,2) put(2,1) put(2,2)"


def test_suggest_finds_a_win() -> None:
    done = advisor("suggest", "--game", "tictactoe", WINNING)
    assert "Play c1: a win in 1 ply (proved)." in done.out
    assert "3 . . .\n2 o o .\n1 x x .\n  a b c" in done.out


def test_suggest_stops_a_win_and_tells_draws() -> None:
    deep = ("suggest", "--game", "tictactoe", "--depth", 9, "--json")
    told = json.loads(advisor(*deep, "put(2,2) put(1,1)").out)
    assert (told["turn"], told["moves"][0]["score"]) == ("x", {"kind": "draw"})
    forced = json.loads(advisor(*deep, "put(2,2) put(1,1) put(3,3) put(3,1)").out)
    assert forced["best"] == ["put(2,1)"]


def test_suggest_of_a_game_that_is_over() -> None:
    over = f"{WINNING} put(3,1)"
    assert "The game is over: x has won." in advisor("suggest", "--game", "tictactoe", over).out
    told = json.loads(advisor("suggest", "--game", "tictactoe", over, "--json").out)
    assert (told["best"], told["winner"]) == ([], "x")


def test_suggest_by_random_games() -> None:
    told = advisor("suggest", "--game", "hex", "", "--const", "size=5", "--depth", 1, "--json")
    best = json.loads(told.out)["moves"][0]
    assert best["score"]["kind"] == "heuristic"
    assert best["score"]["playouts"] > 0
    assert -1 <= best["score"]["mean"] <= 1


def test_a_depth_limits_the_random_games_even_where_there_is_more_time() -> None:
    def games(*more: object) -> int:
        told = advisor("suggest", "--game", "tictactoe", "", "--depth", 1, "--json", *more).out
        return sum(move["score"]["playouts"] for move in json.loads(told)["moves"])

    # The limit, and further games that end in the same ply.
    least = 1024 + 9 * 32
    assert least <= games("--time", 20) < least + 128
    assert least <= games() < least + 128


def test_a_users_folder_is_a_game(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text(
        "#defined true/1. #defined does/2. role(a). role(b). base(heap(0..3)). base(turn(P)) :- "
        "role(P). input(P, take(1..2)) :- role(P). init(heap(3)). init(turn(a)).\n"
        "heap(N) :- true(heap(N)). turn(P) :- true(turn(P)).\n"
        "legal(P, take(N)) :- turn(P), N = 1..2, heap(M), N <= M.\n"
        "next(heap(M - N)) :- heap(M), does(_, take(N)), N <= M.\n"
        "next(turn(P')) :- role(P'), turn(P), P != P'.\n"
        "terminal :- heap(0). goal(P, 0) :- turn(P). goal(P, 100) :- role(P), not turn(P).\n"
    )
    done = advisor("suggest", "--game", tmp_path, "take(1)")
    assert "Play take(2): a win in 1 ply (proved)." in done.out


def test_a_whole_game_through_a_pipe() -> None:
    moves = b"?\nm\nput(2,2)\nh\nfoo\nu\nB2\nq\n"
    done = advisor("play", "--game", "tictactoe", "--seed", 3, "--level", 9, stdin=moves)
    assert (done.code, done.err) == (0, "")
    assert "You play x." in done.out
    assert re.search(r"o plays [abc][123]", done.out)
    assert "'foo' is neither a move nor a command" in done.out
    assert "a1 a2 a3" in done.out
    assert done.out.splitlines()[-2].startswith("Moves: b2 ")
    again = "Go on with: advisor play --level 9 --seed 3 --game tic"
    assert done.out.splitlines()[-1].startswith(again)


def test_the_advisor_may_begin() -> None:
    arguments = ("--game", "tictactoe", "--first", "advisor", "--level", 2)
    done = advisor("play", *arguments, stdin=b"q\n")
    assert re.search(r"x plays [abc][123]", done.out)


def test_the_circuit_of_any_game() -> None:
    """Its inputs are a state and a move; the rules' own lines are in tic-tac-toe."""
    told = advisor("circuit", "line(x)", "--game", "tictactoe").out.splitlines()
    assert told[-1].startswith("% a gate of level ")
    assert len(told) == 1 + 8  # three rows, three columns, two diagonals
    made = circuit_of(load_game("tictactoe"))
    holds = made.evaluate([[atom == ("true", ("turn", "x")) for atom in made.inputs]])[0]
    found = [atom for atom, held in zip(made.outputs, holds, strict=True) if held]
    squares = [(x, y) for x in (1, 2, 3) for y in (1, 2, 3)]
    assert [atom for atom in found if atom[0] == "legal"] == [
        ("legal", "x", ("put", x, y)) for x, y in squares
    ]


def test_a_rule_that_never_holds_is_told_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text(_LINE.replace("full(last).", "full(5)."))
    done = advisor("game", "check", tmp_path)
    assert done.code == 3
    assert done.err.endswith("rules.lp:12: no rule for terminal/0 can ever hold\n")


def test_a_rule_that_is_not_safe_is_told_by_its_variables(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text(_LINE + "unused(X,\n  Y) :- not full(X).\n")
    assert "rules.lp:15:8: X and Y are unsafe: no atom" in advisor("game", "check", tmp_path).err
