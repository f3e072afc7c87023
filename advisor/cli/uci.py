"""`advisor uci`: chess for programs that play against it, by the Universal Chess Interface."""

import sys
import threading
import time
from importlib.metadata import version
from itertools import pairwise

import typer

from advisor.advice.choice import Choice, choose
from advisor.cli import options
from advisor.errors import AdvisorError
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.playing import Playing
from advisor.limits import POLL, Limit, Stop

_GAME = "chess"
_MOVES_LEFT = 30
"""For so many moves the time on the clock is shared out, unless the other program says how many."""

_MARGIN = 0.05
"""Seconds that a move may be late by: what the two programs need to talk."""


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command()(uci)


def uci(weights: options.Weights = options.DEFAULT_WEIGHTS) -> None:
    """Play chess with another program, by UCI."""
    if weights != options.DEFAULT_WEIGHTS:
        knowledge.settings(_GAME, weights)  # which would be wrong only when a move is asked for
    engine = _Engine(weights)
    try:
        for line in sys.stdin:
            if not engine.obey(line.split()):
                break
        else:
            engine.wait()  # the end of the input ends nothing that will end by itself
    except KeyboardInterrupt:
        pass
    engine.stop()


class _Engine:
    """What the other program talks to; thinks in a thread of its own."""

    def __init__(self, weights: str) -> None:
        self._weights = weights
        self._loaded: Circuits | None = None
        self._given: Playing | None = None
        self._asked: list[str] = []
        self._thread: threading.Thread | None = None
        self._stop = Stop()
        self._endless = False

    def obey(self, words: list[str]) -> bool:
        """One line of the other program's; whether to go on. What is unknown is ignored."""
        command, *rest = words or [""]
        try:
            if command == "uci":
                _say(f"id name asp-advisor {version('asp-advisor')}")
                _say("id author the asp-advisor project")
                _say("uciok")
            elif command == "isready":
                self._warm_up()
                _say("readyok")
            elif command == "ucinewgame":
                self.stop()
                self._given, self._asked = None, []
            elif command == "position":
                self.stop()
                self._given = self._position(rest)
            elif command == "go":
                self.stop()
                self._go(rest)
            elif command == "stop":
                self.stop()
        except AdvisorError as error:
            _say(f"info string error: {error}")
            if command == "go":
                _say("bestmove (none)")
        return command != "quit"

    def stop(self) -> None:
        """Ends the thinking; its best move is told."""
        self._stop.set()
        self.wait()

    def wait(self) -> None:
        """Until the thinking has ended, which by itself it may not do."""
        if self._endless:
            self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    @property
    def _game(self) -> Circuits:
        if self._loaded is None:
            self._loaded, _ = knowledge.load(_GAME, self._weights)
        return self._loaded

    def _warm_up(self) -> None:
        """Makes what the first move would otherwise take its time for."""
        if self._loaded is None:
            choose(Playing.of(self._game), Limit(1))

    def _position(self, words: list[str]) -> Playing:
        """The position that is asked for; mostly the last one and what has been played since."""
        known = len(self._asked)
        if self._given is not None and "moves" in self._asked and words[:known] == self._asked:
            given = self._given
            for word in words[known:]:
                given = given.play(given.move(word))
        else:
            given = Playing.of(self._game, " ".join(words[words[:1] == ["fen"] :]))
        self._asked = words
        return given

    def _go(self, words: list[str]) -> None:
        given = self._given or Playing.of(self._game)
        limit = _limit(words, given.turn)
        self._stop = Stop()
        self._endless = limit == Limit()
        arguments = (given, limit, self._stop, self._endless)
        self._thread = threading.Thread(target=_think, args=arguments, daemon=True)
        self._thread.start()


def _limit(words: list[str], turn: int) -> Limit:
    """How long to think; without limit if nothing is said of it."""
    given = {}
    for name, value in pairwise(words):
        if value.lstrip("-").isdecimal():
            given[name] = int(value)
    depth = max(1, given["depth"]) if "depth" in given else None
    if "mate" in given:
        depth = max(1, 2 * given["mate"] - 1)
    seconds = given["movetime"] / 1000 - _MARGIN if "movetime" in given else None
    left = given.get("btime" if turn else "wtime")
    if left is not None and seconds is None:
        more = given.get("binc" if turn else "winc", 0)
        share = left / (given.get("movestogo", _MOVES_LEFT) + 1) + 0.8 * more
        seconds = min(share, left / 2) / 1000 - _MARGIN
    return Limit(depth, None if seconds is None else max(seconds, 0.01))


def _think(given: Playing, limit: Limit, stop: Stop, endless: bool) -> None:
    """Tells the best move, whatever happens."""
    move = "(none)"
    try:
        if not given.legal:
            return

        def tell(choice: Choice) -> None:
            nonlocal move
            move = given.notation.code(choice.line[0])
            _say(_info(given, choice))

        move = given.notation.code(choose(given, limit, stop, tell).line[0])
        while endless and not stop.is_set():  # no answer is wanted before
            time.sleep(POLL)
    except AdvisorError as error:
        _say(f"info string error: {error}")
    finally:
        _say(f"bestmove {move}")


def _info(given: Playing, choice: Choice) -> str:
    """How far the look-ahead is, as the protocol says it."""
    if choice.plies is None:
        score = f"cp {choice.value}"
    else:
        moves = (choice.plies + 1) // 2
        score = f"mate {moves if choice.value > 0 else -moves}"
    line = " ".join(map(given.notation.code, choice.line))
    spent = round(1000 * choice.seconds)
    return f"info depth {choice.depth} score {score} nodes {choice.nodes} time {spent} pv {line}"


def _say(text: str) -> None:
    print(text, flush=True)
