"""Puzzles of any game replayed, as those of Connect Four are; see `advisor.lab.replay`."""

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from advisor.advice.choice import choose
from advisor.asp.clingo_api import Term
from advisor.games import knowledge
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.playing import Playing
from advisor.games.puzzles import Posed, load
from advisor.games.rules import read
from advisor.lab.batch import Work
from advisor.lab.replay import Verdict, replay
from advisor.limits import NO_LIMIT, Limit, Stop
from advisor.settings.config import DEFAULT


@dataclass(frozen=True, slots=True)
class State:
    """A state of a game as `advisor.lab.replay` plays it."""

    playing: Playing

    plies_left = 1 << 10

    @property
    def key(self) -> tuple[bytes, int]:
        """What tells it from others of the same puzzle."""
        return self.playing.row.tobytes(), len(self.playing.moves)

    def after(self, move: Term) -> "State":
        """The state after a legal move."""
        return State(self.playing.play(move))

    def result(self) -> int | None:
        """None while the game goes on; then 1, 0 or -1 for the side that would be to move."""
        if not self.playing.over:
            return None
        if self.playing.winner is None:
            return 0
        return 1 if self.playing.winner == self.playing.turn else -1


@dataclass(frozen=True, slots=True)
class _Posed:
    """A puzzle at its first state."""

    id: str
    position: State
    win_in: int


def solve(
    game: Circuits, posed: Posed, limit: Limit, every_defence: bool, stop: Stop
) -> tuple[Verdict, Playing]:
    """How a puzzle goes, and where it begins.

    Args:
        game: see `loaded`.
        posed: the puzzle.
        limit: of the attacker's moves; by default as many plies as the win takes.
        every_defence: instead of the replies that lose last.
        stop: ends it with a KeyboardInterrupt.

    Raises:
        InputError: its position is none, or its solution no move.
    """
    begun = Playing.of(game, posed.text)
    for solution in posed.solution:
        begun.move(solution, f"{posed.id}: ")

    def left(state: State) -> int:
        """Plies until the win, with best play."""
        made = len(state.playing.moves) - len(begun.moves)
        return max(1, 2 * posed.win_in - 1 - made)

    def attack(state: State) -> Term:
        found = choose(RuleAbilities(state.playing), limit.otherwise(left(state)), stop).line[0]
        stop.check()
        return found

    def defend(state: State) -> list[Term]:
        if every_defence:
            return state.playing.legal
        found = choose(RuleAbilities(state.playing), Limit(left(state)), stop).line[:1]
        stop.check()
        return [*found]

    first = _Posed(posed.id, State(begun), posed.win_in)
    verdict = replay(first, attack, defend, max_moves=posed.win_in)
    codes = tuple(map(begun.notation.code, verdict.line))
    return replace(verdict, line=codes), begun


def player(game: str, weights: str, limit: Limit, every_defence: bool) -> Work[dict[str, Any]]:
    """What replays the puzzle with an id and tells its verdict as JSON."""
    return partial(_play, game, weights, limit, every_defence)


def _play(
    game: str, weights: str, limit: Limit, every_defence: bool, puzzle_id: str, stop: Stop
) -> dict[str, Any]:
    posed = load(game, puzzle_id)
    circuits = loaded(game, weights, limit, tuple(posed.constants.items()))
    return solve(circuits, posed, limit, every_defence, stop)[0].to_json()


@lru_cache(maxsize=2)
def loaded(
    game: str, weights: str, limit: Limit, constants: tuple[tuple[str, int], ...] = ()
) -> Circuits:
    """A game as its puzzles are replayed: a look-ahead as far as the win needs only its rules."""
    if limit == NO_LIMIT and weights == DEFAULT:
        return Circuits(read(game, constants=dict(constants)))
    return knowledge.load(game, weights, dict(constants))[0]
