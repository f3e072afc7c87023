"""Protocols of the search: positions, evaluators, and searches below a root.

Values are integers. A value is heuristic (in weight units) or forced: a win `n` plies after the
root is worth ``WIN - n``, a loss ``n - WIN``, so that a sooner win and a later loss are better.
A value is forced if its size exceeds `FORCED`. Inside the search, values are from the view of the
side to move.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from aspcircuits.stopping import Stop

WIN = 1 << 40
FORCED = WIN - (1 << 20)
INFINITE = WIN + 1
"""Greater than every value."""

Rows = npt.NDArray[np.uint64]
"""States, one row of uint64 words each."""
Values = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Node(Protocol):
    """A position, as the search needs it."""

    @property
    def key(self) -> Hashable:
        """Identifies the position among all that can be reached from the same root."""

    @property
    def turn(self) -> int:
        """The player to move, who may move several times in a row."""

    @property
    def plies_left(self) -> int:
        """Upper bound on the number of plies that the game can still last."""

    def result(self) -> int | None:
        """Return None while the game goes on, then 1, -1 or 0: `turn` has won, lost or drawn."""

    def wins_at_once(self) -> bool:
        """Return whether the side to move has a move that wins the game."""

    def moves(self) -> Sequence[int]:
        """Return all legal moves, usually good ones first."""

    def candidates(self) -> Sequence[int]:
        """Return legal moves that include a best one, for a search of two plies or more.

        Only called if the side to move cannot win at once. The result is then the moves that stop
        an immediate win of the other side if it threatens one, otherwise all moves.
        """

    def after(self, move: int) -> Self:
        """Return the position after a legal move."""


class Wanted(NamedTuple):
    """Search window for a batch of siblings, from the view of the side to move in each of them.

    The caller mostly takes the least value. Once a value <= `low` is found, others may be left out
    and be `INFINITE`. A value that is more than `high`, or more than the least value plus `spread`,
    may come out lower, but not below that limit.
    """

    low: int
    high: int
    spread: int = 0


P = TypeVar("P", bound=Node)
P_contra = TypeVar("P_contra", bound=Node, contravariant=True)


def play_moves(position: P, moves: Iterable[int]) -> P:
    """Return the position after several legal moves."""
    for move in moves:
        position = position.after(move)
    return position


class LeafEvaluator(Protocol[P_contra]):
    """Evaluator of positions, in batches."""

    leaves: int  # positions scored so far
    guesses: int  # how many of them got a heuristic value rather than a certain one
    added: int  # further positions scored after noisy moves, beyond the requested plies

    def plies_at_once(self, position: P_contra) -> int:
        """Return how many plies are best searched in one batch, at least 1."""

    def positions_at_once(self, plies: int) -> int:
        """Return how many positions to pass to `values`, at least 1.

        A batch cannot be interrupted, so it must take only a small part of a second.
        """

    def eldest(self, children: int, plies: int) -> int:
        """Return how many of a node's children to score before the first test for a cutoff.

        At least 1, at most `positions_at_once`.

        Args:
            children: number of the node's children.
            plies: depth of the search below each of them.
        """

    def values(
        self, positions: Sequence[P_contra], plies: int, wanted: Wanted | None = None
    ) -> Values:
        """Return negamax values of positions whose game goes on, `plies` ahead, as far as `wanted`.

        Forced values count plies from the position itself, not from the search's root.

        Returns:
            shape (len(positions),), each from the view of its side to move.
        """

    def machine_search(self, position: P_contra) -> "Below[P_contra] | None":
        """Return the machine-code search below positions like this one; None if there is none."""


class Below(Protocol[P_contra]):
    """The search below single positions: in Python, or as machine code.

    `ply` counts plies from the root. Values are from the view of the side to move; forced results
    count plies from the root.
    """

    stop: Stop  # ends the search with a StoppedError
    jobs: int  # threads that may share the work on several positions; Python has one
    nodes: int  # positions visited so far
    guesses: int  # heuristic values used so far; a result found without new ones is certain

    @property
    def at_once(self) -> int:
        """Depth up to which searching many positions together is better than one by one."""

    @property
    def chooser(self) -> "Chooser[P_contra] | None":
        """The search that handles the root too, if values are selective; None if they are exact."""

    def value(self, position: P_contra, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the fail-soft alpha-beta value: exact inside (alpha, beta), otherwise a bound."""

    def values(
        self, positions: Sequence[P_contra], plies: int, ply: int, wanted: Wanted | None = None
    ) -> list[int]:
        """Return values of positions at the same ply, finished ones too, as far as `wanted`."""


class Chooser(Protocol[P_contra]):
    """A selective search of a root and what lies below it."""

    def best(
        self, position: P_contra, depth: int, bonus: Mapping[int, int], scores: dict[int, int]
    ) -> None:
        """Find the best of the root's moves with a bonus, `depth` plies ahead, at least one.

        Args:
            scores: receives the best move with its value. On entry it may hold an estimate of that
                value.

        Raises:
            StoppedError: `stop` is set; `scores` has the best move found so far, if there is one.
        """

    def line(self, position: P_contra) -> tuple[int, ...]:
        """Return the principal variation after a position that `value` has searched."""

    def forget(self) -> None:
        """Forget all earlier searches, so that the same call gives the same result again."""


def child_value(
    below: Below[P],
    position: P,
    child: P,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    doubted: bool = False,
) -> int:
    """Return `Below.value` of a child at `ply`, for the side to move in the position above it.

    A `doubted` child first gets a null-window search, which is cheaper, to see whether it is worth
    more than `alpha`.
    """
    if doubted and beta - alpha > 1:
        value = child_value(below, position, child, depth, alpha, alpha + 1, ply)
        if not alpha < value < beta:
            return value
    if child.turn == position.turn:
        return below.value(child, depth, alpha, beta, ply)
    return -below.value(child, depth, -beta, -alpha, ply)


def from_above(position: P, children: Sequence[P], values: Iterable[int]) -> list[int]:
    """Return the values of children for the side to move in the position above them."""
    pairs = zip(children, values, strict=True)
    return [value if child.turn == position.turn else -value for child, value in pairs]


def with_results(
    positions: Sequence[P], ply: int, search: Callable[[Sequence[P]], list[int]]
) -> list[int]:
    """Return the values of positions at a ply, using `search` for those whose games go on.

    `search` counts forced results from the position; the values returned count them from the root.
    """
    results = [position.result() for position in positions]
    going = [p for p, result in zip(positions, results, strict=True) if result is None]
    found = iter(search(going) if going else ())
    return [from_node(next(found) if r is None else r * WIN, ply) for r in results]


def plies_within(branching: int, leaves: int) -> int:
    """Return the greatest number of plies with at most `leaves` leaves, at least one."""
    plies = 1
    while max(2, branching) ** (plies + 1) <= leaves:
        plies += 1
    return plies


class StoppedError(Exception):
    """The search must stop."""


class FasterError(Exception):
    """Machine code for this search has become available."""


def from_node(value: int, ply: int) -> int:
    """Convert a value with forced results counted from a node at `ply` to one from the root.

    With `-ply` it converts back.
    """
    if value >= FORCED:
        return value - ply
    return value + ply if value <= -FORCED else value


EXACT, AT_LEAST, AT_MOST = range(3)
"""Kinds of bounds on a value."""


def settles(bound: int, value: int, alpha: int, beta: int) -> bool:
    """Return whether a known value or bound decides an alpha-beta search with this window."""
    enough, little = bound == AT_LEAST and value >= beta, bound == AT_MOST and value <= alpha
    return bound == EXACT or enough or little
