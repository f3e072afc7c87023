"""Matches of two players and tournaments, both sides of every opening."""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from pathlib import Path
from typing import Any, NamedTuple, cast

from advisor.errors import AdvisorError, ConfigError, EncodingError, InputError
from advisor.files import linefile
from advisor.games import rooms
from advisor.games.game import Game, Position
from advisor.lab.arena import elo, players
from advisor.lab.arena.match import GameRecord, Umpire, random_openings
from advisor.lab.arena.players import Player
from advisor.lab.batch import Sharing, check_sharing, run
from advisor.library import arguments
from advisor.limits import MATCH_GAMES, MAX_DEPTH, TOURNAMENT_GAMES, Limit
from advisor.settings.config import DEFAULT
from advisor.views.document import section
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name, quote_text

__all__ = ["GameRecord"]


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


class Match:
    """A match of two players, both sides of every opening; iterate to play it.

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
        depth, seconds: of players whose names give neither.
        sprt: stop as soon as it is clear which player is better.
        book: whether the opening books count; None: as the weights say.
        game, constants: see `load_game`.
        sharing: the workers, and the file of finished games.

    Raises:
        InputError, ConfigError, EncodingError: an argument cannot be used.

    Attributes:
        total: games.
        points: of the first player for each finished game: 1, 0.5 or 0.
        failed: why games were lost by a player that could not go on.
        verdict: with `sprt` the decision so far, "stronger" or "weaker"; else None.
        note: a warning that a player is very slow without an extra; None if none is.
    """

    def __init__(
        self,
        a: str | os.PathLike[str],
        b: str | os.PathLike[str],
        *,
        games: int | None = None,
        openings: str | os.PathLike[str] | None = None,
        plies: int = 4,
        seed: int = 1,
        depth: int | None = None,
        seconds: float | None = None,
        sprt: bool = False,
        book: bool | None = None,
        game: str | None = None,
        constants: Mapping[str, int] | None = None,
        sharing: Sharing | None = None,
    ) -> None:
        limit, numbers = arguments.limit(depth, seconds), arguments.constants(constants)
        self._names, self._sprt = (arguments.path("player", a), arguments.path("player", b)), sprt
        parse = partial(players.parse, game=game, constants=numbers, limit=limit, book=book)
        first, second = map(parse, self._names)
        self._players, self._game, self._seed = (first, second), first.game, arguments.seed(seed)
        self._openings = chosen_openings(self._game, games, MATCH_GAMES, openings, plies, seed)
        told = {"players": [first.identity, second.identity], "seed": seed}
        self._workers, self._journal = check_sharing(sharing).ready("match", told)
        self.note = players.slowness(first, second)
        self.total = 2 * len(self._openings)
        self.points: list[float] = []
        self.failed: list[str] = []
        self.verdict: elo.MatchVerdict | None = None
        self._tell: Callable[[str], None] = lambda _: None

    def __repr__(self) -> str:
        played = f"{len(self.points)} of {self.total} games"
        told = f"{played}, {self.result_text}" if self.points else played
        return f"<Match {' against '.join(self._names)}: {told}>"

    def _repr_html_(self) -> str:  # for notebooks
        wins, draws, losses = self.results
        rows = zip(self._names, ((wins, draws, losses), (losses, draws, wins)), strict=True)
        return section(
            " against ".join(self._names),
            [f"{len(self.points)} of {self.total} games"],
            ("player", "won", "drawn", "lost"),
            [(name, *map(str, counts)) for name, counts in rows],
        )

    def __iter__(self) -> Generator[list[GameRecord], None, None]:
        """Yield both games of each opening, with ``moves`` and the first player's ``points``."""
        self.points, self.failed, self.verdict = [], [], None
        # Only a game in this process reports anything before its end.
        on_move = None if self._workers else self._tell
        work = Umpire(*self._players, self._seed, on_move, (ConfigError, EncodingError))
        with closing(run(work, self._openings, self._workers, self._journal)) as results:
            for games in results:
                self.points += [game["points"] for game in games]
                named_errors(*self._names, games)
                self.failed += [game["error"] for game in games if "error" in game]
                if self._sprt:
                    self.verdict = elo.decision(self._pairs)
                yield games
                if self.verdict:
                    return

    def hear(self, tell: Callable[[str], None]) -> None:
        """Call `tell` with the length of the game that is being played in this process."""
        self._tell = tell

    @property
    def cut_short(self) -> bool:
        """Whether games are missing that would have to be played."""
        return len(self.points) < self.total and not self.verdict

    @property
    def elo(self) -> elo.Estimate:
        """The Elo difference, with its bounds."""
        return elo.estimate(self._pairs)

    @property
    def results(self) -> tuple[int, int, int]:
        """Games won, drawn and lost by the first player."""
        return (*Tally.of(self.points),)

    @property
    def result_text(self) -> str:
        """The results in words."""
        wins, draws, losses = self.results
        share = 100 * Tally.of(self.points).share
        return f"{wins} won, {draws} drawn, {losses} lost: {share:.1f} % of the points"

    def game_text(self, moves: str, number: int, file: Path) -> str:
        """Return a game in the format of a file: a line, or a PGN for a file of chess games.

        In game 0 of an opening's two games, the first player begins.
        """
        if not file.suffix.lower() == ".pgn" in self._game.suffixes:
            return moves + "\n"
        position: Any = self._game.position(moves)
        sides = self._names if number == 0 else self._names[::-1]
        names = [name.capitalize() for name in self._game.players]
        return cast(str, position.game_text(dict(zip(names, sides, strict=True))))

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``match --json``."""
        found = self.elo
        difference, *bounds = (
            None if each is None else round(each, 1) for each in (found.elo, found.low, found.high)
        )
        return {
            "a": self._names[0],
            "b": self._names[1],
            "games": len(self.points),
            **Tally.of(self.points)._asdict(),
            "elo": difference,
            "elo_95": bounds,
            **({"sprt": self.verdict} if self._sprt else {}),
            **({"failed": self.failed} if self.failed else {}),
        }

    @property
    def _pairs(self) -> list[float]:
        both = zip(self.points[::2], self.points[1::2], strict=True)
        return [(begun + answered) / 2 for begun, answered in both]


MoveChooser = Callable[[str, int], list[str]]
"""Takes the moves of a game so far and a seed, and returns its equally good moves."""


@dataclass(frozen=True, slots=True)
class _Elsewhere(Player):
    """A player of Connect Four whose moves another process chooses."""

    choose: MoveChooser = lambda moves, seed: []

    @property
    def game(self) -> Game:
        return rooms.load()

    def moves(self, position: Position, stop: Stop, seed: int = 0) -> list[Term]:
        chosen = self.choose(position.moves_line, seed)
        return [position.read_typed(move) for move in chosen]


def choose_moves(player: str, moves: str, seed: int, *, depth: int) -> list[str]:
    """Return a player's equally good moves after the moves of a Connect Four game.

    >>> choose_moves("default", "3344", 1, depth=1)
    ['5']

    Args:
        player: see `Match`.
        depth: for a player whose name gives none.

    Raises:
        InputError, ConfigError, EncodingError: the player cannot be used, or it fails.
    """
    chooser = players.parse(player, limit=Limit(depth))
    position = chooser.game.position(moves)
    return [position.code_of(move) for move in chooser.moves(position, Stop(), seed)]


def check_player(player: str) -> None:
    """Raise the error of a player, as a tournament does before it begins.

    Raises:
        InputError, ConfigError, EncodingError.
    """
    players.ready(players.parse(player))


def play_opening(
    one: MoveChooser, other: MoveChooser, opening: str, *, seed: int = 1
) -> list[GameRecord]:
    """Play two games from a Connect Four opening; `one` begins the first. A failing player loses.

    >>> choose = partial(choose_moves, "default", depth=1)
    >>> games = play_opening(choose, lambda moves, seed: ["1"], "3344")
    >>> [game["moves"][:4] for game in games], games[0]["points"]
    (['3344', '3344'], 1.0)
    """
    usual = rooms.name_game(None, DEFAULT, {})
    first, second = _Elsewhere("one", usual, choose=one), _Elsewhere("other", usual, choose=other)
    return Umpire(first, second, arguments.seed(seed), forfeits=(AdvisorError,))(opening, Stop())


def openings(count: int, plies: int, seed: int) -> list[str]:
    """Return different openings of Connect Four without an immediate win.

    >>> len(openings(3, 4, 1))
    3

    Raises:
        InputError: there are not enough.
    """
    return random_openings(rooms.load(), count, plies, arguments.seed(seed))


def chosen_openings(
    game: Game,
    games: int | None,
    usual: int,
    file: str | os.PathLike[str] | None,
    plies: int,
    seed: int,
) -> list[str]:
    """Return half as many openings as games, from the lines of a file or random ones.

    By default there are as many games as the file has openings for or, without one, `usual`.

    Raises:
        InputError: the number of games is odd or 0, there are too few openings, or a line is none.
    """
    if games is not None and arguments.games(games, 2) % 2:
        raise InputError(f"`games`: {games} is odd (every opening is played with both colours)")
    if file is None:
        plies = arguments.whole("plies", plies, 0, MAX_DEPTH)
        return random_openings(game, (games or usual) // 2, plies, seed)

    def opening(line: str) -> str:
        position = game.position(line)
        if game.position(position.moves_line).key != position.key:
            raise InputError(f"{quote_text(line)} does not say the moves from the start")
        if position.over:
            raise InputError(f"{quote_text(line)} ends the game (an opening leaves moves to play)")
        return line

    found = [text for _, text in linefile.entries(Path(file), opening)]
    count = len(found) if games is None else games // 2
    if count > len(found):
        raise InputError(
            f"{file_name(Path(file))}: {len(found)} openings are not enough for {games} games"
        )
    return found[:count]


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
        place: from 1, by the share of the points. Players with the same share have the same place.
        against: the games against each other player, by name.
    """

    place: int
    player: str
    total: Tally
    against: Mapping[str, Tally]

    @property
    def beaten(self) -> list[str]:
        """The opponents from whom the player took more points than it gave."""
        return [name for name, tally in self.against.items() if tally.wins > tally.losses]


