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


def abilities(position: Any, knows: "Knowledge | None" = None) -> Abilities:
    """What can be done for an advice on a position.

    Args:
        position: a state of a game by its rules; with `knows` a board of Connect Four.
        knows: what is known of its boards.
    """
    if knows is not None:
        from advisor.games.connect4.abilities import BoardAbilities

        return BoardAbilities(position, knows)
    from advisor.games.by_rules import RuleAbilities

    return RuleAbilities(position)
