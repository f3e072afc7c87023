"""A game's circuits as machine code, for the compiled search."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from advisor.engine.compiled import KERNEL, CompiledTree
from advisor.engine.compiled_playouts import PLAYOUTS, UCT, CompiledPlayouts, CompiledUct
from advisor.engine.compiled_selective import SELECTIVE, SelectiveTree
from advisor.engine.control import DRAWN, LATE, PASS_BIT, SECOND_MOVES, USE_CANDIDATES
from advisor.engine.machine import CompiledCircuit, Machine
from advisor.engine.nodes import WIN, Rows
from advisor.engine.recurrences import Recurrences
from advisor.engine.row_search import RowEvaluator, RowPosition
from advisor.engine.rows import Leaves, Look, RowGame, expand, for_movers
from advisor.engine.uct import Grower
from advisor.games.rules import Rules
from advisor.games.translation import LEAF, LOOK, NOISY, Translation, decided_value, worth
from aspcircuits import code_cache, llvm, native
from aspcircuits.clingo_api import Term
from aspcircuits.gates import FALSE, TRUE
from aspcircuits.native import Function, Outputs, Value
from aspcircuits.tiers import Tiers

T = TypeVar("T")

_LARGEST = 1 << 9
"""The most words that look may output for a state; a game with more has too many moves."""

_LONG = 3600.0
"""Seconds of work for which any machine code is worth making."""

_SAMPLED = 32
"""States of a random game by which the number of moves is estimated."""


@dataclass(frozen=True)
class GameCode:
    """The machine code of a game's three functions, see `aspcircuits.tiers.Recipe`.

    Attributes:
        opposites: see `Translation`.
        table: the rows by which `step` knows a move; see `advisor.engine.machine.Machine`.
        selective: whether a look-ahead may leave moves out.
    """

    rules: Rules
    weights: Mapping[Term, int]
    opposites: tuple[Term, Term] | None
    words: int
    step: Outputs
    table: npt.NDArray[np.uint64] = field(compare=False)
    selective: bool = False

    @property
    def what(self) -> str:
        return f"the game {self.rules.name}"

    @property
    def seconds(self) -> float:
        return 3 * native.SECONDS * len(self.step.gates)

    def key(self) -> str:
        # Equal rules may order the table's columns differently, and the step depends on the order.
        columns = sha256(self.table.tobytes()).hexdigest()
        weights = sorted(self.weights.items(), key=repr)
        told = self.rules.key, weights, columns, self.selective, llvm.host()
        return code_cache.key(__name__, told)

    def build(self) -> bytes:
        noisy = [self._noisy] if self.rules.derived_atoms("noisy") else []
        return native.build(self._look, self.step, self._leaf, *noisy)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the ground program; another process makes it again if needed."""
        return {**self.__dict__, "rules": self.rules.without_program}

    def load(self, made: bytes) -> list[Function]:
        """Return look, step and leaf, and noisy if there is one."""
        return native.load(made)

    @cached_property
    def fits(self) -> bool:
        """Whether the compiled search can play the game."""
        return self.playable and len(self.results) < PASS_BIT

    @property
    def playable(self) -> bool:
        """Whether the compiled random games can play it."""
        looks = -(-len(self.rules.moves) // 64) * (1 + self.candidates) + 1
        return looks <= _LARGEST

    @property
    def candidates(self) -> bool:
        return bool(self.rules.derived_atoms("candidate"))

    @property
    def passes(self) -> bool:
        """Whether a look-ahead may suppose that the side to move passes."""
        return self.selective and bool(self.rules.derived_atoms("may_pass"))

    @cached_property
    def results(self) -> list[tuple[int, int]]:
        """The certain results in a state's status: values, and the plies until then."""
        return [
            (WIN, 0),
            (-WIN, 0),
            (0, 0),
            *((value, plies) for _, value, plies in self._decided_atoms),
        ]

    @cached_property
    def _decided_atoms(self) -> list[tuple[Term, int, int]]:
        found = [atom for atom, _ in self.rules.derived_atoms("decided") if atom[2] > 0]
        sooner_first = sorted(found, key=lambda atom: atom[2])
        return [(atom, decided_value(self.rules, atom), atom[2]) for atom in sooner_first]

    @property
    def _look(self) -> Outputs:
        names = ("candidate", "decided", "drawn", *(["may_pass"] if self.passes else []))
        said = [name for name in names if self.rules.derived_atoms(name)]
        # With the next state, unused here, it is the translation that the game already has.
        net = Translation.load_or_make(self.rules, [*LOOK, "next", *said], self.opposites)
        netlist = net.netlist
        legal = [net.legal(move) for move in self.rules.moves]
        outputs, named = _whole_words(legal), FALSE
        if self.candidates:
            named_moves = [
                netlist.all_of([net.literal(("candidate", move)), able])
                for move, able in zip(self.rules.moves, legal, strict=True)
            ]
            outputs += _whole_words(named_moves)
            settled = [literal for name in ("decided", "drawn") for _, literal in net.of(name)]
            some, none = netlist.any_of(named_moves), netlist.any_of(settled)
            named = netlist.all_of([some, -none])
        return self._outputs(net, [*outputs, *self._status(net, named)])

    @property
    def _noisy(self) -> Outputs:
        said = ["may_pass"] if self.passes else []
        said += ["decided"] if self._decided_atoms else []
        net = Translation.load_or_make(self.rules, [*LOOK, *NOISY, *said], self.opposites)
        outputs = _whole_words([net.noisy(move) for move in self.rules.moves])
        outputs += self._status(net, FALSE)
        if self.selective:  # it needs all moves of the same states
            outputs += _whole_words([net.legal(move) for move in self.rules.moves])
        return self._outputs(net, outputs)

    def _status(self, net: Translation, named: int) -> list[int]:
        """Return the bits of a status; `named` says whether candidates are enough."""
        certain = [net.wins(role) for role in self.rules.roles]
        certain += [net.terminal, *(net.literal(atom) for atom, _, _ in self._decided_atoms)]
        status = _whole_words(certain)
        status[LATE], status[USE_CANDIDATES] = net.literal("late"), named
        if self.passes:
            status[PASS_BIT] = net.literal("may_pass")
        if not self.rules.by_mover:
            status[SECOND_MOVES] = -net.turn(self.rules.roles[0])
        return status

    def _outputs(self, net: Translation, outputs: list[int]) -> Outputs:
        """Return the outputs for states, in words."""
        gates, bits = net.netlist.gates(outputs), range(len(net.state))
        return Outputs(net.state, gates, outputs, bits, self.words)

    @property
    def _leaf(self) -> Value:
        net = Translation.load_or_make(self.rules, LEAF, self.opposites)
        certain, features, constant = worth(net, self.weights)
        # Only the first one that holds counts, so it excludes the others.
        alone, before = [], FALSE
        for value, literal in certain.items():
            alone.append((net.netlist.all_of([literal, -before]), value))
            before = net.netlist.any_of([before, literal])
        features.sort(key=lambda pair: (abs(pair[1]), abs(pair[0])))
        if constant:
            features.append((TRUE, constant))
        outputs = [literal for literal, _ in (*alone, *features)]
        gates, bits = net.netlist.gates(outputs), range(len(net.state))
        return Value(net.state, gates, features, alone, bits, self.words)


def _whole_words(literals: Sequence[int]) -> list[int]:
    return [*literals, *[FALSE] * (-len(literals) % 64)]


class MachineStates:
    """States as the machine takes them; see `advisor.engine.machine.Reader`."""

    def state(self, position: RowPosition) -> npt.NDArray[np.int64]:
        return position.row.view(np.int64)

    def second(self, position: RowPosition) -> bool:
        """Return False: the states themselves contain the turn."""
        return False

    def recurrences(self, position: RowPosition) -> Recurrences | None:
        return position.recurrences


class ByCode:
    """The functions of `advisor.engine.rows.RowGame` by machine code.

    Args:
        functions: see `GameCode`.
        moves: number of moves of the game.
    """

    def __init__(self, functions: list[Function], moves: int) -> None:
        self._look, self._step, self._leaf, *self._noisy = functions
        self._octets = -(-moves // 8)

    def look(self, rows: Rows) -> tuple[Look, int]:
        """Return the look, and in how many states there is a move or the game is over."""
        words = self._look(rows, 0)
        found = self._split_look(words)
        moving = np.bitwise_or.reduce(words[:-1])  # there is no move where the game is over
        return found, int(np.count_nonzero(moving) + np.count_nonzero(found.over))

    def noisy(self, rows: Rows) -> Look:
        """Return a look at the noisy moves; apart from these, only the turn means anything."""
        return self._split_look(self._noisy[0](rows, 0)[: -(-self._octets // 8) + 1])

    def step(self, rows: Rows) -> Rows:
        """Return the states after moves; the moves' rows of the table follow each state's words."""
        return np.ascontiguousarray(self._step(rows, 0).T)

    def leaf(self, rows: Rows) -> Leaves:
        (found,) = self._leaf(rows, 0).view(np.int64)
        return Leaves(found >> 1, found & 1 != 0)

    def _split_look(self, words: Rows) -> Look:
        octets = np.ascontiguousarray(words.T).view(np.uint8)
        status = words[-1].view(np.uint8)
        first, last = status[::8].copy(), status[7::8].copy()
        return Look(
            legal=np.ascontiguousarray(octets[:, : self._octets]),
            over=(first >> DRAWN & 1).view(np.bool_),
            result=(first & 1).view(np.int8) - (first >> 1 & 1).view(np.int8),
            turn=last >> SECOND_MOVES - 56,
            late=(last >> LATE - 56 & 1).view(np.bool_),
        )


class _OfThread(threading.local):
    """Objects made of a game and each kernel; one set per thread, since each has its own memory."""

    def __init__(self) -> None:
        self.made: dict[Tiers[Any], Any] = {}


class GameTree:
    """The compiled search of a game, once there is machine code for it.

    It implements `advisor.engine.rows.Code`, and parts of `advisor.engine.nodes.LeafEvaluator`.
    """

    def __init__(self, code: GameCode, game: RowGame, start: Rows) -> None:
        self.code, self._game, self._start = code, game, start
        self._tiers = Tiers(code)
        self._mine = _OfThread()
        self._by_code: ByCode | None = None

    @property
    def _searching(self) -> list[Tiers[Any]]:
        kernels = [KERNEL, SELECTIVE] if self.code.selective else [KERNEL]
        return [self._tiers, *kernels] if self.code.fits else []

    @property
    def by_code(self) -> ByCode | None:
        """The game's functions as machine code, once they exist."""
        if self._by_code is None and self._tiers.function is not None:
            self._by_code = ByCode(self._tiers.function, len(self.code.rules.moves))
        return self._by_code

    def count_search_seconds(self, seconds: float) -> None:
        for tiers in self._searching:
            tiers.count_seconds(seconds)

    def compile_now(self) -> None:
        """Compile at once whatever is missing."""
        for tiers in self._searching:
            tiers.get_now()

    def load_cached(self, meanwhile: bool = False) -> None:
        """Load the code that an earlier run has cached; `meanwhile` starts to compile what is
        missing.
        """
        if self.code.fits:
            for tiers in (self._tiers, self._searching[-1]):
                if tiers.get_cached() is None and meanwhile:
                    tiers.count_seconds(_LONG)

    def count_look_seconds(self, seconds: float) -> None:
        """Count seconds that NumPy spent on looks and moves outside of any search."""
        if self.code.playable and self._by_code is None:
            self._tiers.count_seconds(seconds)

    def count_game_seconds(self, seconds: float) -> None:
        self._by_chance(PLAYOUTS, seconds)

    def count_tree_seconds(self, seconds: float) -> None:
        self._by_chance(UCT, seconds)

    def _by_chance(self, kernel: Tiers[Any], seconds: float) -> None:
        if self.code.playable:
            for tiers in (self._tiers, kernel):
                tiers.count_seconds(seconds)

    def player(self, now: bool = False) -> CompiledPlayouts | None:
        """Return the compiled player of random games, if it exists or is to be made `now`."""
        return self._with(PLAYOUTS, CompiledPlayouts, now)

    def grower(self, seconds: float = 0.0, now: bool = False) -> Grower | None:
        """Return the compiled grower of trees of random games, likewise; see `Tiers.lasting`."""
        return self._with(UCT, CompiledUct, now, seconds)

    def machine_search(
        self, evaluator: RowEvaluator, position: RowPosition
    ) -> CompiledTree[RowPosition] | None:
        kernel, kind = (SELECTIVE, SelectiveTree) if evaluator.selective else (KERNEL, CompiledTree)
        tree = self._with(
            kernel, lambda machine, code: kind(machine, MachineStates(), evaluator, code)
        )
        if tree is not None:
            tree.evaluator = evaluator
        return tree

    def _with(
        self,
        kernel: Tiers[Any],
        make: Callable[[Machine, Any], T],
        now: bool = False,
        seconds: float = 0.0,
    ) -> T | None:
        """Make an object of the game and a kernel, once there is machine code of both."""
        if not self.code.playable:
            return None
        made = self._mine.made
        if kernel not in made:
            functions, library = (
                tiers.get_now() if now else tiers.lasting(seconds)
                for tiers in (self._tiers, kernel)
            )
            if functions is None or library is None:
                return None
            made[kernel] = make(self.machine(functions), library)
        found: T = made[kernel]
        return found

    def machine(self, functions: list[Function]) -> Machine:
        """Return the game as compiled code plays it, with these functions as its code."""
        code, game = self.code, self._game
        return Machine(
            words=code.words,
            circuits=[CompiledCircuit(f.address, f.scratch, f.block, f) for f in functions],
            noisy_plies=game.noisy_plies,
            counters=game.counters.view(np.int64),
            candidates=2 if code.candidates else 0,
            moves=len(code.rules.moves),
            table=code.table.view(np.int64),
            results=code.results,
            exchanges=code.rules.by_mover,
            shared=(0, 0),
            branching=branching(game, self._start),
            selective=code.selective,
            pass_row=len(code.table) - 1 if code.passes else -1,
            margin=_margin(game, self._start) if code.selective else 0,
        )


def _margin(game: RowGame, start: Rows) -> int:
    """Return how much a move changes a state's value: the root mean square in a random game."""
    rng, row = np.random.default_rng(0), start[None]
    found = [np.ones(1, np.int64)]
    for _ in range(_SAMPLED):
        children = expand(game, row)
        if not len(children.rows):
            break
        below = game.leaf(children.rows)
        own = game.leaf(row).values[0] * (1 - 2 * int(children.look.turn[0]))
        found.append((for_movers(game, children, below.values) - own)[~below.certain])
        row = children.rows[rng.integers(len(children.rows))][None]
    changes = np.concatenate(found).astype(np.float64)
    return max(1, round(float(np.sqrt((changes**2).mean()))))


def branching(game: RowGame, start: Rows) -> int:
    """Return the mean number of moves of a state in a random game."""
    rng, row, counts = np.random.default_rng(0), start[None], []
    for _ in range(_SAMPLED):
        look = game.look(row)
        _, moves = look.moves()
        if not len(moves):
            break
        counts.append(len(moves))
        row = game.step(row, rng.choice(moves, 1), look.turn)
    return round(sum(counts) / len(counts)) if counts else 2
