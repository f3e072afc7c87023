"""A plan by Allis' nine rules as a strategy: the controller's moves, one by one.

The rules and the argument for them are in ``encodings/connect4/victor``. This module contains the
consequences for the player: the answer that is due after the opponent's move or, if none is due, a
waiting move. It remembers nothing between moves: the squares of an answer show what has become of
it since the plan was made.
"""

from dataclasses import dataclass, field
from typing import Literal

from advisor.errors import InputError
from advisor.games.connect4.board import Board
from advisor.games.phrasing import Cell

Claim = Literal["holds", "wins"]

RULES = (
    "claimeven",
    "vertical",
    "baseinverse",
    "baseclaim",
    "lowinverse",
    "highinverse",
    "odd threat",
    "threat combination",
    "aftereven",
    "before",
    "specialbefore",
)
"""Names of the rules, the simpler ones first (`aftereven` and later ones follow from others)."""

DERIVED = frozenset({"aftereven", "before", "specialbefore"})
THREATS = frozenset({"odd threat", "threat combination"})


@dataclass(frozen=True, slots=True)
class RuleInstance:
    """One rule at work on some squares.

    Attributes:
        name: one of `RULES`.
        squares: in the order of the rule:

    ==================  =======================================================================
    claimeven           lower, upper
    vertical            lower, upper
    baseinverse         the two squares
    baseclaim           first, middle, the one on top of the middle, last
    lowinverse          lower, upper in one column; lower, upper in the other
    highinverse         lower, middle, upper in one column; the same in the other
    odd threat          the threat
    threat combination  X (lacking in both groups), Y beside it, Z above or below Y
    aftereven, before   the group that the controller would complete
    specialbefore       the group; then its square that is traded
    ==================  =======================================================================
    """

    name: str
    squares: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof that a player cannot lose, or wins: a plan against every play of the opponent.

    >>> proof = advisor.prove(advisor.position(size=(6, 6)), by="rules")
    >>> proof.player, proof.outcome
    (2, 'holds')

    Attributes:
        player: the controller, who follows the plan.
        outcome: ``"holds"`` (at least a draw) or ``"wins"``.
        first: the column of the controller's first move; None if it is the opponent's turn.
        rules: the answers, White's threat, and the derived rules that solve a line.
        solved: every open line (four squares that the opponent could still complete) with the rule
            that solves it.
    """

    position: Board
    player: int
    outcome: Claim
    first: int | None
    rules: tuple[RuleInstance, ...]
    solved: tuple[tuple[tuple[Cell, ...], RuleInstance], ...]

    @property
    def start(self) -> Board:
        """The position that the plan begins from, with the opponent to move."""
        return self.position if self.first is None else self.position.after(self.first)

    @property
    def answers(self) -> tuple[RuleInstance, ...]:
        """The rules that say what to play: all but White's threat and the derived ones."""
        return tuple(r for r in self.rules if r.name not in DERIVED | THREATS)

    @property
    def threat(self) -> RuleInstance | None:
        """White's odd threat or threat combination."""
        return next((rule for rule in self.rules if rule.name in THREATS), None)

    @property
    def threat_columns(self) -> frozenset[int]:
        """The columns of White's threat, in which no answer has a square."""
        squares = self.threat.squares if self.threat else ()
        return frozenset(column for _, column in squares)

    @property
    def appointments(self) -> dict[Cell, RuleInstance]:
        """The answers by their squares; no two share a square."""
        return {square: rule for rule in self.answers for square in rule.squares}

    @property
    def waiting(self) -> tuple[Cell, ...]:
        """The empty squares without an appointment: there the controller may play at any time."""
        g, taken, columns = self.start.geometry, self.appointments, self.threat_columns
        empty = g.squares_of(g.full & ~self.start.mask)
        return tuple(each for each in empty if each not in taken and each[1] not in columns)

    def replies(self, position: Board, move: int) -> tuple[int, ...]:
        """Return the controller's moves that keep to the plan, in a game that has followed it.

        They are the answer that is due or, if none is, the waiting moves, those on squares without
        an appointment first. A win that the plan does not need may be missing.

        Args:
            position: the position now, the controller to move.
            move: the column that the opponent has just played.

        Raises:
            InputError: the position did not come about by this plan.
        """
        table = _Table(self, position)
        if position.turn != self.player or position.row_of(move) == 1 or position.full:
            raise table.stranger()
        square = table.due((position.row_of(move) - 1, move))
        squares = table.waiting_moves() if square is None else [square]
        if not squares or squares[0] != (position.row_of(squares[0][1]), squares[0][1]):
            raise table.stranger()
        return tuple(column for _, column in squares)


