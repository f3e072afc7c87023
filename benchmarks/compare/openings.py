"""List early positions, and check the opening book against an independent source.

    python benchmarks/compare/openings.py all > positions.txt
    python benchmarks/compare/openings.py sample COUNT [SEED] > positions.txt
    python benchmarks/compare/openings.py check UCI

`all` prints every position with at most four discs, mirrored ones once; `sample` prints different
random positions with 5 to 8 discs, as many of each number, that occur in neither quality file.
`python benchmarks/train/label.py positions.txt -o FILE` scores their columns: the first by BitBully
is the opening book.

`check` derives the results of the book's positions again, by minimax from the results of positions
with eight discs in the UCI data set (its own file or one with scores). The data set lacks positions
with an immediate win or a forced reply. The value of the latter is left open, between loss and win.
"""

import sys
from pathlib import Path
from random import Random

from advisor.files import linefile
from advisor.files.resources import OPENINGS
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.exact import DISCS
from advisor.games.connect4.examples import example
from advisor.games.connect4.notation import move_string, one_line
from advisor.games.connect4.sampling import random_moves
from advisor.games.examples import sign

DATA = Path(__file__).parents[1] / "data"
UCI_DISCS = 8

Bounds = tuple[int, int]


def known_once(position: Board, seen: set[Board]) -> bool:
    """Whether this position or its mirror image is in `seen`; add it."""
    known = position in seen or position.mirror in seen
    seen.add(position)
    return known


def listed() -> list[str]:
    """List the positions of the book, each by its moves."""
    seen: set[Board] = set()
    found: list[str] = []
    games: list[tuple[int, ...]] = [()]
    for _ in range(DISCS + 1):
        new = []
        for moves in games:
            position = Board(geometry())
            for move in moves:
                position = position.after(move)
            if not known_once(position, seen):
                new.append(moves)
        found += [move_string(moves, geometry()) for moves in new if moves]
        games = [(*moves, move) for moves in new for move in range(1, geometry().width + 1)]
    return [one_line(Board(geometry())), *found]


def sample(count: int, seed: int) -> list[str]:
    rng = Random(seed)
    seen = {
        known.position
        for test in ("quality_pons.txt", "quality_uci.txt")
        for _, known in linefile.entries(DATA / test, example)
    }
    found: list[str] = []
    while len(found) < count:
        discs = 5 + 4 * len(found) // count
        position = Board(geometry())
        for move in random_moves(rng, discs, geometry()):
            position = position.after(move)
        if position.discs == discs and not position.over and not known_once(position, seen):
            found.append(one_line(position))
    return found


def check(uci: Path) -> bool:
    """Print how many positions of the book are confirmed; return whether none is contradicted."""
    results = {known.position: known.result for _, known in linefile.entries(uci, example)}
    worth: dict[Board, Bounds] = {}

    def bounds(position: Board) -> Bounds:
        for image in (position, position.mirror):
            if image in worth:
                return worth[image]
        worth[position] = found = _bounds(position)
        return found

    def _bounds(position: Board) -> Bounds:
        result = position.result()
        if result is None and position.wins_at_once():
            result = 1
        if result is not None:
            return result, result
        if position.discs == UCI_DISCS:
            for image in (position, position.mirror):
                if image in results:
                    return results[image], results[image]
            two_threats = len(position.candidates()) > 1  # no reply helps
            return -1, -1 if two_threats else 1
        replies = [bounds(position.after(move)) for move in position.moves()]
        return max(-high for _, high in replies), max(-low for low, _ in replies)

    right = wrong = unknown = 0
    for number, labelled in linefile.entries(OPENINGS, example):
        for column, score in labelled.columns.items():
            low, high = bounds(labelled.position.after(column))
            if not -high <= sign(score) <= -low:
                wrong += 1
                print(f"line {number}: column {column} is from {-high} to {-low}")
            elif low == high:
                right += 1
            else:
                unknown += 1
    print(f"moves confirmed {right}, contradicted {wrong}, left open {unknown}")
    return not wrong


if __name__ == "__main__":
    if sys.argv[1:] == ["all"]:
        print("\n".join(listed()))
    elif sys.argv[1] == "sample":
        count, *seed = map(int, sys.argv[2:])
        print("\n".join(sample(count, seed[0] if seed else 1)))
    elif sys.argv[1] == "check":
        sys.exit(0 if check(Path(sys.argv[2])) else 1)
