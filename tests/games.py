"""Random positions, and the plainest look-ahead there is, for several test modules."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from advisor.engine.answer_sets import best_models
from advisor.engine.search import FORCED, WIN
from advisor.games.connect4.board import Board, geometry
from advisor.games.reference import Answer
from advisor.games.rules import Rules
from advisor.settings import reading
from advisor.settings.config import Config
from aspcircuits.clingo_api import Model, Term

Size = tuple[int, int, int]
"""Width, height and connect."""


def foreseeing(preset: str) -> Config:
    """An earlier system's settings with the results that the default foresees."""
    forced = reading.load().knowledge["features"][0]
    settings = reading.load(preset)
    files = (forced, *settings.knowledge["features"])
    return replace(settings, knowledge={**settings.knowledge, "features": files})


def worth(found: Answer, rules: Rules, weights: Mapping[Term, int]) -> tuple[int, bool]:
    """What clingo's answer on a state says of its value for the first player, as `RowGame.leaf` has
    it, and whether that is certain."""
    if found.terminal:
        return WIN * found.result(rules), True
    said = [atom for atom in found.said if atom[0] == "decided"]
    for _, role, plies in sorted(said, key=lambda atom: atom[2]):
        return WIN - plies if role == rules.roles[0] else plies - WIN, True
    if "drawn" in found.said:
        return 0, True
    held = [atom for atom in found.said if atom[0] == "feature"]
    return sum(weights[n] * (1 if p == rules.roles[0] else -1) for _, n, p, _ in held), False


def played(size: Size, choices: Iterable[int], *, open_only: bool = False) -> Board:
    """The position after some moves, each chosen by number among the legal ones.

    Stops when the game is over or, with `open_only`, before it would be.
    """
    position = Board(geometry(*size))
    for choice in choices:
        if position.result() is not None:
            break
        moves = sorted(position.moves())
        child = position.after(moves[choice % len(moves)])
        if open_only and child.result() is not None:
            break
        position = child
    return position


@st.composite
def positions(
    draw: Any, sizes: list[Size], *, open_only: bool = False, min_plies: int = 0
) -> Board:
    """Positions of random games; with `open_only` none that is over."""
    size = draw(st.sampled_from(sizes))
    squares = size[0] * size[1]
    plies = draw(st.integers(min(min_plies, squares), squares))
    choice = st.integers(0, size[0] - 1)
    choices = draw(st.lists(choice, min_size=plies, max_size=plies))
    return played(size, choices, open_only=open_only)


def solved(position: Board, config: Config) -> Model:
    """The answer set of ``evaluate.lp`` for one position."""
    constants = position.geometry.constants
    weights = config.weights["features"]
    (model,) = best_models(config.files("features"), position.facts(), weights, constants)
    return model


def reference_value(position: Board, config: Config) -> int:
    """What ``evaluate.lp`` says of a position, from the view of its side to move."""
    return value_in(solved(position, config), position)


def value_in(model: Model, position: Board) -> int:
    """The value of a position by its answer set."""
    for atom in model.atoms:
        if atom == "drawn":
            return 0
        if atom[0] == "decided":
            plies: int
            _, winner, plies = atom
            return WIN - plies if winner == position.turn else plies - WIN
    value = -sum(model.cost)
    return value if position.turn == 1 else -value


def later(value: int, plies: int) -> int:
    """A forced result as seen some plies earlier."""
    if abs(value) < FORCED:
        return value
    return value - plies if value > 0 else value + plies


def negamax(
    position: Any,
    depth: int,
    leaf: Callable[[Any], int],
    known: dict[tuple[Any, int], int] | None = None,
) -> int:
    """Full width, nothing cut off; forced results count from the position.

    Args:
        known: what is known of the same leaves: the values of positions and depths.
    """
    known = {} if known is None else known
    if (position, depth) not in known:
        result = position.result()
        if result is not None:
            value = int(result) * WIN
        elif depth == 0:
            value = leaf(position)
        else:
            children = map(position.after, position.moves())
            value = max(later(-negamax(child, depth - 1, leaf, known), 1) for child in children)
        known[position, depth] = value
    return known[position, depth]
