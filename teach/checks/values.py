"""Lessons 3 and 4: circuits, and learning."""

import math
from collections.abc import Callable

import numpy as np

from advisor import AdvisorError, Position, compile, position
from checks.verdicts import (
    BEGIN,
    Verdict,
    difference,
    explain_difference,
    nothing_yet,
    random_positions,
)
from course import FITTED, evaluator, examples, facts, fit, log_loss, table


def _check_circuit(
    program: str, output: str, wanted: Callable[[Position], set[tuple[int, ...]]], praise: str
) -> Verdict:
    """Check that a program, as a circuit, derives what it should in a thousand positions."""
    if nothing_yet(program):
        return BEGIN
    try:
        circuit = compile(program, ["cell(1..2, 1..6, 1..7)"], [output])
    except AdvisorError as error:
        return Verdict(
            False, str(error).replace("program.lp: ", "").replace("program.lp:", "line ")
        )
    boards = [position("1213"), position("4142414"), *random_positions(1000, 6)]
    cells = np.stack([board.cells for board in boards])
    inputs = [cells[:, row - 1, column - 1] == player for _, player, row, column in circuit.inputs]
    held = circuit.evaluate(np.stack(inputs, axis=1))
    name = output.partition("/")[0]
    for board, row in zip(boards, held, strict=True):
        found = {atom[1:] for atom, holds in zip(circuit.outputs, row, strict=True) if holds}
        if found != (should := wanted(board)):
            sets = [
                {frozenset(f"{name}({','.join(map(str, a))})" for a in s)} for s in (found, should)
            ]
            told = explain_difference(program, [facts(board)], *sets)
            return Verdict(False, difference(*sets), board, told)
    return Verdict(True, f"{praise}: {len(circuit.gates)} gates, {len(boards)} positions compared")


def tower(program: str) -> Verdict:
    """3.1: three discs on top of each other."""

    def expected_atoms(board: Position) -> set[tuple[int, ...]]:
        cells, three = board.cells, range(board.size[1] - 2)
        return {
            (player, column + 1)
            for player in (1, 2)
            for column in range(board.size[0])
            if any((cells[row : row + 3, column] == player).all() for row in three)
        }

    return _check_circuit(program, "tower/2", expected_atoms, "a circuit")


def rooted(program: str) -> Verdict:
    """3.2: chains of discs down to the bottom row."""

    def expected_atoms(board: Position) -> set[tuple[int, ...]]:
        cells = board.cells
        height, width = cells.shape
        found = [(0, column) for column in range(width) if cells[0, column]]
        for row, column in found:  # the list grows
            for r, c in (
                (row + 1, column),
                (row - 1, column),
                (row, column + 1),
                (row, column - 1),
            ):
                inside = 0 <= r < height and 0 <= c < width
                if inside and cells[r, c] == cells[row, column] and (r, c) not in found:
                    found.append((r, c))
        return {(int(cells[r, c]), r + 1, c + 1) for r, c in found}

    return _check_circuit(program, "rooted/3", expected_atoms, "recursion as a circuit")


def probability(function: Callable[[float], float]) -> Verdict:
    """4.1: from a value to a probability."""
    for value in (0, 100, -100, 250, -600):
        wanted = 1 / (1 + math.exp(-value / 100))
        try:
            found = float(function(value))
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            return Verdict(False, f"for {value} your function raises {told}")
        if not math.isclose(found, wanted, abs_tol=1e-6):
            says = (
                f"for a value of {value} your function says {found:.4f}, it should be {wanted:.4f}"
            )
            return Verdict(False, says)
    return Verdict(True, "+100 is a win 2.7 times as likely as a loss")


_GAIN = 0.008


def features(program: str, weights: str) -> Verdict:
    """4.2: features that say more than the number of threats."""
    if nothing_yet(program):
        return BEGIN
    _, results = examples()
    try:
        evaluators = {
            "threats": evaluator("feature(t, P, (R, C)) :- threat(P, R, C).", "{t: 1}"),
            "yours": evaluator(program, weights),
        }
    except AdvisorError as error:
        return Verdict(False, str(error))
    losses = {}
    for name, each in evaluators.items():
        counts = table(each)
        for feature, column in zip(each.features, counts.T, strict=False):
            if not column.any():
                says = f"{feature} says nothing: x has it as often as o in every position"
                return Verdict(False, says)
        learned = fit(counts[:FITTED], results[:FITTED])
        losses[name] = log_loss(counts[FITTED:], results[FITTED:], learned)
    yours, threats = losses["yours"], losses["threats"]
    says = f"log-loss on what was held back {yours:.3f}, threats alone {threats:.3f}"
    if yours > threats - _GAIN:
        return Verdict(False, f"{says}; it should be lower by {_GAIN} or more")
    return Verdict(True, says)
