"""Random games over rows, thousands at a time.

A random game's moves depend only on the seed, the game's number and the ply. So NumPy and compiled
code (`advisor.engine.compiled_playouts`), once there is some, play the same games.
"""

from dataclasses import dataclass
from time import perf_counter

import numpy as np
import numpy.typing as npt

from advisor.engine import control as c
from advisor.engine.nodes import Rows
from advisor.engine.rows import ONES, Index, Look, RowGame, RowRules
from aspcircuits.bitplanes import OCTETS
from aspcircuits.stopping import Stop

Results = npt.NDArray[np.int8]

MAX_PLIES = 1000
"""Plies after which a random game counts as drawn."""

_SLOTS = 2048
"""Games that are played side by side."""


@dataclass(frozen=True, slots=True)
class Playouts:
    """Results of random games.

    Attributes:
        results: int8 of shape (n,): 1 if role 0 of the state from which the game began won, -1 if
            the other one did, 0 for a draw.
        finished: shape (n,), False for games that were stopped before their end.
        plies: total of all games.
    """

    results: Results
    finished: npt.NDArray[np.bool_]
    plies: int


def play_out(
    game: RowGame,
    rows: Rows,
    rng: np.random.Generator,
    stop: Stop | None = None,
    machine_code: bool = True,
) -> Playouts:
    """Play a random game from each state, with all moves equally likely.

    Args:
        rows: the states, shape (n, words).
        rng: draws the seed.
        stop: checked every few plies.
        machine_code: may be used, with the extra ``fast``, once it pays; results are the same.
    """
    stop = stop or Stop()
    seed = int(rng.integers(-(1 << 63), 1 << 63))
    player = game.tree.player() if machine_code else None
    if player is not None:
        played: Playouts = player.play_out(rows, seed, stop)
        return played
    started = perf_counter()
    played = play_out_by_numpy(game, rows, seed, stop)
    if machine_code:
        game.tree.count_game_seconds(perf_counter() - started)
    return played


def play_out_by_numpy(game: RowRules, rows: Rows, seed: int, stop: Stop) -> Playouts:
    """Play random games as `play_out` does, with NumPy alone, from a 64-bit seed."""
    results, finished = np.zeros(len(rows), np.int8), np.zeros(len(rows), np.bool_)
    states, owner = rows[:_SLOTS], np.arange(min(_SLOTS, len(rows)))
    age = np.zeros(len(states), np.int32)
    begun, plies = len(states), 0
    while len(states) and not stop.is_set():
        look = game.look(states)
        result = look.result  # for the side to move at the end
        if game.exchanges:
            result = np.where(age & 1, -result, result)
        results[owner] = np.where(look.over, result, 0)
        over = look.over | (age >= MAX_PLIES)
        finished[owner] = over
        going = np.flatnonzero(~over)
        if len(going) < len(states):
            states, owner, age = states[going], owner[going], age[going]
            look = look.take(going)
        if len(states):
            chosen = moves_by_chance(look, random_words(seed, owner, age))
            states = game.step(states, chosen, look.turn)
            plies += len(states)
            age += 1
        if begun < len(rows) and len(states) <= _SLOTS // 2:
            fresh = np.arange(begun, min(len(rows), begun + _SLOTS - len(states)))
            states = np.concatenate((states, rows[fresh]))
            owner = np.concatenate((owner, fresh))
            age = np.concatenate((age, np.zeros(len(fresh), np.int32)))
            begun += len(fresh)
    return Playouts(results, finished, plies)


_NTH = np.argsort(OCTETS == 0, axis=1, kind="stable").astype(np.uint8)
"""The place of the n-th set bit of an octet."""


def random_words(seed: int, games: Index, plies: npt.NDArray[np.int32]) -> Rows:
    """Return a word for each ply of a game, computed like SplitMix64 (Steele et al. 2014)."""
    words = np.uint64(seed % (1 << 64)) + games.astype(np.uint64) * np.uint64(c.OF_GAME % (1 << 64))
    words += plies.astype(np.uint64) * np.uint64(c.OF_PLY % (1 << 64))
    for shift, factor in ((30, c.MIX_1), (27, c.MIX_2)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor % (1 << 64))
    return words


def random_moves(look: Look, rng: np.random.Generator) -> Index:
    """Return a random move of each state; every state must have one."""
    return moves_by_chance(look, rng.integers(0, 1 << 64, len(look.legal), np.uint64))


def moves_by_chance(look: Look, words: Rows) -> Index:
    """Return a move of each state, chosen by the upper bits of a word."""
    upto = ONES.take(look.legal).cumsum(axis=1, dtype=np.int32)
    chances = (words >> np.uint64(64 - c.CHANCE_BITS)).astype(np.int64)
    choice = (chances * upto[:, -1] >> c.CHANCE_BITS).astype(np.int32)
    octet = (upto <= choice[:, None]).sum(axis=1)
    every = np.arange(len(upto))
    bits = look.legal[every, octet]
    nth = choice - upto[every, octet] + ONES.take(bits)
    moves: Index = octet * 8 + _NTH[bits, nth]
    return moves
