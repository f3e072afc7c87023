"""Evaluates one state of a game with clingo: slow, plain, the reference for the circuits.

This module also says how a state breaks the part of the contract that shows only in play.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from advisor.errors import EncodingError
from advisor.games.rules import CONTRACT, NOOP, Rules
from aspcircuits.clingo_api import Program, Term, render

_SHOWN = 40
"""Number of moves that an error shows; of a longer game the last ones."""

SAID = ("fires", "because", "feature", "decided", "drawn")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer set of a state and perhaps a move.

    Attributes:
        legal: (role, move) pairs.
        turn: whose turn it is, if the rules derive ``turn/1``.
        terminal: the game is over.
        goals: each player's goal values.
        following: the state after the move.
        said: atoms beyond the rules: ``fires/2``, ``because/3``, ``feature/3``, ``decided/2`` and
            ``drawn``.
    """

    legal: frozenset[tuple[Term, Term]]
    turn: frozenset[Term]
    terminal: bool
    goals: frozenset[tuple[Term, int]]
    following: frozenset[Term]
    said: tuple[Term, ...]

    def moves(self, role: Term) -> set[Term]:
        """Return a player's moves; a pass only if both players can do nothing else."""
        moves = {(player, move) for player, move in self.legal if move != NOOP}
        if not moves and len(self.legal) == 2:
            return {NOOP}
        return {move for player, move in moves if player == role}

    def result(self, rules: Rules) -> int:
        """Return 1 if the first player's goal is the greater one, -1 if the second's, else 0."""
        first, second = (max((v for p, v in self.goals if p == r), default=0) for r in rules.roles)
        return (first > second) - (first < second)


def answer(rules: Rules, state: Iterable[Term], does: Iterable[tuple[Term, Term]] = ()) -> Answer:
    """Ground the rules with a state, given by its base atoms, and each player's move."""
    rules.check_unchanged()
    facts: list[Term] = [("true", atom) for atom in state]
    facts += [("does", *pair) for pair in does]
    program = Program(rules.files, facts, rules.constants, options=("--warn=none",))

    def atoms(name: str) -> list[Term]:
        return [atom for atom, _ in program.atoms(name, CONTRACT[name])]

    return Answer(
        legal=frozenset((p, m) for _, p, m in atoms("legal")),
        turn=frozenset(p for _, p in atoms("turn")),
        terminal=bool(atoms("terminal")),
        goals=frozenset((p, v) for _, p, v in atoms("goal")),
        following=frozenset(a for _, a in atoms("next")),
        said=tuple(atom for name in SAID for atom in atoms(name)),
    )


def check_turns(rules: Rules, state: Sequence[Term], led: Sequence[Term]) -> None:
    """Raise an EncodingError if both players have a move in a state; see `breach`."""
    if len({role for role, move in rules.inputs if move != NOOP}) < 2:
        return
    found = answer(rules, state)
    if not found.terminal and all(found.moves(role) - {NOOP} for role in rules.roles):
        raise breach(rules, state, led)


def breach(
    rules: Rules, state: Sequence[Term], led: Sequence[Term], move: Term | None = None
) -> EncodingError:
    """Return the error about a state, or about the result of a move in it.

    Args:
        rules: of the game.
        state: its base atoms.
        led: the moves so far, as the side that began sees them.
        move: as its own side sees it; None if the state itself is wrong.
    """
    found = answer(rules, state)
    made = [*led]
    if move is not None:
        made.append(rules.seen(move, rules.by_mover and len(led) % 2 == 1))
        role = next(p for p, m in sorted(found.legal, key=repr) if m == move)
        after = answer(rules, state, rules.joint(role, move)).following
        strays = sorted(map(render, after - {*rules.base}))
        atom, what = ("next", strays[0]), f"next({strays[0]}) holds, but there is no such base/1"
    else:
        atom, what = _wrong(rules, found)
    shown = " ".join(map(render, made[-_SHOWN:]))
    where = f"after {'... ' if len(made) > _SHOWN else ''}{shown}" if made else "at the start"
    return EncodingError(f"{rules.place(atom)}{what}; {where}")


def _wrong(rules: Rules, found: Answer) -> tuple[Term, str]:
    """Return the atom and the fault of a state that breaks the contract."""
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
