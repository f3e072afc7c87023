"""The quality of moves, on positions with the exact score of every move.

A move is perfect if no other has a better score, and good if it keeps the outcome: a win stays a
win, a draw stays at least a draw. If a player has several equal moves, each counts in part.
"""

import os
import time
from collections.abc import Container, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from advisor.errors import InputError
from advisor.files import linefile
from advisor.games.examples import grade_choice
from advisor.lab.arena import players
from advisor.lab.arena.players import Player
from advisor.lab.batch import Sharing, check_sharing, run
from advisor.library import arguments
from advisor.settings.config import DEFAULT
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name

Percentages = list[float]
"""How perfect and how good (0 to 1) a player's move is, and the seconds it took."""


@dataclass(frozen=True, slots=True)
class Share:
    """The percentages of good and perfect moves over a number of positions."""

    positions: int
    good: float
    perfect: float

    @classmethod
    def of(cls, grades: Sequence[Percentages]) -> "Share":
        perfect, good, _ = (100 * sum(part) / len(grades) for part in zip(*grades, strict=True))
        return cls(len(grades), good, perfect)

    def to_json(self) -> dict[str, Any]:
        good, perfect = round(self.good, 2), round(self.perfect, 2)
        return {"positions": self.positions, "good": good, "perfect": perfect}


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of one player's moves: a grade for each position, and its number of discs.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "labelled")
    ...     _ = file.write_text("7272456227752556353746443337 -6 -5 -5 1 1 1 -")
    ...     graded = advisor.Examination(file, depth=6)
    ...     done = [*graded]
    >>> [(row.player.name, row.total.good) for row in graded.rows]
    [('random', 50.0), ..., ('default', 100.0)]
    """

    player: Player
    grades: Sequence[Percentages]
    discs: Sequence[int]

    def share(self, numbers: Container[int]) -> Share:
        """Return the share over the positions with these numbers of discs."""
        pairs = zip(self.grades, self.discs, strict=True)
        return Share.of([grade for grade, discs in pairs if discs in numbers])

    @property
    def total(self) -> Share:
        """The share over all positions."""
        return Share.of(self.grades)

    @property
    def seconds_per_move(self) -> float:
        """The player's mean time."""
        return sum(seconds for *_, seconds in self.grades) / len(self.grades)

    def to_json(self) -> dict[str, Any]:
        """Return the quality as the ``--json`` output gives it."""
        total, numbers = self.total.to_json(), sorted(set(self.discs))
        return {
            "name": self.player.name,
            "depth": self.player.limit.depth,
            "good": total["good"],
            "perfect": total["perfect"],
            "seconds_per_move": round(self.seconds_per_move, 6),
            "by_discs": {str(number): self.share([number]).to_json() for number in numbers},
        }


class Examination:
    """An examination of players' moves; iterate to run it.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "labelled")
    ...     _ = file.write_text("7272456227752556353746443337 -6 -5 -5 1 1 1 -")
    ...     found = advisor.Examination(file, depth=6)
    ...     graded = [*found]
    >>> {row.player.name: row.total.good for row in found.rows}["default"]
    100.0

    Args:
        file: positions with exact scores, one a line.
        weights: presets, weights files or other players, optionally with a limit of their own.
        depth, seconds, book: of players without a limit; see `advisor.suggest`.
        sharing: the workers, and the file of finished results.

    Raises:
        InputError, ConfigError, EncodingError: an argument cannot be used.

    Attributes:
        total: positions.
        grades: of each examined position, player by player.
    """

    def __init__(
        self,
        file: str | os.PathLike[str],
        weights: Sequence[str | os.PathLike[str]] = (DEFAULT,),
        *,
        depth: int | None = None,
        seconds: float | None = None,
        book: bool | None = None,
        sharing: Sharing | None = None,
    ) -> None:
        arguments.several("weights", weights)
        limit, self._file = arguments.limit(depth, seconds), Path(file)
        self._players = [players.parse(name) for name in ("random", "central")]
        names = [arguments.path("weights", each) for each in weights]
        self._players += [players.parse(name, limit=limit, book=book) for name in names]

        def discs(line: str) -> tuple[str, int]:
            example = self._players[0].game.example(line)
            if example.columns is None:
                raise InputError(
                    "no exact scores of all columns (benchmarks/train/label.py writes them)"
                )
            return line, example.position.discs

        read = linefile.entries(self._file, discs)
        self._lines = [(number, line, discs) for number, (line, discs) in read]
        told = {"players": [player.identity for player in self._players]}
        self._ready = check_sharing(sharing).ready("bench quality", told)
        self.total = len(self._lines)
        self.grades: list[list[Percentages]] = []

    def __iter__(self) -> Generator[list[Percentages], None, None]:
        """Yield the grades of each position; an InputError names a line with wrong scores."""
        work = partial(_examine, tuple(self._players))
        tasks = [line for _, line, _ in self._lines]
        self.grades = []
        try:
            for grade in run(work, tasks, *self._ready):
                self.grades.append(grade)
                yield grade
        except InputError as error:
            # Results come in order, so the first missing one is the one that failed.
            number = self._lines[len(self.grades)][0]
            raise InputError(f"{file_name(self._file)}: line {number}: {error}") from None

    @property
    def rows(self) -> list[Quality]:
        """Each player's quality so far; empty before the first grades."""
        discs = [discs for *_, discs in self._lines[: len(self.grades)]]
        graded = zip(self._players, zip(*self.grades, strict=True), strict=False)
        return [Quality(player, own, discs) for player, own in graded]

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``bench quality --json``."""
        return {"positions": len(self.grades), "rows": [row.to_json() for row in self.rows]}


def _examine(given: Sequence[Player], line: str, stop: Stop) -> list[Percentages]:
    """Return the grades of the players' moves on a line's position, after checking its scores."""
    example = given[0].game.example(line, stop)
    grades = []
    for player in given:
        players.ready(player)
        started = time.perf_counter()
        chosen = player.moves(player.game.begin(example.position), stop)
        seconds = time.perf_counter() - started
        grades.append([*grade_choice(chosen, example.columns or {}), seconds])
    return grades
