"""Which room a game has: the one place that knows who has abilities of its own.

Rooms are imported when they are asked for, since no game needs another one's.
"""

from typing import TYPE_CHECKING, Any

from advisor.games.abilities import Abilities
from advisor.settings.config import Config

if TYPE_CHECKING:
    from advisor.games.connect4.knowledge import Knowledge


def connect4(config: Config) -> "Knowledge":
    """What is known of the boards of Connect Four by some weights."""
    from advisor.games.connect4.knowledge import Knowledge

    return Knowledge(config)


def of_board(position: Any, knows: "Knowledge") -> Abilities:
    """What can be done on a board of Connect Four, by what is known of it."""
    from advisor.games.connect4.abilities import BoardAbilities

    return BoardAbilities(position, knows)
