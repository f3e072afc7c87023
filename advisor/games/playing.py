"""A game as it is played: moves by name, one after the other, and how all this is written.

Moves, squares and names are those that the player who began sees, also where the rules see every
state from the side to move. A position is written as the moves that led to it, and a move as the
rules say or by its term, as ``put(2,2)``, unless a game has a class of its own for its notation,
as chess has (`advisor.games.chess.notation`); `advisor.games.rooms` says which. It writes what the
rules say and decides nothing: which moves are legal it is told.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, takewhile
from typing import Any, ClassVar, Self

import numpy as np

from advisor.engine.nodes import Rows
from advisor.engine.recurrences import Recurrences, identity
from advisor.engine.row_search import RowPosition
from advisor.engine.rows import Look, expand
from advisor.errors import EncodingError, InputError
from advisor.files.textfile import amount, in_order
from advisor.games import set_up
from advisor.games.circuits import Circuits
from advisor.games.diagram import Diagram, ink, listing, svg, text_board, text_of
from advisor.games.display import Square
from advisor.games.marks import Marks
from advisor.games.reference import breach, check_turns
from advisor.games.room import Played
from advisor.games.rules import numbers
from aspcircuits.clingo_api import Term, parse, render, signature
from aspcircuits.texts import listed, quoted

_STATE = "true("
"""How the words of a text begin that say where a game begins."""


def _fact(word: str) -> Term:
    """The atom of a state in such a word."""
    term = parse(word)
    if signature(term) != ("true", 1):
        count = amount(len(term) - 1, "argument")
        raise InputError(f"{quoted(word)}: 'true' has {count}; it takes 1, as true(turn(x))")
    return term[1]


@dataclass(frozen=True, slots=True)
class Begun:
    """Where a game begins, and what was played, as a text says it.

    Attributes:
        atoms: of the state at the beginning, as the first role sees it; None for the game's own.
        turn: who is to move there, 0 for the first role; means something only with `atoms`.
        moves: each with what errors about it begin with.
        origin: what the notation remembers of the text beyond that.
        tags: what the text says about the game, such as names and the result, each by its name.
        passed_over: parts of the text that mean nothing in its notation, each with its place.
    """

    atoms: frozenset[Term] | None = None
    turn: int = 0
    moves: tuple[tuple[str, str], ...] = ()
    origin: Any = None
    tags: tuple[tuple[str, str], ...] = ()
    passed_over: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Playing(Played):
    """A state and the moves that led there; treat as immutable. See `advisor.games.room.Played`.

    Attributes:
        game: its circuits.
        row: the state.
        exchanged: the state is seen by the second role.
        begun: where the game began.
    """

    game: Circuits = field(repr=False)
    moves: tuple[Term, ...] = ()
    row: Rows = field(default_factory=lambda: np.empty(0, np.uint64), repr=False)
    exchanged: bool = False
    begun: Begun = field(default_factory=Begun)
    numbered: ClassVar[bool] = True
    suffixes: ClassVar[tuple[str, ...]] = (".yaml", ".yml")
    accepts: ClassVar[str] = "moves from the start"
    _before: tuple[bytes, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, game: Circuits, text: str = "") -> Self:
        """The state that a text tells of, as moves such as ``put(2,2) put(1,1)``.

        Raises:
            InputError: the text is none of the game's notation, or a move is not legal.
            EncodingError: both players have a move, at the start or now.
        """
        return cls.replay(game, cls.read(text))

    @classmethod
    def replay(cls, game: Circuits, begun: Begun) -> Self:
        """The state after the moves of a text that has been read; the errors are those of `of`."""
        playing = cls.set_up(game, begun)
        for word, place in begun.moves:
            playing = playing.play(playing.move(word, place))
        if playing.moves:
            check_turns(game.rules, game.atoms(playing.row), playing.moves)
        return playing

    @classmethod
    def set_up(cls, game: Circuits, begun: Begun) -> Self:
        """The state at the beginning, which somebody may have set up; see `of` for the errors."""
        for atom in sorted((begun.atoms or frozenset()).difference(game.rules.base), key=str):
            raise InputError(f"{quoted(f'{_STATE}{render(atom)})')}: the rules have no such base/1")
        playing = cls.begin(game, begun)
        if begun.atoms in (None, game.rules.start):
            check_turns(game.rules, game.atoms(playing.row), ())
        else:
            set_up.check(game, playing.row)
        return playing

    @classmethod
    def begin(cls, game: Circuits, begun: Begun) -> Self:
        """The state at the beginning; an InputError if it cannot be."""
        if begun.atoms is None:
            return cls(game, (), game.start, begun=begun)
        exchanged = game.exchanges and begun.turn == 1
        row = game.row(game.rules.seen(atom, exchanged) for atom in begun.atoms)
        row = game.without_moot(row)
        playing = cls(game, (), row, exchanged, begun)
        playing.check()
        return playing

    def by(self, game: Circuits) -> Self:
        """The same by other weights of the same rules."""
        *_, state = replace(self, game=game).played
        return state

    @property
    def played(self) -> Iterator[Self]:
        return accumulate(self.moves, type(self).play, initial=self.begin(self.game, self.begun))

    # The notation

    @staticmethod
    def read(text: str) -> Begun:
        """What a text says of a position or a game: moves from the start, with spaces between.

        Before them atoms may say where the game begins, as ``true(turn(x)) true(mark(o,2,2))``. An
        InputError has the place in the text, what was found and what is allowed.
        """
        words = text.split()
        said = [*takewhile(lambda word: word.startswith(_STATE), words)]
        moves = words[len(said) :]
        for word in moves:
            if word.startswith(_STATE):
                raise InputError(f"{quoted(word)}: stands behind a move (put it before all moves)")
        numbered = tuple((move, f"move {number}: ") for number, move in enumerate(moves, 1))
        return Begun(frozenset(map(_fact, said)) or None, moves=numbered)

    @staticmethod
    def standing(atoms: Collection[Term], turn: int) -> Begun:
        """A beginning in which these base atoms hold, as the first role sees them; atoms say whose
        turn it is, too, unless a notation of its own does."""
        return Begun(frozenset(atoms))

    @classmethod
    def games(cls, text: str) -> Iterator[Begun | InputError]:
        """The games that a text holds, one a line; an error for one that cannot be read."""
        for line in text.splitlines():
            if line.strip():
                try:
                    yield cls.read(line)
                except InputError as error:
                    yield error

    def check(self) -> None:
        """Refuses, by an InputError, where a game cannot begin."""

    @cached_property
    def names(self) -> Mapping[Term, str]:
        return self.game.rules.display.written(self.legal)

    def named(self, text: str) -> Term:
        """The legal move that a text names, also where the game is over by repetition; an
        InputError if it names none, or several."""
        try:
            term = parse(text)
        except InputError:
            term = None  # which is no move
        if term in self.legal:
            return term
        for same in (str, str.casefold):
            found = [move for move, name in self.names.items() if same(name) == same(text)]
            if len(found) == 1:
                return found[0]
        known = listed(sorted(self.names.values(), key=in_order))
        raise InputError(f"{quoted(text)} is not legal for {self.player} (use {known})")

    def code(self, move: Term) -> str:
        return render(move)

    def place(self, where: Term) -> str:
        """What a feature or a reason is about, in words."""
        return self.game.rules.display.place(where)

    @property
    def numeral(self) -> str | None:
        """The number of the next move where it is not simply counted."""
        return None

    def outcome(self, kind: str, plies: int, at_most: bool = False) -> str:
        """A win or a loss, as ``kind`` says, in so many plies, or in no more than these."""
        within = "within" if at_most else "in"
        return f"a {kind} {within} {plies} {'ply' if plies == 1 else 'plies'}"

    def won_by(self, move: str) -> str:
        """That a move, as people write it, wins the game: a sentence without its full stop."""
        return f"{move} wins the game"

    @property
    def text(self) -> str:
        atoms = sorted(f"{_STATE}{render(atom)})" for atom in self.begun.atoms or ())
        return " ".join([*atoms, *self.made])

    @property
    def beginning(self) -> str:
        """What `read` takes as the beginning of the game; empty for the usual one."""
        begun, usual = (self.begin(self.game, each).text for each in (self.begun, self.read("")))
        return "" if begun == usual else begun

    @property
    def file_text(self) -> str:
        """A file that says which game it is and how it stands: YAML, a key a line."""
        rules = self.game.rules
        said = {"game": rules.source, "const": dict(rules.constants), "position": self.text}
        # What is JSON on one line is YAML, too; there may be no constants.
        return "".join(f"{key}: {json.dumps(v)}\n" for key, v in said.items() if v != {})

    @property
    def passed_over(self) -> Sequence[str]:
        return self.begun.passed_over

    @property
    def typed_texts(self) -> tuple[str, str]:
        """What a field for the game's texts holds: the whole game, as `read` takes it; the same
        without what says nothing."""
        return self.text + "\n", self.text + "\n"

    def recorded(self, tags: Mapping[str, str]) -> str:
        """The whole game as a file; `tags` are what is said of it, where that has a place."""
        return self.file_text

    @property
    def record(self) -> str:
        return self.recorded({})

    @property
    def rows(self) -> list[str]:
        shown = self.diagram()
        return text_board(shown) if shown else listing(self.atoms)

    @property
    def picture(self) -> str:
        return "\n".join(self.rows)

    @property
    def shapes(self) -> Mapping[str, Mapping[str, Any]]:
        """How a page draws what the text board shows: ``outline`` and ``lines`` are SVG paths in a
        square of 48, ``side`` is the role, ``name`` what it is called; none for letters."""
        return {}

    def svg(self, marks: Marks | None = None) -> str:
        shown = self.diagram(marks.suggested[0] if marks else None)
        if shown is None:
            raise InputError("this game has no picture: its rules have no at/3")
        return svg(shown, self.game.squares.of(self.moves[-1]) if self.moves else ())

    def by_another_program(self, moves: int) -> set[str] | None:
        return None

    # The state

    @cached_property
    def look(self) -> Look:
        """What the rules say of the state; an EncodingError if it goes on and nobody can move."""
        try:
            return self.game.look(self.row[None])
        except EncodingError:
            raise breach(self.game.rules, self.game.atoms(self.row), self.moves) from None

    @property
    def turn(self) -> int:
        return int(self.look.turn[0]) ^ self.exchanged

    @property
    def player(self) -> str:
        return self.game.rules.players[self.turn]

    @property
    def over(self) -> bool:
        """Whether the game is over, by its rules or as a state has stood often enough."""
        return bool(self.look.over[0]) or self.repeated

    @property
    def winner(self) -> int | None:
        result = int(self.look.result[0]) * (-1 if self.exchanged else 1)
        return {1: 0, -1: 1}.get(result)

    @property
    def decisive(self) -> list[Square]:
        """The squares that a win rests on: as few as do, so of a chain or a line no more than that.
        Without what stands on any of them the game would not be won. None where nobody has won, or
        this says nothing, as of a single square or of most of the board.
        """
        if self.winner is None:
            return []
        rules, result = self.game.rules, self.look.result[0]

        def won(atoms: Collection[Term]) -> bool:
            row = self.game.row(rules.seen(atom, self.exchanged) for atom in atoms)
            try:
                look = self.game.look(row[None])
            except EncodingError:  # nobody has a move
                return False
            return bool(look.over[0] and look.result[0] == result)

        kept, needed = set(self.atoms), []
        for square, atoms in self.game.squares.atoms.items():
            left = kept.difference(atoms)
            if left == kept:
                continue
            if won(left):
                kept = left
            else:
                needed.append(square)
        stand = {(x, y): symbol for x, y, symbol in self.shown}
        alike = len({stand.get(square) for square in needed}) == 1
        return needed if len(needed) > 1 and (alike or 2 * len(needed) <= len(stand)) else []

    @property
    def repeated(self) -> bool:
        """Whether the state stands for the last time that the game allows."""
        game = self.game
        before = self._before[-2::-2] if game.exchanges else self._before
        stood = 1 + before.count(identity(self.row, game.counters))
        return game.rules.repetition is not None and stood >= game.rules.repetition

    @property
    def position(self) -> RowPosition:
        """The state as a search takes it, with what must not come again."""
        game = self.game
        recurrences = None
        if times := game.rules.repetition:
            recurrences = Recurrences.of(
                self._before, self.row, times, game.counters, game.exchanges
            )
        turn = self.turn if game.exchanges else None
        return RowPosition(game, self.row, turn, self.look, recurrences)

    @cached_property
    def by_number(self) -> Mapping[int, Term]:
        """The legal moves by their numbers."""
        return {number: self.name(number) for number in self.look.moves()[1].tolist()}

    @property
    def legal(self) -> list[Term]:
        return [*self.by_number.values()]

    def name(self, number: int) -> Term:
        """A move by its number in this state."""
        return self.game.rules.seen(self.game.rules.moves[number], self.exchanged)

    def move(self, text: str, place: str | None = None) -> Term:
        if not isinstance(text, str):
            raise InputError(f"move {text!r} is not a text")
        place = f"move {len(self.moves) + 1}: " if place is None else place
        if self.over:
            raise InputError(f"{place}{quoted(text)}: the game is over")
        try:
            return self.named(text)
        except InputError as error:
            raise InputError(f"{place}{error}") from None

    def play(self, move: Term) -> Self:
        rules = self.game.rules
        number = np.array([rules.moves.index(rules.seen(move, self.exchanged))])
        row = self.game.without_moot(self.game.step(self.row[None], number, self.look.turn)[0])
        exchanged = self.exchanged ^ self.game.exchanges
        before = (*self._before, identity(self.row, self.game.counters))
        return type(self)(self.game, (*self.moves, move), row, exchanged, self.begun, before)

    def moves_of(self, numbers: Sequence[int]) -> tuple[Term, ...]:
        """Moves from here on, by their numbers, as the first role sees them."""
        rules, exchanged, line = self.game.rules, self.exchanged, []
        for number in numbers:
            line.append(rules.seen(rules.moves[number], exchanged))
            exchanged ^= self.game.exchanges
        return tuple(line)

    def told(self, line: Sequence[Term]) -> list[str]:
        """Moves from here on, as people write them."""
        states = accumulate(line, type(self).play, initial=self)
        return [state.names[move] for state, move in zip(states, line, strict=False)]

    def foreseen(self, statement: str) -> tuple[set[Term], set[Term]]:
        """After which legal moves the game is won, and after which a statement of the rules' own
        holds, as ``check`` does in chess."""
        game, legal = self.game, self.legal
        if not legal:
            return set(), set()
        after = expand(game, self.row[None], self.look).rows
        found = game.look(after).result != 0, game.holds(after, statement)
        won, told = ({move for move, yes in zip(legal, each, strict=True) if yes} for each in found)
        return won, told

    def holds(self, statement: str, other_side: bool = False) -> bool:
        """Whether a statement of the rules' own holds or, of the `other_side`, would if that were
        to move, in a game whose states are seen by the side to move."""
        rules = self.game.rules
        row = self.row
        if other_side:
            row = self.game.row(rules.seen(atom, True) for atom in self.game.atoms(row))
        return bool(self.game.holds(row[None], statement)[0])

    @cached_property
    def atoms(self) -> frozenset[Term]:
        """The base atoms that hold, as the first role sees them."""
        rules = self.game.rules
        return frozenset(rules.seen(atom, self.exchanged) for atom in self.game.atoms(self.row))

    @property
    def shown(self) -> tuple[tuple[int, int, Term], ...]:
        """What stands on a board: columns, rows and symbols."""
        game = self.game
        atoms = game.shown(game.row(self.atoms))
        return tuple((x, y, symbol) for _, x, y, symbol in atoms)

    def diagram(self, move: Term | None = None) -> Diagram | None:
        """What stands on a board, and a move to point at; None where there is no board."""
        squares = self.game.squares
        if not squares.all:
            return None
        return Diagram(
            rules=self.game.rules,
            squares=squares,
            shown=self.shown,
            title="the game is over" if self.over else f"{self.player} to move",
            suggested=("", ()) if move is None else (self.code(move), squares.shown(move)),
            shapes=self.shapes,
        )

    @property
    def made(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._made)

    @cached_property
    def _made(self) -> list[tuple[str, str]]:
        """The moves from the beginning on as people write them, and who made each."""
        states = zip(self.played, self.moves, strict=False)
        return [(state.names[move], state.player) for state, move in states]

    def called(self, player: int) -> str:
        return self.game.rules.players[player]

    def stands(self, position: object) -> bool:
        return position == self

    def __eq__(self, other: object) -> bool:
        """Two that were loaded apart are equal too."""
        return isinstance(other, Playing) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        game, begun = self.game.named, self.begun
        return game, begun.atoms, begun.turn, self.moves, self.row.tobytes()

    @property
    def key(self) -> tuple[object, ...]:
        """Counters that do nothing but count towards a draw, as those of chess, are left out."""
        game = self.game
        return game.named, self.exchanged, identity(self.row, game.counters)

    def to_json(self) -> dict[str, Any]:
        rules, squares = self.game.rules, self.game.squares
        display, (width, height) = rules.display, squares.size
        columns, rows = range(1, width + 1), range(height, 0, -1)
        stand = {(x, y): text_of(symbol) for x, y, symbol in self.shown}
        shown = self.diagram()
        winner = None if self.winner is None else rules.players[self.winner]
        status = f"{self.player} to move."
        if self.over:
            status = "The game is over: " + (f"{winner} has won." if winner else "a draw.")
        text, short = self.typed_texts
        return {
            "game": rules.name,
            "roles": list(rules.players),
            "turn": None if self.over else self.player,
            "rows": [
                [stand.get((x, y), "" if (x, y) in squares.all else None) for x in columns]
                for y in rows
            ],
            "slanted": bool(rules.derived("slanted")),
            "moves": [
                {
                    "move": self.code(move),
                    "name": name,
                    "squares": squares.of(move),
                    "clicks": display.clicks.get(move, ()),
                }
                for move, name in self.names.items()
            ],
            "played": self.made,
            "movers": [player for _, player in self._made],
            "last": squares.of(self.moves[-1]) if self.moves else [],
            "decisive": self.decisive,
            "shapes": self.shapes,
            "aim": display.aim,
            "columns": [display.edge(0, x) for x in columns],
            "beside": [display.edge(1, y) for y in rows],
            "lines": display.lines,
            "sides": shown.borders if shown else [],
            "colours": {text_of(s): [colour, ink(colour)] for s, colour in display.colours.items()},
            "position": self.text,
            "begun": self.beginning,
            "tags": dict(self.begun.tags),
            "made": [self.code(move) for move in self.moves],
            "text": text,
            "short": short,
            "accepts": self.accepts,
            "constants": {**numbers(rules.files), **rules.constants},
            "over": self.over,
            "winner": winner,
            "status": status[0].upper() + status[1:],
        }
