"""A game with variations: a tree of moves, each with the remarks beside it.

A remark is kept as a text of the game writes it: a comment such as ``{good}``, or a sign such as
``$1`` and ``!?``. For positions see `advisor.games.game`, which imports this module.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from advisor.errors import InputError

_REMARKS = ("before", "after", "behind")


@dataclass(frozen=True, slots=True)
class TreeMove:
    """A move of a tree, which lists moves in the order of the text and numbers them from 1.

    Attributes:
        text: the move.
        follows: the number of the move that it follows; 0 for the beginning.
        instead: the number of the move in whose place it begins a variation; 0 if it goes on with
            the line.
        before: remarks ahead of a move that begins a variation, such as its name.
        after: remarks on the move.
        behind: remarks that stand after the variation that the move begins.
        place: the beginning of errors about the move.
    """

    text: str
    follows: int
    instead: int = 0
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    place: str = ""

    @property
    def remarks(self) -> list[str]:
        """All remarks about it."""
        return [*self.before, *self.after, *self.behind]


def line(moves: Sequence[str]) -> list[TreeMove]:
    """Return moves that follow each other as a tree without variations."""
    return [TreeMove(move, number) for number, move in enumerate(moves)]


def main_line(moves: Sequence[TreeMove]) -> Iterator[int]:
    """Yield the numbers of the moves of the main line."""
    last = 0
    for number, move in enumerate(moves, 1):
        if move.follows == last and not move.instead:
            last = number
            yield number


@dataclass(frozen=True, slots=True)
class MoveTree:
    """A game with variations that are legal.

    >>> tree = advisor.load_game("chess").read_tree("1. e4 e5 (1... c5) 2. Nf3")
    >>> [move.text for move in tree.moves], tree.main.played
    (['e2e4', 'e7e5', 'c7c5', 'g1f3'], ('e4', 'e5', 'Nf3'))

    Attributes:
        positions: the beginning, and the position after each move.
        moves: the moves by their names for programs.
        remarks: remarks ahead of the first move.
        result: of the main line, as the text gives it; empty if it gives none.
        left_out: errors in variations; each ends before the move that has one.
    """

    positions: Sequence[Any]
    moves: Sequence[TreeMove]
    remarks: Sequence[str] = ()
    result: str = ""
    left_out: Sequence[str] = ()

    @property
    def main(self) -> Any:
        """The position at the end of the main line."""
        return self.positions[max(main_line(self.moves), default=0)]

    @property
    def names(self) -> list[str]:
        """The moves as people write them."""
        made = zip(self.moves, self.positions[1:], strict=True)
        return [str(self.positions[move.follows].names[after.path[-1]]) for move, after in made]

    @property
    def record(self) -> str:
        """The game as a file; only a format with room for them keeps variations and remarks."""
        found: str = self.main.tree_text(self)
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the tree as `advisor.Position.grow` takes it, with its names, tags and errors."""
        begun = self.positions[0]
        shown = begun.to_json()
        moves = [
            {"move": move.text, "name": name, "follows": move.follows, "instead": move.instead}
            | {key: [*getattr(move, key)] for key in _REMARKS}
            for move, name in zip(self.moves, self.names, strict=True)
        ]
        return {
            "begun": shown.get("begun", begun.text),
            "tags": shown.get("tags", {}),
            "result": self.result,
            "remarks": [*self.remarks],
            "moves": moves,
            "left_out": [*self.left_out],
        }


def read_moves(told: Sequence[Mapping[str, Any]]) -> Iterator[TreeMove]:
    """Yield the moves of a tree that is given as its `to_json` gives it.

    Raises:
        InputError: a move follows, or stands in place of, none before it.
    """
    next_move: dict[int, int] = {}
    for number, move in enumerate(told, 1):
        follows, instead = move["follows"], move.get("instead", 0)
        place = f"move {number}: "
        if not (0 <= follows < number and 0 <= instead < number):
            wrong = max(follows, instead)
            raise InputError(f"{place}comes after move {wrong} (use 0 to {number - 1})")
        if instead and told[instead - 1]["follows"] != follows:
            raise InputError(f"{place}stands in place of move {instead}, which follows another")
        if not instead and next_move.setdefault(follows, number) != number:
            other = next_move[follows]
            raise InputError(f"{place}follows the same move as move {other} (use instead)")
        remarks = {key: [*move.get(key, ())] for key in _REMARKS}
        yield TreeMove(str(move["move"]), follows, instead, **remarks, place=place)


def grow_tree(
    begun: Any,
    moves: Sequence[TreeMove],
    remarks: Sequence[str] = (),
    result: str = "",
    *,
    every: bool = False,
) -> MoveTree:
    """Return the tree of a game after a check of its moves.

    Args:
        begun: the beginning of the game.
        moves: by any names that the game reads.
        remarks: ahead of the first move.
        result: of the main line; empty if unknown.
        every: refuse the game if any move is illegal, not only if one of the main line is.

    Raises:
        InputError: a move is illegal; the message begins with its place.
    """
    main = {*main_line(moves)}
    positions, kept, left_out = [begun], [], []
    numbers: dict[int, int] = {0: 0}  # of the moves that are kept
    for number, move in enumerate(moves, 1):
        if not {move.follows, move.instead} <= numbers.keys():
            continue
        before = positions[numbers[move.follows]]
        try:
            term = before.read_move(move.text, move.place or None)
        except InputError as error:
            if every or number in main:
                raise
            left_out.append(str(error))
            continue
        code, follows, instead = before.code_of(term), numbers[move.follows], numbers[move.instead]
        kept.append(replace(move, text=str(code), follows=follows, instead=instead))
        positions.append(before.after(term))
        numbers[number] = len(kept)
    return MoveTree(positions, kept, remarks, result, left_out)


def tree_of_line(position: Any) -> MoveTree:
    """Return a game without variations."""
    positions = [*position.positions]
    begun = positions[0]
    return MoveTree(positions, line([str(begun.code_of(term)) for term in position.path]))
