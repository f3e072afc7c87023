"""Serve chess and other games by UCI: read commands, print answers."""

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
from aspcircuits.texts import quote_text

CHESS = "chess"
_MOVES_LEFT = 30
"""Number of moves that share the time on the clock if `go` has no ``movestogo``."""

_MARGIN, _SHARE = 0.05, 0.05
"""Time kept back for delays between the programs: seconds, and the largest share of a move."""

_BOUNDS = {
    **dict.fromkeys(("wtime", "btime", "winc", "binc", "movetime"), (0, 10**10)),
    **dict.fromkeys(("movestogo", "nodes"), (1, 10**15)),
    **{"depth": (1, MAX_DEPTH), "mate": (1, MAX_DEPTH // 2)},
}
"""The words of `go` that a number follows, each with its least and greatest value."""

_READY_SECONDS = 3.0
"""Seconds of preparation before `readyok`, since other programs wait for about 10 s.

The first move waits for the rest of it.
"""

_UNREADABLE_SECONDS = 1.0
"""Seconds to think if `go` names limits but none of them has a readable number."""

_GO = {
    *("searchmoves", "ponder", "infinite"),
    *_BOUNDS,
}
"""All words that `go` knows."""


_OPTIONS = {
    "multipv": ("MultiPV", range(1, 257), "lines"),
    "skill level": ("Skill Level", LEVELS, "level"),
    "threads": ("Threads", range(1, 65), "threads"),
}
"""Numeric options: name, allowed values, and attribute of `Strength`."""

_HASH = 32
"""Size of the transposition table in megabytes, which cannot be changed."""


def serve(
    source: Iterable[str],
    weights: str = DEFAULT,
    game: str = CHESS,
    constants: Mapping[str, int] | None = None,
) -> None:
    """Obey another program until it quits; print the answers.

    >>> serve(["isready", "quit"])
    readyok

    Args:
        source: lines from the other program.
        weights: a weights file of the game, or one of its presets.
        game, constants: see `advisor.load_game`; all three are checked at once.

    Raises:
        InputError, ConfigError: there are no such weights, or no such game.
    """
    home = rooms.home(game)
    if weights != DEFAULT:
        reading.load(weights, home)  # fail now, not at the first move
    engine = _Engine(game, weights, constants or {})
    try:
        for line in source:
            if not engine.obey(line.split()):
                break
        else:
            engine.wait()  # the end of the input does not stop a search that ends by itself
    except KeyboardInterrupt:
        pass
    finally:
        engine.end()


class _Engine:
    """Obeys the commands of another program.

    It thinks in one thread, always the same one, which remembers earlier searches.
    """

    def __init__(self, game: str, weights: str, constants: Mapping[str, int]) -> None:
        self._named = game, weights, constants
        self._strength = Strength()
        self._loading: Future[Game] | None = None
        self._warming: Future[None] | None = None
        self._quit = Stop()
        self._asked: tuple[str, list[str]] | None = None  # the game's beginning and its moves
        self._given: Position | None = None  # the position after them; None if refused
        self._thinker = ThreadPoolExecutor(1)
        self._thinking: Future[None] | None = None
        self._stop = Stop()
        self._held: _Held | None = None  # holds the answer until `stop` or `ponderhit`

    def obey(self, words: list[str]) -> bool:
        """Obey one line; return whether to go on. Unknown commands are ignored."""
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
        """Stop thinking; the thread then prints its best move."""
        self._stop.set()
        self.wait()

    def wait(self) -> None:
        """Wait until thinking has ended; stop it if it would wait for a command."""
        if self._held is not None:
            self._stop.set()
        if self._thinking is not None:
            self._thinking.result()
            self._thinking = None

    def end(self) -> None:
        """End all work, since a process waits for its threads."""
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
        """Prepare the game so that the first move does not spend its time on that.

        After `_READY_SECONDS` the preparation goes on in the thread that will think.
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
            # Only now: compiling beside the first answer would slow it down.
            game.prepare()

    def _position(self, words: list[str]) -> None:
        """Set the position; usually it extends the last one by a few moves."""
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
        moves = [_read(self._given, word) for word in _words_after("searchmoves", words)]
        self._think(self._given, GoCommand(limit, moves, nodes), words)

    def _think(self, given: Position | None, asked: GoCommand, words: list[str]) -> None:
        """Start thinking about a position; None stands for a position without moves."""
        self._stop = Stop()
        self._held = None
        limit = asked.limit
        if "ponder" in words:
            endless = limit == Limit() and asked.nodes is None
            self._held = _Held(True, 0 if endless else limit.seconds)
        elif "infinite" in words or not {*words} & {*_BOUNDS}:
            self._held = _Held(False)
        if self._held is not None:
            # The time of the move begins with `ponderhit`, if at all.
            asked = replace(asked, limit=Limit(limit.depth))
        arguments = given, asked, self._strength, self._stop, self._held
        self._thinking = self._thinker.submit(_answer, *arguments)


class _Held:
    """Holds back an answer until the other program wants it.

    Args:
        ponders: whether `ponderhit` releases the answer, not only `stop`.
        seconds: time to think on after `ponderhit`; None if thinking has no time limit.
    """

    def __init__(self, ponders: bool, seconds: float | None = None) -> None:
        self._ponders = ponders
        self._seconds = seconds
        self._released = threading.Event()

    def release(self, stop: Stop) -> None:
        """Release the answer, since the expected move was played; it comes when thinking ends."""
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
    """Read a move, which may also follow a threefold repetition: a GUI need not end the game."""
    if isinstance(given, RulePosition) and given.is_repeated:
        return given.find_move(word)
    return given.read_typed(word)


def _words_after(name: str, words: list[str]) -> list[str]:
    """Return the words that follow a word of `go`, up to the next word that `go` knows."""
    behind = words[words.index(name) + 1 :] if name in words else []
    return [*takewhile(lambda word: word not in _GO, behind)]


def _limit(words: list[str], turn: int) -> tuple[Limit, int | None]:
    """Read the limits of `go`: depth and seconds, and number of nodes; None for each not given."""
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
    """Read the leading number of a word, clamped to its limit's bounds; None if it has none."""
    found = re.match(r"[+-]?[0-9]+", value)
    if name not in _BOUNDS or found is None:
        return None
    least, most = _BOUNDS[name]
    return max(least, min(most, int(found[0][:20])))


def _with_option(strength: Strength, words: list[str]) -> Strength:
    """Apply `setoption` to the strength; unknown options are ignored."""
    value = words.index("value") if "value" in words else len(words)
    name, given = " ".join(words[1:value]).lower(), words[value + 1 : value + 2]
    if name not in _OPTIONS or not given:
        return strength
    title, allowed, key = _OPTIONS[name]
    if not (given[0].isascii() and given[0].isdigit()) or int(given[0][:20]) not in allowed:
        limits = f"{allowed[0]} to {allowed[-1]}"
        raise InputError(f"{title}: {quote_text(given[0])} is out of range (use {limits})")
    return replace(strength, **{key: int(given[0])})


def _answer(
    given: Position | None, asked: GoCommand, strength: Strength, stop: Stop, held: _Held | None
) -> None:
    """Think and print the best move, even after an error."""
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
        pass  # stopped before a first result
    finally:
        _say(f"bestmove {move}")


def _say(text: str) -> None:
    print(f"{text}\n", end="", flush=True)  # in one piece, since two threads print
