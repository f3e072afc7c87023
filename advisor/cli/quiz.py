"""`advisor quiz`: puzzles, one after the other, line by line in a terminal or through a pipe."""

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from rich.console import Console

from advisor.advice import explain
from advisor.advice.advise import Advisor
from advisor.cli import options, screen
from advisor.cli.groups import example
from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.textfile import quoted
from advisor.games import puzzles as game_puzzles
from advisor.games.connect4 import puzzles
from advisor.games.connect4.board import Position
from advisor.games.connect4.puzzles import Puzzle
from advisor.games.players import COLOURS, named
from advisor.games.playing import Playing
from advisor.games.puzzles import Posed
from advisor.lab import game_replay
from advisor.lab.game_replay import State
from advisor.lab.progress import Progress, Solved
from advisor.lab.quiz import AnyTeacher, Attempt, Connect4Teacher, Reply, refutation
from advisor.limits import NO_LIMIT, Limit, Stop, interruptible
from advisor.settings import reading
from advisor.settings.config import DEFAULT

_HELP = """\
{move}  play it
h, hint       a step towards the solution, each time another one
s, skip       the next puzzle
q, quit       leave; so does Ctrl-C
?, help       this list"""


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor quiz chapter1"))(quiz)


def quiz(
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="PUZZLE|FOLDER|BOOK",
            help="A puzzle's file, a folder of them, or puzzles that come with the advisor: "
            "chapter3, chapter3/7, second, second/8x7.",
            show_default="the 120 problems of the book",
        ),
    ] = None,
    progress: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Record solved puzzles in this file, and skip those in it."
        ),
    ] = None,
    game: options.PuzzleGame = None,
    no_color: options.NoColor = False,
) -> None:
    """Solve puzzles: a wrong move is refuted, a right one answered."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    kept = Progress(progress)
    if progress is not None:
        outfile.check_writable(progress)
    ids = _chosen(place, game)
    going = [each for each in ids if each not in kept.solved]
    session = _Session(kept, screen.console(no_color))
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
    if game is not None:
        known = [*game_puzzles.book(game)]
        if place is None:
            return known
        part = [each for each in known if each == place or each.startswith(f"{place}/")]
        return part or [game_puzzles.load(game, place).id]
    if place is None:
        return [each.id for each in puzzles.book()]
    if place.lower().endswith((".yaml", ".yml")) or place in puzzles.ids():
        return [place]
    return [place] if place in puzzles.second_book() else puzzles.listed(place)


class _Table(Protocol):
    """A puzzle of some game as the terminal shows it."""

    title: str
    moves: str

    def begin(self) -> Attempt:
        """A new attempt."""

    def board(self, state: Any) -> Any:
        """What to print of a state."""

    def find(self, state: Any, text: str) -> Any:
        """The move that a text names.

        Raises:
            InputError: none.
        """

    def told(self, state: Any, line: Sequence[Any]) -> list[str]:
        """Moves in words, from a state on."""

    def mover(self, state: Any) -> str:
        """Who is to move."""

    def why(self, state: Any, move: Any, stop: Stop) -> str:
        """Why a move wins, empty where nothing is known."""


class _Connect4:
    """See `_Table`."""

    moves = "a column"

    def __init__(self, posed: Puzzle, advisor: Advisor) -> None:
        self._posed, self._advisor = posed, advisor
        self.title = f"{posed.id}: {named(posed.position.turn)} to move and win in {posed.win_in}"

    def begin(self) -> Attempt:
        teacher = Connect4Teacher(self._advisor)
        return Attempt(teacher, self._posed.position, self._posed.win_in)

    def board(self, state: Position) -> Any:
        return screen.board(state.rows())

    def find(self, state: Position, text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 9):
            raise InputError(f"{quoted(text)} is neither a column nor a command (? lists them)")
        state.play(int(text))
        return int(text)

    def told(self, state: Position, line: Sequence[int]) -> list[str]:
        return [f"column {line[0]}", *map(str, line[1:])]

    def mover(self, state: Position) -> str:
        return COLOURS[state.turn]

    def why(self, state: Position, move: int, stop: Stop) -> str:
        limit = Limit(2 * self._posed.win_in - 1)
        advice = self._advisor.advise(state, limit, traced=True, stop=stop)
        return explain.main_reason(advice, move)


class _Other:
    """See `_Table`."""

    moves = "a move"

    def __init__(self, posed: Posed) -> None:
        sizes = tuple(posed.constants.items())
        rules = game_replay.loaded(posed.game, DEFAULT, NO_LIMIT, sizes)
        self._posed, self._begun = posed, State(Playing.of(rules, posed.text))
        mover = self.mover(self._begun)
        self.title = f"{posed.id}: {mover} to move and win in {posed.win_in}"

    def begin(self) -> Attempt:
        return Attempt(AnyTeacher(), self._begun, self._posed.win_in)

    def board(self, state: State) -> Any:
        return "\n".join(state.playing.notation.board(state.playing))

    def find(self, state: State, text: str) -> Any:
        return state.playing.move(text, "")

    def told(self, state: State, line: Sequence[Any]) -> list[str]:
        return state.playing.told(line)

    def mover(self, state: State) -> str:
        return state.playing.player

    def why(self, state: State, move: Any, stop: Stop) -> str:
        return ""


class _Session:
    """What is shown and what is asked."""

    def __init__(self, kept: Progress, out: Console) -> None:
        self._kept = kept
        self._out = out
        self._advisor = Advisor(reading.load())

    def say(self, text: str = "", style: str = "") -> None:
        """A paragraph."""
        self._out.print(text, style=style, markup=False)

    def pose(self, heading: str, puzzle_id: str, game: str | None) -> None:
        """A puzzle, until it is solved or skipped.

        Raises:
            EOFError, KeyboardInterrupt, _LeftError: the user has quit.
        """
        table: _Table
        game = game or game_puzzles.game_of(puzzle_id)
        if game is None:
            table = _Connect4(puzzles.load(puzzle_id), self._advisor)
        else:
            table = _Other(game_puzzles.load(game, puzzle_id))
        attempt = table.begin()
        self.say(heading, style="bold")
        self.say(table.title)
        self._show(table, attempt)
        while not attempt.solved:
            text = screen.ask("> ").strip()
            word = text.lower()
            if word in ("q", "quit"):
                raise _LeftError
            if word in ("s", "skip"):
                return
            try:
                if word in ("?", "help"):
                    self.say(_HELP.format(move=table.moves.ljust(12)))
                elif word in ("h", "hint"):
                    self._hint(table, attempt)
                elif text:
                    self._play(table, attempt, table.find(attempt.state, text))
            except InputError as error:
                self.say(f"{error}", style="bold")
        self._kept.add(Solved(puzzle_id, attempt.wrong, attempt.hints))

    def _play(self, table: _Table, attempt: Attempt, move: Any) -> None:
        before = attempt.state
        with interruptible() as stop:
            judged = attempt.play(move, stop)
        if judged.verdict == "solved":
            self.say("Solved." if not attempt.wrong else f"Solved, wrong moves: {attempt.wrong}.")
            self.say()
        elif judged.verdict == "wrong":
            self.say(f"No: {_refuted(table, before, move, judged.reply)}.")
        else:
            assert judged.reply is not None
            answer, *_ = table.told(before.after(move), judged.reply.line[:1])
            after = before.after(move)
            left = f"{attempt.left} move{'s' if attempt.left > 1 else ''} left"
            self.say(f"Right. {table.mover(after).capitalize()} answers {answer}; {left}.")
            self._show(table, attempt)

    def _hint(self, table: _Table, attempt: Attempt) -> None:
        state = attempt.state
        with interruptible() as stop:
            hint = attempt.hint(stop)
        names = [table.told(state, (move,))[0] for move in hint.moves]
        if hint.kind == "not":
            self.say(f"Not {names[0]}: {_refuted(table, state, hint.moves[0], hint.reply)}.")
        elif hint.kind == "among":
            self.say(f"It is {' or '.join(names)}.")
        else:
            with interruptible() as stop:
                why = table.why(state, hint.moves[0], stop)
            self.say(f"It is {names[0]}{': ' + why if why else ''}.")

    def _show(self, table: _Table, attempt: Attempt) -> None:
        self.say()
        self._out.print(table.board(attempt.state), soft_wrap=True, markup=False)
        self.say()


def _refuted(table: _Table, state: Any, move: Any, reply: Reply | None) -> str:
    """What a wrong move comes to."""
    after = state.after(move)
    if reply is None:
        return "the game is over without a win"
    return refutation(table.mover(after), table.told(after, reply.line), reply)
