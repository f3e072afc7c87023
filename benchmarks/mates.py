"""Mates in one, two and three for `puzzles/chess`, out of random games, and checked.

    python benchmarks/mates.py make FOLDER --count 80 70 50 --seed 1
    python benchmarks/mates.py check puzzles/chess

`make` looks for them over the rules: every move and every reply, so that exactly one first
move mates so fast. `check` asks python-chess, by the plainest search there is.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import chess
import numpy as np

from advisor.engine.playouts import random_moves
from advisor.engine.rows import Rows, expand
from advisor.games.chess.notation import placed
from advisor.games.circuits import Circuits
from advisor.games.playing import Playing
from advisor.games.puzzles import Posed, book
from advisor.games.rules import read

_GAMES, _PLIES = 64, 90
_QUIET = 24
"""Plies of a game before which nobody looks for mates."""

_OF_A_PLY = 3
"""Mates that are looked at more closely after so many plies of all games."""

_HEAD = """\
# Mates in {n} out of random games. Exactly one first move mates in {n}; found by
# benchmarks/mates.py over the rules, checked with python-chess.
"""


def mating(game: Circuits, rows: Rows) -> np.ndarray:
    """How many moves of each state mate at once."""
    children = expand(game, rows)
    over = game.look(children.rows)
    won = over.over & (over.result != 0)
    return np.bincount(children.parent[won], minlength=len(rows))


def lost(game: Circuits, rows: Rows, moves: int, rng: np.random.Generator) -> np.ndarray:
    """Whose side to move is mated, now or within so many moves of the other side."""
    look = game.look(rows)
    found = look.over & (look.result != 0)
    left = np.flatnonzero(~look.over)
    if moves == 0:
        return found
    for _ in range(2):  # a reply at random refutes most moves
        if len(left):
            here = look.take(left)
            replies = game.step(rows[left], random_moves(here, rng), here.turn)
            left = left[won(game, replies, moves, rng)]
    if len(left):
        children = expand(game, rows[left])
        escapes = ~won(game, children.rows, moves, rng)
        found[left[np.bincount(children.parent, escapes, len(left)) == 0]] = True
    return found


def won(game: Circuits, rows: Rows, moves: int, rng: np.random.Generator) -> np.ndarray:
    """Whose side to move mates within so many moves."""
    found = mating(game, rows) > 0
    going = np.flatnonzero(~found)
    if moves > 1 and len(going):
        children = expand(game, rows[going])
        found[going[children.parent[lost(game, children.rows, moves - 1, rng)]]] = True
    return found


def forced(game: Circuits, row: Rows, moves: int, rng: np.random.Generator) -> list[int]:
    """All moves of a state that mate within so many moves."""
    children = expand(game, row[None])
    return children.move[lost(game, children.rows, moves - 1, rng)].tolist()


def by_checks(game: Circuits, rows: Rows, moves: int) -> np.ndarray:
    """Which states are won by checks alone that mate in so many moves: a quick look at many."""
    won = mating(game, rows) > 0
    going = np.flatnonzero(~won)
    if moves == 1 or not len(going):
        return won
    children = expand(game, rows[going])
    check = game.holds(children.rows, "check") & ~game.look(children.rows).over
    checks = np.flatnonzero(check)
    if len(checks):
        replies = expand(game, children.rows[checks])
        escapes = ~by_checks(game, replies.rows, moves - 1)
        mated = np.bincount(replies.parent, escapes, len(checks)) == 0
        won[going[children.parent[checks[mated]]]] = True
    return won


def make(folder: Path, counts: list[int], seed: int) -> None:
    """Writes files with so many mates in one, two and three, one of a random game at most."""
    game = Circuits(read("chess"))
    rng = np.random.default_rng(seed)
    found: dict[int, list[str]] = {n: [] for n in range(1, len(counts) + 1)}
    started = time.monotonic()

    def add(n: int, row: Rows, turn: int, move: int) -> None:
        atoms = (game.rules.seen(atom, turn == 1) for atom in game.atoms(row))
        text = str(replace(placed(atoms, turn), clock=0))
        begun = Playing.of(game, text)
        name = begun.names[begun.name(move)]
        found[n].append(f"{text}; win in {n}; {name}")
        print(n, len(found[n]), f"{time.monotonic() - started:.0f} s", flush=True)
        lines = _HEAD.format(n=n) + "\n".join(found[n]) + "\n"
        (folder / f"mate{n}.txt").write_text(lines)

    while any(len(found[n]) < counts[n - 1] for n in found):
        rows = np.repeat(game.start[None], _GAMES, 0)
        attacker = int(rng.integers(2))
        for ply in range(_PLIES):
            look = game.look(rows)
            going = np.flatnonzero(~look.over)
            rows, look = rows[going], look.take(going)
            if not len(rows):
                break
            if ply >= _QUIET and ply % 2 == attacker:
                used = np.zeros(len(rows), np.bool_)
                for n in found:
                    won = by_checks(game, rows, n) & ~used
                    used |= won
                    for i in np.flatnonzero(won)[:_OF_A_PLY]:
                        if len(found[n]) < counts[n - 1]:
                            mating_moves = forced(game, rows[i], n, rng)
                            if len(mating_moves) == 1:
                                add(n, rows[i], ply % 2, mating_moves[0])
                rows, look = rows[~used], look.take(np.flatnonzero(~used))
            moves = random_moves(look, rng)
            if ply % 2 == attacker:  # takes what it can, so that the other side has little left
                taking = game.noisy(rows)
                some = np.flatnonzero(taking.counts())
                moves[some] = random_moves(taking.take(some), rng)
            rows = game.step(rows, moves, look.turn)


def mates(board: chess.Board, moves: int) -> list[chess.Move]:
    """The moves that mate in so many or fewer, by python-chess."""
    found = []
    for move in list(board.legal_moves):
        board.push(move)
        if board.is_checkmate() or (moves > 1 and _lost(board, moves - 1)):
            found.append(move)
        board.pop()
    return found


def _lost(board: chess.Board, moves: int) -> bool:
    """Whether the side to move is mated in so many of the other side's moves."""
    replies = list(board.legal_moves)
    for move in replies:
        board.push(move)
        escaped = not _won(board, moves)
        board.pop()
        if escaped:
            return False
    return bool(replies)


def _won(board: chess.Board, moves: int) -> bool:
    for move in sorted(board.legal_moves, key=board.gives_check, reverse=True):
        board.push(move)
        found = board.is_checkmate() or (moves > 1 and _lost(board, moves - 1))
        board.pop()
        if found:
            return True
    return False


def check(posed: Posed) -> bool:
    """Whether python-chess finds the one solution, and none that is faster."""
    board = chess.Board(posed.text)
    solution = board.parse_san(posed.solution)
    faster = posed.win_in > 1 and mates(board, posed.win_in - 1)
    return board.is_valid() and not faster and mates(board, posed.win_in) == [solution]


def main() -> None:
    """Makes or checks puzzles."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("make", "check"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, nargs="+", default=[80, 70, 50])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "make":
        make(given.folder, given.count, given.seed)
        return
    started = time.monotonic()
    wrong = [posed.id for posed in book("chess").values() if not check(posed)]
    spent = time.monotonic() - started
    print(f"{len(book('chess'))} puzzles, wrong: {', '.join(wrong) or 'none'}; {spent:.0f} s")


if __name__ == "__main__":
    main()
