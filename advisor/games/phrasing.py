"""Phrasing: moves, places and players of a position, in sentences and JSON.

Reasons know nothing about a game; this module's classes word what they refer to. Defaults serve the
games without words of their own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from advisor.games.marks import Worth
from advisor.games.score import Score, ScoreKind
from advisor.games.wording import few, number
from advisor.settings.texts import Texts
from aspcircuits.clingo_api import Term

Json = dict[str, Any]

Cell = tuple[int, int]
"""Row and column."""


class Planned(Protocol):
    """A move of a solution of the game, in one position, and its explanation."""

    @property
    def move(self) -> Term: ...
    @property
    def hold(self) -> bool:
        """Whether the move leads to at least a draw; otherwise it leads to a win."""

    @property
    def won(self) -> Score:
        """The move's score, unless it only holds."""

    @property
    def short(self) -> str:
        """The reason for the move, in a few words."""

    @property
    def numbers(self) -> Mapping[Cell, int]:
        """The plan's number of each empty square; empty for a move without a plan."""

    def picture(self, pointed: bool = True) -> list[str]:
        """Draw the board with these numbers; empty for a move without a plan.

        `pointed`: add a pointer at the move.
        """

    def sentences(self, better: Sequence[Term] = ()) -> list[str]:
        """Explain the plan, its move now and, in the last sentence, the moves known to be better
        still.
        """

    def to_json(self, better: Sequence[Term] = ()) -> Json:
        """Return the explanation as plain data."""


