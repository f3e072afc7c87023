"""`advisor play`: a game against the advisor, line by line in a terminal or through a pipe."""

import os.path
import random
import shlex
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

import advisor
from advisor.cli import options, screen
from advisor.cli.groups import command
from advisor.errors import InputError
from advisor.files import outfile
from advisor.limits import LEVELS, MAX_SEED, Limit
from aspcircuits.texts import file_name, quote_text

_PATIENCE = 10.0
"""Seconds that a move may take unless --time says otherwise."""

_PATIENCE_ELSEWHERE = 2.0
"""Seconds that a move may take in games whose weights set no depth."""

_HELP = """\
MOVE          make that move, as {move}
m, moves      those that you have
h, hint       a hint, with its reasons
e, explain    explain the last move
{plan}u, undo       take your last move back
s, save FILE  save the game as a file{suffix}
q, quit       leave; so does Ctrl-C
?, help       this list"""

_PLAN = "p, plan       the plan by which a solution of the game wins, where there is one\n"


@command("play", "advisor play --level 5 --first advisor")
def play(
    *,
    level: Annotated[
        int | None, typer.Option(min=LEVELS[0], max=LEVELS[-1], show_default="full strength")
    ] = None,
    weights: options.Weights = options.DEFAULT_WEIGHTS,
    first: Literal["me", "advisor"] = "me",
    time: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=options.DAY,
            metavar="SECONDS",
            show_default=f"{_PATIENCE:g}, in another game {_PATIENCE_ELSEWHERE:g}",
        ),
    ] = None,
    seed: Annotated[
        int | None, options.number("Makes the choices of a level repeatable.", 0, MAX_SEED)
    ] = None,
    book: options.Book = None,
    where: options.Where,
    no_color: options.NoColor = False,
) -> None:
    """Play against the advisor, which gives hints and reasons.

    Args:
        board: Where to begin: a move string such as 4453, a board file, or a one-line picture.
        level: How well the advisor plays: from 1, which takes wins, blocks and else plays at
            random, to 20, its full strength. A level thinks the same on every machine, as far as
            --time allows.
        first: Who plays x, which has the first move on the empty board.
        time: The most time for a move.
    """
    if where.board == ["-"]:
        raise InputError("the moves are read from standard input, so the board cannot be (no -)")
    _, begun = where.position(weights)
    opponent = Opponent(begun, level, time, book, random.Random(seed))
    out = screen.console()
    table = Table(begun, opponent, first == "me", out)
    try:
        table.play()
    except (EOFError, KeyboardInterrupt):
        out.print()
    settings = [
        *(["--level", str(level)] if level is not None else []),
        *(["--weights", weights] if weights != options.DEFAULT_WEIGHTS else []),
        *(["--first", first] if first != "me" else []),
        *(["--time", f"{time:g}"] if time is not None else []),
        *(["--seed", str(seed)] if seed is not None else []),
        *([] if book is None else ["--book" if book else "--no-book"]),
        *(["--game", game] if (game := where.game or begun.game.source) else []),
    ]
    print(farewell(table.now, settings))


def farewell(now: "advisor.Position", settings: list[str]) -> str:
    """Return the moves so far, and the command that continues from here."""
    if now.over or (board := now.resume_text) is None:
        return now.history
    given = (f"{name}={value}" for name, value in now.game.constants.items())
    constants = [word for each in given for word in ("--const", each)]
    command = ["advisor", "play", *settings, *constants, *filter(None, [board])]
    return f"{now.history}\nGo on with: {shlex.join(command)}"


class Opponent:
    """The advisor as the user's opponent, who also gives hints.

    Args:
        level: see `advisor.advice.choice`; None for full strength.
        seconds: the maximum for a move; None for the default.
        book: see `advisor.suggest`.
        source: the source of random choices.

    Attributes:
        limit: for a move at full strength; a lower level does not look longer.
    """

    def __init__(
        self,
        begun: "advisor.Position",
        level: int | None,
        seconds: float | None,
        book: bool | None,
        source: random.Random,
    ) -> None:
        depth = begun.game.weights.depth
        patience = seconds or (_PATIENCE_ELSEWHERE if depth is None else _PATIENCE)
        self.limit = Limit(depth, patience)
        self._level = level
        self.book = book
        self._source = source

    def move(self, now: "advisor.Position") -> "tuple[advisor.Advice, Any]":
        """Return a move, and the advice from which it was chosen."""
        found = self._look(now, self.limit, self.book, self._level)
        if self._level is None:
            return found, found.best[0]
        return found, self._source.choice(advisor.choices(found, self._level))

    def advice(self, now: "advisor.Position") -> "advisor.Advice":
        """Return advice at full strength."""
        return self._look(now, self.limit, self.book)

    def _look(
        self, now: "advisor.Position", limit: Limit, book: bool | None, level: int | None = None
    ) -> "advisor.Advice":
        with screen.waiting("thinking") as (stop, status):
            advice = advisor.suggest(
                now,
                depth=limit.depth if level is None else None,
                level=level,
                seconds=limit.seconds,
                book=book,
                seed=self._source.getrandbits(63),
                go_on=True,
                stop=stop,
                on_iteration=lambda so_far: status(f"thinking: {screen.depth_text(so_far)}"),
            )
        stop.check()
        return advice


