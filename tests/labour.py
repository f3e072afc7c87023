"""Work for the workers of batch tests; they import it, so it cannot be inside a test."""

import os
import signal
import time
from pathlib import Path

from aspcircuits.stopping import Stop


def square(task: str, stop: Stop) -> int:
    return int(task) ** 2


def square_slowly(log: Path, task: str, stop: Stop) -> int:
    """Notes that it began, in a file beside the others'."""
    with open(log, "a") as file:
        file.write(f"{task} {os.getpid()}\n")
    time.sleep(0.02)
    return int(task) ** 2


def square_once_fatally(folder: Path, deadly: str, task: str, stop: Stop) -> int:
    """The first worker to do the deadly task is killed in the middle of it."""
    if task == deadly:
        try:
            (folder / "killed").touch(exist_ok=False)
        except FileExistsError:
            return int(task) ** 2
        os.kill(os.getpid(), signal.SIGKILL)
    return int(task) ** 2


def die(_task: str, stop: Stop) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


def square_but(wrong: str, task: str, stop: Stop) -> int:
    """Square a number, but for one of which it raises an error."""
    return fail(task, stop) if task == wrong else square(task, stop)


def fail(task: str, stop: Stop) -> int:
    raise ValueError(task)


def send_ctrl_c(task: str, stop: Stop) -> int:
    """To itself."""
    signal.raise_signal(signal.SIGINT)
    return int(task)
