"""Games from their rules: published counts, second implementations, and clingo itself."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from advisor.engine import rows as rows_module
from advisor.engine.nodes import INFINITE, Rows, Wanted
from advisor.engine.playouts import play_out, random_moves
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.rows import Ahead, Leaves, expand, perft
from advisor.engine.search import FORCED, WIN, search
from advisor.errors import EncodingError
from advisor.games import rooms
from advisor.games.check import check
from advisor.games.circuits import Circuits
from advisor.games.connect4.board import Board, geometry
from advisor.games.reference import answer
from advisor.games.rules import games, read
from advisor.settings.reading import load
from games import later, worth
from second_games import SECOND
from second_games import perft as second_perft

_made: dict[str, Circuits] = {}


def circuits(name: str, **constants: int) -> Circuits:
    """A game, compiled once."""
    key = f"{name} {sorted(constants.items())}"
    if key not in _made:
        _made[key] = Circuits(read(name, constants=constants))
    return _made[key]


def states(game: Circuits, count: int, seed: int) -> Rows:
    """States of random games, some of them over."""
    rng = np.random.default_rng(seed)
    rows, met = np.repeat(game.start[None], 64, axis=0), []
    while sum(map(len, met)) < 40 * count and len(rows):
        met.append(rows)
        look = game.look(rows)
        going = np.flatnonzero(~look.over)
        rows = rows[going]
        if len(going):
            rows = game.step(rows, random_moves(look.take(going), rng), look.turn[going])
        if not len(rows):
            rows = np.repeat(game.start[None], 64, axis=0)
    found = np.concatenate(met)
    return found[rng.choice(len(found), count, replace=False)]


# Published counts

PERFT = {
    "tictactoe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "connect4": [7, 49, 343, 2401, 16807, 117649, 823536],
    "reversi": [4, 12, 56, 244, 1396, 8200, 55092, 390216],
    "breakthrough": [22, 484, 11132, 256036],
    "gomoku": [225, 225 * 224, 225 * 224 * 223],
    "hex": [49, 49 * 48, 49 * 48 * 47],
    "morris": [24, 24 * 23, 24 * 23 * 22, 24 * 23 * 22 * 21],
}


@pytest.mark.parametrize("name", PERFT)
def test_there_are_as_many_ways_to_play_as_is_known(name: str) -> None:
    game = circuits(name)
    counts = [perft(game, game.start[None], plies + 1) for plies in range(len(PERFT[name]))]
    assert counts == PERFT[name]


def test_tictactoe_has_255168_games_and_is_drawn() -> None:
    game = circuits("tictactoe")
    rows, ended = game.start[None], 0
    for _ in range(10):
        ended += int(game.look(rows).over.sum())
        rows = expand(game, rows).rows
    assert ended == 255_168
    found = search(RowPosition(game, game.start), RowEvaluator(game))
    assert (found.value, found.exhaustive) == (0, True)


def test_three_in_line_on_three_by_three_is_tictactoe() -> None:
    game = circuits("gomoku", width=3, height=3, connect=3)
    counts = [perft(game, game.start[None], plies) for plies in range(1, 10)]
    assert counts == PERFT["tictactoe"]


@pytest.mark.parametrize("size", [2, 3])
def test_hex_is_won_by_who_moves_first(size: int) -> None:
    # J. Nash's argument of the stolen strategy, on boards small enough to follow every line.
    game = circuits("hex", size=size)
    ahead = Ahead(game)
    assert ahead.look(game.start[None], size * size)[0] >= FORCED
    assert ahead.guesses == 0


# Second implementations


@pytest.mark.slow
@pytest.mark.parametrize("name", SECOND)
def test_rules_equal_a_second_implementation(name: str) -> None:
    make, constants = SECOND[name]
    second, game = make(), circuits(name, **constants)
    rules = game.rules
    rows = states(game, 250, 3)
    look = game.look(rows)
    state, move = look.moves()
    legal: list[set[Any]] = [set() for _ in rows]
    for i, m in zip(state.tolist(), move.tolist(), strict=True):
        legal[i].add(rules.moves[m])
    for i, row in enumerate(rows):
        atoms = frozenset(game.atoms(row))
        result = second.result(atoms)
        assert bool(look.over[i]) == (result is not None), atoms
        if result is not None:
            assert look.result[i] == result, atoms
            continue
        assert legal[i] == second.moves(atoms), atoms
        for m in sorted(legal[i], key=repr)[:4]:
            made = game.step(row[None], np.array([rules.moves.index(m)]), look.turn[i : i + 1])
            assert frozenset(game.atoms(made[0])) == second.play(atoms, m), (atoms, m)


@pytest.mark.parametrize("name", SECOND)
def test_as_many_ways_to_play_as_a_second_implementation(name: str) -> None:
    make, constants = SECOND[name]
    game = circuits(name, **constants)
    start = frozenset(game.rules.start)
    assert perft(game, game.start[None], 3) == second_perft(make(), [start], 3)


SIZES = [(7, 6, 4), (5, 4, 3), (4, 5, 4), (9, 7, 5), (8, 8, 4)]


@pytest.mark.parametrize("size", SIZES)
def test_connect_four_from_its_rules_is_that_of_the_bitboards(size: tuple[int, int, int]) -> None:
    width, height, connect = size
    game = circuits("connect4", width=width, height=height, connect=connect)
    rules, g = game.rules, geometry(*size)
    random, seen = Random(5), 0
    number = {move: i for i, move in enumerate(rules.moves)}
    while seen < 4000:
        positions = [Board(g)] * 200
        rows = np.repeat(game.start[None], 200, axis=0)
        while positions:
            seen += len(positions)
            look = game.look(rows)
            columns: list[set[int]] = [set() for _ in positions]
            for i, m in zip(*(part.tolist() for part in look.moves()), strict=True):
                columns[i].add(rules.moves[m][2])
            kept, played, following = [], [], []
            for i, position in enumerate(positions):
                result = position.result()
                assert bool(look.over[i]) == (result is not None)
                if result is None:
                    assert columns[i] == {*position.moves()}
                    assert look.turn[i] == position.turn - 1
                    column = random.choice(sorted(columns[i]))
                    move = ("move", position.row_of(column), column)
                    kept.append(i)
                    played.append(number[move])
                    following.append(position.play(column))
                else:
                    assert look.result[i] == {0: 0, 1: 1, 2: -1}[position.winner or 0]
            if not kept:
                break
            rows = game.step(rows[kept], np.array(played), look.turn[kept])
            positions = following
            for row, position in zip(rows[:5], positions[:5], strict=False):
                assert {*game.atoms(row)} == {*position.facts()}


# clingo


@pytest.mark.slow
@pytest.mark.parametrize("name", games())
def test_circuits_equal_clingo_on_states_of_random_games(name: str) -> None:
    report = check(circuits(name), games=200, seed=2, compared=25)
    assert report.compared == 25
    assert sum(report.results) + report.unfinished == 200
    assert report.length[0] <= report.length[1] <= report.length[2]


@pytest.mark.slow
def test_leaves_equal_clingo() -> None:
    settings = load()
    features = settings.files("features")
    rules = read("connect4", [file for file in features if file.stem in KNOWLEDGE])
    game = Circuits(rules, settings.weights["features"])
    rows = states(game, 60, 4)
    leaves = game.leaf(rows)
    for row, value, certain in zip(rows, leaves.values, leaves.certain, strict=True):
        found = answer(rules, game.atoms(row))
        assert (value, certain) == worth(found, rules, settings.weights["features"])


KNOWLEDGE = {"threats", "forced", "position"}


# Search


def negamax(game: Circuits, row: Rows, turn: int, depth: int) -> tuple[int, int]:
    """The value for the player to move and who that is, with nothing left out."""
    look = game.look(row[None])
    if game.exchanges:
        sign = 1
    else:
        turn, sign = int(look.turn[0]), 1 - 2 * int(look.turn[0])
    if look.over[0]:
        return WIN * int(look.result[0]) * sign, turn
    if not depth:
        return int(game.leaf(row[None]).values[0]) * sign, turn
    best = []
    moves = look.moves()[1]
    for child in game.step(row[None].repeat(len(moves), 0), moves, look.turn.repeat(len(moves))):
        value, mover = negamax(game, child, 1 - turn, depth - 1)
        best.append(later(value if mover == turn else -value, 1))
    return max(best), turn


class Hashed(Circuits):
    """Leaves are worth numbers that differ from state to state, so that every sign matters."""

    def leaf(self, rows: Rows) -> Leaves:
        over = self.look(rows)
        mixed = (rows * np.uint64(0x9E3779B97F4A7C15)).sum(axis=1) >> np.uint64(40)
        guesses = (mixed % np.uint64(19)).astype(np.int64) - 9
        return Leaves(np.where(over.over, over.result * np.int64(WIN), guesses), over.over)


class Shallow(RowEvaluator):
    """Looks one ply ahead at once, so that more of the tree is the search's own."""

    def plies_at_once(self, position: RowPosition) -> int:
        super().plies_at_once(position)
        return 1


