"""Weights of any game, learned from games that it plays against itself.

Many games are played side by side, each begun at random and then by looking a few plies ahead with
the weights so far; now and then a random move keeps them apart. What was counted in the positions
met is fitted to how their games ended (see `tuning.results`), and better weights play the next
round of games.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Bools, Rows, plies_within
from advisor.engine.playouts import MAX_PLIES
from advisor.engine.rows import Ahead, Index, expand, for_movers
from advisor.errors import InputError
from advisor.games.circuits import Circuits
from advisor.games.machine import branching
from advisor.lab.arena import elo
from advisor.plugins.learn.tuning.model import (
    UNIT,
    Contribution,
    Fits,
    Integers,
    contributions,
    weights_of,
    with_weights,
)
from advisor.plugins.learn.tuning.results import ResultModel
from advisor.plugins.learn.tuning.tune import require_sklearn
from advisor.settings import writing
from advisor.settings.config import Config
from aspcircuits.stopping import Stop

GAMES = 400
ROUNDS = 3

_RANDOM_PLIES = 4
"""Every game begins with so many random moves."""

_RANDOM_SHARE = 0.1
"""Of the moves after that."""

_LEAVES_OF_ONE = 512
"""As many plies are looked ahead as have so many leaves below one position, at least one."""

_AT_ONCE, _COMPARED = 100, 1000
"""Games of the new weights against the old ones, both sides of every opening: so many side by side
until it is clear who plays better, and at most."""

_HELD = 5
"""Every fifth game is held back."""

_UNFINISHED = -1


@dataclass(frozen=True, slots=True)
class SelfTuning:
    """The outcome.

    Attributes:
        config: the settings with the new weights of the features; all else is as it was.
        games, rounds, seed: of the games played.
        fitted, held, left_out: positions fitted to, held back, and left out since their result is
            certain; all of the last round.
        before, after: what the old and the new weights tell.
        contributions: of every feature.
        pairs: of the new weights against the old ones, the points of each pair of games with one
            opening, divided by two.
    """

    game: str
    config: Config
    games: int
    rounds: int
    seed: int
    fitted: int
    held: int
    left_out: int
    before: Fits
    after: Fits
    contributions: tuple[Contribution, ...]
    pairs: tuple[float, ...]

    @property
    def points(self) -> float:
        """Of the new weights, a half for a draw or for a game without end."""
        return 2 * sum(self.pairs)

    @property
    def compared(self) -> int:
        """The games played against the old weights."""
        return 2 * len(self.pairs)

    @property
    def worse(self) -> bool:
        """Whether the new weights lose to the old ones, by the sequential test of `elo`."""
        return elo.decision(self.pairs) == "weaker"

    @property
    def warning(self) -> str | None:
        """One line on that; None if they do not."""
        if not self.worse:
            return None
        return (
            f"the new weights took {self.points:g} of {self.compared} points from the old ones "
            "(more games are needed)"
        )

    @property
    def heading(self) -> str:
        """What was learned from, in a sentence without its end."""
        return (
            f"{self.game}: {self.rounds} times {self.games} games against itself; of the last ones "
            f"fitted to {self.fitted} positions, {self.held} held back, {self.left_out} left out "
            "as certain"
        )

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """What the old and the new weights tell: its name, before and after."""
        return self.before.rows(self.after)

    @property
    def closing(self) -> str:
        """How the new weights played against the old ones."""
        return f"against the old weights: {self.points:g} of {self.compared} points"

    def to_json(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "games": self.games,
            "rounds": self.rounds,
            "seed": self.seed,
            "positions": {"fitted": self.fitted, "held": self.held, "left_out": self.left_out},
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "features": [each.to_json() for each in self.contributions],
            "match": {"games": self.compared, "points": self.points},
            **({} if self.warning is None else {"warning": self.warning}),
        }

    def to_yaml(self, folder: Path) -> str:
        """The settings as a weights file in a folder that says where they come from."""
        return (
            f"# Fitted to the results of {self.games} games against itself, {self.rounds} times "
            f"(seed {self.seed}); {UNIT} units are 1 logit.\n"
            f"{writing.to_yaml(self.config, folder)}"
        )


class SelfPlayed(NamedTuple):
    """The positions of some games.

    Attributes:
        rows: shape (n, words).
        turn: shape (n,), the role to move, as the state shows it.
        owner: shape (n,), the number of the game.
        result: shape (n,): 1 if role 0, as the state shows it, wins in the end, -1 if it loses.
        left: shape (n,), the moves until then.
    """

    rows: Rows
    turn: npt.NDArray[np.uint8]
    owner: Index
    result: Integers
    left: Index

    def take(self, chosen: Bools) -> "SelfPlayed":
        """Some of the positions."""
        return SelfPlayed._make(part[chosen] for part in self)


def tune(
    circuits: Circuits,
    config: Config,
    games: int = GAMES,
    rounds: int = ROUNDS,
    seed: int = 1,
    on_progress: Callable[[str, float], None] = lambda stage, part: None,
) -> SelfTuning:
    """Learns the weights of a game's features, beginning with those given; see `advisor.tune`."""
    require_sklearn()
    circuits.check_begins()
    names = [*config.weights["features"]]
    game = circuits.rules.name
    if not names:
        raise InputError(f"{game}: there are no features whose weights could be learned")

    def knowing(weights: Integers) -> Circuits:
        by_name = dict(zip(names, weights.tolist(), strict=True))
        return Circuits(circuits.rules, by_name, circuits.strategies)

    before = after = weights_of(config, strategies=False)
    for number in range(rounds):
        on_progress("playing", number / rounds)
        playing = knowing(after)
        met = play(playing, games, np.random.default_rng([seed, number]))
        certain = playing.leaf(met.rows).certain
        met = met.take(~certain)
        held = met.owner % _HELD == _HELD - 1
        if not held.any() or held.all() or len({*met.result[~held].tolist()}) < 2:
            raise InputError(f"{game}: all of {games} games end alike (play more of them)")
        turns = 1 + met.turn.astype(np.int64)  # the first role is player 1
        model = ResultModel(turns, met.result, playing.counts(met.rows, names), held)
        on_progress("fitting", (number + 0.5) / rounds)
        after = model.fit(after)
    on_progress("comparing", 1 - 0.5 / rounds)
    learned = knowing(after)
    lots = np.random.default_rng([seed, rounds])
    pairs: list[float] = []
    while 2 * len(pairs) < _COMPARED and elo.decision(pairs) is None:
        more = match(learned, circuits, _AT_ONCE, lots)
        if not more:
            break
        pairs += more
    return SelfTuning(
        game=game,
        config=replace(with_weights(config, after), name=f"{config.name} tuned"),
        games=games,
        rounds=rounds,
        seed=seed,
        fitted=int((~held).sum()),
        held=int(held.sum()),
        left_out=int(certain.sum()),
        before=model.grade(before),
        after=model.grade(after),
        contributions=tuple(contributions(model, names, before, after)),
        pairs=tuple(pairs),
    )


