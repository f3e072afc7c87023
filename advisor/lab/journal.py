"""The finished results of a batch run in a file: one JSON object a line; the first names the run.

A line is written in one piece, and is on the disk before its result is used. If the machine stopped
within one, its half is dropped, and the run goes on after the last whole line.
"""

import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self

from advisor.errors import BatchError
from aspcircuits.texts import file_name, quote_text


class Journal:
    """The finished results of one run; a context, in which the file is open.

    Args:
        path: created if it does not exist; continued if it belongs to the same run.
        run: identifies the run (command, settings), as JSON. The input is compared task by task.

    Raises (on entering and after):
        BatchError: the file is of something else, is in use by another run, or cannot be read or
            written.
    """

    def __init__(self, path: Path, run: Mapping[str, Any]) -> None:
        self._path = path
        self._run = json.loads(json.dumps(run))

    def __enter__(self) -> Self:
        try:
            self._file = open(self._path, "a+b", buffering=0)
        except OSError as error:
            raise BatchError(f"{file_name(self._path)}: {error.strerror}") from None
        self._lasting = stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)  # no pipe, no device
        self._results = self._end = 0
        try:
            if not lock_file(self._file):
                raise self._error("another run is writing to it")
            self._check()
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def replay(self, tasks: Iterator[str]) -> Iterator[Any]:
        """Yield the results in the file, each of them taking its task off the tasks.

        Raises:
            BatchError: they are the results of other tasks.
        """
        for number, line in enumerate(self._lines(), 2):
            try:
                entry = json.loads(line)
                task, result = entry["task"], entry["result"]
            except (ValueError, TypeError, KeyError):
                raise self._error(f"line {number} is not a result of a batch run") from None
            expected = next(tasks, None)
            if task != expected:
                now = "nothing" if expected is None else quote_text(expected)
                raise self._error(
                    f"line {number}: holds a run over other input "
                    f"({quote_text(str(task))} there, {now} here)"
                )
            self._end += len(line)
            self._results += 1
            yield result
        self._drop_rest()

    def add(self, done: Sequence[tuple[str, Any]]) -> None:
        """Write the next tasks with their results."""
        self._write(*({"task": task, "result": result} for task, result in done))
        self._results += len(done)

    def _check(self) -> None:
        """Read or write the line that names the run."""
        if not self._lasting:
            self._write({"run": self._run})
            return
        expected = _line({"run": self._run})
        first = next(self._lines(), b"")
        if not first:
            with open(self._path, "rb") as file:
                half = file.read(len(expected))
            if not expected.startswith(half):
                raise self._error("is not a file of finished results")
            self._drop_rest()
            self._write({"run": self._run})
            return
        try:
            run = json.loads(first)["run"]
            differing = [key for key in self._run if run.get(key) != self._run[key]]
        except (ValueError, TypeError, KeyError, AttributeError):
            raise self._error("is not a file of finished results") from None
        if run != self._run:
            key = differing[0] if differing else "run"
            there, here = json.dumps(run.get(key)), json.dumps(self._run.get(key))
            raise self._error(f"holds another run ({key}: {there} there, {here} here)")
        self._end = len(first)

    def _lines(self) -> Iterator[bytes]:
        """Yield the whole lines that are still to be read."""
        if not self._lasting:
            return
        with open(self._path, "rb") as file:
            file.seek(self._end)
            for line in file:
                if line.endswith(b"\n"):
                    yield line

    def _drop_rest(self) -> None:
        with suppress(OSError):  # only a regular file has a rest
            self._file.truncate(self._end)

    def _write(self, *entries: Mapping[str, Any]) -> None:
        lines = rest = b"".join(map(_line, entries))
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            if self._lasting:
                os.fsync(self._file.fileno())
        except OSError as error:
            self._drop_rest()
            kept = f"{self._results} finished results are kept; run again to go on"
            raise self._error(f"{error.strerror} ({kept})") from None
        self._end += len(lines)

    def _error(self, reason: str) -> BatchError:
        return BatchError(f"{file_name(self._path)}: {reason}")


def lock_file(file: IO[bytes]) -> bool:
    """Return whether no other run has the file; True if files cannot be locked here."""
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry).encode() + b"\n"
