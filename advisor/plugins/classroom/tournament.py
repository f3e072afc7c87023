"""A tournament of a class: its games, played side by side, and what the lost ones show."""

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.errors import InputError
from advisor.lab.arena.contest import Contest
from advisor.library import matches
from advisor.plugins.classroom import bounded, class_work
from advisor.plugins.classroom.class_work import PLIES
from advisor.web.models import Json

MAX_FAILURES = 2
"""Number of failures after which a strategy is left out and loses its other games."""

REVIEW_SECONDS = 2.0
"""Seconds to review a game that a member has lost."""

BESIDE = min(4, os.cpu_count() or 1)
"""Number of games at a time."""


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """What is played.

    Attributes:
        depth: plies of look-ahead.
        openings: number of openings from which a pair plays, with both colours.
        rounds: of the Swiss system; 0 for all against all.
    """

    depth: int = 2
    openings: int = 2
    rounds: int = 0


class ClassTournament:
    """A tournament in progress. One thread plays it, any other may look at it and stop it.

    Args:
        names: of the players.
        plan: what is played.
        game: a name or a folder.

    Raises:
        InputError: the game has not enough openings.
    """

    def __init__(self, names: list[str], plan: TournamentPlan, game: str) -> None:
        openings = matches.openings(plan.openings, PLIES, 1, game=game)
        self._contest = Contest(names, openings, plan.rounds or None)
        self._plan, self._game = plan, game
        self._failures: dict[str, list[str]] = {}
        self._faults: dict[str, list[Json]] = {}
        self._hall: class_work.Hall | None = None
        self._changed = threading.Condition()
        self._tasks: list[str] = []  # in their order
        self._open: list[tuple[str, str, str, str]] = []  # those that nobody has taken
        self._playing: set[str] = set()  # players of the games in progress
        self.stopped = False

    def play(self, folders: Mapping[str, Path]) -> None:
        """Play until all games are over and the lost ones reviewed, or until `stop`.

        Args:
            folders: of the strategies, by name; the advisor has none.
        """

        with class_work.Hall(folders, bounded.BOUNDS, self._game, self._plan.depth) as hall:
            with self._changed:
                self._hall = hall

            def play_some() -> None:
                try:
                    self._play_some(hall)
                except BaseException:
                    self.stop()  # the others would wait for this thread's result
                    raise

            self._in_threads(play_some)
        first_lost = iter([*self._first_lost_games(folders).items()])
        self._in_threads(lambda: self._review_some(first_lost))

    def stop(self) -> None:
        """End the tournament, even amid a move; the games so far are kept."""
        with self._changed:
            self.stopped = True
            if self._hall:
                self._hall.stop()
            self._changed.notify_all()

    @property
    def progress(self) -> tuple[int, int]:
        """The number of games that are over, and of all."""
        with self._changed:
            return self._contest.games_done, self._contest.total

    def results(self) -> Json:
        """Sum up the games so far."""
        with self._changed:
            done, standings = self._contest.results, self._contest.standings
            results = {task: done[task] for task in self._tasks if task in done}
            left_out, missing = self._left_out(), self._contest.total - self._contest.games_done
        games: list[Json] = []
        for task, pair in results.items():
            one, other, _ = json.loads(task)
            for game, first, second in zip(pair, (one, other), (other, one), strict=True):
                if "left_out" not in game:
                    points = game["points"] if first == one else 1 - game["points"]  # who began
                    games.append({**game, "first": first, "second": second, "points": points})
        return {
            "table": [
                {"place": s.place, "name": s.player, "errors": s.errors, **s.total.to_json()}
                for s in standings
            ],
            "games": games,
            "faults": dict(self._faults),
            "left_out": left_out,
            "not_played": missing if self.stopped else 0,
        }

    def _in_threads(self, work: Callable[[], None]) -> None:
        with ThreadPoolExecutor(BESIDE) as threads:
            for done in [threads.submit(work) for _ in range(BESIDE)]:
                done.result()

    def _play_some(self, hall: class_work.Hall) -> None:
        """Play one task after the other, until there are none or all are stopped."""
        while (task := self._take(hall)) is not None:
            one, other, opening = json.loads(task)
            with self._changed:
                out = {one, other} & self._left_out().keys()
            # A strategy that is left out loses its other games: all have the same number.
            if out:
                points = 0.5 if len(out) == 2 else float(other in out)
                pair: list[dict[str, Any]] = [
                    {"moves": "", "points": points, "left_out": sorted(out)} for _ in range(2)
                ]
            else:
                pair = matches.named_errors(one, other, hall.play(one, other, opening))
            with self._changed:
                if self.stopped:
                    return
                self._playing -= {one, other}
                self._contest.add(task, pair)
                for game in pair:
                    if "error" in game:
                        loser = other if game["points"] else one
                        self._failures.setdefault(loser, []).append(str(game["error"]))
                self._changed.notify_all()

    def _take(self, hall: class_work.Hall) -> str | None:
        """Take a task whose players are free; if there is none, wait for the results of others.

        Tasks of an opening come before those of the next one, and among them those whose players
        the hall has ready.
        """
        with self._changed:
            while not self.stopped:
                fresh = [*self._contest]
                self._tasks += fresh
                self._open += [(*json.loads(task), task) for task in fresh]
                free = [each for each in self._open if not self._playing & {each[0], each[1]}]
                if free:
                    ready, opening = hall.ready, free[0][2]
                    same = (each for each in free if each[2] == opening)
                    best = max(same, key=lambda each: len(ready & {each[0], each[1]}))
                    self._open.remove(best)
                    self._playing |= {best[0], best[1]}
                    return best[3]
                if len(self._tasks) == len(self._contest.results):
                    return None
                self._changed.wait()
        return None

    def _left_out(self) -> dict[str, str]:
        """The last error of each strategy that failed too often, by name."""
        failed = self._failures.items()
        return {name: errors[-1] for name, errors in failed if len(errors) >= MAX_FAILURES}

    def _first_lost_games(self, folders: Mapping[str, Path]) -> dict[str, Json]:
        games = self.results()["games"]
        found: dict[str, Json] = {}
        for game in games:
            loser: str | None = {1: game["second"], 0: game["first"]}.get(game["points"])
            if loser is not None and loser in folders:
                found.setdefault(loser, game)
        return found

    def _review_some(self, first_lost: Iterator[tuple[str, Json]]) -> None:
        """Find the worst moves of members in lost games, until there are none or all is stopped."""
        reviewer = bounded.Confined(bounded.BOUNDS)
        try:
            for name, game in first_lost:  # all threads share this iterator
                if self.stopped:
                    break
                begins = game["first"] == name
                against = game["second"] if begins else game["first"]
                asked = self._game, game["moves"], begins, PLIES, REVIEW_SECONDS
                reviewer.renew()
                try:
                    found: list[Json] = reviewer.do(class_work.find_faults, *asked)
                except InputError:  # the process may be dead
                    reviewer.end()
                    reviewer, found = bounded.Confined(bounded.BOUNDS), []
                self._faults[name] = [{**fault, "against": against} for fault in found]
        finally:
            reviewer.end()
