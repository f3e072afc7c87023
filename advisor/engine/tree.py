"""Alpha-beta in Python, below the positions of one root."""

from collections.abc import Hashable, Sequence
from typing import Generic

from advisor.engine.below import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    FORCED,
    INFINITE,
    WIN,
    FasterError,
    LeafEvaluator,
    P,
    StoppedError,
    Wanted,
    child_value,
    from_above,
    from_node,
    settles,
)
from advisor.limits import Stop


class Tree(Generic[P]):
    """What lies below the positions of one root, in Python; see `Below`.

    Args:
        root: tells how many plies are best looked ahead at once.
        evaluator: scores the leaves. Once it has machine code, a FasterError is raised.
    """

    chooser = None

    def __init__(self, root: P, evaluator: LeafEvaluator[P]) -> None:
        self._evaluator = evaluator
        self.stop, self.jobs = Stop(), 1
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
            return self.values([position], depth, ply, Wanted(alpha, beta))[0]
        self._listen()
        if self._evaluator.compiled(position) is not None:
            raise FasterError
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
        self._table[key] = (
            depth,
            bound,
            from_node(best, -ply),
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
            # The eldest may cut off; otherwise their younger siblings are a batch, or several.
            size = self._evaluator.positions_at_once(depth - 1)
            eldest = self._evaluator.eldest(len(moves), depth - 1)
            starts = range(eldest, len(moves), size)
            for group in (moves[:eldest], *(moves[start : start + size] for start in starts)):
                if best >= beta:
                    break
                children = [position.after(move) for move in group]
                low = max(alpha, best)
                values = self._children_values(position, children, depth - 1, ply + 1, low, beta)
                for move, value in zip(group, values, strict=True):
                    if value > best:
                        best, best_move = value, move
            return best, best_move
        for move in moves:
            child = position.after(move)
            low = max(alpha, best)
            if best == -INFINITE or beta - low == 1:
                value = child_value(self, position, child, depth - 1, low, beta, ply + 1)
            else:
                value = child_value(self, position, child, depth - 1, low, low + 1, ply + 1)
                if low < value < beta:
                    value = child_value(self, position, child, depth - 1, low, beta, ply + 1)
            if value > best:
                best, best_move = value, move
                if best >= beta:
                    break
        return best, best_move

    def _children_values(
        self, position: P, children: Sequence[P], plies: int, ply: int, low: int, high: int
    ) -> list[int]:
        """Values of children at `ply`, of which the greatest is wanted, for the side to move above.

        As `_value` it is exact between `low` and `high`.
        """
        mine = any(child.turn == position.turn for child in children)
        values = self.values(children, plies, ply, None if mine else Wanted(-high, -low))
        return from_above(position, children, values)

    def values(
        self, positions: Sequence[P], plies: int, ply: int, wanted: Wanted | None = None
    ) -> list[int]:
        if plies > self.at_once:
            return [self.value(p, plies, -INFINITE, INFINITE, ply) for p in positions]
        results = [position.result() for position in positions]
        going = [p for p, result in zip(positions, results, strict=True) if result is None]
        scored: list[int] = []
        size = self._evaluator.positions_at_once(plies)
        guesses = self._evaluator.guesses
        if wanted:
            low, high = from_node(wanted.low, -ply), from_node(wanted.high, -ply)
            wanted = Wanted(low, high, wanted.spread)
        for start in range(0, len(going), size):
            self._listen()
            some = going[start : start + size]
            scored += self._evaluator.values(some, plies, wanted).tolist()
        self.guesses += self._evaluator.guesses - guesses
        found = iter(scored)
        return [
            from_node(next(found), ply) if result is None else result * (WIN - ply)
            for result in results
        ]

    def _listen(self) -> None:
        if self.stop.is_set():
            raise StoppedError
