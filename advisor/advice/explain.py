"""Advice in paragraphs: on the moves that are suggested, on the others, on any one."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from advisor.advice.advice import Advice, Move, check_advice
from advisor.advice.reasons import (
    StrategyFamily,
    continued,
    differences,
    feature_text,
    is_decisive,
    is_final,
    line_text,
    reasons,
    sentence,
    short,
    started,
    subject,
)
from advisor.files.textfile import amount
from advisor.games.phrasing import Phrasing, percent, verb, when
from advisor.games.score import Score
from aspcircuits.clingo_api import Term

_REASONS = 3
"""Differences told of a move, the weightiest first, besides one that speaks against it."""

_WARNED = 6
"""Moves of which it is told what speaks against them, where there are many."""


def headline(advice: Advice) -> str:
    """What to play and what it leads to, or how the game has ended, in a sentence.

    >>> advisor.headline(advisor.suggest(advisor.position("443355"), depth=4))
    'Play column 2 or 6 (equally good): wins in 1.'
    """
    check_advice(advice)
    say, count = advice.phrasing, len(advice.chosen)
    if not count:
        ended = advice.score.kind
        winner = say.named(say.turn ^ (ended == "loss"))
        return f"The game is over: {'a draw' if ended == 'draw' else f'{winner} has won'}."
    lost, every = advice.score.kind == "loss", count == len(advice.moves) > 1
    known = say.outcome(advice.score)
    if lost and every:
        return say.every(advice.score)
    if advice.is_unsure(advice.first):
        games = amount(advice.first.playouts, "random game")
        return f"Play {say.moves(advice.chosen[:1])}: a first impression, tried most ({games})."
    play = f"Play {say.moves(advice.chosen, 'or')}"
    if count > 1:
        play += " (equally good)"
    if not known and advice.solved and advice.solved.hold:
        known = "holds at least a draw (proved)"
    if lost and _last(advice):
        known += f", and every other {say.noun} loses sooner"
    elif lost and len(advice.moves) > 1:
        known += f", as every other {say.noun} does"
    return f"{play}: {known}." if known else f"{play}."


def _others(advice: Advice) -> list[Move]:
    """The moves that are not suggested."""
    return [move for move in advice.moves if move.move not in advice.chosen]


def _last(advice: Advice) -> bool:
    """Whether the best moves, which lose, hold out longer than all others."""
    longest, others = advice.score.moves, [move.score.moves for move in _others(advice)]
    return (
        longest is not None and all(n is not None and n < longest for n in others) and others != []
    )


def main_reason(advice: Advice, chosen: Term) -> str:
    """One line: the forced result, what the solution plays, or what raises a best move most over
    the next best.

    Nothing is said for a move that is not the best: it was not chosen for its score.
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
    other = _next_best(advice)
    raising = [difference for difference in differences(move, other) if difference.amount > 0]
    if not raising:
        return ""
    if isinstance(raising[0], StrategyFamily) and raising[0].own:
        return short(advice, raising[0].firing)
    (told,) = reasons(advice, move, other, raising[:1])
    return continued(say, told.removesuffix("."))


def paragraphs(advice: Advice) -> list[list[str]]:
    """A paragraph on each suggested move, and on what is wrong with the others, by sentences."""
    if not advice.chosen:
        return []
    others = _others(advice)
    lost = [move for move in others if move.score.kind == "loss"]
    if advice.score.kind == "heuristic":
        first, *equal = map(advice.move, advice.chosen)
        told = [_account(advice, first)]
        if equal:
            scores = "scores" if len(equal) == 1 else "score"
            told.append([f"{subject(advice.phrasing, *equal)} {scores} the same."])
    else:
        told = _decided(advice, [advice.move(move) for move in advice.chosen])
        longest = max((move.score.moves or 0 for move in lost), default=0)
        if advice.score.kind == "loss" and (advice.score.moves or 0) > longest > 0:
            told[-1].append("No other move holds out longer.")
        told += _chosen(advice)
    told += [[text] for move in others for text in _warning(advice, move)][:_WARNED]
    return told + _decided(advice, lost)


