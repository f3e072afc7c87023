"""A worker process: reads jobs as lines of JSON on standard input, answers on standard output.

A job is ``{"job": 1, "task": "advise", ...}``; it is answered by any number of lines with
``progress`` and one with ``result``, ``error`` or ``superseded``. ``{"cancel": 1}`` ends that job
if it still runs; ``{"enough": 1}`` does too, but with what is known by then as its result. A line
of a review's progress has ``proved`` beside it: by position bounds of moves. ``{"proved": {...}}``
hands in all that is remembered of these, which then serves advice. The end of the input ends the
process, whatever it is at. Its argument says how nice it is to others.
"""

import json
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, TextIO

import advisor
from advisor import registry
from advisor.errors import AdvisorError, InputError, at
from advisor.web import exporting, games, puzzles
from advisor.web.limits import MAX_DEPTH, MAX_MAKING, MAX_MEMORY, MAX_SECONDS, TOO_LARGE
from advisor.web.models import Json
from aspcircuits.child import listen
from aspcircuits.stopping import Stop

_LEAST = 0.001
"""Seconds for a board of a batch whose time is up."""

_UNREACHED = "not reached in time (allow more seconds, or send fewer positions)"
"""Said of the positions of a batch that is long past its time; those before have their results."""

_REVIEWS = 4
"""Reviews that a worker keeps for who exports one. Another worker grades anew, in the same way."""

Proved = dict[str, list[Any]]
"""By position the bounds of moves, each as a list of its code, lower and upper bound."""

PluginTask = Callable[[advisor.Position, Json, Stop], Json]
"""A task of a plugin: it gets a position, the request and what ends it, and returns the answer."""

_SLOW = 0.5
"""Seconds from which on it is told why machine code did not do the work."""


