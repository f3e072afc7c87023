"""The facade: a position and a configuration in, a reasoned advice out."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from advisor.advice.move import Firing, MoveAdvice
from advisor.advice.score import Score
from advisor.advice.trace import Trace, traces
from advisor.advice.verdict import verdict
from advisor.asp import apart
from advisor.asp.clingo_api import Model, Term, render
from advisor.asp.reference import best_models
from advisor.engine.search import FORCED, WIN, Result, search
from advisor.errors import EncodingError
from advisor.files.resources import not_ours
from advisor.games.connect4 import book, openings
from advisor.games.connect4.board import DISCS, Geometry, Position, Square, geometry
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.plans import plan_text, solved
from advisor.games.connect4.plans.following import By, Step
from advisor.games.connect4.solver import Solution, Solver, undominated
from advisor.games.connect4.strategies import Strategies, move_of
from advisor.limits import NO_LIMIT, Limit, Stop
from advisor.settings.config import Config
from advisor.settings.reading import for_other_boards


@dataclass(frozen=True, slots=True)
class Advice:
    """What the advisor says of a position.

    Attributes:
        position: the position.
        config: the settings that it was made with, and the words for their names.
        best: columns of the best moves, all of them; none if the game is over.
        score: of the best moves, or of the finished game.
        moves: every legal move by column; where nobody has looked ahead but asked the solution
            instead, those of which something is known.
        variation: the line of play expected, from the first best move on.
        depth: plies looked ahead.
        nodes, leaves, seconds: what it took.
        machine_code: machine code looked ahead, not NumPy; in the end, if it came meanwhile.
        interrupted: somebody ended the search before its limits did.
        from_book: an opening book, ours or that of the extra ``exact``, knows what every move
            leads to.
        solved: what the solution of the board plays, which wins or holds; None where it says
            nothing. It is among the best moves unless another is known to be better.
        elsewhere: the weights are not those that were asked for, which were learned on another
            board, but those of the preset that `config` names.
    """

    position: Position
    config: Config = field(repr=False)
    best: tuple[int, ...]
    score: Score
    moves: tuple[MoveAdvice, ...]
    variation: tuple[int, ...]
    depth: int
    nodes: int
    leaves: int
    seconds: float
    machine_code: bool = False
    interrupted: bool = False
    from_book: bool = False
    solved: Step | None = None
    elsewhere: bool = False

    @property
    def scores(self) -> dict[int, Score]:
        """What every legal move is worth, by column."""
        return {move.column: move.score for move in self.moves}

    @property
    def numbers(self) -> dict[Square, int]:
        """Of the plan, on the empty squares; none without one."""
        planned = self.solved.plan if self.solved else None
        return plan_text.on_squares(planned, self.position) if planned else {}

    @property
    def better(self) -> tuple[int, ...]:
        """The best columns, where the solution's is known not to be one of them."""
        outdone = self.solved is not None and self.solved.column not in self.best
        return self.best if outdone else ()

    def move(self, column: int) -> MoveAdvice:
        """The advice on one legal move."""
        return next(move for move in self.moves if move.column == column)

    def to_json(self) -> dict[str, object]:
        """The advice as ``suggest --json`` gives it."""
        return {
            "turn": DISCS[self.position.turn],
            "best": list(self.best),
            "score": self.score.to_json(),
            "depth": self.depth,
            "nodes": self.nodes,
            "leaves": self.leaves,
            "seconds": round(self.seconds, 4),
            "machine_code": self.machine_code,
            **({"interrupted": True} if self.interrupted else {}),
            "pv": list(self.variation),
            **({"book": True} if self.from_book else {}),
            "plan": plan_text.to_json(self.solved, self.position, self.better)
            if self.solved
            else None,
            **({"weights": self.config.name} if self.elsewhere else {}),
            "moves": [move.to_json() for move in self.moves],
        }


