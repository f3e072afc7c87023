"""Users' own encodings: their additions are explained, violations refused with file and line."""

import json
import re
import subprocess
import sys
import urllib.request
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from advising import advise
from advisor.advice import explain, reasons
from advisor.errors import AdvisorError, ConfigError, EncodingError
from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import geometry
from advisor.games.connect4.notation import parse_line
from advisor.settings import reading
from advisor.settings.config import Config, texts
from aspcircuits.circuit import compile_files
from aspcircuits.clingo_api import render
from aspcircuits.source import statements
from command import advisor
from commands import ENTRY, MEASURED, environment, without_measures
from games import reference_value

EDGE = Path(__file__).parents[2] / "examples" / "edge.yaml"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, so that errors name files as a user typed them."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def weights_file(lp: str, yaml: str = "", extra: str = "[own.lp]") -> str:
    """A weights file with an encoding of one's own."""
    Path("own.lp").write_text(lp)
    Path("my.yaml").write_text(f"extends: default\nencodings: {{extra: {extra}}}\n{yaml}")
    return "my.yaml"


# Stray files


NAMES = sorted({file.name for file in ENCODINGS.rglob("*") if file.is_file()})
QUESTIONS = [
    ("suggest", "44", "--depth", "0", "--json"),
    ("suggest", "4453", "--depth", "2", "--json"),
    ("prove", "--by", "rules", "--size", "7x6", "4"),
    ("prove", "--size", "6x4", "--json", ""),
]


ALL = f"""
import sys
from advisor.cli import main
for question in {QUESTIONS}:
    sys.argv = ["advisor", *question]
    try:
        main()
    except SystemExit as ended:
        print("exit code", ended.code)
"""
"""The commands one after the other, in one process for all."""


