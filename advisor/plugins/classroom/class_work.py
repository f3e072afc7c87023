"""Check, play and review untrusted strategies in processes with limits."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import advisor
from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.library import matches
from advisor.plugins.classroom import bounded
from advisor.plugins.classroom.bounded import Confined, ProcessBounds, TellLine, ignore
from advisor.settings.texts import OUTPUTS
from aspcircuits import own_process
from aspcircuits.source import statements
from aspcircuits.texts import quote_text
from aspcircuits.why_not import pattern_text

WEIGHTS, RULES = "weights.yaml", "strategy.lp"
"""Names of the files of a strategy."""

ADVISOR = "default"
"""The player with the advisor's own weights, which joins every tournament."""

PLIES = 4
"""Number of random moves of an opening."""

USUAL = "connect4"

MAX_IDLE = 6 << 30
"""Maximum bytes of all processes that a hall keeps between games.

Libraries that they share count in each, so they need about half of it.
"""

_EXAMPLE, _EXAMPLE_PLIES = "4453625", (6, 4, 2, 1, 0)
_CHECKED_DEPTH, _FAULTS, _EXPLAINED = 2, 3, 12


def make_example(game: str) -> str:
    """Return the moves that lead to the class's example position.

    Raises:
        AdvisorError: the game cannot be played.
    """
    if game == USUAL:
        return _EXAMPLE
    for plies in _EXAMPLE_PLIES:
        with suppress(InputError):
            return matches.openings(1, plies, 1, game=game)[0]
    return ""


def check_strategy(folder: str, game: str) -> None:
    """Check the files of a strategy before any game.

    Raises:
        InputError, ConfigError, EncodingError: the strategy is faulty; the message gives file and
            place.
    """
    file = Path(folder) / WEIGHTS
    presets = advisor.presets(None if game == USUAL else game)
    named = check_names(file, [*dict.fromkeys((ADVISOR, *presets))])
    if RULES not in named and (Path(folder) / RULES).exists():
        raise InputError(
            f"{WEIGHTS}: encodings: does not name {RULES}, so that your rules would not be read "
            f"(add encodings: {{extra: [{RULES}]}} or hand in no rules)"
        )
    matches.check_player(str(file), game=game)


def explain_example(folder: str, game: str, example: str) -> list[dict[str, Any]]:
    """Explain why each strategy of a member's own rules fires in the example position, or why not.

    Raises:
        InputError, EncodingError: the explanation takes too much time or memory.
    """
    rules = Path(folder) / RULES
    heads = (head for statement in statements([rules]) for head in statement.heads)
    moves = (head for head in heads if head.signature in OUTPUTS["moves"])
    names = dict.fromkeys(pattern_text(head.argument(0)) for head in moves)
    position = advisor.load_game(game, weights=str(Path(folder) / WEIGHTS)).position(example)
    found = ((name, advisor.why_fires(position, name)) for name in [*names][:_EXPLAINED])
    told = [{"strategy": name, "why": why.to_json()} for name, why in found]
    shown: list[dict[str, Any]] = json.loads(json.dumps(told).replace(f"{Path(folder).name}/", ""))
    return shown


def mark_strategy(folder: str, game: str) -> tuple[str, str]:
    """Return the marks by which a strategy is compared with others, see `matches.mark_player`.

    Raises:
        InputError, ConfigError, EncodingError: the strategy fails.
    """
    found = matches.mark_player(str(Path(folder) / WEIGHTS), depth=_CHECKED_DEPTH, game=game)
    return found.text, found.moves


_make_chooser = cache(matches.make_chooser)
"""Reading and checking the rules takes far longer than a move, so a process does it once."""


def choose_moves(folder: str, game: str, depth: int, moves: str, seed: int) -> list[str]:
    """Find the moves that the strategy of a folder considers equally good after these moves.

    Raises:
        InputError, ConfigError, EncodingError: the strategy fails.
    """
    return _make_chooser(str(Path(folder) / WEIGHTS), depth=depth, game=game)(moves, seed)


