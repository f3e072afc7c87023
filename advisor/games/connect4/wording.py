"""Columns, squares and lines of the board in words."""

from collections.abc import Iterable, Sequence

from advisor.games.connect4.forcing import Line
from advisor.games.connect4.notation import square_name
from advisor.games.phrasing import Cell
from advisor.games.score import Score
from advisor.games.wording import join_words


def squares_text(squares: Sequence[Cell]) -> str:
    """Name a line's place: ``on a1-d4``, from left to right or from below; a square: ``on d1``."""
    ends = sorted({squares[0], squares[-1]}, key=lambda square: (square[1], square[0]))
    return f"on {'-'.join(map(square_name, ends))}"


def columns_text(columns: Sequence[int], last: str = "and") -> str:
    """Return ``column 3``, ``columns 3 and 4``."""
    return f"column{'s' if len(columns) > 1 else ''} {join_words(map(str, columns), last)}"


def lines_text(lines: Iterable[Sequence[Cell]], last: str = "and") -> str:
    """Name the places of lines: ``on a1-e1 and on a1-d4``; overlapping ones are one line."""
    return join_words(map(squares_text, spans(tuple(sorted(line)) for line in lines)), last)


def spans(lines: Iterable[Line]) -> list[Line]:
    """Return lines, with overlapping lines on one straight merged, each from end to end."""
    found: list[Line] = []
    for line in sorted(set(lines)):
        for i, span in enumerate(found):
            if _direction(span) == _direction(line) and set(span) & set(line):
                found[i] = tuple(sorted({*span, *line}))
                break
        else:
            found.append(line)
    return found


def _direction(line: Line) -> Cell:
    (row, column), (next_row, next_column) = line[0], line[min(1, len(line) - 1)]
    return next_row - row, next_column - column


def outcome(score: Score) -> str:
    """Return a certain result in the winner's moves, marked if it is proved."""
    forced = {"win": "wins", "loss": "loses", "draw": "draws"}.get(score.kind, "")
    if score.moves is not None:
        forced += f" in {score.moves}"
    return f"{forced} (proved)" if score.proved else forced
