"""Compare chess by its encodings with python-chess: moves, results and speed.

    python benchmarks/compare/chess_rules.py equal --positions 20000
    python benchmarks/compare/chess_rules.py perft
    python benchmarks/compare/chess_rules.py depths
    python benchmarks/compare/chess_rules.py table --depths 1 2 3 --games 20

Times are processor time, so that other work does not count. `equal` compares random positions;
`perft` counts the well-known positions and measures the speed of both, also of listing the legal
moves of many positions; `depths` is seconds a move, with and without noisy moves; `table` plays
against random moves at some depths, as Van Speybroeck's program did in 2021.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from copy import copy
from random import Random
from statistics import median
from typing import Any

import chess
import numpy as np

from advisor.engine.nodes import Rows
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.rows import perft
from advisor.engine.search import search
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.rules import read
from advisor.lab.arena import players
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

PERFT = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (20, 400, 8902, 197281, 4865609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (
        *(48, 2039, 97862, 4085603),
    ),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (
        *(46, 2079, 89890, 3894594),
    ),
}
"""Positions of the Chess Programming Wiki with their numbers of games, by plies."""

MIDDLE_GAMES = (
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "r2q1rk1/pp1bbppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10",
    "2rq1rk1/1b2bppp/p2p1n2/1p2p3/4P3/1BN1BP2/PPPQ2PP/2KR3R w - - 0 15",
    "r1b2rk1/2q1bppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 0 12",
    "8/5pk1/6p1/3R3p/7P/6P1/r4P2/6K1 w - - 0 1",
)


def atoms(board: chess.Board) -> list[Term]:
    """Return the base atoms of a position, from its side to move's view."""
    mine = board.turn
    seen = (lambda square: square) if mine else chess.square_mirror
    found: list[Any] = []
    for at, piece in board.piece_map().items():
        place = chess.square_file(seen(at)) + 1, chess.square_rank(seen(at)) + 1
        owner = "own" if piece.color == mine else "opp"
        found.append(("piece", owner, chess.piece_name(piece.piece_type), *place))
    for owner, colour in (("own", mine), ("opp", not mine)):
        if board.has_kingside_castling_rights(colour):
            found.append(("castle", owner, "king"))
        if board.has_queenside_castling_rights(colour):
            found.append(("castle", owner, "queen"))
    if board.ep_square is not None and board.has_pseudo_legal_en_passant():
        found.append(("ep", chess.square_file(board.ep_square) + 1))
    clock = min(100, board.halfmove_clock)
    return found + [("clock", bit) for bit in range(7) if clock >> bit & 1]


def move_term(move: chess.Move, white: bool) -> Term:
    """Return a move from the view of the side that makes it."""
    seen = (lambda square: square) if white else chess.square_mirror
    places = [seen(move.from_square), seen(move.to_square)]
    numbers = [n + 1 for at in places for n in (chess.square_file(at), chess.square_rank(at))]
    return ("move", *numbers, chess.piece_name(move.promotion) if move.promotion else "none")


def ended(board: chess.Board) -> bool:
    """Whether the game is over, as far as the position alone shows it."""
    if not any(board.generate_legal_moves()) or board.is_insufficient_material():
        return True
    return board.halfmove_clock >= 100


def random_boards(count: int, seed: int) -> Iterator[chess.Board]:
    """Yield positions of random games that begin at the start or at a position of `PERFT`."""
    rng = random.Random(seed)
    board = chess.Board()
    for _ in range(count):
        if ended(board) or rng.random() < 0.01:
            board = chess.Board(rng.choice([*PERFT]))
        board.push(rng.choice(list(board.legal_moves)))
        yield board.copy(stack=False)


def differences(game: Circuits, boards: list[chess.Board]) -> list[str]:
    """List positions as FEN in which moves, end or result differ.

    Args:
        game: the game; its one feature, if it has one, says that the side to move is in check.
        boards: the positions to compare.
    """
    look = game.look(np.array([game.row(atoms(board)) for board in boards]))
    legal: list[set[Term]] = [set() for _ in boards]
    for state, move in zip(*look.moves(), strict=True):
        legal[state].add(game.rules.moves[move])
    in_check = game.leaf(np.array([game.row(atoms(board)) for board in boards])).values
    wrong = []
    for number, board in enumerate(boards):
        over = ended(board)
        moves = {move_term(move, board.turn) for move in board.legal_moves} if not over else set()
        result = -1 if board.is_checkmate() else 0
        same = legal[number] == moves and bool(look.over[number]) == over
        same = same and int(look.result[number]) == result
        if game.weights and not over:
            same = same and bool(in_check[number]) == board.is_check()
        if not same:
            wrong.append(board.fen())
    return wrong


def _equal(positions: int, seed: int) -> None:
    game = Circuits(read("chess"))
    kinds: Counter[str] = Counter()
    wrong: list[str] = []
    for start in range(0, positions, 1000):
        boards = [*random_boards(min(1000, positions - start), seed + start)]
        wrong += differences(game, boards)
        for board in boards:
            kinds["check"] += board.is_check()
            kinds["double check"] += len(board.checkers()) > 1
            kinds["mate"] += board.is_checkmate()
            kinds["stalemate"] += board.is_stalemate()
            kinds["too little material"] += board.is_insufficient_material()
            kinds["en passant"] += board.has_legal_en_passant()
            kinds["en passant forbidden"] += (
                board.has_pseudo_legal_en_passant() and not board.has_legal_en_passant()
            )
            kinds["promotion"] += any(move.promotion for move in board.legal_moves)
            kinds["castling"] += any(board.is_castling(move) for move in board.legal_moves)
            kinds["moves"] += board.legal_moves.count()
    print(f"{positions} positions, {len(wrong)} differ; {dict(kinds)}")
    for fen in wrong[:10]:
        print(" ", fen)


