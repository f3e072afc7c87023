"""Alpha-beta look-ahead for any two-player game of perfect information.

It knows positions and evaluators through two protocols of `nodes`, no game and no ASP. This module
searches the root of the tree; `Tree` or compiled code (`machine_search`) searches below it.

Whatever the move order, the table and the cutoffs, the value is that of plain full-width negamax to
the same depth with the same evaluator; a test checks this.
"""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, Literal, TypeVar

from advisor.engine.nodes import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    FORCED,
    INFINITE,
    WIN,
    Below,
    FasterError,
    LeafEvaluator,
    Node,
    P,
    StoppedError,
    Wanted,
    child_value,
    from_above,
    from_node,
    settles,
    with_results,
)
from aspcircuits.stopping import Stop

T = TypeVar("T")

__all__ = ["FORCED", "WIN", "LeafEvaluator", "Node", "Result", "search"]


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a search, from the view of the side to move at the root.

    Attributes:
        best: the best move; all best moves, in the order of `Node.moves`, if every move was scored.
        value: of the best move; see the module's docstring.
        scores: exact values of all moves if requested, otherwise of the best move only.
        lines: the principal variation of each move to follow, from the move itself to the position
            that gives the value. Among lines with the same value, it is the one whose moves come
            first in `Node.moves`, so that it does not depend on what searched or what is in the
            table.
        depth: plies of the last completed iteration.
        exhaustive: every line was followed to the end of the game, so a value of 0 is a draw.
        drawn: moves that end the game at once as a draw, so that their value is certain.
        nodes: positions visited inside the tree.
        leaves: positions scored by the evaluator.
        seconds: wall-clock time.
        interrupted: the search was stopped before its limits, or had no room to go on.
        machine_code: whether machine code did the search in the end.
        selective: whether it pruned what seemed hopeless.
    """

    best: tuple[int, ...]
    value: int
    scores: dict[int, int]
    lines: dict[int, tuple[int, ...]]
    depth: int
    exhaustive: bool
    drawn: frozenset[int]
    nodes: int
    leaves: int
    seconds: float
    interrupted: bool
    machine_code: bool
    selective: bool

    @property
    def variation(self) -> tuple[int, ...]:
        """The best move and, if it was followed, the moves expected after it."""
        return self.lines.get(self.best[0], self.best[:1])


def search(
    root: P,
    evaluator: LeafEvaluator[P],
    *,
    depth: int | None = None,
    stop: Stop | None = None,
    moves: Sequence[int] | None = None,
    every_move: bool = False,
    bonus: Mapping[int, int] | Callable[[], Mapping[int, int]] | None = None,
    follow: Literal["best", "all"] | None = "best",
    jobs: int = 1,
    nodes: int | None = None,
    go_on: bool = False,
    on_iteration: Callable[[Result], None] | None = None,
) -> Result:
    """Search by iterative deepening until a limit is reached or the best move is forced.

    Args:
        root: a position whose game goes on.
        evaluator: scores the leaves.
        depth: plies, at least 1; None for no limit.
        stop: checked before every batch; but the first ply is always finished, so that there is an
            answer. None for never.
        moves: the moves to choose from, at least one; None for all.
        every_move: score all moves exactly, not only the best one. Costs several times more.
        bonus: what is known of the root's moves apart from their consequences: an amount that is
            added to a move's heuristic value, in every iteration. Forced results stay as they are,
            and so do draws: of a move that ends the game, or if every line is followed to the end.
            It may be
                a
            function, which is not called if a win is found before the bonus matters.
        follow: which moves get a principal variation.
        jobs: threads that share the moves if machine code scores every one; for the best move alone
            the other threads would do useless work. The values do not change. A selective search's
            would, so with a depth it uses one thread.
        nodes: limit on nodes and scored positions together, which machine code checks only between
            its calls. None for no limit.
        go_on: a selective search may use what earlier ones have stored, so that the same call need
            not give the same result.
        on_iteration: called after each completed iteration with the result so far.

    Returns:
        the result of the last completed iteration; without `every_move`, that of the interrupted
        one if it has found a better move.
    """
    stop = stop or Stop()
    limit = root.plies_left if depth is None else min(depth, root.plies_left)
    tree = _Root(root, evaluator, bonus or {}, jobs, depth is not None, go_on)
    done: Result | None = None
    order = list(root.moves() if moves is None else moves)
    interrupted = False
    scores: dict[int, int] = {}
    try:
        for plies in range(1, limit + 1):
            scores = dict(scores) if tree.selective else {}
            done = tree.fastest(tree.iteration, order, plies, every_move, scores, follow)
            if on_iteration is not None:
                on_iteration(done)
            if abs(done.value) >= FORCED or done.exhaustive:
                break
            order.sort(key=lambda move: -scores.get(move, -INFINITE))
            tree.stop = stop if nodes is None else _Budget(stop, tree, nodes)
    except StoppedError:
        interrupted = stop.is_interrupted or not tree.stop.is_set()
        if done is not None and not every_move and scores.keys() - {*done.best}:
            # The interrupted iteration has already found a better move. Whether all the
            # others are worse is unknown, so neither a loss nor a draw would be certain.
            better = tree.result(done.depth + 1, scores)
            if better.value > -FORCED:
                done = replace(better, depth=done.depth, exhaustive=False)
    assert done is not None  # nothing stops the first ply
    work = tree.work() | {"selective": done.selective}  # of the iteration that counts
    return replace(done, **work, interrupted=interrupted)


class _Budget(Stop):
    """A stop that is also set once a search has counted enough nodes and scored states."""

    def __init__(self, stop: Stop, tree: "_Root[Any]", nodes: int) -> None:
        super().__init__()
        self._stop, self._tree, self._nodes = stop, tree, nodes

    def is_set(self) -> bool:
        work = self._tree.work()
        return work["nodes"] + work["leaves"] >= self._nodes or self._stop.is_set()


class _Root(Generic[P]):
    """The root of a search, and the search below it; see `Below`."""

    def __init__(
        self,
        root: P,
        evaluator: LeafEvaluator[P],
        bonus: Mapping[int, int] | Callable[[], Mapping[int, int]],
        jobs: int,
        to_depth: bool,
        go_on: bool,
    ) -> None:
        self._to_depth = to_depth
        self._started, self._leaves_before = time.monotonic(), evaluator.leaves
        self._root, self._evaluator, self._told, self._jobs = root, evaluator, bonus, jobs
        self.stop = Stop()
        self._below: Below[P] = evaluator.machine_search(root) or Tree(root, evaluator)
        if not go_on and (chooser := self._below.chooser):
            chooser.forget()
        self._nodes, self._guesses = -self._below.nodes, -self._below.guesses

    def work(self) -> dict[str, Any]:
        """Return the fields of a `Result` that describe the work so far."""
        return {
            "nodes": self._nodes + self._below.nodes,
            "leaves": self._evaluator.leaves - self._leaves_before,
            "seconds": time.monotonic() - self._started,
            "machine_code": not isinstance(self._below, Tree),
            "selective": self.selective,
        }

    def result(
        self,
        depth: int,
        scores: dict[int, int],
        certain: bool = False,
        follow: Literal["best", "all"] | None = None,
    ) -> Result:
        """Return the result of an iteration that has found some scores."""
        value = max(scores.values())
        best = tuple(move for move in self._root.moves() if scores.get(move) == value)
        followed = {None: (), "best": best[:1], "all": scores}[follow]
        lines = {m: self._line(m, depth, abs(scores[m]) >= FORCED) for m in followed}
        exhaustive = certain or depth >= self._root.plies_left
        return Result(
            best,
            value,
            scores,
            lines,
            depth,
            exhaustive,
            self._drawing_moves & scores.keys(),
            interrupted=False,
            **self.work(),
        )

    @cached_property
    def _bonus(self) -> Mapping[int, int]:
        told = self._told() if callable(self._told) else self._told
        return {move: bonus for move, bonus in told.items() if move not in self._drawing_moves}

    @cached_property
    def _drawing_moves(self) -> frozenset[int]:
        """The moves that draw the game at once, without moves that only lead back to the root."""
        root = self._root
        return frozenset(
            move
            for move in root.moves()
            if (child := root.after(move)).result() == 0 and child.key != root.key
        )

    @property
    def selective(self) -> bool:
        return self._below.chooser is not None

    @property
    def guesses(self) -> int:
        return self._guesses + self._below.guesses

    def fastest(self, work: Callable[..., T], *arguments: Any) -> T:
        """Return the result of `work`, started again if machine code for it becomes available."""
        while True:
            self._below.stop = self.stop
            self._below.jobs = 1 if self.selective and self._to_depth else self._jobs
            try:
                return work(*arguments)
            except FasterError:
                faster = self._evaluator.machine_search(self._root)
                assert faster is not None
                self._nodes += self._below.nodes - faster.nodes
                self._guesses += self._below.guesses - faster.guesses
                self._below = faster

    def iteration(
        self,
        order: Sequence[int],
        depth: int,
        every_move: bool,
        scores: dict[int, int],
        follow: Literal["best", "all"] | None,
    ) -> Result:
        """Return the result of one depth.

        Lines are computed at each depth, since the stop may be set by the end; and together with
        the values, since machine code that prunes may find other values later.
        """
        guesses = self.guesses
        self.iterate(order, depth, every_move, scores)
        return self.result(depth, scores, self.guesses == guesses, follow)

    def iterate(
        self, order: Sequence[int], depth: int, every_move: bool, scores: dict[int, int]
    ) -> None:
        """Put the values of the root's moves into `scores`, or only that of the best one so far."""
        self._nodes += 1
        chooser = self._below.chooser
        if chooser and not every_move:
            bonus = {move: self._bonus.get(move, 0) for move in order}
            chooser.best(self._root, depth, bonus, scores)
            return
        scores.clear()
        children = [self._root.after(move) for move in order]
        guesses = self.guesses
        if every_move or depth <= self._below.at_once + 1:
            values = self._values(order, children, depth - 1, every_move)
            found = dict(zip(order, from_above(self._root, children, values), strict=True))
            if every_move or max(found.values()) < FORCED:
                found = {move: self._add_bonus(move, value) for move, value in found.items()}
            best = max(order, key=lambda move: found[move])
            scores.update(found if every_move else {best: found[best]})
        else:
            self._compare(order, children, depth, scores)
        if self.guesses == guesses or depth >= self._root.plies_left:
            scores.update({move: self._add_bonus(move, v, -1) for move, v in scores.items()})

    def _values(
        self, order: Sequence[int], children: Sequence[P], plies: int, every_move: bool
    ) -> list[int]:
        """Return the values of the root's children for their sides to move, exact where needed."""
        mine = any(child.turn == self._root.turn for child in children)
        if every_move or mine or plies < 2:
            return self._below.values(children, plies, 1)
        eldest = self._below.values(children[:1], plies, 1)
        best = self._add_bonus(order[0], -eldest[0])
        bonuses = [self._bonus.get(move, 0) for move in order]
        # A child's value must not exceed this for its move to be better with its bonus.
        high = -min(self._add_bonus(move, best, -1) for move in order)
        wanted = Wanted(-INFINITE, high, max(bonuses) - min(bonuses) + 1)
        return eldest + self._below.values(children[1:], plies, 1, wanted)

    def _compare(
        self, order: Sequence[int], children: Sequence[P], depth: int, scores: dict[int, int]
    ) -> None:
        """Compare the moves one by one, for the best one alone; see `iterate`."""
        below, root = self._below, self._root
        for move, child in zip(order, children, strict=True):
            low = -INFINITE
            if scores:
                # The child's value must exceed this for its move to be better with its bonus.
                (best,) = scores.values()
                low = self._add_bonus(move, best, -1)
            value = child_value(below, root, child, depth - 1, low, INFINITE, 1, bool(scores))
            if value > low:
                scores.clear()
                scores[move] = self._add_bonus(move, value)

    def _add_bonus(self, move: int, value: int, times: int = 1) -> int:
        """Return a root move's value with its bonus, unless forced; `times` -1 subtracts it."""
        return value if abs(value) >= FORCED else value + times * self._bonus.get(move, 0)

    def _line(self, first: int, depth: int, forced: bool) -> tuple[int, ...]:
        """Return the principal variation that starts with `first`; a forced one goes to its end."""
        moves, position = [first], self._root.after(first)
        if depth == 1 and not forced:
            return (first,)
        if chooser := self._below.chooser:
            line = chooser.line(self._root)
            return line if line[:1] == (first,) else (first, *chooser.line(position))
        value = self._below.value(position, depth - 1, -INFINITE, INFINITE, 1)
        while position.result() is None and (len(moves) < depth or forced):
            move = self._reaching(position, value, max(1, depth - len(moves)), len(moves))
            if move is None:
                break  # a game may say that a position is won without saying how
            turn = position.turn
            moves.append(move)
            position = position.after(move)
            value = value if position.turn == turn else -value
        return tuple(moves)

    def _reaching(self, position: P, value: int, depth: int, ply: int) -> int | None:
        """Return the first move that leads a position at `ply` to its value at this depth."""
        moves = position.moves()
        children = [position.after(move) for move in moves]
        if depth - 1 <= self._below.at_once:
            values = self._below.values(children, depth - 1, ply + 1)
            found = from_above(position, children, values)
            return next((move for move, v in zip(moves, found, strict=True) if v == value), None)
        for move, child in zip(moves, children, strict=True):
            window = value - 1, value
            if child_value(self._below, position, child, depth - 1, *window, ply + 1) >= value:
                return move
        return None