def move_sentences(advice: Advice, chosen: Term) -> list[str]:
    """On any legal move, with what would have been better if it is not the best."""
    say, move, first = advice.phrasing, advice.move(chosen), advice.first
    decided = [] if move.score.kind == "heuristic" else _decided(advice, [move])[0]
    if move.score.kind == first.score.kind == "heuristic" or (move.trace and first.trace):
        return [*decided, *_account(advice, move)]
    guessed = move.score.kind == "heuristic" and move.score.value is None
    told = decided or (
        _random(advice, move, None)
        if guessed
        else [f"{subject(say, move)} scores {move.score.value}."]
    )
    if chosen in advice.chosen or not _sooner(advice.score, move.score):
        return told
    better = started(say, say.moves(advice.chosen, "or"))
    instead = "" if guessed else f" instead of {_worth(move.score)}"
    return [*told, f"{better} is better: {_worth(advice.score)}{instead}."]


def _sooner(best: Score, other: Score) -> bool:
    """Whether the best score is visibly better: a sooner win, a later loss, another outcome.

    Among moves that are proved to end alike it is the look-ahead that chooses, not the length.
    """
    if best.kind != other.kind:
        return True
    needed = (best.moves or 0) - (other.moves or 0)
    return needed < 0 if best.kind == "win" else needed > 0


def _chosen(advice: Advice) -> list[list[str]]:
    """What chose the best of several moves of which none is proved to be better: their scores."""
    first, other = advice.first, _next_best(advice)
    if first.trace is None or other is None or _outscored(advice):
        return []
    where = "none is proved to be better"
    if other.score.kind == first.score.kind:
        where = f"several {verb(first.score.kind, 2)}"
    return [[f"Where {where}, the score chooses.", *_account(advice, first)]]


def _account(advice: Advice, move: Move) -> list[str]:
    """Where the score of a move comes from, if that of the best one counted too.

    A best move is compared with the next best, any other with the first best. What goes against
    the outcome of the comparison begins with "Although".
    """
    say, best = advice.phrasing, move.move in advice.chosen
    other = _next_best(advice) if best else advice.first
    told = [] if move.value is None else [_standing(advice, move, other)]
    told += _random(advice, move, other)
    if move.trace and move.trace.drawn:
        told.append(f"After {line_text(say, move)}, {say.drawn}.")
    if move.value is None:
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
        told.append(f"Although {continued(say, text)}")
    if not found:
        alike = other is not None and other.trace and move.trace
        nothing = f"No strategy speaks for {say.moves([move.move])}."
        told.append("Nothing that counts tells the two apart." if alike else nothing)
    return told


def _next_best(advice: Advice) -> Move | None:
    """The move with the highest other score than the best, of those whose score counted.

    That is below the best one's unless this is `_outscored`. Where there are no scores, the next
    one in the advice's order.
    """
    others = [m for m in _others(advice) if m.score.kind == "heuristic" or m.trace]
    unlike = [move for move in others if move.value != advice.first.value]
    return max(unlike or others, key=lambda move: move.value or 0, default=None)


def _outscored(advice: Advice) -> bool:
    """Whether the best move was not chosen by its score: that of another one is higher."""
    first, other = advice.first, _next_best(advice)
    return other is not None and (other.value or 0) > (first.value or 0)


def _standing(advice: Advice, move: Move, other: Move | None) -> str:
    """How a move's score stands beside that of another."""
    say = advice.phrasing
    told = f"{subject(say, move)} scores {move.value}"
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
        return f"{told}{which} was chosen by {who}, not by its score."
    if any(each.score.kind == "loss" for each in _others(advice)):
        one = len(advice.chosen) == 1
        told += f"; every other {say.noun} loses" if one else "; all others lose"
    return f"{told}."


def _random(advice: Advice, move: Move, other: Move | None) -> list[str]:
    """What random games say of a move, and what a tree of them expects."""
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
        few_games = f"was tried in {amount(move.playouts, 'random game')}"
        told = [f"{subject(say, move)} {few_games}, too few to tell how good it is."]
    if move.expected is None:
        return told
    share = f"{100 * move.playouts / games:.0f} % of the {games} games began with it"
    if len(move.expected.line) > 1:
        along = f"{100 * move.expected.share:.0f} % of these"
        share += f"; the expected line is {' '.join(say.told(move.expected.line))} ({along})"
    told.append(f"{share}.")
    return told + (_reply(say, other) if other else [])


