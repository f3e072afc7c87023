"""Makes puzzles: wins in exactly a given number of moves, proved twice, each in a file.

They are found in games that are partly random. Each game has its own randomness, so a seed makes
the same puzzles, whatever the workers and the interruptions. The game's certain knowledge decides
who wins, how fast and by which first moves: the exact solver, or a plain search over every move and
reply. The look-ahead has to find the same, and thereby shows how deep it had to look; so has
another program that knows the game, if there is one.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count, takewhile
from pathlib import Path

from advisor.advice.choice import choose
from advisor.engine.search import WIN, Result, search
from advisor.errors import FaultError, InputError
from advisor.files import outfile
from advisor.games import puzzles, rooms
from advisor.games.abilities import Abilities
from advisor.games.game import Position
from advisor.games.position_file import Difficulty
from advisor.games.puzzle_making import PuzzleMaker
from advisor.lab.batch import Sharing, Work, check_sharing, run
from advisor.lab.journal import Journal
from advisor.library import arguments
from advisor.limits import MAX_WIN, Limit
from advisor.settings.config import DEFAULT
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name

JOURNAL = "made.jsonl"
"""The file beside the puzzles: what was found in which games."""

_PATIENCE = 40_000
"""Games without a puzzle after which the search ends."""

_SHALLOW = 2
"""Plies at which the look-ahead must not choose the solution yet."""

FoundPuzzle = dict[str, str]
"""A puzzle: "key", equal for a position and its mirror image, and "text", of its file."""


class Posing:
    """Makes puzzles; iterate to make them.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     posing = advisor.Posing(folder, 2, 1, constants={"width": 5, "height": 4, "connect": 3})
    ...     for file in posing:
    ...         print(file.name, advisor.puzzle(str(file)).win_in)
    1.yaml 2

    Args:
        folder: a new folder, in which each puzzle becomes a file.
        win_in: the side to move wins in this many own moves, and not sooner.
        count: number of puzzles.
        many: allow several first moves that win equally fast.
        game, constants: see `load_game`.
        seed: of all random choices; an equal seed makes equal puzzles.
        resume: go on in the folder of an earlier run with the same arguments.
        sharing: the workers; finished results are in the folder.

    Raises:
        InputError, EncodingError: an argument cannot be used.

    Attributes:
        total: number of puzzles wanted.
        known: keys of positions to avoid: the puzzles that come with the game.
        files: the files made so far.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        win_in: int,
        count: int,
        *,
        many: bool = False,
        game: str | None = None,
        constants: Mapping[str, int] | None = None,
        seed: int = 1,
        resume: bool = False,
        sharing: Sharing | None = None,
    ) -> None:
        self._folder, self.total = Path(folder), arguments.whole("count", count, 1, 100_000)
        _check_new(self._folder, resume)
        numbers = arguments.constants(constants)
        win_in, seed = arguments.whole("win_in", win_in, 1, MAX_WIN), arguments.seed(seed)
        self._many = many
        self._work, self._games = finder(game, numbers, WantedPuzzles(win_in, seed, many))
        posed = [puzzles.load(name, game) for name in puzzles.ids(game)]
        # Puzzles of the same seed are made again.
        self.known = {likeness(each) for each in posed if each.seed != seed}
        self._workers = check_sharing(sharing).workers
        outfile.make_folder(self._folder)
        told = {"win_in": win_in, "seed": seed, "game": game, "const": numbers}
        made = {"command": "puzzles make", **told, "many": many}
        self._journal = Journal(self._folder / JOURNAL, made)
        self.files: list[Path] = []
        self.hear(lambda _: None)

    def hear(self, tell: Callable[[str], None]) -> None:
        """From now on, call `tell` with the number of games searched."""
        self._tell = tell

    def __iter__(self) -> Iterator[Path]:
        """Yield each file as it is written; an existing one is kept.

        Raises:
            InputError: none is found for very long, or a file cannot be written.
        """
        self.files, seen, last = [], set(self.known), 0
        patience = _PATIENCE // self._games
        tasks: Iterable[str] = map(str, takewhile(lambda task: task - last < patience, count()))
        for task, results in enumerate(run(self._work, tasks, self._workers, self._journal)):
            self._tell(f"game {(task + 1) * self._games:,}")
            for found in results:
                if found["key"] in seen:
                    continue
                seen.add(found["key"])
                last = task
                file = self._folder / f"{len(self.files) + 1}.yaml"
                if not file.exists():
                    outfile.write(file, found["text"].encode())
                self.files.append(file)
                yield file
                if len(self.files) == self.total:
                    return
        several = "" if self._many else ", and one first move is right; `many` allows several"
        raise InputError(
            f"found only {len(self.files)} of {self.total} such puzzles (in a puzzle the "
            f"strategies and a short look-ahead choose a wrong move{several})"
        )


def _check_new(folder: Path, resume: bool) -> None:
    """Check that a folder is new or empty or, to `resume`, that of a run; before any work."""
    name, begun = file_name(folder), (folder / JOURNAL).is_file()
    if resume and not begun:
        raise InputError(f"{name}: nothing to resume (no {JOURNAL} there; leave out `resume`)")
    try:
        if not resume and folder.exists() and any(folder.iterdir()):
            hint = "choose another folder"
            if begun:
                hint = "`resume` goes on with it, if it is of the same run"
            raise InputError(f"{name}: holds files already ({hint})")
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class WantedPuzzles:
    """The kind of puzzles wanted; see `Posing`."""

    win_in: int
    seed: int
    many: bool = False


