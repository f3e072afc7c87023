"""What a game can do for an advice on one of its positions.

Who knows more of a game than its rules has a module of its own for it, as
`games/connect4/abilities`; for all others `by_rules` answers.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from advisor.asp.clingo_api import Term
from advisor.games.bounds import Bounds
from advisor.games.phrasing import Phrasing
from advisor.games.score import Score
from advisor.limits import Stop


class Known(Protocol):
    """What a search to the end of the game proves of a position's moves."""

    @property
    def moves(self) -> Mapping[Term, Bounds]:
        """Of every move, for the player who makes it."""

    @property
    def seconds(self) -> float:
        """What it took."""

    @property
    def proved(self) -> bool:
        """Whether all bounds have met."""


class Abilities(Protocol):
    """A position with what its game knows of it.

    Exact scores are the game's own: the greater the better, above 0 a win, sooner wins and later
    losses better.
    """

    @property
    def position(self) -> Any:
        """The position, as the game has it."""

    @property
    def phrasing(self) -> Phrasing:
        """How what is said of it is written."""

    def at_sight(self, move: Term) -> Bounds:
        """What is certain of a legal move without any search."""

    def points(self, score: Score) -> int | None:
        """The exact score of a certain result; None where it does not tell that."""

    def forced(self, bounds: Bounds) -> Score | None:
        """What is proved by bounds of an exact score, None if no result is."""

    def certain(self, stop: Stop, on_progress: Callable[[Any], None], jobs: int = 1) -> Known:
        """What is certain of the moves, by all that the game knows.

        Args:
            stop: ends it with what is known by then.
            on_progress: called with what is known so far.
            jobs: threads.
        """
