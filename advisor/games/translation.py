"""A game's predicates as literals of a netlist, independent of bit-planes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from advisor.engine.nodes import WIN
from advisor.errors import ConfigError, EncodingError
from advisor.games.rules import NOOP, Rules
from aspcircuits import code_cache
from aspcircuits.clingo_api import Term, render
from aspcircuits.evaluation import Evaluation
from aspcircuits.gates import FALSE, TRUE, Netlist, translate
from aspcircuits.tables import cone

LOOK = ("legal", "terminal", "goal", "turn", "late")
LEAF = ("terminal", "goal", "feature", "decided", "drawn")
NOISY = ("legal", "noisy")
SAID = ("fires", "because", "candidate")


class Translation:
    """Some predicates of a game as literals of one netlist.

    Attributes:
        rules: of the game.
        netlist: its inputs are the base atoms, then the moves of both roles.
        state: the nodes of the base atoms.
        does: the node of each role's move.
    """

    def __init__(
        self,
        rules: Rules,
        names: Iterable[str],
        opposites: tuple[Term, Term] | None = None,
    ) -> None:
        """Translate the predicates with these names.

        Args:
            rules: of the game.
            names: of the predicates.
            opposites: two base atoms of which exactly one holds in every state.
        """
        self.rules = rules
        program = rules.program
        atoms = {atom: number for name in names for atom, number in rules.derived_atoms(name)}
        open_atoms = dict(rules.derived_atoms("true") + rules.derived_atoms("does"))
        state = {atom: open_atoms["true", atom] for atom in rules.base}
        moves = {pair: open_atoms["does", *pair] for pair in sorted(rules.inputs, key=repr)}
        self.netlist, literals = translate(
            program,
            [*state.values(), *moves.values()],
            atoms.values(),
            {state[opposites[1]]: state[opposites[0]]} if opposites else None,
        )
        self._literals = {atom: literals[number] for atom, number in atoms.items()}
        inputs = self.netlist.inputs
        self.state = inputs[: len(state)]
        self.does = dict(zip(moves, inputs[len(state) :], strict=True))
        self.terminal = self.literal("terminal")

    @classmethod
    def load_or_make(
        cls, rules: Rules, names: Iterable[str], opposites: tuple[Term, Term] | None = None
    ) -> "Translation":
        """Return a translation, possibly one that an earlier run has cached."""
        wanted = [*names]
        key = code_cache.key(__name__, (rules.key, wanted, opposites))
        # A later run that reads the rules has no program at hand: it would have to ground one, and
        # would find its gates in another order, so machine code would be compiled again.
        found = code_cache.keep(key, cls, lambda: cls(rules, wanted, opposites), beside=rules.key)
        found.rules = rules
        return found

    def __getstate__(self) -> dict[str, Any]:
        """Pickle everything but the rules."""
        return {name: value for name, value in self.__dict__.items() if name != "rules"}

    def evaluation(self, outputs: Sequence[int]) -> Evaluation:
        """Return the function that evaluates some literals in states."""
        return Evaluation(self.state, self.netlist.gates(outputs), outputs)

    def literal(self, atom: Term) -> int:
        """Return the literal of an atom, FALSE if it never holds."""
        return self._literals.get(atom, FALSE)

    def of(self, name: str) -> list[tuple[Term, int]]:
        """Return the atoms of a predicate that can hold, with their literals."""
        return [
            (atom, literal)
            for atom, literal in self._literals.items()
            if literal != FALSE and (atom[0] if isinstance(atom, tuple) else atom) == name
        ]

    def legal(self, move: Term) -> int:
        """Return the literal: the side to move has a move or, for `NOOP`, has to pass."""
        options = [self.literal(("legal", role, move)) for role in self.rules.roles]
        if move == NOOP:
            return self.netlist.all_of([*options, -self.able(), -self.terminal])
        return self.netlist.all_of([_either(self.netlist, *options), -self.terminal])

    def noisy(self, move: Term) -> int:
        """Return the literal: the side to move has this move and it is noisy."""
        noisy = self.literal(("noisy", move))
        return FALSE if noisy == FALSE else self.netlist.all_of([noisy, self.legal(move)])

    def able(self, *roles: Term) -> int:
        """Return the literal: one of these players, by default both, has a move but NOOP."""
        wanted = roles or self.rules.roles
        legal = [(atom, literal) for atom, literal in self.of("legal") if atom[2] != NOOP]
        return self.netlist.any_of(literal for (_, role, _), literal in legal if role in wanted)

    def turn(self, role: Term) -> int:
        if self.rules.by_mover:
            return TRUE if role == self.rules.roles[0] else FALSE
        if self.of("turn"):
            return self.literal(("turn", role))
        return self.able(role)

    def wins(self, role: Term) -> int:
        """Return the literal: the game is over and a role's goal is greater than the other's."""
        goals = self.of("goal")
        return self.netlist.any_of(
            self.netlist.all_of([own, less, self.terminal])
            for (_, player, value), own in goals
            if player == role
            for (_, other, lower), less in goals
            if other != role and lower < value
        )

    def are_opposite(self, first: Term, second: Term) -> bool:
        """Return whether exactly one of two base atoms holds next, if exactly one holds now."""
        return self.literal(("next", first)) == -self.literal(("next", second))

    def hands_over(self, first: Term, second: Term) -> bool:
        """Return whether the first of two base atoms holds next where the second holds now."""
        node = dict(zip(self.rules.base, self.state, strict=True))
        return self.literal(("next", first)) in (node[second], -node[first])

    def check_independent(self) -> None:
        """Raise an EncodingError with the atom if moves, end or goals depend on the move made."""
        moves = {node: pair for pair, node in self.does.items()}
        found = [pair for name in {*LOOK, *LEAF, *SAID} for pair in self.of(name)]
        if moves.keys().isdisjoint(cone(self.netlist, [literal for _, literal in found])):
            return
        for atom, literal in found:
            met = moves.keys() & cone(self.netlist, [literal])
            if met:
                made = render(("does", *moves[min(met)]))
                raise EncodingError(
                    f"{self.rules.place(atom)}'{render(atom)}' depends on the move "
                    f"('{made}'); only next/1 may"
                )


def worth(
    net: Translation, weights: Mapping[Term, int]
) -> tuple[dict[int, int], list[tuple[int, int]], int]:
    """Return the literals that give states their values, for role 0.

    Returns:
        for each certain value the literal of it, of which the first that holds counts; the literals
        of features with their weights; and a constant to add to these.

    Raises:
        ConfigError: a feature has no weight.
    """
    rules = net.rules
    by_value: dict[int, list[int]] = {
        WIN: [net.wins(rules.roles[0])],
        -WIN: [net.wins(rules.roles[1])],
        0: [net.terminal, *(literal for _, literal in net.of("drawn"))],
    }
    sooner_first = sorted(net.of("decided"), key=lambda found: found[0][2])
    for atom, literal in sooner_first:
        by_value.setdefault(decided_value(rules, atom), []).append(literal)
    certain = {value: net.netlist.any_of(literals) for value, literals in by_value.items()}
    constant, features = 0, []
    for (_, name, role, _), literal in net.of("feature"):
        if name not in weights:
            raise ConfigError(f"{rules.name}: no weight for feature '{render(name)}'")
        weight = weights[name] if role == rules.roles[0] else -weights[name]
        if literal == TRUE:
            constant += weight
        elif weight:
            features.append((literal, weight))
    return certain, features, constant


def decided_value(rules: Rules, atom: Term) -> int:
    """Return the value for role 0 of a state in which ``decided(R, N)`` holds."""
    _, role, plies = atom
    return int(WIN - plies if role == rules.roles[0] else plies - WIN)


def _either(netlist: Netlist, first: int, second: int) -> int:
    """Return the disjunction of two literals; (a and t) or (a and not t) is a."""
    ours, theirs = ({*netlist.members(literal)} or {literal} for literal in (first, second))
    common = ours & theirs
    if {-t for t in ours - common} == theirs - common and len(ours - common) == 1:
        return netlist.all_of(common)
    return netlist.any_of([first, second])
