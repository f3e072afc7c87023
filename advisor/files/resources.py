"""The places of encodings, presets, puzzles and solutions: in a wheel or in a checkout."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def _data(name: str) -> Path:
    packed = _PACKAGE / "_data" / name
    return packed if packed.is_dir() else _PACKAGE.parent / name


ENCODINGS = _data("encodings")
PUZZLES = _data("puzzles")
SOLUTIONS = _data("solutions")
PRESETS = ENCODINGS / "connect4" / "presets"
OPENINGS = ENCODINGS / "connect4" / "openings.txt"


def not_ours(files: Iterable[Path]) -> list[Path]:
    """Return the encodings that do not come with the advisor."""
    return [file for file in files if not file.is_relative_to(ENCODINGS)]


def game_of(rules: Path) -> str:
    """Return the name or, if it does not come with the advisor, the folder of the game with these
    rules.
    """
    folder = rules.parent.resolve()
    return folder.name if folder.parent == ENCODINGS else str(folder)


Versions = tuple[tuple[Path, int, int, int], ...]
"""Files with their current state; differs once one has been written."""


def versions(files: Iterable[Path]) -> Versions:
    """Return the versions of files that do not come with the advisor, without missing ones."""

    def list_versions() -> Iterator[tuple[Path, int, int, int]]:
        for file in not_ours(files):
            with suppress(OSError):
                status = file.stat()
                yield file, status.st_ino, status.st_mtime_ns, status.st_size

    return tuple(list_versions())
