"""Choose strategies that predict a deeper look-ahead; find positions where features decide.

A look-ahead two plies deeper gives moves other values. A linear regression on the strategies that
fire for each move predicts this change, relative to the other moves of the same state. Its
coefficients are the strategies' weights, in the unit of the features' weights.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Bools, Rows
from advisor.engine.rows import Ahead, Children, Index, expand, firsts, for_movers
from advisor.engine.search import FORCED
from advisor.games.circuits import Circuits
from advisor.games.machine import branching
from advisor.games.translation import LOOK, Translation
from advisor.plugins.learn.learning.choosing import (
    Fitting,
    Floats,
    choose_families,
    fit_families,
    varying_columns,
)
from advisor.plugins.learn.learning.outcome import Decided, Part
from advisor.plugins.learn.learning.proposals import SAID, Candidates, Proposals
from advisor.plugins.learn.learning.task import Task
from advisor.plugins.learn.tuning import selfplay
from advisor.plugins.learn.tuning.model import Doubles, Integers
from advisor.plugins.learn.tuning.selfplay import SelfPlayed
from aspcircuits import bitplanes
from aspcircuits.clingo_api import Term, functor

_SAMPLED = 300
"""Number of positions searched for one in which a rule decides."""
_MOVED, _FEWEST, _LEAVES = 1500, 200, 3_000_000
"""States whose moves are compared: maximum, minimum, and maximum of the leaves below them all."""
_MOST_STRATEGIES = 6
_PENALTY = 1e-3
_LARGEST = 3.0
"""Maximum of a change, in units of the spread; larger changes come from single exchanges."""


def choose_strategies(
    task: Task,
    game: Circuits,
    features: Proposals,
    proposed: Proposals,
    weights: Mapping[Term, int],
    met: SelfPlayed,
    goes_on: Callable[[str], bool],
) -> Part:
    """Choose and weigh strategies that predict how a deeper look-ahead changes moves' values.

    Args:
        task: the game and the seed.
        game: its circuits.
        features, weights: the features chosen before, and their weights.
        proposed: strategies to choose from.
        met: positions whose moves are compared.
        goes_on: see `choose_families`.

    Raises:
        EncodingError: a strategy cannot be used.
    """
    text = f"{features.text(features.families)}\n{proposed.text(proposed.families)}"
    candidates = Candidates(task.game, task.sizes, text)
    names = candidates.names(*SAID)
    plies = selfplay.plies_ahead(game) + 1
    count = max(_FEWEST, min(_MOVED, _LEAVES // branching(game, game.start) ** plies))
    some = np.random.default_rng(task.seed).permutation(len(met.rows))[:count]
    playing = candidates.circuits(weights)
    changes = Corrections(playing, met.rows[some], met.owner[some], names, plies)
    columns = varying_columns(changes, names, proposed.families)
    choice = choose_families(changes, columns, goes_on, most=_MOST_STRATEGIES)
    learned = fit_families(changes, names, [columns[family] for family in choice.families])
    tried = {family: len(own) for family, own in columns.items() if own}
    return Part.of(tried, choice, proposed, learned)


class Corrections(Fitting):
    """A linear model of how a deeper look-ahead changes the values of moves.

    Args:
        game: the game with its features' weights and with candidate strategies.
        rows: states in which the game is not over.
        owner: shape (n,), the game of each state.
        names: names of the strategies.
        plies: depth of the deeper look-ahead, at least 2.
    """

    def __init__(
        self, game: Circuits, rows: Rows, owner: Integers, names: Sequence[Term], plies: int
    ) -> None:
        children = expand(game, rows)
        near, far = (
            for_movers(game, children, Ahead(game).look(children.rows, deep))
            for deep in (max(0, plies - 3), plies - 1)
        )
        guessed = (np.abs(near) < FORCED) & (np.abs(far) < FORCED)
        parent = children.parent[guessed]
        change = (far - near)[guessed].astype(np.float64)
        self._change = _centre(change[:, None], parent)[:, 0]
        bound = _LARGEST * float(self._change.std() if len(change) else 0)
        self._change = self._change.clip(-bound, bound)
        self._fired = _centre(_find_firings(game, rows, children, names)[guessed], parent)
        size = max(float(np.square(self._change).mean() if len(change) else 0), 1e-12)
        spread = self._fired.std(axis=0).astype(np.float64)
        super().__init__(owner[parent], spread, size * max(1, len(change)))

    def _fit(
        self, columns: Sequence[int], rows: Bools, start: Doubles | None, steps: int
    ) -> Doubles:
        """Solve the regression directly, without `start` and `steps`."""
        design: Doubles = self._fired[rows][:, [*columns]]
        ridge = _PENALTY * max(1, len(design)) * np.eye(len(columns))
        found = np.linalg.solve(design.T @ design + ridge, design.T @ self._change[rows])
        return found.astype(np.float64)

    def _loss(self, columns: Sequence[int], rows: Bools, found: Doubles) -> float:
        """Return the sum of the squared errors."""
        told: Doubles = self._fired[rows][:, [*columns]] @ found
        return float(np.square(self._change[rows] - told).sum())


def _centre(values: npt.NDArray[Any], parent: Index) -> Doubles:
    """Subtract from the value of each move the mean over the moves of the same state."""
    if not len(values):
        return np.zeros(values.shape)
    first = firsts(parent)
    count = np.diff(np.append(first, len(parent)))
    mean = np.add.reduceat(values, first, axis=0) / count[:, None]
    found: Doubles = values - np.repeat(mean, count, axis=0)
    return found


def _find_firings(game: Circuits, rows: Rows, children: Children, names: Sequence[Term]) -> Floats:
    """Find which strategies fire for each move of each state: shape (moves, names)."""
    net = Translation.load_or_make(game.rules, [*LOOK, *SAID])
    found = [pair for name in SAID for pair in net.of(name)]
    evaluation = net.evaluation([literal for _, literal in found])
    planes = bitplanes.transpose(rows)[: len(net.state)]
    bits = bitplanes.unpack(evaluation(planes), len(rows))
    number = {each: i for i, each in enumerate(game.rules.moves)}
    place = np.full((len(rows), len(number)), -1, np.intp)
    place[children.parent, children.move] = np.arange(len(children.move))
    fires = np.zeros((len(children.move), len(names)), np.float32)
    column = {name: i for i, name in enumerate(names)}
    for i, (atom, _) in enumerate(found):
        states = np.flatnonzero(bits[:, i])
        at = place[states, number[atom[2]]]
        fires[at[at >= 0], column[atom[1]]] = 1
    return fires


def find_decisions(
    game: Circuits, met: SelfPlayed, weights: Mapping[Term, int], families: Sequence[str]
) -> dict[str, Decided]:
    """Find, for each family, the position in which it changes the best move most, one ply ahead.

    A family that never changes it is missing.
    """
    chosen = np.random.default_rng(0).permutation(len(met.rows))[:_SAMPLED]
    rows = met.rows[chosen]
    children = expand(game, rows)
    names = [*weights]
    counts = game.counts(children.rows, names)
    certain = game.leaf(children.rows).certain
    value = for_movers(game, children, counts @ np.array([*weights.values()], np.int64))
    known = np.unique(children.parent[certain])
    usable = ~np.isin(children.parent, known)
    found: dict[str, Decided] = {}
    for each in families:
        part = [i for i, name in enumerate(names) if functor(name) == each]
        own = counts[:, part] @ np.array([weights[names[i]] for i in part], np.int64)
        other = value - for_movers(game, children, own)
        for parent in np.unique(children.parent[usable]):
            mine = np.flatnonzero(children.parent == parent)
            with_it = mine[value[mine].argmax()]
            without = mine[other[mine].argmax()]
            by = int(value[with_it] - value[without])
            if by > (found[each].by if each in found else 0):
                found[each] = Decided(
                    rows[parent],
                    game.rules.moves[children.move[with_it]],
                    game.rules.moves[children.move[without]],
                    by,
                )
    return found
