"""Many states at once, of every game: clingo, single positions and machine code say the same."""

import re
from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import advisor
from advisor.games import rooms
from advisor.games.circuits import Circuits
from advisor.games.reference import answer
from advisor.games.rules import read
from commands import ROOT
from game_speed import chosen, differences, met
from games import worth

DATA = Path(__file__).parents[1] / "data"
WEIGHTS = {
    "by_mover": {("mark", "own"): 5, ("mark", "opp"): 3},
    "skirmish": {("stone", side): 3 for side in ("x", "o")},
}
SLOW = ["breakthrough", "chess", "gomoku", "hex", "morris", "reversi"]
QUICK = ["connect4", "tictactoe", "by_mover", "skirmish"]
EVERY = [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]


def arrays_of(name: str, machine_code: bool | None = False) -> advisor.Arrays:
    """A game that comes along, or one of the tests'."""
    if not (DATA / name / "rules.lp").is_file():
        return advisor.Arrays(name, machine_code=machine_code)
    rules = read(str(DATA / name))
    names = {atom[1] for atom, _ in rules.derived_atoms("feature")}
    game = rooms.by_circuits(Circuits(rules, {each: 3 + i for i, each in enumerate(sorted(names))}))
    return advisor.Arrays(game, machine_code=machine_code)


def test_all_games_are_here() -> None:
    assert {*advisor.game_names()} == {*SLOW, *QUICK} - {"by_mover", "skirmish"}


@pytest.mark.parametrize("name", EVERY)
def test_the_rules_are_those_that_clingo_reads(name: str) -> None:
    arrays = arrays_of(name)
    states = met(arrays, 40, 1)
    assert arrays.over(states).any()
    assert differences(arrays, states) == []


@pytest.mark.parametrize("name", EVERY)
def test_positions_and_states_are_the_same_games(name: str) -> None:
    """Moves by their names, as positions play them, lead to the same states."""
    arrays, rng = arrays_of(name), np.random.default_rng(2)
    states, positions = arrays.start(6), [arrays.game.position()] * 6
    for _ in range(60):
        going = np.flatnonzero(~arrays.over(states))
        if not len(going):
            break
        legal = arrays.legal(states[going])
        assert legal.sum(axis=1).tolist() == [len(positions[i].moves) for i in going]
        moves = chosen(legal, rng)
        states[going] = arrays.step(states[going], moves)
        for i, move in zip(going, moves, strict=True):
            positions[i] = positions[i].play(arrays.moves[move])
        assert (arrays.states(positions) == states).all()
    players = [None, *arrays.game.players]  # a draw, 1 and -1
    assert [players[sign] for sign in arrays.outcome(states)] == [p.winner for p in positions]
    if name == "by_mover":  # its notation does not say which side is to move
        told = np.flatnonzero(arrays.turn(states) > 0)
        with pytest.raises(advisor.InputError, match="state 0: opp is to move, which no text"):
            arrays.positions(states[arrays.turn(states) < 0])
    else:
        told = np.arange(len(states))
    again = arrays.positions(states[told])
    assert [p.key for p in again] == [positions[i].key for i in told]
    assert (arrays.states(again) == states[told]).all()
    going = ~arrays.over(states)
    turns = [p.turn for p, goes in zip(positions, going, strict=True) if goes]
    assert [players[sign] for sign in arrays.turn(states)[going]] == turns


@pytest.mark.parametrize(
    "name", ["by_mover", "skirmish", pytest.param("chess", marks=pytest.mark.slow)]
)
def test_values_are_those_of_clingo(name: str) -> None:
    arrays = arrays_of(name)
    circuits, states = arrays.game.circuits, met(arrays, 30, 3)  # type: ignore[attr-defined]
    values, turn = arrays.values(states), arrays.turn(states)
    counts, certain = arrays.counts(states)
    weights = {feature: int(w) for feature, w in circuits.weights.items()}
    for i, row in enumerate(states[:, : circuits.words].copy()):
        first, known = worth(answer(circuits.rules, circuits.atoms(row)), circuits.rules, weights)
        # If a state is seen by the side to move, its first role is that side.
        assert values[i] == (first if circuits.exchanges else first * turn[i])
        assert certain[i] == known
    by_counts = (counts @ arrays.weights) * turn
    assert (by_counts == values)[~certain].all()
    assert (~certain).any()
    assert len(arrays.features) == len(arrays.weights) == counts.shape[1]


