"""Puzzles of any game, and attempts at them: moves judged, refuted or answered, hints by step.

The abilities of a game say which moves win; a look-ahead finds the other side's answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from advisor.advice import explain, facade
from advisor.engine.search import FORCED, WIN, search
from advisor.errors import InputError
from advisor.files.textfile import amount
from advisor.games import puzzles as files
from advisor.games import rooms
from advisor.games.game import Game, Position
from advisor.games.position_file import Difficulty
from advisor.library import arguments
from advisor.limits import MAX_WIN, Limit
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop

_SHOWN = 4
"""Plies of a refutation that are shown."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to win in a known number of moves, or to find the best move in.

    >>> posed = advisor.puzzle("chapter3/5")
    >>> posed.task, posed.solved_by
    ('x (red) to move and win in 3', 'column 1')

    Attributes:
        id: such as ``chapter5/15``, or the path of its file.
        win_in: own moves until the win, against the best defence; 0 if the best move is wanted.
        solution: every first move that wins that fast, or all best moves, as the position's `play`
            takes them.
        extra: whether it does not count among its book's 120.
        source: where it was published; empty if unknown.
        difficulty: of a puzzle made by `Posing`, else None.
    """

    id: str
    position: Position
    win_in: int
    solution: tuple[Any, ...]
    extra: bool = False
    source: str = ""
    difficulty: Difficulty | None = None

    @property
    def task(self) -> str:
        """The task in words, such as ``x (red) to move and win in 3``."""
        if not self.win_in:
            return f"{self.position.status}: find the best move"
        return f"{self.position.status} and win in {self.win_in}"

    @property
    def solved_by(self) -> str:
        """The first moves that solve it, in words."""
        say, position = self.position.phrasing, self.position
        return " or ".join(say.moves([position.read_move(move)]) for move in self.solution)


def puzzle(puzzle_id: str, *, game: str | Game | None = None) -> Puzzle:
    """Return a puzzle that comes with the advisor, or one from a file.

    >>> posed = advisor.puzzle("chapter3/5")
    >>> posed.win_in, posed.solution, posed.position.turn
    (3, (1,), 'x')
    >>> advisor.puzzle("mate1/1", game="chess").task
    'white to move and win in 1'

    Args:
        puzzle_id: such as ``chapter5/15``, or the path of its file.
        game: the game of the puzzle, if it is not a file; by default Connect Four. A result of
            `load_game` is not loaded again, unless the puzzle has another size.

    Raises:
        InputError: there is none (the error names the nearest ids), or a file is no puzzle.
    """
    posed = files.load(
        arguments.path("puzzle", puzzle_id), game.name if isinstance(game, Game) else game
    )
    if isinstance(game, Game) and (game.name, game.constants) == (posed.game, posed.constants):
        begun = game
    else:
        begun = rooms.load(posed.game, None, posed.constants)
    position = begun.begin(posed.position)
    solution = tuple(position.names[position.read_typed(str(move))] for move in posed.solution)
    return Puzzle(
        id=posed.id,
        position=position,
        win_in=posed.win_in,
        solution=solution,
        extra=posed.extra,
        source=posed.source,
        difficulty=posed.difficulty,
    )


def puzzles(
    place: str | None = None,
    *,
    game: str | None = None,
    chapter: int | None = None,
    extra: bool = False,
) -> list[str]:
    """Return the ids of puzzles, in their order.

    >>> len(advisor.puzzles()), advisor.puzzles("second/8x7")[0]
    (120, 'second/8x7/1')

    Args:
        place: a folder of puzzle files, or a part of a game's own puzzles: ``second``,
            ``chapter3``; by default the whole book.
        game: by default Connect Four.
        chapter: of the book, by default all.
        extra: include puzzles that are not in the book.

    Raises:
        InputError: there are none.
    """
    if place is None:
        return files.book_ids(chapter, extra, game)
    return files.part_ids(arguments.path("place", place), game)


def is_puzzle(place: str, *, game: str | None = None) -> bool:
    """Return whether a text is for `puzzle`, not `puzzles`: an id of the advisor's, or a file's
    name.

    >>> advisor.is_puzzle("chapter3/5"), advisor.is_puzzle("chapter3")
    (True, False)
    """
    place = arguments.path("place", place)
    return place.lower().endswith((".yaml", ".yml")) or place in files.ids(game)


@dataclass(frozen=True, slots=True)
class Reply:
    """The other side's reply in a puzzle.

    >>> advisor.reply(advisor.puzzle("chapter3/5").position.play(1), 2).moves
    (3, 4, 4, 4)

    Attributes:
        moves: its best move and the expected play after it, each as `play` takes it there.
        outcome: the result for the solver: "wins", or "loses", or "open" if neither is in sight.
        left: the solver's moves until the win.
        told: the reply in words, such as ``yellow answers column 3, 4 and wins``.
    """

    moves: tuple[Any, ...]
    outcome: Literal["wins", "loses", "open"]
    left: int | None
    told: str


def reply(position: Position, moves: int, *, stop: Stop | None = None) -> Reply:
    """Return the best reply of the side to move, if the other may win in `moves` moves.

    >>> posed = advisor.puzzle("chapter3/5")
    >>> found = advisor.reply(posed.position.play(1), posed.win_in - 1)
    >>> found.outcome, found.left
    ('wins', 2)

    Args:
        position: of a game that goes on.
        moves: of the other side.
        stop: ends the search with what is known by then.

    Raises:
        InputError: the game is over, or `moves` is out of range.
    """
    arguments.going_on(position)
    return _reply(position, arguments.whole("moves", moves, 1, MAX_WIN), arguments.stop(stop))


def _reply(position: Position, moves: int, stop: Stop) -> Reply:
    """Return the best reply; `moves` may be 0 if the reply itself may win for the other side."""
    game, say = position.abilities, position.abilities.phrasing
    depth = 2 * moves + game.backfires
    found = search(game.root(), game.evaluator(stop), depth=depth, stop=stop)
    line = game.moves_of_line(found.variation)
    outcome: Literal["wins", "loses", "open"] = "open"
    left, end = None, "no win is in sight"
    if found.value <= -FORCED:
        outcome, left = "wins", (WIN + found.value) // 2
        end = f"the win takes {left + 1} moves"
    elif found.value >= FORCED:
        outcome, end = "loses", "wins"
    later = ", ".join(say.names_along(line)[1:_SHOWN])
    shown = f"{say.moves(line[:1])}{f' (then {later})' if later else ''}"
    told = f"{say.player_name(say.turn)} answers {shown}, and {end}"
    moves_there, now = list[Any](), position
    for move in line:
        moves_there.append(now.names[move])
        now = now.after(move)
    return Reply(tuple(moves_there), outcome, left, told)


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged move of the solver.

    >>> posed = advisor.puzzle("chapter3/5")
    >>> advisor.Attempt(posed.position, posed.win_in).play(1)
    Judged(verdict='right', told='yellow answers column 3; 2 moves left')

    Attributes:
        verdict: "solved"; "right", the win is still in time; or "wrong".
        told: the other side's answer, in words; empty if the move itself wins.
    """

    verdict: Literal["solved", "right", "wrong"]
    told: str = ""


