"""Explanations in sentences: forced results, effects of a move, dangers of another one.

They come in this order, each only if it has content:

1. the forced move, or the result;
2. the events that the suggested move brings about on the board;
3. the event that the next best move runs into within four plies;
4. if both only answer a threat, the events of the player's next move;
5. otherwise, the difference at the end of the lines.

Events come from each game's ``events.lp``. Numbers are left to `advisor.advice.numbers`.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from advisor.advice.advice import Advice, Move, check_advice
from advisor.advice.line_events import FORESEEN, events_along, first_apart
from advisor.advice.numbers import account, is_outscored, next_best, others_of
from advisor.advice.reasons import (
    StrategyFamily,
    begin_sentence,
    continue_sentence,
    differences,
    feature_text,
    is_decisive,
    is_final,
    line_text,
    prospects,
    sentence,
    short,
    subject,
)
from advisor.files.textfile import amount
from advisor.games.events import Event
from advisor.games.phrasing import is_at_once, verb, when
from advisor.games.score import Score, ScoreKind
from advisor.games.wording import capitalize_text
from aspcircuits.clingo_api import Term

_EVENTS = 2
"""Most events named of one move."""

_NEXT = 2
"""Plies until the same player moves again, if sides take turns."""


def headline(advice: Advice) -> str:
    """Say what to play and what it leads to, or how the game has ended, in a sentence.

    >>> advisor.headline(advisor.suggest(advisor.position("443355"), depth=4))
    'Play column 2 or 6 (equally good): wins in 1.'
    """
    check_advice(advice)
    say, count = advice.phrasing, len(advice.chosen)
    if not count:
        ended = advice.score.kind
        winner = say.player_label(say.turn ^ (ended == "loss"))
        return f"The game is over: {'a draw' if ended == 'draw' else f'{winner} has won'}."
    lost, every = advice.score.kind == "loss", count == len(advice.game.legal()) > 1
    known = say.outcome(advice.score)
    if lost and every:
        return say.every(advice.score)
    if advice.is_unsure(advice.first):
        games = amount(advice.first.playouts, "random game")
        return f"Play {say.moves(advice.chosen[:1])}: a first impression, tried most ({games})."
    play = f"Play {say.moves(advice.chosen, 'or')}"
    if count > 1:
        play += " (equally good)"
    if advice.engine:
        known = engine_text(advice, advice.first)
    if not known and advice.solved and advice.solved.hold:
        known = "holds at least a draw (proved)"
    if lost and _last(advice):
        known += f", and every other {say.noun} loses sooner"
    elif lost and len(advice.moves) > 1:
        known += f", as every other {say.noun} does"
    return f"{play}: {known}." if known else f"{play}."


def engine_text(advice: Advice, move: Move) -> str:
    """Return an engine's result or value of a move, with the engine's depth."""
    value = "" if move.score.value is None else f"{move.score.value:+d}"
    known = advice.phrasing.outcome(move.score) or value
    return f"{known} ({advice.engine}, depth {advice.depth})".lstrip()


def _last(advice: Advice) -> bool:
    """Return whether the best moves, which lose, hold out longer than all others."""
    longest, others = advice.score.moves, [move.score.moves for move in others_of(advice)]
    return (
        longest is not None and all(n is not None and n < longest for n in others) and others != []
    )


def main_reason(advice: Advice, chosen: Term) -> str:
    """Give the reason for a move in one line: its forced result, or a best move's first reason.

    It is empty for a move that is neither decided nor the best.
    """
    say, move = advice.phrasing, advice.move(chosen)
    if move.score.kind != "heuristic":
        final = [f for f in move.fires if f.weight > 0 and is_final(advice, f)]
        why = [short(advice, firing) for firing in final[:1]]
        if advice.solved and advice.solved.move == chosen:
            why = [advice.solved.short]
        return "; ".join([say.outcome(move.score), *why])
    if chosen not in advice.chosen:
        return ""
    if advice.solved and advice.solved.move == chosen:
        return advice.solved.short
    events, other = advice.game.events(chosen), next_best(advice)
    for each in _tipping(move, other, {event.name for event in events}):
        if each.own:
            return short(advice, each.firing)
    good = [event.text for event in events if not event.mistake]
    told = good[:1] or _difference(advice, move, other)[:1]
    return continue_sentence(say, told[0].removesuffix(".")) if told else ""


def paragraphs(advice: Advice) -> list[list[str]]:
    """Explain the suggested moves and the losing ones: paragraphs, each a list of sentences."""
    if not advice.chosen:
        return []
    lost = [move for move in others_of(advice) if move.score.kind == "loss"]
    told = []
    if advice.score.kind == "heuristic":
        story, lost = _story(advice, lost)
        told.append(story)
    else:
        told = _explain_decided(advice, [advice.move(move) for move in advice.chosen])
        if not _is_told(advice):
            told[0] = _reason_first(advice, advice.first, told[0])
            if advice.score.kind != "win":
                told[0] += _tempting(advice)
        longest = max((move.score.moves or 0 for move in lost), default=0)
        if advice.score.kind == "loss" and (advice.score.moves or 0) > longest > 0:
            _outlast(advice, told)
        told += [[s for s in p if s not in told[0]] for p in _explain_choice(advice)]
    return told + _explain_decided(advice, lost)


def _is_told(advice: Advice) -> bool:
    """Return whether the description of the end of the game already explains the best move."""
    needed, first = advice.score.moves, advice.first
    if needed == 2 and advice.score.kind == "win":
        return bool(advice.phrasing.lines(first.move, first.score))
    return needed is not None and needed < _LONG


_LONG = 3
"""A win or loss in fewer moves than this is explained by its end alone."""


def _reason_first(advice: Advice, move: Move, told: list[str]) -> list[str]:
    """Add the effects of a best move to the sentences on its result, before them if possible.

    A bare number of moves repeats the score beside the move, so the reason comes first.
    """
    name = subject(advice.phrasing, move)
    result, *rest = told
    reason = _happening(advice, move, name)
    if advice.score.kind == "loss" or not _is_bare(result):
        if result.startswith(f"{name} "):
            reason = [f"It {text.removeprefix(f'{name} ')}" for text in reason]
        return [*told, *reason]
    reason = reason or _strategies_apart(advice, move)
    if reason and result.startswith(f"{name} "):
        result = f"It {result.removeprefix(f'{name} ')}"
    return [*reason, result, *rest]


def _is_bare(result: str) -> bool:
    """Return whether a sentence has only a result, and not how it comes about."""
    return not set(":;") & set(result)


def _strategies_apart(advice: Advice, move: Move) -> list[str]:
    """Name the weightiest strategy that speaks for a move more than for the next best one."""
    other = next_best(advice)
    found = [
        each
        for each in differences(move, other)
        if isinstance(each, StrategyFamily) and each.own and each.amount > 0
    ]
    return prospects(advice, move, other, found[:1])


def _outlast(advice: Advice, told: list[list[str]]) -> None:
    """Say of lost moves that no other one lasts longer, with their result if it is only that."""
    name = subject(advice.phrasing, *map(advice.move, advice.chosen))
    first = told[0][0]
    if first.startswith(f"{name} lose") and _is_bare(first):
        lasts = "lasts longest: it" if len(advice.chosen) == 1 else "last longest: they"
        told[0][0] = f"{name} {lasts} {first.removeprefix(f'{name} ')}"
    else:
        told[-1].append("No other move lasts longer.")


def _story(advice: Advice, lost: list[Move]) -> tuple[list[str], list[Move]]:
    """Explain the choice among undecided moves; also return the lost moves not yet mentioned."""
    say, first, others = advice.phrasing, advice.first, others_of(advice)
    told: list[str] = []
    equal = [advice.move(move) for move in advice.chosen[1:]]
    events = [event for event in advice.game.events(first.move) if not event.mistake]
    if others and len(lost) == len(others) and not equal:
        name = say.moves([first.move])
        at_once = all(is_at_once(move.score) for move in lost)
        if at_once and events:
            told.append(f"{_side(advice)} must play {name}: it {events[0].text}.")
            told += _does(events[1:_EVENTS], "It also")
            lost = []
        else:
            told.append(f"{subject(say, first)} is the only move that is not known to lose.")
            told += _does(events[:_EVENTS], "It")
    else:
        told += _does(events[:_EVENTS], subject(say, first))
    told += _deciding(advice, first, next_best(advice), {event.name for event in events})
    if is_outscored(advice):
        who = "the solution" if advice.solved else "what is proved"
        told.append(f"{subject(say, first)} was chosen by {who}, not by its score.")
    runs_into = _tempting(advice, alone=not told)
    told += runs_into
    if not runs_into and all(event.reply for event in events):
        told += _follow_up(advice, first)
    if first.trace and first.trace.drawn:
        told.append(f"After {line_text(say, first)}, {say.drawn}.")
    if first.mean is not None:
        told += account(advice, first.move)[:1]
    elif not told:
        told += _difference(advice, first, next_best(advice))
    if equal:
        one = len(equal) == 1
        alike = f"{'does' if one else 'do'} as well"
        if runs_into:  # the sentence before is about a worse move
            alike = f"{'is' if one else 'are'} as good as {say.moves([first.move])}"
        told.append(f"{subject(say, *equal)} {alike}.")
    for i, text in enumerate(told[1:], 1):  # one move after the other
        name = f"{subject(say, first)} "
        if told[i - 1].startswith((name, "It ")) and text.startswith(name):
            told[i] = f"It also {text.removeprefix(name)}"
    if not told:
        name = say.moves([first.move])
        nothing = f"Nothing that counts tells {name} from other moves."
        if advice.engine:
            nothing = f"The rules name no reason for {name}; {advice.engine} decides."
        apart = differences(first, next_best(advice))
        told.append(f"Only small differences speak for {name}." if apart else nothing)
    return told, lost


def _side(advice: Advice) -> str:
    """Name the side to move at the beginning of a sentence."""
    return capitalize_text(advice.phrasing.player_name(advice.phrasing.turn))


def _does(events: Sequence[Event], subject: str) -> list[str]:
    """Describe events of one move in a sentence."""
    if not events:
        return []
    texts = [event.text for event in events]
    joined = (", and " if "," in texts[0] else " and ").join(texts)
    return [f"{subject} {joined}."]


def _happening(advice: Advice, move: Move, subject: str) -> list[str]:
    """Describe the effects of a move on the board that help its player."""
    events = [event for event in advice.game.events(move.move) if not event.mistake]
    return _does(events[:_EVENTS], subject)


def _line(advice: Advice, move: Move) -> Sequence[Term]:
    """Return the expected line of play from a move on, as far as its events are described."""
    if move.trace:
        return move.trace.line[:FORESEEN]
    if move.expected:
        return move.expected.line[:FORESEEN]
    line = advice.variation if advice.variation[:1] == (move.move,) else (move.move,)
    return line[:FORESEEN]


def _tempting(advice: Advice, *, alone: bool = False) -> list[str]:
    """Say what the next best move runs into; `alone`: no sentence on the best move precedes."""
    other = next_best(advice)
    if other is None or other.score.kind != "heuristic":
        return []
    return _runs_into(advice, other, advice.first, alone=alone)


def _runs_into(advice: Advice, move: Move, better: Move, *, alone: bool = False) -> list[str]:
    """Describe the worst event for the player on a move's line that a better move's line avoids.

    A sentence that stands alone says first that the move is not the suggested one.
    """
    say = advice.phrasing
    name = f"Not {say.moves([move.move])}: it" if alone else subject(say, move)
    line = _line(advice, move)
    happens, elsewhere = (
        events_along(advice.game, each).bad for each in (line, _line(advice, better))
    )
    found = first_apart(happens, elsewhere)
    if found is None:
        return []
    ply, event = found
    if ply == 0:
        return [f"{name} {event.text}."]
    if ply == 1:
        there = advice.game.after(line[0]).phrasing
        reply = there.moves([line[1]])
        if reply == say.moves([move.move]):
            reply = f"{there.player_name(there.turn)}'s {reply}"
        return [f"{name} runs into {reply}, which {event.text}."]
    _, *moves = say.names_along(line[: ply + 1])
    return [f"{name} can lead to {' '.join(moves)}, the last of which {event.text}."]


def _follow_up(advice: Advice, move: Move) -> list[str]:
    """Describe the most important event of the player's next move on a move's line."""
    line = _line(advice, move)
    game = advice.game
    if len(line) <= _NEXT:
        return []
    for each in line[:_NEXT]:
        game = game.after(each)
    if game.phrasing.turn != advice.phrasing.turn:
        return []
    good = [e for e in game.events(line[_NEXT]) if not e.mistake and not e.reply]
    if not good:
        return []
    before, last = advice.phrasing.names_along(line[:_NEXT]), game.phrasing.moves([line[_NEXT]])
    return [f"After {' '.join(before)}, {last} {good[0].text}."]


def _deciding(advice: Advice, move: Move, other: Move | None, events: Collection[str]) -> list[str]:
    """Name the strategies that tip the scales, unless an event has already been named for them."""
    return prospects(advice, move, other, _tipping(move, other, events)[:_EVENTS])


def _tipping(move: Move, other: Move | None, events: Collection[str]) -> list[StrategyFamily]:
    """List strategies that make at least a third of the difference to another move.

    Strategies with the name of an event are left out.
    """
    if move.value is None or other is None or other.value is None:
        return []
    margin = max(0, move.value - other.value)
    return [
        each
        for each in differences(move, other)
        if isinstance(each, StrategyFamily)
        and 3 * each.amount > margin
        and not _is_event(each.firing.strategy, events)
    ]


def _is_event(strategy: str, events: Collection[str]) -> bool:
    """Return whether an event has the name of a strategy, perhaps with more arguments.

    >>> _is_event("wins(rook)", ["wins(rook,pawn)"]), _is_event("wins(rook)", ["wins(pawn)"])
    (True, False)
    """
    begun = strategy.removesuffix(")") + (",", "(")[")" not in strategy]
    return strategy in events or any(event.startswith(begun) for event in events)


def _difference(advice: Advice, move: Move, other: Move | None, against: bool = False) -> list[str]:
    """Say what a move achieves in the long run and another does not, or which strategies support
    it.

    `against`: say what speaks against it instead.
    """
    found = [each for each in differences(move, other) if (each.amount < 0) is against]
    return prospects(advice, move, other, found[:_EVENTS])


def move_sentences(advice: Advice, chosen: Term) -> list[str]:
    """Explain any legal move, and name a better one if it is not the best."""
    say, move, first = advice.phrasing, advice.move(chosen), advice.first
    told = [] if move.score.kind == "heuristic" else list(_explain_decided(advice, [move])[0])
    if chosen in advice.chosen:
        if move.score.kind == "heuristic":
            return _story(advice, [m for m in others_of(advice) if m.score.kind == "loss"])[0]
        return _reason_first(advice, move, told)
    if not told:
        told = _happening(advice, move, subject(say, move))
        told += _runs_into(advice, move, first)
        if move.mean is not None:
            told += account(advice, chosen)
        elif not told:
            worse = (move.value or 0) < (first.value or 0)
            told = _difference(advice, move, first, against=worse)
    if not _is_visibly_better(advice.score, move.score) and advice.score.kind != "heuristic":
        return told
    better = begin_sentence(say, say.moves(advice.chosen, "or"))
    if first.score.kind != "heuristic":
        return [*told, f"{better} is better: {_worth(first.score)}."]
    good = [event.text for event in advice.game.events(first.move) if not event.mistake]
    why = f": it {good[0]}" if good and len(advice.chosen) == 1 else ""
    return [*told, f"{better} is better{why}."]


def _is_visibly_better(best: Score, other: Score) -> bool:
    """Return whether the best score is visibly better: a sooner win, later loss, other outcome.

    Among moves proved to end alike, the look-ahead chooses, not the length.
    """
    if best.kind != other.kind:
        return True
    needed = (best.moves or 0) - (other.moves or 0)
    return needed < 0 if best.kind == "win" else needed > 0


def _explain_choice(advice: Advice) -> list[list[str]]:
    """Say why one of several moves is suggested if none is proved to be better."""
    first, other = advice.first, next_best(advice)
    if first.trace is None or other is None or is_outscored(advice):
        return []
    which = "moves of which none is proved to be better"
    if other.score.kind == first.score.kind:
        which = f"moves that {verb(first.score.kind, 2)}"
    chosen = begin_sentence(advice.phrasing, advice.phrasing.moves(advice.chosen))
    verb_ = "are" if len(advice.chosen) > 1 else "is"
    preferred = f"{chosen} {verb_} the look-ahead's choice among {which}."
    return [[preferred, *_difference(advice, first, other)]]


def _explain_decided(advice: Advice, moves: Sequence[Move]) -> list[list[str]]:
    """Write paragraphs on moves that decide the game; one for all that end in the same way."""
    say, others = advice.phrasing, {move.move for move in others_of(advice)}
    ways: dict[tuple[ScoreKind, str, str], list[Move]] = defaultdict(list)
    for move in moves:
        ways[move.score.kind, when(move.score), _ending(advice, move)].append(move)
    told = []
    for (kind, length, ending), alike in ways.items():
        every = len(advice.moves) == len(advice.game.legal())
        if len(alike) > 1 and every and {move.move for move in alike} == others:
            leads = f"All other {say.noun}s {verb(kind, len(alike))}{length}"
        else:
            leads = begin_sentence(say, say.leads([move.move for move in alike], alike[0].score))
        told.append([f"{leads}{ending}."])
    return told


def _ending(advice: Advice, move: Move) -> str:
    """Say how the game ends after a move that decides it."""
    score = move.score
    line = advice.variation if advice.variation[:1] == (move.move,) else ()
    if advice.engine and score.within:
        line = move.expected.line if move.expected else line
        return f" at most, says {advice.engine}: {' '.join(advice.phrasing.names_along(line))}"
    if score.within and move.expected:
        every = "reply" if score.kind == "win" else "move"
        line = move.expected.line
        return (
            f" at most: in a tree of random games every {every} loses, and the longest play there "
            f"is {' '.join(advice.phrasing.names_along(line))}"
        )
    if score.kind == "win" and score.moves == 2:
        for firing in move.fires:
            if is_decisive(advice, firing):
                return f": {sentence(advice, move, firing, 'it').removesuffix('.')}"
    return advice.phrasing.ending(move.move, score, line)


def _worth(score: Score) -> str:
    if score.kind == "heuristic":
        return f"a score of {score.value}"
    return f"a {score.kind}{when(score)}"


def _players(advice: Advice, line: Sequence[Term]) -> list[str]:
    """Return the player who makes each move of a line."""
    game, found = advice.game, []
    for move in line:
        found.append(game.phrasing.players[game.phrasing.turn])
        game = game.after(move)
    return found


def to_json(advice: Advice, language: str = "") -> dict[str, Any]:
    """Return the object of ``suggest --json`` with sentences beside its reasons.

    `language`: of the texts of strategies and features, where their rules have it.
    """
    say, moves = advice.phrasing, []
    for move in advice.moves:
        told: dict[str, Any] = {
            "outcome": say.outcome(move.score),
            "total": move.total,
            "fires": [
                {
                    **firing.to_json(say),
                    "sentence": sentence(advice, move, firing, language=language),
                }
                for firing in move.fires
            ],
            "explanation": move_sentences(advice, move.move),
            "numbers": account(advice, move.move),
        }
        if move.trace:
            features = [
                {
                    **held.to_json(say),
                    "text": feature_text(say, held.feature, held.player, 1, language),
                }
                for held in move.trace.features
            ]
            names = say.names_along(move.trace.line)
            told["trace"] = {**move.trace.to_json(say), "line_names": names, "features": features}
        moves.append({**advice.move_json(move), **told})
    found = {**advice.to_json(), "moves": moves, "explanation": paragraphs(advice)}
    found["headline"] = headline(advice)
    if advice.chosen:
        foreseen = advice.first.expected.line if advice.first.expected else ()
        line = max(advice.variation, foreseen, key=len)
        found |= {
            "line": [*map(say.code, line)],
            "line_names": say.names_along(line),
            "line_players": _players(advice, line),
        }
    return found
