"""Verdicts of checks, and the comparison of answer sets."""

import html
import random
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from advisor import AdvisorError, Position, position
from advisor.errors import EncodingError
from advisor.files.resources import ENCODINGS
from advisor.settings.contract import unknown
from aspcircuits import why
from aspcircuits.source import statements
from course import (
    ProgramError,
    answer_sets,
    facts,
)


@dataclass(frozen=True)
class Verdict:
    """The verdict of a check.

    Attributes:
        right: whether the exercise is solved.
        says: the verdict in one line.
        at: a position that shows a mistake, if there is one.
        why: lines that trace a mistake to the rules of the answer; may be empty.
    """

    right: bool
    says: str
    at: Position | None = None
    why: str = ""

    def __repr__(self) -> str:
        text = f"{'Right' if self.right else 'Not yet'}: {self.says}"
        parts = (text, self.at, self.why)
        return "\n".join(str(part) for part in parts if part)

    def _repr_html_(self) -> str:
        colour = "#17723f" if self.right else "#8a2a4a"
        word = "Right" if self.right else "Not yet"
        shown = "" if self.at is None else self.at.svg()
        says = f'<p style="color: {colour}"><b>{word}</b>: {html.escape(self.says)}</p>'
        why = f"<pre>{html.escape(self.why)}</pre>" if self.why else ""
        return f"{says}{shown}{why}"


def random_positions(
    count: int, seed: int, least: int = 0, sizes: Sequence[tuple[int, int]] = ((7, 6),)
) -> Iterator[Position]:
    """Yield positions of random games that are not over."""
    rng = random.Random(seed)
    while count:
        width, height = size = rng.choice(list(sizes))
        board = position(size=size)
        for _ in range(rng.randrange(least, width * height - 2)):
            if board.over:
                break
            board = board.play(rng.choice(board.moves))
        if not board.over:
            count -= 1
            yield board


Square = tuple[int, int]
"""Row and column, from 1."""


def row_of(board: Position, column: int) -> int:
    """Return the row in which the next disc in a column lands."""
    return int((board.cells[:, column - 1] > 0).sum()) + 1


def lines_of_four(size: tuple[int, int]) -> list[list[Square]]:
    """List all lines of four."""
    width, height = size
    found = []
    for r, c in np.ndindex(height, width):
        for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1)):
            line = [(r + i * dr + 1, c + i * dc + 1) for i in range(4)]
            if 1 <= line[3][0] <= height and line[3][1] <= width:
                found.append(line)
    return found


def completing_squares(board: Position, player: int) -> set[Square]:
    """Return the empty squares on which a player (1 or 2) would complete a line."""
    found = set()
    for line in lines_of_four(board.size):
        discs = [int(board.cells[r - 1, c - 1]) for r, c in line]
        if discs.count(player) == 3 and 0 in discs:
            found.add(line[discs.index(0)])
    return found


def player_to_move(board: Position) -> int:
    """Return the player to move, 1 or 2."""
    return 1 if board.turn == "x" else 2


MOST = 1000
"""Maximum number of answer sets to compare; no exercise has that many."""

SIZES = (7, 6), (5, 4), (8, 5)

_REASONS = 12
"""Maximum number of lines that trace a mistake to rules."""

Expected = Callable[[Position], set[frozenset[str]]]


def nothing_yet(program: object) -> bool:
    """Whether a program contains only comments, or no text."""
    lines = program.splitlines() if isinstance(program, str) else []
    return not [line for line in lines if line.split("%")[0].strip()]


BEGIN = Verdict(False, "there is no rule here yet; write yours between the quotes")


def compare_answers(
    program: str,
    files: Iterable[Path],
    show: Sequence[str],
    positions: Iterable[Position],
    expected: Expected,
    praise: str,
) -> Verdict:
    """Check that a program has the expected answer sets in some positions."""
    if nothing_yet(program):
        return BEGIN
    positions, files = [*positions], [*files]
    for at in positions:
        try:
            given = answer_sets(*files, facts(at), program, show=show, most=MOST)
        except ProgramError as error:
            return Verdict(False, str(error))
        found = {answer.atoms for answer in given}
        if found != (wanted := expected(at)):
            if slip := find_slip(program, files, facts(at), show):
                return Verdict(False, slip)
            told = explain_difference(program, [*files, facts(at)], found, wanted)
            return Verdict(False, difference(found, wanted), at, told)
    return Verdict(True, f"{praise} ({len(positions)} positions compared)")


_LIKE = 0.6
"""The similarity, from 0 to 1, of a name that was probably meant."""

