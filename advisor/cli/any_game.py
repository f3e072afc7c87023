"""``--game``: a suggestion and a game in the terminal, for any game that is given by its rules."""

import os.path
import sys
from contextlib import nullcontext

import numpy as np
from rich.console import Console

import advisor
from advisor.advice import proved
from advisor.advice.advice import Advice
from advisor.advice.any_game import advise
from advisor.advice.explain import explain
from advisor.cli import options, screen
from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.textfile import file_name, quoted
from advisor.games import knowledge
from advisor.games.circuits import Circuits
from advisor.games.playing import Playing
from advisor.games.position_file import Given
from advisor.games.rules import read
from advisor.limits import Limit, interruptible

_SHOWN = 10
"""Moves that a suggestion lists."""

_HELP = """\
MOVE    make that move, as {move}
m       moves: those that you have
h       hint: a suggestion, with its reasons
u       undo: take your last move back
s FILE  save the game
q       quit; so does Ctrl-C
?       help: this list"""


def loaded(given: Given, weights: str) -> "advisor.Game":
    """A game with its weights.

    Raises:
        InputError, ConfigError, EncodingError: there is no such game, it is none, or its weights do
            not fit.
    """
    game = advisor.load_game(given.game, weights=weights, constants=given.constants)
    if given.constants:
        usual = knowledge.settings(given.game, weights).name
        if game.settings.name != usual:
            name = game.settings.name
            print(f"note: weights of {name}, since {usual} is for one size", file=sys.stderr)
    return game


def playing(given: Given, weights: str, limit: Limit) -> tuple[Playing, Limit]:
    """A game after some moves, and the limit, which is that of its weights if it says nothing.

    Raises:
        InputError, ConfigError, EncodingError: see `loaded`, and if a move is not legal.
    """
    game = loaded(given, weights)
    return begun(game.circuits, given), limit.otherwise(game.settings.depth)


def by_rules(given: Given) -> Playing:
    """The same by the rules alone, for what needs no weights.

    Raises:
        InputError, EncodingError: see `playing`.
    """
    return begun(Circuits(read(given.game, constants=given.constants)), given)


def begun(circuits: Circuits, given: Given) -> Playing:
    """The state that a text tells of.

    Raises:
        InputError: it tells of none; where the text is from comes first.
    """
    try:
        return Playing.of(circuits, given.moves)
    except InputError as error:
        raise InputError(f"{given.name}: {error}" if given.name else str(error)) from None


def suggest(
    given: Playing,
    limit: Limit,
    explained: bool,
    jobs: int,
    json: bool,
    no_color: bool,
    exactly: float | None,
) -> None:
    """Prints what to play, with what is proved of every move in so many seconds if that is asked.

    What is proved comes from a search to the end of the game.
    """
    if given.over:
        if json:
            screen.print_json({"game": given.game.rules.name, "best": [], **_outcome(given)})
        else:
            _print_board(given, no_color)
            print(_ended(given))
        return
    status = screen.console(no_color, stderr=True).status("thinking")
    if json or not status.console.is_terminal:
        options.note_depth(limit)
    with (
        interruptible() as stop,
        nullcontext() if json or not status.console.is_terminal else status,
    ):
        advice = advise(given, limit, np.random.default_rng(1), stop, explained, jobs)
        if exactly is not None and not stop.interrupted:
            advice, known = proved.exactly(advice, exactly, stop, jobs)
            if not known.proved and not stop.interrupted:
                print(
                    f"note: not everything is proved within {exactly:g} s (--time)", file=sys.stderr
                )
    if json:
        screen.print_json(advice.to_json())
        return
    out = screen.console(no_color)
    out.print(f"{given.game.rules.name}: {given.player} to move", markup=False)
    out.print()
    _print_board(given, no_color)
    out.print(f"Play {_told(given, advice)}", style="bold", markup=False)
    out.print()
    _print_moves(out, given, advice)
    out.print()
    more = len(advice.moves) - _SHOWN
    left_out = f"{more} more moves; " if more > 0 else ""
    played = sum(chance.playouts for chance in advice.moves)
    tree = " in a tree" if any(chance.expected for chance in advice.moves) else ""
    games = f", {played} random games{tree}" if played else ""
    if advice.untried:
        games += f" ({advice.untried} moves not tried)"
    deeper = f" ({advice.deeper} more than asked for)" if advice.deeper else ""
    noisy = f", {advice.added} states after noisy moves" if advice.added else ""
    selective = ", selective" if advice.selective else ""
    depth = f"depth {advice.depth}{deeper}{selective}{noisy}{games}"
    by = screen.by(advice.machine_code, advice.seconds)
    out.print(f"{left_out}{depth} in {advice.seconds:.2f} s{by}", style="dim")
    if explained:
        out.print()
        for sentence in explain(advice):
            out.print(sentence, markup=False)


def picture(given: Given, weights: str, limit: Limit, advised: bool) -> str:
    """A state as an SVG document, with the suggested move if that is wanted.

    Raises:
        InputError, ConfigError, EncodingError: see `playing`, and if the game has no picture.
    """
    if not advised:
        state = by_rules(given)
        return state.notation.drawing(state)
    state, limit = playing(given, weights, limit)
    suggested = None
    if not state.over:
        with interruptible() as stop:
            suggested = advise(state, limit, np.random.default_rng(1), stop).moves[0].move
    return state.notation.drawing(state, suggested)


