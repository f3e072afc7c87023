"""Advice in sentences. Every text that gives a reason comes from here.

One table holds the sentences of the strategies; a test keeps it equal to the strategies that the
encodings derive. A strategy of a user's own gets a plain sentence with its name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.advise import Advice, Firing, MoveAdvice, Score
from advisor.connect4.board import Square
from advisor.connect4.notation import square_name

COLOURS = {1: "red", 2: "yellow"}
"""How the players are called: player 1 (x) moves first."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a strategy says.

    Attributes:
        short: the reason in a few words; {distance} as in the sentence.
        sentence: for a beginner; {me} and {you} are the colours, {where} the reasons,
            {distance} the way from the middle.
    """

    short: str
    sentence: str

    @property
    def comment(self) -> str:
        """What stands beside its weight, whatever the number in its name."""
        return self.short.format(distance="N columns from the middle")


STRATEGIES = {
    "win": Meaning("completes a line", "It completes {me}'s line {where}."),
    "block": Meaning(
        "takes a winning move away from the opponent", "It blocks {you}'s line {where}."
    ),
    "fork": Meaning(
        "makes two winning moves at once",
        "It makes two winning moves at once, of which {you} can stop only one: {where}.",
    ),
    "threat(good)": Meaning(
        "makes a square that wins later, on a row that zugzwang favours",
        "It leaves one square to fill {where}; {me} tends to get squares on that row.",
    ),
    "threat(other)": Meaning(
        "makes a square that wins later, on any other row",
        "It leaves one square to fill {where}; {you} has to stay away from below it.",
    ),
    "parity": Meaning(
        "builds a line on a row that zugzwang favours",
        "It builds lines on a row that suits {me}: {where}.",
    ),
    "center(N)": Meaning(
        "lies {distance}",
        "It lies {distance}, and most lines run through the middle.",
    ),
    "gift": Meaning(
        "lets the opponent win on the square above",
        "It lets {you} take the square above and complete the line {where}.",
    ),
    "spoil": Meaning(
        "lets the opponent take one's own winning square above",
        "It lets {you} take the square above, and with it {me}'s line {where}.",
    ),
}
"""By name as in the encodings, with N for a number."""

FEATURES = {
    "line(N)": "an open line that lacks N discs",
    "threat(now)": "a square that completes a line and can be played now",
    "threat(good)": "a square that wins later, on a row that zugzwang favours",
    "threat(other)": "a square that wins later, on any other row",
    "center(N)": "a disc N columns from the middle",
    "area(N)": "an open line with N own discs",
    "run(one,N)": "N discs side by side, an empty square at one end",
    "run(both,N)": "N discs side by side, an empty square at both ends",
}
"""What each position feature is, by name as in the encodings."""

_REASONS_SHOWN = 3


def family(name: str) -> str:
    """A name with its number replaced, as the tables have it: ``center(0)`` is ``center(N)``."""
    return re.sub(r"-?\d+", "N", name)


def outcome(score: Score) -> str:
    """A forced result in a few words, nothing for a heuristic score."""
    words = {"win": f"wins in {score.moves}", "loss": f"loses in {score.moves}", "draw": "draws"}
    forced = words.get(score.kind, "")
    return f"{forced} (proved)" if score.proved else forced


def squares_text(squares: Sequence[Square]) -> str:
    """Where a line lies: ``on row 1, columns 3-6``; a single square by its name."""
    (first_row, first_column), (last_row, last_column) = squares[0], squares[-1]
    if len(squares) == 1:
        return f"on {square_name(squares[0])}"
    if first_row == last_row:
        return f"on row {first_row}, columns {first_column}-{last_column}"
    if first_column == last_column:
        return f"in column {first_column}, rows {first_row}-{last_row}"
    ends = sorted((squares[0], squares[-1]), key=lambda square: square[1])
    return f"on the diagonal {'-'.join(map(square_name, ends))}"


def sentence(firing: Firing, turn: int) -> str:
    """Why a strategy fired, for a beginner; `turn` is the player to move."""
    meaning = STRATEGIES.get(family(firing.strategy))
    where = " and ".join(map(squares_text, firing.reasons[:_REASONS_SHOWN]))
    if len(firing.reasons) > _REASONS_SHOWN:
        where += f" and {len(firing.reasons) - _REASONS_SHOWN} more"
    if meaning is None:
        return f"The strategy {firing.strategy} fires{' ' if where else ''}{where}."
    return meaning.sentence.format(
        me=COLOURS[turn], you=COLOURS[3 - turn], where=where, distance=_distance(firing.strategy)
    )


def _distance(strategy: str) -> str:
    """The way from the middle that the number in a strategy's name tells, if it has one."""
    number = re.search(r"\d+", strategy)
    if number is None:
        return ""
    columns = int(number.group())
    if columns == 0:
        return "in the middle"
    return "next to the middle" if columns == 1 else f"{columns} columns from the middle"


def main_reason(advice: Advice, column: int) -> str:
    """One line: the forced result if there is one, and what speaks most for the move."""
    move = advice.move(column)
    found = [outcome(move.score)] if outcome(move.score) else []
    for firing in move.fires:
        if firing.weight > 0:
            meaning = STRATEGIES.get(family(firing.strategy))
            short = meaning.short.format(distance=_distance(firing.strategy)) if meaning else ""
            found.append(short or firing.strategy)
            break
    return "; ".join(found)


def explain(advice: Advice) -> list[str]:
    """Sentences on the suggested moves and on what is wrong with the others."""
    lines = [sentence for column in advice.best for sentence in _praise(advice, column)]
    for move in advice.moves:
        if move.column not in advice.best:
            lines += _warning(advice, move)
    return lines


def _praise(advice: Advice, column: int) -> list[str]:
    move = advice.move(column)
    turn = advice.position.turn
    reasons = [sentence(firing, turn) for firing in move.fires if firing.weight]
    name = f"Column {column}"
    if move.score.kind == "heuristic":
        if not reasons:
            return [f"{name}: no strategy speaks for it; the look-ahead prefers it."]
        return [f"{name}: {' '.join(reasons)}"]
    return [f"{name} {outcome(move.score)}{_whatever(advice, move)}. {' '.join(reasons)}".rstrip()]


def _whatever(advice: Advice, move: MoveAdvice) -> str:
    """What a forced result of several moves means."""
    moves = move.score.moves
    if moves is None or (move.score.kind == "win" and moves == 1):
        return ""
    side = advice.position.turn if move.score.kind == "win" else 3 - advice.position.turn
    return f", whatever {COLOURS[3 - side]} does"


def _warning(advice: Advice, move: MoveAdvice) -> list[str]:
    turn = advice.position.turn
    reasons = [sentence(firing, turn) for firing in move.fires if firing.weight < 0]
    if move.score.kind == "loss":
        return [f"Column {move.column} {outcome(move.score)}. {' '.join(reasons)}".rstrip()]
    return [f"Column {move.column}: {' '.join(reasons)}"] if reasons else []
