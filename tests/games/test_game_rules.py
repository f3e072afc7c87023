"""Conditions for a folder to be a game, and the errors for one that fails them."""

import re
from pathlib import Path

import pytest

from advisor.errors import AdvisorError, InputError
from advisor.files.resources import ENCODINGS
from advisor.games import rooms
from advisor.games.check import check
from advisor.games.circuits import Circuits
from advisor.games.rules import CONTRACT, games, read
from aspcircuits.source import includes, statements

FILES = sorted(ENCODINGS.glob("*/rules.lp"))

GAME = {
    "declared": "#defined true/1. #defined does/2.",
    "roles": "role(a). role(b).",
    "base": "base(heap(0..3)). base(turn(P)) :- role(P).",
    "input": "input(P, take(1..2)) :- role(P).",
    "init": "init(heap(3)). init(turn(a)).",
    "state": "heap(N) :- true(heap(N)). turn(P) :- true(turn(P)).",
    "legal": "legal(P, take(N)) :- turn(P), input(P, take(N)), heap(M), N <= M.",
    "heap": "next(heap(M - N)) :- heap(M), does(_, take(N)), N <= M.",
    "turn": "next(turn(P')) :- role(P'), turn(P), P != P'.",
    "terminal": "terminal :- heap(0).",
    "goal": "goal(P, 0) :- turn(P). goal(P, 100) :- role(P), not turn(P).",
}
"""Three stones, one or two at a time; who takes the last one wins."""


def folder(tmp_path: Path, **changed: str) -> str:
    """A folder with the game, some of its lines changed."""
    (tmp_path / "rules.lp").write_text("\n".join({**GAME, **changed}.values()) + "\n")
    return str(tmp_path)


def refusal(game: str) -> str:
    """The one line that is said of a game."""
    with pytest.raises(AdvisorError) as found:
        check(Circuits(read(game)), games=50, compared=0)
    line = str(found.value)
    assert "\n" not in line
    return line


def test_the_game_of_these_tests_is_one(tmp_path: Path) -> None:
    report = check(Circuits(read(folder(tmp_path))), games=50, compared=10)
    assert report.roles == ("a", "b")
    assert report.length[0] == 2
    assert report.length[2] == 3
    assert report.results[2] == 0


def test_who_needs_no_turn_atom_has_none(tmp_path: Path) -> None:
    renamed = {key: line.replace("turn(", "control(") for key, line in GAME.items()}
    game = Circuits(read(folder(tmp_path, **renamed)))
    assert check(game, games=50, compared=10).results[2] == 0


def test_nobody_need_be_to_move_at_the_end(tmp_path: Path) -> None:
    # So that turn(b) is not the same as not turn(a).
    game = folder(
        tmp_path,
        turn="next(turn(P')) :- role(P'), turn(P), P != P', heap(M), does(_, take(N)), N < M. "
        "base(last(P)) :- role(P). last(P) :- true(last(P)). next(last(P)) :- turn(P).",
        goal="goal(P, 50) :- role(P), turn(P). goal(P, 50) :- role(P), not terminal, not turn(P). "
        "goal(P, 100) :- last(P), terminal, not turn(a), not turn(b). "
        "goal(P, 0) :- role(P), not last(P), terminal, not turn(a), not turn(b).",
    )
    report = check(Circuits(read(game)), games=50, compared=60)
    assert report.results[2] == 0


def test_who_is_not_to_move_may_have_noop(tmp_path: Path) -> None:
    game = folder(
        tmp_path,
        input="input(P, (take(1..2); noop)) :- role(P).",
        legal=GAME["legal"] + " legal(P, noop) :- role(P), not turn(P).",
        heap="next(heap(M - N)) :- heap(M), does(P, take(N)), does(P', noop), P != P', N <= M.",
    )
    assert check(Circuits(read(game)), games=50, compared=10).length == (
        2,
        pytest.approx(2.3, abs=0.4),
        3,
    )


