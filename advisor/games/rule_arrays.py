"""Arrays of states of a game defined by rules alone."""

from collections.abc import Sequence
from itertools import chain
from time import perf_counter
from typing import Any, cast

import numpy as np

from advisor.engine.nodes import Bools, Rows, Values
from advisor.engine.playouts import Results, play_out
from advisor.engine.rows import Ahead, Index, Look, Turns
from advisor.errors import InputError
from advisor.games.game import Position
from advisor.games.rule_position import GameByRules, RulePosition
from aspcircuits.clingo_api import render


class RuleArrays:
    """`advisor.games.arrays.StateArrays` for games defined by rules alone.

    A state is a row of `Circuits`. If those are seen by the side to move, a last word holds that
    side, 0 or 1, and moves are numbered as the first player sees them: first the moves of the
    rules, then the second player's moves that look different.
    """

    def __init__(self, game: GameByRules, machine_code: bool | None) -> None:
        whole = game.circuits
        self._game = whole.without_code() if machine_code is False else whole
        self._machine_code = machine_code is not False
        self._begun = cast(RulePosition, game.begin())
        rules = whole.rules
        self.features = tuple(whole.weights)
        self.weights = np.array([*whole.weights.values()], np.int64)
        seen = [[rules.seen(move, second) for move in rules.moves] for second in (False, True)]
        moves = {move: n for n, move in enumerate(dict.fromkeys(chain(*seen)))}
        names = self._begun.names_of(moves)
        self.moves = tuple(names[move] for move in moves)
        # By side: the numbers here of the rules' moves; then the rules' numbers of its legal moves.
        self._numbers = np.array([[moves[move] for move in side] for side in seen])
        self._own = np.zeros((2, len(moves)), np.intp)
        np.put_along_axis(self._own, self._numbers, np.arange(len(rules.moves))[None], axis=1)
        self.start = self._with_sides(whole.start[None], np.zeros(1, np.bool_))[0]
        self._unused = ~whole.row(rules.base)
        self._pair = [] if whole.opposites is None else [whole.row([a]) for a in whole.opposites]
        if machine_code:
            self._game.tree.player(now=True)

    def check(self, states: Rows) -> None:
        rows = states[:, : self._game.words]
        if self._game.exchanges:
            _refuse(states[:, -1] > 1, "its last word is neither 0 nor 1")
        _refuse((rows & self._unused != 0).any(axis=1), "it has a bit that stands for nothing")
        if self._pair:
            first, second = ((rows & bit).any(axis=1) for bit in self._pair)
            told = " and ".join(map(render, self._game.opposites or ()))
            _refuse(first == second, f"one of {told} must hold")

    def look(self, states: Rows) -> Look:
        rows, second = self._circuit_rows(states)
        started = perf_counter()
        found, going = self._game.look_and_count(rows)
        self._count_seconds(started)
        if going < len(rows):
            stuck = ~(found.over | found.legal.any(axis=1))
            _refuse(stuck, "nobody can move, and the game is not over")
        if second is None:
            return found
        state, move = found.moves()
        able = np.zeros((len(rows), len(self.moves)), np.bool_)
        able[state, self._numbers[second.view(np.uint8)[state], move]] = True
        legal = np.packbits(able, axis=1, bitorder="little")
        result = np.where(second, -found.result, found.result)
        return found._replace(legal=legal, result=result, turn=second.view(np.uint8))

    def step(self, states: Rows, moves: Index, turn: Turns) -> Rows:
        rows, second = self._circuit_rows(states)
        if second is not None:
            moves = self._own[second.view(np.uint8), moves]
        started = perf_counter()
        rows = self._game.without_moot(self._game.step(rows, moves, turn))
        self._count_seconds(started)
        return rows if second is None else self._with_sides(rows, ~second)

    def values(self, states: Rows, turn: Turns, plies: int) -> Values:
        rows, second = self._circuit_rows(states)
        started = perf_counter()
        values = Ahead(self._game).look(rows, plies) if plies else self._game.leaf(rows).values
        self._count_seconds(started)
        return values if second is not None else np.where(turn, -values, values)

    def counts(self, states: Rows, turn: Turns) -> tuple[Values, Bools]:
        rows, second = self._circuit_rows(states)
        counts, certain = self._game.counts(rows, self.features), self._game.leaf(rows).certain
        return (counts if second is None else np.where(second[:, None], -counts, counts)), certain

    def play_out(self, states: Rows, rng: np.random.Generator) -> Results:
        rows, second = self._circuit_rows(states)
        results = play_out(self._game, rows, rng, machine_code=self._machine_code).results
        return results if second is None else np.where(second, -results, results)

    def states(self, positions: Sequence[Position]) -> Rows:
        found = np.empty((len(positions), self._game.words), np.uint64)
        second = np.empty(len(positions), np.bool_)
        for number, position in enumerate(positions):
            match position:
                case RulePosition(circuits=circuits) if circuits.named == self._game.named:
                    found[number], second[number] = position.row, position.exchanged
                case _:
                    raise InputError(f"position {number}: it is of another game")
        return self._with_sides(found, second)

    def position(self, state: Rows) -> RulePosition:
        rows, second = self._circuit_rows(state[None])
        exchanged, rules, begun = bool(second), self._game.rules, self._begun
        atoms = {rules.seen(atom, exchanged) for atom in self._game.atoms(rows[0])}
        standing = begun.standing(atoms, int(exchanged))
        if standing.turn != int(exchanged):
            raise InputError(f"{rules.players[1]} is to move, which no text of the game can say")
        return begun.set_up(begun.game, standing)

    def _circuit_rows(self, states: Rows) -> tuple[Rows, Bools | None]:
        """Return rows of the circuits and, unless states contain the side, whether it is the
        second.
        """
        if not self._game.exchanges:
            return states, None
        return np.ascontiguousarray(states[:, :-1]), states[:, -1] != 0

    def _with_sides(self, rows: Rows, second: Bools) -> Rows:
        if not self._game.exchanges:
            return rows
        return np.concatenate((rows, second[:, None].astype(np.uint64)), axis=1)

    def _count_seconds(self, started: float) -> None:
        """Count NumPy's time towards machine code, if that may be used."""
        if self._machine_code:
            self._game.tree.count_look_seconds(perf_counter() - started)


def _refuse(wrong: Any, why: str) -> None:
    """Raise an InputError about the first state for which `wrong` holds."""
    if wrong.any():
        raise InputError(f"state {wrong.argmax()}: {why}")
