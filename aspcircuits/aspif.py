"""Ground programs in aspif, the format in which clingo passes them to a solver.

The format is described by Kaminski, Schaub and Wanko, "A tutorial on hybrid answer set solving with
clingo" (2017), appendix.
"""

from collections.abc import Callable

from aspcircuits.clingo_api import GroundProgram, Sum, parse
from aspcircuits.errors import EncodingError, InputError

HEADER = "asp 1 0 0"
"""First characters of a text in this format."""


def read(text: str, place: str) -> GroundProgram:
    """Read a ground program.

    Args:
        text: begins with `HEADER`.
        place: prefix of the line number in errors, as ``program.aspif:``.

    Raises:
        EncodingError: line and reason, if the text is not in this format.
    """
    program = GroundProgram()
    named: list[tuple[str, list[int]]] = []
    top = 0
    lines = text.splitlines()
    for number, line in enumerate(lines[1:], 2):
        kind, _, rest = line.partition(" ")
        if kind == "0":
            break
        if kind == "10" or not line.strip():  # a comment
            continue
        try:
            if kind == "4":
                named.append(_output(rest))
                continue
            words = _Words(rest)
            _take(program, kind, words)
            top = max(top, words.largest)
        except (ValueError, IndexError, KeyError):
            raise EncodingError(f"{place}{number}: no statement of aspif") from None
    else:
        raise EncodingError(f"{place}{len(lines)}: the last line should be 0")
    top = max((top, *(abs(literal) for _, condition in named for literal in condition)))
    for name, condition in named:
        try:
            atom = parse(name)
        except InputError as error:
            raise EncodingError(f"{place} {error}") from None
        atom_number = condition[0] if len(condition) == 1 and condition[0] > 0 else 0
        if not atom_number:
            top = atom_number = top + 1
            program.rules.setdefault(top, []).append(condition)
        program.name(atom, atom_number)
    return program


class _Words:
    """The numbers of a line, read one after the other."""

    def __init__(self, text: str) -> None:
        self._left = iter(map(int, text.split()))
        self.largest = 0

    def one(self) -> int:
        found = next(self._left, None)
        if found is None:
            raise IndexError
        return found

    def atoms(self) -> list[int]:
        found = [self.one() for _ in range(self.one())]
        self.largest = max((self.largest, *map(abs, found)))
        return found

    def weighted_literals(self) -> list[tuple[int, int]]:
        found = [(self.one(), self.one()) for _ in range(self.one())]
        self.largest = max((self.largest, *(abs(literal) for literal, _ in found)))
        return found


def _take(program: GroundProgram, kind: str, words: _Words) -> None:
    if kind == "1":
        choice, heads = bool(words.one()), words.atoms()
        if words.one():
            program.rule(choice, heads, Sum(words.one(), tuple(words.weighted_literals())))
        else:
            program.rule(choice, heads, words.atoms())
        return
    _STATEMENTS[kind](program, words)


def _minimise(program: GroundProgram, words: _Words) -> None:
    priority = words.one()
    program.minimize(priority, words.weighted_literals())


def _external(program: GroundProgram, words: _Words) -> None:
    atom = words.one()
    words.largest = max(words.largest, atom)
    program.externals.append(atom)


def _edge(program: GroundProgram, words: _Words) -> None:
    start, end = words.one(), words.one()
    program.acyc_edge(start, end, words.atoms())


def _theory(program: GroundProgram, words: _Words) -> None:
    program.theory_atom(0)


def _nothing(program: GroundProgram, words: _Words) -> None:
    """Ignore projection, assumptions and heuristics, which do not change which atoms hold."""


_STATEMENTS: dict[str, Callable[[GroundProgram, _Words], None]] = {
    "2": _minimise,
    "3": _nothing,
    "5": _external,
    "6": _nothing,
    "7": _nothing,
    "8": _edge,
    "9": _theory,
}


def _output(text: str) -> tuple[str, list[int]]:
    """Return the shown text, and the literals under which it is shown."""
    length, _, rest = text.partition(" ")
    name, condition = rest[: int(length)], rest[int(length) :]
    count, *literals = map(int, condition.split())
    if count != len(literals):
        raise ValueError
    return name, literals