class _Table:
    """The board at one moment in the course of a plan."""

    def __init__(self, proof: Proof, position: Board) -> None:
        self.proof, self.position = proof, position
        self.appointments = proof.appointments

    def stranger(self) -> InputError:
        return InputError(f"{self.position!r} does not come from a game that followed the plan")

    def mine(self, square: Cell) -> bool:
        return self.position.at(*square) == self.proof.player

    def empty(self, square: Cell) -> bool:
        return self.position.at(*square) == 0

    def due(self, played: Cell) -> Cell | None:
        """Return the answer to the opponent's disc on this square, if an answer is due."""
        if rule := self.appointments.get(played):
            return self._answer(rule, played)
        threat = self.proof.threat
        if threat is None:
            return None
        if threat.name == "threat combination":
            return self._two_columns(threat)
        row, column = played
        return (row + 1, column) if column == threat.squares[0][1] and row % 2 == 0 else None

    def _answer(self, rule: RuleInstance, played: Cell) -> Cell | None:
        match rule.name, rule.squares:
            case "claimeven", (lower, upper):
                return upper if played == lower else None
            case "vertical", (lower, upper):
                return upper if played == lower else self._on_top(upper)
            case "baseinverse", (one, other):
                return self._if_empty(other if played == one else one)
            case "lowinverse", (lower, upper, lower2, upper2):
                return {lower: upper, lower2: upper2}.get(played)
            case "highinverse", _:
                return self._highinverse(rule, played)
            case _:
                return self._baseclaim(rule, played)

    def _on_top(self, upper: Cell) -> Cell | None:
        """Take the step in ``derived.lp``: the opponent took a spent Vertical's upper square."""
        row, column = upper
        above = (row + 1, column)
        return above if row % 2 and not self.is_blocked(above) else None

    def _if_empty(self, square: Cell) -> Cell | None:
        return square if self.empty(square) else None

    def _entered_column(
        self, rule: RuleInstance
    ) -> tuple[tuple[Cell, ...], tuple[Cell, ...]] | None:
        """Return the column of a Highinverse that was entered first, and the other one.

        Its middle is the only square in it that the controller ever owns.
        """
        one, other = rule.squares[:3], rule.squares[3:]
        if self.mine(one[1]):
            return one, other
        return (other, one) if self.mine(other[1]) else None

    def _highinverse(self, rule: RuleInstance, played: Cell) -> Cell | None:
        entered = self._entered_column(rule)
        if entered is None:
            lower, middle, _, lower2, middle2, _ = rule.squares
            return {lower: middle, lower2: middle2}[played]
        (_, _, top), (lower, middle, upper) = entered
        if played == middle:
            return upper
        from_the_start = self.proof.start.row_of(lower[1]) == lower[0]  # it could be played then
        if from_the_start and played in (top, lower):
            return self._if_empty(lower if played == top else top)
        return None

    def _baseclaim(self, rule: RuleInstance, played: Cell) -> Cell | None:
        first, middle, top, last = rule.squares
        if played == middle:
            return self._if_empty(last) or self._if_empty(top)
        if played in (top, last):
            return self._if_empty(first if played == top else middle)
        return self._if_empty(last if self.empty(middle) else top)

    def _two_columns(self, threat: RuleInstance) -> Cell | None:
        """Return White's move in the two columns of a threat combination; None: wait elsewhere."""
        g = self.position.geometry
        columns = tuple(g.columns[column - 1] for column in sorted(self.proof.threat_columns))
        inside = sum(columns)
        outside = g.full & ~self.position.mask & ~inside
        x, y, z = (g.bit(*square) for square in threat.squares)
        fresh = g.full & ~self.proof.start.mask
        game = TwoColumns(
            columns,
            g.bottom,
            wins=(x | y, x | z),
            stops=tuple(
                sum(g.bit(*square) for square in line) & inside & fresh
                for line, rule in self.proof.solved
                if rule == threat
            ),
        )
        own = self.position.discs_of(self.proof.player)
        other = self.position.mask ^ own
        move = game.reply(own & inside, other & inside, outside.bit_count() % 2)
        if move is None:
            raise self.stranger()
        return next(g.squares_of(move)) if move else None

    def is_blocked(self, square: Cell) -> bool:
        """Return whether the controller has promised to leave this playable square alone."""
        row, column = square
        threat = self.proof.threat
        if threat is not None and column in self.proof.threat_columns:
            return threat.name == "threat combination" or row % 2 == 0
        rule = self.appointments.get(square)
        return rule is not None and self._blocks(rule, square)

    def _blocks(self, rule: RuleInstance, square: Cell) -> bool:
        match rule.name, rule.squares:
            case "claimeven", (lower, _):
                return square == lower
            case "lowinverse", (lower, _, lower2, _):
                return square in (lower, lower2) and self.empty(lower) and self.empty(lower2)
            case "highinverse", (lower, _, _, lower2, _, _):
                entered = self._entered_column(rule)
                return square in (lower, lower2) if entered is None else square == entered[1][1]
            case "baseclaim", (first, middle, _, _):
                return square == middle and not self.empty(first) and not self.mine(first)
        return False

    def waiting_moves(self) -> list[Cell]:
        """Return the playable squares that are not promised, those without an appointment first."""
        playable = [(self.position.row_of(c), c) for c in self.position.moves()]
        allowed = [square for square in playable if not self.is_blocked(square)]
        taken = self.appointments
        return sorted(allowed, key=lambda square: square in taken)


