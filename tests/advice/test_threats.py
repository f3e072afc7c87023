"""What the opponent threatens, against boards that are read in plain Python."""

import json
import re
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import advisor
import truth
from command import advisor as run

GAMES = Path(__file__).parents[2] / "benchmarks" / "games"


def opponent(position: Any) -> str:
    (name,) = {*position.game.players} - {position.turn}
    return str(name)


def squares(turn: truth.Turn, text: str) -> set[truth.Square]:
    return {turn.named(name) for name in re.findall(r"\b[a-g]\d\b", text)}


def test_connect_four_tells_every_win_at_once_and_every_waiting_square() -> None:
    told_wins = told_later = 0
    for position in islice(truth.some_positions("connect4", seed=3), 25):
        turn, them = truth.Turn(position, str(position.moves[0])), opponent(position)
        found = advisor.threats(position)
        wins = truth.wins_now(turn, turn.stones, them)
        told = {int(move) for threat in found.found if threat.wins for move in threat.moves}
        assert told == {column for column, _ in wins}, position
        later = [text for text in found.sentences if "later" in text]
        for who, name in (("x", "Red"), ("o", "Yellow")):
            waiting = truth.completing(turn, turn.stones, who, 4)
            waiting -= truth.playable(turn, turn.stones)
            own = [text for text in later if text.startswith(name)]
            assert squares(turn, " ".join(own)) == waiting, (position, own)
            for text in own:
                rows = {row % 2 for _, row in squares(turn, text)}
                assert rows == {"odd rows" in text}, text
                falls = "Red" if "odd rows" in text else "Yellow"
                assert f"fall to {falls.lower()}" in text, text
            told_later += bool(waiting)
        told_wins += bool(wins)
    assert told_wins > 5
    assert told_later > 2


def test_a_double_threat_is_told_where_no_reply_stops_it() -> None:
    forks = 0
    for position in islice(truth.some_positions("connect4", seed=4), 15):
        given = position.put({}, turn=opponent(position))
        turns = [truth.Turn(given, str(move)) for move in given.moves]
        ends = {turn.move for turn in turns if given.play(int(turn.move)).over}
        meant = set()
        for turn in turns:
            new = truth.wins_now(turn, turn.after, turn.me)
            new -= truth.wins_now(turn, turn.stones, turn.me)
            if len(new) > 1 and not truth.wins_now(turn, turn.after, turn.you):
                meant.add(turn.move)
        told = {
            str(m) for each in advisor.threats(position).found if not each.wins for m in each.moves
        }
        assert told == meant - ends, position
        forks += bool(told)
    assert forks


@pytest.mark.parametrize("name", ["tictactoe", "hex", "reversi", "breakthrough", "morris"])
def test_the_wins_of_any_game_are_those_of_the_opponent_s_turn(name: str) -> None:
    for position in islice(truth.some_positions(name, seed=5), 3):
        found = advisor.threats(position)
        if not found.sentences[0].startswith("Nobody can say"):
            given = position.put({}, turn=opponent(position))
            wins = {move for move in given.moves if given.play(move).winner == given.turn}
            told = {move for each in found.found if each.wins for move in each.moves}
            assert told == wins, position
        assert all(truth.has_verb(sentence) for sentence in found.sentences)
        assert bool(found.found) is ("threatens nothing" not in found.sentences[0])


def test_what_is_taken_is_a_threat_of_a_game_without_events() -> None:
    game = advisor.load_game(str(GAMES / "clobber"))
    for position in islice(truth.random_positions(game, seed=6, plies=20), 2):
        them = opponent(position)
        given = position.put({}, turn=them)
        men, taken = truth.stones(given), set()
        for move in given.moves:
            after = truth.stones(given.play(move))
            taken |= {square for square in men if men[square] != them == after.get(square)}
        told = advisor.threats(position)
        named = {each.text.removeprefix("takes ") for each in told.found if not each.wins}
        wins = {move for each in told.found if each.wins for move in each.moves}
        assert wins or named == {"abcdefgh"[x - 1] + str(y) for x, y in taken}


