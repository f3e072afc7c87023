"""Games taken from rule sheets, for the library."""

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
    """Turns a rule sheet of the Game Description Language into a game.

    >>> advisor.import_game("nothing.kif", "nothing")
    Traceback (most recent call last):
    aspcircuits.errors.InputError: nothing.kif: ...

    Args:
        sheet: a file in prefix notation (``.kif``).
        folder: where the game is written; it is made if need be.

    Returns:
        the file with the rules, and what was found in the sheet, with notes on what is unusual.

    Raises:
        InputError: there is a game already, or a file cannot be read or written.
        EncodingError: the sheet is broken or does not fit; one line with file and place.
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
