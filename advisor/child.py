"""Processes of our own: no file of the current folder runs in them, and they end with their parent.

A child's standard input is a pipe whose other end only its parent holds. However the parent ends,
by SIGKILL too, that closes the pipe, and `listen` then ends the child in the midst of its work.
(Linux could send a signal instead, but at the end of the thread that started the child, and
children outlive threads.)
"""

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from advisor.errors import InputError

T = TypeVar("T")


def command(module: str) -> list[str]:
    """What starts a module of the package as a process."""
    # -P: a file in the current folder must not stand for a module of the same name.
    return [sys.executable, "-P", "-m", module]


def listen(messages: Iterable[T], receive: Callable[[T], object]) -> None:
    """Receives what the parent sends, in a thread; the last message ends this process at once.

    To be called before anything that may take long.
    """

    def until_the_end() -> None:
        try:
            for message in messages:
                receive(message)
        finally:
            os._exit(0)

    threading.Thread(target=until_the_end, daemon=True).start()


class Child:
    """A process that does one piece of work after the other, for one thread at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            command("advisor.child"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # the terminal's Ctrl-C is for the parent
        )

    def do(self, work: bytes) -> tuple[bool, Any]:
        """Does what `packed` has packed: whether it was done, and its result or its error.

        Raises:
            EOFError: the process died.
            ValueError: its answer cannot be read.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(work)
            stdin.flush()
            answer = pickle.load(stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise EOFError from None
        try:
            done, result = pickle.loads(answer)
        except Exception as error:  # whatever it is, it belongs to the work
            raise ValueError(f"what its process answered cannot be read ({error!r})") from None
        return done, result

    def death(self) -> str:
        """How the process ended, once `do` has found it dead."""
        code = self._process.wait()
        if code >= 0:
            return f"exit code {code}"
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        return f"{name}, perhaps for want of memory" if name == "SIGKILL" else name

    def kill(self) -> None:
        """Ends it, whatever it is at; who waits for its answer hears that it died."""
        self._process.kill()

    def end(self) -> None:
        """Ends it, once nobody waits for its answer."""
        self.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with suppress(OSError):
                stream.close()


def packed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """A piece of work for a `Child`, or what pickle says of it; the function is one of a module.

    An InputError if there is no folder any more from which files are named.
    """
    # Wrapped, so that what cannot be read is an error of the work, not of the reader. Files are
    # named as from here, wherever and whenever the child was started, and so are modules beside
    # the package; what the environment says counts, too, such as where the cache is.
    try:
        here = os.getcwd(), sys.path, dict(os.environ)
    except FileNotFoundError:
        raise InputError("the current folder is gone (change to another one)") from None
    return pickle.dumps((*here, pickle.dumps((function, arguments))))


def _messages() -> Iterator[tuple[str, list[str], dict[str, str], bytes]]:
    with suppress(EOFError, pickle.UnpicklingError):  # the parent is gone, perhaps amid a message
        while True:
            yield pickle.load(sys.stdin.buffer)


def _serve() -> None:
    """The child's life: reads work, writes answers."""
    work: queue.SimpleQueue[tuple[str, list[str], dict[str, str], bytes]] = queue.SimpleQueue()
    listen(_messages(), work.put)
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not come between the answers
    while True:
        try:
            folder, path, environment, content = work.get()
            os.chdir(folder)
            os.environ |= environment
            # Behind its own, so that nothing there stands for a module that the child has.
            sys.path += [place for place in path if place and place not in sys.path]
            function, arguments = pickle.loads(content)
            answer = pickle.dumps((True, function(*arguments)))
        except Exception as error:  # whatever it is, it belongs to whoever asked
            answer = pickle.dumps((False, error))
        pickle.dump(answer, target)
        target.flush()


if __name__ == "__main__":
    _serve()
