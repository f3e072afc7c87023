"""Evaluates encodings for batches of positions, by the circuits they are compiled into.

The circuit of the features says which of them hold; the weights are a vector beside it, so other
weights need no other circuit. A test checks that the values agree with ``evaluate.lp`` on each
position. Another circuit says which strategies fire, without their reasons.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from time import perf_counter

import numpy as np

from advisor.engine.answer_sets import best_models
from advisor.engine.compiled import KERNEL, CompiledTree
from advisor.engine.nodes import Bools, Values, Wanted, plies_within
from advisor.engine.rows import firsts, seen_from_above
from advisor.engine.search import FORCED, WIN
from advisor.errors import EncodingError
from advisor.files.resources import not_ours
from advisor.games.connect4 import machine
from advisor.games.connect4.board import Board, Frontier, Geometry, bit_of_square, words_each
from advisor.games.connect4.machine import RULES
from advisor.games.players import PLAYERS
from advisor.settings.config import Config
from aspcircuits import bitplanes, circuit, own_process
from aspcircuits.bitplanes import Planes, RowIndices
from aspcircuits.circuit import Circuit
from aspcircuits.clingo_api import Model, Term, render
from aspcircuits.loops import LoopError
from aspcircuits.native import Function, Value
from aspcircuits.stopping import Stop
from aspcircuits.tiers import Tiers

_LEAVES_OF_ONE = 512
"""The look-ahead's last plies below one position are a batch of at most this many leaves."""

_LEAVES_IN_MEMORY = 1 << 16
"""More leaves than this are processed in parts."""

_QUICK_SQUARES = 64
"""The project's own encodings compile within a quarter of a second on boards up to this."""

_POSITIONS_AT_ONCE = 1 << 12
"""Positions of one call that asks which strategies fire."""

_WORK_AT_ONCE = 1 << 23
"""Gates times leaves of one call: a few hundredths of a second, since it cannot be interrupted."""


_OF_FEATURES = (("decided", 2), ("drawn", 0), ("feature", 3))

_OF_STRATEGIES = (("fires", 2), ("because", 3))
"""Atoms that speak for a move: a strategy fires, or has a reason to."""


