"""Short forced wins, played out against every reply: which lines does the winner complete?

A search says that a position is won; people ask where. The answer here is exact or none at all.
"""

from functools import lru_cache

from advisor.games.connect4.board import Board
from advisor.games.phrasing import Cell

Line = tuple[Cell, ...]

BUDGET = 4_000
"""Positions looked at before giving up; about a tenth of a second."""


@lru_cache(maxsize=128)
def completed_lines(
    position: Board, player: int, moves: int, budget: int = BUDGET
) -> tuple[Line, ...] | None:
    """Lines of which a player completes one within so many own moves, whatever the opponent does.

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
    """The lines with which the game has been won."""
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
        """Collects the lines of the soonest win of the player to move; False if there is none."""
        if position.wins_at_once():
            self.lines |= self._finish(position)
            return True
        for soonest in range(2, moves + 1):
            column = self._winner(position, soonest)
            if column:
                return self.defend(position.after(column), soonest - 1)
        return False

    def defend(self, position: Board, moves: int) -> bool:
        """Collects the lines that end the game after each reply; False if one is no loss."""
        if not self._loses(position, moves):
            return False
        if position.key not in self._collected:
            self._collected.add(position.key)
            for reply in position.moves():
                self.attack(position.after(reply), moves)
        return True

    def _finish(self, position: Board) -> set[Line]:
        """What an immediate win completes, if possible a line that is collected already."""
        finishes = [{*ending_lines(position.after(column))} for column in position.moves()]
        return next(
            (lines for lines in finishes if lines & self.lines),
            next(filter(None, finishes)),
        )

    def _winner(self, position: Board, moves: int) -> int:
        """A column that wins within so many own moves, more than one; 0 if there is none."""
        state = (position.key, moves)
        if moves > 1 and state not in self._known:
            self._known[state] = next(
                (c for c in position.candidates() if self._loses(position.after(c), moves - 1)), 0
            )
        return self._known.get(state, 0)

    def _loses(self, position: Board, moves: int) -> bool:
        """Whether the player to move loses within so many moves of the winner."""
        self._left -= 1
        if self._left < 0:
            raise _OutOfBudgetError
        if position.full or position.wins_at_once():
            return False
        replies = map(position.after, position.candidates())
        return all(reply.wins_at_once() or self._winner(reply, moves) for reply in replies)
