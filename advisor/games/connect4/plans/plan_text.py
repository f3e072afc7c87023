"""A plan in plain sentences, as a picture of the board, and as JSON. No colours, no printing.

What a plan says stands beside its rules in ``encodings/connect4/plans/order.lp``.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import Board
from advisor.games.connect4.notation import numbered_rows, square_name
from advisor.games.connect4.plans.trial import By, PlanStep, ProvedPlan
from advisor.games.connect4.wording import columns_text
from advisor.games.phrasing import Cell
from advisor.games.players import COLOURS
from advisor.settings import texts

_WORDS = (ENCODINGS / "connect4" / "plans" / "order.lp",)


def sentences(step: PlanStep, position: Board, better: Sequence[int] = ()) -> list[str]:
    """What is played and why: the plan, what it says now, and columns that are better still."""
    told = now(step, position)
    if better:
        alone = len(better) == 1
        verb = ("is better", "wins sooner") if alone else ("are better", "win sooner")
        told += f" {columns_text(sorted(better)).capitalize()} {verb[not step.hold]}."
    return [*(rule(step.plan) if step.plan else []), told]


def rule(plan: ProvedPlan) -> list[str]:
    """How a plan is followed."""
    phrase, number = partial(_told, "phrase"), str(plan.threats)
    counted = f"threats({number})" in texts.told(_WORDS, "phrase")
    values = {
        "me": COLOURS[plan.player],
        "you": COLOURS[3 - plan.player],
        "plan": phrase("numbered" if plan.name else "other", number=str(plan.name)),
        "goal": phrase("holds" if plan.hold else "wins"),
        "threats": phrase(f"threats({number})" if counted else "threats", number=number),
    }
    told = ["; ".join(_told("sentence", f"plan({i})", **values) for i in (1, 2, 3)) + "."]
    if not plan.threats:
        told.append(_told("sentence", "simple") + ".")
    return told


def now(step: PlanStep, position: Board) -> str:
    """What is played in this position, and by which rule."""
    values = _values(step, position)
    if step.by is By.MOVE:
        values["goal"] = _told("phrase", f"move({'holds' if step.hold else 'wins'})", **values)
    return _told("sentence", step.by, **values) + "."


def short(step: PlanStep, position: Board) -> str:
    """The same in a few words, for one who sees the move."""
    if step.by is By.MOVE:
        return _told("short", step.by)
    if step.plan is None:
        return _told("short", f"{step.by}(alone)")
    name = step.plan.name
    called = _told("phrase", f"short({'numbered' if name else 'other'})", number=str(name))
    return _told("short", step.by, **_values(step, position), plan=called)


def _values(step: PlanStep, position: Board) -> dict[str, str]:
    """What sentences about a move may have filled in."""
    square, number = (position.row_of(step.column), step.column), ""
    if step.plan is not None and step.by is By.NUMBER:
        number = str(on_squares(step.plan, position)[square])
    return {
        "me": COLOURS[position.turn],
        "you": COLOURS[3 - position.turn],
        "column": str(step.column),
        "square": square_name(square),
        "number": number,
    }


def picture(plan: ProvedPlan, position: Board, played: int | None = None) -> list[str]:
    """The board with the plan's number on each empty square, and the column that it plays."""
    g = position.geometry
    wide = max(len(str(number)) for number in (g.width, *plan.numbers)) + 1
    pointer = [f"    {'^':>{wide * played}}"] if played else []
    return [*numbered_rows(position, on_squares(plan, position), f"{{:>{wide}}}"), *pointer]


def on_squares(plan: ProvedPlan, position: Board) -> dict[Cell, int]:
    """The number of each empty square."""
    g = position.geometry
    empty = g.squares_of(g.full & ~position.mask)
    return {square: plan.numbers[g.bit(*square).bit_length() - 1] for square in empty}


def to_json(step: PlanStep, position: Board, better: Sequence[int] = ()) -> dict[str, Any]:
    """The step as plain data; a row of numbers for each of the board's, the top one first."""
    g, plan = position.geometry, step.plan
    known = on_squares(plan, position) if plan else {}
    rows = [
        [known.get((row, column)) for column in range(1, g.width + 1)]
        for row in range(g.height, 0, -1)
    ]
    return {
        "source": "solution" if plan is None or plan.name else "search",
        "number": plan.name if plan else None,
        "threats": plan.threats if plan else None,
        "numbers": rows if plan else None,
        "column": step.column,
        "by": str(step.by),
        "text": sentences(step, position, better),
    }


def _told(predicate: str, subject: str, **values: str) -> str:
    """What the encoding says of something."""
    return texts.fill(texts.told(_WORDS, predicate)[subject], values)
