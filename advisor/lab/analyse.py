"""Positions by the line: a stream of boards in, an advice for each of them out."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, BinaryIO

import numpy as np

from advisor.advice import any_game, proved
from advisor.advice.advise import Advisor
from advisor.errors import InputError
from advisor.games import knowledge
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.playing import Playing
from advisor.lab.batch import Work
from advisor.limits import Limit, Stop
from advisor.settings.config import Config

MAX_LINE = 10_000
"""Bytes of a line; the picture of the largest board takes a fifth of that."""


def analyst(
    config: Config, read: Callable[[str], Any], limit: Limit, exact_seconds: float | None = None
) -> Work[Any]:
    """What turns a line into the advice on it, as JSON, or into ``{"error": ".."}``.

    Args:
        config, limit: see `advisor.advice.advise.Advisor`.
        read: the position on a line, or an InputError.
        exact_seconds: for the exact engine, which then proves of each move what it can.
    """
    return partial(advise_line, Advisor(config), read, limit, exact_seconds)


def advise_line(
    advisor: Advisor,
    read: Callable[[str], Any],
    limit: Limit,
    exact_seconds: float | None,
    line: str,
    stop: Stop,
) -> dict[str, object]:
    """The same for one line, by somebody who advises already."""
    try:
        if len(line) > MAX_LINE:
            raise InputError(f"is longer than {MAX_LINE} bytes")
        position = read(line)
    except InputError as error:
        return {"error": str(error)}
    advice = advisor.advise(position, limit, stop=stop)
    if exact_seconds is not None and advice.best and not advice.interrupted:
        advice, _ = proved.exactly(advice, exact_seconds, stop)
    return {"position": line.strip(), **advice.to_json()}


def game_analyst(game: str, weights: str, constants: Mapping[str, int], limit: Limit) -> Work[Any]:
    """The same for any game that is given by its rules; a line holds moves from its start."""
    return partial(_analyse_game, game, weights, tuple(sorted(constants.items())), limit)


def _analyse_game(
    game: str,
    weights: str,
    constants: tuple[tuple[str, int], ...],
    limit: Limit,
    line: str,
    stop: Stop,
) -> dict[str, object]:
    circuits = _loaded(game, weights, constants)
    try:
        if len(line) > MAX_LINE:
            raise InputError(f"is longer than {MAX_LINE} bytes")
        state = Playing.of(circuits, line)
    except InputError as error:
        return {"error": str(error)}
    if state.over:
        return {"position": line.strip(), "game": circuits.rules.name, "best": []}
    # The same random games for a line, wherever it stands.
    advice = any_game.advise(RuleAbilities(state), limit, np.random.default_rng(1), stop)
    return {"position": line.strip(), **advice.to_json()}


@lru_cache(maxsize=2)
def _loaded(game: str, weights: str, constants: tuple[tuple[str, int], ...]) -> Circuits:
    return knowledge.load(game, weights, dict(constants))[0]


def lines(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream, each as soon as it is there.

    Every line is one, an empty one too (the move string of the empty board), so that the results
    can be laid beside the input. Bytes that are no UTF-8 come as lone surrogates; of a line that
    is too long a little more comes than `MAX_LINE`.
    """
    while line := stream.readline(MAX_LINE + 2):
        rest = line
        while len(rest) == MAX_LINE + 2 and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE + 2)
        yield line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8-sig", "surrogateescape")
