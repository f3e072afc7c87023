"""Chess for programs that play against it, by the Universal Chess Interface."""

import time
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.metadata import version
from itertools import pairwise, takewhile

from advisor.advice.choice import Choice, choose
from advisor.asp.clingo_api import Term
from advisor.errors import AdvisorError, InputError
from advisor.games import knowledge, rooms
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.playing import Playing
from advisor.limits import POLL, Limit, Stop
from advisor.settings.config import DEFAULT

_GAME = "chess"
_MOVES_LEFT = 30
"""For so many moves the time on the clock is shared out, unless the other program says how many."""

_MARGIN, _SHARE = 0.05, 0.05
"""Seconds that a move may be late by, what the two programs need to talk, and the most that this
may be of the move's own time."""

_GO = {
    *("searchmoves", "ponder", "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes"),
    *("mate", "movetime", "infinite"),
}
"""The words that `go` may be followed by."""


def serve(source: Iterable[str], weights: str = DEFAULT) -> None:
    """Obeys another program until it quits; answers are printed.

    >>> serve(["isready", "quit"])
    readyok

    Args:
        source: what the other program says, line by line.
        weights: a weights file of chess, or one of its presets, which are checked at once.
    """
    if weights != DEFAULT:
        knowledge.settings(_GAME, weights)  # which would be wrong only when a move is asked for
    engine = _Engine(weights)
    try:
        for line in source:
            if not engine.obey(line.split()):
                break
        else:
            engine.wait()  # the end of the input ends nothing that will end by itself
    except KeyboardInterrupt:
        pass
    finally:
        engine.stop()  # a process waits for its threads


class _Engine:
    """What the other program talks to; thinks in a thread of its own, always the same one, which
    remembers what it has seen."""

    def __init__(self, weights: str) -> None:
        self._weights = weights
        self._loaded: Circuits | None = None
        self._asked: tuple[str, list[str]] | None = None  # where the game began, and its moves
        self._given: Playing | None = None  # where these led; None if they were refused
        self._thinker = ThreadPoolExecutor(1)
        self._thinking: Future[None] | None = None
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
            elif command in ("ucinewgame", "position", "go", "stop"):
                self.stop()
            if command == "ucinewgame":
                self._asked = None
            elif command == "position":
                self._position(rest)
            elif command == "go":
                self._go(rest)
        except AdvisorError as error:
            _say(f"info string error: {error}")
            if command == "go":
                _say("bestmove (none)")
        return command != "quit"

    def stop(self) -> None:
        """Ends the thinking, which tells its best move."""
        self._stop.set()
        self.wait()

    def wait(self) -> None:
        """Until the thinking has ended, which by itself it may not do."""
        if self._endless:
            self._stop.set()
        if self._thinking is not None:
            self._thinking.result()
            self._thinking = None

    @property
    def _game(self) -> Circuits:
        if self._loaded is None:
            self._loaded, _ = knowledge.load(_GAME, self._weights)
        return self._loaded

    def _warm_up(self) -> None:
        """Makes what the first move would otherwise take its time for."""
        if self._loaded is None:
            self._game.prepare()
            self._game.tree.kept(meanwhile=True)
            begun = RuleAbilities(rooms.playing(self._game))
            self._thinker.submit(choose, begun, Limit(1)).result()

    def _position(self, words: list[str]) -> None:
        """Takes a position; mostly it is the last one and what has been played since."""
        end = words.index("moves") if "moves" in words else len(words)
        begun, moves = " ".join(words[words[:1] == ["fen"] : end]), words[end + 1 :]
        given, (before, played) = self._given, self._asked or ("", [])
        self._asked, self._given = (begun, moves), None
        if given is None or begun != before or moves[: len(played)] != played:
            given, played = rooms.playing(self._game, begun), []
        for word in moves[len(played) :]:
            # Who plays need not end the game when a position stands for the third time.
            move = given.named(word) if given.repeated else given.move(word)
            given = given.play(move)
        self._given = given

    def _go(self, words: list[str]) -> None:
        if self._asked is None:
            self._position(["startpos"])
        if self._given is None:
            raise InputError("no position (the last one was refused)")
        moves = [self._given.named(word) for word in _after("searchmoves", words)]
        limit, nodes = _limit(words, self._given.turn)
        self._stop = Stop()
        self._endless = limit == Limit() and nodes is None
        arguments = (self._given, limit, self._stop, self._endless, moves, nodes)
        self._thinking = self._thinker.submit(_think, *arguments)


def _after(name: str, words: list[str]) -> list[str]:
    """What stands behind a word of `go`, up to the next such word."""
    behind = words[words.index(name) + 1 :] if name in words else []
    return [*takewhile(lambda word: word not in _GO, behind)]


def _limit(words: list[str], turn: int) -> tuple[Limit, int | None]:
    """How long to think, and for how many nodes; without limit if nothing is said of it."""
    pairs = pairwise(words)
    given = {name: int(value) for name, value in pairs if value.lstrip("-").isdecimal()}
    depth = max(1, given["depth"]) if "depth" in given else None
    if "mate" in given:
        depth = max(1, 2 * given["mate"] - 1)
    seconds = given["movetime"] / 1000 if "movetime" in given else None
    left = given.get("btime" if turn else "wtime")
    if left is not None and seconds is None:
        more = given.get("binc" if turn else "winc", 0)
        share = left / (given.get("movestogo", _MOVES_LEFT) + 1) + 0.8 * more
        seconds = min(share, left / 2) / 1000
    if seconds is not None:
        seconds = max(0.01, seconds - min(_MARGIN, _SHARE * seconds))
    return Limit(depth, seconds), given.get("nodes")


def _think(
    given: Playing, limit: Limit, stop: Stop, endless: bool, moves: list[Term], nodes: int | None
) -> None:
    """Tells the best move, whatever happens."""
    move = "(none)"
    try:
        if not given.legal:
            return

        def tell(choice: Choice) -> None:
            nonlocal move
            move = given.code(choice.move)
            _say(_info(given, choice))

        move = given.code(choose(RuleAbilities(given), limit, stop, tell, moves, nodes).line[0])
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
    line = " ".join(map(given.code, choice.line))
    spent = round(1000 * choice.seconds)
    return f"info depth {choice.depth} score {score} nodes {choice.nodes} time {spent} pv {line}"


def _say(text: str) -> None:
    print(text, flush=True)
