"""How a game finds positions that may be puzzles, and what it says of them."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from advisor.games.game import Position
from aspcircuits.stopping import Stop


class PuzzleMaker(Protocol):
    """A game in which puzzles are looked for, task by task.

    Attributes:
        games_of_task: those whose positions `candidates` gives for a task.
    """

    games_of_task: int

    def no_room(self, plies: int) -> str:
        """Why games do not last for so many plies, said of moves; empty where they may, from where
        `candidates` looks on."""

    def candidates(
        self, win_in: int, seed: int, task: int, stop: Stop
    ) -> Iterator[Sequence[Position]]:
        """Yield positions of each game of a task in which the side to move may win in so many own
        moves. The games are random but for `seed` and the number of the task.

        Raises:
            KeyboardInterrupt: somebody set `stop`.
        """

    def likeness(self, position: Any) -> str:
        """What tells a position from every other one but its mirror image."""

    def told(self, position: Any) -> tuple[str, str]:
        """Options of ``puzzles make`` that name the game in its size, and the lines of a puzzle's
        file that tell a position."""

    def by_another_program(self, position: Any, moves: int) -> set[str] | None:
        """What another program that knows the game says of the moves that win in so many, as codes;
        None if there is none."""
        return None
