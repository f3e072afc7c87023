"""Weights files: what they mean, that they survive a round trip, and what bad ones earn."""

from pathlib import Path

import pytest

from advisor.cli.weights import weights as print_weights
from advisor.errors import ConfigError, EncodingError
from advisor.files.resources import ENCODINGS
from advisor.settings import reading
from advisor.settings.reading import load
from aspcircuits.clingo_api import render

DATA = Path(__file__).parents[1] / "data"
STRATEGY = ENCODINGS / "connect4" / "strategy.lp"
OWN = DATA / "own.lp"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory to work in, so that errors name files as a user typed them."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


def error_of(text: str) -> str:
    """The one line that a weights file earns."""
    with pytest.raises(ConfigError) as caught:
        load(written("my.yaml", text))
    message = str(caught.value)
    assert "\n" not in message
    return message


# What a file means


def test_a_file_changes_only_what_it_names(here: Path) -> None:
    mine = load(written("my.yaml", "extends: default\nmoves: {fork: 7, center: {0: 31}}\n"))
    base = load("default")
    assert mine.name == "my.yaml"
    assert mine.depth == base.depth
    assert mine.weights["features"] == base.weights["features"]
    assert mine.weights["moves"] == {**base.weights["moves"], "fork": 7, ("center", 0): 31}


def test_files_extend_each_other_in_a_row(here: Path) -> None:
    Path("sub").mkdir()
    written("sub/first.yaml", "extends: default\ndepth: 3\nmoves: {fork: 7}\n")
    written("sub/second.yaml", "extends: first.yaml\nmoves: {block: 8}\n")
    third = load(written("third.yaml", "extends: sub/second.yaml\nmoves: {win: 9}\n"))
    moves = third.weights["moves"]
    assert (third.depth, moves["fork"], moves["block"], moves["win"]) == (3, 7, 8, 9)


@pytest.mark.parametrize("preset", reading.presets())
def test_every_preset_is_complete(preset: str) -> None:
    settings = load(preset)
    assert settings.name == preset
    assert settings.weights["features"]
    # Earlier systems that only look ahead have no strategies.
    assert bool(settings.weights["moves"]) == (preset in ("any-size", "default", "original"))


