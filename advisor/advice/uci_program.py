"""Other programs that speak UCI: players of a match, and engines that decide an advice.

A program receives ``uci`` and answers ``uciok`` (Kahlen and Huber 2000). For each move it receives
``position startpos moves ...`` (in chess also ``position fen ...``) and ``go`` with ``depth``,
``movetime`` (milliseconds) or ``nodes``; it answers any number of ``info ...``, and ``bestmove M``.
Moves are in coordinates in chess, in any other game as its rules write them: ``put(3,4)``.
"""

import atexit
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise

from advisor.errors import InputError, at
from advisor.games.game import Position
from advisor.limits import MAX_DEPTH, NO_LIMIT, Limit
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import POLL, Stop
from aspcircuits.texts import nearest, quote_text

GAME = "chess"
"""The game that such programs play by default."""

_PATIENCE = 20.0
"""Seconds that a program may take to start, between two messages, and to answer after its time."""

_LAST_WORD = 0.05
"""Seconds that a stopped program has for its best move; then it is killed."""

_MOST_VALUE, _MOST_MATE = 10**6, 999
"""The largest plausible values of a line."""

_BOUNDS: dict[str, tuple[float, float]] = {
    "depth": (1, MAX_DEPTH),
    "time": (0.001, 86400),
    "nodes": (1, 10**15),
}
"""Names beside a program's options that limit each of its searches."""


@dataclass(frozen=True, slots=True)
class UciCommand:
    """The command line of a program, its options, and limits of its searches.

    Attributes:
        start: the command line.
        options: of the program, by their names.
        depth, seconds, nodes: limits of each search; None for no limit.
    """

    start: str
    options: tuple[tuple[str, str], ...] = ()
    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None

    @classmethod
    def parse(cls, text: str) -> "UciCommand":
        """Read ``stockfish;Threads=2;Hash=64;nodes=100000``.

        Raises:
            InputError: no command, or a part that is no ``NAME=VALUE``.
        """
        start, *parts = (part.strip() for part in text.split(";"))
        if not start:
            raise InputError(f"{quote_text(text)} names no program (use COMMAND;NAME=VALUE;...)")
        options, bounds = [], dict[str, float]()
        for part in parts:
            name, equals, value = (each.strip() for each in part.partition("="))
            if not (name and equals):
                raise InputError(f"{quote_text(text)}: {quote_text(part)} is not NAME=VALUE")
            if name in _BOUNDS:
                bounds[name] = _number(text, name, value)
            else:
                options.append((name, value))
        whole = {name: int(bound) for name, bound in bounds.items() if name != "time"}
        own = whole.get("depth"), bounds.get("time"), whole.get("nodes")
        return cls(start, tuple(options), *own)

    @property
    def lines(self) -> int | None:
        """The number of lines that the options ask for; None if they do not."""
        said = {name.lower(): value for name, value in self.options}.get("multipv", "")
        return int(said) if said.isdecimal() else None

    def go(self, limit: Limit, otherwise: Limit) -> tuple[str, float | None]:
        """Return the line that begins a search, and the seconds that it may take.

        Args:
            limit: of the caller; it replaces the command's own limits of its kind.
            otherwise: used if neither has a limit.
        """
        depth, seconds = limit.depth or self.depth, limit.seconds or self.seconds
        if depth is seconds is self.nodes is None:
            depth, seconds = otherwise.depth, otherwise.seconds
        words = ["go"]
        if depth is not None:
            words.append(f"depth {depth}")
        if seconds is not None:
            words.append(f"movetime {max(1, round(1000 * seconds))}")
        if self.nodes is not None:
            words.append(f"nodes {self.nodes}")
        return " ".join(words), seconds


def _number(text: str, name: str, value: str) -> float:
    low, high = _BOUNDS[name]
    try:
        number = float(value) if name == "time" else int(value)
    except ValueError:
        raise InputError(
            f"{quote_text(text)}: {name} {quote_text(value)} is not a number"
        ) from None
    if not low <= number <= high:
        raise InputError(
            f"{quote_text(text)}: {name} {value} is out of range (use {low} to {high})"
        )
    return number


@dataclass(frozen=True, slots=True)
class EngineLine:
    """A line that a program expects.

    Attributes:
        moves: as the protocol writes them, at least one.
        value: of the first move, in the program's units; None if it gives none, or a mate.
        mate: in this many own moves; negative if the other side mates.
        depth: of the search.
    """

    moves: tuple[str, ...]
    value: int | None = None
    mate: int | None = None
    depth: int = 0


