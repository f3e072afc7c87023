"""Compare the engine of exported games with Python: states, and searches of one to four plies.

    python benchmarks/compare/exported_equal.py [GAME ...] [--states 1000] [--searches 50]

For each game it draws states of random games and counts those in which the engine, in node, says
anything else than Python by NumPy: moves, ends, values, noisy moves, following states, pieces,
strategies that fire, features. Then it draws states for searches of each depth, with the moves
before them, and counts those with other values or lines. A state is too large for a depth if all
moves to that depth lead to more than `--leaves` states. A depth without a small enough state is
left out, with a note. Exit code 1: there is a difference.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any

import numpy as np

import advisor
from advisor.engine.nodes import Rows
from advisor.engine.recurrences import Recurrences, identity
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.search import search
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from aspcircuits.clingo_api import render
from exported_engine import ExportedEngine

DEPTHS = 1, 2, 3, 4
LEAVES = 200_000
AT_ONCE = 100
MOST_PLIES = 300
TRIES = 100
"""Random states that are looked at for each one that is searched."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A state of a random game: its row, and those before it."""

    row: Rows
    before: Sequence[Rows]


def visit_states(game: Circuits, seed: int) -> Iterator[Visit]:
    """Yield the states of random games, the ends among them, without end."""
    rng = np.random.default_rng(seed)
    while True:
        rows: list[Rows] = [game.start]
        for _ in range(MOST_PLIES):
            yield Visit(rows[-1], rows[:-1])
            look = game.look(rows[-1][None])
            if look.over[0]:
                break
            _, moves = look.moves()
            after = game.step(rows[-1][None], rng.choice(moves, 1), look.turn)
            rows.append(game.without_moot(after)[0])


def words(rows: Any) -> Any:
    """Return states as the engine takes them."""
    return np.ascontiguousarray(rows).view(np.int32).tolist()


def compare_states(game: Circuits, engine: ExportedEngine, rows: Rows) -> Counter[str]:
    """Count the differences of each kind in some states."""
    found = engine.ask("states", states=words(rows))
    look, leaf = game.look(rows), game.leaf(rows)
    state, move = look.moves()
    children = game.step(rows.take(state, 0), move, look.turn.take(state))
    going = ~look.over

    def listed(state: Any, move: Any) -> list[Any]:
        return [move[state == i].tolist() for i in range(len(rows))]

    pairs = {
        "ends": (found["over"], look.over.astype(int).tolist()),
        "results": (found["result"], look.result.tolist()),
        "players to move": (np.array(found["turn"])[going].tolist(), look.turn[going].tolist()),
        "counters": (found["late"], look.late.astype(int).tolist()),
        "moves": (found["moves"], listed(state, move)),
        "values": (found["values"], leaf.values.tolist()),
        "certain values": (found["certain"], leaf.certain.astype(int).tolist()),
        "following states": (found["children"], np.ravel(words(children)).tolist()),
    }
    if game.noisy_plies:
        pairs["noisy moves"] = (found["noisy"], listed(*game.noisy(rows).moves()))
    return Counter({kind: _count(*pair) for kind, pair in pairs.items()})


def _count(ours: Sequence[Any], theirs: Sequence[Any]) -> int:
    """Return how many elements differ."""
    unequal = sum(a != b for a, b in zip(ours, theirs, strict=False))
    return unequal + abs(len(ours) - len(theirs))