def answers(folder: Path) -> list[Any]:
    """What the commands print in a folder, and what a server that is started there says."""
    asked = [sys.executable, "-c", ALL]
    done = subprocess.run(
        asked, capture_output=True, text=True, cwd=folder, env=environment(), check=True
    )
    found: list[Any] = [re.sub(rf'"({"|".join(MEASURED)})": [\w.]+', "", done.stdout), done.stderr]
    command = [*ENTRY, "serve", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment()
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[0].rstrip("/")
        try:
            body = json.dumps({"board": "4453", "depth": 2}).encode()
            asked = urllib.request.Request(f"{address}/api/suggest", body, method="POST")
            asked.add_header("Content-Type", "application/json")
            with urllib.request.urlopen(asked) as answer:
                found.append(without_measures(json.load(answer)))
        finally:
            server.terminate()
    return found


@pytest.mark.slow
def test_no_file_of_the_current_folder_changes_an_answer(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    expected = answers(empty)
    codes = re.findall("exit code (.*)", expected[0])
    assert len(codes) == len(QUESTIONS)
    assert {*codes} <= {"0", "1"}
    folder = tmp_path / "with"
    folder.mkdir()
    for name in NAMES:
        (folder / name).write_text("neither rules nor weights (\n")  # an error for whoever reads it
    assert answers(folder) == expected


def test_a_board_may_be_called_like_an_encoding(here: Path) -> None:
    Path("board.lp").write_text("cell(1, 1, 4). cell(2, 2, 4).")
    done = advisor("suggest", "board.lp", "--depth", 0, "--json")
    assert (
        json.loads(done.out)["best"]
        == json.loads(advisor("suggest", "44", "--depth", 0, "--json").out)["best"]
    )


# What is wrong with a file

WEIGHTS = "moves: {a: 5}\nfeatures: {f: 5}\n"
GOOD = "fires(a, move(R, C)) :- valid_move(R, C). feature(f, P, C) :- cell(P, 1, C).\n"
ALLOWED = "(allowed are rules with one head, #const and #defined)"

WRONG = [
    ('% é "é" %* é *%\nb("é") :- é.', "'é' is in no comment and no quoted text (use ASCII)"),
    (
        "fires(a, move(R, C)) :- valid_mov(R, C).",
        "no rule derives 'valid_mov/2' (did you mean 'valid_move/2'?)",
    ),
    (
        "fires(a, move(R, C)) :- valid_move(R, C, 1).",
        "'valid_move/3' has the wrong number of arguments: valid_move/2 is valid_move(R, C): ",
    ),
    (
        "fires(a, R, C) :- valid_move(R, C).",
        "'fires/3' has the wrong number of arguments: fires/2 is fires(S, move(R, C)): ",
    ),
    (
        "feature(corner, P) :- cell(P, 1, 1).",
        "'feature/2' has the wrong number of arguments: feature/3 is feature(F, P, Where): ",
    ),
    ("feature :- cell(1, 1, 1).", "'feature/0' has the wrong number of arguments: feature/3 is "),
    (
        "fire(a, move(R, C)) :- valid_move(R, C).",
        "nothing reads 'fire/2' (did you mean 'fires/2'?)",
    ),
    ("fires(a, (R, C)) :- valid_move(R, C).", "'(R,C)' is not a move (use move(R, C))"),
    ("fires(S, move(R, C)) :- valid_move(R, C), S = a.", "'fires(S, move(R,C))' has no name that"),
    ("feature(f, 3, C) :- cell(1, 1, C).", "'3' is not a player (use 1, 2 or a variable)"),
    (
        "{ feature(f, 1, x) }.",
        f"'{{ feature(f,1,x) }}.': a choice would leave open what holds {ALLOWED}",
    ),
    ("feature(f, 1, x); feature(f, 2, x).", "a disjunction would leave open what holds"),
    ("feature(f, 1, x) : cell(1, 1, 1).", "a disjunction would leave open what holds"),
    ("&diff { a - b } <= 3.", "theory atoms are not supported"),
    (":- turn(1).", "a constraint would forbid positions instead of scoring them"),
    ("not turn(1) :- turn(2).", "a head that is negated or a comparison acts as a constraint"),
    ("-corner(1).", "a head that is negated or a comparison acts as a constraint"),
    ("win(1).", "'win/1' is the advisor's own: win(P): player P has a complete line (use another"),
    (
        "cell(1, 1, 1).",
        "'cell/3' is the advisor's own: cell(P, R, C): player P has a disc on row R",
    ),
    ("_distance(1, 2).", "'_distance/2' is the advisor's own, a private one of strategy.lp (use"),
    ("weight(win, -5).", "'weight/2' is the advisor's own: weight(S, W) or weight(F, W): "),
    ("#const width = 9.", "the advisor's encodings use the name width (use another one)"),
    ("#const now = later.", "the advisor's encodings use the name now (use another one)"),
    ("#show total_score(1, 1, 9) : turn(1).", "#show would change what is read from an answer"),
    ("#minimize { 1, C : best_move(R, C) }.", "weak constraints would change how moves are chosen"),
    (":~ turn(1). [5]", "weak constraints would change how moves are chosen"),
    ("#external win(1).", "#external would leave open what holds"),
    ("#script (python) 1 #end.", "scripts are not run"),
    ("#program other.", "only #program base is ever used"),
    ('#include "other.lp".', "#include is not read (name every file in the weights file: "),
    (f"a({'f(' * 500}1{')' * 500}).", "brackets or operators are nested more than 100 deep"),
    ("a :- not a. feature(g, 1, x) :- a.", "'a/0' depends on itself through 'not' or a count"),
    (
        "fires(b, move(R, C)) :- total_score(R, C, T), T > 5.",
        "'fires/2' depends on itself through 'not' or a count (by way of 'total_score/3'",
    ),
    ("fires(b, move(R, C)) :- best_move(R, C).", "'best_move/2' is the answer: no rule may depend"),
    (
        "fires(b, move(R, C)) :- safe_move(R, C).",
        "'safe_move/2' is not part of the program that scores moves (add forced.lp to encodings: "
        "extra: {moves: [..]})",
    ),
    (
        'sentence(a, "is good").',
        "sentence(a, ...) names no strategy or feature (use fires(S) or feature(F))",
    ),
    (
        'sentence(fires(aa), "is good").',
        "no rule derives the strategy 'aa' (did you mean 'a'?)",
    ),
    (
        'sentence(fires(b), "is good").',
        "no rule derives the strategy 'b' (yours: a",
    ),
    (
        'sentence(fires(a), "plays {wher}").',
        "'{wher}' is not a placeholder of this sentence (use {me}, {you}, {where}, {lines}, ",
    ),
    ("sentence(fires(a), good).", "'good' is not a text (use \"...\")"),
    (
        "fires(a, move(R, C)) :- valid_move(R, C)\nturn(1).",
        "own.lp:3: the statement that begins here has no full stop before line 4",
    ),
    ("fires(a, move(R, C)) :- valid_move(R, C)", "has no full stop before the end of the file"),
    ("fires(a, move(R, C)) :-\n  valid_move(R, C)\n  p.", "no comma or full stop before line 5"),
    ("fires(a, move(R, C)) :- valid_move(R, C),\np(1) :- q.", "before the ':-' on line 4"),
    ("fires(a, move(R, C) :- valid_move(R, C).", "no closing bracket before the ':-' on line 3"),
    ("fires(a, move(R, C)) :- valid_move(R, C), , p.", 'error: syntax error, unexpected ","'),
    (
        "fires(a, move(R, C)) :- valid_move(R, C), turn(P), cell(P, r, C).",
        "no rule derives 'cell(P, r, C)': 'r' is a constant that stands nowhere else (variables ",
    ),
]


@pytest.mark.parametrize(("lp", "message"), WRONG, ids=[lp for lp, _ in WRONG])
def test_a_wrong_file_earns_one_line(lp: str, message: str, here: Path) -> None:
    Path("other.lp").write_text("")
    own = weights_file(f"% mine\n{GOOD}{lp}\n", WEIGHTS)
    with pytest.raises(EncodingError) as caught:
        reading.load(own)
    assert re.match(r"own\.lp:[34]:", str(caught.value))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xef\xbb\xbf" + GOOD.encode(), "begins with a byte order mark (use UTF-8 without one)"),
        (GOOD.encode("utf-16"), "is not a text file (byte 0xff at position 0; use UTF-8)"),
        (b"fires(caf\xe9).", "is not a text file (byte 0xe9 at position 9; use UTF-8)"),
        (b"% a\nb.\0", "is not a text file (line 2 holds '\\x00')"),
    ],
)
def test_a_file_that_is_no_text_earns_one_line(content: bytes, message: str, here: Path) -> None:
    own = weights_file("", WEIGHTS)
    Path("own.lp").write_bytes(content)
    with pytest.raises(EncodingError) as caught:
        reading.load(own)
    assert str(caught.value) == f"own.lp: {message}"


