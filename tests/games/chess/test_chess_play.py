"""Chess by its rules, its notation and the commands, beside python-chess."""

import io
import json
import random
import re
from functools import cache
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
import pytest

from advisor.advice.choice import choose
from advisor.advice.facade import advise
from advisor.engine.forced_wins import ForcedWins
from advisor.errors import InputError
from advisor.games import knowledge, puzzles, rooms
from advisor.games.abilities import Abilities
from advisor.games.by_rules import RuleAbilities
from advisor.games.chess.other_program import winning
from advisor.games.circuits import Circuits
from advisor.games.marks import Marks
from advisor.games.rules import rule_files
from advisor.library.loading import load_game
from advisor.library.replaying import begin, longest_defence, play_out
from advisor.limits import Limit
from advisor.web import exporting
from aspcircuits.stopping import Stop
from command import advisor

chess = pytest.importorskip("chess", reason="python-chess is not installed")
chess_pgn = pytest.importorskip("chess.pgn")

BOARDS = sorted((Path(__file__).parents[2] / "data" / "chess").glob("*.txt"))


@cache
def known() -> Circuits:
    return knowledge.load("chess")[0]


def fen(board: chess.Board) -> str:
    return str(board.fen(en_passant="fen"))


@pytest.mark.slow
def test_a_whole_game_is_the_same_to_python_chess() -> None:
    source = random.Random(1)
    for start in ("", "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q2/P1PBBPpP/R3K2R b KQkq - 3 10"):
        board = chess.Board(start or chess.STARTING_FEN)
        state = rooms.by_circuits(known()).begin(start)
        while not state.over and board.ply() < 90:
            assert state.text == fen(board)
            expected = {move.uci(): board.san(move) for move in board.legal_moves}
            named = {state.code_of(move): name for move, name in state.names.items()}
            assert named == expected
            assert state.turn == ("white" if board.turn else "black")
            move = source.choice(sorted(expected))
            state = state.after(state.read_move(move))
            board.push_uci(move)
        text = state.game_text({"White": "Anna"})
        game = chess_pgn.read_game(io.StringIO(text))
        assert game is not None
        assert not game.errors
        assert game.end().board().fen() == board.fen()
        again = rooms.by_circuits(known()).begin(text)
        assert again.path == state.path
        assert (again.row == state.row).all()
        assert rooms.by_circuits(known()).begin(state.moves_line).path == state.path


def test_a_position_is_the_same_by_its_fen_and_by_its_moves() -> None:
    moves = "e4 a6 e5 d5"
    played = rooms.by_circuits(known()).begin(moves)
    told = rooms.by_circuits(known()).begin(played.text)
    assert (told.row == played.row).all()
    assert "exd6" in told.names.values()
    black = rooms.by_circuits(known()).begin(played.after(played.read_move("exd6")).text)
    assert black.side == 1 - played.side


def test_a_copy_of_the_rules_is_written_as_chess_is(tmp_path: Path) -> None:
    for rules in rule_files("chess"):
        copy(rules, tmp_path)
    moves = "1. e4 e5 2. Nf3 Nc6"
    copied = rooms.load(str(tmp_path), weights=None).begin(moves)
    assert copied.text == rooms.load("chess", weights=None).begin(moves).text


@pytest.mark.parametrize("file", ["moves.lp", "after.lp"])
def test_a_game_with_other_rules_than_chess_is_not_written_as_chess(
    file: str, tmp_path: Path
) -> None:
    for rules in rule_files("chess"):
        copy(rules, tmp_path)
    with (tmp_path / file).open("a") as changed:
        changed.write("legal(own, move(1, 2, 1, 3, none)) :- piece(own, pawn, 1, 2).\n")
    assert rooms.load(str(tmp_path), weights=None).suffixes == (".yaml", ".yml")


def test_mate_and_repetition_end_a_game_and_are_told() -> None:
    mated = rooms.by_circuits(known()).begin("1. f3 e5 2. g4 Qh4#")
    assert (mated.over, mated.winning_side) == (True, 1)
    assert mated.record.rstrip().endswith("Qh4# 0-1")
    drawn = rooms.by_circuits(known()).begin("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8")
    assert (drawn.over, drawn.winner) == (True, None)
    with pytest.raises(InputError, match=re.escape("5. 'e4': the game is over")):
        rooms.by_circuits(known()).begin("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4")


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_the_moves_of_the_prolog_programs_boards(path: Path) -> None:
    state = rooms.by_circuits(known()).begin(path.read_text())
    board = chess.Board(state.text)
    for move, name in state.names.items():
        after = state.after(move)
        picture = after.picture
        board.push_san(name)
        assert after.text == fen(board)
        # Neither the clock nor the number of the move can be seen.
        assert rooms.by_circuits(known()).begin(picture).text.split()[:4] == after.text.split()[:4]
        board.pop()
    assert len(state.names) == board.legal_moves.count()


