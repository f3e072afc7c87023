"""Why a move of Connect Four has its grade: in sentences, and what was missed in a few words."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from advisor.advice import explain
from advisor.advice.advice import Advice
from advisor.advice.grades import Mark, Prospect
from advisor.advice.reasons import sentence, subject
from advisor.games.connect4.board import Position
from advisor.games.connect4.notation import square_name
from advisor.games.connect4.wording import lines_text
from advisor.games.players import COLOURS
from advisor.games.score import Score
from advisor.games.wording import listed
from advisor.settings.grading import ERRORS

_LINES_WITHIN = 4
"""Moves of a forced win of which every reply is followed, to tell the lines that end it."""

_ZUGZWANG_BEYOND = 4
"""Moves of a win that need more than threats."""

_FIRINGS = 2
"""Strategies told of a move."""


def outcome(prospect: Prospect) -> str:
    """What a move leads to: ``wins in 5``, ``draws``, ``scores 120``."""
    if prospect.kind == "heuristic":
        return f"scores {prospect.value or 0}"
    verb = {"win": "wins", "draw": "draws", "loss": "loses"}[prospect.kind]
    return verb if prospect.moves is None else f"{verb} in {prospect.moves}"


def reasons(
    advice: Advice | None, column: int, found: Mark[int], prospects: Mapping[int, Prospect]
) -> list[str]:
    """Sentences on a move that was played, at least one.

    Args:
        advice: on the position before it, with traces where the look-ahead judges; None for a move
            that is proved to be good among others.
        column: the move.
        found: its mark.
        prospects: of all moves.
    """
    if len(prospects) == 1:
        return [f"Column {column} is the only legal move."]
    if not found.proved and advice is not None:
        return _guessed(advice, column, found, prospects)
    told = _certain(column, found, prospects)
    if advice is None or found.grade not in ERRORS:
        if advice is not None and found.only:
            told += _speaking(advice, column, for_it=True)
        return told
    told += _speaking(advice, column, for_it=False)
    if text := _lines(advice, column, prospects[column]):
        told.append(text)
    told += _speaking(advice, found.better[0], for_it=True)
    return told


def _guessed(
    advice: Advice, column: int, found: Mark[int], prospects: Mapping[int, Prospect]
) -> list[str]:
    """Reasons of the look-ahead."""
    kinds = {prospects[column].kind, *(prospects[c].kind for c in found.better)}
    if kinds == {"heuristic"}:
        # The values are the look-ahead's alone, so that strategies cannot be what decided.
        bare = replace(advice, moves=tuple(replace(move, fires=()) for move in advice.moves))
        told = explain.move_sentences(bare, column)
        unmoved = explain.unmoved(advice.phrasing, advice.move(column))
        return [text for text in told if text != unmoved]
    told = [f"Column {column} {outcome(prospects[column])}."]
    if found.better:
        better = listed(map(str, found.better), "or")
        told = [
            f"{told[0].removesuffix('.')}; column {better} {outcome(prospects[found.better[0]])}."
        ]
        told += _speaking(advice, column, for_it=False)
        if text := _lines(advice, column, prospects[column]):
            told.append(text)
        told += _speaking(advice, found.better[0], for_it=True)
    return told


def _certain(column: int, found: Mark[int], prospects: Mapping[int, Prospect]) -> list[str]:
    """What the move leads to, beside what the others do, where all that is certain."""
    own = prospects[column]
    alike = [
        c for c, prospect in prospects.items() if c != column and prospect.result == own.result
    ]
    if found.better:
        better = listed(map(str, found.better), "or")
        return [
            f"Column {column} {outcome(own)}; column {better} "
            f"{outcome(prospects[found.better[0]])}."
        ]
    told = f"Column {column} {outcome(own)}"
    if len(alike) == len(prospects) - 1:
        rest = {"win": "win too", "draw": "draw too", "loss": "lose, too"}[own.kind]
        return [f"{told}; all others {rest}."]
    if not alike:
        return [f"{told}; no other column does as well."]
    s = "s" if len(alike) == 1 else ""
    verb = {"win": f"win{s}", "draw": f"draw{s}", "loss": f"lose{s}"}[own.kind]
    columns = f"column{'' if s else 's'} {listed(map(str, sorted(alike)), 'and')}"
    return [f"{told}; {columns} {verb} too."]


def _speaking(advice: Advice, column: int, for_it: bool) -> list[str]:
    """Strategies with a reason on the board that speak for a move, or against it."""
    move = advice.move(column)
    firings = [f for f in move.fires if f.reasons and (f.weight > 0) is for_it]
    by = subject(advice.phrasing, move)
    return [sentence(advice, move, firing, by) for firing in firings[:_FIRINGS]]


def _lines(advice: Advice, column: int, prospect: Prospect) -> str:
    """The lines of which the other side completes one, if it wins soon."""
    if prospect.kind != "loss" or not 0 < (prospect.moves or 0) <= _LINES_WITHIN:
        return ""
    found = advice.phrasing.lines(column, Score(prospect.kind, prospect.moves))
    if not found:
        return ""
    me, you = COLOURS[advice.position.turn], COLOURS[3 - advice.position.turn]
    where = lines_text(found, "or")
    if prospect.moves == 1:
        return f"Then {you} completes a line {where}."
    return f"Then, whatever {me} does, {you} completes a line {where}."


def missed(
    position: Position,
    column: int,
    found: Mark[int],
    prospects: Mapping[int, Prospect],
    won_by_rules: Callable[[int], bool],
) -> list[str]:
    """What a better move would have been, in a few words each.

    Args:
        position: before the move.
        column, found, prospects: see `reasons`.
        won_by_rules: whether Allis' rules prove that a move wins.
    """
    best = prospects[found.better[0]]
    told = []
    if best.kind == "win" and prospects[column].kind != "win":
        told.append("a win" if best.moves is None else f"a win in {best.moves}")
        if (best.moves or _ZUGZWANG_BEYOND) >= _ZUGZWANG_BEYOND and won_by_rules(found.better[0]):
            told.append("a zugzwang (Allis' rules prove the win)")
    urgent = position.winning_squares(3 - position.turn) & position.playable
    for row, blocking in position.geometry.squares_of(urgent):
        if blocking in found.better:
            told.append(f"a block on {square_name((row, blocking))}")
    return told