@pytest.mark.slow
@pytest.mark.parametrize("evaluator", [RowEvaluator, Shallow])
@pytest.mark.parametrize("name", [*SECOND, "connect4"])
def test_the_search_is_plain_negamax_that_follows_the_turn(
    name: str, evaluator: type[RowEvaluator]
) -> None:
    game = Hashed(circuits(name, **(SECOND[name][1] if name in SECOND else {})).rules)
    tried = 0
    for row in states(game, 400, 6):
        position = RowPosition(game, row)
        moves = len(position.moves()) if position.result() is None else 0
        if not 1 <= moves <= 10:
            continue
        tried += 1
        depth = 3 if moves <= 7 else 2
        found = search(position, evaluator(game, machine_code=False), depth=depth, every_move=True)
        value, _ = negamax(game, row, position.turn, depth)
        # A forced result may end the search before the depth is reached.
        assert found.value == value or (found.depth < depth and abs(found.value) >= FORCED)
        assert max(found.scores.values()) == found.value
        if tried == 10:
            break
    assert tried >= 5


@pytest.mark.slow
@pytest.mark.parametrize("share", [1, 40, 300])
@pytest.mark.parametrize("plies", [2, 3])
@pytest.mark.parametrize("name", ["breakthrough", "reversi", "connect4"])
def test_what_is_wanted_of_many_states_is_exact(
    name: str, plies: int, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_module, "_LEAVES_OF_A_TURN", share)
    game = Hashed(circuits(name, **(SECOND[name][1] if name in SECOND else {})).rules)
    rng = np.random.default_rng([plies, share])
    found = states(game, 400, 9)
    rows = found[~game.look(found).over]
    left_out = bounds = 0
    for start in range(0, 60, 6):
        some = rows[start : start + 6]
        sign = 1 - 2 * game.look(some).turn.astype(np.int64)
        exact = Ahead(game).look(some, plies) * sign
        low, high = sorted(rng.integers(-10, 10, 2).tolist())
        wanted = Wanted(low, high + 1, int(rng.integers(0, 3)))
        values = Ahead(game).look(some, plies, None, wanted) * sign
        least = int(exact.min())
        limit = min(wanted.high, least + wanted.spread)
        assert (values.min() <= low) == (least <= low)
        for value, right in zip(values.tolist(), exact.tolist(), strict=True):
            if value == INFINITE:
                assert least <= low
                left_out += 1
            elif value != right:
                assert limit <= value < right
                bounds += 1
    if share == 1:
        assert bounds
        assert left_out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breakthrough", "reversi", "connect4", "morris", "chess"])
