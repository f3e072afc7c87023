"""Matches of two players, both sides of every opening."""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from advisor.errors import AdvisorError, ConfigError, EncodingError, InputError
from advisor.files import linefile
from advisor.games import rooms
from advisor.games.game import Game, Position
from advisor.lab.arena import elo, likeness, players
from advisor.lab.arena.contest import Tally
from advisor.lab.arena.likeness import Likeness
from advisor.lab.arena.match import GameRecord, Umpire, random_openings
from advisor.lab.arena.players import Player
from advisor.lab.batch import Sharing, check_sharing, run
from advisor.library import arguments
from advisor.limits import MATCH_GAMES, MAX_DEPTH, Limit
from advisor.settings.config import DEFAULT, content_without_layout
from advisor.views.document import section
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name, quote_text

__all__ = ["GameRecord"]


_COMPARED_DEPTH = 2
"""Maximum depth at which players are compared: many positions tell more than deep ones."""


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
    """A player whose moves another process chooses."""

    choose: MoveChooser = lambda moves, seed: []

    def moves(self, position: Position, stop: Stop, seed: int = 0) -> list[Term]:
        chosen = self.choose(position.moves_line, seed)
        return [position.read_typed(move) for move in chosen]


def make_chooser(player: str, *, depth: int, game: str | None = None) -> MoveChooser:
    """Return what chooses a player's moves; it takes the player's files as they are now.

    >>> make_chooser("default", depth=1)("3344", 1)
    ['5']

    Args:
        player: see `Match`.
        depth: for a player whose name gives none.
        game: see `load_game`.

    Raises:
        InputError, ConfigError, EncodingError: the player cannot be used; the chooser raises them
            if it fails.
    """
    return partial(_choose, players.parse(player, game, limit=Limit(depth)))


def _choose(player: Player, moves: str, seed: int) -> list[str]:
    position = player.game.position(moves)
    return [position.code_of(move) for move in player.moves(position, Stop(), seed)]


def check_player(player: str, *, game: str | None = None) -> None:
    """Raise the error of a player, as a tournament does before it begins.

    Raises:
        InputError, ConfigError, EncodingError.
    """
    players.ready(players.parse(player, game))


def mark_player(player: str, *, depth: int, game: str | None = None) -> Likeness:
    """Return the marks by which a player with weights is compared with others, see `Alike`.

    >>> mark_player("default", depth=0) == mark_player("alex", depth=0)
    False

    Raises:
        InputError, ConfigError, EncodingError: the player cannot be used, or it fails.
    """
    return marks_of(players.parse(player, game, limit=Limit(depth)))


def marks_of(player: Player) -> Likeness:
    """Return the marks of a player, whose look-ahead is compared at a small depth."""
    depth = 1 if player.limit.depth is None else min(player.limit.depth, _COMPARED_DEPTH)
    player = replace(player, limit=Limit(depth))
    openings = likeness.positions_to_compare(player.game)
    moves = likeness.mark_moves(lambda opening: _choose(player, opening, 1), openings)
    return Likeness(likeness.mark(content_without_layout(player.game.settings)), moves)


def play_opening(
    one: MoveChooser, other: MoveChooser, opening: str, *, seed: int = 1, game: str | None = None
) -> list[GameRecord]:
    """Play two games from an opening; `one` begins the first. A failing player loses.

    >>> choose = make_chooser("default", depth=1)
    >>> games = play_opening(choose, lambda moves, seed: ["1"], "3344")
    >>> [game["moves"][:4] for game in games], games[0]["points"]
    (['3344', '3344'], 1.0)
    """
    usual = rooms.name_game(game, DEFAULT, {})
    first, second = _Elsewhere("one", usual, choose=one), _Elsewhere("other", usual, choose=other)
    return Umpire(first, second, arguments.seed(seed), forfeits=(AdvisorError,))(opening, Stop())


def openings(count: int, plies: int, seed: int, *, game: str | None = None) -> list[str]:
    """Return different openings of a game without an immediate win.

    >>> len(openings(3, 4, 1))
    3

    Raises:
        InputError: there are not enough.
    """
    return random_openings(rooms.load(game), count, plies, arguments.seed(seed))


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


def named_errors(one: str, other: str, games: list[GameRecord]) -> list[GameRecord]:
    """Begin each error with the names of its player and of the opponent."""
    for game in games:
        if "error" in game:
            loser, winner = (other, one) if game["points"] else (one, other)
            game["error"] = f"{loser} against {winner}: {game['error']}"
    return games
