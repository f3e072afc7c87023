"""Random games that check an encoding against the contract, with statistics of the game.

Play finds what grounding cannot show: a state in which both players or neither can move, a missing
goal, an undeclared atom. On some of the states met, the circuits are compared with clingo.
"""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.engine.nodes import Rows
from advisor.engine.playouts import MAX_PLIES, random_moves
from advisor.engine.rows import Index, Look
from advisor.errors import FaultError
from advisor.games.circuits import Circuits, MoveCircuit
from advisor.games.reference import answer, breach
from advisor.games.rules import NOOP, Rules
from advisor.games.translation import LOOK, Translation
from aspcircuits import bitplanes
from aspcircuits.clingo_api import Term, render
from aspcircuits.gates import FALSE

GAMES = 1000
COMPARED = 100
"""The default number of states on which the circuits are compared with clingo."""

_SECONDS = 20
"""CPU seconds for that comparison, where clingo is slow; at least one state is compared."""


@dataclass(frozen=True, slots=True)
class Report:
    """Statistics of a game from random play.

    >>> report = advisor.check_game("tictactoe", games=5, compare=1)
    >>> report.roles, report.moves
    (('x', 'o'), 9)

    Attributes:
        compared: states and moves on which circuits and clingo were compared, and agreed.
        states: states met.
        distinct: different ones among them.
        moves: number of moves of the game.
        base: number of base atoms.
        branching: mean and greatest number of moves in a state.
        length: shortest, mean and longest game in plies; None if no game has ended.
        results: games won by the first player, won by the second, and drawn.
        unfinished: games that had not ended after `MAX_PLIES` plies.
        gates, levels: of each circuit.
        plies_per_second: of the random games, checks included.
        warnings: about rules that keep the contract but are hardly meant so.
    """

    name: str
    roles: tuple[str, str]
    games: int
    compared: int
    states: int
    distinct: int
    moves: int
    base: int
    branching: tuple[float, int]
    length: tuple[int, float, int] | None
    results: tuple[int, int, int]
    unfinished: int
    gates: Mapping[str, int]
    levels: Mapping[str, int]
    plies_per_second: float
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the report as a dictionary for JSON."""
        first, second, drawn = self.results
        shortest, mean, longest = self.length or (None, None, None)
        return {
            "game": self.name,
            "roles": list(self.roles),
            "games": self.games,
            "compared": self.compared,
            "states": self.states,
            "distinct_states": self.distinct,
            "base": self.base,
            "moves": self.moves,
            "branching": {"mean": round(self.branching[0], 2), "max": self.branching[1]},
            "length": {"min": shortest, "mean": mean and round(mean, 2), "max": longest},
            "results": {self.roles[0]: first, self.roles[1]: second, "draw": drawn},
            "unfinished": self.unfinished,
            "gates": dict(self.gates),
            "levels": dict(self.levels),
            "plies_per_s": round(self.plies_per_second),
            "warnings": list(self.warnings),
        }


def check(
    circuits: Circuits, games: int = GAMES, seed: int = 1, compared: int = COMPARED
) -> Report:
    """Play random games, at least one, and check every state.

    Args:
        circuits: of the game.
        games: how many.
        seed: of the random moves.
        compared: number of states on which to ask clingo; fewer if that takes long.

    Raises:
        EncodingError: the rules break the contract; one line with the file, the atom and the moves
            that led there.
    """
    rng = np.random.default_rng(seed)
    inspector = Inspector(circuits)
    record = _Record(circuits, games)
    started = time.perf_counter()
    for _ in range(MAX_PLIES + 1):
        for number in np.flatnonzero(inspector.suspect(record.states))[:1]:
            record.refuse(int(number))
        look = record.go_on(circuits.look(record.states))
        if not len(record.states):
            break
        moves = random_moves(look, rng)
        for number in np.flatnonzero(inspector.strays(record.states, moves, look))[:1]:
            record.refuse(int(number), int(moves[number]))
        record.play(moves, look)
    circuits.check_begins()
    seconds = time.perf_counter() - started
    compared = record.compare(compared, Random(seed))
    return record.report(compared, seconds)


class Inspector:
    """Circuits that find states which break the contract."""

    def __init__(self, circuits: Circuits) -> None:
        self._circuits = circuits
        base = {*circuits.rules.base}
        net = Translation.load_or_make(circuits.rules, [*LOOK, "next"])
        self._suspect = net.evaluation([_is_suspect(net)])
        strays = [x for (_, atom), x in net.of("next") if atom not in base]
        self._strays = MoveCircuit(net, [net.netlist.any_of(strays)]) if strays else None

    def suspect(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Return which states break the contract, whatever the move: bools of shape (states,)."""
        return self._circuits.hold(rows, self._suspect)[:, 0]

    def strays(self, rows: Rows, moves: Index, look: Look) -> npt.NDArray[np.bool_]:
        """Return after which moves an atom holds that is no base atom: bools of shape (states,)."""
        if self._strays is None:
            return np.zeros(len(rows), np.bool_)
        both = self._strays.join_moves(rows, self._circuits.patterns(moves, look.turn))
        return bitplanes.unpack(self._strays(both), len(rows))[:, 0]