def test_children_made_together_are_those_made_alone(name: str) -> None:
    game = circuits(name)
    together = 0
    for row in states(game, 60, 13)[::5]:
        position = RowPosition(game, row, 0 if game.exchanges else None)
        for move in position.moves():
            child = position.after(move)
            alone = RowPosition(game, child.row, child.turn if game.exchanges else None)
            assert (child.turn, child.key, child.result()) == (
                alone.turn,
                alone.key,
                alone.result(),
            )
            assert child.moves() == alone.moves()
            assert child.candidates() == alone.candidates()
            for reply in child.moves():
                below, again = child.after(reply), alone.after(reply)
                assert (below.key, below.result()) == (again.key, again.result())
                together += 1
    assert together > 100


def test_equal_states_are_merged_and_each_finds_its_copy() -> None:
    rng = np.random.default_rng(5)
    for count, words in [(0, 1), (1, 2), (300, 1), (5000, 3)]:
        rows = rng.integers(0, 6, (count, words), dtype=np.uint64) << np.uint64(61)
        distinct, copy = rows_module.merge_states(rows)
        assert len(distinct) == len(np.unique(rows, axis=0))
        assert (distinct[copy] == rows).all()


def test_a_player_may_move_several_times_in_a_row() -> None:
    game = circuits("morris")
    for row in states(game, 400, 7):
        position = RowPosition(game, row)
        if position.result() is not None:
            continue
        for move in position.moves():
            child = position.after(move)
            closes = "mill" in game.atoms(child.row)
            assert (child.turn == position.turn) == closes or child.result() is not None


