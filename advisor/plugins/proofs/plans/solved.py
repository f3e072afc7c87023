"""The advisor's solutions, of 7x6 and other boards: their moves and plans in a position.

Only checked parts are used: a move whose replies are all answered, down to the plans, and the plan
of a position that arises when one is followed. The file is searched as text: all its positions
become two arrays of bitboards at once, which takes a few milliseconds, and a plan's picture is read
when it is needed.

A small file beside the solution records what was checked: the number of its bytes and their
SHA-256, and the positions in them whose replies are not all answered yet. So a file that goes on
growing is used as far as it was checked, one that was changed or cut off is not used, and reading
needs no new check.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from advisor.errors import InputError
from advisor.files import textfile
from advisor.files.resources import SOLUTIONS
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.plugins.proofs.plans.trial import (
    By,
    PlanNumbers,
    PlanStep,
    ProvedPlan,
    leads,
    mirror_state,
    mirrored_numbers,
    state_of,
    step,
)
from aspcircuits.texts import file_name

_GOAL = re.compile(rb"^goal ([xo]) (wins|holds)$", re.MULTILINE)

_SAID = re.compile(rb"^(-|[1-9]+) (?:play ([1-9])|plan (\d+) threats (\d+))$", re.MULTILINE)
"""A position's line; rows of numbers and comments do not match."""


@dataclass(frozen=True, slots=True)
class CheckedRecord:
    """The record of what has been checked of a solution.

    Attributes:
        size, digest: bytes of its file, from the beginning, and their SHA-256.
        unfinished: positions in which a move is played but not every reply is answered, as in the
            solution; the empty board if o's solution does not answer all of x's first moves.
    """

    size: int
    digest: str
    unfinished: frozenset[bytes]

    @staticmethod
    def file(solution: Path) -> Path:
        """Return the place of the record of a solution's file."""
        return solution.with_suffix(".checked")

    @classmethod
    def read(cls, path: Path) -> "CheckedRecord":
        """Read the record in a file.

        Raises:
            InputError: it cannot be read or holds something else.
        """
        size, digest, unfinished = 0, "", []
        for number, line in enumerate(textfile.read_text(path).splitlines(), 1):
            match line.partition("#")[0].split():
                case []:
                    pass
                case ["bytes", count] if count.isdecimal():
                    size = int(count)
                case ["sha256", found]:
                    digest = found
                case ["open", moves]:
                    unfinished.append(moves.encode())
                case _:
                    name = file_name(path)
                    found = f"line {number}: '{line.strip()[:40]}'"
                    raise InputError(f"{name}: {found} is not a line of such a file")
        return cls(size, digest, frozenset(unfinished))


def known_step(position: Board) -> PlanStep | None:
    """Return the step of the board's solution for the player to move; None if it proves nothing.

    With the step, that player reaches the solution's goal whatever the opponent does. A position
    won by a few threats in a row, or in which the opponent has no line left, needs no line in a
    solution, so there may be a gap between two positions that have one.
    """
    solved = solution_of(position.geometry)
    if solved is None or position.turn != solved.player or position.result() is not None:
        return None
    return solved.step(position)


def boards() -> list[Geometry]:
    """Return the boards whose solution has been checked."""
    sizes = sorted(file.stem.split("x") for file in SOLUTIONS.glob("*.checked"))
    return [geometry(int(width), int(height)) for width, height in sizes]


def file_of(g: Geometry) -> Path:
    """Return the place where the solution of a board with four in line would be."""
    return SOLUTIONS / f"{g.width}x{g.height}.txt"


@cache
def solution_of(g: Geometry) -> "CheckedSolution | None":
    """Return the checked part of a board's solution; None if it has changed since."""
    try:
        return CheckedSolution.read(file_of(g), g) if g.connect == 4 else None
    except (InputError, OSError):
        return None


