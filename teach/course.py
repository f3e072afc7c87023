"""Helpers for the lessons: the advisor's encodings, answer sets, pictures.

A lesson asks clingo itself, with the project's own files and the reader's small programs. This
module only holds what would be tedious to repeat.
"""

import random
import re
import sys
import tempfile
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic

import clingo
import numpy as np
import numpy.typing as npt
from clingo import ast

from advisor import AdvisorError, Evaluator, Position, position, solve
from advisor.errors import EncodingError
from advisor.files.resources import ENCODINGS
from aspcircuits import own_process
from aspcircuits.child import send_note
from aspcircuits.clingo_api import Grounding
from aspcircuits.complaints import first_error
from aspcircuits.source import check_program
from aspcircuits.stopping import Stop
from aspcircuits.watching import SlowGrounding, tell_slow_groundings

sys.path.append(str(Path(__file__).parent))  # so that the process that grounds finds this module

CONNECT4 = ENCODINGS / "connect4"
"""Folder of the encodings of Connect Four; other games have folders beside it."""

BOARD = (CONNECT4 / "board.lp", CONNECT4 / "outcome.lp")
MOVES = (*BOARD, CONNECT4 / "threats.lp", CONNECT4 / "strategy.lp", CONNECT4 / "suggest.lp")
VALUE = (
    *BOARD,
    *(CONNECT4 / f"{name}.lp" for name in ("threats", "worth", "evaluate", "forced", "position")),
)
"""Files with the rules, the choice of a move (lesson 2), and a position's value (lesson 3)."""

_OF_A_PROOF = "squares", "first_move", "answers", "compatible", "derived", "white", "goal", "plan"
PROOF = tuple(CONNECT4 / "victor" / f"{name}.lp" for name in _OF_A_PROOF)
"""The files of Allis' rules (lesson 6)."""


SECONDS = 14.0
"""Seconds for the answer sets of a program."""

_HANDING_BACK = 1.0
"""Seconds more until a process that answers nothing is ended: it is still grounding."""


_WHAT = "your program"


class ProgramError(Exception):
    """Raised if clingo refuses a program; the message is clingo's, in one line."""


@dataclass(frozen=True)
class AnswerSet:
    """The shown atoms of an answer set, as texts; and its cost, if the program optimises."""

    atoms: frozenset[str]
    cost: tuple[int, ...] = ()

    def __repr__(self) -> str:
        text = " ".join(sorted(self.atoms, key=_natural)) or "(nothing)"
        lines = textwrap.wrap(text, 96, break_long_words=False, break_on_hyphens=False)
        cost = [f"cost: {' '.join(map(str, self.cost))}"] if self.cost else []
        return "\n".join([*lines, *cost])

    def __contains__(self, atom: str) -> bool:
        return atom in self.atoms

    def only(self, *predicates: str) -> "AnswerSet":
        """Keep the atoms of these predicates."""
        kept = {atom for atom in self.atoms if atom.partition("(")[0] in predicates}
        return AnswerSet(frozenset(kept), self.cost)


def facts(board: Position) -> str:
    """Write a position as facts: discs, side to move, and the size unless it is 7x6."""
    sizes = zip(("width", "height"), board.size, (7, 6), strict=True)
    told = [f"#const {name} = {n}. [override]" for name, n, usual in sizes if n != usual]
    for row, column in zip(*board.cells.nonzero(), strict=True):
        told.append(f"cell({board.cells[row, column]},{row + 1},{column + 1}).")
    told.append(f"turn({1 if board.turn == 'x' else 2}).")
    return " ".join(told)


