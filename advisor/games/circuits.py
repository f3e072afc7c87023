"""A game's rules as three circuits over rows of machine words: look, leaf and step.

All three come from the one ground program of `Rules`. Bit i of a state's row is base atom i. The
circuits output a state's status, its moves and the atoms of the next state, which are turned back
into rows, state by state. Inputs that depend on the move alone are a table, looked up by the move's
number (see `aspcircuits.tables`), so the circuit of a step does not contain the move.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import WIN, Rows, Values
from advisor.engine.rows import Index, Leaves, Look
from advisor.errors import EncodingError
from advisor.games.machine import GameCode, GameTree
from advisor.games.reference import answer, check_turns
from advisor.games.rules import Rules
from advisor.games.squares import Squares
from advisor.games.translation import LEAF, LOOK, NOISY, Translation, worth
from advisor.settings.config import SEARCHES, WeightTable
from aspcircuits import bitplanes
from aspcircuits.bitplanes import Planes, WeightedSum
from aspcircuits.clingo_api import Term, render
from aspcircuits.evaluation import Evaluation
from aspcircuits.gates import FALSE
from aspcircuits.native import Outputs
from aspcircuits.stopping import at_once
from aspcircuits.tables import each_alone, tabulate

_NOISY_PLIES = 4
"""An exchange that goes on for longer is rare, and each ply costs time."""

_BY_CLINGO = 16
"""For this many states clingo names the strategies: compiling a circuit would take longer."""

_AT_ONCE = 1 << 12
"""States of one call; more are processed in parts."""

_OVER, _GOING = -6, -1
"""Planes of a look: where the game is over, and where it is over or has a move."""


class Circuits:
    """The functions `look`, `leaf` and `step` of `advisor.engine.rows.RowGame`.

    Attributes:
        weights, strategies: the weights of features and of strategies.
        search: the kind of look-ahead; see `advisor.settings.config.SEARCHES`.
        selective: the look-ahead may leave out moves that seem hopeless.
        named: identifies the game, whatever its weights and however it was loaded.
        words: number of uint64 words of a state.
        counters: shape (words,), the bits of a state that only count towards a draw.
        noisy_plies: the most plies of noisy moves that are added at a leaf.
        exchanges: every state is seen from the side to move.
        opposites: two base atoms for the turn, of which every state has exactly one; or None.
        alternates: whether every move hands the turn over, as far as the rules show it at once.
        backfires: whether a move may lose the game at once, where every move hands the turn over.
        start: shape (words,), the state at the beginning.
    """

    def __init__(
        self,
        rules: Rules,
        weights: WeightTable = MappingProxyType({}),
        strategies: WeightTable = MappingProxyType({}),
        search: str | None = None,
        selective: bool = False,
    ) -> None:
        """Compile look and step; leaf is compiled when it is first needed.

        Raises:
            EncodingError: an atom depends on itself, or a state's moves or result depend on the
                move; or the search cannot be selective.
        """
        self.rules = rules
        self.weights = dict(weights)  # a copy can be handed to another process
        self.strategies = strategies
        self.search = search or SEARCHES[0 if weights else 1]
        self.selective = selective
        self.named = rules.source, *sorted(rules.numbers.items())
        self.words = -(-len(rules.base) // 64)
        self._asked, self._start_checked = 0, False
        self.exchanges = rules.by_mover
        self.noisy_plies = _NOISY_PLIES if rules.derived_atoms("noisy") else 0
        self.counters, self.start = self.row(rules.counters), self.row(rules.start)
        self._tellers: dict[tuple[str, ...], tuple[list[Term], Evaluation]] = {}
        self.opposites = None if rules.by_mover else rules.pair("turn")
        play = self._translate([*LOOK, "next"])
        if self.opposites and not play.are_opposite(*self.opposites):
            self.opposites = None
            play = self._translate([*LOOK, "next"])
        self.alternates = self.exchanges or (
            self.opposites is not None and play.hands_over(*self.opposites)
        )
        outputs = self._look_outputs(play, [play.legal(move) for move in rules.moves])
        self.look_gates = play.netlist.gates(outputs)
        self._look = Evaluation(play.state, self.look_gates, outputs)
        following = [play.literal(("next", atom)) for atom in rules.base]
        following += [FALSE] * (-len(following) % 64)
        self._step = MoveCircuit(play, following, with_none=selective)
        self.step_gates = self._step.gates
        # The winner is to move then.
        ends = (play.netlist.all_of([play.wins(role), play.turn(role)]) for role in rules.roles)
        self.backfires = any(end != FALSE for end in ends)
        if selective:
            self._check_selective()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without machine code, which cannot be handed over; the receiver compiles it."""
        known = self.weights, dict(self.strategies), self.search, self.selective
        return Circuits, (self.rules, *known)

    def without_code(self) -> "Circuits":
        """Return a copy without machine code and what that remembers."""
        again = object.__new__(Circuits)
        again.__dict__.update({name: of for name, of in vars(self).items() if name != "tree"})
        return again

    @cached_property
    def squares(self) -> Squares:
        return Squares(self.rules)

    # The circuits

    def _look_outputs(self, net: Translation, moves: list[int]) -> list[int]:
        """Return an octet for each eight moves, then the status; its last output is still to be
        set.
        """
        first, second = self.rules.roles
        status = [net.terminal, net.wins(first), net.wins(second), -net.turn(first)]
        padding = [FALSE] * (-len(moves) % 8)
        return [*moves, *padding, *status, net.literal("late"), FALSE]

    @cached_property
    @at_once()
    def _noisy(self) -> Evaluation:
        net = self._translate([*LOOK, *NOISY])
        outputs = self._look_outputs(net, [net.noisy(move) for move in self.rules.moves])
        return net.evaluation(outputs)

    def _check_selective(self) -> None:
        name = self.rules.name
        if not self.alternates:
            raise EncodingError(f"{name}: selective: players have to take turns, move by move")
        if not self.rules.derived_atoms("may_pass"):
            return
        after = self.atoms(self.after_pass(self.start[None])[0])
        seen = {self.rules.seen(atom, self.exchanges) for atom in self.rules.start}
        if self.opposites and not seen.isdisjoint(self.opposites):
            seen ^= {*self.opposites}
        changed = sorted(map(render, seen.symmetric_difference(after) - self.rules.counters))
        if changed:
            raise EncodingError(
                f"{self.rules.place('may_pass')}may_pass: where nobody moves, "
                f"'{changed[0]}' changes at the start (next/1 should hold it)"
            )

    def after_pass(self, rows: Rows) -> Rows:
        """Return the states after a pass, in games with ``may_pass``."""
        return self._by_circuit(self._step.join_moves(rows, np.full(len(rows), -1)))

    @cached_property
    @at_once()
    def _leaf(self) -> Callable[[Planes], Values]:
        """The circuit that scores states, for role 0: values and whether they are certain.

        It returns int64 of shape (64 * words, 2).
        """
        if not any(self.rules.derived_atoms(name) for name in LEAF[2:]):
            return self._result
        net = self._translate(LEAF)
        known, features, constant = worth(net, self.weights)
        forced = np.array([*known], np.int64)
        # Equal planes are not merged: planes of equal weights are the cheap ones to add up.
        evaluation = net.evaluation([*known.values(), *(literal for literal, _ in features)])
        weighted = WeightedSum([weight for _, weight in features]) if features else None

        def score_planes(planes: Planes) -> Values:
            found = evaluation(planes)
            values: Values = np.full(64 * planes.shape[1], constant, np.int64)
            if weighted is not None:
                values += weighted(found[len(forced) :])
            held = bitplanes.unpack(found[: len(forced)], len(values))
            certain = held.any(axis=1)
            some = np.flatnonzero(certain)
            values[some] = forced.take(held[some].argmax(axis=1))
            return np.stack((values, certain), axis=1)

        return score_planes

    def _result(self, planes: Planes) -> Values:
        """Score states like `_leaf` if only the end of a game is known; that is part of a look."""
        status = self._look(planes)[_OVER : _OVER + 3]
        over, first, second = bitplanes.unpack(status, 64 * planes.shape[1]).T.astype(np.int64)
        return np.stack(((first - second) * WIN, over), axis=1)

    def _translate(self, names: Iterable[str]) -> Translation:
        net = Translation.load_or_make(self.rules, names, self.opposites)
        net.check_independent()
        return net

    # The functions

    def look(self, rows: Rows) -> Look:
        """See `RowGame`.

        Raises:
            EncodingError: in one state neither player has a move and the game is not over.
        """
        found, going = self.look_and_count(rows)
        if going < len(rows):
            raise EncodingError(
                f"{self.rules.name}: in a state that comes up no player has a move, and terminal "
                "does not hold (advisor game check shows after which moves)"
            )
        return found

    def look_and_count(self, rows: Rows) -> tuple[Look, int]:
        """Return the look, and in how many states there is a move or the game is over."""
        code = self.tree.by_code
        return code.look(rows) if code else self._count_look(self._look, rows)

    def check_begins(self) -> None:
        """Raise an EncodingError if the game is over before a move: play would show nothing."""
        if self.look(self.start[None]).over[0]:
            raise EncodingError(
                f"{self.rules.place('terminal')}terminal holds at the start (it must not hold "
                "before a move)"
            )

    def check_start(self) -> None:
        """Raise an EncodingError if both players can move at the start; clingo checks it once."""
        if not self._start_checked:
            check_turns(self.rules, self.atoms(self.start), ())
            self._start_checked = True

    def noisy(self, rows: Rows) -> Look:
        code = self.tree.by_code
        return code.noisy(rows) if code else self._count_look(self._noisy, rows)[0]

    def _count_look(self, evaluation: Evaluation, rows: Rows) -> tuple[Look, int]:
        """Return a look, and the number of states in which there is a move or the game is over."""
        legal, status = [], []
        for part in _parts(rows):
            planes = evaluation(self._planes(part))
            # A word of a plane is 64 states; as rows, they would be visited one by one.
            np.bitwise_or.reduce(planes[: _OVER + 1], out=planes[_GOING])
            legal.append(bitplanes.rows(planes[:_OVER])[: len(part)])
            status.append(bitplanes.unpack(planes[_OVER:], len(part)).T)
        over, first, second, turn, late, going = _concatenate(status, 1)
        look = Look(
            legal=_concatenate(legal),
            over=over,
            result=first.view(np.int8) - second.view(np.int8),
            turn=turn.view(np.uint8),
            late=late,
        )
        return look, int(np.count_nonzero(going))

    def step(self, rows: Rows, moves: Index, turn: npt.NDArray[np.uint8]) -> Rows:
        patterns = self.patterns(moves, turn)
        if self._effects:
            kept, turned = self._effects
            return rows & kept.take(patterns, 0) ^ turned.take(patterns, 0)
        both = self._step.join_moves(rows, patterns)
        code = self.tree.by_code
        return code.step(both) if code else self._by_circuit(both)

    @cached_property
    def _effects(self) -> tuple[Rows, Rows] | None:
        """The bits that a joint move keeps, and those it then flips; None if bits affect each
        other.
        """
        base, step = self.rules.base, self._step
        own, low = [*step.inputs[: 64 * self.words]], self.row(())
        if self.opposites:  # the second one is no input
            first, second = self.opposites
            own[base.index(second)], low = own[base.index(first)], self.row([second])
        if not each_alone(step.gates, step.outputs, own):
            return None
        every = np.arange(len(step.table))
        after_low, after_high = (
            self._by_circuit(step.join_moves(np.tile(row, (len(every), 1)), every))
            for row in (low, ~low)
        )
        kept = after_low ^ after_high
        return kept, after_low ^ (low & kept)

    def patterns(self, moves: Index, turn: npt.NDArray[np.uint8]) -> Index:
        """Return the numbers of joint moves; see `MoveCircuit`."""
        return moves if self.exchanges else moves + turn * np.intp(len(self.rules.moves))

    def _by_circuit(self, rows: Rows) -> Rows:
        """Return the states after these, given rows that end with the columns of their moves."""
        return self._in_parts(rows, lambda part: bitplanes.rows(self._step(part))).view(np.uint64)

    def leaf(self, rows: Rows) -> Leaves:
        if code := self.tree.by_code:
            return code.leaf(rows)
        found = self._in_parts(rows, lambda part: self._leaf(self._planes(part)))
        return Leaves(found[:, 0].copy(), found[:, 1] != 0)

    def _planes(self, rows: Rows) -> Planes:
        return bitplanes.transpose(rows)[: len(self.rules.base)]

    @staticmethod
    def _in_parts(rows: Rows, function: Callable[[Rows], npt.NDArray[Any]]) -> npt.NDArray[Any]:
        """Apply a function to the states, many at a time, and join its results."""
        return _concatenate([function(part)[: len(part)] for part in _parts(rows)])

    @cached_property
    def tree(self) -> GameTree:
        inputs, table = self._step.inputs, self._step.table
        words = self.words + table.shape[1]
        step = Outputs(inputs, self.step_gates, self._step.outputs, range(len(inputs)), words)
        code = GameCode(
            self.rules, self.weights, self.opposites, self.words, step, table, self.selective
        )
        return GameTree(code, self, self.start)

    # Knowledge

    def says(self, row: Rows) -> list[Term]:
        """Return which strategies speak for which moves of one state: ``fires/2`` and
        ``because/3``.
        """
        self._asked += 1
        if self._asked <= _BY_CLINGO:
            said = answer(self.rules, self.atoms(row)).said
            return [atom for atom in said if atom[0] in ("fires", "because")]
        return self._holding(row, "fires", "because")

    def prepare(self) -> None:
        """Compile now what many questions against the clock will need."""
        self._asked = max(self._asked, _BY_CLINGO)
        if self.strategies:
            self.says(self.start)

    def features(self, row: Rows) -> list[Term]:
        """Return the atoms ``feature/3`` of one state; none if its value is certain."""
        certain = self.leaf(row[None]).certain[0]
        return [] if certain else self._holding(row, "feature", beside=LEAF)

    def board_atoms(self, row: Rows) -> list[Term]:
        """Return the atoms ``at/3`` of one state: a text board."""
        return self._holding(row, "at")

    def deeper(self, row: Rows) -> int:
        """Return the number of plies to add to a look-ahead from this state."""
        return max((int(plies) for _, plies in self._holding(row, "deeper")), default=0)

    def counts(self, rows: Rows, names: Sequence[Term]) -> Values:
        """Count each feature for role 0, minus the other role's count: shape (n, names)."""
        atoms, evaluation = self._teller("feature", beside=LEAF)
        column = {name: i for i, name in enumerate(names)}
        signs = np.zeros((len(atoms), len(names)), np.float32)  # exact, and many times as fast
        for i, (_, name, role, _) in enumerate(atoms):
            signs[i, column[name]] = 1 if role == self.rules.roles[0] else -1

        def count_rows(part: Rows) -> Values:
            bits = bitplanes.unpack(evaluation(self._planes(part)), len(part))
            sums: Values = (bits.astype(np.float32) @ signs).astype(np.int64)
            return sums

        return self._in_parts(rows, count_rows)

    def without_moot(self, rows: Rows) -> Rows:
        """Return states without the atoms that change nothing in them (``moot/1``)."""
        if not self.rules.derived_atoms("moot"):
            return rows
        some = np.flatnonzero((rows & self._maybe_moot).any(axis=1))
        if not len(some):
            return rows
        atoms, evaluation = self._teller("moot", beside=LOOK)
        bits = np.array([self.row([atom]) for _, atom in atoms])
        told = self.hold(rows[some], evaluation)
        moot = np.bitwise_or.reduce(np.where(told[:, :, None], bits, np.uint64(0)), axis=1)
        rows = rows.copy()
        rows[some] &= ~moot
        return rows

    @cached_property
    def _maybe_moot(self) -> Rows:
        return self.row(atom for (_, atom), _ in self.rules.derived_atoms("moot"))

    def holds(self, rows: Rows, statement: str) -> npt.NDArray[np.bool_]:
        """Return in which states an atom of the rules holds, such as ``check`` in chess."""
        atoms, evaluation = self._teller(statement, beside=LOOK)
        if not atoms:
            return np.zeros(len(rows), np.bool_)
        return self.hold(rows, evaluation)[:, 0]

    def hold(self, rows: Rows, evaluation: Evaluation) -> npt.NDArray[np.bool_]:
        """Return the outputs of an evaluation for each state: shape (n, outputs)."""
        return self._in_parts(
            rows, lambda part: bitplanes.unpack(evaluation(self._planes(part)), len(part))
        )

    def candidates(self, rows: Rows) -> npt.NDArray[np.uint8]:
        if not self.rules.derived_atoms("candidate"):
            return np.zeros((len(rows), -(-len(self.rules.moves) // 8)), np.uint8)
        return self._in_parts(
            rows, lambda part: bitplanes.rows(self._candidates(self._planes(part)))
        )

    def _teller(self, *names: str, beside: Sequence[str] = ()) -> tuple[list[Term], Evaluation]:
        """Return the atoms of some predicates, and the circuit that says which of them hold.

        The circuit also translates the predicates in `beside`.
        """
        if names not in self._tellers:
            with at_once():
                net = self._translate(dict.fromkeys((*beside, *names)))
                found = [pair for name in names for pair in net.of(name)]
                evaluation = net.evaluation([literal for _, literal in found])
                self._tellers[names] = [atom for atom, _ in found], evaluation
        return self._tellers[names]

    def _holding(self, row: Rows, *names: str, beside: Sequence[str] = ()) -> list[Term]:
        """Return the atoms of some predicates that hold in one state."""
        atoms, evaluation = self._teller(*names, beside=beside)
        held = evaluation(self._planes(row[None]))[:, 0] & np.uint64(1) if atoms else ()
        return [atoms[i] for i in np.flatnonzero(held)]

    @cached_property
    @at_once()
    def _candidates(self) -> Evaluation:
        net = self._translate([*LOOK, "candidate", "decided", "drawn"])
        known = [*net.of("decided"), *net.of("drawn")]
        settled = net.netlist.any_of(literal for _, literal in known)
        outputs = [
            net.netlist.all_of([net.literal(("candidate", move)), net.legal(move), -settled])
            for move in self.rules.moves
        ]
        outputs += [FALSE] * (-len(outputs) % 8)
        return net.evaluation(outputs)

    # States

    def row(self, atoms: Iterable[Term]) -> Rows:
        """Return the state in which these base atoms hold, shape (words,)."""
        bits, holding = np.zeros(64 * self.words, np.bool_), {*atoms}
        bits[: len(self.rules.base)] = [atom in holding for atom in self.rules.base]
        return np.packbits(bits, bitorder="little").view(np.uint64)

    def atoms(self, row: Rows) -> list[Term]:
        """Return the base atoms that hold in a state."""
        base, bits = self.rules.base, np.unpackbits(row.view(np.uint8), bitorder="little")
        return [base[number] for number in np.flatnonzero(bits[: len(base)]).tolist()]


class MoveCircuit:
    """A circuit over states, in whole words, and moves; a move enters it as a row of its table.

    In joint move ``turn * moves + move`` the role whose turn it is makes the move, the other none.
    `with_none` adds one more, the last: no move at all.
    """

    def __init__(self, net: Translation, outputs: Sequence[int], with_none: bool = False) -> None:
        rules, width = net.rules, len(net.rules.moves)
        movers = rules.roles[:1] if rules.by_mover else rules.roles
        choices: dict[int, set[int]] = {node: set() for node in net.does.values()}
        for turn, role in enumerate(movers):
            for number, move in enumerate(rules.moves):
                for does in rules.joint(role, move):
                    if does in net.does:
                        choices[net.does[does]].add(turn * width + number)
        patterns = len(movers) * width + with_none
        size = len(net.state)
        made = tabulate(net.netlist, outputs, size, size + -size % 64, choices, patterns)
        self.inputs, self.outputs, self.table = made.netlist.inputs, made.outputs, made.table
        self.gates = made.netlist.gates(made.outputs)
        self._evaluation = Evaluation(self.inputs, self.gates, self.outputs)

    def join_moves(self, rows: Rows, moves: Index) -> Rows:
        """Return states joined with the table's rows of their joint moves."""
        return np.concatenate((rows, self.table.take(moves, 0)), axis=1)

    def __call__(self, both: Rows) -> Planes:
        return self._evaluation(bitplanes.transpose(both)[: len(self.inputs)])


def _parts(rows: Rows) -> Iterator[Rows]:
    for start in range(0, max(1, len(rows)), _AT_ONCE):
        yield rows[start : start + _AT_ONCE]


def _concatenate(parts: Sequence[npt.NDArray[Any]], axis: int = 0) -> npt.NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis)
