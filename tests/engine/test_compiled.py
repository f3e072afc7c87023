"""The compiled look-ahead: what the one in Python finds, on every game; and when it is used."""

import threading
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import ClassVar

import numpy as np
import pytest

from advisor.engine import compiled
from advisor.engine.compiled import KERNEL, CompiledTree
from advisor.engine.machine import Space
from advisor.engine.nodes import StoppedError
from advisor.engine.playouts import random_moves
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.search import FORCED, Result, search
from advisor.errors import EncodingError
from advisor.games import knowledge, machine, rooms
from advisor.games.circuits import Circuits
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.machine import RULES, Bitboards
from advisor.games.connect4.machine import machine as connect_four
from advisor.games.machine import MachineStates
from advisor.games.rules import read
from advisor.settings import reading
from aspcircuits.stopping import Stop

needs_numba = pytest.mark.skipif(
    find_spec("numba") is None, reason="compiled code needs the extra fast"
)
WIDE = Path(__file__).parents[1] / "data" / "wide"
SKIRMISH = Path(__file__).parents[1] / "data" / "skirmish"
WEIGHTS = {"stone": 100, "middle": 7, "ahead": 13}
BY_MOVER = Path(__file__).parents[1] / "data" / "by_mover"


def in_both(found: Result, expected: Result) -> None:
    """Both searches found the same, as far as they looked.

    Where nothing but certain results is left one of them may notice sooner than the other.
    """
    assert found.value == expected.value
    if found.depth == expected.depth:
        assert found.scores == expected.scores
        assert (found.best, found.lines) == (expected.best, expected.lines)


def random_options(random: Random, moves: list[int]) -> tuple[bool, dict[int, int] | None]:
    """Whether every move is to be scored, and bonuses or none."""
    bonus = {move: random.randint(-300, 300) for move in moves}
    return random.random() < 0.5, bonus if random.random() < 0.5 else None


# Connect Four


def random_position(g: Geometry, random: Random) -> Board:
    position = Board(g)
    for _ in range(random.randrange(g.squares)):
        after = position.after(random.choice(position.moves()))
        if after.result() is not None:
            break
        position = after
    return position


@pytest.mark.slow
@needs_numba
@pytest.mark.parametrize(
    ("size", "preset"),
    [
        ((7, 6, 4), "default"),
        ((5, 4, 3), "default"),
        ((8, 7, 4), "alex"),
        ((4, 4, 5), "alex"),
    ],
)
def test_connect_four(size: tuple[int, int, int], preset: str) -> None:
    g, config, random = geometry(*size), reading.load(preset), Random(7)
    fast = CircuitEvaluator(config, g, machine_code=True)
    slow = CircuitEvaluator(config, g, machine_code=False)
    for _ in range(15):
        position = random_position(g, random)
        every, bonus = random_options(random, position.moves())
        depth = random.randint(1, 6)
        assert fast.machine_search(position) is not None
        asked = {"depth": depth, "every_move": every, "bonus": bonus, "follow": "all"}
        found = search(position, fast, jobs=random.randint(1, 3), **asked)
        in_both(found, search(position, slow, **asked))
        for move, line in found.lines.items():
            end = position
            for column in line:
                end = end.play(column)
            whole = len(line) == found.depth or end.result() is not None
            assert whole or abs(found.scores[move]) >= FORCED


class _Meeting(Bitboards):
    """Tells a thread its first position once another one has come for its own."""

    came: ClassVar[threading.local]
    both: ClassVar[threading.Barrier]

    def state(self, position: Board) -> list[int]:
        if not hasattr(self.came, "before"):
            self.came.before = self.both.wait(60)
        return super().state(position)


@needs_numba
def test_jobs_are_threads_that_work_at_the_same_time() -> None:
    g = geometry()
    evaluator = CircuitEvaluator(reading.load(), g, machine_code=True)
    rules, leaf, kernel = RULES.get_now(), evaluator.tiers.get_now(), KERNEL.get_now()
    assert rules
    assert leaf
    assert kernel
    _Meeting.came, _Meeting.both = threading.local(), threading.Barrier(2)
    game = connect_four(g, rules, leaf, foresight=1)
    tree = CompiledTree(game, _Meeting(), evaluator, kernel)
    tree.jobs = 2
    children = [Board(g).play(column) for column in (3, 4, 5)]
    alone = evaluator.machine_search(Board(g))
    assert alone
    assert tree.values(children, 8, 1) == alone.values(children, 8, 1)
    assert tree.nodes > 0


