"""The facade: a position and a configuration in, a reasoned advice out."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from advisor.asp.clingo_api import Model, Term, render
from advisor.asp.reference import best_models
from advisor.engine.search import FORCED, WIN, Result, search
from advisor.errors import EncodingError
from advisor.games.connect4 import book
from advisor.games.connect4.board import DISCS, Position, Square
from advisor.games.connect4.evaluator import CircuitEvaluator
from advisor.games.connect4.exact import Exact
from advisor.games.connect4.notation import facts
from advisor.games.connect4.solver import Solution, Solver, undominated, winner_moves
from advisor.games.connect4.strategies import Strategies, move_of
from advisor.games.connect4.victor.prove import Prover, check
from advisor.settings.config import Config


@dataclass(frozen=True, slots=True)
class Score:
    """What a move or a position is worth to the player to move.

    Attributes:
        kind: "win", "loss" and "draw" are forced, "heuristic" is a sum of weights.
        moves: of a win or loss, how many moves the winner still needs; 0 if the game is over,
            None if that is not known.
        value: of a heuristic score, in weight units.
        proved: a search to the end of the game found it, now or when the opening book was made,
            not the look-ahead.
    """

    kind: str
    moves: int | None = None
    value: int | None = None
    proved: bool = False

    def to_json(self) -> dict[str, object]:
        """The score as the ``--json`` outputs give it."""
        known = {"in": self.moves, "value": self.value, "proved": self.proved or None}
        return {"kind": self.kind, **{k: v for k, v in known.items() if v is not None}}


@dataclass(frozen=True, slots=True)
class Firing:
    """A strategy that speaks for a move or, with a negative weight, against it.

    Attributes:
        strategy: its name, as ``center(0)``.
        weight: from the configuration.
        reasons: the lines (in order of their squares) or single squares that made it fire.
    """

    strategy: str
    weight: int
    reasons: tuple[tuple[Square, ...], ...]

    def to_json(self) -> dict[str, object]:
        """The firing as the ``--json`` outputs give it: its squares without their lines."""
        squares = sorted({square for reason in self.reasons for square in reason})
        return {
            "strategy": self.strategy,
            "weight": self.weight,
            "squares": [list(square) for square in squares],
        }


@dataclass(frozen=True, slots=True)
class MoveAdvice:
    """One legal move.

    Attributes:
        column, row: where the disc comes to rest.
        score: what the move is worth; a heuristic one is `ahead` and `total` together.
        fires: the strategies that fired for it, weightiest first.
        ahead: what the look-ahead sees at the end of the line of play, in weight units; None if
            it sees a forced result, or where none was made.
    """

    column: int
    row: int
    score: Score
    fires: tuple[Firing, ...]
    ahead: int | None = None

    @property
    def total(self) -> int:
        """What the strategies say: the sum of the weights that fired."""
        return sum(firing.weight for firing in self.fires)

    def to_json(self) -> dict[str, object]:
        """The move as the ``--json`` outputs give it."""
        return {
            "column": self.column,
            "row": self.row,
            "score": self.score.to_json(),
            **({} if self.ahead is None else {"ahead": self.ahead}),
            "fires": [firing.to_json() for firing in self.fires],
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """What the advisor says of a position.

    Attributes:
        position: the position.
        best: columns of the best moves, all of them; none if the game is over.
        score: of the best moves, or of the finished game.
        moves: every legal move by column.
        variation: the line of play expected, from the first best move on.
        depth: plies looked ahead.
        nodes, leaves, seconds: what it took.
        interrupted: Ctrl-C ended the search.
        from_book: the opening book knows what every move leads to.
    """

    position: Position
    best: tuple[int, ...]
    score: Score
    moves: tuple[MoveAdvice, ...]
    variation: tuple[int, ...]
    depth: int
    nodes: int
    leaves: int
    seconds: float
    interrupted: bool = False
    from_book: bool = False

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
            "pv": list(self.variation),
            **({"book": True} if self.from_book else {}),
            "moves": [move.to_json() for move in self.moves],
        }


def advise(
    position: Position,
    config: Config,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    prover: bool = False,
    on_iteration: Callable[[Result], None] | None = None,
) -> Advice:
    """Scores every move of a position.

    Args:
        position: any position; of a finished game only the result is told.
        config: weights and settings.
        depth: plies of look-ahead; 0 asks for the answer set of the position alone. By default
            the configuration's, or no limit if `seconds` is given.
        seconds: time limit, of which compiling the encoding (once per board size) is no part.
        on_iteration: see `advisor.engine.search.search`.

    Raises:
        ConfigError, EncodingError: the configuration's encodings cannot be used.
        InputError: the prover is wanted, but its rules do not cover the board.
    """
    if depth is None and seconds is None:
        depth = config.depth
    result = position.result()
    if result is not None:
        kind = {-1: "loss", 0: "draw", 1: "win"}[result]
        score = Score(kind, moves=0 if result else None)
        return Advice(position, (), score, (), (), 0, 0, 0, 0.0)
    # Where nobody can win any more there is nothing to look for.
    evaluator = None
    opening: Mapping[int, Solution] = {}
    if depth != 0 and not position.dead:
        evaluator = CircuitEvaluator(config, position.geometry)
        opening = book.known(position) if config.book else {}
    if prover:
        check(position)
    started = time.monotonic()
    models = best_models(
        config.files("moves"), facts(position), config.weights["moves"], position.geometry.constants
    )
    if not models:
        files = ", ".join(file.name for file in config.files("moves"))
        raise EncodingError(f"{files}: no answer set for this position")
    totals = {column: total for _, _, column, total in _atoms(models[0], "total_score")}
    rows = {column: position.row_of(column) for column in totals}
    fires = _firings(models[0], config, rows)
    stopped = False
    if evaluator is None:
        best = tuple(sorted(c for model in models for _, _, c in _atoms(model, "best_move")))
        scores = {column: Score("heuristic", value=total) for column, total in totals.items()}
        if position.dead:
            scores = dict.fromkeys(totals, Score("draw"))
        ahead: dict[int, int] = {}
        found = None
    else:
        proved: dict[int, Solution] = dict(opening)
        try:
            _endgame(position, config, depth, seconds, proved.update)
        except KeyboardInterrupt:
            stopped, seconds = True, 0.0  # the look-ahead's first ply is still an answer
        found = search(
            position,
            evaluator,
            depth=depth,
            seconds=None if seconds is None else seconds - (time.monotonic() - started),
            every_move=True,
            bonus=totals,
            bounds=proof_bounds if prover else None,
            on_iteration=on_iteration,
        )
        scores = {c: score_of(v, found.exhaustive) for c, v in found.scores.items()}
        ahead = {
            column: found.scores[column] - totals[column]
            for column, score in scores.items()
            if score.kind == "heuristic"
        }
        for column, solution in proved.items():
            scores[column] = _exact_score(position, solution, scores[column])
        good = undominated(proved) or position.moves()
        value = max(found.scores[column] for column in good)
        # Among equally forced results the strategies decide which is named first.
        best = tuple(
            sorted(
                (column for column in good if found.scores[column] == value),
                key=lambda column: (-totals[column], column),
            )
        )
    return Advice(
        position=position,
        best=best,
        score=scores[best[0]],
        moves=tuple(
            MoveAdvice(
                column, rows[column], scores[column], fires.get(column, ()), ahead.get(column)
            )
            for column in sorted(totals)
        ),
        variation=found.variation if found and best[0] == found.variation[0] else best[:1],
        depth=found.depth if found else 0,
        nodes=found.nodes if found else 0,
        leaves=found.leaves if found else 0,
        seconds=time.monotonic() - started,
        interrupted=stopped or (found.interrupted if found else False),
        from_book=bool(opening),
    )


def proof_bounds(position: Position) -> tuple[int, int]:
    """What Allis' rules prove of a position, as bounds for `search`.

    Only the player who is not to move is asked about: his plan answers every move. A proof does
    not say when the win comes, so it counts as coming with the last disc.
    """
    outcome = Prover.of(position.geometry).bound(position, 3 - position.turn)
    if outcome is None:
        return -WIN, WIN
    return -WIN, 0 if outcome == "holds" else position.plies_left - WIN


def with_exact(advice: Advice, known: Exact) -> Advice:
    """The advice with everything that is proved about its moves.

    The best moves are then those with the best exact score, if every column's is known. Otherwise
    they are those of the advice than which none is proved to be better; if that is none of them,
    all moves of which it holds.

    Args:
        advice: on a game that goes on.
        known: exact scores of the same position and its columns, or their bounds.
    """
    if known.columns is None:
        raise ValueError("the exact scores of the columns are missing")
    solutions = known.columns
    moves = tuple(
        replace(move, score=_exact_score(advice.position, solutions[move.column], move.score))
        for move in advice.moves
    )
    if known.proved:
        top = max(solution.lower for solution in solutions.values())
        good = [column for column, solution in solutions.items() if solution.lower == top]
    else:
        undoubted = undominated(solutions)
        good = [column for column in advice.best if column in undoubted] or undoubted
    totals = {move.column: move.total for move in moves}
    best = tuple(sorted(good, key=lambda column: (-totals[column], column)))
    first = next(move for move in moves if move.column == best[0])
    kept = advice.variation[:1] == best[:1]
    return replace(
        advice,
        moves=moves,
        best=best,
        score=first.score,
        variation=advice.variation if kept else best[:1],
        seconds=advice.seconds + known.position.seconds,
    )


def _exact_score(position: Position, known: Solution, seen: Score) -> Score:
    """What is proved of a move; what the look-ahead has seen of it if that says more."""
    if known.score is not None:
        assert known.outcome is not None
        return Score(known.outcome, moves=winner_moves(position, known.score), proved=True)
    if known.outcome is not None and seen.kind == "heuristic":
        return Score(known.outcome, proved=True)
    return seen


def choose(
    position: Position, config: Config, *, depth: int | None = None, seconds: float | None = None
) -> int:
    """A best move without its reasons, for games: several times faster than `advise`.

    Args: see `advise`; the game goes on.
    """
    if depth is None and seconds is None:
        depth = config.depth
    if depth == 0 or position.dead:
        totals = Strategies(config, position.geometry).totals(position)
        return max(position.moves(), key=lambda column: totals[column])
    started = time.monotonic()
    proved: dict[int, Solution] = book.known(position) if config.book else {}
    _endgame(position, config, depth, seconds, proved.update)
    good = undominated(proved)
    if len(good) == 1:
        return good[0]
    left = None if seconds is None else seconds - (time.monotonic() - started)
    evaluator = CircuitEvaluator(config, position.geometry)
    bonus = Strategies(config, position.geometry).totals(position)
    return search(
        position, evaluator, depth=depth, seconds=left, moves=good or None, bonus=bonus
    ).best[0]


def _endgame(
    position: Position,
    config: Config,
    depth: int | None,
    seconds: float | None,
    on_progress: Callable[[dict[int, Solution]], None],
) -> None:
    """Tells what half of the time proves of the moves, if the end of the game is near enough.

    Only for where time alone limits the thinking: a depth is kept to as it is given.
    """
    if depth is None and seconds is not None and position.plies_left <= config.endgame:
        Solver(position.geometry).outcomes(position, seconds / 2, on_progress)


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
    """Per column the strategies that fired, weightiest first, with their reasons.

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
                    f"{render(atom)}: '{render(reason)}' is no reason (use a line or square(R, C))"
                )
        reasons[strategy, move].append(tuple(sorted(squares)))
    found: dict[int, list[Firing]] = defaultdict(list)
    for atom in _atoms(model, "fires"):
        _, strategy, move = atom
        row, column = move_of(atom)
        weight = config.require_weight("moves", strategy)
        if rows.get(column) == row:  # what cannot be played has no score either
            because = tuple(sorted(set(reasons[strategy, move])))
            found[column].append(Firing(render(strategy), weight, because))
    return {
        column: tuple(sorted(firings, key=lambda f: (-abs(f.weight), f.strategy)))
        for column, firings in found.items()
    }
