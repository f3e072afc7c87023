"""Files of a game of one's own that change while a process goes on."""

import shutil
from pathlib import Path

import pytest

import advisor
from advisor.files.resources import ENCODINGS
from advisor.lab.arena import players
from commands import ROOT

RULES = (ENCODINGS / "breakthrough" / "rules.lp").read_text()
FEATURES = "feature(ahead, P, X) :- man(P, X, 3).\n"
FILES = {
    "rules.lp": RULES.replace("width = 8", "width = 3").replace("height = 8", "height = 5"),
    "weights.yaml": "extends: base.yaml\ndepth: 1\nencodings: {extra: {features: [more.lp]}}\n",
    "base.yaml": "features: {ahead: 1}\n",
    "more.lp": FEATURES,
}
CHANGED = {
    "base.yaml": "features: {ahead: 7}\n",
    "more.lp": FEATURES.replace("3", "2"),
    "rules.lp": FILES["rules.lp"].replace("width = 3", "width = 4"),
    "weights.yaml": FILES["weights.yaml"] + "features: {ahead: 50}\n",
    "features.lp": "feature(edge, P, 1) :- man(P, 1, 3).\n",
}
"""In this order, each with another advice; the last one is new, and its weight comes with it."""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_game_is_loaded_again_once_one_of_its_files_has_changed(game: Path) -> None:
    def loaded() -> list[object]:
        (found,) = advisor.analyse([""], game=str(game))
        told = [(move["move"], move["score"]) for move in found["moves"]]
        return [told, *(players.parse(name, str(game)).game for name in ("default", "random"))]

    before = loaded()
    assert loaded() == before
    for name, text in CHANGED.items():
        if name == "features.lp":
            (game / "base.yaml").write_text("features: {ahead: 7, edge: 30}\n")
        (game / name).write_text(text)
        now = loaded()
        assert all(new != old for new, old in zip(now, before, strict=True)), name
        before = now


def test_a_game_by_its_rules_is_not_asked_of_other_files(game: Path) -> None:
    loaded, rules = advisor.load_game(game), game / "rules.lp"
    rules.write_text(FILES["rules.lp"] + "half a rule :-")
    with pytest.raises(advisor.EncodingError, match="its files are not what was loaded"):
        loaded.position("a2-a3")
    rules.write_text(FILES["rules.lp"])
    assert loaded.position().turn == "white"


def test_connect_four_is_not_asked_of_other_encodings(tmp_path: Path) -> None:
    """Half of what was loaded is compiled; numbers alone are kept as they were read."""
    for name in ("edge.lp", "edge.yaml"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    encoding, weights = tmp_path / "edge.lp", tmp_path / "edge.yaml"
    position = advisor.load_game("connect4", weights=weights).position("444444676776")
    before = advisor.suggest(position, depth=1).scores
    weights.write_text("extends: default\n")
    assert advisor.suggest(position, depth=1).scores == before
    encoding.write_text((ROOT / "examples" / "edge.lp").read_text().replace("1; width", "2"))
    with pytest.raises(advisor.EncodingError, match=r"edge\.lp: is not what was loaded"):
        advisor.suggest(position, depth=1)
