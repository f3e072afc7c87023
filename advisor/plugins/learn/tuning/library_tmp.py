"""Weights learned: from positions whose results are known, or from games against itself."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from advisor.errors import InputError
from advisor.games import knowledge
from advisor.plugins.learn.tuning import selfplay
from advisor.plugins.learn.tuning.selfplay import GAMES, SelfTuning
from advisor.plugins.learn.tuning.tune import ROUNDS, Aim, Tuning
from advisor.plugins.learn.tuning.tune import tune as fitted
from advisor.library import arguments
from advisor.settings import reading
from advisor.settings.config import DEFAULT

__all__ = ["GAMES", "GAME_ROUNDS", "HOLDOUT", "ROUNDS", "Aim", "SelfTuning", "Tuning", "tune"]

HOLDOUT = 0.2
GAME_ROUNDS = selfplay.ROUNDS


def tune(
    data: str | os.PathLike[str] | None = None,
    *,
    game: str | None = None,
    constants: Mapping[str, int] | None = None,
    weights: str = DEFAULT,
    to: Aim = "results",
    holdout: float = HOLDOUT,
    rounds: int | None = None,
    games: int | None = None,
    seed: int = 1,
    on_progress: Callable[[str, float], None] = lambda stage, part: None,
) -> Tuning | SelfTuning:
    """Weights of features learned, and where moves are the aim those of strategies, too.

    >>> advisor.tune()
    Traceback (most recent call last):
    advisor.errors.InputError: `data` is missing: a file of positions with results, or `game`

    Args:
        data: a file of positions of Connect Four with results: rows of the UCI data set, moves and
            an exact score, or what `benchmarks/train/label.py` writes.
        game, constants: without data a game that learns from games against itself.
        weights: to begin with.
        to, holdout: of data: what the weights are to tell, and the share of positions held back.
        rounds: how often games are played, or variations looked for where moves are the aim.
        games: of a round, without data.
        seed: the same gives the same.
        on_progress: told what is being done, and how much of it is done (0 to 1).

    Returns:
        what was learned, `worse` or not, with `to_json` and `to_yaml`.

    Raises:
        InputError: what does not go together; scikit-learn is missing; positions or games that
            there is nothing to learn from.
        ConfigError, EncodingError: weights or rules that cannot be used.
    """
    numbers, seed = arguments.constants(constants), arguments.seed(seed)
    if rounds is not None:
        rounds = arguments.whole("rounds", rounds, 1, 100)
    if data is None and game is None:
        raise InputError("`data` is missing: a file of positions with results, or `game`")
    if game is not None:
        if data is not None:
            raise InputError("`game` learns from games of its own (leave out `data`)")
        if (to, holdout) != ("results", HOLDOUT):
            raise InputError("`to` and `holdout` go with `data`, not with `game`")
        circuits, settings = knowledge.load(game, weights, numbers)
        many = GAMES if games is None else arguments.games(games, 10)
        rounds = rounds or GAME_ROUNDS
        return selfplay.tune(circuits, settings, many, rounds, seed, on_progress)
    if numbers:
        raise InputError("`constants` goes with `game` (Connect Four has `size` and `connect`)")
    if games is not None:
        raise InputError("`games` goes with `game`")
    if rounds is not None and to != "moves":
        raise InputError("`rounds` goes with `to` moves and with `game`")
    path, begun = Path(arguments.path("data", data)), reading.load(weights)
    return fitted(path, begun, holdout, seed, to, rounds or ROUNDS, on_progress)
