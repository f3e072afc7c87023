"""The record of what each student has handed in: texts, times, and why a strategy was refused."""

import json
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from advisor.errors import InputError
from advisor.files import outfile

MAX_KEPT, MAX_NAMES = 20, 200
"""Maximum tries of a student whose texts are kept, and maximum students."""

FOLDER = ".tries"
"""Folder of the record in a class's folder."""


@dataclass(frozen=True, slots=True)
class SentStrategy:
    """A strategy that a student has sent.

    Attributes:
        name: the student's.
        owner: a hash of the student's code.
        number: counts the student's tries, from 1.
        time: when it was sent, as an ISO text in UTC.
        error: why it was refused; empty if it was taken.
        weights, rules: its texts.
        text, moves: its marks, see `advisor.lab.arena.likeness.Likeness`.
    """

    name: str
    owner: str
    number: int
    time: str
    error: str
    weights: str = field(repr=False)
    rules: str = field(repr=False)
    text: str = ""
    moves: str = ""


_reader = TypeAdapter(SentStrategy)


class Tries:
    """The record in a folder: a file for each try, in a folder for each student.

    Any thread may use it.

    Args:
        folder: the class's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._lock = threading.Lock()
        self._tries: dict[str, list[SentStrategy]] = {}
        for file in sorted(self._folder.glob("*/*.json")):
            try:
                self._tries.setdefault(file.parent.name, []).append(
                    _reader.validate_json(file.read_bytes())
                )
            except (OSError, ValueError):
                continue  # another version wrote it

    def of(self, name: str) -> list[SentStrategy]:
        """Return a student's tries, the oldest first."""
        with self._lock:
            return [*self._tries.get(name.casefold(), ())]

    def of_owner(self, owner: str) -> list[list[SentStrategy]]:
        """Return the tries of all names for which somebody used this code last."""
        with self._lock:
            return [[*tries] for tries in self._tries.values() if tries[-1].owner == owner]

    def add(self, name: str, **known: Any) -> None:
        """Record a try; its number follows from those before.

        Raises:
            InputError: the file cannot be written.
        """
        with self._lock:
            tries = self._tries.get(name.casefold(), [])
            if not tries and len(self._tries) >= MAX_NAMES:
                return
            number = tries[-1].number + 1 if tries else 1
            made = SentStrategy(name=name, number=number, **known)
            place = self._folder / name.casefold()
            try:
                place.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(
                    f"the class's folder takes no strategy ({error.strerror})"
                ) from None
            outfile.write(_file(place, number), json.dumps(asdict(made)).encode())
            self._tries[name.casefold()] = [*tries, made][-MAX_KEPT:]
            for dropped in [*tries, made][:-MAX_KEPT]:
                _file(place, dropped.number).unlink(missing_ok=True)

    def remove(self, name: str, target: Path) -> None:
        """Move a student's record to another place."""
        with self._lock:
            place = self._folder / name.casefold()
            if place.exists():
                target.mkdir(parents=True, exist_ok=True)
                place.rename(target / place.name)
            self._tries.pop(name.casefold(), None)

    @property
    def names(self) -> Iterator[str]:
        """The names of all students who have tried, as they last wrote them."""
        with self._lock:
            found = [tries[-1].name for tries in self._tries.values()]
        return iter(found)


def _file(place: Path, number: int) -> Path:
    return place / f"{number:06}.json"
