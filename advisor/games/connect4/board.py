"""Positions as bitboards, one or many: the rules for the search, where ASP would be too slow.

The rules themselves are in ``encodings/connect4``; a test checks that both agree on random
positions.

Layout (after John Tromp): each column takes ``height + 1`` bits, bottom row first; the topmost bit
of a column stays empty, so that a shifted line never runs over into the next column::

    5 12 19 26 33 40 47     bit of (row R, column C), both counted from 1:
    4 11 18 25 32 39 46         (C - 1) * (height + 1) + R - 1
    ...
    0  7 14 21 28 35 42

Bitboards are Python integers, so boards of any size work. A `Frontier` holds them as arrays, for
the last plies of a look-ahead without a Python loop: machine words if a board fits into 64 bits,
otherwise Python integers; NumPy runs the same expressions on both.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Bools
from advisor.errors import InputError, at
from advisor.games.phrasing import Cell
from advisor.games.players import MARKS, PLAYERS, player_label

MAX_SIDE = 40
MAX_CONNECT = 1000
"""A larger number means the same once it exceeds both sides: neither player can win."""

DISCS = {0: ".", **MARKS}
"""The symbol of a square: empty, player 1's, player 2's."""

Bits = npt.NDArray[Any]
"""Bitboards, of uint64 or of Python integers."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The size of a board and the number of discs in line that wins; `geometry()` makes it.

    A connect larger than the board is allowed: then neither player can win.

    Attributes:
        stride: bits of a column.
        bottom, full, columns: bitboards of the bottom row, of all squares, and of each column.
        centre_first: the columns by their numbers, central ones first.
        steps: bit distance to the next square of a line, for each direction in which a line fits.
        runs: for each of these directions, shifts that leave only the discs at which a line starts.
    """

    width: int
    height: int
    connect: int
    stride: int = field(repr=False, compare=False)
    bottom: int = field(repr=False, compare=False)
    full: int = field(repr=False, compare=False)
    columns: tuple[int, ...] = field(repr=False, compare=False)
    centre_first: tuple[int, ...] = field(repr=False, compare=False)
    steps: tuple[int, ...] = field(repr=False, compare=False)
    runs: tuple[tuple[int, ...], ...] = field(repr=False, compare=False)

    @property
    def squares(self) -> int:
        return self.width * self.height

    @property
    def constants(self) -> dict[str, int]:
        """The ``#const`` values that an encoding needs."""
        return {"width": self.width, "height": self.height, "connect": self.connect}

    def bit(self, row: int, column: int) -> int:
        """Return the bitboard with this one square."""
        return 1 << ((column - 1) * self.stride + row - 1)

    def column_of(self, bit: int) -> int:
        """Return the column of this one square."""
        return (bit.bit_length() - 1) // self.stride + 1

    def squares_of(self, bits: int) -> Iterator[Cell]:
        """Yield the squares of a bitboard, column by column, bottom first."""
        while bits:
            low = bits & -bits
            column, row = divmod(low.bit_length() - 1, self.stride)
            yield row + 1, column + 1
            bits ^= low

    def mirror_bits(self, bits: int) -> int:
        """Return a bitboard, or a sum of bitboards, with left and right exchanged."""
        turned, column = 0, (1 << self.stride) - 1
        for _ in range(self.width):
            turned = turned << self.stride | bits & column
            bits >>= self.stride
        return turned

    def has_line(self, discs: int) -> bool:
        """Return whether these discs hold `connect` in line."""
        for shifts in self.runs:
            run = discs
            for shift in shifts:
                run &= run >> shift
            if run:
                return True
        return False

    def completing(self, discs: int, empty: int = -1) -> int:
        """Return the squares among `empty` on which one more disc completes a line, playable or
        not.

        The discs may belong to several copies of the board side by side. Without `empty`, the
        result may include squares beside the boards.
        """
        if self.connect == 4:
            return completing_four(discs, self.stride) & empty
        squares = 0
        for step in self.steps:
            # ahead[n]: squares that are followed by n discs on this line.
            ahead = [-1]
            for distance in range(1, self.connect):
                ahead.append(ahead[-1] & discs >> distance * step)
            behind = -1
            for distance in range(self.connect):
                behind &= discs << distance * step if distance else -1
                squares |= behind & ahead[self.connect - 1 - distance]
        return squares & empty


