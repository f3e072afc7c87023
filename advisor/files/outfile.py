"""Files that the advisor writes: whole or not at all, or line by line during long work."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

from advisor.errors import InputError
from aspcircuits import replacing
from aspcircuits.texts import file_name


def write(path: str | Path, content: bytes) -> None:
    """Write a file through a temporary one beside it, so that no half of it is ever seen.

    A device or a pipe is written to directly, a link stays a link, and a file keeps its rights.

    Raises:
        InputError: the file cannot be written; its previous contents are kept.
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
    """Yield a function that writes a file piece by piece, each visible at once.

    The file is created with the first piece, so a failure before that leaves an old one alone.
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
    """Check that no output overwrites an input or another output.

    Args:
        paths: by the names of their options.

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
    """Check, before long work, that its result can be written, as far as that can be known.

    If the file does not exist, an empty one is made and removed: some folders, such as /proc, do
    not show that they accept none.

    Raises:
        InputError: there is no such folder, or the folder or file is not writable.
    """
    target, reason = Path(os.path.realpath(path)), None
    if os.path.isdir(path):
        reason = "is a directory"
    elif os.path.exists(path):  # a pipe's target does not exist
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
    """Make a folder and all missing ones above it.

    Raises:
        InputError: it cannot be made.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        name = file_name(path)
        raise InputError(f"{name}: cannot be used as a folder ({error.strerror})") from None
