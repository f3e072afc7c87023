"""The origin of moves' scores, in numbers, which `explain` leaves out of its sentences.

A best move is compared with the next best, any other move with the best. The differences add up to
exactly the difference of the two sums.
"""

from advisor.advice.advice import Advice, Move
from advisor.advice.reasons import (
    StrategyFamily,
    continue_sentence,
    differences,
    is_final,
    line_text,
    reasons,
    subject,
)
from advisor.files.textfile import amount
from advisor.games.phrasing import Phrasing, percent
from aspcircuits.clingo_api import Term

_REASONS = 3
"""Differences named for a move, the largest first, besides one that speaks against it."""


def account(advice: Advice, chosen: Term) -> list[str]:
    """Explain a legal move's sum, and its differences to another move by features and strategies.

    It is empty where a forced result decided. A difference against the outcome of the comparison
    begins with "On the other hand".
    """
    move = advice.move(chosen)
    if move.value is None and move.mean is None:
        return []
    say, best = advice.phrasing, move.move in advice.chosen
    other = next_best(advice) if best else advice.first
    told = [] if move.value is None else [_standing(advice, move, other)]
    told += _random(advice, move, other)
    if move.trace and move.trace.drawn:
        told.append(f"After {line_text(say, move)}, {say.drawn}.")
    if advice.engine:
        told.append(f"These values are those of {advice.engine}, depth {advice.depth}.")
    if move.value is None or advice.engine:
        return told
    found = differences(move, other)
    final = [d for d in found if isinstance(d, StrategyFamily) and is_final(advice, d.firing)]
    above = best
    if other is not None and move.value != other.value:
        above = move.value > (other.value or 0)
    main, against = (
        [d for d in final or found if (d.amount > 0) is wanted] for wanted in (above, not above)
    )
    told += reasons(advice, move, other, main[:_REASONS])
    for text in reasons(advice, move, other, against[: 1 if main else _REASONS]):
        told.append(f"On the other hand, {continue_sentence(say, text)}")
    if not found:
        alike = other is not None and other.trace and move.trace
        nothing = f"No strategy speaks for {say.moves([move.move])}."
        told.append("Nothing that counts tells the two apart." if alike else nothing)
    return told


def others_of(advice: Advice) -> list[Move]:
    """Return the moves that are not suggested."""
    return [move for move in advice.moves if move.move not in advice.chosen]


def next_best(advice: Advice) -> Move | None:
    """Return the move with the next highest sum after the best, among moves whose sum counted.

    That sum is below the best one's unless it `is_outscored`. Without scores, it is the next one in
    the advice's order.
    """
    others = [m for m in others_of(advice) if m.score.kind == "heuristic" or m.trace]
    unlike = [move for move in others if move.value != advice.first.value]
    return max(unlike or others, key=lambda move: move.value or 0, default=None)


def is_outscored(advice: Advice) -> bool:
    """Return whether the best move was not chosen by its sum: another one has a higher sum."""
    first, other = advice.first, next_best(advice)
    return other is not None and (other.value or 0) > (first.value or 0)


def _standing(advice: Advice, move: Move, other: Move | None) -> str:
    """Compare a move's score with that of another."""
    say = advice.phrasing
    told = f"{subject(say, move)} comes to {move.value}"
    if move.total and move.ahead is not None:
        told += f" (value {move.ahead}, strategies {move.total:+d})"
    best = move.move in advice.chosen
    if other is not None:
        difference = (move.value or 0) - (other.value or 0)
        beside, rank = say.moves([other.move]), "next best" if best else "best"
        if not difference:
            return f"{told}, as {beside} does, the {rank}."
        told += f", {abs(difference)} {'more' if difference > 0 else 'less'} than {beside}"
        if (difference > 0) is best:
            return f"{told}, the {rank}."
        who = "the solution" if advice.solved else "what is proved"
        which = ": it" if best else ", which"
        return f"{told}{which} was chosen by {who}, not by its sum."
    if any(each.score.kind == "loss" for each in others_of(advice)):
        one = len(advice.chosen) == 1
        told += f"; every other {say.noun} loses" if one else "; all others lose"
    return f"{told}."


def _random(advice: Advice, move: Move, other: Move | None) -> list[str]:
    """Describe the random games of a move, and the line that a tree of them expects."""
    if move.mean is None:
        return []
    say, best = advice.phrasing, advice.first
    games = sum(each.playouts for each in advice.moves)
    if move.expected and move is not best and advice.is_unsure(move):
        told = [
            f"{subject(say, move)} was tried in {move.playouts} of {games} random games and "
            f"{say.moves([best.move])} in {best.playouts}: the better a move does, the more often "
            "it is tried."
        ]
        return told + _reply(say, move)
    told = [_chances(advice, move, other)]
    if advice.is_unsure(move):
        few_games = f"Only {amount(move.playouts, 'random game')} tried {say.moves([move.move])}"
        told = [f"{few_games}, too few to tell how good it is."]
    if move.expected is None:
        return told
    share = f"{100 * move.playouts / games:.0f} % of the {games} games began with it"
    if len(move.expected.line) > 1:
        along = f"{100 * (move.expected.share or 0):.0f} % of these"
        share += f"; the expected line is {' '.join(say.names_along(move.expected.line))} ({along})"
    told.append(f"{share}.")
    return told + (_reply(say, other) if other else [])


def _chances(advice: Advice, move: Move, other: Move | None) -> str:
    """Say how often the side to move wins random games after a move.

    Another move is compared if it has enough games.
    """
    say, mine = advice.phrasing, percent(move.mean or 0)
    moves, rest = [move.move], ""
    if other and other.mean is not None and not advice.is_unsure(other):
        if (theirs := percent(other.mean)) == mine:
            moves.append(other.move)
        else:
            rest = f", after {say.moves([other.move])} {theirs}"
    won = f"{say.player_name(say.turn)} wins {mine} of the random games"
    return f"After {say.moves(moves, 'or')} {won}{rest} (a draw is half a win)."


def _reply(say: Phrasing, move: Move) -> list[str]:
    """Say which reply to a move the tree expects."""
    if not move.expected or len(move.expected.line) < 2:
        return []
    played, reply = say.names_along(move.expected.line[:2])
    return [f"After {played} the answer is {reply}."]