@dataclass(slots=True)
class EngineAnswer:
    """A program's answer on a position.

    Attributes:
        name: the name that it gives itself.
        lines: by their rank, 1 for the best.
        move: the best move; empty if the search was ended first.
        nodes: positions searched.
        seconds: time taken.
        interrupted: the search was ended before its own limits did.
    """

    name: str
    lines: dict[int, EngineLine] = field(default_factory=dict)
    move: str = ""
    nodes: int = 0
    seconds: float = 0.0
    interrupted: bool = False

    def read(self, words: list[str]) -> bool:
        """Read the words after ``info``; return whether they begin a deeper set of lines.

        Lines without a value, bounds of values and anything unreadable are ignored.
        """
        told = dict(pairwise(words))
        with suppress(KeyError, ValueError):
            self.nodes = int(told["nodes"])
        if words[:1] == ["string"] or "pv" not in words or {"lowerbound", "upperbound"} & {*words}:
            return False
        start = words.index("pv")
        told, moves = dict(pairwise(words[:start])), tuple(words[start + 1 :])
        try:
            rank, depth = int(told.get("multipv", 1)), int(told.get("depth", 0))
            if "mate" in told:
                line = EngineLine(moves, mate=int(told["mate"]), depth=depth)
            else:
                line = EngineLine(moves, int(told["cp"]), depth=depth)
        except (KeyError, ValueError):
            return False
        if not moves or line.mate == 0 or abs(line.mate or 0) > _MOST_MATE:
            return False
        if abs(line.value or 0) > _MOST_VALUE:
            return False
        deeper = rank == 1 and 1 in self.lines and depth > self.lines[1].depth
        self.lines[rank] = line
        return deeper


def ask(
    command: UciCommand,
    position: Position,
    limit: Limit,
    stop: Stop,
    *,
    otherwise: Limit = NO_LIMIT,
    lines: int = 1,
    apart: bool = False,
    on_deeper: Callable[[EngineAnswer], None] = lambda _: None,
) -> EngineAnswer:
    """Let a program think about a position; start it first if it is not running.

    Args:
        command: the program.
        position: of a game that goes on.
        limit: of the search.
        stop: ends the search when set.
        otherwise: see `UciCommand.go`.
        lines: the number wanted, if the program can give several.
        apart: the question is unrelated to earlier ones, which the program then forgets.
        on_deeper: called with the lines of each depth once the next one begins.

    Raises:
        InputError: the program cannot be started, or ends, or does not answer.
        KeyboardInterrupt: `stop` was set before the program had said anything useful.
    """
    program = _start_program(command, stop)
    first = next(iter(position.positions))
    begun = "startpos" if first.key == position.game.begin().key else f"fen {first.text}"
    moves = "".join(f" {position.code_of(move)}" for move in position.path)
    go, seconds = command.go(limit, otherwise)
    with program.talking:
        try:
            program.tell_lines(lines)
            if apart:
                program.say("ucinewgame")
                program.get_ready(stop)
            program.say(f"position {begun}{' moves' if moves else ''}{moves}")
            program.say(go)
            return program.answer(seconds, stop, on_deeper)
        except _StoppedError:
            program.end()
            raise KeyboardInterrupt from None


def best_move(
    command: UciCommand, position: Position, limit: Limit, stop: Stop, otherwise: Limit
) -> Term:
    """Return the move that a program plays after the moves of a game; see `ask`."""
    found = ask(command, position, limit, stop, otherwise=otherwise)
    stop.check()
    with at(quote_text(command.start)):
        return position.read_typed(found.move)


def try_out(command: UciCommand) -> None:
    """Start a program and end it, so that any fault in it is reported now.

    Raises:
        InputError: it cannot be started, or does not accept its options.
    """
    _Program(command, Stop()).end()


