"""Exact scores by search to the end of the game, on a board of any size.

Scores are Pascal Pons' ("Solving Connect 4"), for any board: a win scores ``(width * height + 1 -
discs on the board before the winning disc) // 2``, a loss the negative of the winner's score, a
draw 0, always for the side to move. Only the number of discs counts, not their owners, so composed
positions in which the turn does not follow from the discs have scores, too.

The search asks null-window questions only: "is the score at least `limit`?" `PythonSearch` answers
them or, with the extra ``fast``, in longer work and on boards of at most 64 bits, the same search
as machine code (`compiled_search`), hundreds of times as fast.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from operator import itemgetter

from advisor.engine.nodes import FasterError, StoppedError
from advisor.games.bounds import Bounds
from advisor.games.connect4 import compiled_search
from advisor.games.connect4.board import Board, Geometry
from advisor.games.connect4.compiled_search import MIRROR_DISCS, CompiledSearch, Team
from advisor.games.score import Outcome
from aspcircuits.stopping import Stop

_LATE = 20
"""With at most this many empty squares, every end is in reach: bisection needs fewer questions."""

# Each of the two tables is emptied when it holds this many entries (about 100 bytes each).
_TABLE_LIMIT = 1 << 21

_NOTHING = -sys.maxsize
"""Less than any score: nothing is proved."""

# The search checks for a reason to end once in this many positions, plus one.
_LISTEN_MASK = 63

Solve = Callable[[Board, Stop, Callable[[Bounds], None]], Bounds]
"""(position, stop, on_progress) -> proved bounds: `Solver.solve` and its substitutes."""

BoundAsked = tuple[int, int, int, int]
"""The arguments `mover`, `mask`, `threats` and `left` of `PythonSearch.bound`."""


def known_bounds(position: Board) -> Bounds:
    """Return the bounds that are known without search.

    They are the score of a finished game or of a win with the next disc, otherwise the scores of
    the soonest win and the soonest loss still possible. A finished game keeps the score that its
    last disc brought.
    """
    lower, upper, _ = _at_sight(position)
    return Bounds(lower, upper)


def _at_sight(position: Board) -> tuple[int, int, BoundAsked]:
    """Return `known_bounds` as lower and upper, and the question to ask if these differ."""
    g, mover, mask, left = position.geometry, position.mover, position.mask, position.plies_left
    other = mover ^ mask
    # The squares of lines that are complete are among them.
    wins, threats = g.completing(mover, g.full), g.completing(other, g.full)
    lower, upper = -(left // 2), max(left - 1, 0) // 2
    if threats & other:
        upper = lower = lower - 1
    elif wins & mover:
        lower = upper = (left + 2) // 2
    elif wins & position.playable:
        lower = upper = (left + 1) // 2
    return lower, upper, (mover, mask, threats & ~mask, left)


def winner_moves(position: Board, score: int | None) -> int | None:
    """Return the number of discs that the winner still plays, the winning one included.

    Args:
        position: its game is not over.
        score: exact, for the side to move; None if it is not known.

    Returns:
        None for a draw or an unknown score.
    """
    left = position.plies_left
    if not score:
        return None
    return (left + 1) // 2 - score + 1 if score > 0 else left // 2 + score + 1


def score_in(position: Board, outcome: Outcome, moves: int) -> int:
    """Return the exact score of an outcome in `moves` winner's moves; inverts `winner_moves`."""
    left = position.plies_left
    if outcome == "draw":
        return 0
    return (left + 1) // 2 - moves + 1 if outcome == "win" else moves - left // 2 - 1


