"""Weights learned from data: fits recover the weights that made the data."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import InputError
from advisor.files import linefile
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.examples import example
from advisor.games.connect4.notation import one_line, parse_line
from advisor.games.connect4.sampling import random_positions
from advisor.games.connect4.solver import Solver
from advisor.games.examples import Example
from advisor.plugins.learn.tuning.model import Fit
from advisor.plugins.learn.tuning.tune import MoveQuality, Scores, Tuning, fit_weights
from advisor.settings import reading
from advisor.settings.config import Config
from aspcircuits.stopping import Stop
from command import advisor
from commands import ENTRY
from games import foreseeing, positions, solved
from label import label

DATA = Path(__file__).parents[2] / "data"
DEFAULT = reading.load()
ALEX = foreseeing("alex")
"""Few features, and some results foreseen."""

RULE: dict[object, int] = {
    ("run", "one", 1): -15,
    ("run", "one", 2): 30,
    ("run", "one", 3): 60,
    ("run", "both", 1): 0,
    ("run", "both", 2): -40,
    ("run", "both", 3): 90,
}
"""Weights for the runs that occur on the standard board while the game goes on."""


def read(path: Path) -> list[Example]:
    """The examples of a file."""
    return [found for _, found in linefile.entries(path, example)]


def row(position: Board, result: int) -> str:
    """A position and player 1's result as a row of the UCI data set."""
    g = position.geometry
    squares = (position.at(*square) for square in g.squares_of(g.full))
    return "".join("bxo"[owner] for owner in squares) + "," + ("draw", "win", "loss")[result]


def by_rule(settings: Config, count: int) -> list[str]:
    """Random positions whose result follows the values of these settings.

    The value with noise of one logit (100 units) is a win above 60 and a loss below -60.
    """
    random = Random(1944)
    found = random_positions(random, count)
    evaluator = CircuitEvaluator(settings, geometry())
    rows = []
    for position, value in zip(found, evaluator.values(found, 0).tolist(), strict=True):
        for_x = value if position.turn == 1 else -value
        chance = random.random()
        noisy = for_x + 100 * np.log(chance / (1 - chance))
        rows.append(row(position, int(noisy > 60) - int(noisy < -60)))
    return rows


def weighted(base: Config, features: dict[object, int]) -> Config:
    return replace(base, weights={**base.weights, "features": features})


def told_beside(err: str) -> list[str]:
    """Lines of standard error, but for the warning that some positions were too few."""
    return [line for line in err.splitlines() if not line.startswith("warning: on the ")]


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Iterable[str]], Path]:
    """Writes lines as a file of data."""

    def write(lines: Iterable[str]) -> Path:
        path = tmp_path / "data.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


def scored(count: int) -> list[str]:
    """Middle games by Pascal Pons; every second one, for they come in no order."""
    return (DATA / "pons" / "Test_L2_R1").read_text().splitlines()[: 2 * count : 2]


# Counting


@settings(max_examples=15)
@given(st.lists(positions([(7, 6, 4)]), min_size=1, max_size=5))
def test_counts_are_those_of_the_answer_sets(batch: list[Board]) -> None:
    evaluator = CircuitEvaluator(DEFAULT, geometry())
    counts, certain = evaluator.counts(batch)
    for position, found, sure in zip(batch, counts.tolist(), certain.tolist(), strict=True):
        expected: Counter[object] = Counter()
        results = []
        for atom in solved(position, DEFAULT).atoms:
            if atom[0] == "feature":
                expected[atom[1]] += 1 if atom[2] == 1 else -1
            else:
                results.append(atom)
        assert found == [expected[feature] for feature in evaluator.features]
        assert sure == bool(results)


# What is learned


