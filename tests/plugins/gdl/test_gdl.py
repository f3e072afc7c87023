"""Rule sheets become games that are the games of the sheets, or are refused in one line."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import EncodingError, InputError
from advisor.games import rooms
from advisor.games.check import check
from advisor.games.circuits import Circuits
from advisor.games.reference import answer
from advisor.games.rules import CONTRACT, Rules, read
from advisor.plugins.gdl import rewrite
from advisor.plugins.gdl.board import board
from advisor.plugins.gdl.importing import convert, facts
from advisor.plugins.gdl.library import import_game
from advisor.plugins.gdl.sheet import Names
from aspcircuits.clingo_api import Program, Term
from aspcircuits.loops import components
from aspcircuits.source import statements
from command import advisor
from second_reader import Sheet

SHEETS = sorted((Path(__file__).parents[2] / "data" / "gdl").glob("*.kif"))
SIMULTANEOUS = ["at_once"]
PLAYED = [file for file in SHEETS if file.stem not in SIMULTANEOUS]


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Rules]:
    """The game of a sheet, made once."""

    @cache
    def made(file: Path) -> Rules:
        folder = tmp_path_factory.mktemp(file.stem)
        (folder / "rules.lp").write_text(convert(file.read_text(), file.name, file.stem).rules)
        return read(str(folder))

    return made


NAMES: Mapping[str, Term] = {
    **{"+": "plus", "++": "plusplus", "01": "n01", "007": "n007", "+1": "plus1", "-1": -1},
    **{"white-1": "white_1", "white_1": "white_1_", "x.y": "x_y"},
}
"""Words of the sheets that are no names in an encoding."""

CALLED: Mapping[str, Mapping[Term, Term]] = {
    "chase": {"pass": ("step", "nowhere")},
    "passing": {"pass": "noop"},
    "own_noop": {"noop_2": "noop"},
}
"""Moves with another name in the encoding than in the sheet, and what the sheet calls them."""


def term_of(term: Term) -> Term:
    """A term of the second reader as one of ours."""
    if isinstance(term, tuple):
        return tuple(map(term_of, term))
    return int(term) if re.fullmatch("0|[1-9][0-9]*", term) else NAMES.get(term, term)


@pytest.mark.parametrize("file", PLAYED, ids=lambda file: file.stem)
def test_a_game_says_what_a_second_reader_says(
    file: Path, imported: Callable[[Path], Rules]
) -> None:
    assert_same(file, imported(file), games=2)


@pytest.mark.slow
@pytest.mark.parametrize("file", PLAYED, ids=lambda file: file.stem)
def test_many_games_say_what_a_second_reader_says(
    file: Path, imported: Callable[[Path], Rules]
) -> None:
    assert_same(file, imported(file), games=8, seed=2)
    report = check(Circuits(imported(file)), games=100, compared=30)
    assert report.unfinished == 0


def assert_same(file: Path, rules: Rules, games: int, seed: int = 1) -> None:
    """Play random games by the sheet; states, moves, ends and goals agree with the encoding."""
    sheet, game, random = Sheet(file.read_text()), Circuits(rules), Random(seed)
    called = CALLED.get(file.stem, {})
    words = {term_of(role): role for role in sheet.roles}
    assert words.keys() == {*rules.roles}
    for _ in range(games):
        state, row = sheet.start, game.start
        while True:
            atoms, look = game.atoms(row), game.look(row[None])
            assert {*map(term_of, state)} == {*atoms}
            assert sheet.is_over(state) == look.over[0]
            if look.over[0]:
                break
            mover = rules.roles[look.turn[0]]
            legal = {r: {term_of(m): m for m in sheet.legal(state)[words[r]]} for r in words}
            ours = {called.get(rules.moves[n], rules.moves[n]): n for n in look.moves()[1]}
            assert ours.keys() == legal[mover].keys()
            chosen = {role: random.choice(sorted(moves, key=str)) for role, moves in legal.items()}
            assert all(len(moves) == 1 for role, moves in legal.items() if role != mover)
            state = sheet.after(state, {words[r]: legal[r][move] for r, move in chosen.items()})
            row = game.step(row[None], np.array([ours[chosen[mover]]]), look.turn)[0]
        goals = {(term_of(r), max(map(int, v), default=0)) for r, v in sheet.goals(state).items()}
        found = answer(rules, atoms)
        assert goals == found.goals
        assert found.result(rules) == look.result[0]


# What does not fit

GAME = """\
(role a)
(role b)
(init (heap 3)) (init (turn a))
(<= (legal ?p (take ?n)) (true (turn ?p)) (true (heap ?m)) (less ?n ?m ?k))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (heap ?k)) (does ?p (take ?n)) (true (heap ?m)) (less ?n ?m ?k))
(<= (next (turn ?q)) (true (turn ?p)) (role ?q) (distinct ?p ?q))
(less 1 3 2) (less 1 2 1) (less 1 1 0) (less 2 3 1) (less 2 2 0)
(<= terminal (true (heap 0)))
(<= (goal ?p 0) (true (turn ?p)))
(<= (goal ?p 100) (role ?p) (not (true (turn ?p))))
"""

REFUSED = {
    "one player": ("(role b)", "", r"game.kif:1:1: 1 player \(a\); a game has two"),
    "three players": (
        "(role b)",
        "(role b) (role c)",
        r"game.kif:2:10: 3 players \(a, b, c\); a game has two",
    ),
    "no players": ("(role a)\n(role b)", "", r"game.kif:1:1: no fact \(role ...\)"),
    "chance": ("(role b)", "(role b) (role random)", r"game.kif:2:10: role 'random': .* chance"),
    "hidden": (
        "(less 1 3 2)",
        "(<= (sees ?p ?m) (role ?p) (true (heap ?m)))",
        r"game.kif:8:1: 'sees': hidden information",
    ),
    "lists that grow": (
        "(<= terminal",
        "(init (log nil)) (<= (next (log (then ?n ?l))) (does ?p (take ?n)) (true (log ?l)))\n"
        "(<= terminal",
        r"game.kif:9:18: 'log' grows without bound",
    ),
    "a head that is not safe": (
        "(<= terminal (true (heap 0)))",
        "(<= terminal (done ?x))\n(<= (done ?y) (true (heap 0)))",
        r"game.kif:10:1: nothing gives a value to Y in the head of 'done'",
    ),
    "a move that is not safe": (
        "(less ?n ?m ?k))\n(<= (legal ?p noop)",
        "(less ?k ?m ?k))\n(<= (legal ?p noop)",
        r"game.kif:4:1: nothing gives a value to N in the head of 'legal'",
    ),
    "not stratified": (
        "(<= terminal (true (heap 0)))",
        "(<= terminal won)\n(<= won (not lost))\n(<= lost (not won) (true (heap 0)))",
        r"game.kif:10:1: 'won' depends on 'not lost', which depends on 'won'",
    ),
    "no end": ("(<= terminal (true (heap 0)))", "", r"game.kif:1:1: no rule derives 'terminal'"),
    "the state derived": (
        "(less 1 3 2)",
        "(<= (true (heap 1)) (true (heap 2)))",
        r"game.kif:8:5: '\(true \(heap 1\)\)' is given to the rules",
    ),
    "a keyword with another number": (
        "(true (heap 0))",
        "(true heap 0)",
        r"game.kif:9:14: 'true' has 2 arguments; it takes 1",
    ),
    "a variable for a relation": ("(true (heap 0))", "(?r 0)", r"game.kif:9:14: .* is not an atom"),
    "an arrow the wrong way": ("(<= terminal", "(=> terminal", r"game.kif:9:1: .* is not an atom"),
    "no head": ("(less 1 3 2)", "(<=)", r"game.kif:8:1: '<=' without a head"),
    "a number as a function": ("(heap 3)", "(3 heap)", r"game.kif:3:7: .* is not a function"),
    "never closed": ("(<= terminal", "((<= terminal", r"game.kif:9:1: this '\(' is never closed"),
    "closed twice": ("(role b)", "(role b))", r"game.kif:2:9: this '\)' closes nothing"),
    "half a quotation": ("(heap 3)", '(heap "3)', r"game.kif:3:13: this quotation mark"),
    "nothing": (GAME, "; nothing", r"game.kif:1:1: no fact \(role ...\)"),
    "too many ors": (
        "(true (heap 0))",
        "(or (true (heap 0)) (true (heap 1)))" * 10,
        r"game.kif:9:1: expanding 'or' gives more than 512 rules",
    ),
}


def refusal(text: str) -> str:
    with pytest.raises(EncodingError) as found:
        convert(text, "game.kif", "game")
    line = str(found.value)
    assert "\n" not in line
    return line


@pytest.mark.parametrize("name", REFUSED)
def test_a_sheet_that_does_not_fit_gets_one_line(name: str) -> None:
    old, new, message = REFUSED[name]
    assert old in GAME
    assert re.search(message, refusal(GAME.replace(old, new)))


def test_a_wide_join_is_not_grounded_at_once() -> None:
    """Four counters of 60 values, each next to another: 10^9 instances at once, few by and by."""
    counters = "".join(
        f"(init (at {i} 0)) (<= (next (at {i} ?y)) (true (at {i} ?x)) (near ?x ?y))"
        for i in range(4)
    )
    near = "".join(f"(near {i} {i + 1}) (near {i + 1} {i})" for i in range(60))
    joined = "".join(f"(true (at {i} ?x{i})) (near ?x{i} ?y{i})" for i in range(4))
    more = f"{counters} {near} (<= (legal ?p all) (true (turn ?p)) {joined})"
    assert convert(GAME + more, "game.kif", "game").base == 4 * 61 + 6
    # Nor where the arguments of a relation have to be derived: here a counter's value.
    asking = more[:-1] + " (not (odd ?y0))) (<= (odd ?y) (distinct ?y 0))"
    assert "asked_odd(0..60)." in convert(GAME + asking, "game.kif", "game").rules


@pytest.mark.slow
def test_a_sheet_that_is_too_large_gets_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Also where memory ends amid clingo's first exception, as it may with any of these bounds."""
    wide = "".join(f"(digit {i})" for i in range(400))
    wide += "(<= (legal ?p (go ?x ?y ?z)) (true (turn ?p)) (digit ?x) (digit ?y) (digit ?z))"
    for size in range(240, 301, 10):
        monkeypatch.setattr("aspcircuits.own_process.MAX_BYTES", size << 20)
        assert f"game.kif: is too large to ground: more than {size} MB" in refusal(GAME + wide)
    assert capfd.readouterr().err == ""


