"""New puzzles: wins in exactly so many moves, proved twice, each in a file."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from advisor.errors import InputError
from advisor.games.difficulty import MAX_SEED
from advisor.lab.batch import Sharing
from advisor.lab.posing.make import Wanted, check_new, make, prepare
from advisor.lab.posing.pose import known, maker
from advisor.library import arguments


class Posing:
    """Makes puzzles; iterated, it does so.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     posing = advisor.Posing(folder, 2, 1, constants={"width": 5, "height": 4, "connect": 3})
    ...     for file in posing:
    ...         print(file.name, advisor.puzzle(str(file)).win_in)
    1.yaml 2

    Args:
        folder: a new one, in which each puzzle becomes a file.
        win_in: in how many of its own moves the side to move wins, and not sooner.
        count: how many.
        many: several first moves may win as fast.
        game, constants: see `load_game`.
        seed: of all that is random; the same makes the same puzzles.
        resume: goes on in the folder of an earlier run with the same arguments.
        sharing: who does it; what is kept is in the folder.

    Raises:
        InputError, EncodingError: what cannot be used.

    Attributes:
        total: how many are wanted.
        files: those that are made.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        win_in: int,
        count: int,
        *,
        many: bool = False,
        game: str | None = None,
        constants: Mapping[str, int] | None = None,
        seed: int = 1,
        resume: bool = False,
        sharing: Sharing | None = None,
    ) -> None:
        self._folder, self.total = Path(folder), count
        if not 0 <= seed <= MAX_SEED:
            raise InputError(f"--seed: {seed} is not from 0 to {MAX_SEED}")
        wanted = Wanted(win_in, seed, many)
        check_new(self._folder, resume)
        numbers = arguments.constants(constants)
        self._work, self._known = maker(game, numbers, wanted), known(game, seed)
        self._workers = (sharing or Sharing()).workers
        told = {"win_in": win_in, "seed": seed, "game": game, "const": numbers}
        run = {"command": "puzzles make", **told, "many": many}
        self._journal = prepare(self._folder, run)
        self.files: list[Path] = []

    def __iter__(self) -> Iterator[Path]:
        """Each file as it is written.

        Raises:
            InputError: none is found for very long, or a file cannot be written.
        """
        made = make(self._work, self.total, self._known, self._workers, self._journal, self._folder)
        for file in made:
            self.files.append(file)
            yield file
