"""Advice in paragraphs: on the moves that are suggested, on the others, on any one."""

from collections import defaultdict
from collections.abc import Sequence

from advisor.advice.advise import Advice
from advisor.advice.contrast import Strategies, differences
from advisor.advice.move import MoveAdvice
from advisor.advice.reasons import PLACES, is_final, line_text, reasons, short, uncapitalised
from advisor.advice.score import Score
from advisor.advice.wording import lines_text, listed, spans
from advisor.games.connect4.board import Position
from advisor.games.connect4.forcing import Line, completed_lines
from advisor.games.connect4.plans import plan_text
from advisor.games.connect4.victor.proof_text import sentences
from advisor.games.connect4.victor.prove import bound, covers, prove
from advisor.games.players import COLOURS
from advisor.limits import Stop

_PLAYED_OUT = 10
"""Moves of a win beyond which nobody looks for its lines: there are too many replies."""

_REASONS = 3
"""Differences told of a move, the weightiest first, besides one that speaks against it."""


def outcome(score: Score) -> str:
    """A forced result in a few words, nothing for a heuristic score."""
    forced = {"win": "wins", "loss": "loses", "draw": "draws"}.get(score.kind, "")
    if score.moves is not None:
        forced += f" in {score.moves}"
    return f"{forced} (proved)" if score.proved else forced


def headline(advice: Advice) -> str:
    """What to play and what it leads to, in a sentence."""
    columns = sorted(advice.best)
    lost, every = advice.score.kind == "loss", len(columns) == len(advice.moves) > 1
    known = outcome(advice.score)
    if lost and every:
        return f"Every column {known}."
    play = f"Play column {listed(map(str, columns), 'or')}"
    if len(columns) > 1:
        play += " (equally good)"
    if not known and advice.solved and advice.solved.hold:
        known = "holds at least a draw (proved)"
    if lost and _last(advice):
        known += ", and every other column loses sooner"
    elif lost and len(advice.moves) > 1:
        known += ", as every other column does"
    return f"{play}: {known}." if known else f"{play}."


def _last(advice: Advice) -> bool:
    """Whether the best moves, which lose, hold out longer than all others."""
    longest, others = (
        advice.score.moves,
        [move.score.moves for move in advice.moves if move.column not in advice.best],
    )
    return (
        longest is not None and all(n is not None and n < longest for n in others) and others != []
    )


def winning_lines(advice: Advice, column: int) -> tuple[Line, ...] | None:
    """The lines of which the winner completes one, whatever the loser does after this move.

    Returns:
        None if the move decides nothing, or if its win is too long to look at every reply.
    """
    score = advice.move(column).score
    if score.kind not in ("win", "loss") or not 0 < (score.moves or 0) <= _PLAYED_OUT:
        return None
    assert score.moves is not None
    turn = advice.position.turn
    after = advice.position.after(column)
    if after.winner:
        return _completed(after)
    if score.kind == "loss":
        return completed_lines(after, 3 - turn, score.moves)
    return completed_lines(after, turn, score.moves - 1)


def main_reason(advice: Advice, column: int) -> str:
    """One line: the forced result, or what raises a best move most over the next best.

    Nothing is said for a move that is not the best: it was not chosen for its score.
    """
    move = advice.move(column)
    if move.score.kind != "heuristic":
        final = [f for f in move.fires if f.weight > 0 and is_final(advice, f)]
        why = [short(advice, firing) for firing in final[:1]]
        if advice.solved and advice.solved.column == column:
            why = [plan_text.short(advice.solved, advice.position)]
        return "; ".join([outcome(move.score), *why])
    if column not in advice.best:
        return ""
    other = _next_best(advice)
    raising = [difference for difference in differences(move, other) if difference.amount > 0]
    if not raising:
        return ""
    if isinstance(raising[0], Strategies) and raising[0].own:
        return short(advice, raising[0].firing)
    (told,) = reasons(advice, move, other, raising[:1])
    return uncapitalised(told.removesuffix("."))


def explain(advice: Advice) -> list[str]:
    """A paragraph on each suggested move, and on what is wrong with the others."""
    return [" ".join(sentences) for sentences in paragraphs(advice)]


