"""Why a move has its grade where results are proved: in sentences, and what was missed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from advisor.advice import explain
from advisor.advice.advice import Advice
from advisor.advice.grades import Mark, Prospect
from advisor.advice.reasons import sentence, started, subject
from advisor.asp.clingo_api import Term
from advisor.games.abilities import LookingBack
from advisor.games.phrasing import Phrasing
from advisor.games.score import Score
from advisor.limits import Stop
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
    advice: Advice | None,
    say: Phrasing,
    move: Term,
    found: Mark[Any],
    prospects: Mapping[Term, Prospect],
) -> list[str]:
    """Sentences on a move that was played, at least one.

    Args:
        advice: on the position before it, with traces where the look-ahead judges; None for a move
            that is proved to be good among others.
        say: how the position's game says it.
        move: the move.
        found: its mark.
        prospects: of all moves.
    """
    name = started(say, say.moves([move]))
    if len(prospects) == 1:
        return [f"{name} is the only legal move."]
    if not found.proved and advice is not None:
        kinds = {prospects[move].kind, *(prospects[m].kind for m in found.better)}
        if kinds == {"heuristic"}:
            return _guessed(advice, move)
        told = [f"{_beside(say, move, found, prospects)}."]
        weighed = bool(found.better)
    else:
        told = _certain(say, move, found, prospects)
        weighed = found.grade in ERRORS
    if advice is None or not weighed:
        only = advice is not None and found.proved and found.only
        return told + (_speaking(advice, move, for_it=True) if only and advice else [])
    told += _speaking(advice, move, for_it=False)
    if text := _lines(say, move, prospects[move]):
        told.append(text)
    return told + _speaking(advice, found.better[0], for_it=True)


def _guessed(advice: Advice, move: Term) -> list[str]:
    """Reasons of the look-ahead, whose values strategies are no part of."""
    bare = replace(advice, moves=tuple(replace(each, fires=()) for each in advice.moves))
    told = explain.move_sentences(bare, move)
    unmoved = explain.unmoved(advice.phrasing, advice.move(move))
    return [text for text in told if text != unmoved]


def _beside(say: Phrasing, move: Term, found: Mark[Any], prospects: Mapping[Term, Prospect]) -> str:
    """What a move leads to, and what the better ones do."""
    told = f"{started(say, say.moves([move]))} {outcome(prospects[move])}"
    if not found.better:
        return told
    better = f"{say.moves(found.better, 'or')} {outcome(prospects[found.better[0]])}"
    return f"{told}; {better}"


def _certain(
    say: Phrasing, move: Term, found: Mark[Any], prospects: Mapping[Term, Prospect]
) -> list[str]:
    """What the move leads to, beside what the others do, where all that is certain."""
    own = prospects[move]
    told = _beside(say, move, found, prospects)
    if found.better:
        return [f"{told}."]
    alike = [m for m, each in prospects.items() if m != move and each.result == own.result]
    if len(alike) == len(prospects) - 1:
        rest = {"win": "win too", "draw": "draw too", "loss": "lose, too"}[own.kind]
        return [f"{told}; all others {rest}."]
    if not alike:
        return [f"{told}; no other {say.noun} does as well."]
    s = "s" if len(alike) == 1 else ""
    verb = {"win": f"win{s}", "draw": f"draw{s}", "loss": f"lose{s}"}[own.kind]
    return [f"{told}; {say.moves(alike)} {verb} too."]


def _speaking(advice: Advice, chosen: Term, for_it: bool) -> list[str]:
    """Strategies with a reason on the board that speak for a move, or against it."""
    move = advice.move(chosen)
    firings = [f for f in move.fires if f.reasons and (f.weight > 0) is for_it]
    by = subject(advice.phrasing, move)
    return [sentence(advice, move, firing, by) for firing in firings[:_FIRINGS]]


def _lines(say: Phrasing, move: Term, prospect: Prospect) -> str:
    """The lines of which the other side completes one, if it wins soon."""
    if prospect.kind != "loss" or not 0 < (prospect.moves or 0) <= _LINES_WITHIN:
        return ""
    where = say.completed(move, Score(prospect.kind, prospect.moves))
    if not where:
        return ""
    me, you = say.called(say.turn), say.called(1 - say.turn)
    if prospect.moves == 1:
        return f"Then {you} completes a line {where}."
    return f"Then, whatever {me} does, {you} completes a line {where}."


def missed(
    game: LookingBack, move: Term, found: Mark[Any], prospects: Mapping[Term, Prospect], stop: Stop
) -> list[str]:
    """What a better move would have been, in a few words each.

    Args:
        game: before the move.
        move, found, prospects: see `reasons`.
        stop: ends it.

    Raises:
        KeyboardInterrupt: it was to stop.
    """
    first = found.better[0]
    best = prospects[first]
    told = []
    if best.kind == "win" and prospects[move].kind != "win":
        told.append("a win" if best.moves is None else f"a win in {best.moves}")
        long = (best.moves or _ZUGZWANG_BEYOND) >= _ZUGZWANG_BEYOND
        if long and game.won_by_rules(first, stop):
            told.append("a zugzwang (Allis' rules prove the win)")
    return [*told, *(f"a block on {place}" for place in game.phrasing.blocked(found.better))]
