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
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from typing import Any, TextIO

import advisor
from advisor.advice import looking_back, proved
from advisor.advice.advice import Advice
from advisor.advice.advise import Advisor
from advisor.advice.explain import paragraphs
from advisor.advice.levels import near_best
from advisor.child import listen
from advisor.errors import AdvisorError, InputError
from advisor.games import rooms
from advisor.games.connect4.abilities import score_of
from advisor.games.playing import Playing
from advisor.lab import quiz
from advisor.lab.analyse import advise_line
from advisor.lab.replay import look_for_defence
from advisor.limits import Limit, Stop
from advisor.settings import config, grading, reading
from advisor.web import boards, games, requests, views
from advisor.web.limits import MAX_DEPTH, MAX_MEMORY, MAX_SECONDS
from advisor.web.models import BoardRequest

Json = dict[str, Any]


class _Worker:
    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._stops: dict[int, Stop] = {}  # of the jobs that wait or run, by their numbers
        self._enough: set[int] = set()  # those of them that end with what is known
        self._games = games.Kept()
        self._weights = config.DEFAULT
        self._advisor = Advisor(reading.load())

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
        self._advisor.advise(boards.position(requests.read(BoardRequest, b"{}")), Limit(depth=3))

    def _tell(self, job: Json) -> Callable[[Advice], None]:
        """What tells how far a job has come."""
        return lambda found: self._write({"job": job["job"], "progress": views.progress(found)})

    def _advisor_by(self, weights: str) -> Advisor:
        """One is kept, which somebody who plays or analyses will ask again."""
        if weights != self._weights:
            self._advisor = Advisor(requests.settings(weights))
            self._weights = weights
        return self._advisor

    def _advise(self, job: Json, stop: Stop) -> Json:
        """Advice by all that is known; a level is for what an opponent chooses among."""
        position, seconds = boards.unpack(job["position"]), job.get("exact", 0.0)
        found = self._advisor_by(job["weights"]).advise(
            position,
            Limit(job["depth"], job["seconds"] - seconds),
            traced=True,
            stop=stop,
            on_iteration=self._tell(job),
        )
        self._check(job, stop)
        view = views.advice(found, job["explain"])
        if seconds and found.best:
            view = self._certain(job, found, stop)
        if job["level"] is not None and found.best:
            view["choices"] = near_best(found, job["level"])
        return view

    def _certain(self, job: Json, advice: Advice, stop: Stop) -> Json:
        """The advice with what a search to the end of the game proves, told as it grows."""

        def view(found: Advice, exact: Json) -> Json:
            return {**views.advice(found, job["explain"]), "exact": exact}

        def tell(found: Advice, exact: Json) -> None:
            self._write({"job": job["job"], "progress": view(found, exact)})

        return view(*boards.certain(advice, job["exact"], stop, tell))

    def _exact(self, job: Json, stop: Stop) -> Json:
        """The exact score of every move; its solver serves the next position too."""
        position = boards.unpack(job["position"])
        solver = self._advisor.knows.solver(position.geometry)

        def tell(found: Json) -> None:
            self._write({"job": job["job"], "progress": found})

        return boards.exact_scores(position, solver, stop.within(job["seconds"]), tell)

    def _prove(self, job: Json, stop: Stop) -> Json:
        """That a player holds or wins."""
        position = boards.unpack(job["position"])
        try:
            found = advisor.prove(
                boards.public(position),
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
        return boards.proof(found)

    def _batch(self, job: Json, stop: Stop) -> Json:
        """Advice on one position after the other; those to come share the time that is left."""
        by = self._advisor_by(job["weights"])
        read = boards.reader(*job["size"])
        in_time = stop.within(job["seconds"])
        depth = job["depth"]
        if depth is None:
            depth = min(by.config.depth or MAX_DEPTH, MAX_DEPTH)
        results = []
        for number, board in enumerate(job["boards"]):
            stop.check()
            share = in_time.seconds_left / (len(job["boards"]) - number)
            limit = Limit(depth, share)
            found = advise_line(by, read, limit, None, board, stop)
            results.append({"position": board, **found})
            self._write({"job": job["job"], "progress": results[-1]})
        return {"results": results}

    def _review(self, job: Json, stop: Stop) -> Json:
        """Every move of a game graded."""
        start, moves = boards.unpack(job["position"]), tuple(job["moves"])
        by = self._advisor_by(job["weights"])
        begun = rooms.of_board(start, by.knows)
        usual = by.knows.settings(start.geometry).depth or 1
        asked = grading.load(), stop, job["depth"], job["seconds"], usual
        found = []
        for move in looking_back.review(begun, moves, *asked):
            found.append(move)
            self._write({"job": job["job"], "progress": move.to_json()})
        return boards.review_view(begun, moves, found)

    def _defend(self, job: Json, stop: Stop) -> Json:
        """The longest defence in a puzzle, and whether the win is still in reach."""
        moves_left = job["moves_left"]
        position = boards.unpack(job["position"])
        game = rooms.of_board(position, self._advisor_by(config.DEFAULT).knows)
        found = look_for_defence(game, moves_left, stop.within(job["seconds"]))
        score = score_of(found.value, found.exhaustive)
        won = score.kind == "loss" and (score.moves or 0) <= moves_left
        told = boards.refutation(game, quiz.told(found.variation, found.value))
        return {"reply": found.best[0], "won": won, "told": told}

    def _hint(self, job: Json, stop: Stop) -> Json:
        """A step towards the solution of a puzzle."""
        position = boards.unpack(job["position"])
        game = rooms.of_board(position, self._advisor_by(config.DEFAULT).knows)
        attempt = quiz.Attempt(game, job["moves_left"], job["step"])
        return boards.hint(game, attempt.hint(stop))

    def _game(self, job: Json, stop: Stop) -> Json:
        """A state of a game that is given by its rules."""
        asked = _asked(job)
        given = self._position(job, self._games.loaded(asked, stop, weighed=False)).state
        assert isinstance(given, Playing)
        return games.view(given, self._games.squares(asked, given))

    def _game_advise(self, job: Json, stop: Stop) -> Json:
        """Advice on such a state."""
        given = self._position(job, self._games.loaded(_asked(job), stop))
        if given.over:
            raise InputError("moves: the game is over")
        found = advisor.suggest(
            given,
            depth=job["depth"],
            seconds=job["seconds"] - job["exact"],
            seed=None,
            go_on=True,
            stop=stop,
        )
        chosen = [] if job["level"] is None else near_best(found, job["level"])
        if job["exact"] and not stop.interrupted:
            found, _ = proved.exactly(found, job["exact"], stop)
        view = views.advice(found, job["explain"])
        if chosen:
            view["choices"] = [found.phrasing.code(move) for move in chosen]
        if job["explain"]:
            foreseen = [found.variation, found.first.expected.line if found.first.expected else ()]
            line, say = max(foreseen, key=len), found.phrasing
            view |= {"line": [*map(say.code, line)], "line_names": say.told(line)}
        return {**view, "reasons": [*chain.from_iterable(paragraphs(found))]}

    def _game_review(self, job: Json, stop: Stop) -> Json:
        """Every move of such a game graded."""
        given = self._position(job, self._games.loaded(_asked(job), stop))
        if not given.played:
            raise InputError("moves: none to review (give a game by its moves)")
        found = advisor.review(
            given,
            depth=job["depth"],
            seconds=job["seconds"],
            stop=stop,
            on_move=lambda move: self._write({"job": job["job"], "progress": move.to_json()}),
        )
        return found.to_json()

    @staticmethod
    def _position(job: Json, game: advisor.Game) -> advisor.Position:
        return games.position(game, job["start"], job["moves"])


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
    "game_advise": _Worker._game_advise,
    "game_review": _Worker._game_review,
}


def _bound_memory() -> None:
    """This process and those that it starts fail where they need more than `MAX_MEMORY`."""
    with suppress(ImportError, ValueError, OSError):  # where there are no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


if __name__ == "__main__":
    _Worker(sys.stdout).run(sys.stdin, nice=int(sys.argv[1]))
