"""A class: what is handed in is a stranger's program, and what it plays is shown."""

import asyncio
import shutil
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

import advisor
from advisor.errors import InputError
from advisor.plugins.classroom import bounded, class_routes, class_work, tournament
from advisor.plugins.classroom import classroom as classroom_module
from advisor.plugins.classroom.class_work import ADVISOR
from advisor.plugins.classroom.class_work import WEIGHTS as WEIGHTS_FILE
from advisor.plugins.classroom.classroom import Classroom
from advisor.plugins.classroom.tournament import TournamentPlan
from advisor.plugins.classroom.tries import FOLDER
from advisor.web import app
from commands import ENTRY
from windows import like_windows, run

pytestmark = pytest.mark.slow

WEIGHTS = "extends: default\nencodings:\n  extra: [strategy.lp]\nmoves:\n  edge: 200\n"
RULE = "because(edge, move(R, C), square(R, C)) :- valid_move(R, C), C = (1; width).\n"
RULES = f'{RULE}sentence(fires(edge), "takes {{square}} at the edge").\n'


SHORT = TournamentPlan(openings=1)

KEY, OTHER = "anna's own letters", "somebody else's letters"


def allow(monkeypatch: pytest.MonkeyPatch, **bounds: float) -> None:
    """Bounds of strategies for this test."""
    monkeypatch.setattr(bounded, "BOUNDS", replace(bounded.ProcessBounds(seconds=240), **bounds))


@pytest.fixture
def classroom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Classroom:
    allow(monkeypatch)
    monkeypatch.setattr(tournament, "REVIEW_SECONDS", 0.5)
    return Classroom(tmp_path / "class")


def shown(classroom: Classroom) -> dict[str, Any]:
    """What all pages show, but for the text that tells editions apart."""
    view = {**classroom.view(), **classroom.results(), "games": classroom.all_games()}
    return {key: value for key, value in view.items() if key != "edition"}


def finished(classroom: Classroom) -> dict[str, Any]:
    """The same, once no tournament is played."""
    while classroom.view()["playing"] is not None:
        time.sleep(0.05)
    return shown(classroom)