def solve_columns(
    position: Board,
    stop: Stop | None = None,
    on_progress: Callable[[dict[int, Bounds]], None] | None = None,
    *,
    solve: Solve | None = None,
) -> dict[int, Bounds]:
    """Return the exact score of every move, from the view of its player, by column.

    {} if the game is over. The columns share the time evenly. Time that one does not use goes to
    the rest, and in the end to the columns that needed more than their share.

    Args:
        position: on any board.
        stop: ends the search when set.
        on_progress: called with the bounds of all columns so far.
        solve: scores the position after a move; one `Solver` for all of them by default.
    """
    stop = stop or Stop()
    score = solve or Solver(position.geometry).solve
    report = on_progress or (lambda _: None)
    moves = position.moves() if position.result() is None else []
    solutions = {column: -known_bounds(position.after(column)) for column in sorted(moves)}
    waiting = moves
    while waiting:
        unproved = []
        for i, column in enumerate(waiting):
            before = solutions[column]

            def narrow_column(child: Bounds, column: int = column, before: Bounds = before) -> None:
                solutions[column] = (-child).intersect(before)
                report(dict(solutions))

            share = stop.with_limit(stop.seconds_left / (len(waiting) - i))
            narrow_column(score(position.after(column), share, narrow_column))
            if share.is_set() and solutions[column].score is None:
                unproved.append(column)
        waiting = [] if stop.is_set() else unproved
    return solutions