def choose_own_moves(game: str, depth: int, moves: str, seed: int) -> list[str]:
    """Find the moves that the advisor's own weights consider equally good."""
    return _make_chooser(ADVISOR, depth=depth, game=game)(moves, seed)


def end_helpers(*_: object) -> int:
    """End the processes that compiled a strategy; return the bytes that its own one has needed."""
    own_process.end_idle()
    return bounded.peak_memory()


class Hall:
    """Plays games between strategies, each of which runs in its own process.

    If a process exceeds a limit, its own strategy is at fault, never the opponent. Several threads
    may let different strategies play at the same time.

    Args:
        folders: folders of the strategies, by name; `ADVISOR` has none.
        bounds: the limits of a strategy in the two games of an opening.
        game: a name or a folder.
        depth: plies of look-ahead, unless a strategy names its own.
        tell: is called with a line if a strategy takes long to ground.
    """

    def __init__(
        self,
        folders: Mapping[str, Path],
        bounds: ProcessBounds,
        game: str = USUAL,
        depth: int = _CHECKED_DEPTH,
        tell: TellLine = ignore,
    ) -> None:
        self._folders, self._bounds, self._game, self._depth = folders, bounds, game, depth
        self._tell = tell
        self._running: dict[str, Confined] = {}
        self._idle: dict[str, int] = {}  # bytes of each process that waits for its next game
        self._changing = threading.Lock()
        self._stopped = False

    def check(self, name: str) -> None:
        """Check a strategy and let it play two games against the advisor, as in a tournament.

        Raises:
            InputError: the strategy is faulty, or fails in a game.
        """
        self._do(name, check_strategy)
        (opening,) = matches.openings(1, PLIES, 1, game=self._game)
        for game in self.play(name, ADVISOR, opening):
            if "error" in game and not game["points"]:
                raise InputError(game["error"])

    def mark(self, name: str) -> tuple[str, str]:
        """Return the marks of a strategy; empty ones if they take too much."""
        self._process(name).renew()
        try:
            text, moves = self._do(name, mark_strategy)
        except InputError:
            self._end(name)
            return "", ""
        return text, moves

    def explain(self, name: str, example: str) -> list[dict[str, Any]]:
        """Explain why a strategy's own rules fire in the example position, or why not.

        Args:
            name: of the strategy.
            example: the moves that lead to the position.

        Returns:
            An empty list if it has no rules, or if the explanation takes too much.
        """
        folder = self._folders[name]
        if not (folder / RULES).exists():
            return []
        self._process(name).renew()
        try:
            found: list[dict[str, Any]] = self._do(name, explain_example, example)
        except InputError:
            return []
        return found

    def play(self, one: str, other: str, opening: str) -> list[matches.GameRecord]:
        """Play two games from an opening; `one` begins the first. A strategy that fails loses.

        The processes stay for the next games, as long as all of them need little memory.
        """
        with self._changing:
            for name in (one, other):
                self._idle.pop(name, None)
                if name in self._running:
                    self._running[name].renew()
        choose_one, choose_other = partial(self._choose, one), partial(self._choose, other)
        games = matches.play_opening(choose_one, choose_other, opening, game=self._game)
        for name in (one, other):
            self._keep_idle(name)
        return games

    @property
    def ready(self) -> Set[str]:
        """The strategies whose processes wait for a game, so that it begins at once."""
        with self._changing:
            return {*self._idle}

    def _keep_idle(self, name: str) -> None:
        """Let a process wait for its next game; end the largest that wait if all need too much."""
        with self._changing:
            process = self._running.get(name)
        if process is None or self._stopped:
            return
        with suppress(InputError):  # if it is dead, nothing is known of its memory
            memory = process.do(end_helpers)
            with self._changing:
                self._idle[name] = memory
                while sum(self._idle.values()) > MAX_IDLE:
                    largest = max(self._idle, key=self._idle.__getitem__)
                    del self._idle[largest]
                    self._running.pop(largest).end()
            return
        self._end(name)

    def _end(self, name: str) -> None:
        """End a process that may be dead; the next game starts another."""
        with self._changing:
            self._running.pop(name).end()

    def stop(self) -> None:
        """End all games for good, even amid a move; any thread may call this."""
        with self._changing:
            self._stopped = True
            for process in self._running.values():
                process.kill()

    def __enter__(self) -> "Hall":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running.values():
            process.end()

    def _choose(self, name: str, moves: str, seed: int) -> list[str]:
        work = choose_moves if name != ADVISOR else choose_own_moves
        try:
            found: list[str] = self._do(name, work, self._depth, moves, seed)
        except InputError:
            if not self._stopped:
                self._end(name)
            raise
        return found

    def _do(self, name: str, work: Callable[..., Any], *arguments: object) -> Any:
        """Do work in a strategy's process; an error does not tell where the game's folder lies."""
        process = self._process(name)
        try:
            return process.do(work, self._game, *arguments)
        except InputError as error:
            place = f"{Path(self._game).parent}/"
            told = str(error).replace(place, "") if self._game.startswith(place) else str(error)
            raise InputError(told) from None

    def _process(self, name: str) -> Confined:
        with self._changing:
            if self._stopped:
                raise InputError("no more games are played")
            if name not in self._running:
                self._running[name] = Confined(self._bounds, self._folders.get(name), self._tell)
            return self._running[name]


