"""Results that are cached for the user's next run, in a folder that only the user can write to.

Code from a file is run, so nothing is read that others could have changed. A file is named after
its edition: the texts of all modules of the package that made it and of this one, and the versions
of Python, NumPy and clingo. So no version reads a file of another one, whose files are removed once
they are the oldest. If anything is wrong with the folder or a file, it counts as absent: the result
is made again.
"""

import os
import pickle
import platform
import shutil
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import TypeVar

from aspcircuits import replacing
from aspcircuits.own_process import pause_collector

T = TypeVar("T")

_MOST = 600
"""Files to keep, each at most a third of a MB for usual boards."""

_WORTH_KEEPING = 0.3
"""Seconds of work."""

_ROOM = 4 << 20
"""Bytes that must be free on the disk for anything to be cached."""

_DIGEST = 32

_SPENT = ".spent"
"""Suffix of a file that records for how long runs have worked without some code."""

_LOCK = "lock"


def key(maker: str, asked: object) -> str:
    """Return the key of a result: the edition and a hash of the maker and `repr` of `asked`."""
    return f"{edition(maker.partition('.')[0])}-{sha256(repr((maker, asked)).encode()).hexdigest()}"


@cache
def edition(maker: str = __package__) -> str:
    """Return a hash of all that decides how results are made: modules, Python, NumPy and clingo.

    Anything that only machine code depends on (the processor, LLVM, Numba) is part of its keys.

    Args:
        maker: the package that makes the results, which this process has imported.
    """
    import numpy as np

    from aspcircuits import clingo_api

    found = sha256()
    for package in sorted({__package__, maker}):
        for place in getattr(sys.modules.get(package), "__path__", ()):
            for file in sorted(Path(place).rglob("*.py")):
                text = file.read_bytes()
                name = file.relative_to(place).as_posix()
                found.update(f"{package} {name} {len(text)}\n".encode() + text)
    versions = sys.version, platform.machine(), np.__version__, clingo_api.VERSION
    found.update(repr(versions).encode())
    return found.hexdigest()[:16]


def usable() -> bool:
    """Return whether anything can be cached."""
    with suppress(OSError):
        folder = _folder()
        return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= _ROOM
    return False


@dataclass(frozen=True, slots=True)
class Contents:
    """Contents of the cache folder.

    Attributes:
        files, bytes: all files, and their size.
        others: files of other editions.
        damaged: files of these editions that cannot be read, and anything else that is not a cache
            file.
    """

    folder: Path
    files: int
    bytes: int
    others: int
    damaged: int


def contents(makers: Iterable[str] = (__package__,)) -> Contents | None:
    """Inspect the folder for the results of some packages; return None if there is no folder."""
    editions = tuple(map(edition, makers))
    sizes, others, damaged = [], 0, 0
    try:
        folder = _folder()
        names = [name for name in os.listdir(folder) if name != _LOCK]
    except OSError:
        return None
    for name in names:
        try:
            found = os.lstat(folder / name)
        except OSError:  # another process has just removed it
            continue
        sizes.append(found.st_size)
        if not stat.S_ISREG(found.st_mode) or name.startswith("."):
            damaged += 1
        elif not name.startswith(editions):
            others += 1
        elif not name.endswith(_SPENT):
            damaged += read(name) is None
    return Contents(folder, len(sizes), sum(sizes), others, damaged)


def read(key: str) -> bytes | None:
    """Read the content of a key; return None if it is missing, incomplete or unsafe."""
    try:
        file = _folder() / key
        if not _is_safe(file.stat()):
            return None
        content = file.read_bytes()
    except (OSError, MemoryError):
        return None
    digest, code = content[:_DIGEST], content[_DIGEST:]
    if sha256(code).digest() != digest:
        return None
    with suppress(OSError):
        os.utime(file)  # the least recently used files go first
    return code


def write(key: str, code: bytes) -> None:
    """Store some code, if that is possible."""
    _write_file(key, sha256(code).digest() + code)
    with suppress(OSError):
        (_folder() / (key + _SPENT)).unlink(missing_ok=True)


