"""Find the text board in a rule sheet: derive ``at/3`` from facts such as ``cell(X, Y, C)``.

Two arguments of a relation name a square if their values form a sequence: numbers, letters, or
words such as ``c1`` to ``c8``. The third argument names the piece on the square.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from advisor.plugins.gdl.language import Signature, signature
from advisor.plugins.gdl.sheet import Names
from aspcircuits.clingo_api import Term, render

_BLANK = {"b", "blank", "empty", "e", "free", "none", "nil"}
"""Names that sheets give to an empty square."""

_UPRIGHT = ("r", "row", "y", "yy")
"""Prefixes of words that stand for rows."""

_FEWEST, _MOST = 3, 40
"""Bounds of the number of columns or rows of a board."""


@dataclass(frozen=True, slots=True)
class _Board:
    """A relation that shows a board: its arguments for column and row, and their words in order."""

    name: str
    axes: tuple[int, int]
    steps: tuple[list[Term], list[Term]]
    symbol: int
    atoms: int


def board(base: Iterable[Term], start: Iterable[Term], names: Names) -> str:
    """Write rules for ``at/3``; return an empty text if no relation looks like a board."""
    by_name: dict[Signature, list[Sequence[Term]]] = {}
    for atom in base:
        if signature(atom)[1] == 3:
            by_name.setdefault(signature(atom), []).append(atom)
    found = [made for (name, _), atoms in by_name.items() if (made := _board(name, atoms))]
    if not found:
        return ""
    best = max(found, key=lambda one: one.atoms)
    symbols = {atom[best.symbol]: None for atom in by_name[best.name, 3]}
    standing = Counter(
        atom[best.symbol] for atom in start if signature(atom) == (best.name, 3)
    ).most_common(1)
    blank = standing[0][0] if standing and standing[0][0] in _BLANK else None
    return _rules(best, _short([s for s in symbols if s != blank]), names)


def _board(name: str, atoms: Sequence[Sequence[Term]]) -> _Board | None:
    values = [{atom[i] for atom in atoms} for i in range(4)]
    steps = {i: found for i in (1, 2, 3) if (found := _in_order(values[i]))}
    if len(steps) < 2:
        return None
    column, row = sorted(sorted(steps, key=lambda i: (-len(steps[i]), i))[:2])
    if str(steps[column][0]).rstrip("0123456789") in _UPRIGHT:
        column, row = row, column
    (symbol,) = {1, 2, 3} - {column, row}
    squares = {(atom[column], atom[row]) for atom in atoms}
    if 2 * len(squares) < len(steps[column]) * len(steps[row]):
        return None
    return _Board(name, (column, row), (steps[column], steps[row]), symbol, len(atoms))


def _in_order(values: Iterable[Term]) -> list[Term]:
    """Sort terms that form a sequence; return an empty list if they do not."""
    placed: dict[tuple[str, int], Term] = {}
    for value in values:
        text = "" if isinstance(value, tuple) else str(value)
        if re.fullmatch(r"[a-z]", text):
            placed["letter", ord(text)] = value
        elif match := re.fullmatch(r"([a-z]*?)_?(\d{1,3})", text):
            placed[match[1], int(match[2])] = value
    kinds = {kind for kind, _ in placed}
    numbers = [number for _, number in sorted(placed)]
    alike = len(kinds) == 1 and len(placed) == len({*values})
    if not alike or not _FEWEST <= len(numbers) <= _MOST:
        return []
    dense = numbers[-1] - numbers[0] < 2 * len(numbers)
    return [placed[key] for key in sorted(placed)] if dense else []


def _short(symbols: Iterable[Term]) -> dict[Term, str]:
    """Give each term its own letter or two: x, o, or wp, wk for white pieces."""
    found: dict[Term, str] = {}
    texts = {symbol: re.sub(r"\W", "", render(symbol).lower()) for symbol in symbols}
    for symbol, text in sorted(texts.items(), key=lambda item: (len(item[1]), item[1])):
        shared = _shared_prefix(text, texts.values())
        second = text[shared:] + text[1:]
        choices = [text[:1], *(text[:1] + letter for letter in second)]
        if shared > 1 or len(text) == 2:
            choices = [*choices[1:], choices[0]]
        found[symbol] = next((c for c in choices if c and c not in found.values()), text)
    return found


def _shared_prefix(text: str, texts: Iterable[str]) -> int:
    """Return the length of the prefix that all words with the first letter of a word share."""
    alike = [other for other in texts if other[:1] == text[:1] and other != text]
    places = zip(text, *alike, strict=False)
    common = takewhile(lambda letters: len({*letters}) == 1, places)
    return len([*common]) if alike else 1


def _rules(found: _Board, symbols: Mapping[Term, str], names: Names) -> str:
    variables = {found.axes[0]: "X", found.axes[1]: "Y", found.symbol: "S"}
    shown = {"X": "X", "Y": "Y", "S": "S"}
    more, lines = [], []
    for variable, steps, what in zip("XY", found.steps, ("column", "row"), strict=True):
        if [*range(1, 1 + len(steps))] != steps:
            name = names.fresh("relation", f"{what}_of")
            shown[variable] = f"{variable}'"
            more.append(f"{name}({variable}, {variable}')")
            pairs = "; ".join(f"{render(step)}, {i}" for i, step in enumerate(steps, 1))
            lines.append(f"{name}({pairs}).\n")
    name = names.fresh("relation", "symbol_of")
    if all(render(symbol) == short for symbol, short in symbols.items()):
        more.append(f"{name}(S)")
        lines.append(f"{name}({'; '.join(map(render, symbols))}).\n")
    else:
        shown["S"] = "S'"
        more.append(f"{name}(S, S')")
        lines += [f"{name}({render(symbol)}, {short}).\n" for symbol, short in symbols.items()]
    atom = f"{found.name}({', '.join(variables[i] for i in (1, 2, 3))})"
    head = f"at({shown['X']}, {shown['Y']}, {shown['S']})"
    return "".join(
        ["% The board.\n", f"{head} :- {', '.join([f'true({atom})', *more])}.\n", *lines]
    )