LATE = [
    (
        "n(1..200). on(X) :- cell(1, 1, X), n(X). on(X) :- on(Y), n(X), cell(1, 2, 1).\n"
        "feature(f, 1, X) :- on(X).",
        "with 200 atoms, too many to unroll",
    ),
    (
        "fires(a, move(R, C)) :- valid_move(R, C), X > 1.",
        "own.lp:2:43: X is unsafe: no atom without 'not' in the conditions gives it values",
    ),
    ("fires(a, move(R, C)) :- valid_move(R, C), up + 1 > R.", "operation undefined: (up+1)"),
    ("feature(f, P+2, x) :- cell(P, 1, 1).", "is not a player (1 or 2)"),
]


@pytest.mark.parametrize(("lp", "message"), LATE, ids=[message for _, message in LATE])
def test_what_shows_only_when_it_runs_earns_one_line_too(lp: str, message: str, here: Path) -> None:
    settings = reading.load(weights_file(GOOD + lp, WEIGHTS))
    with pytest.raises(AdvisorError) as caught:
        advise(parse_line("4453"), settings, depth=1)
    assert message in str(caught.value)
    assert "own.lp:" in str(caught.value) or "feature(f," in str(caught.value)
    assert "\n" not in str(caught.value)


SMALL_LOOP = (
    "linked(C) :- valid_move(1, C), C = 1.\n"
    "linked(C+1) :- linked(C), C < width. back(C) :- linked(C). linked(C) :- back(C).\n"
)
LARGE_LOOP = (
    "n(1..200). linked(1) :- valid_move(1, 1).\n"
    "linked(X) :- linked(Y), n(X), n(Y), valid_move(1, 1).\n"
)


def test_recursion_may_stand_behind_a_strategy(here: Path) -> None:
    fires = "fires(a, move(R, C)) :- valid_move(R, C), linked(C).\n"
    yaml = "moves: {a: 5}\n"
    small = reading.load(weights_file(SMALL_LOOP + fires, yaml))
    assert fires_everywhere(small)
    with pytest.raises(EncodingError, match=r"own\.lp:1: .*extra: \{moves: \[its file\]\}"):
        fires_everywhere(reading.load(weights_file(LARGE_LOOP + fires, yaml)))
    assert fires_everywhere(
        reading.load(weights_file(LARGE_LOOP + fires, yaml, "{moves: [own.lp]}"))
    )


def fires_everywhere(settings: Config) -> bool:
    advice = advise(parse_line(""), settings, depth=1)
    return all("a" in [firing.strategy for firing in move.fires] for move in advice.moves)


def test_extra_files_tell_the_programs_apart(here: Path) -> None:
    Path("f.lp").write_text("feature(f, P, C) :- cell(P, 1, C).")
    settings = reading.load(
        weights_file(
            "fires(a, move(R, C)) :- valid_move(R, C).",
            WEIGHTS,
            "{moves: [own.lp], features: [f.lp]}",
        )
    )
    names = {program: [file.name for file in settings.extra[program]] for program in settings.extra}
    assert names == {"moves": ["own.lp"], "features": ["f.lp"]}
    Path("again.yaml").write_text(advisor("weights", "--weights", "my.yaml").out)
    again = reading.load("again.yaml")
    assert [again.files(p)[-1].name for p in ("moves", "features")] == ["own.lp", "f.lp"]
    assert again.weights == settings.weights


