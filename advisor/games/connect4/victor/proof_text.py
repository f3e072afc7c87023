"""A proof in plain sentences, as a picture of the board, and as JSON. No colours, no printing.

What a rule says stands beside it in ``encodings/connect4/victor``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from advisor.games.connect4.board import DISCS, Square
from advisor.games.connect4.notation import square_name
from advisor.games.connect4.victor.plan import DERIVED, Proof, Rule
from advisor.games.connect4.victor.playout import PlayOut
from advisor.games.connect4.victor.prove import PLAN
from advisor.games.players import COLOURS, named
from advisor.settings import texts

NO_PROOF = "no proof found (that says nothing about the position)"

_LETTERS = {
    "claimeven": "cC",
    "vertical": "vV",
    "baseinverse": "BB",
    "baseclaim": "AAAA",
    "lowinverse": "lLlL",
    "highinverse": "hHHhHH",
    "odd threat": "T",
    "threat combination": "TTT",
}
"""A letter for each square of a rule; small where the controller leaves the square to the other."""

_BETWEEN_COLUMNS = ("baseinverse", "baseclaim", "lowinverse", "highinverse")
"""Rules whose squares cannot be paired off by looking at the picture, so they are numbered."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One square of the picture.

    Attributes:
        text: a disc, a rule's letter with its number if it has one, or a dot.
        kind: ``disc``, ``waiting``, ``empty`` or the name of the rule; for colours.
    """

    text: str
    kind: str


def report(proof: Proof | None, played: PlayOut | None = None) -> list[str]:
    """Everything that is to be said, line by line."""
    if proof is None:
        return [NO_PROOF]
    lines = [verdict(proof)]
    if not proof.start.over:
        lines += ["", *picture_lines(proof), "", *sentences(proof), "", *tally(proof)]
    if played is not None:
        lines += ["", check_line(played)]
    return lines


def verdict(proof: Proof) -> str:
    """Who is proved to hold or to win, and his first move if it is his turn."""
    result = "wins" if proof.outcome == "wins" else "holds at least a draw"
    begin = "" if proof.first is None else f", beginning with column {proof.first}"
    return f"proved by Allis' rules: {named(proof.player)} {result}{begin}"


def picture(proof: Proof) -> list[list[Cell]]:
    """The board that the plan begins from, top row first, with a letter on each square in it."""
    start = proof.start
    marks: dict[Square, Cell] = {square: Cell(".", "waiting") for square in proof.waiting}
    total, count = Counter(rule.name for rule in proof.rules), Counter[str]()
    for rule in proof.rules:
        if rule.name in DERIVED:
            continue
        count[rule.name] += 1
        several = rule.name in _BETWEEN_COLUMNS and total[rule.name] > 1
        number = str(count[rule.name]) if several else ""
        for square, letter in zip(rule.squares, _LETTERS[rule.name], strict=True):
            marks[square] = Cell(letter + number, rule.name)
    g = start.geometry

    def cell(square: Square) -> Cell:
        if player := start.at(*square):
            return Cell(DISCS[player], "disc")
        return marks.get(square, Cell(".", "empty"))

    return [
        [cell((row, column)) for column in range(1, g.width + 1)] for row in range(g.height, 0, -1)
    ]


def picture_lines(proof: Proof) -> list[str]:
    """The picture as text, with rows and columns numbered and a line about the letters."""
    rows = picture(proof)
    wide = max(len(cell.text) for row in rows for cell in row) + 1
    lines = [
        f"{len(rows) - i:>3} " + "".join(f" {cell.text:<{wide}}" for cell in row).rstrip()
        for i, row in enumerate(rows)
    ]
    numbers = "".join(f" {column:<{wide}}" for column in range(1, len(rows[0]) + 1)).rstrip()
    return [*lines, "    " + numbers, "", legend(proof)]


def legend(proof: Proof) -> str:
    """What the letters of the picture stand for."""
    names = dict.fromkeys(rule.name for rule in proof.rules if rule.name not in DERIVED)
    parts = [f"{_LETTERS[name][-1]} {name}" for name in names]
    if any(letter.islower() for name in names for letter in _LETTERS[name]):
        mover, other = COLOURS[proof.player], COLOURS[3 - proof.player]
        parts.append(f"small letters: {mover} leaves the square to {other}")
    return "; ".join(parts) if parts else "no rule is needed: no line is open"


def sentences(proof: Proof) -> list[str]:
    """The plan: for each column or columns what to do there; then what follows from it."""
    me, other = COLOURS[proof.player], COLOURS[3 - proof.player]
    spoken = [*_threat(proof, me, other), *_answers(proof, me, other)]
    spoken.append(_elsewhere(proof, me, other))
    return [*spoken, *_derived(proof, me, other)]


def tally(proof: Proof) -> list[str]:
    """How many lines were open, and which rules answer how many of them."""
    other = COLOURS[3 - proof.player]
    count = Counter(rule.name for _, rule in proof.solved)
    total = len(proof.solved)
    if not total:
        return [f"{other} has no open line left."]
    names = dict.fromkeys(rule.name for rule in proof.rules)
    by_rule = ", ".join(f"{count[name]} by {name}" for name in names if count[name])
    return [f"{other} can still hope for {_number(total, 'line')}; all are answered: {by_rule}."]


def check_line(played: PlayOut) -> str:
    """What came out when the plan was played out."""
    if played.failure is not None:
        moves = " ".join(map(str, played.failure))
        return f"checked: the plan FAILED after the moves {moves}"
    if played.exhaustive:
        positions = _number(played.games, "position")
        return f"checked: the plan holds against every reply ({positions})"
    return f"checked: the plan held in {played.games} games against random replies"


def to_json(proof: Proof | None, played: PlayOut | None = None) -> dict[str, Any]:
    """The proof as plain data; a square is [row, column], both from 1, row 1 at the bottom."""
    if proof is None:
        return {"proved": None}
    ids = {rule: number for number, rule in enumerate(proof.rules)}
    data: dict[str, Any] = {
        "proved": {"player": DISCS[proof.player], "outcome": proof.outcome, "first": proof.first},
        "by": "rules",
        "rules": [{"rule": r.name, "squares": [list(s) for s in r.squares]} for r in proof.rules],
        "lines": [
            {"squares": [list(square) for square in line], "answered_by": ids[rule]}
            for line, rule in proof.solved
        ],
        "waiting": [list(square) for square in proof.waiting],
    }
    if played is not None:
        data["check"] = {
            "exhaustive": played.exhaustive,
            "positions" if played.exhaustive else "games": played.games,
            "failure": None if played.failure is None else list(played.failure),
        }
    return data


# Sentences


def _threat(proof: Proof, me: str, other: str) -> Iterator[str]:
    if proof.threat is None:
        return
    first, *rest = proof.threat.squares
    squares = _numbered([first, *sorted(rest)])
    columns = sorted({column for _, column in proof.threat.squares})
    yield f"{_headed(columns, proof.threat)} {_said(proof.threat.name, me, other, squares)}."


def _answers(proof: Proof, me: str, other: str) -> Iterator[str]:
    """One sentence for all columns with the same Claimevens; one for each other answer."""
    even: dict[int, list[int]] = {}
    for rule in proof.answers:
        if rule.name == "claimeven":
            even.setdefault(rule.squares[0][1], []).append(rule.squares[0][0])
    alike: dict[tuple[int, ...], list[int]] = {}
    for column, lowers in sorted(even.items()):
        alike.setdefault(tuple(lowers), []).append(column)
    said: list[tuple[list[int], str]] = []
    for rows, columns in alike.items():
        places = {"1": _places(columns, rows), "2": _places(columns, [row + 1 for row in rows])}
        what = _said("claimeven", me, other, places)
        said.append((columns, f"{_columns(columns)} (claimeven): {what}."))
    for rule in proof.answers:
        if rule.name != "claimeven":
            columns = sorted({column for _, column in rule.squares})
            squares = _numbered(rule.squares)
            clauses = [_said(name, me, other, squares) for name in (rule.name, *_also(rule, proof))]
            said.append((columns, f"{_headed(columns, rule)} {'; '.join(clauses)}."))
    yield from (sentence for _, sentence in sorted(said))


def _also(rule: Rule, proof: Proof) -> Iterator[str]:
    """What else is to be told of an answer in this position."""
    if rule.name == "vertical" and rule.squares[1] in _completed(proof):
        yield "vertical(spent)"
    if rule.name == "highinverse":
        start = proof.start
        if any(start.row_of(column) == row for row, column in rule.squares[::3]):
            yield "highinverse(playable)"


def _completed(proof: Proof) -> set[Square]:
    """The squares of the lines that the controller would complete before others."""
    return {
        square
        for rule in proof.rules
        if rule.name in ("before", "specialbefore")
        for square in rule.squares
    }


def _elsewhere(proof: Proof, me: str, other: str) -> str:
    by_column: dict[int, list[int]] = {}
    for row, column in proof.waiting:
        by_column.setdefault(column, []).append(row)
    free = ", ".join(run for column, rows in by_column.items() for run in _runs(column, rows))
    return _said(f"waiting({'free' if free else 'none'})", me, other, {"free": free}) + "."


def _derived(proof: Proof, me: str, other: str) -> Iterator[str]:
    for rule in proof.rules:
        if rule.name not in DERIVED:
            continue
        lines = sum(1 for _, solver in proof.solved if solver == rule)
        wins = rule.name == "aftereven" and proof.outcome == "wins"
        name = "aftereven(wins)" if wins else rule.name
        said = [_said(name, me, other, _numbered(rule.squares))]
        if lines:
            said.append(_said("solved", me, other, {"lines": _number(lines, "line")}))
        yield f"{rule.name}: {'; '.join(said)}."


def _said(name: str, me: str, other: str, values: Mapping[str, str]) -> str:
    """What the encodings say of a rule; of several sentences one after the other."""
    told = texts.told(PLAN, "sentence")
    subject = _SUBJECTS.get(name, name)
    parts = [subject] if subject in told else [f"{subject}({i})" for i in (1, 2)]
    return "; ".join(texts.fill(told[p], {"me": me, "you": other, **values}) for p in parts)


_SUBJECTS = {"odd threat": "odd_threat", "threat combination": "combination"}
"""What the encodings call rules whose names have two words."""


def _numbered(squares: Iterable[Square]) -> dict[str, str]:
    """Squares as the sentences have them: ``{1}``, ``{2}``, ..."""
    return {str(i): square_name(square) for i, square in enumerate(squares, start=1)}


def _headed(columns: Sequence[int], rule: Rule) -> str:
    return f"{_columns(columns)} ({rule.name}):"


def _columns(columns: Sequence[int]) -> str:
    return f"column{'s' if len(columns) > 1 else ''} {_and(columns)}"


def _places(columns: Sequence[int], rows: Sequence[int]) -> str:
    """The squares on some rows of a column; of several columns alike the rows."""
    if len(columns) == 1:
        return _squares(columns[0], rows)
    return f"row{'s' if len(rows) > 1 else ''} {_and(rows)}"


def _squares(column: int, rows: Sequence[int]) -> str:
    return _and(square_name((row, column)) for row in rows)


def _runs(column: int, rows: Sequence[int]) -> Iterator[str]:
    """Squares of a column, those above each other from end to end: ``a1``, ``a3-a5``."""
    ends: list[list[int]] = []
    for row in sorted(rows):
        if ends and ends[-1][-1] == row - 1:
            ends[-1] = [ends[-1][0], row]
        else:
            ends.append([row])
    yield from ("-".join(square_name((row, column)) for row in run) for run in ends)


def _and(numbers: Iterable[int | str]) -> str:
    *rest, last = map(str, numbers)
    return f"{', '.join(rest)} and {last}" if rest else last


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