def _chances(advice: Advice, move: Move, other: Move | None) -> str:
    """How often the side to move wins random games after a move, and after another one if there
    are enough to compare."""
    say, mine = advice.phrasing, percent(move.mean or 0)
    moves, rest = [move.move], ""
    if other and other.mean is not None and not advice.is_unsure(other):
        if (theirs := percent(other.mean)) == mine:
            moves.append(other.move)
        else:
            rest = f", after {say.moves([other.move])} {theirs}"
    won = f"{say.called(say.turn)} wins {mine} of the random games"
    return f"After {say.moves(moves, 'or')} {won}{rest} (a draw is half a win)."


def _reply(say: Phrasing, move: Move) -> list[str]:
    """What a tree expects to be answered to a move."""
    if not move.expected or len(move.expected.line) < 2:
        return []
    played, reply = say.told(move.expected.line[:2])
    return [f"After {played} the answer is {reply}."]


def _warning(advice: Advice, move: Move) -> list[str]:
    """What a strategy says most against a move that is not suggested, if it made a difference."""
    if advice.score.kind != "heuristic" or move.score.kind != "heuristic":
        return []
    for difference in differences(move, advice.first):
        if isinstance(difference, StrategyFamily) and difference.own and difference.amount < 0:
            return reasons(advice, move, advice.first, [difference])
    return []


def _decided(advice: Advice, moves: Sequence[Move]) -> list[list[str]]:
    """Paragraphs on moves that decide the game; one for all that end in the same way."""
    say, others = advice.phrasing, {move.move for move in _others(advice)}
    ways: dict[tuple[str, int | None, str], list[Move]] = defaultdict(list)
    for move in moves:
        ways[move.score.kind, move.score.moves, _ending(advice, move)].append(move)
    told = []
    for (kind, needed, ending), alike in ways.items():
        if len(alike) > 1 and {move.move for move in alike} == others:
            leads = f"All other {say.noun}s {verb(kind, len(alike))}{when(needed)}"
        else:
            leads = started(say, say.leads([move.move for move in alike], alike[0].score))
        told.append([f"{leads}{ending}."])
    return told


def _ending(advice: Advice, move: Move) -> str:
    """How the game ends after a move that decides it."""
    score = move.score
    line = advice.variation if advice.variation[:1] == (move.move,) else ()
    if score.within and move.expected:
        every = "reply" if score.kind == "win" else "move"
        line = move.expected.line
        return (
            f" at most: in a tree of random games every {every} loses, and the longest play there "
            f"is {' '.join(advice.phrasing.told(line))}"
        )
    if score.kind == "win" and score.moves == 2:
        for firing in move.fires:
            if is_decisive(advice, firing):
                return f": {sentence(advice, move, firing, 'it').removesuffix('.')}"
    return advice.phrasing.ending(move.move, score, line)


def _worth(score: Score) -> str:
    if score.kind == "heuristic":
        return f"a score of {score.value}"
    return f"a {score.kind}{when(score.moves)}"


def _players(advice: Advice, line: Sequence[Term]) -> list[str]:
    """Who makes each move of a line."""
    game, found = advice.game, []
    for move in line:
        found.append(game.phrasing.players[game.phrasing.turn])
        game = game.after(move)
    return found


def to_json(advice: Advice) -> dict[str, Any]:
    """The object of ``suggest --json`` with sentences beside its reasons."""
    say, moves = advice.phrasing, []
    for move in advice.moves:
        told: dict[str, Any] = {
            "outcome": say.outcome(move.score),
            "total": move.total,
            "fires": [
                {**firing.to_json(say), "sentence": sentence(advice, move, firing)}
                for firing in move.fires
            ],
            "explanation": move_sentences(advice, move.move),
        }
        if move.trace:
            features = [
                {**held.to_json(say), "text": feature_text(say, held.feature, held.player)}
                for held in move.trace.features
            ]
            names = say.told(move.trace.line)
            told["trace"] = {**move.trace.to_json(say), "line_names": names, "features": features}
        moves.append({**advice.move_json(move), **told})
    found = {**advice.to_json(), "moves": moves, "explanation": paragraphs(advice)}
    found["headline"] = headline(advice)
    if advice.chosen:
        foreseen = advice.first.expected.line if advice.first.expected else ()
        line = max(advice.variation, foreseen, key=len)
        found |= {
            "line": [*map(say.code, line)],
            "line_names": say.told(line),
            "line_players": _players(advice, line),
        }
    return found
