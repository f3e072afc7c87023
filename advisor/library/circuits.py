"""The circuits of games, and what their outputs cost."""

import re

from advisor.games.game import Game
from advisor.library import arguments
from aspcircuits.circuit import Circuit
from aspcircuits.clingo_api import Term, render


def circuit_of(game: Game) -> Circuit:
    """What is asked of every state of a game, as one circuit.

    Of Connect Four these are the features, from discs and whose turn it is. Of other games inputs
    are the atoms of a state, ``true(A)``, and moves, ``does(P,M)``; outputs are what the rules say
    of the state and of the one after the move, and the features of the game's weights.

    >>> made = advisor.circuit_of(advisor.load_game("tictactoe"))
    >>> print(*made.explain("terminal")[1:], sep="\\n")
    terminal :- line(x).
    terminal :- line(o).
    % a gate of level 3: not the AND of 3
    """
    arguments.game(game)
    return game.circuit


def cost(made: Circuit) -> dict[str, tuple[int, int]]:
    """What features, whatever the numbers in their names, and other outputs cost: by name the gates
    that each needs, and those that nothing else needs."""
    return made.cost(_group)


def _group(atom: Term) -> str:
    """Features by name; other outputs by predicate."""
    if isinstance(atom, tuple) and atom[0] == "feature":
        return re.sub(r"-?\d+", "N", render(atom[1]))
    return atom[0] if isinstance(atom, tuple) else str(atom)