@needs_numba
def test_what_two_threads_have_written_halves_of_is_not_believed() -> None:
    g = geometry()
    evaluator = CircuitEvaluator(reading.load(), g, machine_code=True)
    tree = evaluator.machine_search(Board(g))
    assert tree
    found = search(Board(g), evaluator, depth=9, every_move=True)
    memory, rng = tree._memory, np.random.default_rng(1)
    used = np.flatnonzero(memory[:, 3])
    assert len(used) > 500
    for words in ([2, 3], [0, 1, 3], [2]):
        others = memory[used]
        memory[used[:, None], words] = others[rng.permutation(len(used))][:, words]
        again = search(Board(g), evaluator, depth=9, every_move=True)
        assert (again.scores, again.lines) == (found.scores, found.lines)


@needs_numba
@pytest.mark.parametrize("size", [(33, 1, 4), (4, 3, 1)])
def test_boards_that_it_has_no_code_for_are_left_to_python(size: tuple[int, int, int]) -> None:
    g = geometry(*size)
    evaluator = CircuitEvaluator(reading.load("alex"), g, machine_code=True)
    assert evaluator.machine_search(Board(g)) is None


# Other games


@cache
def known(name: str) -> Circuits:
    """A game with machine code."""
    game, _ = knowledge.load(name)
    game.tree.compile_now()
    return game


@cache
def skirmish() -> Circuits:
    """A user's game that names noisy moves, counters and repetitions, with machine code."""
    game = Circuits(read(str(SKIRMISH)), WEIGHTS)
    game.tree.compile_now()
    return game


def compared(game: Circuits, depth: int, plies: int, count: int) -> None:
    """Holds both searches together on positions of random games."""
    game.tree.compile_now()
    random = Random(depth)
    for _ in range(count):
        position = RowPosition(game, game.start, 0 if game.exchanges else None)
        for _ in range(random.randint(0, plies)):
            after = position.after(random.choice(position.moves()))
            if after.result() is not None:
                break
            position = after
        alike(game, position, depth, random)


def alike(game: Circuits, position: RowPosition, depth: int, random: Random) -> tuple[int, int]:
    """Holds both searches together; how many states both scored beyond the depth."""
    every, bonus = random_options(random, position.moves())
    plain = game.without_code()
    by_numpy = RowPosition(plain, position.row, position.turn, recurrences=position.recurrences)
    fast, slow = RowEvaluator(game), RowEvaluator(plain, machine_code=False)
    assert fast.machine_search(position) is not None
    assert slow.machine_search(by_numpy) is None
    asked = {"depth": depth, "every_move": every, "bonus": bonus, "follow": "all"}
    found = search(position, fast, jobs=random.randint(1, 3), **asked)
    in_both(found, search(by_numpy, slow, **asked))
    assert fast.leaves > 0
    return fast.added, slow.added


@pytest.mark.slow
@needs_numba
@pytest.mark.parametrize(
    ("name", "depth", "plies"),
    [("tictactoe", 6, 3), ("breakthrough", 3, 30), ("morris", 3, 40), ("hex", 4, 20)],
)
def test_games_from_their_rules(name: str, depth: int, plies: int) -> None:
    # In morris a player may move several times in a row. Four plies ahead there are nodes all of
    # whose children are refuted.
    compared(knowledge.load(name)[0], depth, plies, 8)


