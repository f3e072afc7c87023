"""How good moves are, on positions with the exact score of every column."""

import os
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from advisor.errors import InputError
from advisor.files import linefile
from advisor.files.textfile import file_name
from advisor.games.connect4 import exact, labels
from advisor.lab.arena import players
from advisor.lab.batch import Sharing
from advisor.lab.quality import Grade, Quality, examiner, summary
from advisor.library import arguments
from advisor.settings.config import DEFAULT

__all__ = ["Examination", "Labels", "Quality"]


class Labels:
    """Every column of the positions of a file scored exactly; iterated, it is done.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "positions")
    ...     _ = file.write_text("7272456227752556353746443337")
    ...     print(*advisor.Labels(file))
    7272456227752556353746443337 -6 -5 -5 1 1 1 -

    Args:
        file: with a position at the beginning of each line.
        sharing: who does it, and what is kept of it.

    Raises:
        InputError: a line that is none, or every game is over.

    Attributes:
        header: the lines with which such a file begins.
        notes: lines that are left out, since the game is over.
        total: lines that there will be.
    """

    def __init__(self, file: str | os.PathLike[str], sharing: Sharing | None = None) -> None:
        path, self._sharing = Path(file), sharing or Sharing()
        self.header = f"{labels.HEADER}Positions: {file_name(path.name)}\n"
        self.notes, self._tasks = list[str](), list[str]()
        given = linefile.entries(path, lambda line: (line.split()[0], labels.position_of(line)))
        for number, (text, position) in given:
            if position.over:
                self.notes.append(f"{file_name(path)}: line {number}: the game is over")
            else:
                self._tasks.append(text)
        if not self._tasks:
            over = "every game is over, so there is nothing to score"
            raise InputError(f"{file_name(path)}: {over}")
        self.total = len(self._tasks)

    def __iter__(self) -> Generator[str, None, None]:
        """The lines, each a position and its columns' scores."""
        return self._sharing.run(exact.label, self._tasks, "bench label", {})


class Examination:
    """How good the moves of some players are; iterated, it is found out.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "labelled")
    ...     _ = file.write_text("7272456227752556353746443337 -6 -5 -5 1 1 1 -")
    ...     found = advisor.Examination(file, depth=6)
    ...     graded = [*found]
    >>> {row.player.name: row.total.good for row in found.rows}["default"]
    100.0

    Args:
        file: as `Labels` gives it.
        weights: presets or weights files, also with a limit of their own.
        depth, seconds, book: of those without; see `advisor.suggest`.
        sharing: who does it, and what is kept of it.

    Raises:
        InputError, ConfigError, EncodingError: what cannot be used.

    Attributes:
        total: positions.
        grades: of each position that is done, player by player.
    """

    def __init__(
        self,
        file: str | os.PathLike[str],
        weights: Sequence[str] = (DEFAULT,),
        *,
        depth: int | None = None,
        seconds: float | None = None,
        book: bool | None = None,
        sharing: Sharing | None = None,
    ) -> None:
        limit, self._file, self._sharing = arguments.limit(depth, seconds), Path(file), sharing
        self._players = [players.parse(name) for name in ("random", "central")]
        self._players += [players.parse(name, limit=limit, book=book) for name in weights]
        read = linefile.entries(self._file, lambda line: (line, labels.parse(line).position.discs))
        self._lines = [(number, line, discs) for number, (line, discs) in read]
        self.total = len(self._lines)
        self.grades: list[list[Grade]] = []

    def __iter__(self) -> Generator[list[Grade], None, None]:
        """The grades of each position.

        Raises:
            InputError: scores that are wrong, and where.
        """
        run = {"players": [player.identity for player in self._players]}
        work = examiner(self._players, exact.checked)
        tasks = [line for _, line, _ in self._lines]
        try:
            for grade in (self._sharing or Sharing()).run(work, tasks, "bench quality", run):
                self.grades.append(grade)
                yield grade
        except InputError as error:
            # Results come in order, so it is the first one missing that has gone wrong.
            number = self._lines[len(self.grades)][0]
            raise InputError(f"{file_name(self._file)}: line {number}: {error}") from None

    @property
    def rows(self) -> list[Quality]:
        """What each player's grades come to so far."""
        discs = [discs for _, _, discs in self._lines[: len(self.grades)]]
        return summary(self._players, discs, self.grades)

    def to_json(self) -> dict[str, Any]:
        """The object of ``bench quality --json``."""
        return {"positions": len(self.grades), "rows": [row.to_json() for row in self.rows]}
