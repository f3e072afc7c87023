"""`advisor quiz`: puzzles, one after the other, line by line in a terminal or through a pipe."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InputError
from advisor.files import outfile, textfile
from aspcircuits.stopping import interruptible
from aspcircuits.texts import file_name

_HELP = """\
{move}  play it
h, hint       a step towards the solution, each time another one
s, skip       the next puzzle
q, quit       leave; so does Ctrl-C
?, help       this list"""


@command("quiz", "advisor quiz chapter1")
def quiz(
    *,
    place: Annotated[
        str | None,
        typer.Argument(metavar="PUZZLE|FOLDER|BOOK", show_default="the 120 problems of the book"),
    ] = None,
    progress: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    game: options.PuzzleGame = None,
    no_color: options.NoColor = False,
) -> None:
    """Solve puzzles: a wrong move is refuted, a right one answered.

    Args:
        place: A puzzle's file, a folder of them, or puzzles that come with the advisor: chapter3,
            chapter3/7, second, second/8x7.
        progress: Record solved puzzles in this file, and skip those in it.
    """
    kept = Progress(progress)
    if progress is not None:
        outfile.check_writable(progress)
    if place is not None and advisor.is_puzzle(place, game=game):
        ids = [place]
    else:
        ids = advisor.puzzles(place, game=game)
    going = [each for each in ids if each not in kept.solved]
    out = screen.console()
    try:
        for number, puzzle_id in enumerate(going, len(ids) - len(going) + 1):
            if solved := _pose(out, f"Puzzle {number} of {len(ids)}", puzzle_id, game):
                kept.add(solved)
    except (EOFError, KeyboardInterrupt):
        out.print()
    out.print(f"{sum(each in kept.solved for each in ids)} of {len(ids)} solved.")


@dataclass(frozen=True, slots=True)
class SolvedPuzzle:
    """A solved puzzle by its id, with the numbers of wrong moves and hints."""

    puzzle: str
    wrong: int = 0
    hints: int = 0


class Progress:
    """The puzzles that the user has solved, in a file with one JSON object a line.

    Attributes:
        solved: the latest attempt at each puzzle, by the puzzle's id.

    Args:
        path: the file, which may be missing; None stores nothing.

    Raises:
        InputError: the file has other content, or cannot be read.
    """

    def __init__(self, path: Path | None) -> None:
        self._path, self._before = path, ""
        self.solved: dict[str, SolvedPuzzle] = {}
        if path is None or not path.exists():
            return
        if path.is_file() and path.stat().st_size == 0:
            return
        text = textfile.read_text(path)
        if not text.endswith("\n"):
            self._before = "\n"  # or a new record would join the last line
        for number, line in enumerate(text.splitlines(), 1):
            try:
                found = SolvedPuzzle(**json.loads(line))
            except (ValueError, TypeError):
                told = "is not a line of a quiz's progress (choose another file)"
                raise InputError(f"{file_name(path)}: line {number} {told}") from None
            self.solved[found.puzzle] = found

    def add(self, solved: SolvedPuzzle) -> None:
        """Add a puzzle and write it to the file at once; an InputError if it cannot be written."""
        self.solved[solved.puzzle] = solved
        if self._path is None:
            return
        try:
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(f"{self._before}{json.dumps(asdict(solved))}\n")
        except OSError as error:
            raise InputError(f"{file_name(self._path)}: {error.strerror}") from None
        self._before = ""


def _pose(out: screen.Out, heading: str, puzzle_id: str, game: str | None) -> SolvedPuzzle | None:
    """Pose a puzzle until it is solved; return None if it is skipped.

    Raises:
        EOFError, KeyboardInterrupt: the user has quit.
    """
    puzzle = advisor.puzzle(puzzle_id, game=game)
    attempt = advisor.Attempt(puzzle.position, puzzle.win_in, solution=puzzle.solution)
    out.print(heading, style="bold")
    out.print(f"{puzzle.id}: {puzzle.task}")
    _show(out, attempt)
    while not attempt.solved:
        text = screen.ask("> ").strip()
        word = text.lower()
        if word in ("q", "quit"):
            raise EOFError
        if word in ("s", "skip"):
            return None
        try:
            if word in ("?", "help"):
                move = f"a {puzzle.position.phrasing.noun}"
                out.print(_HELP.format(move=move.ljust(12)))
            elif word in ("h", "hint"):
                with interruptible() as stop:
                    out.print(attempt.hint(stop=stop).told)
            elif text:
                _play(out, attempt, text)
        except InputError as error:
            out.print(f"{error} (? lists the commands)", style="bold")
    return SolvedPuzzle(puzzle_id, attempt.wrong, attempt.hints)


def _play(out: screen.Out, attempt: "advisor.Attempt", text: str) -> None:
    with interruptible() as stop:
        judged = attempt.play(text, stop=stop)
    told = f"{judged.told[:1].upper()}{judged.told[1:]}."
    if judged.verdict == "solved":
        if judged.told:
            out.print(told)
        out.paragraph(f"Solved, wrong moves: {attempt.wrong}." if attempt.wrong else "Solved.")
    elif judged.verdict == "wrong":
        out.print(f"No: {judged.told}.")
    else:
        out.print(f"Right. {told}")
        _show(out, attempt)


def _show(out: screen.Out, attempt: "advisor.Attempt") -> None:
    out.print()
    out.paragraph(screen.scene(attempt.position.scene), soft_wrap=True)
