"""Tournaments: everybody against everybody, both colours of every opening."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path

from advisor.errors import AdvisorError, InputError
from advisor.files.textfile import file_name
from advisor.lab.arena.match import Game, umpire
from advisor.lab.arena.players import Player
from advisor.lab.batch import Work
from advisor.limits import Stop


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


def handed_in(folder: Path) -> dict[str, Path]:
    """The weights files of a folder and of the folders in it, by what their players are called.

    Raises:
        InputError: it is no folder, holds fewer than two, or one that is no plain file.
    """
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


def schedule(names: Iterable[str], openings: Iterable[str]) -> list[str]:
    """Every pair for every opening, as tasks; one opening after the other, so that what is there
    of a tournament that was cut short is fair.
    """
    pairs = [*combinations(names, 2)]
    return [json.dumps([*pair, opening]) for opening in openings for pair in pairs]


def work(players: Mapping[str, Player], seed: int) -> Work[list[Game]]:
    """What plays a task of `schedule`: two games, with points of the player named first; or what
    went wrong, as an "error"."""
    return partial(_play, players, seed)


def _play(players: Mapping[str, Player], seed: int, task: str, stop: Stop) -> list[Game]:
    one, other, opening = json.loads(task)
    try:
        return umpire(players[one], players[other], seed)(opening, stop)
    except AdvisorError as error:
        # A file that fails in the middle of a game ends that game, not everybody's tournament.
        return [{"error": f"{one} against {other}: {error}"}]


def not_played(pairs: Iterable[list[Game]]) -> list[str]:
    """What went wrong in openings that were not played to the end."""
    return [game["error"] for games in pairs for game in games if "error" in game]


def table(
    names: Iterable[str], tasks: Sequence[str], pairs: Iterable[list[Game]]
) -> list[Standing]:
    """The table after the first games of a tournament, the best player first.

    Args:
        names: of all players.
        tasks: from `schedule`.
        pairs: what came of the first of them.
    """
    names = [*names]
    against = {name: {other: Tally() for other in names if other != name} for name in names}
    for task, games in zip(tasks, pairs, strict=False):
        one, other, _ = json.loads(task)
        for game in games:
            if "error" in game:
                continue
            against[one][other].add(game["points"])
            against[other][one].add(1 - game["points"])
    totals = {name: _sum(tallies.values()) for name, tallies in against.items()}
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


def _sum(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for tally in tallies:
        total.wins += tally.wins
        total.draws += tally.draws
        total.losses += tally.losses
    return total