def _is_suspect(net: Translation) -> int:
    """Return the gate that says whether a state breaks the contract; clingo then explains how."""
    netlist, rules = net.netlist, net.rules
    made = ((move, x) for (_, *move), x in net.of("legal") if move[1] != NOOP)
    undeclared = [x for move, x in made if tuple(move) not in rules.inputs]
    able = [net.able(role) for role in rules.roles]
    passing = net.legal(NOOP) if NOOP in rules.moves else FALSE
    going = netlist.all_of([-net.terminal, -passing])
    found = [
        *undeclared,
        netlist.all_of([going, *able]),
        netlist.all_of([going, *(-can for can in able)]),
    ]
    for role, can in zip(rules.roles, able, strict=True):
        turn = net.turn(
            role
        )  # without a rule for the turn, the turn belongs to the player with legal moves
        found += [netlist.all_of([going, turn, -can]), netlist.all_of([going, -turn, can])]
        goals = [x for (_, player, _), x in net.of("goal") if player == role]
        one = netlist.any_of(goals), -netlist.at_least(2, Counter(goals))
        found.append(netlist.all_of([net.terminal, -netlist.all_of(one)]))
    return netlist.any_of(x for x in found if x != FALSE)


class _Record:
    """The games so far; `states` holds the states of unfinished games."""

    def __init__(self, circuits: Circuits, games: int) -> None:
        self._circuits = circuits
        self._games = games
        self.states: Rows = np.repeat(circuits.start[None], games, axis=0)
        self._owner = np.arange(games)
        self._history: list[tuple[Index, Index]] = []
        self._met: list[Rows] = []
        self._branching = np.zeros(0, np.intp)
        self._moved: set[int] = set()
        self._results: Counter[int] = Counter()
        self._lengths: Counter[int] = Counter()
        self._shared = _shared_names(circuits.rules)
        self._same_name: str | None = None
        self._crowded: str | None = None

    def refuse(self, number: int, move: int | None = None) -> None:
        """Raise the error about a state, or about the result of a move in it."""
        rules = self._circuits.rules
        game = self._owner[number]
        played = [moves[owner.searchsorted(game)] for owner, moves in self._history]
        led = [
            rules.seen(rules.moves[each], rules.by_mover and ply % 2 == 1)
            for ply, each in enumerate(played)
        ]
        made = None if move is None else rules.moves[move]
        raise breach(rules, self._circuits.atoms(self.states[number]), led, made)

    def go_on(self, look: Look) -> Look:
        """Count the games that are over, and return the look at the others."""
        over = np.flatnonzero(look.over)
        plies = len(self._history)
        flip = -1 if self._circuits.exchanges and plies % 2 else 1
        self._met.append(self.states)
        self._results.update((look.result[over] * flip).tolist())
        self._lengths[plies] += len(over)
        going = np.flatnonzero(~look.over)
        self._moved.update(look.turn[going].tolist())
        self.states, self._owner = self.states[going], self._owner[going]
        left = look.take(going)
        if self._shared is not None and self._same_name is None:
            self._same_name = self._namesakes(left, self._shared)
        return left

    def play(self, moves: Index, look: Look) -> None:
        self._history.append((self._owner, moves))
        self._branching = np.concatenate((self._branching, look.counts()))
        self.states = self._circuits.step(self.states, moves, look.turn)

    def compare(self, count: int, random: Random) -> int:
        """Compare with clingo some states met, and one move in each that goes on.

        Return the number of states compared.
        """
        met = np.concatenate(self._met)
        started = time.process_time()
        chosen = random.sample(range(len(met)), min(count, len(met)))
        for done, number in enumerate(chosen):
            if done and time.process_time() - started > _SECONDS:
                return done
            compare(self._circuits, met[number], random)
            self._crowded = self._crowded or _warn_crowded(self._circuits, met[number])
        return len(chosen)

    def report(self, compared: int, seconds: float) -> Report:
        circuits = self._circuits
        rules = circuits.rules
        met = np.concatenate(self._met)
        lengths = sorted(self._lengths.elements())
        made = {"look": circuits.look_gates, "step": circuits.step_gates}
        return Report(
            name=rules.name,
            roles=rules.players,
            games=self._games,
            compared=compared,
            states=len(met),
            distinct=len(np.unique(met, axis=0)),
            moves=len(rules.moves),
            base=len(rules.base),
            branching=(float(self._branching.mean()), int(self._branching.max())),
            length=(lengths[0], sum(lengths) / len(lengths), lengths[-1]) if lengths else None,
            results=(self._results[1], self._results[-1], self._results[0]),
            unfinished=len(self.states),
            gates={name: len(gates) for name, gates in made.items()},
            levels={name: max((g.level for g in gates), default=0) for name, gates in made.items()},
            plies_per_second=len(self._branching) / seconds,
            warnings=tuple(
                filter(None, (self._endless(), self._one_sided(), self._same_name, self._crowded))
            ),
        )

    def _namesakes(self, look: Look, shared: Index) -> str | None:
        """Return a warning about two legal moves of one state with the same name, None if none."""
        states, moves = look.moves()
        named = shared[moves] >= 0
        states, moves = states[named], moves[named]
        names = states * len(shared) + shared[moves]
        order = np.argsort(names, kind="stable")
        alike = np.flatnonzero(np.diff(names[order]) == 0)
        if not len(alike):
            return None
        rules = self._circuits.rules
        one, other = (rules.moves[moves[order[alike[0] + i]]] for i in (0, 1))
        name = rules.display.names[one]
        return (
            f"{rules.place(('called', one, name))}{render(one)} and {render(other)} "
            f"are both called {name} and legal in the same state; they are written as terms there"
        )

    def _endless(self) -> str | None:
        """Return a warning if no game has ended."""
        if len(self.states) < self._games:
            return None
        return (
            f"{self._circuits.rules.place('terminal')}none of {self._games} random games ended "
            f"within {MAX_PLIES} plies"
        )

    def _one_sided(self) -> str | None:
        """Return a warning if only one player ever had a move."""
        rules = self._circuits.rules
        if self._circuits.exchanges or len(self._moved) != 1:
            return None
        (only,) = self._moved
        one, other = (render(rules.roles[role]) for role in (only, 1 - only))
        return (
            f"{rules.place(('legal', rules.roles[only], 'any'))}only {one} has moved, in "
            f"{self._games} random games: the turn never passes to {other}"
        )


