"""Chess and other games for programs that play against it, by the Universal Chess Interface."""

import re
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from itertools import pairwise, takewhile

from advisor.advice.choice import choose
from advisor.errors import AdvisorError, InputError
from advisor.games import rooms
from advisor.games.game import Game, Position
from advisor.games.rule_position import RulePosition
from advisor.limits import LEVELS, MAX_DEPTH, Limit
from advisor.plugins.uci.thinking import GoCommand, Strength, think
from advisor.settings import reading
from advisor.settings.config import DEFAULT
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import POLL, Stop
from aspcircuits.texts import quoted

CHESS = "chess"
_MOVES_LEFT = 30
"""For so many moves the time on the clock is shared out, unless the other program says how many."""

_MARGIN, _SHARE = 0.05, 0.05
"""Seconds that a move may be late by, what the two programs need to talk, and the most that this
may be of the move's own time."""

_BOUNDS = {
    **dict.fromkeys(("wtime", "btime", "winc", "binc", "movetime"), (0, 10**10)),
    **dict.fromkeys(("movestogo", "nodes"), (1, 10**15)),
    **{"depth": (1, MAX_DEPTH), "mate": (1, MAX_DEPTH // 2)},
}
"""The words of `go` that a number follows, with the least and the most that it can mean."""

_READY_SECONDS = 3.0
"""To get ready before `readyok`; other programs wait for some 10 s. The first move waits for the
rest."""

_UNREADABLE_SECONDS = 1.0
"""To think for where no limit that `go` names has a number that can be read."""

_GO = {
    *("searchmoves", "ponder", "infinite"),
    *_BOUNDS,
}
"""All words that `go` may be followed by."""


_OPTIONS = {
    "multipv": ("MultiPV", range(1, 257), "lines"),
    "skill level": ("Skill Level", LEVELS, "level"),
    "threads": ("Threads", range(1, 65), "threads"),
}
"""Options that are numbers: their names, what they may be, and what they are of `Strength`."""

_HASH = 32
"""Megabytes of what a look-ahead remembers, which cannot be chosen."""


def serve(
    source: Iterable[str],
    weights: str = DEFAULT,
    game: str = CHESS,
    constants: Mapping[str, int] | None = None,
) -> None:
    """Obeys another program until it quits; answers are printed.

    >>> serve(["isready", "quit"])
    readyok

    Args:
        source: what the other program says, line by line.
        weights: a weights file of the game, or one of its presets.
        game, constants: see `advisor.load_game`; all three are checked at once.

    Raises:
        InputError, ConfigError: there are no such weights, or no such game.
    """
    reading.load(weights, rooms.home(game))  # which would be wrong only when a move is asked for
    engine = _Engine(game, weights, constants or {})
    try:
        for line in source:
            if not engine.obey(line.split()):
                break
        else:
            engine.wait()  # the end of the input ends nothing that will end by itself
    except KeyboardInterrupt:
        pass
    finally:
        engine.end()


class _Engine:
    """What the other program talks to; thinks in a thread of its own, always the same one, which
    remembers what it has seen."""

    def __init__(self, game: str, weights: str, constants: Mapping[str, int]) -> None:
        self._named = game, weights, constants
        self._strength = Strength()
        self._loading: Future[Game] | None = None
        self._warming: Future[None] | None = None
        self._quit = Stop()
        self._asked: tuple[str, list[str]] | None = None  # where the game began, and its moves
        self._given: Position | None = None  # where these led; None if they were refused
        self._thinker = ThreadPoolExecutor(1)
        self._thinking: Future[None] | None = None
        self._stop = Stop()
        self._held: _Held | None = None  # an answer that waits for `stop` or `ponderhit`

    def obey(self, words: list[str]) -> bool:
        """One line of the other program's; whether to go on. What is unknown is ignored."""
        command, *rest = words or [""]
        try:
            if command == "uci":
                _say(f"id name asp-advisor {version('asp-advisor')}")
                _say("id author the asp-advisor project")
                for name, allowed, key in _OPTIONS.values():
                    limits = f"min {allowed[0]} max {allowed[-1]}"
                    default = getattr(Strength(), key)
                    _say(f"option name {name} type spin default {default} {limits}")
                _say(f"option name Hash type spin default {_HASH} min {_HASH} max {_HASH}")
                _say("option name Ponder type check default false")
                _say("uciok")
            elif command == "isready":
                self._warm_up()
                _say("readyok")
            elif command in ("ucinewgame", "position", "go", "stop"):
                self.stop()
            elif command == "ponderhit" and self._held is not None:
                self._held.release(self._stop)
            if command == "setoption":
                self._strength = _with_option(self._strength, rest)
            elif command == "ucinewgame":
                self._asked = None
            elif command == "position":
                self._position(rest)
            elif command == "go":
                self._go(rest)
        except AdvisorError as error:
            _say(f"info string error: {error}")
            if command == "go":
                self._think(None, GoCommand(), rest)
        return command != "quit"

    def stop(self) -> None:
        """Ends the thinking, which tells its best move."""
        self._stop.set()
        self.wait()

    def wait(self) -> None:
        """Until the thinking has ended, which by itself it may not do."""
        if self._held is not None:
            self._stop.set()
        if self._thinking is not None:
            self._thinking.result()
            self._thinking = None

    def end(self) -> None:
        """Ends all work; a process waits for its threads."""
        self._quit.set()
        self.stop()

    @property
    def _game(self) -> Game:
        if self._loading is None:
            self._loading = self._thinker.submit(self._load)
        return self._loading.result()

    def _load(self) -> Game:
        return rooms.load(*self._named, stop=self._quit)

    def _warm_up(self) -> None:
        """Begin to make what the first move would otherwise take its time for.

        It goes on after `_READY_SECONDS`, in the thread that will think.
        """
        if self._loading is None:
            self._loading = self._thinker.submit(self._load)
        if self._warming is None:
            self._warming = self._thinker.submit(self._prepare)
            with suppress(TimeoutError):
                self._warming.result(_READY_SECONDS)

    def _prepare(self) -> None:
        game = self._game.position().abilities
        if not self._quit.is_set():
            choose(game, Limit(1), self._quit)
            # Making code would take the processor from the first answer.
            game.prepare()

    def _position(self, words: list[str]) -> None:
        """Takes a position; mostly it is the last one and what has been played since."""
        end = words.index("moves") if "moves" in words else len(words)
        begun, moves = " ".join(words[words[:1] == ["fen"] : end]), words[end + 1 :]
        given, (before, played) = self._given, self._asked or ("", [])
        self._asked, self._given = (begun, moves), None
        if given is None or begun != before or moves[: len(played)] != played:
            given, played = self._game.begin("" if begun == "startpos" else begun), []
        for word in moves[len(played) :]:
            given = given.after(_read(given, word))
        self._given = given

    def _go(self, words: list[str]) -> None:
        if self._asked is None:
            self._position(["startpos"])
        if self._given is None:
            raise InputError("no position (the last one was refused)")
        limit, nodes = _limit(words, self._given.side)
        moves = [_read(self._given, word) for word in _after("searchmoves", words)]
        self._think(self._given, GoCommand(limit, moves, nodes), words)

    def _think(self, given: Position | None, asked: GoCommand, words: list[str]) -> None:
        """Start thinking; None as the position has no move."""
        self._stop = Stop()
        self._held = None
        limit = asked.limit
        if "ponder" in words:
            endless = limit == Limit() and asked.nodes is None
            self._held = _Held(True, 0 if endless else limit.seconds)
        elif "infinite" in words or not {*words} & {*_BOUNDS}:
            self._held = _Held(False)
        if self._held is not None:
            # The time of the move begins later, if at all.
            asked = replace(asked, limit=Limit(limit.depth))
        arguments = given, asked, self._strength, self._stop, self._held
        self._thinking = self._thinker.submit(_answer, *arguments)


class _Held:
    """Keeps an answer back until the other program wants it.

    Args:
        ponders: it also waits for `ponderhit`, not only for `stop`.
        seconds: to think on for after `ponderhit`; None for as long as the thinking lasts.
    """

    def __init__(self, ponders: bool, seconds: float | None = None) -> None:
        self._ponders = ponders
        self._seconds = seconds
        self._released = threading.Event()

    def release(self, stop: Stop) -> None:
        """The expected move was played: answer when the time is over, or the thinking is."""
        if not self._ponders:
            return
        self._released.set()
        if self._seconds is not None:
            timer = threading.Timer(self._seconds, stop.set)
            timer.daemon = True
            timer.start()

    def wait(self, stop: Stop) -> None:
        while not self._released.wait(POLL) and not stop.is_set():
            pass


def _read(given: Position, word: str) -> Term:
    """A move; who plays need not end the game when a position stands for the third time."""
    if isinstance(given, RulePosition) and given.repeated:
        return given.named(word)
    return given.read_typed(word)


def _after(name: str, words: list[str]) -> list[str]:
    """What stands behind a word of `go`, up to the next such word."""
    behind = words[words.index(name) + 1 :] if name in words else []
    return [*takewhile(lambda word: word not in _GO, behind)]


def _limit(words: list[str], turn: int) -> tuple[Limit, int | None]:
    """How long to think, and for how many nodes; without limit if nothing is said of it."""
    given = {name: n for name, value in pairwise(words) if (n := _number(name, value)) is not None}
    depth = given.get("depth")
    if "mate" in given:
        depth = min(depth or MAX_DEPTH, 2 * given["mate"] - 1)
    seconds = given["movetime"] / 1000 if "movetime" in given else None
    left = given.get("btime" if turn else "wtime")
    if left is not None and seconds is None:
        more = given.get("binc" if turn else "winc", 0)
        share = left / (given.get("movestogo", _MOVES_LEFT) + 1) + 0.8 * more
        seconds = min(share, left / 2) / 1000
    if depth is None and seconds is None and "nodes" not in given and {*words} & {*_BOUNDS}:
        seconds = _UNREADABLE_SECONDS
    if seconds is not None:
        seconds = max(0.01, seconds - min(_MARGIN, _SHARE * seconds))
    return Limit(depth, seconds), given.get("nodes")


def _number(name: str, value: str) -> int | None:
    """The number that a word begins with, within the bounds of its limit; None if there is none."""
    found = re.match(r"[+-]?[0-9]+", value)
    if name not in _BOUNDS or found is None:
        return None
    least, most = _BOUNDS[name]
    return max(least, min(most, int(found[0][:20])))


def _with_option(strength: Strength, words: list[str]) -> Strength:
    """The strength with an option that `setoption` names; what is unknown is ignored."""
    value = words.index("value") if "value" in words else len(words)
    name, given = " ".join(words[1:value]).lower(), words[value + 1 : value + 2]
    if name not in _OPTIONS or not given:
        return strength
    title, allowed, key = _OPTIONS[name]
    if not (given[0].isascii() and given[0].isdigit()) or int(given[0][:20]) not in allowed:
        limits = f"{allowed[0]} to {allowed[-1]}"
        raise InputError(f"{title}: {quoted(given[0])} is out of range (use {limits})")
    return replace(strength, **{key: int(given[0])})


def _answer(
    given: Position | None, asked: GoCommand, strength: Strength, stop: Stop, held: _Held | None
) -> None:
    """Tells the best move, whatever happens."""
    move = "(none)"
    try:
        if given is not None and given.names:
            position = given
            move = position.code_of(next(iter(position.names)))

            def tell(best: Term, line: str) -> None:
                nonlocal move
                move = position.code_of(best)
                _say(line)

            move = position.code_of(think(position, asked, strength, stop, tell))
        if held is not None:
            held.wait(stop)
    except AdvisorError as error:
        _say(f"info string error: {error}")
    except KeyboardInterrupt:
        pass  # it was to stop before anything was known
    finally:
        _say(f"bestmove {move}")


def _say(text: str) -> None:
    print(f"{text}\n", end="", flush=True)  # at once, since the thread that thinks writes too