@pytest.mark.slow
def test_the_search_follows_a_turn_that_stays() -> None:
    game = Hashed(circuits("morris", quiet=20).rules)
    tried = 0
    for row in states(game, 3000, 12):
        position = RowPosition(game, row)
        if position.result() is not None or len(position.moves()) > 8:
            continue
        if all(position.after(move).turn != position.turn for move in position.moves()):
            continue
        found = search(position, Shallow(game, machine_code=False), depth=3)
        assert found.value == negamax(game, row, position.turn, 3)[0] or found.depth < 3
        tried += 1
        if tried == 12:
            break
    assert tried >= 5


# A state seen by the side to move

BY_MOVER = str(Path(__file__).parents[1] / "data" / "by_mover")
WEIGHTS = {("mark", "own"): 5, ("mark", "opp"): 3}


def by_mover() -> Circuits:
    return Circuits(read(BY_MOVER), WEIGHTS)


def test_a_game_seen_by_the_side_to_move_is_the_same_game() -> None:
    game = by_mover()
    assert check(game, games=100, compared=30).results[0] > 0
    counts = [perft(game, game.start[None], plies) for plies in range(1, 10)]
    assert counts == PERFT["tictactoe"]
    assert Ahead(game).look(game.start[None], 9).tolist() == [0]
    assert report_of(game) == report_of(circuits("tictactoe"))


def report_of(game: Circuits) -> dict[int, int]:
    """How often each result of a random game comes, for the player who began."""
    start = np.repeat(game.start[None], 3000, 0)
    results = play_out(game, start, np.random.default_rng(8)).results
    return {result: int((results == result).sum()) for result in (1, 0, -1)}


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_search_exchanges_the_sides(depth: int) -> None:
    game = by_mover()
    for row in states(game, 12, 9):
        position = RowPosition(game, row, 0)
        if position.result() is None:
            found = search(position, RowEvaluator(game), depth=depth)
            assert found.value == negamax(game, row, 0, depth)[0] or abs(found.value) >= FORCED


def test_a_move_is_told_by_who_made_it() -> None:
    playing = rooms.by_circuits(by_mover()).begin("put(2,2) put(1,1) put(3,3)")
    assert (playing.side, playing.turn) == (1, "opp")
    won = rooms.by_circuits(by_mover()).begin("put(1,1) put(1,2) put(2,1) put(2,2) put(3,1)")
    assert (won.over, won.winner, won.winning_side) == (True, "own", 0)


BOTH_IN_TIME = """
role(own). role(opp). mover(own).
base(ply(0..3)). init(ply(0)). view(ply(I), ply(I)) :- I = 0..3.
view(go(left), go(right)). view(go(right), go(left)).
input(P, go(D)) :- role(P), D = (left; right).
legal(own, go(left)) :- not terminal.
legal(opp, go(left)) :- true(ply(2)).
next(ply(I + 1)) :- true(ply(I)), I < 3.
terminal :- true(ply(3)).
goal(P, 50) :- role(P).
"""


def test_errors_tell_moves_as_the_side_that_began_sees_them(tmp_path: Path) -> None:
    (tmp_path / "rules.lp").write_text(BOTH_IN_TIME)
    game = Circuits(read(str(tmp_path)))
    told = r"both own and opp have a move; .*; after go\(left\) go\(right\)$"
    with pytest.raises(EncodingError, match=told):
        rooms.by_circuits(game).begin("go(left) go(right)")
    with pytest.raises(EncodingError, match=told):
        check(game, games=2)
