"""Text files with an entry a line, plain or compressed by gzip.

Empty lines and lines that begin with ``#`` are skipped. Errors name the file and the line.
"""

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO, TypeVar, cast

from advisor.errors import InputError
from advisor.files.textfile import unreadable
from aspcircuits.texts import file_name

LONGEST = 10_000
"""Most characters of a line; the picture of the largest board takes a fifth of that."""

T = TypeVar("T")


def entries(
    path: Path, parse: Callable[[str], T], on_progress: Callable[[float], None] = lambda part: None
) -> Iterator[tuple[int, T]]:
    """Yield the entries of a file, each with the number of its line.

    Args:
        path: the file.
        parse: reads a line without surrounding space; its InputErrors get file and line in front.
        on_progress: called now and then with the share of the file that has been read (0 to 1).

    Raises:
        InputError: the file cannot be read or has no entries, or a line is wrong.
    """
    name = file_name(path)
    place = f"{name}: "
    found = False
    try:
        with open(path, "rb") as raw:
            for number, line in enumerate(_unpack_lines(raw, on_progress), 1):
                place = f"{name}: line {number}: "
                if len(line) > LONGEST:
                    raise InputError(f"is too long (at most {LONGEST} characters)")
                text = line.strip()
                if text and not text.startswith("#"):
                    found = True
                    entry = parse(text)
                    yield number, entry
    except InputError as error:
        raise InputError(f"{place}{error}") from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{name}: {unreadable(error)}") from None
    except UnicodeDecodeError:
        raise InputError(f"{name}: is not a text file (use UTF-8, plain or by gzip)") from None
    if not found:
        raise InputError(f"{name}: holds no positions")


def _unpack_lines(raw: BufferedReader, on_progress: Callable[[float], None]) -> Iterator[str]:
    """Yield the lines of a file, which may be compressed."""
    size = os.fstat(raw.fileno()).st_size  # a pipe has none
    packed = raw.peek(2)[:2] == b"\x1f\x8b"
    unpacked = cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw
    for number, line in enumerate(read_lines(unpacked)):
        if size and number % 1000 == 0:
            on_progress(raw.tell() / size)
        yield line


def read_lines(stream: BinaryIO, errors: str = "strict") -> Iterator[str]:
    """Yield the lines of a stream, each as soon as it arrives, without their ends.

    Args:
        errors: for bytes that are no UTF-8, as `bytes.decode` takes it.
    """
    text = TextIOWrapper(stream, "utf-8", errors)
    try:
        while line := read_line(text):
            yield line.removesuffix("\n").removeprefix("\ufeff")
    finally:
        if not stream.closed:  # the opener of the stream closes it
            text.detach()


def read_line(text: TextIO) -> str:
    """Read a line with its end; empty at the end of the text.

    A line longer than `LONGEST` is cut off a little after that, to save memory.
    """
    line = rest = text.readline(LONGEST + 2)
    while len(rest) == LONGEST + 2 and not rest.endswith("\n"):
        rest = text.readline(LONGEST + 2)
    return line
