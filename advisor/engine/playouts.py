"""Random games over rows, thousands at a time, and the choice of a move by their results.

For games of which nothing is known but the rules: the better of two moves is the one after which
random play ends better (Abramson 1990; Bruegmann 1993).

A random game's moves depend on a seed, the game's number and the ply alone. So they are the same
whoever plays it: NumPy, or compiled code (`advisor.engine.compiled_playouts`) once there is some.
"""

from dataclasses import dataclass
from math import isfinite
from time import perf_counter
from typing import Protocol

import numpy as np
import numpy.typing as npt

from advisor.engine import control as c
from advisor.engine.rows import ONES, Index, Look, RowGame, Rows
from advisor.limits import Stop

Results = npt.NDArray[np.int8]

MAX_PLIES = 1000
"""A random game that lasts longer counts as drawn."""

_SLOTS = 2048
"""Games that are played side by side."""

_BATCH = 1024
"""Random games of one call while moves are tried, at least one after each move."""

_FEW = 64
"""As many in the first call where there is a limit of time: in planes they take as long as one."""

_OF_ALL = 0.25
"""The part of the time after which no more moves are tried for the first time. As a call takes at
most about twice as long as the one before, the last one of them has ended well before the time has.
"""

_OF_A_CALL = 1 / 16
"""While a call takes a smaller part of the time, the next one has twice as many games."""


@dataclass(frozen=True, slots=True)
class Played:
    """Random games.

    Attributes:
        results: int8 of shape (n,): 1 if role 0 of the state that the game began from won, -1 if
            the other one did, 0 for a draw.
        finished: shape (n,), False for games that were stopped before their end.
        plies: of all games together.
    """

    results: Results
    finished: npt.NDArray[np.bool_]
    plies: int


class Player(Protocol):
    """Compiled code that plays at random."""

    def play_out(self, rows: Rows, seed: int, stop: Stop) -> Played:
        """What `play_out` does; the seed is a word with a sign."""


class Code(Protocol):
    """The compiled code of a game, as far as there is any."""

    def played(self, seconds: float) -> None:
        """NumPy has played at random for so long."""

    def player(self) -> Player | None:
        """What plays instead, once it is there."""


class PlayedGame(RowGame, Protocol):
    """A game that may be played by compiled code."""

    @property
    def tree(self) -> Code:
        """What is compiled of it."""


def play_out(
    game: PlayedGame,
    rows: Rows,
    rng: np.random.Generator,
    stop: Stop | None = None,
    machine_code: bool = True,
) -> Played:
    """Plays a random game from each state, all moves being equally likely.

    Args:
        game, rows: the states, shape (n, words).
        rng: where the seed comes from.
        stop: looked at every few plies; None for never.
        machine_code: may be used, with the extra ``fast``, once it pays; results are the same.
    """
    stop = stop or Stop()
    seed = int(rng.integers(-(1 << 63), 1 << 63))
    player = game.tree.player() if machine_code else None
    if player is not None:
        return player.play_out(rows, seed, stop)
    started = perf_counter()
    played = _play_out(game, rows, seed, stop)
    if machine_code:
        game.tree.played(perf_counter() - started)
    return played


def _play_out(game: RowGame, rows: Rows, seed: int, stop: Stop) -> Played:
    """The same by NumPy."""
    results, finished = np.zeros(len(rows), np.int8), np.zeros(len(rows), np.bool_)
    states, owner = rows[:_SLOTS], np.arange(min(_SLOTS, len(rows)))
    age = np.zeros(len(states), np.int32)
    begun, plies = len(states), 0
    while len(states) and not stop.is_set():
        look = game.look(states)
        results[owner] = np.where(look.over, _as_at_the_start(game, look.result, age), 0)
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
    return Played(results, finished, plies)


def _as_at_the_start(game: RowGame, result: Results, age: npt.NDArray[np.int32]) -> Results:
    if not game.exchanges:
        return result
    return np.where(age & 1, -result, result)


_NTH = np.zeros((256, 8), np.uint8)
"""The place of the n-th bit that is set in an octet."""
for _octet in range(256):
    _places = [_bit for _bit in range(8) if _octet >> _bit & 1]
    _NTH[_octet, : len(_places)] = _places


def random_words(seed: int, games: Index, plies: npt.NDArray[np.int32]) -> Rows:
    """A word for each of some plies of games, as SplitMix64 finds its own (Steele et al. 2014)."""
    words = np.uint64(seed % (1 << 64)) + games.astype(np.uint64) * np.uint64(c.OF_GAME % (1 << 64))
    words += plies.astype(np.uint64) * np.uint64(c.OF_PLY % (1 << 64))
    for shift, factor in ((30, c.MIX_1), (27, c.MIX_2)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor % (1 << 64))
    return words


def random_moves(look: Look, rng: np.random.Generator) -> Index:
    """A move of each state; all of them must have one."""
    return moves_by_chance(look, rng.integers(0, 1 << 64, len(look.legal), np.uint64))


