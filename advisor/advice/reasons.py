"""Reasons in sentences: what a strategy says of a move, what features two moves lead to.

What a strategy or a feature means stands beside its rule in the encodings (see
`advisor.settings.texts`); here it is put together with the places of the position. Of what nothing
is told there, its name is said.

A score is what the look-ahead sees at the end of the move's line and what the strategies say. What
two moves have alike cannot be the reason for choosing one of them, so that only `differences` are
told, which add up to the difference of the scores exactly. Why a move of a game has its grade is
told by the same differences, besides what is certain.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.advice.advice import Advice, Held, Move
from advisor.advice.grades import Mark, Prospect
from advisor.asp.clingo_api import Term
from advisor.games.abilities import Abilities, Firing
from advisor.games.phrasing import Phrasing
from advisor.games.wording import counted, few, number
from advisor.limits import Stop
from advisor.settings import texts

_SIDES = ("the first player", "the second player")
"""How the texts call the player whose feature it is, for weights that differ between the two."""

_LINES_WITHIN = 4
"""Moves of a forced win of which every reply is followed, to tell the lines that end it."""

_FIRINGS = 2
"""Strategies told of a move."""

_DIFFERENCES = 3
"""What tells the ends of two lines apart, the weightiest first."""

Prospects = Mapping[Term, Prospect]


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
    return f"{subject} {texts.fill(meaning.predicate, values)}."


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


def grade_reasons(
    advice: Advice | None,
    say: Phrasing,
    move: Term,
    found: Mark[Term],
    prospects: Prospects,
    scale: float,
) -> list[str]:
    """Sentences on a move that was played, at least one.

    Args:
        advice: on the position before it, with traces where the look-ahead judges; None for a move
            that is proved to be good among others.
        prospects: of all moves.
        scale: see `advisor.advice.grades.mark`.
    """
    if len(prospects) == 1:
        return [f"{started(say, say.moves([move]))} is the only legal {say.noun}."]
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
            name = started(say, say.moves([move]))
            told.insert(0, f"{name} is the only {say.noun} that does not give that away.")
        if advice is not None and own.kind == prospects[other].kind == "heuristic":
            told += _apart(advice, move, other)
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
    """The same at the beginning of a sentence."""
    return started(say, _comes_to(say, moves, prospect))


def _certain(say: Phrasing, move: Term, found: Mark[Term], prospects: Prospects) -> str:
    """What the move leads to, beside what the others do, where all that is certain."""
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


def _apart(advice: Advice, move: Term, other: Term) -> list[str]:
    """What tells the ends of two moves' lines apart; strategies are no part of their values."""
    one, two = (replace(advice.move(m), fires=()) for m in (move, other))
    found = differences(one, two)[:_DIFFERENCES]
    return [reasons(advice, one, two, [difference])[0] for difference in found]


def _speaking(advice: Advice, chosen: Term, for_it: bool) -> list[str]:
    """Strategies with a reason on the board that speak for a move, or against it.

    Of the last move of a game its result is the reason.
    """
    move = advice.move(chosen)
    if move.score.plies == 1:
        return []
    firings = [f for f in move.fires if f.reasons and (f.weight > 0) is for_it]
    by = subject(advice.phrasing, move)
    return [sentence(advice, move, firing, by) for firing in firings[:_FIRINGS]]


def _lines(say: Phrasing, move: Term, prospect: Prospect) -> list[str]:
    """The lines of which the other side completes one, if it wins soon."""
    if prospect.kind != "loss" or not 0 < (prospect.moves or 0) <= _LINES_WITHIN:
        return []
    where = say.completed(move, prospect.score)
    if not where:
        return []
    whatever = "" if prospect.moves == 1 else f", whatever {say.called(say.turn)} does,"
    return [f"Then{whatever} {say.called(1 - say.turn)} completes a line {where}."]


def missed(
    game: Abilities, move: Term, found: Mark[Term], prospects: Prospects, stop: Stop
) -> list[str]:
    """What a better move than this one would have been, in a few words each; see `grade_reasons`.

    Raises:
        KeyboardInterrupt: it was to stop.
    """
    first, told = found.better[0], []
    best = prospects[first]
    if best.kind == "win" and prospects[move].kind != "win":
        told.append(game.phrasing.won(best.score))
        if proof := game.proof(first, best.score, stop):
            told.append(proof)
    return told + game.phrasing.blocked(move, found.better)
