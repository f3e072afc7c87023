"""Lessons 5 and 6: plans and proofs."""

import itertools
import random
from collections.abc import Iterator, Sequence

from advisor import AdvisorError, Position, explain, position, prove, solve
from checks.verdicts import (
    BEGIN,
    Verdict,
    difference,
    explain_difference,
    lines_of_four,
    nothing_yet,
    random_positions,
)
from course import (
    CONNECT4,
    ProgramError,
    answer_sets,
    completes,
    empty_squares,
    escape,
    facts,
    planned,
)

_MIDDLE = position("465176323244335146654646")

SMALL = position("774626712665227774546554446155")
"""The position of exercise 5.2."""


def refutation(columns: str) -> Verdict:
    """5.1: how o escapes from the plan of odd rows first."""
    if not columns:
        return Verdict(False, "no moves yet; give the columns that o plays")
    order = sorted(empty_squares(_MIDDLE), key=lambda square: (square // 10 % 2 == 0, square))
    board = _MIDDLE
    for number, column in enumerate(columns, 1):
        square, _ = planned(board, order)
        board = board.play(square % 10)
        if board.winner:
            return Verdict(False, f"x has completed a line before move {number} of o", board)
        if not column.isdigit() or int(column) not in board.moves:
            return Verdict(False, f"o cannot play {column!r} as move {number}", board)
        board = board.play(int(column))
        if board.over:
            return Verdict(True, "this plan is refuted", board)
    return Verdict(False, "so far so good, but nobody has won; o goes on when x has moved", board)


def plan(order: Sequence[int]) -> Verdict:
    """5.2: a plan by hand."""
    squares = empty_squares(SMALL)
    if not order:
        return Verdict(False, f"no order yet; write the {len(squares)} empty squares in one")
    if sorted(order) != squares:
        missing = sorted(set(squares) - set(order))
        strange = sorted(set(order) - set(squares))
        what = f"lacks {missing[0]}" if missing else f"has {[*strange, 'a square twice'][0]}"
        return Verdict(False, f"your order {what}; each empty square should come once")
    found = escape(SMALL, order)
    if found is None:
        return Verdict(True, "x wins by this plan, whatever o does")
    line = found.end.played[len(SMALL.played) :]
    end = "o wins" if found.end.winner else "the game is drawn"
    return Verdict(False, f"{end} by x and o playing {' '.join(map(str, line))}", found.end)


def lesson(program: str) -> Verdict:
    """5.3: the lesson of a counterexample."""
    if nothing_yet(program):
        return BEGIN
    squares, order_lp = (1, 2, 3, 4), CONNECT4 / "plans" / "order.lp"
    given = " ".join(f"square({square})." for square in squares)
    try:
        found = answer_sets(order_lp, given, program, show=["earlier"])
    except ProgramError as error:
        return Verdict(False, str(error))
    left = set()
    for answer in found:
        pairs = [(int(atom[8]), int(atom[10])) for atom in answer.atoms]
        left.add(tuple(sorted(squares, key=lambda square: -sum(a == square for a, _ in pairs))))
    for order in itertools.permutations(squares):
        first, then = min((1, 2, 3), key=order.index), min((3, 4), key=order.index)
        told = " before ".join(map(str, order))
        if (first, then) == (2, 3) and order in left:
            return Verdict(False, f"{told} is left, which makes the same choices and fails again")
        if (first, then) != (2, 3) and order not in left:
            return Verdict(False, f"{told} is thrown away, though it chooses {first}, then {then}")
    return Verdict(True, f"{len(left)} of 24 orders are left")


def answered(program: str) -> Verdict:
    """6.1: the lines that Claimevens answer."""
    rng = random.Random(7)
    boards = [position(size=(6, 4)), position("1"), *random_positions(12, 8)]
    claims = [set(rng.sample(range(1, board.size[0] + 1), 3)) for board in boards]
    claims[1] = {1, 2, 3}
    if nothing_yet(program):
        return BEGIN
    for board, columns in zip(boards, claims, strict=True):
        claimed = " ".join(f"claim({column})." for column in sorted(columns))
        given = (CONNECT4 / "victor" / "squares.lp", facts(board), "controller(2).", claimed)
        try:
            found = answer_sets(*given, program, show=["answered"])
        except ProgramError as error:
            return Verdict(False, str(error))
        sets = {answer.atoms for answer in found}, {frozenset(_answered_lines(board, columns))}
        if sets[0] != sets[1]:
            told = explain_difference(program, given, *sets)
            return Verdict(False, f"with {claimed}: {difference(*sets)}", board, told)
    return Verdict(True, f"what each Claimeven answers ({len(boards)} positions compared)")


def _answered_lines(board: Position, columns: set[int]) -> Iterator[str]:
    """Yield the open lines with an even square above an empty one, in these columns."""
    cells = board.cells
    for line in lines_of_four(board.size):
        if any(cells[r - 1, c - 1] == 2 for r, c in line):
            continue
        if any(r % 2 == 0 and c in columns and not cells[r - 2, c - 1] for r, c in line):
            (r, c), (r2, c2) = line[:2]
            yield f"answered(g({r},{c},{r2 - r},{c2 - c}))"


def on_top_of_it(columns: str) -> Verdict:
    """6.2: x against an opponent who always plays on top."""
    board = position()
    if not columns:
        return Verdict(False, "no moves yet; give the columns that x plays")
    for number, column in enumerate(columns, 1):
        if not column.isdigit() or int(column) not in board.moves:
            return Verdict(False, f"x cannot play {column!r} as move {number}", board)
        board = board.play(int(column))
        if board.winner:
            return Verdict(
                True, f"x has won with move {number}: row 1 is nobody's by Claimeven", board
            )
        board = board.play(int(column))
    return Verdict(False, "so far nobody has won; x goes on", board)


def won_by_rules(columns: str) -> Verdict:
    """6.3: a position that Allis' rules prove won."""
    try:
        board = position(columns)
        if len(board.played) > 16:
            return Verdict(False, f"{len(board.played)} discs; at most 16 are allowed", board)
        if board.over:
            return Verdict(False, "this game is over", board)
        for player in (1, 2):
            if any(completes(board, column, player) for column in board.moves):
                return Verdict(False, f"{'xo'[player - 1]} can complete a line at once", board)
        proof = prove(board, player="x", by="rules")
    except AdvisorError as error:
        return Verdict(False, str(error))
    if proof is None or proof.outcome != "wins":
        outcome = solve(board).outcome if len(board.played) > 12 else None
        mover = {"win": board.turn, "loss": "o" if board.turn == "x" else "x", "draw": "nobody"}
        known = f" (by exact play {mover[outcome]} wins)" if outcome else ""
        return Verdict(False, f"the rules do not prove that x wins here{known}", board)
    return Verdict(True, explain(proof)[0], board)
