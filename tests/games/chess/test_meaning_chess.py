"""What the strategies and features of chess mean, written again from their sentences.

Each is compared with its definition here, made with python-chess, on random positions. The
definitions follow what a user reads and share nothing with the rules.
"""

import random
from collections.abc import Iterator

import chess
import pytest

from advisor.games import knowledge
from advisor.games.circuits import Circuits
from aspcircuits.clingo_api import render
from chess_rules import atoms, move_term, random_boards

SEED = 20260724
VALUE = {
    chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 10
}  # fmt: skip
OFFICERS = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
FILES = {"d": 1, "e": 1, "c": 2, "f": 2, "b": 3, "g": 3, "a": 4, "h": 4}


@pytest.fixture(scope="module")
def game() -> Circuits:
    return knowledge.load("chess")[0]


def square(at: int) -> str:
    return f"({chess.square_file(at) + 1},{chess.square_rank(at) + 1})"


def ring(at: int) -> int:
    """How far from the four squares in the middle, from 1 on."""
    return 1 + min(chess.square_distance(at, middle) for middle in (27, 28, 35, 36))


def attacked(b: chess.Board, by: chess.Color) -> set[int]:
    """Squares that a side attacks; what slides looks through the other side's king."""
    seen = b.copy(stack=False)
    king = seen.king(not by)
    assert king is not None
    at = {s for s in chess.SQUARES if seen.is_attacked_by(by, s)}
    seen.remove_piece_at(king)
    return at | {s for s in chess.SQUARES if seen.is_attacked_by(by, s)}


def reached(b: chess.Board, side: chess.Color) -> set[tuple[str, int]]:
    """Squares that officers attack, and how; what slides looks through the other side's king."""
    seen = b.copy(stack=False)
    king = seen.king(not side)
    assert king is not None
    seen.remove_piece_at(king)
    found = set()
    for board in (b, seen):
        for at, piece in board.piece_map().items():
            for to in board.attacks(at) if piece.color == side else ():
                if piece.piece_type == chess.KNIGHT:
                    found.add(("leap", to))
                if piece.piece_type in (chess.BISHOP, chess.ROOK, chess.QUEEN):
                    line = chess.square_file(at) == chess.square_file(to)
                    line |= chess.square_rank(at) == chess.square_rank(to)
                    found.add(("straight" if line else "slanting", to))
    return found


def armed(b: chess.Board, side: chess.Color) -> bool:
    """Has both a queen and a rook, bishop or knight."""
    others = (chess.KNIGHT, chess.BISHOP, chess.ROOK)
    return bool(b.pieces(chess.QUEEN, side)) and any(b.pieces(t, side) for t in others)


