"""Weights of a game learned from games that it plays against itself."""

import json
from pathlib import Path

import numpy as np
import pytest

from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.reference import answer
from advisor.plugins.learn.tuning import selfplay
from command import advisor
from test_game_knowledge import folder
from test_games import states

RACE = """\
#defined true/1.
#defined does/2.
mover(own).
role(own). role(opp).
base(man(P, 0..5)) :- role(P).
init(man(own, 0)). init(man(opp, 0)).
input(P, step(1..2)) :- role(P).
other(own, opp). other(opp, own).
man(P, X) :- true(man(P, X)).
legal(own, step(N)) :- N = 1..2, man(own, X), X + N <= 5.
next(man(opp, X+N)) :- does(own, step(N)), man(own, X).
next(man(own, X)) :- man(opp, X).
wins(P) :- man(P, 5).
terminal :- wins(_).
goal(P, 100) :- wins(P).
goal(P, 0) :- other(P, P'), wins(P').
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Circuits]:
    """A small breakthrough with features of its own."""
    at = folder(tmp_path_factory.mktemp("breakthrough"))
    return at, knowledge.load(str(at))[0]


def test_features_are_counted_as_clingo_does(small: tuple[Path, Circuits]) -> None:
    game = small[1]
    rows = np.array(states(game, 40, 5))
    names = [*game.weights]
    for row, counts in zip(rows, game.counts(rows, names).tolist(), strict=True):
        said = answer(game.rules, game.atoms(row)).said
        found = [(name, player) for kind, name, player, *_ in said if kind == "feature"]
        first, second = game.rules.roles
        assert counts == [found.count((n, first)) - found.count((n, second)) for n in names]


def test_results_are_those_of_the_games(small: tuple[Path, Circuits]) -> None:
    """The last player to move has won: this game has no other end."""
    game = small[1]
    met = selfplay.play_games(game, 60, np.random.default_rng(3))
    for owner in range(60):
        own = np.flatnonzero(met.owner == owner)
        assert len({*met.result[own].tolist()}) == 1
        assert met.result[own[-1]] == 1 - 2 * int(met.turn[own[-1]])
        assert met.turn[own].tolist() == [i % 2 for i in range(len(own))]


def test_results_are_seen_by_the_side_to_move(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text(RACE)
    game = knowledge.load(str(tmp_path))[0]
    met = selfplay.play_games(game, 40, np.random.default_rng(3))
    for owner in range(40):
        results = met.result[met.owner == owner].tolist()
        assert results[::-1] == [1 - 2 * (i % 2) for i in range(len(results))]


@pytest.mark.slow
def test_men_that_are_nearer_are_worth_more(small: tuple[Path, Circuits]) -> None:
    at = small[0]
    (at / "flat.yaml").write_text(
        "extends: default\nfeatures: {ahead: {0: 0, 1: 0, 2: 0, 3: 0, 4: 0}}"
    )
    new = at / "new.yaml"
    asked = ("tune", "--game", at, "--weights", at / "flat.yaml", "--games", 150, "--rounds", 2)
    done = advisor(*asked, "-o", new, "--json")
    assert done.code == 0, done.err
    report = json.loads(done.out)
    after = {each["feature"]: each["after"] for each in report["features"]}
    assert after["ahead(1)"] > after["ahead(3)"] > 0
    assert report["after"]["held"]["log_loss"] < report["before"]["held"]["log_loss"]
    learned = knowledge.settings(str(at), str(new))
    assert {str(w) for w in learned.weights["features"].values()} == {
        str(each["after"]) for each in report["features"]
    }
    assert learned.weights["moves"] == knowledge.settings(str(at)).weights["moves"]
    assert report["match"]["points"] > report["match"]["games"] / 2
    again = advisor(*asked, "-o", at / "again.yaml", "--json")
    assert again.out == done.out


def test_weights_that_lose_to_the_old_ones_are_not_written(small: tuple[Path, Circuits]) -> None:
    at = small[0]
    new = at / "few.yaml"
    asked = ("tune", "--game", at, "--games", 10, "--rounds", 1, "-o", new)
    done = advisor(*asked)
    assert (done.code, new.exists()) == (1, False)
    assert "against the old weights: " in done.out
    assert done.err.startswith("warning: the new weights took ")
    assert done.err.endswith(f"; {new} is not written (--force writes it)\n")
    assert advisor(*asked, "--force").code == 0
    assert new.exists()


def test_a_match_is_even_between_equals(small: tuple[Path, Circuits]) -> None:
    game = small[1]
    pairs = selfplay.play_match(game, game, 60, np.random.default_rng(1))
    assert len(pairs) <= 30
    assert 0.3 < np.mean(pairs) < 0.7
    reverse = Circuits(game.rules, {n: -w for n, w in game.weights.items()}, game.strategies)
    assert np.mean(selfplay.play_match(game, reverse, 60, np.random.default_rng(1))) > 0.9
    assert np.mean(selfplay.play_match(reverse, game, 60, np.random.default_rng(1))) < 0.1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "DATA is missing: a file of positions with results, or --game"),
        (("some.txt", "--game", "hex"), "--game learns from games of its own (leave out DATA)"),
        (("some.txt", "--const", "size=5"), "--const goes with --game"),
        (("--game", "hex"), "hex: there are no features whose weights could be learned"),
        (("--game", "hxe"), "'hxe' is neither a game"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = advisor("tune", *arguments, "-o", tmp_path / "new.yaml")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "new.yaml").exists()
