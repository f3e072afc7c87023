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
from typing import Any, TextIO

import advisor
from advisor.advice import proved
from advisor.advice.advice import Advice
from advisor.advice.levels import near_best
from advisor.child import listen
from advisor.errors import AdvisorError, InputError
from advisor.games.abilities import Known
from advisor.games.connect4.room import BoardRoom
from advisor.games.playing import Playing
from advisor.lab import quiz
from advisor.lab.replay import look_for_defence
from advisor.limits import Stop
from advisor.settings import config
from advisor.web import boards, games, views
from advisor.web.limits import MAX_DEPTH, MAX_MEMORY, MAX_SECONDS

Json = dict[str, Any]


_LEAST = 0.001
"""Seconds for a board of a batch whose time is up."""


class _Worker:
    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._stops: dict[int, Stop] = {}  # of the jobs that wait or run, by their numbers
        self._enough: set[int] = set()  # those of them that end with what is known
        self._games = games.Kept()
        self._weights = config.DEFAULT
        self._boards = boards.room(config.DEFAULT)

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
        threading.Thread(target=boards.load_book, daemon=True).start()
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

    def _room(self, weights: str) -> BoardRoom:
        """One is kept, which somebody who plays or analyses will ask again."""
        if weights != self._weights:
            self._weights, self._boards = weights, boards.room(weights)
        return self._boards

    def _given(self, job: Json, stop: Stop) -> advisor.Position:
        """The position of a job, of any game."""
        if "position" in job:
            room = self._room(job.get("weights", config.DEFAULT))
            return boards.public(room, boards.unpack(job["position"]), job.get("moves", ()))
        game = self._games.loaded(_asked(job), stop)
        return games.position(game, job["start"], job["moves"])

    def _advise(self, job: Json, stop: Stop) -> Json:
        """Advice by all that is known; a level is for what an opponent chooses among."""
        given, of_board = self._given(job, stop), "position" in job
        if given.over and not of_board:
            raise InputError("moves: the game is over")

        def tell(so_far: Advice) -> None:
            if of_board:
                self._progress(job, views.progress(so_far))

        found = advisor.suggest(
            given,
            depth=job["depth"],
            seconds=job["seconds"] - job.get("exact", 0.0),
            seed=None,
            go_on=True,
            stop=stop,
            on_iteration=tell,
        )
        self._check(job, stop)
        told, view = found, views.advice(found, job["explain"])
        if job.get("exact", 0.0) and found.chosen:
            told, view = self._certain(job, found, stop)
        if job["level"] is not None and found.chosen:
            near = near_best(found, job["level"])
            view["choices"] = [found.phrasing.code(move) for move in near]
        return view if of_board else {**view, **views.sentences(told, job["explain"])}

    def _certain(self, job: Json, advice: Advice, stop: Stop) -> tuple[Advice, Json]:
        """The advice with what a search to the end of the game proves, told as it grows."""
        last: Json = {}

        def view(found: Advice, exact: Json) -> Json:
            return {**views.advice(found, job["explain"]), "exact": exact}

        def tell(found: Advice, known: Known) -> None:
            nonlocal last
            if (exact := views.exact(advice.game, known)) != last:
                last = exact
                self._progress(job, view(found, exact))

        found, known = proved.exactly(advice, job.get("exact", 0.0), stop, on_progress=tell)
        return found, view(found, views.exact(advice.game, known))

    def _exact(self, job: Json, stop: Stop) -> Json:
        """The exact score of every move; its solver serves the next position too."""
        game, last = self._given(job, stop).abilities, Json()

        def tell(known: Known) -> None:
            nonlocal last
            if (exact := views.exact(game, known)) != last:
                last = exact
                self._progress(job, exact)

        return views.exact(game, game.certain(stop.within(job["seconds"]), tell))

    def _prove(self, job: Json, stop: Stop) -> Json:
        """That a player holds or wins."""
        try:
            found = advisor.prove(
                self._given(job, stop),
                player=job["player"],
                by=job["by"],
                seconds=job["seconds"],
                stop=stop.within(job["seconds"] + MAX_SECONDS),
            )
        except InputError as error:
            raise InputError(f"board: {error}") from None
        except KeyboardInterrupt:  # its time is up, unless somebody has ended it
            self._check(job, stop)
            found = None
        return views.proof(found)

    def _batch(self, job: Json, stop: Stop) -> Json:
        """Advice on one position after the other; those to come share the time that is left."""
        room = self._room(job["weights"])
        read = boards.reader(*job["size"])
        in_time = stop.within(job["seconds"])
        depth = job["depth"]
        if depth is None:
            depth = min(room.settings.depth or MAX_DEPTH, MAX_DEPTH)
        results = []
        for number, board in enumerate(job["boards"]):
            stop.check()
            share = in_time.seconds_left / (len(job["boards"]) - number)
            found = self._line(room, read, board, depth, max(share, _LEAST), stop)
            results.append({"position": board, **found})
            self._progress(job, results[-1])
        return {"results": results}

    @staticmethod
    def _line(
        room: BoardRoom, read: boards.Reader, board: str, depth: int, seconds: float, stop: Stop
    ) -> Json:
        """Advice on a board of a batch, or what is wrong with it."""
        try:
            given = boards.public(room, read(board))
        except InputError as error:
            return {"error": str(error)}
        found = advisor.suggest(given, depth=depth, seconds=seconds, traced=False, stop=stop)
        return found.to_json()

    def _review(self, job: Json, stop: Stop) -> Json:
        """Every move of a game graded."""
        given = self._given(job, stop)
        if not given.played:
            raise InputError("moves: none to review (give a game by its moves)")
        found = advisor.review(
            given,
            depth=job["depth"],
            seconds=job["seconds"],
            stop=stop,
            on_move=lambda move: self._progress(job, move.to_json()),
        )
        return found.to_json()

    def _defend(self, job: Json, stop: Stop) -> Json:
        """The longest defence in a puzzle, and whether the win is still in reach."""
        moves_left, game = job["moves_left"], self._given(job, stop).abilities
        found = look_for_defence(game, moves_left, stop.within(job["seconds"]))
        score = game.seen(found.value, found.exhaustive, found.variation)
        won = score.kind == "loss" and (score.moves or 0) <= moves_left
        told = boards.refutation(game, quiz.told(found.variation, found.value))
        return {"reply": found.best[0], "won": won, "told": told}

    def _hint(self, job: Json, stop: Stop) -> Json:
        """A step towards the solution of a puzzle."""
        game = self._given(job, stop).abilities
        attempt = quiz.Attempt(game, job["moves_left"], job["step"])
        return boards.hint(game, attempt.hint(stop))

    def _game(self, job: Json, stop: Stop) -> Json:
        """A state of a game that is given by its rules."""
        asked = _asked(job)
        game = self._games.loaded(asked, stop, weighed=False)
        given = games.position(game, job["start"], job["moves"]).state
        assert isinstance(given, Playing)
        return games.view(given, self._games.squares(asked, given))


def _asked(job: Json) -> games.Asked:
    """The game of a job."""
    game, *constants = job["game"]
    return game, *map(tuple, constants)


_TASKS = {
    "advise": _Worker._advise,
    "exact": _Worker._exact,
    "prove": _Worker._prove,
    "batch": _Worker._batch,
    "review": _Worker._review,
    "defend": _Worker._defend,
    "hint": _Worker._hint,
    "game": _Worker._game,
}


def _bound_memory() -> None:
    """This process and those that it starts fail where they need more than `MAX_MEMORY`."""
    with suppress(ImportError, ValueError, OSError):  # where there are no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


if __name__ == "__main__":
    _Worker(sys.stdout).run(sys.stdin, nice=int(sys.argv[1]))