def test_what_is_simultaneous_shows_in_play(imported: Callable[[Path], Rules]) -> None:
    file = next(file for file in SHEETS if file.stem == "at_once")
    with pytest.raises(EncodingError, match="simultaneous moves: both one and two have a move"):
        check(Circuits(imported(file)), games=5, compared=0)
    for command in (["suggest", ""], ["play"]):
        done = advisor(*command, "--game", imported(file).files[0].parent)
        assert done.code == 3
        assert re.fullmatch(r"error: .*: simultaneous moves: .*\n", done.err)


def test_a_board_is_shown_where_states_have_one(imported: Callable[[Path], Rules]) -> None:
    boards = {
        file.stem: [*rooms.by_circuits(Circuits(imported(file))).begin().rows]
        for file in PLAYED
        if imported(file).derived_atoms("at")
    }
    assert boards.keys() == {"breakthrough", "chase", "connect3", "gather", "join", "tictactoe"}
    assert boards["chase"] == ["3 . . m", "2 . . .", "1 c . .", "  1 2 3"]
    assert boards["breakthrough"][0] == "4 b b b b"


def test_symbols_and_squares_get_short_names() -> None:
    pieces = ["whitepawn", "whiteking", "whiteknight", "blackpawn", "blackking", "x", "empty"]
    cells = [("cell", f"r{r}", c, p) for r in (1, 2, 3) for c in "abc" for p in pieces]
    start = [cell for cell in cells if cell[3] == "empty"]
    text = board(cells, start, Names())
    assert "at(X', Y', S') :- true(cell(Y, X, S)), " in text
    assert "column_of(a, 1; b, 2; c, 3)." in text
    assert "row_of(r1, 1; r2, 2; r3, 3)." in text
    shown = dict(re.findall(r"symbol_of\((\w+), (\w+)\)", text))
    assert shown == {
        **{"whitepawn": "wp", "whiteking": "wk", "whiteknight": "wn"},
        **{"blackpawn": "bp", "blackking": "bk", "x": "x"},
    }
    assert board([("score", n, "white", n) for n in range(9)], [], Names()) == ""