class _Program:
    """A running program; `talking` is held from a question to its answer."""

    def __init__(self, command: UciCommand, stop: Stop) -> None:
        self._called = quote_text(command.start)
        self.talking = threading.Lock()
        self.ended = False
        self.name = command.start
        self._offered: dict[str, list[str]] = {}  # its description of its options
        self._lines_told = command.lines or 1
        try:
            self._process = subprocess.Popen(
                shlex.split(command.start),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
                start_new_session=True,  # the terminal's Ctrl-C is for this process
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"{self._called} cannot be started ({reason})") from None
        atexit.register(self.end)
        self._heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self._begin(command, stop)
        except _StoppedError:
            self.end()
            raise KeyboardInterrupt from None

    def _begin(self, command: UciCommand, stop: Stop) -> None:
        self.say("uci")
        self._hear("uciok", _PATIENCE, stop, self._read_introduction)
        for name, value in command.options:
            self._check_option(name, value)
            self.say(f"setoption name {name} value {value}")
        self.get_ready(stop)

    def _read_introduction(self, words: list[str]) -> None:
        match words:
            case ["id", "name", *name]:
                self.name = " ".join(name)
            case ["option", "name", *said] if "type" in said:
                kind = said.index("type")
                self._offered[" ".join(said[:kind])] = said[kind:]

    def _check_option(self, name: str, value: str) -> None:
        """Raise an InputError for an option that is not among those a program lists."""
        offered = {each.lower(): (each, said) for each, said in self._offered.items()}
        if not offered:
            return
        if name.lower() not in offered:
            near = nearest(name, self._offered)
            raise self._end_with(f"has no option {quote_text(name)} (did you mean {near}?)")
        called, said = offered[name.lower()]
        told = dict(pairwise(said))
        if told["type"] == "spin":
            low, high = int(told.get("min", value)), int(told.get("max", value))
            if not (value.lstrip("-").isdecimal() and low <= int(value) <= high):
                allowed = f"use {low} to {high}"
                raise self._end_with(f"takes no {called}={quote_text(value)} ({allowed})")

    def tell_lines(self, lines: int) -> None:
        """Set the number of lines, unless it is set already, or there is no such option."""
        if lines != self._lines_told and "MultiPV" in self._offered:
            self._lines_told = lines
            self.say(f"setoption name MultiPV value {lines}")

    def get_ready(self, stop: Stop) -> None:
        """Wait until the program has carried out its commands."""
        self.say("isready")
        self._hear("readyok", _PATIENCE, stop)

    def say(self, line: str) -> None:
        """Send a line; if the program has ended, reading its answer will show that."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()

    def answer(
        self, seconds: float | None, stop: Stop, on_deeper: Callable[[EngineAnswer], None]
    ) -> EngineAnswer:
        """Return the result of a search, or what it has found by the time that `stop` is set."""
        started, found = time.monotonic(), EngineAnswer(self.name)

        def read(words: list[str]) -> None:
            if words[:1] == ["info"]:
                so_far = EngineAnswer(self.name, dict(found.lines), nodes=found.nodes)
                if found.read(words[1:]):
                    on_deeper(so_far)

        patience = None if seconds is None else seconds + _PATIENCE
        try:
            said = self._hear("bestmove", patience, stop, read)
        except _StoppedError:
            found.interrupted = stop.is_interrupted
            said = self._stop_search()
            if not (found.lines or said):
                raise
        found.move = said[0] if said else ""
        found.seconds = time.monotonic() - started
        return found

    def _stop_search(self) -> list[str]:
        """End a search, and the program too unless it answers at once."""
        self.say("stop")
        try:
            return self._hear("bestmove", _LAST_WORD, Stop())
        except InputError:
            self.end()
            return []

    def _hear(
        self,
        word: str,
        seconds: float | None,
        stop: Stop,
        read: Callable[[list[str]], None] = lambda _: None,
    ) -> list[str]:
        """Return the words after `word` from the line that begins with it.

        Other lines are passed to `read`. If the program stays silent, `isready` is sent, which it
        has to answer.

        Raises:
            InputError: the program has ended, or does not send the word in time.
            _StoppedError: `stop` is set.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        heard, asked = time.monotonic(), False
        while True:
            if stop.is_set():
                raise _StoppedError
            now = time.monotonic()
            if (deadline is not None and now >= deadline) or now >= heard + _PATIENCE:
                raise self._end_with(f"does not answer {word} in time")
            if not asked and now >= heard + _PATIENCE / 2:
                asked = True
                self.say("isready")
            try:
                line = self._heard.get(timeout=POLL)
            except queue.Empty:
                continue
            if line is None:
                raise self._end_with(f"has ended without {word}")
            heard, asked = now, False
            words = line.split()
            if words[:1] == [word]:
                return words[1:]
            read(words)

    def _end_with(self, reason: str) -> InputError:
        """End the program, and return the error about it."""
        self.end()
        return InputError(f"{self._called} {reason}")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._heard.put(line)
        self._heard.put(None)

    def end(self) -> None:
        """Kill the program, and whatever it has started."""
        atexit.unregister(self.end)
        self.ended = True
        with suppress(ProcessLookupError, AttributeError):  # the latter on Windows
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()


class _StoppedError(Exception):
    """A `Stop` was set while a program should answer."""


_running: dict[UciCommand, _Program] = {}
_starting = threading.Lock()


def _start_program(command: UciCommand, stop: Stop) -> _Program:
    """Return the running program for a command; one that has ended is started again."""
    with _starting:
        found = _running.get(command)
        if found is None or found.ended:
            found = _running[command] = _Program(command, stop)
        return found
