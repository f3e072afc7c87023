"""The JSON interface, as any client may use it."""

import asyncio
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

import advisor as public
from advising import advise
from advisor.errors import AdvisorError, InputError
from advisor.files.resources import ENCODINGS
from advisor.games import puzzles, rooms
from advisor.games.circuits import Circuits
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.notation import one_line, parse_line, read_board
from advisor.games.connect4.solver import solve_columns, winner_moves
from advisor.games.rules import read
from advisor.games.squares import Squares
from advisor.settings import reading
from advisor.web import answers, app
from advisor.web.jobs import THIS_MACHINE, BusyError
from advisor.web.limits import (
    MAX_BATCH,
    MAX_BODY,
    MAX_LEVEL,
    MAX_SECONDS,
    MAX_SIDE,
    MAX_WAITING,
)
from advisor.web.pool import WorkerPool, _Process
from asking import ask, refusal
from aspcircuits.clingo_api import render
from command import advisor
from commands import ENTRY, without_measures

ROOT = Path(__file__).parents[2]

KNOWLEDGE = {
    "features.lp": "feature(corner, P, (X, Y)) :- mark(P, X, Y), |X - 2| = 1, |Y - 2| = 1.\n"
    'sentence(feature(corner), "a mark in a corner").\n',
    "strategy.lp": "fires(middle, put(2, 2)) :- free(2, 2).\n"
    'sentence(fires(middle), "takes the middle").\n',
    "weights.yaml": "depth: 3\nmoves: {middle: 2}\nfeatures: {corner: 4}\n",
}
"""What the owner of the server thinks of tic-tac-toe."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    own = tmp_path_factory.mktemp("games") / "noughts"
    shutil.copytree(ROOT / "encodings" / "tictactoe", own)
    for file, text in KNOWLEDGE.items():
        (own / file).write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    found = subprocess.Popen(
        [*ENTRY, "serve", "--port", "0", "--game", own],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        yield found
    finally:
        found.send_signal(signal.SIGINT)
        assert found.wait(60) == 0


@pytest.fixture(scope="module")
def address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    # The socket listens by now; the first request waits until the workers are warm.
    return server.stdout.readline().split()[0].rstrip("/")


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=180) as found:
        yield found


# Equal objects, equal words


@pytest.mark.slow
@pytest.mark.parametrize(("board", "depth"), [("44444", 4), ("4453", 0)])
def test_suggest_is_the_object_of_the_command_line(
    client: httpx.Client, board: str, depth: int
) -> None:
    printed = advisor("suggest", board, "--json", "--depth", str(depth))
    expected = json.loads(printed.out)
    found = ask(client, "suggest", board=board, depth=depth)
    assert without_measures(found) == without_measures(expected)


def test_why_is_the_object_of_the_command_line(client: httpx.Client) -> None:
    asked = "valid_move(2,4)"
    told = json.loads(advisor("why", asked, "4453", "--json").out)
    assert ask(client, "why", board="4453", atom=asked) == told
    assert ask(client, "why", board="4453", strategy="win")["atom"] == "fires(win,_)"
    own = ask(client, "why", game="noughts", feature="corner", moves=["a1"])
    assert own["steps"][0]["place"]["file"] == "noughts/features.lp"
    one = "why: give one of atom, strategy and feature"
    assert refusal(client, "why", board="4453") == one
    assert refusal(client, "why", atom="a", strategy="win") == one
    assert refusal(client, "why", atom="a", move=4) == "move: needs a strategy"
    assert refusal(client, "why", board="1212121", atom="a") == "the game is over"


def test_explain_only_adds(client: httpx.Client) -> None:
    plain = ask(client, "suggest", board="222224441177", depth=2)
    explained = ask(client, "suggest", board="222224441177", depth=2, explain=True)
    assert all(s.endswith(".") for paragraph in explained.pop("explanation") for s in paragraph)
    assert explained.pop("headline").startswith("Play column ")
    assert explained.pop("line_names") == [*map(str, explained["line"])]
    turns = ("x", "o") if explained["turn"] == "x" else ("o", "x")
    players = [turns[i % 2] for i in range(len(explained.pop("line")))]
    assert explained.pop("line_players") == players
    for move in explained["moves"]:
        assert move.pop("total") == sum(firing["weight"] for firing in move["fires"])
        assert isinstance(move.pop("outcome"), str)
        assert all(sentence.endswith(".") for sentence in move.pop("explanation"))
        assert all(sentence.endswith(".") for sentence in move.pop("numbers"))
        assert ("trace" in move) is (move["score"]["kind"] == explained["score"]["kind"])
        if trace := move.get("trace"):
            assert trace.pop("line_names") == [*map(str, trace["line"])]
        for feature in move.get("trace", {"features": []})["features"]:
            assert feature.pop("text")
        for firing in move["fires"]:
            assert firing.pop("sentence").endswith(".")
    assert without_measures(explained) == without_measures(plain)


WRONG_BOARDS = (
    "4493",
    "44444444",
    "12121212",
    "4x",
    ".......",
    "......./......./......./......./......./...z...",
    "......./......./......./......./...x.../.......",
    "board: |\n  xx\nwidth: 2\n",
    "bord: 3",
    "moves: [1, 2, 99]",
    "width: 99\nmoves: 1",
    "board: {a: b}",
    "a: &x 1\nb: *x",
    "cells: [[1, 1, 1], [1, 1, 1]]",
    "\x00",
    "moves: '4453'\nturn: o",
)


@pytest.mark.parametrize("board", WRONG_BOARDS)
def test_a_wrong_board_is_refused_in_the_words_of_the_command_line(
    client: httpx.Client, board: str
) -> None:
    with pytest.raises(AdvisorError) as error:
        read_board("-", stdin=io.BytesIO(board.encode()))
    expected = str(error.value).replace("stdin", "board", 1)
    for path in ("position", "suggest"):
        assert refusal(client, path, board=board) == expected


def test_the_command_line_prints_the_same_words(client: httpx.Client) -> None:
    printed = advisor("suggest", "-", stdin=b"4493")
    assert printed.code == 2
    message = printed.err.strip()
    assert message.replace("error: stdin", "board") == refusal(client, "position", board="4493")


WRONG_WEIGHTS = (
    "extends: default\nmoves: {wim: 5}\n",
    "extends: default\nmoves: {win: lots}\n",
    "extends: default\nmoves: {win: 10000000}\n",
    "extends: default\nmoves: 3\n",
    "extends: default\nweigths: {}\n",
    "depth: 101\nextends: default\n",
    "moves: {win: 3}\n",
    "extends: default\nmoves:\n  win: 1\n  win: 2\n",
    "moves: [",
    "extends: default\nmoves: {win: 2001-99-99}\n",
    "extends: default\nmoves: {win: !!python/object:os.system ls}\n",
    "- 1\n",
)


@pytest.mark.parametrize("weights", WRONG_WEIGHTS)
def test_wrong_weights_are_refused_in_the_words_of_the_command_line(
    client: httpx.Client, tmp_path: Path, weights: str
) -> None:
    file = tmp_path / "weights.yaml"
    file.write_text(weights)
    with pytest.raises(AdvisorError) as error:
        reading.load(str(file))
    expected = str(error.value).replace(str(file), "weights").replace(f"{ENCODINGS}/", "")
    assert refusal(client, "weights", weights=weights) == expected
    assert refusal(client, "suggest", weights=weights) == expected


def test_weights_change_the_scores(client: httpx.Client) -> None:
    weights = "extends: default\nmoves: {center: {0: 7}}\n"
    found = ask(client, "suggest", depth=0, weights=weights)
    middle = next(move for move in found["moves"] if move["column"] == 4)
    assert middle["fires"][0] == {"strategy": "center(0)", "weight": 7, "squares": []}
    # The look-ahead too: twice the features' weights, twice every value.
    tree: dict[Any, Any] = {}
    for name, weight in reading.load().weights["features"].items():
        *path, last = name if isinstance(name, tuple) else (name,)
        branch = tree
        for step in path:
            branch = branch.setdefault(step, {})
        branch[last] = 2 * weight
    weights = yaml.safe_dump({"extends": "default", "features": tree})
    values = []
    for body in ({"depth": 2}, {"depth": 2, "weights": weights}):
        moves = ask(client, "suggest", board="2552354651517", **body)["moves"]
        values.append([move["trace"]["value"] for move in moves if "trace" in move])
    assert any(values[0])
    assert values[1] == [2 * value for value in values[0]]


def test_downloaded_weights_work_on_the_command_line(client: httpx.Client, tmp_path: Path) -> None:
    weights = "extends: default\nmoves: {center: {0: 7}}\nfeatures: {slope: {2: -5}}\n"
    file = tmp_path / "mine.yaml"
    file.write_text(ask(client, "weights", weights=weights)["yaml"])
    loaded = reading.load(str(file))
    assert loaded.weights["moves"]["center", 0] == 7
    assert loaded.weights["features"]["slope", 2] == -5
    assert loaded.weights["moves"]["win"] == reading.load().weights["moves"]["win"]
    assert advisor("suggest", "44", "--weights", str(file), "--depth", "2").code == 0


@pytest.mark.parametrize(
    "weights",
    [
        "extends: /etc/passwd\n",
        "extends: ../weights.yaml\n",
        "extends: default\nencodings: {extra: [/etc/passwd]}\n",
        "extends: default\nencodings: {moves: [strategy.lp]}\n",
        "extends: default\nencodings:\n",
        "/etc/passwd",
        "pyproject.toml",
    ],
)
def test_weights_name_no_files(client: httpx.Client, weights: str) -> None:
    message = refusal(client, "weights", weights=weights)
    assert message.startswith("weights: ")
    assert "root:" not in message


# Positions


@pytest.mark.slow
@given(moves=st.lists(st.integers(1, 7), max_size=42))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_positions_are_those_of_the_board(client: httpx.Client, moves: list[int]) -> None:
    played: list[int] = []
    position = Board(geometry())
    for column in moves:
        if position.result() is None and column in position.moves():
            position = position.play(column)
            played.append(column)
    half = len(played) // 2
    board = "".join(map(str, played[:half]))
    found = ask(client, "position", board=board, moves=played[half:])
    assert "/".join(found["rows"]) == one_line(position)
    assert found["over"] == (position.result() is not None)
    assert found["winner"] == {0: None, 1: "x", 2: "o"}[position.winner]
    legal = [] if found["over"] else [[c, position.row_of(c)] for c in sorted(position.moves())]
    assert found["moves"] == legal
    # What the page keeps in the address, and what it hands out as a file.
    assert parse_line(found["text"]) == position
    given = read_board("-", stdin=io.BytesIO(found["yaml"].encode()))
    assert (given.position, [*given.moves], found["made"]) == (position, played, played)


def test_a_composed_position_keeps_its_turn(client: httpx.Client) -> None:
    text = "width: 5\nboard: |\n" + "  .....\n" * 5 + "  xxx..\nturn: o\nfree: true\n"
    found = ask(client, "position", board=text)
    again = ask(client, "position", board=found["text"])
    assert again == found
    assert (found["turn"], found["width"]) == ("o", 5)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([4, 9], "moves: move 2: column 9 is out of range (use 1 to 7)"),
        ([4] * 7, "moves: move 7: column 4 is full (6 discs)"),
        ([1, 2, 1, 2, 1, 2, 1, 2], "moves: move 8: the game is over, x (red) has won"),
    ],
)
def test_moves_have_to_be_possible(client: httpx.Client, moves: list[int], message: str) -> None:
    assert refusal(client, "position", moves=moves) == message


def test_winning_lines_are_told(client: httpx.Client) -> None:
    found = ask(client, "position", board="1212121")
    assert found["lines"] == [[[1, 1], [2, 1], [3, 1], [4, 1]]]
    assert found["status"] == "Red has won on a1-a4."


# Puzzles


@pytest.mark.slow
def test_the_book_is_complete_and_keeps_its_solutions_to_itself(client: httpx.Client) -> None:
    book = client.get("/api/puzzles").json()["puzzles"]
    assert [entry["id"] for entry in book] == puzzles.ids()
    assert all("solution" not in entry for entry in book)
    for entry in book[:3]:
        posed = puzzles.load(entry["id"])
        assert parse_line(entry["text"]) == posed.position
        whole = client.get(f"/api/puzzles/{entry['id']}").json()
        assert whole["solution"] == list(posed.solution)


@pytest.mark.parametrize("puzzle", ["chapter2/7", "chapter3/5", "chapter4/2"])
def test_a_puzzle_is_won_against_the_defence(client: httpx.Client, puzzle: str) -> None:
    posed = puzzles.load(puzzle)
    moves: list[int] = []
    for used in range(1, posed.win_in + 1):
        depth = 2 * (posed.win_in - used) + 1
        advice = ask(client, "suggest", board=one_line(posed.position), moves=moves, depth=depth)
        assert advice["score"] == {"kind": "win", "in": posed.win_in - used + 1}
        moves.append(advice["best"][0])
        found = ask(client, f"puzzles/{puzzle}/try", moves=moves)
        assert found["moves_used"] == used
        if used == posed.win_in:
            assert (found["state"], found["reply"]) == ("solved", None)
        else:
            assert found["state"] == "open"
            moves.append(found["reply"])


def test_a_move_that_is_no_solution_is_told(client: httpx.Client) -> None:
    posed = puzzles.load("chapter3/5")
    wrong = [column for column in posed.position.moves() if column not in posed.solution]
    for column in wrong:
        assert ask(client, "puzzles/chapter3/5/try", moves=[column])["state"] == "slipped"
    one_move = puzzles.load("chapter1/1")
    (wrong_column, *_) = set(one_move.position.moves()) - set(one_move.solution)
    assert ask(client, "puzzles/chapter1/1/try", moves=[wrong_column])["state"] == "missed"


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", ["chapter3/5", "second/6x5/2"])
def test_hints_lead_to_the_solution_step_by_step(client: httpx.Client, puzzle: str) -> None:
    posed = puzzles.load(puzzle)
    found = [ask(client, f"puzzles/{puzzle}/hint", step=step) for step in range(4)]
    assert [hint["kind"] for hint in found] == ["not", "among", "is", "is"]
    assert not {*found[0]["columns"]} & {*posed.solution}
    assert len({*found[1]["columns"]} & {*posed.solution}) == 1
    assert found[2]["columns"] == list(posed.solution)
    assert "answers column" in found[0]["text"]
    refused = client.post(f"/api/puzzles/{puzzle}/hint", json={"moves": [posed.solution[0]]})
    assert refused.status_code == 422


# Other games


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "moves", "symbol"),
    [
        ("tictactoe", ["put(2,2)", "put(1,3)"], (2, 2, "x")),
        ("breakthrough", ["go(4,2,5,3)"], (5, 3, "white")),
        ("morris", ["place((1,-1,-1))"], (1, 1, "white")),
        ("hex", ["put(1,1)", "put(3,2)"], (3, 2, "blue")),
        ("reversi", ["put(4,6)"], (4, 5, "black")),
    ],
)
def test_a_game_is_played_by_its_rules(
    client: httpx.Client, game: str, moves: list[str], symbol: tuple[int, int, str]
) -> None:
    found = ask(client, "position", game=game, moves=moves)
    given = rooms.by_circuits(Circuits(read(game))).begin(" ".join(moves))
    assert [each["move"] for each in found["moves"]] == [*map(render, given.legal)]
    assert (found["turn"], found["over"]) == (given.turn, False)
    # The board that the terminal draws, without its numbers.
    drawn = [
        "".join((cell or ".")[:1] if cell is not None else " " for cell in row)
        for row in found["rows"]
    ]
    size = len(found["rows"])
    shown = [line.lstrip() if found["slanted"] else line for line in given.rows[:size]]
    assert drawn == [line[2::2] for line in shown]
    assert found["slanted"] == (game == "hex")
    x, y, name = symbol
    assert found["rows"][size - y][x - 1] == name
    # A move is made at the squares it names, the last of which is then taken.
    for each in found["moves"][:3]:
        after = ask(client, "position", game=game, moves=[*moves, each["move"]])
        x, y = each["squares"][-1]
        assert after["rows"][size - y][x - 1] == given.turn


@pytest.mark.slow
def test_a_game_with_a_notation_is_written_in_it(client: httpx.Client) -> None:
    start = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1"
    found = ask(client, "position", game="chess", board=start)
    assert found["position"] == start
    promotions = [each for each in found["moves"] if each["squares"] == [[1, 7], [1, 8]]]
    assert [each["name"] for each in promotions] == ["a8=N", "a8=B", "a8=R+", "a8=Q+"]
    after = ask(client, "position", game="chess", board=start, moves=["a7a8n", "Kd7"])
    assert (after["rows"][0][0], after["rows"][1][3], after["turn"]) == ("N", "k", "white")
    shape = after["shapes"]["k"]
    assert (shape["side"], shape["name"]) == (1, "black king")
    assert refusal(client, "position", game="chess", board="8/8 w").startswith(
        "board: FEN: 2 fields"
    )
    said = refusal(client, "position", game="chess", board=start, moves=["a7a9"])
    assert said.startswith("moves: move 1: 'a7a9' is not a move (write it as e4, ")


def test_squares_are_named_as_the_rules_do(client: httpx.Client) -> None:
    def squares(game: str, *moves: str) -> dict[str, list[list[int]]]:
        found = ask(client, "position", game=game, moves=moves)["moves"]
        return {each["move"]: each["squares"] for each in found}

    assert squares("breakthrough")["go(1,2,2,3)"] == [[1, 2], [2, 3]]
    assert squares("morris")["place((3,-1,1))"] == [[3, 5]]
    # Connect Four's moves name the row first, its board the column.
    assert Squares(read("connect4")).of(("move", 2, 7)) == [(7, 2)]
    assert Squares(read("reversi")).of("pass") == []


def test_advice_on_a_game_is_the_object_of_the_command_line(client: httpx.Client) -> None:
    body = {"game": "tictactoe", "moves": ["put(2,2)", "put(1,2)", "put(1,1)"], "depth": 9}
    printed = advisor(
        "suggest", "--game", "tictactoe", " ".join(body["moves"]), "--depth", "9", "--json"
    )
    expected, found = json.loads(printed.out), ask(client, "suggest", **body)
    assert without_measures(found) == without_measures({**expected, "pv": found["pv"]})
    assert (found["best"], found["pv"][0]) == (["put(3,3)"], "put(3,3)")
    ended = ["put(2,2)", "put(1,2)", "put(1,1)", "put(1,3)", "put(3,3)"]
    assert ask(client, "position", game="tictactoe", moves=ended)["winner"] == "x"
    assert ask(client, "suggest", game="tictactoe", moves=ended)["best"] == []


def test_the_games_say_what_there_is_of_each(client: httpx.Client) -> None:
    own, *others = client.get("/api/games").json()["games"]
    assert (own["game"], own["title"], own["board"]) == ("connect4", "Connect Four", "columns")
    assert [each["game"] for each in others] == client.get("/api/server").json()["games"]
    scales = {each["game"]: each["scale"] for each in others}
    assert (scales["chess"], scales["hex"]) == (272, own["scale"])


def test_advice_on_a_game_is_explained_move_by_move(client: httpx.Client) -> None:
    body = {"game": "tictactoe", "moves": ["b2", "a2", "a1"], "depth": 9, "explain": True}
    found = ask(client, "suggest", **body)
    assert found["headline"].startswith("Play c3: a loss in ")
    told = {move["name"]: move["explanation"] for move in found["moves"]}
    assert told["a3"][0].startswith("a3 loses at once")
    assert told["a3"][-1].startswith("c3 is better: ")
    # The whole of the expected play, as people write it.
    assert found["line_names"][0] == "c3"
    assert len(found["line_names"]) == len(found["line"]) == 4


def test_a_level_of_a_game_chooses_among_moves_by_random_games_too(client: httpx.Client) -> None:
    body = {"game": "hex", "constants": {"size": 5}, "level": 6}
    found = ask(client, "suggest", **body)
    tried = {m["move"]: m["score"]["playouts"] for m in found["moves"] if "mean" in m["score"]}
    near = {move for move, games in tried.items() if games >= max(tried.values()) / 2}
    assert near <= {*found["choices"]} < {*tried}


def test_a_game_is_given_back_as_a_text_that_is_taken_again(client: httpx.Client) -> None:
    for game, start in (
        ("chess", "1. e4 e5 2. Nf3 *"),
        ("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("reversi", "d3 c3"),
    ):
        found = ask(client, "position", game=game, board=start)
        again = ask(client, "position", game=game, board=found["text"])
        keys = ("begun", "made", "rows", "turn", "text")
        assert [found[key] for key in keys] == [again[key] for key in keys]
        parts = ask(client, "position", game=game, board=found["begun"], moves=found["made"])
        assert parts["rows"] == found["rows"]
    assert ask(client, "position", game="chess", board="e4")["begun"] == ""
    # Names come with the beginning, the result does not: the moves may be others.
    known = ask(client, "position", game="chess", board='[White "A"] [Black "B"] 1. e4 e5 1-0')
    assert known["tags"]["Result"] == "1-0"
    parts = {"board": known["begun"], "moves": known["made"][:1]}
    again = ask(client, "position", game="chess", **parts)["text"]
    assert '[White "A"]\n[Black "B"]\n[Result "*"]' in again


def test_numbers_that_the_rules_leave_open_are_chosen(client: httpx.Client) -> None:
    assert ask(client, "position", game="hex")["constants"] == {"size": 7}
    small = ask(client, "position", game="hex", constants={"size": 3})
    assert (small["constants"], len(small["rows"]), len(small["moves"])) == ({"size": 3}, 3, 9)
    body = {"game": "hex", "constants": {"size": 3}, "depth": 9}
    assert ask(client, "suggest", **body)["moves"][0]["score"]["kind"] == "win"


def test_a_folder_of_the_owner_is_a_game_too(client: httpx.Client) -> None:
    assert "noughts" in client.get("/api/server").json()["games"]
    assert len(ask(client, "position", game="noughts")["moves"]) == 9
    with pytest.raises(InputError, match="`game`: there is a game 'hex' already"):
        app.create(folders=[str(ROOT / "encodings" / "hex")])
    with pytest.raises(InputError, match=r"neither a game .* nor a folder with a rules\.lp"):
        app.create(folders=["nothing"])


def test_advice_on_a_game_rests_on_its_weights_and_tells_why(client: httpx.Client) -> None:
    body = {"game": "noughts", "moves": ["put(1,1)"], "depth": 1}
    found = ask(client, "suggest", explain=True, **body)
    assert all({"value", "kind"} == set(move["score"]) for move in found["moves"])
    assert found["explanation"]
    assert all(text.endswith(".") for paragraph in found["explanation"] for text in paragraph)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"game": "tictactoe", "moves": ["put(2,2)", "put(2,2)"]},
            "move 2: 'put(2,2)' is not legal",
        ),
        ({"game": "tictactoe", "moves": ["put(2,2"]}, "put(2,2"),
        ({"game": "tictactoe", "moves": ["@x"]}, "@x"),
        ({"game": "tictactoe", "moves": ["put(1,1) put(2,2)"]}, "moves.0"),
        ({"game": "tictacto"}, "game: no game 'tictacto' (did you mean 'tictactoe'?)"),
        ({"game": "/tmp"}, "game: no game '/tmp'"),
        (
            {"game": "tictactoe", "constants": {"size": 4}},
            "tictactoe: no #const 'size' (the game has none)",
        ),
        ({"game": "hex", "constants": {"size": 101}}, "constants.size: "),
        ({"game": "hex", "constants": {"size": "4"}}, "constants.size: "),
        ({"game": "../encodings/hex"}, "game: no game"),
        ({"game": "tictactoe", "moves": ["pass"] * 501}, "moves"),
    ],
)
def test_a_wrong_game_is_one_line(
    client: httpx.Client, wrong: dict[str, Any], message: str
) -> None:
    for path in ("position", "suggest"):
        said = refusal(client, path, **wrong)
        assert message in said
        assert "\n" not in said


# Limits


@pytest.mark.parametrize(
    "wrong",
    [
        {"depth": MAX_LEVEL + 1},
        {"depth": -1},
        {"depth": 3.5},
        {"depth": "8"},
        {"depth": True},
        {"level": 0},
        {"level": 21},
        {"depth": 3, "level": 3},
        {"time": 0},
        {"time": 31},
        {"width": 13},
        {"width": 0},
        {"connect": 13},
        {"board": 4453},
        {"board": "width: 13\nmoves: 1"},
        {"board": "width: 40\nheight: 40\nmoves: ''"},
        {"moves": [1] * 145},
        {"moves": ["one"]},
        {"client": "x" * 65},
        {"weights": None},
        {"file": "/etc/passwd"},
    ],
)
def test_what_is_out_of_range_is_refused(client: httpx.Client, wrong: dict[str, Any]) -> None:
    message = refusal(client, "suggest", **wrong)
    assert next(iter(wrong)) in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("suggest", '{"depth": -1}', "depth: '-1' found, should be greater than or equal to 0"),
        ("suggest", '{"depth": true}', "depth: 'true' found, should be a whole number"),
        ("suggest", '{"board": null}', "board: nothing found, should be a text"),
        *(
            (
                "suggest",
                json.dumps({"moves": ["1", wrong]}),
                f"moves.1: {found} found, should be a column or a move, a text without blanks of "
                "at most 200 characters",
            )
            for wrong, found in (("a b", "'a b'"), (True, "'true'"), (None, "nothing"), ("", "''"))
        ),
        ("suggest", "[]", "request: '[]' found, should be an object"),
        (
            "suggest",
            f'{{"depth": {"9" * 4000}}}',
            f"depth: '{'9' * 37}...' found, should be less than or equal to 20",
        ),
        (
            "suggest",
            f'{{"depth": {"9" * 5000}}}',
            "request: Invalid JSON: number out of range at line 1 column 4312",
        ),
        ("nothing", "{}", "'POST /api/nothing': not found (see /api)"),
        ("health", "{}", "'POST /api/health': method not allowed (see /api)"),
    ],
)
def test_an_error_says_what_was_found(
    client: httpx.Client, path: str, body: str, message: str
) -> None:
    assert client.post(f"/api/{path}", content=body, headers=JSON).json()["error"] == message


def test_an_error_has_a_code(client: httpx.Client) -> None:
    for path, body, code in (
        ("suggest", {"moves": ["a b"]}, "input"),
        ("suggest", {"weights": "moves: {none: 1}"}, "settings"),
        ("nothing", {}, "not_found"),
        ("health", {}, "method_not_allowed"),
    ):
        assert client.post(f"/api/{path}", json=body).json()["code"] == code


def test_too_large_a_request_is_refused(client: httpx.Client) -> None:
    body = json.dumps({"board": " " * MAX_BODY})
    response = client.post("/api/position", content=body, headers=JSON)
    assert response.status_code == 413
    assert response.json() == {
        "error": f"request: is too large (at most {MAX_BODY} bytes)",
        "code": "request_entity_too_large",
    }


def test_only_json_is_read(client: httpx.Client) -> None:
    response = client.post("/api/position", data={"board": "44"})
    assert response.status_code == 415
    assert client.post("/api/position", content=b"{").status_code in (415, 422)
    assert client.post("/api/position", content=b"{", headers=JSON).status_code == 422
    assert client.get("/api/suggest").status_code == 405


@pytest.mark.slow
@pytest.mark.parametrize("sides", [(1, 1, 1), (1, 1, 4), (1, 12, 4), (12, 1, 3), (2, 2, 5)])
def test_odd_boards_are_advised_on(client: httpx.Client, sides: tuple[int, int, int]) -> None:
    size = dict(zip(("width", "height", "connect"), sides, strict=True))
    found = ask(client, "suggest", **size, level=3)
    assert found["best"]


JSON = {"Content-Type": "application/json"}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["board", "moves", "width", "height", "connect", "depth", "level", "time", "weights", "client"]
)
YAML_LIKE = st.lists(
    st.tuples(
        st.sampled_from(
            ["board", "moves", "cells", "width", "turn", "free", "extends", "features", "depth"]
        ),
        st.sampled_from(
            [
                "1",
                "4453",
                "|\n  x",
                "[[1, 1, 1]]",
                "{a: 1}",
                "default",
                "true",
                "x",
                "!!binary a",
                "{center: {null: 1}}",
                "{center: {1.5: 1}}",
                "{? [1] : 2}",
                "0x1F",
                "&a 1",
                "*a",
                "9" * 5000,
                "2001-99-99",
                "1e400",
                "{line: {2: {3: 4}}}",
                "'\ud800'",
            ]
        ),
    ),
    max_size=4,
).map(lambda lines: "\n".join(f"{key}: {value}" for key, value in lines))
TEXTS = YAML_LIKE | st.text(alphabet=".xo/\n 1234567,:-[]{}", max_size=80) | st.text(max_size=80)
BODIES = (
    st.dictionaries(KEYS, VALUES, max_size=4)
    | st.fixed_dictionaries({"board": TEXTS}, optional={"depth": st.integers(-1, 2)})
    | st.fixed_dictionaries({"weights": TEXTS, "depth": st.just(0)})
    | VALUES
)
PATHS = st.sampled_from(
    [
        "position",
        "suggest",
        "weights",
        "puzzles/chapter1/1/try",
        "puzzles/chapter9/x/try",
        "none",
    ]
)


@pytest.mark.slow
@given(path=PATHS, body=BODIES)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_request_breaks_the_server(client: httpx.Client, path: str, body: Any) -> None:
    if path == "suggest" and isinstance(body, dict):
        body = {**body, "depth": body.get("depth", 0)}  # the default depth takes its time
    response = client.post(f"/api/{path}", content=json.dumps(body), headers=JSON)
    assert response.status_code in (200, 404, 413, 422), response.text
    if response.status_code != 200:
        message = response.json()["error"]
        assert message
        assert "\n" not in message


@given(raw=st.binary(max_size=200), path=PATHS)
@settings(max_examples=25, deadline=None)
def test_no_bytes_break_the_server(client: httpx.Client, raw: bytes, path: str) -> None:
    response = client.post(f"/api/{path}", content=raw, headers=JSON)
    assert response.status_code in (404, 422)


# What guards it


@pytest.mark.parametrize(
    "path", ["/", "/page.js", "/api", "/api/health", "/nothing", "/api/nothing", "/api/puzzles"]
)
def test_security_headers_are_on_every_answer(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_the_page_needs_nothing_from_elsewhere() -> None:
    for file in filter(Path.is_file, app.STATIC.rglob("*")):
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert "http:" not in text, file
        assert "https:" not in text, file
    html = (app.STATIC / "index.html").read_text(encoding="utf-8")
    assert "<style" not in html
    assert "style=" not in html
    assert " onclick" not in html


@pytest.mark.parametrize(
    "path",
    [
        "/../app.py",
        "/%2e%2e/app.py",
        "/..%2fapp.py",
        "/static/../../app.py",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/..%5capp.py",
        "/api/puzzles/..%2f..%2fREADME.md/1",
        "/api/puzzles/%2e%2e/pyproject.toml",
        "/api/puzzles/puzzles%2fchapter1/1.yaml",
        "/api/puzzles/chapter1/1.yaml",
        "/page.js%00",
    ],
)
def test_no_other_file_is_served(client: httpx.Client, path: str) -> None:
    response = client.get(client.base_url.copy_with(raw_path=path.encode()))
    assert response.status_code == 404
    assert "import" not in response.text


def test_on_loopback_it_answers_to_no_other_name(client: httpx.Client) -> None:
    assert client.get("/api/health", headers={"Host": "evil.example"}).status_code == 400
    assert client.get("/api/health", headers={"Host": "localhost:8400"}).status_code == 200
    other = httpx.ASGITransport(app.create("127.0.0.2"))

    async def status(host: str) -> int:
        async with httpx.AsyncClient(transport=other, base_url=f"http://{host}") as asking:
            return (await asking.get("/api/server")).status_code

    assert asyncio.run(status("127.0.0.2:8400")) == 200
    assert asyncio.run(status("evil.example")) == 400
    assert app.is_loopback("127.0.0.1")
    assert app.is_loopback("::1")
    assert not app.is_loopback("0.0.0.0")


PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type",
}


@pytest.mark.parametrize(
    ("allowed", "welcome", "refused"),
    [
        (["https://a.example", "http://b.example:8080"], "http://b.example:8080", "null"),
        (["HTTPS://A.example:443"], "https://a.example", "http://a.example"),
        (["http://[::1]:81"], "http://[::1]:81", "http://[::1]"),
        (["*"], "https://anybody.example", None),
        ([], None, "https://a.example"),
    ],
)
def test_pages_of_the_allowed_origins_may_ask(
    allowed: list[str], welcome: str | None, refused: str | None
) -> None:
    served = httpx.ASGITransport(app.create(cors=allowed))

    async def ask_from(origin: str, method: str, path: str, **headers: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=served, base_url="http://localhost") as asking:
            return await asking.request(method, path, headers={"Origin": origin, **headers})

    def answers_from(origin: str, **headers: str) -> Iterator[httpx.Response]:
        yield asyncio.run(ask_from(origin, "OPTIONS", "/api/suggest", **PREFLIGHT, **headers))
        yield asyncio.run(ask_from(origin, "GET", "/api/server", **headers))
        yield asyncio.run(ask_from(origin, "GET", "/api/puzzles/none/1", **headers))

    for origin in filter(None, [welcome]):
        found = [*answers_from(origin)]
        assert [each.status_code for each in found] == [200, 200, 404]
        for each in found:
            assert each.headers["Access-Control-Allow-Origin"] in (origin, "*")
            assert "Access-Control-Allow-Credentials" not in each.headers
        assert "POST" in found[0].headers["Access-Control-Allow-Methods"]
        # A client must address the server by one of its own names.
        assert {each.status_code for each in answers_from(origin, Host="evil.example")} == {400}
    for origin in filter(None, [refused]):
        found = [*answers_from(origin)]
        assert not any("Access-Control-Allow-Origin" in each.headers for each in found)
        assert found[0].status_code == (400 if allowed else 405)
        assert allowed or found[0].headers["Allow"] == "POST"


@pytest.mark.parametrize(
    "origin", ["a.example", "https://a.example/", "https://a.example/page", "null", "https://", ""]
)
def test_what_is_no_origin_is_refused(origin: str) -> None:
    found = advisor("serve", "--port", "0", "--cors", origin)
    assert found.code == 2
    [line] = found.err.splitlines()
    assert line.startswith(f"error: cors: {origin!r} is not an origin (")


# Exact scores and reviews


def test_exact_scores_come_with_their_bounds(client: httpx.Client) -> None:
    moves = "7272456227752556353746443337"
    found = ask(client, "exact", board=moves)
    position = parse_line(moves)
    scores = {c: s.score for c, s in solve_columns(position).items()}
    assert found["proved"]
    assert {move["column"]: move["points"] for move in found["moves"]} == scores
    for move in found["moves"]:
        assert move["bounds"] == [move["points"]] * 2
        assert move["moves"] == winner_moves(position, move["points"])
    top = max(move["points"] for move in found["moves"])
    assert found["best"] == [m["column"] for m in found["moves"] if m["points"] == top]
    # Scores that are not proved in time are open; the book has scores that no search finds in time.
    early = ask(client, "exact", board="2222244411775", time=0.01)
    assert not early["proved"]
    for move in early["moves"]:
        assert (move["points"] is None) == (move["bounds"][0] < move["bounds"][1])
    assert ask(client, "exact", time=0.01)["proved"]
    assert refusal(client, "exact", board="1212121") == "board: the game is over"


def published(name: str, count: int) -> list[tuple[str, int]]:
    """Positions of Pons' sets with their exact scores."""
    lines = (ROOT / "tests" / "data" / "pons" / name).read_text().splitlines()
    return [(moves, int(score)) for moves, score in map(str.split, lines[:: len(lines) // count])]


EARLY = [("4453", -2), ("41", 4)]
"""By the opening book, whose scores were compared with two engines (`test_book`)."""


@pytest.mark.parametrize(("moves", "score"), [*EARLY, *published("Test_L3_R1", 2)])
def test_every_surface_gives_the_same_answer(
    client: httpx.Client, moves: str, score: int, address: str
) -> None:
    """What is certain decides in all of them, and agrees with the published score."""
    position = parse_line(moves)
    known = exact.book(position) or solve_columns(position)
    certain = {column: solution.lower for column, solution in known.items()}
    assert max(certain.values()) == score
    best = [column for column, points in sorted(certain.items()) if points == score]
    asked = {"board": moves, "exact": 20, "explain": True}
    told = ask(client, "suggest", depth=1, **asked)
    assert told["exact"]["best"] == best
    assert {move["column"]: move["score"]["points"] for move in told["moves"]} == certain
    found = json.loads(advisor("suggest", moves, "--exact", "--depth", 2, "--json").out)
    assert {move["column"]: move["score"]["points"] for move in found["moves"]} == certain
    printed = " ".join(advisor("suggest", moves, "--exact", "--level", 1).out.split())
    assert told["headline"] in printed
    names = re.findall(r"\d+", re.split(r" \(|:", told["headline"])[0]) or position.moves()
    *_, streamed = lines(address, **asked, level=1)
    answers = [told["best"], found["best"], streamed["result"]["best"], map(int, names)]
    assert [sorted(answer) for answer in answers] == [best] * len(answers)
    if len(moves) <= 4:
        mine = public.suggest(public.position(moves), depth=1)
        assert sorted(mine.best) == best
        first = "me" if position.turn == 1 else "advisor"
        hint = advisor("play", moves, "--first", first, "--level", 1, stdin=b"h\nq\n").out
        assert public.explain(mine)[0].split(",")[0].split(":")[0] in " ".join(hint.split())
    for column in (best[0], min(certain, key=lambda c: certain[c])):
        played = public.position(moves).play(column)
        mark = public.review(played, depth=1, seconds=2).moves[-1].mark
        assert mark.loss == score - certain[column]
        assert mark.better == (() if column in best else tuple(best))


def test_a_review_is_the_object_of_the_command_line(client: httpx.Client) -> None:
    found = ask(client, "review", board="44", moves=[5, 3], depth=2)
    printed = json.loads(advisor("review", "4453", "--depth", "2", "--json").out)
    assert found["moves"] == printed["moves"]
    assert found["sides"] == printed["sides"]
    told = "moves: none to review (give a game by its moves)"
    assert refusal(client, "review", board="") == told
    assert refusal(client, "review", board="4", moves=[9]).startswith("moves: move 1: column 9")


@pytest.mark.slow
def test_advice_knows_what_a_review_proved(client: httpx.Client) -> None:
    game: dict[str, Any] = {"game": "hex", "constants": {"size": 5}}
    moves = ["c3", "a1", "b3", "a2", "d3", "b1", "a3", "e1", "e3"]
    before = ask(client, "suggest", **game, moves=moves[:4], depth=1)
    ask(client, "review", **game, moves=moves, depth=2)
    # A short job, so another worker than the review's.
    found = ask(client, "suggest", **game, moves=moves[:4], depth=1)
    assert before["score"]["kind"] == "heuristic"
    assert (found["best"], found["score"]["kind"]) == (["put(4,3)"], "win")
    opponent = ask(client, "suggest", **game, moves=moves[:4], level=1)
    assert opponent["score"]["kind"] == "heuristic"


def test_an_export_has_the_grades_of_the_review(client: httpx.Client) -> None:
    game = {"game": "tictactoe", "moves": ["b2", "a2", "a1", "b1", "c3"]}
    grades = [move["grade"] for move in ask(client, "review", **game)["moves"]]
    html = ask(client, "export", **game, review=True)["html"]
    listed = re.findall(r"<li class='(\w+)'>.*? data-ply", html)
    assert listed == grades == ["best", "blunder", "best", "best", "best"]


@pytest.mark.slow
def test_a_batch_is_what_analyse_prints(client: httpx.Client) -> None:
    boards = ["4453", " 44z", "443355", ""]
    found = ask(client, "batch", boards=boards, depth=2)["results"]
    printed = advisor(
        "analyse", "-", "--depth", "2", stdin=b"".join(f"{b}\n".encode() for b in boards)
    ).out
    for one, line in zip(found, printed.splitlines(), strict=True):
        told = without_measures(json.loads(line))
        del told["line"]
        assert without_measures(one) == told
    assert refusal(client, "batch", boards=[]).startswith("boards: ")
    assert refusal(client, "batch", boards=["4"] * 501).startswith("boards: ")
    assert len(ask(client, "batch", boards=["44"] * 20, depth=20, time=1)["results"]) == 20


@pytest.mark.slow
def test_a_game_by_its_rules_is_reviewed_too(client: httpx.Client) -> None:
    squares = ("1,1", "2,2", "3,3", "1,3", "3,1", "2,1", "2,3")
    moves = [f"put({square})" for square in squares]
    found = ask(client, "review", game="tictactoe", moves=moves, depth=9, time=20)
    printed = advisor("review", " ".join(moves), "--game", "tictactoe", "--depth", "9", "--json")
    # Uncertain moves are judged by random games, whose number depends on the time.
    for one, other in zip(found["moves"][5:], json.loads(printed.out)["moves"][5:], strict=True):
        assert one["score"]["kind"] == other["score"]["kind"]
        if one["score"]["kind"] == "heuristic":
            for guess in ("score", "expected", "loss", "reasons"):
                del one[guess], other[guess]
        assert one == other
    assert [move["move"] for move in found["moves"]] == moves
    assert "none to review" in refusal(client, "review", game="tictactoe")


# The description


def test_the_description_names_every_endpoint(client: httpx.Client) -> None:
    document = client.get("/api/openapi.json").json()
    assert document == client.get("/api").json() == client.get("/api/").json()
    page = client.get("/api", headers={"Accept": "text/html"}).text
    described = {
        (path.replace("{chapter}/{number}", "chapter1/1"), method)
        for path, item in document["paths"].items()
        for method in item
        if method != "parameters"
    }
    assert len(described) >= 8
    for path, method in described:
        assert path.replace("chapter1/1", "{chapter}/{number}") in page
        known = document["paths"][path.replace("chapter1/1", "{chapter}/{number}")][method]
        # The page's example is the request.
        content = known.get("requestBody", {"content": {"application/json": {}}})["content"]
        body = {} if method == "get" else {"json": content["application/json"]["example"]}
        response = client.request(method, path, **body)
        if is_optional(known):  # a plugin's, which this server does not offer
            assert response.status_code in (403, 404), path
            assert str(response.status_code) in known["responses"]
            continue
        assert response.status_code == 200, path
        schema = known["responses"]["200"]["content"]["application/json"]["schema"]
        check_shape(response.json(), schema, path, document["components"]["schemas"])


def test_the_page_on_http_shows_the_same_examples_and_the_limits(client: httpx.Client) -> None:
    text = (ROOT / "docs" / "http.md").read_text()
    shown = re.findall(r"^\| `(/api/\S+)` \| `(.*?)` \|", text, re.MULTILINE)
    if "prove" not in public.__all__:  # it is a plugin's
        shown = [(path, body) for path, body in shown if path != "/api/prove"]
    examples = {
        path: item["post"]["requestBody"]["content"]["application/json"]["example"]
        for path, item in client.get("/api").json()["paths"].items()
        if "post" in item and not is_optional(item["post"])
    }
    told = {p.replace("chapter1/1", "{chapter}/{number}"): json.loads(body) for p, body in shown}
    assert told == examples
    for limit in (f"{MAX_BATCH} positions", f"{MAX_SECONDS:g} seconds", f"sides of {MAX_SIDE}"):
        assert limit in text


def is_optional(operation: dict[str, Any]) -> bool:
    """Whether an endpoint is served with some options alone."""
    return operation.get("description", "").startswith("Served with ")


def check_shape(value: Any, schema: dict[str, Any], place: str, parts: dict[str, Any]) -> None:
    """Whether a value has the keys that are described, all the way down."""
    if "$ref" in schema:
        schema = parts[schema["$ref"].rpartition("/")[2]]
    if schema.get("type") == "object":
        if isinstance(schema.get("additionalProperties"), dict):
            for key, each in value.items():
                check_shape(each, schema["additionalProperties"], f"{place}.{key}", parts)
            return
        assert set(schema["required"]) <= set(value) <= set(schema["properties"]), place
        for key, each in value.items():
            check_shape(each, schema["properties"][key], f"{place}.{key}", parts)
    elif schema.get("type") == "array":
        for each in value:
            check_shape(each, schema["items"], f"{place}[]", parts)


@pytest.mark.parametrize(
    ("game", "played"),
    [
        ("connect4", "4453"),
        ("connect4", "42656166444557123344"),  # proved by a plan
        ("chess", "e4 e5"),
        ("chess", "f3 e5 g4 Qh4#"),
        ("hex", "b2 c1"),
        ("tictactoe", "b2 a1"),
    ],
)
def test_all_that_the_library_tells_is_described(game: str, played: str) -> None:
    """The server sends only answers of the types that it describes."""
    constants = {"size": 4} if game == "hex" else None
    position = public.position(played, game=game, constants=constants)
    told: list[tuple[type, Any]] = [(answers.Position, position.to_json())]
    if len(position.played) < 5:
        told += [(answers.Review, public.review(position, depth=1).to_json())]
    stop = public.Stop()

    def end(_: public.Reviewed) -> None:
        stop.set()

    told += [(answers.Review, public.review(position, depth=1, stop=stop, on_move=end).to_json())]
    advice = public.suggest(position, depth=None if position.over else 2, seconds=0.3, exact=0.1)
    told += [(answers.Advice, advice.to_json()), (answers.Advice, public.explained(advice))]
    if not position.over:
        told += [(answers.Exact, public.certain(position, seconds=0.3).to_json())]
    for kind, found in told:
        TypeAdapter(kind).validate_python(found, extra="forbid")
    assert any("interrupted" in found for kind, found in told)


def test_the_parameter_of_games_is_described(client: httpx.Client) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    for path in ("/program", "/puzzles", "/puzzles/{chapter}/{number}"):
        known = paths[f"/api{path}"]["get"]
        assert [each["name"] for each in known["parameters"]] == ["game"]
        asked = client.get(f"/api{path.format(chapter='chapter1', number=1)}?game=nope")
        assert asked.status_code >= 400
        assert str(asked.status_code) in known["responses"]


def test_a_refusal_says_why_and_not_where_the_advisor_stands(client: httpx.Client) -> None:
    for game in ("chess", "hex"):
        told = refusal(client, "position", game=game, moves=[3])
        assert told.startswith("moves: move 1: ")
        assert not told.endswith(": ")
    told = refusal(client, "position", game="hex", constants={"size": 0})
    assert told.startswith("hex/rules.lp: ")


def test_what_an_explained_move_holds_is_described(client: httpx.Client) -> None:
    body = {"board": "222224441177", "explain": True, "level": 3}
    found = client.post("/api/suggest", json=body).json()
    parts = client.get("/api/openapi.json").json()["components"]["schemas"]
    keys = {name: set(part.get("properties", ())) for name, part in parts.items()}
    # No book has it, only other boards have weights of their own, no client ended it; it goes on.
    missing = {"book", "weights", "interrupted", "exact", "winner"}
    # That is of other games, and of an older path.
    missing |= {"selective", "deeper", "added", "untried", "reasons", "slowed_by"}
    # A look-ahead this short has no percentage, and no engine made it.
    missing |= {"chance", "engine"}
    assert set(found) - {"slowed_by"} == keys["Advice"] - missing
    assert set(found["moves"][0]) == keys["Move"] - {"move", "name", "expected"}
    trace = found["moves"][0]["trace"]
    assert set(trace) == keys["Trace"] - {"added"}
    assert set(trace["features"][0]) == keys["Held"]
    fires = [firing for move in found["moves"] for firing in move["fires"]]
    assert {*fires[0], "reasons"} == keys["Firing"]


# Streams and several clients


def lines(address: str, **body: Any) -> Iterator[dict[str, Any]]:
    with httpx.stream(
        "POST",
        f"{address}/api/suggest",
        json=body,
        headers={"Accept": "application/x-ndjson"},
        timeout=300,
    ) as response:
        for line in response.iter_lines():
            yield json.loads(line)


def test_progress_is_told_depth_by_depth(address: str) -> None:
    board = "222224441177"  # which is in no book of openings
    *progress, last = lines(address, board=board, depth=5)
    assert [message["progress"]["depth"] for message in progress] == [1, 2, 3, 4, 5]
    expected = advise(parse_line(board), reading.load(), depth=5)
    assert last["result"]["best"] == list(expected.best)
    scores = {entry["column"]: entry["score"] for entry in progress[-1]["progress"]["scores"]}
    assert scores == {move.move: move.score.to_json() for move in expected.moves}


def test_a_newer_request_supersedes_the_older(address: str) -> None:
    older = lines(address, depth=20, client="one")
    assert "progress" in next(older)
    answered = httpx.post(f"{address}/api/suggest", json={"depth": 1, "client": "one"}, timeout=300)
    assert answered.status_code == 200
    assert list(older)[-1] == {"superseded": True}
    # Another client's look-ahead goes on.
    other = lines(address, depth=4, client="two")
    assert "progress" in next(other)
    httpx.post(f"{address}/api/suggest", json={"depth": 1, "client": "one"}, timeout=300)
    assert "result" in list(other)[-1]


def test_who_says_enough_gets_what_is_known(address: str) -> None:
    def enough(client: str) -> bool:
        answered = httpx.post(f"{address}/api/enough", json={"client": client}, timeout=300)
        return bool(answered.json()["ended"])

    asked = lines(address, board="44444", depth=20, client="one")
    reached = next(asked)["progress"]["depth"]
    assert not enough("two")
    assert enough("one")
    *_, last = asked
    found = last["result"]
    assert found["interrupted"]
    assert reached <= found["depth"] < 20
    assert {move["column"] for move in found["moves"]} == set(range(1, 8))
    assert not enough("one")


def test_ctrl_c_in_a_terminal_is_the_servers_alone() -> None:
    async def group() -> int:
        worker = await _Process.start(short=True)
        try:
            return os.getpgid(worker._process.pid)
        finally:
            await worker.end()

    assert asyncio.run(group()) != os.getpgrp()


@pytest.fixture(scope="module")
def started_worker() -> Iterator[subprocess.Popen[str]]:
    """A worker that is ready; one that does not answer in three minutes is ended."""
    found = subprocess.Popen(
        [sys.executable, "-m", "advisor.web.worker", "10"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    watchdog = threading.Timer(180, found.kill)
    watchdog.start()
    try:
        assert answer(found) == {"ready": True}
        yield found
        assert found.stdin is not None
        found.stdin.close()
        assert found.wait() == 0, "it ends with its input"
    finally:
        watchdog.cancel()
        found.kill()


@pytest.fixture
def worker(started_worker: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """All tests share one worker, which has to go on with the next job after each."""
    yield started_worker
    job = {**JOB, "job": 9, "depth": 0}
    order(started_worker, job)
    assert answer(started_worker)["result"]["best"] == [4]


JOB: dict[str, Any] = {"job": 1, "task": "advise", "game": ["connect4"], "weights": "default"}
JOB |= {"board": "", "moves": [], "level": None, "explain": False}
JOB |= {"depth": None, "time": 3600, "exact": 0.0, "seconds": 3600}


def order(worker: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert worker.stdin is not None
    print(json.dumps(message), file=worker.stdin, flush=True)


def answer(worker: subprocess.Popen[str]) -> Any:
    assert worker.stdout is not None
    return json.loads(worker.stdout.readline())


@pytest.mark.slow
def test_enough_before_anything_is_known_is_no_newer_request(
    worker: subprocess.Popen[str],
) -> None:
    for number, size in enumerate(((13, 9, 5), (9, 13, 5)), 2):
        board = ["connect4", *map(list, geometry(*size).constants.items())]
        order(worker, {**JOB, "job": number, "game": board})
        order(worker, {"enough": number})
        while "progress" in (found := answer(worker)):
            pass
        # Unless an earlier run has kept the circuit there is nothing yet.
        if "result" not in found:
            early = {"error": "ended before there was a result", "code": "interrupted"}
            assert found == {"job": number, **early}


def test_a_search_ends_in_the_middle_when_it_is_cancelled(worker: subprocess.Popen[str]) -> None:
    order(worker, JOB)
    depth = 0
    while depth < 8:
        depth = answer(worker)["progress"]["depth"]
    # The next depth takes several seconds; it is not waited for.
    order(worker, {"cancel": 1})
    assert answer(worker) == {"job": 1, "superseded": True}


def test_a_proof_ends_in_the_middle_when_it_is_cancelled(worker: subprocess.Popen[str]) -> None:
    """Half of an hour would go to it before the look-ahead begins."""
    weights = "extends: default\nendgame: 42\n"
    order(worker, {**JOB, "weights": weights})
    order(worker, {"cancel": 1})
    told = answer(worker)
    while "progress" in told:
        told = answer(worker)
    assert told == {"job": 1, "superseded": True}


def test_a_batch_that_is_late_keeps_its_results(worker: subprocess.Popen[str]) -> None:
    """Its time was up before it began, by more than it may be late."""
    order(worker, {**JOB, "task": "batch", "boards": ["44", "45"], "depth": 1, "seconds": -60})
    *progress, last = (answer(worker) for _ in range(3))
    results = last["result"]["results"]
    assert [message["progress"] for message in progress] == results
    assert [each["position"] for each in results] == ["44", "45"]
    assert all(each["error"].startswith("not reached in time") for each in results)


def test_a_job_is_cancelled_before_it_begins(worker: subprocess.Popen[str]) -> None:
    order(worker, JOB)
    order(worker, {**JOB, "job": 2})
    order(worker, {"cancel": 2})
    order(worker, {"cancel": 1})
    ended = []
    while len(ended) < 2:
        told = answer(worker)
        if "progress" not in told:
            ended.append(told)
    assert ended == [{"job": number, "superseded": True} for number in (1, 2)]


def test_a_client_that_goes_away_frees_its_worker(address: str) -> None:
    for _ in range(6):
        gone = lines(address, depth=20)
        assert "progress" in next(gone)
        gone.close()
    answered = httpx.post(f"{address}/api/suggest", json={"depth": 2}, timeout=300)
    assert answered.status_code == 200


def test_a_client_that_gives_up_waiting_frees_its_worker(address: str) -> None:
    for _ in range(6):
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{address}/api/suggest", json={"depth": 20, "time": 30}, timeout=0.3)
    answered = httpx.post(f"{address}/api/suggest", json={"depth": 2}, timeout=300)
    assert answered.status_code == 200


def test_superseded_requests_do_not_wait() -> None:
    pool = WorkerPool(1)  # not started, so that all jobs wait
    asked = {"task": "position", "game": ["hex"]}
    jobs = [pool.submit(asked, "one", THIS_MACHINE) for _ in range(2 * MAX_WAITING)]
    assert [job.ended for job in jobs] == [True] * (len(jobs) - 1) + [False]
    others = [pool.submit(asked, f"other {n}", THIS_MACHINE) for n in range(MAX_WAITING - 1)]
    with pytest.raises(BusyError):
        pool.submit(asked, "late", THIS_MACHINE)
    newest = pool.submit(asked, "one", THIS_MACHINE)
    assert jobs[-1].ended
    assert not any(job.ended for job in (newest, *others))
    assert pool.load["waiting"] == MAX_WAITING


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find workers")
def test_a_worker_that_dies_is_replaced(server: subprocess.Popen[str], address: str) -> None:
    found = lines(address, depth=20)
    assert "progress" in next(found)
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    assert list(found)[-1] == {
        "error": "the look-ahead failed",
        "code": "fault",
        "status": 500,
    }
    for _ in children:
        answered = httpx.post(f"{address}/api/suggest", json={"depth": 1}, timeout=300)
        assert answered.status_code in (200, 500)
    answered = httpx.post(f"{address}/api/suggest", json={"depth": 1}, timeout=300)
    assert answered.status_code == 200


@pytest.mark.slow
def test_many_sizes_of_board_are_answered(address: str) -> None:
    # More than a worker keeps; it is replaced on the way.
    for width in range(1, 10):
        for height in (1, 2):
            body = {"width": width, "height": height, "depth": 1}
            answered = httpx.post(f"{address}/api/suggest", json=body, timeout=300)
            assert answered.json()["depth"] <= 1


def test_time_limits_hold_whatever_the_depth(address: str) -> None:
    found = httpx.post(f"{address}/api/suggest", json={"depth": 20, "time": 1}, timeout=300).json()
    assert 0 < found["depth"] < 20


@pytest.mark.slow
def test_a_result_may_be_proved_without_its_length(address: str) -> None:
    # Proved within a tenth of the time; its 23 plies are mostly beyond what is looked ahead.
    body = {"board": "5256152355541467", "time": 5}
    found = httpx.post(f"{address}/api/suggest", json=body, timeout=300).json()
    assert found["best"] == [4]
    # A look-ahead that is fast enough sees the end as well.
    assert found["score"] in ({"kind": "win", "proved": True}, {"kind": "win", "in": 12})


def test_many_clients_are_all_answered(address: str) -> None:
    answers: list[int] = []

    def one(number: int) -> None:
        body = {"depth": 3, "board": str(1 + number % 7), "client": str(number)}
        answers.append(httpx.post(f"{address}/api/suggest", json=body, timeout=300).status_code)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 20


def test_a_port_in_use_is_one_line(address: str) -> None:
    taken = address.rpartition(":")[2]
    printed = advisor("serve", "--port", taken)
    assert printed.code == 2
    assert printed.err.startswith(f"error: cannot listen on 127.0.0.1, port {taken} (")