def play(
    game: Circuits, games: int, rng: np.random.Generator, stop: Stop | None = None
) -> SelfPlayed:
    """Plays games of which no two need be alike; those that are stopped midway are left out."""
    rows, owner = np.repeat(game.start[None], games, 0), np.arange(games)
    ahead = plies(game)
    met: list[tuple[Rows, npt.NDArray[np.uint8], Index]] = []
    result, length = np.zeros(games, np.int64), np.zeros(games, np.int64)
    for age in range(MAX_PLIES):
        look = game.look(rows)
        over = np.flatnonzero(look.over)
        result[owner[over]] = look.result[over]
        length[owner] = age
        going = np.flatnonzero(~look.over)
        if not len(going):
            break
        rows, owner = rows[going], owner[going]
        met.append((rows, look.turn[going], owner))
        if stop is not None and stop.is_set():
            length[owner] = _UNFINISHED
            break
        anywhere = rng.random(len(rows)) < (1 if age < _RANDOM_PLIES else _RANDOM_SHARE)
        rows = _moved(game, rows, ahead, anywhere, rng)
    ages = np.repeat(np.arange(len(met)), [len(owner) for _, _, owner in met])
    all_rows, turns, owners = (np.concatenate(part) for part in zip(*met, strict=True))
    left = length[owners] - ages
    exchanged = left % 2 if game.exchanges else 0
    results = result[owners] * (1 - 2 * exchanged)
    played = SelfPlayed(all_rows, turns, owners, results, left)
    return played.take(length[owners] != _UNFINISHED)


def match(one: Circuits, other: Circuits, games: int, rng: np.random.Generator) -> list[float]:
    """Games of two sets of weights, each opening with both sides; fewer where openings end them.

    Returns:
        the points of `one` in the two games of each opening, a half for a draw or for a game
        without end, divided by two.
    """
    rows = np.repeat(one.start[None], games // 2, 0)
    for _ in range(_RANDOM_PLIES):
        rows = _moved(one, rows, 1, np.ones(len(rows), np.bool_), rng)
        rows = rows[~one.look(rows).over]
    openings = len(rows)
    ahead = plies(one)
    number = np.arange(2 * openings)  # of the game: in the first half `one` has the first role
    rows = np.concatenate((rows, rows))
    points = np.full(2 * openings, 0.5)
    for age in range(_RANDOM_PLIES, MAX_PLIES):
        look = one.look(rows)
        exchanged = age % 2 if one.exchanges else 0
        begins = number < openings
        result = np.where(begins, 1, -1) * look.result * (1 - 2 * exchanged)
        points[number[look.over]] = (result[look.over] + 1) / 2
        going = np.flatnonzero(~look.over)
        if not len(going):
            break
        rows, number, begins = rows[going], number[going], begins[going]
        mine = (look.turn[going] ^ exchanged == 0) == begins
        for game, chosen in ((one, np.flatnonzero(mine)), (other, np.flatnonzero(~mine))):
            if len(chosen):
                nowhere = np.zeros(len(chosen), np.bool_)
                rows[chosen] = _moved(game, rows[chosen], ahead, nowhere, rng)
    pairs: list[float] = points.reshape(2, openings).mean(axis=0).tolist()
    return pairs


def plies(game: Circuits) -> int:
    """How far to look ahead."""
    return plies_within(branching(game, game.start), _LEAVES_OF_ONE)


def _moved(
    game: Circuits, rows: Rows, plies: int, anywhere: Bools, rng: np.random.Generator
) -> Rows:
    """The states after one move each: a best one some plies ahead, or any."""
    children = expand(game, rows)
    worth = for_movers(game, children, Ahead(game).look(children.rows, plies - 1))
    worth[anywhere.take(children.parent)] = 0
    order = np.lexsort((rng.random(len(worth)), worth, children.parent))
    best = order[np.flatnonzero(np.diff(children.parent, append=-1))]
    chosen: Rows = children.rows[best]
    return chosen
