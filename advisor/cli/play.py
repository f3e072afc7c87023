"""`advisor play`: a game against the advisor, line by line in a terminal or through a pipe."""

import io
import os.path
import random
import shlex
import sys
from contextlib import nullcontext
from enum import StrEnum
from typing import Annotated

import typer

from advisor.advice import explain, wording
from advisor.advice.advise import Advice, Advisor
from advisor.advice.levels import pick, settings_of
from advisor.cli import options, other_game, screen
from advisor.cli.groups import example
from advisor.engine.search import Result
from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.textfile import file_name, quoted
from advisor.games.connect4.board import DISCS, Position
from advisor.games.connect4.notation import STANDARD, move_string, one_line, parse_line, read_board
from advisor.games.connect4.plans import plan_text
from advisor.games.connect4.plans.following import Step
from advisor.games.connect4.record import Game
from advisor.games.players import named
from advisor.limits import NO_LIMIT, Limit, interruptible
from advisor.settings import config
from advisor.settings.config import Config

_PATIENCE = 10.0
"""Seconds that a move may take unless --time says otherwise."""

_PATIENCE_ELSEWHERE = 2.0
"""The same in other games, where a level sets no time at all."""

_HELP = """\
1-{width}           drop a disc into that column
h, hint       a hint, with its reasons
e, explain    explain the last move
p, plan       the plan by which red, who has begun, wins, where there is one
u, undo       take your last move back
s, save FILE  save the game as a board file (.yaml)
q, quit       leave; so does Ctrl-C
?, help       this list"""


class First(StrEnum):
    """Who has the first move of the game and so plays x."""

    ME = "me"
    ADVISOR = "advisor"


def register(app: typer.Typer) -> None:
    """Adds the command to the command line."""
    app.command(epilog=example("advisor play --level 5 --first advisor"))(play)


def play(
    board: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOARD",
            help="Where to begin: a move string such as 4453, a board file, or a one-line picture.",
            show_default="the empty board",
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            min=config.LEVELS[0],
            max=config.LEVELS[-1],
            help="How well the advisor plays: level N looks N plies ahead, and below 8 also "
            "plays moves that it finds nearly as good.",
            show_default="full strength",
        ),
    ] = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    first: Annotated[
        First, typer.Option(help="Who plays x, which has the first move on the empty board.")
    ] = First.ME,
    time: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=86400,
            metavar="SECONDS",
            help="The most time for a move.",
            show_default=f"{_PATIENCE:g}, in another game {_PATIENCE_ELSEWHERE:g}",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Makes the choices of a level repeatable.")
    ] = None,
    book: options.Book = None,
    size: options.Size = None,
    connect: options.Connect = options.DEFAULT_CONNECT,
    game: options.OtherGame = None,
    const: options.Constants = None,
    no_color: options.NoColor = False,
) -> None:
    """Play against the advisor, which gives hints and reasons."""
    text = options.joined(board)
    if text == "-":
        raise InputError("the moves are read from standard input, so the board cannot be (no -)")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if (other := other_game.named(game, const, text)) is not None:
        from advisor.cli import any_game  # which Connect Four starts without

        other_game.refuse(
            size=size,
            connect=connect != options.DEFAULT_CONNECT,
            book=book is not None,
        )
        depth = None if level is None else config.depth_of_level(level)
        begun, limit = any_game.playing(other, weights, Limit(depth, time))
        if limit == NO_LIMIT:
            limit = Limit(seconds=_PATIENCE_ELSEWHERE)
        any_game.Table(begun, limit, first is First.ME, seed, no_color).play()
        return
    other_game.refuse_constants(const)
    record = Game.of(options.chosen_board(text, size, connect))
    chosen = options.chosen_settings(weights, book)
    player = _Advisor(chosen, level, time or _PATIENCE, random.Random(seed), no_color)
    table = _Table(record, player, 1 if first is First.ME else 2, no_color)
    try:
        table.play()
    except (EOFError, KeyboardInterrupt):
        table.say()
    settings = [
        *(["--level", str(level)] if level is not None else []),
        *(["--weights", weights] if weights != options.DEFAULT_WEIGHTS else []),
        *(["--first", str(first)] if first is not First.ME else []),
        *([] if book is None else ["--book" if book else "--no-book"]),
    ]
    print(_farewell(table.game, settings))


