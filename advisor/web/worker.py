"""A worker process: reads jobs as lines of JSON on standard input, answers on standard output.

A job is ``{"job": 1, "task": "advise", ...}``; it is answered by any number of lines with
``progress`` and one with ``result``, ``error`` or ``cancelled``. ``{"cancel": 1}`` ends that job if
it still runs; ``{"enough": 1}`` does too, but with what is known by then as its result. The end of
the input ends the process, whatever it is at. Its argument says how nice it is to other processes.
"""

import json
import os
import queue
import signal
import sys
import threading
import traceback
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TextIO

import advisor
from advisor.child import listen
from advisor.errors import AdvisorError, InputError, at
from advisor.limits import Stop
from advisor.web import exporting, games, puzzles
from advisor.web.limits import MAX_DEPTH, MAX_MEMORY, MAX_SECONDS
from advisor.web.models import Json

_LEAST = 0.001
"""Seconds for a board of a batch whose time is up."""

_SLOW = 0.5
"""Seconds from which on it is told why machine code did not do the work."""


class _Worker:
    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._stops: dict[int, Stop] = {}  # of the jobs that wait or run, by their numbers
        self._enough: set[int] = set()  # those of them that end with what is known
        self._games = games.Kept()

    def run(self, source: TextIO, nice: int) -> None:
        # Ctrl-C reaches the whole process group; here only the server ends things.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if hasattr(os, "nice"):
            os.nice(nice)
        _bound_memory()
        jobs: queue.Queue[Json] = queue.Queue()
        listen(source, lambda line: self._receive(json.loads(line), jobs))
        self._warm()
        self._write({"ready": True})
        threading.Thread(target=advisor.prepare, args=(True,), daemon=True).start()
        while True:
            self._do(jobs.get())

    def _receive(self, message: Json, jobs: queue.Queue[Json]) -> None:
        if "job" in message:
            self._stops[message["job"]] = Stop()
            jobs.put(message)
            return
        (asked, number), *_ = message.items()
        if stop := self._stops.get(number):
            if asked == "enough":
                self._enough.add(number)
            stop.set()

    def _do(self, job: Json) -> None:
        number = job["job"]
        stop = self._stops[number]
        answer: Json
        try:
            answer = {"result": _TASKS[job["task"]](self, job, stop)}
            self._check(job, stop)
        except KeyboardInterrupt:
            early = {"error": "ended before there was a result"}
            answer = early if number in self._enough else {"cancelled": True}
        except AdvisorError as error:
            answer = {"error": str(error)}
        except MemoryError:
            answer = {"too_large": True}
        except Exception:  # a bug: it is logged, the request fails, the worker lives on
            traceback.print_exc()
            answer = {"error": None}
        del self._stops[number]
        self._enough.discard(number)
        self._write({"job": number, **answer})

    def _check(self, job: Json, stop: Stop) -> None:
        """Ends a job that was to stop: half of an answer is for those only who said enough."""
        if job["job"] not in self._enough:
            stop.check()

    def _write(self, message: Json) -> None:
        self._output.write(json.dumps(message) + "\n")
        self._output.flush()

    def _warm(self) -> None:
        """Compiles the standard board's circuit and touches everything that loads lazily."""
        advisor.suggest(advisor.position(), depth=3, traced=False)

    def _progress(self, job: Json, told: Json) -> None:
        """Tells how far a job has come."""
        self._write({"job": job["job"], "progress": told})

    def _game(self, job: Json, stop: Stop) -> advisor.Game:
        """The game of a job, with its weights."""
        return self._games.loaded(_asked(job), job.get("edition", 0), stop, job["weights"])

    def _rules(self, job: Json, stop: Stop) -> advisor.Game:
        """The same by its rules alone."""
        return self._games.loaded(_asked(job), job.get("edition", 0), stop, None)

    def _given(self, job: Json, stop: Stop) -> advisor.Position:
        """The position of a job, of any game."""
        return games.position(self._game(job, stop), job["board"], job["moves"], job["key"])

    def _position(self, job: Json, stop: Stop) -> Json:
        """How to draw a position, and what can be played."""
        return self._bare(job, stop).to_json()

    def _setup(self, job: Json, stop: Stop) -> Json:
        """A position with other things on some squares."""
        given = self._bare(job, stop)
        squares = {(x, y): symbol for x, y, symbol in job["squares"]}
        if squares or job["turn"] is not None:
            given = given.put(squares, job["turn"])
        return {**given.to_json(), "symbols": given.symbols}

    def _bare(self, job: Json, stop: Stop) -> advisor.Position:
        """The position of a job, of a game that has its rules alone."""
        return games.position(self._rules(job, stop), job["board"], job["moves"], job["key"])

    def _advise(self, job: Json, stop: Stop) -> Json:
        """Advice by all that is known; a level is for what an opponent chooses among."""
        given = self._given(job, stop)
        if given.over and job["old"]:
            raise InputError("moves: the game is over")
        depth, seconds = job["depth"], job["time"]
        if depth is None and seconds is None and given.game.weights.depth is not None:
            depth = min(given.game.weights.depth, MAX_DEPTH)
        last: Json = {}

        def tell(so_far: advisor.Advice) -> None:
            nonlocal last
            if so_far.certain is None:
                self._progress(job, _progress(so_far))
            elif (exact := so_far.certain.to_json()) != last:
                last = exact
                self._progress(job, _told(so_far, job))

        found = advisor.suggest(
            given,
            depth=depth,
            seconds=MAX_SECONDS if depth is not None and seconds is None else seconds,
            exact=job["exact"] or None,
            seed=None,
            go_on=True,
            stop=stop,
            on_iteration=tell,
        )
        self._check(job, stop)
        view = _told(found, job)
        if job["level"] is not None and found.chosen:
            say = found.phrasing
            codes = {say.played(each.move): say.code(each.move) for each in found.moves}
            view["choices"] = [codes[move] for move in advisor.choices(found, job["level"])]
        if job["old"]:
            view["reasons"] = [*chain.from_iterable(advisor.explained(found)["explanation"])]
        return view

    def _exact(self, job: Json, stop: Stop) -> Json:
        """The exact score of every move; its solver serves the next position too."""
        last = Json()

        def tell(known: advisor.Certain) -> None:
            nonlocal last
            if (exact := known.to_json()) != last:
                last = exact
                self._progress(job, exact)

        with at(job["key"]):
            found = advisor.certain(
                self._given(job, stop), seconds=job["seconds"], stop=stop, on_progress=tell
            )
        return found.to_json()

    def _prove(self, job: Json, stop: Stop) -> Json:
        """That a player holds or wins."""
        try:
            with at(job["key"]):
                found = advisor.prove(
                    self._given(job, stop),
                    player=job["player"],
                    by=job["by"],
                    seconds=job["seconds"],
                    stop=stop.within(job["seconds"] + MAX_SECONDS),
                )
        except KeyboardInterrupt:  # its time is up, unless somebody has ended it
            self._check(job, stop)
            found = None
        told, text = advisor.told(found)
        return {**told, "text": [] if found is None else text}

    def _batch(self, job: Json, stop: Stop) -> Json:
        """Advice on one position after the other; those to come share the time that is left."""
        game = self._game(job, stop)
        in_time, depth = stop.within(job["seconds"]), job["depth"]
        if depth is None:
            depth = min(game.weights.depth or MAX_DEPTH, MAX_DEPTH)
        results = []
        for number, board in enumerate(job["boards"]):
            stop.check()
            share = in_time.seconds_left / (len(job["boards"]) - number)
            ask = partial(advisor.suggest, depth=depth, seconds=max(share, _LEAST), traced=False)
            found = advisor.analysed(game, board, partial(ask, stop=stop))
            results.append({"position": board, **found})
            self._progress(job, results[-1])
        return {"results": results}

    def _review(self, job: Json, stop: Stop) -> Json:
        """Every move of a game graded."""
        return self._reviewed(job, self._given(job, stop), stop).to_json()

    def _reviewed(self, job: Json, given: advisor.Position, stop: Stop) -> advisor.Review:
        if not given.played:
            raise InputError("moves: none to review (give a game by its moves)")
        return advisor.review(
            given,
            depth=job.get("depth"),
            seconds=job["seconds"],
            stop=stop,
            on_move=lambda move: self._progress(job, move.to_json()),
        )

    def _export(self, job: Json, stop: Stop) -> Json:
        """A game, with its review, or a puzzle as a page of its own."""
        given = self._given(job, stop)
        title = job["title"] or given.game.name
        if job["answers"]:
            return {"html": exporting.puzzle(given, title, job["question"], job["answers"], stop)}
        review = self._reviewed(job, given, stop) if job["review"] else None
        return {"html": exporting.game(given, title, review)}

    def _book(self, job: Json, stop: Stop) -> Json:
        """All puzzles of a game, as they are listed."""
        return {"puzzles": [puzzles.view(self._posed(job, stop, name)) for name in job["ids"]]}

    def _puzzle(self, job: Json, stop: Stop) -> Json:
        """A puzzle with its solution."""
        return puzzles.solved(self._posed(job, stop, job["puzzle"]))

    def _try(self, job: Json, stop: Stop) -> Json:
        """How a try at a puzzle stands, or a hint."""
        posed = self._posed(job, stop, job["puzzle"])
        return puzzles.attempt(posed, job["moves"], stop.within(job["seconds"]), job["step"])

    def _posed(self, job: Json, stop: Stop, name: str) -> advisor.Puzzle:
        """A puzzle of a game, which is loaded once."""
        return advisor.puzzle(
            name, game=self._games.loaded(_asked(job), job.get("edition", 0), stop, None)
        )


