"""Puzzles of any game out of random games, by its rules alone.

A plain search over every move and reply says which first moves win; a look-ahead over the rules
has to find the same, and another program that knows the game, where there is one.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial

import numpy as np

from advisor.advice.facade import firings
from advisor.asp.clingo_api import Term
from advisor.engine.forced_wins import ForcedWins
from advisor.engine.playouts import random_moves
from advisor.engine.recurrences import identity
from advisor.engine.row_search import RowEvaluator
from advisor.engine.search import WIN, search
from advisor.errors import InputError
from advisor.games import knowledge, notations
from advisor.games.by_rules import RuleAbilities
from advisor.games.circuits import Circuits
from advisor.games.difficulty import Difficulty
from advisor.games.playing import Playing
from advisor.games.puzzles import text_of
from advisor.games.rules import read
from advisor.lab.batch import Work
from advisor.lab.posing.make import Found, Wanted, as_json
from advisor.limits import Stop

_GAMES = 64
"""Games of a task, which are played together."""

_OPENING = 12
"""Plies before which nobody looks for a puzzle; fewer in games with few moves, which are short."""

_PLIES = 90
_OF_A_PLY = 3
"""States that are looked at more closely after so many plies of all games."""


def key(playing: Playing) -> str:
    """What tells a position from others."""
    row = identity(playing.row, playing.game.counters).hex()
    return f"{playing.game.rules.name}:{playing.turn}:{row}"


def maker(game: str, constants: Mapping[str, int], wanted: Wanted) -> Work[list[dict[str, str]]]:
    """What looks through the games of a task, which is a number.

    Raises:
        InputError, EncodingError: the game cannot be read, or has no turns.
    """
    if not _games(game, tuple(constants.items()))[0].alternates:
        raise InputError(f"--game: {game}: puzzles need sides that take turns")
    return partial(_look, game, tuple(constants.items()), wanted)


@cache
def _games(game: str, constants: tuple[tuple[str, int], ...]) -> tuple[Circuits, Circuits]:
    """A game by its rules alone, and with what is known of it."""
    sizes = dict(constants)
    return Circuits(read(game, constants=sizes)), knowledge.load(game, constants=sizes)[0]


def _look(
    game: str,
    constants: tuple[tuple[str, int], ...],
    wanted: Wanted,
    task: str,
    stop: Stop,
) -> list[dict[str, str]]:
    bare, knowing = _games(game, constants)
    rng = np.random.default_rng((wanted.seed, int(task)))
    found = []
    for moves in _candidates(bare, wanted.win_in, rng, stop):
        state = Playing.begin(bare, notations.of(bare.rules).begin(""))
        for number in moves:
            state = state.play(state.name(number))
        posed = examine(bare, knowing, state.notation.position(state), wanted, stop)
        if posed is not None:
            found.append(posed)
    return as_json(found)


def _candidates(
    game: Circuits, win_in: int, rng: np.random.Generator, stop: Stop
) -> list[Sequence[int]]:
    """The moves that lead to states in which the side to move may win in so many, each of another
    game. In these games one side takes what it can, so that the other one has little left."""
    wins = ForcedWins(game, rng, stop)
    rows = np.repeat(game.start[None], _GAMES, 0)
    played = np.empty((_GAMES, 0), np.intp)
    taking = int(rng.integers(2))
    opening = min(_OPENING, len(game.rules.moves) // 4)
    found: list[Sequence[int]] = []
    for ply in range(_PLIES):
        stop.check()
        look = game.look(rows)
        going = np.flatnonzero(~look.over)
        rows, played, look = rows[going], played[going], look.take(going)
        if not len(rows):
            break
        if ply >= opening and ply % 2 == taking:
            won, narrow = wins.narrowly(rows, win_in)
            if not narrow:  # as where pieces are put on a board: replies are never few
                some = rng.permutation(len(rows))[:_OF_A_PLY]
                won = np.zeros(len(rows), np.bool_)
                won[some] = wins.within(rows[some], win_in)
            if win_in > 1 and won.any():
                sooner, _ = wins.narrowly(rows[won], win_in - 1)
                won[np.flatnonzero(won)[sooner]] = False
            chosen = np.flatnonzero(won)[:_OF_A_PLY]
            found += [played[i].tolist() for i in chosen]
            left = np.setdiff1d(np.arange(len(rows)), chosen)
            rows, played, look = rows[left], played[left], look.take(left)
            if not len(rows):
                break
        moves = random_moves(look, rng)
        if ply % 2 == taking and game.noisy_plies:
            noisy = game.noisy(rows)
            some = np.flatnonzero(noisy.counts())
            moves[some] = random_moves(noisy.take(some), rng)
        rows = game.step(rows, moves, look.turn)
        played = np.concatenate((played, moves[:, None]), axis=1)
    return found


def examine(
    bare: Circuits, knowing: Circuits, text: str, wanted: Wanted, stop: Stop
) -> Found | None:
    """The puzzle that a position poses, None if it is none that is wanted.

    Args:
        bare, knowing: the game by its rules alone, and with what is known of it.
        text: the position, whose game goes on.

    Raises:
        KeyboardInterrupt: it was to stop.
    """
    win_in = wanted.win_in
    state = Playing.of(bare, text)
    wins = ForcedWins(bare, np.random.default_rng(0), stop)
    if win_in > 1 and wins.within(state.row[None], win_in - 1)[0]:
        return None
    solution = {state.name(move) for move in wins.first_moves(state.row, win_in)}
    if not solution or (len(solution) > 1 and not wanted.many):
        return None
    if win_in > 1 and _first_choice(knowing, text, 2, stop) & solution:
        return None
    difficulty = _difficulty(state, knowing, win_in, solution, stop)
    if difficulty is None:
        return None
    _ask_others(state, text, win_in, solution)
    return Found(
        key(state), text_of(state, text, wanted.options, wanted.seed, win_in, solution, difficulty)
    )


def _first_choice(game: Circuits, text: str, depth: int, stop: Stop) -> set[Term]:
    """What the strategies choose, if there are any, and the look-ahead at this depth."""
    state = Playing.of(game, text)
    totals = _totals(state)
    chosen = {max(state.legal, key=lambda move: totals[move])} if game.strategies else set()
    if game.weights:
        chosen.add(_ahead(state, totals, depth, stop))
    return chosen


def _totals(state: Playing) -> dict[Term, int]:
    """What the strategies say of each move."""
    fires = firings(RuleAbilities(state))
    return {move: sum(f.weight for f in found) for move, found in fires.items()}


def _ahead(state: Playing, totals: Mapping[Term, int], depth: int, stop: Stop) -> Term:
    """What the look-ahead chooses."""
    position = state.position
    bonus = {move: totals[state.name(move)] for move in position.moves()}
    evaluator = RowEvaluator(state.game)
    found = search(position, evaluator, depth=depth, stop=stop, bonus=bonus, follow=None)
    stop.check()
    return state.name(found.best[0])


def _difficulty(
    state: Playing, knowing: Circuits, win_in: int, solution: set[Term], stop: Stop
) -> Difficulty | None:
    """What it takes to find the solution; the look-ahead over the rules has to find it.

    None where it finds a win that comes sooner, with a move of the other side.

    Only odd depths are asked, at which an own move comes last. One that has no features to go by
    finds nothing before it sees the win.
    """
    found = search(state.position, RowEvaluator(state.game), depth=2 * win_in - 1, stop=stop)
    stop.check()
    if found.value > WIN - (2 * win_in - 1):
        return None
    if found.value != WIN - (2 * win_in - 1) or state.name(found.best[0]) not in solution:
        raise AssertionError(f"{state.moves}: {solution} wins in {win_in}; look-ahead {found}")
    text = state.notation.position(state)
    depth = 2 * win_in - 1
    with_knowledge = Playing.of(knowing, text)
    totals = _totals(with_knowledge)
    if knowing.weights:
        while depth > 1 and _ahead(with_knowledge, totals, depth - 2, stop) in solution:
            depth -= 2
    tempting = 0
    if knowing.strategies:
        best = max(totals[move] for move in solution)
        tempting = sum(totals[move] > best for move in with_knowledge.legal if move not in solution)
    wins = ForcedWins(state.game, np.random.default_rng(0), stop)
    missed, here = 0, with_knowledge
    for number, move in enumerate(found.variation):
        if number % 2 == 0 and knowing.strategies:
            said = _totals(here)
            first = max(here.legal, key=lambda legal: said[legal])
            right = wins.first_moves(here.row, win_in - number // 2)
            missed += first not in {here.name(each) for each in right}
        here = here.play(here.name(move))
    return Difficulty(depth, missed / win_in, tempting)


def _ask_others(state: Playing, text: str, win_in: int, solution: set[Term]) -> None:
    other = notations.other_program(state.game.rules)
    if other is None:
        return
    codes = {state.notation.code(move) for move in solution}
    for moves, expected in ((win_in, codes), (win_in - 1, set[str]())):
        said = other(text, moves) if moves else None
        if said is not None and said != expected:
            raise AssertionError(f"{text}: {expected} in {moves}; another program: {said}")
