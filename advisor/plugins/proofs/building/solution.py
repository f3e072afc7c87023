"""Solutions as text: one player's moves against every reply, down to plans.

A file names a player and a goal: ``goal x wins``, which is also the default, or ``goal o holds``,
that is, at least draws. It has lines for positions with that player to move, written as the moves
that led there (``-`` is the empty board): ``41 play 5`` is the player's next move, ``4153 plan 7
threats 2`` says that the plan of that name reaches the goal, with at most that many threats in a
row. A line also covers the mirror image of its position. A position needs no line if the player
wins by at most the file's number of threats in a row, or holds because the opponent cannot complete
a line any more. A plan is a picture with a number for each square. ``solutions/check.py`` reads
these files without using this module.

Lines that belong together are one paragraph, so a file that was cut off while it grew is sound up
to its last empty line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from advisor.errors import InputError
from advisor.files import textfile
from advisor.games.connect4.board import Board, Geometry, geometry
from advisor.games.players import MARKS
from advisor.plugins.proofs.plans.solved import numbers_of
from advisor.plugins.proofs.plans.trial import Goal, PlanNumbers, State, mirror_state, state_of
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name

MAX_WIDTH = 9
"""Columns are written as one digit each."""

EMPTY = "-"
"""The text for the moves that led to the empty board."""

GOALS = ("wins", "holds")
"""The texts for goals: to win; to win or draw."""

_PLAYERS = {mark: player for player, mark in MARKS.items()}


@dataclass(frozen=True, slots=True)
class Play:
    """A position, by the moves that led there, in which a column is played."""

    moves: str
    column: int

    @property
    def after(self) -> str:
        """The moves that led to the position after it."""
        return self.moves + str(self.column)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A position with a plan's number in the file, from 1, and the threats in a row it may use.

    The position is given by the moves that led there.
    """

    moves: str
    plan: int
    threats: int


