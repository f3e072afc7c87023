"""The engine of a server: the game in which it decides, and whether it starts."""

from advisor.advice import uci_program
from advisor.errors import at

ENGINES_GAME = uci_program.GAME
"""The game in which a server's engine decides."""


def try_engine(command: str) -> None:
    """Start an engine and end it again (internal).

    Raises:
        InputError: it does not start, or does not accept its options.
    """
    with at("`engine`"):
        parsed = uci_program.UciCommand.parse(command)
    uci_program.try_out(parsed)
