"""What explanations of chess say of moves, checked by definitions over python-chess."""

import chess
import pytest

import advisor
from chess_rules import random_boards
from chess_truth import false_ones, is_true, told_by_advice, told_of_moves


@pytest.fixture(scope="module")
def game() -> "advisor.Game":
    return advisor.load_game("chess")


def events(game: "advisor.Game", board: chess.Board, move: chess.Move) -> dict[str, str]:
    """The texts of what a move does, by the names of the events."""
    position = game.position(board.fen())
    term = next(t for t, name in position.names.items() if board.parse_san(name) == move)
    return {event.name: event.text for event in position.abilities.events(term)}


THEMES = [
    ("8/3P3k/8/8/8/8/8/4K3", "d8=Q", "promotes to a queen on d8"),
    ("5rk1/5ppp/8/8/8/8/2B2PPP/3Q2K1", "Qd3", "threatens mate on h7 with a queen"),
    ("6k1/5ppp/8/8/7R/8/5PPP/6K1", "Ra4", "threatens mate on the back rank on a8 with a rook"),
    ("6k1/1b6/8/8/8/7q/5P1P/3Q1RK1", "Qg4+", "guards g2, where a queen threatens mate"),
    ("4k3/8/8/3r4/8/8/8/3R1K2", "Rxd5", "takes the rook on d5, which nothing guards"),
    ("8/3k4/3r4/8/4N3/8/8/5K2", "Nxd6", "takes the rook on d6 with a knight, which is worth less"),
    ("r3k3/8/8/1N6/8/8/8/4K3", "Nc7+", "forks the king on e8 and the rook on a8"),
    ("4k3/8/2n5/8/8/8/8/4KB2", "Bb5", "pins the knight on c6 to the king"),
    ("3qk3/8/5n2/8/8/8/8/2B1K3", "Bg5", "pins the knight on f6 to the queen"),
    ("6r1/8/8/3k4/8/8/8/3BK3", "Bb3+", "attacks the king and, behind it, the rook on g8"),
    ("k3q3/8/8/8/4N3/8/8/K3R3", "Nc5", "uncovers an attack by a rook on the queen on e8"),
    ("n7/7k/8/P7/5B2/8/3K4/4R3", "Re8", "attacks the knight on a8, which no move takes to safety"),
    (
        *("4k3/1p6/2n5/1B2p3/8/5N2/8/4K3", "Bxc6+"),
        "takes the knight that alone guards the pawn on e5",
    ),
    (
        *("6k1/1n2q3/8/8/4n3/8/8/1R1R2K1", "Re1"),
        "leaves a queen alone to guard the knight on b7 and the knight on e4",
    ),
    ("4k3/5p2/8/8/2B5/8/8/4K3", "Be6", "puts the bishop on e6, where a pawn can take it"),
    (
        *("4k3/5p2/8/8/2B5/8/8/4K3", "Bxf7+"),
        "puts the bishop on f7, where it is attacked and nothing guards it",
    ),
    (
        *("4k3/4rp2/8/8/2B5/8/8/6K1", "Bxf7+"),
        "takes the pawn on f7 with a bishop, which can be taken back",
    ),
    ("4k3/8/8/3p4/2B5/8/8/4K3", "Kd2", "lets a pawn take the bishop on c4"),
    ("4k3/8/2r5/8/2B5/8/8/4K3", "Ke2", "leaves the bishop on c4 attacked and unguarded"),
    ("4k3/8/8/3n4/8/8/8/4KR2", "Rf5", "attacks the knight on d5, which nothing guards"),
    ("3qk3/8/8/8/8/8/8/2R2RK1", "Rfd1", "attacks the queen on d8"),
    ("4k3/8/8/3p4/2B5/8/8/4K3", "Bb3", "saves the bishop that was attacked on c4"),
    (
        "4k3/8/2r5/8/2B5/8/3P4/4K3",
        "d3",
        "guards the bishop on c4, which was attacked and unguarded",
    ),
    ("4k3/8/8/3p4/4P3/8/8/4K3", "exd5", "gives white a passed pawn on d5"),
    ("4k3/8/3P4/8/8/8/8/4K3", "d7+", "brings a passed pawn to d7, one step from promotion"),
    ("4k3/8/8/8/1N1p4/8/8/4K3", "Nd3", "blocks the passed pawn on d4"),
    (
        *("3qk3/8/8/8/8/7n/6P1/6K1", "gxh3"),
        "leaves white's own king without a pawn on the g file",
    ),
    (
        *("6k1/6p1/8/8/8/2B5/8/3Q2K1", "Bxg7"),
        "leaves black's king without a pawn on the g file",
    ),
    ("3qk3/8/8/8/8/8/3R4/3RK2Q", "Rxd8+", "takes the queen on d8 with a rook, which is worth less"),
]