def compare_knowledge(game: Circuits, engine: ExportedEngine, rows: Rows) -> Counter[str]:
    """Count the states with other pieces, in which other strategies fire or features hold."""
    told, count = engine.described, Counter({"pieces": 0, "strategies": 0, "features": 0})
    numbers = {move: number for number, move in enumerate(game.rules.moves)}
    roles = {role: number for number, role in enumerate(game.rules.roles)}
    fires, features = _table(told["fires"]), _table(told["held"])
    asked = engine.ask("facts", states=words(rows), names=["board", "says", "features"])
    for row, held in zip(rows, asked, strict=True):
        pieces = {(x, y, text) for x, y, text, n in told["board"] if n in held["board"]}
        count["pieces"] += len(pieces) != len(game.board_atoms(row))
        says, true = {*held["says"]}, {*held["features"]}
        ours = Counter((told["strategies"][s]["name"], m) for s, m, _, n in fires if n in says)
        said = {atom for atom in game.says(row) if game.strategies[atom[1]]}
        count["strategies"] += ours != Counter((render(s), numbers[m]) for _, s, m, *_ in said)
        if game.leaf(row[None]).certain[0]:
            continue  # the value counts alone
        ours = Counter((told["features"][f]["name"], r) for f, r, _, n in features if n in true)
        holding = [atom for atom in game.features(row) if game.weights[atom[1]]]
        count["features"] += ours != Counter((render(f), roles[r]) for _, f, r, _ in holding)
    return count


def _table(columns: list[list[int]]) -> list[tuple[int, ...]]:
    """Return the rows of a table whose columns are differences."""
    return [*zip(*(accumulate(column) for column in columns), strict=True)]


def compare_search(game: Circuits, engine: ExportedEngine, visit: Visit, depth: int) -> bool:
    """Return whether a search finds other values or lines."""
    told = engine.ask("search", state=words(visit.row), before=words(visit.before), depth=depth)
    again = None
    if times := game.rules.repetition:
        before = [identity(row, game.counters) for row in visit.before]
        again = Recurrences.of(before, visit.row, times, game.counters, game.exchanges)
    turn = 0 if game.exchanges else None
    root = RowPosition(game, visit.row, turn, recurrences=again)
    evaluator = RowEvaluator(game, machine_code=False)
    found = search(root, evaluator, depth=depth, every_move=True, follow="all")
    ours = (
        dict(told["scores"]),
        {move: tuple(line) for move, line in told["lines"]},
        {*told["drawn"]},
        (told["depth"], told["value"], told["exhaustive"]),
    )
    whole = found.depth, found.value, found.exhaustive
    return ours != (found.scores, found.lines, found.drawn, whole)


def small_states(game: Circuits, depth: int, leaves: int, count: int) -> Iterator[Visit]:
    """Yield at most some states that can be searched to a depth."""
    tried = islice(visit_states(game, seed=depth), TRIES * count)
    small = (visit for visit in tried if 0 < _moves(game, visit.row) ** depth <= leaves)
    return islice(small, count)


def _moves(game: Circuits, row: Rows) -> int:
    """Return the number of moves, 0 if the game is over."""
    look = game.look(row[None])
    return 0 if look.over[0] else len(look.moves()[1])


def compare_game(name: str, states: int, searches: int, leaves: int) -> tuple[Counter[str], str]:
    """Return the differences in a game by kind, and what was compared.

    Args:
        name: of the game.
        states: how many.
        searches: of each depth.
        leaves: see above.
    """
    game = knowledge.load(name)[0].without_code()
    found: Counter[str] = Counter()
    done = [f"{states} states"]
    with ExportedEngine(name) as engine:
        rows = np.array([visit.row for visit in islice(visit_states(game, seed=0), states)])
        for start in range(0, states, AT_ONCE):
            found += compare_states(game, engine, rows[start : start + AT_ONCE])
            found += compare_knowledge(game, engine, rows[start : start + AT_ONCE])
        for depth in DEPTHS:
            wrong = [
                compare_search(game, engine, visit, depth)
                for visit in small_states(game, depth, leaves, searches)
            ]
            found[f"searches of depth {depth}"] += sum(wrong)
            done.append(f"{len(wrong)} searches of depth {depth}")
    return +found, ", ".join(done)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=advisor.game_names())
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--searches", type=int, default=50)
    parser.add_argument("--leaves", type=int, default=LEAVES)
    given = parser.parse_args()
    wrong = 0
    for name in given.games:
        found, done = compare_game(name, given.states, given.searches, given.leaves)
        kinds = ", ".join(f"{count} in {kind}" for kind, count in found.items())
        print(f"{name}: {found.total()} differences in {done}{kinds and f': {kinds}'}", flush=True)
        wrong += found.total()
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