@pytest.mark.parametrize("source", [*reading.presets(), "own.yaml"])
def test_printed_settings_load_as_the_same_settings(
    source: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"extends: default\nencodings: {{extra: ['{OWN}']}}\n"
    written("own.yaml", text + "moves: {corner: -5}\nfeatures: {corner: 3}\n")
    print_weights(source)
    printed = capsys.readouterr().out
    assert "extends" not in printed
    before, after = load(source), load(written("again.yaml", printed))
    assert after.depth == before.depth
    assert after.weights == before.weights
    assert after.files("moves") == before.files("moves")
    assert after.files("features") == before.files("features")


def test_every_printed_weight_of_the_advisor_says_what_it_is_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_weights("default")
    settings = load("default")
    lines = capsys.readouterr().out.splitlines()
    for program, names in settings.weights.items():
        for name in names:
            assert any(
                line.endswith(f"# {settings.texts.comment(program, render(name))}")
                for line in lines
            )


# What is wrong with it


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "extends: default\nmoves: {forc: 5}\n",
            "my.yaml: moves: no rule of strategy.lp derives the strategy 'forc' "
            "(did you mean 'fork'?)",
        ),
        (
            "extends: default\nfeatures: {nothing: 5}\n",
            "my.yaml: features: no rule of forced.lp, common.lp, position.lp derives the feature "
            "'nothing'",
        ),
        (
            "extends: default\nfeatures: {treat: {now: 5}}\n",
            "my.yaml: features: no rule of forced.lp, common.lp, position.lp derives the feature "
            "'treat(now)' (did you mean 'threat(now)'?)",
        ),
        (
            "extends: default\nmoves:\n  fork: many\n",
            "my.yaml: line 3: moves.fork: 'many' is not a whole number",
        ),
        (
            "extends: default\nmoves:\n  center:\n    0: 1.5\n",
            "my.yaml: line 4: moves.center.0: '1.5' is not a whole number",
        ),
        (
            "extends: default\nmoves: {fork: yes}\n",
            "my.yaml: line 2: moves.fork: 'true' is not a whole number",
        ),
        (
            "extends: default\nmoves: {fork: 1000001}\n",
            "my.yaml: line 2: moves.fork: 1000001 is outside -1000000..1000000",
        ),
        (
            "moves: {win: 5}\n",
            f"{STRATEGY}:27: strategy 'block' has no weight in my.yaml (under moves:)",
        ),
        (
            f"extends: default\nencodings: {{extra: ['{OWN}']}}\nfeatures: {{corner: 1}}\n",
            f"{OWN}:8: strategy 'corner' has no weight in my.yaml (under moves:)",
        ),
        (
            f"extends: default\nencodings: {{extra: ['{OWN}']}}\nmoves: {{corner: 1}}\n",
            f"{OWN}:10: feature 'corner' has no weight in my.yaml (under features:)",
        ),
        (
            "extends: default\nmoves: {corner: 1}\nencodings: {extra: [own.lp]}\n",
            "my.yaml: encodings: own.lp: no such file in . or among the advisor's own "
            "(any_size.lp, areas.lp, common.lp, forced.lp, position.lp, runs.lp, strategy.lp)",
        ),
        (
            "extends: default\ndepht: 3\n",
            "my.yaml: line 2: depht: unknown key (did you mean 'depth'?)",
        ),
        (
            "extends: default\nencodings: {extras: []}\n",
            "my.yaml: line 2: encodings.extras: unknown key (did you mean 'extra'?)",
        ),
        (
            "extends: default\ndepth: 3\ndepth: 4\n",
            "my.yaml: line 3: key 'depth' is given twice",
        ),
        (
            "extends: default\nmoves: {win: 5, win: 6}\n",
            "my.yaml: line 2: key 'win' is given twice",
        ),
        (
            "extends: default\ndepth: 101\n",
            "my.yaml: line 2: depth: '101' found, should be less than or equal to 100",
        ),
        (
            "extends: default\nendgame: 43\n",
            "my.yaml: line 2: endgame: '43' found, should be less than or equal to 42",
        ),
        (
            "extends: default\nendgame: -1\n",
            "my.yaml: line 2: endgame: '-1' found, should be greater than or equal to 0",
        ),
        (
            "extends: default\ndepth: deep\n",
            "my.yaml: line 2: depth: 'deep' found, should be a whole number",
        ),
        (
            "extends: default\nmoves: 3\n",
            "my.yaml: line 2: moves: '3' found, should be lines like 'name: weight'",
        ),
        ("- 3\n", "my.yaml: line 1: '[3]' found, should be lines like 'key: value'"),
        ("5\n", "my.yaml: line 1: '5' found, should be lines like 'key: value'"),
        ("board\n", "my.yaml: line 1: 'board' found, should be lines like 'key: value'"),
        (
            "extends: default\nencodings: {extra: own.lp}\n",
            "my.yaml: line 2: encodings.extra: 'own.lp' found, "
            "should be a list of files like [own.lp]",
        ),
        (
            "extends: default\nencodings: {extra: {move: []}}\n",
            "my.yaml: line 2: encodings.extra.move: unknown key (did you mean 'moves'?)",
        ),
        (
            "extends: default\nencodings:\n  extra:\n    moves: own.lp\n",
            "my.yaml: line 4: encodings.extra.moves: 'own.lp' found, "
            "should be a list of files like [own.lp]",
        ),
        (
            "extends: default\nmoves: {center: {Middle: 3}}\n",
            "my.yaml: line 2: moves.center.Middle: 'Middle' is not a name "
            "(use a word like 'center' or a number)",
        ),
        (
            "extends: default\nmoves: {center: {0.5: 3}}\n",
            "my.yaml: line 2: moves.center.0.5: '0.5' is not a name "
            "(use a word like 'center' or a number)",
        ),
        (
            "extends: default\nmoves: {win: !!int five}\n",
            "my.yaml: line 2: 'five' cannot be read (use a name or a number)",
        ),
        (
            "extends: default\ndepth: !!bool x\n",
            "my.yaml: line 2: 'x' cannot be read (use a name or a number)",
        ),
        (
            "extends: default\ndepth: !!int ''\n",
            "my.yaml: line 2: nothing cannot be read (use a name or a number)",
        ),
        (
            "extends: default\nmoves: {!!map x: 5}\n",
            "my.yaml: line 2: 'x' cannot be read (use a name or a number)",
        ),
        (
            f"extends: default\nmoves: {{win: {'9' * 4000}}}\n",
            "my.yaml: line 2: a number of more than 18 digits",
        ),
        (
            'extends: default\nmoves: {"\\ud800": 5}\n',
            "my.yaml: line 2: moves.'\\ud800': '\\ud800' is not a name "
            "(use a word like 'center' or a number)",
        ),
        (
            'extends: "\\UFFFFFFFF"\n',
            "my.yaml: not valid YAML: an escape that stands for no character",
        ),
        ('extends: "\\0"\n', "my.yaml: extends: '\\x00' is not a file name"),
        (
            "extends: default\ndepth: 2026-99-99\n",
            "my.yaml: line 2: '2026-99-99' cannot be read (use a name or a number)",
        ),
        (
            "extends: default\nmoves: {win: 5\n",
            "my.yaml: line 3, column 1: not valid YAML: "
            "expected ',' or '}', but got '<stream end>'",
        ),
        ("extends: my.yaml\n", "my.yaml: extends: the files extend each other in a circle"),
        (
            "extends: default\nmoves:\n",
            "my.yaml: line 2: moves: nothing found, should be lines like 'name: weight'",
        ),
        (
            "depth: 3\nextends: other.yaml\n",
            "my.yaml: line 2: extends: 'other.yaml' is neither a weights file nor a preset "
            "(presets: alex, alex-tests, any-size, default, original, pomakis)",
        ),
        (
            "extends: .\n",
            "my.yaml: line 1: extends: '.' is neither a weights file nor a preset "
            "(presets: alex, alex-tests, any-size, default, original, pomakis)",
        ),
        ("", "my.yaml: is empty"),
    ],
)
def test_a_bad_file_earns_one_line(text: str, message: str, here: Path) -> None:
    assert error_of(text) == message


def test_a_circle_is_found_however_its_files_are_spelled(here: Path) -> None:
    Path("sub").mkdir()
    written("sub/other.yaml", "extends: ../sub/../my.yaml\n")
    assert error_of("extends: sub/../sub/other.yaml\n").endswith(
        "other.yaml: extends: the files extend each other in a circle"
    )


def test_an_unknown_preset_is_told_which_there_are() -> None:
    with pytest.raises(ConfigError) as caught:
        load("defualt")
    presets = ", ".join(reading.presets())
    assert str(caught.value) == (
        f"'defualt' is neither a weights file nor a preset (presets: {presets})"
    )


def test_a_missing_file_is_named(here: Path) -> None:
    with pytest.raises(ConfigError, match=r"^none\.yaml: no such file$"):
        load("none.yaml")


def test_an_encoding_that_is_no_program_is_told_by_file_and_line(here: Path) -> None:
    Path("bad.lp").write_text("fires(corner, move(R, C)) :- valid_move(R, C)\n")
    text = "extends: default\nencodings: {extra: [bad.lp]}\nmoves: {corner: 1}\n"
    with pytest.raises(EncodingError, match=r"^bad\.lp:1: the statement that begins here has no"):
        load(written("my.yaml", text))
