"""Checks positions that are set up: which atoms are pieces, and whether a state is possible.

Positions set up by atoms, by a picture, or by pieces put on squares all get this check: the game's
own rules say whether a player can move or the game is over, and what is on a square.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from advisor.engine.nodes import Rows
from advisor.errors import EncodingError, InputError
from advisor.games.circuits import Circuits
from advisor.games.diagram import text_of
from advisor.games.display import Square
from advisor.games.reference import answer
from advisor.games.rules import NOOP
from advisor.games.translation import Translation
from aspcircuits.clingo_api import Term, render
from aspcircuits.texts import list_names


@lru_cache(maxsize=8)
def pieces(game: Circuits) -> Mapping[tuple[Square, str], Term]:
    """Return the atom that puts a symbol on a square, as the first role sees it."""
    bare = {*game.board_atoms(game.row(()))}
    found: dict[tuple[Square, str], Term] = {}
    for atom in game.rules.base:
        shown = {*game.board_atoms(game.row([atom]))} - bare
        if len(shown) == 1:
            ((_, column, row, symbol),) = shown
            found.setdefault(((column, row), text_of(symbol)), atom)
    return found


@lru_cache(maxsize=8)
def blanks(game: Circuits) -> Mapping[Square, Term]:
    """Return the atom that marks a square as empty, in games that have such atoms.

    It differs from the square's pieces in one argument, as in ``cell(1,1,b)`` and ``cell(1,1,x)``,
    and one of all these atoms holds at the start.
    """
    placed = defaultdict(set)
    for (square, _), atom in pieces(game).items():
        placed[square].add(atom)
    alike = defaultdict(set)
    for atom in game.rules.base:
        for i in range(1, len(atom)) if isinstance(atom, tuple) else ():
            alike[i, *atom[:i], *atom[i + 1 :]].add(atom)
    found = {}
    for square, atoms in placed.items():
        others = [more - atoms for more in alike.values() if atoms < more]
        one = len(others) == 1 and len(others[0]) == 1
        if one and len(game.rules.start & (atoms | others[0])) == 1:
            (found[square],) = others[0]
    return found if len(found) == len(placed) else {}


@lru_cache(maxsize=8)
def _turns(game: Circuits) -> list[tuple[Term, Term]]:
    """Return pairs of base atoms, one for each role, of which one holds in every state."""
    rules = game.rules
    pairs = map(
        rules.pair, sorted({atom[0] for atom in rules.base if isinstance(atom, tuple)}, key=str)
    )
    return [
        pair
        for pair in pairs
        if pair
        and (
            pair == game.opposites
            or Translation.load_or_make(rules, ["next"], pair).are_opposite(*pair)
        )
    ]


def check(game: Circuits, row: Rows) -> None:
    """Raise an InputError if a state is impossible.

    Args:
        game: its circuits.
        row: the state as its side to move sees it.
    """
    rules, held = game.rules, game.atoms(row)
    for pair in _turns(game):
        said = [render(atom) for atom in pair if atom in held]
        if len(said) != 1:
            known = " or ".join(sorted(map(render, pair)))
            holds = f"{list_names(said)} hold at once" if said else "nothing says who is to move"
            raise InputError(f"position: {holds} ({known} must hold)")
    _check_squares(game, row)
    if game.exchanges:
        try:
            game.look(row[None])
        except EncodingError:
            raise InputError(_NOBODY) from None
        return
    found = answer(rules, held)
    able = [role for role in rules.roles if found.moves(role)]
    if not found.terminal:
        if not able:
            raise InputError(_NOBODY)
        if len(able) == 2 and all(found.moves(role) - {NOOP} for role in able):
            raise InputError(f"position: {' and '.join(rules.players)} can move at once")
    for role, player in zip(rules.roles, rules.players, strict=True):
        goals = sorted(value for p, value in found.goals if p == role)
        if found.terminal and len(goals) != 1:
            reached = " and ".join(map(str, goals)) or "none"
            raise InputError(
                f"position: the game is over, and the goals of {player} are {reached} (a finished "
                "game has one for each player; nobody wins and loses at once)"
            )


_NOBODY = "position: nobody can move, and the game is not over"


def _check_squares(game: Circuits, row: Rows) -> None:
    """Check that each square holds one thing."""
    stand: dict[Square, set[str]] = defaultdict(set)
    for _, x, y, symbol in game.board_atoms(row):
        stand[x, y].add(text_of(symbol))
    empty, held = blanks(game), {*game.atoms(row)}
    for square, atom in empty.items():
        if atom in held:
            stand[square].add(render(atom))
    for square in sorted({*stand, *empty}):
        found = sorted(stand[square])
        if len(found) > 1 or (empty and not found):
            where = game.rules.display.place(("", *square)).strip("()")
            told = " and ".join(found) or f"nothing, not even {render(empty[square])}"
            raise InputError(f"position: {told} on {where} (one thing stands on a square)")