def test_what_begins_with_the_whole_of_another_name_is_told_by_the_rest() -> None:
    cells = [("cell", x, y, p) for x in (1, 2, 3) for y in (1, 2, 3) for p in ("red", "redking")]
    assert "symbol_of(redking, rk)." in board(cells, [], Names())


def test_recursion_without_steps_says_what_counted_steps_say(
    tmp_path: Path, imported: Callable[[Path], Rules]
) -> None:
    """Cells joined to a side by recursion, instead of by counted steps."""
    file = next(file for file in SHEETS if file.stem == "join")
    counted, text = Circuits(imported(file)), file.read_text()
    start = text.index("(<= (reach ?p 1")
    text = text[:start] + text[text.index("(<= (first red") :].replace("?p 5 ?x", "?p ?x")
    text += """
        (<= (reach ?p ?x ?y) (true (stone ?p ?x ?y)) (first ?p ?x ?y))
        (<= (reach ?p ?x ?y) (true (stone ?p ?x ?y)) (near ?v ?w ?x ?y) (reach ?p ?v ?w))
    """
    (tmp_path / "rules.lp").write_text(convert(text, "join.kif", "join").rules)
    free = Circuits(read(str(tmp_path)))
    assert check(free, games=200, compared=30).results == check(counted, games=200).results
    assert free.rules.base == counted.rules.base


