"""A game's rules as three circuits over rows of machine words: look, leaf and step.

All come from the one ground program of `Rules`. Bit i of a state's row is base atom i. A state's
status, its moves and the atoms of the next state are outputs that are turned back into rows, state
by state. What depends on the move alone is a table, looked up by the move's number (see
`aspcircuits.tables`), so that the circuit of a step has no move in it.
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
"""The strategies of so many states are clingo's own answer: compiling takes longer than a few."""

_AT_ONCE = 1 << 12
"""States of one call; more are worked off in parts."""

_OVER, _GOING = -6, -1
"""A look's planes of which the first tells where it is over, the last where that is or a move."""


class Circuits:
    """The three functions of `advisor.engine.rows.RowGame`.

    Attributes:
        weights, strategies: the weights of features and of strategies.
        search: how a look-ahead is wanted; see `advisor.settings.config.SEARCHES`.
        selective: it may leave out what seems hopeless.
        named: which game it is, with whatever weights and however it was loaded.
        words: uint64 words of a state.
        counters: shape (words,), the bits of a state that only count towards a draw.
        noisy_plies: how many plies of noisy moves are added at a leaf at most.
        exchanges: every state is seen by the side to move.
        opposites: two base atoms that say whose turn it is, of which every state has one; or None.
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
        """Compiles look and step; leaf when it is first needed.

        Raises:
            EncodingError: an atom depends on itself, or a state's moves or result on the move; or
                the search cannot be selective.
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
        self.noisy_plies = _NOISY_PLIES if rules.derived("noisy") else 0
        self.counters, self.start = self.row(rules.counters), self.row(rules.start)
        self._tellers: dict[tuple[str, ...], tuple[list[Term], Evaluation]] = {}
        self.opposites = None if rules.by_mover else rules.pair("turn")
        play = self._translated([*LOOK, "next"])
        if self.opposites and not play.are_opposite(*self.opposites):
            self.opposites = None
            play = self._translated([*LOOK, "next"])
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
        # Who has won is to move then.
        ends = (play.netlist.all_of([play.wins(role), play.turn(role)]) for role in rules.roles)
        self.backfires = any(end != FALSE for end in ends)
        if selective:
            self._check_selective()

    def __reduce__(self) -> tuple[Any, ...]:
        """Who gets a copy compiles it, since machine code cannot be handed over."""
        known = self.weights, dict(self.strategies), self.search, self.selective
        return Circuits, (self.rules, *known)

    def without_code(self) -> "Circuits":
        """The same, without machine code and what it remembers."""
        again = object.__new__(Circuits)
        again.__dict__.update({name: of for name, of in vars(self).items() if name != "tree"})
        return again

    @cached_property
    def squares(self) -> Squares:
        return Squares(self.rules)

    # The circuits

    def _look_outputs(self, net: Translation, moves: list[int]) -> list[int]:
        """An octet for each eight moves, and the state's status, the last of it still to be set."""
        first, second = self.rules.roles
        status = [net.terminal, net.wins(first), net.wins(second), -net.turn(first)]
        padding = [FALSE] * (-len(moves) % 8)
        return [*moves, *padding, *status, net.literal("late"), FALSE]

    @cached_property
    @at_once()
    def _noisy(self) -> Evaluation:
        net = self._translated([*LOOK, *NOISY])
        outputs = self._look_outputs(net, [net.noisy(move) for move in self.rules.moves])
        return net.evaluation(outputs)

    def _check_selective(self) -> None:
        name = self.rules.name
        if not self.alternates:
            raise EncodingError(f"{name}: selective: players have to take turns, move by move")
        if not self.rules.derived("may_pass"):
            return
        after = self.atoms(self.passed(self.start[None])[0])
        seen = {self.rules.seen(atom, self.exchanges) for atom in self.rules.start}
        if self.opposites and not seen.isdisjoint(self.opposites):
            seen ^= {*self.opposites}
        changed = sorted(map(render, seen.symmetric_difference(after) - self.rules.counters))
        if changed:
            raise EncodingError(
                f"{self.rules.place('may_pass')}may_pass: where nobody moves, "
                f"'{changed[0]}' changes at the start (next/1 should hold it)"
            )

    def passed(self, rows: Rows) -> Rows:
        """The states after no move at all, in games with ``may_pass``."""
        return self._by_circuit(self._step.beside(rows, np.full(len(rows), -1)))

    @cached_property
    @at_once()
    def _leaf(self) -> Callable[[Planes], Values]:
        """The circuit that scores states, for role 0: values and whether they are certain, int64 of
        shape (64 * words, 2)."""
        if not any(self.rules.derived(name) for name in LEAF[2:]):
            return self._result
        net = self._translated(LEAF)
        known, features, constant = worth(net, self.weights)
        forced = np.array([*known], np.int64)
        # Equal planes are not merged: planes of equal weights are what is cheap to add up.
        evaluation = net.evaluation([*known.values(), *(literal for literal, _ in features)])
        weighted = WeightedSum([weight for _, weight in features]) if features else None

        def scored(planes: Planes) -> Values:
            found = evaluation(planes)
            values: Values = np.full(64 * planes.shape[1], constant, np.int64)
            if weighted is not None:
                values += weighted(found[len(forced) :])
            held = bitplanes.unpack(found[: len(forced)], len(values))
            certain = held.any(axis=1)
            some = np.flatnonzero(certain)
            values[some] = forced.take(held[some].argmax(axis=1))
            return np.stack((values, certain), axis=1)

        return scored

    def _result(self, planes: Planes) -> Values:
        """As `_leaf`, where a state's end is all that is known of it: that is part of a look."""
        status = self._look(planes)[_OVER : _OVER + 3]
        over, first, second = bitplanes.unpack(status, 64 * planes.shape[1]).T.astype(np.int64)
        return np.stack(((first - second) * WIN, over), axis=1)

    def _translated(self, names: Iterable[str]) -> Translation:
        net = Translation.kept(self.rules, names, self.opposites)
        net.check_independent()
        return net

    # The functions

    def look(self, rows: Rows) -> Look:
        """See `RowGame`; an EncodingError where nobody has a move and the game is not over."""
        found, going = self.looked(rows)
        if going < len(rows):
            raise EncodingError(
                f"{self.rules.name}: in a state that comes up no player has a move, and terminal "
                "does not hold (advisor game check shows after which moves)"
            )
        return found

    def looked(self, rows: Rows) -> tuple[Look, int]:
        """The same, and in how many states there is a move or the game is over."""
        code = self.tree.by_code
        return code.look(rows) if code else self._seen(self._look, rows)

    def check_begins(self) -> None:
        """Refuses, by an EncodingError, a game that is over before a move: play tells nothing."""
        if self.look(self.start[None]).over[0]:
            raise EncodingError(
                f"{self.rules.place('terminal')}terminal holds at the start (it must not hold "
                "before a move)"
            )

    def check_start(self) -> None:
        """Refuses, by an EncodingError, a game in which both can move at the start; clingo says it
        once."""
        if not self._start_checked:
            check_turns(self.rules, self.atoms(self.start), ())
            self._start_checked = True

    def noisy(self, rows: Rows) -> Look:
        code = self.tree.by_code
        return code.noisy(rows) if code else self._seen(self._noisy, rows)[0]

    def _seen(self, evaluation: Evaluation, rows: Rows) -> tuple[Look, int]:
        """A look, and in how many states there is a move or the game is over."""
        legal, status = [], []
        for part in _parts(rows):
            planes = evaluation(self._planes(part))
            # A word of a plane is 64 states; as rows they would be gone through one by one.
            np.bitwise_or.reduce(planes[: _OVER + 1], out=planes[_GOING])
            legal.append(bitplanes.rows(planes[:_OVER])[: len(part)])
            status.append(bitplanes.unpack(planes[_OVER:], len(part)).T)
        over, first, second, turn, late, going = _joined(status, 1)
        look = Look(
            legal=_joined(legal),
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
        both = self._step.beside(rows, patterns)
        code = self.tree.by_code
        return code.step(both) if code else self._by_circuit(both)

    @cached_property
    def _effects(self) -> tuple[Rows, Rows] | None:
        """Which bits a joint move keeps, then turns over; None where bits depend on each other."""
        base, step = self.rules.base, self._step
        own, low = [*step.inputs[: 64 * self.words]], self.row(())
        if self.opposites:  # the second one is no input
            first, second = self.opposites
            own[base.index(second)], low = own[base.index(first)], self.row([second])
        if not each_alone(step.gates, step.outputs, own):
            return None
        every = np.arange(len(step.table))
        after_low, after_high = (
            self._by_circuit(step.beside(np.tile(row, (len(every), 1)), every))
            for row in (low, ~low)
        )
        kept = after_low ^ after_high
        return kept, after_low ^ (low & kept)

    def patterns(self, moves: Index, turn: npt.NDArray[np.uint8]) -> Index:
        """The numbers of joint moves; see `MoveCircuit`."""
        return moves if self.exchanges else moves + turn * np.intp(len(self.rules.moves))

    def _by_circuit(self, rows: Rows) -> Rows:
        """The states after these ones, which have their moves' columns beside them."""
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
        """What a function says of each state, many states at a time."""
        return _joined([function(part)[: len(part)] for part in _parts(rows)])

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
        """Which strategies speak for which moves of one state: ``fires/2`` and ``because/3``."""
        self._asked += 1
        if self._asked <= _BY_CLINGO:
            said = answer(self.rules, self.atoms(row)).said
            return [atom for atom in said if atom[0] in ("fires", "because")]
        return self._holding(row, "fires", "because")

    def prepare(self) -> None:
        """Many states will be asked about against the clock: what is made once is made now."""
        self._asked = max(self._asked, _BY_CLINGO)
        if self.strategies:
            self.says(self.start)

    def features(self, row: Rows) -> list[Term]:
        """The atoms ``feature/3`` of one state; none where its value is certain."""
        certain = self.leaf(row[None]).certain[0]
        return [] if certain else self._holding(row, "feature", beside=LEAF)

    def shown(self, row: Rows) -> list[Term]:
        """The atoms ``at/3`` of one state: a text board."""
        return self._holding(row, "at")

    def deeper(self, row: Rows) -> int:
        """How many plies more than were asked for a look-ahead from this state is to see."""
        return max((int(plies) for _, plies in self._holding(row, "deeper")), default=0)

    def counts(self, rows: Rows, names: Sequence[Term]) -> Values:
        """How often role 0 has each feature, minus how often the other has it: (n, names)."""
        atoms, evaluation = self._teller("feature", beside=LEAF)
        column = {name: i for i, name in enumerate(names)}
        signs = np.zeros((len(atoms), len(names)), np.float32)  # exact, and many times as fast
        for i, (_, name, role, _) in enumerate(atoms):
            signs[i, column[name]] = 1 if role == self.rules.roles[0] else -1

        def counted(part: Rows) -> Values:
            bits = bitplanes.unpack(evaluation(self._planes(part)), len(part))
            sums: Values = (bits.astype(np.float32) @ signs).astype(np.int64)
            return sums

        return self._in_parts(rows, counted)

    def without_moot(self, rows: Rows) -> Rows:
        """States without the atoms that change nothing in them (``moot/1``)."""
        if not self.rules.derived("moot"):
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
        return self.row(atom for (_, atom), _ in self.rules.derived("moot"))

    def holds(self, rows: Rows, statement: str) -> npt.NDArray[np.bool_]:
        """In which states a statement of the rules' own holds, as ``check`` does in chess."""
        atoms, evaluation = self._teller(statement, beside=LOOK)
        if not atoms:
            return np.zeros(len(rows), np.bool_)
        return self.hold(rows, evaluation)[:, 0]

    def hold(self, rows: Rows, evaluation: Evaluation) -> npt.NDArray[np.bool_]:
        """What an evaluation says of each state: (n, outputs)."""
        return self._in_parts(
            rows, lambda part: bitplanes.unpack(evaluation(self._planes(part)), len(part))
        )

    def candidates(self, rows: Rows) -> npt.NDArray[np.uint8]:
        if not self.rules.derived("candidate"):
            return np.zeros((len(rows), -(-len(self.rules.moves) // 8)), np.uint8)
        return self._in_parts(
            rows, lambda part: bitplanes.rows(self._candidates(self._planes(part)))
        )

    def _teller(self, *names: str, beside: Sequence[str] = ()) -> tuple[list[Term], Evaluation]:
        """The atoms of some predicates, and the circuit that says which of them hold; what is
        translated `beside` them is kept in any case."""
        if names not in self._tellers:
            with at_once():
                net = self._translated(dict.fromkeys((*beside, *names)))
                found = [pair for name in names for pair in net.of(name)]
                evaluation = net.evaluation([literal for _, literal in found])
                self._tellers[names] = [atom for atom, _ in found], evaluation
        return self._tellers[names]

    def _holding(self, row: Rows, *names: str, beside: Sequence[str] = ()) -> list[Term]:
        """The atoms of some predicates that hold in one state."""
        atoms, evaluation = self._teller(*names, beside=beside)
        held = evaluation(self._planes(row[None]))[:, 0] & np.uint64(1) if atoms else ()
        return [atoms[i] for i in np.flatnonzero(held)]

    @cached_property
    @at_once()
    def _candidates(self) -> Evaluation:
        net = self._translated([*LOOK, "candidate", "decided", "drawn"])
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
        """The state in which these base atoms hold, shape (words,)."""
        bits, holding = np.zeros(64 * self.words, np.bool_), {*atoms}
        bits[: len(self.rules.base)] = [atom in holding for atom in self.rules.base]
        return np.packbits(bits, bitorder="little").view(np.uint64)

    def atoms(self, row: Rows) -> list[Term]:
        """The base atoms that hold in a state."""
        base, bits = self.rules.base, np.unpackbits(row.view(np.uint8), bitorder="little")
        return [base[number] for number in np.flatnonzero(bits[: len(base)]).tolist()]


class MoveCircuit:
    """A circuit over states, in whole words, and moves: what it needs of a move is a row of its
    table. Joint move ``turn * moves + move``: the role whose turn it is makes the move, the other
    none; `with_none` no move at all is one more, the last."""

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

    def beside(self, rows: Rows, moves: Index) -> Rows:
        """States with what is needed of their joint moves."""
        return np.concatenate((rows, self.table.take(moves, 0)), axis=1)

    def __call__(self, both: Rows) -> Planes:
        return self._evaluation(bitplanes.transpose(both)[: len(self.inputs)])


def _parts(rows: Rows) -> Iterator[Rows]:
    for start in range(0, max(1, len(rows)), _AT_ONCE):
        yield rows[start : start + _AT_ONCE]


def _joined(parts: Sequence[npt.NDArray[Any]], axis: int = 0) -> npt.NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis)
