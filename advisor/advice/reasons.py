"""Reasons in sentences: what a strategy says of a move, what features two moves lead to.

What a strategy or a feature means stands beside its rule in the encodings (see
`advisor.settings.texts`); here it is put together with the places of the position. Of what nothing
is told there, its name is said.

A score is what the look-ahead sees at the end of the move's line and what the strategies say. What
two moves have alike cannot be the reason for choosing one of them, so that only `differences` are
told, which add up to the difference of the scores exactly.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from advisor.advice.advice import Advice, Held, Move
from advisor.games.abilities import Firing
from advisor.games.phrasing import Phrasing
from advisor.games.wording import capitalized, counted, few, number
from advisor.settings import texts

_SIDES = ("the first player", "the second player")
"""How the texts call the player whose feature it is, for weights that differ between the two."""


@dataclass(frozen=True, slots=True)
class Features:
    """Features of one name and one player of which the two lines' ends have different numbers.

    Attributes:
        here, there: those at the end of the first move's line, of the second's.
    """

    amount: int
    here: tuple[Held, ...]
    there: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class StrategyFamily:
    """Strategies of one family, as ``center``, that do not say the same of the two moves.

    Attributes:
        firing: the one of them that does most of it.
        own: whether it fires for the first move; otherwise for the second.
    """

    amount: int
    firing: Firing
    own: bool


Difference = Features | StrategyFamily
"""Its amount is by how much it raises the score of the first move over that of the second."""


def differences(move: Move, other: Move | None) -> list[Difference]:
    """What raises or lowers the score of a move against that of another, most important first.

    Args:
        move: with a heuristic score, as the other.
        other: None compares with a score of 0.
    """
    both = (move, other)
    found: list[Difference] = [
        *_features([each.trace.features if each and each.trace else () for each in both]),
        *_strategies([each.fires if each else () for each in both]),
    ]
    return sorted(found, key=lambda difference: -abs(difference.amount))


def _features(accounts: Sequence[Sequence[Held]]) -> Iterable[Features]:
    groups: dict[tuple[str, int], tuple[list[Held], list[Held]]] = defaultdict(lambda: ([], []))
    for side, features in enumerate(accounts):
        for held in features:
            groups[held.feature, held.player][side].append(held)
    amounts = {
        key: sum(held.weight for held in here) - sum(held.weight for held in there)
        for key, (here, there) in groups.items()
    }
    for (feature, player), (here, there) in groups.items():
        amount = amounts[feature, player]
        # What both players have more of alike, as after an exchange, is no reason.
        if amount and amount != -amounts.get((feature, 1 - player), 0):
            yield Features(amount, tuple(here), tuple(there))


def _strategies(accounts: Sequence[Sequence[Firing]]) -> Iterable[StrategyFamily]:
    groups: dict[str, list[tuple[int, bool, Firing]]] = defaultdict(list)
    for fires, own in zip(accounts, (True, False), strict=True):
        for firing in fires:
            signed = firing.weight if own else -firing.weight
            groups[firing.strategy.partition("(")[0]].append((signed, own, firing))
    for members in groups.values():
        amount = sum(signed for signed, _, _ in members)
        if amount:
            sign = 1 if amount > 0 else -1
            _, own, firing = max(members, key=lambda member: (sign * member[0], member[1]))
            yield StrategyFamily(amount, firing, own)


def sentence(advice: Advice, move: Move, firing: Firing, subject: str = "It") -> str:
    """Why a strategy fired for a move of this advice, for a beginner."""
    say = advice.phrasing
    meaning = say.texts.strategies.get(firing.strategy)
    if meaning is None:
        where = few(say.reasons(firing.reasons))
        side = "for" if firing.weight > 0 else "against"
        reason = f" ({where})" if where else ""
        return f"The strategy {firing.strategy} speaks {side} {say.moves([move.move])}{reason}."
    return f"{subject} {texts.fill(meaning.predicate, say.words(move.move, firing.reasons))}."


def short(advice: Advice, firing: Firing) -> str:
    """A strategy in a few words."""
    return advice.phrasing.texts.comment("moves", firing.strategy) or firing.strategy


def is_final(advice: Advice, firing: Firing) -> bool:
    """Whether a strategy ends the game, so that nothing else matters."""
    meaning = advice.phrasing.texts.strategies.get(firing.strategy)
    return meaning is not None and meaning.final


def is_decisive(advice: Advice, firing: Firing) -> bool:
    """Whether a strategy wins with the next move, so that its sentence says how."""
    meaning = advice.phrasing.texts.strategies.get(firing.strategy)
    return meaning is not None and meaning.decisive


def reasons(
    advice: Advice, move: Move, other: Move | None, found: Sequence[Difference]
) -> list[str]:
    """Tell in sentences what one of two moves has and the other lacks, with what it counts.

    Features at the end of the move's own line come first, then those of the other, then strategies.
    """
    return _sentences(advice, move, other, found, numbers=True)


def prospects(
    advice: Advice, move: Move, other: Move | None, found: Sequence[Difference]
) -> list[str]:
    """Tell the same without numbers, and without features that count against who has them."""
    say = advice.phrasing
    told = [
        each
        for each in found
        if not isinstance(each, Features) or not _against(say, (each.here or each.there)[0])
    ]
    return _sentences(advice, move, other, told, numbers=False)


def _sentences(
    advice: Advice, move: Move, other: Move | None, found: Sequence[Difference], numbers: bool
) -> list[str]:
    say = advice.phrasing
    ends: dict[bool, dict[int, list[str]]] = {True: {}, False: {}}
    fired = []
    for difference in found:
        amount = f"{difference.amount:+d}" if numbers else ""
        if isinstance(difference, StrategyFamily):
            whose = move if difference.own or other is None else other
            told = sentence(advice, whose, difference.firing, subject(say, whose))
            fired.append(f"{told.removesuffix('.')}{f' ({amount})' if amount else ''}.")
            continue
        own = len(difference.here) > len(difference.there)
        more, fewer = difference.here, difference.there
        if not own:
            more, fewer = fewer, more
        player, places = more[0].player, _places(say, more)
        things = feature_text(say, more[0].feature, player, len(more))
        instead = f", instead of {number(len(fewer))}" if fewer else ""
        where = few(places)
        if len(places) not in (0, len(more)):  # several are in one place
            where = f"in {number(len(places))} {'place' if len(places) == 1 else 'places'}: {where}"
        details = "; ".join(filter(None, [where, _against(say, more[0]), amount]))
        told = f"{things}{instead}{f' ({details})' if details else ''}"
        ends[own].setdefault(player, []).append(told)
    told_ = []
    for own, players in ends.items():
        if players:
            whose = move if own or other is None else other
            verb = "has" if own else "would have"
            each = [f"{say.called(p)} {verb} {' and '.join(told)}" for p, told in players.items()]
            told_.append(f"After {line_text(say, whose)}, {', and '.join(each)}.")
    return [*told_, *fired]


def _places(say: Phrasing, held: Sequence[Held]) -> list[str]:
    """Name each place of features once."""
    wheres = sorted({each.where for each in held}, key=lambda where: say.places([where]))
    named = dict.fromkeys(name for where in wheres for name in say.places([where]))
    return [name for name in named if name]


def _against(say: Phrasing, held: Held) -> str:
    """That a feature counts against the player who has it, where a weight is negative."""
    weight = held.weight if held.player == say.turn else -held.weight
    return f"which counts against {say.called(held.player)}" if weight < 0 else ""


def feature_text(say: Phrasing, name: str, player: int, count: int = 1) -> str:
    """Describe a feature that a player has once or several times; a user's own by its name."""
    me, you = say.called(player), say.called(1 - player)
    text = say.texts.features.get(name) or f"the feature {name}"
    for side in _SIDES:
        text = text.replace(f" of {side}", "").replace(f" {side} the game", " the game")
    return counted(text.replace("oneself", me).replace("the opponent", you), count)


def line_text(say: Phrasing, move: Move) -> str:
    """The moves to the end of a move's line."""
    return " ".join(say.told(move.trace.line if move.trace else (move.move,)))


def subject(say: Phrasing, *moves: Move) -> str:
    """Moves at the beginning of a sentence."""
    return started(say, say.moves([move.move for move in moves]))


def started(say: Phrasing, text: str) -> str:
    """A text as the beginning of a sentence; a move's name stays as it is."""
    return capitalized(text) if text.startswith(say.noun) else text


def continued(say: Phrasing, text: str) -> str:
    """A sentence of `reasons` as the end of another one."""
    words = ("After ", "The ", say.noun.capitalize())
    return text[0].lower() + text[1:] if text.startswith(words) else text