def _shared_names(rules: Rules) -> Index | None:
    """Give moves that share a name the same number, -1 to the others; None if no name is shared."""
    names = [rules.display.names.get(move, "") for move in rules.moves]
    first = {n: names.index(n) for n, times in Counter(names).items() if n and times > 1}
    return np.array([first.get(name, -1) for name in names], np.intp) if first else None


def _warn_crowded(circuits: Circuits, state: Rows) -> str | None:
    """Return a warning about a square on which two symbols stand, None if there is none."""
    stand: dict[Any, Term] = {}
    for atom in sorted(circuits.board_atoms(state), key=render):
        if (other := stand.setdefault(atom[1:3], atom)) != atom:
            place, both = circuits.rules.place(atom), f"{render(other)} and {render(atom)}"
            return f"{place}{both} hold in one state; a square shows one symbol"
    return None


def compare(circuits: Circuits, state: Rows, random: Random) -> None:
    """Compare circuits with clingo on one state and one of its moves.

    Raises:
        FaultError: they differ; that is a fault of the program, not of an encoding.
    """
    rules = circuits.rules
    atoms = circuits.atoms(state)
    look = circuits.look(state[None])
    legal = [rules.moves[move] for move in look.moves()[1]]
    role = rules.roles[int(look.turn[0])]
    move = random.choice(legal) if legal else None
    # The move affects only the next state, so one question is enough.
    found = answer(rules, atoms, rules.joint(role, move) if legal else ())

    def agree(predicate: str, equal: bool) -> None:
        if not equal:
            where = ", ".join(sorted(map(render, atoms)))
            raise FaultError(
                f"{rules.name}: circuits and clingo disagree on '{predicate}' where {where}"
            )

    agree("terminal", bool(look.over[0]) == found.terminal)
    if found.terminal:
        agree("legal", not legal)
        agree("goal", bool(look.result[0] == found.result(rules)))
        return
    agree("legal", {*legal} == found.moves(role))
    made = circuits.step(state[None], np.array([rules.moves.index(move)]), look.turn)
    agree("next", {*circuits.atoms(made[0])} == found.following)
