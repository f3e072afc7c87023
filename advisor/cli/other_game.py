"""Which game a command is about, and which of its options are then out of place.

Apart from `advisor.cli.any_game`, so that Connect Four starts without what other games need.
"""

from dataclasses import replace

from advisor.cli import options
from advisor.errors import InputError
from advisor.files.textfile import quoted
from advisor.games import position_file
from advisor.games.connect4.notation import GAME
from advisor.games.position_file import Given


def named(game: str | None, const: list[str] | None, board: str) -> Given | None:
    """The game that ``--game`` or a file names, and the moves so far; None for Connect Four.

    Args:
        board: such a file; with ``--game`` also a text that says what was played or how it stands,
            a file that holds one, or - for standard input.

    Raises:
        InputError: a file that is not as it should be, or that names another game than ``--game``.
    """
    given = position_file.read(board, GAME)
    constants = options.chosen_constants(const)
    if given is None:
        if game is None:
            return None
        name, text = options.given_text(board)
        return Given(name, game, constants, text)
    if game is not None and game != given.game:
        raise InputError(
            f"{given.name}: game: {quoted(given.game)}, but --game {game} (leave one out)"
        )
    return replace(given, constants={**given.constants, **constants})


def refuse(**given: object) -> None:
    """Refuses options that are Connect Four's alone.

    Raises:
        InputError: it names the first of them that is given.
    """
    for name, value in given.items():
        if value:
            instead = " (see --const)" if name in ("size", "connect") else ""
            raise InputError(f"--{name} is for Connect Four alone, not for --game{instead}")


def refuse_constants(const: list[str] | None) -> None:
    """Refuses ``--const`` without ``--game``.

    Raises:
        InputError: it is given.
    """
    if const:
        raise InputError("--const is for --game (Connect Four has --size and --connect)")
