"""Values of very many boards, given as arrays."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import WIN, Values
from advisor.errors import InputError
from advisor.games.connect4.abilities import score_of
from advisor.games.connect4.board import (
    Bits,
    Board,
    Frontier,
    Geometry,
    word_type,
    words,
    words_each,
)
from advisor.games.connect4.evaluator import CircuitEvaluator, frontiers
from advisor.games.connect4.game import BoardGame
from advisor.games.connect4.position import BoardPosition
from advisor.games.players import PLAYERS
from advisor.games.score import Score
from aspcircuits.bitplanes import RowIndices

GivenBoards = Sequence[Any] | npt.NDArray[Any]
"""Records, or an array as `advisor.Evaluator.values` describes it."""


class BoardArrays:
    """See `advisor.Evaluator`, whose work this is."""

    def __init__(self, game: BoardGame, machine_code: bool | None) -> None:
        self._geometry = game.board_size
        settings = game.knows.settings(game.board_size)
        self._evaluator = CircuitEvaluator(settings, game.board_size, machine_code=machine_code)
        self.board, self.circuit = _told(game.board_size), self._evaluator.circuit
        self.features = self._evaluator.features
        self.weights = np.array([*settings.weights["features"].values()], np.int64)

    def values(self, positions: GivenBoards, plies: int, turn: int | None) -> Values:
        count, frontiers = self._frontiers(positions, turn)
        found = np.empty(count, np.int64)
        for chosen, frontier in frontiers:
            found[chosen] = self._of(frontier, plies)
        return found

    def counts(
        self, positions: GivenBoards, turn: int | None
    ) -> tuple[Values, npt.NDArray[np.bool_]]:
        count, frontiers = self._frontiers(positions, turn)
        counts = np.empty((count, len(self.features)), np.int64)
        certain = np.empty(count, np.bool_)
        for chosen, frontier in frontiers:
            counts[chosen], certain[chosen] = self._evaluator.counts(frontier)
        return counts, certain

    def score(self, value: int) -> Score:
        return score_of(value, exhaustive=False)

    def _of(self, frontier: Frontier, plies: int) -> Values:
        """Values of positions with one player to move, whose games may be over."""
        lost = frontier.lost()
        won = replace(frontier, mover=frontier.mover ^ frontier.mask).lost()
        going = ~(lost | won | frontier.full())
        if going.all():
            return self._evaluator.values(frontier, plies)
        found = np.where(lost, -WIN, np.where(won, WIN, 0))
        found[going] = self._evaluator.values(frontier.take(going), plies)
        return found

    def _frontiers(
        self, positions: GivenBoards, turn: int | None
    ) -> tuple[int, list[tuple[RowIndices, Frontier]]]:
        """How many positions there are; and, by whose turn it is, their places and themselves."""
        if not isinstance(positions, np.ndarray):
            boards = self._boards(positions, turn)
            return len(boards), [*frontiers(boards, max(1, len(boards)))]
        g = self._geometry
        x, o = self._discs(positions, turn)
        _check(g, x, o)
        mask = x | o
        both = Frontier(g, 1, x, mask).lost() & Frontier(g, 2, o, mask).lost()
        if both.any():
            raise InputError(f"position {both.argmax()}: x and o both have a line")
        turns = 1 + _parity(words(g, mask)) if turn is None else np.full(len(mask), turn)
        found = []
        for player, mover in zip(PLAYERS, (x, o), strict=True):
            if len(chosen := np.flatnonzero(turns == player)):
                found.append((chosen, Frontier(g, player, mover[chosen], mask[chosen])))
        return len(mask), found

    def _discs(self, positions: npt.NDArray[Any], turn: int | None) -> tuple[Bits, Bits]:
        """Bitboards of x and of o."""
        g = self._geometry
        if turn not in (None, *PLAYERS):
            raise InputError(f"turn: {turn} is not a player (use 1 for x, 2 for o)")
        whole = np.issubdtype(positions.dtype, np.integer) or positions.dtype == object
        if whole and positions.ndim == 3 and positions.shape[1:] == (g.height, g.width):
            if ((positions < 0) | (positions > 2)).any():
                raise InputError("positions: a square is 0 (empty), 1 (x) or 2 (o)")
            return _bits(g, positions == 1), _bits(g, positions == 2)
        if positions.dtype == word_type(g) and positions.ndim == 2 and positions.shape[1] == 2:
            x, o = np.ascontiguousarray(positions.T)
            return x, o
        allowed = f"whole numbers of shape (n, {g.height}, {g.width})"
        raise InputError(
            f"positions: an array of {positions.dtype} of shape {positions.shape} "
            f"(use {allowed}, or {np.dtype(word_type(g))} of shape (n, 2))"
        )

    def _boards(self, given: Sequence[Any], turn: int | None) -> list[Board]:
        if turn is not None:
            raise InputError("turn: boards know whose turn it is")
        boards: list[Board] = []
        for number, position in enumerate(given):
            if not isinstance(position, BoardPosition):
                raise InputError(f"position {number}: it is of another game")
            boards.append(position.board)
            if (found := boards[-1].geometry) != self._geometry:
                told = _told(found)
                raise InputError(f"position {number}: its board is {told}, not {self.board}")
        return boards


def _told(g: Geometry) -> str:
    return f"{g.width}x{g.height} with {g.connect} in line"


def _bits(g: Geometry, discs: npt.NDArray[np.bool_]) -> Bits:
    """Bitboards of discs of shape (n, rows, columns)."""
    count = len(discs)
    bits = np.zeros((count, 64 * words_each(g)), np.bool_)
    columns = bits[:, : g.width * g.stride].reshape(count, g.width, g.stride)
    columns[:, :, : g.height] = discs.transpose(0, 2, 1)
    octets = np.packbits(bits, axis=1, bitorder="little")
    if word_type(g) is np.uint64:
        return octets.view("<u8")[:, 0]
    return np.array([int.from_bytes(row.tobytes(), "little") for row in octets], object)


def _check(g: Geometry, x: Bits, o: Bits) -> None:
    """Refuses what is no position."""
    mask = x | o
    wrong: npt.NDArray[Any]
    for wrong, what in (
        (x & o, "a square with two discs"),
        (mask & g.full ^ mask, "discs beside the board"),
        (mask & (mask + g.bottom), "floating discs"),
    ):
        found = np.flatnonzero(wrong != 0)
        if len(found):
            raise InputError(f"position {found[0]}: {what}")


def _parity(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int8]:
    """Whether the words of each row have an odd number of discs: 1 or 0."""
    folded = np.bitwise_xor.reduce(words, axis=1)
    for shift in (32, 16, 8, 4, 2, 1):
        folded = folded ^ folded >> np.uint64(shift)
    odd: npt.NDArray[np.int8] = (folded & np.uint64(1)).astype(np.int8)
    return odd
