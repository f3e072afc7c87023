"""Compare a learned strategy's sum of features for Connect Four with a neural network of them.

    python benchmarks/learn/network.py [WEIGHTS] [GAMES]

WEIGHTS, by default examples/found/connect4.yaml, plays GAMES games against itself (4,096). The
model `Odds` predicts the ends of these games twice: by the sum of weighted features, and by a
network of 96 hidden units in place of the sum. Both are judged by games that they were not fitted
to, and by the moves that a look-ahead chooses with them in positions with exact scores: at four
plies, and in 0.2 s without machine code, which only a sum has. The network gives no reasons; it
only shows what a sum loses.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Rows
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.rows import Leaves
from advisor.engine.search import search
from advisor.files import linefile
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.connect4.examples import example
from advisor.games.examples import grade_choice
from advisor.limits import Limit
from advisor.plugins.learn.learning.choosing import NEARNESS, Odds
from advisor.plugins.learn.tuning import selfplay
from advisor.plugins.learn.tuning.model import UNIT
from aspcircuits.stopping import Stop

Floats = npt.NDArray[np.float32]
Roles = npt.NDArray[np.int64]
Guess = Callable[[Rows, Roles], Floats]

FOUND = Path(__file__).parents[2] / "examples" / "found" / "connect4.yaml"
DATA = Path(__file__).parents[1] / "data"
HIDDEN, EPOCHS, BATCH, RATE = 96, 40, 1024, 2e-3
FOLDS = 3


class Told(NamedTuple):
    """Positions as the model sees them.

    Attributes:
        inputs: shape (n, names), scaled counts.
        turn: shape (n,), the role to move.
        reached: shape (n, levels), whether a game's result was at least a level.
        near: shape (n,), the weight of each position.
    """

    inputs: Floats
    turn: Roles
    reached: npt.NDArray[np.bool_]
    near: Floats

    def take(self, some: npt.NDArray[Any]) -> "Told":
        """Select some positions."""
        return Told._make(part[some] for part in self)


class Network:
    """A hidden layer, one output, and the offsets of `Odds`; fitted by Adam."""

    def __init__(self, told: Told) -> None:
        count = len(told.inputs)
        rng = np.random.default_rng(1)
        wide = told.inputs.shape[1] + 1
        self._parts = [
            rng.normal(0, wide**-0.5, (wide, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros((2, told.reached.shape[1]), np.float32),
        ]
        mean = [np.zeros_like(part) for part in self._parts]
        square = [np.zeros_like(part) for part in self._parts]
        steps = 0
        for epoch in range(EPOCHS):
            rate = RATE * (1 - epoch / EPOCHS)
            for chosen in np.array_split(rng.permutation(count), -(-count // BATCH)):
                steps += 1
                slopes = self._slopes(told.take(chosen))
                for part, slope, m, s in zip(self._parts, slopes, mean, square, strict=True):
                    m += 0.1 * (slope - m)
                    s += 0.001 * (slope * slope - s)
                    right = m / (1 - 0.9**steps), s / (1 - 0.999**steps)
                    part -= rate * right[0] / (np.sqrt(right[1]) + 1e-8)

    def _slopes(self, told: Told) -> list[Floats]:
        inputs, turn, reached, near = told
        x, hidden, value = self._layers(inputs, turn)
        _, _, out, offsets = self._parts
        chance = 1 / (1 + np.exp(-value[:, None] - offsets[turn]))
        error = (near[:, None] * (chance - reached) / len(inputs)).astype(np.float32)
        whole = error.sum(axis=1)
        back = np.outer(whole, out) * (1 - hidden * hidden)
        each = np.stack([error[turn == role].sum(axis=0) for role in (0, 1)])
        return [x.T @ back, back.sum(axis=0), hidden.T @ whole, each]

    def _layers(self, inputs: Floats, turn: Roles) -> tuple[Floats, Floats, Floats]:
        first, bias, out, _ = self._parts
        x = np.column_stack((inputs, 2 * turn - 1)).astype(np.float32)
        hidden = np.tanh(x @ first + bias)
        return x, hidden, hidden @ out

    def value(self, inputs: Floats, turn: Roles) -> Floats:
        """Return log odds for role 0, without the offset of the side to move."""
        return self._layers(inputs, turn)[2]

    def loss(self, told: Told) -> float:
        """Return the loss as `Odds.cross_validate` defines it."""
        inputs, turn, reached, near = told
        logits = self.value(inputs, turn)[:, None] + self._parts[3][turn]
        signed = np.where(reached, -logits, logits)
        return float(np.average(np.logaddexp(0, signed).mean(axis=1), weights=near))


class Guessing:
    """The game with other values of leaves where nothing is certain; see `RowGame`."""

    def __init__(self, game: Circuits, guess: Guess) -> None:
        self._game, self._guess = game, guess

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def leaf(self, rows: Rows) -> Leaves:
        found = self._game.leaf(rows)
        open_ = ~found.certain
        turn = self._game.look(rows[open_]).turn.astype(np.int64)
        found.values[open_] = np.rint(UNIT * self._guess(rows[open_], turn))
        return found


def quality(game: Circuits, file: Path, limit: Limit, guess: Guess) -> str:
    """Report how many moves are good and perfect, and the mean depth of the look-ahead."""
    good = perfect = depth = 0.0
    guessing: Any = Guessing(game, guess)
    examples = [known for _, known in linefile.entries(file, example)]
    for known in examples:
        root = RowPosition(guessing, game.row(known.position.facts()))
        found = search(
            root,
            RowEvaluator(guessing, machine_code=False),
            depth=limit.depth,
            stop=Stop(limit.seconds),
            follow=None,
        )
        column = game.rules.moves[found.best[0]][2]
        best, keeping = grade_choice([column], known.columns or {})
        good, perfect, depth = good + keeping, perfect + best, depth + found.depth
    shares = [f"{100 * share / len(examples):.1f} %" for share in (good, perfect)]
    return f"good {shares[0]}, perfect {shares[1]}, {depth / len(examples):.1f} plies"


def main(weights: str, games: int) -> None:
    game, _ = knowledge.load("connect4", weights)
    names = [*game.weights]
    met = selfplay.play_games(game, games, np.random.default_rng(1))
    met = met.take(~game.leaf(met.rows).certain)
    raw = game.counts(met.rows, names).astype(np.float32)
    odds = Odds(met, raw)
    columns = [i for i in range(len(names)) if odds.spread[i] > 0]
    print(f"{len(raw):,} positions of {games:,} games, {len(columns)} features")
    print(
        f"log-loss of games held back: {odds.cross_validate(columns, steps=12)[0]:.4f} by the sum"
    )

    scale = odds.spread[columns].astype(np.float32)
    few_draws = odds.positions < len(raw)  # the model then leaves draws out
    kept = met.result != 0 if few_draws else np.ones(len(raw), bool)
    levels = (1,) if few_draws else (0, 1)
    inputs, owner = raw[kept][:, columns] / scale, met.owner[kept]
    turn = met.turn[kept].astype(np.int64)
    reached = np.stack([met.result[kept] >= level for level in levels], axis=1)
    near = (NEARNESS ** met.left[kept]).astype(np.float32)
    near /= near.mean()
    told, total = Told(inputs, turn, reached, near), 0.0
    for fold in range(FOLDS):
        out = owner % FOLDS == fold
        total += Network(told.take(~out)).loss(told.take(out)) * near[out].sum()
    print(f"                             {total / near.sum():.4f} by the network", flush=True)

    network = Network(told)
    logits = odds.fit(columns).astype(np.float32) * scale

    def scaled(rows: Rows) -> Floats:
        return game.counts(rows, names)[:, columns].astype(np.float32) / scale

    by: dict[str, Guess] = {
        "the sum": lambda rows, turn: scaled(rows) @ logits,
        "the network": lambda rows, turn: network.value(scaled(rows), turn),
    }
    for limit in (Limit(depth=4), Limit(seconds=0.2)):
        said = f"{limit.depth} plies" if limit.depth else f"{limit.seconds} s"
        for name, guess in by.items():
            for file in ("quality_pons.txt", "quality_uci.txt"):
                found = quality(game, DATA / file, limit, guess)
                print(f"{name}, {said}, {file}: {found}", flush=True)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(given[0] if given else str(FOUND), int(given[1]) if len(given) > 1 else 4096)