def moves_by_chance(look: Look, words: Rows) -> Index:
    """For each state a move, chosen by the upper bits of a word."""
    upto = ONES.take(look.legal).cumsum(axis=1, dtype=np.int32)
    chances = (words >> np.uint64(64 - c.CHANCE_BITS)).astype(np.int64)
    choice = (chances * upto[:, -1] >> c.CHANCE_BITS).astype(np.int32)
    octet = (upto <= choice[:, None]).sum(axis=1)
    every = np.arange(len(upto))
    bits = look.legal[every, octet]
    nth = choice - upto[every, octet] + ONES.take(bits)
    moves: Index = octet * 8 + _NTH[bits, nth]
    return moves


@dataclass(frozen=True, slots=True)
class Tried:
    """What random games say of a state's moves, for its side to move.

    Attributes:
        moves: their numbers: those that stayed in longest first, which have the most games, and
            among these the one with the best mean; those that were not tried last.
        playouts: shape (moves,), how many games began with each; 0 if it was not tried.
        means: shape (moves,), their mean result, from -1 to 1.
    """

    moves: Index
    playouts: Index
    means: npt.NDArray[np.float64]


def try_moves(
    game: PlayedGame,
    row: Rows,
    rng: np.random.Generator,
    *,
    moves: Index | None = None,
    playouts: int | None = None,
    stop: Stop | None = None,
    asked: int | None = None,
) -> Tried:
    """Random games from a state, more of them after the moves that look better.

    Sequential halving (Karnin, Koren and Somekh 2013): in rounds of equal length all moves that are
    left get as many games, then the worse half of them is left out. A move that ends the game needs
    no games. Where there is no time to try all moves, some are tried that chance has chosen.

    Args:
        game, row: the state, shape (words,), of which the game goes on.
        rng: what is random.
        moves: those to try, by number; None for all.
        playouts: games in all, about; None for no limit but the time of `stop`.
        stop: how long there is; games that it ends do not count. A few are played in any case, if
            nobody asks to stop, and without a limit of time one after each move.
        asked: a move that is tried in any case and never left out, so that it gets as many games
            as the best one.
    """
    stop = stop or Stop()
    seconds = stop.seconds_left
    look = game.look(row[None])
    moves = look.moves()[1] if moves is None else moves
    rows = game.step(np.repeat(row[None], len(moves), 0), moves, look.turn.repeat(len(moves)))
    view = -1 if look.turn[0] else 1
    if game.exchanges:
        view = -1
    after = game.look(rows)
    games, sums = np.zeros(len(moves), np.intp), np.zeros(len(moves), np.int64)
    stays = np.array([move == asked for move in moves.tolist()], np.bool_)
    sums[after.over] = view * after.result[after.over].astype(np.int64)
    games[after.over] = 1

    stayed = np.zeros(len(moves), np.intp)  # rounds; a mean of few games is no lead

    def ranked() -> Index:
        """The moves that stayed in longest, best mean first, and last those that were not tried."""
        return np.lexsort((-sums / np.maximum(games, 1), -stayed, games == 0))

    untried = np.flatnonzero(~after.over)
    batch = _FEW if isfinite(seconds) else max(_BATCH, len(untried))
    if len(untried) > batch:
        rng.shuffle(untried)
        untried = untried[np.argsort(~stays[untried], kind="stable")]
    done = 0

    def by_time() -> float:
        """The part of the time that is used up."""
        return 1 - stop.seconds_left / seconds if isfinite(seconds) and seconds else 0.0

    def spent() -> float:
        """The part of the limits that is used up."""
        return max(by_time(), 0.0 if playouts is None else done / playouts)

    def played(going: Index, each: int, until: Stop) -> None:
        """Plays so many games after each of these moves."""
        nonlocal batch, done
        before = stop.seconds_left
        found = play_out(game, rows[going.repeat(each)], rng, until)
        results = (view * found.results * found.finished).astype(np.int64)
        sums[going] += results.reshape(len(going), each).sum(axis=1)
        games[going] += found.finished.reshape(len(going), each).sum(axis=1)
        done += int(found.finished.sum())
        if before - stop.seconds_left < _OF_A_CALL * seconds:
            batch = min(2 * batch, _BATCH)

    first = stop.untimed
    while len(untried):
        some, untried = untried[:batch], untried[batch:]
        played(some, 1, first)
        first = stop
        if stop.is_set() or by_time() > _OF_ALL:
            break
    batch = min(batch, _BATCH)
    left = np.flatnonzero(games)
    rounds = max(1, (len(left) - 1).bit_length())
    for number in range(1, rounds + 1):
        while True:
            going = left[~after.over[left]]
            if not len(going) or stop.is_set():
                break
            played(going, max(1, batch // len(going)), stop)
            if stop.is_set() or spent() >= number / rounds:
                break
        if stop.is_set() or (len(left) == 2 and number == rounds):
            break
        order = ranked()
        order = order[np.isin(order, left)]
        better = np.arange(len(left)) < -(-len(left) // 2)
        left = order[better | stays[order]]
        stayed[left] += 1
    order = ranked()
    return Tried(moves[order], games[order], (sums / np.maximum(games, 1))[order])
