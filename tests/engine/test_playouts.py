"""Random games and ways to play counted: compiled code does what NumPy does; and they stop."""

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from advisor.engine import compiled_playouts, playouts
from advisor.engine.nodes import Rows
from advisor.engine.playouts import Playouts, play_out, random_moves
from advisor.engine.rows import expand, perft
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.rules import read
from aspcircuits import tiers
from aspcircuits.stopping import Stop

needs_numba = pytest.mark.skipif(
    find_spec("numba") is None, reason="compiled code needs the extra fast"
)
DATA = Path(__file__).parents[1] / "data"


@cache
def loaded(name: str, **constants: int) -> Circuits:
    """A game with its machine code."""
    game, _ = knowledge.load(name, constants=constants)
    assert game.tree.player(now=True) is not None
    return game


def by_mover() -> Circuits:
    """A game whose states are seen by the side to move."""
    return Circuits(read(str(DATA / "by_mover")), {("mark", "own"): 5, ("mark", "opp"): 3})


def wide() -> Circuits:
    """A game with more moves than words have bits."""
    return Circuits(read(str(DATA / "wide")), {"odd": 3, "seventh": 5})


def same(found: Playouts, expected: Playouts) -> bool:
    equal = np.array_equal(found.results, expected.results)
    return (
        equal
        and np.array_equal(found.finished, expected.finished)
        and found.plies == expected.plies
    )


def in_both(game: Circuits, rows: Rows, seed: int) -> Playouts:
    """What compiled code and NumPy agree on."""
    found = play_out(game, rows, np.random.default_rng(seed))
    numpy = play_out(game, rows, np.random.default_rng(seed), machine_code=False)
    assert same(found, numpy)
    assert found.finished.all()
    return found