def test_a_copy_of_an_own_encoding_may_be_changed(here: Path) -> None:
    """It takes the place of the original, so that their names do not meet."""
    Path("mine.lp").write_text((ENCODINGS / "connect4" / "strategy.lp").read_text())
    base = reading.load()
    moves = "\n".join(
        f"  {json.dumps(name)}: {weight}"
        for name, weight in base.weights["moves"].items()
        if isinstance(name, str)
    )
    Path("my.yaml").write_text(
        "extends: default\nencodings: {moves: [mine.lp]}\n"
        f"moves:\n{moves}\n  threat: {{good: 12, other: 4}}\n"
        "  center: {0: 3, 1: 2, 2: 1, 3: 0}\n"
    )
    mine, own = (
        advise(parse_line("4453"), reading.load(s), depth=0) for s in ("my.yaml", "default")
    )
    assert [move.fires for move in mine.moves] == [move.fires for move in own.moves]


@pytest.mark.parametrize(
    ("yaml", "message"),
    [
        (
            "moves: {center: {9: 3}}",
            "there is no strategy 'center(9)' (use center(0), center(1), center(2), center(3))",
        ),
        ("features: {slope: {4: 1}}", "there is no feature 'slope(4)' (use slope(2), slope(3))"),
    ],
)
def test_a_number_that_no_name_has_is_told(yaml: str, message: str, here: Path) -> None:
    Path("my.yaml").write_text(f"extends: default\n{yaml}\n")
    with pytest.raises(ConfigError) as caught:
        reading.load("my.yaml")
    assert message in str(caught.value)


# Texts of names


@pytest.mark.parametrize("preset", [*reading.presets(), EDGE])
def test_every_name_that_is_derived_is_told_and_no_other(preset: object) -> None:
    settings = reading.load(str(preset))
    told = settings.texts
    assert told.strategies.keys() == set(map(render, settings.weights["moves"]))
    assert told.features.keys() == set(map(render, settings.weights["features"]))
    assert all(meaning.short for meaning in told.strategies.values())
    derived = [*texts.names(statements(settings.files("moves")), "moves")]
    if settings.weights["moves"]:
        assert len({texts.name_text(name) for name, _ in derived}) >= 9


def test_a_strategy_of_ones_own_is_told_in_its_own_words() -> None:
    advice = advise(parse_line("444"), reading.load(str(EDGE)), depth=0)
    move = advice.move(1)
    assert move.fires[0].strategy == "edge"
    assert reasons.sentence(advice, move, move.fires[0]) == (
        "It takes a1 at the edge, where red can pass it on one side only."
    )
    assert reasons.short(advice, move.fires[0]) == "keeps to the edge"
    assert "takes a1 at the edge" in " ".join(explain.move_sentences(advice, 1))


def test_the_example_of_the_readme_changes_the_move_it_shows() -> None:
    shown = parse_line("444444676776")
    usual, own = advise(shown, reading.load()), advise(shown, reading.load(str(EDGE)))
    assert (usual.best, own.best) == ((5,), (7,))
    assert [each.strategy for each in own.move(7).fires] == ["edge"]


def test_of_two_texts_for_a_name_the_later_one_counts(here: Path) -> None:
    own = weights_file(
        GOOD + 'sentence(feature(slope(N)), "a slope, {N} to go") :- N = 2..3.\n'
        'phrase(3, "three"). sentence(fires(win), "wins {where}").\n',
        WEIGHTS,
    )
    told = reading.load(own).texts
    assert told.features["slope(2)"] == "a slope, 2 to go"
    assert told.features["slope(3)"] == "a slope, three to go"
    assert told.strategies["win"].predicate == "wins {where}"
    assert told.strategies["win"].short == "completes a line"
    assert "a" not in told.strategies


def test_texts_cost_the_circuit_no_gate(tmp_path: Path) -> None:
    size = geometry(5, 4, 3)
    settings = reading.load(str(EDGE))
    told = ("sentence/2", "short/2", "phrase/2", "final/1", "decisive/1")
    silent = tmp_path / "silent.lp"
    silent.write_text(
        "".join(
            statement.text
            for statement in statements(settings.files("features"))
            if not any(head.signature in told for head in statement.heads)
        )
    )
    without = replace(
        settings,
        knowledge={**settings.knowledge, "features": (silent,)},
        extra=dict.fromkeys(settings.extra, ()),
    )
    files = without.derivers("features")
    cells = [("cell", player, r, c) for player in (1, 2) for r in range(1, 5) for c in range(1, 6)]
    inputs = [*cells, ("turn", 1), ("turn", 2)]
    outputs = [("feature", 3), ("decided", 2), ("drawn", 0)]
    bare = compile_files(files, inputs, outputs, size.constants)
    whole = compile_files(settings.files("features"), inputs, outputs, size.constants)
    assert len(bare.gates) == len(whole.gates) > 1000
    assert bare.outputs == whole.outputs