class Table:
    """The game in the terminal: output, questions, and the current position `now`."""

    def __init__(
        self, begun: "advisor.Position", opponent: Opponent, me_first: bool, out: screen.Out
    ) -> None:
        self.now = begun
        self._opponent = opponent
        self._me = begun.game.players[not me_first]
        self._out = out
        self._has_plans = hasattr(advisor, "plan")  # of a plugin
        self._commands = {
            **dict.fromkeys(("m", "moves"), self._moves),
            **dict.fromkeys(("h", "hint"), self._hint),
            **dict.fromkeys(("e", "explain"), self._explain),
            **dict.fromkeys(("p", "plan") if self._has_plans else (), self._plan),
            **dict.fromkeys(("u", "undo"), self._undo),
            **dict.fromkeys(("?", "help"), self._help),
        }

    def play(self) -> None:
        """Play until the user quits.

        Raises:
            EOFError, KeyboardInterrupt: the user has quit in another way.
        """
        game, say = self.now.game, self.now.phrasing
        me = say.player_label(game.players.index(self._me))
        self._out.print(f"You play {me}. Type a {say.noun}, or ? for help.")
        if game.aim:
            self._out.print(game.aim)
        self._show()
        while True:
            now = self.now
            if not now.over and now.turn != self._me:
                self._answer()
                continue
            line = screen.ask(f"{self._me}> ").strip()
            try:
                if line.lower() in ("q", "quit") and line not in map(str, now.moves):
                    return
                self._obey(line)
            except InputError as error:
                self._out.print(f"{error}", style="bold")

    def _answer(self) -> None:
        """Make and print the opponent's move."""
        now = self.now
        advice, move = self._opponent.move(now)
        say, reason = advice.phrasing, advisor.reason(advice, move)
        told = f"{say.player_label(say.turn)} plays {say.moves([advice.move(move).move])}"
        self.now = now.play(move)
        self._out.print(f"{told}: {reason}" if reason else told)
        self._show()

    def _obey(self, line: str) -> None:
        """Obey one line of the user, which may be neither a move nor a command."""
        word, _, rest = line.partition(" ")
        if line in map(str, self.now.moves):  # a move may be called h
            self._make(line)
        elif line.lower() in self._commands:
            self._commands[line.lower()]()
        elif word.lower() in ("s", "save"):
            self._save(os.path.expanduser(rest.strip()))
        elif line:
            try:
                self._make(line)
            except InputError as error:
                columns = all(str(move).isdigit() for move in self.now.moves)
                if line.isalpha() or (columns and not self.now.over and not line.isdigit()):
                    noun = self.now.phrasing.noun
                    told = f"{quote_text(line)} is neither a {noun} nor a command (? lists them)"
                    raise InputError(told) from None
                raise error

    def _make(self, line: str) -> None:
        self.now = self.now.after_text(line)
        self._show()

    def _show(self) -> None:
        """Print the board, and the result when the game is over."""
        now = self.now
        self._out.print()
        screen.print_board(self._out, now, now.played[-1:], large=True)
        if not now.over:
            return
        told = f"The game is over: {screen.ending_text(now)}."
        if now.winner and now.won_on:
            who = "You have" if now.winner == self._me else "The advisor has"
            told = f"{who} won {now.won_on}."
        self._out.print(f"{told} (u takes a move back, q quits)", style="bold")

    def _moves(self) -> None:
        self._out.print(" ".join(sorted(map(str, self.now.moves))) or "none: the game is over")

    def _hint(self) -> None:
        if self.now.over:
            raise InputError("the game is over")
        advice = self._opponent.advice(self.now)
        self._out.print(advisor.headline(advice))
        self._out.print("\n".join(advisor.explain(advice)))

    def _explain(self) -> None:
        if not self.now.played:
            raise InputError("no move has been played yet")
        before, move = self.now.back(), self.now.played[-1]
        advice = self._opponent.advice(before)
        say = advice.phrasing
        self._out.print(
            f"{say.player_label(say.turn)} played {say.moves([advice.move(move).move])}."
        )
        self._out.print("\n".join(advisor.explain(advice, move)))

    def _plan(self) -> None:
        """Print the plan for the next move; without one, the plan for the last move."""
        now = self.now
        book = self._opponent.book
        plan = advisor.plan(now, book=book)
        ahead = plan is not None
        if plan is None and now.played:
            plan = advisor.plan(now.back(), book=book)
        if plan is None:
            raise InputError("there is no plan here")
        if plan.rows:
            self._out.print()
            self._out.paragraph(screen.picture(plan.rows), soft_wrap=True)
        self._out.print(" ".join([*plan.rule, plan.now] if ahead or not plan.rule else plan.rule))

    def _undo(self) -> None:
        """Go back to the position before the user's last move."""
        earlier = self.now
        while earlier.played:
            earlier = earlier.back()
            if earlier.turn == self._me:
                self.now = earlier
                self._show()
                return
        raise InputError("there is no move of yours to take back")

    def _help(self) -> None:
        suffixes = self.now.game.suffixes
        suffix = f" ({suffixes[0]})" if suffixes else ""
        move = next(map(str, self.now.moves), "any of m")
        plan = _PLAN if self._has_plans else ""
        self._out.print(_HELP.format(move=move, plan=plan, suffix=suffix))

    def _save(self, path: str) -> None:
        name, game = file_name(path), self.now.game
        if not path or not path.lower().endswith(game.suffixes or ("",)):
            allowed = game.suffixes or (".txt",)
            told = f"give a file name in {' or '.join(allowed)}, as in: s game{allowed[0]}"
            raise InputError(told)
        if os.path.lexists(path):
            try:
                advisor.position(Path(path), game=game)
            except InputError:
                raise InputError(f"{name} exists and is not a board file (nothing saved)") from None
            if screen.ask(f"{name} is a board file; replace it? [y/N] ").strip().lower() != "y":
                self._out.print("Nothing saved.")
                return
        outfile.write(path, self.now.record.encode())
        self._out.print(f"Saved as {name}.")
