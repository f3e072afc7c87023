"""What Allis' rules prove of a position's moves, in sentences."""

from collections import defaultdict
from collections.abc import Sequence

from advisor.games.connect4.board import Position
from advisor.games.connect4.victor.proof_text import sentences
from advisor.games.connect4.victor.prove import bound, covers, prove
from advisor.games.wording import listed
from advisor.limits import Stop

_PROVED = {"wins": "proved to win", "holds": "proved to hold at least a draw"}


def proofs(
    position: Position, moves: Sequence[int], best: Sequence[int], stop: Stop | None = None
) -> list[str]:
    """What is proved for the player to move after each of these moves; [] if nothing.

    The plan is told for the best moves, of the others only that there is one. Boards that the rules
    do not cover have no proofs.

    Raises:
        KeyboardInterrupt: it was to stop.
    """
    told = []
    others = defaultdict(list)
    for column in moves:
        after = position.after(column)
        if after.over or not covers(after):
            continue
        outcome = bound(after, position.turn, stop=stop)
        if outcome is None:
            continue
        if column not in best:
            others[outcome].append(column)
        elif proof := prove(after, player=position.turn, stop=stop):
            why = "; ".join(line.rstrip(".") for line in sentences(proof))
            told.append(f"Column {column}: {_PROVED[outcome]}, because {why}.")
    for outcome, columns in others.items():
        also = " too" if told else ""
        name = "Column" if len(columns) == 1 else "Columns"
        told.append(f"{name} {listed(map(str, columns), 'and')}: {_PROVED[outcome]}{also}.")
    return told
