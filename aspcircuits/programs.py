"""Programs in the forms that callers pass: a text, a file or several."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from aspcircuits import arguments
from aspcircuits.errors import EncodingError, InputError
from aspcircuits.texts import file_name

Source = str | os.PathLike[str] | Sequence[os.PathLike[str]]
"""The text of a program, a file (`pathlib.Path`) or several."""


TEXT = "program.lp"
"""File name in places of a program that is a text."""


class ProgramFiles(NamedTuple):
    """A program as files.

    Attributes:
        folder: prefix of the path of a file that holds a text, up to its name; empty for files of
            the caller's own.
    """

    paths: list[Path]
    folder: str = ""

    @property
    def names(self) -> str:
        """The names of the files for errors."""
        return ", ".join(map(file_name, self.paths)).replace(self.folder, "")


@contextmanager
def as_files(program: Source) -> Iterator[ProgramFiles]:
    """Provide a program as files; a text is written to a temporary file `TEXT`.

    Raises:
        InputError: there is no such file.
        EncodingError: raised within, with ``program.lp`` in place of the whole path.
    """
    if isinstance(program, str):
        with tempfile.TemporaryDirectory() as folder:
            file, begin = Path(folder, TEXT), f"{folder}{os.sep}"
            file.write_text(program, "utf-8")  # clingo's places name the file
            try:
                yield ProgramFiles([file], begin)
            except EncodingError as error:
                raise EncodingError(str(error).replace(begin, "")) from None
        return
    files = program if isinstance(program, Sequence) else [program]
    paths = [Path(arguments.path("program", file)) for file in files]
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path}: no such file (a program's text is given as a str)")
    yield ProgramFiles(paths)