@pytest.mark.slow
def test_a_rule_comes_out_again(written: Callable[[Iterable[str]], Path]) -> None:
    path = written(by_rule(weighted(ALEX, {**ALEX.weights["features"], **RULE}), 4000))
    tuned = fit_weights(path, ALEX)
    learned = tuned.config.weights["features"]
    assert list(learned) == list(ALEX.weights["features"])
    for feature, found in zip(learned, tuned.contributions, strict=True):
        if found.spread:
            # Rare features are known less well: each to a seventh of a logit by its spread.
            off = abs(found.after - RULE[feature]) * found.spread
            assert off < 15, feature
    assert tuned.after.held.log_loss < tuned.before.held.log_loss
    assert tuned.after.fitted.log_loss < tuned.before.fitted.log_loss
    assert tuned.after.quality.good > tuned.before.quality.good
    gains = {each.name: each.gain for each in tuned.contributions}
    assert min(gains["run(one,1)"], gains["run(one,2)"], gains["run(both,2)"]) > 0.005
    assert abs(gains["run(both,1)"]) < 0.002
    assert tuned.config.weights["moves"] == ALEX.weights["moves"]
    assert tuned.config.depth == ALEX.depth


def test_weights_that_are_right_stay_in_proportion(
    written: Callable[[Iterable[str]], Path],
) -> None:
    # In the rule a unit is 1/100 logit; settings with thrice its weights reach the same.
    rule = {feature: 3 * w for feature, w in ALEX.weights["features"].items()}
    path = written(by_rule(weighted(ALEX, rule), 2500))
    tuned = fit_weights(path, weighted(ALEX, {feature: 3 * w for feature, w in rule.items()}))
    assert tuned.after.held.log_loss == pytest.approx(tuned.before.held.log_loss, abs=0.01)
    assert tuned.after.held.accuracy == pytest.approx(tuned.before.held.accuracy, abs=0.03)


def test_a_feature_that_never_occurs_keeps_its_weight_in_the_new_unit(
    written: Callable[[Iterable[str]], Path],
) -> None:
    rows = [
        line for line in by_rule(DEFAULT, 1500) if sum(c in "xo" for c in line.split(",")[0]) < 14
    ]
    settings = reading.load("pomakis")
    path = written(rows)
    tuned = fit_weights(path, settings)
    kept = [each for each in tuned.contributions if each.name in ("area(4)", "area(5)")]
    assert [each.spread for each in kept] == [0, 0]
    assert [each.gain for each in kept] == [0, 0]
    assert kept[1].after == pytest.approx(2 * kept[0].after, abs=1)
    seen = {each.name: each.after for each in tuned.contributions if each.spread}
    assert 0 < seen["area(1)"] < seen["area(2)"] < kept[1].after
    # The unit of the old weights does not matter.
    thrice = {feature: 3 * w for feature, w in settings.weights["features"].items()}
    again = fit_weights(path, weighted(settings, thrice))
    assert [c.after for c in again.contributions] == [c.after for c in tuned.contributions]


def test_real_positions_and_their_certain_ones() -> None:
    path = DATA / "pons" / "Test_L3_R1"
    tuned = fit_weights(path, ALEX, holdout=0.3)
    found = [example.position for example in read(path)]
    _, certain = CircuitEvaluator(ALEX, geometry()).counts(found)
    assert tuned.left_out == certain.sum() > 0
    assert tuned.fitted + tuned.held + tuned.left_out == 1000
    assert tuned.held == pytest.approx(0.3 * (tuned.fitted + tuned.held), abs=4)
    assert tuned.after.held.log_loss < tuned.before.held.log_loss
    assert tuned.config.weights["features"]["run", "one", 3] > 0


def test_two_classes_are_enough(written: Callable[[Iterable[str]], Path]) -> None:
    settings = weighted(ALEX, {**ALEX.weights["features"], **RULE})
    rows = [line for line in by_rule(settings, 2000) if not line.endswith("loss")]
    tuned = fit_weights(written(rows), ALEX)
    assert tuned.after.held.log_loss < 0.69
    assert tuned.config.weights["features"]["run", "one", 2] == pytest.approx(30, abs=15)