def _count(board: chess.Board, plies: int) -> int:
    if plies == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += _count(board, plies - 1)
        board.pop()
    return total


def _timed(function: Any) -> tuple[Any, float]:
    start = time.process_time()
    found = function()
    return found, time.process_time() - start


def _ways(game: Circuits) -> Iterator[tuple[str, Circuits]]:
    """Yield a game with NumPy alone and, if there is machine code, with that."""
    yield "NumPy", game
    native = copy(game)
    native.__dict__.pop("tree", None)
    native.tree.compile_now()
    if native.tree.by_code:
        yield "native", native


def _counting(game: Circuits) -> Any:
    """Return the counter of games in machine code."""
    from counting import counter  # translates its code, which takes seconds

    return counter(game).perft


def _perft() -> None:
    game, seconds = _timed(lambda: Circuits(read("chess")))
    print(f"load {seconds:.2f} s; gates: look {len(game.look_gates)}, step {len(game.step_gates)}")
    for fen, numbers in PERFT.items():
        told = []
        for way, each in _ways(game):
            row: Rows = game.row(atoms(chess.Board(fen)))[None]
            count = _counting(each) if way == "native" else perft
            for plies, number in enumerate(numbers, 1):
                found, seconds = _timed(lambda p=plies, r=row, g=each, c=count: c(g, r, p))
                assert found == number, (way, fen, plies, found)
            told.append(f"{way} {number / seconds / 1e6:.1f} M/s")
        plain, its = _timed(lambda f=fen: _count(chess.Board(f), 3))
        print(f"{', '.join(told)}, python-chess {plain / its / 1e6:.2f} M/s  {fen}", flush=True)
    boards = [*random_boards(4096, 1)]
    rows = np.array([game.row(atoms(board)) for board in boards])
    for way, each in _ways(game):
        each.look(rows[:1024]).moves()
        ours = min(
            _timed(lambda s=s, g=each: g.look(rows[s : s + 1024]).moves())[1]
            for s in range(0, 4096, 1024)
        )
        print(f"legal moves, {way}: {1.024 / ours:.0f} k positions/s")
    theirs = min(_timed(lambda: [list(b.legal_moves) for b in boards[:1024]])[1] for _ in range(3))
    print(f"legal moves, python-chess: {1.024 / theirs:.0f} k positions/s")


def _depths(deepest: int) -> None:
    """Print medians of three; machine code two plies deeper, with empty tables."""
    game, _ = knowledge.load("chess")
    noisy = game.noisy_plies
    for name, game.noisy_plies in (("plain", 0), ("noisy", noisy)):
        for way, each in _ways(game):
            by_code = way == "native"
            for fen in (chess.STARTING_FEN, *MIDDLE_GAMES):
                row = each.row(atoms(chess.Board(fen)))
                told = []
                for depth in range(1, deepest + 1 + 2 * by_code):
                    times = []
                    while len(times) < 3 and sum(times) < 2:
                        evaluator = RowEvaluator(each, machine_code=by_code)
                        root = RowPosition(each, row, 0)
                        if tree := evaluator.machine_search(root):
                            tree.forget()
                        found, seconds = _timed(
                            lambda d=depth, r=root, e=evaluator: search(r, e, depth=d, follow=None)
                        )
                        times.append(seconds)
                    leaves = f"{found.leaves / 1000:.0f} k + {evaluator.added / 1000:.0f} k"
                    told.append(f"{depth}: {median(times) * 1000:.1f} ms ({leaves})")
                print(f"{name}, {way}: {'; '.join(told)}  {fen}", flush=True)


def _table(depths: list[int], games: int, name: str, seed: int) -> None:
    anywhere = players.parse("random", "chess")
    print("depth  s a move  moves a game  won/drawn/lost")
    for depth in depths:
        player = players.parse(f"{name}:depth={depth}", "chess")
        results: Counter[float] = Counter()
        plies, spent, made = 0, 0.0, 0
        for number in range(games):
            rng = Random(f"{seed} {depth} {number}")
            sides = (player, anywhere) if number % 2 == 0 else (anywhere, player)
            state = player.game.position()
            while not state.over:
                who = sides[state.side]
                moves, seconds = _timed(lambda w=who, s=state: w.moves(s, Stop()))
                if who is player:
                    spent, made = spent + seconds, made + 1
                state = state.after(rng.choice(moves))
            plies += len(state.path)
            won = {None: 0.5, 0: 1.0, 1: 0.0}[state.winning_side]
            results[won if number % 2 == 0 else 1 - won] += 1
        told = f"{results[1.0]}/{results[0.5]}/{results[0.0]}"
        print(f"{depth:5}  {spent / made:8.2f}  {plies / 2 / games:12.2f}  {told}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("equal", "perft", "depths", "table"))
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depths", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--weights", default="default")
    given = parser.parse_args()
    if given.what == "equal":
        _equal(given.positions, given.seed)
    elif given.what == "perft":
        _perft()
    elif given.what == "depths":
        _depths(max(given.depths))
    else:
        _table(given.depths, given.games, given.weights, given.seed)


if __name__ == "__main__":
    main()