def _doubling(length: int) -> Iterator[int]:
    """Yield the shifts that turn runs of one into runs of this length."""
    done = 1
    while done < length:
        by = min(done, length - done)
        yield by
        done += by


def completing_four(discs: int, stride: int, one: int = 1) -> int:
    """Return the squares on which one more disc makes four in line, occupied or not.

    Written out, this is several times as fast as a loop over any length. Kernels compile it too:
    they pass `one` with the type of the other arguments, and the code uses no other number.
    """
    two = one + one
    squares = discs << one & discs << two & discs << two + one
    for step in (stride - one, stride, stride + one):
        far = step + step + step
        below, above = discs << step, discs >> step
        squares |= below & below << step & (above | discs << far) | above & above >> step & (
            below | discs >> far
        )
    return squares


@cache
def geometry(width: int = 7, height: int = 6, connect: int = 4) -> Geometry:
    """Return the one geometry object of this size (its bit masks are worked out once)."""
    stride = height + 1
    columns = tuple((1 << height) - 1 << c * stride for c in range(width))
    shorter = min(width, height)
    directions = (1, height), (stride, width), (stride - 1, shorter), (stride + 1, shorter)
    steps = tuple(step for step, room in directions if connect <= room)
    return Geometry(
        width,
        height,
        connect,
        stride=stride,
        bottom=sum(1 << c * stride for c in range(width)),
        full=sum(columns),
        columns=columns,
        centre_first=tuple(sorted(range(1, width + 1), key=lambda c: abs(2 * c - width - 1))),
        steps=steps,
        runs=tuple(tuple(step * by for by in _doubling(connect)) for step in steps),
    )


