"""Weights: what the strategies and features of a game count, as a file and name by name."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from advisor.library import arguments
from advisor.settings import reading, writing
from advisor.settings.config import CONNECT4, DEFAULT, WEIGHT_LIMIT, Config, Home
from aspcircuits.clingo_api import render


@dataclass(frozen=True, slots=True)
class Weights:
    """Effective weights, as `load_weights` gives them and `load_game` takes them.

    Attributes:
        settings: all that they say (internal).
        LIMIT: the greatest weight, up or down.
    """

    settings: Config = field(repr=False)
    LIMIT: ClassVar[int] = WEIGHT_LIMIT

    @property
    def name(self) -> str:
        """The preset or the file that they come from."""
        return self.settings.name

    @property
    def depth(self) -> int | None:
        """Plies of look-ahead; None for as deep as the time allows."""
        return self.settings.depth

    @property
    def moves(self) -> Mapping[str, int]:
        """The weight of each strategy."""
        return {render(name): value for name, value in self.settings.weights["moves"].items()}

    @property
    def features(self) -> Mapping[str, int]:
        """The weight of each feature."""
        return {render(name): value for name, value in self.settings.weights["features"].items()}

    def to_yaml(self) -> str:
        """A weights file that says all of them."""
        return writing.to_yaml(self.settings)

    def to_json(self) -> dict[str, Any]:
        """The answer of ``/api/weights``: each with its path in a weights file and its meaning."""
        texts = self.settings.texts
        return {
            "name": self.name,
            "depth": self.depth,
            "weights": [
                {
                    "program": program,
                    "name": render(name),
                    "path": [program, *(name if isinstance(name, tuple) else (name,))],
                    "value": value,
                    "title": texts.comment(program, render(name)),
                }
                for program, named in self.settings.weights.items()
                for name, value in named.items()
            ],
            "yaml": self.to_yaml(),
        }


def load_weights(
    weights: str | os.PathLike[str] = DEFAULT,
    *,
    game: str | os.PathLike[str] | None = None,
    text: str | None = None,
) -> Weights:
    """Weights, checked against the encodings that they are for.

    >>> advisor.load_weights().moves["win"] > 0
    True
    >>> own = advisor.load_weights(text="extends: default\\nmoves: {win: 7}")
    >>> own.moves["win"]
    7

    Args:
        weights: a weights file, or one of the game's presets.
        game: a name or a folder; by default Connect Four.
        text: in place of a file that of one, which may change numbers but name no files, or the
            name of a preset.

    Raises:
        ConfigError, EncodingError: they cannot be used; what is wrong and where.
        InputError: there is no such game.
    """
    home = _home(game)
    if text is not None and text not in {DEFAULT, *home.presets}:
        return Weights(reading.parse(text, "weights", home))
    named = arguments.path("weights", weights) if text is None else text
    return Weights(reading.load(named, home))


def presets(game: str | os.PathLike[str] | None = None) -> list[str]:
    """The names of the weights that come with a game, by default Connect Four.

    >>> "alex" in advisor.presets(), advisor.presets("hex")
    (True, ['rules'])

    Raises:
        InputError: there is no such game.
    """
    return reading.presets(_home(game))


def _home(game: str | os.PathLike[str] | None) -> Home:
    if game is None:
        return CONNECT4
    from advisor.games import rooms  # which load all that rules need

    return rooms.home(arguments.path("game", game))