REFUSED = {
    "one player": ({"roles": "role(a)."}, r"rules.lp: 1 player found \(a\); a game has two"),
    "three players": (
        {"roles": "role(a). role(b). role(c)."},
        r"rules.lp: 3 players found \(a, b, c\); a game has two",
    ),
    "chance": ({"roles": "role(a). role(random)."}, r"role\(random\): chance"),
    "hidden": ({"more": "sees(P, heap(3)) :- role(P)."}, r"sees/2: hidden information"),
    "a view of nobody's": (
        {"more": "view(heap(1), heap(1))."},
        "view/2 holds, but no mover/1",
    ),
    "a view that is no exchange": (
        {"more": "mover(a). view(heap(1), heap(2)). view(heap(2), heap(2))."},
        r"view\(heap\(1\),heap\(2\)\) holds, so that view\(heap\(2\),heap\(1\)\) alone must",
    ),
    "a view of some atoms only": (
        {"more": "mover(a). view(turn(a), turn(b)). view(turn(b), turn(a))."},
        r"no view\(heap\(\d\), ..\) that is a base atom for the other side",
    ),
    "a name of nobody's": (
        {"more": "called(c, white)."},
        r"rules.lp:\d+: called\(c,white\): no role, move or place \(roles: a, b\)",
    ),
    "a draw at once": (
        {"more": "repetition(1)."},
        r"repetition\(1\): there must be one number, 2 or more",
    ),
    "a counter that is no atom": (
        {"more": "counter(hand(3))."},
        r"counter\(hand\(3\)\) holds, but there is no such base/1",
    ),
    "no base": ({"base": ""}, r"no fact base\(A\)"),
    "no input": ({"input": ""}, r"no fact input\(P, M\)"),
    "no start": ({"init": ""}, r"no fact init\(A\)"),
    "no goal": ({"goal": ""}, r"rules.lp: no rule derives goal/2"),
    "legal of one argument": (
        {"legal": "legal(take(N)) :- heap(M), N = 1..M."},
        r"no rule derives legal/2 \(there is legal/1\)",
    ),
    "a start that is no state": (
        {"init": "init(heap(4)). init(turn(a))."},
        r"init\(heap\(4\)\) holds, but there is no such base/1",
    ),
    "a stranger's input": (
        {"input": GAME["input"] + " input(c, take(1))."},
        r"input\(c,take\(1\)\): c is not a role \(a, b\)",
    ),
    "a stranger's goal": (
        {"goal": GAME["goal"] + "\ngoal(c, 1)."},
        r"rules.lp:\d+: goal\(c,1\): c is",
    ),
    "a goal in words": (
        {"goal": "goal(P, lost) :- turn(P)."},
        r"rules.lp:11: goal\(a,lost\): a goal is a number",
    ),
    "a column in letters": (
        {"more": "at(a, N, x) :- heap(N), N > 0."},
        r"rules.lp:12: at\(a,\d,x\): columns and rows of a board are numbers from 1 to 999",
    ),
    "a board from 0": (
        {"more": "at(1, N, x) :- heap(N)."},
        r"rules.lp:12: at\(1,0,x\): columns and rows of a board are numbers from 1 to 999",
    ),
    "a board without end": (
        {"more": "at(100000, 1, x) :- heap(1)."},
        r"rules.lp:12: at\(100000,1,x\): columns and rows of a board are numbers from 1",
    ),
    "a choice": ({"goal": GAME["goal"] + "\n{luck}."}, r"rules.lp:12: 'luck' is a choice"),
    "a constraint": ({"goal": GAME["goal"] + "\n:- heap(1)."}, r"rules.lp:12: .*constraint"),
    "a disjunction": ({"more": "heads ; tails."}, r"rules.lp:12: .*disjunction"),
    "a loop that is too long": (
        {
            "more": "n(1..200). p(X) :- p(Y), heap(1), n(X), n(Y).\n"
            "p(1) :- heap(2). terminal :- p(9)."
        },
        r"rules.lp:12: 'p\(\d+\)' depends on itself \(.*\) with 200 atoms, too many",
    ),
    "a loop through not": (
        {"more": "p :- not q, heap(1). q :- not p, heap(1). terminal :- p, heap(3)."},
        r"rules.lp:12: '.' depends on itself .* upper bound; leave one of these conditions out",
    ),
    "an unsafe rule": ({"more": "next(heap(N)) :- not heap(N)."}, r"rules.lp:12:.* unsafe"),
    "no program": ({"more": "next(heap(1) :-"}, r"rules.lp:12: .* has no closing bracket before"),
    "legal by the move": (
        {"legal": GAME["legal"].replace("heap(M)", "heap(M), not does(b, take(2))")},
        r"rules.lp:7: 'legal\(.*\)' depends on the move \('does\(b,take\(2\)\)'\)",
    ),
    "simultaneous moves": (
        {"legal": "legal(P, take(1)) :- role(P), heap(M), M > 0."},
        r"rules.lp:7: simultaneous moves: both a and b have a move; .*; at the start",
    ),
    "nobody can move": (
        {"legal": GAME["legal"].replace("N <= M", "N < M")},
        r"rules.lp:7: no player has a move, and terminal does not hold; after take\(",
    ),
    "nobody can move, and no turn": (
        {key: line.replace("turn(", "control(") for key, line in GAME.items()}
        | {"legal": "legal(P, take(N)) :- control(P), N = 1..2, heap(M), N < M."},
        r"rules.lp:7: no player has a move, and terminal does not hold; after take\(",
    ),
    "the wrong one has the move": (
        {
            "turn": "next(turn(P)) :- turn(P).",
            "legal": GAME["legal"].replace("turn(P)", "role(P), not turn(P)"),
        },
        r"turn\(a\) holds, but b has the move; at the start",
    ),
    "a move that is not declared": (
        {"legal": "legal(P, take(N)) :- turn(P), N = 1..3, heap(M), N <= M."},
        r"rules.lp:7: legal\(a,take\(3\)\) holds, but there is no such input/2; at the start",
    ),
    "a state that is not declared": (
        {"base": "base(heap(0; 1; 3)). base(turn(P)) :- role(P)."},
        r"rules.lp:8: next\(heap\(2\)\) holds, but there is no such base/1; after take\(1\)",
    ),
    "no goal at the end": (
        {"goal": "goal(a, 100) :- turn(b). goal(b, 100) :- turn(a)."},
        r"rules.lp:11: the game is over and . has no goal; there must be one; after take\(",
    ),
    "two goals at the end": (
        {"goal": GAME["goal"] + " goal(a, 50) :- terminal."},
        r"rules.lp:11: the game is over and a has (0 and 50|50 and 100)",
    ),
    "a mover who is no role": (
        {"more": "mover(b)."},
        r"mover\(b\): only the first role, a, can be",
    ),
    "a file that is missing": (
        {"more": 'uses("x.lp").'},
        r"rules.lp:12: uses\(x.lp\): no such file",
    ),
    "a file elsewhere": (
        {"more": 'uses("../x.lp").'},
        r"rules.lp:12: uses\(../x.lp\): no such file",
    ),
    "an include": ({"more": '#include "x.lp".'}, r"rules.lp:12: #include is not read"),
    "a script": ({"more": "#script (python)\n#end."}, r"rules.lp:12: #script is not run"),
    "a deep term": (
        {"more": f"base({'f(' * 500}a{')' * 500})."},
        r"rules.lp:12: brackets or operators are nested more than 100 deep",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_game_is_refused_in_one_line(what: str, tmp_path: Path) -> None:
    changed, expected = REFUSED[what]
    line = refusal(folder(tmp_path, **changed))
    assert re.search(expected, line), line
    assert "rules.lp" in line


def test_an_unknown_game_lists_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'ches' is neither a game .*reversi.* nor a folder with"):
        read("ches")
    with pytest.raises(InputError, match=r"nor a folder with a rules.lp"):
        read(str(tmp_path))


def test_a_deep_term_that_rules_make_is_refused(tmp_path: Path) -> None:
    more = "deep(z, 0). deep(s(T), N + 1) :- deep(T, N), N < 600. base(T) :- deep(T, _)."
    assert "'base(s(s(s(" in (line := refusal(folder(tmp_path, more=more)))
    assert line.endswith("nested more than 100 deep")


def test_a_part_of_a_game_includes_no_file_either(tmp_path: Path) -> None:
    game = folder(tmp_path, goal="", more='uses("goals.lp").')
    (tmp_path / "goals.lp").write_text(GAME["goal"] + '\n#include "x.lp".')
    assert re.search("goals.lp:2: #include is not read", refusal(game))


def test_a_game_may_have_several_files(tmp_path: Path) -> None:
    game = folder(tmp_path, goal="", more='uses("goals.lp").')
    (tmp_path / "goals.lp").write_text(GAME["goal"])
    assert [file.name for file in read(game).files] == ["rules.lp", "goals.lp"]


def test_no_file_of_the_current_folder_takes_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("rules.lp", "board.lp", "outcome.lp"):
        (tmp_path / name).write_text("win(1). terminal. role(c).")
    monkeypatch.chdir(tmp_path)
    assert read("connect4").roles == (1, 2)
    assert not Circuits(read("connect4")).look(Circuits(read("connect4")).start[None]).over[0]


# The games that come with the advisor


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
class TestEachGame:
    def test_opens_with_its_contract(self, file: Path) -> None:
        text = file.read_text()
        assert text.startswith("% Purpose: ")
        assert "\n% Input:   true(A), does(P, M)" in text
        assert "\n% Derives: the game (see README.md)\n" in text

    def test_is_plain_and_short(self, file: Path) -> None:
        text = file.read_text()
        assert not [*includes(file)]
        assert {statement.kind for statement in statements([file])} <= {
            "rule",
            "#const",
            "#defined",
            "#program",
        }
        assert max(map(len, text.splitlines())) <= 100
        code = [line for line in text.splitlines() if line and not line.startswith("%")]
        assert len(code) <= 80

    def test_has_a_text_board(self, file: Path) -> None:
        assert read(file.parent.name).derived_atoms("at")


def test_rows_of_a_slanted_board_are_shifted() -> None:
    given = rooms.by_circuits(Circuits(read("hex", constants={"size": 3}))).begin(
        "put(1,1) put(3,2)"
    )
    assert [*given.rows] == [
        "  3 . . .",
        " 2 . . b",
        "1 r . .",
        "  a b c",
    ]


def test_all_games_are_found() -> None:
    assert games() == [file.parent.name for file in FILES]
    assert {"tictactoe", "breakthrough", "gomoku", "reversi", "hex", "morris"} <= {*games()}


def test_the_readme_lists_the_vocabulary() -> None:
    text = (ENCODINGS / "README.md").read_text()
    listed = re.findall(r"^\| `([a-z_]+)(\(.*?\))?` \|", text.partition("## Any game")[2], re.M)
    arity = {name: arguments.count(",") + bool(arguments) for name, arguments in listed}
    assert arity == {**CONTRACT, "uses": 1}