@pytest.mark.slow
def test_scores_of_one_band_say_no_more_than_results(
    written: Callable[[Iterable[str]], Path],
) -> None:
    """Late wins and losses are one band, so the thresholds are the results'."""
    late = [p for p in random_positions(Random(7), 6500) if p.discs >= 32]
    assert len(late) > 80
    exact = [(position, Solver(position.geometry).solve(position).score or 0) for position in late]
    data = written(f"{one_line(p)} {score}" for p, score in exact if abs(score) <= 2)
    by_results, by_scores = (
        fit_weights(data, DEFAULT, aim=aim).config for aim in ("results", "scores")
    )
    assert by_results.weights["features"] == by_scores.weights["features"]


def test_scores_are_needed_to_fit_to_them(written: Callable[[Iterable[str]], Path]) -> None:
    data = written(row(p, 1) for p in random_positions(Random(3), 20))
    with pytest.raises(InputError, match=r"has no exact scores \(use `to` results\)"):
        fit_weights(data, DEFAULT, aim="scores")


def test_moves_are_graded_where_every_column_has_a_score(
    written: Callable[[Iterable[str]], Path],
) -> None:
    lines = (DATA / "pons" / "Test_L3_R1").read_text().splitlines()[:40]
    path = written(label(line, Stop()) for line in lines)
    tuned = fit_weights(path, DEFAULT)
    quality = tuned.before.quality
    assert (quality.kind, quality.sample) == ("moves", tuned.held)
    assert quality.perfect is not None
    assert 0.8 < quality.perfect <= quality.good <= 1
    results = {e.position.key: e.result for e in read(path)}
    for line in lines:
        moves, score = line.split()
        assert results[parse_line(moves).key] == np.sign(int(score))


# The file that comes out


def test_the_command_writes_settings_that_can_be_used(
    written: Callable[[Iterable[str]], Path], tmp_path: Path
) -> None:
    out = tmp_path / "my.yaml"
    done = advisor("tune", written(scored(120)), "-o", out)
    assert (done.code, out.exists()) == (1, False)
    assert done.err.startswith("warning: on the 23 positions held back the new weights are worse: ")
    assert done.err.endswith(f"; {out} is not written (--force writes it)\n")
    done = advisor("tune", written(scored(120)), "-o", out, "--force")
    assert (done.code, told_beside(done.err)) == (0, [])
    assert "slope(2)" in done.out
    assert "right order %" in done.out
    text = out.read_text()
    assert "an open diagonal line that lacks 2 discs" in text
    assert "completes a line" in text
    loaded = reading.load(str(out))
    assert loaded.weights["moves"] == DEFAULT.weights["moves"]
    assert loaded.depth == DEFAULT.depth
    assert loaded.weights["features"].keys() == DEFAULT.weights["features"].keys()
    assert loaded.weights["features"] != DEFAULT.weights["features"]
    assert advisor("suggest", "4453", "--weights", out, "--depth", 2).code == 0


def test_the_same_seed_gives_the_same_file(
    written: Callable[[Iterable[str]], Path], tmp_path: Path
) -> None:
    data = written(scored(200))
    texts = []
    for seed in (3, 3, 4):
        out = tmp_path / "my.yaml"
        done = advisor(
            "tune", data, "-o", out, "--seed", seed, "--preset", "alex", "--json", "--force"
        )
        assert (done.code, told_beside(done.err)) == (0, [])
        assert json.loads(done.out)["seed"] == seed
        texts.append(out.read_text())
    assert texts[0] == texts[1] != texts[2]


def test_features_of_a_users_own(written: Callable[[Iterable[str]], Path], tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "own.lp").write_bytes((DATA / "own.lp").read_bytes())
    own = folder / "own.yaml"
    own.write_text(
        "extends: alex\nmoves: {corner: 1}\nfeatures: {corner: 5}\nencodings: {extra: [own.lp]}\n"
    )
    settings = reading.load(str(own))
    rule = {**ALEX.weights["features"], "corner": -120}
    data = written(by_rule(weighted(settings, rule), 1500))
    done = advisor("tune", data, "-o", folder / "my.yaml", "--weights", own)
    assert (done.code, told_beside(done.err)) == (0, [])
    folder.rename(tmp_path / "handed in")
    loaded = reading.load(str(tmp_path / "handed in" / "my.yaml"))
    assert loaded.weights["features"]["corner"] == pytest.approx(-120, abs=40)
    assert loaded.weights["moves"]["corner"] == 1


