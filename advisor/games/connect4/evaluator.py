"""Scores positions in batches, by the circuit that their encoding was compiled into.

The circuit says which features hold; the weights are a vector beside it, so that other weights
need no other circuit. The values are those of ``evaluate.lp`` on each position; a test holds them
equal.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt

from advisor.asp import apart
from advisor.asp.clingo_api import Model, Term, render
from advisor.circuits import bitplanes, circuit
from advisor.circuits.bitplanes import Planes, RowIndices
from advisor.circuits.circuit import Circuit
from advisor.circuits.loops import LoopError
from advisor.circuits.native import Function, Value
from advisor.circuits.tiers import Tiers
from advisor.engine.below import Values, Wanted
from advisor.engine.compiled import KERNEL, CompiledTree
from advisor.engine.rows import firsts, seen_from_above
from advisor.engine.search import FORCED, WIN
from advisor.errors import EncodingError
from advisor.files.resources import not_ours
from advisor.games.connect4 import machine
from advisor.games.connect4.board import Board, Geometry
from advisor.games.connect4.frontier import Frontier, bit_of_square, words_each
from advisor.games.connect4.machine import RULES
from advisor.games.players import PLAYERS
from advisor.limits import Stop
from advisor.settings.config import Config

Counts = npt.NDArray[np.int64]

_LEAVES_OF_ONE = 512
"""The look-ahead's last plies below one position are a batch of at most this many leaves."""

_LEAVES_IN_MEMORY = 1 << 16
"""More leaves than this are worked off in parts."""

_QUICK_SQUARES = 64
"""Our own encodings compile within a quarter of a second on boards up to this."""

_WORK_AT_ONCE = 1 << 23
"""Gates times leaves of one call, a few hundredths of a second: it cannot be interrupted."""


