"""Knowledge that is found from rules alone: what is proposed means what its sentences say."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.rules import read
from advisor.lab.journal import Journal
from advisor.library.loading import load_game
from advisor.limits import Limit
from advisor.plugins.learn.learning.choosing import Odds, choose_families
from advisor.plugins.learn.learning.learn import find_knowledge
from advisor.plugins.learn.learning.men import Slots, find_slots
from advisor.plugins.learn.learning.outline import Outline, outline_rules
from advisor.plugins.learn.learning.proposals import CandidatePool, Candidates, Proposals, propose
from advisor.plugins.learn.learning.task import Steps, Task
from advisor.plugins.learn.learning.trial import write_knowledge, write_rules, write_weights
from advisor.plugins.learn.learning.writer import TEMPLATES
from advisor.plugins.learn.tuning.selfplay import SelfPlayed
from advisor.settings import texts
from aspcircuits.clingo_api import Term, render
from aspcircuits.source import statements
from aspcircuits.stopping import Stop
from command import advisor
from test_game_knowledge import folder
from test_games import states

SMALL = {
    "breakthrough": {"width": 4, "height": 5},
    "gomoku": {"width": 5, "height": 5, "connect": 4},
}

DATA = Path(__file__).parents[2] / "data"
EXAMPLES = Path(__file__).parents[3] / "examples" / "found"

Place = tuple[int, ...]


@cache
def shown(game: str) -> tuple[Outline, dict[str, Slots], Proposals]:
    circuits, _ = knowledge.load(game, "rules", SMALL.get(game, {}))
    found = outline_rules(circuits.rules)
    assert found.men is not None
    reached = dict(find_slots(circuits, found.men, 1))
    return found, reached, propose(found, reached)


@cache
def candidates(game: str) -> Circuits:
    constants = tuple(SMALL.get(game, {}).items())
    proposed = shown(game)[2]
    known = Candidates(game, constants, proposed.text(proposed.families))
    names = {atom[1] for atom, _ in known.rules.derived_atoms("feature")}
    return known.circuits(dict.fromkeys(names, 1))


def test_rules_show_men_places_and_moves() -> None:
    found, reached, _ = shown("breakthrough")
    assert found.men is not None
    axes = [(a.variable, a.high, a.kind, a.rising) for a in found.men.axes]
    assert axes == [("X", "width", "folded", 0), ("Y", "height", "advancing", 0)]
    assert (found.place, found.free, found.other, found.turn) == ("cell", "", "other", "turn({})")
    assert reached == {"go": Slots(leaves=0, comes=2, takes=2)}

    found, reached, _ = shown("morris")
    assert found.men is not None
    assert sorted(map(len, found.men.spots)) == [4, 4, 8, 8]  # by what can be mapped to what
    assert [(r.name, r.symmetric, r.degrees) for r in found.relations] == [
        ("joined", True, (2, 3, 4))
    ]
    assert [(p.name, p.own, p.size) for p in found.patterns] == [("safe", "on", 3)]
    assert found.counters == (("hand", "hand({})"),)
    assert reached["take"] == Slots(leaves=None, comes=None, takes=0)

    found, _, _ = shown("gomoku")
    assert [(p.name, p.length, p.lined) for p in found.patterns] == [("goal", "connect", True)]


def of_sheet(tmp_path: Path, sheet: str) -> Outline:
    ran = advisor("game", "import", str(DATA / "gdl" / f"{sheet}.kif"), "-o", str(tmp_path / sheet))
    assert ran.code == 0
    return outline_rules(read(str(tmp_path / sheet)))


def test_rule_sheets_show_marks_turns_and_men_that_fall(tmp_path: Path) -> None:
    found = of_sheet(tmp_path, "tictactoe")  # whose cells hold x, o or b
    assert found.men is not None
    assert {*found.men.defined} == {
        "man(white, X, Y) :- true(cell(X, Y, x)).",
        "man(black, X, Y) :- true(cell(X, Y, o)).",
    }
    assert found.men.form == "man({P}, {X}, {Y})"
    assert (found.turn, found.begins) == ("true(control({}))", 0)
    assert [axis.kind for axis in found.men.axes] == ["folded", "folded"]
    assert [(p.name, p.size, p.lined) for p in found.patterns] == [("goal", 3, True)]

    found = of_sheet(tmp_path, "connect3")  # whose moves name a column alone
    assert found.men is not None
    assert (found.men.name, found.men.form) == ("cell", "true(cell({X}, {Y}, {P}))")
    assert [(p.name, p.size, p.lined) for p in found.patterns] == [("goal", 3, True)]


def test_steps_that_nothing_needs_tell_no_places_apart(tmp_path: Path) -> None:
    # Lines that are counted from one end: the sheet's names make no difference.
    sheet = DATA.parents[1] / "benchmarks" / "sheets" / "four_in_a_row.kif"
    ran = advisor("game", "import", str(sheet), "-o", str(tmp_path / "four"))
    assert ran.code == 0
    found = outline_rules(read(str(tmp_path / "four")))
    assert found.men is not None
    assert [axis.kind for axis in found.men.axes] == ["folded", "folded"]
    assert found.men.transposed


def test_holes_are_told_by_their_row_and_by_who_began() -> None:
    game = str(DATA / "drop")
    board = [*product(range(1, 5), range(1, 4))]
    rows = [{(x + i, y) for i in range(3)} for x, y in board if x < 3]
    first, second = knowledge.load(game, "rules")[0].rules.roles
    begins = {first: "first", second: "second"}
    met = 0
    for men, _, found in atoms(candidates(game), 40):
        if not found:  # as where the result is certain
            continue
        expected: set[Term] = set()
        for who, place in product(begins, board):
            others = [row - {place} for row in rows if place in row]
            if place not in men and any(all(men.get(a) == who for a in o) for o in others):
                odd = "odd" if place[1] % 2 else "even"
                expected |= {(("hole_row", begins[who], place[1]), who, at(place))}
                expected |= {(("parity_row", begins[who], odd), who, at(place))}
        assert {a for a in found if family(a[0]) in ("hole_row", "parity_row")} == expected
        met += len(expected)
    assert met


def test_who_began_is_said_the_same_whatever_a_game_calls_him(tmp_path: Path) -> None:
    proposed, rules = shown(str(DATA / "drop"))[2], tmp_path / "found.lp"
    rules.write_text(proposed.text(proposed.families))
    own = tmp_path / "own.lp"
    own.write_text('phrase(first, "the first player").\nphrase(second, "the second player").\n')
    usual, named = (texts.read(files).features for files in ([rules], [rules, own]))
    holes = {name: text for name, text in usual.items() if name.startswith(("hole_", "parity_"))}
    assert holes.items() <= named.items()
    for who in ("first", "second"):
        told = [text for name, text in holes.items() if f"({who}," in name]
        assert told
        assert all(text.endswith(f" for the {who} player") for text in told)
    weights = str(EXAMPLES / "connect4.yaml")
    found = load_game("connect4", weights=weights).position().phrasing.texts.features
    assert "the the" not in " ".join(found.values())
    assert found["hole_row(second,4)"].endswith(" in row 4 completing a line for the second player")


def atoms(game: Circuits, count: int) -> Iterator[tuple[dict[Place, Term], Term, set[Term]]]:
    """Of some states who stands where, whose turn it is, and what features there are."""
    for row in states(game, count, 5):
        if not game.look(row[None]).over[0]:
            men, turn = {}, ""
            for atom in game.atoms(row):
                if atom[0] == "turn":
                    turn = atom[1]
                elif len(atom) == 4:
                    men[atom[2:]] = atom[1]
            yield men, turn, {atom[1:] for atom in game.features(row)}


def at(place: Place) -> Term:
    return ("", *place)


def beside(place: Place, steps: list[Place], size: Place) -> list[Place]:
    """The places that lie so from a place, as far as they are on the board."""
    found = [(place[0] + dx, place[1] + dy) for dx, dy in steps]
    return [(x, y) for x, y in found if 1 <= x <= size[0] and 1 <= y <= size[1]]


AROUND = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]


def test_proposals_for_men_that_advance_mean_what_they_say() -> None:
    size = width, height = 4, 5
    other, way = {"white": "black", "black": "white"}, {"white": 1, "black": -1}
    for men, turn, found in atoms(candidates("breakthrough"), 25):
        expected: set[Term] = set()

        def slanting(place: Place, who: Term) -> list[Place]:
            return beside(
                place, [(-1, 1 if who == "white" else -1), (1, 1 if who == "white" else -1)], size
            )

        for place, who in men.items():
            x, y = place
            column, row = min(x, width + 1 - x), y if who == "white" else height + 1 - y
            taken = any(place in slanting(a, p) for a, p in men.items() if p != who)
            guarded = any(place in slanting(a, p) for a, p in men.items() if p == who)
            ahead = beside(place, [(0, way[who])], size)
            moves = [a for a in ahead if a not in men]
            moves += [a for a in slanting(place, who) if men.get(a) != who]
            rooms = [a for a in beside(place, AROUND, size) if a not in men]
            names: list[Term] = [
                "material",
                ("column", column),
                ("row", row),
                ("place", column, row),
            ]
            names += ["attacked"] * taken + ["hanging"] * (taken and turn == other[who])
            names += ["guarded", ("held", row)] * guarded + ["loose"] * (taken and not guarded)
            names += [("safe", row)] * (not taken) + ["stuck"] * (not moves)
            names += ["frontier"] * bool(rooms)
            expected |= {(name, who, at(place)) for name in names}
            expected |= {("room", who, ("", at(place), at(a))) for a in rooms}
            expected |= {("can_go", who, ("go", *place, *a)) for a in moves}
            for name, steps in (
                ("beside", [(1, 0)]),
                ("behind", [(0, 1)]),
                ("diagonal", [(1, 1), (1, -1)]),
            ):
                pairs = [a for a in beside(place, steps, size) if men.get(a) == who]
                expected |= {(name, who, ("", at(place), at(a))) for a in pairs}
        assert found == expected


def test_proposals_for_rows_mean_what_they_say() -> None:
    length, size = 4, (5, 5)
    board = [*product(range(1, 6), repeat=2)]
    rows = []
    for first, (dx, dy) in product(board, [(1, 0), (0, 1), (1, 1), (1, -1)]):
        row = [(first[0] + i * dx, first[1] + i * dy) for i in range(length)]
        if {*row} <= {*board}:
            rows.append(row)
    for men, turn, found in atoms(candidates("gomoku"), 25):
        expected: set[Term] = set()
        for who in ("black", "white"):
            held = [[men.get(place) == who for place in row] for row in rows]
            alone = [all(men.get(a) in (None, who) for a in row) for row in rows]
            completing = {
                place
                for row, own in zip(rows, held, strict=True)
                for place in row
                if place not in men and sum(own) >= length - 1
            }
            expected |= {
                (("way", sum(own)), who, ("", at(row[0]), at(row[-1])))
                for row, own, only in zip(rows, held, alone, strict=True)
                if only and 0 < sum(own) < length
            }
            expected |= {("completes", who, at(place)) for place in completing}
            expected |= {("ready", who, at(place)) for place in completing if turn == who}
            expected |= {("double", who, "two")} if len(completing) > 1 else set()
            for place in board:
                near = [
                    row
                    for row, own, only in zip(rows, held, alone, strict=True)
                    if place in row and only and sum(own) >= length - 2
                ]
                if place not in men and len(near) > 1:
                    expected.add(("fork", who, at(place)))
            for (x, y), owner in men.items():
                if owner == who:
                    near_x, near_y = min(x, 6 - x), min(y, 6 - y)
                    low, high = sorted((near_x, near_y))
                    expected |= {(("ring", low), who, at((x, y)))}
                    expected |= {(("corner", low, high), who, at((x, y)))}
                    sides = beside((x, y), [(1, 0), (0, 1)], size)
                    pairs = [("", at((x, y)), at(a)) for a in sides if men.get(a) == who]
                    expected |= {("touching", who, pair) for pair in pairs}
        told = {"way", "completes", "ready", "double", "fork", "ring", "corner", "touching"}
        assert {atom for atom in found if family(atom[0]) in told} == expected
        assert size == (5, 5)


@pytest.mark.slow
def test_what_a_reflection_leaves_alike_no_candidate_tells_apart() -> None:
    # Reversi's rules do not change if columns and rows are exchanged, and neither does its start.
    game = candidates("reversi")
    names = sorted(game.weights, key=render)
    for row in states(game, 40, 1):
        across = [
            (*atom[:2], atom[3], atom[2]) if atom[0] == "disc" else atom for atom in game.atoms(row)
        ]
        both = np.stack([row, game.row(across)])
        one, other = game.counts(both, names)
        assert dict(zip(names, one, strict=True)) == dict(zip(names, other, strict=True))


def family(name: Term) -> str:
    return str(name[0] if isinstance(name, tuple) else name)


def test_places_that_are_terms_have_neighbours_and_mills() -> None:
    text = shown("morris")[2].text(["degree_joined", "open_joined", "way"])
    assert "degree_joined(A, N) :- point(A), N = { joined(A, A') }." in text
    assert "feature(open_joined, P, (A, A')) :- man(P, A), joined(A, A'), free(A')." in text
    assert "N = { man(P, A) : on(W, A) }, not man(P', A) : on(W, A)." in text
    assert "3 places" not in text  # words, not numbers
    # What the rules derive of a player and a place; not what a move would do there.
    assert shown("morris")[0].claims == ("safe",)
    text = shown("morris")[2].text(["other_safe"])
    assert "feature(other_safe, P, A) :- man(P, A), other(P, P'), safe(P', A)." in text


# What is learned

TASK = Task(
    "breakthrough",
    {"width": 4, "height": 5},
    games=64,
    only=("safe", "column"),
    without=("strategies",),
    against="random",
    limit=Limit(1),
)
"""Quick, and the same in every run: no clock decides anything."""


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that was learned, with the journal of that beside it."""
    folder = tmp_path_factory.mktemp("learned")
    with Steps(journal=Journal(folder / "journal", {"command": "learn"})) as steps:
        found = find_knowledge(TASK, folder / "game", steps)
    assert found.features.match is not None
    assert found.features.match.verdict == "stronger"
    return folder