def files(folder: Path) -> list[str]:
    """The files of strategies: what is hidden is the record of tries."""
    found = (file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    return sorted(str(file) for file in found if file.parts[0] != FOLDER)


def test_a_strategy_plays_the_advisor_and_its_games_are_legal(
    classroom: Classroom, tmp_path: Path
) -> None:
    (told,) = classroom.hand_in("Anna  B", WEIGHTS, RULES, KEY)
    assert (told["strategy"], told["why"]["answer"]) == ("edge", "holds")
    assert files(tmp_path / "class") == [
        "Anna B/key",
        "Anna B/strategy.lp",
        "Anna B/weights.yaml",
    ]
    with pytest.raises(InputError, match="'anna b' is taken"):
        classroom.hand_in("anna b", WEIGHTS, RULES, OTHER)
    classroom.play(SHORT)
    with pytest.raises(InputError, match="is being played"):
        classroom.play(SHORT)
    view = finished(classroom)
    assert {row["name"] for row in view["table"]} == {"Anna B", "default"}
    assert sum(row["points"] for row in view["table"]) == len(view["games"]) == 2
    for game in view["games"]:
        position = advisor.position(game["moves"])
        assert position.over
        winner = {"x": 1, "o": 0, None: 0.5}[position.winner]
        assert game["points"] == winner
    assert all(fault["ply"] > 4 for fault in view["faults"]["Anna B"])
    # What was played is there when the server comes again.
    assert shown(Classroom(tmp_path / "class")) == view


def playing(classroom: Classroom) -> int:
    """Begins a tournament of two members and the advisor; how many games are over, of six."""
    for name in ("Anna", "Bob"):
        classroom.hand_in(name, "extends: default\n", "", KEY)
    classroom.play(SHORT)
    while not (over := classroom.view()["playing"][0]):
        time.sleep(0.01)
    assert classroom.view()["playing"][1] == 6
    return int(over)


def test_a_tournament_is_played_by_what_was_there_when_it_began(
    classroom: Classroom, tmp_path: Path
) -> None:
    assert playing(classroom) < 6
    for name in ("Anna", "Bob"):
        shutil.rmtree(tmp_path / "class" / name)
    view = finished(classroom)
    assert (view["members"], view["not_played"]) == ([], 0)
    assert len(view["games"]) == 6


def test_what_was_played_before_a_tournament_is_stopped_is_kept(
    classroom: Classroom, tmp_path: Path
) -> None:
    assert playing(classroom) < 6
    classroom.stop()
    found = shown(Classroom(tmp_path / "class"))
    missing = 6 - len(found["games"])
    assert 0 < missing < 6
    assert sum(row["points"] for row in found["table"]) == 6 - missing
    assert found["not_played"] == missing
    assert finished(classroom) == found
    classroom.play(SHORT)  # the next one
    classroom.stop()


def test_a_folder_that_takes_no_files_is_refused_at_once() -> None:
    with pytest.raises(InputError, match=r"^/proc/\S+: cannot be written"):
        Classroom("/proc")


def test_a_folder_that_is_gone_takes_no_strategy(classroom: Classroom, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "class")
    with pytest.raises(InputError, match=r"takes no strategy \(No such file or directory\)$"):
        classroom.hand_in("Anna", "extends: default\n", "", KEY)


@pytest.mark.parametrize(
    ("weights", "rules", "told"),
    [
        ("extends: ../../secret.yaml\n", "", "use one of default, alex"),
        ("extends: /etc/passwd\n", "", "use one of default, alex"),
        ("extends: default\nencodings: {extra: [../other/strategy.lp]}\n", "", "use strategy.lp"),
        ("extends: default\nencodings: {extra: {moves: [/etc/passwd]}}\n", "", "use strategy.lp"),
        (
            "extends: default\nencodings: {extra: [none.lp]}\n",
            "",
            "no such file in the same folder",
        ),
        (WEIGHTS, f'#include "../key.lp".\n{RULES}', "strategy.lp:1: #include is not read"),
        (WEIGHTS, f"#script (python)\nx = 1\n#end.\n{RULES}", "scripts are not run"),
        (WEIGHTS, f"{RULES}a(0). a(X + 1) :- a(X).", "too large to ground"),
        (WEIGHTS, f"{RULES}p(1..9999, 1..9999).", "too large to ground"),
        (WEIGHTS, RULES.replace("valid_move", "valid_mov"), "strategy.lp:1: no rule derives"),
        ("a: &a [x, x]\n" * 2, "", "weights.yaml"),
        ("encodings: &a {extra: [*a]}\n", "", "aliases are not allowed"),
        ("extends: [default\n", "", "weights.yaml: line"),
        ("extends: default\n", "this is not ASP :- (", "weights.yaml: encodings: does not name"),
        (WEIGHTS, "p(1).\n", "no rule of strategy.lp or the advisor's own strategy.lp derives"),
    ],
)
def test_what_cannot_play_or_reaches_out_leaves_nothing_behind(
    classroom: Classroom,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    weights: str,
    rules: str,
    told: str,
) -> None:
    if "too large" in told:
        allow(monkeypatch, seconds=6)
    with pytest.raises(InputError) as error:
        classroom.hand_in("Eve", weights, rules, KEY)
    assert told in str(error.value)
    assert str(tmp_path) not in str(error.value)
    assert not files(tmp_path / "class")


def test_what_is_wrong_names_its_file_once(classroom: Classroom) -> None:
    with pytest.raises(InputError, match=r"^weights\.yaml: is empty$"):
        classroom.hand_in("Eve", "", RULES, KEY)


@pytest.mark.parametrize("name", ["", "../up", ".hidden", "a/b", "<b>", "a" * 31, "a\x00b", "-"])
def test_names_are_those_of_people_not_of_files(classroom: Classroom, name: str) -> None:
    with pytest.raises(InputError, match="use 1 to 30 letters"):
        classroom.hand_in(name, WEIGHTS, RULES, KEY)


def test_a_strategy_that_does_not_fire_in_the_example_position_says_why_not(
    classroom: Classroom,
) -> None:
    rules = "fires(edge, move(R, C)) :- valid_move(R, C), top(R).\ntop(R) :- square(R, 1), R > 6.\n"
    (told,) = classroom.hand_in("Anna", WEIGHTS, rules, KEY)
    lack = next(each for each in told["why"]["lacks"] if "top" in each["literal"])
    assert (lack["place"]["file"], lack["place"]["line"]) == ("strategy.lp", 1)
    (below,) = lack["lacks"]
    assert (below["literal"], below["place"]["line"]) == ("1 > 6", 2)


def test_without_a_class_there_is_none_to_hand_in_to() -> None:
    async def ask() -> httpx.Response:
        served = httpx.ASGITransport(app.create(workers=1))
        async with httpx.AsyncClient(transport=served, base_url="http://localhost") as client:
            return await client.get("/api/class")

    answer = asyncio.run(ask())
    assert answer.status_code == 404
    assert "--class" in answer.json()["error"]


def test_who_comes_while_too_many_are_checked_is_told_to_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_routes, "MAX_CHECKS", 1)

    async def hand_in() -> tuple[int, int]:
        served = httpx.ASGITransport(app.create(workers=1, options={"class_folder": str(tmp_path)}))
        async with httpx.AsyncClient(transport=served, base_url="http://localhost") as client:

            async def status(name: str) -> int:
                body = {"name": name, "weights": "extends: default\n", "key": f"{KEY} {name}"}
                return (await client.post("/api/class/hand-in", json=body)).status_code

            first = asyncio.create_task(status("a"))
            while not (tmp_path / "a").exists() and not [*tmp_path.glob(".*")]:
                await asyncio.sleep(0.01)
            return await status("b"), await first

    assert asyncio.run(hand_in()) == (503, 200)
    assert len(Classroom(tmp_path).view()["members"]) == 1


