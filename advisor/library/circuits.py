"""The circuits of games, and the cost of their outputs."""

import re

from advisor.games.game import Game
from advisor.library import arguments
from aspcircuits.circuit import Circuit
from aspcircuits.clingo_api import Term, render


def circuit_of(game: Game) -> Circuit:
    """Return the circuit that is evaluated in every state of a game.

    In Connect Four its inputs are the discs and the side to move, its outputs the features. In
    other games inputs are the atoms of a state, ``true(A)``, and moves, ``does(P,M)``; outputs are
    the atoms that the rules derive for the state and for the one after the move, and the features
    of the game's weights.

    >>> made = advisor.circuit_of(advisor.load_game("tictactoe"))
    >>> print(*made.explain("terminal")[1:], sep="\\n")
    terminal :- line(x).
    terminal :- line(o).
    % a gate of level 3: not the AND of 3
    """
    arguments.game(game)
    return game.circuit


def cost(made: Circuit) -> dict[str, tuple[int, int]]:
    """Return the cost of features, grouped whatever the numbers in their names, and other outputs.

    For each name: the number of gates that it needs, and how many of them nothing else needs.
    """
    return made.cost(_group)


def _group(atom: Term) -> str:
    """Return the group of an output: features by name, others by predicate."""
    if isinstance(atom, tuple) and atom[0] == "feature":
        return re.sub(r"-?\d+", "N", render(atom[1]))
    return atom[0] if isinstance(atom, tuple) else str(atom)
