"""A position of Connect Four as a review shows it."""

from dataclasses import dataclass
from typing import ClassVar

from advisor.games.connect4.board import Position
from advisor.games.connect4.drawing import svg
from advisor.games.marks import Marks
from advisor.games.players import called


@dataclass(frozen=True, slots=True)
class Board:
    """A position, with marks if something is to be pointed at."""

    position: Position
    marks: Marks | None = None
    numbered: ClassVar[bool] = False

    def text(self) -> list[str]:
        """See `advisor.games.abilities.Scene`."""
        return self.position.rows()

    def svg(self) -> str:
        """See `advisor.games.abilities.Scene`."""
        return svg(self.position, self.marks)

    def called(self, player: str) -> str:
        """See `advisor.games.abilities.Scene`."""
        return called(player)
