"""A worker process: reads jobs as lines of JSON from standard input, answers on standard output.

- ``{"job": 1, "task": "advise", ...}`` is a job. Its answers are any number of lines with
  ``progress`` or ``note`` and one with ``result``, ``error`` or ``superseded``.
- ``{"cancel": 1}`` ends that job if it still runs.
- ``{"enough": 1}`` ends it too, but with what is known so far as its result.
- A line of a review's progress also has ``proved``: bounds of moves by position.
- ``{"proved": {...}}`` replaces the bounds that the worker remembers and uses for advice.

The end of the input ends the process, even amid a job. Its argument is its niceness.
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
from typing import Any, TextIO

import advisor
from advisor import registry
from advisor.errors import AdvisorError, InputError, at
from advisor.web import exporting, games, puzzles
from advisor.web.limits import MAX_DEPTH, MAX_MAKING, MAX_MEMORY, MAX_SECONDS, TOO_LARGE
from advisor.web.models import Json
from aspcircuits.child import listen
from aspcircuits.stopping import Stop
from aspcircuits.watching import SlowGrounding, tell_slow_groundings

_LEAST = 0.001
"""Seconds for a board of a batch whose time is up."""

_UNREACHED = "not reached in time (allow more seconds, or send fewer positions)"
"""The error for positions of a batch that is long past its time; earlier ones have results."""

_REVIEWS = 4
"""Reviews that a worker keeps for exports. Another worker grades again, with the same result."""

Proved = dict[str, list[Any]]
"""Bounds of moves by position, each a list of the move's code, lower and upper bound."""

PluginTask = Callable[[advisor.Position, Json, Stop], Json]
"""A plugin's task: it takes a position, the request and a stop, and returns the answer."""

_SLOW = 0.5
"""Seconds after which an advice says why machine code did not do the work."""


