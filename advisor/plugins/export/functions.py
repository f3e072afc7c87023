"""A game's functions for an engine in a browser, as look-up tables in a compact form.

A module of WebAssembly has three times the size of its tables, so the page gets these and writes
the module itself, as `aspcircuits.wasm` does.
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from advisor.games.circuits import Circuits
from advisor.games.phrasing import Json
from advisor.games.translation import LEAF, LOOK, NOISY, Translation, worth
from aspcircuits.clingo_api import Term
from aspcircuits.formats import needed_tables
from aspcircuits.gates import FALSE, TRUE
from aspcircuits.luts import Mapper, Tables, output_tables
from aspcircuits.vector_code import expressions

TOLD = {
    "board": ("at",),
    "moot": ("moot",),
    "deeper": ("deeper",),
    "features": ("feature",),
    "says": ("fires", "because"),
}
"""The predicates that each function for single states reports, by its name."""

_WORD = 32
"""Bits of a word of the engine."""


class StateFunctions:
    """The functions of a game over the planes of a state.

    * ``look`` tells the legal moves, in whole words, then whether the game is over, whether each
      role has won, whether the second role is to move, and whether the counters matter.
    * ``noisy`` tells the noisy moves, if the game has such.
    * ``leaf`` tells certain values, of which at most one holds, then the digits of the sum of the
      features' weights; a game without knowledge has none.
    * The functions of `TOLD` tell atoms, and ``states`` tells the statements.
    * ``step`` tells the next state; it also reads the columns of a move, which follow the state in
      whole words.

    Attributes:
        values: the certain values of ``leaf``.
        atoms: for each function of `TOLD`, the atoms with the number of the output that says
            whether each holds.

    Args:
        circuits: the game.
        statements: atoms of the rules without arguments, such as ``check``.
    """

    def __init__(self, circuits: Circuits, statements: Sequence[str] = ()) -> None:
        self._circuits, self._rules = circuits, circuits.rules
        self._said = any(self._rules.derived_atoms(name) for name in LEAF[2:])
        told = [name for names in TOLD.values() for name in names]
        names = dict.fromkeys([*LOOK, *LEAF, *NOISY, *told, *statements])
        self._net = Translation.load_or_make(self._rules, names, circuits.opposites)
        self.values: Sequence[int] = ()
        self.atoms: dict[str, list[tuple[Term, int]]] = {}
        self._literals = {"look": self._look()}
        self._weighed: list[tuple[int, int]] = []
        if self._said:
            self._add_leaf()
        if circuits.noisy_plies:
            self._literals["noisy"] = _pad_words(map(self._net.noisy, self._rules.moves))
        for function, predicates in TOLD.items():
            if any(self._rules.derived_atoms(name) for name in predicates):
                self._add_atoms(function, predicates)
        if statements:
            self._literals["states"] = [self._net.literal(each) for each in statements]

    def _look(self) -> list[int]:
        net, (first, second) = self._net, self._rules.roles
        status = [net.terminal, net.wins(first), net.wins(second), -net.turn(first)]
        return [*_pad_words(map(net.legal, self._rules.moves)), *status, net.literal("late")]

    def _add_leaf(self) -> None:
        certain, features, constant = worth(self._net, self._circuits.weights)
        alone, before, netlist = [], FALSE, self._net.netlist
        for literal in certain.values():  # only the first one that holds counts
            alone.append(netlist.all_of([literal, -before]))
            before = netlist.any_of([before, literal])
        features.sort(key=lambda pair: (abs(pair[1]), abs(pair[0])))
        self._weighed = [*features, *([(TRUE, constant)] if constant else [])]
        self._literals["leaf"], self.values = alone, [*certain]

    def _add_atoms(self, function: str, predicates: Sequence[str]) -> None:
        found = [pair for name in predicates for pair in self._net.of(name)]
        # Several atoms may be one literal; the engine reads it once.
        numbers = {x: number for number, x in enumerate(dict.fromkeys(x for _, x in found))}
        self._literals[function] = [*numbers]
        self.atoms[function] = [(atom, numbers[literal]) for atom, literal in found]

    def to_json(self) -> Json:
        """Return the functions as the engine reads them: ``state`` and ``step``."""
        net = self._net
        wanted = [x for literals in self._literals.values() for x in literals]
        wanted += [literal for literal, _ in self._weighed]
        mapper = Mapper(net.state, net.netlist.gates(wanted))
        outputs = {}
        for name, literals in self._literals.items():
            outputs[name] = [mapper.literal(literal) for literal in literals]
            if name == "leaf":
                terms = ((mapper.literal(x), weight) for x, weight in self._weighed)
                outputs[name] += mapper.sum(terms) if self._weighed else []
        step = self._circuits.tree.code.step
        made = output_tables(step.inputs, step.gates, step.outputs)
        return {
            "state": pack_tables(mapper.tables([]), outputs),
            "step": pack_tables(made, {"step": made.outputs}),
        }


def pack_tables(tables: Tables, functions: Mapping[str, Sequence[int]]) -> Json:
    """Return tables and the functions that they compute as plain data.

    Nodes are numbered from the inputs on. ``code`` has a byte for each table, its kind; then how
    far back its operands lie: the lowest byte of all first operands, the next and the third one,
    then likewise of the second and the third operands. ``kinds`` has an expression and the number
    of operands. An output is twice its node, plus 1 if inverted; a constant is -1, or -2 if false.
    The numbers of outputs are differences to the one before (`differences`).
    """
    outputs = [x for literals in functions.values() for x in literals]
    nodes = needed_tables(Tables(tables.inputs, tables.luts, outputs))
    number = {node: place for place, node in enumerate(tables.inputs)}
    count = Counter((table, len(operands)) for _, table, operands in nodes)
    kinds = {kind: place for place, (kind, _) in enumerate(count.most_common())}
    code = bytearray()
    back: list[list[int]] = [[], [], []]
    for node, table, operands in nodes:
        number[node] = len(number)
        code.append(kinds[table, len(operands)])
        for distances, operand in zip(back, operands, strict=False):
            distances.append(number[node] - number[operand])
    for distances in back:
        for shift in (0, 8, 16):
            code.extend(distance >> shift & 0xFF for distance in distances)

    def output(literal: int) -> int:
        if abs(literal) == TRUE:
            return -1 if literal > 0 else -2
        return 2 * number[abs(literal)] + (literal < 0)

    return {
        "inputs": len(tables.inputs),
        "tables": len(nodes),
        "kinds": [[expressions()[table], operands] for table, operands in kinds],
        "code": b64encode(bytes(code)).decode(),
        "functions": {
            name: differences(map(output, literals)) for name, literals in functions.items()
        },
    }


def _pad_words(literals: Iterable[int]) -> list[int]:
    """Return literals that fill whole words."""
    found = [*literals]
    return [*found, *[FALSE] * (-len(found) % _WORD)]


def differences(numbers: Iterable[int]) -> list[int]:
    """Return each number's difference to the one before, which is shorter where they ascend."""
    found = [*numbers]
    return [number - before for before, number in zip([0, *found], found, strict=False)]
