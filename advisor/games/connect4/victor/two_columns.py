"""The two columns of White's threat combination, as a small game that is searched completely.

White's promises there (``encodings/connect4/victor/white.lp``) depend on each other in too many
ways for a table of answers. But two columns have few positions, and the rest of the board counts
only by whether it holds an odd number of empty squares: then White can make a waiting move there.
"""

from dataclasses import dataclass, field


@dataclass(slots=True)
class TwoColumns:
    """What White has to reach in two columns, and what he has to prevent.

    Attributes:
        columns: bitboards of the two columns.
        bottom: bitboard of the bottom row.
        wins: White wins when he owns all squares of one of these bitboards.
        stops: Black must not own all squares of one of these before.
    """

    columns: tuple[int, ...]
    bottom: int
    wins: tuple[int, ...]
    stops: tuple[int, ...]
    _known: dict[tuple[int, int, int], bool] = field(init=False, default_factory=dict, repr=False)

    def reply(self, own: int, other: int, spare: int) -> int | None:
        """White's move: the bit of a square, 0 for a waiting move elsewhere, None if he fails.

        Args:
            own, other: bitboards of White's and Black's discs in the two columns.
            spare: 1 if a waiting move can be made elsewhere: an odd number of squares is empty.
        """
        for move in self._moves(own | other, spare):
            if self.kept(own | move, other, spare if move else 0):
                return move
        return None

    def kept(self, own: int, other: int, spare: int) -> bool:
        """Whether White, Black being to move, reaches his win and prevents what he has to."""
        if any(own & win == win for win in self.wins):
            return True
        key = (own, other, spare)
        if key not in self._known:
            moves = self._moves(own | other, spare)
            self._known[key] = bool(moves) and all(
                self._answered(own, other | move, spare if move else 0) for move in moves
            )
        return self._known[key]

    def _answered(self, own: int, other: int, spare: int) -> bool:
        if any(other & stop == stop for stop in self.stops):
            return False
        return self.reply(own, other, spare) is not None

    def _moves(self, mask: int, spare: int) -> list[int]:
        playable = (mask + self.bottom) & ~mask
        moves = [bit for column in self.columns if (bit := playable & column)]
        return [*moves, 0] if spare else moves
