"""Learn weights of any game from games that it plays against itself.

Many games run side by side. Each begins with random moves and goes on with a look-ahead of a few
plies by the weights so far; now and then a random move keeps the games apart. `results` fits
weights to the ends of the games, and the better weights play the next round.
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
    describe_weights,
    require_sklearn,
    weights_of,
    with_weights,
)
from advisor.plugins.learn.tuning.results import ResultModel
from advisor.settings import writing
from advisor.settings.config import Config
from aspcircuits.stopping import Stop

GAMES = 400
ROUNDS = 3

_RANDOM_PLIES = 4
"""Number of random moves at the beginning of every game."""

_RANDOM_SHARE = 0.1
"""Share of random moves after the beginning."""

_LEAVES_OF_ONE = 512
"""Maximum number of leaves below one position, which limits the depth of the look-ahead."""

_AT_ONCE, _COMPARED = 100, 1000
"""Games of the new weights against the old ones: in one batch, and at most.

Both sides of every opening are played. Batches go on until it is clear which weights play better.
"""

_HELD = 5
"""One of this number of games is held back from the fit."""

_UNFINISHED = -1


@dataclass(frozen=True, slots=True)
class SelfTuning:
    """The outcome of a fit to games of a game against itself.

    >>> advisor.tune(game="reversi", games=100).points  # doctest: +SKIP
    >>> advisor.SelfTuning in advisor.tune.__annotations__["return"].__args__
    True

    Attributes:
        game: its name.
        config: the settings with the new weights of the features.
        games, rounds, seed: of the games played.
        fitted, held: numbers of positions of the last round fitted to, and held back.
        left_out: number of positions of the last round whose result is certain.
        before, after: fits of the old and the new weights.
        contributions: of every feature.
        pairs: points of the new weights against the old ones in each pair of games with one
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
        """Points of the new weights against the old ones; draws and unfinished games count half."""
        return 2 * sum(self.pairs)

    @property
    def games_compared(self) -> int:
        """Number of games against the old weights."""
        return 2 * len(self.pairs)

    @property
    def worse(self) -> bool:
        """Whether the new weights lose to the old ones, by the sequential test of `elo`."""
        return elo.decision(self.pairs) == "weaker"

    @property
    def warning(self) -> str | None:
        """One line that says that the new weights lose to the old ones, or None."""
        if not self.worse:
            return None
        return (
            f"the new weights took {self.points:g} of {self.games_compared} points "
            "from the old ones (more games are needed)"
        )

    @property
    def heading(self) -> str:
        """One line on the games, without a full stop."""
        return (
            f"{self.game}: {self.rounds} times {self.games} games against itself; of the last ones "
            f"fitted to {self.fitted} positions, {self.held} held back, {self.left_out} left out "
            "as certain"
        )

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """Rows of a table that compares the old and the new weights: name, before, after."""
        return self.before.rows(self.after)

    @property
    def closing(self) -> str:
        """One line on the match against the old weights."""
        return f"against the old weights: {self.points:g} of {self.games_compared} points"

    def to_json(self) -> dict[str, Any]:
        """The object of ``tune --game --json``."""
        return {
            "games": self.games,
            "rounds": self.rounds,
            "seed": self.seed,
            "positions": {"fitted": self.fitted, "held": self.held, "left_out": self.left_out},
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "features": [each.to_json() for each in self.contributions],
            "match": {"games": self.games_compared, "points": self.points},
            **({} if self.warning is None else {"warning": self.warning}),
        }

    def to_yaml(self, folder: Path) -> str:
        """Write the settings as a weights file for a folder, with their origin in its head."""
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
        result: shape (n,), 1 if role 0, as the state shows it, wins in the end, -1 if it loses.
        left: shape (n,), number of moves until the end of the game.
    """

    rows: Rows
    turn: npt.NDArray[np.uint8]
    owner: Index
    result: Integers
    left: Index

    def take(self, chosen: Bools) -> "SelfPlayed":
        """Select positions by a mask."""
        return SelfPlayed._make(part[chosen] for part in self)


def tune_by_selfplay(
    circuits: Circuits,
    config: Config,
    games: int = GAMES,
    rounds: int = ROUNDS,
    seed: int = 1,
    on_progress: Callable[[str, float], None] = lambda stage, part: None,
) -> SelfTuning:
    """Learn the weights of a game's features from given initial weights; see `advisor.tune`."""
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
        met = play_games(playing, games, np.random.default_rng([seed, number]))
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
        more = play_match(learned, circuits, _AT_ONCE, lots)
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
        contributions=tuple(describe_weights(model, names, before, after)),
        pairs=tuple(pairs),
    )


def play_games(
    game: Circuits, games: int, rng: np.random.Generator, stop: Stop | None = None
) -> SelfPlayed:
    """Play games with random variation; leave out games that `stop` ends midway."""
    rows, owner = np.repeat(game.start[None], games, 0), np.arange(games)
    ahead = plies_ahead(game)
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
        rows = _make_moves(game, rows, ahead, anywhere, rng)
    ages = np.repeat(np.arange(len(met)), [len(owner) for _, _, owner in met])
    all_rows, turns, owners = (np.concatenate(part) for part in zip(*met, strict=True))
    left = length[owners] - ages
    exchanged = left % 2 if game.exchanges else 0
    results = result[owners] * (1 - 2 * exchanged)
    played = SelfPlayed(all_rows, turns, owners, results, left)
    return played.take(length[owners] != _UNFINISHED)


def play_match(one: Circuits, other: Circuits, games: int, rng: np.random.Generator) -> list[float]:
    """Let two sets of weights play both sides of random openings.

    There are fewer games if some openings end the game.

    Returns:
        The points of `one` in the two games of each opening, divided by two; a draw or an
            unfinished
        game counts half.
    """
    rows = np.repeat(one.start[None], games // 2, 0)
    for _ in range(_RANDOM_PLIES):
        rows = _make_moves(one, rows, 1, np.ones(len(rows), np.bool_), rng)
        rows = rows[~one.look(rows).over]
    openings = len(rows)
    ahead = plies_ahead(one)
    number = np.arange(2 * openings)  # games; in the first half `one` has the first role
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
                rows[chosen] = _make_moves(game, rows[chosen], ahead, nowhere, rng)
    pairs: list[float] = points.reshape(2, openings).mean(axis=0).tolist()
    return pairs


def plies_ahead(game: Circuits) -> int:
    """Return the number of plies to look ahead."""
    return plies_within(branching(game, game.start), _LEAVES_OF_ONE)


def _make_moves(
    game: Circuits, rows: Rows, plies: int, anywhere: Bools, rng: np.random.Generator
) -> Rows:
    """Make one move in each state: the best by a look-ahead, or any move where `anywhere`."""
    children = expand(game, rows)
    worth = for_movers(game, children, Ahead(game).look(children.rows, plies - 1))
    worth[anywhere.take(children.parent)] = 0
    order = np.lexsort((rng.random(len(worth)), worth, children.parent))
    best = order[np.flatnonzero(np.diff(children.parent, append=-1))]
    chosen: Rows = children.rows[best]
    return chosen
