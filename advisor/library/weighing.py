"""Weights: the values of a game's strategies and features, as a file and by name."""

import os

from advisor.library import arguments
from advisor.settings import reading
from advisor.settings.config import CONNECT4, DEFAULT, Home
from advisor.settings.writing import Weights


def load_weights(
    weights: str | os.PathLike[str] = DEFAULT,
    *,
    game: str | os.PathLike[str] | None = None,
    text: str | None = None,
) -> Weights:
    """Load weights, checked against the encodings that they are for.

    >>> advisor.load_weights().moves["win"] > 0
    True
    >>> own = advisor.load_weights(text="extends: default\\nmoves: {win: 7}")
    >>> own.moves["win"]
    7

    Args:
        weights: a weights file, or one of the game's presets.
        game: a name or a folder; by default Connect Four.
        text: the contents of a weights file, which may change numbers but name no files, or the
            name of a preset; replaces `weights`.

    Raises:
        ConfigError, EncodingError: they cannot be used; the error says what is wrong and where.
        InputError: there is no such game.
    """
    home = _home(game)
    if text is not None and text not in {DEFAULT, *home.presets}:
        return Weights(reading.parse(text, "weights", home))
    named = arguments.path("weights", weights) if text is None else text
    return Weights(reading.load(named, home))


def presets(game: str | os.PathLike[str] | None = None) -> list[str]:
    """Return the names of the weights that come with a game, by default Connect Four.

    >>> "alex" in advisor.presets(), advisor.presets("hex")
    (True, ['rules'])

    Raises:
        InputError: there is no such game.
    """
    return reading.presets(_home(game))


def _home(game: str | os.PathLike[str] | None) -> Home:
    if game is None:
        return CONNECT4
    from advisor.games import rooms  # this loads everything that rules need

    return rooms.home(arguments.path("game", game))
