"""Positions that are set up: what stands where is changed, all else stays as it was.

A base atom stands for a piece if by itself it puts something on the board (``at/3``). Whose turn it
is, is told by two atoms of one name, one for each role.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby

from advisor.asp.clingo_api import Term, render, unquoted
from advisor.errors import InputError
from advisor.files.textfile import quoted
from advisor.games.circuits import Circuits
from advisor.games.display import Square
from advisor.games.playing import Playing
from advisor.games.rules import Rules


def symbols(game: Circuits) -> list[str]:
    """What may stand on a board, as it is shown; none where positions cannot be set up."""
    return sorted({symbol for _, symbol in _pieces(game)})


def put(state: Playing, squares: Mapping[Square, str], player: str | None) -> Playing:
    """A position with other things on some squares.

    Args:
        state: the position.
        squares: what stands there then, as `symbols` has it; empty for nothing.
        player: who is to move; None for whoever it is now.

    Raises:
        InputError: nothing of that name can stand there, or nobody can move so.
    """
    game = state.game
    pieces, rules = _pieces(game), game.rules
    stood = {atom for (square, _), atom in pieces.items() if square in squares}
    atoms = state.atoms - stood
    for square, symbol in squares.items():
        if symbol and (square, symbol) not in pieces:
            column, row = square
            known = ", ".join(dict.fromkeys(each for at, each in pieces if at == square))
            told = f"(use {known})" if known else "(it is no square)"
            raise InputError(f"squares: no {quoted(symbol)} stands on {column},{row} {told}")
        if symbol:
            atoms |= {pieces[square, symbol]}
    turn = state.turn if player is None else rules.players.index(player)
    for pair in _turns(rules):
        if atoms & {*pair}:
            atoms = atoms - {*pair} | {pair[turn]}
    return state.begin(game, state.standing(atoms, turn))


@lru_cache(maxsize=8)
def _pieces(game: Circuits) -> dict[tuple[Square, str], Term]:
    """The atom that puts something on a square, as the first role sees it."""
    bare = {*game.shown(game.row(()))}
    found: dict[tuple[Square, str], Term] = {}
    for atom in game.rules.base:
        shown = {*game.shown(game.row([atom]))} - bare
        if len(shown) == 1:
            ((_, column, row, symbol),) = shown
            found.setdefault(((column, row), unquoted(symbol) or render(symbol)), atom)
    return found


def _turns(rules: Rules) -> list[tuple[Term, ...]]:
    """Pairs of atoms, one for each role, of which one holds at the start."""
    by_role = [atom for atom in rules.base if len(atom) == 2 and atom[1] in rules.roles]
    pairs = []
    for _, group in groupby(sorted(by_role, key=str), key=lambda atom: atom[0]):
        pair = tuple(sorted(group, key=lambda atom: rules.roles.index(atom[1])))
        if len(pair) == 2 and len({*pair} & rules.start) == 1:
            pairs.append(pair)
    return pairs