# The question by hand


@pytest.mark.parametrize("weights", ["default", str(EDGE)])
@pytest.mark.parametrize(("board", "size"), [("4453", "7x6"), ("", "5x4"), ("112233", "7x6")])
def test_clingo_by_hand_gives_the_same_answer(
    weights: str, board: str, size: str, tmp_path: Path
) -> None:
    settings = reading.load(weights)
    position = parse_line(board, geometry(*map(int, size.split("x"))))
    for name in NAMES:
        (tmp_path / name).write_text("win(1).")
    solved = by_hand(tmp_path, board, "--size", size, "--weights", weights)
    best = {
        int(atom.group(1))
        for answer in solved["Call"][-1]["Witnesses"]
        if answer["Costs"] == solved["Models"]["Costs"]
        for value in answer["Value"]
        if (atom := re.fullmatch(r"best_move\(\d+,(\d+)\)", value))
    }
    advice = advise(position, settings, depth=0)
    assert best == set(advice.best)
    assert -solved["Models"]["Costs"][0] == advice.score.value
    solved = by_hand(tmp_path, board, "--size", size, "--weights", weights, "--value")
    if not any(a.startswith("decided") for a in solved["Call"][-1]["Witnesses"][-1]["Value"]):
        value = -sum(solved["Models"].get("Costs", [0]))
        assert (value if position.turn == 1 else -value) == reference_value(position, settings)


def by_hand(folder: Path, *arguments: str) -> Any:
    """What plain clingo makes of the program that `advisor facts` prints."""
    with chdir(folder):
        printed = advisor("facts", *arguments)
    assert printed.code == 0, printed.err
    command = [sys.executable, "-m", "clingo", "--outf=2", "--opt-mode=optN", "0"]
    done = subprocess.run(
        command, input=printed.out, capture_output=True, text=True, cwd=folder, check=False
    )
    assert not done.stderr
    return json.loads(done.stdout)


def test_files_below_the_current_folder_are_named_as_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.lp").write_text("fires(mine, move(R, C)) :- valid_move(R, C), C = 6.\n")
    (tmp_path / "my.yaml").write_text(
        "extends: default\nencodings: {extra: [own.lp]}\nmoves: {mine: 5}\n"
    )
    monkeypatch.chdir(tmp_path)
    names = re.findall('#include "(.*)"', advisor("facts", "44", "--weights", "my.yaml").out)
    assert names[-1] == "own.lp"
    assert str(ENCODINGS / "connect4" / "board.lp") in names
    monkeypatch.chdir(ENCODINGS)
    names = re.findall('#include "(.*)"', advisor("facts", "44").out)
    assert names[0] == "connect4/board.lp"


def test_the_readme_of_the_encodings_names_the_files_of_each_program() -> None:
    text = (ENCODINGS / "README.md").read_text()
    by_hand = re.search(r"clingo --opt-mode=optN 0 (.*) facts\.lp", text)
    assert by_hand is not None
    settings = reading.load()
    assert by_hand.group(1).split() == [file.name for file in settings.files("moves")]
    rows = [line for line in text.splitlines() if line.startswith(("| the best", "| the value"))]
    named = [re.findall(r"`(\w+\.lp)`", row) for row in rows]
    assert named == [[file.name for file in settings.files(p)] for p in ("moves", "features")]


def test_the_example_of_the_encodings_readme_is_taken(here: Path) -> None:
    text = (ENCODINGS / "README.md").read_text()
    example = re.search(r"```prolog\n(.*?)```", text, re.DOTALL)
    assert example is not None
    sides = ", ".join(f"{n}: 1" for n in range(1, 21))
    own = weights_file(example.group(1), f"moves: {{corner: 5}}\nfeatures: {{side: {{{sides}}}}}\n")
    advice = advise(parse_line("4453"), reading.load(own), depth=1)
    told = reasons.sentence(advice, advice.move(1), advice.move(1).fires[0])
    assert told == "It takes the corner a1, which yellow can then not have."
    assert advice.phrasing.texts.comment("features", "side(2)") == "a disc in column 2"
