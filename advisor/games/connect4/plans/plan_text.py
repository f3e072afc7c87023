"""A plan in plain sentences, as a picture of the board, and as JSON. No colours, no printing."""

from collections.abc import Sequence
from typing import Any

from advisor.games.connect4.board import DISCS, Position, Square
from advisor.games.connect4.notation import square_name
from advisor.games.connect4.plans.following import By, Plan, Step
from advisor.games.players import COLOURS

_COUNT = {1: "one threat", 2: "two threats in a row", 3: "three threats in a row"}


def sentences(step: Step, position: Position, better: Sequence[int] = ()) -> list[str]:
    """What is played and why: the plan, then what it says now.

    Args:
        step, position: what is played, and where.
        better: columns that are known to be better still.
    """
    told = now(step, position)
    if better:
        s = "s" if len(better) == 1 else ""
        columns = " and ".join(map(str, sorted(better)))
        verb = f"{'is' if s else 'are'} better" if step.hold else f"win{s} sooner"
        told += f" Column{'' if s else 's'} {columns} {verb}."
    return [*rule(step, position), told]


def rule(step: Step, position: Position) -> list[str]:
    """How the plan is followed; nothing of a move of the solution."""
    plan = step.plan
    if plan is None:
        return []
    me, other = COLOURS[plan.player], COLOURS[3 - plan.player]
    name = f"plan {plan.name} of the solution" if plan.name else "this plan"
    goal = "holds at least a draw" if plan.hold else "wins"
    told = [f"By {name} {me} {goal}, whatever {other} does: {_rules(plan.threats)}."]
    if not plan.threats:
        told.append("It needs no calculation at all.")
    return told


def now(step: Step, position: Position) -> str:
    """What is played in this position, and by which rule."""
    other = COLOURS[3 - position.turn]
    square = square_name(_square(step, position))
    match step.by:
        case By.MOVE:
            goal = ", by which {} holds at least a draw" if step.hold else ""
            return (
                f"Column {step.column} is a move of the solution"
                f"{goal.format(COLOURS[position.turn])}: every reply is answered there."
            )
        case By.WIN:
            return f"Now {square} completes a line."
        case By.THREAT:
            return f"Now {square} threatens to complete a line, which {other} has to block."
        case By.BLOCK:
            return f"Now {square} has to be blocked."
        case By.NUMBER:
            return f"Now the lowest number is {_number(step, position)}, on {square}."


def short(step: Step, position: Position) -> str:
    """The same in a few words, for one who sees the move."""
    square = square_name(_square(step, position))
    if step.by is By.MOVE:
        return "a move of the solution"
    if step.plan is None:
        return "which completes a line" if step.by is By.WIN else "which wins by threats in a row"
    name = f"plan {step.plan.name}" if step.plan.name else "the plan"
    match step.by:
        case By.WIN:
            return f"{name}: a line is complete"
        case By.THREAT:
            return f"{name}: a threat on {square}"
        case By.BLOCK:
            return f"{name}: {square} is blocked"
        case _:
            number = _number(step, position)
            return f"{name}: number {number} is the lowest that can be played"


def picture(plan: Plan, position: Position, played: int | None = None) -> list[str]:
    """The board with the plan's number on each empty square, and the column that it plays."""
    g = position.geometry
    numbers = on_squares(plan, position)
    wide = max(len(str(number)) for number in (g.width, *plan.numbers)) + 1

    def cell(square: Square) -> str:
        player = position.at(*square)
        return DISCS[player] if player else str(numbers[square])

    columns = range(1, g.width + 1)
    rows = [
        f"{row:>3} " + "".join(f"{cell((row, column)):>{wide}}" for column in columns)
        for row in range(g.height, 0, -1)
    ]
    below = "".join(f"{column:>{wide}}" for column in columns)
    here = "".join(f"{'^' if column == played else '':>{wide}}" for column in columns)
    return [*rows, f"    {below}", *([f"    {here}".rstrip()] if played else [])]


def on_squares(plan: Plan, position: Position) -> dict[Square, int]:
    """The number of each empty square."""
    g = position.geometry
    return {
        (row, column): plan.numbers[g.bit(row, column).bit_length() - 1]
        for row, column in g.squares_of(g.full & ~position.mask)
    }


def to_json(step: Step, position: Position, better: Sequence[int] = ()) -> dict[str, Any]:
    """The step as plain data; a row of numbers for each of the board's, the top one first.

    Args: see `sentences`.
    """
    g, plan = position.geometry, step.plan
    numbers = None
    if plan is not None:
        known = on_squares(plan, position)
        numbers = [
            [known.get((row, column)) for column in range(1, g.width + 1)]
            for row in range(g.height, 0, -1)
        ]
    return {
        "source": "solution" if plan is None or plan.name else "search",
        "number": plan.name if plan else None,
        "threats": plan.threats if plan else None,
        "numbers": numbers,
        "column": step.column,
        "by": str(step.by),
        "text": sentences(step, position, better),
    }


def _rules(threats: int) -> str:
    by = f", by up to {_COUNT.get(threats, f'{threats} threats in a row')}" if threats else ""
    return (
        f"win if you can{by}; block if you must; otherwise play the lowest number that can be"
        " played"
    )


def _square(step: Step, position: Position) -> Square:
    return position.row_of(step.column), step.column


def _number(step: Step, position: Position) -> int:
    assert step.plan is not None
    return on_squares(step.plan, position)[_square(step, position)]