class _Job:
    """A job that waits or runs; what is public beside `do` are the tasks, by their names."""

    def __init__(
        self,
        asked: Json,
        kept: games.Kept,
        reviews: dict[str, advisor.Review],
        proved: Proved,
        write: Callable[[Json], None],
    ) -> None:
        self._asked = asked
        self._kept = kept
        self._reviews = reviews
        self._proved_before = proved
        self._write = write
        self.stop = Stop()
        self.enough = False  # once it is to stop: it ends with what is known
        self._proved: Json = {}  # of what was told last

    def do(self) -> None:
        """Does it, and answers."""
        answer: Json
        try:
            answer = {"result": self._find()()}
            self._check()
        except KeyboardInterrupt:
            early = {"error": "ended before there was a result", "code": "interrupted"}
            answer = early if self.enough else {"superseded": True}
        except AdvisorError as error:
            answer = {"error": games.told(error), "code": error.code}
        except MemoryError:
            answer = {"error": TOO_LARGE, "code": "too_large"}
        except Exception:  # a bug: it is logged, the request fails, the worker lives on
            traceback.print_exc()
            answer = {"error": None}
        self._write({"job": self._asked["job"], **answer})

    def _find(self) -> Callable[[], Json]:
        """Find what does the task: here, or in a plugin."""
        name = self._asked["task"]
        if hasattr(self, name):
            found: Callable[[], Json] = getattr(self, name)
            return found
        place = registry.find("tasks", name)
        assert place is not None, "an endpoint names its task"
        task: PluginTask = registry.load(place)
        return lambda: task(self._given(), self._asked, self.stop)

    def _check(self) -> None:
        """Ends a job that was to stop: half of an answer is for those only who said enough."""
        if not self.enough:
            self.stop.check()

    def _progress(self, told: Json, **beside: Json) -> None:
        """Tells how far it has come."""
        self._write({"job": self._asked["job"], "progress": told, **beside})

    def _proved_more(self, known: advisor.Certain, told: Callable[[], Json]) -> None:
        """The same where more is proved than before."""
        if (proved := known.to_json()) != self._proved:
            self._proved = proved
            self._progress(told())

    def _game(self, weighed: bool = True) -> advisor.Game:
        """The game, with its weights or by its rules alone."""
        weights = self._asked["weights"] if weighed else None
        return self._kept.loaded(self._asked, self.stop, weights)

    def _given(self, weighed: bool = True) -> advisor.Position:
        """The position, of its game."""
        asked = self._asked
        return games.position(self._game(weighed), asked["board"], asked["moves"], asked["key"])

    def position(self) -> Json:
        """How to draw a position, and what can be played."""
        return self._given(weighed=False).to_json()

    def setup(self) -> Json:
        """A position with other things on some squares."""
        given, turn = self._given(weighed=False), self._asked["turn"]
        squares = {(x, y): symbol for x, y, symbol in self._asked["squares"]}
        if squares or turn is not None:
            given = given.put(squares, turn)
        return {**given.to_json(), "symbols": given.symbols}

    def why(self) -> Json:
        """Why an atom, a strategy or a feature holds in a position, or why not."""
        asked, given = self._asked, self._given()
        if asked["strategy"] is not None:
            told = advisor.why_fires(given, asked["strategy"], asked["move"], stop=self.stop)
        elif asked["feature"] is not None:
            told = advisor.why_feature(given, asked["feature"], stop=self.stop)
        else:
            told = advisor.why(given, asked["atom"], stop=self.stop)
        return told.to_json()

    def threats(self) -> Json:
        """What the opponent threatens."""
        return advisor.threats(self._given(), stop=self.stop).to_json()

    def advise(self) -> Json:
        """Advice by all that is known; a level is for what an opponent chooses among."""
        asked, given = self._asked, self._given()
        if given.over and asked["old"]:
            raise InputError("moves: the game is over")
        depth, seconds = asked["depth"], asked["time"]
        level = asked["level"] if depth is None else None
        engine = self._engine if level is None else None
        if engine is not None:
            seconds = seconds or (None if depth is None else MAX_SECONDS)
        elif depth is level is seconds is None and given.game.weights.depth is not None:
            depth = min(given.game.weights.depth, MAX_DEPTH)
        if engine is None and (depth is not None or level is not None):
            seconds = seconds or MAX_SECONDS

        def tell(so_far: advisor.Advice) -> None:
            if so_far.certain is None:
                self._progress(_so_far(so_far))
            else:
                self._proved_more(so_far.certain, lambda: _told(so_far, asked["explain"]))

        found = advisor.suggest(
            given,
            depth=depth,
            level=level,
            seconds=seconds,
            exact=None if engine else asked["exact"] or None,
            engine=engine,
            seed=None,
            go_on=True,
            # A level of an opponent does not rise by a review.
            known=None if level is not None or engine else self._known(given),
            stop=self.stop,
            on_iteration=tell,
        )
        self._check()
        view = _told(found, asked["explain"])
        if asked["level"] is not None and found.chosen:
            say = found.phrasing
            codes = {say.played(each.move): say.code(each.move) for each in found.moves}
            view["choices"] = [codes[move] for move in advisor.choices(found, asked["level"])]
        if asked["old"]:
            view["reasons"] = [*chain.from_iterable(advisor.explained(found)["explanation"])]
        return view

    def exact(self) -> Json:
        """The exact score of every move; its solver serves the next position too."""
        with at(self._asked["key"]):
            found = advisor.certain(
                self._given(),
                seconds=self._asked["seconds"],
                stop=self.stop,
                on_progress=lambda known: self._proved_more(known, known.to_json),
            )
        return found.to_json()

    def batch(self) -> Json:
        """Advice on one position after the other; those to come share the time that is left."""
        # What compiling takes is not the positions' time.
        game, boards, depth = self._game(), self._asked["boards"], self._asked["depth"]
        in_time = self.stop.within(self._asked["seconds"])
        late = self.stop.within(self._asked["seconds"] + MAX_MAKING / 2)
        if depth is None and not self._engine:
            depth = min(game.weights.depth or MAX_DEPTH, MAX_DEPTH)
        engine, stop = self._engine, self.stop
        ask = partial(advisor.suggest, depth=depth, engine=engine, traced=False, stop=stop)
        results = []
        for number, board in enumerate(boards):
            self.stop.check()
            share = in_time.seconds_left / (len(boards) - number)
            found = {"position": board.strip(), "error": _UNREACHED, "code": "too_late"}
            if late.seconds_left > 0:
                found = advisor.analysed(game, board, partial(ask, seconds=max(share, _LEAST)))
            results.append(found)
            self._progress(found)
        return {"results": results}

    def review(self) -> Json:
        """Every move of a game graded."""
        return self._reviewed(self._given()).to_json()

    def _reviewed(self, given: advisor.Position) -> advisor.Review:
        if not given.played:
            raise InputError("moves: none to review (give a game by its moves)")

        def tell(move: advisor.Reviewed) -> None:
            bounds = [[code, *known] for code, known in move.known.items()]
            self._progress(move.to_json(), proved={self._place(given, move.ply - 1): bounds})

        found = advisor.review(
            given,
            depth=self._asked.get("depth"),
            engine=self._engine,
            stop=self.stop.within_work(self._asked["seconds"]),
            on_move=tell,
        )
        self._reviews.pop(self._game_played, None)
        self._reviews[self._game_played] = found
        if len(self._reviews) > _REVIEWS:
            del self._reviews[next(iter(self._reviews))]
        return found

    @property
    def _engine(self) -> str | None:
        """The program that decides in the game; None for our own look-ahead."""
        engine: str | None = self._asked.get("engine")
        return engine

    def _known(self, given: advisor.Position) -> dict[int | str, tuple[int, int]]:
        """Bounds that a review has proved of the moves of a position."""
        rows = self._proved_before.get(self._place(given, len(given.played)), ())
        return {code: (lower, upper) for code, lower, upper in rows}

    def _place(self, given: advisor.Position, plies: int) -> str:
        """What tells the position after the first plies of a game from all others."""
        begun = given.back(len(given.played)).text
        asked = self._asked
        return json.dumps([asked["game"], asked.get("edition"), begun, given.played[:plies]])

    @property
    def _game_played(self) -> str:
        """What tells a game from others that are reviewed."""
        names = "game", "edition", "weights", "board", "moves", "depth"
        return json.dumps([self._asked.get(name) for name in names])

    def export(self) -> Json:
        """A game, with its review, or a puzzle as a page of its own."""
        asked, given = self._asked, self._given()
        title, answers = asked["title"] or given.game.name, asked["answers"]
        if answers:
            return {"html": exporting.puzzle(given, title, asked["question"], answers, self.stop)}
        review = None
        if asked["review"]:
            review = self._reviews.get(self._game_played) or self._reviewed(given)
        return {"html": exporting.game(given, title, review, asked["ply"])}

    def book(self) -> Json:
        """All puzzles of a game, as they are listed."""
        return {"puzzles": [puzzles.view(self._posed(name)) for name in self._asked["ids"]]}

    def puzzle(self) -> Json:
        """A puzzle with its solution."""
        posed = self._posed(self._asked["puzzle"])
        return {**puzzles.view(posed), "solution": posed.solution, "source": posed.source}

    def attempt(self) -> Json:
        """How a try at a puzzle stands, or a hint."""
        asked, posed = self._asked, self._posed(self._asked["puzzle"])
        in_time = self.stop.within(asked["seconds"])
        return puzzles.attempt(posed, asked["moves"], in_time, asked["step"])

    def _posed(self, name: str) -> advisor.Puzzle:
        return advisor.puzzle(name, game=self._game(weighed=False))


