"""Lessons 1 and 2: rules, choices and weights."""

from collections.abc import Mapping

import numpy as np

from advisor import Position, position
from checks.verdicts import (
    BEGIN,
    MOST,
    SIZES,
    Verdict,
    compare_answers,
    completing_squares,
    lines_of_four,
    nothing_yet,
    player_to_move,
    random_positions,
    row_of,
)
from course import BOARD, CONNECT4, MOVES, ProgramError, answer_sets, facts


def full_column(program: str) -> Verdict:
    """1.1: the columns that are full."""

    def expected_answers(at: Position) -> set[frozenset[str]]:
        full = set(range(1, at.size[0] + 1)) - set(at.moves)
        return {frozenset(f"full_column({column})" for column in full)}

    positions = [position("444444"), position("11221122", size=(5, 4))]
    positions += random_positions(20, 1, 12, SIZES)
    return compare_answers(
        program, BOARD, ["full_column"], positions, expected_answers, "on boards of any size"
    )


def mirrored(program: str) -> Verdict:
    """1.2: the discs of the mirror image."""

    def expected_answers(at: Position) -> set[frozenset[str]]:
        turned = at.cells[:, ::-1]
        discs = [(r, c) for r, c in np.ndindex(turned.shape) if turned[r, c]]
        return {frozenset(f"mirrored({turned[r, c]},{r + 1},{c + 1})" for r, c in discs)}

    positions = [position("1"), *random_positions(20, 2, 3, SIZES)]
    return compare_answers(
        program, BOARD, ["mirrored"], positions, expected_answers, "left is right now"
    )


def two_plies(program: str) -> Verdict:
    """1.3: two moves in a row."""

    def expected_answers(at: Position) -> set[frozenset[str]]:
        return {
            frozenset({f"first({one})", f"reply({other})"})
            for one in at.moves
            for other in at.moves
            if one != other or row_of(at, one) < at.size[1]
        }

    positions = [position(), position("44444"), *random_positions(12, 3, 12, SIZES)]
    return compare_answers(
        program,
        BOARD,
        ["first", "reply"],
        positions,
        expected_answers,
        "every way to play on, once",
    )


def on_top(program: str) -> Verdict:
    """2.1: moves onto a disc of the opponent."""

    def expected_answers(at: Position) -> set[frozenset[str]]:
        rows = {column: row_of(at, column) for column in at.moves}
        his = 3 - player_to_move(at)
        chosen = [(r, c) for c, r in rows.items() if r > 1 and at.cells[r - 2, c - 1] == his]
        return {frozenset(f"fires(on_top,move({r},{c}))" for r, c in chosen)}

    positions = [position("4"), position("44"), *random_positions(20, 4, 2)]
    files = (*BOARD, CONNECT4 / "threats.lp")
    praise = "it fires where it should and nowhere else"
    return compare_answers(program, files, ["fires"], positions, expected_answers, praise)


def sensible(weights: Mapping[str, int]) -> Verdict:
    """2.2: weights by which the program first wins, then blocks, then gives nothing away."""
    if not any(weights.values()):
        return Verdict(False, "all weights are 0, so that every move is as good as any other")
    if strange := [name for name, value in weights.items() if not isinstance(value, int)]:
        return Verdict(False, f"the weight of {strange[0]} is not a whole number")
    told = " ".join(f"weight({name},{value})." for name, value in weights.items())
    # In the third position a block is a gift as well, in the fourth a winning move is.
    played = ("14121", "3444454635", "47212245511734576477133141367", "2546526146275747625")
    positions = [*map(position, played), *random_positions(40, 5, 6)]
    for at in positions:
        try:
            found = answer_sets(*MOVES, facts(at), told, optimal=True, show=["best_move"])
        except ProgramError as error:
            return Verdict(False, str(error))
        chosen = {int(atom[:-1].split(",")[1]) for answer in found for atom in answer.atoms}
        wanted, why = _sensible_moves(at)
        if wrong := chosen - wanted:
            best = " or ".join(map(str, sorted(wanted)))
            says = f"your weights choose column {min(wrong)} here; {why}: column {best}"
            return Verdict(False, says, at)
    return Verdict(True, f"it wins, blocks, gives nothing away ({len(positions)} positions tried)")


def _sensible_moves(at: Position) -> tuple[set[int], str]:
    columns, mover = at.moves, player_to_move(at)

    def completing(player: int, above: int = 0) -> set[int]:
        squares = completing_squares(at, player)
        return {c for c in columns if (row_of(at, c) + above, c) in squares}

    if wins := completing(mover):
        return wins, "a line can be completed"
    if blocks := completing(3 - mover):
        # With several blocks none is better: the position is lost.
        return blocks, "the opponent's line must be blocked"
    fair = set(columns) - completing(3 - mover, 1) or set(columns)
    middle = (at.size[0] + 1) / 2
    nearest = min(abs(c - middle) for c in fair)
    return {c for c in fair if abs(c - middle) == nearest}, "what is nearest to the middle is safe"


def posts(program: str) -> Verdict:
    """2.3: the fewest squares that meet every line."""
    if nothing_yet(program):
        return BEGIN
    for (width, height), fewest in {(5, 4): 5, (4, 4): 4, (6, 4): 6}.items():
        at = position(size=(width, height))
        try:
            found = answer_sets(*BOARD, facts(at), program, optimal=True, show=["post"], most=MOST)
        except ProgramError as error:
            return Verdict(False, str(error))
        if not found:
            return Verdict(False, "your program has no answer set on this board", at)
        lines = lines_of_four(at.size)
        for answer in found:
            chosen = {tuple(map(int, atom[5:-1].split(","))) for atom in answer.atoms}
            if missed := [line for line in lines if not chosen & set(line)]:
                (r, c), *_, (r2, c2) = sorted(missed[0], key=lambda square: square[::-1])
                says = f"your squares {sorted(chosen)} miss the line from ({r},{c}) to ({r2},{c2})"
                return Verdict(False, f"{says} (row, column)", at)
            if len(chosen) > fewest:
                says = f"{len(chosen)} squares on {width}x{height}, and {fewest} are enough"
                return Verdict(False, says, at)
    return Verdict(True, "no fewer squares will do")