def test_recursion_from_every_square_says_what_one_stone_between_says(
    tmp_path: Path, imported: Callable[[Path], Rules]
) -> None:
    """What is joined to each stone, by way of anything that is, as in lines of action."""
    file = next(file for file in SHEETS if file.stem == "gather")
    by_one, text = Circuits(imported(file)), file.read_text()
    free_text = text.replace(
        "(<= (joined ?p ?x ?y ?t ?u) (beside_it ?p ?x ?y ?v ?w)",
        "(<= (joined ?p ?x ?y ?t ?u) (joined ?p ?x ?y ?v ?w)",
    )
    assert free_text != text
    (tmp_path / "rules.lp").write_text(convert(free_text, "gather.kif", "gather").rules)
    free = Circuits(read(str(tmp_path)))
    report = check(free, games=400, compared=60)
    assert report.results == check(by_one, games=400).results
    assert min(report.results) > 0
    # One for each player and square, all of them solved without rounds.
    loops = [part for part in components(free.rules.program) if part.rounds != 1]
    assert [part.rounds for part in loops] == [0] * 24


def test_a_game_ends_where_its_sheet_leaves_nobody_a_move(tmp_path: Path) -> None:
    """Two may be taken of three, then nothing: one is left, the sheet's game is not over."""
    start = GAME.index("(less 1 3 2)")
    stuck = GAME[:start] + "(less 2 3 1) " + GAME[GAME.index("(<= terminal") :]
    (tmp_path / "rules.lp").write_text(convert(stuck, "game.kif", "game").rules)
    rules = read(str(tmp_path))
    report = check(Circuits(rules), games=10, compared=20)
    assert report.length == (1, 1.0, 1)
    assert report.results == (10, 0, 0)  # it would be b's turn
    after = answer(rules, rules.start, rules.joint("a", ("take", 2))).following
    assert after == {("heap", 1), ("turn", "b")}
    assert answer(rules, after).terminal


def test_what_is_unusual_is_noted() -> None:
    odd = (
        GAME.replace("(true (heap 0))", "(true (heap ?x)) (not (less ?y ?x ?z))")
        + "stray (<= (goal ?p 50) (true (heap 9)) (distinct ?z 1) (unheard ?p))"
    )
    assert convert(odd, "game.kif", "game").notes == (
        "game.kif:9:1: 'not less(Y,X,Z)' is read as: for no Y, Z",
        "game.kif:12:1: 'stray' stands outside brackets and is left out",
        "game.kif:12:7: 'Z != 1' is left out: Z can be anything",
        "game.kif:12:7: no rule derives 'unheard' with 1 arguments",
    )


@pytest.mark.slow
@given(st.data())
def test_broken_sheets_get_one_line(data: st.DataObject) -> None:
    """Cut, doubled, exchanged or garbled text is a sheet or is refused, never anything else."""
    text = data.draw(st.sampled_from(SHEETS)).read_text()
    for _ in range(data.draw(st.integers(1, 3))):
        one, other = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
        part = text[one:other][:80]
        change = data.draw(
            st.sampled_from(["", part * 2, part[::-1], "(", ")", '"', "?", "(not", "<= ", "\x00é;"])
        )
        text = text[:one] + change + text[one + len(part) :]
    found = ""
    try:
        assert convert(text, "game.kif", "game").rules
    except EncodingError as error:
        found = str(error)
    assert re.fullmatch(r"(game\.kif:(\d+:\d+:)? [^\n]+)?", found)


def test_declarations_in_another_form_are_left_out() -> None:
    notes = "(base heap (val 0 1 2 3)) (base over) (input take (val 1 2))"
    assert convert(GAME + notes, "game.kif", "game") == convert(GAME, "game.kif", "game")


def test_brackets_around_brackets_say_nothing() -> None:
    doubled = GAME.replace("(<= terminal (true (heap 0)))", "((<= terminal ((true (heap 0)))))")
    assert convert(doubled, "game.kif", "game") == convert(GAME, "game.kif", "game")