# Data


def test_the_formats_agree(tmp_path: Path) -> None:
    games = [line.split() for line in scored(50)]
    examples = [(parse_line(moves), int(score)) for moves, score in games]
    for_x = [np.sign(score) * (1 if p.turn == 1 else -1) for p, score in examples]
    rows = [row(p, result) for (p, _), result in zip(examples, for_x, strict=True)]
    original = [",".join(line.split(",")[0]) + "," + line.split(",")[1] for line in rows]
    exact = [f"{line},{score}" for line, (_, score) in zip(rows, examples, strict=True)]
    expected = [(p, np.sign(score)) for p, score in examples]
    for lines in (rows, original, exact, ["# a comment", "", *map(" ".join, games)]):
        text = "\r\n".join(lines).encode()
        for content in (text, gzip.compress(text)):
            path = tmp_path / "data"
            path.write_bytes(content)
            assert [(e.position, e.result) for e in read(path)] == expected


EMPTY = "b" * 42


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("4455 x", "line 2: '4455 x' is not moves and a score (use lines such as '4455 1')"),
        ("44 1 1", "line 2: 2 scores (expected 7, one for each column)"),
        ("48 1", "line 2: '48': move 2: column 8 is out of range (use 1 to 7)"),
        ("121212 5", "line 2: the score 5 is wrong (it is 18)"),
        ("44 21", "line 2: the score 21 is wrong (it is from -20 to 19)"),
        ("\xff" * 10_001, "line 2: is too long (at most 10000 characters)"),
    ],
)
def test_a_wrong_line_of_scores(
    line: str, message: str, written: Callable[[Iterable[str]], Path]
) -> None:
    path = written(["44 -2", line, "nonsense"])
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == f"{path}: {message}"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("b,win", "'b,win' is not a row of the data set"),
        (EMPTY + ",won", "is not a row of the data set"),
        ("bx" + EMPTY[2:] + ",win", "row 2, column 1: floating disc"),
        ("xxx" + EMPTY[3:] + ",win", "impossible disc counts, 3 x and 0 o"),
        (EMPTY + ",win,-3", "the score -3 for x, who is to move, contradicts the win for x"),
        ("x" + EMPTY[1:] + ",win,3", "the score 3 for o, who is to move, contradicts the win"),
        (EMPTY + ",win,30", "the score 30 is wrong (it is from -21 to 20)"),
    ],
)
def test_a_wrong_row(line: str, message: str, written: Callable[[Iterable[str]], Path]) -> None:
    path = written([EMPTY + ",win,1", line])
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: line 2: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no positions"),
        (b"# nothing\n\n", "holds no positions"),
        (b"44 1\n\xff\xfe\n", "is not a text file (use UTF-8, plain or by gzip)"),
        (b"word\n", "line 1: 'word' is not a position with its result"),
        (gzip.compress(b"44 1\n" * 99, mtime=0)[:-9], "cannot be read (Compressed file ended"),
        (b"\x1f\x8bnonsense", "cannot be read (Unknown compression method)"),
    ],
)
def test_a_file_that_is_no_data(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: {message}")


# What goes wrong


def one_class(result: str) -> list[str]:
    return [line for line in by_rule(DEFAULT, 60) if line.endswith(result)]


@pytest.mark.parametrize("result", ["win", "draw", "loss"])
def test_one_class_only(
    result: str, written: Callable[[Iterable[str]], Path], tmp_path: Path
) -> None:
    assert len(one_class(result)) > 3
    data, out = written(one_class(result)), tmp_path / "my.yaml"
    out.write_text("as it was")
    done = advisor("tune", data, "-o", out)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {data}: one class only, ")
    assert done.err.count("\n") == 1
    assert out.read_text() == "as it was"


def test_who_moves_tells_the_result(written: Callable[[Iterable[str]], Path]) -> None:
    won = [line for line in scored(100) if int(line.split()[1]) > 0]
    told = re.escape("one class only, with x (red) to move all positions are won")
    with pytest.raises(InputError, match=told):
        fit_weights(written(won), DEFAULT)


def test_too_little_to_learn_from(written: Callable[[Iterable[str]], Path]) -> None:
    with pytest.raises(InputError, match="2 positions are too few to hold 20% of each result back"):
        fit_weights(written(["44 1", "1122 -1"]), DEFAULT)
    with pytest.raises(InputError, match="the results of all 2 positions are certain anyway"):
        fit_weights(written(["121212 18", "1212121 -18"]), DEFAULT)
    with pytest.raises(InputError, match="nan cannot be held back"):
        fit_weights(written(scored(50)), DEFAULT, holdout=float("nan"))


def test_the_data_are_not_overwritten(written: Callable[[Iterable[str]], Path]) -> None:
    data = written(scored(50))
    before = data.read_text()
    done = advisor("tune", data, "-o", data)
    assert (done.code, data.read_text()) == (2, before)
    assert "is both data and output" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("data.txt", "--games", 20), "--games goes with --game"),
        (("data.txt", "--rounds", 2), "--rounds goes with --to moves and with --game"),
        (("--game", "chess", "--to", "moves"), "--to and --holdout go with DATA, not with --game"),
    ],
)
def test_options_of_the_other_way_to_learn(
    arguments: tuple[object, ...], said: str, tmp_path: Path
) -> None:
    done = advisor("tune", *arguments, "-o", tmp_path / "my.yaml")
    assert (done.code, done.out, done.err) == (2, "", f"error: {said}\n")


