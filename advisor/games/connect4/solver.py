"""Exact scores by search to the end of the game, on a board of any size.

Scores are Pascal Pons' ("Solving Connect 4"), for any board: a win scores
``(width * height + 1 - discs on the board before the winning disc) // 2``, a loss the negative of
the winner's score, a draw 0, always for the side to move. Only the number of discs counts, not
whose they are, so composed positions in which the turn does not follow from the discs score too.

The search asks null-window questions only: "is the score at least `limit`?" It plays no move that
loses on the next turn, tries first the moves that make most new winning squares, and keeps what it
proved in a table. Where nothing is open to a player any more, or the other can answer every move
in the same column (Allis' claimeven), it stops early.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

from advisor.games.connect4.board import Geometry, Position
from advisor.games.examples import sign
from advisor.limits import Stop

Outcome = Literal["win", "draw", "loss"]

# Each of the two tables is emptied when it holds this many entries (about 100 bytes each).
_TABLE_LIMIT = 1 << 21

# A position and its mirror image share their entry while so few discs are on the board: later
# on hardly a position meets its mirror image, and finding the image costs more than it saves.
_MIRROR_DISCS = 12

# The stop is looked at once in so many positions.
_LISTEN_MASK = 63

_FIRST = itemgetter(0)


@dataclass(frozen=True, slots=True)
class Solution:
    """What is proved about the score of a position, for the side to move.

    Attributes:
        lower: the score is at least this.
        upper: the score is at most this.
        nodes: positions searched for it.
        seconds: time spent on it.
    """

    lower: int
    upper: int
    nodes: int = 0
    seconds: float = 0.0

    @property
    def score(self) -> int | None:
        """The exact score, None if it is not proved."""
        return self.lower if self.lower == self.upper else None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome for the side to move, None if not proved; may be known before `score`."""
        if self.lower > 0:
            return "win"
        if self.upper < 0:
            return "loss"
        return "draw" if self.lower == self.upper == 0 else None

    def __neg__(self) -> "Solution":
        """The same from the other player's point of view."""
        return Solution(-self.upper, -self.lower, self.nodes, self.seconds)


Solve = Callable[[Position, Stop, Callable[[Solution], None]], Solution]
"""(position, stop, on_progress) -> what is proved: `Solver.solve` and what can stand for it."""


