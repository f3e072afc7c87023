"""Chess from its rules: equal to python-chess, rule by rule and on random positions."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import chess
import numpy as np
import pytest

from advisor.advice.facade import advise
from advisor.engine.row_search import RowEvaluator, RowPosition, settling
from advisor.engine.rows import expand, perft
from advisor.engine.search import WIN, search
from advisor.games import knowledge, rooms
from advisor.games.by_rules import RuleAbilities
from advisor.games.check import Inspector
from advisor.games.circuits import Circuits
from advisor.games.rule_position import RulePosition
from advisor.games.rules import read
from advisor.limits import Limit
from chess_rules import PERFT, atoms, differences, move_term, random_boards


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Circuits:
    """The rules, with one feature that holds of a side in check."""
    file: Path = tmp_path_factory.mktemp("chess") / "check.lp"
    file.write_text("feature(in_check, own, here) :- check.\n")
    return Circuits(read("chess", [file]), {"in_check": 1})


@cache
def known() -> Circuits:
    return knowledge.load("chess")[0]


@pytest.mark.parametrize("fen", PERFT)
def test_numbers_of_games_are_the_published_ones(plain: Circuits, fen: str) -> None:
    row = plain.row(atoms(chess.Board(fen)))[None]
    for plies, number in enumerate(PERFT[fen], 1):
        if number < 300_000:  # the others are counted in benchmarks/compare/chess_rules.py
            assert perft(plain, row, plies) == number


def test_random_positions_are_those_of_python_chess(plain: Circuits) -> None:
    boards = [*random_boards(800, 7)]
    assert {board.is_check() for board in boards} == {True, False}
    assert differences(plain, boards) == []


COMPOSED = {
    "castling both ways": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "castling through an attacked square": "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",
    "castling into check": "4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1",
    "castling out of check": "4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1",
    "castling with an attacked rook": "4k3/8/8/8/8/1r5r/8/R3K2R w KQ - 0 1",
    "castling past a piece": "4k3/8/8/8/8/8/8/RN2KB1R w KQ - 0 1",
    "the right is lost": "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
    "a pawn attacks a castling square": "4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1",
    "en passant": "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "en passant by either pawn": "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "en passant uncovers the rank": "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "en passant uncovers the rank to the right": "8/8/8/r2pP2K/8/8/8/4k3 w - d6 0 1",
    "en passant, another piece on the rank": "8/8/8/K1NpP2r/8/8/8/4k3 w - d6 0 1",
    "en passant uncovers a diagonal": "4k3/8/6b1/3pP3/8/1K6/8/8 w - d6 0 1",
    "en passant, the taken pawn covers": "b3k3/8/8/3pP3/8/8/6K1/8 w - d6 0 1",
    "en passant along a pin": "4k3/8/3b4/3pP3/5K2/8/8/8 w - d6 0 1",
    "en passant takes the checker": "4k3/8/8/3pP3/2K5/8/8/8 w - d6 0 1",
    "en passant blocks a check": "4k3/8/8/1b1pP3/8/3K4/8/8 w - d6 0 1",
    "en passant, check by another": "4k3/8/8/3pP3/2K5/8/8/2r5 w - d6 0 1",
    "promotion and taking": "1r2k3/P1P5/8/8/8/8/8/4K3 w - - 0 1",
    "promotion under a pin": "8/8/8/8/8/8/1k5P/8 b - - 0 1",
    "a pinned pawn on the seventh": "2r5/1P6/K7/8/8/8/8/k4b2 w - - 0 1",
    "a pinned rook goes along the line": "4r3/8/8/8/8/4R3/8/k3K3 w - - 0 1",
    "a pinned bishop": "k7/8/8/8/7b/8/5B2/4K3 w - - 0 1",
    "a pinned knight": "4r3/8/8/8/8/4N3/8/k3K3 w - - 0 1",
    "double check": "4r2k/8/8/8/1b6/8/3P4/3QK3 w - - 0 1",
    "double check by rook and knight": "k3r3/8/8/8/8/3n4/3P1P2/R3K2R w KQ - 0 1",
    "two knights give check": "k7/8/8/8/8/3n1n2/8/R3K2R w KQ - 0 1",
    "a king cannot go back along the line": "k3r3/8/8/8/4K3/8/8/8 w - - 0 1",
    "a guarded piece beside the king": "k7/8/8/8/1b6/8/3q4/4K3 w - - 0 1",
    "smothered mate": "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1",
    "mate on the back rank": "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1",
    "stalemate": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "stalemate by a pin": "k7/1b6/8/8/8/8/1R6/KQ6 b - - 0 1",
    "kings alone": "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "a knight": "4k3/8/8/8/8/8/8/3NK3 w - - 0 1",
    "two knights": "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1",
    "a knight on either side": "3nk3/8/8/8/8/8/8/3NK3 w - - 0 1",
    "bishops of one colour": "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1",
    "bishops of both colours": "3bk3/8/8/8/8/8/8/2B1K3 w - - 0 1",
    "a pawn is enough": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "fifty moves": "4k3/8/8/8/8/8/4R3/4K3 w - - 100 80",
    "almost fifty moves": "4k3/8/8/8/8/8/4R3/4K3 w - - 99 80",
    "mate before fifty moves": "R5k1/5ppp/8/8/8/8/8/K7 b - - 100 90",
}


@pytest.mark.parametrize("name", COMPOSED)
def test_each_rule(plain: Circuits, name: str) -> None:
    board = chess.Board(COMPOSED[name])
    assert differences(plain, [board, board.mirror()]) == []


@pytest.mark.parametrize("name", ["castling both ways", "en passant", "promotion and taking"])
def test_what_a_move_leaves(plain: Circuits, name: str) -> None:
    board = chess.Board(COMPOSED[name])
    row = plain.row(atoms(board))
    children = expand(plain, row[None])
    reached = {}
    for move in board.legal_moves:
        board.push(move)
        reached[move_term(move, True)] = {*atoms(board)}
        board.pop()
    found = {
        plain.rules.moves[move]: {*plain.atoms(child)}
        for move, child in zip(children.move, children.rows, strict=True)
    }
    assert found == reached


def test_random_games_go_the_same_way(plain: Circuits) -> None:
    rng = np.random.default_rng(3)
    board, row = chess.Board(), plain.start
    for _ in range(150):
        if board.is_game_over():
            board, row = chess.Board(), plain.start
        options = sorted(board.legal_moves, key=str)
        move = options[rng.integers(len(options))]
        number = plain.rules.moves.index(move_term(move, board.turn))
        row = plain.step(row[None], np.array([number]), np.zeros(1, np.uint8))[0]
        board.push(move)
        assert {*plain.atoms(row)} == {*atoms(board)}


def test_no_state_of_random_games_breaks_the_contract(plain: Circuits) -> None:
    rows = np.array([plain.row(atoms(board)) for board in random_boards(300, 5)])
    assert not Inspector(plain).suspect(rows).any()


# Who sees what


def test_moves_boards_and_names_are_those_of_white() -> None:
    playing = rooms.by_circuits(known()).begin("e2e4 e7e5 g1f3")
    assert playing.turn == "black"
    assert [*playing.rows] == [
        "8 r n b q k b n r",
        "7 p p p p . p p p",
        "6 . . . . . . . .",
        "5 . . . . p . . .",
        "4 . . . . P . . .",
        "3 . . . . . N . .",
        "2 P P P P . P P P",
        "1 R N B Q K B . R",
        "  a b c d e f g h",
    ]
    assert ("move", 2, 8, 3, 6, "none") in playing.legal
    assert ("piece", "opp", "pawn", 5, 5) in playing.atoms


def test_lines_and_reasons_are_told_as_white_sees_them() -> None:
    moves = "e2e4 e7e5 d1h5 b8c6"
    playing = rooms.by_circuits(known()).begin(f"{moves} f1c4")
    advice = advise(RuleAbilities(playing), Limit(2), np.random.default_rng(1), traced=True)
    best = advice.moves[0]
    assert {"meets_mate"} <= {firing.strategy for firing in best.fires}
    assert best.trace is not None
    assert best.trace.value == best.ahead
    # The knight or the pawn beside the king, as white counts the ranks.
    assert best.trace.line[0][1:3] in ((7, 8), (7, 7))
    replies = {str(c.move): c for c in advice.moves}
    assert replies[str(("move", 7, 8, 6, 6, "none"))].score.kind == "loss"


# Draws by repetition, and counters

ROUND = "g1f3 g8f6 f3g1 f6g8"


def test_a_position_that_stands_three_times_is_a_draw() -> None:
    assert not rooms.by_circuits(known()).begin(ROUND).over
    twice = rooms.by_circuits(known()).begin(f"{ROUND} {ROUND}")
    assert twice.over
    assert twice.winner is None
    # Two moves fewer, or a pawn that has moved in between.
    assert not rooms.by_circuits(known()).begin(" ".join(f"{ROUND} {ROUND}".split()[:-1])).over
    other = f"{ROUND} a2a3 a7a6 {ROUND}"
    assert not rooms.by_circuits(known()).begin(other).over


def pushed_beside(count: int, seed: int) -> Iterator[chess.Board]:
    """Random positions in which a pawn has just gone two squares and stands beside another's."""
    source = random.Random(seed)
    while count:
        file = source.randrange(8)
        beside = file + source.choice((-1, 1))
        if not 0 <= beside < 8:
            continue
        pawns = [chess.square(file, 1), chess.square(beside, 3)]
        free = {*chess.SQUARES} - {*pawns, chess.square(file, 2), chess.square(file, 3)}
        pieces = ["P", "p", "K", "k", *source.choices("RBQ", k=6)]
        squares = [*pawns, *source.sample(sorted(free), len(pieces) - 2)]
        board = chess.Board.empty()
        for square, piece in zip(squares, pieces, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        push = chess.Move(pawns[0], chess.square(file, 3))
        if board.is_valid() and board.is_legal(push):
            board.push(push)
            if board.is_valid():
                count -= 1
                yield source.choice((board, board.mirror()))


def test_a_passed_square_counts_only_where_the_pawn_may_be_taken(plain: Circuits) -> None:
    for board in (boards := [*pushed_beside(250, 4)]):
        left = plain.atoms(plain.without_moot(plain.row(atoms(board))[None])[0])
        assert any(atom[0] == "ep" for atom in left) == board.has_legal_en_passant(), board.fen()
    assert sum(not board.has_legal_en_passant() for board in boards) > 20


@pytest.mark.parametrize(
    ("fen", "over"),
    [
        ("3k2n1/8/8/8/3p4/8/4P3/3RK1N1 w - - 0 1", True),
        ("3k2n1/8/8/8/3p4/8/4P3/4K1NR w - - 0 1", False),
    ],
    ids=["pinned pawn", "free pawn"],
)
def test_a_position_with_a_pinned_pawn_is_counted_as_fide_says(fen: str, over: bool) -> None:
    moves = ["e4", "Nf6", "Nf3", "Ng8", "Ng1", "Nf6", "Nf3", "Ng8", "Ng1"]
    board = chess.Board(fen)
    for move in moves:
        board.push_san(move)
    assert (
        rooms.by_circuits(known()).begin(f"{fen} {' '.join(moves)}").over
        == board.is_repetition()
        == over
    )


def test_who_stands_worse_looks_for_the_third_time_and_who_stands_better_avoids_it() -> None:
    """White, a queen up, may go back to where the game has been twice, or elsewhere."""
    state = rooms.by_circuits(known()).begin("7k/8/8/8/8/8/4Q3/K7 w - - 0 1")
    there = "e2e3 h8g8 e3e2"
    for move in f"{there} g8h8 {there}".split():
        state = state.after(state.read_move(move))
    position = state.root  # black may repeat for the third time
    found = search(position, RowEvaluator(known()), depth=2, every_move=True)
    values = {known().rules.moves[move]: value for move, value in found.scores.items()}
    assert values.pop(("move", 7, 1, 8, 1, "none")) == 0
    assert max(values.values()) < -500
    assert found.value == 0


def test_counters_stay_out_of_keys_until_they_matter() -> None:
    def key(clock: int) -> object:
        board = chess.Board(f"4k3/8/8/8/8/8/4R3/4K3 w - - {clock} 80")
        return RowPosition(known(), known().row(atoms(board)), 0).key

    assert key(0) == key(17) == key(63)
    assert key(64) != key(65)


# Noisy moves


def settled_by_hand(game: Circuits, row: np.ndarray, plies: int) -> int:
    """Quiescence as the contract says it, one state at a time."""
    leaf = game.leaf(row[None])
    value = int(leaf.values[0])
    if leaf.certain[0] or not plies:
        return value
    children = expand(game, row[None], game.noisy(row[None]))
    for child in children.rows:
        below = -settled_by_hand(game, child, plies - 1)
        below -= (below >= WIN - 1000) - (below <= 1000 - WIN)
        value = max(value, below)
    return value


def test_leaves_are_worth_what_noisy_moves_make_of_them() -> None:
    game = known()
    added = 0
    for board in [*random_boards(120, 11)][20::14]:
        row = game.row(atoms(board))
        if game.look(row[None]).over[0]:
            continue
        evaluator = RowEvaluator(game)
        position = RowPosition(game, row, 0)
        (value,) = evaluator.values([position], 0)
        assert value == settled_by_hand(game, row, game.noisy_plies)
        end = position
        for move in settling(position):
            end = end.after(move)
        assert value == int(game.leaf(end.row[None]).values[0]) * (-1) ** end.turn
        (deeper,) = evaluator.values([position], 1)
        below = [-settled_by_hand(game, r, game.noisy_plies) for r in expand(game, row[None]).rows]
        assert deeper == max(v - (v >= WIN - 1000) + (v <= 1000 - WIN) for v in below)
        added += evaluator.added
    assert added


def test_no_piece_is_taken_that_is_taken_back() -> None:
    """One ply ahead, the queen would take a guarded pawn if nothing followed the exchange."""
    board = chess.Board("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1")
    row = known().row(atoms(board))
    taking = known().rules.moves.index(("move", 4, 2, 4, 6, "none"))
    position = RowPosition(known(), row, 0)
    found = search(position, RowEvaluator(known()), depth=1, every_move=True)
    assert found.scores[taking] < 0
    assert found.value > 0


def test_mate_is_told_in_moves() -> None:
    board = chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 0 1")
    playing = RulePosition(rooms.by_circuits(known()), (), known().row(atoms(board)))
    best = advise(RuleAbilities(playing), Limit(2), np.random.default_rng(1)).moves[0]
    assert (best.score.kind, best.score.moves, best.score.plies) == ("win", 1, 1)


def test_few_pieces_are_looked_at_for_longer() -> None:
    board = chess.Board("7k/8/8/8/8/8/8/RK6 w - - 0 1")
    playing = RulePosition(rooms.by_circuits(known()), (), known().row(atoms(board)))
    advice = advise(RuleAbilities(playing), Limit(1), np.random.default_rng(1))
    assert (advice.depth, advice.deeper) == (3, 2)
    assert known().deeper(known().start) == 0


# Earlier systems


def test_the_preset_of_2021_counts_as_that_program_did() -> None:
    game, config = knowledge.load("chess", "speybroeck")
    assert config.name == "speybroeck"
    assert game.noisy_plies == 0

    def value(fen: str) -> int:
        return int(game.leaf(game.row(atoms(chess.Board(fen)))[None]).values[0])

    assert value(chess.STARTING_FEN) == 0
    # A queen on d1: 18, less 1 as she has not moved; on d4 she is in the centre.
    assert value("4k3/8/8/8/8/8/8/3QK3 w - - 0 1") == 17
    assert value("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1") == 19
    assert value("4k3/8/8/8/3K4/8/8/3Q4 w - - 0 1") == 16
