"""Lines of play in a game that is given by its rules, as its players see them."""

from collections.abc import Iterator, Sequence

from advisor.asp.clingo_api import Term
from advisor.engine.below import played
from advisor.engine.row_search import RowPosition, settling
from advisor.games.circuits import Circuits


def settled(root: RowPosition, moves: Sequence[int]) -> list[int]:
    """A line with the noisy moves that lead on from its end to where its value is taken from."""
    return [*moves, *settling(played(root, moves))]


def features(
    game: Circuits, root: RowPosition, moves: Sequence[int]
) -> Iterator[tuple[Term, int, Term]]:
    """The features that hold at a line's end: their names, whose they are, and where.

    Args:
        game: its rules and features.
        root: where the line begins.
        moves: by their numbers.
    """
    end = played(root, moves)
    roles = game.rules.roles
    # Where states are seen by the side to move, the first role is whoever that is.
    first = end.turn if game.exchanges else 0
    for _, feature, role, where in game.features(end.row):
        place = game.rules.seen(where, game.exchanges and end.turn == 1)
        yield feature, roles.index(role) ^ first, place


def seen(game: Circuits, root: RowPosition, moves: Sequence[int]) -> tuple[Term, ...]:
    """Moves from a position on, by their numbers, as the first role sees them."""
    rules, exchanged = game.rules, game.exchanges and root.turn == 1
    line = []
    for move in moves:
        line.append(rules.seen(rules.moves[move], exchanged))
        exchanged ^= game.exchanges
    return tuple(line)


def own_moves(root: RowPosition, moves: Sequence[int], won: bool) -> int:
    """How many moves the winner still makes.

    Args:
        root: where the line begins.
        moves: the line to the end of the game.
        won: whether the player to move wins.
    """
    position, winner, count = root, root.turn if won else 1 - root.turn, 0
    for made in moves:
        count += position.turn == winner
        position = position.after(made)
    return count