class Table:
    """A game in the terminal, or through a pipe."""

    def __init__(
        self, begun: Playing, limit: Limit, me_first: bool, seed: int | None, no_color: bool
    ) -> None:
        self._line = [begun]
        self._limit = limit
        self._me = 0 if me_first else 1
        self._rng = np.random.default_rng(seed)
        self._no_color = no_color

    def play(self) -> None:
        """Plays until the user quits."""
        name = self._line[-1].game.rules.players[self._me]
        print(f"You play {name}. Type a move, or ? for help.")
        if aim := self._line[-1].game.rules.display.aim:
            self._say(aim)
        self._show()
        try:
            while self._turn():
                pass
        except (EOFError, KeyboardInterrupt):
            print()
        moves = self._line[-1].notation.line(self._line[-1])
        print(f"Moves: {moves or 'none'}")

    def _turn(self) -> bool:
        """One move or command; whether to go on."""
        now = self._line[-1]
        if not now.over and now.turn != self._me:
            advice = self._advice(now)
            print(f"{now.player} plays {_told(now, advice)}")
            self._line.append(now.play(advice.moves[0].move))
            self._show()
            return True
        line = screen.ask(f"{now.player if not now.over else 'over'}> ").strip()
        try:
            return self._obey(now, line)
        except InputError as error:
            self._say(str(error))
            return True

    def _obey(self, now: Playing, line: str) -> bool:
        if line in now.names.values():  # a column may be called h
            self._make(now, line)
        elif line in ("q", "quit"):
            return False
        elif line in ("?", "help"):
            move = next(iter(now.names.values()), "any of m")
            print(_HELP.format(move=move))
        elif line in ("m", "moves"):
            self._say(" ".join(sorted(now.names.values())) or "none: the game is over")
        elif line in ("u", "undo"):
            self._undo()
        elif line.startswith("s ") or line == "s":
            self._save(os.path.expanduser(line[1:].strip()))
        elif line in ("h", "hint") and not now.over:
            advice = self._advice(now, traced=True)
            print(f"Play {_told(now, advice)}")
            for sentence in explain(advice):
                self._say(sentence)
        elif line:
            try:
                self._make(now, line)
            except InputError as error:
                if len(line.split()) == 1 and line.isalpha():
                    told = f"{quoted(line)} is neither a move nor a command (? lists them)"
                    raise InputError(told) from None
                raise error
        return True

    def _make(self, now: Playing, name: str) -> None:
        self._line.append(now.play(now.move(name, "")))
        self._show()

    def _save(self, path: str) -> None:
        name = file_name(path)
        if not path or os.path.lexists(path):
            told = f"{name} is there already" if path else "where to is missing"
            raise InputError(f"{told} (give the name of a new file, as in: s game.txt)")
        now = self._line[-1]
        outfile.write(path, now.notation.record(now, {}).encode())
        print(f"Saved as {name}.")

    def _undo(self) -> None:
        mine = [i for i, earlier in enumerate(self._line[:-1]) if earlier.turn == self._me]
        if not mine:
            raise InputError("there is no move of yours to take back")
        del self._line[mine[-1] + 1 :]
        self._show()

    def _advice(self, now: Playing, traced: bool = False) -> Advice:
        with interruptible() as stop:
            advice = advise(now, self._limit, self._rng, stop, traced, go_on=True)
        if stop.interrupted:
            raise KeyboardInterrupt
        return advice

    def _say(self, text: str) -> None:
        screen.console(self._no_color).print(text, markup=False)

    def _show(self) -> None:
        now = self._line[-1]
        print()
        _print_board(now, self._no_color)
        if now.over:
            print(f"{_ended(now)} (u takes a move back, q quits)")


def _print_board(given: Playing, no_color: bool) -> None:
    board = given.notation.board(given)
    if board:
        screen.console(no_color).print("\n".join(board), markup=False, soft_wrap=True)
        print()


def _outcome(given: Playing) -> dict[str, object]:
    winner = given.winner
    return {"winner": None if winner is None else given.game.rules.players[winner]}


def _ended(given: Playing) -> str:
    winner = _outcome(given)["winner"]
    return f"The game is over: {'a draw' if winner is None else f'{winner} has won'}."


def _told(given: Playing, advice: Advice) -> str:
    """The best move, and what it leads to if that is certain."""
    best = advice.first
    name, result = given.names[best.move], advice.phrasing.outcome(best.score)
    return f"{name}: {result}." if result else f"{name}."


def _print_moves(out: Console, given: Playing, advice: Advice) -> None:
    """A table of the first moves, with what is known of any of them."""
    shown = advice.moves[:_SHOWN]
    columns = {
        "move": [given.names[chance.move] for chance in shown],
        "outcome": [advice.phrasing.outcome(chance.score) for chance in shown],
        "score": ["" if chance.value is None else str(chance.value) for chance in shown],
        "games": ["" if chance.mean is None else str(chance.playouts) for chance in shown],
        "mean": ["" if chance.mean is None else f"{chance.mean:+.3f}" for chance in shown],
        "strategies": [
            ", ".join(f"{f.strategy} {f.weight:+d}" for f in chance.fires) for chance in shown
        ],
    }
    used = {name: column for name, column in columns.items() if name == "move" or any(column)}
    rows = zip(*used.values(), strict=True)
    out.print(screen.table(tuple(used), rows, left=("move", "outcome", "strategies")))