def _farewell(game: Game, settings: list[str]) -> str:
    """The moves, and the command that goes on from here."""
    g = game.start.geometry
    moves = move_string(game.moves, g) or "none"
    told = f"Moves: {moves}" if game.from_empty else f"Moves since the start: {moves}"
    if game.position.result() is not None:
        return told
    if g != STANDARD:
        settings = [*settings, "--size", f"{g.width}x{g.height}", "--connect", str(g.connect)]
    board = move_string(game.moves, g) if game.from_empty else one_line(game.position)
    try:
        resumable = game.from_empty or parse_line(board, g) == game.position
    except InputError:
        resumable = False  # a composed position, which only a file can tell
    if not resumable:
        return told
    return (
        f"{told}\nGo on with: {shlex.join(['advisor', 'play', *settings, *filter(None, [board])])}"
    )


class _Advisor:
    """The opponent, who also gives hints."""

    def __init__(
        self,
        settings: Config,
        level: int | None,
        seconds: float,
        source: random.Random,
        no_color: bool,
    ) -> None:
        self._advisor = Advisor(settings)
        self._opponent = Advisor(settings_of(settings, level))
        self._level = level
        self._seconds = seconds
        self._source = source
        self._status = screen.console(no_color, stderr=True).status("thinking")

    def move(self, position: Position) -> tuple[int, str]:
        """A column, and in a few words why."""
        depth = None if self._level is None else config.depth_of_level(self._level)
        advice = self._look(self._opponent, position, depth)
        column = advice.best[0]
        if self._level is not None:
            column = pick(advice, self._level, self._source)
        return column, explain.main_reason(advice, column)

    def advice(self, position: Position) -> Advice:
        """Advice at full strength.

        Raises:
            KeyboardInterrupt: Ctrl-C.
        """
        return self._look(self._advisor, position, None)

    def step(self, position: Position, mine: bool) -> Step | None:
        """What the solution of the board plays; `mine` is whether the user would."""
        return (self._advisor if mine else self._opponent).solved(position)

    def _look(self, advisor: Advisor, position: Position, depth: int | None) -> Advice:

        def show_depth(result: Result) -> None:
            self._status.update(f"thinking: depth {result.depth}, column {result.best[0]}")

        if depth is None:
            depth = advisor.config.depth
        with self._status if self._status.console.is_terminal else nullcontext():
            limit = Limit(depth, self._seconds)
            with interruptible() as stop:
                advice = advisor.advise(
                    position, limit, traced=True, stop=stop, on_iteration=show_depth
                )
            stop.check()
        return advice


