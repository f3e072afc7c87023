"""Strategies, features, weights and words beside a game's rules; matches between them."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from advisor.advice.facade import advise
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.search import FORCED, search
from advisor.games import knowledge, rooms
from advisor.games.by_rules import ByNotation, RuleAbilities
from advisor.games.check import check
from advisor.games.circuits import Circuits
from advisor.games.reference import answer
from advisor.games.rule_position import RulePosition
from advisor.games.rules import read
from advisor.limits import Limit
from advisor.settings.writing import to_yaml
from aspcircuits.clingo_api import render
from aspcircuits.stopping import Stop
from command import advisor
from games import worth
from test_games import circuits, states

FEATURES = """\
feature(ahead(N), P, (X, Y)) :- man(P, X, Y), far_row(P, F), N = |F - Y|, N < height.
sentence(feature(ahead(N)), "a man {N} steps from the other side") :- N = 0..20.
"""
STRATEGY = """\
because(takes, go(X, Y, X', Y'), at(X', Y')) :- legal(P, go(X, Y, X', Y')), other(P, P'),
    man(P', X', Y').
short(fires(takes), "takes a man").
sentence(fires(takes), "takes a man of {you}'s on {where}").
"""
WEIGHTS = """\
depth: 2
moves: {takes: 7}
features:
  ahead: {0: 100, 1: 30, 2: 12, 3: 6, 4: 3}
"""


def folder(at: Path, **files: str) -> Path:
    """A small breakthrough with knowledge of its own."""
    rules = (Path(knowledge.__file__).parents[2] / "encodings/breakthrough/rules.lp").read_text()
    rules = rules.replace("width = 8", "width = 4").replace("height = 8", "height = 5")
    given = {"features": FEATURES, "strategy": STRATEGY, "weights": WEIGHTS, **files}
    (at / "rules.lp").write_text(rules)
    for name, text in given.items():
        if text:
            (at / f"{name}.{'yaml' if name == 'weights' else 'lp'}").write_text(text)
    return at


def test_names_that_mean_something_in_yaml_are_written_as_names(tmp_path: Path) -> None:
    features = "feature(no, P, X) :- man(P, X, _).\nfeature(on(N), P, X) :- man(P, X, N).\n"
    weights = 'features: {"no": 5, "on": {1: 2, 2: 3}}\n'
    game = str(folder(tmp_path, features=features, strategy="", weights=weights))
    known = knowledge.settings(game)
    (tmp_path / "again.yaml").write_text(to_yaml(known, tmp_path))
    again = knowledge.settings(game, str(tmp_path / "again.yaml"))
    assert again.weights == known.weights
    assert known.weights["features"] == {"no": 5, ("on", 1): 2, ("on", 2): 3}


def test_rules_is_the_game_without_its_knowledge(tmp_path: Path) -> None:
    game = str(folder(tmp_path))
    (tmp_path / "more.yaml").write_text("extends: rules\ndepth: 3\n")
    for weights, depth in (("rules", None), (str(tmp_path / "more.yaml"), 3)):
        circuits, settings = knowledge.load(game, weights)
        assert (circuits.weights, circuits.strategies) == ({}, {})
        assert settings.depth == depth
        assert {*settings.files("moves"), *settings.files("features")} == {tmp_path / "rules.lp"}


def test_leaves_and_strategies_are_those_of_clingo(tmp_path: Path) -> None:
    game, settings = knowledge.load(str(folder(tmp_path)))
    assert settings.depth == 2
    for row in states(game, 60, 3):
        found = answer(game.rules, game.atoms(row))
        assert game.leaf(row[None]).values[0] == worth(found, game.rules, game.weights)[0]
        if not found.terminal:
            held = [atom for atom in found.said if atom[0] == "feature"]
            assert sorted(map(repr, game.features(row))) == sorted(map(repr, held))
    check(game, games=50, compared=10)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_score_is_the_sum_of_its_account(tmp_path: Path, depth: int) -> None:
    game, _ = knowledge.load(str(folder(tmp_path)))
    seen = 0
    for row in states(game, 12, depth):
        state = RulePosition(rooms.by_circuits(game), (), row)
        if state.over:
            continue
        advice = advise(RuleAbilities(state), Limit(depth), np.random.default_rng(1), traced=True)
        for chance in advice.moves:
            if chance.score.kind != "heuristic":
                continue
            assert chance.trace is not None
            assert chance.ahead is not None
            assert chance.value == chance.ahead + chance.total
            assert chance.trace.value == chance.ahead
            assert len(chance.trace.line) <= depth
            seen += 1
    assert seen > 20


def test_strategies_alone_choose_without_a_look_ahead(tmp_path: Path) -> None:
    game = folder(tmp_path)
    moves = "go(1,2,1,3) go(2,4,2,3)"
    told = json.loads(advisor("suggest", "--game", game, moves, "--depth", 0, "--json").out)
    best = told["moves"][0]
    assert best["score"] == {"kind": "heuristic", "value": 7}
    assert best["fires"][0]["strategy"] == "takes"
    done = advisor("suggest", "--game", game, moves, "--explain", "--depth", 1)
    assert "takes a man of black's on at(2,3)" in " ".join(done.out.split())


def test_weights_of_ones_own(tmp_path: Path) -> None:
    game = folder(tmp_path)
    (tmp_path / "bold.yaml").write_text("extends: default\nmoves: {takes: 50}\n")
    printed = advisor("weights", "--game", game, "--weights", tmp_path / "bold.yaml").out
    assert "takes: 50" in printed
    assert "# a man 1 steps from the other side" in printed
    (tmp_path / "all.yaml").write_text(printed)
    again = advisor("weights", "--game", game, "--weights", tmp_path / "all.yaml").out
    assert again.splitlines()[1:] == printed.splitlines()[1:]


MISTAKES = {
    "a feature without a weight": (
        {"weights": "moves: {takes: 1}\n"},
        r"features.lp:1: feature 'ahead\(N\)' has no weight in",
    ),
    "no weights at all": ({"weights": ""}, "has no weight in weights.yaml"),
    "a weight without a strategy": (
        {"weights": WEIGHTS.replace("takes", "take")},
        r"moves: no rule of strategy.lp derives the strategy 'take' \(did you mean 'takes'",
    ),
    "a number without a weight": (
        {"weights": WEIGHTS.replace("4: 3", "9: 3")},
        "no weight for feature 'ahead\\(4\\)'",
    ),
    "a change of the rules": (
        {"features": FEATURES + "wins(P) :- man(P, 1, 1)."},
        "features.lp:3: 'wins/1' is the game's own",
    ),
    "a choice": ({"strategy": STRATEGY + "{luck}."}, "strategy.lp:5: .* a choice"),
    "a state that no rule names": (
        {"features": FEATURES.replace("far_row", "true(tunr(P)), far_row")},
        r"features.lp:1: no base/1 names 'tunr\(P\)' \(did you mean 'turn\(P\)'\?\)",
    ),
    "no move": (
        {"strategy": STRATEGY.replace("takes, go(X, Y, X', Y'),", "takes, gone(X),")},
        "strategy.lp:1: .* is not a move of any input/2",
    ),
    "no player": (
        {"features": FEATURES.replace("ahead(N), P, ", "ahead(N), both, ")},
        r"features.lp:1: .* both is not a role \(white, black\)",
    ),
    "a book": ({"weights": "book: true\n" + WEIGHTS}, "line 1: book: only Connect Four has one"),
    "no placeholder": (
        {"strategy": STRATEGY.replace("{where}", "{holes}")},
        r"strategy.lp:4: '{holes}' is not a placeholder .*\(use {me}, {you}, {where}, {move}\)",
    ),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes_are_one_line(what: str, tmp_path: Path) -> None:
    files, said = MISTAKES[what]
    done = advisor("suggest", "--game", folder(tmp_path, **files), "", "--json")
    assert done.out == ""
    assert done.err.count("\n") == 1
    assert re.search(said, done.err), done.err


def test_connect_four_from_its_rules_has_its_own_knowledge() -> None:
    game, settings = knowledge.load("connect4")
    assert settings.name == "default"
    told = advise(
        RuleAbilities(rooms.by_circuits(game).begin("move(1,4) move(2,4)")), Limit(2)
    ).to_json()
    mine = advisor("suggest", "44", "--depth", 2, "--json", "--no-book")
    theirs = {m["column"]: m["score"]["value"] for m in json.loads(mine.out)["moves"]}
    found = told["moves"]
    assert {int(m["move"][7]): m["score"]["value"] for m in found} == theirs


def test_candidates_change_no_value() -> None:
    forced = knowledge.OWN / "threats.lp", knowledge.OWN / "forced.lp"
    constants = {"width": 5, "height": 4, "connect": 3}
    game = Circuits(read("connect4", forced, constants))
    plain = Circuits(read("connect4", (), constants))
    fewer = 0
    for row in states(plain, 40, 5):
        state = RowPosition(game, row)
        if state.result() is not None:
            continue
        if not state.wins_at_once():
            fewer += len(state.candidates()) < len(state.moves())
        depth = 6
        found = search(state, RowEvaluator(game), depth=depth).value
        bare = search(RowPosition(plain, row), RowEvaluator(plain), depth=depth + 2).value
        if abs(bare) >= FORCED:
            assert found == bare
    assert fewer


def test_own_moves_are_counted_where_a_player_moves_twice() -> None:
    # A mill is closed and takes the last man but two: two plies, both of white's.
    game = circuits("morris")
    men = [("man", "white", ("", 1, x, -1)) for x in (-1, 0)] + [("man", "white", ("", 1, 1, 0))]
    men += [("man", "black", ("", 2, x, 1)) for x in (-1, 0)] + [("man", "black", ("", 3, 1, -1))]
    row = game.row([*men, ("turn", "white")])
    state = RulePosition(rooms.by_circuits(game), (), row)
    best = advise(RuleAbilities(state), Limit(3), np.random.default_rng(1)).moves[0]
    assert (best.score.kind, best.score.plies) == ("win", 2)
    assert best.to_json(ByNotation(state))["score"] == {"kind": "win", "in": 2, "plies": 2}


PASSING = """\
#defined true/1. #defined does/2.
role(a). role(b). other(a, b). other(b, a).
base(step(0..4)). base(turn(P)) :- role(P).
input(P, M) :- role(P), M = (go; noop).
init(step(0)). init(turn(a)).
odd :- true(step(N)), N \\ 2 = 1.
legal(P, go)   :- true(turn(P)), not odd.
legal(P, noop) :- role(P), odd.
legal(P, noop) :- role(P), not true(turn(P)).
next(step(N + 1)) :- true(step(N)), N < 4.
next(turn(P')) :- true(turn(P)), other(P, P').
terminal :- true(step(4)).
goal(P, 50) :- role(P).
"""


def test_both_pass_where_neither_can_do_anything_else(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text(PASSING)
    game, _ = knowledge.load(str(tmp_path))
    report = check(game, games=20, compared=20)
    assert (report.length[0], report.length[2]) == (4, 4)
    state = rooms.by_circuits(game).begin("go noop go noop")
    assert state.over
    assert rooms.by_circuits(game).begin("go").legal == ["noop"]
    # Where one has a move, doing nothing is none.
    assert state.of(state.game).legal == ["go"]


def test_what_a_user_s_rules_ground_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aspcircuits.own_process.MAX_SECONDS", 3)
    n = "n(1..300).\nbase(t(A,B,C,D)) :- n(A), n(B), n(C), n(D).\n"
    (tmp_path / "rules.lp").write_text(PASSING + n)
    done = advisor("game", "check", tmp_path)
    assert (done.code, done.err.count("\n")) == (3, 1)
    file = tmp_path / "rules.lp"
    assert f"error: {file}:" in done.err
    assert ": is too large to ground: more than 3 s: `base(t(A,B,C,D)) :- " in done.err
    assert "4 variables" in done.err


def test_a_match_tells_which_weights_are_better(tmp_path: Path) -> None:
    game = folder(tmp_path)
    arguments = ("match", "default", "random", "--game", game, "--games", 10, "--json")
    told = json.loads(advisor(*arguments).out)
    assert told["wins"] >= 8
    assert json.loads(advisor(*arguments, "--jobs", 2).out) == told


def test_a_match_plays_openings_of_a_file(tmp_path: Path) -> None:
    game = folder(tmp_path)
    (tmp_path / "o.txt").write_text("go(1,2,1,3)\ngo(2,2,2,3) go(1,4,1,3)\n")
    saved = tmp_path / "games.txt"
    done = advisor(
        *("match", "default:depth=1", "random", "--game", game),
        *("--openings", tmp_path / "o.txt", "--save", saved),
    )
    assert "4 games" in done.out
    lines = saved.read_text().splitlines()
    assert all(rooms.by_circuits(knowledge.load(str(game))[0]).begin(line).over for line in lines)
    assert lines[0].startswith("a2-a3 ")
    (tmp_path / "o.txt").write_text("go(1,2,3,3)\n")
    again = advisor("match", "default", "random", "--game", game, "--openings", tmp_path / "o.txt")
    assert "o.txt: line 1: move 1: 'go(1,2,3,3)' is not legal for white" in again.err


def test_a_stop_leaves_whole_accounts(tmp_path: Path) -> None:
    game, _ = knowledge.load(str(folder(tmp_path)))
    stop = Stop()
    stop.set()
    begun = RuleAbilities(rooms.by_circuits(game).begin())
    advice = advise(begun, Limit(4), np.random.default_rng(1), stop, traced=True)
    assert advice.depth == 1
    assert all(chance.trace and chance.trace.value == chance.ahead for chance in advice.moves)


def test_analyse_takes_moves_by_the_line(tmp_path: Path) -> None:
    lines = b"put(2,2)\nput(9,9)\nput(1,1) put(1,2) put(2,1) put(2,2)\n"
    arguments = ("analyse", "-", "--game", "tictactoe", "--depth", 9)
    done = advisor(*arguments, stdin=lines)
    assert done.code == 2
    assert "line 2: move 1: 'put(9,9)' is not legal for x" in done.err
    first, _, last = map(json.loads, done.out.splitlines())
    assert (first["line"], first["moves"][0]["score"]) == (1, {"kind": "draw"})
    assert last["best"] == ["put(3,1)"]


@pytest.mark.parametrize("name", ["connect4", "chess"])
def test_whatever_has_a_weight_has_a_sentence(name: str) -> None:
    abilities = rooms.load(name).position().abilities
    assert not {*map(render, abilities.weights)} - set(abilities.phrasing.texts.features)