# Its parts


def test_facts_are_written_as_few(tmp_path: Path) -> None:
    rows = [(x, ("cell", y, z)) for x in (1, 2, 3, 5) for y in "ab" for z in range(4)]
    rows += [(9, "noop"), (9, ("cell", "a", 7))]
    lines = facts("p", rows)
    assert lines == [
        "p((1..3; 5), cell((a; b), 0..3)).\n",
        "p(9, noop).\n",
        "p(9, cell(a, 7)).\n",
    ]
    assert {(x, y) for (_, x, y), _ in Program([], rules="".join(lines)).atoms("p", 2)} == {*rows}


def test_words_become_different_names(tmp_path: Path) -> None:
    words = ["+", "++", "-", "plus", "a-b", "a_b", "01", "1", "n01", "not", "_", "x'", "x_"]
    names = Names()
    assert len({str(names.object(word)) for word in words}) == len(words)
    assert len({names.relation(word) for word in [*words, "at", "turn", "true"]}) == 16
    assert len({names.variable(word) for word in [*words, "X", ""]}) == 15
    file = tmp_path / "names.lp"
    file.write_text("".join(f"{names.relation(w)}({names.object(w)}).\n" for w in words))
    assert sum(statement.kind == "rule" for statement in statements([file])) == len(words)
    assert names.relation("turn") not in CONTRACT


@pytest.mark.slow
@pytest.mark.parametrize("file", PLAYED, ids=lambda file: file.stem)
def test_rules_made_smaller_say_the_same(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All rules that can be taken apart are, and in random games the encoding still agrees."""
    monkeypatch.setattr(rewrite, "_INSTANCES", 0)
    (tmp_path / "rules.lp").write_text(convert(file.read_text(), file.name, file.stem).rules)
    assert_same(file, read(str(tmp_path)), games=3)


# The command


def test_import_writes_a_game_that_can_be_checked(tmp_path: Path) -> None:
    sheet, target = tmp_path / "nim.kif", tmp_path / "games" / "nim"
    sheet.write_text(SHEETS[0].with_name("nim.kif").read_text() + "stray")
    done = advisor("game", "import", sheet, "-o", target)
    assert done.code == 0
    assert "first and second" in done.out
    assert re.fullmatch(r"note: .*nim.kif:\d+:1: 'stray' stands outside brackets.*\n", done.err)
    rules = (target / "rules.lp").read_text()
    assert rules.startswith("% Purpose: nim, from a rule sheet")
    assert "\n% whoever is to move has not taken the last one\nreached(P,0) :- " in rules
    assert "keeps the contract" in advisor("game", "check", target, "--games", 20).out
    again = advisor("game", "import", sheet, "-o", target)
    assert again.code == 2
    assert "exists already" in again.err
    assert (target / "rules.lp").read_text() == rules


def test_a_form_feed_is_a_blank_in_a_sheet(tmp_path: Path) -> None:
    sheet = tmp_path / "nim.kif"
    sheet.write_text(GAME.replace("\n", "\n\f\v", 1))
    assert advisor("game", "import", sheet, "-o", tmp_path / "made").code == 0


def test_nothing_is_written_for_what_is_simultaneous(tmp_path: Path) -> None:
    sheet = SHEETS[0].with_name("at_once.kif")
    done = advisor("game", "import", sheet, "-o", tmp_path / "made")
    assert (done.code, done.out) == (3, "")
    assert done.err == (
        f"error: {sheet}: simultaneous moves: both one and two have a move; "
        "players must take turns; at the start\n"
    )
    assert not (tmp_path / "made").exists()


def test_nothing_is_written_for_what_is_refused(tmp_path: Path) -> None:
    sheet = tmp_path / "broken.kif"
    sheet.write_text(GAME + "(")
    done = advisor("game", "import", sheet, "-o", tmp_path / "made")
    assert done.code == 3
    assert done.err == f"error: {sheet}:12:1: this '(' is never closed\n"
    assert not (tmp_path / "made").exists()
    assert advisor("game", "import", tmp_path / "none.kif", "-o", tmp_path / "made").code == 2
    sheet.write_text(GAME)
    assert (
        "cannot be used as a folder" in advisor("game", "import", sheet, "-o", sheet / "below").err
    )


def test_a_sheet_is_named_by_its_path() -> None:
    with pytest.raises(InputError, match="sheet 3 is neither a name nor a path"):
        import_game(3, 4)  # type: ignore[arg-type]
