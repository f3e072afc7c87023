"""Tournaments: fair, complete, resumable; no game begins before every file is checked."""

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from advisor.games import rooms
from advisor.games.connect4.notation import parse_line
from advisor.lab.arena import players
from advisor.lab.arena.contest import Contest
from advisor.lab.arena.match import Umpire, random_openings
from advisor.lab.batch import run
from advisor.library import tournaments
from aspcircuits.stopping import Stop
from command import advisor
from commands import ROOT

FILES = {
    "plain.yaml": "extends: default\n",
    "edge/mine.yaml": "extends: default\nencodings: {extra: [edge.lp]}\n"
    "moves: {edge: 50}\nfeatures: {edge: 0}\n",
    "edge/edge.lp": (ROOT / "examples" / "edge.lp").read_text(),
    "blind.yaml": "extends: default\nmoves: {win: 0, block: 0, fork: 0, gift: 0}\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three players, one of them in a folder of his own."""
    made = tmp_path / "class"
    for name, text in FILES.items():
        file = made / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return made


def told(*arguments: object) -> dict[str, Any]:
    done = advisor("tournament", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    result: dict[str, Any] = json.loads(done.out)
    return result


def test_everybody_plays_everybody_with_both_colours() -> None:
    """Its games are the matches' games, and each counts for both players."""
    ready = {name: players.parse(name) for name in ("random", "central", "default:depth=1")}
    openings = random_openings(rooms.load(), 2, 4, 1)
    contest = Contest([*ready], openings)
    tasks = [*contest]
    pairs = list(run(partial(tournaments.play, ready, 5), tasks))
    for task, pair in zip(tasks, pairs, strict=True):
        contest.add(task, pair)
    standings = {each.player: each for each in contest.standings}
    games = dict.fromkeys(ready, 0)
    points = dict.fromkeys(ready, 0.0)
    for task, pair in zip(tasks, pairs, strict=True):
        one, other, opening = json.loads(task)
        assert pair == Umpire(ready[one], ready[other], 5)(opening, Stop())
        for game, first in zip(pair, (one, other), strict=True):
            winner = parse_line(game["moves"]).winner
            second = other if first == one else one
            for name, side in ((first, 1), (second, 2)):
                games[name] += 1
                points[name] += {side: 1, 0: 0.5}.get(winner, 0)
    assert {name: each.total.games for name, each in standings.items()} == games
    assert {name: each.total.points for name, each in standings.items()} == points
    assert set(games.values()) == {2 * 2 * 2}
    for name, each in standings.items():
        for other, tally in each.against.items():
            mirrored = standings[other].against[name]
            assert (tally.wins, tally.draws) == (mirrored.losses, mirrored.draws)


def test_the_best_player_comes_first_and_equals_share_a_place() -> None:
    """The share of the points decides; players with equal shares have one place, and stand by
    name."""
    contest = Contest("abc", ["44"])
    won, lost, even = (
        [{"moves": "", "points": first}, {"moves": "", "points": second}]
        for first, second in ((1, 1), (0, 0), (1, 0))
    )
    for task, games in zip([*contest], [lost, even, won], strict=True):  # a-b, a-c, b-c
        contest.add(task, games)
    table = contest.standings
    assert [(each.place, each.player, each.total.points) for each in table] == [
        (1, "b", 4),
        (2, "a", 1),
        (2, "c", 1),
    ]
    assert [each.beaten for each in table] == [["a", "c"], [], []]


def test_what_was_cut_short_is_fair() -> None:
    """One opening after the other: after any of them everybody has played equally many games."""
    contest = Contest("abcd", ["1", "2", "3"])
    tasks = [*contest]
    assert len(tasks) == 6 * 3
    assert len({tuple(json.loads(task)) for task in tasks}) == len(tasks)
    for task in tasks[:6]:
        contest.add(task, [{"moves": "", "points": 0.5}] * 2)
    assert {each.total.games for each in contest.standings} == {6}


@pytest.mark.slow
def test_a_tournament_is_told_and_resumed(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    options = (folder, "--depth", 1, "--games", 2)
    found = told(*options, "--resume", kept)
    assert found["games"] == 6
    assert {line["player"] for line in found["table"]} == {"plain", "edge/mine", "blind"}
    for line in found["table"]:
        assert line["games"] == 4 == sum(line[key] for key in ("wins", "draws", "losses"))
        assert sum(tally["points"] for tally in line["against"].values()) == line["points"]
    # The end of the file is missing, as if the machine had stopped there.
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join(lines[:2]))
    assert told(*options, "--resume", kept) == found == told(*options)
    assert kept.read_text() == "".join(lines)
    text = advisor("tournament", *options).out
    assert text.startswith(f"{folder}: 3 players, 6 games")
    assert text.index(found["table"][0]["player"]) < text.index(found["table"][1]["player"])


@pytest.mark.slow
def test_other_files_are_another_tournament(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    options = (folder, "--depth", 0, "--games", 2, "--resume", kept)
    told(*options)
    (folder / "plain.yaml").write_text("extends: default\nmoves: {parity: 2}\n")
    done = advisor("tournament", *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"error: {kept}: holds another run (players: ")


@pytest.mark.slow
def test_wrong_files_get_a_line_each_and_the_others_play(folder: Path) -> None:
    (folder / "bad.lp").write_text("{ fires(any, M) } :- M = move(1, 1).\n")
    (folder / "bad.yaml").write_text("extends: default\nencodings: {extra: [bad.lp]}\n")
    (folder / "odd.yaml").write_text("extends: default\nmovs: {}\n")
    done = advisor("tournament", folder, "--depth", 0, "--games", 2)
    one, other = done.err.splitlines()
    assert done.code == 3
    assert done.out.startswith(f"{folder}: 3 players, 6 games")
    assert done.out.endswith("left out, since the file is wrong: bad, odd\n")
    assert one.startswith(f"error: {folder}/bad.yaml: {folder}/bad.lp:1: ")
    assert other == f"error: {folder}/odd.yaml: line 2: movs: unknown key (did you mean 'moves'?)"
    told = json.loads(advisor("tournament", folder, "--depth", 0, "--games", 2, "--json").out)
    assert told["left_out"].keys() == {"bad", "odd"}
    assert {line["player"] for line in told["table"]} == {"blind", "edge/mine", "plain"}
    (folder / "bad.lp").unlink()
    (folder / "bad.yaml").unlink()
    assert advisor("tournament", folder, "--depth", 0, "--games", 2).code == 2


def test_no_game_is_played_where_one_file_is_right(folder: Path) -> None:
    for name in ("plain.yaml", "edge/mine.yaml"):
        (folder / name).write_text("movs: {}\n")
    done = advisor("tournament", folder)
    assert (done.code, done.out) == (2, "")
    assert [line.split(":")[1].strip() for line in done.err.splitlines()] == [
        f"{folder}/edge/mine.yaml",
        f"{folder}/plain.yaml",
    ]


def test_a_file_that_no_circuit_can_be_made_of_is_told_before_any_game(folder: Path) -> None:
    """Nothing is wrong with it on paper; it is when its first position is looked at."""
    (folder / "deep.lp").write_text("because(deep, move(R, C), here) :- valid_move(R, C).\n")
    (folder / "deep.yaml").write_text(
        "extends: default\nencodings: {extra: {moves: [deep.lp]}}\nmoves: {deep: 1}\n"
    )
    done = advisor("tournament", folder, "--depth", 0, "--games", 2)
    assert done.code == 3
    assert "left out, since the file is wrong: deep" in done.out
    assert done.err.startswith(f"error: {folder}/deep.yaml: because(deep,")
    assert "is not a reason (use a line or square(R, C))" in done.err


def test_a_file_that_fails_in_a_game_loses_it_and_is_named_first(folder: Path) -> None:
    (folder / "late.lp").write_text(
        "because(late, move(R, C), here) :- valid_move(R, C), cell(_, 1, _).\n"
    )
    (folder / "late.yaml").write_text(
        "extends: default\nencodings: {extra: {moves: [late.lp]}}\nmoves: {late: 1}\n"
    )
    late = folder / "late.yaml"
    match = advisor("match", late, "random", "--depth", 0, "--games", 2)
    assert match.code == 3
    assert match.err.startswith(f"error: {late} against random: because(late,")
    assert "0 won, 0 drawn, 2 lost" in match.out
    assert match.out.endswith("2 games lost by a file that failed (see the errors)\n")
    done = advisor("tournament", folder, "--depth", 0, "--games", 2)
    assert done.code == 3
    assert done.err.startswith("error: late against blind: because(late,")
    assert done.out.startswith(f"{folder}: 4 players, 12 games")
    assert done.out.endswith("6 games lost by a file that failed (see the errors)\n")
    *_, last = (line.split() for line in done.out.splitlines() if line.startswith(" "))
    assert last[1:6] == ["late", "0.0", "%", "0", "6"]
    plain = next(line.split() for line in done.out.splitlines() if " plain " in line)
    assert float(plain[2]) >= 100 / 3  # its two games against `late`, of six


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("no/such",), "no/such: no such folder"),
        ((ROOT / "docs",), "docs: holds no weights files (a tournament takes two or more"),
    ],
)
def test_what_is_no_tournament_gets_one_line(
    arguments: tuple[object, ...], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    done = advisor("tournament", *arguments)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert expected in done.err


def test_one_weights_file_is_no_tournament(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("extends: default\n")
    done = advisor("tournament", tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "holds one weights file (a tournament takes two or more" in done.err


def test_hidden_files_are_no_players(folder: Path) -> None:
    for name in ("._plain.yaml", ".git/head.yaml", "edge/._mine.yaml"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"\x00\x05\x16\x07")
    assert [*tournaments.handed_in(folder)] == ["blind", "edge/mine", "plain"]


def test_what_only_looks_like_a_weights_file_is_named_and_the_others_play(folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")
    (folder / "gone.yaml").symlink_to("nowhere")
    (folder / "loop.yaml").symlink_to("loop.yaml")
    (folder / "place.yaml").mkdir()
    for name in ("plain.yml", "zoe.YAML"):
        (folder / name).write_text(FILES["plain.yaml"])
    done = advisor("tournament", folder, "--depth", 0, "--games", 2)
    assert done.code == 2
    assert done.out.startswith(f"{folder}: 3 players, 6 games")
    assert done.err.splitlines() == [
        *(
            f"error: {folder}/{name}.yaml: is not a plain file (give weights files)"
            for name in ("gone", "loop", "pipe", "place")
        ),
        *(
            f"error: {folder}/{name}: is not read (weights files are named NAME.yaml)"
            for name in ("plain.yml", "zoe.YAML")
        ),
    ]


@pytest.mark.slow
def test_a_tournament_of_another_game(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text("depth: 2\n")
    found = told(tmp_path, "--game", "tictactoe", "--plies", 2, "--games", 4)
    assert found["games"] == 4
    assert [line["player"] for line in found["table"]] == ["one", "two"]


def test_the_default_of_a_game_without_weights_can_be_extended(tmp_path: Path) -> None:
    for name, text in (("one", "extends: default\n"), ("two", "extends: default\ndepth: 3\n")):
        (tmp_path / f"{name}.yaml").write_text(text)
    found = told(tmp_path, "--game", "tictactoe", "--plies", 2, "--games", 2, "--depth", 2)
    assert found["games"] == 2


def test_a_weight_in_a_game_without_strategies_is_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text("extends: default\nmoves: {corner: 1}\n")
    done = advisor("tournament", tmp_path, "--game", "tictactoe")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        f"error: {tmp_path}/{name}.yaml: moves: no rule derives the strategy 'corner'"
        for name in ("one", "two")
    ]


def test_a_weight_that_only_later_positions_need_is_missed_before_any_game(folder: Path) -> None:
    """No name of the first position lacks its weight; the file with the rule is named."""
    (folder / "other.lp").write_text("% No rule of it has to do with it.\n")
    (folder / "busy.lp").write_text(
        "because(busy(N), move(R, C), square(R, C)) :- valid_move(R, C), N = #count { S, T : "
        "cell(_, S, T) }.\n"
        'sentence(fires(busy(N)), "takes {square}") :- N = 0..42.\n'
    )
    (folder / "busy.yaml").write_text(
        "extends: default\nencodings: {extra: {moves: [other.lp, busy.lp]}}\n"
        "moves: {busy: {0: 1}}\n"
    )
    done = advisor("tournament", folder, "--depth", 0, "--games", 2)
    assert done.code >= 2
    assert done.out.startswith(f"{folder}: 3 players, 6 games")
    assert "left out, since the file is wrong: busy" in done.out
    assert "no weight for strategy 'busy(" in done.err
    assert done.err.endswith(f"derived by {folder}/busy.lp\n")


@pytest.mark.slow
def test_rounds_are_played_resumed_and_tell_who_is_alike(folder: Path, tmp_path: Path) -> None:
    """Another layout is the same text; another name of a strategy chooses the same moves."""
    rules = FILES["edge/edge.lp"]
    copies = {
        "copy/edge.lp": "% All mine.\n" + rules.replace(" :- ", "\n  :-  "),
        "copy/mine.yaml": f"# mine\n{FILES['edge/mine.yaml']}",
        "name/edge.lp": rules.replace("edge", "rim"),
        "name/mine.yaml": FILES["edge/mine.yaml"].replace("{edge:", "{rim:"),
    }
    for name, text in copies.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    kept = tmp_path / "kept"
    options = (folder, "--depth", 1, "--games", 2, "--rounds", 2, "--resume", kept)
    found = told(*options)
    assert found["games"] == 2 * 2 * 2  # one of five pauses in each round
    assert {line["games"] for line in found["table"]} == {2, 4}
    same = {each["how"]: each["players"] for each in found["alike"]}
    assert same["text"] == ["copy/mine", "edge/mine"]
    assert {*same["moves"]} >= {"copy/mine", "edge/mine", "name/mine"}
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join(lines[:2]))
    assert told(*options) == found == told(*options, "--jobs", 2)
    assert kept.read_text() == "".join(lines)
