"""Files that we write: whole or not at all, or line by line where the work takes long."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

from advisor.errors import InputError
from aspcircuits import replacing
from aspcircuits.texts import file_name


def write(path: str | Path, content: bytes) -> None:
    """Writes a file by way of a temporary one beside it, so that no half of it is ever seen.

    A device or a pipe is written to directly, a link stays a link, and a file keeps its rights.

    Raises:
        InputError: the file cannot be written; what was there before still is.
    """
    name = file_name(path)
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(None, "is a directory")
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(content)
        else:
            target = os.path.realpath(path)
            if os.path.exists(target) and not os.access(target, os.W_OK):
                raise PermissionError(None, "is read-only")
            replacing.replace(target, content)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{name}: cannot be written ({reason})") from None


@contextmanager
def lines(path: str | Path) -> Iterator[Callable[[str], None]]:
    """What writes a file piece by piece, each to be seen at once.

    The file is begun with the first piece, so that what fails before leaves an old one alone.
    """
    with ExitStack() as opened:
        file: TextIO | None = None

        def write_on(text: str) -> None:
            nonlocal file
            if file is None:
                file = opened.enter_context(open(path, "w", encoding="utf-8"))
            file.write(text)
            file.flush()

        yield write_on


def check_distinct(**paths: Path | None) -> None:
    """That nothing is written over what is read, or by two: paths by the names of their options.

    Raises:
        InputError: two of them are the same file.
    """
    found: dict[str, str] = {}
    for option, path in paths.items():
        if path is None or (path.exists() and not path.is_file()):
            continue
        same = found.setdefault(os.path.realpath(path), option)
        if same != option:
            name = file_name(path)
            raise InputError(f"{name}: is both {same} and {option} (choose another file)")


def check_writable(path: str | Path) -> None:
    """Before work that takes long: whether its result can be written, as far as one can tell.

    Where nothing is there yet an empty file is made and taken away again: some folders, as /proc,
    do not say that they take none.

    Raises:
        InputError: there is no such folder, or it or what is there may not be written to.
    """
    target, reason = Path(os.path.realpath(path)), None
    if os.path.isdir(path):
        reason = "is a directory"
    elif os.path.exists(path):  # of a pipe the target does not
        reason = None if os.access(path, os.W_OK) else "is read-only"
    elif not target.parent.exists():
        reason = "no such folder"
    else:
        try:
            target.touch(exist_ok=False)
            target.unlink()
        except OSError as error:
            reason = error.strerror
    if reason:
        raise InputError(f"{file_name(path)}: cannot be written ({reason})")


def make_folder(path: str | Path) -> None:
    """A folder and all above it, where they are missing.

    Raises:
        InputError: it cannot be made.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        name = file_name(path)
        raise InputError(f"{name}: cannot be used as a folder ({error.strerror})") from None