class _Worker:
    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._jobs: dict[int, _Job] = {}  # those that wait or run, by their numbers
        self._games = games.Kept()
        self._reviews: dict[str, advisor.Review] = {}
        self._proved: Proved = {}

    def run(self, source: TextIO, nice: int) -> None:
        # Ctrl-C reaches the whole process group; here only the server ends things.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(AttributeError):  # on Windows
            os.nice(nice)
        with suppress(ImportError, ValueError, OSError):  # where there is no such limit
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        waiting: queue.Queue[int] = queue.Queue()
        listen(source, lambda line: self._receive(json.loads(line), waiting))
        # Compiles the standard board's circuit and touches everything that loads lazily.
        advisor.suggest(advisor.position(), depth=3, traced=False)
        self._write({"ready": True})
        threading.Thread(target=advisor.prepare, args=(True,), daemon=True).start()
        while True:
            number = waiting.get()
            self._jobs[number].do()
            del self._jobs[number]

    def _receive(self, message: Json, waiting: queue.Queue[int]) -> None:
        if "job" in message:
            kept = self._games, self._reviews, self._proved
            self._jobs[message["job"]] = _Job(message, *kept, self._write)
            waiting.put(message["job"])
            return
        if "proved" in message:
            self._proved.clear()
            self._proved.update(message["proved"])
            return
        (asked, number), *_ = message.items()
        if job := self._jobs.get(number):
            job.enough = job.enough or asked == "enough"
            job.stop.set()

    def _write(self, message: Json) -> None:
        self._output.write(json.dumps(message) + "\n")
        self._output.flush()


def _told(found: advisor.Advice, explain: bool) -> Json:
    """An advice as JSON, with sentences where they are asked for."""
    if not explain:
        return found.to_json()
    slowed = "" if found.machine_code or found.seconds < _SLOW else advisor.slowed_by()
    return {**advisor.explained(found), **({"slowed_by": slowed} if slowed else {})}


def _so_far(found: advisor.Advice) -> Json:
    """How far a look-ahead has come, with the scores so far."""
    say = found.phrasing
    return {
        "depth": found.depth,
        "best": [say.code(move) for move in found.chosen],
        **({} if found.chance is None else {"chance": round(found.chance, 3)}),
        "pv": [say.code(move) for move in found.variation],
        "scores": [
            {
                say.noun: say.code(move.move),
                "score": move.score.to_json(),
                "outcome": say.outcome(move.score),
            }
            for move in found.moves
        ],
    }


if __name__ == "__main__":
    _Worker(sys.stdout).run(sys.stdin, nice=int(sys.argv[1]))