def paragraphs(advice: Advice) -> list[list[str]]:
    """The same, each paragraph sentence by sentence."""
    others = [move for move in advice.moves if move.column not in advice.best]
    lost = [move for move in others if move.score.kind == "loss"]
    if advice.score.kind == "heuristic":
        first, *equal = advice.best
        told = [_account(advice, advice.move(first))]
        if equal:
            s = "s" if len(equal) == 1 else ""
            columns = listed(map(str, sorted(equal)), "and")
            told.append([f"Column{'' if s else 's'} {columns} score{s} the same."])
    else:
        told = _decided(advice, [advice.move(column) for column in advice.best])
        longest = max((move.score.moves or 0 for move in lost), default=0)
        if advice.score.kind == "loss" and (advice.score.moves or 0) > longest > 0:
            told[-1].append("No other move holds out longer.")
        told += _chosen(advice)
    for move in others:
        if move.score.kind not in ("win", "loss"):
            told += [[warning] for warning in _warning(advice, move)]
    return told + _decided(advice, lost)


def explain_move(advice: Advice, column: int) -> str:
    """A paragraph on any legal move, with what would have been better if it is not the best."""
    return " ".join(move_sentences(advice, column))


def move_sentences(advice: Advice, column: int) -> list[str]:
    """The same, sentence by sentence."""
    move, first = advice.move(column), advice.move(advice.best[0])
    decided = [] if move.score.kind == "heuristic" else _decided(advice, [move])[0]
    if move.score.kind == first.score.kind == "heuristic" or (move.trace and first.trace):
        return [*decided, *_account(advice, move)]
    told = decided or [f"Column {column} scores {move.score.value}."]
    if column in advice.best or not _sooner(advice.score, move.score):
        return told
    better = listed(map(str, sorted(advice.best)), "or")
    worth = f"{_worth(advice.score)} instead of {_worth(move.score)}"
    return [*told, f"Column {better} is better: {worth}."]


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
    first, other = advice.move(advice.best[0]), _next_best(advice)
    if first.trace is None or other is None:
        return []
    where = "none is proved to be better"
    if other.score.kind == first.score.kind:
        ending = {"win": "win", "loss": "lose", "draw": "lead to a draw"}[first.score.kind]
        where = f"several {ending}"
    return [[f"Where {where}, the score chooses.", *_account(advice, first)]]


def _account(advice: Advice, move: MoveAdvice) -> list[str]:
    """Where the score of a move comes from, if that of the best one counted too.

    A best move is compared with the next best, any other with the first best. What goes against
    the outcome of the comparison begins with "Although".
    """
    best = move.column in advice.best
    other = _next_best(advice) if best else advice.move(advice.best[0])
    told = [_standing(advice, move, other)]
    if move.trace and move.trace.drawn:
        told.append(f"After {line_text(move)}, neither player can complete a line any more.")
    found = differences(move, other)
    final = [d for d in found if isinstance(d, Strategies) and is_final(advice, d.firing)]
    main, against = (
        [d for d in final or found if (d.amount > 0) is wanted] for wanted in (best, not best)
    )
    told += reasons(advice, move, other, main[:_REASONS])
    for text in reasons(advice, move, other, against[: 1 if main else _REASONS]):
        told.append(f"Although {uncapitalised(text)}")
    if not found:
        told.append(unmoved(move.column))
    return told


def unmoved(column: int) -> str:
    """What is said of a move that nothing tells from the one that it is compared with."""
    return f"No strategy speaks for column {column}."


def _next_best(advice: Advice) -> MoveAdvice | None:
    """The move with the highest score below that of the best, of those whose score counted."""
    others = [
        move
        for move in advice.moves
        if move.column not in advice.best and (move.score.kind == "heuristic" or move.trace)
    ]
    return max(others, key=lambda move: move.value or 0, default=None)


def _standing(advice: Advice, move: MoveAdvice, other: MoveAdvice | None) -> str:
    """How a move's score stands beside that of another."""
    told = f"Column {move.column} scores {move.value}"
    if other is not None:
        difference = (move.value or 0) - (other.value or 0)
        rank = "next best" if move.column in advice.best else "best"
        more = "more" if difference > 0 else "less"
        return f"{told}, {abs(difference)} {more} than column {other.column}, the {rank}."
    lost = [m for m in advice.moves if m.column not in advice.best and m.score.kind == "loss"]
    if lost:
        told += "; every other column loses" if len(advice.best) == 1 else "; all others lose"
    return f"{told}."


