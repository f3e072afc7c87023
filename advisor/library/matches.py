"""Two players against each other, both sides of every opening."""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from advisor.errors import InputError
from advisor.files import linefile
from advisor.files.textfile import file_name, quoted
from advisor.games import rooms
from advisor.games.room import Room
from advisor.lab.arena import elo, players
from advisor.lab.arena.match import GameRecord, Umpire, random_openings
from advisor.lab.batch import Sharing, run
from advisor.library import arguments
from advisor.limits import Limit, Stop

__all__ = ["MATCH_GAMES", "MAX_GAMES", "GameRecord", "Match", "openings", "play_opening"]

MAX_GAMES = 1_000_000
"""Their openings are chosen before the first one, in a minute or so."""

MATCH_GAMES = 20
"""Where nobody says how many."""


class Match:
    """Two players, both sides of every opening; iterated, it is played.

    >>> match = advisor.Match("default:depth=1", "random", games=2)
    >>> for games in match:
    ...     print(match.points)
    [1.0, 1.0]
    >>> match.elo.elo is None, match.to_json()["wins"]
    (True, 2)

    Args:
        a, b: a preset or a weights file, also with ``:depth=N``, ``:level=N`` or ``:time=SECONDS``;
            or ``random``, ``central``, ``perfect``, ``program:COMMAND``.
        games: an even number; by default two for each opening of the file, or 20.
        openings: a file of move strings; by default random ones.
        plies, seed: of random openings; the seed is that of all random choices.
        sprt: stop as soon as it is clear who plays better.
        book: whether the opening books count; None as the weights say.
        game, constants: see `load_game`.
        sharing: who plays, and what is kept of it.

    Raises:
        InputError, ConfigError, EncodingError: what cannot be used.

    Attributes:
        total: games.
        points: of the first player, a game each as it ends: 1, 0.5 or 0.
        verdict: with `sprt` what is clear by now, "stronger" or another word; else None.
        note: that a player will take very long for want of an extra, in a line; None if none does.
    """

    def __init__(
        self,
        a: str,
        b: str,
        *,
        games: int | None = None,
        openings: str | os.PathLike[str] | None = None,
        plies: int = 4,
        seed: int = 1,
        sprt: bool = False,
        book: bool | None = None,
        game: str | None = None,
        constants: Mapping[str, int] | None = None,
        sharing: Sharing | None = None,
    ) -> None:
        numbers = arguments.constants(constants)
        self._names, self._sprt = (a, b), sprt
        first, second = (players.parse(name, game, numbers, book=book) for name in self._names)
        self._players, self._room, self._seed = (first, second), first.room, seed
        self._openings = chosen_openings(self._room, games, MATCH_GAMES, openings, plies, seed)
        sharing = sharing or Sharing()
        identities = [first.identity, second.identity]
        self._journal = sharing.journal("match", {"players": identities, "seed": seed})
        self._workers = sharing.workers
        self.note = players.slowness(first, second)
        self.total = 2 * len(self._openings)
        self.points: list[float] = []
        self.verdict: str | None = None
        self._tell: Callable[[str], None] = lambda _: None

    def __iter__(self) -> Generator[list[GameRecord], None, None]:
        """Both games of each opening, with the ``moves`` and the first player's ``points``."""
        # Only of a game in this process is anything known before its end.
        work = Umpire(*self._players, self._seed, None if self._workers else self._tell)
        with closing(run(work, self._openings, self._workers, self._journal)) as results:
            for games in results:
                self.points += [game["points"] for game in games]
                if self._sprt:
                    self.verdict = elo.decision(self._pairs)
                yield games
                if self.verdict:
                    return

    def hear(self, tell: Callable[[str], None]) -> None:
        """Has somebody told how long the game is that is being played in this process."""
        self._tell = tell

    @property
    def cut_short(self) -> bool:
        """Whether games are missing that would have to be played."""
        return len(self.points) < self.total and not self.verdict

    @property
    def elo(self) -> elo.Estimate:
        """The difference, with its bounds."""
        return elo.estimate(self._pairs)

    @property
    def results(self) -> tuple[int, int, int]:
        """Games won, drawn and lost by the first player."""
        wins, draws, losses = (self.points.count(points) for points in (1, 0.5, 0))
        return wins, draws, losses

    def written(self, moves: str, number: int, file: Path) -> str:
        """A game as a file of this name has it: a line, or in a file for games of chess a PGN.

        Args:
            moves: of the game.
            number: of the two of an opening; in the first, 0, the first player begins.
            file: its suffix says how.
        """
        if not file.suffix.lower() == ".pgn" in self._room.suffixes:
            return moves + "\n"
        state: Any = self._room.begin(moves)
        sides = self._names if number == 0 else self._names[::-1]
        names = [name.capitalize() for name in self._room.players]
        told: str = state.recorded(dict(zip(names, sides, strict=True)))
        return told

    def to_json(self) -> dict[str, Any]:
        """The object of ``match --json``."""
        wins, draws, losses = self.results
        found = self.elo
        difference, *bounds = (
            None if each is None else round(each, 1) for each in (found.elo, found.low, found.high)
        )
        return {
            "a": self._names[0],
            "b": self._names[1],
            "games": len(self.points),
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "elo": difference,
            "elo_95": bounds,
            **({"sprt": self.verdict} if self._sprt else {}),
        }

    @property
    def _pairs(self) -> list[float]:
        both = zip(self.points[::2], self.points[1::2], strict=True)
        return [(begun + answered) / 2 for begun, answered in both]


def play_opening(a: str, b: str, opening: str, *, depth: int, seed: int = 1) -> list[GameRecord]:
    """Two games of two players from an opening; `a` begins the first one.

    >>> games = play_opening("default", "random", "3344", depth=1)
    >>> [game["moves"][:4] for game in games], games[0]["points"]
    (['3344', '3344'], 1.0)

    Args:
        a, b: see `Match`.
        opening: moves of Connect Four.
        depth: of who names none.

    Raises:
        InputError, ConfigError, EncodingError: a player that cannot be used or fails.
    """
    one, other = (players.parse(name, limit=Limit(depth)) for name in (a, b))
    return Umpire(one, other, seed)(opening, Stop())


def openings(count: int, plies: int, seed: int) -> list[str]:
    """Different openings of Connect Four in which nobody wins at once.

    >>> len(openings(3, 4, 1))
    3

    Raises:
        InputError: there are not so many.
    """
    return random_openings(rooms.load(), count, plies, seed)


def chosen_openings(
    room: Room,
    games: int | None,
    usual: int,
    file: str | os.PathLike[str] | None,
    plies: int,
    seed: int,
) -> list[str]:
    """Half as many openings as games, those of the lines of a file or random ones.

    Where nobody says how many games there are as many as the file is for or, without one, `usual`.

    Raises:
        InputError: the games are odd, the openings too few, or a line is none.
    """
    if games is not None and games % 2:
        raise InputError(f"--games: {games} is odd (every opening is played with both colours)")
    if file is None:
        return random_openings(room, (games or usual) // 2, plies, seed)

    def opening(line: str) -> str:
        state = room.begin(line)
        if room.begin(state.line).key != state.key:
            raise InputError(f"{quoted(line)} does not say the moves from the start")
        if state.over:
            raise InputError(f"{quoted(line)} ends the game (an opening leaves moves to play)")
        return line

    found = [text for _, text in linefile.entries(Path(file), opening)]
    count = len(found) if games is None else games // 2
    if count > len(found):
        raise InputError(
            f"{file_name(Path(file))}: {len(found)} openings are not enough for {games} games"
        )
    return found[:count]
