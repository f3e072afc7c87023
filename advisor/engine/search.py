"""Alpha-beta look-ahead over any two-player game of perfect information.

Knows positions and evaluators by the two protocols below, no game and no ASP.

Values are integers. A value is heuristic (in weight units) or forced: a win `n` plies after the
root is worth ``WIN - n``, a loss ``n - WIN``, so that the sooner win and the later loss are better.
Everything beyond `FORCED` in size is forced. Inside, values are from the view of the side to move.

Whatever moves are tried first, remembered or cut off, the value is that of plain full-width
negamax to the same depth with the same evaluator; a test holds it to that.
"""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from advisor.limits import Stop

WIN = 1 << 40
FORCED = WIN - (1 << 20)
INFINITE = WIN + 1
"""Beyond every value."""

Values = npt.NDArray[np.int64]


class Position(Protocol):
    """What the search needs to know of a game."""

    @property
    def key(self) -> Hashable:
        """Tells this position from every other that is reached from the same root."""

    @property
    def turn(self) -> int:
        """The player to move, who may be the same one after a move."""

    @property
    def plies_left(self) -> int:
        """No game from here lasts longer than this."""

    def result(self) -> int | None:
        """None while the game goes on; then 1, -1 or 0 if `turn` has won or lost or it is drawn."""

    def wins_at_once(self) -> bool:
        """Whether the side to move has a move that wins the game."""

    def moves(self) -> Sequence[int]:
        """All legal moves, those that are good more often first."""

    def candidates(self) -> Sequence[int]:
        """Legal moves among which is a best one, looking two plies or more ahead.

        Only asked where the side to move cannot win at once: then they are the moves that stop
        the other side from winning at once if it threatens to, otherwise all moves.
        """

    def after(self, move: int) -> Self:
        """The position after a legal move."""


P = TypeVar("P", bound=Position)
P_contra = TypeVar("P_contra", bound=Position, contravariant=True)


class Evaluator(Protocol[P_contra]):
    """Scores positions in batches."""

    leaves: int
    """The number of positions scored so far."""

    guesses: int
    """How many of them got a heuristic value, in place of a certain one."""

    def plies_at_once(self, position: P_contra) -> int:
        """How many plies are best looked ahead in one batch, at least 1."""

    def positions_at_once(self, plies: int) -> int:
        """How many positions to give to `values`, at least 1.

        A batch cannot be interrupted, so it has to be done in a small part of a second.
        """

    def values(self, positions: Sequence[P_contra], plies: int) -> Values:
        """Full-width negamax values, `plies` ahead, of positions whose game goes on.

        Forced values count their plies from the position itself, not from the search's root.

        Returns:
            shape (len(positions),), each from the view of its side to move.
        """

    def compiled(self, position: P_contra) -> "Below[P_contra] | None":
        """The search below positions like this one as machine code, if there is any by now."""