class CircuitEvaluator:
    """Values of positions of one geometry; see `advisor.engine.below.LeafEvaluator`.

    Attributes:
        features: the names that have a weight, in the order of the configuration.
        circuit: what says which of them hold.
        tiers: its machine code, if there is any.
    """

    def __init__(
        self,
        config: Config,
        g: Geometry,
        stop: Stop | None = None,
        machine_code: bool | None = None,
    ) -> None:
        """Compiles the encoding unless that has been done before in this process.

        Args:
            config, g: the features, and the board.
            stop: may end the compilation of what is large, not that of the usual.
            machine_code: with the extra ``fast``: from the beginning, never, or once it pays.

        Raises:
            EncodingError: the encoding is no circuit, or too large.
            ConfigError: it derives a feature that has no weight.
            KeyboardInterrupt: it was to stop.
        """
        self.leaves = self.guesses = self.added = 0
        self.features = tuple(config.weights["features"])
        self.circuit = compiled(config, g, stop)
        self._moves = max(2, g.width)
        self._leaves_at_once = max(1, _WORK_AT_ONCE // max(1, len(self.circuit.gates)))
        self._plies = 1
        while self._moves ** (self._plies + 1) <= min(_LEAVES_OF_ONE, self._leaves_at_once):
            self._plies += 1
        outputs = self.circuit.outputs
        weights = np.array([_weight(config, atom) for atom in outputs], np.int64).tobytes()
        certain = [i for i, atom in enumerate(outputs) if atom[0] != "feature"]
        self._certain = np.array(certain)
        # decided(P, N) and drawn exclude each other, so their sum is the result.
        self._result_of_player_1 = np.array([_result(outputs[i]) for i in certain], np.int64)
        self._weighted_sum, self.tiers = _scoring(self.circuit, g, weights)
        self._geometry = g
        self._compiled: CompiledTree[Board] | None = None
        self._machine_code = machine_code
        if machine_code:
            self.tiers.now()

    @property
    def is_machine_code(self) -> bool:
        """Whether positions are scored by machine code by now."""
        return self._machine_code is not False and self.tiers.function is not None

    def plies_at_once(self, position: Board) -> int:
        """Three plies on the standard board, more on narrow ones, fewer on large ones."""
        return self._plies

    def positions_at_once(self, plies: int) -> int:
        leaves: int = self._moves**plies
        return max(1, self._leaves_at_once // leaves)

    def eldest(self, children: int, plies: int) -> int:
        """One: what a batch takes is mostly that of its leaves."""
        return 1

    def values(
        self, positions: Sequence[Board] | Frontier, plies: int, wanted: Wanted | None = None
    ) -> Values:
        """Full-width negamax values; the way in for the search and for batches.

        Args:
            positions: of this geometry, the game going on in each. As a `Frontier`, that is as
                arrays of bitboards, they cost no Python object each.
            plies: of look-ahead; 0 scores the positions themselves.
            wanted: nothing is left out, whatever is wanted.
        """
        started = perf_counter()
        values = np.empty(len(positions), np.int64)
        step = max(1, _LEAVES_IN_MEMORY // self._moves**plies)
        for chosen, frontier in frontiers(positions, step):
            values[chosen] = self._look_ahead(frontier, plies)
        self._spent(perf_counter() - started)
        return values

    def compiled(self, position: Board) -> CompiledTree[Board] | None:
        usable = self._machine_code is not False and machine.fits(self._geometry)
        if self._compiled is None and usable:
            if self._machine_code:
                KERNEL.now()
                RULES.now()
            leaf, kernel, rules = self.tiers.function, KERNEL.function, RULES.function
            if leaf and kernel and rules:
                foresight = int(("decided", 1, 1) in self.circuit.outputs)
                game = machine.machine(self._geometry, rules, leaf, foresight)
                self._compiled = CompiledTree(game, machine.Bitboards(), self, kernel)
        return self._compiled

    def principal_leaves(
        self, positions: Sequence[Board], plies: int
    ) -> tuple[Values, list[Board]]:
        """Where full-width negamax takes its values from.

        Returns:
            what `values` gives, and for each position the one at the end of its principal
            variation: where the plies are used up or the game is over.
        """
        values = self.values(positions, plies)
        leaves = list(positions)
        going = list(range(len(leaves)))
        for left in reversed(range(plies)):
            going = [i for i in going if abs(values[i]) < FORCED and leaves[i].plies_left]
            step = max(1, _LEAVES_IN_MEMORY // self._moves ** (left + 1))
            for chosen, frontier in frontiers([leaves[i] for i in going], step):
                children, parent, ahead = self._ahead(frontier, left)
                best = np.maximum.reduceat(ahead, firsts(parent))
                at_best = np.flatnonzero(ahead == best[parent])
                first = at_best[firsts(parent[at_best])]
                for number, leaf in zip(chosen, children.take(first).positions(), strict=True):
                    leaves[going[number]] = leaf
        return values, leaves

    def _look_ahead(self, frontier: Frontier, plies: int) -> Values:
        """Full-width negamax; the game goes on in every position of the frontier."""
        if plies == 0:
            return self.static_values(frontier)
        _, parent, values = self._ahead(frontier, plies - 1)
        return np.maximum.reduceat(values, firsts(parent))

    def _ahead(
        self, frontier: Frontier, plies: int
    ) -> tuple[Frontier, npt.NDArray[np.intp], Values]:
        """The children, their parents, and their values for these, so many plies further on."""
        children, parent = frontier.children()
        if plies == 0:
            values = self.static_values(children)
        else:
            lost = children.lost()
            open_ = ~(lost | children.full())
            values = np.where(lost, -WIN, 0)
            if open_.any():
                distinct, copy = children.take(open_).distinct()
                values[open_] = self._look_ahead(distinct, plies)[copy]
        return children, parent, -seen_from_above(values)

    def static_values(self, frontier: Frontier) -> Values:
        """What the encoding says of each position by itself, from the view of its side to move."""
        count = len(frontier.mask)
        self.leaves += count
        function = self.tiers.function
        if function and self._machine_code is not False:
            found: Values
            (found,) = function(frontier.words(), 1 << (frontier.turn - 1)).view(np.int64)
            values, known = found >> 1, (found & 1).astype(np.bool_)
        else:
            values, known = self._by_numpy(frontier)
        self.guesses += count - int(known.sum())
        return values if frontier.turn == 1 else -values

    def _spent(self, seconds: float) -> None:
        """NumPy has done work for so long, of which code that is missing would do a part."""
        if self._machine_code is None:
            self.tiers.spent(seconds)
            if machine.fits(self._geometry):
                KERNEL.spent(seconds)
                RULES.spent(seconds)

    def _by_numpy(self, frontier: Frontier) -> tuple[Values, npt.NDArray[np.bool_]]:
        """The values for player 1, and which of them are certain."""
        count = len(frontier.mask)
        outputs = outputs_of(self.circuit, frontier)
        values = self._weighted_sum(outputs)[:count]
        certain = bitplanes.unpack(outputs[self._certain], count)
        results = certain.astype(np.int64) @ self._result_of_player_1
        known = np.logical_or.reduce(certain, axis=1)
        return np.where(known, results, values), known

    def holding(self, positions: Sequence[Board]) -> list[tuple[Term, ...]]:
        """What the encoding derives of each position: ``feature/3``, ``decided/2``, ``drawn/0``."""
        found: list[tuple[Term, ...]] = [()] * len(positions)
        for chosen, outputs in held(self.circuit, positions, self._leaves_at_once):
            for number, row in zip(chosen, outputs, strict=True):
                found[number] = tuple(self.circuit.outputs[i] for i in np.flatnonzero(row))
        return found

    def counts(self, positions: Sequence[Board] | Frontier) -> tuple[Counts, npt.NDArray[np.bool_]]:
        """What the values of positions are made of.

        Args:
            positions: as for `values`.

        Returns:
            int64 of shape (n, features): how many times player 1 has each feature, minus how
            many times player 2 has it; and of shape (n,) whether the encoding knows the result for
            certain, so that the features do not matter.
        """
        column = {feature: i for i, feature in enumerate(self.features)}
        sides = np.zeros((len(self.circuit.outputs), len(column)), np.float32)
        for i, atom in enumerate(self.circuit.outputs):
            if atom[0] == "feature":
                sides[i, column[atom[1]]] = 1 if atom[2] == 1 else -1
        counts = np.empty((len(positions), len(column)), np.int64)
        certain = np.empty(len(positions), np.bool_)
        for chosen, outputs in held(self.circuit, positions, self._leaves_at_once):
            counts[chosen] = outputs.astype(np.float32) @ sides
            certain[chosen] = outputs[:, self._certain].any(axis=1)
        return counts, certain


def frontiers(
    positions: Sequence[Board] | Frontier, at_once: int
) -> Iterator[tuple[RowIndices, Frontier]]:
    """The positions with their numbers, in parts of one player to move each.

    Only here do positions become arrays.
    """
    if isinstance(positions, Frontier):
        for part in _parts(np.arange(len(positions)), at_once):
            yield part, positions.take(part)
        return
    turns = np.array([position.turn for position in positions])
    for turn in PLAYERS:
        for part in _parts(np.flatnonzero(turns == turn), at_once):
            yield part, Frontier.of([positions[i] for i in part])


def _parts(numbers: RowIndices, at_once: int) -> Iterator[RowIndices]:
    for start in range(0, len(numbers), at_once):
        yield numbers[start : start + at_once]


def _weight(config: Config, atom: Term) -> int:
    """What an atom adds to the value for player 1."""
    if atom[0] != "feature":
        return 0
    _, feature, player, _ = atom
    if player not in PLAYERS:
        raise EncodingError(f"{render(atom)}: '{render(player)}' is not a player (1 or 2)")
    weight = config.require_weight("features", feature)
    return weight if player == 1 else -weight


@lru_cache(maxsize=8)
def _scoring(
    circuit: Circuit, g: Geometry, weights: bytes
) -> tuple[bitplanes.WeightedSum, Tiers[Function]]:
    """What adds up int64 weights, and machine code for it: shared, since both take long to make."""
    summed, certain = [], []
    signed = np.frombuffer(weights, np.int64)
    for atom, literal, weight in zip(
        circuit.outputs, circuit.results, signed.tolist(), strict=True
    ):
        if atom[0] != "feature":
            certain.append((literal, _result(atom)))
        elif weight:
            # Equal weights together, for they are added first; then what is on the same squares.
            summed.append(((abs(weight), repr(atom[3]), repr(atom)), literal, weight))
    squares = bit_of_square(g).tolist()
    words = 2 * words_each(g)
    code = Value(
        circuit.nodes,
        circuit.gates,
        [(literal, weight) for _, literal, weight in sorted(summed)],
        certain,
        [*squares, *(64 * words + turn - 1 for turn in PLAYERS)],
        words,
    )
    return bitplanes.WeightedSum(signed), Tiers(code)


def _result(atom: Term) -> int:
    """The value for player 1 of ``decided(P, N)`` or ``drawn``."""
    if atom == "drawn":
        return 0
    player: int
    plies: int
    _, player, plies = atom
    return WIN - plies if player == 1 else plies - WIN


def value_of(model: Model, turn: int, heuristic: int) -> int:
    """What an evaluator is held to: the value of a position's model, for the side to move.

    Args:
        heuristic: the sum of the features for player 1, which counts where nothing is certain.
    """
    certain = (_result(a) for a in model.atoms if a == "drawn" or a[0] == "decided")
    value = next(certain, heuristic)
    return value if turn == 1 else -value


def compiled(config: Config, g: Geometry, stop: Stop | None = None) -> Circuit:
    """The circuit of a configuration's features; see `CircuitEvaluator`."""
    try:
        return compile_open(config.files("features"), g, _OF_FEATURES, stop)
    except LoopError as error:
        if not config.extra["features"]:
            raise
        raise EncodingError(
            f"{error}; if only strategies need it: encodings: extra: {{moves: [its file]}}"
        ) from None


_OF_FEATURES = (("decided", 2), ("drawn", 0), ("feature", 3))


def compile_open(
    files: Sequence[Path],
    g: Geometry,
    outputs: tuple[tuple[str, int], ...],
    stop: Stop | None = None,
) -> Circuit:
    """A program with the discs and the player to move left open; compiled once in a process.

    Args:
        files: the program.
        outputs: see `advisor.circuits.circuit.compile`.

    Raises:
        LoopError: something depends on itself through `not`.
        EncodingError, KeyboardInterrupt: see `CircuitEvaluator`.
    """
    # Named with their contents. Another thread may be sooner: all use the first one, whose machine
    # code they share.
    found = _compiled(tuple((file, file.read_bytes()) for file in files), g, outputs)
    if found:
        return found[0]
    strange = ", ".join(file.name for file in not_ours(files))
    cells = [("cell", player, *square) for player in PLAYERS for square in g.squares_of(g.full)]
    asked = files, [*cells, *(("turn", player) for player in PLAYERS)], outputs, g.constants
    made = None if strange else circuit.kept(*asked)
    if made is None:
        made = apart.run(
            circuit.compile if strange else circuit.keep,
            *asked,
            what=strange or f"board {g.width}x{g.height}",
            here=not strange and g.squares <= _QUICK_SQUARES,
            stop=stop,
        )
    if made.messages:
        raise EncodingError(made.messages[0])
    found.append(made)
    return found[0]


@lru_cache(maxsize=16)  # two for a board; whoever works with more has them himself
def _compiled(
    files: tuple[tuple[Path, bytes], ...], g: Geometry, outputs: tuple[tuple[str, int], ...]
) -> list[Circuit]:
    """Where the circuit of a program is put."""
    return []


def held(
    made: Circuit, positions: Sequence[Board] | Frontier, at_once: int
) -> Iterator[tuple[RowIndices, npt.NDArray[np.bool_]]]:
    """Some of the positions by their numbers, and which outputs hold in each."""
    for chosen, frontier in frontiers(positions, at_once):
        yield chosen, bitplanes.unpack(outputs_of(made, frontier), len(chosen))


def outputs_of(made: Circuit, frontier: Frontier) -> Planes:
    """What a circuit from `compile_open` says of positions.

    Its inputs are a plane for each cell/3, then for each turn/1.
    """
    squares = bit_of_square(frontier.geometry)
    bits = bitplanes.transpose(frontier.words())
    planes = np.zeros((len(made.inputs), bits.shape[1]), np.uint64)
    bits.take(squares, axis=0, out=planes[: len(squares)], mode="clip")
    planes[len(squares) + frontier.turn - 1] = ~np.uint64(0)
    return made(planes)