def _asked(job: Json) -> games.GameAsked:
    """The game of a job."""
    game, *constants = job["game"]
    return game, *map(tuple, constants)


def _told(found: advisor.Advice, job: Json) -> Json:
    """An advice as JSON, with sentences where they are asked for."""
    if not job["explain"]:
        return found.to_json()
    slowed = "" if found.machine_code or found.seconds < _SLOW else advisor.slowed_by()
    return {**advisor.explained(found), **({"slowed_by": slowed} if slowed else {})}


def _progress(found: advisor.Advice) -> Json:
    """How far a look-ahead has come, with the scores so far."""
    say = found.phrasing
    return {
        "depth": found.depth,
        "best": [say.code(move) for move in found.chosen],
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


_TASKS = {
    "advise": _Worker._advise,
    "exact": _Worker._exact,
    "prove": _Worker._prove,
    "batch": _Worker._batch,
    "review": _Worker._review,
    "export": _Worker._export,
    "book": _Worker._book,
    "puzzle": _Worker._puzzle,
    "try": _Worker._try,
    "position": _Worker._position,
    "setup": _Worker._setup,
}


def _bound_memory() -> None:
    """This process and those that it starts fail where they need more than `MAX_MEMORY`."""
    with suppress(ImportError, ValueError, OSError):  # where there are no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


if __name__ == "__main__":
    _Worker(sys.stdout).run(sys.stdin, nice=int(sys.argv[1]))