def test_moves_are_listed_by_a_command() -> None:
    path = BOARDS[1]
    board = chess.Board(str(rooms.by_circuits(known()).begin(path.read_text()).begun.origin))
    listed = json.loads(advisor("moves", "--game", "chess", path, "--json").out)["moves"]
    assert {each["move"]: each["san"] for each in listed} == {
        move.uci(): board.san(move) for move in board.legal_moves
    }
    assert advisor("moves", "444444").out.split() == ["1", "2", "3", "5", "6", "7"]
    pictures = advisor("moves", "4", "--boards").out
    assert pictures.count("~") == 6
    listed = json.loads(advisor("moves", "4", "--boards", "--json").out)["moves"]
    assert "\n~\n".join(each["board"] for each in listed) + "\n" == pictures


def test_a_drawn_game_is_told_in_a_list_of_boards() -> None:
    for over, told in (("a1 b2 c3 a2 c2 c1 a3 b3 b1", "DRAW\n"), ("a1 a2 b1 b2 c1", "")):
        assert advisor("moves", "--game", "tictactoe", over, "--boards").out == told
    assert advisor("moves", "1212121", "--boards").out == ""


def test_moves_have_their_names_in_every_game() -> None:
    over, middle = ("moves", "1212121", "--json"), ("moves", "--game", "tictactoe", "b2", "--json")
    assert json.loads(advisor(*over).out) == {"moves": []}
    assert {"move": "put(1,1)", "name": "a1", "san": "a1"} in json.loads(advisor(*middle).out)[
        "moves"
    ]


MATE = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4"


def test_a_mate_is_suggested_and_told() -> None:
    rng = np.random.default_rng(1)
    for text, move, name in (
        (MATE, "f3f7", "Qxf7#"),
        ("1. f3 e5 2. g4", "d8h4", "Qh4#"),
        ("7k/4pppp/8/8/8/8/8/K1Q5 w - - 0 1", "c1c8", "Qc8#"),
    ):
        state = rooms.by_circuits(known()).begin(text)
        told = advise(RuleAbilities(state), Limit(1), rng).to_json()
        assert told["best"] == [move]
        assert told["moves"][0]["score"] == {"kind": "win", "in": 1, "plies": 1}
        assert state.names[state.read_move(move)] == name
        assert told["turn"] == state.turn
    assert state.outcome("win", 5) == "mate in 3"
    assert state.outcome("loss", 4) == "mated in 2"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("e4 e5 Ke3", "2. 'Ke3' is not legal (use Ba6, Bb5, "),
        ('[White "Anna"]\n\n1. e4 e5\n2. Nf9 *', "line 4: 2. 'Nf9' is not a move (write it as"),
        ("1. e4 *\n\n1. d4 *", "line 3: a second game begins (give one of the 2)"),
        ('[FEN "8/8 w"]\n*', "line 1: FEN: 2 fields (use pieces, "),
        (f"{MATE} moves f3f8", "4. 'f3f8' is not legal (use Ba6, "),
        (MATE.replace(" 4 4", " x 4"), "FEN: halfmove clock: 'x' (use a whole number"),
        (MATE.replace(" 4 4", " 4 x"), "FEN: move number: 'x' (use a whole number"),
        (MATE.replace(" w ", " "), "FEN: side to move: 'KQkq' (use w or b)"),
        (MATE.replace(" 4 4", " Qxf8"), "1. 'Qxf8' is not legal (use Ba6, "),
        ("k7/8/8/8/8/8/8/R3K3 w - - 0 1", "FEN: black stands in check, but white is to move"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "FEN: pieces: kings side by side on e5 and d5"),
    ],
)
def test_mistakes_are_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        rooms.by_circuits(known()).begin(text)
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_a_game_is_played_and_saved(
    tmp_path: Path,
) -> None:
    saved = tmp_path / "game.pgn"
    lines = f"?\nxyz\nNf9\ne4\ns {saved}\nq\n"
    out = advisor("play", "--game", "chess", "--level", 1, stdin=lines.encode()).out
    assert "You play white." in out
    assert "'xyz' is neither a move nor a command" in out
    assert "'Nf9' is not a move (write it as e4" in out
    game = chess_pgn.read_game(saved.open())
    assert game is not None
    assert next(iter(game.mainline_moves())).uci() == "e2e4"
    assert out.splitlines()[-2].startswith("Moves: e2e4 ")


