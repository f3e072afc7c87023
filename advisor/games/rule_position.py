"""A position of a game defined by rules alone: moves by name, and its notation.

Moves, squares and names are from the first player's view, even if the rules see every state from
the side to move. A position is written as the moves that led to it, and a move as the rules name it
or by its term, such as ``put(2,2)``, unless a game has a class of its own for its notation, as
chess has (`advisor.games.chess.notation`); `advisor.games.rooms` knows which. This module only
reads and writes: the rules decide which moves are legal.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, takewhile
from time import perf_counter
from typing import Any, ClassVar, Literal, Self

import numpy as np

from advisor.engine.answer_sets import as_program
from advisor.engine.nodes import Rows
from advisor.engine.recurrences import Recurrences, identity
from advisor.engine.row_search import RowPosition
from advisor.engine.rows import Look, expand
from advisor.errors import EncodingError, InputError
from advisor.files.textfile import amount, in_order
from advisor.games import set_up
from advisor.games.bounds import Bounds, Solved
from advisor.games.circuits import Circuits
from advisor.games.diagram import Diagram, ink, listing, svg, text_board, text_of
from advisor.games.display import Square
from advisor.games.game import Game, Position, Question, Told, unchanging
from advisor.games.marks import Marks
from advisor.games.opening_names import opening_name
from advisor.games.reference import breach, check_turns
from advisor.games.rules import Rules, numbers
from advisor.games.score import Outcome
from advisor.games.tree import MoveTree, tree_of_line
from advisor.games.wording import capitalize_text
from aspcircuits.clingo_api import Term, parse, render, signature
from aspcircuits.texts import list_names, quote_text

_STATE = "true("
"""The beginning of each word of a text that describes where a game begins."""


def _fact(word: str) -> Term:
    """Return the atom of a state in such a word."""
    term = parse(word)
    if signature(term) != ("true", 1):
        count = amount(len(term) - 1, "argument")
        raise InputError(f"{quote_text(word)}: 'true' has {count}; it takes 1, as true(turn(x))")
    return term[1]


@dataclass(frozen=True, slots=True)
class Begun:
    """A game's beginning and its moves, as a text gives them.

    Attributes:
        atoms: of the state at the beginning, as the first role sees it; None for the usual one.
        turn: the side to move there, 0 for the first role; used only with `atoms`.
        moves: each with the beginning of errors about it.
        origin: what the notation remembers of the text beyond that.
        tags: facts about the game, such as names and the result, by their names.
        passed_over: parts of the text that mean nothing in its notation, each with its place.
        told: number of moves in the text.
    """

    atoms: frozenset[Term] | None = None
    turn: int = 0
    moves: tuple[tuple[str, str], ...] = ()
    origin: Any = None
    tags: tuple[tuple[str, str], ...] = ()
    passed_over: tuple[str, ...] = ()
    told: int = 0


class GameByRules(Game):
    """The game of such positions; see `rule_game.RuleGame`."""

    __slots__ = ()

    circuits: Circuits


@unchanging
@dataclass(frozen=True, eq=False, repr=False)
class RulePosition(Position):
    """A position of a game defined by rules alone; see `advisor.games.game.Position`.

    Attributes:
        row: the state.
        exchanged: the state is seen by the second role.
        begun: where the game began.
    """

    game: GameByRules
    path: tuple[Term, ...] = ()
    row: Rows = field(default_factory=lambda: np.empty(0, np.uint64))
    exchanged: bool = False
    begun: Begun = field(default_factory=Begun)
    numbered: ClassVar[bool] = True
    suffixes: ClassVar[tuple[str, ...]] = (".yaml", ".yml")
    accepts: ClassVar[str] = "moves from the start"
    _before: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, game: GameByRules, text: str = "") -> Self:
        """Return the position that a text describes, by moves such as ``put(2,2) put(1,1)``.

        Raises:
            InputError: the text does not follow the game's notation, or a move is not legal.
            EncodingError: both players have a move, at the start or now.
        """
        return cls.replay(game, cls.read(text))

    @classmethod
    def replay(cls, game: GameByRules, begun: Begun) -> Self:
        """Return the position after the moves of a text that has been read; errors as for `of`."""
        position = cls.set_up(game, replace(begun, moves=(), told=len(begun.moves)))
        for word, place in begun.moves:
            position = position.after(position.read_move(word, place))
        if position.path:
            check_turns(position.rules, position.circuits.atoms(position.row), position.path)
        return position

    @classmethod
    def set_up(cls, game: GameByRules, begun: Begun) -> Self:
        """Return the position at the beginning, perhaps one that was set up; errors as for `of`."""
        circuits = game.circuits
        rules = circuits.rules
        for atom in sorted((begun.atoms or frozenset()).difference(rules.base), key=str):
            raise InputError(
                f"{quote_text(f'{_STATE}{render(atom)})')}: the rules have no such base/1"
            )
        position = cls.begin(game, begun)
        if begun.atoms in (None, rules.start):
            circuits.check_start()
        else:
            set_up.check(circuits, position.row)
        return position

    @classmethod
    def begin(cls, game: GameByRules, begun: Begun) -> Self:
        """Return the position at the beginning; an InputError if it is impossible."""
        circuits = game.circuits
        if begun.atoms is None:
            return cls(game, (), circuits.start, begun=begun)
        exchanged = circuits.exchanges and begun.turn == 1
        row = circuits.row(circuits.rules.seen(atom, exchanged) for atom in begun.atoms)
        (row,) = circuits.without_moot(row[None])
        position = cls(game, (), row, exchanged, begun)
        position.check()
        return position

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the beginning, with its tags, and the moves; they are replayed."""
        begun = self.begun
        said = begun.tags, begun.passed_over, begun.told
        return _rebuild_position, (type(self), self.game, self.begun_text, self.path, said)

    def by(self, game: GameByRules) -> Self:
        *_, position = replace(self, game=game).positions
        return position

    @property
    def positions(self) -> Iterator[Self]:
        begun = self.begin(self.game, self.begun)
        return accumulate(self.path, type(self).after, initial=begun)

    @property
    def circuits(self) -> Circuits:
        """The rules, compiled, with the weights of the game."""
        return self.game.circuits

    @property
    def rules(self) -> Rules:
        return self.circuits.rules

    # The notation

    @staticmethod
    def read(text: str) -> Begun:
        """Read a position or a game: moves from the start, with spaces between.

        Atoms before the moves may describe where the game begins, such as ``true(turn(x))
        true(mark(o,2,2))``.

        Raises:
            InputError: with the place in the text, what was found and what is allowed.
        """
        words = text.split()
        said = [*takewhile(lambda word: word.startswith(_STATE), words)]
        moves = words[len(said) :]
        for word in moves:
            if word.startswith(_STATE):
                raise InputError(
                    f"{quote_text(word)}: stands behind a move (put it before all moves)"
                )
        numbered = tuple((move, f"move {number}: ") for number, move in enumerate(moves, 1))
        return Begun(frozenset(map(_fact, said)) or None, moves=numbered)

    @staticmethod
    def standing(atoms: Collection[Term], turn: int) -> Begun:
        """Return a beginning with these base atoms, as the first role sees them.

        The atoms also contain the turn, unless the game has a notation of its own.
        """
        return Begun(frozenset(atoms))

    @classmethod
    def rearrange(cls, atoms: Collection[Term], turn: int) -> Begun:
        """Return `standing` after pieces were moved by hand, so that some atoms may not fit."""
        return cls.standing(atoms, turn)

    @classmethod
    def games(cls, text: str) -> Iterator[Begun | InputError]:
        """Yield the games of a text, one a line; an error for one that cannot be read."""
        for line in text.splitlines():
            if line.strip():
                try:
                    yield cls.read(line)
                except InputError as error:
                    yield error

    @classmethod
    def read_tree(cls, game: GameByRules, text: str) -> MoveTree:
        """Return a game, with its variations if its texts may have some; errors as for `of`."""
        return tree_of_line(cls.of(game, text))

    def check(self) -> None:
        """Raise an InputError if no game can begin here."""

    def names_of(self, moves: Collection[Term]) -> Mapping[Term, str]:
        """Return unique names of moves, whatever the state."""
        return self.rules.display.move_texts(moves)

    @cached_property
    def names(self) -> Mapping[Term, str]:
        return self.names_of(self.legal)

    def find_move(self, text: str) -> Term:
        """Return the legal move that a text names, even if the game is over by repetition.

        Raises:
            InputError: it names none, or several.
        """
        try:
            term = parse(text)
        except InputError:
            term = None  # it is no move
        if term in self.legal:
            return term
        for same in (str, str.casefold):
            found = [move for move, name in self.names.items() if same(name) == same(text)]
            if len(found) == 1:
                return found[0]
        known = list_names(sorted(self.names.values(), key=in_order))
        raise InputError(f"{quote_text(text)} is not legal for {self.turn} (use {known})")

    def code_of(self, term: Term) -> str:
        return render(term)

    def place(self, where: Term) -> str:
        """Return the place of a feature or a reason, in words."""
        return self.rules.display.place(where)

    @property
    def numeral(self) -> str | None:
        """The number of the next move if it is not simply counted."""
        return None

    def outcome(self, kind: Outcome, plies: int, at_most: bool = False) -> str:
        """Return a win or a loss in `plies` plies, or in at most as many, as a noun phrase."""
        within = "within" if at_most else "in"
        return f"a {kind} {within} {plies} {'ply' if plies == 1 else 'plies'}"

    def won_by(self, move: str) -> str:
        """Return a sentence without its full stop: a move wins the game."""
        return f"{move} wins the game"

    @property
    def begun_text(self) -> str:
        """The text that `read` turns into `begun`, apart from tags and parts passed over.

        It is empty for the usual beginning.
        """
        return " ".join(sorted(f"{_STATE}{render(atom)})" for atom in self.begun.atoms or ()))

    @property
    def text(self) -> str:
        begun = self.begun_text
        return " ".join([*([begun] if begun else []), *self.played])

    @property
    def beginning(self) -> str:
        """The text that `read` takes as the beginning of the game; empty for the usual one."""
        begun, usual = (self.begin(self.game, each).text for each in (self.begun, self.read("")))
        return "" if begun == usual else begun

    @property
    def file_text(self) -> str:
        """The game and the position as a file: YAML, a key a line."""
        rules = self.rules
        said = {"game": rules.source, "const": dict(rules.constants), "position": self.text}
        # JSON on one line is YAML, too; there may be no constants.
        return "".join(f"{key}: {json.dumps(v)}\n" for key, v in said.items() if v != {})

    @property
    def passed_over(self) -> Sequence[str]:
        return self.begun.passed_over

    @property
    def typed_texts(self) -> tuple[str, str]:
        """Texts for an input field: the whole game, as `read` takes it; and without empty parts."""
        return self.text + "\n", self.text + "\n"

    def game_text(self, tags: Mapping[str, str]) -> str:
        """Return the whole game as a file; with `tags`, if the format has room for them."""
        return self.file_text

    @property
    def record(self) -> str:
        return self.game_text({})

    @property
    def rows(self) -> tuple[str, ...]:
        shown = self.diagram()
        return tuple(text_board(shown) if shown else listing(self.atoms))

    @property
    def shapes(self) -> Mapping[str, Mapping[str, Any]]:
        """The drawings of a text board's symbols; none if a page shows letters.

        ``outline`` and ``lines`` are SVG paths in a square of 48, ``side`` is the role, ``name``
        the piece's name.
        """
        return {}

    def draw(self, marks: Marks | None) -> str:
        shown = self.diagram(marks.suggested[0] if marks else None)
        if shown is None:
            raise InputError("this game has no picture: its rules have no at/3")
        return svg(shown, self.circuits.squares.of(self.path[-1]) if self.path else ())

    def by_another_program(self, moves: int) -> set[str] | None:
        """See `advisor.games.puzzle_making.PuzzleMaker`."""
        return None

    def describe_solution(self, known: Solved) -> Told:
        def describe_result(result: Bounds) -> str:
            if result.outcome is None:
                return "not proved in time"
            if result.plies is None:
                return "a draw"
            return self.outcome(result.outcome, result.plies)

        headline = describe_result(known.position)
        rows = [(move, describe_result(result)) for move, result in (known.moves or {}).items()]
        line = f"; best play: {' '.join(known.line)}" if known.line else ""
        effort = f"{known.position.nodes} positions in {known.position.seconds:.2f} s{line}"
        headline = f"{capitalize_text(headline)}."
        return Told(headline, ("move", "result"), rows, effort)

    def question(
        self, program: Literal["moves", "features"] = "moves", plan: str | None = None
    ) -> Question:
        game = self.game
        if plan is not None:
            raise InputError(f"`plan`: {game.name} has no such plans")
        facts = [("true", atom) for atom in self.circuits.atoms(self.row)]
        files = dict.fromkeys((*self.rules.files, *game.settings.files(program)))
        weights = game.settings.weights[program]
        about = f", weights {game.settings.name}: the answer holds what is said of its {program}"
        return Question(about, ("0",), as_program([*files], facts, weights, game.constants))

    # Setting up

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols for `put`; none if only a notation of its own could express the position."""
        if self.circuits.exchanges and type(self) is RulePosition:
            return ()
        return tuple(sorted({symbol for _, symbol in set_up.pieces(self.circuits)}))

    def with_squares(self, squares: Mapping[Square, str], player: str | None) -> Self:
        """Return the position with other pieces on some squares.

        A base atom is a piece if by itself it puts something on the board (``at/3``). Two atoms of
        one name, one for each role, say whose turn it is.
        """
        pieces, blanks = set_up.pieces(self.circuits), set_up.blanks(self.circuits)
        rules = self.rules
        atoms = self.atoms - {atom for (square, _), atom in pieces.items() if square in squares}
        atoms = atoms - {blanks[square] for square in squares if square in blanks}
        for square, symbol in squares.items():
            if symbol and (square, symbol) not in pieces:
                where = rules.display.place(("", *square)).strip("()")
                known = ", ".join(dict.fromkeys(each for at, each in pieces if at == square))
                told = f"(use {known})" if known else "(it is no square)"
                found = quote_text(symbol)
                raise InputError(f"squares: no {found} stands on {where} {told}")
            if symbol:
                atoms |= {pieces[square, symbol]}
            elif square in blanks:
                atoms |= {blanks[square]}
        turn = self.side if player is None else rules.players.index(player)
        for pair in map(rules.pair, {atom[0] for atom in rules.base}):
            if pair and atoms & {*pair}:
                atoms = atoms - {*pair} | {pair[turn]}
        return self.set_up(self.game, self.rearrange(atoms, turn))

    # The state

    @cached_property
    def look(self) -> Look:
        """The rules' look at the state; an EncodingError if the game is stuck, but not over."""
        try:
            return self._timed_look(self.row[None])
        except EncodingError:
            raise breach(self.rules, self.circuits.atoms(self.row), self.path) from None

    def _timed_look(self, rows: Rows) -> Look:
        """A look at states, whose time counts towards machine code."""
        started = perf_counter()
        look = self.circuits.look(rows)
        self.circuits.tree.count_look_seconds(perf_counter() - started)
        return look

    @property
    def side(self) -> int:
        return int(self.look.turn[0]) ^ self.exchanged

    @property
    def over(self) -> bool:
        """Whether the game is over, by its rules or by repetition."""
        return bool(self.look.over[0]) or self.is_repeated

    @property
    def winning_side(self) -> int | None:
        result = int(self.look.result[0]) * (-1 if self.exchanged else 1)
        return {1: 0, -1: 1}.get(result)

    @property
    def decisive(self) -> list[Square]:
        """The squares that a win needs: a smallest set, so only one chain or line.

        If any of them were empty, the game would not be won. Empty if neither player has won, or if
        the squares say nothing: a single one, or most of the board.
        """
        if self.winning_side is None:
            return []
        rules, result = self.rules, self.look.result[0]

        def wins_with(atoms: Collection[Term]) -> bool:
            row = self.circuits.row(rules.seen(atom, self.exchanged) for atom in atoms)
            try:
                look = self.circuits.look(row[None])
            except EncodingError:  # neither player has a move
                return False
            return bool(look.over[0] and look.result[0] == result)

        kept, needed = set(self.atoms), []
        for square, atoms in self.circuits.squares.atoms.items():
            left = kept.difference(atoms)
            if left == kept:
                continue
            if wins_with(left):
                kept = left
            else:
                needed.append(square)
        stand = {(x, y): symbol for x, y, symbol in self.board_contents}
        alike = len({stand.get(square) for square in needed}) == 1
        return needed if len(needed) > 1 and (alike or 2 * len(needed) <= len(stand)) else []

    @property
    def is_repeated(self) -> bool:
        """Whether the state has occurred as often as the game allows."""
        game = self.circuits
        most = game.rules.repetition
        if most is None:
            return False
        before = self._before[-2::-2] if game.exchanges else self._before
        return 1 + before.count(identity(self.row, game.counters)) >= most

    @property
    def root(self) -> RowPosition:
        """The state as a search takes it, with the states that must not recur."""
        game = self.circuits
        recurrences = None
        if times := game.rules.repetition:
            recurrences = Recurrences.of(
                self._before, self.row, times, game.counters, game.exchanges
            )
        turn = self.side if game.exchanges else None
        return RowPosition(game, self.row, turn, self.look, recurrences)

    @cached_property
    def by_number(self) -> Mapping[int, Term]:
        """The legal moves by their numbers."""
        (legal,) = self.look.legal
        numbers = np.flatnonzero(np.unpackbits(legal, bitorder="little")).tolist()
        rules, exchanged = self.rules, self.exchanged
        return {number: rules.seen(rules.moves[number], exchanged) for number in numbers}

    @property
    def legal(self) -> list[Term]:
        return [*self.by_number.values()]

    def name(self, number: int) -> Term:
        """Return a move by its number in this state."""
        return self.rules.seen(self.rules.moves[number], self.exchanged)

    def read_move(self, said: Any, place: str | None = None) -> Term:
        """Return the move with a text or, from an advice, a term."""
        if not isinstance(said, str | tuple):
            raise InputError(f"move {said!r} is not a text")
        place = f"move {len(self.path) + 1}: " if place is None else place
        found = quote_text(said) if isinstance(said, str) else repr(said)
        if self.over:
            raise InputError(f"{place}{found}: the game is over")
        if said in self.legal:
            return said
        told = vars(self).get("names", {})  # from `moves`, so they need not be found again
        for move, name in told.items():
            if name == said:
                return move
        if not isinstance(said, str):
            raise InputError(f"{place}{found} is not legal for {self.turn}")
        try:
            return self.find_move(said)
        except InputError as error:
            raise InputError(f"{place}{error}") from None

    def after(self, term: Term) -> Self:
        circuits = self.circuits
        which = np.array([self.legal.index(term)])
        foreseen = vars(self).get("_children")  # by names of chess, which say what gives check
        if foreseen:
            rows = foreseen[0][which]
        else:
            number = np.array([*self.by_number])[which]
            rows = circuits.step(self.row[None], number, self.look.turn)
        (row,) = circuits.without_moot(rows)
        exchanged = self.exchanged ^ circuits.exchanges
        before = self._before
        if circuits.rules.repetition:
            before = (*before, identity(self.row, circuits.counters))
        after = type(self)(self.game, (*self.path, term), row, exchanged, self.begun, before)
        if foreseen:
            vars(after)["look"] = foreseen[1].take(which)
        return after

    def moves_of(self, numbers: Sequence[int]) -> tuple[Term, ...]:
        """Return moves from here on by their numbers, as the first role sees them."""
        rules, exchanged, line = self.rules, self.exchanged, []
        for number in numbers:
            line.append(rules.seen(rules.moves[number], exchanged))
            exchanged ^= self.circuits.exchanges
        return tuple(line)

    def names_along(self, line: Sequence[Term]) -> list[str]:
        """Return moves from here on, as people write them."""
        states = accumulate(line, type(self).after, initial=self)
        return [state.names[move] for state, move in zip(states, line, strict=False)]

    def foreseen(self, statement: str) -> tuple[set[Term], set[Term]]:
        """Return the legal moves that win the game, and those after which a statement holds.

        Args:
            statement: an atom of the rules, such as ``check`` in chess.
        """
        game, legal = self.circuits, self.legal
        if not legal:
            return set(), set()
        after, look = self._children
        found = look.result != 0, game.holds(after, statement)
        won, told = ({move for move, yes in zip(legal, each, strict=True) if yes} for each in found)
        return won, told

    @cached_property
    def _children(self) -> tuple[Rows, Look]:
        """The states after each legal move, and a look at them."""
        rows = expand(self.circuits, self.row[None], self.look).rows
        return rows, self._timed_look(rows)

    def holds(self, statement: str, other_side: bool = False) -> bool:
        """Return whether a statement of the rules holds.

        Args:
            statement: an atom of the rules, such as ``check`` in chess.
            other_side: ask as if the other side were to move, in a game whose states are seen by
                the side to move.
        """
        rules = self.rules
        row = self.row
        if other_side:
            row = self.circuits.row(rules.seen(atom, True) for atom in self.circuits.atoms(row))
        return bool(self.circuits.holds(row[None], statement)[0])

    @cached_property
    def atoms(self) -> frozenset[Term]:
        """The base atoms that hold, as the first role sees them."""
        rules, held = self.rules, self.circuits.atoms(self.row)
        return frozenset(rules.seen(atom, self.exchanged) for atom in held)

    @property
    def board_contents(self) -> tuple[tuple[int, int, Term], ...]:
        """The contents of a board: columns, rows and symbols."""
        game = self.circuits
        atoms = game.board_atoms(game.row(self.atoms))
        return tuple((x, y, symbol) for _, x, y, symbol in atoms)

    def diagram(self, move: Term | None = None) -> Diagram | None:
        """Return the board's contents with a move to point at; None if there is no board."""
        squares = self.circuits.squares
        if not squares.all:
            return None
        return Diagram(
            rules=self.rules,
            squares=squares,
            shown=self.board_contents,
            title="the game is over" if self.over else f"{self.turn} to move",
            suggested=("", ())
            if move is None
            else (self.code_of(move), squares.squares_to_show(move)),
            shapes=self.shapes,
        )

    @property
    def played(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._named_moves)

    @property
    def opening(self) -> str:
        """The name of the opening, if the game has names for openings; else empty."""
        standard = self.begun.atoms in (None, self.rules.start) and not self.rules.constants
        return opening_name(self.rules.files[0].parent, self.played) if standard else ""

    @cached_property
    def _named_moves(self) -> list[tuple[str, str]]:
        """The moves from the beginning on as people write them, and the player who made each."""
        states = zip(self.positions, self.path, strict=False)
        return [(state.names[move], state.turn) for state, move in states]

    def __eq__(self, other: object) -> bool:
        """Compare by game, beginning, moves and state; games loaded apart may be equal."""
        return isinstance(other, RulePosition) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[object, ...]:
        game, begun = self.circuits.named, self.begun
        return game, begun.atoms, begun.turn, self.path, self.row.tobytes()

    @property
    def key(self) -> tuple[object, ...]:
        """The state without counters that only count towards a draw, as in chess."""
        game = self.circuits
        return game.named, self.exchanged, identity(self.row, game.counters)

    def to_json(self) -> dict[str, Any]:
        rules, squares = self.rules, self.circuits.squares
        display, (width, height) = rules.display, squares.size
        columns, rows = range(1, width + 1), range(height, 0, -1)
        stand = {(x, y): text_of(symbol) for x, y, symbol in self.board_contents}
        shown = self.diagram()
        winner = self.winner
        status = f"{self.turn} to move."
        if self.over:
            status = "The game is over: " + (f"{winner} has won." if winner else "a draw.")
        text, short = self.typed_texts
        return {
            "game": rules.name,
            "roles": list(rules.players),
            "turn": None if self.over else self.turn,
            "rows": [
                [stand.get((x, y), "" if (x, y) in squares.all else None) for x in columns]
                for y in rows
            ],
            "slanted": bool(rules.derived_atoms("slanted")),
            "moves": [
                {
                    "move": self.code_of(move),
                    "name": name,
                    "squares": squares.of(move),
                    "clicks": display.clicks.get(move, ()),
                }
                for move, name in self.names.items()
            ],
            "played": self.played,
            "opening": self.opening,
            "movers": [player for _, player in self._named_moves],
            "last": squares.of(self.path[-1]) if self.path else [],
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
            "made": [self.code_of(move) for move in self.path],
            "text": text,
            "short": short,
            "accepts": self.accepts,
            "constants": {**numbers(rules.files), **rules.constants},
            "over": self.over,
            "winner": winner,
            "status": capitalize_text(status),
        }


def _rebuild_position(
    kind: type[RulePosition],
    game: GameByRules,
    begun_text: str,
    path: tuple[Term, ...],
    said: tuple[Any, ...],
) -> RulePosition:
    """Return the position after some moves, from its pickled parts."""
    tags, passed_over, told = said
    begun = replace(kind.read(begun_text), tags=tags, passed_over=passed_over, told=told)
    position = kind.begin(game, begun)
    for number, term in enumerate(path, 1):
        if term not in position.legal:
            found = quote_text(position.code_of(term))
            raise InputError(f"move {number}: {found} is not legal by the rules of today")
        position = position.after(term)
    return position