@dataclass(frozen=True, slots=True)
class Hint:
    """A step towards the solution.

    >>> posed = advisor.puzzle("chapter3/5")
    >>> hint = advisor.Attempt(posed.position, posed.win_in).hint()
    >>> hint.kind, hint.moves
    ('not', (4,))

    Attributes:
        kind: "not", a move that does not win; "among", two of which one does; "is", one that does.
        moves: the moves that the hint names, as `play` takes them.
        why: the other side's answer to the move of "not", or the reason for the right one.
        told: the hint as a sentence.
    """

    kind: Literal["not", "among", "is"]
    moves: tuple[Any, ...]
    why: str
    told: str


class Attempt:
    """An attempt to solve a puzzle.

    >>> posed = advisor.puzzle("chapter3/5")
    >>> attempt = advisor.Attempt(posed.position, posed.win_in)
    >>> attempt.play("4").verdict, attempt.play("1").verdict
    ('wrong', 'right')
    >>> len(attempt.position.played), attempt.left, attempt.solved
    (2, 2, False)

    Attributes:
        position: with the solver to move, until it is solved.
        left: the solver's moves in which the win has to come.
        wrong, hints: their numbers so far.

    Args:
        win_in: own moves until the win; 0 if only the moves of a `Puzzle.solution` are right.
        step: number of hints already given for this position.
        solution: those moves.

    Raises:
        InputError: the game is over, or a number is out of range.
    """

    def __init__(
        self, position: Position, win_in: int, step: int = 0, solution: Sequence[Any] = ()
    ) -> None:
        arguments.going_on(position)
        self.position = position
        self.left = arguments.whole("win_in", win_in, 0 if solution else 1, MAX_WIN)
        self._best = [] if win_in else [position.read_typed(str(move)) for move in solution]
        self.wrong = self.hints = 0
        self.solved = False
        self._step = step
        self._tried: set[Term] = set()  # wrong moves in this position

    def play(self, typed: Any, *, stop: Stop | None = None) -> Judged:
        """Judge a move, as a user types it or as a hint names it; a wrong one is taken back.

        Raises:
            InputError: it is no move, or not legal; or no move at all wins.
            KeyboardInterrupt: `stop` was set.
        """
        stop, mover = arguments.stop(stop), self.position.turn
        after = self.position.after_text(typed)
        move = after.path[-1]
        if after.winner == mover or move in self._best:
            self.solved = True
            return Judged("solved")
        if move not in self._right(stop):
            self.wrong += 1
            self._tried.add(move)
            return Judged("wrong", self._describe_refutation(after, stop))
        answer = _reply(after, self.left - 1, stop)
        stop.check()
        say = after.abilities.phrasing
        told = (
            f"{say.player_name(say.turn)} answers {say.moves([after.read_move(answer.moves[0])])}"
        )
        self.position = after.play(answer.moves[0])
        if self.position.winner == mover:
            self.solved = True
            return Judged("solved", f"{told} and loses")
        self.left -= 1
        self._step = 0
        self._tried.clear()
        return Judged("right", f"{told}; {amount(self.left, 'move')} left")

    def hint(self, *, explained: bool = True, stop: Stop | None = None) -> Hint:
        """Return the next hint; the last one names the move.

        Args:
            explained: also find the reason for that move.

        Raises:
            InputError: no move wins.
            KeyboardInterrupt: `stop` was set.
        """
        stop, game = arguments.stop(stop), self.position.abilities
        right = self._right(stop)
        totals = game.totals(stop)  # a wrong move that looks good comes first
        legal = sorted(game.legal().values(), key=lambda move: -totals[move])
        wrong = [move for move in legal if move not in right and move not in self._tried]
        steps: list[tuple[Literal["not", "among", "is"], list[Term]]] = [("is", right[:1])]
        if len(wrong) > 1:
            steps.insert(0, ("among", sorted((right[0], wrong[1]), key=str)))
        if wrong:
            steps.insert(0, ("not", wrong[:1]))
        kind, meant = steps[min(self._step, len(steps) - 1)]
        self._step += 1
        self.hints += 1
        say, names = game.phrasing, self.position.names
        why = ""
        if kind == "not":
            why = self._describe_refutation(self.position.play(names[meant[0]]), stop)
        elif kind == "is" and explained and not self._best:
            plies = 2 * self.left - 1 + game.backfires
            advice = facade.advise(game, Limit(plies), 1, stop, traced=True)
            why = explain.main_reason(advice, right[0])
        told = " or ".join(say.moves([move]) for move in meant)
        if kind == "not":
            told = f"The move is not {told}: {why}."
        else:
            told = f"The move is {told}{f' ({why})' if why else ''}."
        return Hint(kind, tuple(names[move] for move in meant), why, told)

    def _right(self, stop: Stop) -> list[Term]:
        """Return the moves that win in time; a puzzle has at least one."""
        position = self.position
        if self._best:
            return self._best
        if found := [] if position.over else position.abilities.winning(self.left, stop):
            return found
        stop.check()
        raise InputError(f"no move of {position.turn} wins in {self.left}")

    def _describe_refutation(self, after: Position, stop: Stop) -> str:
        """Describe the other side's answer to a wrong move."""
        if self._best:
            return "another move is better"
        if after.over:
            return "the game is over without a win"
        found = reply(after, self.left, stop=stop)
        stop.check()
        return found.told
