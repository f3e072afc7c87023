"""Puzzles of any game out of games that are partly random.

What the game knows for certain says who wins, how fast and by which first moves: the exact solver,
or a plain search over every move and reply. The look-ahead has to find the same, and on the way
tells how deep it had to look; so has another program that knows the game, where there is one.
"""

from collections.abc import Collection, Mapping
from functools import cache, partial

from advisor.advice.choice import choose
from advisor.asp.clingo_api import Term
from advisor.engine.search import WIN, Result, search
from advisor.errors import InputError
from advisor.games import puzzles, rooms
from advisor.games.abilities import Abilities
from advisor.games.difficulty import Difficulty
from advisor.games.room import Room
from advisor.lab.batch import Work
from advisor.lab.posing.make import Found, Wanted, as_json
from advisor.limits import Limit, Stop

_SHALLOW = 2
"""Plies at which the look-ahead must not choose the solution yet."""


def maker(
    game: str | None, constants: Mapping[str, int], wanted: Wanted
) -> Work[list[dict[str, str]]]:
    """What looks through the games of a task, which is a number.

    Args:
        game: a name or a folder; None for the usual one.
        constants: numbers that its rules leave open.
        wanted: which puzzles.

    Raises:
        InputError, EncodingError: the game cannot be read, or has no turns; wins so long do not
            fit on its board.
    """
    sizes = tuple(constants.items())
    begun = _rooms(game, sizes)[0].see("")
    if not begun.alternates:
        raise InputError(f"--game: {game}: puzzles need sides that take turns")
    if 2 * wanted.win_in - 1 > begun.root().plies_left:
        raise InputError(f"--win-in: {wanted.win_in} moves do not fit on this board")
    return partial(_look, game, sizes, wanted)


def known(game: str | None, seed: int) -> set[str]:
    """What tells the positions of the puzzles that come with a game from others, but for those that
    the same seed has made: these are made again."""
    posed = [puzzles.load(name, game) for name in puzzles.ids(game)]
    return {likeness(each) for each in posed if each.seed != seed}


def likeness(posed: puzzles.Posed) -> str:
    """See `Abilities.likeness`."""
    return _rooms(posed.game, tuple(posed.constants.items()))[0].see(posed.position).likeness


@cache
def _rooms(game: str | None, constants: tuple[tuple[str, int], ...]) -> tuple[Room, Room]:
    """A game by its rules alone, and with what is known of it."""
    sizes = dict(constants)
    return rooms.load(game, None, sizes), rooms.load(game, constants=sizes)


def _look(
    game: str | None,
    constants: tuple[tuple[str, int], ...],
    wanted: Wanted,
    task: str,
    stop: Stop,
) -> list[dict[str, str]]:
    bare, knowing = _rooms(game, constants)
    found = []
    for positions in bare.see("").candidates(wanted.win_in, wanted.seed, int(task), stop):
        for position in positions:
            posed = examine(position, knowing.see(position.position), wanted, stop)
            stop.check()
            if posed is not None:
                found.append(posed)
                break  # others of the same game would be much alike
    return as_json(found)


def examine(bare: Abilities, knowing: Abilities, wanted: Wanted, stop: Stop) -> Found | None:
    """The puzzle that a position poses, None if it is none that is wanted.

    Args:
        bare, knowing: a position whose game goes on, by the rules alone and with what is known.
        wanted: as said.
        stop: ends it.

    Raises:
        KeyboardInterrupt: it was to stop.
    """
    win_in = wanted.win_in
    if not bare.wins(win_in, stop) or (win_in > 1 and bare.wins(win_in - 1, stop)):
        return None
    solution = bare.winning(win_in, stop)
    if len(solution) > 1 and not wanted.many:
        return None
    # What the look-ahead sees to its end would be the choice of every depth.
    shallow = min(_SHALLOW, 2 * win_in - 2 - bare.foresees)
    if win_in > 1:
        depths = [0] * knowing.strategic + [shallow] * (shallow > 0 and bool(knowing.weights))
        for depth in depths:
            if _chosen(knowing, depth, stop) in solution:
                return None
    difficulty = _difficulty(bare, knowing, win_in, solution, shallow, stop)
    if difficulty is None:
        return None
    _ask_others(bare, win_in, solution)
    text = puzzles.text_of(bare, wanted.options, wanted.seed, win_in, solution, difficulty)
    return Found(bare.likeness, text)


def _chosen(game: Abilities, depth: int, stop: Stop) -> Term:
    """What the strategies choose, or with them the look-ahead of so many plies."""
    found = choose(game, Limit(depth), stop, followed=False)
    stop.check()
    return found.move


def _difficulty(
    bare: Abilities,
    knowing: Abilities,
    win_in: int,
    solution: Collection[Term],
    shallow: int,
    stop: Stop,
) -> Difficulty | None:
    """What it takes to find the solution; the look-ahead has to find it by itself.

    None where it finds a win that comes sooner, with a move of the other side.
    """
    root, legal, totals = knowing.root(), knowing.legal(), knowing.totals(stop)
    evaluator, plies = knowing.evaluator(stop), 2 * win_in - 1
    bonus = {number: totals[move] for number, move in legal.items()}
    tempting = _above(totals, solution)
    if shallow > 0 and knowing.weights:
        scored = search(
            root, evaluator, depth=shallow, stop=stop, every_move=True, bonus=bonus, follow=None
        )
        stop.check()
        tempting |= _above({legal[n]: score for n, score in scored.scores.items()}, solution)
    chosen = [_chosen(knowing, 0, stop)]

    def reached(result: Result) -> None:
        chosen.append(legal[result.best[0]])

    found = search(root, evaluator, depth=plies, stop=stop, bonus=bonus, on_iteration=reached)
    stop.check()
    if found.value > WIN - plies:
        return None
    if found.value != WIN - plies or legal[found.best[0]] not in solution:
        raise AssertionError(f"{bare.position}: {solution} wins in {win_in}; look-ahead {found}")
    # A look-ahead that has no features to go by finds nothing before it sees the win.
    depth = plies
    if knowing.weights:
        depth = 1 + max((d for d, move in enumerate(chosen) if move not in solution), default=-1)
    missed, here, proved = 0, knowing, bare
    for number, move in enumerate(knowing.told(found.variation)):
        if number % 2 == 0 and knowing.strategic:
            right = proved.winning(win_in - number // 2, stop)
            missed += _chosen(here, 0, stop) not in right
        here, proved = here.after(move), proved.after(move)
    return Difficulty(depth, missed / win_in, len(tempting))


def _above(scores: Mapping[Term, int], solution: Collection[Term]) -> set[Term]:
    """The wrong moves with a higher score than every right one."""
    best = max(scores[move] for move in solution)
    return {move for move, score in scores.items() if score > best and move not in solution}


def _ask_others(game: Abilities, win_in: int, solution: Collection[Term]) -> None:
    codes = set(map(game.phrasing.code, solution))
    for moves, expected in ((win_in, codes), (win_in - 1, set())):
        said = game.by_another_program(moves) if moves else None
        if said is not None and said != expected:
            raise AssertionError(f"{game.position}: {expected} in {moves}; another program: {said}")
