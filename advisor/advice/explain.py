"""Advice in sentences.

What a strategy says stands beside its rule in the encodings (see `advisor.settings.texts`); here
it is put together with the squares of the position. A strategy of which nothing is told gets a
plain sentence with its name.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from advisor.advice.advise import Advice, Firing, MoveAdvice, Score
from advisor.games.connect4.board import Position, Square
from advisor.games.connect4.forcing import Line, completed_lines
from advisor.games.connect4.notation import square_name
from advisor.games.connect4.victor.proof_text import sentences
from advisor.games.connect4.victor.prove import bound, covers, prove
from advisor.limits import Stop
from advisor.settings import texts

COLOURS = {1: "red", 2: "yellow"}
"""How the players are called: player 1 (x) moves first."""


_SENTENCES = 3
"""Strategies told of a move; the weightiest come first."""

_PLACES = 3
"""Lines told of a strategy or of a forced win."""


def outcome(score: Score) -> str:
    """A forced result in a few words, nothing for a heuristic score."""
    forced = {"win": "wins", "loss": "loses", "draw": "draws"}.get(score.kind, "")
    if score.moves is not None:
        forced += f" in {score.moves}"
    return f"{forced} (proved)" if score.proved else forced


def squares_text(squares: Sequence[Square]) -> str:
    """Where a line lies: ``on row 1, columns 3-6``; a single square by its name."""
    (first_row, first_column), (last_row, last_column) = squares[0], squares[-1]
    if len(squares) == 1:
        return f"on {square_name(squares[0])}"
    if first_row == last_row:
        return f"on row {first_row}, columns {first_column}-{last_column}"
    if first_column == last_column:
        return f"in column {first_column}, rows {first_row}-{last_row}"
    ends = sorted((squares[0], squares[-1]), key=lambda square: square[1])
    return f"on the diagonal {'-'.join(map(square_name, ends))}"


def lines_text(lines: Iterable[Sequence[Square]], last: str = "and") -> str:
    """Where lines lie: ``on row 1, columns 1-5, and on the diagonal a1-d4``.

    Lines that overlap on one straight are told as one.
    """
    return _listed(map(squares_text, _spans(tuple(sorted(line)) for line in lines)), last)


def sentence(advice: Advice, move: MoveAdvice, firing: Firing, subject: str = "It") -> str:
    """Why a strategy fired for a move of this advice, for a beginner."""
    meaning = advice.config.texts.strategies.get(firing.strategy)
    spans = _spans(firing.reasons)
    more = [f"{len(spans) - _PLACES} more"] if len(spans) > _PLACES else []
    where = _listed([*map(squares_text, spans[:_PLACES]), *more], "and")
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
        "holes": _listed(map(square_name, sorted(holes, key=lambda hole: hole[::-1])), "and"),
        "square": square_name(square),
        "rows": "odd" if move.row % 2 else "even",
    }
    predicate = texts.fill(meaning.predicate, values)
    return f"{subject} {predicate}."


def winning_lines(advice: Advice, column: int) -> tuple[Line, ...] | None:
    """The lines of which the winner completes one, whatever the loser does after this move.

    Returns:
        None if the move decides nothing, or if its win is too long to look at every reply.
    """
    score = advice.move(column).score
    if score.kind not in ("win", "loss") or not score.moves:
        return None
    turn = advice.position.turn
    after = advice.position.after(column)
    if after.winner:
        return _completed(after)
    if score.kind == "loss":
        return completed_lines(after, 3 - turn, score.moves)
    return completed_lines(after, turn, score.moves - 1)


def main_reason(advice: Advice, column: int) -> str:
    """One line: the forced result if there is one, and what speaks most for the move."""
    move = advice.move(column)
    found = [outcome(move.score)] if outcome(move.score) else []
    for firing in move.fires:
        if firing.weight > 0:
            meaning = advice.config.texts.strategies.get(firing.strategy)
            found.append((meaning.short if meaning else "") or firing.strategy)
            break
    return "; ".join(found)


def explain(advice: Advice) -> list[str]:
    """A paragraph on each suggested move, and on what is wrong with the others."""
    others = [move for move in advice.moves if move.column not in advice.best]
    lost = [move for move in others if move.score.kind == "loss"]
    if advice.score.kind == "heuristic":
        paragraphs = [_praise(advice, advice.move(column)) for column in advice.best]
    else:
        paragraphs = _decided(advice, [advice.move(column) for column in advice.best])
        if advice.score.kind == "loss" and advice.score.moves and others:
            paragraphs[-1] += " Nothing else holds out longer."
    for move in others:
        if move.score.kind not in ("win", "loss"):
            paragraphs += _warning(advice, move)
    return paragraphs + _decided(advice, lost)


def explain_move(advice: Advice, column: int) -> str:
    """A paragraph on any legal move, with what would have been better if it is not the best."""
    move = advice.move(column)
    if move.score.kind == "heuristic":
        told = _praise(advice, move)
    else:
        (told,) = _decided(advice, [move])
    if column in advice.best:
        return told
    better = _listed(map(str, sorted(advice.best)), "or")
    worth = f"{_worth(advice.score)} instead of {_worth(move.score)}"
    return f"{told} Column {better} is better: {worth}."


def _praise(advice: Advice, move: MoveAdvice) -> str:
    """The weightiest strategies of an undecided move: what speaks for it, then against it."""
    counted = [firing for firing in move.fires if firing.weight]
    if counted and _is_final(advice, counted[0]):
        del counted[1:]
    told: list[str] = []
    for firing in sorted(counted[:_SENTENCES], key=lambda firing: firing.weight < 0):
        subject = "It" if told else f"Column {move.column}"
        if told and firing.weight < 0 < counted[0].weight:
            subject = "But it"
        told.append(sentence(advice, move, firing, subject))
    best = move.column in advice.best
    if not told:
        return f"No strategy speaks for column {move.column}" + (
            "; the look-ahead prefers it." if best else "."
        )
    if best and counted[0].weight < 0:
        told.append("Still, nothing better is in sight.")
    return " ".join(told)


def _is_final(advice: Advice, firing: Firing) -> bool:
    meaning = advice.config.texts.strategies.get(firing.strategy)
    return meaning is not None and meaning.final


def _warning(advice: Advice, move: MoveAdvice) -> list[str]:
    """What speaks most against a move that is not suggested."""
    against = [firing for firing in move.fires if firing.weight < 0]
    return [sentence(advice, move, against[0], f"Column {move.column}")] if against else []


def _decided(advice: Advice, moves: Sequence[MoveAdvice]) -> list[str]:
    """Sentences on moves that decide the game; one for all that end in the same way."""
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
            subject = f"Column{'' if s else 's'} {_listed(map(str, sorted(columns)), 'and')}"
        told.append(f"{subject} {verb}{_when(needed)}{ending}.")
    return told


def _ending(advice: Advice, move: MoveAdvice) -> str:
    """How a decided game ends: what follows "Column 3 wins in 2 moves"."""
    turn = advice.position.turn
    if move.score.kind == "draw":
        return " if nobody errs"
    winner = turn if move.score.kind == "win" else 3 - turn
    me, you = COLOURS[winner], COLOURS[3 - winner]
    lines = winning_lines(advice, move.column)
    where = lines_text(lines or (), "or")
    if move.score.moves == 1 and lines:
        return f": {me} {'then ' if winner != turn else ''}completes a line {where}"
    if lines and len(_spans(lines)) <= _PLACES:
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
    return tuple(tuple(sorted(line)) for line in position.lines())


def _worth(score: Score) -> str:
    if score.kind == "heuristic":
        return f"a score of {score.value}"
    return f"a {score.kind}{_when(score.moves or 0)}"


def _when(moves: int) -> str:
    """The length of a forced win or loss; nothing for a draw."""
    return {0: "", 1: " at once"}.get(moves, f" in {moves} moves")


def _spans(lines: Iterable[Line]) -> list[Line]:
    """Lines with those that overlap on one straight drawn together, each from end to end."""
    spans: list[Line] = []
    for line in sorted(set(lines)):
        for i, span in enumerate(spans):
            if _direction(span) == _direction(line) and set(span) & set(line):
                spans[i] = tuple(sorted({*span, *line}))
                break
        else:
            spans.append(line)
    return spans


def _direction(line: Line) -> Square:
    (row, column), (next_row, next_column) = line[0], line[min(1, len(line) - 1)]
    return next_row - row, next_column - column


def _listed(texts: Iterable[str], last: str) -> str:
    """``a``, ``a or b``, ``a, b or c``; a comma before the last word if a text has its own."""
    *most, final = list(texts) or [""]
    if not most:
        return final
    comma = "," if any("," in text for text in (*most, final)) else ""
    return f"{', '.join(most)}{comma} {last} {final}"


def explain_proofs(advice: Advice, stop: Stop | None = None) -> list[str]:
    """What Allis' rules prove for the player to move after each of his moves; [] if nothing.

    The plan is told for the suggested moves, of the others only that there is one. Boards that
    the rules do not cover have no proofs.

    Raises:
        KeyboardInterrupt: it was to stop.
    """
    position = advice.position
    paragraphs = []
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
            paragraphs.append(f"Column {move.column}: {_PROVED[outcome]}, because {why}.")
    for outcome, columns in others.items():
        also = " too" if paragraphs else ""
        name = "Column" if len(columns) == 1 else "Columns"
        paragraphs.append(f"{name} {_listed(map(str, columns), 'and')}: {_PROVED[outcome]}{also}.")
    return paragraphs


_PROVED = {"wins": "proved to win", "holds": "proved to hold at least a draw"}
