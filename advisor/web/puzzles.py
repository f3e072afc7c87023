"""Entries of puzzles in a list, and judgements of attempts."""

from collections.abc import Sequence
from typing import Any

import advisor
from advisor.errors import InputError
from advisor.web import games
from advisor.web.models import Json
from aspcircuits.stopping import Stop

_SHOWN = ("game", "constants", "width", "height", "connect", "rows", "turn")
"""Keys of a position that an entry of a puzzle repeats, if its game has them."""


def view(posed: advisor.Puzzle) -> Json:
    """Write a puzzle as an entry of a list, without its solution."""
    chapter, _, number = posed.id.rpartition("/")
    name = chapter.removeprefix("chapter").removeprefix("second/")
    shown = posed.position.to_json()
    return {
        "id": posed.id,
        "chapter": int(name) if name.isdigit() else name,
        "number": int(number),
        **{key: shown[key] for key in _SHOWN if key in shown},
        "text": shown.get("position", shown["text"]),
        "win_in": posed.win_in,
        "extra": posed.extra,
    }


def attempt(
    posed: advisor.Puzzle, moves: Sequence[Any], stop: Stop, step: int | None = None
) -> Json:
    """Judge an attempt, with the best defence's reply; or give the next hint.

    Args:
        moves: the moves of both sides from the puzzle's position on.
        step: for a hint, the number of earlier hints; None for a judgement.

    Raises:
        InputError: a move is illegal, or no hint is possible here.
    """
    reached = games.play_moves(posed.position, moves)
    mine = not reached.over and reached.turn == posed.position.turn
    if step is not None:
        left = posed.win_in - len(moves) // 2
        if not mine or left < 1:
            raise InputError("moves: it is not the solver's turn, or the puzzle is over")
        hint = advisor.Attempt(reached, left, step).hint(stop=stop, explained=False)
        return {"kind": hint.kind, "columns": hint.moves, "text": hint.told}
    used = (len(moves) + 1) // 2
    found = {"moves_used": used, "win_in": posed.win_in, "reply": None, "refutation": None}
    if reached.winner == posed.position.turn and used <= posed.win_in:
        return {**found, "state": "solved"}
    if reached.over or used >= posed.win_in:
        return {**found, "state": "missed"}
    if mine:
        return {**found, "state": "open"}
    left = posed.win_in - used
    answer = advisor.reply(reached, left, stop=stop)
    won = answer.outcome == "wins" and (answer.left or 0) <= left
    told = None if won else f"{answer.told[0].upper()}{answer.told[1:]}."
    state = "open" if won else "slipped"
    return {**found, "reply": answer.moves[0], "state": state, "refutation": told}