class CircuitEvaluator:
    """Values of positions of one geometry; see `advisor.engine.nodes.LeafEvaluator`.

    Attributes:
        features: the names that have a weight, in the order of the configuration.
        circuit: says which of the features hold.
        tiers: its machine code, if there is any.
    """

    def __init__(
        self,
        config: Config,
        g: Geometry,
        stop: Stop | None = None,
        machine_code: bool | None = None,
    ) -> None:
        """Compile the encoding unless that has been done before in this process.

        Args:
            config: the encodings and their weights.
            g: the board.
            stop: may end the compilation of a large or foreign encoding.
            machine_code: with the extra ``fast``: True from the beginning, False never, None once
                it pays.

        Raises:
            EncodingError: the encoding is no circuit, or too large.
            ConfigError: it derives a feature that has no weight.
            KeyboardInterrupt: `stop` was set.
        """
        self.leaves = self.guesses = self.added = 0
        self.features = tuple(config.weights["features"])
        self.circuit = compile_features(config, g, stop)
        self._moves = max(2, g.width)
        self._leaves_at_once = max(1, _WORK_AT_ONCE // max(1, len(self.circuit.gates)))
        self._plies = plies_within(g.width, min(_LEAVES_OF_ONE, self._leaves_at_once))
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
            self.tiers.get_now()

    @property
    def is_machine_code(self) -> bool:
        """Whether machine code scores positions by now."""
        return self._machine_code is not False and self.tiers.function is not None

    def plies_at_once(self, position: Board) -> int:
        """Return the plies of a batch: three on the standard board, more on narrow ones."""
        return self._plies

    def positions_at_once(self, plies: int) -> int:
        leaves: int = self._moves**plies
        return max(1, self._leaves_at_once // leaves)

    def eldest(self, children: int, plies: int) -> int:
        """Return one: a batch spends most of its time on its leaves."""
        return 1

    def values(
        self, positions: Sequence[Board] | Frontier, plies: int, wanted: Wanted | None = None
    ) -> Values:
        """Return full-width negamax values; nothing is left out, whatever is wanted.

        The positions of a `Frontier` cost no Python object each.
        """
        started = perf_counter()
        values = np.empty(len(positions), np.int64)
        step = max(1, _LEAVES_IN_MEMORY // self._moves**plies)
        for chosen, frontier in frontiers(positions, step):
            values[chosen] = self._look_ahead(frontier, plies)
        if self._machine_code is None:  # missing machine code would have saved part of this time
            seconds = perf_counter() - started
            self.tiers.count_seconds(seconds)
            if machine.fits(self._geometry):
                KERNEL.count_seconds(seconds)
                RULES.count_seconds(seconds)
        return values

    def machine_search(self, position: Board) -> CompiledTree[Board] | None:
        usable = self._machine_code is not False and machine.fits(self._geometry)
        if self._compiled is None and usable:
            if self._machine_code:
                KERNEL.get_now()
                RULES.get_now()
            leaf, kernel, rules = self.tiers.function, KERNEL.function, RULES.function
            if leaf and kernel and rules:
                foresight = int(("decided", 1, 1) in self.circuit.outputs)
                game = machine.machine(self._geometry, rules, leaf, foresight)
                self._compiled = CompiledTree(game, machine.Bitboards(), self, kernel)
        return self._compiled

    def principal_leaves(
        self, positions: Sequence[Board], plies: int
    ) -> tuple[Values, list[Board]]:
        """Return `values`, and for each position the leaf that its value comes from.

        The leaf is the end of the principal variation, where the plies are used up or the game is
        over.
        """
        values = self.values(positions, plies)
        leaves = list(positions)
        going = list(range(len(leaves)))
        for left in reversed(range(plies)):
            going = [i for i in going if abs(values[i]) < FORCED and leaves[i].plies_left]
            step = max(1, _LEAVES_IN_MEMORY // self._moves ** (left + 1))
            for chosen, frontier in frontiers([leaves[i] for i in going], step):
                children, parent, ahead = self._children_ahead(frontier, left)
                best = np.maximum.reduceat(ahead, firsts(parent))
                at_best = np.flatnonzero(ahead == best[parent])
                first = at_best[firsts(parent[at_best])]
                for number, leaf in zip(chosen, children.take(first).positions(), strict=True):
                    leaves[going[number]] = leaf
        return values, leaves

    def _look_ahead(self, frontier: Frontier, plies: int) -> Values:
        """Return full-width negamax values; the game goes on in every position of the frontier."""
        if plies == 0:
            return self.static_values(frontier)
        _, parent, values = self._children_ahead(frontier, plies - 1)
        return np.maximum.reduceat(values, firsts(parent))

    def _children_ahead(
        self, frontier: Frontier, plies: int
    ) -> tuple[Frontier, RowIndices, Values]:
        """Return the children, their parents' numbers, and their values for these, `plies` plies
        on.
        """
        children, parent = frontier.children()
        if plies == 0:
            values = self.static_values(children)
        else:
            lost = children.opponent_wins()
            open_ = ~(lost | children.full())
            values = np.where(lost, -WIN, 0)
            if open_.any():
                distinct, copy = children.take(open_).distinct()
                values[open_] = self._look_ahead(distinct, plies)[copy]
        return children, parent, -seen_from_above(values)

    def static_values(self, frontier: Frontier) -> Values:
        """Return the encoding's value of each position by itself, for its side to move."""
        count = len(frontier.mask)
        self.leaves += count
        function = self.tiers.function
        if function and self._machine_code is not False:
            found: Values
            (found,) = function(frontier.words(), 1 << (frontier.turn - 1)).view(np.int64)
            values, known = found >> 1, (found & 1).astype(np.bool_)
        else:
            outputs = outputs_of(self.circuit, frontier)
            certain = bitplanes.unpack(outputs[self._certain], count)
            results = certain.astype(np.int64) @ self._result_of_player_1
            known = np.logical_or.reduce(certain, axis=1)
            values = np.where(known, results, self._weighted_sum(outputs)[:count])
        self.guesses += count - int(known.sum())
        return values if frontier.turn == 1 else -values

    def holding(self, positions: Sequence[Board]) -> list[tuple[Term, ...]]:
        """Return the atoms derived for each position: ``feature/3``, ``decided/2``, ``drawn/0``."""
        found: list[tuple[Term, ...]] = [()] * len(positions)
        for chosen, outputs in evaluate_outputs(self.circuit, positions, self._leaves_at_once):
            for number, row in zip(chosen, outputs, strict=True):
                found[number] = tuple(self.circuit.outputs[i] for i in np.flatnonzero(row))
        return found

    def counts(self, positions: Sequence[Board] | Frontier) -> tuple[Values, Bools]:
        """Count the features that make up the values of positions.

        Returns:
            shape (n, features): how many times player 1 has each feature, minus how many times
            player 2 has it; and shape (n,): whether the encoding knows the result for certain, so
            that the features do not matter.
        """
        column = {feature: i for i, feature in enumerate(self.features)}
        sides = np.zeros((len(self.circuit.outputs), len(column)), np.float32)
        for i, atom in enumerate(self.circuit.outputs):
            if atom[0] == "feature":
                sides[i, column[atom[1]]] = 1 if atom[2] == 1 else -1
        counts = np.empty((len(positions), len(column)), np.int64)
        certain = np.empty(len(positions), np.bool_)
        for chosen, outputs in evaluate_outputs(self.circuit, positions, self._leaves_at_once):
            counts[chosen] = outputs.astype(np.float32) @ sides
            certain[chosen] = outputs[:, self._certain].any(axis=1)
        return counts, certain


class Strategies:
    """The strategies of a configuration that fire, for the moves of boards of one geometry.

    If no circuit can express the strategies (recursion), clingo answers position by position.

    Attributes:
        names: of the strategies that have a weight, in the order of the configuration.
    """

    def __init__(self, config: Config, g: Geometry, stop: Stop | None = None) -> None:
        """Compile the strategies' rules unless that has been done before in this process.

        Raises:
            EncodingError: an encoding cannot be compiled, or fires for something that is no move.
            ConfigError: it fires for a strategy that has no weight.
            KeyboardInterrupt: `stop` was set.
        """
        self.names = tuple(config.weights["moves"])
        self._config = config
        self._width = g.width
        self._weights = np.array(list(config.weights["moves"].values()), np.int64)
        self._circuit: Circuit | None = None
        if not self.names:
            return
        try:
            self._circuit = compile_open(config.strategies(), g, _OF_STRATEGIES, stop)
        except LoopError:
            return
        meant = [self._meaning(atom) for atom in self._circuit.outputs]
        self._meant = np.array(meant, np.intp).reshape(-1, 3)

    def totals(self, position: Board) -> dict[int, int]:
        """Return the sum of the weights that fire for each move, by column."""
        (sums,) = (self.fired_mask([position]) @ self._weights).tolist()
        return {column: sums[column - 1] for column in position.moves()}

    def fired_mask(self, positions: Sequence[Board]) -> Bools:
        """Return which strategies fire for which moves: shape (len(positions), width, strategies).

        Raises:
            EncodingError, ConfigError: an atom that clingo derives names no move, or has no weight.
        """
        fired = np.zeros((len(positions), self._width, len(self.names)), np.bool_)
        if self._circuit is None:
            if self.names:
                for number, position in enumerate(positions):
                    self._ask(position, fired[number])
            return fired
        for chosen, outputs in evaluate_outputs(self._circuit, positions, _POSITIONS_AT_ONCE):
            columns = range(1, self._width + 1)
            rows = np.array([[positions[i].row_of(c) for c in columns] for i in chosen])
            which, output = np.nonzero(outputs)
            strategy, row, column = self._meant[output].T
            playable = rows[which, column - 1] == row
            at = np.array(chosen)[which[playable]]
            fired[at, column[playable] - 1, strategy[playable]] = True
        return fired

    def _meaning(self, atom: Term) -> tuple[int, int, int]:
        """Return the number of the strategy that fires, and the move's row and column."""
        _, strategy, *_ = atom
        self._config.require_weight("moves", strategy)
        return self.names.index(strategy), *move_of(atom)

    def _ask(self, position: Board, fired: Bools) -> None:
        """Set the strategies that fire in one position, by clingo."""
        files, constants = self._config.strategies(), position.geometry.constants
        model, *_ = best_models(files, position.facts(), {}, constants)
        for atom in model.atoms:
            if isinstance(atom, tuple) and (atom[0], len(atom) - 1) in _OF_STRATEGIES:
                strategy, row, column = self._meaning(atom)
                if 1 <= column <= self._width and position.row_of(column) == row:
                    fired[column - 1, strategy] = True


def move_of(atom: Term) -> tuple[int, int]:
    """Return the row and the column of the move in an atom fires/2 or because/3.

    Raises:
        EncodingError: it is no move.
    """
    _, _, move, *_ = atom
    match move:
        case ("move", int() as row, int() as column):
            return row, column
    raise EncodingError(f"{render(atom)}: '{render(move)}' is not a move (use move(R, C))")


def frontiers(
    positions: Sequence[Board] | Frontier, at_once: int
) -> Iterator[tuple[RowIndices, Frontier]]:
    """Yield the positions with their numbers, in parts with one player to move each."""
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
    """Return an atom's contribution to the value for player 1."""
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
    """Return the sum of int64 weights, and its machine code: shared, since slow to make."""
    summed, certain = [], []
    signed = np.frombuffer(weights, np.int64)
    for atom, literal, weight in zip(
        circuit.outputs, circuit.results, signed.tolist(), strict=True
    ):
        if atom[0] != "feature":
            certain.append((literal, _result(atom)))
        elif weight:
            # Equal weights come together, since these are added first; then equal squares.
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
    """Return the value for player 1 of ``decided(P, N)`` or ``drawn``."""
    if atom == "drawn":
        return 0
    player: int
    plies: int
    _, player, plies = atom
    return WIN - plies if player == 1 else plies - WIN


def value_of(model: Model, turn: int, heuristic: int) -> int:
    """Return the value that an evaluator must give a position with this model, for the side to
    move.

    `heuristic` is the sum of the features for player 1, the value if the model decides nothing.
    """
    certain = (_result(a) for a in model.atoms if a == "drawn" or a[0] == "decided")
    value = next(certain, heuristic)
    return value if turn == 1 else -value


def compile_features(config: Config, g: Geometry, stop: Stop | None = None) -> Circuit:
    """Return the circuit of a configuration's features; see `CircuitEvaluator`."""
    try:
        return compile_open(config.files("features"), g, _OF_FEATURES, stop)
    except LoopError as error:
        if not config.extra["features"]:
            raise
        raise EncodingError(
            f"{error}; if only strategies need it: encodings: extra: {{moves: [its file]}}"
        ) from None


def compile_open(
    files: Sequence[Path],
    g: Geometry,
    outputs: tuple[tuple[str, int], ...],
    stop: Stop | None = None,
) -> Circuit:
    """Compile a program with the discs and the player to move left open, once in a process.

    Raises:
        LoopError: an atom depends on itself through `not`.
        EncodingError, KeyboardInterrupt: see `CircuitEvaluator`.
    """
    # The key includes the contents. If threads race, all use the first result and share its machine
    # code.
    found = _circuit_slot(tuple((file, file.read_bytes()) for file in files), g, outputs)
    if found:
        return found[0]
    strange = ", ".join(file.name for file in not_ours(files))
    cells = [("cell", player, *square) for player in PLAYERS for square in g.squares_of(g.full)]
    asked = files, [*cells, *(("turn", player) for player in PLAYERS)], outputs, g.constants
    made = None if strange else circuit.load_kept(*asked)
    if made is None:
        made = own_process.run(
            circuit.compile_files if strange else circuit.compile_and_keep,
            *asked,
            what=strange or f"board {g.width}x{g.height}",
            here=not strange and g.squares <= _QUICK_SQUARES,
            stop=stop,
        )
    if made.messages:
        raise EncodingError(made.messages[0])
    found.append(made)
    return found[0]


@lru_cache(maxsize=16)  # two for a board; callers that need more keep them themselves
def _circuit_slot(
    files: tuple[tuple[Path, bytes], ...], g: Geometry, outputs: tuple[tuple[str, int], ...]
) -> list[Circuit]:
    """Return the list that holds the circuit of a program."""
    return []


def evaluate_outputs(
    made: Circuit, positions: Sequence[Board] | Frontier, at_once: int
) -> Iterator[tuple[RowIndices, Bools]]:
    """Yield the numbers of some positions, and which outputs hold in each."""
    for chosen, frontier in frontiers(positions, at_once):
        yield chosen, bitplanes.unpack(outputs_of(made, frontier), len(chosen))


def outputs_of(made: Circuit, frontier: Frontier) -> Planes:
    """Return a circuit's outputs for positions, given the inputs of `compile_open`."""
    squares = bit_of_square(frontier.geometry)
    bits = bitplanes.transpose(frontier.words())
    planes = np.zeros((len(made.inputs), bits.shape[1]), np.uint64)
    bits.take(squares, axis=0, out=planes[: len(squares)], mode="clip")
    planes[len(squares) + frontier.turn - 1] = ~np.uint64(0)
    return made(planes)