@dataclass(slots=True)
class Solution:
    """A solution, or the part of it that exists.

    Attributes:
        goal: to win or to hold; a position won by its threats in a row needs no line.
        player: the player who reaches it.
        plans: the first one is number 1.
        said: the move or plan to play, by the key of a position.
    """

    goal: Goal
    player: int = 1
    plans: list[PlanNumbers] = field(default_factory=list)
    said: dict[State, Play | Leaf] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise an InputError if there can be no solution of this board."""
        g = self.geometry
        if g.width > MAX_WIDTH or g.connect != 4:
            raise InputError(
                f"solutions are of boards of at most {MAX_WIDTH} columns where four in line win, "
                f"not {g.width}x{g.height} with {g.connect} in line"
            )

    @property
    def geometry(self) -> Geometry:
        """The board."""
        return self.goal.geometry

    def position(self, moves: str) -> Board:
        """Return the position after some moves; an InputError if they cannot be played."""
        return Board(self.geometry).play_all(map(int, moves.replace(EMPTY, "")))

    def state(self, moves: str) -> State:
        """Return the discs of the player to move and of the opponent, after some moves.

        Raises:
            InputError: these moves cannot be played, or it is not the player's turn after them.
        """
        position = self.position(moves)
        if position.turn != self.player:
            raise InputError(f"{moves}: it is not {MARKS[self.player]}'s turn after these moves")
        return state_of(position)

    def key(self, state: State) -> State:
        """Return a key that a position shares with its mirror image."""
        return min(state, mirror_state(self.geometry, state))

    def key_of(self, moves: str) -> State:
        """Return the key of the position after some moves."""
        return self.key(self.state(moves))

    def given_away(self, after: Board) -> bool:
        """Return whether a move of the player misses the goal: the reply wins, or a draw is not
        enough.

        Args:
            after: the position after the move, which completes no line.
        """
        return after.wins_at_once() or (after.full and not self.goal.hold)

    def add(self, said: Play | Leaf) -> None:
        """Add a line for one more position.

        Raises:
            InputError: its moves are wrong, or there is a line for it already.
        """
        key = self.key_of(said.moves)
        if key in self.said:
            raise InputError(
                f"{said.moves}: there is a line for this position or its image already"
            )
        self.said[key] = said

    def text(self, plans: Sequence[PlanNumbers], said: Sequence[Play | Leaf]) -> str:
        """Return a paragraph with plans, numbered after the existing ones, and positions."""
        first = len(self.plans) + 1
        pictures = [line for i, plan in enumerate(plans, first) for line in self._picture(i, plan)]
        return "\n".join([*pictures, *map(_line, said)]) + "\n\n"

    @property
    def moves(self) -> int:
        """Number of positions in which a move is played; the others have a plan."""
        return sum(isinstance(each, Play) for each in self.said.values())

    @property
    def size(self) -> str:
        """The size in words."""
        leaves = len(self.said) - self.moves
        return f"{self.moves} moves, {leaves} leaves with {len(self.plans)} plans"

    def by_plans(self) -> str:
        """Return the whole text: first the moves, then each plan with its positions."""
        written = Solution(self.goal, self.player)
        leaves: list[list[Play | Leaf]] = [[] for _ in self.plans]
        for each in self.said.values():
            if isinstance(each, Leaf):
                leaves[each.plan - 1].append(each)
        text = written.text([], [each for each in self.said.values() if isinstance(each, Play)])
        for numbers, won in zip(self.plans, leaves, strict=True):
            text += written.text([numbers], won)
            written.plans.append(numbers)
        return text

    def head(self, comment: str) -> str:
        """Return the beginning of a file."""
        g = self.geometry
        told = "".join(f"# {line}".rstrip() + "\n" for line in comment.splitlines())
        goal = f"goal {MARKS[self.player]} {GOALS[self.goal.hold]}"
        return f"{told}\nboard {g.width} {g.height}\n{goal}\nthreats {self.goal.threats}\n\n"

    def _picture(self, name: int, numbers: PlanNumbers) -> Iterator[str]:
        g = self.geometry
        size = len(str(max(numbers)))
        yield f"plan {name}"
        for row in range(g.height - 1, -1, -1):
            yield " ".join(f"{numbers[c * g.stride + row]:{size}}" for c in range(g.width))


def _line(said: Play | Leaf) -> str:
    moves = said.moves or EMPTY
    if isinstance(said, Play):
        return f"{moves} play {said.column}"
    return f"{moves} plan {said.plan} threats {said.threats}"


def mirrored_moves(g: Geometry, moves: str) -> str:
    """Return moves with left and right exchanged."""
    return "".join(str(g.width + 1 - int(column)) for column in moves)


def whole_part(text: str) -> str:
    """Return the contents of a file up to its last complete paragraph."""
    end = text.rfind("\n\n")
    return text[: end + 2] if end >= 0 else ""


def read(path: Path) -> Solution:
    """Read the solution in a file, as far as it goes.

    Raises:
        InputError: it cannot be read or holds something else.
    """
    return parse(textfile.read_text(path), file_name(path))


def parse(text: str, name: str, stop: Stop | None = None) -> Solution:
    """Read the solution in a text, as far as it goes.

    Args:
        text: the solution.
        name: of the file, for errors.
        stop: ends the work when set.

    Raises:
        InputError: the text holds something else.
        KeyboardInterrupt: `stop` was set.
    """
    stop = stop or Stop()
    solution: Solution | None = None
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        stop.check()
        try:
            match line.partition("#")[0].split():
                case []:
                    pass
                case ["board", width, height] if solution is None:
                    solution = Solution(Goal(geometry(int(width), int(height))))
                case ["goal", mark, reached] if solution and not solution.said:
                    solution.player = _PLAYERS[mark]
                    solution.goal = replace(solution.goal, hold=GOALS.index(reached) == 1)
                case ["threats", count] if solution and not solution.said:
                    solution.goal = replace(solution.goal, threats=int(count))
                case ["plan", plan] if solution and int(plan) == len(solution.plans) + 1:
                    solution.plans.append(numbers_of(solution.geometry, lines))
                case [moves, "play", column] if solution:
                    solution.position(moves + column)
                    solution.add(Play(moves.replace(EMPTY, ""), int(column)))
                case [moves, "plan", plan, "threats", count] if solution:
                    if not 1 <= int(plan) <= len(solution.plans):
                        raise InputError(f"there is no plan {plan} above this line")
                    solution.add(Leaf(moves.replace(EMPTY, ""), int(plan), int(count)))
                case _:
                    raise ValueError
        except InputError as error:
            raise InputError(f"{name}: line {number}: {error}") from None
        except (KeyError, ValueError):
            raise InputError(
                f"{name}: line {number}: '{line.strip()[:40]}' is not a line of a solution"
            ) from None
    if solution is None:
        raise InputError(f"{name}: holds no solution (it begins with a line such as 'board 7 6')")
    return solution
