"""What is compiled and kept for the user's next run, in a folder that nobody else may write to.

Code from a file is run, so a folder that others could change is not used. Whatever is wrong with
folder or file, the cache is then as if it were absent: code is made again or done without.

What is kept is named after the texts of all modules that made it, so that a change of any of them
makes it again. Nothing is imported to find these.
"""

import os
import pickle
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import get_ident
from time import monotonic
from typing import Any, TypeVar

from advisor.asp.own_process import uncollected

T = TypeVar("T")

_MOST = 256
"""Files to keep, of a third of a MB at most on usual boards."""

_WORTH_KEEPING = 0.3
"""Seconds of work."""

_ROOM = 4 << 20
"""Octets that must be free on the disk for anything to be kept."""

_DIGEST = 32

_SPENT = ".spent"
"""How the name of a file ends that says how long work has gone on without some code."""

_STATEMENT = re.compile(
    r"\n[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|.*)|import[ \t]+(.*))"
)
"""An import, wherever it stands. What only looks like one, in a text, does no harm."""


def key(told: object, *modules: str) -> str:
    """A name for what modules make of what they are told, which counts by its `repr`."""
    return sha256(repr((told, fingerprint(*modules))).encode()).hexdigest()


@cache
def fingerprint(*modules: str) -> str:
    """The same one only if these modules, and all that they import of theirs, are the same."""
    return sha256(repr(sorted(imported(*modules).items())).encode()).hexdigest()


def imported(*modules: str) -> dict[str, str]:
    """The texts of these modules and of all that they import of their package, step by step.

    Args:
        modules: by their full names, all of one package, in which imports are absolute.
    """
    package = modules[0].partition(".")[0]
    found: dict[str, str] = {}
    waiting = {*modules}
    while waiting:
        name = waiting.pop()
        file = _file(name, package)
        if file is not None:
            found[name] = file.read_text("utf-8")
            waiting |= {each for each in _names(found[name]) if each not in found}
    return found


def _names(text: str) -> set[str]:
    """What a module imports: modules, and names of what may be one."""
    found = set()
    for module, names, plain in _STATEMENT.findall(f"\n{text}"):
        parts = re.findall(r"[\w.]+", names or plain)
        found |= {module, *(f"{module}.{part}" for part in parts)} if module else {*parts}
    return found


@cache
def _file(name: str, package: str) -> Path | None:
    """Where a module of the package is; None if there is none of this name."""
    first, *others = name.split(".")
    spec = find_spec(package) if first == package else None
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent.joinpath(*others)
    places = path / "__init__.py", path.with_suffix(".py")
    return next((file for file in places if file.is_file()), None)


def usable() -> bool:
    """Whether anything can be kept."""
    with suppress(OSError):
        folder = _folder()
        return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= _ROOM
    return False


def contents() -> tuple[Path, int, int] | None:
    """The folder, its files, and their octets in all; None where there is no folder to be used."""
    sizes = []
    try:
        folder = _folder()
        for file in folder.iterdir():
            with suppress(FileNotFoundError):  # another process has just removed it
                sizes.append(file.stat().st_size)
    except OSError:
        return None
    return folder, len(sizes), sum(sizes)


def read(key: str) -> bytes | None:
    """What was written under a key, or None."""
    try:
        file = _folder() / key
        content = file.read_bytes()
    except OSError:
        return None
    digest, code = content[:_DIGEST], content[_DIGEST:]
    if sha256(code).digest() != digest:
        return None
    with suppress(OSError):
        os.utime(file)  # the least recently used ones go first
    return code


def write(key: str, code: bytes) -> None:
    """Keeps some code, if that is possible."""
    _put(key, sha256(code).digest() + code)
    with suppress(OSError):
        (_folder() / (key + _SPENT)).unlink(missing_ok=True)


def load(key: str) -> Any:
    """What was stored under a key, or None."""
    kept = read(key)
    return None if kept is None else pickle.loads(zlib.decompress(kept))


def store(key: str, thing: object) -> None:
    """Keeps something that can be pickled, if that is possible."""
    write(key, zlib.compress(pickle.dumps(thing, pickle.HIGHEST_PROTOCOL), 1))


def keep(key: str, make: Callable[[], T], beside: str = "") -> T:
    """What `make` makes, or what it made for this key in an earlier run; see `store`.

    What is made sooner than it would be read is not kept, unless there is something under the key
    that it stands beside.
    """
    kept: T | None = load(key)
    if kept is not None:
        return kept
    started = monotonic()  # by the clock, since other processes may do the work
    with uncollected():
        made = make()
    with suppress(OSError):
        stands = beside and (_folder() / beside).is_file()
        if stands or monotonic() - started > _WORTH_KEEPING:
            store(key, made)
    return made


def spent(key: str) -> float:
    """Seconds that runs have worked without what this key stands for; see `spend`."""
    with suppress(OSError, ValueError):
        return float((_folder() / (key + _SPENT)).read_text())
    return 0.0


def spend(key: str, seconds: float) -> None:
    """Notes that a run has worked so long without what this key stands for."""
    _put(key + _SPENT, f"{spent(key) + seconds:.3f}".encode())


def _put(name: str, content: bytes) -> None:
    """A file of the folder, written whole or not at all."""
    with suppress(OSError):
        folder = _folder()
        temporary = folder / f"{name}.{os.getpid()}.{get_ident()}"
        try:
            temporary.write_bytes(content)
            temporary.replace(folder / name)
        finally:
            temporary.unlink(missing_ok=True)
        files = (file for file in folder.iterdir() if file.name != "lock")
        for file in sorted(files, key=lambda file: file.stat().st_mtime)[:-_MOST]:
            file.unlink()


@contextmanager
def alone() -> Iterator[None]:
    """Waits until no other process of this user is in here, where that can be told: processes that
    need the same code at the same time make it once."""
    with ExitStack() as held:
        with suppress(ImportError, OSError):
            import fcntl

            file = held.enter_context(open(_folder() / "lock", "wb"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _folder() -> Path:
    """The folder, made if there is none; an OSError where it cannot be used."""
    try:
        base = Path(os.environ.get("XDG_CACHE_HOME", ""))
        folder = (base if base.is_absolute() else Path.home() / ".cache") / "asp-advisor"
    except RuntimeError as error:
        raise OSError from error  # nobody's home
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.stat()
    if (hasattr(os, "getuid") and found.st_uid != os.getuid()) or found.st_mode & 0o022:
        raise PermissionError
    return folder
