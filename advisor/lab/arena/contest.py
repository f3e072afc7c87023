"""Tournaments: the games that are played, round by round, and the table."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from advisor.lab.arena.match import GameRecord
from advisor.lab.arena.pairing import pair_all, pair_round


class Tally(NamedTuple):
    """Games of one player: all of them, or those against one other."""

    wins: int
    draws: int
    losses: int

    @classmethod
    def of(cls, points: Sequence[float]) -> "Tally":
        """Count the games by the points that each brought."""
        return cls(*map(points.count, (1, 0.5, 0)))

    @property
    def games(self) -> int:
        return sum(self)

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """The share of the available points, 0 if no game was played."""
        return self.points / max(1, self.games)

    def to_json(self) -> dict[str, object]:
        share = round(self.share, 4)
        return {"games": self.games, "points": self.points, "share": share, **self._asdict()}


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a tournament's table.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("ann", "bob"):
    ...         _ = pathlib.Path(folder, f"{name}.yaml").write_text("extends: default")
    ...     contest = advisor.Tournament(folder, games=2, depth=1)
    ...     played = [*contest]
    >>> sorted(standing.player for standing in contest.standings)
    ['ann', 'bob']

    Attributes:
        place: from 1, by the share of the points, in rounds then by `opposition`. Players who are
            equal in these have the same place.
        errors: number of games that the player lost because its file failed.
        opposition: mean share of the points that its opponents took, weighted by games.
        against: the games against each other player, by name.
    """

    place: int
    player: str
    total: Tally
    errors: int
    opposition: float
    against: Mapping[str, Tally]

    @property
    def beaten(self) -> list[str]:
        """The opponents from whom the player took more points than it gave."""
        return [name for name, tally in self.against.items() if tally.wins > tally.losses]


class Contest(Iterator[str]):
    """The tasks of a tournament, and the table of their results.

    A task is a pair and an opening, which the pair plays with both colours. One opening follows the
    other, so the results of an interrupted tournament are fair. With `rounds`, the pairs of a round
    depend on the results of those before: the tasks end for now, and go on once all results are in.

    >>> contest = Contest(["ann", "bob", "cem"], ["44"])
    >>> tasks = [*contest]
    >>> tasks[0], len(tasks)
    ('["ann", "bob", "44"]', 3)
    >>> contest.add(tasks[0], [{"moves": "", "points": 1}, {"moves": "", "points": 0.5}])
    >>> [(line.player, line.total.points) for line in contest.standings]
    [('ann', 1.5), ('bob', 0.5), ('cem', 0.0)]

    Args:
        names: of the players.
        openings: as texts.
        rounds: of the Swiss system; None: everybody plays everybody.

    Attributes:
        results: the games of finished tasks, by task. Points are for the player named first.
    """

    def __init__(
        self, names: Sequence[str], openings: Sequence[str], rounds: int | None = None
    ) -> None:
        self.results: dict[str, list[GameRecord]] = {}
        self._names, self._openings, self._left = [*names], [*openings], rounds
        self._met: set[frozenset[str]] = set()
        self._given = 0
        self._tasks: Iterator[str] = iter(())
        width = len(names) // 2 * min(rounds or 0, len(names) - 1 + len(names) % 2)
        pairs = width if rounds else len(pair_all(self._names))
        self.total = 2 * pairs * len(self._openings)
        if rounds is None:
            self._tasks = self._with_openings(pair_all(self._names))

    def __next__(self) -> str:
        task = next(self._tasks, None)
        if task is None and self._left and len(self.results) == self._given:
            self._tasks, self._left = self._next_round(), self._left - 1
            task = next(self._tasks, None)
        if task is None:
            raise StopIteration
        self._given += 1
        return task

    def add(self, task: str, games: list[GameRecord]) -> None:
        """Take the two games of a task."""
        self.results[task] = games

    @property
    def games_done(self) -> int:
        """Number of games that are over."""
        return 2 * len(self.results)

    @property
    def standings(self) -> list[Standing]:
        """The table so far, the best player first."""
        return make_table(self._names, self.results, by_opposition=self._left is not None)

    def _next_round(self) -> Iterator[str]:
        ranked = self.standings
        games = {each.player: each.total.games for each in ranked}
        pairs = pair_round([each.player for each in ranked], self._met, games)
        self._met |= {frozenset(pair) for pair in pairs}
        return self._with_openings(pairs)

    def _with_openings(self, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
        return (json.dumps([*pair, opening]) for opening in self._openings for pair in pairs)


def make_table(
    names: Sequence[str], results: Mapping[str, list[GameRecord]], *, by_opposition: bool = False
) -> list[Standing]:
    """Return the table of a tournament, the best player first.

    Args:
        names: of the players.
        results: see `Contest`.
        by_opposition: whether the stronger opponents decide between equal shares.
    """
    points: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in names}
    errors = Counter[str]()
    for task, games in results.items():
        one, other, _ = json.loads(task)
        for game in games:
            points[one][other].append(game["points"])
            points[other][one].append(1 - game["points"])
            if "error" in game:
                errors[other if game["points"] else one] += 1
    totals = {name: Tally.of([*chain(*points[name].values())]) for name in names}
    opposition = {
        name: sum(totals[other].share * len(met) for other, met in points[name].items())
        / max(1, totals[name].games)
        for name in names
    }
    rank = {
        name: (-totals[name].share, -round(opposition[name], 9) if by_opposition else 0)
        for name in names
    }
    ranked = sorted(names, key=lambda name: (rank[name], name))
    ordered = [rank[name] for name in ranked]
    return [
        Standing(
            ordered.index(rank[name]) + 1,
            name,
            totals[name],
            errors[name],
            opposition[name],
            {other: Tally.of(points[name][other]) for other in ranked if points[name][other]},
        )
        for name in ranked
    ]