class _Table:
    """The game in the terminal: what is shown and what is asked."""

    def __init__(self, game: Game, advisor: _Advisor, me: int, no_color: bool) -> None:
        self.game = game
        self._advisor = advisor
        self._me = me
        self._out = screen.console(no_color)
        self._commands = {
            **dict.fromkeys(("h", "hint"), self._hint),
            **dict.fromkeys(("e", "explain"), self._explain),
            **dict.fromkeys(("p", "plan"), self._plan),
            **dict.fromkeys(("u", "undo"), self._undo),
            **dict.fromkeys(("?", "help"), self._help),
        }

    def say(self, text: str = "", style: str = "") -> None:
        """A paragraph; on a terminal its lines are broken between words."""
        self._out.print(text, style=style, markup=False)

    def play(self) -> None:
        """Plays until the user quits.

        Raises:
            EOFError, KeyboardInterrupt: the user has quit in another way.
        """
        self.say(f"You play {named(self._me)}. Type a column, or ? for help.")
        self._show()
        while True:
            position = self.game.position
            if position.result() is None and position.turn != self._me:
                column, reason = self._advisor.move(position)
                self.game = self.game.play(column)
                told = f"{named(position.turn)} plays column {column}"
                self.say(f"{told}: {reason}" if reason else told)
                self._show()
                continue
            line = screen.ask(f"{DISCS[self._me]}> ").strip()
            if line.lower() in ("q", "quit"):
                return
            try:
                self._obey(line)
            except InputError as error:
                self.say(f"{error}", style="bold")

    def _obey(self, line: str) -> None:
        """One line of the user's.

        Raises:
            InputError: it is neither a move nor a command, or cannot be done.
        """
        word, _, rest = line.partition(" ")
        if line.lower() in self._commands:
            self._commands[line.lower()]()
        elif word.lower() in ("s", "save"):
            self._save(os.path.expanduser(rest.strip()))
        elif line.isascii() and line.isdigit() and len(line) < 9:
            self.game = self.game.play(int(line))
            self._show()
        elif line:
            raise InputError(f"{quoted(line)} is neither a column nor a command (? lists them)")

    def _show(self) -> None:
        """The board, and the result when the game is over."""
        position = self.game.position
        won = position.lines()
        marked = {square: DISCS[position.winner].upper() for line in won for square in line}
        self.say()
        board = screen.board(
            position.rows(), marked=marked, pointed=self.game.moves[-1:], large=True
        )
        self._out.print(board, soft_wrap=True)
        self.say()
        if position.winner:
            where = wording.lines_text(won)
            who = "You have" if position.winner == self._me else "The advisor has"
            self.say(f"{who} won {where}. (u takes a move back, q quits)", style="bold")
        elif position.full:
            self.say("A draw. (u takes a move back, q quits)", style="bold")

    def _hint(self) -> None:
        position = self.game.position
        if position.result() is not None:
            raise InputError("the game is over")
        self.say("\n".join(explain.explain(self._advisor.advice(position))))

    def _explain(self) -> None:
        if not self.game.moves:
            raise InputError("no move has been played yet")
        *earlier, column = self.game.moves
        before = Game(self.game.start, tuple(earlier)).position
        self.say(f"{named(before.turn)} played column {column}.")
        self.say(explain.explain_move(self._advisor.advice(before), column))

    def _plan(self) -> None:
        """The plan of x: for his next move if it is his turn, otherwise for the last one."""
        position = self.game.position
        planned = position
        if position.turn != 1 and self.game.moves:
            planned = Game(self.game.start, self.game.moves[:-1]).position
        step = self._advisor.step(planned, mine=self._me == 1)
        if step is None:
            raise InputError("there is no plan here")
        if step.plan:
            self.say()
            rows = plan_text.picture(step.plan, position)
            self._out.print(screen.picture(rows), soft_wrap=True)
            self.say()
        told = plan_text.rule(step, planned)
        if planned is position or not told:
            told.append(plan_text.now(step, planned))
        self.say(" ".join(told))

    def _undo(self) -> None:
        self.game = self.game.undo(self._me)
        self._show()

    def _help(self) -> None:
        self.say(_HELP.format(width=self.game.start.geometry.width))

    def _save(self, path: str) -> None:
        name = file_name(path)
        if not path.lower().endswith((".yaml", ".yml")):
            raise InputError("give a file name in .yaml, as in: s game.yaml")
        if os.path.lexists(path):
            try:
                read_board(path)
            except InputError:
                raise InputError(f"{name} exists and is not a board file (nothing saved)") from None
            if screen.ask(f"{name} is a board file; replace it? [y/N] ").strip().lower() != "y":
                self.say("Nothing saved.")
                return
        outfile.write(path, self.game.to_yaml().encode())
        self.say(f"Saved as {name}.")
