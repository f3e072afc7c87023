"""Which weights count on which board, and that the advice says so."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from advising import Advisor
from advisor.errors import ConfigError
from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.limits import Limit
from advisor.settings import reading
from advisor.settings.config import fingerprint
from aspcircuits.clingo_api import Program
from command import advisor
from games import played, positions, reference_value

DEFAULT = reading.load()
ANY_SIZE = reading.load("any-size")
ELSEWHERE = [(6, 6, 4), (7, 7, 4), (7, 6, 5), (20, 20, 4)]


def written(folder: Path, text: str) -> str:
    file = folder / "my.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_the_default_counts_on_the_board_that_it_was_learned_on() -> None:
    assert Advisor(DEFAULT).knows.settings(geometry()) is DEFAULT
    advice = Advisor(DEFAULT).advise(played((7, 6, 4), [3, 3, 2]), Limit(2))
    assert advice.elsewhere is None
    assert "weights" not in advice.to_json()


@pytest.mark.parametrize("size", ELSEWHERE, ids=str)
def test_elsewhere_the_preset_for_any_size_does(size: tuple[int, int, int]) -> None:
    on_board = Advisor(DEFAULT).knows.settings(geometry(*size))
    assert on_board.name == "any-size"
    assert on_board.weights == ANY_SIZE.weights
    assert on_board.files("features") == ANY_SIZE.files("features")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("extends: default\ndepth: 3\n", "any-size"),
        ("extends: default\nfeatures: {ready: {1: 50}}\n", "my.yaml"),
        ("extends: default\nmoves: {fork: 501}\n", "my.yaml"),
        ("extends: default\nmoves: {fork: 501}\nother_boards: pomakis\n", "pomakis"),
        ("extends: default\nother_boards: default\n", "default"),
        ("extends: pomakis\n", "my.yaml"),
        ("extends: original\n", "my.yaml"),
    ],
)
def test_changed_weights_count_on_every_board(text: str, expected: str, tmp_path: Path) -> None:
    found = Advisor(reading.load(written(tmp_path, text)))
    assert found.knows.settings(geometry()) is found.config
    assert Path(found.knows.settings(geometry(8, 7)).name).name == expected
    assert found.knows.settings(geometry(8, 7)).depth == found.config.depth


def test_other_boards_names_a_preset(tmp_path: Path) -> None:
    file = written(tmp_path, "extends: default\nother_boards: sevens\n")
    known = ", ".join(reading.presets())
    with pytest.raises(ConfigError) as refused:
        reading.load(file)
    place = f"{file}: line 2: other_boards"
    assert str(refused.value) == f"{place}: 'sevens' is not a preset (use {known})"


def test_what_counts_elsewhere_is_part_of_the_fingerprint() -> None:
    assert fingerprint(DEFAULT) != fingerprint(replace(DEFAULT, other_boards=None))


def test_advice_names_the_preset_that_was_used(tmp_path: Path) -> None:
    question = ("suggest", "33", "--size", "8x6", "--depth", "2")
    assert json.loads(advisor(*question, "--json").out)["weights"] == "any-size"
    assert "; weights of the preset any-size\n" in advisor(*question).out
    named = advisor(*question, "--weights", "any-size")
    assert "weights of the preset" not in named.out
    own = written(tmp_path, "extends: default\nmoves: {fork: 501}\n")
    assert "weights" not in json.loads(advisor(*question, "--json", "--weights", own).out)


def test_a_trace_adds_up_by_the_weights_that_were_used() -> None:
    advice = Advisor(DEFAULT).advise(played((8, 7, 4), [3, 3, 2, 4]), Limit(2), traced=True)
    assert advice.elsewhere
    traced = [move for move in advice.moves if move.trace]
    assert traced
    for move in traced:
        assert move.trace is not None
        assert move.score.value == move.trace.value


@pytest.mark.slow
def test_circuit_and_answer_set_agree_on_the_largest_usual_board() -> None:
    position = played((20, 20, 4), [9, 10, 9, 9, 10, 11, 8, 7, 12, 13])
    assert position.result() is None
    found = CircuitEvaluator(ANY_SIZE, position.geometry)
    assert found.values([position], 0)[0] == reference_value(position, ANY_SIZE)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_largest_usual_board_begins_in_the_middle(depth: int) -> None:
    advice = Advisor(DEFAULT).advise(Board(geometry(20, 20)), Limit(depth))
    assert advice.best == (10, 11)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(8, 8, 4), (10, 8, 5), (9, 7, 5), (6, 5, 4)], ids=str)
def test_boards_of_other_sizes_begin_in_the_middle(size: tuple[int, int, int]) -> None:
    chosen = Advisor(DEFAULT).choose(Board(geometry(*size)), Limit(4))
    assert chosen in {(size[0] + 1) // 2, size[0] // 2 + 1}


# The features for any size


@settings(max_examples=20, deadline=None)  # the first position of a geometry compiles its circuit
@given(position=positions([(7, 6, 4), (6, 5, 4), (5, 6, 3), (9, 7, 5), (1, 6, 3)], open_only=True))
def test_circuit_and_answer_set_agree_on_them(position: Board) -> None:
    found = CircuitEvaluator(ANY_SIZE, position.geometry)
    by_circuit, of_mirrored = found.values([position, position.mirror], 0).tolist()
    assert by_circuit == of_mirrored == reference_value(position, ANY_SIZE)


@pytest.mark.parametrize("size", [(7, 6), (6, 5), (7, 5), (8, 7), (2, 3), (1, 4)], ids=str)
def test_zugzwang_favours_the_rows_that_a_player_gets_in_the_last_column(
    size: tuple[int, int],
) -> None:
    width, height = size
    files = [ENCODINGS / "connect4" / f"{name}.lp" for name in ("board", "threats", "worth")]
    program = Program(
        [*files, ENCODINGS / "connect4" / "any_size.lp"],
        constants=geometry(width, height).constants,
    )
    favoured = {
        (row, player) for (_, player, row, kind), _ in program.atoms("_row", 3) if kind == "good"
    }
    # All other columns first, then the last one from the bottom, the players in turn.
    discs = (width - 1) * height
    assert favoured == {(row, 1 + (discs + row - 1) % 2) for row in range(1, height + 1)}
