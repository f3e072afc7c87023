"""The share of the points that a guess is worth, fitted to positions with known results."""

from collections.abc import Mapping
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from advisor.files import textfile
from advisor.settings import grading, schema
from advisor.settings.schema import STRICT

_FILE = Path(__file__).parent / "chances.yaml"
_MOST = 50.0
"""Logits beyond which a share is 0 or 1 anyway."""

_FEWEST = 0.001
"""The share of random games that a move won is at least this, and at most 1 minus this."""


class Calibration(BaseModel, **STRICT):
    """How to read a kind of guess.

    Attributes:
        slope: of the share's logit over the guess's own logit.
        least: plies or games that a guess needs to give a share.
    """

    slope: Annotated[float, Field(gt=0)]
    least: Annotated[int, Field(gt=0)]


class Chances(BaseModel, **STRICT):
    """The calibrations, by game.

    Attributes:
        values: for the look-ahead's values.
        games: for random games.
    """

    values: dict[str, Calibration]
    games: dict[str, Calibration]


def logit_of_value(game: str, value: float) -> float:
    """Return the logit of the expected share of the points for a value of a look-ahead."""
    return _calibration(_read().values, game).slope * value / grading.load().scale_of(game)


def of_value(game: str, value: int, depth: int) -> float | None:
    """Return the expected share of the points for a value of a look-ahead, without strategies.

    None if the look-ahead is not deep enough.
    """
    return _share(_calibration(_read().values, game), logit_of_value(game, value), depth)


def of_games(game: str, mean: float, games: int) -> float | None:
    """Return the expected share of the points for the mean, from -1 to 1, of a move's random games.

    None if there are too few games.
    """
    known = _calibration(_read().games, game)
    return _share(known, known.slope * logit_of_mean(mean), games)


def logit_of_mean(mean: float) -> float:
    """Return the logit of the share of random games that were won, for their mean, from -1 to 1."""
    won = min(max((1 + mean) / 2, _FEWEST), 1 - _FEWEST)
    return log(won / (1 - won))


def calibrations(game: str) -> dict[str, dict[str, float]]:
    """Return how the values and the random games of a game are read."""
    read = _read()
    each = {"values": read.values, "games": read.games}
    return {name: _calibration(known, game).model_dump() for name, known in each.items()}


def _calibration(known: Mapping[str, Calibration], game: str) -> Calibration:
    return known.get(game, known[grading.OTHERS])


def _share(known: Calibration, logit: float, work: int) -> float | None:
    if work < known.least:
        return None
    return 1 / (1 + exp(-max(min(logit, _MOST), -_MOST)))


@cache
def _read() -> Chances:
    return schema.read(textfile.parse_yaml(textfile.read_text(_FILE)), Chances).said
