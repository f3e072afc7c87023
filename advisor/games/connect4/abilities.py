"""The `Abilities` of Connect Four: exact scores come from the opening book and the engines."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Literal

import numpy as np

from advisor.engine.answer_sets import best_models
from advisor.engine.nodes import play_moves
from advisor.engine.search import FORCED, WIN
from advisor.errors import EncodingError
from advisor.files.resources import not_ours
from advisor.games.abilities import Abilities, End, Firing, Scene
from advisor.games.bounds import Bounds, Solved
from advisor.games.connect4 import exact
from advisor.games.connect4.board import Board, Geometry
from advisor.games.connect4.drawing import svg
from advisor.games.connect4.evaluator import CircuitEvaluator, Strategies, move_of
from advisor.games.connect4.notation import square_name
from advisor.games.connect4.phrasing import BoardPhrasing, lines_of, squares_of
from advisor.games.connect4.position import BoardPosition, settings_on
from advisor.games.connect4.proofs import find_proofs
from advisor.games.connect4.solver import Solver, known_bounds, score_in, winner_moves
from advisor.games.events import FILE, Danger, Event, derive_events
from advisor.games.marks import Marks
from advisor.games.phrasing import Cell, Planned
from advisor.games.players import colour_of_mark
from advisor.games.score import OUTCOMES, Score
from advisor.games.wording import join_words
from advisor.limits import Limit
from advisor.settings import texts
from advisor.settings.config import CONNECT4, OWN, Config
from aspcircuits import own_process
from aspcircuits.clingo_api import Model, Term, render
from aspcircuits.stopping import Stop

_ZUGZWANG_FROM = 4
"""A win in at least this many moves needs more than threats."""


_EVENTS = OWN / "strategy.lp", OWN / FILE
"""These files derive and word the events of moves, whatever weights and files are in use."""


class Knowledge:
    """Knowledge of Connect Four with some weights; lives as long as a game or a match.

    The evaluator and the solver, with everything it has proved, are made for one board size and
    kept until a position of another size comes.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self._settings: dict[Geometry, Config] = {}
        self._evaluators: dict[Geometry, CircuitEvaluator] = {}
        self._strategies: dict[Geometry, Strategies] = {}
        self._solvers: dict[Geometry, Solver] = {}

    def settings(self, g: Geometry) -> Config:
        """Return the settings for a board; see `settings_on`."""
        if g not in self._settings:
            self._settings[g] = settings_on(g, self.config)
        return self._settings[g]

    def evaluator(self, g: Geometry, stop: Stop | None = None) -> CircuitEvaluator:
        if g not in self._evaluators:
            self._evaluators = {g: CircuitEvaluator(self.settings(g).check_unchanged(), g, stop)}
        return self._evaluators[g]

    def strategies(self, g: Geometry, stop: Stop | None = None) -> Strategies:
        if g not in self._strategies:
            self._strategies = {g: Strategies(self.settings(g).check_unchanged(), g, stop)}
        return self._strategies[g]

    def solver(self, g: Geometry) -> Solver:
        if g not in self._solvers:
            self._solvers = {g: Solver(g)}
        return self._solvers[g]