def answer_sets(
    *programs: str | Path,
    show: Sequence[str] = (),
    optimal: bool = False,
    most: int = 0,
    seconds: float | None = None,
) -> list[AnswerSet]:
    """Return the answer sets of some files and texts together.

    Args:
        programs: files, and programs as texts.
        show: predicates to keep; by default all that the programs show.
        optimal: whether to return only the best ones, if the programs optimise.
        most: maximum number of answer sets; 0 for all.
        seconds: time to ground the program and to find them; None for `SECONDS`.

    Raises:
        ProgramError: clingo refuses a program, or the time is up.
    """
    seconds = SECONDS if seconds is None else seconds
    slow = [SlowGrounding(_WHAT, None)]

    def tell(found: SlowGrounding) -> None:
        slow.append(found)
        print(_without_folder(str(found), folder), file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder, tell_slow_groundings(tell):
        files = [_file_of(program, Path(folder, str(n))) for n, program in enumerate(programs)]
        try:
            for program in programs:
                if isinstance(program, str):
                    check_program(program, "line ")
            return _run_in_time(files, show, optimal, most, seconds)
        except EncodingError as error:
            raise ProgramError(_without_folder(str(error), folder)) from None
        except TimeoutError:
            advice = " (use fewer variables in a rule)"
            told = slow[-1].describe(f"is not ground after {seconds:g} s", advice)
            raise ProgramError(_without_folder(told, folder)) from None


def _file_of(program: str | Path, file: Path) -> str:
    """Return the path of a program, which is written into a file if it is a text."""
    if isinstance(program, Path):
        return str(program)
    file.write_text(program)
    return str(file)


def _run_in_time(
    files: Sequence[str], show: Sequence[str], optimal: bool, most: int, seconds: float
) -> list[AnswerSet]:
    """Do the work of `answer_sets` in another process, which is ended if it answers nothing.

    Raises:
        TimeoutError: it is still grounding.
        EncodingError: clingo refuses a program, or the process took too much memory.
    """
    own_process.run(_begin_process, what=_WHAT)
    time_up = Stop(seconds + _HANDING_BACK)
    asked = files, show, optimal, most, seconds
    try:
        return own_process.run(_answer_sets, *asked, what=_WHAT, stop=time_up, in_time=True)
    except KeyboardInterrupt:
        if not time_up.is_set():
            raise
        raise TimeoutError from None


def _begin_process() -> None:
    """Do nothing, in the other process: it has begun, and its time counts from now on."""


def _without_folder(text: str, folder: str) -> str:
    """Replace the paths of the reader's own texts in an error by the word line."""
    place = rf"{re.escape(folder)}/\d+:(\d+)(:\d+)?(-[\d:]*\d)?(?=: )(: error)?"
    return re.sub(place, r"line \1", text)


def _answer_sets(
    files: Sequence[str], show: Sequence[str], optimal: bool, most: int, seconds: float
) -> list[AnswerSet]:
    """Do the work of `answer_sets` in this process, which is deaf to Ctrl-C while it grounds."""
    end = monotonic() + seconds
    messages: list[str] = []
    options = ["--opt-mode=optN", str(most)] if optimal else [str(most)]
    control = clingo.Control(options, logger=lambda _code, text: messages.append(text))
    try:
        for file in files:
            control.load(file)
        send_note(Grounding(files, (), "", "", False))
        control.ground([("base", [])])
        send_note(None)
    except RuntimeError as error:
        raise EncodingError(first_error(messages, error)) from None
    found: list[AnswerSet] = []

    def keep(model: clingo.Model) -> None:
        if model.optimality_proven or not (optimal and model.cost):
            symbols = model.symbols(shown=True)
            atoms = frozenset(str(s) for s in symbols if not show or s.name in show)
            found.append(AnswerSet(atoms, tuple(model.cost)))

    with control.solve(on_model=keep, async_=True) as handle:
        if not handle.wait(max(0.0, end - monotonic())):
            handle.cancel()
            raise EncodingError(f"no end after {seconds:g} s; {len(found)} answer sets so far")
        handle.get()
    return found


def _natural(atom: str) -> list[object]:
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", atom)]


def rules(file: Path, *heads: str) -> str:
    """Quote the rules of an encoding whose heads contain one of these texts."""
    text = file.read_text().splitlines()
    found: list[str] = []

    def look(statement: ast.AST) -> None:
        if statement.ast_type not in (ast.ASTType.Rule, ast.ASTType.Minimize):
            return
        begin, end = statement.location.begin, statement.location.end
        head = str(getattr(statement, "head", "maximize"))
        if any(name in head for name in heads):
            lines = text[begin.line - 1 : end.line]
            if lines and lines[0] not in found:
                found.extend(lines)

    ast.parse_files([str(file)], look)
    return "\n".join(found)


@dataclass(frozen=True)
class Picture:
    """A drawing that a notebook shows."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def squares(answer: AnswerSet, predicate: str) -> list[tuple[int, int]]:
    """List the squares (row, column) that an answer set names as ``predicate(R, C)``."""
    pattern = re.compile(rf"{re.escape(predicate)}\((\d+),(\d+)\)")
    found = [pattern.fullmatch(atom) for atom in answer.atoms]
    return sorted((int(m[1]), int(m[2])) for m in found if m)


def _undecided_position(rng: random.Random, plies: int) -> Position | None:
    """Return a position after random moves that never let a player win at once; None on failure."""
    board = position()
    while len(board.played) < plies and not board.over:
        for column in rng.sample(board.moves, len(board.moves)):
            after = board.play(column)
            if not after.over and not any(after.play(reply).over for reply in after.moves):
                break
        else:
            return None
        board = after
    return None if board.over else board


@cache
def examples(count: int = 600, seed: int = 1) -> tuple[list[Position], npt.NDArray[np.float64]]:
    """Return positions of middle games, and their values for x by exact play.

    Returns:
        `count` positions, with x and o to move in turn; and shape (count,), 1 (x wins), 0.5 or 0.
    """
    rng = random.Random(seed)
    boards: list[Position] = []
    while len(boards) < count:
        if board := _undecided_position(rng, 24 + len(boards) % 2):
            boards.append(board)
    worth = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    results = [worth[str(solve(board).outcome)] for board in boards]
    mover = [board.turn == "x" for board in boards]
    return boards, np.where(mover, results, 1 - np.array(results))


def evaluator(program: str, weights: str) -> Evaluator:
    """Make an evaluator of your own features.

    Args:
        program: rules for ``feature(F, P, Where)`` on top of the advisor's board and threats.
        weights: the weight of each feature name, as YAML: ``{mine: 100}``.

    Raises:
        AdvisorError: the program or the weights are faulty; the message says where.
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "program.lp").write_text(program)
        file = Path(folder) / "weights.yaml"
        file.write_text(f"encodings: {{moves: [], features: [program.lp]}}\nfeatures: {weights}\n")
        try:
            return Evaluator(file, machine_code=False)
        except AdvisorError as error:
            told = str(error).replace(f"{folder}/", "").replace("program.lp:", "line ")
            raise type(error)(told) from None


