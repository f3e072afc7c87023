"""Uses of rules: the counts agree with the sentences of the rules."""

import json
import re
from pathlib import Path
from random import Random

import pytest

import advisor
from advisor.errors import InputError
from advisor.files.resources import ENCODINGS
from aspcircuits.stopping import Stop
from command import advisor as advisor_command
from commands import run

GAME = advisor.load_game("connect4")


@pytest.fixture(scope="module")
def found() -> advisor.Fires:
    return advisor.fires(GAME, games=3, seed=2)


def test_who_is_said_to_win_or_to_block_does_so(found: advisor.Fires) -> None:
    uses = {use.rule: use for use in found.uses}
    for example in (*uses["win"].examples, *uses["block"].examples):
        assert example.player == example.position.turn
    for example in uses["win"].examples:
        column = int(example.where.split()[1])
        assert example.position.play(column).winner == example.player
    for example in uses["block"].examples:
        column = int(example.where.split()[1])
        others = (c for c in example.position.moves if c != column)
        later = [example.position.play(other) for other in others]
        winners = {then.play(column).winner for then in later if not then.over}
        assert winners - {None, example.player}
    assert uses["win"].points is not None
    assert uses["win"].points > 0.9


def test_an_example_names_its_moves_and_the_side_to_move() -> None:
    *_, told = advisor_command("fires", "win", "--games", 3, "--seed", 2).out.splitlines()
    rule, player, column, moves, turn = re.fullmatch(
        r"(\w+) for (\w) \(\w+\): column (\d)\. Moves: (\d+); (\w) \(\w+\) to move", told
    ).groups()  # type: ignore[union-attr]
    position = GAME.position(moves)
    assert (rule, player, turn) == ("win", position.turn, position.turn)
    assert position.play(int(column)).winner == player


def test_one_rule_is_counted_as_among_all(found: advisor.Fires) -> None:
    alone = advisor.fires(GAME, "threat", games=3, seed=2)
    assert alone.positions == found.positions
    among = [use for use in found.uses if use.rule.startswith("threat(")]
    assert [use.to_json() for use in alone.uses] == [use.to_json() for use in among]


def test_features_hold_for_players_of_a_game_of_ones_own(tmp_path: Path) -> None:
    rules = (ENCODINGS / "tictactoe" / "rules.lp").read_text()
    (tmp_path / "rules.lp").write_text(rules)
    (tmp_path / "features.lp").write_text(
        "feature(corner, P, (X, Y)) :- mark(P, X, Y), X != 2, Y != 2.\n"
    )
    (tmp_path / "weights.yaml").write_text("depth: 2\nfeatures: {corner: 3}\n")
    found = advisor.fires(advisor.load_game(tmp_path), games=2)
    (use,) = found.uses
    assert "weight  sides  times" in advisor_command("fires", "--game", tmp_path, "--games", 2).out
    assert (use.kind, use.weight) == ("feature", 3)
    for example in use.examples:
        row = {"1": 2, "3": 0}[example.where[1]]
        column = {"a": 0, "c": 2}[example.where[0]]
        assert example.position.rows[row].split()[1 + column] == example.player


def test_what_is_no_rule_is_named() -> None:
    with pytest.raises(InputError, match=r"no rule 'fok' \(did you mean 'fork'\?\)"):
        advisor.fires(GAME, "fok")
    with pytest.raises(InputError, match="hex has no rules with weights"):
        advisor.fires(advisor.load_game("hex", constants={"size": 3}))


@pytest.mark.slow
def test_the_same_examples_are_named_in_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = []
    for seed in ("1", "2", "3"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        outputs.append(run("fires", "--games", "1", "--json").stdout)
    assert outputs[0] == outputs[1] == outputs[2]
    assert any(use["examples"] for use in json.loads(outputs[0])["rules"])


def test_what_was_finished_before_a_stop_counts() -> None:
    stop = advisor.Stop()
    found = advisor.fires(GAME, "win", games=50, stop=stop, on_game=lambda _: stop.set())
    assert found.games == 1


def test_a_strategy_that_speaks_for_a_move_that_is_not_legal_counts_nowhere(tmp_path: Path) -> None:
    once = """role(a). role(b). other(a, b). other(b, a).
base(turn(P)) :- role(P). base(waited). base(count(0..4)).
input(P, (step; wait)) :- role(P). init(turn(a)). init(count(0)).
legal(P, step) :- true(turn(P)). legal(P, wait) :- true(turn(P)), not true(waited).
next(waited) :- true(waited). next(waited) :- does(_, wait).
next(count(N+1)) :- true(count(N)). next(turn(Q)) :- true(turn(P)), other(P, Q).
terminal :- true(count(4)). goal(P, 1) :- true(turn(P)). goal(P, 0) :- role(P), not true(turn(P)).
"""
    (tmp_path / "rules.lp").write_text(once, encoding="utf-8")
    strategy = 'fires(waits, wait). sentence(fires(waits), "waits").'
    (tmp_path / "strategy.lp").write_text(strategy, encoding="utf-8")
    (tmp_path / "weights.yaml").write_text("moves: {waits: 3}\n", encoding="utf-8")
    game = advisor.load_game(str(tmp_path))
    assert [fired.rule for fired in advisor.firing(game.position(""))] == ["waits"]
    assert advisor.firing(game.position("wait")) == []
    position = game.position("wait")
    assert [*position.abilities.totals(Stop()).values()] == [0]
    assert advisor.fires(game, games=4).uses[0].times > 0


@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
def test_what_is_counted_without_reasons_fires_with_them(game: str) -> None:
    rng, position = Random(5), advisor.load_game(game).position()
    while not position.over:
        sees = position.abilities
        with_reasons = {(move, fired.strategy) for move, fired in sees.firings(Stop())}
        assert set(sees.fired_strategies(Stop())) == with_reasons
        position = position.play(rng.choice(position.moves))