class Below(Protocol[P_contra]):
    """The search below single positions: in Python, or as machine code.

    `ply` counts plies from the root. Values are from the view of the side to move and count forced
    results from the root.

    Attributes:
        stop: ends it, by a StoppedError.
        nodes: positions visited so far.
        guesses: heuristic values used so far; where it stays the same, what was found is certain.
        at_once: so few plies are better looked ahead from many positions together.
    """

    stop: Stop
    nodes: int
    guesses: int

    @property
    def at_once(self) -> int: ...

    def value(self, position: P_contra, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Fail-soft alpha-beta: exact inside (alpha, beta), otherwise a bound on that side."""

    def values(self, positions: Sequence[P_contra], plies: int, ply: int) -> list[int]:
        """Exact values of positions at the same ply, finished ones included."""

    def remembered(self, position: P_contra, plies: int) -> int | None:
        """The move that gives a position its value at this depth; None if it is not known."""

    def best(self, position: P_contra, plies: int) -> int:
        """As `remembered`, found out if need be; without plies left, one that looks best."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found, from the view of the side to move at the root.

    Attributes:
        best: the best move; all of them, in the order of `Position.moves`, if every move was
            scored.
        value: of the best move; see the module's docstring.
        scores: exact values of all moves if asked for, otherwise of the best move only.
        variation: the principal variation, from the best move on, as far as it is known.
        lines: if every move was scored, the beginning of the principal variation of each; what
            is missing of one whose value is heuristic lies within the plies that the evaluator
            looks ahead at once.
        depth: plies of the last completed iteration.
        exhaustive: every line was followed to the end of the game, so a value of 0 is a draw.
        nodes: positions visited inside the tree.
        leaves: positions scored by the evaluator.
        seconds: wall-clock time.
        interrupted: somebody ended the search before its limits did.
    """

    best: tuple[int, ...]
    value: int
    scores: dict[int, int]
    variation: tuple[int, ...]
    lines: dict[int, tuple[int, ...]]
    depth: int
    exhaustive: bool
    nodes: int
    leaves: int
    seconds: float
    interrupted: bool


def search(
    root: P,
    evaluator: Evaluator[P],
    *,
    depth: int | None = None,
    stop: Stop | None = None,
    moves: Sequence[int] | None = None,
    every_move: bool = False,
    bonus: Mapping[int, int] | None = None,
    on_iteration: Callable[[Result], None] | None = None,
) -> Result:
    """Looks ahead by iterative deepening until a limit is reached or the best move is forced.

    Args:
        root: a position whose game goes on.
        evaluator: scores the leaves.
        depth: plies, at least 1; None for no limit.
        stop: looked at before every batch; but the first ply is always finished, so that there
            is an answer. None for never.
        moves: those to choose from, at least one; None for all.
        every_move: score all of them exactly, not only the best one. Costs several times more.
        bonus: what is known of the root's moves apart from what comes after them: so much is added
            to a move's heuristic value, in every iteration. Forced results stay as they are, and
            so do draws where every line is followed to the end.
        on_iteration: is called after each completed iteration with the result so far.

    Returns:
        the last completed iteration's result; without `every_move` that of the one which was cut
        short, if this has found a better move.
    """
    started = time.monotonic()
    stop = stop or Stop()
    limit = root.plies_left if depth is None else min(depth, root.plies_left)
    tree = _Root(root, evaluator, bonus or {})
    leaves_before = evaluator.leaves
    done: Result | None = None
    order = list(root.moves() if moves is None else moves)
    interrupted = False

    def result(depth: int, scores: dict[int, int], certain: bool = False) -> Result:
        value = max(scores.values())
        best = tuple(move for move in root.moves() if scores.get(move) == value)
        return Result(
            best=best,
            value=value,
            scores=scores,
            variation=tree.variation(best[0], value, depth),
            lines={move: tree.remembered(move, depth) for move in scores} if every_move else {},
            depth=depth,
            exhaustive=certain or depth >= root.plies_left,
            nodes=tree.nodes,
            leaves=evaluator.leaves - leaves_before,
            seconds=time.monotonic() - started,
            interrupted=False,
        )

    scores: dict[int, int] = {}
    try:
        for plies in range(1, limit + 1):
            scores = {}
            guesses = tree.guesses
            tree.iterate(order, plies, every_move, scores)
            certain = tree.guesses == guesses
            done = result(plies, scores, certain)
            if on_iteration is not None:
                on_iteration(done)
            if abs(done.value) >= FORCED or certain:
                break
            order.sort(key=lambda move: -scores.get(move, -INFINITE))
            tree.stop = stop
    except StoppedError:
        interrupted = stop.interrupted
        if done is not None and not every_move and scores.keys() - {*done.best}:
            # The iteration that was cut short has already found a better move. That all the
            # others are worse is not known, so that neither a loss nor a draw would be certain.
            better = result(done.depth + 1, scores)
            if better.value > -FORCED:
                done = replace(better, depth=done.depth, exhaustive=False)
    assert done is not None  # nothing stops the first ply
    return replace(
        done,
        nodes=tree.nodes,
        leaves=evaluator.leaves - leaves_before,
        seconds=time.monotonic() - started,
        interrupted=interrupted,
    )


class StoppedError(Exception):
    """The search is to stop."""


class _FasterError(Exception):
    """There is machine code for it by now."""


class _Root(Generic[P]):
    """The root of a search, and what lies below it.

    Attributes:
        stop: ends it.
        nodes, guesses: see `Below`.
    """

    def __init__(self, root: P, evaluator: Evaluator[P], bonus: Mapping[int, int]) -> None:
        self._root = root
        self._evaluator = evaluator
        self._bonus = bonus
        self.stop = Stop()
        self._below: Below[P] = evaluator.compiled(root) or _Tree(root, evaluator)
        self._nodes, self._guesses = -self._below.nodes, -self._below.guesses

    @property
    def nodes(self) -> int:
        return self._nodes + self._below.nodes

    @property
    def guesses(self) -> int:
        return self._guesses + self._below.guesses

    def iterate(
        self, order: Sequence[int], depth: int, every_move: bool, scores: dict[int, int]
    ) -> None:
        """Puts values of the root's moves into `scores`; without `every_move` the best one's only.

        Cut short, without `every_move`, that of the best one among the moves looked at is there.
        """
        while True:
            self._below.stop = self.stop
            try:
                return self._iterate(order, depth, every_move, scores)
            except _FasterError:
                scores.clear()
                faster = self._evaluator.compiled(self._root)
                assert faster is not None
                self._nodes, self._guesses = (
                    self.nodes - faster.nodes,
                    self.guesses - faster.guesses,
                )
                self._below = faster

    def _iterate(
        self, order: Sequence[int], depth: int, every_move: bool, scores: dict[int, int]
    ) -> None:
        self._nodes += 1
        children = [self._root.after(move) for move in order]
        guesses = self.guesses
        if depth <= self._below.at_once + 1:
            values = self._below.values(children, depth - 1, 1)
            signs = [1 if child.turn == self._root.turn else -1 for child in children]
            found = {
                move: self._raised(move, sign * value)
                for move, sign, value in zip(order, signs, values, strict=True)
            }
            best = max(order, key=lambda move: found[move])
            scores.update(found if every_move else {best: found[best]})
        else:
            self._compare(order, children, depth, every_move, scores)
        if self.guesses == guesses or depth >= self._root.plies_left:
            scores.update({move: self._raised(move, v, -1) for move, v in scores.items()})

    def _compare(
        self,
        order: Sequence[int],
        children: Sequence[P],
        depth: int,
        every_move: bool,
        scores: dict[int, int],
    ) -> None:
        """As `iterate`, one child after the other."""
        for move, child in zip(order, children, strict=True):
            low = -INFINITE
            if scores and not every_move:
                # So much the child itself must be worth to be better with its bonus.
                (best,) = scores.values()
                low = self._raised(move, best, -1)
                if self._value(child, depth - 1, low, low + 1) <= low:
                    continue
            value = self._value(child, depth - 1, low, INFINITE)
            if not every_move:
                scores.clear()
            scores[move] = self._raised(move, value)

    def _value(self, child: P, depth: int, alpha: int, beta: int) -> int:
        """A child's value for the side to move at the root."""
        if child.turn == self._root.turn:
            return self._below.value(child, depth, alpha, beta, 1)
        return -self._below.value(child, depth, -beta, -alpha, 1)

    def _raised(self, move: int, value: int, times: int = 1) -> int:
        """A value of a root's move with its bonus; a forced one, which no bonus reaches, as it is.

        Args:
            times: -1 takes the bonus away again.
        """
        return value if abs(value) >= FORCED else value + times * self._bonus.get(move, 0)

    def remembered(self, first: int, depth: int) -> tuple[int, ...]:
        """The line that gives `first` its value at this depth, down to where the batches begin.

        Just after the iteration it is all there: the value of a position on the line was exact,
        and nothing overwrites that before the next iteration. One that was certain already in an
        earlier iteration may lead down to the batches of that one only.
        """
        moves = [first]
        position = self._root.after(first)
        while len(moves) < depth - self._below.at_once and position.result() is None:
            move = self._below.remembered(position, depth - len(moves))
            if move is None:
                break
            moves.append(move)
            position = position.after(move)
        return tuple(moves)

    def variation(self, first: int, value: int, depth: int) -> tuple[int, ...]:
        """The line that gives `first` its value, from remembered moves and, below, from batches.

        A forced result is followed to its end, a heuristic one to the depth of the search; both
        only until the search is to stop.
        """
        moves = [first]
        position = self._root.after(first)
        forced = abs(value) >= FORCED
        while position.result() is None and (len(moves) < depth or forced):
            try:
                move = self._below.best(position, max(0, depth - len(moves)))
            except StoppedError:
                break
            moves.append(move)
            position = position.after(move)
        return tuple(moves)


_EXACT, _AT_LEAST, _AT_MOST = range(3)


class _Tree(Generic[P]):
    """What lies below the positions of one root, in Python; see `Below`.

    Args:
        root: tells how many plies are best looked ahead at once.
        evaluator: scores the leaves. Once it has machine code, a _FasterError is raised.
    """

    def __init__(self, root: P, evaluator: Evaluator[P]) -> None:
        self._evaluator = evaluator
        self.stop = Stop()
        self.at_once = evaluator.plies_at_once(root)
        self._table: dict[Hashable, tuple[int, int, int, int, bool]] = {}
        self._killers: dict[int, int] = {}
        self.nodes = 0
        self.guesses = 0

    def value(self, position: P, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Fail-soft alpha-beta: exact inside (alpha, beta), otherwise a bound on that side."""
        result = position.result()
        if result is not None:
            return result * (WIN - ply)
        if depth <= self.at_once:
            return self.values([position], depth, ply)[0]
        self._listen()
        if self._evaluator.compiled(position) is not None:
            raise _FasterError
        self.nodes += 1

        key = position.key
        hint = 0
        entry = self._table.get(key)
        if entry is not None:
            known_depth, bound, value, hint, certain = entry
            certain = certain or abs(value) >= FORCED
            # A heuristic value holds for its depth only; a certain one for every greater depth.
            if known_depth == depth or (certain and known_depth < depth):
                value = from_node(value, ply)
                if (
                    bound == _EXACT
                    or (bound == _AT_LEAST and value >= beta)
                    or (bound == _AT_MOST and value <= alpha)
                ):
                    self.guesses += not certain
                    return value

        if position.wins_at_once():
            return WIN - ply - 1
        guesses = self.guesses
        best, best_move = self._best(position, depth, alpha, beta, ply, hint)
        if best >= beta:
            bound = _AT_LEAST
            self._killers[ply] = best_move
        else:
            bound = _EXACT if best > alpha else _AT_MOST
        self._table[key] = (
            depth,
            bound,
            to_node(best, ply),
            best_move,
            self.guesses == guesses,
        )
        return best

    def _best(
        self, position: P, depth: int, alpha: int, beta: int, ply: int, hint: int
    ) -> tuple[int, int]:
        """The best child's value and move, as far as (alpha, beta) asks for it."""
        first = (hint, self._killers.get(ply, 0))
        moves = sorted(position.candidates(), key=lambda move: move not in first)
        if hint in moves:
            moves.remove(hint)
            moves.insert(0, hint)
        best, best_move = -INFINITE, moves[0]
        if depth - 1 <= self.at_once:
            # The eldest alone may cut off; otherwise its younger siblings are a batch, or several.
            size = self._evaluator.positions_at_once(depth - 1)
            starts = range(1, len(moves), size)
            for group in (moves[:1], *(moves[start : start + size] for start in starts)):
                if best >= beta:
                    break
                children = [position.after(move) for move in group]
                values = self._children_values(position, children, depth - 1, ply + 1)
                for move, value in zip(group, values, strict=True):
                    if value > best:
                        best, best_move = value, move
            return best, best_move
        for move in moves:
            child = position.after(move)
            low = max(alpha, best)
            if best == -INFINITE or beta - low == 1:
                value = self._child_value(position, child, depth - 1, low, beta, ply + 1)
            else:
                value = self._child_value(position, child, depth - 1, low, low + 1, ply + 1)
                if low < value < beta:
                    value = self._child_value(position, child, depth - 1, low, beta, ply + 1)
            if value > best:
                best, best_move = value, move
                if best >= beta:
                    break
        return best, best_move

    def _child_value(
        self, position: P, child: P, depth: int, alpha: int, beta: int, ply: int
    ) -> int:
        """As `_value`, of a child at `ply`, but for the side to move in the position above it."""
        if child.turn == position.turn:
            return self.value(child, depth, alpha, beta, ply)
        return -self.value(child, depth, -beta, -alpha, ply)

    def _children_values(
        self, position: P, children: Sequence[P], plies: int, ply: int
    ) -> list[int]:
        """As `values`, of children at `ply`, for the side to move above them."""
        values = self.values(children, plies, ply)
        return [
            value if child.turn == position.turn else -value
            for child, value in zip(children, values, strict=True)
        ]

    def values(self, positions: Sequence[P], plies: int, ply: int) -> list[int]:
        """See `Below`."""
        results = [position.result() for position in positions]
        open_positions = [p for p, result in zip(positions, results, strict=True) if result is None]
        scored: list[int] = []
        size = self._evaluator.positions_at_once(plies)
        guesses = self._evaluator.guesses
        for start in range(0, len(open_positions), size):
            self._listen()
            scored += self._evaluator.values(open_positions[start : start + size], plies).tolist()
        self.guesses += self._evaluator.guesses - guesses
        found = iter(scored)
        return [
            from_node(next(found), ply) if result is None else result * (WIN - ply)
            for result in results
        ]

    def _listen(self) -> None:
        if self.stop.is_set():
            raise StoppedError

    def remembered(self, position: P, plies: int) -> int | None:
        """See `Below`."""
        entry = self._table.get(position.key)
        return None if entry is None else entry[3]

    def best(self, position: P, plies: int) -> int:
        """See `Below`."""
        known = self.remembered(position, plies)
        if known is not None:
            return known
        options = list(position.moves())
        further = max(0, min(plies - 1, self.at_once))
        values = self._children_values(position, [*map(position.after, options)], further, 0)
        return options[values.index(max(values))]


def from_node(value: int, ply: int) -> int:
    """Forced results counted from a node at `ply`, counted from the root."""
    if value >= FORCED:
        return value - ply
    return value + ply if value <= -FORCED else value


def to_node(value: int, ply: int) -> int:
    """The inverse of `from_node`."""
    return from_node(value, -ply)
