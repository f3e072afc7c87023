"""Puzzles replayed: the advisor against the defence that resists longest, or against all."""

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from advisor.advice.advise import Advisor
from advisor.engine.search import Result, search
from advisor.games.connect4 import puzzles
from advisor.games.connect4.board import Position
from advisor.games.connect4.puzzles import Puzzle
from advisor.lab.batch import Work
from advisor.limits import Limit, Stop
from advisor.settings.config import Config

Attack = Callable[[Any], Any]
"""Picks the attacker's move in a position: in Connect Four a column."""

Defence = Callable[[Any], list[Any]]
"""Names the replies that the attacker has to beat."""

_Line = tuple[bool, tuple[Any, ...]]
"""Whether the attacker wins, and the moves played."""


class Posed(Protocol):
    """A puzzle of any game; its position tells key, after, result and plies_left."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def position(self) -> Any:
        """Whose side to move is the attacker."""

    @property
    def win_in(self) -> int:
        """The own moves that the win takes."""


_NOT_WON: _Line = (False, ())


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a puzzle went.

    Attributes:
        puzzle: which one.
        line: the moves played.
        moves_used: own moves until the win; None if there was none.
        seconds: for all moves of both sides.
    """

    puzzle: Posed
    line: tuple[Any, ...]
    moves_used: int | None
    seconds: float

    @property
    def solved(self) -> bool:
        """Whether it was won in the book's number of moves."""
        return self.moves_used is not None and self.moves_used <= self.puzzle.win_in

    def to_json(self) -> dict[str, object]:
        """The verdict as the ``--json`` outputs give it."""
        return {
            "id": self.puzzle.id,
            "win_in": self.puzzle.win_in,
            "solved": self.solved,
            "moves_used": self.moves_used,
            "first_move": self.line[0],
            "line": list(self.line),
            "seconds": round(self.seconds, 4),
        }


def replay(
    puzzle: Posed, attack: Attack, defence: Defence, max_moves: int | None = None
) -> Verdict:
    """Plays a puzzle out, against every reply that the defence names.

    Args:
        puzzle: the player to move at its start is the attacker.
        attack: picks the attacker's moves.
        defence: the replies to try, at least one; one alone makes a single game.
        max_moves: the attacker's; a game that is not won by then counts as not won.

    Returns:
        The verdict on a line that is not won, or otherwise on the longest line.
    """
    started = time.monotonic()
    known: dict[Hashable, _Line] = {}

    def worst(position: Any, moves_left: int) -> _Line:
        if position.key not in known:
            known[position.key] = _worst(position, moves_left)
        return known[position.key]

    def _worst(position: Any, moves_left: int) -> _Line:
        move = attack(position)
        after = position.after(move)
        if after.result() is not None or moves_left == 1:
            return after.result() == -1, (move,)
        longest: _Line = (True, ())
        for reply in defence(after):
            reached = after.after(reply)
            won, rest = _NOT_WON
            if reached.result() is None:
                won, rest = worst(reached, moves_left - 1)
            line = (move, reply, *rest)
            if not won:
                return False, line
            longest = max(longest, (True, line), key=lambda found: len(found[1]))
        return longest

    won, line = worst(puzzle.position, max_moves or puzzle.position.plies_left)
    used = (len(line) + 1) // 2 if won else None
    return Verdict(puzzle, line, used, time.monotonic() - started)


def look_for_defence(
    position: Position,
    moves: int,
    advisor: Advisor,
    stop: Stop,
    on_iteration: Callable[[Result], None] | None = None,
) -> Result:
    """Looks for the replies that lose last, as far as twice this number of moves shows."""
    evaluator = advisor.knows.evaluator(position.geometry, stop)
    return search(position, evaluator, depth=2 * moves, stop=stop, on_iteration=on_iteration)


def longest_defence(puzzle: Puzzle, advisor: Advisor, stop: Stop | None = None) -> Defence:
    """The replies that lose last, by a look-ahead twice as deep as the book's number of moves.

    It raises KeyboardInterrupt where it was to stop.
    """
    heard = stop or Stop()

    def defend(position: Position) -> list[int]:
        found = look_for_defence(position, puzzle.win_in, advisor, heard)
        heard.check()
        return list(found.best)

    return defend


def enough(limit: Limit, puzzle: Puzzle, config: Config) -> Limit:
    """How far the attacker looks: by default as the settings say, or farther if the win needs it.

    A look-ahead sees what is decided two plies beyond its depth (``forced.lp``).
    """
    return limit.otherwise(max(config.depth or 0, 2 * puzzle.win_in - 3))


def all_defences(position: Position) -> list[int]:
    """Every reply."""
    return position.moves()


def player(config: Config, limit: Limit, every_defence: bool) -> Work[dict[str, Any]]:
    """What replays the puzzle with an id and tells its verdict as JSON.

    Args: see `advisor.advice.advise.Advisor`; `every_defence` is `all_defences`, not the longest.
    """
    return partial(_play, Advisor(config), limit, every_defence)


def _play(
    advisor: Advisor, limit: Limit, every_defence: bool, puzzle_id: str, stop: Stop
) -> dict[str, Any]:
    puzzle = puzzles.load(puzzle_id)
    limit = enough(limit, puzzle, advisor.config)
    verdict = replay(
        puzzle,
        lambda position: advisor.choose(position, limit, stop=stop),
        all_defences if every_defence else longest_defence(puzzle, advisor, stop),
        max_moves=puzzle.win_in,
    )
    return verdict.to_json()