@pytest.mark.parametrize("name", ["by_mover", pytest.param("connect4", marks=pytest.mark.slow)])
def test_a_look_ahead_is_plain_negamax(name: str) -> None:
    """Through the public interface; no move is noisy, so that none is played out below leaves."""
    arrays = arrays_of(name)
    states = met(arrays, 8, 4)
    assert arrays.values(states, plies=2).tolist() == [negamax(arrays, s[None], 2) for s in states]


def negamax(arrays: advisor.Arrays, state: Any, plies: int) -> int:
    if plies == 0 or arrays.over(state)[0]:
        return int(arrays.values(state)[0])
    found = []
    for move in np.flatnonzero(arrays.legal(state)):
        after = arrays.step(state, np.array([move]))
        value = negamax(arrays, after, plies - 1) * int(
            arrays.turn(after)[0] * arrays.turn(state)[0]
        )
        found.append(value - (value >= arrays.FORCED) + (value <= -arrays.FORCED))
    return max(found)


@pytest.mark.parametrize("name", ["by_mover", pytest.param("connect4", marks=pytest.mark.slow)])
def test_random_games_end_as_often_as_they_should(name: str) -> None:
    """Near the end the mean result is known exactly."""
    arrays = arrays_of(name)
    if name == "connect4":
        small = advisor.load_game("connect4", constants={"width": 4, "height": 3, "connect": 3})
        arrays = advisor.Arrays(small)
    states = met(arrays, 150, 5)
    near, exact = [], []
    for state in states:
        if (mean := mean_result(arrays, state[None], 40)) is not None:
            near.append(state)
            exact.append(float(mean))
    assert len({*exact}) > 5
    found = arrays.random_games(np.array(near), 400, seed=7)
    assert found.shape == (len(near), 400)
    assert found.dtype == np.int8
    assert np.abs(found.mean(axis=1) - exact).max() < 0.25
    assert (found == arrays.random_games(np.array(near), 400, seed=7)).all()
    assert (found != arrays.random_games(np.array(near), 400, seed=8)).any()


