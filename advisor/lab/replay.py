"""Puzzles replayed: the advisor against the defence that resists longest, or against all."""

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from advisor.advice.choice import choose
from advisor.asp.clingo_api import Term
from advisor.engine.search import Result, search
from advisor.games import puzzles, rooms
from advisor.games.abilities import Abilities
from advisor.games.puzzles import Posed
from advisor.games.room import Room
from advisor.lab.batch import Work
from advisor.limits import NO_LIMIT, Limit, Stop
from advisor.settings.config import DEFAULT

Attack = Callable[[Abilities], Term]
"""Picks the attacker's move in a position."""

Defence = Callable[[Abilities], Sequence[Term]]
"""Names the replies that the attacker has to beat."""

_Line = tuple[bool, tuple[Term, ...]]
"""Whether the attacker wins, and the moves played."""

_NOT_WON: _Line = (False, ())


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a puzzle went.

    Attributes:
        puzzle: which one.
        begun: its position.
        line: the moves played.
        moves_used: own moves until the win; None if there was none.
        seconds: for all moves of both sides.
    """

    puzzle: Posed
    begun: Abilities
    line: tuple[Term, ...]
    moves_used: int | None
    seconds: float

    @property
    def solved(self) -> bool:
        """Whether it was won in the book's number of moves."""
        return self.moves_used is not None and self.moves_used <= self.puzzle.win_in

    def to_json(self) -> dict[str, object]:
        """The verdict as the ``--json`` outputs give it."""
        line = [*map(self.begun.phrasing.code, self.line)]
        return {
            "id": self.puzzle.id,
            "win_in": self.puzzle.win_in,
            "solved": self.solved,
            "moves_used": self.moves_used,
            "first_move": line[0],
            "line": line,
            "seconds": round(self.seconds, 4),
        }


def replay(
    puzzle: Posed,
    begun: Abilities,
    attack: Attack,
    defence: Defence,
    max_moves: int | None = None,
) -> Verdict:
    """Plays a puzzle out, against every reply that the defence names.

    Args:
        puzzle: the player to move at its start is the attacker.
        begun: its position; see `begin`.
        attack: picks the attacker's moves.
        defence: the replies to try, at least one; one alone makes a single game.
        max_moves: the attacker's; a game that is not won by then counts as not won.

    Returns:
        The verdict on a line that is not won, or otherwise on the longest line.
    """
    started = time.monotonic()
    known: dict[Hashable, _Line] = {}

    def worst(game: Abilities, moves_left: int) -> _Line:
        if game.key not in known:
            known[game.key] = _worst(game, moves_left)
        return known[game.key]

    def _worst(game: Abilities, moves_left: int) -> _Line:
        move = attack(game)
        after = game.after(move)
        result = after.result
        if result is not None or moves_left == 1:
            return result is not None and result.kind == "loss", (move,)
        longest: _Line = (True, ())
        for reply in defence(after):
            reached = after.after(reply)
            won, rest = _NOT_WON
            if reached.result is None:
                won, rest = worst(reached, moves_left - 1)
            line = (move, reply, *rest)
            if not won:
                return False, line
            longest = max(longest, (True, line), key=lambda found: len(found[1]))
        return longest

    won, line = worst(begun, max_moves or begun.root().plies_left)
    used = (len(line) + 1) // 2 if won else None
    return Verdict(puzzle, begun, line, used, time.monotonic() - started)


def look_for_defence(
    game: Abilities,
    moves: int,
    stop: Stop,
    on_iteration: Callable[[Result], None] | None = None,
) -> Result:
    """Looks for the replies that lose last, as far as twice this number of moves shows."""
    evaluator = game.evaluator(stop)
    return search(game.root(), evaluator, depth=2 * moves, stop=stop, on_iteration=on_iteration)


def longest_defence(puzzle: Posed, stop: Stop | None = None) -> Defence:
    """The replies that lose last, by a look-ahead twice as deep as the book's number of moves.

    It raises KeyboardInterrupt where it was to stop.
    """
    heard = stop or Stop()

    def defend(game: Abilities) -> list[Term]:
        found = look_for_defence(game, puzzle.win_in, heard)
        heard.check()
        legal = game.legal()
        return [legal[number] for number in found.best]

    return defend


def all_defences(game: Abilities) -> list[Term]:
    """Every reply."""
    return [*game.legal().values()]


def enough(limit: Limit, puzzle: Posed, begun: Abilities, usual: int | None) -> Limit:
    """How far the attacker looks: by default as the settings say, or farther if the win needs it.

    Args:
        limit: that the user asks for.
        puzzle, begun: see `replay`.
        usual: the depth of the settings.
    """
    return limit.otherwise(max(usual or 0, 2 * puzzle.win_in - 1 - begun.foresees))


def begin(
    puzzle: Posed, weights: str = DEFAULT, limit: Limit = NO_LIMIT
) -> tuple[Abilities, int | None]:
    """The position of a puzzle by the weights of who replays it, and the depth of these.

    A look-ahead as far as the win needs asks no more of a game than its rules where the weights
    are the usual ones.

    Raises:
        InputError: there is none, or its solution is no move.
        ConfigError, EncodingError: weights that cannot be used.
    """
    alone = weights == DEFAULT and limit == NO_LIMIT
    room = _room(puzzle.game, None if alone else weights, tuple(puzzle.constants.items()))
    begun = room.see(puzzle.position)
    for move in puzzle.solution:
        begun.find(str(move), f"{puzzle.id}: ")
    return begun, room.settings.depth


@lru_cache(maxsize=2)
def _room(game: str, weights: str | None, constants: tuple[tuple[str, int], ...]) -> Room:
    return rooms.load(game, weights, dict(constants))


def player(
    weights: str, limit: Limit, every_defence: bool, game: str | None = None
) -> Work[dict[str, Any]]:
    """What replays the puzzle with an id and tells its verdict as JSON.

    Args:
        weights: of the attacker.
        limit: see `enough`.
        every_defence: against `all_defences`, not the longest.
        game: whose puzzles they are; None for the usual one.
    """
    return partial(_play, weights, limit, every_defence, game)


def _play(
    weights: str,
    limit: Limit,
    every_defence: bool,
    game: str | None,
    puzzle_id: str,
    stop: Stop,
) -> dict[str, Any]:
    puzzle = puzzles.load(puzzle_id, game)
    begun, usual = begin(puzzle, weights, limit)
    limit = enough(limit, puzzle, begun, usual)

    def attack(position: Abilities) -> Term:
        found = choose(position, limit, stop, followed=False).move
        stop.check()
        return found

    defence = all_defences if every_defence else longest_defence(puzzle, stop)
    return replay(puzzle, begun, attack, defence, puzzle.win_in).to_json()
