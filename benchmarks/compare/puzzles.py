"""Measure how fast puzzles of each length are made, and check each with BitBully.

    python benchmarks/compare/puzzles.py --count 150 150 150 150 150 150 100

BitBully shares no code with the advisor. It scores every column of each puzzle; the scores must
give the number of moves and the solution that the puzzle names.
"""

import argparse
import io
import time
from itertools import count

from advisor.games.connect4 import exact, notation
from advisor.games.connect4.solver import winner_moves
from advisor.library.posing import WantedPuzzles, finder
from aspcircuits import llvm
from aspcircuits.stopping import Stop


def made(win_in: int, wanted: int, seed: int) -> tuple[dict[str, str], float, float, int]:
    """Make puzzles; return them by key, then clock seconds, processor seconds, and tasks."""
    work = finder(None, {}, WantedPuzzles(win_in, seed))
    work("0", Stop())  # compiles what is needed first
    found: dict[str, str] = {}
    started, busy = time.monotonic(), time.process_time()
    for task in count():
        for each in work(str(task), Stop()):
            found.setdefault(each["key"], each["text"])
        if len(found) >= wanted:
            break
    spent = time.monotonic() - started, time.process_time() - busy
    return dict([*found.items()][:wanted]), *spent, task + 1


def agrees(text: str) -> bool:
    """Whether BitBully finds that the same moves win equally fast."""
    board = notation.read_board("-", stdin=io.BytesIO(text.encode()))
    scores = exact.solve(board.position, columns=True, engine="bitbully").moves
    assert scores is not None
    fastest = {
        column: winner_moves(board.position, solution.score or 0)
        for column, solution in scores.items()
        if (solution.score or 0) > 0
    }
    best = min(moves for moves in fastest.values() if moves is not None)
    winners = tuple(sorted(column for column, moves in fastest.items() if moves == best))
    return best == board.win_in and winners == board.solution


def main() -> None:
    """Make and check the puzzles."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, nargs="+", default=[150] * 6 + [100])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"machine code: {'yes' if llvm.available() else 'no'}")
    wrong = total = 0
    for win_in, wanted in enumerate(given.count, 1):
        found, seconds, busy, tasks = made(win_in, wanted, given.seed)
        started = time.monotonic()
        refused = [key for key, text in found.items() if not agrees(text)]
        spent = time.monotonic() - started
        total, wrong = total + len(found), wrong + len(refused)
        print(
            f"win in {win_in}: {len(found)} puzzles in {seconds:.1f} s "
            f"({len(found) / busy:.1f} a second of one core, {tasks} tasks of 8 games); "
            f"BitBully {spent:.1f} s, wrong: {', '.join(refused) or 'none'}",
            flush=True,
        )
    print(f"{total} puzzles, {wrong} wrong")


if __name__ == "__main__":
    main()
