"""The ladder: twelve drills, each of which marks squares."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from advisor import Position, position
from checks.verdicts import (
    BEGIN,
    MOST,
    Verdict,
    explain_difference,
    find_slip,
    nothing_yet,
    random_positions,
    row_of,
)
from course import ProgramError, answer_sets, facts
from ladder import BOARD, Marks, Square

_SIZES = (7, 6), (5, 4), (4, 7), (8, 5)

Expected = Callable[[Position], Iterable[Iterable[Square]]]
"""Returns the squares that each answer set of a position marks."""


@dataclass(frozen=True)
class MarkVerdict(Verdict):
    """The verdict of a drill.

    Attributes:
        marks: the marks of the student's program beside the expected ones, if they differ.
    """

    marks: Marks | None = field(default=None, kw_only=True)

    def __repr__(self) -> str:
        return super().__repr__() if self.marks is None else f"{super().__repr__()}\n{self.marks}"

    def _repr_html_(self) -> str:
        shown = "" if self.marks is None else self.marks._repr_html_()
        return super()._repr_html_() + shown


def _check_marks(
    program: str, positions: Iterable[Position], expected: Expected, best: bool = False
) -> Verdict:
    """Check that the answer sets of a program mark the expected squares in all positions."""
    if nothing_yet(program):
        return BEGIN
    positions = [*positions]
    for at in positions:
        given = facts(at)
        try:
            answers = answer_sets(
                *(BOARD, given, program), show=["mark"], optimal=best, most=0 if best else MOST
            )
        except ProgramError as error:
            return Verdict(False, str(error))
        found = sorted(sorted(answer.atoms) for answer in answers)
        squares = {frozenset(marked) for marked in expected(at)}
        wanted = sorted(sorted(f"mark({r},{c})" for r, c in marked) for marked in squares)
        if found == wanted:
            continue
        if slip := find_slip(program, [BOARD], given, ["mark"]):
            return Verdict(False, slip)
        sets = [{*map(frozenset, each)} for each in (found, wanted)]
        told = explain_difference(program, [BOARD, given], *sets, best)
        return replace(_differs(at, found, wanted), why=told)
    where = "on this board" if len(positions) == 1 else f"on {len(positions)} boards"
    return Verdict(True, f"your program marks what was asked for {where}")


def _differs(at: Position, found: Sequence[list[str]], wanted: Sequence[list[str]]) -> Verdict:
    """Say how the marks differ from the expected ones, and draw both."""
    if not found:
        says = "your program has no answer set on this board: its rules contradict each other"
        return MarkVerdict(False, says, marks=_boards(at, ("asked for", wanted[0])))
    if len(found) == len(wanted) == 1:
        (yours,), (asked,) = found, wanted
        extra, lacking = sorted(set(yours) - set(asked)), sorted(set(asked) - set(yours))
        if extra:
            outside = not _on_board(extra[:1], at.size)
            says = (
                f"{extra[0]} should not hold{': it lies outside' if outside else ' on'} this board"
            )
        else:
            says = f"{lacking[0]} should hold on this board"
        return MarkVerdict(False, says, marks=_boards(at, ("yours", yours), ("asked for", asked)))
    many = "1000 or more" if len(found) >= MOST else len(found)
    count = f"your program has {many} answer set{'s' if len(found) != 1 else ''} on this board"
    if strange := [marked for marked in found if marked not in wanted]:
        says = f"{count}, and {len(wanted)} are asked for; this one should not be there"
        return MarkVerdict(False, says, marks=_boards(at, ("yours", strange[0])))
    if missing := [marked for marked in wanted if marked not in found]:
        says = f"{count}, and {len(wanted)} are asked for; this one is missing"
        return MarkVerdict(False, says, marks=_boards(at, ("asked for", missing[0])))
    twice = next(one for one, other in itertools.pairwise(found) if one == other)
    says = f"{count}, and {len(wanted)} are asked for; several mark the same squares"
    return MarkVerdict(False, says, marks=_boards(at, ("yours", twice)))


def _boards(at: Position, *answers: tuple[str, Sequence[str]]) -> Marks:
    size = at.size
    return Marks(at, [(title, _on_board(marked, size)) for title, marked in answers])


def _on_board(atoms: Iterable[str], size: tuple[int, int]) -> frozenset[Square]:
    """Return the squares of the board among some atoms; the others cannot be drawn."""
    width, height = size
    every = itertools.product(range(1, height + 1), range(1, width + 1))
    named = {f"mark({r},{c})": (r, c) for r, c in every}
    return frozenset(named[atom] for atom in atoms if atom in named)


def _all_squares(at: Position) -> list[Square]:
    width, height = at.size
    return [*itertools.product(range(1, height + 1), range(1, width + 1))]


def _disc(at: Position, square: Square) -> int:
    """Return the player whose disc lies on a square, 1 or 2; 0 if there is none."""
    (row, column), (width, height) = square, at.size
    inside = 1 <= row <= height and 1 <= column <= width
    return int(at.cells[row - 1, column - 1]) if inside else 0


def _marking(holds: Callable[[Position, Square], bool]) -> Expected:
    """Return the only expected marking: the squares for which a condition holds."""
    return lambda at: [[square for square in _all_squares(at) if holds(at, square)]]


def corners(program: str) -> Verdict:
    """0.1: facts for the corners of the usual board."""
    expected = _marking(lambda _, square: square[0] in (1, 6) and square[1] in (1, 7))
    return _check_marks(program, [position()], expected)


def red_discs(program: str) -> Verdict:
    """0.2: the discs of player 1."""
    expected = _marking(lambda at, square: _disc(at, square) == 1)
    return _check_marks(program, [position("4453"), *random_positions(8, 11, 4, _SIZES)], expected)


def above_discs(program: str) -> Verdict:
    """0.3: the squares directly above a disc."""
    expected = _marking(lambda at, square: _disc(at, (square[0] - 1, square[1])) > 0)
    positions = [position("4453"), position("444444"), *random_positions(8, 12, 8, _SIZES)]
    return _check_marks(program, positions, expected)


def frame(program: str) -> Verdict:
    """0.4: the four edges of the board."""

    def on_edge(at: Position, square: Square) -> bool:
        return square[0] in (1, at.size[1]) or square[1] in (1, at.size[0])

    positions = [position("44"), *random_positions(6, 13, 0, _SIZES)]
    return _check_marks(program, positions, _marking(on_edge))


def not_red(program: str) -> Verdict:
    """0.5: the squares without a disc of player 1."""
    expected = _marking(lambda at, square: _disc(at, square) != 1)
    return _check_marks(program, [position("4453"), *random_positions(8, 14, 4, _SIZES)], expected)


def one_colour(program: str) -> Verdict:
    """0.6: the squares that have the colour of the corner (1, 1), as on a chess board."""
    expected = _marking(lambda _, square: sum(square) % 2 == 0)
    return _check_marks(program, [position(), *random_positions(6, 15, 0, _SIZES)], expected)


def _one_of(holds: Callable[[Position, Square], bool]) -> Expected:
    """Return the expected markings: one square each, for which a condition holds."""
    return lambda at: [[square] for square in _all_squares(at) if holds(at, square)]


def one_empty(program: str) -> Verdict:
    """0.7: one empty square, in all possible ways."""
    expected = _one_of(lambda at, square: not _disc(at, square))
    return _check_marks(program, [position("4453"), *random_positions(6, 16, 6, _SIZES)], expected)


def apart(program: str) -> Verdict:
    """0.8: one empty square with no disc directly to its left or right."""

    def alone(at: Position, square: Square) -> bool:
        row, column = square
        return not any(_disc(at, (row, c)) for c in (column - 1, column, column + 1))

    positions = [position("4453"), *random_positions(8, 17, 4, _SIZES)]
    return _check_marks(program, positions, _one_of(alone))


def rooks(program: str) -> Verdict:
    """0.9: one square in each column, no two in the same row."""

    def expected_marks(at: Position) -> Iterable[Iterable[Square]]:
        width, height = at.size
        for rows in itertools.permutations(range(1, height + 1), width):
            yield zip(rows, range(1, width + 1), strict=True)

    boards = [position(size=size) for size in ((4, 4), (4, 5))]
    return _check_marks(program, boards, expected_marks)


def tall(program: str) -> Verdict:
    """0.10: the columns with at least three discs."""
    expected = _marking(lambda at, square: row_of(at, square[1]) > 3)
    positions = [position("444"), *random_positions(8, 18, 8, _SIZES)]
    return _check_marks(program, positions, expected)


def crowded(program: str) -> Verdict:
    """0.11: the empty squares with at least three discs around them."""

    def holds(at: Position, square: Square) -> bool:
        row, column = square
        around = itertools.product((row - 1, row, row + 1), (column - 1, column, column + 1))
        return not _disc(at, square) and sum(_disc(at, each) > 0 for each in around) >= 3

    positions = [position("33355544"), *random_positions(10, 19, 8, _SIZES)]
    return _check_marks(program, positions, _marking(holds))


def highest(program: str) -> Verdict:
    """0.12: one square on which the next disc may come to rest, as high as possible."""

    def top(at: Position, square: Square) -> bool:
        rows = {column: row_of(at, column) for column in at.moves}
        return rows.get(square[1]) == square[0] == max(rows.values())

    positions = [position("445"), position("123"), *random_positions(10, 20, 6, _SIZES)]
    return _check_marks(program, positions, _one_of(top), best=True)