@pytest.mark.slow
def test_what_is_learned_is_a_game_that_explains_itself(learned: Path) -> None:
    game, settings = knowledge.load(str(learned / "game"))
    assert len(game.rules.base) == 2 * 4 * 5 + 2  # the constants are the game's own now
    assert {family(name) for name in settings.weights["features"]} <= {"safe", "column"}
    features = (learned / "game" / "features.lp").read_text()
    assert max(map(len, features.splitlines())) <= 100
    assert "N = 1..height." in features  # the rules' constants, not numbers
    ran = advisor(
        "suggest", "--game", str(learned / "game"), "a2-a3 d4-d3", "--depth", "2", "--numbers"
    )
    assert ran.code == 0
    assert "on row" in ran.out
    assert "(from its side) that cannot be taken" in " ".join(ran.out.split())


@pytest.mark.slow
def test_a_run_goes_on_where_it_was_stopped(learned: Path, tmp_path: Path) -> None:
    lines = (learned / "journal").read_text().splitlines(keepends=True)
    for kept in (4, len(lines) - 3):
        journal, target = tmp_path / f"journal{kept}", tmp_path / f"game{kept}"
        journal.write_text("".join(lines[:kept]))
        with Steps(journal=Journal(journal, {"command": "learn"})) as steps:
            find_knowledge(TASK, target, steps)
        # All but how long the moves of a match are to be, which the clock says.
        made = journal.read_text().splitlines(keepends=True)
        assert [x for x in made if "seconds" not in x] == [x for x in lines if "seconds" not in x]
        for file in (learned / "game").iterdir():
            assert (target / file.name).read_bytes() == file.read_bytes()