class Tournament:
    """A round robin of weights files, both sides of every opening; iterate to play it.

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
        on_wrong: called with the error of each wrong file.

    Raises:
        InputError, BatchError: an argument cannot be used.
        AdvisorError: the error of the last file, if there are fewer than two good ones; `on_wrong`
            gets the others.

    Attributes:
        wrong: by player, the error of a file that was left out.
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
        ready, self.wrong = _check_players(files, parse, on_wrong)
        self._identities = {name: player.identity for name, player in ready.items()}
        self._work = partial(play, ready, arguments.seed(seed))
        whose = next(iter(ready.values())).game
        chosen = chosen_openings(whose, games, TOURNAMENT_GAMES, openings, plies, seed)
        self._tasks = schedule(self._identities, chosen)
        told = {"players": self._identities, "seed": seed}
        self._ready = check_sharing(sharing).ready("tournament", told)
        self._pairs: list[list[GameRecord]] = []
        self.total = 2 * len(self._tasks)

    def __iter__(self) -> Generator[list[GameRecord], None, None]:
        """Yield both games of a pair's opening; an "error" says why the loser could not go on."""
        self._pairs = []
        with closing(run(self._work, self._tasks, *self._ready)) as results:
            for games in results:
                self._pairs.append(games)
                yield games

    @property
    def games_done(self) -> int:
        """Number of games that are over."""
        return 2 * len(self._pairs)

    @property
    def failed(self) -> list[str]:
        """The reasons why players lost games because they could not go on."""
        return [game["error"] for games in self._pairs for game in games if "error" in game]

    @property
    def standings(self) -> list[Standing]:
        """The standings so far, the best player first."""
        return table(self._identities, self._tasks, self._pairs)

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``tournament --json``."""
        told = []
        for standing in self.standings:
            against = {name: tally.to_json() for name, tally in standing.against.items()}
            player = {"place": standing.place, "player": standing.player}
            told.append({**player, **standing.total.to_json(), "against": against})
        return {
            "games": self.games_done,
            "table": told,
            "left_out": {name: str(error) for name, error in self.wrong.items()},
            "failed": self.failed,
        }


def schedule(names: Iterable[str], openings: Iterable[str]) -> list[str]:
    """Return tasks: every pair for every opening.

    One opening follows the other, so the results of an interrupted tournament are fair.
    """
    pairs = [*combinations(names, 2)]
    return [json.dumps([*pair, opening]) for opening in openings for pair in pairs]


def table(
    names: Iterable[str], tasks: Sequence[str], pairs: Iterable[list[GameRecord]]
) -> list[Standing]:
    """Return the table after the first games of a tournament, the best player first.

    Args:
        names: of the players.
        tasks: from `schedule`.
        pairs: the results of the first tasks.
    """
    names = [*names]
    points: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in names}
    for task, games in zip(tasks, pairs, strict=False):
        one, other, _ = json.loads(task)
        for game in games:
            points[one][other].append(game["points"])
            points[other][one].append(1 - game["points"])
    totals = {name: Tally.of([*chain(*points[name].values())]) for name in names}
    ranked = sorted(names, key=lambda name: (-totals[name].share, name))
    ordered = [totals[name].share for name in ranked]
    return [
        Standing(
            ordered.index(totals[name].share) + 1,
            name,
            totals[name],
            {other: Tally.of(points[name][other]) for other in ranked if other != name},
        )
        for name in ranked
    ]


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


def named_errors(one: str, other: str, games: list[GameRecord]) -> list[GameRecord]:
    """Begin each error with the names of its player and of the opponent."""
    for game in games:
        if "error" in game:
            loser, winner = (other, one) if game["points"] else (one, other)
            game["error"] = f"{loser} against {winner}: {game['error']}"
    return games
