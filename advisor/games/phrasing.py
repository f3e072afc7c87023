"""How what is said of a position is written: its moves, places and players, in sentences and JSON.

Reasons know no game; what they speak of is put into words here. For what a game does not say in its
own words there are those of any game.
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
    """A move of a solution of the game, in one position, and how to tell it."""

    @property
    def move(self) -> Term: ...
    @property
    def hold(self) -> bool:
        """It leads to a draw at least; otherwise to a win."""

    @property
    def won(self) -> Score:
        """The move's score, unless it only holds."""

    @property
    def short(self) -> str:
        """Why it is played, in a few words."""

    @property
    def numbers(self) -> Mapping[Cell, int]:
        """The plan's number of each empty square; nothing for a move without a plan."""

    def picture(self, pointed: bool = True) -> list[str]:
        """Draw the board with these numbers, and a pointer at the move if wanted; nothing for a
        move without a plan."""

    def sentences(self, better: Sequence[Term] = ()) -> list[str]:
        """Tell the plan, what it plays now, and which moves are known to be better still, in the
        last sentence."""

    def to_json(self, better: Sequence[Term] = ()) -> Json:
        """The same as plain data."""


class Phrasing(Protocol):
    """How a game says what an advice on one of its positions tells.

    Attributes:
        noun: what a move is called.
        players: both by name, as programs read them, the one who begins a game first.
        turn: who is to move, 0 for the first.
        drawn: why no feature counts at the end of a line, see `advisor.games.abilities.End`.
    """

    game: str
    noun: str
    drawn: str = "the position counts as a draw"
    players: tuple[str, str]
    turn: int

    @property
    def texts(self) -> Texts:
        """What its strategies and features mean."""

    def called(self, player: int) -> str:
        """A player as sentences name him."""
        return self.players[player]

    def named(self, player: int) -> str:
        """The same where he is met first, beside a board."""
        return self.called(player)

    def code(self, move: Term) -> int | str:
        """A move as programs read it, whatever the position."""

    def played(self, move: Term) -> int | str:
        """A legal move as `play` of the library takes it."""

    def meant(self, name: Any) -> Term:
        """The legal move that it takes by this name; an InputError if there is none."""

    def encoded(self, move: Term) -> Term:
        """A legal move as the encodings have it in this position."""

    def moves(self, moves: Sequence[Term], last: str = "and") -> str:
        """Legal moves inside a sentence: ``columns 3 and 4``, or ``column 3 or 4``."""
        return few([str(self.played(move)) for move in moves], last)

    def told(self, line: Sequence[Term]) -> list[str]:
        """Moves from the position on, as people write them."""

    def reasons(self, reasons: Sequence[Term]) -> list[str]:
        """Where the reasons of a strategy lie, each in a few words."""
        return sorted(self.places(reasons))

    def places(self, places: Sequence[Term]) -> list[str]:
        """Where features are, each in a few words."""

    def values(self, move: Term, reasons: Sequence[Term]) -> Mapping[str, str]:
        """What the sentence of a strategy may have filled in beside players and places."""
        return {"move": str(self.played(move))}

    def words(self, move: Term, reasons: Sequence[Term]) -> Mapping[str, str]:
        """All that the sentence of a strategy or an event may have filled in."""
        return {
            "me": self.called(self.turn),
            "you": self.called(1 - self.turn),
            "where": few(self.reasons(reasons)),
            **self.values(move, reasons),
        }

    def outcome(self, score: Score) -> str:
        """A certain result in a few words; nothing for another score."""

    def every(self, score: Score) -> str:
        """A sentence: that all legal moves come to the same result."""
        return f"Every {self.noun}: {self.outcome(score)}."

    def leads(self, moves: Sequence[Term], score: Score) -> str:
        """That legal moves lead to a certain result: a sentence without its end."""
        return f"{self.moves(moves)} {verb(score.kind, len(moves))}{when(score)}"

    def ending(self, move: Term, score: Score, line: Sequence[Term]) -> str:
        """How the game ends after one of those, by the line of play that is expected from it on as
        far as that is known: what follows `leads`."""
        return f": {' '.join(self.told(line))}" if len(line) > 1 else ""

    def lines(self, move: Term, score: Score) -> tuple[tuple[Cell, ...], ...]:
        """The lines of the board one of which is completed after such a move; none if unknown."""
        return ()

    def completed(self, move: Term, score: Score) -> str:
        """Where the lines lie of which the other side then completes one; nothing if unknown."""
        return ""

    def blocked(self, move: Term, better: Sequence[Term]) -> list[str]:
        """How better moves keep the other side from winning at once after a move, in a few words
        each."""
        return []

    def won(self, score: Score) -> str:
        """A win as a thing."""
        return "a win" if score.moves is None else f"a win in {score.moves}"

    def comes_to(self, moves: Sequence[Term], score: Score, mean: float | None = None) -> str:
        """What legal moves, all of them, lead to: the beginning of a sentence. The mean of random
        games stands for a guess, where there is one."""
        told = self.outcome(score)
        if not told and mean is not None:
            told = f"wins {percent(mean)} of the random games"
        elif not told:
            told = "not known" if score.value is None else f"a score of {score.value}"
        return f"{self.moves(moves, 'or')}: {told}"

    def cells(self, move: Term) -> Mapping[str, str]:
        """A legal move as a table shows it, by the columns' names."""
        return {self.noun: str(self.played(move))}

    def move_json(self, move: Term) -> Json:
        """A legal move as JSON tells it."""
        return {"move": self.code(move), "name": self.played(move)}

    def because_json(self, reasons: Sequence[Term]) -> Json:
        """The reasons of a strategy likewise."""
        return {"reasons": self.reasons(reasons)}

    def where_json(self, place: Term) -> Json:
        """The place of a feature likewise."""


def worth(say: Phrasing, move: Term, score: Score) -> Worth:
    """What a legal move is worth, beside a picture of the position."""
    if score.kind == "heuristic":
        short = f"{score.value:+d}" if score.value else "0"
    else:
        short = score.kind if score.moves is None else f"{score.kind} {score.moves}"
    return Worth(score.kind, short, say.comes_to([move], score))


def percent(mean: float) -> str:
    """How much of random games is won, a draw being half a win: their mean result as a part."""
    return f"{50 * (1 + mean):.0f} %"


_VERBS = {
    "win": ("wins", "win"),
    "draw": ("leads to a draw", "lead to a draw"),
    "loss": ("loses", "lose"),
}


def verb(kind: ScoreKind, count: int) -> str:
    """What so many moves do that lead to a certain result."""
    return _VERBS[kind][count > 1]


def is_at_once(score: Score) -> bool:
    """Whether the next move wins, or the reply to it does."""
    ends = 1 if score.kind == "win" else 2
    return score.moves == 1 and (score.plies is None or score.plies <= ends)


def when(score: Score) -> str:
    """The length of a forced win or loss; nothing where it is not known."""
    if is_at_once(score):
        return " at once"
    if score.moves == 1:
        return f" after {number(score.plies or 0)} moves of both sides"
    return f" in {score.moves} moves" if score.moves else ""
