"""Write games as HTML files: `export` of the public interface."""

import os
from collections.abc import Mapping

from advisor.files import outfile
from advisor.library import arguments
from advisor.plugins.export.description import describe_game
from advisor.plugins.export.page import write_page
from advisor.settings.config import DEFAULT


def export(
    game: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    weights: str | os.PathLike[str] = DEFAULT,
    constants: Mapping[str, int] | None = None,
) -> int:
    """Write a game as one HTML file that plays, advises and explains without a server.

    >>> advisor.export("nothing", "nothing.html")
    Traceback (most recent call last):
    aspcircuits.errors.InputError: 'nothing' is neither a game ...

    Args:
        game: the name of one that comes with the advisor, or a folder with a ``rules.lp``.
        output: the file.
        weights: a weights file or one of the game's presets, by default its own weights.
        constants: values for the constants that the rules leave open.

    Returns:
        The bytes of the file.

    Raises:
        InputError: there is no such game, or the file cannot be written.
        ConfigError: weights that do not fit.
        EncodingError: the rules do not make a game that can be played; the reason in one line.
    """
    target = arguments.path("output", output)
    outfile.check_writable(target)
    wanted = arguments.constants(constants)
    described = describe_game(
        arguments.path("game", game), arguments.path("weights", weights), wanted
    )
    content = write_page(described, described["title"]).encode()
    outfile.write(target, content)
    return len(content)