class BoardAbilities(Abilities):
    """`Abilities` of a Connect Four position; a move is its column."""

    ranked = False
    foresees = 2
    follow: Literal["best"] = "best"

    def __init__(self, position: BoardPosition, knows: Knowledge) -> None:
        self.position = position
        self._board = position.board
        self._knows = knows
        self._config = config = knows.settings(self._board.geometry)
        self.phrasing = BoardPhrasing(position, config.texts)
        self.weights = config.weights["features"]
        self.elsewhere = None if config is knows.config else config.name

    @property
    def result(self) -> Score | None:
        result = self._board.result()
        if result is None:
            return None
        return Score(OUTCOMES[result], moves=0 if result else None)

    @property
    def dead(self) -> bool:
        return self._board.dead

    def legal(self) -> Mapping[int, int]:
        return {column: column for column in sorted(self._board.moves())}

    def root(self) -> Board:
        return self._board

    @property
    def _solver(self) -> Solver:
        return self._knows.solver(self._board.geometry)

    def evaluator(self, stop: Stop) -> CircuitEvaluator:
        return self._knows.evaluator(self._board.geometry, stop)

    def score_of_value(self, value: int, exhaustive: bool, line: Sequence[int]) -> Score:
        return score_of(value, exhaustive)

    def moves_of_line(self, line: Sequence[int]) -> tuple[int, ...]:
        return tuple(line)

    def ends(self, lines: Sequence[Sequence[int]]) -> Iterator[End]:
        """Yield the ends of lines; the circuit of the features evaluates all of them at once."""
        ends = [play_moves(self._board, line) for line in lines]
        holding = self.evaluator(Stop()).holding(ends)
        for line, end, atoms in zip(lines, ends, holding, strict=True):
            drawn = end.full or "drawn" in atoms
            held = [] if drawn else [atom for atom in atoms if atom[0] == "feature"]
            features = [(name, owner - 1, at) for _, name, owner, at in held]
            yield End(tuple(line), features, drawn)

    def firings(self, stop: Stop) -> Iterator[tuple[int, Firing]]:
        """Yield the firings that clingo derives from the moves' program.

        Raises:
            EncodingError: a user's own file fires for what is not a move, or for what is not a
                reason, or allows no answer set.
        """
        position, files = self._board, self._config.check_unchanged().files("moves")
        strange = ", ".join(file.name for file in not_ours(files))
        asked = files, position.facts(), self._config.weights["moves"], position.geometry.constants
        models = own_process.run(best_models, *asked, what=strange, here=not strange, stop=stop)
        if not models:
            names = ", ".join(file.name for file in files)
            raise EncodingError(f"{names}: no answer set for this position")
        reasons = _reasons(models[0])
        playable = {column: position.row_of(column) for column in position.moves()}
        for atom in _atoms(models[0], "fires"):
            _, strategy, move = atom
            row, column = move_of(atom)
            weight = self._config.require_weight("moves", strategy)
            # A move that cannot be played has no score either.
            if weight and playable.get(column) == row:
                because = tuple(sorted(reasons[strategy, move]))
                yield column, Firing(render(strategy), weight, because)

    def fired_strategies(self, stop: Stop) -> Iterator[tuple[int, str]]:
        """Yield the strategies that fire, by their circuit."""
        strategies = self._knows.strategies(self._board.geometry, stop)
        for column, number in np.argwhere(strategies.fired_mask([self._board])[0]).tolist():
            name = strategies.names[number]
            if self._config.weights["moves"][name]:
                yield column + 1, render(name)

    def events(self, move: int) -> Sequence[Event]:
        say, row = self.phrasing, self._board.row_of(move)
        found = []
        for name, lines in self._events.get(("move", row, move), {}).items():
            told = texts.read_events(_EVENTS)[render(name)]
            where = [squares_of(line, self._board.geometry) for line in lines]
            count = len(say.holes(move, where))
            found.append(Event.of(name, told, sorted(where), count, say.words(move, where)))
        return sorted(found, key=lambda event: event.rank)

    @cached_property
    def _events(self) -> Mapping[Term, Mapping[Term, Sequence[Term]]]:
        """The events of all moves."""
        return self._derive_events("event")

    def _derive_events(self, predicate: str) -> Mapping[Term, Mapping[Term, Sequence[Term]]]:
        files, board = (*CONNECT4.frames["moves"], *_EVENTS), self._board
        return derive_events(files, board.facts(), board.geometry.constants, predicate)

    def standing(self) -> Sequence[str]:
        """Name the squares on which a player wins later, with their rows."""
        say, found = self.phrasing, []
        told = texts.read_events(_EVENTS, kind="standing")
        for number, names in sorted(self._derive_events("standing").items()):
            me, you = say.player_name(number - 1), say.player_name(2 - number)
            for name, squares in names.items():
                text = texts.in_number(told[render(name)].predicate, len(squares))
                words = {"me": me, "you": you, "where": join_words(say.places(squares), "and")}
                found.append(f"{me.capitalize()} {texts.fill(text, words)}.")
        return found

    def dangers(self, language: str = "") -> Sequence[Danger]:
        """Return the squares on which either player would complete a line, now or later."""
        told = texts.read_events(_EVENTS, kind="threatened")
        called, found = (self.phrasing.player_name(0), self.phrasing.player_name(1)), []
        for player, names in sorted(self._derive_events("threatened").items()):
            for name, places in names.items():
                cells = sorted((column, row) for _, row, column in places)
                squares = {cell: self.square_name(cell) for cell in cells}
                text = told[render(name)]
                found.append(Danger.of(player - 1, name, text, squares, called, language))
        return sorted(found, key=lambda danger: (told[danger.kind].rank, danger.player))

    def squares_of(self, move: int) -> Sequence[tuple[int, int]]:
        return [(move, self._board.row_of(move))]

    def square_name(self, square: tuple[int, int]) -> str:
        return square_name(square[::-1])

    def totals(self, stop: Stop) -> Mapping[int, int]:
        return self._knows.strategies(self._board.geometry, stop).totals(self._board)

    def book(self) -> Mapping[int, Bounds]:
        """Look up the project's opening book or that of the extra ``exact``, if enabled."""
        return exact.any_book(self._board) if self._knows.config.book else {}

    def plan(self) -> Planned | None:
        """Return the move of the board's solution, if the book is enabled."""
        return find_proofs().plan(self._board) if self._knows.config.book else None

    def near_end(self, limit: Limit, stop: Stop) -> Mapping[int, Bounds]:
        """Return what the solver proves in half of the time; nothing if a depth is given."""
        if limit.depth is not None or self._board.plies_left > self._knows.config.endgame:
            return {}
        return self._solver.outcomes(self._board, stop.with_limit(stop.seconds_left / 2))

    def at_sight(self, move: int) -> Bounds:
        return -known_bounds(self._board.after(move))

    def bounds(self, score: Score) -> Bounds:
        """Return the bounds in Pascal Pons' score."""
        most = self._board.geometry.squares
        if score.moves is not None:
            points = score_in(self._board, "win" if score.kind == "win" else "loss", score.moves)
            return Bounds(points, points)
        known = {"win": (1, most), "draw": (0, 0), "loss": (-most, -1)}
        return Bounds(*known.get(score.kind, (-most, most)))

    def proved_score(self, bounds: Bounds) -> Score | None:
        """Return the proved result, with the winner's moves if the exact score is known."""
        if bounds.outcome is None:
            return None
        moves = winner_moves(self._board, bounds.score)
        return Score(bounds.outcome, moves=moves, proved=True, points=bounds.score)

    def certain(self, stop: Stop, on_progress: Callable[[Solved], None], jobs: int = 1) -> Solved:
        """Solve every column; with several threads, a new solver does it."""
        solver = self._solver if jobs == 1 else None
        return exact.solve(
            self._board,
            columns=True,
            stop=stop,
            solver=solver,
            jobs=jobs,
            on_progress=on_progress,
        )

    @property
    def hint(self) -> str | None:
        return exact.install_hint(self._board)

    @property
    def alone(self) -> str | None:
        """BitBully, if that engine answers."""
        return "BitBully" if exact.choose(self._board) == "bitbully" else None

    def proofs(self, moves: Sequence[int], best: Sequence[int], stop: Stop) -> list[str]:
        return find_proofs().proofs(self._board, moves, best, stop)

    @property
    def key(self) -> tuple[Geometry, int]:
        """The board, and the player to move."""
        return self._board.geometry, self._board.key

    def from_middle(self, move: int) -> float:
        return abs(2 * move - self._board.geometry.width - 1)

    def wins(self, moves: int, stop: Stop) -> bool:
        return self._solver.at_least(self._board, score_in(self._board, "win", moves), stop)

    def winning(self, moves: int, stop: Stop) -> list[int]:
        solver, score = self._solver, score_in(self._board, "win", moves)
        return [
            column
            for column in self.legal()
            if not solver.at_least(self._board.after(column), 1 - score, stop)
        ]

    def after(self, move: int) -> "BoardAbilities":
        return BoardAbilities(self.position.after(move), self._knows)

    def looked_back(self, stop: Stop) -> Mapping[int, Bounds]:
        """Return what a book knows or, near enough to the end, what the solver proves.

        The solver reuses its proofs of later positions.
        """
        position = self._board
        if known := exact.any_book(position):
            return dict(sorted(known.items()))
        if position.dead:
            return dict.fromkeys(self.legal(), Bounds(0, 0))
        if not exact.in_reach(position):
            return super().looked_back(stop)
        return exact.solve(position, columns=True, stop=stop, solver=self._solver).moves or {}

    def line(self, stop: Stop, most: int) -> tuple[int, ...]:
        """Return best play: of the moves that keep the exact score, the most central ones."""
        now, moves = self._board, list[int]()
        if not exact.in_reach(now):
            return ()
        score = self._solver.solve(now, stop).score
        while score is not None and now.result() is None and len(moves) < most:
            if stop.is_set():
                break
            column = next(c for c in now.moves() if self._keeps(now.after(c), -score, stop))
            moves.append(column)
            now, score = now.after(column), -score
        return tuple(moves)

    def _keeps(self, after: Board, score: int, stop: Stop) -> bool:
        """Return whether the next player gets no more than an exact score."""
        return not self._solver.at_least(after, score + 1, stop)

    def proof(self, move: int, score: Score, stop: Stop) -> str:
        """Name the proof of a win; threats alone win where the game ends soon."""
        if score.moves is not None and score.moves < _ZUGZWANG_FROM:
            return ""
        return find_proofs().reason(self._board.after(move), self._board.turn, stop)

    def scene(self, marks: Marks | None = None) -> Scene:
        return Scene(
            self._board.rows, partial(svg, self._board, marks), colour_of_mark, numbered=False
        )