class Phrasing(Protocol):
    """The wording of an advice on one position of a game.

    Attributes:
        game: its name.
        noun: the word for a move.
        drawn: why no feature counts at the end of a line, see `advisor.games.abilities.End`.
        players: both names, as programs read them, the one who begins a game first.
        turn: the side to move, 0 for the first.
    """

    game: str
    noun: str
    drawn: str = "the position counts as a draw"
    players: tuple[str, str]
    turn: int

    @property
    def texts(self) -> Texts:
        """The meanings of its strategies and features."""

    def player_name(self, player: int) -> str:
        """Return a player's name in sentences."""
        return self.players[player]

    def player_label(self, player: int) -> str:
        """Return a player's name for a first mention, beside a board."""
        return self.player_name(player)

    def code(self, move: Term) -> int | str:
        """Return a move as programs read it, whatever the position."""

    def play_name(self, move: Term) -> int | str:
        """Return a legal move as the library's `play` takes it."""

    def find_move(self, name: Any) -> Term:
        """Return the legal move with a name that `play` takes; an InputError if there is none."""

    def encode_move(self, move: Term) -> Term:
        """Return a legal move as the encodings write it in this position."""

    def moves(self, moves: Sequence[Term], last: str = "and") -> str:
        """Return legal moves inside a sentence: ``columns 3 and 4``, or ``column 3 or 4``."""
        return few([str(self.play_name(move)) for move in moves], last)

    def names_along(self, line: Sequence[Term]) -> list[str]:
        """Return moves from the position on, as people write them."""

    def reasons(self, reasons: Sequence[Term]) -> list[str]:
        """Name the places of a strategy's reasons, each in a few words."""
        return sorted(self.places(reasons))

    def places(self, places: Sequence[Term]) -> list[str]:
        """Name the places of features, each in a few words."""

    def values(self, move: Term, reasons: Sequence[Term]) -> Mapping[str, str]:
        """Return a strategy's replacements for placeholders other than players and places."""
        return {"move": str(self.play_name(move))}

    def words(self, move: Term, reasons: Sequence[Term]) -> Mapping[str, str]:
        """Return all replacements for placeholders in the sentence of a strategy or an event."""
        return {
            "me": self.player_name(self.turn),
            "you": self.player_name(1 - self.turn),
            "where": few(self.reasons(reasons)),
            **self.values(move, reasons),
        }

    def outcome(self, score: Score) -> str:
        """Return a certain result in a few words; empty for another score."""

    def every(self, score: Score) -> str:
        """Return a sentence: all legal moves come to the same result."""
        return f"Every {self.noun}: {self.outcome(score)}."

    def leads(self, moves: Sequence[Term], score: Score) -> str:
        """Return a sentence without its end: legal moves lead to a certain result."""
        return f"{self.moves(moves)} {verb(score.kind, len(moves))}{when(score)}"

    def ending(self, move: Term, score: Score, line: Sequence[Term]) -> str:
        """Return the end of `leads`: how the game ends after one of the moves.

        Args:
            move: of those.
            score: its certain result.
            line: the expected play from the move on, as far as it is known.
        """
        return f": {' '.join(self.names_along(line))}" if len(line) > 1 else ""

    def lines(self, move: Term, score: Score) -> tuple[tuple[Cell, ...], ...]:
        """Return the board's lines of which one is completed after such a move; none if unknown."""
        return ()

    def describe_lines(self, move: Term, score: Score) -> str:
        """Name the lines of which the other side then completes one; empty if unknown."""
        return ""

    def describe_blocks(self, move: Term, better: Sequence[Term]) -> list[str]:
        """Say how better moves stop the immediate win that a move allows, in a few words each."""
        return []

    def win_phrase(self, score: Score) -> str:
        """Return a win as a noun phrase."""
        return "a win" if score.moves is None else f"a win in {score.moves}"

    def comes_to(self, moves: Sequence[Term], score: Score, mean: float | None = None) -> str:
        """Return the beginning of a sentence: the result that all of these legal moves lead to.

        If there is a `mean` of random games, it replaces a heuristic score.
        """
        told = self.outcome(score)
        if not told and mean is not None:
            told = f"wins {percent(mean)} of the random games"
        elif not told:
            told = "not known" if score.value is None else f"a score of {score.value}"
        return f"{self.moves(moves, 'or')}: {told}"

    def cells(self, move: Term) -> Mapping[str, str]:
        """Return a legal move's cells in a table, by the columns' names."""
        return {self.noun: str(self.play_name(move))}

    def move_json(self, move: Term) -> Json:
        """Return a legal move for JSON."""
        return {"move": self.code(move), "name": self.play_name(move)}

    def because_json(self, reasons: Sequence[Term]) -> Json:
        """Return the reasons of a strategy for JSON."""
        return {"reasons": self.reasons(reasons)}

    def where_json(self, place: Term) -> Json:
        """Return the place of a feature for JSON."""


def worth(say: Phrasing, move: Term, score: Score) -> Worth:
    """Return the value of a legal move, for display beside a picture of the position."""
    if score.kind == "heuristic":
        short = f"{score.value:+d}" if score.value else "0"
    else:
        short = score.kind if score.moves is None else f"{score.kind} {score.moves}"
    return Worth(score.kind, short, say.comes_to([move], score))


def percent(mean: float) -> str:
    """Return a mean result of random games as the share won; a draw is half a win."""
    return f"{50 * (1 + mean):.0f} %"


_VERBS = {
    "win": ("wins", "win"),
    "draw": ("leads to a draw", "lead to a draw"),
    "loss": ("loses", "lose"),
}


def verb(kind: ScoreKind, count: int) -> str:
    """Return the verb for `count` moves that lead to a certain result."""
    return _VERBS[kind][count > 1]


def is_at_once(score: Score) -> bool:
    """Return whether the next move wins, or the reply to it."""
    ends = 1 if score.kind == "win" else 2
    return score.moves == 1 and (score.plies is None or score.plies <= ends)


def when(score: Score) -> str:
    """Return the length of a forced win or loss in words; empty if it is not known."""
    if is_at_once(score):
        return " at once"
    if score.moves == 1:
        return f" after {number(score.plies or 0)} moves of both sides"
    return f" in {score.moves} moves" if score.moves else ""
