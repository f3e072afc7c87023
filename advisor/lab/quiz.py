"""Puzzles as a quiz: the user's moves judged, refuted or answered, and hints one step at a time.

Knows no game: a `Teacher` says which moves win, and what the other side does about a move.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from advisor.advice.advise import Advisor
from advisor.advice.choice import choose
from advisor.engine.forced_wins import ForcedWins
from advisor.engine.search import FORCED, WIN
from advisor.games.by_rules import RuleAbilities
from advisor.games.connect4.board import Position
from advisor.lab.game_replay import State
from advisor.lab.posing.connect4 import winning
from advisor.lab.replay import look_for_defence
from advisor.limits import Limit, Stop

_SHOWN = 4
"""Plies of a refutation that are told."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the other side does.

    Attributes:
        line: its best move and what is expected after it, as far as that is known.
        outcome: what that comes to for the user: "wins", or "loses", or "open" if neither is in
            sight.
        moves: of the user until he wins.
    """

    line: tuple[Any, ...]
    outcome: str
    moves: int | None = None


def refutation(player: str, line: Sequence[str], reply: Reply) -> str:
    """What a wrong move comes to, in words.

    Args:
        player: who replies.
        line: the moves of the reply by name.
    """
    answer = f"{player} answers {', '.join(line[:_SHOWN])}"
    if reply.moves is not None:
        return f"{answer}, and the win takes {reply.moves + 1} moves"
    return f"{answer}, and {'wins' if reply.outcome == 'loses' else 'no win is in sight'}"


class Teacher(Protocol):
    """Knows a game. Whatever looks ahead raises KeyboardInterrupt where it is to stop."""

    def winning(self, state: Any, moves: int, stop: Stop) -> list[Any]:
        """The moves that win within so many own moves, this one included."""

    def reply(self, state: Any, moves: int, stop: Stop) -> Reply:
        """The best that the side to move can do, where the other one may win in so many moves."""

    def moves(self, state: Any, stop: Stop) -> Sequence[Any]:
        """The legal moves, those first that look best."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of the user's.

    Attributes:
        verdict: "solved"; "right", the win is still in time; or "wrong".
        reply: the longest defence against a right move, the refutation of a wrong one.
    """

    verdict: str
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Hint:
    """A step towards the solution.

    Attributes:
        kind: "not", a move that does not win; "among", two of which one does; "is", one that does.
        moves: those that are meant.
        reply: what refutes the move of "not".
    """

    kind: str
    moves: tuple[Any, ...]
    reply: Reply | None = None


class Attempt:
    """A puzzle that somebody solves.

    Attributes:
        state: where the user is to move, until it is solved.
        left: own moves in which the win has to come.
        wrong, hints: how many there were.
        solved: whether it is.

    Args:
        teacher: of the game.
        state: the puzzle's position.
        win_in: own moves until the win.
        step: how many hints there were for this position.
    """

    def __init__(self, teacher: Teacher, state: Any, win_in: int, step: int = 0) -> None:
        self._teacher = teacher
        self.state = state
        self.left = win_in
        self.wrong = self.hints = 0
        self.solved = False
        self._step = step

    def play(self, move: Any, stop: Stop) -> Judged:
        """A legal move of the user's; a wrong one is told and taken back."""
        after = self.state.after(move)
        if after.result() == -1:
            self.solved = True
            return Judged("solved")
        if move not in self._teacher.winning(self.state, self.left, stop):
            self.wrong += 1
            return Judged("wrong", self._refuted(move, stop))
        reply = self._teacher.reply(after, self.left - 1, stop)
        self.state = after.after(reply.line[0])
        self.left -= 1
        self._step = 0
        return Judged("right", reply)

    def hint(self, stop: Stop) -> Hint:
        """The next step; the last one names the move."""
        right = self._teacher.winning(self.state, self.left, stop)
        wrong = [move for move in self._teacher.moves(self.state, stop) if move not in right]
        steps = ["is"]
        if wrong:
            steps = ["not", "among", "is"] if len(wrong) > 1 else ["not", "is"]
        kind = steps[min(self._step, len(steps) - 1)]
        self._step += 1
        self.hints += 1
        if kind == "not":
            return Hint(kind, (wrong[0],), self._refuted(wrong[0], stop))
        if kind == "among":
            return Hint(kind, tuple(sorted((right[0], wrong[1]), key=str)))
        return Hint(kind, (right[0],))

    def _refuted(self, move: Any, stop: Stop) -> Reply | None:
        """What the other side does about a wrong move; nothing if the game is over."""
        after = self.state.after(move)
        return None if after.result() is not None else self._teacher.reply(after, self.left, stop)


class Connect4Teacher:
    """See `Teacher`; by the exact solver and the look-ahead."""

    def __init__(self, advisor: Advisor) -> None:
        self._advisor = advisor

    def winning(self, state: Position, moves: int, stop: Stop) -> list[int]:
        """See `Teacher`."""
        return winning(self._advisor.knows.solver(state.geometry), state, moves, stop)

    def reply(self, state: Position, moves: int, stop: Stop) -> Reply:
        """See `Teacher`."""
        found = look_for_defence(state, moves, self._advisor, stop)
        stop.check()
        return told(found.variation, found.value)

    def moves(self, state: Position, stop: Stop) -> list[int]:
        """See `Teacher`."""
        totals = self._advisor.knows.strategies(state.geometry, stop).totals(state)
        return sorted(state.moves(), key=lambda column: -totals[column])


class AnyTeacher:
    """See `Teacher`; for a game by its rules alone."""

    def winning(self, state: State, moves: int, stop: Stop) -> list[Any]:
        """See `Teacher`."""
        playing = state.playing
        wins = ForcedWins(playing.game, np.random.default_rng(0), stop)
        return [playing.name(number) for number in wins.first_moves(playing.row, moves)]

    def reply(self, state: State, moves: int, stop: Stop) -> Reply:
        """See `Teacher`."""
        found = choose(RuleAbilities(state.playing), Limit(2 * moves), stop)
        stop.check()
        return told(found.line, found.value)

    def moves(self, state: State, stop: Stop) -> list[Any]:
        """See `Teacher`."""
        return state.playing.legal


def told(line: tuple[Any, ...], value: int) -> Reply:
    """The reply that a look-ahead found, with its value for the side that makes it."""
    if value <= -FORCED:
        return Reply(line, "wins", (WIN + value) // 2)
    return Reply(line, "loses" if value >= FORCED else "open")
