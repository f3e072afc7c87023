"""Which notation a game has: the one place where a game may have its own.

Without one, a position is the moves that led to it, and a move is written as the rules say or by
its term, as ``put(2,2)``. A game with a notation of its own has a module for it under
``advisor/games``, and a line in `of`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from advisor.asp.clingo_api import Term, parse, render
from advisor.errors import InputError
from advisor.files.resources import ENCODINGS
from advisor.files.textfile import in_order, quoted
from advisor.games.diagram import svg
from advisor.games.display import Display
from advisor.games.notation import Begun, Notation, State
from advisor.games.rules import Rules

_LISTED = 12
"""Legal moves that an error lists."""


def of(rules: Rules) -> Notation:
    """The notation of a game."""
    if rules.files[0].parent == ENCODINGS / "chess":
        from advisor.games.chess.notation import ChessNotation  # most games need none of it

        return ChessNotation()
    return Plain(rules.display)


def other_program(rules: Rules) -> Callable[[str, int], set[str] | None] | None:
    """What asks another program, where there is one that knows the game, which moves of a position
    win within so many; it answers None if it is not installed."""
    if rules.files[0].parent == ENCODINGS / "chess":
        from advisor.games.chess.other_program import winning

        return winning
    return None


class Plain:
    """The notation of a game that has none of its own: names that the rules have, else terms.

    Args:
        display: the names.
    """

    def __init__(self, display: Display) -> None:
        self._display = display

    def begin(self, text: str) -> Begun:
        """Moves from the start, with spaces between."""
        numbered = enumerate(text.split(), 1)
        return Begun(moves=tuple((move, f"move {number}: ") for number, move in numbered))

    def games(self, text: str) -> list[str]:
        """One a line."""
        return [line for line in text.splitlines() if line.strip()]

    def check(self, state: State) -> None:
        """A game begins at its start."""

    def find(self, state: State, text: str) -> Term:
        """See `Notation`."""
        legal = state.legal
        try:
            term = parse(text)
        except InputError:
            term = None  # which is no move
        if term in legal:
            return term
        for same in (str, str.casefold):
            found = [move for move, name in state.names.items() if same(name) == same(text)]
            if len(found) == 1:
                return found[0]
        names = sorted(state.names.values(), key=in_order)
        more = ", ..." if len(names) > _LISTED else ""
        listed = ", ".join(names[:_LISTED])
        raise InputError(f"{quoted(text)} is not legal for {state.player} (use {listed}{more})")

    def code(self, move: Term) -> str:
        """The term."""
        return render(move)

    def names(self, state: State) -> Mapping[Term, str]:
        """Their names, and the terms of those that have none or share it."""
        return self._display.written(state.legal)

    def position(self, state: State) -> str:
        """The moves from the start."""
        played = zip(state.played, state.moves, strict=False)
        return " ".join(earlier.names[move] for earlier, move in played)

    def line(self, state: State) -> str:
        """The moves from the start."""
        return self.position(state)

    def outcome(self, kind: str, plies: int, at_most: bool = False) -> str:
        """See `Notation`."""
        within = "within" if at_most else "in"
        return f"a {kind} {within} {plies} {'ply' if plies == 1 else 'plies'}"

    def won_by(self, move: str) -> str:
        """See `Notation`."""
        return f"{move} wins the game"

    def picture(self, state: State) -> str:
        """The text board, or where there is none the moves from the start."""
        return "\n".join(state.board()) or self.position(state)

    def board(self, state: State) -> list[str]:
        """That of the rules."""
        return state.board()

    def extras(self, state: State) -> Mapping[str, Callable[[], Any]]:
        """None."""
        return {}

    def record(self, state: State, tags: Mapping[str, str]) -> str:
        """The moves from the start, on a line."""
        return self.position(state) + "\n"

    def place(self, where: Term) -> str:
        """Its name, or the term."""
        return self._display.place(where)

    @property
    def shapes(self) -> Mapping[str, Mapping[str, Any]]:
        """None: letters will do."""
        return {}

    def drawing(self, state: State, suggested: Term | None = None) -> str:
        """The text board, if the rules speak of one."""
        shown = state.diagram(suggested)
        if shown is None:
            raise InputError("this game has no picture: its rules have no at/3")
        return svg(shown)
