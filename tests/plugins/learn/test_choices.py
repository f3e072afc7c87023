"""Weights that are learned from the choice of moves."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from advisor.engine.search import FORCED
from advisor.errors import InputError
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.notation import one_line
from advisor.games.connect4.sampling import random_positions
from advisor.games.connect4.solver import Solver
from advisor.games.examples import Example
from advisor.plugins.learn.tuning.choices import MOVE_DEPTH, ChoiceModel
from advisor.plugins.learn.tuning.model import weights_of
from advisor.plugins.learn.tuning.results import ResultModel
from advisor.plugins.learn.tuning.tune import fit_weights
from advisor.settings import reading
from advisor.settings.config import Config
from command import advisor
from games import foreseeing

POMAKIS = foreseeing("pomakis")
"""Few features, and some results foreseen."""


def by_taste(settings: Config, count: int) -> list[str]:
    """Random positions in which the moves that these settings like best win and the others draw,
    or these draw and the others lose, in turn; without those where the look-ahead sees a result.
    """
    evaluator = CircuitEvaluator(settings, geometry())
    lines = []
    for position in random_positions(Random(1974), count):
        moves = sorted(position.moves())
        children = [position.play(move) for move in moves]
        if position.wins_at_once() or any(child.result() is not None for child in children):
            continue
        values = (-evaluator.values(children, MOVE_DEPTH - 1)).tolist()
        certain = max(map(abs, values)) >= FORCED
        if certain or len(set(values)) == 1 or position.plies_left <= 2 * MOVE_DEPTH:
            continue
        worst = -(len(lines) % 2)
        scores = {m: worst + (v == max(values)) for m, v in zip(moves, values, strict=True)}
        lines.append(labelled(position, scores))
    return lines


def labelled(position: Board, scores: Mapping[int, int]) -> str:
    """A line as `advisor.games.connect4.labels` has it, with these scores by column."""
    return " ".join([one_line(position), *(str(scores.get(c, "-")) for c in range(1, 8))])


def weighted(features: dict[object, int]) -> Config:
    known = POMAKIS.weights["features"]
    return replace(POMAKIS, weights={**POMAKIS.weights, "features": {**known, **features}})


TASTE: dict[object, int] = {("area", 1): 8, ("area", 2): 40, ("area", 3): -60}
"""A player that avoids three in a line."""


def file_of(lines: list[str], folder: Path) -> Path:
    path = folder / "data.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_taste_is_learned_again(tmp_path: Path) -> None:
    path = file_of(by_taste(weighted(TASTE), 700), tmp_path)
    tuned = fit_weights(path, POMAKIS, aim="moves")
    learned = tuned.config.weights["features"]
    assert list(learned) == list(POMAKIS.weights["features"])
    assert tuned.before.held.accuracy < 0.7
    assert tuned.after.held.accuracy > 0.95
    assert tuned.after.held.log_loss < tuned.before.held.log_loss / 2
    assert tuned.after.quality.good > 0.95 > tuned.before.quality.good
    unit = learned["area", 2] / TASTE["area", 2]
    for feature, weight in TASTE.items():
        assert learned[feature] == pytest.approx(unit * weight, abs=6 * unit)
    gains = {each.name: each.gain for each in tuned.contributions}
    assert min(gains["area(2)"], gains["area(3)"]) > 0.5


def test_what_the_data_say_nothing_of_keeps_its_weight(tmp_path: Path) -> None:
    path = file_of(by_taste(weighted(TASTE), 100), tmp_path)
    tuned = fit_weights(path, POMAKIS, aim="moves")
    never = [each for each in tuned.contributions if each.name in ("area(4)", "area(5)")]
    assert [each.spread for each in never] == [0, 0]
    assert [each.gain for each in never] == [0, 0]


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    path = file_of(by_taste(weighted(TASTE), 120), tmp_path)
    tuned = [
        fit_weights(path, POMAKIS, aim="moves", rounds=1, seed=seed).config for seed in (3, 3, 4)
    ]
    first, again, other = (each.weights["features"] for each in tuned)
    assert first == again != other


@pytest.mark.slow
def test_only_positions_with_a_choice_are_looked_at(tmp_path: Path) -> None:
    lines = by_taste(weighted(TASTE), 100)
    without = ["4453 1 1 1 1 1 1 1", "44 0 0 0 0 0 0 0", "4 -1 -2 -3 -4 -3 -2 -1"]
    some = fit_weights(file_of(lines, tmp_path), POMAKIS, aim="moves")
    more = fit_weights(file_of([*lines, *without], tmp_path), POMAKIS, aim="moves")
    assert more.left_out == some.left_out + 3
    assert more.config.weights == some.config.weights
    with pytest.raises(InputError, match="none of 3 positions leaves a choice to learn from"):
        fit_weights(file_of(without, tmp_path), POMAKIS, aim="moves")


def test_the_scores_of_all_columns_are_needed(tmp_path: Path) -> None:
    path = file_of(["4453 1", "44 0"], tmp_path)
    done = advisor("tune", path, "-o", tmp_path / "my.yaml", "--to", "moves")
    assert done.code == 2
    assert done.err.endswith(
        "data.txt: has no exact scores of all columns, as benchmarks/train/label.py writes them "
        "(use --to results)\n"
    )
    assert not (tmp_path / "my.yaml").exists()


def test_the_command_learns_moves(tmp_path: Path) -> None:
    path = file_of(by_taste(weighted(TASTE), 100), tmp_path)
    out = tmp_path / "my.yaml"
    done = advisor("tune", path, "-o", out, "--to", "moves", "--preset", "pomakis")
    assert done.code == 0
    assert not done.err or done.err.startswith("warning: on the ")
    assert "without a choice" in done.out
    assert "good moves %" in done.out
    assert "# Fitted to moves of" in out.read_text()
    assert reading.load(str(out)).weights["moves"] == POMAKIS.weights["moves"]


@pytest.mark.slow
def test_choices_that_end_the_game(tmp_path: Path) -> None:
    """Four plies see to the end, or a win at once, whether or not the features know of it."""
    found = []
    for position in random_positions(Random(5), 8000):
        if position.plies_left <= (14 if position.wins_at_once() else 4):
            scores = {
                c: -(Solver(position.geometry).solve(position.play(c)).score or 0)
                for c in position.moves()
            }
            found.append(labelled(position, scores))
    tuned = fit_weights(file_of(found, tmp_path), reading.load("alex"), aim="moves", rounds=1)
    assert tuned.fitted > 50
    assert tuned.after.fitted.accuracy == tuned.after.held.accuracy == 1
    assert max(tuned.after.fitted.log_loss, tuned.after.held.log_loss) < 0.01


def test_choices_are_learned_from_boards_of_several_sizes() -> None:
    """The counts for a move do not depend on the other boards."""
    pytest.importorskip("sklearn")
    any_size = reading.load("any-size")
    boards: list[Geometry] = [geometry(5, 4), geometry(6, 5), geometry(5, 4)]
    examples = []
    for number, size in enumerate(boards):
        position = Board(size).play_all([3, 3, 2, number + 1])
        moves = position.moves()
        examples.append(Example(position, 1, columns={c: int(c == moves[0]) for c in moves}))
    weights = weights_of(any_size, strategies=True)

    def counted(chosen: list[Example]) -> tuple[float, ...]:
        features = len(any_size.weights["features"])
        held = np.arange(len(chosen)) % 2 == 1
        turns = np.array([example.position.turn for example in chosen])
        wins = np.array([example.result_of_player_1 for example in chosen])
        start = ResultModel(turns, wins, np.zeros((len(chosen), features), np.int64), held)
        model = ChoiceModel(any_size, chosen, start, held, 1, lambda stage, part: None)
        return model.grade(weights).held.accuracy, model.grade(weights).fitted.accuracy

    together = counted([examples[0], examples[1], examples[2], examples[1]])
    apart = counted([examples[1], examples[1]]), counted([examples[0], examples[0]])
    assert together[0] == apart[0][0]
    assert together[1] == (apart[1][1] + counted([examples[2], examples[2]])[1]) / 2