@dataclass(slots=True, repr=False, unsafe_hash=True)
class Board:
    """A board and the player to move. Treat as immutable: `play` and `after` return a new position.

    It is not frozen, for speed alone: the search makes boards by the hundred thousand.

    Attributes:
        turn: player to move, 1 or 2.
        mover: bitboard of the discs of the player to move.
        mask: bitboard of all discs.
    """

    geometry: Geometry
    turn: int = 1
    mover: int = 0
    mask: int = 0

    def __repr__(self) -> str:
        g = self.geometry
        return f"<Position {'/'.join(self.rows())} {DISCS[self.turn]} to move, connect {g.connect}>"

    @property
    def key(self) -> int:
        """A number that differs for any two positions that games from one root can reach.

        One bit above each topmost disc marks how full the columns are, so the mover's discs and the
        sum with the mask determine each other (Pascal Pons' key).
        """
        return self.mover + self.mask + self.geometry.bottom

    @property
    def discs(self) -> int:
        return self.mask.bit_count()

    def discs_of(self, player: int) -> int:
        return self.mover if player == self.turn else self.mover ^ self.mask

    def at(self, row: int, column: int) -> int:
        """Return the player whose disc is on a square, 0 if it is empty."""
        bit = self.geometry.bit(row, column)
        if not self.mask & bit:
            return 0
        return self.turn if self.mover & bit else 3 - self.turn

    @property
    def playable(self) -> int:
        """Bitboard of the lowest empty square of every column that is not full."""
        return (self.mask + self.geometry.bottom) & self.geometry.full

    @property
    def mirror(self) -> "Board":
        turned = self.geometry.mirror_bits
        return Board(self.geometry, self.turn, turned(self.mover), turned(self.mask))

    def moves(self) -> list[int]:
        """Return the columns that are not full, central ones first."""
        mask, columns = self.mask, self.geometry.columns
        return [c for c in self.geometry.centre_first if columns[c - 1] & ~mask]

    def row_of(self, column: int) -> int:
        """Return the row on which a disc in this column comes to rest; height + 1 if it is full."""
        return (self.mask & self.geometry.columns[column - 1]).bit_count() + 1

    def play(self, column: int) -> "Board":
        """Return the position after a disc in a column.

        Raises:
            InputError: there is no such column, it is full, or the game is over.
        """
        g = self.geometry
        if not 1 <= column <= g.width:
            raise InputError(f"column {column} is out of range (use 1 to {g.width})")
        if self.winner:
            raise InputError(f"the game is over, {player_label(self.winner)} has won")
        if self.full:
            raise InputError("the game is over, the board is full")
        if self.row_of(column) > g.height:
            raise InputError(f"column {column} is full ({g.height} discs)")
        return self.after(column)

    def play_all(self, columns: Iterable[int]) -> "Board":
        """Return the position after several moves; an InputError names the move that is wrong."""
        position = self
        for number, column in enumerate(columns, 1):
            with at(f"move {number}"):
                position = position.play(column)
        return position

    def after(self, column: int) -> "Board":
        """Return the position after a disc in a column, unchecked; the column must not be full."""
        mask = self.mask
        g = self.geometry
        low = 1 << ((column - 1) * g.stride)
        return Board(g, 3 - self.turn, mask ^ self.mover, mask | (mask + low))

    @property
    def winner(self) -> int:
        """The player with a complete line, 0 for neither."""
        if self.geometry.has_line(self.mover ^ self.mask):
            return 3 - self.turn
        return self.turn if self.geometry.has_line(self.mover) else 0

    @property
    def dead(self) -> bool:
        """Whether neither player can complete a line any more, so the game is drawn."""
        g = self.geometry
        return not (g.has_line(g.full ^ self.mover) or g.has_line(g.full ^ self.mask ^ self.mover))

    @property
    def full(self) -> bool:
        return self.mask == self.geometry.full

    @property
    def plies_left(self) -> int:
        return self.geometry.squares - self.discs

    def result(self) -> int | None:
        """Return None while the game goes on; -1 if the player to move has lost, 1 won, 0 drawn."""
        if self.geometry.has_line(self.mover ^ self.mask):
            return -1
        if self.geometry.has_line(self.mover):
            return 1  # only a composed position can be like this
        return 0 if self.full else None

    @property
    def over(self) -> bool:
        return self.result() is not None

    def winning_squares(self, player: int) -> int:
        """Return the empty squares, playable or not, on which this player completes a line."""
        g = self.geometry
        return g.completing(self.discs_of(player), g.full & ~self.mask)

    def wins_at_once(self) -> bool:
        return self.geometry.completing(self.mover, self.playable) != 0

    def candidates(self) -> list[int]:
        """Return the columns worth trying for a player who cannot win at once, central ones first.

        These are the columns that block the opponent's immediate wins, or all if there are none.
        """
        g = self.geometry
        urgent = g.completing(self.mover ^ self.mask, self.playable)
        if not urgent:
            return self.moves()
        return [c for c in g.centre_first if g.columns[c - 1] & urgent]

    def facts(self) -> list[tuple[str, int] | tuple[str, int, int, int]]:
        """Return the facts for an answer set program: ``("cell", P, R, C)``..., ``("turn", P)``."""
        return [*(("cell", *cell) for cell in self.cells()), ("turn", self.turn)]

    def rows(self) -> list[str]:
        """Return the rows, the top one first, with a character of `DISCS` for each square."""
        g = self.geometry
        return [
            "".join(DISCS[self.at(row, column)] for column in range(1, g.width + 1))
            for row in range(g.height, 0, -1)
        ]

    def lines(self) -> list[tuple[Cell, ...]]:
        """Return the lines that won the game, each with its squares from its lowest bit on.

        There are none while the game goes on.
        """
        g, discs = self.geometry, self.discs_of(self.winner) if self.winner else 0
        lines = []
        for step in g.steps:
            for square in g.squares_of(discs):
                line = sum(g.bit(*square) << i * step for i in range(g.connect))
                if line & discs == line:
                    lines.append(tuple(g.squares_of(line)))
        return lines

    def cells(self) -> list[tuple[int, int, int]]:
        """Return (player, row, column) of every disc."""
        return [
            (player, row, column)
            for player in PLAYERS
            for row, column in self.geometry.squares_of(self.discs_of(player))
        ]


