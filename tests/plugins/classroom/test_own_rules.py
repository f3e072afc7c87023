"""Rules that the owner of a game edits: who may, what is written, and that nothing else is."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from advisor.errors import InputError
from advisor.plugins.classroom import bounded
from advisor.plugins.classroom.own_rules import (
    OwnRules,
    check_rules,
    count_firings,
    explain_atom,
)
from advisor.web import app, games
from aspcircuits.stopping import Stop

ROOT = Path(__file__).parents[3]
RULE = "feature(corner, P, (X, Y)) :- mark(P, X, Y), |X - 2| = 1, |Y - 2| = 1.\n"
FEATURES = f'{RULE}sentence(feature(corner), "a mark in a corner").\n'
WEIGHTS = "depth: 3\nfeatures: {corner: 4}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "own" / "noughts"
    shutil.copytree(ROOT / "encodings" / "tictactoe", found)
    (found / "features.lp").write_text(FEATURES)
    (found / "weights.yaml").write_text(WEIGHTS)
    return found


@pytest.fixture
def own(folder: Path) -> OwnRules:
    return OwnRules({"noughts": str(folder)})


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def seen(own: OwnRules) -> dict[Any, str]:
    return {file["name"]: file["seen"] for file in own.read_files("noughts")["files"]}


@pytest.mark.slow
def test_rules_that_are_not_saved_say_why_an_atom_does_not_hold(own: OwnRules) -> None:
    files: dict[Any, str] = {
        "strategy.lp": "fires(middle, put(X, X)) :- free(X, X), X = 4.\n",
        "weights.yaml": "moves: {middle: 2}\nfeatures: {corner: 4}\n",
    }

    def ask(atom: str) -> dict[str, Any]:
        return own.try_files("noughts", files, explain_atom, {}, "", ["b2"], atom)

    (lack,) = ask("legal(o,put(2,2))")["lacks"]
    assert lack["literal"] == "free(2,2)"
    assert lack["lacks"][0]["reason"] == "mark(x, 2, 2) holds"
    assert lack["lacks"][0]["place"]["file"] == "noughts/rules.lp"
    assert ask("legal(_,_)")["answer"] == "holds"
    (lack,) = ask("fires(middle,_)")["lacks"]
    assert (lack["place"]["file"], lack["literal"]) == ("noughts/strategy.lp", "1 = 4")
    with pytest.raises(InputError, match="atom: 'legal\\(' is not an atom"):
        ask("legal(")


@pytest.mark.slow
def test_a_new_rule_with_its_weight_is_tried_and_saved(own: OwnRules, folder: Path) -> None:
    assert [file["text"] for file in own.read_files("noughts")["files"]] == [FEATURES, "", WEIGHTS]
    files: dict[Any, str] = {
        "strategy.lp": "fires(middle, put(2, 2)) :- free(2, 2).\n"
        'sentence(fires(middle), "takes the middle").\n',
        "weights.yaml": f"{WEIGHTS}moves: {{middle: 2}}\n",
    }
    before = contents(folder)
    found = own.try_files("noughts", files, check_rules, {}, "", ["a1"])
    assert [(each["rule"], each["player"], each["where"]) for each in found["fired"]] == [
        ("corner", "x", "a1"),
        ("middle", "o", "b2"),
    ]
    played = own.try_files("noughts", files, count_firings, {})
    assert played["games"] == 100
    assert {rule["rule"] for rule in played["rules"]} == {"corner", "middle"}
    assert contents(folder) == before
    edition = games.edition(str(folder))
    after = own.save_files("noughts", files, seen(own))
    assert after == own.read_files("noughts")
    assert games.edition(str(folder)) != edition
    written = {name: text.encode() for name, text in files.items()}
    assert contents(folder) == {**before, **written}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("features.lp", f"{FEATURES}feature(x) :- .", "features.lp:3:"),
        ("features.lp", '#include "/etc/passwd".', "features.lp:1: #include is not read"),
        ("features.lp", f'{FEATURES}#include "rules.lp".', "features.lp:3: #include is not read"),
        ("strategy.lp", "#script (python)\nx = 1\n#end.", "scripts are not run"),
        ("strategy.lp", "#script (lua)\nx = 1\n#end.", "strategy.lp:1: "),
        ("features.lp", f"{RULE}a(0). a(X + 1) :- a(X).", "too large to ground"),
        ("features.lp", RULE.replace("mark", "marc"), "features.lp:1: no rule derives 'marc/3'"),
        ("strategy.lp", "true(control(x)).", "strategy.lp:1: "),
        ("weights.yaml", "extends: ../../secret.yaml", "extends: '../../secret.yaml'"),
        ("weights.yaml", "extends: /etc/passwd", "extends: '/etc/passwd'"),
        ("weights.yaml", "encodings: {extra: [../x.lp]}", "encodings: '../x.lp'"),
        ("weights.yaml", "encodings: {extra: [x.lp]}", "x.lp: no such file in the same folder"),
        ("weights.yaml", "features: {corner: [}", "weights.yaml: line 1, column 21"),
        ("weights.yaml", "features: {}", "corner"),
    ],
)
def test_what_is_wrong_or_reaches_out_is_told_and_never_written(
    own: OwnRules,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: Any,
    text: str,
    told: str,
) -> None:
    seconds = 5 if "too large" in told else 240
    monkeypatch.setattr(bounded, "BOUNDS", bounded.ProcessBounds(seconds=seconds))
    before = contents(folder.parent)
    with pytest.raises(InputError) as error:
        own.save_files("noughts", {file: text}, seen(own))
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert "asp-advisor-" not in str(error.value)
    assert contents(folder.parent) == before


@pytest.mark.slow
def test_a_likely_mistake_is_told_without_the_folder_in_which_it_was_tried(own: OwnRules) -> None:
    features = f"{FEATURES}fires(foo, put(X, Y)) :- fre(X, Y).\n"
    found = own.try_files("noughts", {"features.lp": features}, check_rules, {})
    assert any(told.startswith("features.lp:3:") for told in found["warnings"])
    assert "asp-advisor-" not in str(found["warnings"])


def test_a_game_that_changes_on_the_disk_is_loaded_again(folder: Path) -> None:
    kept = games.Kept()

    def corner() -> int:
        job = {"game": [str(folder)], "edition": games.edition(str(folder))}
        game = kept.load_game(job, Stop(), "default")
        assert kept.load_game(job, Stop(), "default") is game
        return game.weights.features["corner"]

    assert corner() == 4
    (folder / "weights.yaml").write_text(WEIGHTS.replace("4", "-5"))
    assert corner() == -5


@pytest.mark.slow
def test_a_file_that_was_changed_meanwhile_stays(own: OwnRules, folder: Path) -> None:
    known = seen(own)
    mine = f"{FEATURES}% mine\n"
    (folder / "features.lp").write_text(f"{FEATURES}% theirs\n")
    (folder / "strategy.lp").write_text("% theirs, where there was no file\n")
    before = contents(folder)
    with pytest.raises(InputError, match=r"features\.lp: has changed on the disk"):
        own.save_files("noughts", {"features.lp": mine}, known)
    with pytest.raises(InputError, match=r"strategy\.lp: has changed on the disk"):
        own.save_files("noughts", {"strategy.lp": ""}, known)
    assert contents(folder) == before
    own.save_files("noughts", {"features.lp": mine}, seen(own))
    assert (folder / "features.lp").read_text() == mine


def asked(served: Starlette, path: str, **body: Any) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(served)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.post(f"/api/{path}", json=body)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    "more",
    [
        lambda folder: {},
        lambda folder: {"folders": [str(folder)], "host": "0.0.0.0"},
        lambda folder: {
            "folders": [str(folder)],
            "options": {"class_folder": str(folder.parent / "class")},
        },
    ],
)
def test_nothing_is_edited_of_others_games_or_where_others_can_come(
    folder: Path, more: Callable[[Path], dict[str, Any]]
) -> None:
    served = app.create(workers=1, **more(folder))
    assert not served.state.own_rules.names
    answer = asked(served, "rules", key="", game="noughts")
    assert answer.status_code == 404
    assert "advisor serve --game FOLDER" in answer.json()["error"]


def test_only_who_has_the_key_reads_and_writes_and_only_three_files(folder: Path) -> None:
    served = app.create(workers=1, folders=[str(folder)])
    own: OwnRules = served.state.own_rules
    owner = served.state.owner.key
    texts: dict[str, Any] = {"files": {"features.lp": FEATURES}}
    saved = {**texts, "seen": seen(own)}
    for path, body in {
        "rules": {},
        "rules/check": texts,
        "rules/fires": texts,
        "rules/save": saved,
    }.items():
        for key in ("", "guessed", owner[:-1], "\N{SNOWMAN}"):
            answer = asked(served, path, key=key, game="noughts", **body)
            assert answer.status_code == 403, path
    for game in ("tictactoe", "connect4", "../noughts", str(folder)):
        assert asked(served, "rules", key=owner, game=game).status_code == 422
    for name in ("rules.lp", "../features.lp", "/etc/passwd"):
        wrong = {"files": {name: ""}, "seen": {name: ""}}
        assert asked(served, "rules/save", key=owner, game="noughts", **wrong).status_code == 422
    long = {"files": {"features.lp": "%" * 300_000}, "seen": {}}
    assert asked(served, "rules/save", key=owner, game="noughts", **long).status_code == 413
    found = asked(served, "rules", key=owner, game="noughts").json()
    assert found == own.read_files("noughts")
