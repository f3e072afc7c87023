"""Files that we write: whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from advisor import textfile
from advisor.errors import InputError


def write(path: str | Path, content: bytes) -> None:
    """Writes a file by way of a temporary one beside it, so that no half of it is ever seen.

    A device or a pipe is written to directly, and a link stays a link.

    Raises:
        InputError: the file cannot be written; what was there before still is.
    """
    name = textfile.file_name(path)
    try:
        target = os.path.realpath(path)
        if os.path.isdir(target):
            raise IsADirectoryError(None, "is a directory")
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as file:
                file.write(content)
        else:
            _replace(target, content)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{name}: cannot be written ({reason})") from None


def _replace(target: str, content: bytes) -> None:
    folder, base = os.path.split(target)
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError(None, "is read-only")
    temporary = os.path.join(folder, f".{base[:200]}.{os.getpid()}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(content)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
