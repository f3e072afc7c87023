"""Values of very many boards, given as arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.below import WIN, Bools, Values
from advisor.errors import InputError
from advisor.games.connect4.abilities import score_of
from advisor.games.connect4.board import Geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.frontier import Bits, Frontier, word_type
from advisor.games.connect4.record import Record
from advisor.games.connect4.room import BoardRoom
from advisor.games.players import PLAYERS
from advisor.games.score import Score

GivenBoards = Sequence[Any] | npt.NDArray[Any]
"""Records, or an array as `advisor.Evaluator.values` describes it."""


class BoardArrays:
    """See `advisor.Evaluator`, whose work this is.

    Args:
        room: of the boards and the weights.
        machine_code: see `advisor.games.connect4.evaluator.CircuitEvaluator`.
    """

    def __init__(self, room: BoardRoom, machine_code: bool | None) -> None:
        self._geometry = room.size
        settings = room.knows.settings(room.size)
        self._evaluator = CircuitEvaluator(settings, room.size, machine_code=machine_code)
        self.board, self.circuit = _told(room.size), self._evaluator.circuit
        self.features = self._evaluator.features
        weights = settings.weights["features"]
        self.weights = np.array([weights[name] for name in self.features], np.int64)

    def values(self, positions: GivenBoards, plies: int, turn: int | None) -> Values:
        """See `advisor.Evaluator.values`."""
        count, frontiers = self._frontiers(positions, turn)
        found = np.empty(count, np.int64)
        for chosen, frontier in frontiers:
            found[chosen] = self._of(frontier, plies)
        return found

    def counts(
        self, positions: GivenBoards, turn: int | None
    ) -> tuple[Values, npt.NDArray[np.bool_]]:
        """See `advisor.Evaluator.counts`."""
        count, frontiers = self._frontiers(positions, turn)
        counts = np.empty((count, len(self.features)), np.int64)
        certain = np.empty(count, np.bool_)
        for chosen, frontier in frontiers:
            counts[chosen], certain[chosen] = self._evaluator.counts(frontier)
        return counts, certain

    def score(self, value: int) -> Score:
        """What a value says."""
        return score_of(value, exhaustive=False)

    def _of(self, frontier: Frontier, plies: int) -> Values:
        """Values of positions with one player to move."""
        over = self._over(frontier)
        if over is None:
            return self._evaluator.values(frontier, plies)
        ended, results = over
        results[~ended] = self._evaluator.values(frontier.take(~ended), plies)
        return results

    def _over(self, frontier: Frontier) -> tuple[Bools, Values] | None:
        """Which games are over, and their results; None if none is."""
        lost = frontier.lost()
        others = frontier.mover ^ frontier.mask
        won = Frontier(frontier.geometry, frontier.turn, others, frontier.mask).lost()
        ended = lost | won | frontier.full()
        if not ended.any():
            return None
        return ended, np.where(lost, -WIN, np.where(won, WIN, 0))

    def _frontiers(
        self, positions: GivenBoards, turn: int | None
    ) -> tuple[int, list[tuple[npt.NDArray[np.intp], Frontier]]]:
        """How many positions there are; and, by whose turn it is, their places and themselves."""
        x, o, turns = self._read(positions, turn)
        mask = x | o
        found = []
        for player, mover in zip(PLAYERS, (x, o), strict=True):
            chosen = np.flatnonzero(turns == player)
            if len(chosen):
                frontier = Frontier(self._geometry, player, mover[chosen], mask[chosen])
                found.append((chosen, frontier))
        return len(x), found

    def _read(
        self, positions: GivenBoards, turn: int | None
    ) -> tuple[Bits, Bits, npt.NDArray[Any]]:
        """Bitboards of x and of o, and who is to move."""
        g = self._geometry
        if not isinstance(positions, np.ndarray):
            return self._of_records(positions, turn)
        if turn not in (None, *PLAYERS):
            raise InputError(f"turn: {turn} is not a player (use 1 for x, 2 for o)")
        whole = np.issubdtype(positions.dtype, np.integer) or positions.dtype == object
        if whole and positions.ndim == 3 and positions.shape[1:] == (g.height, g.width):
            x, o = (_bits(g, positions == player) for player in PLAYERS)
            if ((positions < 0) | (positions > 2)).any():
                raise InputError("positions: a square is 0 (empty), 1 (x) or 2 (o)")
        elif positions.dtype == word_type(g) and positions.ndim == 2 and positions.shape[1] == 2:
            x, o = np.ascontiguousarray(positions.T)
        else:
            allowed = f"whole numbers of shape (n, {g.height}, {g.width})"
            raise InputError(
                f"positions: an array of {positions.dtype} of shape {positions.shape} "
                f"(use {allowed}, or {np.dtype(word_type(g))} of shape (n, 2))"
            )
        _check(g, x, o)
        if turn is not None:
            return x, o, np.full(len(x), turn)
        return x, o, 1 + _parity(x | o)

    def _of_records(
        self, given: Sequence[Any], turn: int | None
    ) -> tuple[Bits, Bits, npt.NDArray[Any]]:
        g = self._geometry
        if turn is not None:
            raise InputError("turn: boards know whose turn it is")
        read = []
        for number, record in enumerate(given):
            if not isinstance(record, Record):
                raise InputError(f"position {number}: it is of another game")
            read.append(record.position)
            if read[-1].geometry != g:
                found = _told(read[-1].geometry)
                raise InputError(f"position {number}: its board is {found}, not {self.board}")
        x: Bits = np.array([position.discs_of(1) for position in read], word_type(g))
        o: Bits = np.array([position.discs_of(2) for position in read], word_type(g))
        return x, o, np.array([position.turn for position in read], np.intp)


def _told(g: Geometry) -> str:
    return f"{g.width}x{g.height} with {g.connect} in line"


def _bits(g: Geometry, discs: npt.NDArray[np.bool_]) -> Bits:
    """Bitboards of discs of shape (n, rows, columns)."""
    count = len(discs)
    words = -(-g.width * g.stride // 64)
    bits = np.zeros((count, 64 * words), np.bool_)
    columns = bits[:, : g.width * g.stride].reshape(count, g.width, g.stride)
    columns[:, :, : g.height] = discs.transpose(0, 2, 1)
    bits[:, : g.width * g.stride] = columns.reshape(count, g.width * g.stride)
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


def _parity(bits: Bits) -> npt.NDArray[Any]:
    """Whether bitboards have an odd number of discs: 1 or 0."""
    if bits.dtype == object:
        return np.array([discs.bit_count() & 1 for discs in bits], np.intp)
    for shift in (32, 16, 8, 4, 2, 1):
        bits = bits ^ bits >> shift
    odd: npt.NDArray[Any] = bits & 1
    return odd.astype(np.int8)