def test_an_exported_game_has_the_numbers_of_chess() -> None:
    after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7"
    found = exporting.game(load_game("chess", weights=None).position(f"{after} e5 Nf3"), "", None)
    assert re.findall(r"<p>([0-9].*?)</p>", found) == ["7... e5", "8. Nf3"]
    assert re.findall(r"<span class='quiet'>(.*?)</span>", found) == ["7...", "8."]


def test_a_record_keeps_names_and_result() -> None:
    told = '[White "Anna"]\n[Round 3]\n[Result "1-0"]\n\n1. e4 {a comment} e5 1-0'
    state = rooms.by_circuits(known()).begin(told)
    game = chess_pgn.read_game(io.StringIO(state.record))
    assert game is not None
    headers = [game.headers[name] for name in ("Round", "White", "Result")]
    assert headers == ["3", "Anna", "1-0"]
    assert state.typed_texts[1] == '[Round "3"]\n[White "Anna"]\n\n1. e4 e5 1-0\n'
    # A game that goes on is not over.
    assert state.after(state.read_move("Nf3")).record.rstrip().endswith("1. e4 e5 2. Nf3 *")


def test_a_picture_of_a_position(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[White "Anna"]\n\n1. e4 e5 (1... c5\n')
    done = advisor("draw", "--game", "chess", path, "-o", tmp_path / "board.svg")
    assert done.err.startswith(f"error: {path}: line 3: a variation breaks off (end it with ')')")
    state = rooms.by_circuits(known()).begin(MATE)
    picture = state.draw(Marks((state.read_move("Qxf7"),), {}))
    assert "<title>suggested: f3f7</title>" in picture


# Puzzles


def test_the_mates_are_mates_and_their_first_move_is_the_only_one() -> None:
    book = puzzles.book(game="chess")
    assert len(book) == 200
    assert len({posed.position for posed in book}) == 200
    for posed in book:
        board = chess.Board(posed.position)
        assert board.is_valid()
        solution = board.parse_san(*posed.solution)
        if posed.win_in == 1:
            mates = []
            for move in board.legal_moves:
                board.push(move)
                mates += [move] * board.is_checkmate()
                board.pop()
            assert mates == [solution], posed.id


def test_every_move_and_reply_finds_the_mates_that_another_program_finds() -> None:
    posed = puzzles.load("mate2/2", "chess")
    state = begin(posed)[0].position
    wins = ForcedWins(state.circuits, np.random.default_rng(1), Stop())
    for moves in (1, 2):
        found = {state.code_of(state.name(m)) for m in wins.first_moves(state.row, moves)}
        assert found == winning(posed.position, moves)
    assert wins.wins_within(state.row[None], 2)[0]
    assert not wins.wins_within(state.row[None], 1)[0]


@pytest.mark.parametrize("puzzle", ["mate1/1", "mate2/1"])
def test_a_mate_is_replayed(puzzle: str) -> None:
    posed = puzzles.load(puzzle, "chess")
    begun, _ = begin(posed)

    def attack(game: Abilities) -> Any:
        return choose(game, Limit(2 * posed.win_in - 1)).move

    verdict = play_out(posed, begun, attack, longest_defence(posed), posed.win_in)
    told = verdict.to_json()
    assert told["solved"]
    assert told["moves_used"] == posed.win_in
    board = chess.Board(posed.position)
    assert told["first_move"] == board.parse_san(*posed.solution).uci()
    for move in told["line"]:
        board.push_uci(move)
    assert board.is_checkmate()
    assert begun.phrasing.play_name(begun.position.read_typed(*posed.solution)) == posed.solution[0]


def test_an_unknown_puzzle_names_the_nearest() -> None:
    done = advisor("puzzle", "--game", "chess", "mate1/999")
    assert done.code == 2
    assert "no puzzle 'mate1/999' of chess (nearest: mate1/" in done.err
    assert "no puzzles come with 'hex' (use chess)" in advisor("puzzles", "--game", "hex").err