def test_chess_tells_mates_and_what_hangs() -> None:
    mate = advisor.threats(advisor.position("e4 e5 Qh5 Nc6 Bc4", game="chess"))
    assert mate.sentences == ("White threatens Qxf7#, which is mate.",)
    hanging = advisor.threats(advisor.position("e4 e5 Nf3", game="chess"))
    assert [threat.moves for threat in hanging.found] == [("Nxe5",)]


def test_where_the_opponent_cannot_have_the_turn_one_line_says_why() -> None:
    check = advisor.threats(advisor.position("e4 f6 Qh5", game="chess"))
    assert check.found == ()
    assert check.sentences == (
        "Nobody can say what white threatens: black stands in check, but white is to move.",
    )
    assert check.to_json()["known"] is False
    amazons = advisor.position(game=str(GAMES / "amazons"))
    again = advisor.threats(amazons.play(amazons.moves[0]))
    assert again.sentences == ("Nobody can say what black threatens: white moves again.",)


def test_who_can_win_first_is_told_so() -> None:
    both = advisor.threats(advisor.position("121212"))
    assert both.sentences == (
        "Yellow threatens column 2, which wins at once: yellow completes a line on b1-b4.",
        "Red can win first with column 1.",
    )


def test_the_command_says_the_same_as_the_library() -> None:
    found = advisor.threats(advisor.position("142454"))
    assert json.loads(run("threats", "142454", "--json").out) == found.to_json()
    assert run("threats", "142454").out.splitlines()[-1] == found.sentences[0]
    over = run("threats", "1212121")
    assert over.code == 2
    assert over.err == "error: the game is over\n"


def test_the_map_of_connect_four_has_every_winning_square_with_its_row() -> None:
    now = later = 0
    for position in islice(truth.some_positions("connect4", seed=6), 20):
        turn = truth.Turn(position, str(position.moves[0]))
        playable = truth.playable(turn, turn.stones)
        told = {
            (danger["player"], tuple(square)): danger["kind"]
            for danger in advisor.threats(position).to_json()["dangers"]
            for square in danger["squares"]
        }
        meant = {
            (who, (column, row)): "now" if (column, row) in playable else ("even", "odd")[row % 2]
            for who in ("x", "o")
            for column, row in truth.completing(turn, turn.stones, who, 4)
        }
        assert told == meant, position
        now += "now" in meant.values()
        later += bool({"odd", "even"} & {*meant.values()})
    assert now > 3
    assert later > 3


def test_the_map_of_chess_has_what_python_chess_says_is_attacked_and_hangs() -> None:
    chess = pytest.importorskip("chess")
    worth = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 99}
    game, lot, told_kinds = advisor.load_game("chess"), Random(7), set()
    board = chess.Board()
    for ply in range(60):
        if board.is_game_over():
            board = chess.Board()
        board.push(lot.choice([*board.legal_moves]))
        if ply % 5 or board.is_game_over():
            continue
        meant: dict[str, str] = {}
        for square, man in board.piece_map().items():
            attackers = [board.piece_at(s) for s in board.attackers(not man.color, square)]
            if not attackers:
                continue
            least = min(worth[each.piece_type] for each in attackers)
            hangs = least < worth[man.piece_type] or not board.attackers(man.color, square)
            kind = "check" if man.piece_type == 6 else "hanging" if hangs else "attacked"
            meant[chess.square_name(square)] = kind
        dangers = game.position(board.fen()).abilities.dangers()
        told = {name: danger.kind for danger in dangers for name in danger.names}
        assert told == meant, board.fen()
        told_kinds |= {*told.values()}
    assert {"hanging", "attacked"} <= told_kinds


def test_a_game_that_marks_nothing_shows_the_wins_of_both_sides() -> None:
    position = advisor.load_game("tictactoe").position().play("a1", "b2", "a2", "b1")
    found = advisor.threats(position).dangers
    assert [(d.player, d.kind, d.names) for d in found] == [
        (0, "wins", ("a3",)),
        (1, "wins", ("b3",)),
    ]