_LETTER = re.compile(r"[a-z]\d?'?")
"""A name that was probably meant as a variable."""


def find_slip(program: str, files: Sequence[Path], given: str, read: Sequence[str]) -> str | None:
    """Return a line about a misspelt name in a program, or None.

    clingo accepts such a name in silence: nothing derives it, or nothing reads it.

    Args:
        program: the reader's program, which clingo accepts.
        files: the encodings that it runs with.
        given: the facts that it runs with.
        read: the names of the predicates that the check reads.
    """
    with tempfile.TemporaryDirectory() as folder:
        mine, beside = Path(folder, "program.lp"), Path(folder, "facts.lp")
        mine.write_text(program)
        beside.write_text(given)
        try:
            yours, others = statements([mine]), statements([*files, beside])
        except EncodingError:  # clingo accepts more than the advisor, such as other parts
            return None
    known = {head.signature for statement in (*yours, *others) for head in statement.heads}
    names = {name for statement in others for name in statement.constants}
    names |= {statement.name for statement in (*yours, *others) if statement.kind == "#const"}
    for statement in yours:
        for atom in statement.body:
            if atom.signature not in known:
                return f"line {statement.line}: {unknown(atom.signature, known)}"
        for name in (
            each for atom in (*statement.heads, *statement.body) for each in atom.constants
        ):
            if _LETTER.fullmatch(name) and name not in names:
                return (
                    f"line {statement.line}: '{name}' is a name that stands for itself "
                    f"(a variable begins with a capital: {name.upper()})"
                )
    heads = [(statement, head) for statement in yours for head in statement.heads]
    derived = {head.name for _, head in heads}
    read_here = {atom.signature for statement in yours for atom in statement.body}
    for wanted in (name for name in read if name not in derived):
        for statement, head in heads:
            if head.signature not in read_here and get_close_matches(head.name, [wanted], 1, _LIKE):
                said = f"nothing reads '{head.signature}' (did you mean '{wanted}'?)"
                return f"line {statement.line}: {said}"
    return None


def difference(found: set[frozenset[str]], wanted: set[frozenset[str]]) -> str:
    if not found:
        return "in this position your program has no answer set; it contradicts itself"
    if len(found) == len(wanted) == 1:
        ((have,), (should,)) = found, wanted
        if extra := have - should:
            return f"in this position your answer set has {_some(extra)}, which should not hold"
        return f"in this position your answer set lacks {_some(should - have)}"
    count = f"{_many(len(found))} in this position, and there should be {len(wanted)}"
    if strange := found - wanted:
        return f"your program has {count}; {{{_some(_first(strange))}}} should be none"
    return f"your program has {count}; {{{_some(_first(wanted - found))}}} is missing"


def explain_difference(
    program: str,
    beside: Iterable[str | Path],
    found: set[frozenset[str]],
    wanted: set[frozenset[str]],
    best: bool = False,
) -> str:
    """Trace the first wrong atom of a program's only answer set, or a contradiction, to rules.

    Args:
        program: the reader's program.
        beside: files, and programs as texts, that it runs with.
        found: the answer sets of all of these.
        wanted: those that they should have.
        best: whether only the best answer sets count.

    Returns:
        Lines that say why the atom holds, or what each rule lacks to derive it; empty if several
        answer sets differ.
    """
    if len(found) > 1 or len(wanted) > 1:
        return ""
    (have,), (should,) = found or {frozenset()}, wanted
    atom = min(have - should or should - have) if found else None
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, "program.lp")]
        files[0].write_text(program)
        for number, each in enumerate(beside, 1):
            file = each if isinstance(each, Path) else Path(folder, f"given{number}.lp")
            if isinstance(each, str):
                file.write_text(each)
            files.append(file)
        try:
            told = why(files, atom, model="best" if best else None).text(_REASONS)
        except AdvisorError:
            return ""
    told = re.sub(rf" *{re.escape(folder)}/given.*", "", told)
    return told.replace(f"{folder}/program.lp:", "line ").replace(f"{ENCODINGS}/", "")


def _first(sets: set[frozenset[str]]) -> frozenset[str]:
    return min(sets, key=sorted)


def _many(count: int) -> str:
    if count == 1:
        return "one answer set"
    return f"{count} answer sets{' or more' if count >= MOST else ''}"


def _some(atoms: Iterable[str]) -> str:
    """List the first three atoms, and the number of others."""
    named = sorted(atoms)
    more = f" and {len(named) - 3} more" if len(named) > 3 else ""
    return ", ".join(named[:3]) + more