class CheckedSolution:
    """The part of a solution that proves something: its player reaches the goal from there.

    Args:
        data: of the file, the checked part.
        unfinished: see `CheckedRecord`.
        g: the board.

    Attributes:
        player: who reaches the goal.
        hold: the goal is not to lose; otherwise to win.
    """

    def __init__(self, data: bytes, unfinished: frozenset[bytes], g: Geometry) -> None:
        self._data, self._board = data, g
        goal = _GOAL.search(data)
        mark, reached = goal.groups() if goal else (b"x", b"wins")
        self.player, self.hold = 1 if mark == b"x" else 2, reached == b"holds"
        self._lines = [line for line in _SAID.findall(data) if line[0] not in unfinished]
        discs = _discs_after([moves for moves, *_ in self._lines], g)
        self._own, self._opp = discs if self.player == 1 else discs[::-1]
        self._is_leaf = np.array([plan != b"" for _, _, plan, _ in self._lines], np.bool_)
        self._discs = np.array([len(moves) for moves, *_ in self._lines], np.int64)
        self._numbers: dict[int, PlanNumbers] = {}

    @classmethod
    def read(cls, path: Path, g: Geometry) -> "CheckedSolution | None":
        """Read the checked part of a file; None if that part has changed.

        Raises:
            InputError, OSError: there is no such file, or no record of a check.
        """
        record = CheckedRecord.read(CheckedRecord.file(path))
        data = path.read_bytes()[: record.size]
        same = sha256(data).hexdigest() == record.digest
        return cls(data, record.unfinished, g) if same else None

    @property
    def starts(self) -> list[str]:
        """The moves that led to each of its positions."""
        return [moves.decode().replace("-", "") for moves, *_ in self._lines]

    def step(self, position: Board) -> PlanStep | None:
        """See `known_step`."""
        state = state_of(position)
        ends = state, mirror_state(self._board, state)
        # Leaves that may lead here, the first ones first: so a player who follows a plan
        # keeps getting the same one.
        before = [
            (self._discs[i], i, turned)
            for turned, (own, opp) in enumerate(np.array(ends, np.uint64))
            for i in np.flatnonzero(
                self._is_leaf & ((self._own | own) == own) & ((self._opp | opp) == opp)
            ).tolist()
        ]
        for _, i, turned in sorted(before):
            start = int(self._own[i]), int(self._opp[i])
            if leads(self._plan(i, False), start, ends[turned], self._board):
                return step(self._plan(i, bool(turned)), position)
        for turned, (own, opp) in enumerate(np.array(ends, np.uint64)):
            for i in np.flatnonzero((self._own == own) & (self._opp == opp)).tolist():
                column = int(self._lines[i][1])
                if turned:
                    column = self._board.width + 1 - column
                return PlanStep(column, By.MOVE, hold=self.hold)
        return None

    def _plan(self, leaf: int, turned: bool) -> ProvedPlan:
        """Return the plan of a leaf, or its mirror image."""
        name, threats = map(int, self._lines[leaf][2:])
        numbers = self._numbers.get(name) or self._numbers.setdefault(name, self._picture(name))
        if turned:
            numbers = mirrored_numbers(self._board, numbers)
        return ProvedPlan(self.player, numbers, threats, self.hold, name)

    def _picture(self, plan: int) -> PlanNumbers:
        """Return the numbers of a plan from the file."""
        rows = self._board.height
        found = re.search(rb"^plan %d\n((?:.*\n){%d})" % (plan, rows), self._data, re.MULTILINE)
        assert found is not None, "a plan that was checked is there"
        return numbers_of(self._board, enumerate(found[1].decode().splitlines()))


def numbers_of(g: Geometry, lines: Iterator[tuple[int, str]]) -> PlanNumbers:
    """Read the picture of a plan from the next lines."""
    numbers = [0] * (g.width * g.stride)
    for row in range(g.height - 1, -1, -1):
        found = next(lines, (0, ""))[1].split()
        if len(found) != g.width:
            raise InputError(f"a row of a plan has {g.width} numbers")
        for column, number in enumerate(found):
            numbers[column * g.stride + row] = int(number)
    return tuple(numbers)


def _discs_after(moves: list[bytes], g: Geometry) -> tuple[Any, Any]:
    """Return the discs of x and of o after the moves of each line, as arrays of words."""
    count = len(moves)
    text = np.array(moves, dtype=bytes)
    digits = text.view(np.uint8).reshape(count, text.itemsize) if count else np.zeros((0, 0))
    mask = np.zeros(count, np.uint64)
    discs = [mask.copy(), mask.copy()]
    bottom = np.zeros(256, np.uint64)
    for column in range(1, g.width + 1):
        bottom[ord("0") + column] = g.bit(1, column)
    for ply in range(digits.shape[1]):
        filled = mask | mask + bottom[digits[:, ply]]
        discs[ply % 2] |= filled ^ mask
        mask = filled
    return discs[0], discs[1]
