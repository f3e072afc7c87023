"""Child processes that run no file of the current folder and end with their parent.

A child's standard input is a pipe whose other end only its parent holds. However the parent ends,
by SIGKILL too, that closes the pipe, and `listen` then ends the child in the midst of its work.
(Linux could send a signal instead, but at the end of the thread that started the child, and
children outlive threads.) Only work that is sent with some patience goes on without the parent, for
that long; it closes its standard output and error, so that a reader of these does not wait for it.
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
from importlib import import_module
from time import monotonic, sleep
from typing import Any, BinaryIO, NamedTuple, TypeVar

from aspcircuits.errors import InputError

T = TypeVar("T")

_POLL = 0.02
"""Seconds between two checks of work that goes on without the parent."""


class _Message(NamedTuple):
    """A piece of work, and the environment in which to do it.

    Attributes:
        patience: seconds that the work may go on after the parent's end.
    """

    folder: str
    path: list[str]
    environment: dict[str, str]
    patience: float
    content: bytes


def command(module: str) -> list[str]:
    """Return the command that runs a module of the package as a process."""
    # -P: a file in the current folder must not shadow a module of the same name.
    return [sys.executable, "-P", "-m", module]


def listen(
    messages: Iterable[T],
    receive: Callable[[T], object],
    finish: Callable[[], object] = lambda: None,
) -> None:
    """Receive the parent's messages in a thread; the end of the messages ends this process.

    To be called before anything that may take long.

    Args:
        finish: called after the last message, to wait for unfinished work.
    """

    def until_the_end() -> None:
        try:
            for message in messages:
                receive(message)
            finish()
        finally:
            os._exit(0)

    threading.Thread(target=until_the_end, daemon=True).start()


class Child:
    """A process that does one piece of work after the other, for one thread at a time.

    Attributes:
        handed_over: set once the process has its work.
    """

    def __init__(self) -> None:
        self.handed_over = threading.Event()
        self._process = subprocess.Popen(
            command("aspcircuits.child"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # the terminal's Ctrl-C is for the parent
        )

    def do(
        self, work: bytes, receive: Callable[[Any], object] = lambda _: None
    ) -> tuple[bool, Any]:
        """Do the work of `pack_work`; return whether it succeeded, and its result or its error.

        Args:
            receive: is called with each note that the work sends by `send_note`.

        Raises:
            EOFError: the process died.
            ValueError: its answer cannot be read.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        self.handed_over.clear()
        try:
            stdin.write(work)
            stdin.flush()
            self.handed_over.set()
            is_note, answer = pickle.load(stdout)
            while is_note:
                receive(pickle.loads(answer))
                is_note, answer = pickle.load(stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise EOFError from None
        try:
            done, result = pickle.loads(answer)
        except Exception as error:  # any error here is one of the work
            raise ValueError(f"what its process answered cannot be read ({error!r})") from None
        return done, result

    def death(self) -> str:
        """Return how the process ended, after `do` has found it dead."""
        code = self._process.wait()
        if code >= 0:
            return f"exit code {code}"
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        return f"{name}, perhaps for want of memory" if name == "SIGKILL" else name

    def kill(self) -> None:
        """Kill the process at once; a thread in `do` gets an EOFError."""
        self._process.kill()

    def end(self) -> None:
        """End the process and close its pipes, once no thread waits for its answer."""
        self.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with suppress(OSError):
                stream.close()


def pack_work(
    function: Callable[..., Any], arguments: tuple[Any, ...], patience: float = 0.0
) -> bytes:
    """Pack a piece of work for a `Child`; pickle's errors are raised here.

    Args:
        function: a function of a module.
        patience: seconds that the work may go on after the end of this process.

    Raises:
        InputError: the current folder, to which file names are relative, no longer exists.
    """
    # Packed twice, so that content that cannot be read is an error of the work, not of the reader.
    # Relative file names, and modules beside the package, are resolved from here, wherever and
    # whenever the child was started; so is the environment, such as the place of the cache.
    try:
        here = os.getcwd()
    except FileNotFoundError:
        raise InputError("the current folder is gone (change to another one)") from None
    content = pickle.dumps((function, arguments))
    return pickle.dumps((here, sys.path, dict(os.environ), patience, content))


class _Life:
    """How long this process outlives its parent: until the work at hand is done, if at all."""

    def __init__(self) -> None:
        self.work: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        self.patience = 0.0
        self.is_worth_it: Callable[[], bool] = lambda: True
        self.answers: BinaryIO | None = None

    def receive(self, message: _Message) -> None:
        self.is_worth_it = lambda: True
        self.patience = message.patience
        self.work.put(message)

    def finish(self) -> None:
        """Return once the work is done, its time is up, or it is no longer worth it."""
        _close_outputs()
        ended = monotonic()
        while monotonic() - ended < self.patience and self.is_worth_it():
            sleep(_POLL)


_life = _Life()


def go_on_while(is_worth_it: Callable[[], bool]) -> None:
    """Let the work at hand go on after the parent's end only while `is_worth_it` returns True."""
    _life.is_worth_it = is_worth_it


def send_note(note: object) -> None:
    """Send the parent a note amid the work at hand, see `Child.do`; do nothing in other processes.

    Any thread may send notes.
    """
    if _life.answers is not None:
        _send_message(_life.answers, True, pickle.dumps(note))


def _send_message(target: BinaryIO, is_note: bool, content: bytes) -> None:
    """Send a note or an answer; none is wanted if the parent has ended."""
    with _sending, suppress(OSError):
        pickle.dump((is_note, content), target)
        target.flush()


_sending = threading.Lock()


def _close_outputs() -> None:
    """Close the parent's standard output and error, so that a reader of these can finish."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for output in (1, 2):
        os.dup2(nowhere, output)
    os.close(nowhere)


def _messages() -> Iterator[_Message]:
    with suppress(EOFError, pickle.UnpicklingError):  # the parent may die amid a message
        while True:
            yield _Message(*pickle.load(sys.stdin.buffer))


def _serve() -> None:
    """Run the child: read work, write answers."""
    listen(_messages(), _life.receive, _life.finish)
    target = _life.answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # other output must not come between the answers
    inherited = {*os.environ}
    while True:
        message = _life.work.get()
        if message.patience:
            _close_outputs()  # so that the processes it starts have none, either
        try:
            os.chdir(message.folder)
            for name in inherited - message.environment.keys():
                os.environ.pop(name, None)
            os.environ |= message.environment
            inherited = {*message.environment}
            # At the end, so that nothing there shadows a module that the child has.
            sys.path += [place for place in message.path if place and place not in sys.path]
            function, arguments = pickle.loads(message.content)
            answer = pickle.dumps((True, function(*arguments)))
        except Exception as error:  # any error belongs to the caller
            answer = _packed_error(error)
        _life.patience = 0.0
        _send_message(target, False, answer)


def _packed_error(error: Exception) -> bytes:
    """Pack an error as an answer; one that cannot be pickled is replaced by its text."""
    try:
        return pickle.dumps((False, error))
    except Exception:  # pickle raises whatever the error's own code raises
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))


if __name__ == "__main__":
    import_module("aspcircuits.child")._serve()  # as the work imports it for `go_on_while`
