"""Tournaments: everybody against everybody, both colours of every opening."""

import json
import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from advisor.errors import AdvisorError, InputError
from advisor.files.textfile import file_name
from advisor.lab.arena import players
from advisor.lab.arena.match import GameRecord, Umpire
from advisor.lab.arena.players import Player
from advisor.lab.batch import Sharing
from advisor.library import arguments
from advisor.library.matches import chosen_openings
from advisor.limits import Stop

TOURNAMENT_GAMES = 4
"""Of a pair, where nobody says how many."""


@dataclass(slots=True)
class Tally:
    """Games of one player: all of them, or those against one other."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One for each win, half a one for each draw."""
        return self.wins + self.draws / 2

    def add(self, points: float) -> None:
        """Counts a game with so many points for the player."""
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0

    def to_json(self) -> dict[str, object]:
        """As the ``--json`` output gives it."""
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        return {"games": self.games, "points": self.points, **counts}


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the table.

    Attributes:
        place: from 1; players with equally many points share one.
        player: the name.
        total: all games.
        against: the games against each other player, by name.
    """

    place: int
    player: str
    total: Tally
    against: Mapping[str, Tally]

    @property
    def beaten(self) -> list[str]:
        """Whom the player took more points from than it gave."""
        return [name for name, tally in self.against.items() if tally.wins > tally.losses]


class Tournament:
    """Everybody's weights file against everybody's, both sides of every opening; iterated, it is
    played.

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
        depth, seconds: of all players, in place of what their files say.
        on_wrong: is told of each wrong file.

    Raises:
        InputError, BatchError: what cannot be used.
        AdvisorError: what is wrong with the last file, if there are fewer than two good ones;
            `on_wrong` is told of the others.

    Attributes:
        wrong: by player what is wrong with the file, which is left out.
        total: games.
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
        game: str | None = None,
        constants: Mapping[str, int] | None = None,
        sharing: Sharing | None = None,
        on_wrong: Callable[[AdvisorError], None] = lambda _: None,
    ) -> None:
        limit, numbers = arguments.limit(depth, seconds), arguments.constants(constants)
        files = handed_in(Path(folder))
        parse = partial(players.parse, game=game, constants=numbers, limit=limit)
        ready, self.wrong = _checked(files, lambda file: players.ready(parse(str(file))), on_wrong)
        self._identities = {name: player.identity for name, player in ready.items()}
        self._work = partial(play, ready, seed)
        room = next(iter(ready.values())).room
        chosen = chosen_openings(room, games, TOURNAMENT_GAMES, openings, plies, seed)
        self._tasks = schedule(self._identities, chosen)
        self._sharing, self._seed = sharing or Sharing(), seed
        self._pairs: list[list[GameRecord]] = []
        self.total = 2 * len(self._tasks)

    def __iter__(self) -> Generator[list[GameRecord], None, None]:
        """Both games of an opening of a pair, or the "error" that ended them."""
        run = {"players": self._identities, "seed": self._seed}
        with closing(self._sharing.run(self._work, self._tasks, "tournament", run)) as results:
            for games in results:
                self._pairs.append(games)
                yield games

    @property
    def reached(self) -> int:
        """Games that are over, or could not be played to the end."""
        return 2 * len(self._pairs)

    @property
    def failed(self) -> list[str]:
        """What went wrong in openings that were not played to the end."""
        return [game["error"] for games in self._pairs for game in games if "error" in game]

    @property
    def standings(self) -> list[Standing]:
        """So far, the best player first."""
        return table(self._identities, self._tasks, self._pairs)

    def to_json(self) -> dict[str, Any]:
        """The object of ``tournament --json``."""
        told = []
        for standing in self.standings:
            against = {name: tally.to_json() for name, tally in standing.against.items()}
            player = {"place": standing.place, "player": standing.player}
            told.append({**player, **standing.total.to_json(), "against": against})
        return {
            "games": self.reached - 2 * len(self.failed),
            "table": told,
            "left_out": {name: str(error) for name, error in self.wrong.items()},
            "not_played": self.failed,
        }


def schedule(names: Iterable[str], openings: Iterable[str]) -> list[str]:
    """Every pair for every opening, as tasks; one opening after the other, so that what is there
    of a tournament that was cut short is fair.
    """
    pairs = [*combinations(names, 2)]
    return [json.dumps([*pair, opening]) for opening in openings for pair in pairs]


def table(
    names: Iterable[str], tasks: Sequence[str], pairs: Iterable[list[GameRecord]]
) -> list[Standing]:
    """The table after the first games of a tournament, the best player first.

    Of the tasks, which `schedule` gives, `pairs` are what came of the first ones.
    """
    names = [*names]
    totals = {name: Tally() for name in names}
    against = {name: {other: Tally() for other in names if other != name} for name in names}
    for task, games in zip(tasks, pairs, strict=False):
        one, other, _ = json.loads(task)
        for game in games:
            if "error" in game:
                continue
            for name, rival, points in (
                (one, other, game["points"]),
                (other, one, 1 - game["points"]),
            ):
                against[name][rival].add(points)
                totals[name].add(points)
    ranked = sorted(names, key=lambda name: (-totals[name].points, name))
    points = [totals[name].points for name in ranked]
    return [
        Standing(
            points.index(totals[name].points) + 1,
            name,
            totals[name],
            {other: against[name][other] for other in ranked if other != name},
        )
        for name in ranked
    ]


def handed_in(folder: Path) -> dict[str, Path]:
    """The weights files of a folder and of the folders in it, by what their players are called."""
    if not folder.is_dir():
        raise InputError(f"{file_name(folder)}: no such folder")
    # No hidden ones: an unpacked archive may hold ._anna.yaml beside anna.yaml.
    found = sorted([*folder.glob("[!.]*.yaml"), *folder.glob("[!.]*/[!.]*.yaml")])
    if len(found) < 2:
        held = "one weights file" if found else "no weights files"
        raise InputError(
            f"{file_name(folder)}: holds {held} (a tournament takes two or more, as NAME.yaml)"
        )
    for file in found:
        if not file.is_file():  # whoever opens a pipe waits until somebody writes to it
            raise InputError(f"{file_name(file)}: is not a plain file (give weights files)")
    return {str(file.relative_to(folder).with_suffix("")): file for file in found}


def _checked(
    files: Mapping[str, Path],
    player: Callable[[Path], Player],
    on_wrong: Callable[[AdvisorError], None],
) -> tuple[dict[str, Player], dict[str, AdvisorError]]:
    """The players and, by name, what is wrong with the other files."""
    ready: dict[str, Player] = {}
    wrong: dict[str, AdvisorError] = {}
    for name, file in files.items():
        try:
            ready[name] = player(file)
        except AdvisorError as error:
            place = file_name(file)
            named = str(error) if str(error).startswith(place) else f"{place}: {error}"
            wrong[name] = type(error)(named)
    errors = [*wrong.values()]
    last = errors.pop() if len(ready) < 2 and errors else None
    for each in errors:
        on_wrong(each)
    if last is not None:
        raise last
    return ready, wrong


def play(players: Mapping[str, Player], seed: int, task: str, stop: Stop) -> list[GameRecord]:
    """Two games of a task of `schedule`, points being those of the player named first; or what went
    wrong, as an "error"."""
    one, other, opening = json.loads(task)
    try:
        return Umpire(players[one], players[other], seed)(opening, stop)
    except AdvisorError as error:
        # A file that fails in the middle of a game ends that game, not everybody's tournament.
        return [{"error": f"{one} against {other}: {error}"}]
