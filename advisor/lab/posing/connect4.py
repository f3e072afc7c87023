"""Puzzles of Connect Four out of games that are partly random.

The exact solver says who wins, how fast and by which first moves; the look-ahead has to find the
same by itself, and on the way tells how deep it had to look.
"""

from collections.abc import Sequence
from functools import partial
from random import Random

from advisor.advice.advise import Advisor
from advisor.engine.search import WIN, Result, search
from advisor.games.connect4.board import DISCS, Geometry, Position, geometry
from advisor.games.connect4.notation import to_yaml
from advisor.games.connect4.solver import Solver, score_of_win
from advisor.games.difficulty import Difficulty
from advisor.lab.batch import Work
from advisor.lab.posing.make import Found, Wanted, as_json
from advisor.limits import Limit, Stop
from advisor.settings.config import Config

_GAMES = 8
"""Games of a task."""

_CARE = (0.5, 0.9, 1.0)
"""How often, in one game or another, a move is chosen among those that win or do not lose at
once."""

_OF_A_GAME = 6
"""Positions of a game that are looked at."""

_OPENING = 1 / 6
"""The part of the board that is filled before anybody looks for a puzzle."""

_SEES = 2
"""So many plies beyond its depth the look-ahead sees wins and losses (``forced.lp``)."""


def key(position: Position) -> str:
    """What a position has in common with its mirror image, and with none else."""
    size = position.geometry
    board = f"{size.width}x{size.height}-{size.connect}"
    return f"{board}:{min(position.key, position.mirrored.key):x}"


def maker(config: Config, size: Geometry, wanted: Wanted) -> Work[list[dict[str, str]]]:
    """What looks through the games of a task, which is a number."""
    return partial(_look, Advisor(config), size.constants, wanted)


def _look(
    advisor: Advisor, size: dict[str, int], wanted: Wanted, task: str, stop: Stop
) -> list[dict[str, str]]:
    found = []
    for number in range(int(task) * _GAMES, (int(task) + 1) * _GAMES):
        rng = Random(f"{wanted.seed}/{number}")
        for position in _positions(rng, geometry(**size), wanted.win_in):
            posed = examine(advisor, position, wanted, stop)
            stop.check()
            if posed is not None:
                found.append(posed)
                break  # others of the same game would be much alike
    return as_json(found)


def _positions(rng: Random, size: Geometry, win_in: int) -> list[Position]:
    """Some positions of a game, in which the win may still take so long."""
    care = rng.choice(_CARE)
    position, seen = Position(size), []
    while position.result() is None and position.plies_left >= 2 * win_in - 1:
        at_once = position.wins_at_once()
        if position.discs >= _OPENING * size.squares and at_once == (win_in == 1):
            seen.append(position)
        moves = position.moves()
        if rng.random() < care:
            if at_once:
                break
            moves = position.candidates()
        position = position.after(rng.choice(sorted(moves)))
    return rng.sample(seen, min(_OF_A_GAME, len(seen)))


def winning(solver: Solver, position: Position, moves: int, stop: Stop) -> list[int]:
    """The columns after which the side to move wins within so many moves, this one included."""
    score = score_of_win(position, moves)
    return [
        column
        for column in sorted(position.moves())
        if not solver.at_least(position.after(column), 1 - score, stop)
    ]


def examine(advisor: Advisor, position: Position, wanted: Wanted, stop: Stop) -> Found | None:
    """The puzzle that a position poses, None if it is none that is wanted.

    Args:
        position: its game goes on.

    Raises:
        KeyboardInterrupt: it was to stop.
    """
    win_in, solver = wanted.win_in, advisor.knows.solver(position.geometry)
    if not solver.at_least(position, score_of_win(position, win_in), stop):
        return None
    if win_in > 1 and solver.at_least(position, score_of_win(position, win_in - 1), stop):
        return None
    solution = winning(solver, position, win_in, stop)
    if len(solution) > 1 and not wanted.many:
        return None
    # What the look-ahead sees to its end would be the choice of every depth.
    shallow = min(2, 2 * win_in - 2 - _SEES)
    if win_in > 1:
        for depth in {0, shallow}:
            if advisor.choose(position, Limit(depth), stop=stop) in solution:
                return None
    difficulty = _difficulty(advisor, position, win_in, solution, shallow, stop)
    return Found(key(position), _file(position, wanted, solution, difficulty))


def _difficulty(
    advisor: Advisor,
    position: Position,
    win_in: int,
    solution: Sequence[int],
    shallow: int,
    stop: Stop,
) -> Difficulty:
    """What it takes to find the solution; the look-ahead has to find it by itself."""
    strategies = advisor.knows.strategies(position.geometry, stop)
    evaluator = advisor.knows.evaluator(position.geometry, stop)
    totals = strategies.totals(position)
    tempting = _above(totals, solution)
    if shallow > 0:
        scored = search(
            position,
            evaluator,
            depth=shallow,
            stop=stop,
            every_move=True,
            bonus=totals,
            follow=None,
        )
        stop.check()
        tempting |= _above(scored.scores, solution)
    chosen = [advisor.choose(position, Limit(0), stop=stop)]

    def reached(result: Result) -> None:
        chosen.append(result.best[0])

    found = search(
        position,
        evaluator,
        depth=2 * win_in - 1,
        stop=stop,
        bonus=totals,
        on_iteration=reached,
    )
    stop.check()
    if found.value != WIN - (2 * win_in - 1) or found.best[0] not in solution:
        raise AssertionError(f"{position}: solver {win_in}, {solution}; look-ahead {found}")
    failing = [depth for depth, column in enumerate(chosen) if column not in solution]
    missed, here = 0, position
    for number, column in enumerate(found.variation):
        if number % 2 == 0:
            first = advisor.choose(here, Limit(0), stop=stop)
            left = win_in - number // 2
            missed += first not in winning(advisor.knows.solver(here.geometry), here, left, stop)
        here = here.after(column)
    return Difficulty(max(failing, default=-1) + 1, missed / win_in, len(tempting))


def _above(scores: dict[int, int], solution: Sequence[int]) -> set[int]:
    """The wrong moves with a higher score than every right one."""
    best = max(scores[column] for column in solution)
    return {column for column, score in scores.items() if score > best and column not in solution}


def _file(
    position: Position, wanted: Wanted, solution: Sequence[int], difficulty: Difficulty
) -> str:
    """The puzzle as a board file."""
    size = position.geometry
    moves = f"{wanted.win_in} move{'s' if wanted.win_in > 1 else ''}"
    size_option = f" --size {size.width}x{size.height} --connect {size.connect}"
    return (
        f"# {DISCS[position.turn]} to move wins in {moves}. Made by\n"
        f"# advisor puzzles make{size_option} {wanted.options}\n"
        f"{to_yaml(position)}"
        f"win_in: {wanted.win_in}\n"
        f"solution: [{', '.join(map(str, solution))}]\n"
        f"difficulty: {difficulty}\n"
        f"seed: {wanted.seed}\n"
    )
