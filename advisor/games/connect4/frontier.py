"""Many positions at once, as arrays: the last plies of a look-ahead without a Python loop.

The bitboards are those of `board.Position`. Where one fits into 64 bits the arrays hold machine
words, otherwise Python integers; NumPy runs the same expressions on both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.below import Bools
from advisor.games.connect4.board import Board, Geometry

Bits = npt.NDArray[Any]  # of uint64 or of Python integers


@dataclass(frozen=True, slots=True)
class Frontier:
    """Positions of one geometry with the same player to move.

    Attributes:
        geometry: of all positions.
        turn: player to move, 1 or 2.
        mover: shape (n,), bitboards of that player's discs; uint64 or, on boards whose bitboards
            are longer, Python integers (see `word_type`).
        mask: shape (n,), bitboards of all discs; the same type.
    """

    geometry: Geometry
    turn: int
    mover: Bits
    mask: Bits

    def __len__(self) -> int:
        return len(self.mask)

    @classmethod
    def of(cls, positions: Sequence[Board]) -> "Frontier":
        """The positions, of which there must be one and which must agree in whose turn it is."""
        g = positions[0].geometry
        dtype = word_type(g)
        mover: Bits = np.array([p.mover for p in positions], dtype)
        mask: Bits = np.array([p.mask for p in positions], dtype)
        return cls(g, positions[0].turn, mover, mask)

    def positions(self) -> list[Board]:
        """The positions one by one."""
        pairs = zip(self.mover.tolist(), self.mask.tolist(), strict=True)
        return [Board(self.geometry, self.turn, mover, mask) for mover, mask in pairs]

    def take(self, index: npt.NDArray[Any]) -> "Frontier":
        """Some of the positions, by a mask or by numbers."""
        return Frontier(self.geometry, self.turn, self.mover[index], self.mask[index])

    def children(self) -> tuple["Frontier", npt.NDArray[np.intp]]:
        """Every position one ply on, and for each the number of its parent, ascending."""
        g = self.geometry
        lows, columns = _columns(g)
        lifted = self.mask[:, None] + lows
        parent, column = ((lifted & columns) != 0).nonzero()
        mask = self.mask[parent]
        return Frontier(
            g, 3 - self.turn, mask ^ self.mover[parent], mask | lifted[parent, column]
        ), parent

    def lost(self) -> Bools:
        """Shape (n,): whether the opponent of the player to move has completed a line."""
        g = self.geometry
        discs = self.mover ^ self.mask
        found: Bits = np.zeros_like(discs)
        for shifts in g.runs:
            run: Bits = discs
            for shift in shifts:
                run = run & (run >> shift)
            found |= run
        lost: Bools = found != 0
        return lost

    def full(self) -> Bools:
        """Shape (n,): whether no move is left."""
        full: Bools = self.mask == self.geometry.full
        return full

    def distinct(self) -> tuple["Frontier", npt.NDArray[np.intp]]:
        """Each position once, and for each of the original ones the number of its copy."""
        _, first, copy = np.unique(self.mover + self.mask, return_index=True, return_inverse=True)
        return self.take(first), copy

    def words(self) -> npt.NDArray[np.uint64]:
        """The bitboards of both players as machine words.

        Returns:
            shape (n, 2 * k), k words for player 1, lowest bits first, then k for player 2.
        """
        other = self.mover ^ self.mask
        first, second = (self.mover, other) if self.turn == 1 else (other, self.mover)
        return np.concatenate((_words(self.geometry, first), _words(self.geometry, second)), axis=1)


@cache
def bit_of_square(g: Geometry) -> npt.NDArray[np.intp]:
    """Where `Frontier.words` has each player's squares.

    Returns:
        shape (2 * squares,): bit numbers, counted through all words of a row, of player 1's
        squares column by column, bottom first, as `Geometry.squares_of` lists the full board; then
        of player 2's.
    """
    bits = np.array([g.bit(*square).bit_length() - 1 for square in g.squares_of(g.full)], np.intp)
    return np.concatenate((bits, bits + 64 * words_each(g)))


def word_type(g: Geometry) -> type:
    """The array type of a geometry's bitboards: 64-bit words, or Python integers if longer."""
    return np.uint64 if g.stride * g.width <= 64 else object


@cache
def _columns(g: Geometry) -> tuple[Bits, Bits]:
    """Each column's bottom square and all its squares."""
    lows = [1 << (c * g.stride) for c in range(g.width)]
    return np.array(lows, word_type(g)), np.array(g.columns, word_type(g))


def words_each(g: Geometry) -> int:
    """Machine words that a bitboard takes."""
    return -(-g.stride * g.width // 64)


def _words(g: Geometry, bits: Bits) -> npt.NDArray[np.uint64]:
    """Shape (n, words): bitboards cut into machine words."""
    if bits.dtype != object:
        return bits[:, None]
    length = 8 * words_each(g)
    raw = b"".join(b.to_bytes(length, "little") for b in bits)
    return np.frombuffer(raw, "<u8").reshape(len(bits), -1)
