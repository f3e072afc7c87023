"""A proof by rules in plain sentences, as a picture of the board, and as JSON.

The text of a rule is beside it in ``encodings/connect4/victor``.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from advisor.games.connect4.board import Board
from advisor.games.connect4.notation import numbered_rows, square_name
from advisor.games.connect4.wording import columns_text
from advisor.games.phrasing import Cell
from advisor.games.players import COLOURS
from advisor.games.wording import join_words
from advisor.plugins.proofs.victor.plan import DERIVED, Proof, RuleInstance
from advisor.plugins.proofs.victor.prove import PLAN, bound, prove
from advisor.settings import texts
from aspcircuits.stopping import Stop

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
"""A letter for each square of a rule; small if the controller leaves the square to the opponent."""

_BETWEEN_COLUMNS = ("baseinverse", "baseclaim", "lowinverse", "highinverse")
"""Rules whose squares cannot be paired by looking at the picture, so they are numbered."""

_PROVED = {"wins": "proved to win", "holds": "proved to hold at least a draw"}


def report(proof: Proof) -> list[str]:
    """Write the plan, line by line; empty if its first move ends the game."""
    if proof.start.over:
        return []
    return ["", *picture_lines(proof), "", *sentences(proof), "", tally(proof)]


def picture_lines(proof: Proof) -> list[str]:
    """Draw the board that the plan begins from with a letter on each of its squares, and a legend.

    Letters have the number of their rule if its squares cannot be paired by looking.
    """
    marks: dict[Cell, str] = {}
    total, count = Counter(rule.name for rule in proof.rules), Counter[str]()
    for rule in proof.rules:
        if rule.name in DERIVED:
            continue
        count[rule.name] += 1
        several = rule.name in _BETWEEN_COLUMNS and total[rule.name] > 1
        number = str(count[rule.name]) if several else ""
        for square, letter in zip(rule.squares, _LETTERS[rule.name], strict=True):
            marks[square] = letter + number
    wide = max(map(len, marks.values()), default=1) + 1
    return [*numbered_rows(proof.start, marks, f" {{:<{wide}}}"), "", legend(proof)]


def legend(proof: Proof) -> str:
    """Return the meaning of the picture's letters."""
    names = dict.fromkeys(rule.name for rule in proof.rules if rule.name not in DERIVED)
    parts = [f"{_LETTERS[name][-1]} {name}" for name in names]
    if any(letter.islower() for name in names for letter in _LETTERS[name]):
        mover, other = COLOURS[proof.player], COLOURS[3 - proof.player]
        parts.append(f"small letters: {mover} leaves the square to {other}")
    return "; ".join(parts) if parts else "no rule is needed: no line is open"


def sentences(proof: Proof) -> list[str]:
    """Write the plan: an instruction for each column or pair of columns, then its consequences."""
    return [*_threat(proof), *_answers(proof), _other_squares(proof), *_describe_derived(proof)]


def proofs(
    position: Board, moves: Sequence[int], best: Sequence[int], stop: Stop | None = None
) -> list[str]:
    """Write the proofs for the player to move after each of these moves; [] if there are none.

    For the best moves they contain the plan; for others they only state that one exists. Boards
    that the rules do not cover have no proofs.
    """
    told = []
    others = defaultdict(list)
    for column in moves:
        after = position.after(column)
        outcome = bound(after, position.turn, stop=stop)
        if outcome is None:
            continue
        if column not in best:
            others[outcome].append(column)
        elif proof := prove(after, player=position.turn, stop=stop):
            why = "; ".join(line.rstrip(".") for line in sentences(proof))
            told.append(f"Column {column} is {_PROVED[outcome]}, because {why}.")
    for outcome, columns in others.items():
        also = " too" if told else ""
        are = "is" if len(columns) == 1 else "are"
        told.append(f"{columns_text(columns).capitalize()} {are} {_PROVED[outcome]}{also}.")
    return told


def tally(proof: Proof) -> str:
    """Count the open lines, and how many each rule answers."""
    other = COLOURS[3 - proof.player]
    count = Counter(rule.name for _, rule in proof.solved)
    total = len(proof.solved)
    if not total:
        return f"{other} has no open line left."
    names = dict.fromkeys(rule.name for rule in proof.rules)
    by_rule = ", ".join(f"{count[name]} by {name}" for name in names if count[name])
    return f"{other} can still hope for {_number(total, 'line')}; all are answered: {by_rule}."


def to_json(proof: Proof) -> dict[str, Any]:
    """Return the plan as plain data; a square is [row, column], from 1, row 1 at the bottom."""
    ids = {rule: number for number, rule in enumerate(proof.rules)}
    return {
        "by": "rules",
        "rules": [{"rule": r.name, "squares": [list(s) for s in r.squares]} for r in proof.rules],
        "lines": [
            {"squares": [list(square) for square in line], "answered_by": ids[rule]}
            for line, rule in proof.solved
        ],
        "waiting": [list(square) for square in proof.waiting],
    }