def features(b: chess.Board) -> Iterator[tuple[str, str, str]]:
    """Of a board on which White is to move."""
    yield "turn", "own", "now"
    attacks = {side: attacked(b, side) for side in chess.COLORS}
    kings = {side: b.king(side) for side in chess.COLORS}
    for side, name in ((chess.WHITE, "own"), (chess.BLACK, "opp")):
        other = not side

        def rank(at: int, side: chess.Color = side) -> int:
            row = chess.square_rank(at)
            return row + 1 if side else 8 - row

        king, his = kings[side], kings[other]
        assert king is not None
        assert his is not None
        mine = {at: p.piece_type for at, p in b.piece_map().items() if p.color == side}
        pawns = [at for at, what in mine.items() if what == chess.PAWN]
        files = [chess.square_file(at) for at in pawns]
        theirs = b.pieces(chess.PAWN, other)
        castled = rank(king) == 1 and chess.square_file(king) not in (3, 4)
        guarded = {to for at in pawns for to in b.attacks(at)}
        barred = {to for at in theirs for to in b.attacks(at)}
        ending = not armed(b, side) and not armed(b, other)
        for file in range(8):
            if file not in files and abs(file - chess.square_file(king)) <= 1 and armed(b, other):
                yield "bare", name, f"file({file + 1})"
        for how, to in reached(b, side):
            if to not in barred:
                yield f"reach({how})", name, square(to)
        for at, what in mine.items():
            kind, here, file = chess.piece_name(what), square(at), chess.square_file(at)
            if what == chess.KING:
                away = "king" if armed(b, other) else "active"
                yield f"{away}({ring(at)})", name, here
                continue
            yield f"piece({kind})", name, here
            if what in (chess.KNIGHT, chess.BISHOP, chess.QUEEN):
                yield f"ring({kind},{ring(at)})", name, here
            if what in (chess.KNIGHT, chess.BISHOP) and rank(at) == 1:
                yield "asleep", name, here
            if what == chess.ROOK and file not in files:
                yield "open_file", name, here
            chased = any(
                abs(chess.square_file(p) - file) == 1 and rank(p) > rank(at) for p in theirs
            )
            high = 4 <= rank(at) <= 6 and at in guarded
            if what in (chess.KNIGHT, chess.BISHOP) and high and not chased:
                yield f"outpost({kind})", name, here
            if what == chess.ROOK and rank(at) == 7:
                yield "seventh", name, here
            if at in attacks[other] and at not in attacks[side]:
                yield "hanging", name, here
            by_pawn = any(p in theirs for p in b.attackers(other, at))
            if what in OFFICERS and by_pawn and at in attacks[side]:
                yield "harried", name, here
            if what != chess.PAWN:
                continue
            yield f"pawn({rank(at)})", name, here
            yield f"file({FILES[chess.FILE_NAMES[file]]})", name, here
            if ending:
                yield "late", name, here
            if at in guarded:
                yield "backed", name, here
            if file in (3, 4) and rank(at) in (4, 5):
                yield "centre", name, here
            if any(chess.square_file(p) == file and p > at for p in pawns):
                yield "doubled", name, here
            if file - 1 not in files and file + 1 not in files:
                yield "isolated", name, here
            stops = [p for p in theirs if abs(chess.square_file(p) - file) <= 1]
            if not any(rank(p) > rank(at) for p in stops):
                yield f"passed({rank(at)})", name, here
                ahead = at + 8 if side else at - 8
                if b.piece_at(ahead) is None and ahead not in attacks[other]:
                    yield f"free({rank(at)})", name, here
                if b.color_at(ahead) == other:
                    yield f"stopped({rank(at)})", name, here
            near = abs(file - chess.square_file(king)) <= 1
            if castled and near and rank(at) in (2, 3) and armed(b, other):
                yield "shelter", name, here
        colours = {chess.BB_SQUARES[at] & chess.BB_LIGHT_SQUARES != 0
                   for at in b.pieces(chess.BISHOP, side)}  # fmt: skip
        if len(colours) == 2:
            yield "bishops", name, "pair"
        if b.has_kingside_castling_rights(side):
            yield "can_castle", name, "king"
        if b.has_queenside_castling_rights(side):
            yield "can_castle", name, "queen"
        for at in attacks[side]:
            if armed(b, side) and chess.square_distance(at, his) == 1:
                yield "siege", name, square(at)
        if sum(p.color == other for p in b.piece_map().values()) == 1:
            yield f"driven({ring(his)})", name, square(his)
            for n in range(chess.square_distance(king, his), 7):
                yield f"near({n})", name, "kings"


# Strategies


def wins(b: chess.Board, move: chess.Move, then: chess.Board) -> str | None:
    """Takes a piece that is not guarded, or is worth more than what takes it."""
    taken = chess.PAWN if b.is_en_passant(move) else b.piece_type_at(move.to_square)
    if taken is None:
        return None
    mover = b.piece_type_at(move.from_square)
    assert mover is not None
    guarded = then.is_attacked_by(chess.BLACK, move.to_square)
    worth_more = VALUE[taken] > VALUE[mover]
    return chess.piece_name(taken) if worth_more or not guarded else None


def hangs(b: chess.Board, move: chess.Move, then: chess.Board) -> str | None:
    """Puts a piece where a pawn attacks it, or anything while it is unguarded, and takes nothing
    worth as much; a pawn where it is attacked and not guarded, and takes nothing."""
    at = move.to_square
    moved, taken = then.piece_type_at(at), b.piece_type_at(at)
    assert moved is not None
    if b.is_en_passant(move):
        taken = chess.PAWN
    if moved == chess.KING or (taken and VALUE[taken] >= VALUE[moved]):
        return None
    attackers = then.attackers(chess.BLACK, at)
    guarded = then.is_attacked_by(chess.WHITE, at)
    by_pawn = moved != chess.PAWN and any(then.piece_type_at(by) == chess.PAWN for by in attackers)
    return chess.piece_name(moved) if by_pawn or (attackers and not guarded) else None


