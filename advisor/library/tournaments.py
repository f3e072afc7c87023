"""Tournaments of weights files, both sides of every opening."""

import json
import os
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from advisor.errors import AdvisorError, InputError
from advisor.lab.arena import players
from advisor.lab.arena.contest import Contest, Standing
from advisor.lab.arena.likeness import Alike, Likeness, find_alike
from advisor.lab.arena.match import GameRecord, Umpire
from advisor.lab.arena.players import Player
from advisor.lab.batch import Sharing, check_sharing, run
from advisor.library import arguments
from advisor.library.matches import chosen_openings, marks_of, named_errors
from advisor.limits import MAX_ROUNDS, TOURNAMENT_GAMES
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name


class Tournament:
    """A tournament of weights files, both sides of every opening; iterate to play it.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, weights in (("ann", "default"), ("bob", "alex")):
    ...         _ = pathlib.Path(folder, f"{name}.yaml").write_text(f"extends: {weights}")
    ...     contest = advisor.Tournament(folder, games=2, depth=1)
    ...     played = list(contest)
    >>> len(played), [standing.player for standing in contest.standings][0] in ("ann", "bob")
    (1, True)

    Args:
        folder: its weights files are the players, also those in folders in it.
        games, openings, plies, seed, game, constants, sharing: see `Match`; games are of a pair.
        depth, seconds: of all players, overriding their files.
        rounds: of the Swiss system, in which players meet others of about their own strength; None:
            everybody plays everybody.
        on_wrong: called with the error of each wrong file.

    Raises:
        InputError, BatchError: an argument cannot be used.
        AdvisorError: the error of the last file, if there are fewer than two good ones; `on_wrong`
            gets the others.

    Attributes:
        wrong: by player, the error of a file that was left out.
        alike: after the last game, the players that are alike.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        games: int | None = None,
        openings: str | os.PathLike[str] | None = None,
        plies: int = 4,
        seed: int = 1,
        depth: int | None = None,
        seconds: float | None = None,
        rounds: int | None = None,
        game: str | None = None,
        constants: Mapping[str, int] | None = None,
        sharing: Sharing | None = None,
        on_wrong: Callable[[AdvisorError], None] = lambda _: None,
    ) -> None:
        limit, numbers = arguments.limit(depth, seconds), arguments.constants(constants)
        files = handed_in(Path(folder))
        parse = partial(players.parse, game=game, constants=numbers, limit=limit)
        self._players, self.wrong = _check_players(files, parse, on_wrong)
        identities = {name: player.identity for name, player in self._players.items()}
        self._seed = arguments.seed(seed)
        whose = next(iter(self._players.values())).game
        self._openings = chosen_openings(whose, games, TOURNAMENT_GAMES, openings, plies, seed)
        self.rounds = None if rounds is None else arguments.whole("rounds", rounds, 1, MAX_ROUNDS)
        told = {"players": identities, "seed": seed, **({"rounds": rounds} if rounds else {})}
        self._workers, self._journal = check_sharing(sharing).ready("tournament", told)
        self._contest = self._new_contest()
        self._failed: list[str] = []
        self.alike: list[Alike] = []

    def __iter__(self) -> Generator[list[GameRecord], None, None]:
        """Yield both games of a pair's opening; an "error" says why the loser could not go on."""
        self._contest, self._failed, self.alike = self._new_contest(), [], []
        begun: list[str] = []  # tasks that wait for their results, which come in their order
        work = partial(play, self._players, self._seed)
        with closing(run(work, _Noted(self._contest, begun), self._workers, self._journal)) as done:
            for games in done:
                self._contest.add(begun.pop(0), games)
                self._failed += [game["error"] for game in games if "error" in game]
                yield games
        self.alike = self._compare()

    def _new_contest(self) -> Contest:
        return Contest([*self._players], self._openings, self.rounds)

    def _compare(self) -> list[Alike]:
        work = partial(_mark, self._players)
        with closing(run(work, self._players, self._workers)) as found:
            marks = {name: Likeness(*each) for name, each in zip(self._players, found, strict=True)}
        return find_alike(marks)

    @property
    def total(self) -> int:
        """Number of all games; in rounds the most, since pairs may run out."""
        return self._contest.total

    @property
    def games_done(self) -> int:
        """Number of games that are over."""
        return self._contest.games_done

    @property
    def failed(self) -> list[str]:
        """The reasons why players lost games because they could not go on."""
        return [*self._failed]

    @property
    def standings(self) -> list[Standing]:
        """The standings so far, the best player first."""
        return self._contest.standings

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``tournament --json``."""
        told = []
        for standing in self.standings:
            against = {name: tally.to_json() for name, tally in standing.against.items()}
            player = {"place": standing.place, "player": standing.player}
            more = {"errors": standing.errors, "opposition": round(standing.opposition, 4)}
            told.append({**player, **standing.total.to_json(), **more, "against": against})
        return {
            "games": self.games_done,
            "table": told,
            "alike": [each.to_json() for each in self.alike],
            "left_out": {name: str(error) for name, error in self.wrong.items()},
            "failed": self.failed,
        }


def handed_in(folder: Path) -> dict[str, Path]:
    """Return the weights files of a folder and its subfolders, by their players' names.

    This includes things that only look like one, such as a folder or a file ``x.yml``: their owners
    should get an error.
    """
    if not folder.is_dir():
        raise InputError(f"{file_name(folder)}: no such folder")
    # No hidden ones: an unpacked archive may hold ._anna.yaml beside anna.yaml.
    seen = chain(folder.glob("[!.]*"), folder.glob("[!.]*/[!.]*"))
    found = sorted(file for file in seen if file.suffix.lower() in (".yaml", ".yml"))
    if len(found) < 2:
        held = "one weights file" if found else "no weights files"
        raise InputError(
            f"{file_name(folder)}: holds {held} (a tournament takes two or more, as NAME.yaml)"
        )
    return {str(file.relative_to(folder)).removesuffix(".yaml"): file for file in found}


class _Noted(Iterator[str]):
    """The tasks of a contest, each noted in a list once it is taken; as a contest, it may go on."""

    def __init__(self, tasks: Iterator[str], taken: list[str]) -> None:
        self._tasks, self._taken = tasks, taken

    def __next__(self) -> str:
        self._taken.append(next(self._tasks))
        return self._taken[-1]


def _check_players(
    files: Mapping[str, Path],
    parse: Callable[[str], Player],
    on_wrong: Callable[[AdvisorError], None],
) -> tuple[dict[str, Player], dict[str, AdvisorError]]:
    """Return the players and, by name, the errors of the other files."""
    ready: dict[str, Player] = {}
    wrong: dict[str, AdvisorError] = {}
    for name, file in files.items():
        try:
            if not file.is_file():  # opening a pipe would wait for a writer
                raise InputError("is not a plain file (give weights files)")
            if file.suffix != ".yaml":
                raise InputError("is not read (weights files are named NAME.yaml)")
            ready[name] = players.ready(parse(str(file)))
        except AdvisorError as error:
            place = file_name(file)
            named = str(error) if str(error).startswith(place) else f"{place}: {error}"
            wrong[name] = type(error)(named)
    errors, enough = [*wrong.values()], len(ready) > 1
    for each in errors if enough else errors[:-1]:
        on_wrong(each)
    if not enough:
        raise errors[-1]
    return ready, wrong


def play(players: Mapping[str, Player], seed: int, task: str, stop: Stop) -> list[GameRecord]:
    """Play the two games of a task; points are for the player named first."""
    one, other, opening = json.loads(task)
    # A file that fails in the middle of a game loses that game; the tournament goes on.
    games = Umpire(players[one], players[other], seed, forfeits=(AdvisorError,))(opening, stop)
    return named_errors(one, other, games)


def _mark(players: Mapping[str, Player], name: str, stop: Stop) -> list[str]:
    """Return the marks of a player; two empty ones if the player fails."""
    try:
        found = marks_of(players[name])
    except AdvisorError:
        return ["", ""]
    stop.check()
    return [found.text, found.moves]