def test_one_that_takes_long_keeps_nobody_else_waiting(
    classroom: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, seconds=30)
    endless = f"{RULES}a(0). a(X + 1) :- a(X)."
    told: list[str] = []
    notes: list[str] = []

    def hand_in_endless() -> None:
        with pytest.raises(InputError) as error:
            classroom.hand_in("Eve", WEIGHTS, endless, OTHER, tell=notes.append)
        told.append(str(error.value))

    long = threading.Thread(target=hand_in_endless)
    long.start()
    while not [*(tmp_path / "class").glob(".*/strategy.lp")]:
        time.sleep(0.01)
    classroom.hand_in("Anna", "extends: default\n", "", KEY)
    assert not told
    long.join()
    rule = "`a(X + 1) :- a(X).` was tried "
    assert notes[0].startswith(f"strategy.lp:3: still grounding after 5 s: {rule}")
    assert "needs more than" in told[0] or "too large to ground" in told[0]
    assert rule in told[0]
    assert [line["error"] for line in classroom.overview() if line["name"] == "Eve"] == told
    assert classroom.view()["members"] == ["Anna"]


def test_one_address_cannot_take_all_the_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_routes, "MAX_EACH", 1)
    served = app.create(host="0.0.0.0", workers=1, options={"class_folder": str(tmp_path)})

    async def status(name: str, address: str) -> int:
        transport = httpx.ASGITransport(served, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            body = {"name": name, "weights": "extends: default\n", "key": f"{KEY} {name}"}
            return (await client.post("/api/class/hand-in", json=body)).status_code

    async def hand_in() -> tuple[int, int, int]:
        first = asyncio.create_task(status("a", "192.0.2.1"))
        while not [*tmp_path.glob(".*")]:
            await asyncio.sleep(0.01)
        return await status("b", "192.0.2.1"), await status("c", "192.0.2.2"), await first

    assert asyncio.run(hand_in()) == (503, 200, 200)
    assert Classroom(tmp_path).view()["members"] == ["a", "c"]


@pytest.mark.parametrize("name", ["\uff21\uff4e\uff4e\uff41", "ANNA", " Anna\N{NO-BREAK SPACE}"])
def test_another_spelling_is_no_other_name(classroom: Classroom, name: str) -> None:
    classroom.hand_in("Anna", "extends: default\n", "", KEY)
    with pytest.raises(InputError, match="is taken"):
        classroom.hand_in(name, "extends: default\n", "", OTHER)


def test_a_key_is_for_all_spellings_and_for_some_names(classroom: Classroom) -> None:
    for name in ("Stra\xdfe", "STRASSE", "Anna", "Bob"):
        classroom.hand_in(name, "extends: default\n", "", KEY)
    assert classroom.view()["members"] == ["Anna", "Bob", "Stra\xdfe"]
    with pytest.raises(InputError, match="you have 'Anna', 'Bob', 'Stra\xdfe' already"):
        classroom.hand_in("Carl", "extends: default\n", "", KEY)


def test_an_address_takes_a_part_of_the_names(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classroom_module, "MAX_OF_AN_ADDRESS", 1)
    classroom.hand_in("Anna", "extends: default\n", "", KEY, "192.0.2.1")
    classroom.hand_in("Anna", "extends: default\n", "", KEY, "192.0.2.1")
    with pytest.raises(InputError, match="your address has taken 1"):
        classroom.hand_in("Bob", "extends: default\n", "", OTHER, "192.0.2.1")
    classroom.hand_in("Bob", "extends: default\n", "", OTHER, "192.0.2.2")


def test_long_rules_can_be_handed_in(tmp_path: Path) -> None:
    async def status(rules: str) -> int:
        served = httpx.ASGITransport(app.create(workers=1, options={"class_folder": str(tmp_path)}))
        async with httpx.AsyncClient(transport=served, base_url="http://localhost") as client:
            body = {"name": "a", "weights": WEIGHTS, "rules": rules, "key": KEY}
            return (await client.post("/api/class/hand-in", json=body)).status_code

    line = "% a comment\n"
    assert asyncio.run(status(RULES + line * 10_000)) == 200
    assert asyncio.run(status(RULES + line * 30_000)) == 413


def test_the_advisors_own_name_in_the_table_is_no_members(classroom: Classroom) -> None:
    with pytest.raises(InputError, match="'Default' is taken"):
        classroom.hand_in("Default", "extends: default\n", "", KEY)


def test_a_lost_answer_loses_no_name(classroom: Classroom) -> None:
    """The client has its key before the server has the name."""
    classroom.hand_in("Anna", "extends: default\n", "", KEY)  # and nobody reads the answer
    classroom.hand_in("Anna", WEIGHTS, RULES, KEY)


def test_a_crash_while_a_strategy_is_replaced_loses_neither(
    classroom: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    classroom.hand_in("Anna", "extends: default\n", "", KEY)
    before = files(tmp_path / "class")
    rename = Path.rename

    def crash(source: Path, target: Path) -> Path:
        if target.name == "Anna":
            raise KeyboardInterrupt
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", crash)
    with pytest.raises(KeyboardInterrupt):
        classroom.hand_in("Anna", WEIGHTS, RULES, KEY)
    assert classroom.view()["members"] == []
    monkeypatch.undo()
    assert Classroom(tmp_path / "class").view()["members"] == ["Anna"]
    assert files(tmp_path / "class") == before


def test_only_the_owner_plays_stops_and_freezes(tmp_path: Path) -> None:
    async def ask() -> None:
        served = app.create(workers=1, options={"class_folder": str(tmp_path)})
        key = served.state.owner.key
        transport = httpx.ASGITransport(served)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:

            async def status(path: str, **body: object) -> int:
                return (await client.post(f"/api/class/{path}", json=body)).status_code

            for path, more in {"play": {}, "stop": {}, "freeze": {"frozen": True}}.items():
                for wrong in ("", KEY, key[:-1], "\N{SNOWMAN}"):
                    assert await status(path, key=wrong, **more) == 403
                assert await status(path, **more) == 422
            assert await status("play", key=key) == 422  # nobody has handed in
            assert await status("stop", key=key) == 200
            hand_in = {"name": "a", "weights": "extends: default", "key": KEY}
            assert await status("freeze", key=key, frozen=True) == 200
            assert (await client.get("/api/class")).json()["frozen"]
            assert await status("hand-in", **hand_in) == 422
            assert Classroom(tmp_path).view()["frozen"]  # when the server comes again, too
            assert await status("freeze", key=key, frozen=False) == 200
            assert await status("hand-in", **hand_in) == 200

    asyncio.run(ask())


def test_who_fails_loses_and_is_left_out_after_two_failures(
    classroom: Classroom, tmp_path: Path
) -> None:
    """Its rules break after they were checked; it then loses by name."""
    classroom.hand_in("Anna", "extends: default\n", "", KEY)
    classroom.hand_in("Eve", WEIGHTS, RULES, OTHER)
    late = "because(edge, move(R, C), here :- valid_move(R, C)."
    (tmp_path / "class" / "Eve" / "strategy.lp").write_text(f"{RULES}{late}\n")
    classroom.play(SHORT)
    view = finished(classroom)
    rows = {row["name"]: row for row in view["table"]}
    assert {row["games"] for row in rows.values()} == {4}
    assert rows["Eve"]["points"] == 0
    assert view["left_out"].keys() == {"Eve"}
    errors = [game["error"] for game in view["games"] if "error" in game]
    assert len(errors) == 2
    assert all(error.startswith("Eve against default: ") for error in errors)


def test_an_error_does_not_tell_where_the_folders_lie(tmp_path: Path) -> None:
    for name, file, text in (("game", "rules.lp", "role(one"), ("Eve", WEIGHTS_FILE, WEIGHTS)):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text(text)
    folders, game = {"Eve": tmp_path / "Eve"}, str(tmp_path / "game")
    with (
        class_work.Hall(folders, bounded.BOUNDS, game) as hall,
        pytest.raises(InputError, match=r"game/rules\.lp:1") as error,
    ):
        hall.check("Eve")
    assert str(tmp_path) not in str(error.value)


def test_strategies_wait_for_their_next_game_while_there_is_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with class_work.Hall({}, bounded.BOUNDS, depth=0) as hall:
        hall.play(ADVISOR, ADVISOR, "4444")
        assert hall.ready == {ADVISOR}
        monkeypatch.setattr(class_work, "MAX_IDLE", 1)
        hall.play(ADVISOR, ADVISOR, "4444")
        assert hall.ready == set()


def test_a_system_without_bounds_refuses_a_class_in_one_line(tmp_path: Path) -> None:
    arguments = ("serve", "--port", "0", "--class", str(tmp_path / "class"))
    done = run(like_windows(tmp_path), *ENTRY, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("error: --class: ")
    assert done.stderr.count("\n") == 1


def test_a_page_from_elsewhere_cannot_begin_a_tournament(tmp_path: Path) -> None:
    async def ask() -> int:
        served = app.create(workers=1, options={"class_folder": str(tmp_path)})
        key = served.state.owner.key
        transport = httpx.ASGITransport(served)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            body = f'{{"key": "{key}"}}'
            return (await client.post("/api/class/play", content=body)).status_code

    assert asyncio.run(ask()) == 415