@pytest.mark.slow
def test_what_was_done_counts_when_a_run_goes_on_without_time(
    learned: Path, tmp_path: Path
) -> None:
    journal = tmp_path / "journal"
    journal.write_bytes((learned / "journal").read_bytes())
    with Steps(journal=Journal(journal, {"command": "learn"})) as steps:
        found = find_knowledge(replace(TASK, seconds=1e-3), tmp_path / "game", steps)
    assert found.features.written
    assert journal.read_bytes() == (learned / "journal").read_bytes()


@pytest.mark.slow
def test_no_rules_are_written_unless_they_win(tmp_path: Path) -> None:
    # Whoever counts men by their column alone loses to who counts how far they have come.
    weak = replace(TASK, only=("column",), against="default", game=str(folder(tmp_path)))
    with Steps() as steps:
        found = find_knowledge(replace(weak, constants={}), tmp_path / "found", steps)
    assert not found.features.written
    assert not (tmp_path / "found").exists()
    assert not list(tmp_path.glob(".learn-*"))

    ran = advisor(
        "learn", "tictactoe", "-o", str(tmp_path / "none"), "--only", "material", "--games", "64"
    )
    assert ran.code == 1
    assert "nothing that was proposed tells enough; only a report is written" in ran.err
    assert [file.name for file in (tmp_path / "none").iterdir()] == ["report.html"]


