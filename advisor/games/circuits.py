"""A game's rules as three circuits over rows of machine words: look, leaf and step.

All come from the one ground program of `Rules`. Bit i of a state's row is base atom i. The status of
a state, the moves and the atoms of the next state are outputs that are turned back into rows, state
by state. What depends on the move alone is a table, looked up by the move's number (see
`advisor.asp.tables`), so that the circuit of a step has no move in it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from advisor.asp import bitplanes
from advisor.asp.bitplanes import Planes, WeightedSum
from advisor.asp.clingo_api import Term, render
from advisor.asp.evaluation import Evaluation
from advisor.asp.gates import FALSE, TRUE, Gate, Netlist, translate
from advisor.asp.tables import cone, tabulate
from advisor.engine.rows import Index, Look, Rows, Values
from advisor.engine.search import WIN
from advisor.errors import ConfigError, EncodingError
from advisor.games.rules import NOOP, Rules

Weights = Mapping[Term, int]

_AT_ONCE = 1 << 12
"""States of one call; more are worked off in parts."""

_LEAF_OUTPUTS = ("feature", "decided", "drawn")


class Circuits:
    """The three functions of `advisor.engine.rows.RowGame`.

    Attributes:
        rules: what the circuits were made of.
        words: uint64 words of a state.
        start: shape (words,), the state at the beginning.
        look_gates, step_gates: the circuits' gates.
    """

    def __init__(self, rules: Rules, weights: Weights | None = None) -> None:
        """Compiles look and step; leaf when it is first needed.

        Args:
            rules: the game.
            weights: of the features; None if they do not matter.

        Raises:
            EncodingError: an atom depends on itself, or a state's moves or result on the move.
        """
        self.rules = rules
        self._weights = weights
        self.words = -(-len(rules.base) // 64)
        self.start = _row(rules.base, rules.start, self.words)
        self._opposites = _opposite_turns(rules)
        play = self._translated(["legal", "terminal", "goal", "turn", "next"])
        play.check_independent()
        self._make_look(play)
        self._make_step(play)

    @property
    def exchanges(self) -> bool:
        """See `RowGame`."""
        return self.rules.by_mover

    # The circuits

    def _make_look(self, net: "_Translation") -> None:
        moves = [net.legal(move) for move in self.rules.moves]
        moves += [FALSE] * (-len(moves) % 8)
        first, second = self.rules.roles
        status = [net.terminal, net.wins(first), net.wins(second), -net.turn(first)]
        outputs = [*moves, *status, *[FALSE] * 4]
        self.look_gates = net.netlist.gates(outputs)
        self._look = Evaluation(net.state, self.look_gates, outputs)

    def _make_step(self, net: "_Translation") -> None:
        rules, width = self.rules, len(self.rules.moves)
        movers = rules.roles[:1] if rules.by_mover else rules.roles
        # Pattern number turn * moves + move: the mover makes the move, the other one none.
        choices = dict.fromkeys(net.does.values(), 0)
        for turn, role in enumerate(movers):
            for other in rules.roles:
                for number, move in enumerate(rules.moves):
                    made = (role, move) if other == role else (other, NOOP)
                    if made in net.does:
                        choices[net.does[made]] |= 1 << (turn * width + number)
        outputs = [net.literal(("next", atom)) for atom in rules.base]
        outputs += [FALSE] * (64 * self.words - len(outputs))
        made = tabulate(
            net.netlist, outputs, len(rules.base), 64 * self.words, choices, len(movers) * width
        )
        self._table = made.table
        self.step_gates = made.netlist.gates(made.outputs)
        self._step_inputs = len(made.netlist.inputs)
        self._step = Evaluation(made.netlist.inputs, self.step_gates, made.outputs)

    @cached_property
    def _leaf(self) -> "_Leaf":
        net = self._translated(["terminal", "goal", *_LEAF_OUTPUTS])
        return _Leaf(net, self.rules, self._weights)

    @property
    def leaf_gates(self) -> list[Gate]:
        """The gates of the circuit that scores states."""
        return self._leaf.gates

    def _translated(self, names: Iterable[str]) -> "_Translation":
        return _Translation(self.rules, names, self._opposites)

    # The functions

    def look(self, rows: Rows) -> Look:
        """See `RowGame`."""
        found = self._in_parts(rows, lambda part: bitplanes.rows(self._look(self._planes(part))))
        status = found[:, -1]
        return Look(
            legal=found[:, :-1],
            over=(status & 1).view(np.bool_),
            result=(status >> 1 & 1).view(np.int8) - (status >> 2 & 1).view(np.int8),
            turn=status >> 3 & 1,
        )

    def step(self, rows: Rows, moves: Index, turn: npt.NDArray[np.uint8]) -> Rows:
        """See `RowGame`."""
        patterns = moves if self.exchanges else moves + turn * np.intp(len(self.rules.moves))
        columns = self._table.take(patterns, 0)
        return self._in_parts(np.concatenate((rows, columns), axis=1), self._stepped).view(
            np.uint64
        )

    def _stepped(self, rows: Rows) -> npt.NDArray[np.uint8]:
        return bitplanes.rows(self._step(bitplanes.transpose(rows)[: self._step_inputs]))

    def leaf(self, rows: Rows) -> Values:
        """See `RowGame`."""
        return self._in_parts(rows, lambda part: self._leaf(self._planes(part)))

    def _planes(self, rows: Rows) -> Planes:
        return bitplanes.transpose(rows)[: len(self.rules.base)]

    @staticmethod
    def _in_parts(
        rows: Rows, function: Callable[[Rows], npt.NDArray[np.generic]]
    ) -> npt.NDArray[np.generic]:
        """What a function says of each state, many states at a time."""
        parts = [
            function(part)[: len(part)]
            for start in range(0, max(1, len(rows)), _AT_ONCE)
            for part in [rows[start : start + _AT_ONCE]]
        ]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    # States

    def row(self, atoms: Iterable[Term]) -> Rows:
        """The state in which these base atoms hold, shape (words,)."""
        return _row(self.rules.base, atoms, self.words)

    def atoms(self, row: Rows) -> list[Term]:
        """The base atoms that hold in a state."""
        bits = np.unpackbits(row.view(np.uint8), bitorder="little")[: len(self.rules.base)]
        return [atom for atom, bit in zip(self.rules.base, bits, strict=True) if bit]


def _row(base: Iterable[Term], atoms: Iterable[Term], words: int) -> Rows:
    holding = set(atoms)
    bits = np.zeros(64 * words, np.bool_)
    for i, atom in enumerate(base):
        bits[i] = atom in holding
    return np.packbits(bits, bitorder="little").view(np.uint64)


class _Translation:
    """Some predicates of a game as literals of one netlist.

    Attributes:
        netlist: its inputs are the base atoms, then the moves of both roles.
        state: the nodes of the base atoms.
        does: the node of each role's move.
        terminal: the literal of the game's end.
    """

    def __init__(
        self,
        rules: Rules,
        names: Iterable[str],
        opposites: tuple[Term, Term] | None = None,
    ) -> None:
        """Translates predicates.

        Args:
            rules: the game.
            names: the predicates.
            opposites: two base atoms of which exactly one holds in every state.
        """
        self._rules = rules
        self._atoms = {atom: number for name in names for atom, number in rules.derived(name)}
        number = rules.program.number
        state = {atom: number(("true", atom)) for atom in rules.base}
        moves = {pair: number(("does", *pair)) for pair in sorted(rules.inputs, key=repr)}
        self.netlist, self._literals = translate(
            rules.program,
            [*state.values(), *moves.values()],
            self._atoms.values(),
            {state[opposites[1]]: state[opposites[0]]} if opposites else None,
        )
        inputs = self.netlist.inputs
        self.state = inputs[: len(state)]
        self.does = dict(zip(moves, inputs[len(state) :], strict=True))
        self.terminal = self.literal("terminal")

    def literal(self, atom: Term) -> int:
        """The literal of an atom, FALSE if it never holds."""
        return self._literals.get(self._atoms.get(atom, 0), FALSE)

    def of(self, name: str) -> list[tuple[Term, int]]:
        """The atoms of a predicate that can hold, and their literals."""
        found = [(atom, self.literal(atom)) for atom in self._atoms if predicate(atom) == name]
        return [(atom, literal) for atom, literal in found if literal != FALSE]

    def legal(self, move: Term) -> int:
        """Whether the side to move has a move."""
        options = [self.literal(("legal", role, move)) for role in self._rules.roles]
        return self.netlist.all_of([_either(self.netlist, *options), -self.terminal])

    def turn(self, role: Term) -> int:
        """Whether it is a role's turn."""
        if self._rules.by_mover:
            return TRUE if role == self._rules.roles[0] else FALSE
        if self.of("turn"):
            return self.literal(("turn", role))
        return self.netlist.any_of(
            self.literal(("legal", role, move)) for move in self._rules.moves
        )

    def wins(self, role: Term) -> int:
        """Whether the game has ended with a greater goal for a role than for the other one."""
        goals = self.of("goal")
        return self.netlist.any_of(
            self.netlist.all_of([own, less, self.terminal])
            for (_, player, value), own in goals
            if player == role
            for (_, other, lower), less in goals
            if other != role and lower < value
        )

    def check_independent(self) -> None:
        """Refuses a game whose moves, end or goals depend on the move that is made.

        Raises:
            EncodingError: it names the atom.
        """
        moves = {node: pair for pair, node in self.does.items()}
        for name in ("legal", "terminal", "goal", "turn", *_LEAF_OUTPUTS):
            for atom, literal in self.of(name):
                met = moves.keys() & cone(self.netlist, [literal])
                if met:
                    made = render(("does", *moves[min(met)]))
                    raise EncodingError(
                        f"{self._rules.place(atom)}'{render(atom)}' depends on the move "
                        f"('{made}'); only next/1 may"
                    )