def load(key: str, kind: type[T]) -> T | None:
    """Load the object stored under a key; return None if that fails or it is not of this kind."""
    kept = read(key)
    if kept is None:
        return None
    try:
        found = pickle.loads(zlib.decompress(kept))
    except Exception:  # whatever the error is, the thing is made again
        return None
    return found if isinstance(found, kind) else None


def store(key: str, thing: object) -> None:
    """Store an object that can be pickled, if that is possible."""
    write(key, zlib.compress(pickle.dumps(thing, pickle.HIGHEST_PROTOCOL), 1))


def keep(key: str, kind: type[T], make: Callable[[], T], beside: str = "") -> T:
    """Return the result for a key from the cache, or make it and store it.

    A result that is made faster than it would be read is not stored, unless the key `beside` has a
    file.
    """
    kept = load(key, kind)
    if kept is not None:
        return kept
    started = monotonic()  # wall-clock time, since other processes may do the work
    with pause_collector():
        made = make()
    with suppress(OSError):
        stands = beside and (_folder() / beside).is_file()
        if stands or monotonic() - started > _WORTH_KEEPING:
            store(key, made)
    return made


def drop(key: str) -> None:
    """Remove an unusable file, so that its content is made again."""
    with suppress(OSError):
        (_folder() / key).unlink()


def seconds_spent(key: str) -> float:
    """Return the seconds that runs have worked without the result of this key; see `spend`."""
    with suppress(OSError, ValueError, MemoryError):
        file = _folder() / (key + _SPENT)
        seconds = float(file.read_text()) if _is_safe(file.stat()) else 0.0
        return seconds if isfinite(seconds) and seconds > 0 else 0.0
    return 0.0


def spend(key: str, seconds: float) -> None:
    """Record that a run has worked for some seconds without the result of this key."""
    _write_file(key + _SPENT, f"{seconds_spent(key) + seconds:.3f}".encode())


def _write_file(name: str, content: bytes) -> None:
    """Write a file of the folder, whole or not at all, and remove the oldest ones."""
    with suppress(OSError):
        folder = _folder()
        if (folder / name).is_dir():
            shutil.rmtree(folder / name, ignore_errors=True)
        replacing.replace(folder / name, content, mode=0o600)
        ages = []
        for file in folder.iterdir():
            with suppress(OSError):  # another process has just removed it
                ages.append((file.lstat().st_mtime, file))
        for _, file in sorted(age for age in ages if age[1].name != _LOCK)[:-_MOST]:
            with suppress(OSError):
                file.unlink()


@contextmanager
def exclude_others(run: int = 0) -> Iterator[None]:
    """Wait until no other process of this user is inside, if the system has such locks.

    Processes that need the same code at the same time thus make it only once.

    Args:
        run: identifies the processes of one run, see `is_free_for`.
    """
    with ExitStack() as held:
        with suppress(ImportError, OSError):
            import fcntl

            file = os.open(_folder() / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
            held.callback(os.close, file)
            fcntl.flock(file, fcntl.LOCK_EX)
            os.pwrite(file, b"%20d" % run, 0)
        yield


def is_free_for(run: int) -> bool:
    """Return whether no other run holds the lock of `exclude_others`; False if that is unknown."""
    with suppress(ImportError, OSError, ValueError):
        import fcntl

        with open(_place() / _LOCK, "rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return int(file.read()) == run
            return True
    return False


def _is_safe(found: os.stat_result) -> bool:
    """Return whether it is a plain file that only this user, or root, could have written."""
    ours = not hasattr(os, "getuid") or found.st_uid in (os.getuid(), 0)
    return stat.S_ISREG(found.st_mode) and ours and not found.st_mode & 0o022


def _place() -> Path:
    """Return the folder's path; raise an OSError if there is none."""
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME", ""))
        return (base if base.is_absolute() else Path.home() / ".cache") / "asp-advisor"
    except RuntimeError as error:
        raise OSError from error  # the user has no home


def _folder() -> Path:
    """Return the folder, made if needed; raise an OSError if it cannot be used."""
    folder = _place()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.stat()
    if (hasattr(os, "getuid") and found.st_uid != os.getuid()) or found.st_mode & 0o022:
        raise PermissionError
    return folder
