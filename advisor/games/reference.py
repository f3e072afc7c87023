"""What clingo says of one state of a game: slow, plain, and what the circuits must equal."""

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.asp.clingo_api import Program, Term
from advisor.games.rules import NOOP, Rules

SAID = {"fires": 2, "because": 3, "feature": 3, "decided": 2, "drawn": 0}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer set of a state and perhaps a move.

    Attributes:
        legal: who has which move.
        turn: whose turn it is, as far as the rules say so themselves.
        terminal: whether the game is over.
        goals: what each player has reached.
        following: the state after the move.
        said: what is known beside the rules, as ``fires/2``, ``because/3``, ``feature/3``,
            ``decided/2`` and ``drawn``.
    """

    legal: frozenset[tuple[Term, Term]]
    turn: frozenset[Term]
    terminal: bool
    goals: frozenset[tuple[Term, int]]
    following: frozenset[Term]
    said: tuple[Term, ...]

    def moves(self, role: Term) -> set[Term]:
        """What a player can do: nothing only where both can do nothing else, and so pass."""
        moves = {(player, move) for player, move in self.legal if move != NOOP}
        if not moves and len(self.legal) == 2:
            return {NOOP}
        return {move for player, move in moves if player == role}

    def result(self, rules: Rules) -> int:
        """1 if the first player's goal is the greater one, -1 if the second one's, otherwise 0."""
        first, second = (max((v for p, v in self.goals if p == r), default=0) for r in rules.roles)
        return (first > second) - (first < second)


def answer(rules: Rules, state: Iterable[Term], does: Iterable[tuple[Term, Term]] = ()) -> Answer:
    """What holds in a state, grounded for it alone.

    Args:
        rules: the game.
        state: the base atoms that hold.
        does: what each player does.
    """
    facts: list[Term] = [("true", atom) for atom in state]
    facts += [("does", *pair) for pair in does]
    program = Program(rules.files, facts, rules.constants, options=("--warn=none",))

    def atoms(name: str, arity: int) -> list[Term]:
        return [atom for atom, _ in program.atoms(name, arity)]

    return Answer(
        legal=frozenset((p, m) for _, p, m in atoms("legal", 2)),
        turn=frozenset(p for _, p in atoms("turn", 1)),
        terminal=bool(atoms("terminal", 0)),
        goals=frozenset((p, v) for _, p, v in atoms("goal", 2)),
        following=frozenset(a for _, a in atoms("next", 1)),
        said=tuple(atom for name, arity in SAID.items() for atom in atoms(name, arity)),
    )
