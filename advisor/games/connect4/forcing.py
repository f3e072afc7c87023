"""Short forced wins, played out against every reply: the lines that the winner completes.

A search says that a position is won; this module shows where. Its answer is exact, or there is
none.
"""

from functools import lru_cache

from advisor.games.connect4.board import Board
from advisor.games.phrasing import Cell

Line = tuple[Cell, ...]

BUDGET = 4_000
"""Positions visited before giving up; about a tenth of a second."""


@lru_cache(maxsize=128)
def completed_lines(
    position: Board, player: int, moves: int, budget: int = BUDGET
) -> tuple[Line, ...] | None:
    """Return the lines of which a player completes one within `moves` own moves, by force.

    They end the game under one fixed plan against all replies, in ascending order. None if there is
    no such plan, or if the budget of positions was too small to find it.
    """
    plan = _Plan(budget)
    try:
        won = (plan.attack if position.turn == player else plan.defend)(position, moves)
    except _OutOfBudgetError:
        return None
    return tuple(sorted(plan.lines)) if won else None


def ending_lines(position: Board) -> tuple[Line, ...]:
    """Return the lines that won the game."""
    return tuple(tuple(sorted(line)) for line in position.lines())


class _OutOfBudgetError(Exception):
    pass


class _Plan:
    """Proves that a win holds, then collects the lines that end it."""

    def __init__(self, budget: int) -> None:
        self.lines: set[Line] = set()
        self._left = budget
        self._known: dict[tuple[int, int], int] = {}
        self._collected: set[int] = set()

    def attack(self, position: Board, moves: int) -> bool:
        """Collect the lines of the soonest win of the player to move; False if there is none."""
        if position.wins_at_once():
            self.lines |= self._finish(position)
            return True
        for soonest in range(2, moves + 1):
            column = self._winner(position, soonest)
            if column:
                return self.defend(position.after(column), soonest - 1)
        return False

    def defend(self, position: Board, moves: int) -> bool:
        """Collect the lines that end the game after each reply; False if a reply does not lose."""
        if not self._loses(position, moves):
            return False
        if position.key not in self._collected:
            self._collected.add(position.key)
            for reply in position.moves():
                self.attack(position.after(reply), moves)
        return True

    def _finish(self, position: Board) -> set[Line]:
        """Return the lines that an immediate win completes, preferring one collected already."""
        finishes = [{*ending_lines(position.after(column))} for column in position.moves()]
        return next(
            (lines for lines in finishes if lines & self.lines),
            next(filter(None, finishes)),
        )

    def _winner(self, position: Board, moves: int) -> int:
        """Return a column that wins within `moves` own moves, more than one; 0 if there is none."""
        state = (position.key, moves)
        if moves > 1 and state not in self._known:
            self._known[state] = next(
                (c for c in position.candidates() if self._loses(position.after(c), moves - 1)), 0
            )
        return self._known.get(state, 0)

    def _loses(self, position: Board, moves: int) -> bool:
        """Return whether the player to move loses within `moves` moves of the winner."""
        self._left -= 1
        if self._left < 0:
            raise _OutOfBudgetError
        if position.full or position.wins_at_once():
            return False
        replies = map(position.after, position.candidates())
        return all(reply.wins_at_once() or self._winner(reply, moves) for reply in replies)
