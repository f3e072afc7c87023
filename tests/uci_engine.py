"""A program of its own that plays tic-tac-toe and speaks UCI: it knows nothing of the advisor.

Squares are written as the game's rules write moves, ``put(X,Y)``. It looks at every game to its
end and tells as many lines as its option MultiPV says, a win or a loss as a mate.
Its argument names a fault that it shall have; the one that hangs then makes a file, if named.
"""

import sys
import time
from functools import cache

SQUARES = [f"put({x},{y})" for y in (1, 2, 3) for x in (1, 2, 3)]
LINES = [
    *([f"put({x},{y})" for x in (1, 2, 3)] for y in (1, 2, 3)),
    *([f"put({x},{y})" for y in (1, 2, 3)] for x in (1, 2, 3)),
    [f"put({i},{i})" for i in (1, 2, 3)],
    [f"put({i},{4 - i})" for i in (1, 2, 3)],
]


@cache
def value(mine: frozenset[str], theirs: frozenset[str]) -> tuple[int, list[str]]:
    """10 less a point a ply for a win of the side to move, 0 for a draw; and the line to it."""
    if any(theirs.issuperset(line) for line in LINES):
        return -10, []
    if len(mine | theirs) == len(SQUARES):
        return 0, []
    return max(children(mine, theirs), key=lambda child: child[0])


def children(mine: frozenset[str], theirs: frozenset[str]) -> list[tuple[int, list[str]]]:
    found = []
    for square in SQUARES:
        if square not in mine | theirs:
            worth, line = value(theirs, mine | {square})
            found.append((-worth - (worth < 0) + (worth > 0), [square, *line]))
    return found


def say(text: str) -> None:
    print(text, flush=True)


def think(moves: list[str], lines: int, fault: str) -> None:
    if fault == "dies" and len(moves) < 3:
        sys.exit(1)
    if fault == "hangs":
        for file in sys.argv[2:]:
            open(file, "w").close()
        time.sleep(3600)
    theirs, mine = (frozenset(moves[len(moves) - back :: -2]) for back in (1, 2))
    if len(moves) < 2:
        theirs, mine = frozenset(moves), frozenset()
    ranked = sorted(children(mine, theirs), key=lambda child: -child[0])
    for rank, (worth, line) in enumerate(ranked[:lines], 1):
        score = f"mate {(len(line) + 1) // 2}" if worth > 0 else f"mate -{len(line) // 2}"
        if not worth:
            score = "cp 0"
        if fault == "garbage":
            score, line = "cp plenty", ["\x07?"]
        if fault == "lies":
            score = "mate 1"
        if fault == "cheats":
            line = ["put(9,9)"]
        say(f"info depth {len(line)} multipv {rank} score {score} nodes 7 pv {' '.join(line)}")
    if fault == "endless":
        say(f"info depth 20 score cp 0 pv {ranked[0][1][0]}")
        while sys.stdin.readline().strip() != "stop":
            say("info string thinking")
    say(f"bestmove {'?' if fault == 'garbage' else ranked[0][1][0]}")


def main(fault: str) -> None:
    moves: list[str] = []
    lines = 1
    while words := sys.stdin.readline().split():
        if words[0] == "uci" and fault != "mute":
            say("id name Tiny 1")
            say("option name MultiPV type spin default 1 min 1 max 9")
            say("uciok")
        elif words[0] == "isready":
            say("readyok")
        elif words[:3] == ["setoption", "name", "MultiPV"]:
            lines = int(words[-1])
        elif words[0] == "position":
            moves = words[3:]
        elif words[0] == "go":
            think(moves, lines, fault)
        elif words[0] == "quit":
            break


if __name__ == "__main__":
    main("".join(sys.argv[1:2]))
