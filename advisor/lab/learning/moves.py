"""Which strategies tell what a deeper look-ahead chooses: a conditional logit, fitted quickly.

As in `advisor.lab.tuning.choices` the probability of a move is that of its value among the values
of all moves: here what a short look-ahead sees after the move, by the features that were found,
plus the weights of the strategies that fire for it. What they are worth is what makes the choices
of a look-ahead probable that sees two plies more.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from advisor.asp.clingo_api import Term
from advisor.circuits import bitplanes
from advisor.circuits.evaluation import Evaluation
from advisor.engine.rows import Rows, expand, look_ahead, seen_from_above
from advisor.engine.search import FORCED
from advisor.games.circuits import Circuits
from advisor.games.translation import LOOK, Translation
from advisor.lab.learning.odds import Floats
from advisor.lab.tuning.model import Integers, Numbers

_FOLDS = 3
_PENALTY = 1e-3
_FORCED = 5.0
"""The value of a forced result, in units of the spread of the others."""


class Choices:
    """Moves of some states, and which of them are best.

    Args:
        game: with its features' weights, and candidates for strategies.
        rows: states whose game goes on.
        owner: shape (n,), the game that each is of.
        names: of the strategies.
        plies: that the deeper look-ahead sees, at least 2.

    Attributes:
        spread: shape (names,), of whether each fires.
    """

    def __init__(
        self, game: Circuits, rows: Rows, owner: Integers, names: Sequence[Term], plies: int
    ) -> None:
        children = expand(game, rows)
        self._parent = children.parent
        self._firsts = np.flatnonzero(np.diff(children.parent, prepend=-1))
        sign = np.where(children.look.turn == 0, 1, -1)[children.parent]
        sign = -np.ones_like(sign) if game.exchanges else sign
        near = look_ahead(game, children.rows, max(0, plies - 3)).values * sign
        far = seen_from_above(look_ahead(game, children.rows, plies - 1).values) * sign
        self._right = far == np.maximum.reduceat(far, self._firsts)[children.parent]
        guesses = near[np.abs(near) < FORCED]
        self._unit = float(guesses.std()) or 1.0 if len(guesses) else 1.0
        shallow = np.clip(near / self._unit, -_FORCED, _FORCED)
        self._columns = np.column_stack(
            (shallow, _fired(game, rows, children.parent, children.move, names))
        ).astype(np.float32)
        self._fold = owner % _FOLDS
        self.spread: Numbers = self._columns[:, 1:].std(axis=0).astype(np.float64)

    def crossed(
        self, columns: Sequence[int], start: Mapping[int, Numbers] | None = None, steps: int = 8
    ) -> tuple[float, dict[int, Numbers]]:
        """See `advisor.lab.learning.odds.Odds.crossed`."""
        found, total = {}, 0.0
        for fold in range(_FOLDS):
            inside = self._fold != fold
            begin = None if start is None else start[fold]
            found[fold] = self._fit(columns, inside, begin, steps)
            total += float(self._losses(columns, found[fold])[~inside].sum())
        return total / len(self._fold), found

    def fit(self, columns: Sequence[int]) -> Numbers:
        """Weights of some names, in the unit of the features' weights."""
        found = self._fit(columns, np.ones(len(self._fold), bool), None, 12)
        weights: Numbers = found[1:] / max(float(found[0]), 0.05) * self._unit
        return weights

    def _design(self, columns: Sequence[int]) -> Floats:
        return self._columns[:, [0, *(1 + column for column in columns)]]

    def _fit(
        self,
        columns: Sequence[int],
        inside: npt.NDArray[np.bool_],
        start: Numbers | None,
        steps: int,
    ) -> Numbers:
        """Coefficients: of the value at once, then of the columns."""
        design = self._design(columns)
        kept = inside[self._parent]
        found = np.zeros(design.shape[1])
        if start is not None:
            found[: len(start)] = start
        penalty = _PENALTY * inside.sum()
        for _ in range(steps):
            chance, right = self._chances(design, found)
            slope = design[kept].T @ (chance - right)[kept] + penalty * found
            mean = np.add.reduceat(design * chance[:, None], self._firsts)[inside]
            bend = design[kept].T @ (design * chance[:, None])[kept] - mean.T @ mean
            step = np.linalg.solve(bend + penalty * np.eye(len(found)), slope)
            found -= step * min(1.0, 2 / max(float(np.abs(step).max()), 1e-12))
            if np.abs(step).max() < 1e-4:
                break
        return found

    def _chances(self, design: Floats, found: Numbers) -> tuple[Numbers, Numbers]:
        """Of each move the probability, among all of them and among the right ones."""
        logits = design @ found.astype(np.float32)
        odds = np.exp(logits - np.maximum.reduceat(logits, self._firsts)[self._parent])
        right = odds * self._right
        every, rights = (np.add.reduceat(each, self._firsts) for each in (odds, right))
        among_right: Numbers = right / np.maximum(rights, 1e-30)[self._parent]
        among_all: Numbers = odds / every[self._parent]
        return among_all, among_right

    def _losses(self, columns: Sequence[int], found: Numbers) -> Numbers:
        """Of each state -ln(probability of the right moves)."""
        chance, _ = self._chances(self._design(columns), found)
        right = np.add.reduceat(chance * self._right, self._firsts)
        losses: Numbers = -np.log(np.maximum(right.astype(np.float64), 1e-30))
        return losses


def _fired(
    game: Circuits,
    rows: Rows,
    parent: npt.NDArray[np.intp],
    move: npt.NDArray[np.intp],
    names: Sequence[Term],
) -> Floats:
    """Shape (moves, names): whether each strategy fires for each move of each state."""
    net = Translation.kept(game.rules, [*LOOK, "fires", "because"])
    found = [*net.of("fires"), *net.of("because")]
    outputs = [literal for _, literal in found]
    evaluation = Evaluation(net.state, net.netlist.gates(outputs), outputs)
    planes = bitplanes.transpose(rows)[: len(net.state)]
    bits = bitplanes.unpack(evaluation(planes), len(rows))
    number = {each: i for i, each in enumerate(game.rules.moves)}
    place = np.full((len(rows), len(number)), -1, np.intp)
    place[parent, move] = np.arange(len(parent))
    fires = np.zeros((len(parent), len(names)), np.float32)
    column = {name: i for i, name in enumerate(names)}
    for i, (atom, _) in enumerate(found):
        states = np.flatnonzero(bits[:, i])
        at = place[states, number[atom[2]]]
        fires[at[at >= 0], column[atom[1]]] = 1
    return fires
