"""Reasons in sentences: strategies that fire for a move, and features that two moves lead to.

The meaning of a strategy or a feature is written beside its rule in the encodings (see
`advisor.settings.texts`); this module combines it with the places in the position. Without a text,
the name is used.

A score is the sum of the look-ahead's value at the end of the move's line and the strategies'
weights. Anything that two moves share cannot be the reason for choosing one of them, so only
`differences` are named, which add up to exactly the difference of the scores.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from advisor.advice.advice import Advice, Held, Move
from advisor.games.abilities import Firing
from advisor.games.phrasing import Phrasing
from advisor.games.wording import capitalize_text, count_noun, few, number
from advisor.settings import texts

_SPELLED = 4
"""Moves of a line that a sentence without numbers names; it counts those of a longer one."""

_SIDES = ("the first player", "the second player")
"""Names in texts for the owner of a feature, for weights that differ between the two players."""


@dataclass(frozen=True, slots=True)
class Features:
    """Features of one name and one player that occur in different numbers at the two lines' ends.

    Attributes:
        amount: see `Difference`.
        here, there: those at the end of the first move's line, of the second's.
    """

    amount: int
    here: tuple[Held, ...]
    there: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class StrategyFamily:
    """Strategies of one family, such as ``center``, with different weights for the two moves.

    Attributes:
        amount: see `Difference`.
        firing: the one that contributes most.
        own: whether it fires for the first move; otherwise for the second.
    """

    amount: int
    firing: Firing
    own: bool


Difference = Features | StrategyFamily
"""Its amount is by how much it raises the first move's score over the second's."""


def differences(move: Move, other: Move | None) -> list[Difference]:
    """Return the differences between the scores of two moves, the largest first.

    Args:
        move: with a heuristic score, like the other.
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
        # An equal gain of both players, for example after an exchange, is no reason.
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


def sentence(
    advice: Advice, move: Move, firing: Firing, subject: str = "It", language: str = ""
) -> str:
    """Explain, for a beginner, why a strategy fired for a move of this advice.

    `language`: if the strategy has a text in it, that stands without a subject.
    """
    say = advice.phrasing
    translated = say.texts.translated.get(language)
    if translated and firing.strategy in translated.strategies:
        predicate = translated.strategies[firing.strategy].predicate
        return f"{capitalize_text(texts.fill(predicate, say.values(move.move, ())))}."
    meaning = say.texts.strategies.get(firing.strategy)
    if meaning is None:
        where = few(say.reasons(firing.reasons))
        side = "for" if firing.weight > 0 else "against"
        reason = f" ({where})" if where else ""
        return f"The strategy {firing.strategy} speaks {side} {say.moves([move.move])}{reason}."
    return f"{subject} {texts.fill(meaning.predicate, say.words(move.move, firing.reasons))}."


def short(advice: Advice, firing: Firing) -> str:
    """Return a strategy in a few words."""
    return advice.phrasing.texts.comment("moves", firing.strategy) or firing.strategy


def is_final(advice: Advice, firing: Firing) -> bool:
    """Return whether a strategy ends the game, so that nothing else matters."""
    meaning = advice.phrasing.texts.strategies.get(firing.strategy)
    return meaning is not None and meaning.final


def is_decisive(advice: Advice, firing: Firing) -> bool:
    """Return whether a strategy wins with the next move, so that its sentence says how."""
    meaning = advice.phrasing.texts.strategies.get(firing.strategy)
    return meaning is not None and meaning.decisive


def reasons(
    advice: Advice, move: Move, other: Move | None, found: Sequence[Difference]
) -> list[str]:
    """Describe in sentences what one of two moves has and the other lacks, with its weights.

    Features at the end of the move's own line come first, then features of the other line, then
    strategies.
    """
    return _sentences(advice, move, other, found, numbers=True)


def prospects(
    advice: Advice, move: Move, other: Move | None, found: Sequence[Difference]
) -> list[str]:
    """Describe the same as `reasons`, without numbers and features that harm their owner."""
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
            each = [
                f"{say.player_name(p)} {verb} {' and '.join(told)}" for p, told in players.items()
            ]
            line = line_text(say, whose, at_most=None if numbers else _SPELLED)
            told_.append(f"After {line}, {', and '.join(each)}.")
    return [*told_, *fired]


def _places(say: Phrasing, held: Sequence[Held]) -> list[str]:
    """Name each place of features once."""
    wheres = sorted({each.where for each in held}, key=lambda where: say.places([where]))
    named = dict.fromkeys(name for where in wheres for name in say.places([where]))
    return [name for name in named if name]


def _against(say: Phrasing, held: Held) -> str:
    """Say that a feature counts against its owner, if its weight is negative."""
    weight = held.weight if held.player == say.turn else -held.weight
    return f"which counts against {say.player_name(held.player)}" if weight < 0 else ""


def feature_text(say: Phrasing, name: str, player: int, count: int = 1, language: str = "") -> str:
    """Describe a feature that a player has once or several times; a user's own by its name.

    `language`: in which one of them is described if the feature has a text in it.
    """
    translated = say.texts.translated.get(language)
    if translated and name in translated.features:
        return texts.in_number(translated.features[name], 1)
    me, you = say.player_name(player), say.player_name(1 - player)
    text = say.texts.features.get(name) or f"the feature {name}"
    for side in _SIDES:
        text = text.replace(f" of {side}", "").replace(f" {side} the game", " the game")
    return count_noun(text.replace("oneself", me).replace("the opponent", you), count)


def line_text(say: Phrasing, move: Move, at_most: int | None = None) -> str:
    """Return the moves to the end of a move's line; a line of more than `at_most` is counted."""
    names = say.names_along(move.trace.line if move.trace else (move.move,))
    if at_most is not None and len(names) > at_most:
        return f"{names[0]} and {number(len(names) - 1)} more moves"
    return " ".join(names)


def subject(say: Phrasing, *moves: Move) -> str:
    """Return moves as the beginning of a sentence."""
    return begin_sentence(say, say.moves([move.move for move in moves]))


def begin_sentence(say: Phrasing, text: str) -> str:
    """Return a text as the beginning of a sentence; a move's name stays as it is."""
    return capitalize_text(text) if text.startswith(say.noun) else text


def continue_sentence(say: Phrasing, text: str) -> str:
    """Return a sentence of `reasons` as the end of another one."""
    words = ("After ", "The ", say.noun.capitalize())
    return text[0].lower() + text[1:] if text.startswith(words) else text
