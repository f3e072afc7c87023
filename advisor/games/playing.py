"""A game as it is played: moves by name, one after the other, and the board as text.

Moves, squares and names are those that the player who began sees, also where the rules see every
state from the side to move.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from advisor.asp.clingo_api import Term, parse, render, unquoted
from advisor.engine.recurrences import Recurrences, identity
from advisor.engine.row_search import RowPosition
from advisor.engine.rows import Look, Rows
from advisor.errors import InputError
from advisor.files.textfile import quoted
from advisor.games.circuits import Circuits
from advisor.games.contract import check_turns

_LISTED = 12
"""Legal moves that an error lists."""


@dataclass(frozen=True)
class Playing:
    """A state and the moves that led there; treat as immutable.

    Attributes:
        game: its circuits.
        moves: from the start on.
        row: the state.
        exchanged: the state is seen by who did not begin.
        turn: who is to move, 0 for the first role; means nothing once the game is over.
    """

    game: Circuits
    moves: tuple[Term, ...] = ()
    row: Rows = field(default_factory=lambda: np.empty(0, np.uint64))
    exchanged: bool = False
    _before: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, game: Circuits, moves: str = "") -> "Playing":
        """The state after moves such as ``put(2,2) put(1,1)``.

        Raises:
            InputError: one that is no legal move.
            EncodingError: both players have a move, at the start or now.
        """
        playing = cls(game, (), game.start)
        check_turns(game.rules, game.atoms(game.start), ())
        for text in moves.split():
            playing = playing.play(playing.move(text))
        if playing.moves:
            check_turns(game.rules, game.atoms(playing.row), playing.moves)
        return playing

    @cached_property
    def look(self) -> Look:
        """What the rules say of the state."""
        return self.game.look(self.row[None])

    @property
    def turn(self) -> int:
        """The role to move, by its number, as the start names it."""
        return int(self.look.turn[0]) ^ self.exchanged

    @property
    def player(self) -> str:
        """Who is to move, by name."""
        return self.game.rules.players[self.turn]

    @property
    def over(self) -> bool:
        """Whether the game is over, by its rules or as a state has stood often enough."""
        return bool(self.look.over[0]) or self.repeated

    @property
    def winner(self) -> int | None:
        """The role that has won, None for a draw or a game that goes on."""
        result = int(self.look.result[0]) * (-1 if self.exchanged else 1)
        return {1: 0, -1: 1}.get(result)

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

    @property
    def legal(self) -> list[Term]:
        """The legal moves."""
        return [self.name(move) for move in self.look.moves()[1]]

    def name(self, number: int) -> Term:
        """A move by its number in this state."""
        return self.game.rules.seen(self.game.rules.moves[number], self.exchanged)

    def move(self, text: str) -> Term:
        """The legal move that a text names.

        Raises:
            InputError: it names none.
        """
        place = f"move {len(self.moves) + 1}: {quoted(text)}"
        if self.over:
            raise InputError(f"{place}: the game is over")
        move = parse(text)
        legal = self.legal
        if move not in legal:
            names = sorted(map(render, legal))
            more = ", ..." if len(names) > _LISTED else ""
            listed = ", ".join(names[:_LISTED])
            raise InputError(f"{place} is not legal for {self.player} (use {listed}{more})")
        return move

    def play(self, move: Term) -> "Playing":
        """The state after a legal move."""
        rules = self.game.rules
        number = np.array([rules.moves.index(rules.seen(move, self.exchanged))])
        row = self.game.step(self.row[None], number, self.look.turn)[0]
        exchanged = self.exchanged ^ self.game.exchanges
        before = (*self._before, identity(self.row, self.game.counters))
        return Playing(self.game, (*self.moves, move), row, exchanged, before)

    @property
    def atoms(self) -> list[Term]:
        """The base atoms that hold, as the player who began sees them."""
        rules = self.game.rules
        return [rules.seen(atom, self.exchanged) for atom in self.game.atoms(self.row)]

    @property
    def shown(self) -> tuple[tuple[int, int, Term], ...]:
        """What stands on a board: columns, rows and symbols."""
        game = self.game
        atoms = game.shown(game.row(self.atoms))
        return tuple((x, y, symbol) for _, x, y, symbol in atoms)

    def board(self) -> list[str]:
        """The text board, top row first; empty if the rules say nothing of one."""
        return text_board(self.game, self.shown)


def text_board(game: Circuits, shown: Sequence[tuple[int, int, Term]]) -> list[str]:
    """Rows of symbols, with the numbers of rows and columns beside them.

    Of each symbol the first letter is shown, or the first two where some begin alike.
    """
    places = [atom[1:3] for atom, _ in game.rules.derived("at")]
    if not places:
        return []
    width, height = (max(place[axis] for place in places) for axis in (0, 1))
    texts = {symbol: unquoted(symbol) or render(symbol) for _, _, symbol in shown}
    known = {unquoted(atom[3]) or render(atom[3]) for atom, _ in game.rules.derived("at")}
    letters = 1 if len({symbol[:1] for symbol in known}) == len(known) else 2
    symbols = {(x, y): texts[symbol][:letters] for x, y, symbol in shown}
    used = {*places}
    edge, wide = len(str(height)), max(letters, len(str(width))) + 1
    rows = []
    for y in range(height, 0, -1):
        cells = (symbols.get((x, y), "." if (x, y) in used else " ") for x in range(1, width + 1))
        rows.append(f"{y:>{edge}}" + "".join(f"{cell:>{wide}}" for cell in cells))
    rows.append(" " * edge + "".join(f"{x:>{wide}}" for x in range(1, width + 1)))
    return rows