class Solver:
    """Solves positions of one geometry; proofs about one position serve the next.

    It may be interrupted anywhere (Ctrl-C included) and used again: only finished proofs are kept.

    Args:
        geometry: the board.
        machine_code: with the extra ``fast``: True from the beginning, False never, None once it
            pays.
        table_bytes: for the table of the machine code, at most.
        jobs: threads that share the work of the machine code, over one such table.
    """

    def __init__(
        self,
        geometry: Geometry,
        *,
        machine_code: bool | None = None,
        table_bytes: int = compiled_search.TABLE_BYTES,
        jobs: int = 1,
    ) -> None:
        self.geometry = geometry
        self._table_bytes, self._jobs = table_bytes, jobs
        self._stop = Stop()
        self._python: PythonSearch | None = None  # it refers to self, which would keep large tables
        self._compiled: CompiledSearch | Team | None = None
        self._may_compile = machine_code is not False and compiled_search.suits(geometry)
        if machine_code and self._may_compile:
            compiled_search.tiers.get_now()
        self._since = 0.0

    def solve(
        self,
        position: Board,
        stop: Stop | None = None,
        on_progress: Callable[[Bounds], None] | None = None,
    ) -> Bounds:
        """Return the exact score of a position, for the side to move; its bounds if stopped.

        The search looks for quick wins and losses first, then for later and later ones, so that
        bounds are useful even if the end is out of reach; near the end it bisects the range.

        Args:
            position: on this solver's board.
            stop: ends the search when set.
            on_progress: called with what is proved, before the search and after every step.
        """
        started, nodes = time.monotonic(), self.nodes
        self._stop = stop or Stop()
        report = on_progress or (lambda _: None)
        lower, upper, question = _at_sight(position)

        def current_bounds() -> Bounds:
            return Bounds(lower, upper, self.nodes - nodes, time.monotonic() - started)

        limits = _outside_in(lower, upper) if position.plies_left > _LATE else iter(())
        while lower < upper:
            report(current_bounds())
            middle = (lower + upper + 1) // 2
            limit = next((x for x in limits if lower < x <= upper), middle)
            try:
                value = self._ask(question, limit)
            except StoppedError:
                break
            if value >= limit:
                lower = value
            else:
                upper = value
        final = current_bounds()
        report(final)
        return final

    def outcomes(self, position: Board, stop: Stop | None = None) -> dict[int, Bounds]:
        """Return whether each move wins, draws or loses, for the player who makes it; by column.

        This is much cheaper than scores: it first asks whether each move wins, then whether it
        loses. If stopped, it returns the bounds proved until then.
        """
        self._stop = stop or Stop()
        asked = {column: _at_sight(position.after(column)) for column in position.moves()}
        found = {c: Bounds(-upper, -lower) for c, (lower, upper, _) in asked.items()}
        with suppress(StoppedError):
            for limit in (0, 1):
                for column, (_, _, question) in asked.items():
                    known = found[column]
                    if known.outcome is None:
                        value = -self._ask(question, limit)
                        proved = (value, known.upper) if value > -limit else (known.lower, value)
                        found[column] = Bounds(*proved)
        return found

    def at_least(self, position: Board, score: int, stop: Stop | None = None) -> bool:
        """Return whether the score of a position is at least `score`, for the side to move.

        Whether a win takes at most a few moves is a question of a few plies, however far away the
        end of the game is.

        Raises:
            KeyboardInterrupt: `stop` was set.
        """
        lower, upper, question = _at_sight(position)
        if not lower < score <= upper:
            return lower >= score
        return self._reaches(question, score, stop or Stop())

    def undecided_at_least(self, mover: int, mask: int, score: int, stop: Stop) -> bool:
        """Answer `at_least` if neither player has a line or completes one now; skips looking for
        one.
        """
        g = self.geometry
        left = g.squares - mask.bit_count()
        lower = -(left // 2)
        if not lower < score <= max(left - 1, 0) // 2:
            return lower >= score
        threats = g.completing(mover ^ mask, g.full & ~mask)
        return self._reaches((mover, mask, threats, left), score, stop)

    def _reaches(self, question: BoundAsked, score: int, stop: Stop) -> bool:
        self._stop = stop
        try:
            return self._ask(question, score) >= score
        except StoppedError:
            raise KeyboardInterrupt from None

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return sum(search.nodes for search in (self._python, self._compiled) if search)

    def _ask(self, question: BoundAsked, limit: int) -> int:
        """Return a bound on the score, see `PythonSearch.bound`; the game is not over."""
        compiled = self._machine_code()
        if compiled is None:
            self._since = time.perf_counter()
            self._python = self._python or PythonSearch(self.geometry, self._listen)
            try:
                return self._python.bound(*question, limit)
            except FasterError:
                compiled = self._machine_code()
                assert compiled is not None
            finally:
                self._count_seconds()
        return compiled.bound(*question, limit, self._stop)

    def _machine_code(self) -> CompiledSearch | Team | None:
        """Return the search as machine code, if it exists yet for this board."""
        if self._compiled or not self._may_compile:
            return self._compiled
        if code := compiled_search.tiers.function:
            made_of = self.geometry, code, self._table_bytes
            one = self._jobs == 1
            self._compiled = CompiledSearch(*made_of) if one else Team(*made_of, self._jobs)
        return self._compiled

    def _listen(self) -> None:
        """End the search in Python if it was stopped, or if machine code can take over."""
        if self._stop.is_set():
            raise StoppedError
        self._count_seconds()
        if self._machine_code():
            raise FasterError

    def _count_seconds(self) -> None:
        """Count the time that Python has taken."""
        now = time.perf_counter()
        if self._may_compile:
            compiled_search.tiers.count_seconds(now - self._since)
        self._since = now


def _outside_in(lower: int, upper: int) -> Iterator[int]:
    """Yield limits to ask first: wins within 1, 2, 4, ... moves, alternating with losses."""
    step = 1
    while True:
        yield max(upper + 1 - step, 1)
        yield min(lower + step, 0)
        if step >= max(upper, -lower):
            return
        step *= 2


class PythonSearch:
    """Answers questions about positions of one board; proofs about one position serve the next.

    It plays no move that loses on the next turn, first tries the moves that make most new winning
    squares, and keeps its proofs in a table. It stops early if a player can complete no line any
    more, or if the other can answer every move in the same column (Allis' claimeven).

    Attributes:
        nodes: positions searched so far.

    Args:
        geometry: the board.
        listen: called every few positions; may raise an exception to end the search.
    """

    def __init__(self, geometry: Geometry, listen: Callable[[], None]) -> None:
        g = self._geometry = geometry
        self._listen = listen
        self.nodes = 0
        self._at_least: dict[int, int] = {}
        self._at_most: dict[int, int] = {}
        self._completing = g.completing
        # One column wider than the board, so that no line runs from one copy into the next
        # without a hole between them that neither player can fill.
        spacing = g.stride * (g.width + 1)
        self._copies = sum(1 << (i * spacing) for i in range(g.width))
        self._own_column = sum(bits << (i * spacing) for i, bits in enumerate(g.columns))
        self._slots = tuple((g.columns[c - 1], (c - 1) * spacing) for c in g.centre_first)
        self._mirror_left = g.squares - MIRROR_DISCS
        # If every column has an even number of empty squares, each disc can be answered on
        # top of it: then the side to move gets these squares and no other.
        self._answered = sum(g.bottom << row for row in range(g.height % 2, g.height, 2))

    def bound(self, mover: int, mask: int, threats: int, left: int, limit: int) -> int:
        """Return a bound on the score: a lower one if it reaches `limit`, otherwise an upper one.

        The side to move must not have a win with its next disc.

        Args:
            mover, mask: see `Board`.
            threats: empty squares on which the other player completes a line.
            left: the number of empty squares.
            limit: the question is whether the score is at least this.
        """
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(before + left)  # calls between Python functions use no C stack
        try:
            key = self._key(mover, mask, left)
            return self._bound(key, mover, mask, threats, left, limit)
        finally:
            sys.setrecursionlimit(before)

    def _bound(self, key: int, mover: int, mask: int, threats: int, left: int, limit: int) -> int:
        self.nodes += 1
        if not self.nodes & _LISTEN_MASK:
            self._listen()
        g = self._geometry
        playable = (mask + g.bottom) & g.full
        forced = playable & threats
        moves = (forced or playable) & ~(threats >> 1)
        if not moves or (forced and forced & (forced - 1)):
            return -(left // 2)
        if left <= 2:
            return 0
        # The next two discs win for neither: these are the soonest loss and the soonest win.
        soonest_loss = 1 - left // 2
        if soonest_loss >= limit:
            return soonest_loss
        soonest_win = (left - 1) // 2
        if soonest_win < limit:
            return soonest_win
        if (known := self._at_most.get(key, limit)) < limit:
            return known
        if (known := self._at_least.get(key, _NOTHING)) >= limit:
            return known
        other, empty = mover ^ mask, g.full ^ mask
        if limit > 0:
            answered = not playable & ~self._answered
            hoped = mover | (empty & self._answered if answered else empty)
        else:
            hoped = other | empty
        if not g.has_line(hoped):
            return 0

        best, tries = self._tries(mover, mask, moves, left, limit)
        if best >= limit:
            return best
        for _, after_key, after, own in tries:
            value = -self._bound(after_key, other, after, own, left - 1, 1 - limit)
            if value > best:
                best = value
                if value >= limit:
                    break
        table = self._at_least if best >= limit else self._at_most
        if len(table) >= _TABLE_LIMIT:
            table.clear()
        table[key] = best
        return best

    def _tries(
        self, mover: int, mask: int, moves: int, left: int, limit: int
    ) -> tuple[int, list[tuple[int, int, int, int]]]:
        """Return the best value of a move in the table, and the moves to try if that is below
        `limit`.

        Moves that make most winning squares come first. Each is the number of these squares, the
        key and all discs after the move, and the squares.
        """
        best = -left
        tries: list[tuple[int, int, int, int]] = []
        at_least, at_most, key_of = self._at_least, self._at_most, self._key
        other, empty = mover ^ mask, self._geometry.full ^ mask
        # All moves at once: one copy of the board for each column, with its move played in it.
        copies = self._copies
        wins = self._completing(mover * copies | moves * copies & self._own_column)
        for column, shift in self._slots:
            move = moves & column
            if not move:
                continue
            after = mask | move
            key = key_of(other, after, left - 1)
            if (known := at_most.get(key, left)) <= -limit:
                return -known, []
            if (known := at_least.get(key, _NOTHING)) > -limit:
                best = max(best, -known)
                continue
            own = wins >> shift & empty
            tries.append((own.bit_count(), key, after, own))
        tries.sort(key=itemgetter(0), reverse=True)
        return best, tries

    def _key(self, mover: int, mask: int, left: int) -> int:
        """Return a unique key; early in the game a position shares it with its mirror image."""
        key = mover + mask
        if left < self._mirror_left:
            return key
        return min(key, self._geometry.mirror_bits(key))
