"""Makes puzzles: looks through games until there are enough, and keeps each as it is found.

The games are numbered and each has its own randomness, so that a seed makes the same puzzles,
whoever does the work and however often it is interrupted.
"""

from collections.abc import Collection, Generator, Iterable
from dataclasses import asdict, dataclass
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.textfile import file_name
from advisor.lab.batch import Work, Workers, run
from advisor.lab.journal import Journal

JOURNAL = "made.jsonl"
"""Beside the puzzles: what was found in which games."""

_PATIENCE = 5_000
"""Tasks without a puzzle after which nobody looks any further."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which puzzles.

    Attributes:
        win_in: own moves of the side to move until it has won, against every defence.
        seed: of whatever is random.
        many: several first moves may win so fast.
    """

    win_in: int
    seed: int
    many: bool = False

    @property
    def options(self) -> str:
        """What a command line says of it."""
        return f"--win-in {self.win_in} --seed {self.seed}{' --many' if self.many else ''}"


@dataclass(frozen=True, slots=True)
class Found:
    """A puzzle.

    Attributes:
        key: tells its position from every other one but its mirror image.
        text: of its file.
    """

    key: str
    text: str


def check_new(folder: Path, resume: bool) -> None:
    """Before anything is made: whether a folder is new or empty or, to `resume`, that of a run.

    Raises:
        InputError: it is not, or cannot be read.
    """
    name, begun = file_name(folder), (folder / JOURNAL).is_file()
    if resume and not begun:
        raise InputError(f"{name}: nothing to resume (no {JOURNAL} there; leave --resume out)")
    try:
        if not resume and folder.exists() and any(folder.iterdir()):
            hint = "choose another folder"
            if begun:
                hint = "--resume goes on with it, if it is of the same run"
            raise InputError(f"{name}: holds files already ({hint})")
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from None


def prepare(folder: Path, run: dict[str, Any]) -> Journal:
    """The folder for the puzzles of a run, and the file in which it is written down.

    Args:
        run: what makes it this run.

    Raises:
        InputError: the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{file_name(folder)}: {error.strerror}") from None
    return Journal(folder / JOURNAL, run)


def make(
    work: Work[list[dict[str, str]]],
    wanted: int,
    known: Collection[str],
    workers: Workers | None,
    journal: Journal,
    folder: Path,
) -> Generator[Path, None, None]:
    """The files of so many puzzles, each of them written when it is yielded.

    A file that is there already stays as it is.

    Args:
        work: what looks through the games of a task, told as JSON: see `as_json`.
        known: keys of positions that are not wanted.
        workers, journal: see `advisor.lab.batch.run`.

    Raises:
        InputError: none is found for very long, or a file cannot be written.
        KeyboardInterrupt, BatchError: see `advisor.lab.batch.run`.
    """
    seen, made, last = set(known), 0, 0
    tasks: Iterable[str] = map(str, takewhile(lambda task: task - last < _PATIENCE, count()))
    for task, results in enumerate(run(work, tasks, workers, journal)):
        for found in results:
            if found["key"] in seen:
                continue
            seen.add(found["key"])
            made, last = made + 1, task
            file = folder / f"{made}.yaml"
            if not file.exists():
                outfile.write(file, found["text"].encode())
            yield file
            if made == wanted:
                return
    raise InputError(f"found only {made} of {wanted} such puzzles")


def as_json(found: Iterable[Found]) -> list[dict[str, str]]:
    """Puzzles as `make` takes them."""
    return [asdict(each) for each in found]
