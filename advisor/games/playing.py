"""A game as it is played: moves by name, one after the other, and the board as text."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from advisor.asp.clingo_api import Term, parse, render
from advisor.engine.rows import Look, Rows
from advisor.errors import InputError
from advisor.files.textfile import quoted
from advisor.games.circuits import Circuits
from advisor.games.contract import check_turns
from advisor.games.reference import answer

_LISTED = 12
"""Legal moves that an error lists."""


@dataclass(frozen=True)
class Playing:
    """A state and the moves that led there; treat as immutable.

    Attributes:
        game: its circuits.
        moves: from the start on.
        row: the state.
        turn: who is to move, 0 for the first role; means nothing once the game is over.
    """

    game: Circuits
    moves: tuple[Term, ...] = ()
    row: Rows = field(default_factory=lambda: np.empty(0, np.uint64))
    _exchanged: bool = False

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
        return int(self.look.turn[0]) ^ self._exchanged

    @property
    def player(self) -> str:
        """The role to move, by its name."""
        return render(self.game.rules.roles[self.turn])

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.look.over[0])

    @property
    def winner(self) -> int | None:
        """The role that has won, None for a draw or a game that goes on."""
        result = int(self.look.result[0]) * (-1 if self._exchanged else 1)
        return {1: 0, -1: 1}.get(result)

    @property
    def legal(self) -> list[Term]:
        """The legal moves."""
        return [self.game.rules.moves[move] for move in self.look.moves()[1]]

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
        number = np.array([self.game.rules.moves.index(move)])
        row = self.game.step(self.row[None], number, self.look.turn)[0]
        exchanged = self._exchanged ^ self.game.exchanges
        return Playing(self.game, (*self.moves, move), row, exchanged)

    @property
    def shown(self) -> tuple[tuple[int, int, Term], ...]:
        """What stands on a board: columns, rows and symbols."""
        return answer(self.game.rules, self.game.atoms(self.row)).board

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
    known = {render(atom[3]) for atom, _ in game.rules.derived("at")}
    letters = 1 if len({symbol[:1] for symbol in known}) == len(known) else 2
    symbols = {(x, y): render(symbol)[:letters] for x, y, symbol in shown}
    used = {*places}
    edge, wide = len(str(height)), max(letters, len(str(width))) + 1
    rows = []
    for y in range(height, 0, -1):
        cells = (symbols.get((x, y), "." if (x, y) in used else " ") for x in range(1, width + 1))
        rows.append(f"{y:>{edge}}" + "".join(f"{cell:>{wide}}" for cell in cells))
    rows.append(" " * edge + "".join(f"{x:>{wide}}" for x in range(1, width + 1)))
    return rows