def somewhere(game: Circuits, count: int) -> Rows:
    """States after none to seven plies of random games, finished ones among them."""
    rng = np.random.default_rng(5)
    rows, met = np.repeat(game.start[None], -(-count // 8), 0), []
    for _ in range(8):
        met.append(rows)
        look = game.look(rows)
        going = np.flatnonzero(~look.over)
        after = game.step(rows[going], random_moves(look.take(going), rng), look.turn[going])
        rows = np.concatenate((after, rows[look.over]))
    return np.concatenate(met)[:count]


@needs_numba
@pytest.mark.parametrize(
    ("name", "constants", "count"),
    [
        ("tictactoe", {}, 2000),
        ("connect4", {"width": 5, "height": 4}, 1500),
        ("breakthrough", {"width": 5, "height": 5}, 1500),  # moves of the second player's own
        ("morris", {}, 300),  # several moves in a row
    ],
)
def test_games_are_those_of_numpy(name: str, constants: dict[str, int], count: int) -> None:
    game = loaded(name, **constants)
    rows = somewhere(game, count)
    for some in (rows[:1], rows[:513], rows):
        played = in_both(game, some, len(some))
    assert {*played.results.tolist()} >= {1, -1}
    assert len(play_out(game, rows[:0], np.random.default_rng(1)).results) == 0


@needs_numba
def test_states_that_are_seen_by_the_side_to_move() -> None:
    game = by_mover()
    game.tree.player(now=True)
    played = in_both(game, somewhere(game, 2000), 3)
    assert {*played.results.tolist()} == {1, 0, -1}


@needs_numba
def test_more_moves_than_words_have_bits() -> None:
    game = wide()
    game.tree.player(now=True)
    in_both(game, np.repeat(game.start[None], 1100, 0), 4)


@pytest.mark.slow
@needs_numba
@pytest.mark.parametrize(
    ("make", "states", "deepest"),
    [(lambda: loaded("chess"), 48, 2), (by_mover, 300, 4), (wide, 4, 2)],
)
def test_ways_to_play_are_as_many(make: Callable[[], Circuits], states: int, deepest: int) -> None:
    # On some level there are more states than are looked at together, some games have ended, and
    # in one there are more plies than are counted at once.
    from counting import counter  # translates its code, which takes seconds

    game = make()
    counting, rows = counter(game), somewhere(game, states)
    for plies in range(1, deepest + 1):
        assert counting.perft(game, rows, plies) == perft(game, rows, plies) > 0


def test_code_is_kept_for_the_table_that_it_reads() -> None:
    # Circuits of the same rules may have the columns of their tables in another order.
    code = knowledge.load("tictactoe")[0].tree.code
    columns = np.unpackbits(code.table.view(np.uint8), axis=1)
    other = np.packbits(columns[:, ::-1], axis=1).view(np.uint64)
    assert replace(code, table=other).key() != code.key() == replace(code).key()


@needs_numba
def test_what_lasts_too_long_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    game = loaded("tictactoe")
    for module in (playouts, compiled_playouts):
        monkeypatch.setattr(module, "MAX_PLIES", 6)
    monkeypatch.setattr(game.tree._mine, "made", {})  # it was made for longer games
    played = in_both(game, np.repeat(game.start[None], 500, 0), 1)
    assert played.plies < 500 * 6
    assert (played.results == 0).sum() > 250


# What is random


def chances(game: Circuits) -> dict[int, float]:
    """The exact chances of the results of random play, by following every game."""
    rows, weights = game.start[None], np.ones(1)
    found = {1: 0.0, 0: 0.0, -1: 0.0}
    while len(rows):
        look = game.look(rows)
        for result in found:
            found[result] += float(weights[look.over & (look.result == result)].sum())
        children = expand(game, rows)
        weights = (weights / np.maximum(look.counts(), 1))[children.parent]
        rows = children.rows
    return found


@pytest.mark.parametrize(
    ("machine_code", "count"), [(False, 40_000), pytest.param(True, 1_000_000, marks=needs_numba)]
)
def test_games_end_as_often_as_they_must(machine_code: bool, count: int) -> None:
    game = loaded("tictactoe") if machine_code else knowledge.load("tictactoe")[0]
    rows = np.repeat(game.start[None], count, 0)
    played = play_out(game, rows, np.random.default_rng(1), machine_code=machine_code)
    assert played.finished.all()
    for result, chance in chances(game).items():
        found = float((played.results == result).mean())
        assert abs(found - chance) < 5 * (chance * (1 - chance) / count) ** 0.5


def test_all_moves_are_equally_likely() -> None:
    game, count = Circuits(read("hex")), 100_000
    look = game.look(game.start[None])
    owner, ages = np.arange(count), np.arange(count, dtype=np.int32) % 50
    words = playouts.random_words(-7, owner, ages)
    chosen = playouts.moves_by_chance(look.take(np.zeros(count, np.intp)), words)
    moves = look.moves()[1]
    assert {*chosen.tolist()} == {*moves.tolist()}
    expected = count / len(moves)
    squares = ((np.bincount(chosen)[moves] - expected) ** 2 / expected).sum()
    # Chi-squared with 48 degrees of freedom: mean 48, standard deviation 9.8.
    assert 48 - 5 * 9.8 < squares < 48 + 5 * 9.8
    assert abs(float(np.corrcoef(chosen[1:], chosen[:-1])[0, 1])) < 5 / count**0.5


@needs_numba
def test_a_seed_makes_the_same_games_however_they_are_shared_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = loaded("tictactoe")
    rows = np.repeat(game.start[None], 3000, 0)
    found = play_out(game, rows, np.random.default_rng(8))
    assert same(play_out(game, rows, np.random.default_rng(8)), found)
    assert not same(play_out(game, rows, np.random.default_rng(9)), found)
    monkeypatch.setattr(compiled_playouts, "_SLOTS", 1)  # as few as there can be: a block
    monkeypatch.setattr(compiled_playouts, "_PLIES", 1)
    monkeypatch.setattr(game.tree._mine, "made", {})
    assert same(play_out(game, rows, np.random.default_rng(8)), found)


# When they are played by it, and for how long


@needs_numba
def test_long_work_goes_over_to_machine_code() -> None:
    game, _ = knowledge.load("tictactoe")
    rows = np.repeat(game.start[None], 3000, 0)
    found = play_out(game, rows, np.random.default_rng(2))
    game.tree.count_game_seconds(3600)
    for thread in tiers._threads:
        thread.join()
    assert game.tree.player() is not None
    assert same(play_out(game, rows, np.random.default_rng(2)), found)


def test_games_of_numpy_stop_when_asked() -> None:
    game, stop = Circuits(read("hex")), Stop()
    rows = np.repeat(game.start[None], 10, 0)

    class Counted(Circuits):
        """Sets the stop at the fifth ply."""

        plies = 0

        def step(self, *arguments: Any) -> Rows:
            self.plies += 1
            if self.plies == 5:
                stop.set()
            return super().step(*arguments)

    counted = Counted(game.rules)
    played = play_out(counted, rows, np.random.default_rng(1), stop)
    assert (played.plies, played.finished.any()) == (50, False)


@needs_numba
def test_they_stop_when_asked() -> None:
    game, stop = loaded("morris"), Stop()
    rows = np.repeat(game.start[None], 200_000, 0)
    play_out(game, rows[:64], np.random.default_rng(1))  # what is made once takes longer
    threading.Timer(0.1, stop.set).start()
    played = play_out(game, rows, np.random.default_rng(1), stop)
    assert 0 < played.finished.sum() < len(rows)
    assert (played.results[~played.finished] == 0).all()
    assert not play_out(game, rows[:9], np.random.default_rng(1), stop).finished.any()