def finder(
    game: str | None, constants: Mapping[str, int], wanted: WantedPuzzles
) -> tuple[Work[list[FoundPuzzle]], int]:
    """Return the function that searches the games of a task, and the number of these games.

    Raises:
        InputError: the game has no turns, or none of its games is long enough for such a win.
    """
    bare, knowing = (rooms.name_game(game, weights, constants) for weights in (None, DEFAULT))
    begun = rooms.load_once(bare)
    if not begun.position().abilities.alternates:
        raise InputError(f"`game`: {game}: puzzles need sides that take turns")
    maker: PuzzleMaker = begun.puzzle_maker
    if why := maker.no_room(2 * wanted.win_in - 1):
        raise InputError(f"`win_in`: {wanted.win_in} moves {why}")
    return partial(_look, bare, knowing, wanted), maker.games_of_task


def likeness(posed: puzzles.Posed) -> str:
    """Return the likeness of a puzzle; see `PuzzleMaker.likeness`."""
    game = rooms.load_once(rooms.name_game(posed.game, None, posed.constants))
    found: str = game.puzzle_maker.likeness(game.begin(posed.position))
    return found


def _look(
    bare: rooms.Named, knowing: rooms.Named, wanted: WantedPuzzles, task: str, stop: Stop
) -> list[FoundPuzzle]:
    maker: PuzzleMaker = rooms.load_once(bare).puzzle_maker
    knows, found = rooms.load_once(knowing), []
    for positions in maker.candidates(wanted.win_in, wanted.seed, int(task), stop):
        for position in positions:
            posed = _examine(maker, position, knows.see(position), wanted, stop)
            stop.check()
            if posed is not None:
                found.append(posed)
                break  # others of the same game would be much alike
    return found


def _examine(
    maker: PuzzleMaker, position: Position, knowing: Abilities, wanted: WantedPuzzles, stop: Stop
) -> FoundPuzzle | None:
    """Return the puzzle that a position poses, by the rules and by knowledge; None if none."""
    win_in, bare = wanted.win_in, position.abilities
    if not bare.wins(win_in, stop) or (win_in > 1 and bare.wins(win_in - 1, stop)):
        return None
    solution = bare.winning(win_in, stop)
    if len(solution) > 1 and not wanted.many:
        return None
    # The solution would be the choice of every depth that sees its end.
    shallow = min(_SHALLOW, 2 * win_in - 2 - bare.foresees)
    if win_in > 1:
        depths = [0] * knowing.strategic + [shallow] * (shallow > 0 and bool(knowing.weights))
        if any(_choose_move(knowing, depth, stop) in solution for depth in depths):
            return None
    difficulty = _difficulty(bare, knowing, win_in, solution, shallow, stop)
    codes = set(map(bare.phrasing.code, solution))
    for moves, expected in ((win_in, codes), (win_in - 1, set())):
        said = maker.by_another_program(position, moves) if moves else None
        if said is not None and said != expected:
            told = f"{position!r}: {expected} in {moves}; another program finds {said}"
            raise FaultError(told)
    options = f"--win-in {win_in} --seed {wanted.seed}{' --many' if wanted.many else ''}"
    text = puzzles.text_of(position, options, wanted.seed, win_in, solution, difficulty)
    return {"key": maker.likeness(position), "text": text}


def _choose_move(game: Abilities, depth: int, stop: Stop) -> Term:
    """Return the choice of the strategies, or of a look-ahead of `depth` plies with them."""
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
) -> Difficulty:
    """Return how hard the solution is to find; the look-ahead has to find it by itself."""
    root, legal, totals = knowing.root(), knowing.legal(), knowing.totals(stop)
    evaluator, soonest = knowing.evaluator(stop), 2 * win_in - 1
    latest = soonest + knowing.backfires
    bonus = {number: totals[move] for number, move in legal.items()}
    tempting = _overrated_moves(totals, solution)
    if shallow > 0 and knowing.weights:
        scored = search(
            root, evaluator, depth=shallow, stop=stop, every_move=True, bonus=bonus, follow=None
        )
        stop.check()
        tempting |= _overrated_moves(
            {legal[n]: score for n, score in scored.scores.items()}, solution
        )
    chosen = [_choose_move(knowing, 0, stop)]

    def note_choice(result: Result) -> None:
        chosen.append(legal[result.best[0]])

    found = search(root, evaluator, depth=latest, stop=stop, bonus=bonus, on_iteration=note_choice)
    stop.check()
    plies = WIN - found.value
    if not soonest <= plies <= latest or legal[found.best[0]] not in solution:
        told = f"{bare.position!r}: {solution} wins in {win_in}; the look-ahead finds {found}"
        raise FaultError(told)
    # A look-ahead without features finds nothing before it sees the win.
    depth = plies
    if knowing.weights:
        depth = 1 + max((d for d, move in enumerate(chosen) if move not in solution), default=-1)
    missed, here, proved = 0, knowing, bare
    for number, move in enumerate(knowing.moves_of_line(found.variation)):
        if number % 2 == 0 and knowing.strategic:
            right = proved.winning(win_in - number // 2, stop)
            missed += _choose_move(here, 0, stop) not in right
        here, proved = here.after(move), proved.after(move)
    return Difficulty(depth, missed / win_in, len(tempting))


def _overrated_moves(scores: Mapping[Term, int], solution: Collection[Term]) -> set[Term]:
    """Return the wrong moves with a higher score than every right one."""
    best = max(scores[move] for move in solution)
    return {move for move, score in scores.items() if score > best and move not in solution}
