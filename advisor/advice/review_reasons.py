"""Sentences on why a move has its grade, and on what it missed.

They use the differences of `advisor.advice.reasons`, and certain results. This is a module of its
own because an advice on a position does not need grades.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from advisor.advice.advice import Advice
from advisor.advice.grades import Mark, Prospect
from advisor.advice.reasons import begin_sentence, differences, reasons, sentence, subject
from advisor.games.abilities import Abilities
from advisor.games.phrasing import Phrasing
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

_LINES_WITHIN = 4
"""Most moves of a forced win whose replies are all followed, to name the lines that end it."""

_FIRINGS = 2
"""Most strategies named of a move."""

_DIFFERENCES = 3
"""Most differences named between the ends of two lines, the largest first."""

Prospects = Mapping[Term, Prospect]


def grade_reasons(
    advice: Advice | None,
    say: Phrasing,
    move: Term,
    found: Mark[Term],
    prospects: Prospects,
    scale: float,
) -> list[str]:
    """Return sentences on a move that was played, at least one.

    Args:
        advice: on the position before it, with traces if the look-ahead judges; None for a move
            that is proved to be good among others.
        say: the wording of the position.
        move: the move.
        found: its mark.
        prospects: of all moves.
        scale: see `advisor.advice.grades.mark`.
    """
    if len(prospects) == 1:
        return [f"{begin_sentence(say, say.moves([move]))} is the only legal {say.noun}."]
    own = prospects[move]
    rest = {m: each for m, each in prospects.items() if m != move}
    if found.proved and all(
        each.result == own.result or found.better or each.result[1] < own.result[0]
        for each in rest.values()
    ):
        told = [_certain(say, move, found, prospects)]
    else:
        other = (*found.better, max(rest, key=lambda m: rest[m].rank(scale)))[0]
        second = prospects[other]
        beside = f"; {_comes_to(say, [other], second)}" if second.looked_at else ""
        told = [f"{_leads(say, [move], own)}{beside}."]
        if found.only:
            name = begin_sentence(say, say.moves([move]))
            told.insert(0, f"{name} is the only {say.noun} that does not give that away.")
        if advice is not None and own.kind == prospects[other].kind == "heuristic":
            told += _name_differences(advice, move, other)
    if advice is None:
        return told
    if found.only:
        told += _speaking(advice, move, for_it=True)
    if found.better:
        told += _speaking(advice, move, for_it=False)
        told += _lines(say, move, own)
        told += _speaking(advice, found.better[0], for_it=True)
    return told


def _comes_to(say: Phrasing, moves: Sequence[Term], prospect: Prospect) -> str:
    return say.comes_to(moves, prospect.score, prospect.mean)


def _leads(say: Phrasing, moves: Sequence[Term], prospect: Prospect) -> str:
    """Say what moves come to, at the beginning of a sentence."""
    return begin_sentence(say, _comes_to(say, moves, prospect))


def _certain(say: Phrasing, move: Term, found: Mark[Term], prospects: Prospects) -> str:
    """Compare the results of the move and of the others, if all of them are certain."""
    own = prospects[move]
    told = _leads(say, [move], own)
    if found.better:
        best = prospects[found.better[0]]
        if best.kind == "heuristic":
            could = "wins" if own.result[0] + 2 * found.drop == 1 else "draws"
            told = f"{told}, where the best {say.noun} {could}"
        return f"{told}; {_comes_to(say, found.better, best)}."
    alike = [m for m, each in prospects.items() if m != move and each.result == own.result]
    if len(alike) == len(prospects) - 1:
        rest = {"win": "win too", "draw": "draw too", "loss": "lose, too"}[own.kind]
        return f"{told}; all others {rest}."
    if not alike:
        return f"{told}; no other {say.noun} does as well."
    s = "s" if len(alike) == 1 else ""
    verb = {"win": f"win{s}", "draw": f"draw{s}", "loss": f"lose{s}"}[own.kind]
    return f"{told}; {say.moves(alike)} {verb} too."


def _name_differences(advice: Advice, move: Term, other: Term) -> list[str]:
    """Name the differences between the ends of two moves' lines, without strategies."""
    one, two = (replace(advice.move(m), fires=()) for m in (move, other))
    found = differences(one, two)[:_DIFFERENCES]
    return [reasons(advice, one, two, [difference])[0] for difference in found]


def _speaking(advice: Advice, chosen: Term, for_it: bool) -> list[str]:
    """Name strategies with a reason on the board that speak for a move, or against it.

    A move that ends the game has its result as reason, so it gets none.
    """
    move = advice.move(chosen)
    if move.score.plies == 1:
        return []
    firings = [f for f in move.fires if f.reasons and (f.weight > 0) is for_it]
    by = subject(advice.phrasing, move)
    return [sentence(advice, move, firing, by) for firing in firings[:_FIRINGS]]


def _lines(say: Phrasing, move: Term, prospect: Prospect) -> list[str]:
    """Name the lines of which the other side completes one, if it wins soon."""
    if prospect.kind != "loss" or not 0 < (prospect.moves or 0) <= _LINES_WITHIN:
        return []
    where = say.describe_lines(move, prospect.score)
    if not where:
        return []
    whatever = "" if prospect.moves == 1 else f", whatever {say.player_name(say.turn)} does,"
    winner = say.player_name(1 - say.turn)
    return [f"After {say.moves([move])}{whatever} {winner} completes a line {where}."]


def missed_chances(
    game: Abilities, move: Term, found: Mark[Term], prospects: Prospects, stop: Stop
) -> list[str]:
    """Name the chances that a better move would have used; for the arguments see `grade_reasons`.

    Raises:
        KeyboardInterrupt: `stop` was set.
    """
    first, told = found.better[0], []
    best = prospects[first]
    if best.kind == "win" and prospects[move].kind != "win":
        told.append(game.phrasing.win_phrase(best.score))
        if proof := game.proof(first, best.score, stop):
            told.append(proof)
    return told + game.phrasing.describe_blocks(move, found.better)
