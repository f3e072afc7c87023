"""What clients send: checked, and turned into settings and limits.

A text that the command line would refuse is refused with its words, except that the board is
called ``board`` and the weights ``weights`` where the command line names a file.
"""

from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from advisor.advice import any_game
from advisor.errors import InputError
from advisor.files import textfile
from advisor.limits import Limit
from advisor.settings import config, reading
from advisor.web.limits import MAX_DEPTH, MAX_SECONDS
from advisor.web.models import GameSuggestRequest, SuggestRequest

R = TypeVar("R", bound=BaseModel)

_WANTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
}
_SAID = {"missing": "is missing"}


def read(model: type[R], body: bytes) -> R:
    """A request's body.

    Raises:
        InputError: what is wrong with it first.
    """
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"])) or "request"
        if first["type"] == "extra_forbidden":
            guess = textfile.nearest(place, model.model_fields)
            message = f"{textfile.quoted(place)}: unknown key (did you mean '{guess}'?)"
        elif first["type"] in _WANTED or first["msg"].startswith(textfile.SHOULD_BE):
            found = textfile.found_instead(first, _WANTED)
            message = f"{textfile.file_name(place)}: {found}"
        else:
            message = f"{textfile.file_name(place)}: {_SAID.get(first['type'], first['msg'])}"
        raise InputError(message) from None


def limit(asked: SuggestRequest) -> Limit:
    """Of the look-ahead; there always is a time limit.

    Raises:
        InputError: both a depth and a level.
    """
    if asked.level is not None and asked.depth is not None:
        raise InputError("level: depth is given too (use one of them)")
    depth = asked.depth if asked.level is None else config.depth_of_level(asked.level)
    usual = min(settings(asked.weights).depth or 0, MAX_DEPTH)
    chosen = Limit(depth, asked.time).otherwise(usual)
    return replace(chosen, seconds=chosen.seconds or MAX_SECONDS)


def game_limit(asked: GameSuggestRequest) -> Limit:
    """Of the thinking about any game; there always is a time limit."""
    depth = asked.depth
    if depth is None and asked.level is not None:
        depth = config.depth_of_level(asked.level)
    chosen = Limit(depth, asked.time)
    if chosen == Limit():
        chosen = any_game.DEFAULT
    return replace(chosen, seconds=chosen.seconds or MAX_SECONDS)


@lru_cache(maxsize=64)
def settings(weights: str) -> config.Config:
    """A preset, or the settings of a text that may change numbers only.

    Raises:
        ConfigError: it cannot be used.
    """
    if weights in reading.presets():
        return reading.load(weights)
    return reading.parse(weights, "weights")
