"""The interface by which a game finds positions that may be puzzles, and describes them."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from advisor.games.game import Position
from aspcircuits.stopping import Stop


class PuzzleMaker(Protocol):
    """A game that is searched for puzzles, task by task.

    Attributes:
        games_of_task: games whose positions `candidates` yields for a task.
    """

    games_of_task: int

    def no_room(self, plies: int) -> str:
        """Say, of moves, why games do not last `plies` plies; empty if they may.

        The plies count from where `candidates` begins to search.
        """

    def candidates(
        self, win_in: int, seed: int, task: int, stop: Stop
    ) -> Iterator[Sequence[Position]]:
        """Yield positions of each game of a task in which the side to move may win in `win_in`
        moves.

        The random games depend on `seed` and the number of the task only.

        Raises:
            KeyboardInterrupt: `stop` was set.
        """

    def likeness(self, position: Any) -> str:
        """Return a text that differs for any two positions other than mirror images."""

    def options_and_lines(self, position: Any) -> tuple[str, str]:
        """Return options of ``puzzles make`` for the game and its size, and a position's file
        lines.
        """

    def by_another_program(self, position: Any, moves: int) -> set[str] | None:
        """Return the codes of the moves that win in `moves` moves, as another program finds them.

        None if there is no program that knows the game.
        """
        return None
