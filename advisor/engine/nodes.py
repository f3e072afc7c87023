"""What a search knows of games, of those who score positions, and of what lies below a root.

Values are integers. A value is heuristic (in weight units) or forced: a win `n` plies after the
root is worth ``WIN - n``, a loss ``n - WIN``, so that the sooner win and the later loss are better.
Everything beyond `FORCED` in size is forced. Inside, values are from the view of the side to move.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from aspcircuits.stopping import Stop

WIN = 1 << 40
FORCED = WIN - (1 << 20)
INFINITE = WIN + 1
"""Beyond every value."""

Rows = npt.NDArray[np.uint64]
"""States, a row of words each."""
Values = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Node(Protocol):
    """A position, as the search needs to know it."""

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


class Wanted(NamedTuple):
    """Which of the values of several positions, for who moves there, matter: the least, mostly.

    Once one is at most `low`, others may be left out and be `INFINITE`. What is more than `high`,
    or than the least value by more than `spread`, may come out as less, but not as less than that.
    """

    low: int
    high: int
    spread: int = 0


P = TypeVar("P", bound=Node)
P_contra = TypeVar("P_contra", bound=Node, contravariant=True)


def played(position: P, moves: Iterable[int]) -> P:
    """The position after several legal moves."""
    for move in moves:
        position = position.after(move)
    return position


class LeafEvaluator(Protocol[P_contra]):
    """Scores positions in batches."""

    leaves: int  # how many positions were scored so far
    guesses: int  # how many of them got a heuristic value, in place of a certain one
    added: int  # how many more were scored after noisy moves, beyond the plies asked for

    def plies_at_once(self, position: P_contra) -> int:
        """How many plies are best looked ahead in one batch, at least 1."""

    def positions_at_once(self, plies: int) -> int:
        """How many positions to give to `values`, at least 1.

        A batch cannot be interrupted, so it has to be done in a small part of a second.
        """

    def eldest(self, children: int, plies: int) -> int:
        """How many of a node's so many children, so many plies ahead from each, are scored before
        it is asked whether one is enough: at least 1, at most `positions_at_once`.
        """

    def values(
        self, positions: Sequence[P_contra], plies: int, wanted: Wanted | None = None
    ) -> Values:
        """Negamax values, `plies` ahead, of positions whose game goes on, as far as `wanted`.

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
    """

    stop: Stop  # ends it, by a StoppedError
    jobs: int  # threads that may share what is asked of several positions; Python has one
    nodes: int  # positions visited so far
    guesses: int  # heuristic values used so far; where it stays the same, what was found is certain

    @property
    def at_once(self) -> int:
        """So few plies are better looked ahead from many positions together."""

    @property
    def chooser(self) -> "Chooser[P_contra] | None":
        """What searches the root as well, where values are selective; None where they are exact."""

    def value(self, position: P_contra, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Fail-soft alpha-beta: exact inside (alpha, beta), otherwise a bound on that side."""

    def values(
        self, positions: Sequence[P_contra], plies: int, ply: int, wanted: Wanted | None = None
    ) -> list[int]:
        """Values of positions at the same ply, finished ones included: exact as far as `wanted`."""


class Chooser(Protocol[P_contra]):
    """A selective search of a root and what lies below it."""

    def best(
        self, position: P_contra, depth: int, bonus: Mapping[int, int], scores: dict[int, int]
    ) -> None:
        """Finds the best of the root's moves with a bonus, so many plies ahead, at least one.

        Args:
            scores: becomes the best move with its value. At first it may hold about that value.

        Raises:
            StoppedError: it was to stop; the best move by then is there, if there was one.
        """

    def line(self, position: P_contra) -> tuple[int, ...]:
        """The play that is expected after a position whose value was asked for."""

    def forget(self) -> None:
        """As if nothing had been searched yet: the same question has the same answer again."""


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
    """As `Below.value`, of a child at `ply`, but for the side to move in the position above it.

    Of a `doubted` one it is asked first, which costs less, whether it is worth more than `alpha`.
    """
    if doubted and beta - alpha > 1:
        value = child_value(below, position, child, depth, alpha, alpha + 1, ply)
        if not alpha < value < beta:
            return value
    if child.turn == position.turn:
        return below.value(child, depth, alpha, beta, ply)
    return -below.value(child, depth, -beta, -alpha, ply)


def from_above(position: P, children: Sequence[P], values: Iterable[int]) -> list[int]:
    """Values of children for the side to move in the position above them."""
    pairs = zip(children, values, strict=True)
    return [value if child.turn == position.turn else -value for child, value in pairs]


def with_results(
    positions: Sequence[P], ply: int, search: Callable[[Sequence[P]], list[int]]
) -> list[int]:
    """Values of positions at a ply, of those whose games go on by a search, for which forced
    results count from there."""
    results = [position.result() for position in positions]
    going = [p for p, result in zip(positions, results, strict=True) if result is None]
    found = iter(search(going) if going else ())
    return [from_node(next(found) if r is None else r * WIN, ply) for r in results]


def plies_within(branching: int, leaves: int) -> int:
    """As many plies as have no more leaves below a position, but at least one."""
    plies = 1
    while max(2, branching) ** (plies + 1) <= leaves:
        plies += 1
    return plies


class StoppedError(Exception):
    """The search is to stop."""


class FasterError(Exception):
    """There is machine code for it by now."""


def from_node(value: int, ply: int) -> int:
    """A value, forced results counting from a node at `ply`, counted from the root; and back."""
    if value >= FORCED:
        return value - ply
    return value + ply if value <= -FORCED else value


EXACT, AT_LEAST, AT_MOST = range(3)
"""What is known of a value."""


def settles(bound: int, value: int, alpha: int, beta: int) -> bool:
    """Whether what is known of a value is all that alpha-beta with these bounds asks for."""
    enough, little = bound == AT_LEAST and value >= beta, bound == AT_MOST and value <= alpha
    return bound == EXACT or enough or little