class _Job:
    """A job that waits or runs; its public methods besides `do` are the tasks, by name."""

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
        self.enough = False  # whether a stop ends the job with its results so far
        self._proved: Json = {}  # the bounds last reported

    def do(self) -> None:
        """Do the job, and write the answer."""
        answer: Json
        try:
            with tell_slow_groundings(self._note):
                answer = {"result": self._find()()}
            self._check()
        except KeyboardInterrupt:
            early = {"error": "ended before there was a result", "code": "interrupted"}
            answer = early if self.enough else {"superseded": True}
        except AdvisorError as error:
            answer = {"error": games.error_text(error), "code": error.code}
        except MemoryError:
            answer = {"error": TOO_LARGE, "code": "too_large"}
        except Exception:  # a bug: log it and fail the request, but keep the worker
            traceback.print_exc()
            answer = {"error": None}
        self._write({"job": self._asked["job"], **answer})

    def _find(self) -> Callable[[], Json]:
        """Find the function for the task: here, or in a plugin."""
        name = self._asked["task"]
        if hasattr(self, name):
            found: Callable[[], Json] = getattr(self, name)
            return found
        place = registry.find("tasks", name)
        assert place is not None, "an endpoint names its task"
        task: PluginTask = registry.load(place)
        return lambda: task(self._given(), self._asked, self.stop)

    def _check(self) -> None:
        """End a job that was stopped, unless its client wants the results so far."""
        if not self.enough:
            self.stop.check()

    def _progress(self, told: Json, **beside: Json) -> None:
        """Report progress."""
        self._write({"job": self._asked["job"], "progress": told, **beside})

    def _note(self, slow: SlowGrounding) -> None:
        """Report that a game takes long to ground."""
        self._write({"job": self._asked["job"], "note": games.hide_paths(str(slow))})

    def _proved_more(self, known: advisor.Certain, told: Callable[[], Json]) -> None:
        """Report progress if more is proved than at the last report."""
        if (proved := known.to_json()) != self._proved:
            self._proved = proved
            self._progress(told())

    def _game(self, weighed: bool = True) -> advisor.Game:
        """Load the game, with its weights or by its rules alone."""
        weights = self._asked["weights"] if weighed else None
        return self._kept.load_game(self._asked, self.stop, weights)

    def _given(self, weighed: bool = True) -> advisor.Position:
        """Load the position of the request."""
        asked = self._asked
        return games.position(self._game(weighed), asked["board"], asked["moves"])

    def position(self) -> Json:
        """Describe a position: how to draw it, and its legal moves."""
        return self._given(weighed=False).to_json()

    def setup(self) -> Json:
        """Change some squares of a position."""
        given, turn = self._given(weighed=False), self._asked["turn"]
        squares = {(x, y): symbol for x, y, symbol in self._asked["squares"]}
        if squares or turn is not None:
            given = given.put(squares, turn)
        return {**given.to_json(), "symbols": given.symbols}

    def tree(self) -> Json:
        """Read a game with its variations and comments."""
        return games.tree(self._game(weighed=False), self._asked["board"]).to_json()

    def record(self) -> Json:
        """Write a game with its variations and comments."""
        asked = self._asked
        begun = games.position(self._game(weighed=False), asked["board"], ())
        with at("moves"):
            grown = begun.grow(asked["moves"], asked["remarks"], asked["result"])
        return {"text": grown.record, "names": grown.names}

    def why(self) -> Json:
        """Explain why an atom, a strategy or a feature holds in a position, or why not."""
        asked, given = self._asked, self._given()
        if asked["strategy"] is not None:
            told = advisor.why_fires(given, asked["strategy"], asked["move"], stop=self.stop)
        elif asked["feature"] is not None:
            told = advisor.why_feature(given, asked["feature"], stop=self.stop)
        else:
            told = advisor.why(given, asked["atom"], stop=self.stop)
        return told.to_json()

    def threats(self) -> Json:
        """Find the opponent's threats."""
        return advisor.threats(
            self._given(), language=self._asked["language"], stop=self.stop
        ).to_json()

    def draw(self) -> Json:
        """Draw the position."""
        return {"svg": self._given().svg()}

    def advise(self) -> Json:
        """Give advice; with a level, also list the moves among which such an opponent chooses."""
        asked, given = self._asked, self._given()
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
                self._proved_more(so_far.certain, lambda: _advice_json(so_far, asked))

        found = advisor.suggest(
            given,
            depth=depth,
            level=level,
            seconds=seconds,
            exact=None if engine else asked["exact"] or None,
            engine=engine,
            seed=None,
            go_on=True,
            # A review does not raise the level of an opponent.
            known=None if level is not None or engine else self._known_bounds(given),
            stop=self.stop,
            on_iteration=tell,
        )
        self._check()
        view = _advice_json(found, asked)
        if asked["level"] is not None and found.chosen:
            say = found.phrasing
            codes = {say.play_name(each.move): say.code(each.move) for each in found.moves}
            view["choices"] = [codes[move] for move in advisor.choices(found, asked["level"])]
        return view

    def exact(self) -> Json:
        """Find the exact score of every move; the solver is kept for the next position."""
        with at("board"):
            found = advisor.certain(
                self._given(),
                seconds=self._asked["seconds"],
                stop=self.stop,
                on_progress=lambda known: self._proved_more(known, known.to_json),
            )
        return found.to_json()

    def batch(self) -> Json:
        """Advise on each position in turn; the remaining positions share the remaining time."""
        # Compiling does not count against the time of the positions.
        game, boards, depth = self._game(), self._asked["boards"], self._asked["depth"]
        in_time = self.stop.with_limit(self._asked["seconds"])
        late = self.stop.with_limit(self._asked["seconds"] + MAX_MAKING / 2)
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
        """Grade every move of a game."""
        return self._review_game(self._given()).to_json()

    def _review_game(self, given: advisor.Position) -> advisor.Review:
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
        """The engine that decides in the game; None for our own look-ahead."""
        engine: str | None = self._asked.get("engine")
        return engine

    def _known_bounds(self, given: advisor.Position) -> dict[int | str, tuple[int, int]]:
        """Return the bounds of a position's moves that reviews have proved."""
        rows = self._proved_before.get(self._place(given, len(given.played)), ())
        return {code: (lower, upper) for code, lower, upper in rows}

    def _place(self, given: advisor.Position, plies: int) -> str:
        """Return a key for the position after the first plies of a game."""
        begun = given.back(len(given.played)).text
        asked = self._asked
        return json.dumps([asked["game"], asked.get("edition"), begun, given.played[:plies]])

    @property
    def _game_played(self) -> str:
        """A key for the game and the settings of its review."""
        names = "game", "edition", "weights", "board", "moves", "depth"
        return json.dumps([self._asked.get(name) for name in names])

    def export(self) -> Json:
        """Write a game, perhaps with its review, or a puzzle as a standalone page."""
        asked, given = self._asked, self._given()
        title, answers = asked["title"] or given.game.name, asked["answers"]
        if answers:
            return {"html": exporting.puzzle(given, title, asked["question"], answers, self.stop)}
        review = None
        if asked["review"]:
            review = self._reviews.get(self._game_played) or self._review_game(given)
        return {"html": exporting.game(given, title, review, asked["ply"])}

    def book(self) -> Json:
        """List all puzzles of a game."""
        return {"puzzles": [puzzles.view(self._load_puzzle(name)) for name in self._asked["ids"]]}

    def puzzle(self) -> Json:
        """Show a puzzle with its solution."""
        posed = self._load_puzzle(self._asked["puzzle"])
        return {**puzzles.view(posed), "solution": posed.solution, "source": posed.source}

    def attempt(self) -> Json:
        """Judge an attempt at a puzzle, or give a hint."""
        asked, posed = self._asked, self._load_puzzle(self._asked["puzzle"])
        in_time = self.stop.with_limit(asked["seconds"])
        return puzzles.attempt(posed, asked["moves"], in_time, asked["step"])

    def _load_puzzle(self, name: str) -> advisor.Puzzle:
        return advisor.puzzle(name, game=self._game(weighed=False))


class _Worker:
    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._jobs: dict[int, _Job] = {}  # waiting and running jobs, by number
        self._games = games.Kept()
        self._reviews: dict[str, advisor.Review] = {}
        self._proved: Proved = {}

    def run(self, source: TextIO, nice: int) -> None:
        # Ctrl-C reaches the whole process group, but only the server ends its workers.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(AttributeError):  # on Windows
            os.nice(nice)
        with suppress(ImportError, ValueError, OSError):  # on systems without such a limit
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        waiting: queue.Queue[int] = queue.Queue()
        listen(source, lambda line: self._receive(json.loads(line), waiting))
        # Compile the standard board's circuit and load all modules that load lazily.
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


def _advice_json(found: advisor.Advice, asked: Json) -> Json:
    """Write an advice as JSON, with sentences if the request asks for them."""
    if not asked["explain"]:
        return found.to_json()
    slowed = "" if found.machine_code or found.seconds < _SLOW else advisor.slowed_by()
    return {
        **advisor.explained(found, asked["language"]),
        **({"slowed_by": slowed} if slowed else {}),
    }


def _so_far(found: advisor.Advice) -> Json:
    """Write the progress of a look-ahead as JSON: its depth, best moves and scores so far."""
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
