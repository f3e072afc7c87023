"""Reasons in sentences: what a strategy says of a move, what features two moves lead to.

What a strategy or a feature means stands beside its rule in the encodings (see
`advisor.settings.texts`); here it is put together with the squares of the position. Of what nothing
is told there, its name is said.
"""

from collections.abc import Sequence

from advisor.advice.advise import Advice
from advisor.advice.contrast import Difference, Strategies
from advisor.advice.move import Firing, MoveAdvice
from advisor.advice.trace import Held
from advisor.advice.wording import counted, listed, number, spans, squares_text
from advisor.games.connect4.notation import square_name
from advisor.games.players import COLOURS
from advisor.settings import texts
from advisor.settings.texts import Texts

PLACES = 3
"""Lines told of a strategy or of a forced win, squares or lines of a feature."""

_SIDES = ("the first player", "the second player")
"""How the texts call the player whose feature it is, for weights that differ between the two."""


def sentence(advice: Advice, move: MoveAdvice, firing: Firing, subject: str = "It") -> str:
    """Why a strategy fired for a move of this advice, for a beginner."""
    meaning = advice.config.texts.strategies.get(firing.strategy)
    where = _first_few(list(map(squares_text, spans(firing.reasons))))
    if meaning is None:
        side = "for" if firing.weight > 0 else "against"
        reason = f" {where}" if where else ""
        return f"The strategy {firing.strategy} speaks {side} column {move.column}{reason}."
    square = (move.row, move.column)
    holes = {
        hole
        for reason in firing.reasons
        for hole in reason
        if hole != square and not advice.position.at(*hole)
    }
    turn = advice.position.turn
    values = {
        "me": COLOURS[turn],
        "you": COLOURS[3 - turn],
        "where": where,
        "lines": f"{'a line' if len(firing.reasons) == 1 else 'lines'} {where}",
        "holes": listed(map(square_name, sorted(holes, key=lambda hole: hole[::-1])), "and"),
        "square": square_name(square),
        "rows": "odd" if move.row % 2 else "even",
    }
    predicate = texts.fill(meaning.predicate, values)
    return f"{subject} {predicate}."


def short(advice: Advice, firing: Firing) -> str:
    """A strategy in a few words."""
    meaning = advice.config.texts.strategies.get(firing.strategy)
    return (meaning.short if meaning else "") or firing.strategy


def is_final(advice: Advice, firing: Firing) -> bool:
    """Whether a strategy ends the game, so that nothing else matters."""
    meaning = advice.config.texts.strategies.get(firing.strategy)
    return meaning is not None and meaning.final


def reasons(
    advice: Advice, move: MoveAdvice, other: MoveAdvice | None, found: Sequence[Difference]
) -> list[str]:
    """Sentences on what one of two moves has and the other lacks, with what it counts.

    What is at the end of the move's own line comes first, then that of the other, then strategies.
    """
    ends: dict[bool, dict[int, list[str]]] = {True: {}, False: {}}
    fired = []
    for difference in found:
        amount = f"{difference.amount:+d}"
        if isinstance(difference, Strategies):
            whose = move if difference.own or other is None else other
            told = sentence(advice, whose, difference.firing, f"Column {whose.column}")
            fired.append(f"{told.removesuffix('.')} ({amount}).")
            continue
        own = len(difference.here) > len(difference.there)
        more, fewer = difference.here, difference.there
        if not own:
            more, fewer = fewer, more
        player = more[0].player
        things = counted(feature_text(advice.config.texts, more[0].feature, player), len(more))
        instead = f", instead of {number(len(fewer))}" if fewer else ""
        details = [_where(more), _against(more[0], advice.position.turn), amount]
        told = f"{things}{instead} ({'; '.join(filter(None, details))})"
        ends[own].setdefault(player, []).append(told)
    told_ = []
    for own, players in ends.items():
        if players:
            whose = move if own or other is None else other
            verb = "has" if own else "would have"
            texts = [f"{COLOURS[p]} {verb} {' and '.join(things)}" for p, things in players.items()]
            told_.append(f"After {line_text(whose)}, {', and '.join(texts)}.")
    return [*told_, *fired]


def _against(held: Held, turn: int) -> str:
    """That a feature counts against the player who has it, where a weight is negative."""
    weight = held.weight if held.player == turn else -held.weight
    return f"which counts against {COLOURS[held.player]}" if weight < 0 else ""


def feature_text(told: Texts, name: str, player: int) -> str:
    """What a feature of a player's is; a user's own by its name."""
    me, you = COLOURS[player], COLOURS[3 - player]
    text = told.features.get(name) or f"the feature {name}"
    for side in _SIDES:
        text = text.replace(f" of {side}", "").replace(f" {side} the game", " the game")
    return text.replace("oneself", me).replace("the opponent", you)


def _where(features: Sequence[Held]) -> str:
    """The squares of single-square features, the lines of others."""
    places = {held.squares for held in features if held.squares}
    if all(len(squares) == 1 for squares in places):
        squares = sorted((square for (square,) in places), key=lambda square: square[::-1])
        return _first_few(list(map(square_name, squares)))
    return _first_few(list(map(squares_text, spans(places))))


def _first_few(texts: Sequence[str]) -> str:
    """The first of many places, and how many more there are."""
    more = [f"{len(texts) - PLACES} more"] if len(texts) > PLACES else []
    return listed([*texts[:PLACES], *more], "and")


def line_text(move: MoveAdvice) -> str:
    """The moves to the end of a move's line."""
    return " ".join(map(str, move.trace.line if move.trace else (move.column,)))


def uncapitalised(text: str) -> str:
    return text[0].lower() + text[1:]