def score_of(value: int, exhaustive: bool) -> Score:
    """Return a value of the search as a score; an exhaustive 0 is a draw.

    `exhaustive`: every line was followed to the end of the game.
    """
    if value >= FORCED:
        return Score("win", moves=(WIN - value + 1) // 2)
    if value <= -FORCED:
        return Score("loss", moves=(WIN + value) // 2)
    if exhaustive and value == 0:
        return Score("draw")
    return Score("heuristic", value=value)


def _atoms(model: Model, name: str) -> Iterable[Term]:
    return (atom for atom in model.atoms if atom[0] == name)


def _reasons(model: Model) -> Mapping[tuple[Term, Term], set[tuple[Cell, ...]]]:
    """Return the lines and squares that strategies name, by strategy and move."""
    lines = lines_of(model)
    reasons: dict[tuple[Term, Term], set[tuple[Cell, ...]]] = defaultdict(set)
    for atom in _atoms(model, "because"):
        _, strategy, move, reason = atom
        match reason:
            case ("square", int() as row, int() as column):
                squares: tuple[Cell, ...] = ((row, column),)
            case _ if reason in lines:
                squares = lines[reason]
            case _:
                raise EncodingError(
                    f"{render(atom)}: '{render(reason)}' is not a reason "
                    "(use a line or square(R, C))"
                )
        reasons[strategy, move].add(squares)
    return reasons