def known_bounds(position: Position) -> Solution:
    """What is known without search: the score of a finished game or of a win with the next disc,
    otherwise the scores of the soonest win and the soonest loss still possible.

    A finished game keeps the score that its last disc brought.
    """
    squares, discs = position.geometry.squares, position.discs
    winner = position.winner
    if winner:
        score = (squares + 2 - discs) // 2
        score = score if winner == position.turn else -score
        return Solution(score, score)
    if position.winning_squares(position.turn) & position.playable:
        score = (squares + 1 - discs) // 2
        return Solution(score, score)
    return Solution(-((squares - discs) // 2), (squares - discs - 1) // 2 if squares > discs else 0)


def winner_moves(position: Position, score: int) -> int | None:
    """How many discs the winner still plays, the winning one included; None for a draw.

    Args:
        position: a position whose game is not over.
        score: its exact score, for the side to move.
    """
    left = position.geometry.squares - position.discs
    if score == 0:
        return None
    return (left + 1) // 2 - score + 1 if score > 0 else left // 2 + score + 1


def undominated(solutions: Mapping[int, Solution]) -> list[int]:
    """The moves of which it is not proved that another is as good and may be better.

    Only win, draw and loss count here, not when the game ends.

    Args:
        solutions: of moves, from the view of the player who makes them.
    """
    ranges = {
        move: (sign(solution.lower), sign(solution.upper)) for move, solution in solutions.items()
    }
    return [
        move
        for move, (least, greatest) in ranges.items()
        if not any(low >= greatest and high > least for low, high in ranges.values())
    ]


def solve(
    position: Position,
    stop: Stop | None = None,
    on_progress: Callable[[Solution], None] | None = None,
) -> Solution:
    """The exact score of a position, or its bounds when it is to stop: see `Solver.solve`."""
    return Solver(position.geometry).solve(position, stop, on_progress)


def solve_columns(
    position: Position,
    stop: Stop | None = None,
    on_progress: Callable[[dict[int, Solution]], None] | None = None,
    *,
    solve: Solve | None = None,
) -> dict[int, Solution]:
    """The exact score of every move, for the player who makes it; by column, from 1.

    Full columns are left out; a finished game has none. The time is shared out evenly among the
    columns, what one leaves over goes to the rest.

    Args:
        position, stop, on_progress: as in `Solver.solve`.
        solve: what scores the position after a move; one `Solver` for all of them by default.
    """
    stop = stop or Stop()
    score = solve or Solver(position.geometry).solve
    report = on_progress or (lambda _: None)
    moves = position.moves() if position.result() is None else []
    solutions = {column: -known_bounds(position.after(column)) for column in sorted(moves)}
    for i, column in enumerate(moves):

        def narrowed(child: Solution, column: int = column) -> None:
            solutions[column] = -child
            report(dict(solutions))

        share = stop.within(stop.seconds_left / (len(moves) - i))
        solutions[column] = -score(position.after(column), share, narrowed)
    return solutions


class _StoppedError(Exception):
    """Unwinds the search; what it proved so far is in the table."""


class Solver:
    """Solves positions of one geometry; what it proves about one serves the next.

    It may be interrupted anywhere (Ctrl-C included) and used again: only finished proofs are kept.
    """

    def __init__(self, geometry: Geometry) -> None:
        g = self._geometry = geometry
        self._nodes = 0
        self._stop = Stop()
        self._at_least: dict[int, int] = {}
        self._at_most: dict[int, int] = {}
        self._completing = _completing(g)
        # One column wider than the board, so that no line runs from one copy into the next
        # without a hole between them, where nobody can play.
        spacing = g.stride * (g.width + 1)
        self._copies = sum(1 << (i * spacing) for i in range(g.width))
        self._own_column = sum(bits << (i * spacing) for i, bits in enumerate(g.columns))
        self._slots = tuple((g.columns[c - 1], (c - 1) * spacing) for c in g.centre_first)
        self._mirror_left = g.squares - _MIRROR_DISCS
        # Where every column has an even number of empty squares, each disc can be answered on
        # top of it: then the side to move gets these squares and no other.
        self._answered = sum(g.bottom << row for row in range(g.height % 2, g.height, 2))

    def solve(
        self,
        position: Position,
        stop: Stop | None = None,
        on_progress: Callable[[Solution], None] | None = None,
    ) -> Solution:
        """The exact score of a position, for the side to move; its bounds when it is to stop.

        Quick wins and losses are looked for first, then later and later ones, so that bounds
        say something even where the end is out of reach.

        Args:
            position: any position, a finished game included.
            stop: looked at every few positions; None for never.
            on_progress: called with what is proved, before the search and after every step.
        """
        started, nodes = time.monotonic(), self._nodes
        self._stop = stop or Stop()
        known = known_bounds(position)
        lower, upper = known.lower, known.upper

        def proved() -> Solution:
            return Solution(lower, upper, self._nodes - nodes, time.monotonic() - started)

        report = on_progress or (lambda _: None)
        limits = _outside_in(lower, upper)
        with _recursion(position.geometry.squares):
            while lower < upper:
                report(proved())
                middle = (lower + upper + 1) // 2
                limit = next((x for x in limits if lower < x <= upper), middle)
                try:
                    value = self._ask(position, limit)
                except _StoppedError:
                    break
                if value >= limit:
                    lower = value
                else:
                    upper = value
        final = proved()
        report(final)
        return final

    def outcomes(
        self,
        position: Position,
        stop: Stop | None = None,
        on_progress: Callable[[dict[int, Solution]], None] | None = None,
    ) -> dict[int, Solution]:
        """Whether each move wins, draws or loses, for the player who makes it; by column.

        Much cheaper than scores. First it is asked of all moves whether they win, then whether
        they lose. When it is to stop, the bounds say what is proved until then.

        Args:
            position: a position whose game goes on.
            stop, on_progress: as in `solve`.
        """
        self._stop = stop or Stop()
        children = {column: position.after(column) for column in position.moves()}
        found = {column: -known_bounds(child) for column, child in children.items()}
        report = on_progress or (lambda _: None)
        report(dict(found))
        try:
            with _recursion(position.geometry.squares):
                for limit in (0, 1):
                    for column, child in children.items():
                        known = found[column]
                        if known.outcome is None:
                            value = -self._ask(child, limit)
                            if value > -limit:
                                found[column] = Solution(value, known.upper)
                            else:
                                found[column] = Solution(known.lower, value)
                            report(dict(found))
        except _StoppedError:
            pass
        return found

    def _ask(self, position: Position, limit: int) -> int:
        """`_bound` of a position whose game is not over and that has no win with the next disc."""
        mover, mask = position.mover, position.mask
        threats = self._completing(mover ^ mask) & position.geometry.full
        left = position.geometry.squares - position.discs
        return self._bound(mover, mask, threats, left, limit)

    def _bound(self, mover: int, mask: int, threats: int, left: int, limit: int) -> int:
        """A bound on the score: at least the value returned if that reaches `limit`, otherwise
        at most. The side to move must not have a win with its next disc.

        Args:
            mover: the discs of the side to move.
            mask: all discs.
            threats: squares, of the board only, on which the other player completes a line.
            left: the number of empty squares.
            limit: the question is whether the score is at least this.
        """
        self._nodes += 1
        if not self._nodes & _LISTEN_MASK and self._stop.is_set():
            raise _StoppedError
        g = self._geometry
        playable = (mask + g.bottom) & g.full
        moves = playable
        forced = playable & threats
        if forced:
            if forced & (forced - 1):
                return -(left // 2)
            moves = forced
        moves &= ~(threats >> 1)
        if not moves:
            return -(left // 2)
        if left <= 2:
            return 0
        # Nobody wins with the next two discs: these are the soonest loss and the soonest win.
        soonest_loss = 1 - left // 2
        if soonest_loss >= limit:
            return soonest_loss
        soonest_win = (left - 1) // 2
        if soonest_win < limit:
            return soonest_win
        at_least, at_most = self._at_least, self._at_most
        key = self._key(mover, mask, left)
        known = at_most.get(key)
        if known is not None and known < limit:
            return known
        known = at_least.get(key)
        if known is not None and known >= limit:
            return known
        other, empty = mover ^ mask, g.full ^ mask
        if limit > 0:
            answered = not playable & ~self._answered
            if not g.has_line(mover | (empty & self._answered if answered else empty)):
                return 0
        elif not g.has_line(other | empty):
            return 0

        best = -left
        candidates: list[tuple[int, int, int]] = []
        # All moves at once: one copy of the board for each column, with its move played in it.
        copies = self._copies
        wins = self._completing(mover * copies | moves * copies & self._own_column)
        for column, shift in self._slots:
            move = moves & column
            if not move:
                continue
            after = mask | move
            key_after = self._key(other, after, left - 1)
            known = at_most.get(key_after)
            if known is not None and -known >= limit:
                return -known
            known = at_least.get(key_after)
            if known is not None and -known < limit:
                best = max(best, -known)
                continue
            own = wins >> shift & empty
            candidates.append((own.bit_count(), after, own))
        candidates.sort(key=_FIRST, reverse=True)
        for _, after, own in candidates:
            value = -self._bound(other, after, own, left - 1, 1 - limit)
            if value > best:
                best = value
                if value >= limit:
                    break
        table = at_least if best >= limit else at_most
        if len(table) >= _TABLE_LIMIT:
            table.clear()
        table[key] = best
        return best

    def _key(self, mover: int, mask: int, left: int) -> int:
        """The same for a position and, early in the game, its mirror image; unique otherwise."""
        key = mover + mask
        if left < self._mirror_left:
            return key
        stride = self._geometry.stride
        rest, column, mirrored = key, (1 << stride) - 1, 0
        for _ in range(self._geometry.width):
            mirrored = mirrored << stride | rest & column
            rest >>= stride
        return min(key, mirrored)


def _outside_in(lower: int, upper: int) -> Iterator[int]:
    """Limits to ask first: wins within 1, 2, 4, ... moves in turn with losses, down to the draw."""
    step = 1
    while True:
        yield max(upper + 1 - step, 1)
        yield min(lower + step, 0)
        if step >= max(upper, -lower):
            return
        step *= 2


def _completing(g: Geometry) -> Callable[[int], int]:
    """`Geometry.completing` of one or more copies of a board, without its check for emptiness.

    The result may hold squares outside the boards.
    """
    connect, stride = g.connect, g.stride
    diagonals_and_rows = (stride - 1, stride, stride + 1)

    def four(discs: int) -> int:
        squares = discs << 1 & discs << 2 & discs << 3
        for step in diagonals_and_rows:
            below, above = discs << step, discs >> step
            squares |= below & below << step & (
                above | discs << 3 * step
            ) | above & above >> step & (below | discs >> 3 * step)
        return squares

    def any_number(discs: int) -> int:
        squares = 0
        for step in (1, *diagonals_and_rows):
            # ahead[n]: squares that are followed by n discs on this line.
            ahead = [-1]
            for distance in range(1, connect):
                ahead.append(ahead[-1] & discs >> distance * step)
            behind = -1
            for distance in range(connect):
                behind &= discs << distance * step if distance else -1
                squares |= behind & ahead[connect - 1 - distance]
        return squares

    # The usual length, written out, is several times as fast as the loop over any length.
    return four if connect == 4 else any_number


@contextmanager
def _recursion(depth: int) -> Iterator[None]:
    """Allows this many nested calls more; calls between Python functions use no C stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
