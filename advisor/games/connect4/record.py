"""A game as far as it has been played: where it began, and the moves since."""

from dataclasses import dataclass, replace

from advisor.errors import InputError
from advisor.games.connect4 import notation
from advisor.games.connect4.board import Position


@dataclass(frozen=True, slots=True)
class Game:
    """A game as far as it has been played.

    Attributes:
        start: where it began; the empty board, unless only a later position is known.
        moves: the columns played since.
    """

    start: Position
    moves: tuple[int, ...] = ()

    @classmethod
    def of(cls, board: notation.Board) -> "Game":
        """The game that a board continues, with its moves if they are known."""
        game = cls(Position(board.position.geometry), board.moves)
        return game if game.position == board.position else cls(board.position)

    @property
    def position(self) -> Position:
        """The board now."""
        return self.start.play_all(self.moves)

    @property
    def from_empty(self) -> bool:
        """Whether the moves alone tell the game."""
        return self.start == Position(self.start.geometry)

    def play(self, column: int) -> "Game":
        """The game with one more move.

        Raises:
            InputError: the column does not exist or is full, or the game is over.
        """
        self.position.play(column)
        return replace(self, moves=(*self.moves, column))

    def undo(self, player: int) -> "Game":
        """The game before the player's last move.

        Raises:
            InputError: the player has not moved yet.
        """
        for count in range(len(self.moves) - 1, -1, -1):
            earlier = replace(self, moves=self.moves[:count])
            if earlier.position.turn == player:
                return earlier
        raise InputError("there is no move of yours to take back")

    def to_yaml(self) -> str:
        """A board file of the game; its moves are kept if they begin on the empty board."""
        if self.from_empty:
            return notation.moves_to_yaml(self.moves, self.start.geometry)
        return notation.to_yaml(self.position)