def test_where_nothing_can_be_written_nothing_is_learned(
    written: Callable[[Iterable[str]], Path], tmp_path: Path
) -> None:
    output = tmp_path / "no" / "my.yaml"
    # One class only would be the error of whoever begins to learn.
    done = advisor("tune", written(["44 1"] * 50), "-o", output)
    assert done.err == f"error: {output}: cannot be written (no such folder)\n"


def test_without_scikit_learn(
    written: Callable[[Iterable[str]], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    out = tmp_path / "my.yaml"
    done = advisor("tune", written(scored(50)), "-o", out)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "error: tune needs scikit-learn, which is not installed (pip install scikit-learn scipy)\n"
    )
    assert not out.exists()


@pytest.mark.slow
def test_ctrl_c_leaves_nothing_behind(tmp_path: Path) -> None:
    # It reads from a pipe that never ends, so that it is certainly still at work.
    pipe, out = tmp_path / "pipe", tmp_path / "my.yaml"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [*ENTRY, "tune", str(pipe), "-o", str(out)],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    try:
        with open(pipe, "wb"):  # waits for the reader
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130
    assert told == b"error: interrupted: no weights are learned yet\n"
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize(
    ("held", "worse"),
    [
        (Fit(0.5, 0.75), None),
        (Fit(0.7, 0.56), "56.0% right instead of 75.0% and log-loss 0.7000 instead of 0.5000"),
        (Fit(0.4, 0.7), "70.0% right instead of 75.0%"),
    ],
)
def test_weights_that_make_positions_held_back_worse_are_told(held: Fit, worse: str | None) -> None:
    quality = MoveQuality("moves", 4, 0.5, 0.5)
    before = Scores(Fit(0.5, 0.8), Fit(0.5, 0.75), quality)
    after = Scores(Fit(0.4, 0.9), held, quality)
    tuning = Tuning(DEFAULT, "data.txt", 1, "moves", 9, 4, 0, before, after, ())
    told = f"on the 4 positions held back the new weights are worse: {worse}"
    expected = None if worse is None else f"{told} (more positions are needed)"
    assert tuning.warning == tuning.to_json().get("warning") == expected