@dataclass(frozen=True, slots=True)
class Frontier:
    """Positions of one geometry with the same player to move.

    Attributes:
        mover: shape (n,), bitboards of the discs of the player to move, see `word_type`.
        mask: shape (n,), bitboards of all discs.
    """

    geometry: Geometry
    turn: int
    mover: Bits
    mask: Bits

    def __len__(self) -> int:
        return len(self.mask)

    @classmethod
    def of(cls, positions: Sequence[Board]) -> "Frontier":
        """Make a frontier of positions: at least one, all with the same player to move."""
        g = positions[0].geometry
        dtype = word_type(g)
        mover: Bits = np.array([p.mover for p in positions], dtype)
        mask: Bits = np.array([p.mask for p in positions], dtype)
        return cls(g, positions[0].turn, mover, mask)

    def positions(self) -> list[Board]:
        """Return the positions one by one."""
        pairs = zip(self.mover.tolist(), self.mask.tolist(), strict=True)
        return [Board(self.geometry, self.turn, mover, mask) for mover, mask in pairs]

    def take(self, index: npt.NDArray[Any]) -> "Frontier":
        """Return some of the positions, chosen by a mask or by numbers."""
        return Frontier(self.geometry, self.turn, self.mover[index], self.mask[index])

    def children(self) -> tuple["Frontier", npt.NDArray[np.intp]]:
        """Return every position one ply on, and the number of its parent, ascending."""
        g = self.geometry
        lows, columns = column_bits(g)
        lifted = self.mask[:, None] + lows
        parent, column = ((lifted & columns) != 0).nonzero()
        mask = self.mask[parent]
        grown = mask | lifted[parent, column]
        return Frontier(g, 3 - self.turn, mask ^ self.mover[parent], grown), parent

    def opponent_wins(self) -> Bools:
        """Return whether the opponent of the player to move has completed a line; shape (n,)."""
        return has_line(self.geometry, self.mover ^ self.mask)

    def full(self) -> Bools:
        """Return whether no move is left; shape (n,)."""
        full: Bools = self.mask == self.geometry.full
        return full

    def distinct(self) -> tuple["Frontier", npt.NDArray[np.intp]]:
        """Return each position once, and for each original position the number of its copy."""
        _, first, copy = np.unique(self.mover + self.mask, return_index=True, return_inverse=True)
        return self.take(first), copy

    def words(self) -> npt.NDArray[np.uint64]:
        """Return the bitboards of both players, shape (n, 2 * k).

        The first k words are player 1's, lowest bits first, the next k player 2's.
        """
        other = self.mover ^ self.mask
        players = (self.mover, other) if self.turn == 1 else (other, self.mover)
        return np.concatenate([words(self.geometry, discs) for discs in players], axis=1)


def has_line(g: Geometry, discs: Bits) -> Bools:
    """Return whether these discs hold `connect` in line; shape (n,)."""
    found: Bits = np.zeros_like(discs)
    for shifts in g.runs:
        run: Bits = discs
        for shift in shifts:
            run = run & (run >> shift)
        found |= run
    lines: Bools = found != 0
    return lines


@cache
def bit_of_square(g: Geometry) -> npt.NDArray[np.intp]:
    """Return the bits of both players' squares in `Frontier.words`, shape (2 * squares,).

    Bit numbers count through all words of a row: first player 1's squares in the order of
    `Geometry.squares_of`, then player 2's.
    """
    bits = np.array([g.bit(*square).bit_length() - 1 for square in g.squares_of(g.full)], np.intp)
    return np.concatenate((bits, bits + 64 * words_each(g)))


def word_type(g: Geometry) -> type:
    """Return the array type of a geometry's bitboards: uint64, or Python integers if longer."""
    return np.uint64 if g.stride * g.width <= 64 else object


@cache
def column_bits(g: Geometry) -> tuple[Bits, Bits]:
    """Return each column's bottom square and each column's squares, as bitboards."""
    lows = [1 << (c * g.stride) for c in range(g.width)]
    return np.array(lows, word_type(g)), np.array(g.columns, word_type(g))


def words_each(g: Geometry) -> int:
    """Return the number of machine words that a bitboard takes."""
    return -(-g.stride * g.width // 64)


def words(g: Geometry, bits: Bits) -> npt.NDArray[np.uint64]:
    """Return bitboards cut into machine words, shape (n, words)."""
    if bits.dtype != object:
        return bits[:, None]
    length = 8 * words_each(g)
    raw = b"".join(b.to_bytes(length, "little") for b in bits)
    return np.frombuffer(raw, "<u8").reshape(len(bits), length // 8)
