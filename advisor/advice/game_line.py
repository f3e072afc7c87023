"""Lines of play in any game that is given by its rules: where a move's value comes from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from advisor.asp.clingo_api import Term, render
from advisor.engine.below import played
from advisor.engine.row_search import RowPosition, settling
from advisor.games import notations
from advisor.games.circuits import Circuits


@dataclass(frozen=True, slots=True)
class Held:
    """A feature that a player has at the end of a line.

    Attributes:
        feature: its name, as ``ahead(3)``.
        player: whose it is, by the role's name.
        where: tells it from others of the same name.
        weight: what it counts for the player whose move is traced; negative if it counts against.
    """

    feature: str
    player: str
    where: str
    weight: int

    def to_json(self) -> dict[str, object]:
        """The feature as the ``--json`` outputs give it."""
        return {
            "feature": self.feature,
            "player": self.player,
            "where": self.where,
            "weight": self.weight,
        }


@dataclass(frozen=True, slots=True)
class Trace:
    """What the look-ahead sees of a move.

    Attributes:
        line: from the move itself on, to where its value is taken from.
        features: all that count there, weightiest first.
        added: how many of the line's last moves are noisy ones, beyond the depth of the search.
    """

    line: tuple[Term, ...]
    features: tuple[Held, ...]
    added: int = 0

    @property
    def value(self) -> int:
        """The value that the look-ahead gave the move, in weight units."""
        return sum(held.weight for held in self.features)

    def to_json(self, code: Callable[[Term], str]) -> dict[str, object]:
        """The trace as the ``--json`` outputs give it; `code` names moves."""
        return {
            "line": [code(move) for move in self.line],
            **({"added": self.added} if self.added else {}),
            "value": self.value,
            "features": [held.to_json() for held in self.features],
        }


def trace(game: Circuits, root: RowPosition, moves: Sequence[int]) -> Trace:
    """Where the heuristic value of a move comes from.

    Args:
        game: its rules, features and weights.
        root: the position before the move.
        moves: the line that gives the move its value; see `advisor.engine.search.Result`.
    """
    line, position = [], root
    for made in [*moves, *settling(played(root, moves))]:
        line.append(_seen(position, game.rules.moves[made], game))
        position = position.after(made)
    roles = game.rules.roles
    # Where states are seen by the side to move, the first role is whoever that is.
    first = position.turn if game.exchanges else 0
    place_of = notations.of(game.rules).place
    held = []
    for _, feature, role, where in game.features(position.row):
        player = roles.index(role) ^ first
        if weight := game.weights[feature]:
            signed = weight if player == root.turn else -weight
            place = place_of(_seen(position, where, game))
            name = game.rules.players[player]
            held.append(Held(render(feature), name, place, signed))
    held.sort(key=lambda h: (-abs(h.weight), h.feature, h.player, h.where))
    return Trace(tuple(line), tuple(held), len(line) - len(moves))


def _seen(position: RowPosition, term: Term, game: Circuits) -> Term:
    """A term of a position as the first role sees it."""
    return game.rules.seen(term, game.exchanges and position.turn == 1)


def seen(game: Circuits, root: RowPosition, moves: Sequence[int]) -> tuple[Term, ...]:
    """Moves from a position on, by their numbers, as the first role sees them."""
    rules, exchanged = game.rules, game.exchanges and root.turn == 1
    line = []
    for move in moves:
        line.append(rules.seen(rules.moves[move], exchanged))
        exchanged ^= game.exchanges
    return tuple(line)


def own_moves(game: Circuits, root: RowPosition, moves: Sequence[int], won: bool) -> int:
    """How many moves the winner still makes.

    Args:
        game, root: see `trace`.
        moves: the line to the end of the game.
        won: whether the player to move wins.
    """
    position, winner, count = root, root.turn if won else 1 - root.turn, 0
    for made in moves:
        count += position.turn == winner
        position = position.after(made)
    return count