def mean_result(arrays: advisor.Arrays, state: Any, most: int) -> Fraction | None:
    """The mean result of all random games; None if there are too many states below."""
    if arrays.over(state)[0]:
        return Fraction(int(arrays.outcome(state)[0]))
    moves = np.flatnonzero(arrays.legal(state))
    if len(moves) > most:
        return None
    below = arrays.step(np.repeat(state, len(moves), 0), moves)
    means = [mean_result(arrays, after[None], most // len(moves)) for after in below]
    known = [mean for mean in means if mean is not None]
    return sum(known, Fraction()) / len(moves) if len(known) == len(moves) else None


@pytest.mark.slow
@pytest.mark.skipif(find_spec("numba") is None, reason="machine code needs the extra fast")
@pytest.mark.parametrize("name", ["chess", "morris", "by_mover", "connect4"])
def test_machine_code_says_the_same(name: str) -> None:
    fast, slow = arrays_of(name, True), arrays_of(name, False)
    states = met(slow, 500, 6)
    for each in ("legal", "over", "outcome", "turn", "values"):
        assert (getattr(fast, each)(states) == getattr(slow, each)(states)).all(), each
    going = ~slow.over(states)
    moves = chosen(slow.legal(states[going]), np.random.default_rng(6))
    assert (fast.step(states[going], moves) == slow.step(states[going], moves)).all()
    some = states[:40]
    assert (fast.random_games(some, 5) == slow.random_games(some, 5)).all()
    assert (fast.counts(some)[0] == slow.counts(some)[0]).all()
    assert (fast.values(some, plies=2) == slow.values(some, plies=2)).all()


def test_moves_have_the_names_that_the_games_give_them() -> None:
    assert arrays_of("connect4").moves == (1, 2, 3, 4, 5, 6, 7)
    assert arrays_of("tictactoe").moves[:4] == ("a1", "a2", "a3", "b1")


@pytest.mark.slow
def test_moves_of_chess_are_all_that_uci_can_say() -> None:
    """From each square as a queen or a knight moves, and promotions."""
    chess = arrays_of("chess")
    chess_module = pytest.importorskip("chess")
    board = chess_module.Board
    reached = set()
    for square in chess_module.SQUARES:
        for piece in "QN":
            empty = board.empty()
            empty.set_piece_at(square, chess_module.Piece.from_symbol(piece))
            reached |= {move.uci() for move in empty.pseudo_legal_moves}
    files = "abcdefgh"
    reached |= {
        f"{files[x]}{rank}{files[to]}{end}{piece}"
        for x in range(8)
        for to in (x - 1, x, x + 1)
        if 0 <= to < 8
        for rank, end in ((7, 8), (2, 1))
        for piece in "qrbn"
    }
    assert {*chess.moves} == reached
    assert len(chess.moves) == 1968


def test_an_evaluator_is_arrays_of_connect_four() -> None:
    evaluator = advisor.Evaluator(machine_code=False)
    assert isinstance(evaluator, advisor.Arrays)
    states = met(evaluator, 200, 8)
    positions = evaluator.positions(states)
    assert (evaluator.values(states) == evaluator.values(positions)).all()
    cells = np.stack([p.cells for p in positions])
    assert (evaluator.values(states, plies=2) == evaluator.values(cells, plies=2)).all()
    counts, certain = evaluator.counts(states)
    assert (counts == arrays_of("connect4").counts(states)[0]).all()
    assert len(counts) == len(certain)


@pytest.mark.parametrize("size", [(9, 8), (3, 2), (12, 5)])
def test_boards_of_other_sizes(size: tuple[int, int]) -> None:
    """More than 64 bits are Python's integers; more than eight columns more than an octet."""
    game = advisor.load_game("connect4", constants={"width": size[0], "height": size[1]})
    arrays, rng = advisor.Arrays(game, machine_code=False), np.random.default_rng(9)
    states, position = arrays.start(1), game.position()
    while not arrays.over(states)[0]:
        moves = chosen(arrays.legal(states), rng)
        assert [*position.moves] == [arrays.moves[i] for i in np.flatnonzero(arrays.legal(states))]
        states, position = arrays.step(states, moves), position.play(arrays.moves[moves[0]])
    assert position.over
    assert arrays.positions(states)[0].key == position.key
    assert arrays.random_games(arrays.start(3), 20).shape == (3, 20)


def test_no_states_are_arrays_too() -> None:
    for name in ("tictactoe", "by_mover", "connect4"):
        arrays = arrays_of(name)
        none = arrays.start(0)
        assert arrays.legal(none).shape == (0, len(arrays.moves))
        assert len(arrays.over(none)) == len(arrays.values(none)) == len(arrays.turn(none)) == 0
        assert arrays.step(none, np.empty(0, np.int64)).shape == none.shape
        assert arrays.random_games(none, 3).shape == (0, 3)
        assert arrays.states([]).shape == none.shape
        assert arrays.positions(none) == []
        assert arrays.counts(none)[0].shape == (0, len(arrays.features))


def test_a_state_that_is_changed_is_looked_at_again() -> None:
    arrays = arrays_of("tictactoe")
    states = arrays.start(2)
    before = arrays.legal(states)
    states[0] = arrays.step(states[:1], np.array([4]))[0]
    assert (arrays.legal(states) != before).sum() == 1
    arrays.over(states)[:] = True
    assert not arrays.over(states).any()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            lambda a, s: a.legal(s.tolist()),
            r"states: list \(use an array: uint64 of shape \(n, 1\)",
        ),
        (lambda a, s: a.legal(s.astype(np.int64)), r"states: int64 of shape \(2, 1\)"),
        (lambda a, s: a.over(s[0]), r"states: uint64 of shape \(1,\) \(use uint64 of shape \(n, 1"),
        (lambda a, s: a.turn(s | np.uint64(1 << 63)), "state 0: it has a bit that stands for noth"),
        (lambda a, s: a.turn(s * np.uint64(0)), r"state 0: one of turn\(x\) and turn\(o\) must"),
        (lambda a, s: a.step(s, np.array([1, 9])), "state 1: there is no move 9 .use 0 to 8"),
        (lambda a, s: a.step(s, np.array([-1, 0])), "state 0: there is no move -1"),
        (
            lambda a, s: a.step(s, np.array([0])),
            r"moves: int64 of shape \(1,\) \(use whole numbers",
        ),
        (lambda a, s: a.step(s, np.array([0.0, 1])), "moves: float64"),
        (lambda a, s: a.step(s, [0, 1]), "moves: list"),
        (lambda a, s: a.step(s, np.array([True, False])), "moves: bool"),
        (
            lambda a, s: a.step(a.step(s, np.array([0, 1])), np.array([1, 1])),
            r"state 1: move 1, a2, is not legal \(use 0, 2, 3, 4,",
        ),
        (lambda a, s: a.random_games(s, 0), "n 0 is out of range"),
        (lambda a, s: a.random_games(s, 1, seed=-1), "seed -1 is out of range"),
        (lambda a, s: a.start(-1), "n -1 is out of range"),
        (lambda a, s: a.start(1.5), "n 1.5 is not a whole number"),
        (lambda a, s: a.values(s, plies=-1), "plies -1 is out of range"),
        (lambda a, s: a.states(s), "positions: use a list of positions"),
        (lambda a, s: a.states([advisor.position("44")]), "position 0: it is of another game"),
        (lambda a, s: advisor.Arrays("tictac"), "'tictac' is neither a game"),
        (lambda a, s: advisor.Arrays("hex", machine_code="yes"), "machine_code 'yes' is none of"),
        (lambda a, s: advisor.Arrays(3), "game 3 is neither a name nor a path"),
    ],
)
def test_what_cannot_be_used_is_refused(
    wrong: Callable[[advisor.Arrays, Any], Any], told: str
) -> None:
    arrays = arrays_of("tictactoe")
    with pytest.raises(advisor.InputError, match=told) as found:
        wrong(arrays, arrays.start(2))
    assert "\n" not in str(found.value)