def table(of: Evaluator) -> npt.NDArray[np.float64]:
    """Return the data by which the examples are judged.

    Returns:
        shape (examples, features + 2): the count of each feature for x minus for o; whether x is to
        move; and 1.
    """
    boards, _ = examples()
    counts, _ = of.counts(boards)
    mover = [[board.turn == "x", 1] for board in boards]
    return np.concatenate([counts, mover], axis=1).astype(np.float64)


FITTED = 400
"""Number of examples to learn from; the others are held back."""


def fit(
    counts: npt.NDArray[np.float64], results: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Fit weights whose sums of features best predict the results, by logistic regression."""
    weights = np.zeros(counts.shape[1])
    for _ in range(3000):
        foretold = 1 / (1 + np.exp(-counts @ weights))
        weights += 0.5 * counts.T @ (results - foretold) / len(results)
    return weights


def log_loss(
    counts: npt.NDArray[np.float64],
    results: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64],
) -> float:
    """Return the mean error of the weights: 0 is perfect, log 2 (0.69) is a coin."""
    foretold = 1 / (1 + np.exp(-counts @ weights))
    return float(-(results * np.log(foretold) + (1 - results) * np.log(1 - foretold)).mean())


# Plans: x to move completes a line if possible, else blocks if necessary, else plays the playable
# square that comes first in an order. A square is a number: 34 is row 3 of column 4.


def landing(board: Position, column: int) -> int:
    """Return the square on which the next disc in a column lands."""
    return 10 * int((board.cells[:, column - 1] > 0).sum() + 1) + column


def empty_squares(board: Position) -> list[int]:
    """List the squares without a disc."""
    return [10 * (r + 1) + c + 1 for r, c in np.argwhere(board.cells == 0).tolist()]


def completes(board: Position, column: int, player: int) -> bool:
    """Whether a disc of a player (1 is x) in this column completes a line."""
    row, c = landing(board, column) // 10 - 1, column - 1
    height, width = board.cells.shape
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            y, x = row + sign * dr, c + sign * dc
            while 0 <= y < height and 0 <= x < width and board.cells[y, x] == player:
                length, y, x = length + 1, y + sign * dr, x + sign * dc
        if length >= 4:
            return True
    return False


@dataclass(frozen=True)
class Escape:
    """A way in which o escapes from a plan.

    Attributes:
        choices: the moves of x by the order: the square that came first, and all playable ones.
        end: the position at the end of the line.
    """

    choices: tuple[tuple[int, tuple[int, ...]], ...]
    end: Position


def planned(board: Position, order: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    """Return the square that x plays by a plan; and all playable squares if the order decided."""
    for player in (1, 2):
        for column in board.moves:
            if completes(board, column, player):
                return landing(board, column), ()
    playable = tuple(landing(board, column) for column in board.moves)
    return min(playable, key=order.index), playable


def escape(board: Position, order: Sequence[int]) -> Escape | None:
    """Find how o escapes from a plan, by trying all moves of o; None if x always wins."""
    lost: set[tuple[str, ...]] = set()  # positions that o loses

    def try_moves(board: Position) -> Escape | None:
        square, playable = planned(board, order)
        after = board.play(square % 10)
        here = ((square, playable),) if playable else ()
        if after.winner:
            return None
        if after.over:
            return Escape(here, after)
        for column in after.moves:
            reply = after.play(column)
            if reply.over:
                return Escape(here, reply)
            if reply.rows not in lost:
                further = try_moves(reply)
                if further is not None:
                    return Escape((*here, *further.choices), further.end)
                lost.add(reply.rows)
        return None

    return try_moves(board)


def numbers(board: Position, order: Sequence[int]) -> str:
    """Draw a plan: each empty square shows its place in the order."""
    width, height = board.size
    lines = []
    for row in range(height, 0, -1):
        line = []
        for column in range(1, width + 1):
            disc = board.rows[height - row][column - 1]
            square = 10 * row + column
            line.append(f"{order.index(square) + 1:2}" if disc == "." else f" {disc}")
        lines.append(f"{row}  {' '.join(line)}")
    return "\n".join([*lines, "   " + " ".join(f"{c:2}" for c in range(1, width + 1))])
