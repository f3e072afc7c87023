"""Programs of others, and of owners who are trying things: each in a process with bounds."""

import resource
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from advisor.child import Child, packed
from advisor.errors import AdvisorError, InputError

SECONDS = 30
"""Of the clock and of the processor, of one piece of work."""

MEMORY = 3 << 30
"""Bytes that such a process may take, shared libraries included."""

FILE = 64 << 20
"""Bytes of a file that it writes, as the compiled circuits of a board are kept."""

TOLD = 2_000
"""Letters of a message that are passed on."""


def run(work: Callable[..., Any], *arguments: object) -> Any:
    """What a function returns, in a process of its own.

    >>> run(len, "abc")
    3

    The function is one of a module; its arguments and what it returns are pickled.

    Raises:
        InputError: the work says so, or it needs too much time or memory.
    """
    child = Child()
    late = threading.Timer(SECONDS, child.kill)
    late.start()
    try:
        done, found = child.do(packed(_within_bounds, (work, arguments)))
    except (EOFError, ValueError):
        raise InputError(
            f"needs more than {SECONDS} s or {MEMORY >> 20} MB (write fewer or smaller rules)"
        ) from None
    finally:
        late.cancel()
        child.end()
    if done:
        return found
    if isinstance(found, AdvisorError):
        raise InputError(str(found)[:TOLD])
    if isinstance(found, MemoryError):
        raise InputError(f"needs more than {MEMORY >> 20} MB (write fewer or smaller rules)")
    raise InputError(
        f"cannot be used (the advisor itself failed, with {type(found).__name__}; tell who runs it)"
    )


def run_in(folder: Path, work: Callable[..., Any], *arguments: object) -> Any:
    """The same of work on a folder; where that stands is told to nobody.

    The folder, named in full, is what `work` is told first. Raises as `run`.
    """
    try:
        return run(work, str(folder), *arguments)
    except InputError as error:
        told = str(error).replace(f"{folder}/", "").replace(str(folder), "the same folder")
        raise InputError(told) from None


def _within_bounds(work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    for limit, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most))
    return work(*arguments)
