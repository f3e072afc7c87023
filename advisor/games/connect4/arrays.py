"""Arrays of Connect Four boards."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import WIN, Bools, Values
from advisor.engine.playouts import Results, play_out_by_numpy
from advisor.engine.rows import Index, Look, Turns
from advisor.errors import InputError
from advisor.games.connect4.abilities import Knowledge, score_of
from advisor.games.connect4.board import (
    Bits,
    Board,
    Frontier,
    Geometry,
    column_bits,
    has_line,
    word_type,
    words,
    words_each,
)
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.position import BoardPosition
from advisor.games.players import MARKS, PLAYERS
from advisor.games.score import Score
from aspcircuits.bitplanes import RowIndices
from aspcircuits.stopping import Stop

GivenBoards = Sequence[Any] | npt.NDArray[Any]
"""Positions, or an array as `advisor.Evaluator.values` describes it."""


class BoardArrays:
    """`advisor.games.arrays.StateArrays` for Connect Four.

    A state is a bitboard of x and one of o; the number of discs says whose turn it is.
    """

    exchanges = False

    def __init__(self, begun: BoardPosition, knows: Knowledge, machine_code: bool | None) -> None:
        self._begun, self._geometry = begun, begun.board.geometry
        g = self._geometry
        settings = knows.settings(g)
        self._evaluator = CircuitEvaluator(settings, g, machine_code=machine_code)
        self.board, self.circuit = _describe_size(g), self._evaluator.circuit
        self.features = self._evaluator.features
        self.weights = np.array([*settings.weights["features"].values()], np.int64)
        self.start: Bits = np.zeros(2, word_type(g))
        self.moves = tuple(range(1, g.width + 1))

    # The rules, also for random games

    def look(self, states: Bits) -> Look:
        g, (x, o) = self._geometry, states.T
        mask = x | o
        won, lost = has_line(g, x), has_line(g, o)
        over = won | lost | (mask == g.full)
        lows, columns = column_bits(g)
        playable = ((mask[:, None] + lows) & columns != 0) & ~over[:, None]
        return Look(
            legal=np.packbits(playable, axis=1, bitorder="little"),
            over=over,
            result=won.astype(np.int8) - lost.astype(np.int8),
            turn=_turns(g, mask),
            late=np.zeros(len(mask), np.bool_),
        )

    def step(self, states: Bits, moves: Index, turn: Turns) -> Bits:
        mask = states[:, 0] | states[:, 1]
        low, column = (bits[moves] for bits in column_bits(self._geometry))
        after = states.copy()
        after[np.arange(len(mask)), turn] |= (mask + low) & column & ~mask
        return after

    def play_out(self, states: Bits, rng: np.random.Generator) -> Results:
        seed = int(rng.integers(-(1 << 63), 1 << 63))
        return play_out_by_numpy(self, states, seed, Stop()).results

    # The values of states

    def values(self, states: Bits, turn: Turns, plies: int) -> Values:
        found = np.empty(len(states), np.int64)
        for chosen, frontier in self._frontiers(states, turn):
            found[chosen] = self._of(frontier, plies)
        return found

    def counts(self, states: Bits, turn: Turns) -> tuple[Values, Bools]:
        counts = np.empty((len(states), len(self.features)), np.int64)
        certain = np.empty(len(states), np.bool_)
        for chosen, frontier in self._frontiers(states, turn):
            counts[chosen], certain[chosen] = self._evaluator.counts(frontier)
        return counts, certain

    def score(self, value: int) -> Score:
        return score_of(value, exhaustive=False)

    def _of(self, frontier: Frontier, plies: int) -> Values:
        """Return values of positions with one player to move, whose games may be over."""
        lost = frontier.opponent_wins()
        won = has_line(self._geometry, frontier.mover)
        going = ~(lost | won | frontier.full())
        if going.all():
            return self._evaluator.values(frontier, plies)
        found = np.where(lost, -WIN, np.where(won, WIN, 0))
        found[going] = self._evaluator.values(frontier.take(going), plies)
        return found

    def _frontiers(self, states: Bits, turn: Turns) -> Iterator[tuple[RowIndices, Frontier]]:
        """Yield the positions of each side to move, with their numbers."""
        mask = states[:, 0] | states[:, 1]
        for side in (0, 1):
            if len(chosen := np.flatnonzero(turn == side)):
                mover = states[chosen, side]
                yield chosen, Frontier(self._geometry, 1 + side, mover, mask[chosen])

    # The input

    def check(self, states: Bits, what: str = "state") -> None:
        g, (x, o) = self._geometry, states.T
        mask = x | o
        wrong: npt.NDArray[Any]
        for wrong, told in (
            (x & o, "a square with two discs"),
            (mask & g.full ^ mask, "discs beside the board"),
            (mask & (mask + g.bottom), "floating discs"),
            (has_line(g, x) & has_line(g, o), "x and o both have a line"),
        ):
            found = np.flatnonzero(wrong != 0)
            if len(found):
                raise InputError(f"{what} {found[0]}: {told}")

    def read(self, given: GivenBoards, turn: int | None) -> tuple[Bits, Turns]:
        """Read whatever `advisor.Evaluator` takes; return the states, and each one's turn."""
        if not isinstance(given, np.ndarray):
            if turn is not None:
                raise InputError("turn: boards know whose turn it is")
            boards = self._boards(given)
            return self._bitboards(boards), np.array([b.turn - 1 for b in boards], np.uint8)
        states = self._discs(given, turn)
        self.check(states, "position")
        if turn is not None:
            return states, np.full(len(states), turn - 1, np.uint8)
        return states, _turns(self._geometry, states[:, 0] | states[:, 1])

    def states(self, positions: Sequence[Any]) -> Bits:
        boards = self._boards(positions)
        for number, board in enumerate(boards):
            if board.turn != 1 + board.discs % 2:
                raise InputError(
                    f"position {number}: {MARKS[board.turn]} is to move, which its discs do not say"
                )
        return self._bitboards(boards)

    def position(self, state: Bits) -> BoardPosition:
        x, o = map(int, state)
        second = (x | o).bit_count() % 2
        return self._begun.on(Board(self._geometry, 1 + second, o if second else x, x | o))

    def _discs(self, positions: npt.NDArray[Any], turn: int | None) -> Bits:
        """Return bitboards of x and of o."""
        g = self._geometry
        if turn not in (None, *PLAYERS):
            raise InputError(f"turn: {turn} is not a player (use 1 for x, 2 for o)")
        whole = np.issubdtype(positions.dtype, np.integer) or positions.dtype == object
        if whole and positions.ndim == 3 and positions.shape[1:] == (g.height, g.width):
            if ((positions < 0) | (positions > 2)).any():
                raise InputError("positions: a square is 0 (empty), 1 (x) or 2 (o)")
            return np.stack([_bits(g, positions == player) for player in PLAYERS], axis=1)
        if positions.dtype == word_type(g) and positions.ndim == 2 and positions.shape[1] == 2:
            return positions
        allowed = f"whole numbers of shape (n, {g.height}, {g.width})"
        raise InputError(
            f"positions: an array of {positions.dtype} of shape {positions.shape} "
            f"(use {allowed}, or {np.dtype(word_type(g))} of shape (n, 2))"
        )

    def _boards(self, given: Sequence[Any]) -> list[Board]:
        boards: list[Board] = []
        for number, position in enumerate(given):
            if not isinstance(position, BoardPosition):
                raise InputError(f"position {number}: it is of another game")
            boards.append(position.board)
            if (found := boards[-1].geometry) != self._geometry:
                told = _describe_size(found)
                raise InputError(f"position {number}: its board is {told}, not {self.board}")
        return boards

    def _bitboards(self, boards: Sequence[Board]) -> Bits:
        discs = [[board.discs_of(player) for player in PLAYERS] for board in boards]
        return np.array(discs, word_type(self._geometry)).reshape(-1, 2)


def _describe_size(g: Geometry) -> str:
    return f"{g.width}x{g.height} with {g.connect} in line"


def _bits(g: Geometry, discs: npt.NDArray[np.bool_]) -> Bits:
    """Return bitboards of discs of shape (n, rows, columns)."""
    count = len(discs)
    bits = np.zeros((count, 64 * words_each(g)), np.bool_)
    columns = bits[:, : g.width * g.stride].reshape(count, g.width, g.stride)
    columns[:, :, : g.height] = discs.transpose(0, 2, 1)
    octets = np.packbits(bits, axis=1, bitorder="little")
    if word_type(g) is np.uint64:
        return octets.view("<u8")[:, 0]
    return np.array([int.from_bytes(row.tobytes(), "little") for row in octets], object)


def _turns(g: Geometry, mask: Bits) -> Turns:
    """Return whose turn it is by the number of discs: 0 for x, 1 for o if it is odd."""
    folded = np.bitwise_xor.reduce(words(g, mask), axis=1)
    for shift in (32, 16, 8, 4, 2, 1):
        folded = folded ^ folded >> np.uint64(shift)
    odd: Turns = (folded & np.uint64(1)).astype(np.uint8)
    return odd
