"""Reasons in sentences: what a strategy says of a move, what features two moves lead to.

What a strategy or a feature means stands beside its rule in the encodings (see
`advisor.settings.texts`); here it is put together with the places of the position. Of what nothing
is told there, its name is said.
"""

from collections.abc import Sequence

from advisor.advice.advice import Advice, Held, Move
from advisor.advice.contrast import Difference, StrategyFamily
from advisor.games.abilities import Firing
from advisor.games.phrasing import Phrasing
from advisor.games.wording import counted, few, number
from advisor.settings import texts

_SIDES = ("the first player", "the second player")
"""How the texts call the player whose feature it is, for weights that differ between the two."""


def sentence(advice: Advice, move: Move, firing: Firing, subject: str = "It") -> str:
    """Why a strategy fired for a move of this advice, for a beginner."""
    say = advice.phrasing
    meaning = say.texts.strategies.get(firing.strategy)
    where = few(say.reasons(firing.reasons))
    if meaning is None:
        side = "for" if firing.weight > 0 else "against"
        reason = f" ({where})" if where else ""
        return f"The strategy {firing.strategy} speaks {side} {say.moves([move.move])}{reason}."
    values = {
        "me": say.called(say.turn),
        "you": say.called(1 - say.turn),
        "where": where,
        **say.values(move.move, firing.reasons),
    }
    predicate = texts.fill(meaning.predicate, values)
    return f"{subject} {predicate}."


def short(advice: Advice, firing: Firing) -> str:
    """A strategy in a few words."""
    meaning = advice.phrasing.texts.strategies.get(firing.strategy)
    return (meaning.short if meaning else "") or firing.strategy


def is_final(advice: Advice, firing: Firing) -> bool:
    """Whether a strategy ends the game, so that nothing else matters."""
    meaning = advice.phrasing.texts.strategies.get(firing.strategy)
    return meaning is not None and meaning.final


def reasons(
    advice: Advice, move: Move, other: Move | None, found: Sequence[Difference]
) -> list[str]:
    """Sentences on what one of two moves has and the other lacks, with what it counts.

    What is at the end of the move's own line comes first, then that of the other, then strategies.
    """
    say = advice.phrasing
    ends: dict[bool, dict[int, list[str]]] = {True: {}, False: {}}
    fired = []
    for difference in found:
        amount = f"{difference.amount:+d}"
        if isinstance(difference, StrategyFamily):
            whose = move if difference.own or other is None else other
            told = sentence(advice, whose, difference.firing, subject(say, whose))
            fired.append(f"{told.removesuffix('.')} ({amount}).")
            continue
        own = len(difference.here) > len(difference.there)
        more, fewer = difference.here, difference.there
        if not own:
            more, fewer = fewer, more
        player = more[0].player
        things = counted(feature_text(say, more[0].feature, player), len(more))
        instead = f", instead of {number(len(fewer))}" if fewer else ""
        where = few(say.places([held.where for held in more]))
        details = [where, _against(say, more[0]), amount]
        told = f"{things}{instead} ({'; '.join(filter(None, details))})"
        ends[own].setdefault(player, []).append(told)
    told_ = []
    for own, players in ends.items():
        if players:
            whose = move if own or other is None else other
            verb = "has" if own else "would have"
            each = [f"{say.called(p)} {verb} {' and '.join(told)}" for p, told in players.items()]
            told_.append(f"After {line_text(say, whose)}, {', and '.join(each)}.")
    return [*told_, *fired]


def _against(say: Phrasing, held: Held) -> str:
    """That a feature counts against the player who has it, where a weight is negative."""
    weight = held.weight if held.player == say.turn else -held.weight
    return f"which counts against {say.called(held.player)}" if weight < 0 else ""


def feature_text(say: Phrasing, name: str, player: int) -> str:
    """What a feature of a player's is; a user's own by its name."""
    me, you = say.called(player), say.called(1 - player)
    text = say.texts.features.get(name) or f"the feature {name}"
    for side in _SIDES:
        text = text.replace(f" of {side}", "").replace(f" {side} the game", " the game")
    return text.replace("oneself", me).replace("the opponent", you)


def line_text(say: Phrasing, move: Move) -> str:
    """The moves to the end of a move's line."""
    return " ".join(say.told(move.trace.line if move.trace else (move.move,)))


def subject(say: Phrasing, *moves: Move) -> str:
    """Moves at the beginning of a sentence."""
    return started(say, say.moves([move.move for move in moves]))


def started(say: Phrasing, text: str) -> str:
    """A text as the beginning of a sentence; a move's name stays as it is."""
    return text[0].upper() + text[1:] if text.startswith(say.noun) else text


def continued(say: Phrasing, text: str) -> str:
    """A sentence of `reasons` as the end of another one."""
    words = ("After ", "The ", say.noun.capitalize())
    return text[0].lower() + text[1:] if text.startswith(words) else text
