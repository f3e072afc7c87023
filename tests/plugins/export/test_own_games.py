"""Own games and games from rule sheets are exported; a game that is no circuit is refused."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from engine_truth import ask_page, needs_node

import advisor
from advisor.plugins.gdl.library import import_game
from command import advisor as run
from walking import FEATURES, RULES, WEIGHTS

SHEETS = Path(__file__).parents[2] / "data" / "gdl"


def write_game(folder: Path, rules: str = RULES) -> Path:
    folder.mkdir()
    for name, text in (
        ("rules.lp", rules),
        ("features.lp", FEATURES),
        ("weights.yaml", WEIGHTS),
    ):
        (folder / name).write_text(text)
    return folder


def imported(folder: Path) -> Path:
    import_game(SHEETS / "tictactoe.kif", folder)
    return folder


@needs_node
@pytest.mark.parametrize("make", [write_game, imported])
def test_an_own_game_is_played_to_its_end_as_python_plays_it(make: Any, tmp_path: Path) -> None:
    folder = make(tmp_path / "mine")
    file = tmp_path / "mine.html"
    ran = run("export", folder, "-o", file)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"{file}: {file.stat().st_size / 1000:.0f} kB\n"
    assert file.stat().st_size < 300_000
    game, random = advisor.load_game(str(folder)), Random(4)
    positions = [game.position()]
    while not positions[-1].over:
        positions.append(positions[-1].play(random.choice(positions[-1].moves)))
    made = [list(each.to_json()["made"]) for each in positions]
    requests = [["position", {"moves": moves}] for moves in made]
    advice = ["suggest", {"moves": [], "depth": 1}]
    answers = ask_page(str(folder), [*requests, advice])
    *found, suggested = answers
    for position, told in zip(positions, found, strict=True):
        wanted = position.to_json()
        assert told["status"] == wanted["status"]
        assert told["rows"] == [[*row] for row in wanted["rows"]]
        named = {each["move"]: each["name"] for each in wanted["moves"]}
        assert {each["move"]: each["name"] for each in told["moves"]} == named
    assert found[-1]["over"]
    assert not any(position["over"] for position, _ in pairwise(found))
    assert {each["move"] for each in suggested["moves"]} == {
        each["move"] for each in found[0]["moves"]
    }
    if make is write_game:
        assert suggested["best_names"] == ["a1"]
        (why,) = (each for each in suggested["moves"][0]["why"] if each["kind"] == "gains")
        assert (why["weight"], why["text"]) == (9, "x gets a mark in the nook")


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("{ lucky }.", "'lucky' is a choice; only the inputs are open"),
        (
            "lucky | sad :- turn(x).",
            "'lucky; sad' is a disjunction; a circuit takes rules with one head",
        ),
        (
            "lucky :- not sad. sad :- not lucky.",
            "depends on itself",
        ),
    ],
)
def test_a_game_that_is_no_circuit_is_refused_in_one_line(
    rule: str, reason: str, tmp_path: Path
) -> None:
    folder = write_game(tmp_path / "dice", f"{RULES}terminal :- lucky.\n{rule}\n")
    file = tmp_path / "dice.html"
    for old in (None, "the file before"):
        if old:
            file.write_text(old)
        ran = run("export", folder, "-o", file)
        line = Counter(RULES)["\n"] + 2
        place = f"{folder}/rules.lp:{line}"
        assert (ran.code, ran.out) == (3, "")
        assert ran.err.startswith(f"error: {place}: ")
        assert reason in ran.err
        assert ran.err.count("\n") == 1
        assert (file.read_text() if file.exists() else None) == old
    assert {each.name for each in tmp_path.iterdir()} == {"dice", "dice.html"}
