"""Compare the compiled look-ahead with the one in Python.

    python benchmarks/measure/compiled.py equal [POSITIONS] [DEPTH]
    python benchmarks/measure/compiled.py times
    python benchmarks/measure/compiled.py rules [DEPTH]

`equal` compares values and scores on POSITIONS random positions (1,000) of five boards and of every
game of the advisor, at depths up to DEPTH (8), less deep where Python takes too long. `times`
measures processor time, medians of three with empty tables: Connect Four from the empty board and
five middle games, then every game from its start. `rules` measures Connect Four by its rules alone
and on its own bitboards, both in Python, seven times in turns, to DEPTH (8).
"""

import sys
import time
from random import Random
from statistics import median
from typing import Any

from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.search import search
from advisor.games import knowledge
from advisor.games.connect4.board import Board, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.notation import parse_line
from advisor.games.rules import games
from advisor.settings import reading

BOARDS = [(7, 6, 4), (6, 5, 4), (5, 4, 3), (8, 7, 4), (9, 5, 5)]
MIDDLE = ["444", "4453", "43566", "323426", "45261374"]
TOO_LONG = 300_000
"""Leaves in Python after which a position is searched no deeper."""


def start(name: str) -> tuple[Any, Any, Any]:
    """Return a game's first position and its evaluators, compiled and in Python."""
    game, _ = knowledge.load(name)
    game.tree.compile_now()
    root = RowPosition(game, game.start, 0 if game.exchanges else None)
    return root, RowEvaluator(game), RowEvaluator(game, machine_code=False)


def board(size: tuple[int, int, int]) -> tuple[Any, Any, Any]:
    """Return the same three on Connect Four's own bitboards."""
    config, g = reading.load(), geometry(*size)
    both = (CircuitEvaluator(config, g, machine_code=code) for code in (True, False))
    return Board(g), *both


def somewhere(root: Any, random: Random) -> Any:
    """Return a position of a random game that is not over."""
    position = root
    for _ in range(random.randint(0, 40)):
        after = position.after(random.choice(position.moves()))
        if after.result() is not None:
            break
        position = after
    return position


def equal(positions: int, deepest: int) -> None:
    random = Random(17)
    roots = {f"{w}x{h}, connect {n}": board((w, h, n)) for w, h, n in BOARDS}
    roots |= {name: start(name) for name in games()}
    each = -(-positions // len(roots))
    searches = 0
    for name, (root, fast, slow) in roots.items():
        deep = 0
        for _ in range(each):
            position = somewhere(root, random)
            bonus = {move: random.randint(-99, 99) for move in position.moves()}
            assert fast.machine_search(position) is not None
            for depth in range(1, deepest + 1):
                expected = search(position, slow, depth=depth, every_move=True, bonus=bonus)
                found = search(position, fast, depth=depth, every_move=True, bonus=bonus)
                alone = search(position, fast, depth=depth, bonus=bonus)
                same = found.scores == expected.scores or found.depth != expected.depth
                if not same or not found.value == expected.value == alone.value:
                    print(f"{name}: {position}, depth {depth}: {found}, {expected}")
                    raise SystemExit(1)
                searches += 2
                deep = max(deep, depth)
                if expected.leaves > TOO_LONG or expected.depth < depth:
                    break
        print(f"{name}: {each} positions to depth {deep}", flush=True)
    print(f"{searches} searches, no difference")


def taken(position: Any, evaluator: Any, depth: int, every_move: bool) -> tuple[float, int]:
    """Return seconds of processor time, and leaves."""
    times = []
    for _ in range(3):
        tree = evaluator.machine_search(position)
        if tree is not None:
            tree.forget()
        started = time.process_time()
        found = search(position, evaluator, depth=depth, every_move=every_move)
        times.append(time.process_time() - started)
        if times[0] > 5:
            break
    return median(times), found.leaves


def told(name: str, position: Any, fast: Any, slow: Any, depths: dict[int, bool]) -> None:
    for depth, in_python in depths.items():
        seconds, leaves = taken(position, fast, depth, False)
        every, _ = taken(position, fast, depth, True)
        rate = f"{leaves / seconds / 1e6:.1f} M leaves/s"
        line = f"{name}, depth {depth}: {seconds * 1000:.1f} ms, {rate}"
        line += f"; every move {every * 1000:.1f} ms"
        if in_python:
            by_python, _ = taken(position, slow, depth, False)
            line += f"; Python {by_python * 1000:.0f} ms, {by_python / seconds:.0f} times"
        print(line, flush=True)


def times() -> None:
    root, fast, slow = board((7, 6, 4))
    for moves in ("", *MIDDLE):
        position = parse_line(moves, root.geometry) if moves else root
        depths = {8: True, 10: not moves, 12: False, 14: False}
        told(moves or "empty board", position, fast, slow, depths)
    for name in games():
        root, fast, slow = start(name)
        wide = len(root.moves()) > 60
        told(name, root, fast, slow, {2: True, 3: False} if wide else {4: True, 5: True, 6: False})


def rules(depth: int) -> None:
    game, _ = knowledge.load("connect4")
    empty, _, on_bitboards = board((7, 6, 4))
    by_rules = RowEvaluator(game, machine_code=False)
    for moves in ("", *MIDDLE):
        pairs = []
        for _ in range(8):
            # A position keeps its children, so each search needs a new one.
            here = game_position(game, moves), parse_line(moves, empty.geometry)
            pair = []
            for position, evaluator in zip(here, (by_rules, on_bitboards), strict=True):
                started = time.process_time()
                found = search(position, evaluator, depth=depth)
                pair.append((time.process_time() - started, found))
            pairs.append(pair)
        del pairs[0]  # the warm-up
        assert all(a.value == b.value for (_, a), (_, b) in pairs)
        told = [
            f"{1000 * median(each[i][0] for each in pairs):.0f} ms, {pairs[0][i][1].leaves} leaves"
            for i in (0, 1)
        ]
        times = median(a / b for (a, _), (b, _) in pairs)
        name = moves or "empty board"
        print(f"{name}: rules {told[0]}; bitboards {told[1]}; {times:.2f} times", flush=True)


def game_position(game: Any, moves: str) -> RowPosition:
    """Return a new position of Connect Four by its rules, after moves given as columns."""
    position = RowPosition(game, game.start)
    for column in moves:
        named = {game.rules.moves[move][2]: move for move in position.moves()}
        position = position.after(named[int(column)])
    return RowPosition(game, position.row)


if __name__ == "__main__":
    if sys.argv[1:2] == ["equal"]:
        equal(*(int(number) for number in (*sys.argv[2:], *("1000", "8")[len(sys.argv) - 2 :])))
    elif sys.argv[1:2] == ["rules"]:
        rules(*(int(number) for number in (sys.argv[2:] or ["8"])))
    else:
        times()
