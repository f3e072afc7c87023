"""Other programs as players of a match: processes that speak as much of UCI as one move takes.

A program is sent ``uci`` and answers ``uciok`` (Kahlen and Huber 2000). For each move it is sent
``position startpos moves ...`` (of chess also ``position fen ...``) and ``go movetime N``, in
milliseconds, or ``go depth N``; it answers ``bestmove M``. Moves are in coordinates in chess, in
any other game as its rules write them: ``put(3,4)``.
"""

import atexit
import queue
import shlex
import subprocess
import threading
import time
from contextlib import suppress
from functools import cache

from advisor.errors import InputError, at
from advisor.games.game import Position
from advisor.limits import Limit
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import POLL, Stop
from aspcircuits.texts import quoted

_PATIENCE = 20.0
"""Seconds that a program may take to begin, and to answer once its time is up."""


def asked(command: str, position: Position, limit: Limit, stop: Stop) -> Term:
    """The move of a program after those of a game.

    Args:
        command: what starts it, and after semicolons its options as ``NAME=VALUE``.

    Raises:
        InputError: the program does not begin, does not answer, or its move is not legal.
        KeyboardInterrupt: it was to stop.
    """
    begun = "startpos" if position.from_start else f"fen {next(iter(position.positions)).text}"
    moves = "".join(f" {position.code_of(move)}" for move in position.path)
    program = _started(command)
    patience = None if limit.seconds is None else limit.seconds + _PATIENCE
    with program.talking:
        program.say(f"position {begun}{' moves' if moves else ''}{moves}")
        if limit.seconds is None:
            program.say(f"go depth {limit.depth}")
        else:
            program.say(f"go movetime {max(1, round(1000 * limit.seconds))}")
        answer = program.hear("bestmove", patience, stop)
    with at(quoted(command)):
        return position.read_typed(answer)


class _Program:
    def __init__(self, command: str) -> None:
        self._command = command
        self.talking = threading.Lock()  # who asks hears the answer before another one asks
        start, *options = command.split(";")
        try:
            self._process = subprocess.Popen(
                shlex.split(start),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
                start_new_session=True,  # the terminal's Ctrl-C is for us
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"{quoted(start)} cannot be started ({reason})") from None
        atexit.register(self._end)
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.say("uci")
        self.hear("uciok", _PATIENCE, Stop())
        for option in options:
            name, _, value = option.partition("=")
            self.say(f"setoption name {name.strip()} value {value.strip()}")
        self.say("isready")
        self.hear("readyok", _PATIENCE, Stop())

    def say(self, line: str) -> None:
        """Sends a line; that the program has ended is heard later."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()

    def hear(self, word: str, seconds: float | None, stop: Stop) -> str:
        """The word after one that a line begins with, in time; other lines are passed over."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while deadline is None or time.monotonic() < deadline:
            stop.check()
            try:
                line = self._lines.get(timeout=POLL)
            except queue.Empty:
                continue
            if line is None:
                self._lines.put(None)  # for whoever asks again
                raise InputError(f"{quoted(self._command)} has ended without {word}")
            first, *rest = line.split() or [""]
            if first == word:
                return rest[0] if rest else ""
        raise InputError(f"{quoted(self._command)} does not answer {word} in time")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()


@cache
def _started(command: str) -> _Program:
    """One process for all moves of a match in this process."""
    return _Program(command)