class Advisor:
    """Advises by one set of weights and settings; lives as long as a game or a match.

    What it makes for a board (the evaluator, and a solver with all that it has proved) serves
    the next position too, until one of another board comes. Pickled, it is its settings alone.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self._elsewhere: Config | None = None
        self._evaluators: dict[Geometry, CircuitEvaluator] = {}
        self._strategies: dict[Geometry, Strategies] = {}
        self._solvers: dict[Geometry, Solver] = {}

    def __reduce__(self) -> tuple[type["Advisor"], tuple[Config]]:
        return Advisor, (self.config,)

    def settings(self, g: Geometry) -> Config:
        """Those that count on a board: weights may have been learned on the standard one only."""
        if g == geometry() or self.config.other_boards is None:
            return self.config
        if self._elsewhere is None:
            self._elsewhere = for_other_boards(self.config)
        return self._elsewhere

    def evaluator(self, g: Geometry, stop: Stop | None = None) -> CircuitEvaluator:
        """The evaluator of a board; see `CircuitEvaluator`."""
        if g not in self._evaluators:
            self._evaluators = {g: CircuitEvaluator(self.settings(g), g, stop)}
        return self._evaluators[g]

    def strategies(self, g: Geometry, stop: Stop | None = None) -> Strategies:
        """The strategies on a board; see `Strategies`."""
        if g not in self._strategies:
            self._strategies = {g: Strategies(self.settings(g), g, stop)}
        return self._strategies[g]

    def solver(self, g: Geometry) -> Solver:
        """The solver of a board, with all that it has proved."""
        if g not in self._solvers:
            self._solvers = {g: Solver(g)}
        return self._solvers[g]

    def solved(self, position: Position) -> Step | None:
        """What the solution of the board plays, if the book is to be used."""
        return solved.known(position) if self.config.book else None

    def advise(
        self,
        position: Position,
        limit: Limit = NO_LIMIT,
        *,
        traced: bool = False,
        alike: bool = False,
        at_once: bool = False,
        jobs: int = 1,
        stop: Stop | None = None,
        on_iteration: Callable[[Result], None] | None = None,
    ) -> Advice:
        """Scores every move of a position.

        Args:
            position: any position; of a finished game only the result is told.
            limit: of the look-ahead; by default the depth of the settings. Compiling the encoding
                (once per board size) is not a part of the time.
            traced: tell of each heuristic score where it comes from.
            alike: judge all moves by the same means; the solution of the board knows but one.
            at_once: do not look ahead where the solution of the board wins.
            jobs: see `advisor.engine.search.search`.
            stop: whoever sets it gets what is known by then.
            on_iteration: see `advisor.engine.search.search`.

        Raises:
            ConfigError, EncodingError: the settings' encodings cannot be used.
            KeyboardInterrupt: it was to stop while nothing was known yet.
        """
        limit = limit.otherwise(self.config.depth)
        stop = stop or Stop()
        config = self.settings(position.geometry)
        result = position.result()
        if result is not None:
            kind = {-1: "loss", 0: "draw", 1: "win"}[result]
            score = Score(kind, moves=0 if result else None)
            return Advice(position, config, (), score, (), (), 0, 0, 0, 0.0)
        if at_once and (step := self.solved(position)) and not step.hold:
            return self._at_once(position, step)
        # Where nobody can win any more there is nothing to look for.
        evaluator = None
        if limit.depth != 0 and not position.dead:
            evaluator = self.evaluator(position.geometry, stop)
        started = time.monotonic()
        in_time = stop.within(limit.seconds)
        model, *others = self._answer_sets(position, stop)
        totals = {column: total for _, _, column, total in _atoms(model, "total_score")}
        rows = {column: position.row_of(column) for column in totals}
        fires = _firings(model, config, rows)
        traced_to: dict[int, Trace] = {}

        def seen(values: Mapping[int, int] | None, exhaustive: bool) -> tuple[MoveAdvice, ...]:
            """The moves by their values in the look-ahead; without one by what fires."""
            made = []
            for column in sorted(totals):
                fired = fires.get(column, ())
                if values is None:
                    score, ahead = Score("heuristic", value=totals[column]), None
                    score = Score("draw") if position.dead else score
                else:
                    score = score_of(values[column], exhaustive)
                    ahead = None
                    if score.kind == "heuristic":
                        ahead = values[column] - totals[column]
                made.append(MoveAdvice(column, rows[column], score, fired, ahead))
            return tuple(made)

        found: Result | None = None
        opening: Mapping[int, Solution] = {}
        step = None
        if evaluator is None:
            models = (model, *others)
            best = tuple(sorted(c for each in models for _, _, c in _atoms(each, "best_move")))
            moves = seen(None, False)
        else:
            opening = self._opening(position)
            step = None if alike else self.solved(position)
            proved = opening or self._endgame(position, limit, in_time)
            found = search(
                position,
                evaluator,
                depth=limit.depth,
                stop=in_time,
                every_move=True,
                bonus=totals,
                follow="all" if traced else "best",
                jobs=jobs,
                on_iteration=on_iteration,
            )
            moves = seen(found.scores, found.exhaustive)
            judged = verdict(position, moves, proved, step)
            moves, best = judged.moves, judged.best
            if traced:
                counted = (
                    m.column
                    for m in moves
                    if m.ahead is not None
                    and (m.score.kind == "heuristic" or m.column in judged.chosen_from)
                )
                traced_to = traces(position, evaluator, config, (found.lines[c] for c in counted))
                moves = tuple(replace(m, trace=traced_to.get(m.column)) for m in moves)
        variation = best[:1]
        if best[0] in traced_to:
            variation = traced_to[best[0]].line
        elif found and best[0] == found.variation[0]:
            variation = found.variation
        return Advice(
            position=position,
            config=config,
            best=best,
            score=next(move.score for move in moves if move.column == best[0]),
            moves=moves,
            variation=variation,
            depth=found.depth if found else 0,
            nodes=found.nodes if found else 0,
            leaves=found.leaves if found else 0,
            seconds=time.monotonic() - started,
            machine_code=found is not None and found.machine_code,
            interrupted=stop.interrupted and found is not None,
            from_book=bool(opening),
            solved=step,
            elsewhere=config is not self.config,
        )

    def _at_once(self, position: Position, step: Step) -> Advice:
        """What the solution plays, by which the player to move wins, and what the book knows."""
        started = time.monotonic()
        opening = self._opening(position)
        by_plan = Score("win", moves=1 if step.by is By.WIN else None, proved=True)
        columns = sorted({step.column, *opening})
        judged = verdict(
            position,
            [MoveAdvice(column, position.row_of(column), by_plan, ()) for column in columns],
            opening,
            step,
        )
        best = judged.best
        return Advice(
            position=position,
            config=self.settings(position.geometry),
            best=best,
            score=next(move.score for move in judged.moves if move.column == best[0]),
            moves=judged.moves,
            variation=best[:1],
            depth=0,
            nodes=0,
            leaves=0,
            seconds=time.monotonic() - started,
            from_book=bool(opening),
            solved=step,
        )

    def choose(
        self, position: Position, limit: Limit = NO_LIMIT, *, stop: Stop | None = None
    ) -> int:
        """A best move without its reasons, for games: several times faster than `advise`.

        Args: see `advise`; the game goes on.

        Raises:
            KeyboardInterrupt: it was to stop; half a choice is none.
        """
        limit = limit.otherwise(self.config.depth)
        stop = stop or Stop()
        if limit.depth == 0 or position.dead:
            totals = self.strategies(position.geometry, stop).totals(position)
            return max(position.moves(), key=lambda column: totals[column])
        in_time = stop.within(limit.seconds)
        opening = book.known(position) if self.config.book else {}
        good = undominated(opening or self._endgame(position, limit, in_time))
        if len(good) == 1:
            chosen = good[0]
        else:
            found = search(
                position,
                self.evaluator(position.geometry, stop),
                depth=limit.depth,
                stop=in_time,
                moves=good or None,
                bonus=partial(self.strategies(position.geometry, stop).totals, position),
                follow=None,
            )
            chosen = found.best[0]
            if found.value < FORCED:
                step = self.solved(position)
                if step and (not good or step.column in good):
                    chosen = step.column
        stop.check()
        return chosen

    def _answer_sets(self, position: Position, stop: Stop) -> list[Model]:
        """Of the moves' program, at least one."""
        config = self.settings(position.geometry)
        files = config.files("moves")
        strange = ", ".join(file.name for file in not_ours(files))
        models = apart.run(
            best_models,
            files,
            position.facts(),
            config.weights["moves"],
            position.geometry.constants,
            what=strange,
            here=not strange,
            stop=stop,
        )
        if not models:
            names = ", ".join(file.name for file in files)
            raise EncodingError(f"{names}: no answer set for this position")
        return models

    def _opening(self, position: Position) -> Mapping[int, Solution]:
        """What the opening books know of the moves, if they are to be used."""
        return openings.known(position) if self.config.book else {}

    def _endgame(self, position: Position, limit: Limit, stop: Stop) -> dict[int, Solution]:
        """What half of the time proves of the moves, if the end of the game is near enough.

        Only for where time alone limits the thinking: a depth is kept to as it is given.
        """
        if limit.depth is not None or position.plies_left > self.config.endgame:
            return {}
        in_time = stop.within(stop.seconds_left / 2)
        return self.solver(position.geometry).outcomes(position, in_time)


