"""Finds the squares of a text board that a move names, so a click can make it.

The rules say on which square an atom of a state is shown. The arguments that all atoms of a square
share, such as the 2 and 3 of ``man(white, 2, 3)`` and ``man(black, 2, 3)``, are the square's name;
a move names the squares whose names are among its arguments.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

from advisor.games.display import Square
from advisor.games.rules import Rules
from advisor.games.translation import Translation
from aspcircuits.clingo_api import Term
from aspcircuits.tables import cone


class Squares:
    """The squares of a game's text board; `all` is empty if the rules describe no board."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.all = {(x, y) for (_, x, y, _), _ in rules.derived_atoms("at")}

    @cached_property
    def atoms(self) -> dict[Square, list[Term]]:
        """The base atoms by the one square whose contents they describe."""
        shown: dict[Term, set[Square]] = defaultdict(set)
        translation = Translation.load_or_make(self._rules, ["at"])
        atoms = dict(zip(translation.state, self._rules.base, strict=True))
        for (_, x, y, _), literal in translation.of("at"):
            for node in atoms.keys() & cone(translation.netlist, [literal]):
                shown[atoms[node]].add((x, y))
        named: dict[Square, list[Term]] = defaultdict(list)
        for atom, squares in shown.items():
            if len(squares) == 1:
                named[next(iter(squares))].append(atom)
        return named

    @cached_property
    def _names(self) -> dict[tuple[Term, ...], Square]:
        found = {_common(members): square for square, members in self.atoms.items()}
        return {name: square for name, square in found.items() if name}

    @cached_property
    def _argument_values(self) -> dict[tuple[Term, int], set[Term]]:
        """The values of each argument of moves.

        Keys are the moves' name and the number of arguments from this one on.
        """
        found: dict[tuple[Term, int], set[Term]] = defaultdict(set)
        for move in self._rules.moves:
            for i, value in enumerate(move[1:] if isinstance(move, tuple) else ()):
                found[move[0], len(move) - 1 - i].add(value)
        return found

    def _is_square_name(self, name: tuple[Term, ...], move: Term, left: int) -> bool:
        """Return whether this part of a move is the name of a square.

        A single number is one only if it can name most squares: otherwise it may be a distance.
        """
        if name not in self._names or len(name) > 1 or not isinstance(name[0], int):
            return name in self._names
        return 2 * len(self._argument_values[move[0], left]) > len(self._names)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows; 0 without a board."""
        width, height = (max((s[axis] for s in self.all), default=0) for axis in (0, 1))
        return width, height

    def of(self, move: Term) -> list[Square]:
        """Return the squares that a move names, in its own order; none if it names none."""
        left = move[1:] if isinstance(move, tuple) else ()
        lengths = sorted({*map(len, self._names)}, reverse=True)
        found = []
        while left:
            length = next(
                (n for n in lengths if self._is_square_name(left[:n], move, len(left))), 0
            )
            if length:
                found.append(self._names[left[:length]])
            left = left[length or 1 :]
        return found

    def squares_to_show(self, move: Term) -> Sequence[Square]:
        """Return the squares to point at for a move: those it names, else those whose click makes
        it.
        """
        return self.of(move) or self._rules.display.clicks.get(move, ())


def _common(atoms: list[Term]) -> tuple[Term, ...]:
    """Return the arguments that atoms share; () if there are none.

    They are the 2 and 3 of ``man(white, 2, 3)``, ``man(black, 2, 3)`` and ``king(white, 2, 3)``;
    with several predicates, the arguments that all of them share.
    """
    kinds: dict[tuple[Term, int], list[Term]] = defaultdict(list)
    for atom in atoms:
        kinds[atom[0], len(atom)].append(atom)
    shared = [
        tuple(values[0] for values in zip(*members, strict=True) if len({*values}) == 1)[1:]
        for members in kinds.values()
    ]
    least = min(shared, key=len)
    return least if all(_is_subsequence(least, each) for each in shared) else ()


def _is_subsequence(part: tuple[Term, ...], whole: tuple[Term, ...]) -> bool:
    """Return whether one tuple is a subsequence of the other."""
    left = iter(whole)
    return all(value in left for value in part)
