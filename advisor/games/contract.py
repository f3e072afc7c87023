"""The part of a game's contract that shows only in play: which states break it, and how.

Circuits of their own point at suspect states; clingo then says what is wrong there.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from advisor.asp.clingo_api import Term, render
from advisor.circuits import bitplanes
from advisor.circuits.gates import FALSE
from advisor.engine.below import Rows
from advisor.engine.rows import Index, Look
from advisor.errors import EncodingError
from advisor.games.circuits import Circuits, MoveCircuit
from advisor.games.reference import Answer, answer
from advisor.games.rules import NOOP, Rules
from advisor.games.translation import LOOK, Translation

_SHOWN = 40
"""Moves of a game that an error shows; of a longer one the last."""


class Inspector:
    """Circuits that point at states which break the contract."""

    def __init__(self, circuits: Circuits) -> None:
        self._circuits = circuits
        rules = circuits.rules
        net = Translation.kept(rules, [*LOOK, "next"])
        self._base = len(rules.base)
        self._suspect = net.evaluation([_is_suspect(net, rules)])
        strays = [x for (_, atom), x in net.of("next") if atom not in {*rules.base}]
        outputs, room = [net.netlist.any_of(strays)], 64 * circuits.words
        self._strays = MoveCircuit(net, rules, outputs, room) if strays else None

    def suspect(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Which states break the contract, whatever the move."""
        planes = self._suspect(bitplanes.transpose(rows)[: self._base])
        return bitplanes.unpack(planes, len(rows))[:, 0]

    def strays(self, rows: Rows, moves: Index, look: Look) -> npt.NDArray[np.bool_]:
        """After which moves an atom holds that is no base atom."""
        if self._strays is None:
            return np.zeros(len(rows), np.bool_)
        both = self._strays.beside(rows, self._circuits.patterns(moves, look.turn))
        return bitplanes.unpack(self._strays(both), len(rows))[:, 0]


def _is_suspect(net: Translation, rules: Rules) -> int:
    """Whether a state breaks the contract; clingo is then asked how."""
    netlist = net.netlist
    able, declared = [], []
    for role in rules.roles:
        legal = [(atom, x) for atom, x in net.of("legal") if atom[1] == role and atom[2] != NOOP]
        able.append(net.able(role))
        declared += [x for (_, *pair), x in legal if tuple(pair) not in rules.inputs]
    passing = net.legal(NOOP) if NOOP in rules.moves else FALSE
    going = netlist.all_of([-net.terminal, -passing])
    found = [
        *declared,
        netlist.all_of([going, able[0], able[1]]),
        netlist.all_of([going, -able[0], -able[1]]),
    ]
    if rules.by_mover:
        found.append(netlist.all_of([going, able[1]]))
    elif net.of("turn"):
        for role, can in zip(rules.roles, able, strict=True):
            turn = net.turn(role)
            found += [netlist.all_of([going, turn, -can]), netlist.all_of([going, -turn, can])]
    for role in rules.roles:
        goals = [x for (_, player, _), x in net.of("goal") if player == role]
        one = netlist.any_of(goals), -netlist.count(2, goals)
        found.append(netlist.all_of([net.terminal, -netlist.all_of(one)]))
    return netlist.any_of(x for x in found if x != FALSE)


def check_turns(rules: Rules, state: Sequence[Term], led: Sequence[Term]) -> None:
    """Refuses a state in which both players have a move.

    Args:
        rules: the game.
        state: the base atoms that hold.
        led: the moves that led there from the start.

    Raises:
        EncodingError: both have one.
    """
    if len({role for role, move in rules.inputs if move != NOOP}) < 2:
        return
    found = answer(rules, state)
    if not found.terminal and all(found.moves(role) - {NOOP} for role in rules.roles):
        raise breach(rules, state, led)


def breach(
    rules: Rules, state: Sequence[Term], led: Sequence[Term], move: Term | None = None
) -> EncodingError:
    """What is wrong with a state, or with what a move makes of it.

    Args:
        rules: the game.
        state: the base atoms that hold.
        led: the moves that led there from the start, as the side that began sees them.
        move: the move, if it is that which is wrong, as its own side sees it.
    """
    found = answer(rules, state)
    where = _after(led)
    if move is not None:
        where = _after([*led, rules.seen(move, rules.by_mover and len(led) % 2 == 1)])
        role = next(p for p, m in sorted(found.legal, key=repr) if m == move)
        after = answer(rules, state, rules.joint(role, move)).following
        strays = sorted(map(render, after - {*rules.base}))
        atom, what = ("next", strays[0]), f"next({strays[0]}) holds, but there is no such base/1"
    else:
        atom, what = _wrong(rules, found)
    return EncodingError(f"{rules.place(atom)}{what}; {where}")


def _wrong(rules: Rules, found: Answer) -> tuple[Term, str]:
    """The atom concerned and what is wrong, of a state that breaks the contract."""
    for pair in sorted(found.legal, key=repr):
        if pair[1] != NOOP and pair not in rules.inputs:
            atom = ("legal", *pair)
            return atom, f"{render(atom)} holds, but there is no such input/2"
    able = [role for role in rules.roles if found.moves(role) - {NOOP}]
    if found.terminal:
        for role in rules.roles:
            values = sorted(v for p, v in found.goals if p == role)
            if len(values) != 1:
                said = " and ".join(map(str, values)) or "no goal"
                atom = ("goal", role, 0)
                return atom, f"the game is over and {render(role)} has {said}; there must be one"
    if len(able) == 2:
        return ("legal", able[0], "any"), (
            f"simultaneous moves: both {render(able[0])} and {render(able[1])} have a move; "
            "players must take turns"
        )
    if not able:
        return ("legal", rules.roles[0], "any"), "no player has a move, and terminal does not hold"
    if rules.by_mover:
        return ("legal", able[0], "any"), f"{render(able[0])} has the move, not the mover"
    turns = ", ".join(sorted(f"turn({render(role)})" for role in found.turn)) or "no turn"
    return ("turn", able[0]), f"{turns} holds, but {render(able[0])} has the move"


def _after(moves: Sequence[Term]) -> str:
    if not moves:
        return "at the start"
    shown = " ".join(map(render, moves[-_SHOWN:]))
    return f"after {'... ' if len(moves) > _SHOWN else ''}{shown}"
