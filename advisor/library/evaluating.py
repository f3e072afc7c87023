"""Values of very many positions of Connect Four, given as arrays."""

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.asp.clingo_api import render
from advisor.circuits.circuit import Circuit
from advisor.engine.search import FORCED, WIN
from advisor.errors import InputError
from advisor.games.connect4 import room
from advisor.games.connect4.abilities import score_of
from advisor.games.connect4.board import Geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.frontier import Bits, Bools, Frontier, word_type
from advisor.games.connect4.record import Record
from advisor.games.players import PLAYERS
from advisor.games.score import Score
from advisor.library import arguments
from advisor.library.circuits import cost
from advisor.library.positions import Position
from advisor.limits import MAX_DEPTH
from advisor.settings.config import DEFAULT

Values = npt.NDArray[np.int64]


class Evaluator:
    """What positions are worth by the encodings, many at a time; compiled once.

    >>> import numpy as np
    >>> evaluator = advisor.Evaluator()
    >>> games = [advisor.position("44"), advisor.position("4141"), advisor.position("414141")]
    >>> values = evaluator.values(games)
    >>> [evaluator.score(value).kind for value in values]
    ['heuristic', 'heuristic', 'win']
    >>> cells = np.stack([game.cells for game in games])
    >>> bool((evaluator.values(cells) == values).all())
    True

    Args:
        weights: a preset or a weights file.
        size, connect: of all boards, as for `advisor.position`.
        machine_code: with the extra ``fast``: True for machine code from the beginning, which takes
            a second or two to make the first time; False for never; None once it pays.

    Raises:
        InputError: a size that is out of range.
        ConfigError, EncodingError: weights or encodings that cannot be used.

    Attributes:
        features: the names of what positions are judged by, in the order of `counts`.
    """

    FORCED = FORCED
    """Values beyond this, up or down, are certain wins and losses."""

    def __init__(
        self,
        weights: str | os.PathLike[str] = DEFAULT,
        *,
        size: tuple[int, int] = (7, 6),
        connect: int = 4,
        machine_code: bool | None = None,
    ) -> None:
        constants = arguments.board(size, connect)
        knows = room.load(arguments.path("weights", weights), constants)
        self._geometry = knows.size
        settings = knows.knows.settings(self._geometry)
        self._inner = CircuitEvaluator(settings, self._geometry, machine_code=machine_code)
        self._weights = settings.weights["features"]
        self.features = tuple(map(render, self._inner.features))

    @property
    def circuit(self) -> Circuit:
        """The circuit of the features, from the discs and whose turn it is."""
        return self._inner.circuit

    def cost(self) -> dict[str, tuple[int, int]]:
        """What each feature costs; see `advisor.library.circuits.cost`."""
        return cost(self.circuit)

    def __repr__(self) -> str:
        g = self._geometry
        board = f"{g.width}x{g.height} with {g.connect} in line"
        return f"<Evaluator of boards {board}, {len(self.features)} features>"

    @property
    def weights(self) -> Values:
        """The weight of each feature, in the order of `features`."""
        return np.array([self._weights[name] for name in self._inner.features], np.int64)

    def values(
        self,
        positions: Iterable[Position] | npt.NDArray[Any],
        *,
        plies: int = 0,
        turn: int | None = None,
    ) -> Values:
        """What positions are worth.

        Args:
            positions: boards; or an array of whole numbers of shape (n, rows, columns), bottom row
                first, 0 for nobody's disc, 1 for x, 2 for o; or, fastest, uint64 of shape (n, 2):
                bitboards of the discs of x and of o, in which the square in row R and column C
                (from 1) is bit (C - 1) * (rows + 1) + R - 1.
            plies: of full-width look-ahead.
            turn: who is to move in all positions of an array, 1 for x; by default that follows from
                the number of discs.

        Returns:
            int64 of shape (n,), in weight units, each for its player to move. A win in n of the
            winner's moves, a loss or a finished game is beyond `FORCED`; `score` tells.

        Raises:
            InputError: another shape, another size, or discs that are no position; plies that are
                none.
        """
        plies = arguments.whole("plies", plies, 0, MAX_DEPTH)
        count, frontiers = self._frontiers(positions, turn)
        found = np.empty(count, np.int64)
        for chosen, frontier in frontiers:
            found[chosen] = self._of(frontier, plies)
        return found

    def counts(
        self, positions: Iterable[Position] | npt.NDArray[Any], *, turn: int | None = None
    ) -> tuple[Values, npt.NDArray[np.bool_]]:
        """What the values are made of, to learn weights from.

        Args:
            positions, turn: as for `values`; their games go on.

        Returns:
            int64 of shape (n, features): how often x has each feature, less how often o has it;
            and bool of shape (n,): whether the result is certain, so that features do not matter.
        """
        count, frontiers = self._frontiers(positions, turn)
        counts = np.empty((count, len(self.features)), np.int64)
        certain = np.empty(count, np.bool_)
        for chosen, frontier in frontiers:
            counts[chosen], certain[chosen] = self._inner.counts(frontier)
        return counts, certain

    @staticmethod
    def score(value: int) -> Score:
        """What a value says."""
        return score_of(arguments.whole("value", value, -WIN, WIN), exhaustive=False)

    def _of(self, frontier: Frontier, plies: int) -> Values:
        """Values of positions with one player to move."""
        over = self._over(frontier)
        if over is None:
            return self._inner.values(frontier, plies)
        ended, results = over
        results[~ended] = self._inner.values(frontier.take(~ended), plies)
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
        self, positions: Iterable[Position] | npt.NDArray[Any], turn: int | None
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
        self, positions: Iterable[Position] | npt.NDArray[Any], turn: int | None
    ) -> tuple[Bits, Bits, npt.NDArray[Any]]:
        """Bitboards of x and of o, and who is to move."""
        g = self._geometry
        if not isinstance(positions, np.ndarray):
            return self._of_boards(positions, turn)
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

    def _of_boards(
        self, given: Iterable[Position], turn: int | None
    ) -> tuple[Bits, Bits, npt.NDArray[Any]]:
        g = self._geometry
        boards = list(given) if isinstance(given, Iterable) else [None]
        if not all(isinstance(board, Position) for board in boards):
            raise InputError("positions: use a list of positions, or an array")
        if turn is not None:
            raise InputError("turn: boards know whose turn it is")
        read = []
        for number, board in enumerate(boards):
            if not isinstance(board.state, Record):
                raise InputError(f"position {number}: it is of {board.game.name}")
            read.append(board.state.position)
            if read[-1].geometry != g:
                raise InputError(
                    f"position {number}: its board is {board.size[0]}x{board.size[1]} with "
                    f"{board.connect} in line, not {g.width}x{g.height} with {g.connect}"
                )
        x: Bits = np.array([position.discs_of(1) for position in read], word_type(g))
        o: Bits = np.array([position.discs_of(2) for position in read], word_type(g))
        return x, o, np.array([position.turn for position in read], np.intp)


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
