"""Plans, and proofs by plans, in plain sentences, as a picture of the board, and as JSON.

The words are beside the rules of plans, in ``encodings/connect4/plans/order.lp``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from advisor.files.resources import ENCODINGS
from advisor.games.connect4.board import Board
from advisor.games.connect4.notation import numbered_rows, square_name
from advisor.games.connect4.wording import columns_text
from advisor.games.phrasing import Cell
from advisor.games.players import COLOURS
from advisor.games.score import Score
from advisor.plugins.proofs.plans.trial import By, PlanStep, ProvedPlan
from advisor.settings import texts

if TYPE_CHECKING:
    from advisor.plugins.proofs.plans.proof import Continuation, PlanProof

_WORDS = (ENCODINGS / "connect4" / "plans" / "order.lp",)


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A step in the position where it is due; see `advisor.games.phrasing.Planned`."""

    position: Board
    step: PlanStep

    @property
    def move(self) -> int:
        """The column."""
        return self.step.column

    @property
    def hold(self) -> bool:
        """Whether the move leads to at least a draw; otherwise it leads to a win."""
        return self.step.hold

    @property
    def won(self) -> Score:
        """The move's score, unless it only holds."""
        return Score("win", moves=1 if self.step.by is By.WIN else None, proved=True)

    @property
    def move_text(self) -> str:
        """A sentence on the move and the rule by which it is played."""
        by, values = self.step.by, self._values
        if by is By.MOVE:
            values["goal"] = _encoding_text(
                "phrase", f"move({'holds' if self.hold else 'wins'})", **values
            )
        return _encoding_text("sentence", by, **values) + "."

    @property
    def short(self) -> str:
        """The reason in a few words, beside the move."""
        by, plan = self.step.by, self.step.plan
        if by is By.MOVE:
            return _encoding_text("short", by)
        if plan is None:
            return _encoding_text("short", f"{by}(alone)")
        kind = "numbered" if plan.name else "other"
        called = _encoding_text("phrase", f"short({kind})", number=str(plan.name))
        return _encoding_text("short", by, **self._values, plan=called)

    @property
    def numbers(self) -> dict[Cell, int]:
        """The plan's number of each empty square; empty for a move without a plan."""
        return {} if self.step.plan is None else on_squares(self.step.plan, self.position)

    def picture(self, pointed: bool = True) -> list[str]:
        """Draw the board with these numbers, and a pointer at the move if wanted."""
        if self.step.plan is None:
            return []
        return picture(self.step.plan, self.position, self.move if pointed else None)

    def sentences(self, better: Sequence[int] = ()) -> list[str]:
        """Explain the plan, its move now, and columns that are better still."""
        told = self.move_text
        if better:
            alone = len(better) == 1
            verb = ("is better", "wins sooner") if alone else ("are better", "win sooner")
            told += f" {columns_text(sorted(better)).capitalize()} {verb[not self.hold]}."
        return [*(rule(self.step.plan) if self.step.plan else []), told]

    def to_json(self, better: Sequence[int] = ()) -> dict[str, Any]:
        """Return the plan as plain data; rows of numbers begin with the board's top row."""
        g, plan, numbers = self.position.geometry, self.step.plan, self.numbers
        rows = [
            [numbers.get((row, column)) for column in range(1, g.width + 1)]
            for row in range(g.height, 0, -1)
        ]
        return {
            "source": "solution" if plan is None or plan.name else "search",
            "number": plan.name if plan else None,
            "threats": plan.threats if plan else None,
            "numbers": rows if plan else None,
            "column": self.move,
            "by": str(self.step.by),
            "text": self.sentences(better),
        }

    @property
    def _values(self) -> dict[str, str]:
        """The replacements for placeholders in sentences about the move."""
        square = self.position.row_of(self.move), self.move
        return {
            "me": COLOURS[self.position.turn],
            "you": COLOURS[3 - self.position.turn],
            "column": str(self.move),
            "square": square_name(square),
            "number": str(self.numbers[square]) if self.step.by is By.NUMBER else "",
        }


def rule(plan: ProvedPlan) -> list[str]:
    """Explain in sentences how a plan is followed."""
    phrase, number = partial(_encoding_text, "phrase"), str(plan.threats)
    counted = f"threats({number})" in texts.load_texts(_WORDS, "phrase")
    values = {
        "me": COLOURS[plan.player],
        "you": COLOURS[3 - plan.player],
        "plan": phrase("numbered" if plan.name else "other", number=str(plan.name)),
        "goal": phrase("holds" if plan.hold else "wins"),
        "threats": phrase(f"threats({number})" if counted else "threats", number=number),
    }
    told = ["; ".join(_encoding_text("sentence", f"plan({i})", **values) for i in (1, 2, 3)) + "."]
    if not plan.threats:
        told.append(_encoding_text("sentence", "simple") + ".")
    return told


def picture(plan: ProvedPlan, position: Board, played: int | None = None) -> list[str]:
    """Draw the board with the plan's number on each empty square, and the column it plays."""
    g = position.geometry
    wide = max(len(str(number)) for number in (g.width, *plan.numbers)) + 1
    pointer = [f"    {'^':>{wide * played}}"] if played else []
    return [*numbered_rows(position, on_squares(plan, position), f"{{:>{wide}}}"), *pointer]


def on_squares(plan: ProvedPlan, position: Board) -> dict[Cell, int]:
    """Return the number of each empty square."""
    g = position.geometry
    empty = g.squares_of(g.full & ~position.mask)
    return {square: plan.numbers[g.bit(*square).bit_length() - 1] for square in empty}


# Proofs


def source(proof: "PlanProof") -> str:
    """Name the source of a proof: the solution, or plans that were found for the position."""
    plan = proof.answers[0].step.plan
    if plan is None or plan.name:
        return "by the solution"
    return "by a plan" if len({answer.step.plan for answer in proof.answers}) == 1 else "by plans"


def report(proof: "PlanProof") -> list[str]:
    """Write a proof line by line: the moves without a plan; then each plan."""
    alone = [_move_line(answer) for answer in proof.answers if answer.step.plan is None]
    lines = ["", *alone] if alone else []
    for answer in proof.answers:
        if answer.step.plan is not None:
            lines += _plan_lines(proof, answer, answer.step.plan)
    return lines


def proof_json(proof: "PlanProof") -> dict[str, Any]:
    """Return a proof as plain data; see `PlannedMove.to_json`."""
    told = [
        {"replies": list(each.replies), "plan": PlannedMove(each.position, each.step).to_json()}
        for each in proof.answers
    ]
    return {"by": "plan", "plans": told}


def _move_line(answer: "Continuation") -> str:
    planned = PlannedMove(answer.position, answer.step)
    if not answer.replies:
        return planned.move_text
    after = columns_text(answer.replies, "or")
    return f"After {after}: column {planned.move}, {planned.short}."


def _plan_lines(proof: "PlanProof", answer: "Continuation", plan: ProvedPlan) -> list[str]:
    """Write a plan: the replies it answers, its picture and its rules."""
    shown, replies = proof.position, answer.replies
    after = [f"After {columns_text(replies, 'or')}:", ""] if len(proof.answers) > 1 else []
    board = picture(plan, shown, None if replies else answer.step.column)
    turn = f"It is {COLOURS[3 - proof.player]}'s turn."
    last = turn if replies else PlannedMove(shown, answer.step).move_text
    return ["", *after, *board, "", " ".join([*rule(plan), last])]


def _encoding_text(predicate: str, subject: str, **values: str) -> str:
    """Return the encoding's words for a subject."""
    return texts.fill(texts.load_texts(_WORDS, predicate)[subject], values)
