"""An advisor for boards of Connect Four, for programs and tests that measure."""

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
    """Advises on Connect Four by some settings, during a game or a match.

    Attributes:
        knows: the evaluator and the solver of a board size, with all that it has proved. The next
            position reuses them, until one of another size comes.

    Pickling keeps only the settings.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self._game: Any = rooms.load(rooms.USUAL, config)

    @property
    def knows(self) -> Any:
        return self._game.knows

    def see(self, board: Board) -> Any:
        """Return the abilities of the advisor in a position."""
        return self._game.on(board).abilities

    def __reduce__(self) -> tuple[type["Advisor"], tuple[Config]]:
        return Advisor, (self.config,)

    def advise(self, position: Board, limit: Limit = NO_LIMIT, **how: Any) -> Advice:
        """See `facade.advise`; the default depth is the settings' depth."""
        return facade.advise(self.see(position), limit.with_default_depth(self.config.depth), **how)

    def choose(self, position: Board, limit: Limit = NO_LIMIT, *, stop: Stop | None = None) -> Any:
        """Choose a best move without its reasons; see `advisor.advice.choice.choose`.

        Raises:
            KeyboardInterrupt: it was stopped before it had chosen.
        """
        stop = stop or Stop()
        limit = limit.with_default_depth(self.config.depth)
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
    """Advise on a single position; see `Advisor.advise`."""
    return Advisor(config).advise(position, Limit(depth, seconds), **how)