@pytest.mark.slow
@needs_numba
@pytest.mark.parametrize(
    ("name", "piece", "plies", "count"),
    [("breakthrough", "man(P, X, Y)", 30, 4), ("morris", "man(P, A)", 60, 30)],
)
def test_siblings_that_are_refuted_together(
    name: str, piece: str, plies: int, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In morris not every sibling hands the turn over, and nothing is worth anything by itself.
    monkeypatch.setattr(compiled, "_LEAVES_OF_ONE", 1)  # batches of one ply
    where = piece.removeprefix("man(P, ")[:-1]
    file = tmp_path / "features.lp"
    file.write_text(f"feature(at({where}), P, ({where},)) :- true({piece}).")
    constants = {"width": 4, "height": 5} if name == "breakthrough" else {}
    rules = read(name, knowledge=[file], constants=constants)
    names = sorted({atom[1] for atom, _ in rules.derived_atoms("feature")}, key=repr)
    game = Circuits(rules, {each: 7 * i % 23 for i, each in enumerate(names)})
    compared(game, 4, plies, count)
    tree = RowEvaluator(game).machine_search(RowPosition(game, game.start))
    assert tree is not None
    assert tree.at_once == 1


@pytest.mark.slow
@needs_numba
def test_a_game_that_names_candidates() -> None:
    compared(knowledge.load("connect4", constants={"width": 5, "height": 4})[0], 5, 12, 8)


@needs_numba
def test_states_that_are_seen_by_the_side_to_move() -> None:
    compared(Circuits(read(str(BY_MOVER)), {("mark", "own"): 5, ("mark", "opp"): 3}), 4, 4, 8)


@needs_numba
def test_more_moves_than_a_block_has_states() -> None:
    compared(Circuits(read(str(WIDE)), {"odd": 3, "seventh": 5}), 3, 0, 1)


@needs_numba
def test_noisy_moves_repetitions_and_counters() -> None:
    game, random, added, late = skirmish(), Random(3), 0, 0
    for _ in range(20):
        playing = rooms.by_circuits(game).begin()
        for _ in range(random.randint(0, 12)):
            after = playing.after(random.choice(playing.legal))
            if after.over:
                break
            playing = after
        position = playing.root
        both = alike(game, position, random.randint(1, 4), random)
        assert (both[0] > 0) == (both[1] > 0)
        added += both[0]
        late += bool(playing.look.late[0])
    assert added
    assert late


@pytest.mark.slow
@needs_numba
def test_chess() -> None:
    game, random = known("chess"), Random(1)
    there = "e2e3 h8g8 e3e2"
    for text, depth in (
        # A queen hangs, a mate, a pawn about to promote: exchanges beyond the depth.
        ("r2qk2r/ppp2ppp/2n1bn2/3pp3/1b1PP3/2N1BN2/PPP2PPP/R2QKB1R w KQkq - 0 1", 1),
        ("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", 2),
        ("8/1P4k1/8/8/8/8/r5PP/6K1 w - - 0 1", 2),
        ("8/1P4k1/8/8/8/8/r7/6K1 w - - 0 1", 4),
        # The fifty moves are nearly over.
        ("7k/8/8/8/8/2p5/3r4/K7 b - - 98 90", 2),
    ):
        alike(game, rooms.by_circuits(game).begin(text).root, depth, random)
    # Black may come back to where the game has been twice.
    state = rooms.by_circuits(game).begin("7k/8/8/8/8/8/4Q3/K7 w - - 0 1")
    for move in f"{there} g8h8 {there}".split():
        state = state.after(state.read_move(move))
    alike(game, state.root, 2, random)
    fast = RowEvaluator(game)
    assert search(state.root, fast, depth=2).value == 0
    assert fast.machine_search(state.root) is not None


@pytest.mark.slow
@needs_numba
def test_children_that_a_few_likely_replies_refute() -> None:
    plain = known("chess").without_code()
    plain.noisy_plies = 0
    plain.tree.compile_now()
    slow = plain.without_code()
    for text in (
        "r2q1rk1/pp1bbppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10",
        "2rq1rk1/1b2bppp/p2p1n2/1p2p3/4P3/1BN1BP2/PPPQ2PP/2KR3R w - - 0 15",
        "r1b2rk1/2q1bppp/p2ppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 0 12",
    ):
        position, other = (rooms.by_circuits(game).begin(text).root for game in (plain, slow))
        by_code, by_numpy = RowEvaluator(plain), RowEvaluator(slow, machine_code=False)
        found = search(position, by_code, depth=4, follow=None)
        assert found.value == search(other, by_numpy, depth=4, follow=None).value


@pytest.mark.slow
@needs_numba
def test_what_a_leaf_might_be_worth_is_not_what_it_is_worth_at_least() -> None:
    fresh, plain = known("chess").without_code(), known("chess").without_code()
    fresh.tree.compile_now()
    text = "r1bk1bnr/5p1p/n3p1p1/1pp5/1P1pP1P1/P1P2P2/1B5q/RN1K1BNR w - - 0 1"
    playing = rooms.by_circuits(fresh).begin(text)
    rook, bishop, last = (
        fresh.rules.moves.index(playing.read_move(name)) for name in ("Rxh2", "Bh3", "Bc4")
    )
    bonus = {rook: 19, bishop: -4, last: -57}
    fast = RowEvaluator(fresh)
    found = search(playing.root, fast, depth=5, every_move=True, bonus=bonus, moves=[*bonus])
    after = rooms.by_circuits(plain).begin(text).root.after(last)
    alone = search(after, RowEvaluator(plain, machine_code=False), depth=4)
    assert found.scores[last] == -alone.value + bonus[last]


@needs_numba
@pytest.mark.parametrize("name", ["morris", "chess", "skirmish"])
def test_rows_of_states(name: str) -> None:
    game = skirmish() if name == "skirmish" else known(name)
    plain = game.without_code()
    assert game.tree.by_code is not None
    assert plain.tree.by_code is None
    rng, rows = np.random.default_rng(1), np.repeat(game.start[None], 600, 0)
    for _ in range(12):
        found, expected = game.look(rows), plain.look(rows)
        for field in ("legal", "over", "result", "late"):
            assert np.array_equal(getattr(found, field), getattr(expected, field))
        assert np.array_equal(found.turn[~found.over], expected.turn[~found.over])
        values, others = game.leaf(rows), plain.leaf(rows)
        assert np.array_equal(values.values, others.values)
        assert np.array_equal(values.certain, others.certain)
        if game.noisy_plies:
            assert np.array_equal(game.noisy(rows).legal, plain.noisy(rows).legal)
        rows, look = rows[~found.over], found.take(np.flatnonzero(~found.over))
        moves = random_moves(look, rng)
        after = game.step(rows, moves, look.turn)
        assert np.array_equal(after, plain.step(rows, moves, look.turn))
        rows = after


@pytest.mark.parametrize("by_code", [False, pytest.param(True, marks=needs_numba)])
def test_one_state_without_moves_among_many(tmp_path: Path, by_code: bool) -> None:
    (tmp_path / "rules.lp").write_text(
        "role(a;b). base(at(0..5)). base(control(a;b)). init(at(0)). init(control(a)). "
        "input(P, go(1..2)) :- role(P). "
        "legal(P, go(K)) :- true(control(P)), true(at(N)), N < 4, K = 1..2. "
        "next(at(N+K)) :- true(at(N)), does(_, go(K)). "
        "next(control(Q)) :- true(control(P)), role(Q), P != Q. "
        "terminal :- true(at(5)). goal(P, 0) :- role(P), terminal."
    )
    game = Circuits(read(tmp_path))
    if by_code:
        game.tree.compile_now()
    assert (game.tree.by_code is not None) == by_code
    places = [0, 1, 2, 3, 5] * 1000
    rows = np.array([game.row([("control", "a"), ("at", place)]) for place in places])
    for count in (1, 63, 64, 65, len(rows)):
        assert game.look(rows[:count]).over.sum() == count // 5
        for stuck in {0, count // 2, count - 1}:
            some = rows[:count].copy()
            some[stuck] = game.row([("control", "b"), ("at", 4)])
            with pytest.raises(EncodingError, match="no player has a move"):
                game.look(some)


# When it is used


@needs_numba
def test_a_search_goes_over_to_it_while_it_runs() -> None:
    class Late(CircuitEvaluator):
        asked = 0

        def machine_search(self, position: Board) -> CompiledTree[Board] | None:
            self.asked += 1
            return super().machine_search(position) if self.asked > 30 else None

    root = Board(geometry())
    late = Late(reading.load(), geometry(), machine_code=True)
    found = search(root, late, depth=8, every_move=True)
    assert late.asked > 30
    slow = CircuitEvaluator(reading.load(), geometry(), machine_code=False)
    by_numpy = search(root, slow, depth=8, every_move=True)
    in_both(found, by_numpy)
    assert (found.machine_code, by_numpy.machine_code) == (True, False)


@needs_numba
@pytest.mark.parametrize("every_move", [False, True])
def test_it_hears_that_it_is_to_stop(every_move: bool) -> None:
    root = Board(geometry())
    evaluator = CircuitEvaluator(reading.load(), geometry(), machine_code=True)
    stop = Stop()
    threading.Timer(0.2, stop.set).start()
    found = search(root, evaluator, stop=stop, every_move=every_move)
    assert found.interrupted
    assert 1 <= found.depth < 42
    again = search(root, evaluator, depth=found.depth, every_move=every_move)
    assert again.scores == found.scores or not every_move
    assert not search(root, evaluator, stop=Stop(0.01)).interrupted


@needs_numba
def test_games_with_more_moves_than_it_knows_are_left_to_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, _ = knowledge.load("tictactoe")
    monkeypatch.setattr(machine, "_LARGEST", 0)
    game.tree.compile_now()
    evaluator = RowEvaluator(game)
    assert evaluator.machine_search(RowPosition(game, game.start)) is None
    assert search(RowPosition(game, game.start), evaluator, depth=3).depth == 3


class Cramped(RowEvaluator):
    """Has a look-ahead with a given space."""

    def __init__(self, game: Circuits, space: Space) -> None:
        super().__init__(game)
        functions, kernel = game.tree._tiers.get_now(), KERNEL.get_now()
        assert functions
        assert kernel
        self.tree: CompiledTree[RowPosition] = CompiledTree(
            game.tree.machine(functions), MachineStates(), self, kernel, space
        )

    def machine_search(self, position: RowPosition) -> CompiledTree[RowPosition]:
        return self.tree


@needs_numba
@pytest.mark.parametrize("every_move", [False, True])
@pytest.mark.parametrize(("name", "depth"), [("tictactoe", 6), ("morris", 4), ("skirmish", 4)])
def test_a_search_with_little_room_finds_what_it_finds_with_much(
    name: str, depth: int, every_move: bool
) -> None:
    """Each array of the look-ahead is too short at first, and the table overwrites entries."""
    game = skirmish() if name == "skirmish" else known(name)
    position = RowPosition(game, game.start, 0 if game.exchanges else None)
    cramped = Cramped(game, Space(children=1, level=64, most=256, remembered=16))
    cramped.tree._searchers[0].at_once = 3
    cramped.tree._searchers[0]._lay_out()
    found = search(position, cramped, depth=depth, every_move=every_move, follow="all")
    assert (found.interrupted, found.depth) == (False, depth)
    assert cramped.tree._searchers[0]._room > 1
    assert cramped.tree._searchers[0]._most == 256
    assert cramped.tree.at_once < 3
    asked = {"depth": depth, "every_move": every_move, "follow": "all"}
    in_both(found, search(position, RowEvaluator(game), **asked))


@needs_numba
def test_a_search_without_room_says_that_it_was_interrupted() -> None:
    game = Circuits(read(str(WIDE)), {"odd": 3, "seventh": 5})
    position = RowPosition(game, game.start)
    found = search(position, Cramped(game, Space(level=64, most=64)), depth=3)
    assert found.interrupted
    assert found.depth < 3


@needs_numba
def test_a_search_deeper_than_there_is_room_for_says_that_it_was_interrupted() -> None:
    """Two kings that can only walk: nothing is decided, however deep."""
    game = skirmish()
    position = RowPosition(game, game.start, 0 if game.exchanges else None)
    cramped = Cramped(game, Space())
    with pytest.raises(StoppedError):
        cramped.tree.value(position, compiled.DEEPEST + 1, -1, 1, 0)