def find_faults(
    game: str, moves: str, begins: bool, opening: int, seconds: float
) -> list[dict[str, Any]]:
    """Find the worst moves of a player in a game, judged by the advisor's own weights.

    Args:
        game: a name or a folder.
        moves: all moves, from the beginning.
        begins: whether the player made the first move.
        opening: number of random moves at the beginning, which are not judged.
        seconds: time for the review.
    """
    position = advisor.load_game(game).position(moves)
    return pick_faults(advisor.review(position, seconds=seconds), moves, begins, opening)


def pick_faults(
    review: advisor.Review, moves: str, begins: bool, opening: int
) -> list[dict[str, Any]]:
    """Pick the worst errors of a player in a reviewed game; see `find_faults`."""
    chosen = (move for move in review.moves if move.ply > opening and move.side == (not begins))
    errors = (move for move in chosen if move.error)
    worst = sorted(errors, key=lambda move: -move.mark.drop)[:_FAULTS]
    return [
        {
            "ply": move.ply,
            "move": move.name,
            "grade": move.mark.grade,
            "better": list(move.better),
            "moves": _first_moves(moves, move.ply - 1),
        }
        for move in sorted(worst, key=lambda move: move.ply)
    ]


def _first_moves(moves: str, count: int) -> str:
    """Return the beginning of a game, whose moves are words, or columns of one letter each."""
    words = moves.split()
    return " ".join(words[:count]) if len(words) > 1 else moves[:count]


def check_names(file: Path, presets: Sequence[str]) -> set[str]:
    """Check that a weights file only names these presets and encodings beside it.

    Returns:
        The encodings that it names.

    Raises:
        InputError: the file is no YAML, or names something else; the message says what.
    """
    text, named = textfile.read_text(file), set[str]()
    with at(WEIGHTS):
        said, _ = textfile.parse_yaml(text)
    for key, value in said.items() if isinstance(said, dict) else ():
        if key in ("extends", "other_boards") and value not in presets:
            raise InputError(
                f"{WEIGHTS}: {key}: {textfile.show_value(value)} (use one of {', '.join(presets)})"
            )
        if key == "encodings":
            named |= {*_names(value)}
            for name in sorted(named):
                if name != Path(name).name or name.startswith((".", "~")) or "\\" in name:
                    raise InputError(
                        f"{WEIGHTS}: encodings: {quote_text(name)} (use {RULES} or a name "
                        "of the advisor's own encodings)"
                    )
    return named


def _names(said: Any) -> Iterator[str]:
    """Yield all texts in a part of a weights file, keys included."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, dict | list):
        for part in (*said, *(said.values() if isinstance(said, dict) else ())):
            yield from _names(part)