class Tree(Generic[P]):
    """The search below the positions of one root, in Python; see `Below`.

    Args:
        root: determines how many plies are best searched at once.
        evaluator: scores the leaves. Once it has machine code, a FasterError is raised.
    """

    chooser = None
    room = 1 << 20  # positions in the table; once it is full, it is cleared

    def __init__(self, root: P, evaluator: LeafEvaluator[P]) -> None:
        self._evaluator = evaluator
        self.stop, self.jobs = Stop(), 1
        self.at_once = evaluator.plies_at_once(root)
        self._table: dict[Hashable, tuple[int, int, int, int, bool]] = {}
        self._killers: dict[int, int] = {}
        self.nodes = 0
        self.guesses = 0

    def value(self, position: P, depth: int, alpha: int, beta: int, ply: int) -> int:
        result = position.result()
        if result is not None:
            return result * (WIN - ply)
        if depth <= self.at_once:
            return self.values([position], depth, ply, Wanted(alpha, beta))[0]
        self._listen()
        if self._evaluator.machine_search(position) is not None:
            raise FasterError
        self.nodes += 1

        key, hint = position.key, 0
        entry = self._table.get(key)
        if entry is not None:
            known_depth, bound, value, hint, certain = entry
            certain = certain or abs(value) >= FORCED
            # A heuristic value holds for its depth only; a certain one for every greater depth.
            if known_depth == depth or (certain and known_depth < depth):
                value = from_node(value, ply)
                if settles(bound, value, alpha, beta):
                    self.guesses += not certain
                    return value

        if position.wins_at_once():
            return WIN - ply - 1
        guesses = self.guesses
        best, best_move = self._best(position, depth, alpha, beta, ply, hint)
        if best >= beta:
            bound = AT_LEAST
            self._killers[ply] = best_move
        else:
            bound = EXACT if best > alpha else AT_MOST
        certain = self.guesses == guesses
        if len(self._table) >= self.room:
            self._table.clear()
        self._table[key] = depth, bound, from_node(best, -ply), best_move, certain
        return best

    def _best(
        self, position: P, depth: int, alpha: int, beta: int, ply: int, hint: int
    ) -> tuple[int, int]:
        """Return the best child's value and move, as far as the window (alpha, beta) needs them."""
        killer = self._killers.get(ply, 0)
        moves = sorted(position.candidates(), key=lambda move: (move != hint, move != killer))
        best, best_move = -INFINITE, moves[0]
        if depth - 1 <= self.at_once:
            # The eldest child may cause a cutoff; otherwise its siblings form one or more batches.
            size = self._evaluator.positions_at_once(depth - 1)
            eldest = self._evaluator.eldest(len(moves), depth - 1)
            starts = range(eldest, len(moves), size)
            for group in (moves[:eldest], *(moves[start : start + size] for start in starts)):
                if best >= beta:
                    break
                children = [position.after(move) for move in group]
                mine = any(child.turn == position.turn for child in children)
                wanted = None if mine else Wanted(-beta, -max(alpha, best))
                values = self.values(children, depth - 1, ply + 1, wanted)
                found = from_above(position, children, values)
                for move, value in zip(group, found, strict=True):
                    if value > best:
                        best, best_move = value, move
            return best, best_move
        for move in moves:
            child, window = position.after(move), (max(alpha, best), beta)
            doubted = best != -INFINITE
            value = child_value(self, position, child, depth - 1, *window, ply + 1, doubted)
            if value > best:
                best, best_move = value, move
                if best >= beta:
                    break
        return best, best_move

    def values(
        self, positions: Sequence[P], plies: int, ply: int, wanted: Wanted | None = None
    ) -> list[int]:
        if plies > self.at_once:
            return [self.value(p, plies, -INFINITE, INFINITE, ply) for p in positions]
        if wanted:
            low, high = from_node(wanted.low, -ply), from_node(wanted.high, -ply)
            wanted = Wanted(low, high, wanted.spread)
        size, before = self._evaluator.positions_at_once(plies), self._evaluator.guesses

        def search(going: Sequence[P]) -> list[int]:
            scored: list[int] = []
            for start in range(0, len(going), size):
                self._listen()
                some = going[start : start + size]
                scored += self._evaluator.values(some, plies, wanted).tolist()
            return scored

        found = with_results(positions, ply, search)
        self.guesses += self._evaluator.guesses - before
        return found

    def _listen(self) -> None:
        if self.stop.is_set():
            raise StoppedError
