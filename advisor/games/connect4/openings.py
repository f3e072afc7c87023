"""What is known of the first moves of a game: by the advisor's own book, or that of an engine."""

from collections.abc import Mapping

from advisor.games.bounds import Bounds
from advisor.games.connect4 import book, exact
from advisor.games.connect4.board import Position
from advisor.games.connect4.exact import Exact


def known(position: Position) -> Mapping[int, Bounds]:
    """The exact score of every move, where an opening book has it; {} where none does.

    That is the advisor's own or, with the extra ``exact``, BitBully's.
    """
    return book.known(position) or exact.by_its_book(position)


def scores(position: Position) -> Exact | None:
    """The same as `exact.solve` gives it; None where no opening book has it."""
    columns = known(position)
    return Exact("book", exact.best_of(columns), dict(columns)) if columns else None