def advise(
    position: Position,
    config: Config,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    traced: bool = False,
    stop: Stop | None = None,
    on_iteration: Callable[[Result], None] | None = None,
) -> Advice:
    """Advice on a single position; see `Advisor.advise`."""
    return Advisor(config).advise(
        position, Limit(depth, seconds), traced=traced, stop=stop, on_iteration=on_iteration
    )


def score_of(value: int, exhaustive: bool) -> Score:
    """A value of the search; 0 is a draw if every line was followed to the end of the game."""
    if value >= FORCED:
        return Score("win", moves=(WIN - value + 1) // 2)
    if value <= -FORCED:
        return Score("loss", moves=(WIN + value) // 2)
    if exhaustive and value == 0:
        return Score("draw")
    return Score("heuristic", value=value)


def _atoms(model: Model, name: str) -> list[Term]:
    return [atom for atom in model.atoms if isinstance(atom, tuple) and atom[0] == name]


def _firings(
    model: Model, config: Config, rows: Mapping[int, int]
) -> dict[int, tuple[Firing, ...]]:
    """Per column the strategies that fired and count, weightiest first, with their reasons.

    Args:
        model: an answer set of ``suggest.lp``.
        config: names the weights.
        rows: on which row a disc comes to rest, by column.

    Raises:
        EncodingError: a user's own file fires for what is no move, or for what is no reason.
    """
    lines: dict[Term, list[Square]] = defaultdict(list)
    for _, line, row, column in _atoms(model, "on_line"):
        lines[line].append((row, column))
    reasons: dict[tuple[Term, Term], list[tuple[Square, ...]]] = defaultdict(list)
    for atom in _atoms(model, "because"):
        _, strategy, move, reason = atom
        match reason:
            case ("square", int() as row, int() as column):
                squares = [(row, column)]
            case _ if reason in lines:
                squares = lines[reason]
            case _:
                raise EncodingError(
                    f"{render(atom)}: '{render(reason)}' is not a reason "
                    "(use a line or square(R, C))"
                )
        reasons[strategy, move].append(tuple(sorted(squares)))
    found: dict[int, list[Firing]] = defaultdict(list)
    for atom in _atoms(model, "fires"):
        _, strategy, move = atom
        row, column = move_of(atom)
        weight = config.require_weight("moves", strategy)
        if weight and rows.get(column) == row:  # what cannot be played has no score either
            because = tuple(sorted(set(reasons[strategy, move])))
            found[column].append(Firing(render(strategy), weight, because))
    return {
        column: tuple(sorted(firings, key=lambda f: (-abs(f.weight), f.strategy)))
        for column, firings in found.items()
    }
