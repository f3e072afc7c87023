"""Files of a game of one's own that change while a process goes on."""

from pathlib import Path

import pytest

import advisor
from advisor.files.resources import ENCODINGS
from advisor.lab.arena import players

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
        return [told, *(players.parse(name, str(game)).room for name in ("default", "random"))]

    before = loaded()
    assert loaded() == before
    for name, text in CHANGED.items():
        if name == "features.lp":
            (game / "base.yaml").write_text("features: {ahead: 7, edge: 30}\n")
        (game / name).write_text(text)
        now = loaded()
        assert all(new != old for new, old in zip(now, before, strict=True)), name
        before = now
