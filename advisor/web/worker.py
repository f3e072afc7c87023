"""A worker process: reads jobs as lines of JSON on standard input, answers on standard output.

A job is ``{"job": 1, "task": "advise", ...}``; it is answered by any number of lines with
``progress`` and one with ``result``, ``error`` or ``cancelled``. ``{"cancel": 1}`` ends that job if
it still runs. The end of the input ends the process.
"""

import json
import os
import queue
import signal
import sys
import threading
import traceback
from _thread import interrupt_main
from typing import Any, TextIO

from advisor.advice.advise import advise, score_of
from advisor.advice.levels import near_best, settings_of
from advisor.engine.search import Result, search
from advisor.errors import AdvisorError
from advisor.games.connect4 import puzzles
from advisor.games.connect4.board import Position, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.settings import config
from advisor.web import requests, views

Json = dict[str, Any]


class _CancelledError(BaseException):
    """Outside `Exception`, so that nothing on the way takes it for an error of its own."""


class _Worker:
    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._running: int | None = None
        self._cancelled: int | None = None
        self._interruptible = False  # only in the search; clingo's callbacks would lose it

    def run(self, source: TextIO) -> None:
        # Ctrl-C reaches the whole process group; here only the server ends things.
        signal.signal(signal.SIGINT, self._interrupted)
        if hasattr(os, "nice"):
            os.nice(10)  # the server answers first, however many look-aheads run
        self._warm()
        jobs: queue.Queue[Json] = queue.Queue()
        threading.Thread(target=self._listen, args=(source, jobs), daemon=True).start()
        self._write({"ready": True})
        while True:
            self._do(jobs.get())

    def _listen(self, source: TextIO, jobs: queue.Queue[Json]) -> None:
        for line in source:
            message = json.loads(line)
            if "cancel" in message:
                self._cancelled = message["cancel"]
                if self._cancelled == self._running:
                    interrupt_main()
            else:
                jobs.put(message)
        os._exit(0)

    def _interrupted(self, *_: object) -> None:
        if self._interruptible and self._running == self._cancelled:
            raise _CancelledError

    def _do(self, job: Json) -> None:
        number = job["job"]
        answer: Json
        try:
            try:
                self._running = number
                answer = {"result": _TASKS[job["task"]](self, job)}
            finally:
                self._interruptible = False
                self._running = None
        except _CancelledError:
            answer = {"cancelled": True}
        except AdvisorError as error:
            answer = {"error": str(error)}
        except Exception:  # a bug: it is logged, the request fails, the worker lives on
            traceback.print_exc()
            answer = {"error": None}
        self._write({"job": number, **answer})

    def _write(self, message: Json) -> None:
        self._output.write(json.dumps(message) + "\n")
        self._output.flush()

    def _warm(self) -> None:
        """Compiles the standard board's circuit and touches everything that loads lazily."""
        advise(Position(geometry()), config.load(), depth=3)

    def _on_iteration(self, result: Result) -> None:
        self._interruptible = False  # not in the middle of a line
        self._write({"job": self._running, "progress": views.progress(result)})
        self._interruptible = True
        self._interrupted()

    def _advise(self, job: Json) -> Json:
        found = advise(
            unpack(job["position"]),
            settings_of(requests.settings(job["weights"]), job["level"]),
            depth=job["depth"],
            seconds=job["seconds"],
            on_iteration=self._on_iteration,
        )
        view = views.advice(found, job["explain"])
        if job["level"] is not None and found.best:
            view["choices"] = near_best(found, job["level"])
        return view

    def _defend(self, job: Json) -> Json:
        """The longest defence in a puzzle, and whether the win is still in reach."""
        posed = puzzles.load(job["puzzle"])
        position = unpack(job["position"])
        moves_left = job["moves_left"]
        found = search(
            position,
            CircuitEvaluator(config.load(), position.geometry),
            depth=2 * moves_left,
            seconds=job["seconds"],
            on_iteration=self._on_iteration,
        )
        score = score_of(found.value, found.exhaustive)
        won = score.kind == "loss" and (score.moves or 0) <= moves_left
        return {"reply": found.best[0], "won": won, "win_in": posed.win_in}


_TASKS = {"advise": _Worker._advise, "defend": _Worker._defend}


def pack(position: Position) -> list[int]:
    """A position as a job carries it."""
    size = position.geometry
    return [size.width, size.height, size.connect, position.turn, position.mover, position.mask]


def unpack(packed: list[int]) -> Position:
    """The position of a job."""
    width, height, connect, turn, mover, mask = packed
    return Position(geometry(width, height, connect), turn, mover, mask)


if __name__ == "__main__":
    _Worker(sys.stdout).run(sys.stdin)