@dataclass(slots=True)
class TwoColumns:
    """The two columns of White's threat combination, a small game that is searched completely.

    White's promises there (``encodings/connect4/victor/white.lp``) depend on each other in too many
    ways for a table of answers. But two columns have few positions, and the rest of the board
    counts only by whether it holds an odd number of empty squares: then White can make a waiting
    move there.

    Attributes:
        columns: bitboards of the two columns.
        bottom: bitboard of the bottom row.
        wins: White wins by owning all squares of one of these bitboards.
        stops: Black must not own all squares of one of these before.
    """

    columns: tuple[int, ...]
    bottom: int
    wins: tuple[int, ...]
    stops: tuple[int, ...]
    _known: dict[tuple[int, int, int], bool] = field(init=False, default_factory=dict, repr=False)

    def reply(self, own: int, other: int, spare: int) -> int | None:
        """Return White's move: the bit of a square, 0 to wait elsewhere, None if White fails.

        Args:
            own, other: bitboards of White's and Black's discs in the two columns.
            spare: 1 if a waiting move can be made elsewhere: an odd number of squares is empty.
        """
        for move in self._moves(own | other, spare):
            if self.can_hold(own | move, other, spare if move else 0):
                return move
        return None

    def can_hold(self, own: int, other: int, spare: int) -> bool:
        """Return whether White wins with Black to move, and prevents what Black must not get."""
        if any(own & win == win for win in self.wins):
            return True
        key = (own, other, spare)
        if key not in self._known:
            moves = self._moves(own | other, spare)
            self._known[key] = bool(moves) and all(
                self._can_answer(own, other | move, spare if move else 0) for move in moves
            )
        return self._known[key]

    def _can_answer(self, own: int, other: int, spare: int) -> bool:
        stopped = any(other & stop == stop for stop in self.stops)
        return not stopped and self.reply(own, other, spare) is not None

    def _moves(self, mask: int, spare: int) -> list[int]:
        playable = (mask + self.bottom) & ~mask
        moves = [bit for column in self.columns if (bit := playable & column)]
        return [*moves, 0] if spare else moves