# Sentences


def _threat(proof: Proof) -> Iterator[str]:
    if proof.threat is not None:
        first, *rest = proof.threat.squares
        name = proof.threat.name
        yield _about(proof, name, [first, *sorted(rest)], [name])


def _answers(proof: Proof) -> Iterator[str]:
    """Yield one sentence for all columns with the same Claimevens; one for each other answer."""
    even = defaultdict[int, list[int]](list)
    for rule in proof.answers:
        if rule.name == "claimeven":
            row, column = rule.squares[0]
            even[column].append(row)
    alike = defaultdict[tuple[int, ...], list[int]](list)
    for column in sorted(even):
        alike[tuple(even[column])].append(column)
    said: list[tuple[list[int], str]] = []
    for rows, columns in alike.items():
        places = {"1": _places(columns, rows), "2": _places(columns, [row + 1 for row in rows])}
        what = _rule_sentence(proof, "claimeven", places)
        said.append((columns, f"{columns_text(columns)} (claimeven): {what}."))
    for rule in proof.answers:
        if rule.name != "claimeven":
            clauses = [rule.name, *_also(rule, proof)]
            told = _about(proof, rule.name, rule.squares, clauses)
            said.append((_columns(rule.squares), told))
    yield from (sentence for _, sentence in sorted(said))


def _also(rule: RuleInstance, proof: Proof) -> Iterator[str]:
    """Yield further subjects of sentences about an answer in this position."""
    # Lines that the controller would complete before others.
    before = [r for r in proof.rules if r.name in ("before", "specialbefore")]
    if rule.name == "vertical" and any(rule.squares[1] in each.squares for each in before):
        yield "vertical(spent)"
    if rule.name == "highinverse":
        start = proof.start
        if any(start.row_of(column) == row for row, column in rule.squares[::3]):
            yield "highinverse(playable)"


def _other_squares(proof: Proof) -> str:
    """Name the squares without an appointment, runs from end to end: ``a1, b3-b5``."""
    runs: list[list[Cell]] = []
    for row, column in proof.waiting:  # column by column, bottom first
        if runs and runs[-1][-1] == (row - 1, column):
            runs[-1] = [runs[-1][0], (row, column)]
        else:
            runs.append([(row, column)])
    free = ", ".join("-".join(map(square_name, run)) for run in runs)
    return _rule_sentence(proof, f"waiting({'free' if free else 'none'})", {"free": free}) + "."


def _describe_derived(proof: Proof) -> Iterator[str]:
    for rule in proof.rules:
        if rule.name not in DERIVED:
            continue
        lines = sum(1 for _, solver in proof.solved if solver == rule)
        wins = rule.name == "aftereven" and proof.outcome == "wins"
        name = "aftereven(wins)" if wins else rule.name
        said = [_rule_sentence(proof, name, _name_squares(rule.squares))]
        if lines:
            said.append(_rule_sentence(proof, "solved", {"lines": _number(lines, "line")}))
        yield f"{rule.name}: {'; '.join(said)}."


def _rule_sentence(proof: Proof, name: str, values: Mapping[str, str]) -> str:
    """Return the encodings' sentence about a rule; several sentences one after the other."""
    told = texts.load_texts(PLAN, "sentence")
    subject = name.removeprefix("threat ").replace(" ", "_")  # odd_threat, combination
    parts = [subject] if subject in told else [f"{subject}({i})" for i in (1, 2)]
    players = {"me": COLOURS[proof.player], "you": COLOURS[3 - proof.player]}
    return "; ".join(texts.fill(told[part], {**players, **values}) for part in parts)


def _name_squares(squares: Iterable[Cell]) -> dict[str, str]:
    """Return squares by the names of placeholders: ``{1}``, ``{2}``, ..."""
    return {str(i): square_name(square) for i, square in enumerate(squares, start=1)}


def _columns(squares: Iterable[Cell]) -> list[int]:
    return sorted({column for _, column in squares})


def _about(proof: Proof, name: str, squares: Sequence[Cell], clauses: Iterable[str]) -> str:
    """Write a sentence about a rule at work in some columns."""
    told = "; ".join(_rule_sentence(proof, clause, _name_squares(squares)) for clause in clauses)
    return f"{columns_text(_columns(squares))} ({name}): {told}."


def _places(columns: Sequence[int], rows: Sequence[int]) -> str:
    """Name the squares on some rows of a column; for several columns, only the rows."""
    if len(columns) == 1:
        return join_words((square_name((row, columns[0])) for row in rows), "and")
    return f"row{'s' if len(rows) > 1 else ''} {join_words(map(str, rows), 'and')}"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
