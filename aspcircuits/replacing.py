"""Atomic replacement of files: a file is replaced as a whole or left as it was."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def replace(target: str | Path, content: bytes, mode: int | None = None) -> None:
    """Write a file by way of a temporary one with a unique name in its folder.

    Args:
        target: no link, device or pipe.
        mode: the permissions of the file; by default its present ones, or the usual ones of a new
            file.

    Raises:
        OSError: it cannot be written; the old content is still there.
    """
    temporary = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            _take_rights(temporary, target, mode)
            file.write(content)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _take_rights(new: str, old: str | Path, mode: int | None) -> None:
    """Give a new file these permissions, or owner and permissions of the file that it replaces."""
    if mode is None:
        try:
            found = os.stat(old)
        except FileNotFoundError:
            return
        with suppress(OSError, AttributeError):  # only root can change the owner
            os.chown(new, found.st_uid, found.st_gid)
        mode = found.st_mode & 0o777
    os.chmod(new, mode)
