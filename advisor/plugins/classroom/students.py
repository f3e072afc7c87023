"""The students of a class whose teacher gives a list of names, each with a code."""

import json
import secrets
from pathlib import Path

from pydantic import TypeAdapter

from advisor.errors import InputError
from advisor.files import outfile, textfile
from advisor.plugins.classroom.names import clean_name
from aspcircuits.texts import file_name, quote_text

MAX_STUDENTS = 200

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no two look alike
_CODES = ".codes.json"


def make_code() -> str:
    """Return a new code, of twelve letters and digits in groups of four."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))


def plain_code(text: str) -> str:
    """Return a code as it is compared: in small letters, without blanks and hyphens."""
    return "".join(text.split()).replace("-", "").casefold()


class Students:
    """The names of a list, with the code of each, which the class's folder keeps.

    Args:
        file: one name a line; empty lines and those that begin with # do not count.
        folder: of the class.

    Raises:
        InputError: the list cannot be read, or has a wrong name; the codes cannot be kept.
    """

    def __init__(self, file: Path, folder: Path) -> None:
        self.names: list[str] = []
        for number, line in enumerate(textfile.read_text(file).splitlines(), 1):
            if not line.strip() or line.strip().startswith("#"):
                continue
            place = f"{file_name(file)}:{number}"
            try:
                name = clean_name(line)
            except InputError as error:
                raise InputError(f"{place}: {quote_text(line.strip())}: {error}") from None
            if name.casefold() in map(str.casefold, self.names):
                raise InputError(f"{place}: {quote_text(name)} is in the list twice")
            self.names.append(name)
        if not 1 <= len(self.names) <= MAX_STUDENTS:
            raise InputError(
                f"{file_name(file)}: has {len(self.names)} names (use 1 to {MAX_STUDENTS})"
            )
        self._file = folder / _CODES
        known = self._read()
        self._codes = {name: known.get(name) or make_code() for name in self.names}
        self._write(known)

    def code(self, name: str) -> str:
        """Return the code of a student of the list."""
        return self._codes[name]

    def find(self, name: str) -> str | None:
        """Return a name as the list has it, whatever its case; None if it is not there."""
        return next((each for each in self.names if each.casefold() == name.casefold()), None)

    def renew(self, name: str) -> None:
        """Give a student another code."""
        self._codes[name] = make_code()
        self._write(self._read())

    def _read(self) -> dict[str, str]:
        try:
            return TypeAdapter(dict[str, str]).validate_json(self._file.read_bytes())
        except (OSError, ValueError):
            return {}

    def _write(self, known: dict[str, str]) -> None:
        """Write the codes; those of names that are not in this list are kept."""
        outfile.write(self._file, json.dumps({**known, **self._codes}, indent=1).encode())
