"""Games and positions that are copied, pickled and compared."""

import copy
import pickle
import re
from pathlib import Path

import pytest

import advisor

PLAYED = (
    '[White "Anna"]\n[Result "1-0"]\n\n1. e4 e5 & 2. Nf3 1-0\n',
    "7k/8/8/8/8/8/4Q3/K7 b - - 3 40 moves h8g8",
    "e4 e5 Nf3 Nc6",
)
OTHERS = (
    ("connect4", "44536"),
    ("connect4", "x../ox."),
    ("breakthrough", "a2-a3"),
    ("gomoku", "h8"),
    ("hex", "a1 b2"),
    ("morris", "a1"),
    ("reversi", "d3"),
    ("tictactoe", "true(mark(o,2,2)) true(mark(x,1,1)) true(turn(o)) a2"),
)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "text"), [*OTHERS, *(("chess", text) for text in PLAYED)])
def test_a_pickled_position_tells_all_that_it_told_and_is_small(game: str, text: str) -> None:
    size = {"width": 3, "height": 2} if text.startswith("x") else None
    position = advisor.load_game(game, constants=size).position(text)
    packed = pickle.dumps(position)
    again = pickle.loads(packed)
    assert (again, again.game, again.key) == (position, position.game, position.key)
    assert (again.record, again.played, again.passed_over) == (
        position.record,
        position.played,
        position.passed_over,
    )
    assert again.to_json() == position.to_json()
    assert len(packed) < 500


def test_a_process_loads_a_pickled_game_once() -> None:
    packed = [pickle.dumps(advisor.position(text, game="tictactoe")) for text in ("a1", "b2")]
    one, other = map(pickle.loads, packed)
    assert one.game is other.game


def test_a_pickled_game_is_loaded_again_once_its_rules_have_changed(tmp_path: Path) -> None:
    rules = tmp_path / "rules.lp"
    text = (Path(advisor.__file__).parents[1] / "encodings/tictactoe/rules.lp").read_text()
    rules.write_text(text)
    packed = pickle.dumps(advisor.position("b2", game=tmp_path))
    assert pickle.loads(packed).moves
    rules.write_text(re.sub(r"\bput\(", "set(", text))
    with pytest.raises(advisor.InputError, match=r"move 1: 'put\(2,2\)' is not legal by the rules"):
        pickle.loads(packed)


def test_copies_of_what_never_changes_are_itself() -> None:
    for position in (advisor.position("44"), advisor.position("b2", game="tictactoe")):
        for each in (position, position.game):
            assert copy.copy(each) is copy.deepcopy(each) is each


def test_games_are_equal_by_source_constants_and_weights() -> None:
    load = advisor.load_game
    for name, constants, weights in (
        ("connect4", {"width": 5}, "alex"),
        ("hex", {"size": 3}, "rules"),
    ):
        game = load(name)
        assert (game, hash(game)) == (load(name), hash(load(name)))
        assert game == load(name, weights=advisor.load_weights(game=name))
        assert game not in (load(name, constants=constants), load(name, weights=weights))
        assert game != load("tictactoe")
    assert load("hex", weights=None) != load("hex")


def test_a_position_knows_the_weights_of_its_game() -> None:
    for name, weights in (("connect4", "alex"), ("tictactoe", "rules")):
        position = advisor.position(game=name)
        advice = advisor.suggest(position, depth=1, weights=weights)
        assert (advice.position, advice.position.game.weights.name) == (position, weights)
        assert position.svg(advice).startswith("<svg")
