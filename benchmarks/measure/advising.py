"""Who advises on boards of Connect Four by some settings, for programs and tests that measure."""

from typing import Any

from advisor.advice import facade
from advisor.advice.advice import Advice
from advisor.advice.choice import choose
from advisor.games import rooms
from advisor.games.connect4.board import Board
from advisor.limits import NO_LIMIT, Limit
from advisor.settings.config import Config
from aspcircuits.stopping import Stop


class Advisor:
    """Advises on Connect Four by some settings; lives as long as a game or a match.

    Attributes:
        knows: what it makes for a board (the evaluator, a solver with all that it has proved),
            which serves the next position too, until one of another board comes.

    Pickled, it is its settings alone.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self._game: Any = rooms.load(rooms.USUAL, config)

    @property
    def knows(self) -> Any:
        return self._game.knows

    def see(self, board: Board) -> Any:
        """What can be done in a position."""
        return self._game.on(board).abilities

    def __reduce__(self) -> tuple[type["Advisor"], tuple[Config]]:
        return Advisor, (self.config,)

    def advise(self, position: Board, limit: Limit = NO_LIMIT, **how: Any) -> Advice:
        """See `facade.advise`; by default the depth is that of the settings."""
        return facade.advise(self.see(position), limit.otherwise(self.config.depth), **how)

    def choose(self, position: Board, limit: Limit = NO_LIMIT, *, stop: Stop | None = None) -> Any:
        """A best move without its reasons; see `advisor.advice.choice.choose`.

        Raises:
            KeyboardInterrupt: it was to stop; half a choice is none.
        """
        stop = stop or Stop()
        limit = limit.otherwise(self.config.depth)
        found = choose(self.see(position), limit, stop, followed=False)
        stop.check()
        return found.move


def advise(
    position: Board,
    config: Config,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    **how: Any,
) -> Advice:
    """Advice on a single position; see `Advisor.advise`."""
    return Advisor(config).advise(position, Limit(depth, seconds), **how)