def pins(b: chess.Board, move: chess.Move, then: chess.Board) -> bool:
    """The piece that moves pins one to the king, from a line that it was not on."""
    at, king = move.to_square, then.king(chess.BLACK)
    assert king is not None
    if then.piece_type_at(at) not in (chess.BISHOP, chess.ROOK, chess.QUEEN):
        return False
    return any(
        then.is_pinned(chess.BLACK, s)
        and at in then.pin(chess.BLACK, s)
        and not (b.is_pinned(chess.BLACK, s) and move.from_square in b.pin(chess.BLACK, s))
        for s in then.attacks(at)
        if then.color_at(s) == chess.BLACK and s != king
    )


def forks(b: chess.Board, move: chess.Move, then: chess.Board) -> bool:
    """Attacks two pieces that are worth more, or unguarded ones worth more than a pawn. Squares
    behind the one it comes from were attacked before, unless it was a pawn."""
    at = move.to_square
    then = then.copy(stack=False)
    if not move.promotion:
        then.set_piece_at(move.from_square, chess.Piece(chess.PAWN, chess.WHITE))
    what = then.piece_type_at(at)
    assert what is not None
    guarded = attacked(b, chess.BLACK)
    aims = [
        s
        for s in then.attacks(at)
        if (piece := then.piece_at(s))
        and piece.color == chess.BLACK
        and (
            VALUE[piece.piece_type] > VALUE[what]
            or (piece.piece_type in OFFICERS and s not in guarded)
        )
    ]
    return what != chess.KING and len(aims) >= 2


def strategies(b: chess.Board, move: chess.Move) -> Iterator[str]:
    """Of a move of White's; those whose sentences say enough to be tried."""
    then = b.copy(stack=False)
    then.push(move)
    mover, file, row = (
        b.piece_type_at(move.from_square),
        chess.square_file(move.to_square),
        chess.square_rank(move.to_square),
    )
    if taken := wins(b, move, then):
        yield f"wins({taken})"
    if not b.is_castling(move):
        if moved := hangs(b, move, then):
            yield f"hangs({moved})"
        else:
            if pins(b, move, then):
                yield "pins"
            if forks(b, move, then):
                yield "forks"
    if then.is_check():
        yield "check"
    if (
        mover in (chess.KNIGHT, chess.BISHOP)
        and chess.square_rank(move.from_square) == 0
        and row > 0
    ):
        yield "develops"
    if mover == chess.PAWN and file in (3, 4) and row in (3, 4):
        yield "centre"
    if b.is_castling(move):
        yield "castles"


def boards(count: int) -> list[chess.Board]:
    """Positions of random games, and of some near their end; White to move."""
    print(f"seed {SEED}")
    draw = random.Random(SEED)
    found = [*random_boards(count, SEED)]
    for number, b in enumerate(found):
        if number % 4 == 0:
            for at, piece in [*b.piece_map().items()]:
                if piece.piece_type != chess.KING and draw.random() < 0.7:
                    b.remove_piece_at(at)
            b.castling_rights = b.clean_castling_rights()
            b.ep_square = None
    found = [b if b.turn else b.mirror() for b in found]
    return [b for b in found if b.is_valid() and not b.is_game_over()]


@pytest.mark.slow
def test_features_mean_what_they_say(game: Circuits) -> None:
    for b in boards(500):
        held = game._holding(game.row(atoms(b)), "feature")
        found = {(render(f), render(p), render(where)) for _, f, p, where in held}
        assert found == set(features(b)), b.fen()


def mates(b: chess.Board) -> list[chess.Move]:
    """By which Black's queen, if it is the only one, mates beside the king when White passes."""
    if b.is_check() or len(b.pieces(chess.QUEEN, chess.BLACK)) != 1:
        return []
    passed = b.copy(stack=False)
    passed.push(chess.Move.null())
    king = passed.king(chess.WHITE)
    assert king is not None
    found = []
    for move in passed.legal_moves:
        if (
            passed.piece_type_at(move.from_square) == chess.QUEEN
            and chess.square_distance(move.to_square, king) == 1
        ):
            then = passed.copy(stack=False)
            then.push(move)
            if then.is_checkmate():
                found.append(move)
    return found


def guards(b: chess.Board, move: chess.Move, threats: list[chess.Move]) -> bool:
    """Takes the queen that threatens mate, or guards a square where it mates."""
    then = b.copy(stack=False)
    then.push(move)
    at = move.to_square
    for mate in threats:
        watched = at in then.attackers(chess.WHITE, mate.to_square)
        if at == mate.from_square or (watched and then.piece_type_at(at) != chess.KING):
            return not b.is_castling(move)
    return False