def predicate(atom: Term) -> str:
    """The name of an atom's predicate."""
    return str(atom[0] if isinstance(atom, tuple) else atom)


def _either(netlist: Netlist, first: int, second: int) -> int:
    """One of two; (a and t) or (a and not t) is a."""
    ours, theirs = ({*netlist.members(literal)} or {literal} for literal in (first, second))
    common = ours & theirs
    if len(ours) == len(theirs) == len(common) + 1 and {-t for t in ours - common} == theirs - common:
        return netlist.all_of(common)
    return netlist.any_of([first, second])


def _opposite_turns(rules: Rules) -> tuple[Term, Term] | None:
    """The base atoms ``turn(P)`` if exactly one of them holds in every state of every game.

    It does if exactly one holds at the start and their circuits of the next state are each other's
    negation wherever exactly one holds now.
    """
    first, second = pair = ("turn", rules.roles[0]), ("turn", rules.roles[1])
    if not {*pair} <= {*rules.base} or len({*pair} & rules.start) != 1:
        return None
    net = _Translation(rules, ["next"], pair)
    opposite = net.literal(("next", first)) == -net.literal(("next", second))
    return pair if opposite else None


class _Leaf:
    """The circuit that scores states, for role 0."""

    def __init__(self, net: _Translation, rules: Rules, weights: Weights | None) -> None:
        netlist = net.netlist
        by_value: dict[int, list[int]] = {
            WIN: [net.wins(rules.roles[0])],
            -WIN: [net.wins(rules.roles[1])],
            0: [net.terminal, *(literal for _, literal in net.of("drawn"))],
        }
        sooner_first = sorted(net.of("decided"), key=lambda found: found[0][2])
        for (_, role, plies), literal in sooner_first:
            value = WIN - plies if role == rules.roles[0] else plies - WIN
            by_value.setdefault(value, []).append(literal)
        certain = {value: netlist.any_of(literals) for value, literals in by_value.items()}
        self._certain = np.array([*certain], np.int64)
        summed: Counter[int] = Counter()
        for (_, name, role, _), literal in net.of("feature") if weights is not None else ():
            if name not in weights:
                raise ConfigError(f"{rules.name}: no weight for feature '{render(name)}'")
            weight = weights[name] if role == rules.roles[0] else -weights[name]
            # A negated literal counts for what it stands for: w (1 - x) = w - w x.
            summed[TRUE if literal < 0 else literal] += weight
            if literal < 0:
                summed[-literal] -= weight
        self._constant = summed.pop(TRUE, 0)
        literals = [literal for literal, weight in summed.items() if weight]
        outputs = [*certain.values(), *literals]
        self.gates = netlist.gates(outputs)
        self._evaluation = Evaluation(net.state, self.gates, outputs)
        self._sum = WeightedSum([summed[x] for x in literals]) if literals else None

    def __call__(self, planes: Planes) -> Values:
        """Values of states, int64 of shape (64 * words,)."""
        found = self._evaluation(planes)
        certain, features = found[: len(self._certain)], found[len(self._certain) :]
        values: Values = np.full(64 * planes.shape[1], self._constant, np.int64)
        if self._sum is not None:
            values += self._sum(features)
        known = bitplanes.unpack(certain, len(values))
        some = np.flatnonzero(known.any(axis=1))
        values[some] = self._certain.take(known[some].argmax(axis=1))
        return values
