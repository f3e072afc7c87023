"""The facts of a game's rules for display: names, the aim, how the board is drawn.

All of them are optional; ``encodings/README.md`` has the vocabulary.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from advisor.errors import EncodingError
from aspcircuits.clingo_api import Term, render, unquote_term
from aspcircuits.texts import nearest

FACTS = {"called": 2, "aim": 1, "at_colour": 2, "at_line": 4, "at_side": 2, "at_click": 3}
"""The predicates, with the number of their arguments."""

SIDES = ("left", "right", "bottom", "top")

COLOURS = {
    "black": "#26211c",
    "white": "#f7f3ea",
    "grey": "#8d949c",
    "red": "#b5332c",
    "orange": "#d9822b",
    "yellow": "#e3b12f",
    "green": "#3f7d4e",
    "blue": "#2a5599",
    "purple": "#75468f",
    "brown": "#7a5236",
}

Square = tuple[int, int]
"""Column and row, from 1 at the lower left."""


@dataclass(frozen=True)
class Display:
    """The display facts of a game's rules.

    Attributes:
        names: of moves and places.
        aim: the players' aim, in a sentence; empty if the rules do not give it.
        colours: of symbols on the board, as ``#rrggbb``.
        lines: drawn on the board; with lines, pieces stand on their points and not on fields.
        sides: the owners of the board's sides, by the names in `SIDES`.
        clicks: for a move, the squares of which each stands for the whole move.
    """

    names: Mapping[Term, str] = field(default_factory=dict)
    aim: str = ""
    colours: Mapping[Term, str] = field(default_factory=dict)
    lines: tuple[tuple[Square, Square], ...] = ()
    sides: Mapping[str, Term] = field(default_factory=dict)
    clicks: Mapping[Term, tuple[Square, ...]] = field(default_factory=dict)

    def move_texts(self, moves: Collection[Term]) -> dict[Term, str]:
        """Return the text of each move of one state: its name if it has one of its own, else its
        term.

        >>> display = Display({"left": "go", "right": "go", "up": "climb"})
        >>> display.written(["left", "right", "up", "down"])
        {'left': 'left', 'right': 'right', 'up': 'climb', 'down': 'down'}
        """
        names = {move: self.names.get(move, "") for move in moves}
        count = Counter(names.values())
        if len(count) == len(names) and "" not in count:
            return names
        return {m: name if name and count[name] == 1 else render(m) for m, name in names.items()}

    def place(self, where: Term) -> str:
        """Return the name of a place; the names of several in a tuple are joined.

        >>> Display({("", 1, 1): "a1", ("", 2, 2): "b2"}).place(("", ("", 1, 1), ("", 2, 2)))
        'a1-b2'
        """
        parts = where[1:] if isinstance(where, tuple) and where[0] == "" else ()
        if where not in self.names and parts and all(part in self.names for part in parts):
            return "-".join(self.names[part] for part in parts)
        return self.names.get(where) or render(where)

    @cached_property
    def edges(self) -> tuple[Mapping[int, str], Mapping[int, str]]:
        """The labels of columns and rows, if the squares' names give them.

        >>> Display({("", 1, 1): "a2", ("", 1, 2): "a1", ("", 2, 1): "b2"}).edges
        ({1: 'a', 2: 'b'}, {1: '2', 2: '1'})
        """
        columns: dict[int, str] = {}
        rows: dict[int, str] = {}
        for term, name in self.names.items():
            match term:
                case ("", int(x), int(y)):
                    file = name.rstrip("0123456789")
                    rank = name[len(file) :]
                    told = columns.setdefault(x, file), rows.setdefault(y, rank)
                    if told != (file, rank) or not (file and rank):
                        return {}, {}
        return columns, rows

    def edge(self, axis: int, number: int) -> str:
        """Return the label of a column (axis 0) or a row (1): by default its number."""
        return self.edges[axis].get(number, str(number))


def read(
    said: Callable[[str], Sequence[tuple[Term, ...]]],
    roles: tuple[Term, Term],
    moves: Collection[Term],
    places: Collection[Term],
    wrong: Callable[[Term, str], EncodingError],
) -> tuple[tuple[str, str], Display]:
    """Read the roles' names and all other display facts.

    Args:
        said: returns the arguments of a predicate's atoms.
        roles: both roles, the one who begins first.
        moves: of the game.
        places: constants and numbers can only be named if they are among these.
        wrong: makes the error about an atom, with its file and line.
    """
    reader = _Reader(said, wrong)
    names, known = reader.names(), ", ".join(map(render, roles))
    allowed = {*roles, *moves, *places}
    for term in names:
        if term not in allowed and not isinstance(term, tuple):
            raise reader.naming_error(term, f"no role, move or place (roles: {known})")
    for move in moves:
        if any(blank in names.get(move, "") for blank in (" ", "\t", "\n")):
            raise reader.naming_error(
                move, f"{names[move]!r} has a blank, which no move's name may have"
            )
    first, second = (names.get(role) or render(role) for role in roles)
    return (first, second), Display(
        names={term: name for term, name in names.items() if term not in roles},
        aim=reader.aim(),
        colours=reader.colours(),
        lines=reader.lines(),
        sides=reader.sides(roles),
        clicks=reader.clicks(moves),
    )


class _Reader:
    """Reads display facts."""

    def __init__(
        self,
        said: Callable[[str], Sequence[tuple[Term, ...]]],
        error: Callable[[Term, str], EncodingError],
    ) -> None:
        self._said = said
        self.error = error
        self._called: dict[Term, Term] = {}

    def naming_error(self, term: Term, text: str) -> EncodingError:
        return self.error(("called", term, self._called[term]), text)

    def names(self) -> dict[Term, str]:
        for term, name in self._said("called"):
            if term in self._called:
                other = render(self._called[term])
                raise self.error(("called", term, name), f"it is called {other} as well")
            self._called[term] = name
        return {term: self._name(term, ()) for term in self._called}

    def _name(self, term: Term, before: tuple[Term, ...]) -> str:
        if term in before:
            raise self.naming_error(term, "its name is made of itself")
        atom = ("called", term, self._called[term])
        text = self._text(self._called[term], atom, (*before, term))
        if not text:
            raise self.naming_error(term, "the name is empty")
        return text

    def _text(self, said: Term, atom: tuple[Term, ...], before: tuple[Term, ...] = ()) -> str:
        """Return a text, built from quoted texts, numbers, letters, names and tuples of these."""
        if isinstance(said, tuple) and said in self._called:
            return self._name(said, before)
        match said:
            case ("letter", int(number)):
                if number < 1:
                    raise self.error(atom, "letters are counted from 1, which is a")
                return _letter(number)
            case ("", *parts):
                own = {part for part in parts if part in self._called} - {*before}
                return "".join(
                    self._name(part, before) if part in own else self._text(part, atom, before)
                    for part in parts
                )
        quoted = unquote_term(said)
        return render(said) if quoted is None else quoted

    def aim(self) -> str:
        texts = [text for (text,) in self._said("aim")]
        if len(texts) > 1:
            raise self.error(("aim", texts[0]), f"there is aim({render(texts[1])}), too; use one")
        return "".join(self._text(text, ("aim", text)) for text in texts)

    def colours(self) -> dict[Term, str]:
        found = {}
        for symbol, said in self._said("at_colour"):
            text = unquote_term(said) or render(said)
            given = text.startswith("#") and len(text) == 7
            if text not in COLOURS and not (given and {*text[1:].lower()} <= {*"0123456789abcdef"}):
                raise self.error(
                    ("at_colour", symbol, said),
                    f'not a colour (use {", ".join(COLOURS)}, or "#rrggbb" as in "#2a5599")',
                )
            found[symbol] = COLOURS.get(text, text)
        return found

    def lines(self) -> tuple[tuple[Square, Square], ...]:
        found = []
        for x, y, to_x, to_y in self._said("at_line"):
            if not all(isinstance(number, int) for number in (x, y, to_x, to_y)):
                raise self.error(("at_line", x, y, to_x, to_y), "columns and rows are numbers")
            found.append(((x, y), (to_x, to_y)))
        return tuple(found)

    def sides(self, roles: Collection[Term]) -> dict[str, Term]:
        found: dict[str, Term] = {}
        for role, side in self._said("at_side"):
            atom = ("at_side", role, side)
            if side not in SIDES:
                guess = nearest(render(side), SIDES)
                raise self.error(atom, f"not a side (did you mean {guess}?)")
            if role not in roles:
                raise self.error(atom, no_role(role, roles))
            if found.setdefault(side, role) != role:
                raise self.error(atom, f"this side is {render(found[side])}'s, too")
        return found

    def clicks(self, moves: Collection[Term]) -> dict[Term, tuple[Square, ...]]:
        found: dict[Term, tuple[Square, ...]] = {}
        for move, x, y in self._said("at_click"):
            atom = ("at_click", move, x, y)
            if move not in moves:
                raise self.error(atom, no_move(move))
            if not (isinstance(x, int) and isinstance(y, int)):
                raise self.error(atom, "columns and rows are numbers")
            found[move] = (*found.get(move, ()), (x, y))
        return found


def _letter(number: int) -> str:
    """Return the letters of a number: a for 1, z for 26, aa for 27.

    >>> [_letter(number) for number in (1, 26, 27, 702, 703)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def no_role(term: Term, roles: Collection[Term]) -> str:
    """Say what is wrong with a term in the place of a role."""
    return f"{render(term)} is not a role ({', '.join(map(render, roles))})"


def no_move(term: Term) -> str:
    """Say what is wrong with a term in the place of a move."""
    return f"{render(term)} is not a move of any input/2"