def with_a_queen_near(b: chess.Board, draw: random.Random) -> chess.Board:
    """The position before, but with Black's only queen and another piece near the king."""
    b = b.copy(stack=False)
    for at in b.pieces(chess.QUEEN, chess.BLACK):
        b.remove_piece_at(at)
    king = b.king(chess.WHITE)
    assert king is not None
    helper = draw.choice((chess.ROOK, chess.BISHOP, chess.KNIGHT))
    for what in (chess.QUEEN, helper):
        near = [at for at in chess.SQUARES
                if chess.square_distance(at, king) in (2, 3, 4) and not b.piece_at(at)]  # fmt: skip
        b.set_piece_at(draw.choice(near), chess.Piece(what, chess.BLACK))
    b.ep_square = None
    return b


def said(game: Circuits, b: chess.Board) -> dict[chess.Move, set[str]]:
    """What the rules say of each move."""
    found: dict[str, set[str]] = {}
    for _, strategy, move, *_ in game._holding(game.row(atoms(b)), "fires", "because"):
        found.setdefault(render(move), set()).add(render(strategy))
    named = {move: render(move_term(move, white=True)) for move in b.legal_moves}
    return {move: found.get(name, set()) for move, name in named.items()}


@pytest.mark.slow
def test_guarding_against_mate_means_what_it_says(game: Circuits) -> None:
    draw = random.Random(SEED)
    near = [with_a_queen_near(b, draw) for b in boards(1500)]
    known = (
        "6k1/1b6/8/8/8/7q/5P1P/3Q1RK1 w - - 0 1",  # queen and bishop against g2
        "6k1/1b6/8/8/6q1/8/5P1P/3Q1RK1 w - - 0 1",  # as before, but White is in check
        "2Nr3k/1Bp5/p1P1qpr1/1PP4P/5K2/7p/5P2/8 w - - 1 64",  # the queen leaves e3 free
        "n5b1/3R1P1k/1b2N3/p5PP/1pp4q/1P2N3/2r5/6KR w - - 3 44",  # f8=Q guards f2
    )
    threatened = 0
    for b in [*map(chess.Board, known), *(b for b in near if b.is_valid())]:
        threats = mates(b)
        threatened += bool(threats)
        for move, found in said(game, b).items():
            assert ("meets_mate" in found) == guards(b, move, threats), (b.fen(), move)
    assert threatened > 40


COMPOSED = {
    "promotes before the king": "8/3P4/8/6K1/8/8/3k4/8 w - - 0 1",
    "and takes, on a diagonal": "4r3/3P4/2k5/8/8/8/8/6K1 w - - 0 1",
    "before a knight, and the king behind it": "8/3P4/8/3n4/8/6K1/3k4/8 w - - 0 1",
    "between two knights": "7n/3P4/8/3n4/8/1k4K1/8/8 w - - 0 1",
    "takes what is guarded, and promotes": "rn3k2/2P5/8/8/8/8/8/6K1 w - - 0 1",
    "takes in passing": "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "what is guarded": "3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "what is guarded from behind": "4k3/8/8/3pP3/8/8/3r4/6K1 w - d6 0 1",
    "before a bishop": "6k1/8/8/3pP3/8/8/B7/6K1 w - d6 0 1",
    "before a rook": "3k4/8/8/3pP3/8/8/3R4/6K1 w - d6 0 1",
    "beside a rook, the king on the right": "8/8/8/R2pP2k/8/8/8/6K1 w - d6 0 1",
    "beside a rook, the king on the left": "8/8/8/k2pP2R/8/8/8/6K1 w - d6 0 1",
    "beside two rooks": "8/8/8/k2pP1rR/8/8/8/7K w - d6 0 1",
}
"""Moves of pawns that random games seldom have."""


def test_strategies_mean_what_they_say(game: Circuits) -> None:
    for b in [*map(chess.Board, COMPOSED.values()), *boards(300)]:
        assert b.is_valid(), b.fen()
        threats = mates(b)
        for move, found in said(game, b).items():
            expected = set(strategies(b, move))
            if guards(b, move, threats):
                expected.add("meets_mate")
            assert found == expected, (b.fen(), move)
