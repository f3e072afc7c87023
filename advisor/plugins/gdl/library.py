"""Import rule sheets as games: `import_game` of the public interface."""

import os
from pathlib import Path

from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.textfile import read_text
from advisor.games.rules import RULES
from advisor.library import arguments
from advisor.plugins.gdl.importing import Imported, check_playable, convert
from aspcircuits.texts import file_name


def import_game(
    sheet: str | os.PathLike[str], folder: str | os.PathLike[str]
) -> tuple[Path, Imported]:
    """Turn a rule sheet of the Game Description Language into a game.

    >>> advisor.import_game("nothing.kif", "nothing")
    Traceback (most recent call last):
    aspcircuits.errors.InputError: nothing.kif: ...

    Args:
        sheet: a file in prefix notation (``.kif``).
        folder: where the game is written; created if it does not exist.

    Returns:
        The file with the rules, and a summary of the sheet with notes on anything unusual.

    Raises:
        InputError: the folder already has a game, or a file cannot be read or written.
        EncodingError: the sheet is malformed or cannot be used; one line with file and place.
    """
    source = Path(arguments.path("sheet", sheet))
    target = Path(arguments.path("folder", folder)) / RULES
    if target.exists():
        raise InputError(f"{file_name(target)}: exists already (choose another folder)")
    found = convert(read_text(source, blanks="\f\v"), file_name(source), source.stem)
    check_playable(found, file_name(source))
    outfile.make_folder(target.parent)
    outfile.write(target, found.rules.encode())
    return target, found
