"""Where a value of the look-ahead comes from: an evaluation trace, as chess engines print it.

The look-ahead takes the value of a move from one position, the one at the end of the move's
principal variation. There it is a sum: of the weights of the mover's features, less those of the
other player's. The sibling of the evaluation; the search knows nothing of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from advisor.asp.clingo_api import Term, render
from advisor.asp.reference import best_models
from advisor.engine.below import played
from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import DISCS, Geometry, Position, Square
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.settings.config import Config, Weights


@dataclass(frozen=True, slots=True)
class Held:
    """A feature that a player has at the end of a line.

    Attributes:
        feature: its name, as ``half(first,now,3)``.
        player: whose it is, 1 or 2.
        where: tells it from others of the same name, as ``square(3,4)``.
        squares: the same on the board, as far as it can be told.
        weight: what it counts for the player whose move is traced; negative if it counts against.
    """

    feature: str
    player: int
    where: str
    squares: tuple[Square, ...]
    weight: int

    def to_json(self) -> dict[str, object]:
        """The feature as the ``--json`` outputs give it."""
        return {
            "feature": self.feature,
            "player": DISCS[self.player],
            "where": self.where,
            "squares": [list(square) for square in self.squares],
            "weight": self.weight,
        }


@dataclass(frozen=True, slots=True)
class Trace:
    """What the look-ahead sees of a move.

    Attributes:
        line: the principal variation, from the move itself on, to where the value is taken from.
        features: all that count there, weightiest first.
        drawn: nobody can win any more there, so that no feature counts.
    """

    line: tuple[int, ...]
    features: tuple[Held, ...]
    drawn: bool

    @property
    def value(self) -> int:
        """The value that the look-ahead gave the move, in weight units."""
        return sum(held.weight for held in self.features)

    def to_json(self) -> dict[str, object]:
        """The trace as the ``--json`` outputs give it."""
        return {
            "line": list(self.line),
            "value": self.value,
            "drawn": self.drawn,
            "features": [held.to_json() for held in self.features],
        }


def traces(
    position: Position,
    evaluator: CircuitEvaluator,
    config: Config,
    lines: Iterable[Sequence[int]],
) -> dict[int, Trace]:
    """A trace of each move that has a heuristic value.

    Args:
        position: the root of the search.
        evaluator, config: what the search evaluated with.
        lines: those that lead to heuristic values; see `advisor.engine.search.Result`.
    """
    lines = list(lines)
    ends = [played(position, line) for line in lines]
    weights = config.weights["features"]
    return {
        line[0]: _trace(line, leaf, atoms, weights, position.turn)
        for line, leaf, atoms in zip(lines, ends, evaluator.holding(ends), strict=True)
    }


def _trace(
    line: Sequence[int], leaf: Position, holding: Sequence[Term], weights: Weights, player: int
) -> Trace:
    """What the position at a line's end is worth to this player, feature by feature.

    Args:
        line: leads there.
        leaf: the position.
        holding: what the encoding derives of it.
        weights: of the features.
        player: 1 or 2.
    """
    if leaf.full or "drawn" in holding:
        return Trace(tuple(line), (), drawn=True)
    held = []
    for _, feature, owner, where in holding:
        if weight := weights[feature]:
            squares = squares_of(where, leaf.geometry)
            signed = weight if owner == player else -weight
            held.append(Held(_text(feature), owner, _text(where), squares, signed))
    held.sort(key=lambda h: (-abs(h.weight), h.feature, h.player, h.where))
    return Trace(tuple(line), tuple(held), drawn=False)


_text = lru_cache(maxsize=1 << 16)(render)


@lru_cache(maxsize=1 << 16)
def squares_of(where: Term, g: Geometry) -> tuple[Square, ...]:
    """The squares that a term of the encodings speaks of; none if it does not tell.

    A line's name stands for its squares; anything else with a row and a column, as in
    ``square(R, C)`` and ``on(R, C, Line)``, for that square.
    """
    lines = _lines(g)
    if where in lines:
        return lines[where]
    numbers = [part for part in where if isinstance(part, int)] if isinstance(where, tuple) else []
    match numbers:
        case [row, column] if 1 <= row <= g.height and 1 <= column <= g.width:
            return ((row, column),)
    return ()


@cache
def _lines(g: Geometry) -> dict[Term, tuple[Square, ...]]:
    """The squares of each line by its name, as ``board.lp`` has them."""
    (model,) = best_models([ENCODINGS / "connect4" / "board.lp"], (), {}, g.constants)
    found: dict[Term, list[Square]] = {}
    for atom in model.atoms:
        if atom[0] == "on_line":
            _, line, row, column = atom
            found.setdefault(line, []).append((row, column))
    return {line: tuple(sorted(squares)) for line, squares in found.items()}