@pytest.mark.slow
def test_rules_that_lose_are_written_with_a_report_if_that_is_asked_for(tmp_path: Path) -> None:
    given = ("--only", "column", "--against", "default", "--games", "64", "--time", "20")
    out = str(tmp_path / "found")
    ran = advisor("learn", str(folder(tmp_path)), "-o", out, *given, "--force")
    assert ran.code == 0
    assert "it is written all the same" in ran.err
    assert "Written all the same: " in (tmp_path / "found" / "report.html").read_text()
    assert advisor("suggest", "--game", out).code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--only", "attackd"), "'attackd' is no family of this game (did you mean attacked?"),
        (("--candidates", "{}/none.lp"), "none.lp: no such file"),
        (("--candidates", "{}/empty.lp"), "empty.lp: no rule derives feature(F, P, Where)"),
        (("--candidates", "{}/same.lp"), "same.lp: 'row' is a family already"),
        (("--candidates", "{}/bad.lp"), "bad.lp:1: no rule derives 'mann/3'"),
        (("--beside", "default"), "default: breakthrough has no features of its own"),
        (("--against", "nobody"), "'nobody' is neither a weights file nor a preset"),
        (("-o", "{}"), "exists already"),
    ],
)
def test_what_cannot_be_used_is_told(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    (tmp_path / "rules.lp").write_text("")
    (tmp_path / "empty.lp").write_text("wide(X, Y) :- cell(X, Y), X = 1.\n")
    (tmp_path / "same.lp").write_text("feature(row, P, (X, Y)) :- man(P, X, Y).\n")
    (tmp_path / "bad.lp").write_text("feature(far, P, (X, Y)) :- mann(P, X, Y).\n")
    given = [a.replace("{}", str(tmp_path)) for a in arguments]
    output = () if "-o" in arguments else ("-o", str(tmp_path / "out"))
    ran = advisor("learn", "breakthrough", *output, *given)
    assert ran.code in (2, 3)
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1


def test_candidates_of_ones_own_are_chosen_from(tmp_path: Path) -> None:
    file = tmp_path / "own.lp"
    file.write_text(
        "_begun :- cell(1, 1).\n"
        "_far(P, Y, N) :- far_row(P, F), cell(_, Y), N = |F - Y|.\n"
        "feature(near(N), P, (X, Y)) :- man(P, X, Y), _far(P, Y, N), N < 3.\n"
        'sentence(feature(near(N)), "a man {N} steps away") :- N = 0..2.\n'
    )
    task = replace(TASK, only=("column",), own=file)
    with Steps() as steps:
        found = find_knowledge(task, tmp_path / "found", steps)
    assert {"near", "column"} == found.features.tried.keys()
    assert found.features.choice is not None
    assert "near" in found.features.choice.families
    assert (tmp_path / "found" / "features.lp").read_text().count("sentence(feature(near(N))") == 1


def test_features_of_the_game_are_chosen_from(tmp_path: Path) -> None:
    """Features of its weights replace candidates of the same name."""
    (tmp_path / "game").mkdir()
    game = folder(tmp_path / "game")
    names = knowledge.settings(str(game)).weights["features"]
    written = {name[0] if isinstance(name, tuple) else name for name in names}
    task = replace(TASK, game=str(game), constants={}, only=("column", "row"), beside="default")
    with Steps() as steps:
        found = find_knowledge(task, tmp_path / "found", steps)
    assert found.features.tried.keys() == {"column", "row"} | written


@pytest.mark.slow
def test_features_of_connect_four_make_a_game_of_their_own(tmp_path: Path) -> None:
    """Results that are foreseen belong to its rules, and stay there."""
    task = Task("connect4", {}, only=("column",), beside="default")
    pool = CandidatePool(task, knowledge.load("connect4", "rules", task.constants)[0], Stop())
    proposed = pool.features()
    _, names = pool.usable(proposed)
    write_rules("connect4", task.constants, tmp_path)
    gains = dict.fromkeys(map(family, names), 0.0)
    write_knowledge(tmp_path, "features", "connect4", proposed, gains)
    write_weights(tmp_path, "Tried.", {"features": dict.fromkeys(names, 1)})
    game, _ = knowledge.load(str(tmp_path))
    assert {*game.weights} == {*names}
    assert {"threat", "column"} <= {*gains}


def test_no_rule_is_added_once_the_time_for_it_is_over() -> None:
    rng = np.random.default_rng(1)
    counts = rng.normal(size=(600, 2)).astype(np.float32)
    nothing, games = np.zeros(600, np.int64), np.arange(600)
    result = np.where(counts.sum(axis=1) > 0, 1, -1)
    rows = np.zeros((600, 1), np.uint64)
    odds = Odds(SelfPlayed(rows, nothing.astype(np.uint8), games, result, nothing), counts)
    columns = {"one": [0], "two": [1]}
    assert {*choose_families(odds, columns, lambda _: True).families} == {"one", "two"}
    assert len(choose_families(odds, columns, lambda _: False).families) == 1


def test_templates_are_programs_and_say_what_they_mean() -> None:
    for program, kind in (("features", "feature"), ("moves", "fires")):
        text = TEMPLATES[program].read_text()
        assert len(statements([TEMPLATES[program]])) > 30  # clingo reads them
        families = [line.split(":")[0][3:] for line in text.splitlines() if line.startswith("%% ")]
        for name in families:
            assert f"sentence({kind}({name}" in text, name


@pytest.mark.slow
@pytest.mark.parametrize("game", ["breakthrough", "connect4", "gomoku", "morris", "reversi"])
def test_examples_of_what_was_found_explain_their_moves(game: str) -> None:
    weights = str(EXAMPLES / f"{game}.yaml")
    where = () if game == "connect4" else ("--game", game)
    ran = advisor("suggest", "", *where, "--weights", weights, "--depth", "1", "--json")
    assert ran.code == 0
    names = knowledge.settings(game, weights).weights["features"]
    rules = {
        head.argument(0)
        for s in statements([EXAMPLES / f"{game}.lp"])
        for head in s.heads
        if head.signature == "feature/3"
    }
    assert {family(name) for name in names} == {family(name) for name in rules}
