"""A position for each rule in which the best move would be another one without it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from advisor.asp.clingo_api import Term
from advisor.engine.below import Rows
from advisor.engine.rows import expand
from advisor.games.circuits import Circuits
from advisor.lab.learning.odds import Positions
from advisor.lab.learning.terms import functor

_SAMPLED = 300


@dataclass(frozen=True, slots=True)
class Decided:
    """A position in which a rule decides.

    Attributes:
        row: the state.
        better, worse: the moves that are best with the rule, and without it.
        by: how much the better one is worth more with it.
    """

    row: Rows
    better: Term
    worse: Term
    by: int


def decided(
    game: Circuits,
    met: Positions,
    weights: Mapping[Term, int],
    families: Sequence[str],
) -> dict[str, Decided]:
    """The clearest of some positions, by what follows at once; none where a rule decides nothing.

    Args:
        game: with its weights.
        met: positions.
        weights: of the names.
        families: the rules.
    """
    rng = np.random.default_rng(0)
    chosen = rng.permutation(len(met.rows))[:_SAMPLED]
    rows = met.rows[chosen]
    children = expand(game, rows)
    names = [*weights]
    counts = game.counts(children.rows, names)
    certain = game.leaf(children.rows).certain
    # For who is to move; in a game that is seen so the other one has it after the move.
    sign = np.where(children.look.turn == 0, 1, -1)[children.parent]
    sign = -np.ones_like(sign) if game.exchanges else sign
    value = counts @ np.array([*weights.values()], np.int64) * sign
    known = np.unique(children.parent[certain])
    usable = ~np.isin(children.parent, known)
    found: dict[str, Decided] = {}
    for each in families:
        part = [i for i, name in enumerate(names) if functor(name) == each]
        own = counts[:, part] @ np.array([weights[names[i]] for i in part], np.int64) * sign
        for parent in np.unique(children.parent[usable]):
            mine = np.flatnonzero(children.parent == parent)
            with_it = mine[value[mine].argmax()]
            without = mine[(value - own)[mine].argmax()]
            by = int(value[with_it] - value[without])
            if by > (found[each].by if each in found else 0):
                found[each] = Decided(
                    rows[parent],
                    game.rules.moves[children.move[with_it]],
                    game.rules.moves[children.move[without]],
                    by,
                )
    return found
