"""Puzzles as a quiz: the user's moves judged, refuted or answered, and hints one step at a time.

The abilities of the game say which moves win, a look-ahead what the other side does about a move.
"""

from dataclasses import dataclass

from advisor.asp.clingo_api import Term
from advisor.engine.search import FORCED, WIN
from advisor.games.abilities import Abilities
from advisor.lab.replay import look_for_defence
from advisor.limits import Stop

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

    line: tuple[Term, ...]
    outcome: str
    moves: int | None = None


def refuted(game: Abilities, reply: Reply | None) -> str:
    """What a wrong move comes to, in words.

    Args:
        game: the position after it.
        reply: of the other side; None if the game is over.
    """
    if reply is None:
        return "the game is over without a win"
    say = game.phrasing
    line = [say.moves(reply.line[:1]), *say.told(reply.line[:_SHOWN])[1:]]
    answer = f"{say.called(say.turn)} answers {', '.join(line)}"
    if reply.moves is not None:
        return f"{answer}, and the win takes {reply.moves + 1} moves"
    return f"{answer}, and {'wins' if reply.outcome == 'loses' else 'no win is in sight'}"


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
    moves: tuple[Term, ...]
    reply: Reply | None = None


class Attempt:
    """A puzzle that somebody solves.

    Attributes:
        state: where the user is to move, until it is solved.
        left: own moves in which the win has to come.
        wrong, hints: how many there were.
        solved: whether it is.

    Args:
        state: the puzzle's position.
        win_in: own moves until the win.
        step: how many hints there were for this position.
    """

    def __init__(self, state: Abilities, win_in: int, step: int = 0) -> None:
        self.state = state
        self.left = win_in
        self.wrong = self.hints = 0
        self.solved = False
        self._step = step

    def play(self, move: Term, stop: Stop) -> Judged:
        """A legal move of the user's; a wrong one is told and taken back."""
        after = self.state.after(move)
        if _lost(after):
            self.solved = True
            return Judged("solved")
        if move not in self.state.winning(self.left, stop):
            self.wrong += 1
            return Judged("wrong", self._refuted(move, stop))
        answer = reply(after, self.left - 1, stop)
        self.state = after.after(answer.line[0])
        self.left -= 1
        self._step = 0
        return Judged("right", answer)

    def hint(self, stop: Stop) -> Hint:
        """The next step; the last one names the move."""
        right = self.state.winning(self.left, stop)
        totals = self.state.totals(stop)  # a wrong move that looks good comes first
        legal = sorted(self.state.legal().values(), key=lambda move: -totals[move])
        wrong = [move for move in legal if move not in right]
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

    def _refuted(self, move: Term, stop: Stop) -> Reply | None:
        """What the other side does about a wrong move; nothing if the game is over."""
        after = self.state.after(move)
        return None if after.result is not None else reply(after, self.left, stop)


def _lost(game: Abilities) -> bool:
    """Whether the side to move has lost."""
    return game.result is not None and game.result.kind == "loss"


def reply(game: Abilities, moves: int, stop: Stop) -> Reply:
    """The best that the side to move can do, where the other one may win in so many moves.

    Raises:
        KeyboardInterrupt: it was to stop.
    """
    found = look_for_defence(game, moves, stop)
    stop.check()
    return told(game.told(found.variation), found.value)


def told(line: tuple[Term, ...], value: int) -> Reply:
    """The reply that a look-ahead found, with its value for the side that makes it."""
    if value <= -FORCED:
        return Reply(line, "wins", (WIN + value) // 2)
    return Reply(line, "loses" if value >= FORCED else "open")