def _warning(advice: Advice, move: MoveAdvice) -> list[str]:
    """What a strategy says most against a move that is not suggested, if it made a difference."""
    if advice.score.kind != "heuristic" or move.score.kind != "heuristic":
        return []
    best = advice.move(advice.best[0])
    for difference in differences(move, best):
        if isinstance(difference, Strategies) and difference.own and difference.amount < 0:
            return reasons(advice, move, best, [difference])
    return []


def _decided(advice: Advice, moves: Sequence[MoveAdvice]) -> list[list[str]]:
    """Paragraphs on moves that decide the game; one for all that end in the same way."""
    ways: dict[tuple[str, int, str], list[int]] = defaultdict(list)
    for move in moves:
        ways[move.score.kind, move.score.moves or 0, _ending(advice, move)].append(move.column)
    told = []
    for (kind, needed, ending), columns in ways.items():
        s = "s" if len(columns) == 1 else ""
        verb = {"win": f"win{s}", "loss": f"lose{s}", "draw": f"lead{s} to a draw"}[kind]
        if 1 < len(columns) == len(advice.moves) - len(advice.best):
            subject = "All other columns"
        else:
            subject = f"Column{'' if s else 's'} {listed(map(str, sorted(columns)), 'and')}"
        told.append([f"{subject} {verb}{_when(needed)}{ending}."])
    return told


def _ending(advice: Advice, move: MoveAdvice) -> str:
    """How a decided game ends: what follows "Column 3 wins in 2 moves"."""
    turn = advice.position.turn
    if move.score.kind == "draw":
        return " with best play"
    winner = turn if move.score.kind == "win" else 3 - turn
    me, you = COLOURS[winner], COLOURS[3 - winner]
    lines = winning_lines(advice, move.column)
    where = lines_text(lines or (), "or")
    if move.score.moves == 1 and lines:
        return f": {me} {'then ' if winner != turn else ''}completes a line {where}"
    if lines and len(spans(lines)) <= PLACES:
        return f": whatever {you} does, {me} completes a line {where}"
    told = f", whatever {you} does"
    expected = _expected(advice, move.column)
    if expected:
        told += f"; after the best defence {me} completes a line {lines_text(expected)}"
    return told


def _expected(advice: Advice, column: int) -> tuple[Line, ...]:
    """The lines that end the game in the expected line of play, if it begins with this move."""
    if advice.variation[:1] != (column,):
        return ()
    position = advice.position
    for played in advice.variation:
        position = position.after(played)
    return _completed(position)


def _completed(position: Position) -> tuple[Line, ...]:
    """The winner's lines."""
    lines = position.geometry.winning_lines(position.discs_of(position.winner or 1))
    return tuple(tuple(sorted(line)) for line in lines)


def _worth(score: Score) -> str:
    if score.kind == "heuristic":
        return f"a score of {score.value}"
    return f"a {score.kind}{_when(score.moves or 0)}"


def _when(moves: int) -> str:
    """The length of a forced win or loss; nothing for a draw."""
    return {0: "", 1: " at once"}.get(moves, f" in {moves} moves")


def explain_proofs(advice: Advice, stop: Stop | None = None) -> list[str]:
    """What Allis' rules prove for the player to move after each of his moves; [] if nothing.

    The plan is told for the suggested moves, of the others only that there is one. Boards that
    the rules do not cover have no proofs.

    Raises:
        KeyboardInterrupt: it was to stop.
    """
    position = advice.position
    told = []
    others = defaultdict(list)
    for move in advice.moves:
        after = position.after(move.column)
        if after.over or not covers(after):
            continue
        outcome = bound(after, position.turn, stop=stop)
        if outcome is None:
            continue
        if move.column not in advice.best:
            others[outcome].append(move.column)
        elif proof := prove(after, player=position.turn, stop=stop):
            why = "; ".join(line.rstrip(".") for line in sentences(proof))
            told.append(f"Column {move.column}: {_PROVED[outcome]}, because {why}.")
    for outcome, columns in others.items():
        also = " too" if told else ""
        name = "Column" if len(columns) == 1 else "Columns"
        told.append(f"{name} {listed(map(str, columns), 'and')}: {_PROVED[outcome]}{also}.")
    return told


_PROVED = {"wins": "proved to win", "holds": "proved to hold at least a draw"}
