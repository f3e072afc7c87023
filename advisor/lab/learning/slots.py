"""Which arguments of moves say where a man comes from, where it goes and which one it takes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from advisor.asp.clingo_api import Term
from advisor.engine.below import Rows
from advisor.engine.rows import firsts
from advisor.games.circuits import Circuits
from advisor.lab.learning.men import Men

_GAMES, _PLIES = 64, 120
"""Random games, and how long they are looked at: enough that every kind of move is met."""
_NEARLY = 0.9
"""Of the moves: castling brings two men somewhere else, and is no other kind of move."""


@dataclass(frozen=True, slots=True)
class Slots:
    """For one kind of move, the first argument of each place that it names; None if it has none."""

    leaves: int | None
    comes: int | None
    takes: int | None


def slots(game: Circuits, men: Men, seed: int) -> Mapping[str, Slots]:
    """What random games show of each kind of move that names places, by its name."""
    rng = np.random.default_rng(seed)
    base = game.rules.base
    number = {atom: i for i, atom in enumerate(base)}
    seen = [number[game.rules.seen(atom, game.exchanges)] for atom in base]
    owned = {i: men.owned[atom] for i, atom in enumerate(base) if atom in men.owned}
    met: defaultdict[str, list[tuple[Term, list[set[Term]]]]] = defaultdict(list)
    rows = np.repeat(game.start[None], _GAMES, 0)
    for _ in range(_PLIES):
        rows = rows[~game.look(rows).over]
        if not len(rows):
            break
        look = game.look(rows)
        state, numbers = look.moves()
        order = np.lexsort((rng.random(len(state)), state))
        chosen = numbers[order[firsts(state)]]  # which stays in order
        after = game.step(rows, chosen, look.turn)
        before, later = _bits(rows, len(base)), _bits(after, len(base))[:, seen]
        for i, number in enumerate(chosen.tolist()):
            move = game.rules.moves[number]
            if isinstance(move, tuple):
                changed = np.flatnonzero(before[i] != later[i]).tolist()
                met[move[0]].append((move, _changes(changed, owned, later[i], int(look.turn[i]))))
        rows = after
    size = len(men.place)
    return {name: _slots(found, size) for name, found in met.items()}


def _bits(rows: Rows, count: int) -> npt.NDArray[np.uint8]:
    return np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[:, :count]


def _changes(
    changed: Iterable[int],
    owned: Mapping[int, tuple[int, Term]],
    later: npt.NDArray[np.uint8],
    turn: int,
) -> list[set[Term]]:
    """The places that the mover's men have left and come to, and where others have been taken."""
    left, come, taken = set[Term](), set[Term](), set[Term]()
    for i in changed:
        if i in owned:
            player, place = owned[i]
            if player != turn:
                taken |= set() if later[i] else {place}
            else:
                (come if later[i] else left).add(place)
    return [left, come, taken]


def _slots(found: Iterable[tuple[Term, list[set[Term]]]], size: int) -> Slots:
    """The first argument of each place that is nearly always named where there is one."""
    chosen: list[int | None] = []
    for which in range(3):
        relevant = [(move, places[which]) for move, places in found if places[which]]
        fitting = (
            i - 1
            for i in range(1, len(next(iter(found))[0]) - size + 1)
            if sum({move[i : i + size]} == places for move, places in relevant)
            > _NEARLY * len(relevant)
        )
        chosen.append(next(fitting, None))
    return Slots(*chosen)