def test_the_first_finished_game_is_named() -> None:
    arrays = arrays_of("tictactoe")
    won = arrays.states([advisor.position("a1 b1 a2 b2 a3", game="tictactoe")])
    states = np.concatenate((arrays.start(3), won, won))
    with pytest.raises(advisor.InputError, match=r"^state 3: the game is over$"):
        arrays.step(states, np.array([0, 1, 2, 8, 8]))


def test_a_square_that_nobody_can_take_on_is_no_part_of_a_state() -> None:
    arrays = arrays_of("chess")
    e4 = np.array([arrays.moves.index("e2e4")])
    for row, able in (("k2p4", True), ("k2p3R", False)):  # taking would open the row
        p = advisor.position(f"8/8/8/8/{row}/8/4P3/4K3 w - - 0 1", game="chess")
        after = arrays.step(arrays.states([p]), e4)
        assert (after == arrays.states([p.play("e4")])).all()
        assert arrays.legal(after)[0, arrays.moves.index("d4e3")] == able


def test_states_of_chess_and_of_boards_that_are_none() -> None:
    chess = arrays_of("chess")
    bare = chess.start(2)
    bare[1, :-1] = 0
    with pytest.raises(advisor.InputError, match=r"^state 1: "):
        chess.positions(bare)
    with pytest.raises(advisor.InputError, match="state 0: its last word is neither 0 nor 1"):
        chess.legal(np.full_like(bare, 2))
    boards = arrays_of("connect4")
    both = np.array([[0, 0], [15, 15 << 7]], np.uint64)
    with pytest.raises(advisor.InputError, match="state 1: x and o both have a line"):
        boards.over(both)
    composed = advisor.position("4453").put({(1, 1): "x"}, turn="x")
    with pytest.raises(advisor.InputError, match="position 0: x is to move, which its discs do no"):
        boards.states([composed])


def test_the_readme_shows_what_runs() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
    (shown,) = [block for block in blocks if "Arrays" in block]
    *lines, last = shown.strip().splitlines()
    names: dict[str, Any] = {"advisor": advisor}
    exec("\n".join(lines), names)
    means = eval(last, names)
    assert means.shape == (49,)
    assert means.max() > means[0]  # a corner is the worst place to begin at