@pytest.mark.parametrize(("pieces", "san", "said"), THEMES)
def test_a_theme_is_told_and_true_for_either_side(
    game: "advisor.Game", pieces: str, san: str, said: str
) -> None:
    board = chess.Board(f"{pieces} w - - 0 1")
    assert board.is_valid()
    move, other = board.parse_san(san), board.mirror()
    found = events(game, board, move)
    assert said in found.values()
    mirrored = chess.Move(
        chess.square_mirror(move.from_square), chess.square_mirror(move.to_square), move.promotion
    )
    for here, made in ((board, move), (other, mirrored)):
        told = events(game, here, made)
        assert set(told) == set(found)
        assert all(is_true(here, made, text) for text in told.values()), told


FALSE = [
    ("r3k3/8/8/1N6/8/8/8/4K3", "Nd6+", "forks the king on e8 and the rook on a8"),
    ("4k3/3p4/2n5/8/8/8/8/4KB2", "Bb5", "pins the pawn on d7 to the king"),
    ("6k1/5pp1/8/8/7R/8/5PPP/6K1", "Ra4", "threatens mate on the back rank on a8 with a rook"),
    ("n7/7k/8/P7/8/8/3K4/4R3", "Re8", "attacks the knight on a8, which no move takes to safety"),
    ("4k3/8/8/3r4/8/2n5/8/3R1K2", "Rxd5", "takes the rook on d5, which nothing guards"),
    ("3bR3/2P5/5bkN/p7/7R/5K2/1n6/8", "cxd8=R", "takes the open d file with a rook"),
]
"""Sentences that do not hold: in each something is missing."""


@pytest.mark.parametrize(("pieces", "san", "said"), FALSE)
def test_a_sentence_that_does_not_hold_is_neither_told_nor_true(
    game: "advisor.Game", pieces: str, san: str, said: str
) -> None:
    board = chess.Board(f"{pieces} w - - 0 1")
    assert said not in events(game, board, board.parse_san(san)).values()
    assert not is_true(board, board.parse_san(san), said)


def test_what_is_told_of_moves_in_random_positions_is_true(game: "advisor.Game") -> None:
    told = 0
    for board in [*random_boards(160, seed=20261129)][::8]:
        if any(board.legal_moves) and not board.is_insufficient_material():
            count, false = false_ones(told_of_moves(game, board))
            told += count
            assert not false
    assert told > 60


EXPLAINED = (
    "r2r1k2/1p6/1N1p2pp/1Pp2p2/p1n4P/P3P1P1/3NKPB1/B2R4 w - - 0 33",
    "r1bq1rk1/pp3ppp/2B1pbn1/2P5/4P1P1/P1p1BN1P/1PP2P2/R2QK2R w KQ - 0 12",
    "rn2k2r/1p1n1pb1/2qp2p1/7p/p1P1p2P/1P1PBNP1/P1Q1PP2/1R2K2R w Kkq - 0 18",
)


@pytest.mark.slow
def test_explanations_of_advice_are_true_and_short(game: "advisor.Game") -> None:
    for fen in EXPLAINED:
        told, false = false_ones(told_by_advice(game, chess.Board(fen), depth=3))
        assert told
        assert not false
        advice = advisor.suggest(game.position(fen), depth=3, traced=True)
        assert len(advisor.explain(advice)[0].split()) <= 60
