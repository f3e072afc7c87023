"""`advisor quiz`: puzzles, one after the other, line by line in a terminal or through a pipe."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.cli.quiz_progress import Progress, SolvedPuzzle
from advisor.errors import InputError
from advisor.files import outfile
from advisor.limits import interruptible

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
    screen.take_any_text()
    kept = Progress(progress)
    if progress is not None:
        outfile.check_writable(progress)
    ids = _chosen(place, game)
    going = [each for each in ids if each not in kept.solved]
    session = _Session(kept, screen.console())
    try:
        for number, puzzle_id in enumerate(going, len(ids) - len(going) + 1):
            session.pose(f"Puzzle {number} of {len(ids)}", puzzle_id, game)
    except (EOFError, KeyboardInterrupt, _LeftError):
        session.say()
    solved = sum(each in kept.solved for each in ids)
    session.say(f"{solved} of {len(ids)} solved.")


class _LeftError(Exception):
    """The user has quit."""


def _chosen(place: str | None, game: str | None) -> list[str]:
    """The ids of the puzzles that are meant.

    Raises:
        InputError: there are none.
    """
    if place is None:
        return advisor.puzzles(game=game)
    return [place] if advisor.is_puzzle(place, game=game) else advisor.puzzles(place, game=game)


class _Session:
    """What is shown and what is asked."""

    def __init__(self, kept: Progress, out: Console) -> None:
        self._kept = kept
        self._out = out

    def say(self, text: str = "", style: str = "") -> None:
        """A paragraph."""
        self._out.print(text, style=style)

    def pose(self, heading: str, puzzle_id: str, game: str | None) -> None:
        """A puzzle, until it is solved or skipped.

        Raises:
            EOFError, KeyboardInterrupt, _LeftError: the user has quit.
        """
        puzzle = advisor.puzzle(puzzle_id, game=game)
        attempt = advisor.Attempt(puzzle.position, puzzle.win_in)
        noun = puzzle.position.phrasing.noun
        self.say(heading, style="bold")
        self.say(f"{puzzle.id}: {puzzle.task}")
        self._show(attempt)
        while not attempt.solved:
            text = screen.ask("> ").strip()
            word = text.lower()
            if word in ("q", "quit"):
                raise _LeftError
            if word in ("s", "skip"):
                return
            try:
                if word in ("?", "help"):
                    self.say(_HELP.format(move=f"a {noun}".ljust(12)))
                elif word in ("h", "hint"):
                    self._hint(attempt)
                elif text:
                    self._play(attempt, text)
            except InputError as error:
                self.say(f"{error} (? lists the commands)", style="bold")
        self._kept.add(SolvedPuzzle(puzzle_id, attempt.wrong, attempt.hints))

    def _play(self, attempt: advisor.Attempt, text: str) -> None:
        with interruptible() as stop:
            judged = attempt.play(text, stop=stop)
        if judged.verdict == "solved":
            self.say("Solved." if not attempt.wrong else f"Solved, wrong moves: {attempt.wrong}.")
            self.say()
        elif judged.verdict == "wrong":
            self.say(f"No: {judged.told}.")
        else:
            self.say(f"Right. {judged.told[0].upper()}{judged.told[1:]}.")
            self._show(attempt)

    def _hint(self, attempt: advisor.Attempt) -> None:
        with interruptible() as stop:
            self.say(attempt.hint(stop=stop).told)

    def _show(self, attempt: advisor.Attempt) -> None:
        self.say()
        self._out.print(screen.scene(attempt.position.scene), soft_wrap=True)
        self.say()
