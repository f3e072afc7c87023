"""Arrays of states of one game."""

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Bools, Values
from advisor.engine.rows import Index, Look
from advisor.engine.search import FORCED
from advisor.errors import InputError, at
from advisor.games.game import Game, Position
from advisor.library import arguments
from advisor.library.loading import load_game
from advisor.limits import MAX_DEPTH, MAX_GAMES
from aspcircuits.clingo_api import render
from aspcircuits.texts import list_names

StateRows = npt.NDArray[Any]
Signs = npt.NDArray[np.int8]

_MOST = 10**8
"""The most states to begin with."""

_GAMES_AT_ONCE = 1 << 16


class Arrays:
    """A game over arrays: its rules, values and random games for many states at once.

    >>> arrays = advisor.Arrays("tictactoe")
    >>> states = arrays.start(1000)
    >>> rng = np.random.default_rng(1)
    >>> while not arrays.over(states).all():
    ...     going = ~arrays.over(states)
    ...     legal = arrays.legal(states[going])
    ...     moves = (rng.random(legal.shape) * legal).argmax(axis=1)
    ...     states[going] = arrays.step(states[going], moves)
    >>> bool((arrays.outcome(states) == 1).sum() > (arrays.outcome(states) == -1).sum())
    True

    A state is a row of words, which `start`, `step` and `states` make; equal rows are the same
    state. It does not contain the states before it, so no game here ends by repetition. In Connect
    Four it is two bitboards, of the discs of x and of o, as `Evaluator.values` has them; elsewhere
    what a bit means may change from one version to the next.

    Args:
        game: its name, its folder, or a result of `load_game`.
        machine_code: with the extra ``fast``: True for machine code from the beginning, which takes
            some seconds to make the first time; False for never; None once it pays. Results are the
            same.

    Raises:
        InputError: there is no such game; from every method: an argument has another type or shape,
            or is visibly no state of the game. The error names the first one at fault.
        ConfigError, EncodingError: weights or rules that cannot be used.

    Attributes:
        game: the loaded game.
        moves: the name of each move by its number: `Position.play` takes it.
        features: the names of the features that states are judged by, in the order of `counts`.
        weights: of the features, int64 of shape (features,).
    """

    FORCED = FORCED
    """Values beyond this, up or down, are certain wins and losses."""

    def __init__(
        self, game: str | os.PathLike[str] | Game, *, machine_code: bool | None = None
    ) -> None:
        if machine_code not in (None, True, False):
            raise InputError(f"machine_code {machine_code!r} is none of None, True and False")
        self.game = game if isinstance(game, Game) else load_game(game)
        self._inner = self.game.arrays(machine_code)
        self.moves: tuple[Any, ...] = self._inner.moves
        self.features = tuple(map(render, self._inner.features))
        self.weights: Values = self._inner.weights
        self._latest: tuple[StateRows, Look] | None = None

    def __repr__(self) -> str:
        words = len(self._inner.start)
        counted = f"{len(self.moves)} moves, {words} words a state, {len(self.features)} features"
        return f"<{type(self).__name__} of {self.game.name}: {counted}>"

    def start(self, n: int) -> StateRows:
        """Return copies of the state at the beginning.

        Returns:
            shape (n, words), uint64 (of Connect Four on more than 64 bits Python's integers).
        """
        return np.tile(self._inner.start, (arguments.whole("n", n, 0, _MOST), 1))

    def legal(self, states: StateRows) -> Bools:
        """Return which moves are legal.

        Returns:
            bool of shape (n, moves); none in a finished game.
        """
        _, look = self._check_states(states)
        count = len(self.moves)
        return np.unpackbits(look.legal, axis=1, count=count, bitorder="little").view(np.bool_)

    def over(self, states: StateRows) -> Bools:
        """Return whether games are over: bool of shape (n,)."""
        return self._check_states(states)[1].over.copy()

    def outcome(self, states: StateRows) -> Signs:
        """Return the winners: int8 of shape (n,).

        They are 1 for the first player, -1 for the second one, 0 for a draw or a game that goes on.
        """
        return self._check_states(states)[1].result.copy()

    def turn(self, states: StateRows) -> Signs:
        """Return the sides to move: int8 of shape (n,), 1 for the first player, -1 for the second.

        Multiply by it to change the point of view: `outcome * turn` is for the side to move. In a
        finished game it is the side that would be next, if the rules say so.
        """
        return 1 - 2 * self._check_states(states)[1].turn.astype(np.int8)

    def step(self, states: StateRows, moves: npt.NDArray[Any]) -> StateRows:
        """Return the states after one move each.

        Args:
            moves: whole numbers of shape (n,): one for each state.

        Raises:
            InputError: a move is not legal, or a game is over.
        """
        given, look = self._check_states(states)
        numbers = self._numbers(moves, len(given))
        every = np.arange(len(given))
        legal = look.legal[every, numbers >> 3] >> (numbers & 7) & 1
        if not legal.all():
            number = int(legal.argmin())
            if look.over[number]:
                raise InputError(f"state {number}: the game is over")
            move, able = numbers[number], np.flatnonzero(self.legal(given[number : number + 1]))
            raise InputError(
                f"state {number}: move {move}, {self.moves[move]}, is not legal "
                f"(use {list_names([*map(str, able)])})"
            )
        return self._inner.step(given, numbers, look.turn)

    def values(self, states: StateRows, *, plies: int = 0) -> Values:
        """Return the values of states by the encodings.

        Args:
            plies: of full-width look-ahead; below it noisy moves, as in chess captures, are played
                out.

        Returns:
            int64 of shape (n,), in weight units, each for its player to move; 0 if the game has no
            weights and nothing is certain. A win or a loss is beyond `FORCED`, the sooner the
            further.
        """
        plies = arguments.whole("plies", plies, 0, MAX_DEPTH)
        given, look = self._check_states(states)
        return self._inner.values(given, look.turn, plies)

    def counts(self, states: StateRows) -> tuple[Values, Bools]:
        """Count the features that make up the values, to learn weights from.

        Returns:
            int64 of shape (n, features): how often the first player has each feature, minus how
            often the second one has it; and bool of shape (n,): whether the result is certain, so
            that features do not matter.
        """
        given, look = self._check_states(states)
        return self._inner.counts(given, look.turn)

    def random_games(self, states: StateRows, n: int, seed: int = 1) -> Signs:
        """Return results of games in which all moves are equally likely.

        Args:
            n: number of games from each state.
            seed: of the moves.

        Returns:
            int8 of shape (states, n), as `outcome` has them; a game that lasts 1000 plies is drawn.
        """
        given, _ = self._check_states(states)
        n = arguments.whole("n", n, 1, MAX_GAMES)
        rng = np.random.default_rng(arguments.seed(seed))
        results = np.empty(len(given) * n, np.int8)
        for start in range(0, len(results), _GAMES_AT_ONCE):
            which = np.arange(start, min(start + _GAMES_AT_ONCE, len(results))) // n
            results[start : start + len(which)] = self._inner.play_out(given[which], rng)
        return results.reshape(len(given), n)

    def states(self, positions: Iterable[Position]) -> StateRows:
        """Return the states of positions of this game: shape (n, words)."""
        return self._inner.states(several_positions(positions))

    def positions(self, states: StateRows) -> list[Position]:
        """Return the positions of states, as new beginnings; takes some milliseconds each.

        >>> arrays = advisor.Arrays("hex")
        >>> (p,) = arrays.positions(arrays.states([advisor.position("d4", game="hex")]))
        >>> p.turn, len(p.moves)
        ('blue', 48)
        """
        given, _ = self._check_states(states)
        found = []
        for number, state in enumerate(given):
            with at(f"state {number}"):
                found.append(self._inner.position(state))
        return found

    def _check_states(self, states: StateRows) -> tuple[StateRows, Look]:
        """Return checked states, and a look at them, which several questions may need."""
        start = self._inner.start
        _check_array("states", states, start.dtype, (None, len(start)))
        latest = self._latest  # of any thread
        if latest is None or not np.array_equal(latest[0], states):
            given = np.array(states, order="C")
            self._inner.check(given)
            latest = self._latest = given, self._inner.look(given)
        return latest

    def _numbers(self, moves: Any, count: int) -> Index:
        """Return checked numbers of moves."""
        _check_array("moves", moves, np.integer, (count,))
        wrong = (moves < 0) | (moves >= len(self.moves))
        if wrong.any():
            number, most = int(wrong.argmax()), len(self.moves) - 1
            raise InputError(f"state {number}: there is no move {moves[number]} (use 0 to {most})")
        numbers: Index = moves.astype(np.intp)
        return numbers


def _check_array(name: str, given: Any, kind: Any, shape: tuple[int | None, ...]) -> None:
    """Raise an InputError unless an array has a kind and a shape; a first length None means any."""
    told = "whole numbers" if kind is np.integer else kind
    allowed = f"{told} of shape {shape}".replace("None", "n")
    if not isinstance(given, np.ndarray):
        raise InputError(f"{name}: {type(given).__name__} (use an array: {allowed})")
    lengths = given.shape if shape[0] is not None else (None, *given.shape[1:])
    if lengths != shape or not np.issubdtype(given.dtype, kind):
        raise InputError(f"{name}: {given.dtype} of shape {given.shape} (use {allowed})")


def several_positions(positions: Any) -> list[Position]:
    """Return a caller's positions as a list."""
    given: list[Any] = list(positions) if isinstance(positions, Iterable) else [None]
    if not all(isinstance(each, Position) for each in given):
        raise InputError("positions: use a list of positions, or an array")
    return given
