"""What a game can do for an advice that has its rules and nothing more."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import accumulate
from math import hypot
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from advisor.asp.clingo_api import Term, render
from advisor.engine.below import played
from advisor.engine.forced_wins import ForcedWins
from advisor.engine.recurrences import identity
from advisor.engine.row_search import RowEvaluator, RowPosition, settling
from advisor.engine.search import FORCED, WIN
from advisor.errors import InputError
from advisor.games.abilities import Abilities, End, Firing, Scene
from advisor.games.bounds import Bounds, Solved
from advisor.games.by_notation import ByNotation
from advisor.games.candidates import candidates
from advisor.games.circuits import Circuits
from advisor.games.examples import sign
from advisor.games.marks import Marks
from advisor.games.playing import Playing
from advisor.games.score import Score
from advisor.games.solving import solve
from advisor.games.squares import Squares
from advisor.limits import POLL, Stop

_OPEN = Bounds(-WIN, WIN)


class RuleAbilities(Abilities):
    """See `advisor.games.abilities.Abilities`; an exact score counts the plies to the end."""

    ranked = True
    in_points = False

    def __init__(self, playing: Playing) -> None:
        self.position = playing
        self.phrasing = ByNotation(playing)
        self.weights = playing.game.weights
        self.strategic = bool(playing.game.strategies)
        self.alternates = playing.game.alternates

    @property
    def by_chance(self) -> Playing | None:
        """Where the search is to be a tree of random games."""
        return self.position if self.position.game.search == "tree" else None

    def serving(self, stop: Stop | None = None) -> AbstractContextManager[None]:
        return serving(self.position.game, stop)

    @property
    def result(self) -> Score | None:
        playing = self.position
        if not playing.over:
            return None
        if playing.winner is None:
            return Score("draw")
        return Score("win" if playing.winner == playing.turn else "loss", moves=0)

    @cached_property
    def _legal(self) -> dict[int, Term]:
        numbers = map(int, self.position.look.moves()[1])
        return {number: self.position.name(number) for number in numbers}

    @cached_property
    def _root(self) -> RowPosition:
        return self.position.position

    def legal(self) -> Mapping[int, Term]:
        """In the order of the rules."""
        return self._legal

    def root(self) -> RowPosition:
        """The state as a search takes it."""
        return self._root

    @property
    def follow(self) -> Literal["all"] | None:
        """None, but where a player may move twice: then moves of one's own are counted in them."""
        return None if self.position.game.alternates else "all"

    def deeper(self) -> int:
        return self.position.game.deeper(self.position.row)

    def evaluator(self, stop: Stop) -> RowEvaluator:
        """By the circuits of the rules and the features."""
        game = self.position.game
        return RowEvaluator(game, selective=game.selective)

    def seen(self, value: int, exhaustive: bool, line: Sequence[int]) -> Score:
        """With the plies, and the winner's own moves."""
        game = self.position.game
        if abs(value) >= FORCED:
            return self.won(value > 0, WIN - abs(value), line)
        if exhaustive:
            return Score("draw")
        return Score("heuristic", value=value if game.weights or game.strategies else None)

    def won(self, won: bool, plies: int, line: Sequence[int], within: bool = False) -> Score:
        """A win or a loss in so many plies, by a line to the end of the game."""
        if self.alternates:
            moves = (plies + 1) // 2
        else:  # those on the line of who then wins
            turns = [
                state.turn for state in accumulate(line, RowPosition.after, initial=self._root)
            ]
            moves = turns[:-1].count(turns[0] if won else 1 - turns[0])
        return Score("win" if won else "loss", moves, plies=plies, within=within)

    def told(self, line: Sequence[int]) -> tuple[Term, ...]:
        """As the first role sees the moves."""
        return self.position.moves_of(line)

    def ends(self, lines: Sequence[Sequence[int]]) -> Iterator[End]:
        """After the noisy moves that values are settled by."""
        for line in lines:
            whole = [*line, *settling(played(self._root, line))]
            held = self._features(played(self._root, whole))
            yield End(self.told(whole), held, added=len(whole) - len(line))

    def _features(self, end: RowPosition) -> Iterator[tuple[Term, int, Term]]:
        """Those that hold in a state: their names, whose they are, and where."""
        game = self.position.game
        rules = game.rules
        # Where states are seen by the side to move, the first role is whoever that is.
        exchanged = game.exchanges and end.turn == 1
        for _, feature, role, where in game.features(end.row):
            yield feature, rules.roles.index(role) ^ exchanged, rules.seen(where, exchanged)

    def firings(self, stop: Stop | None = None) -> Iterator[tuple[Term, Firing]]:
        """By the circuit of the strategies; what has no weight of its own does not count."""
        game, exchanged = self.position.game, self.position.exchanged
        if not game.strategies:
            return
        reasons: dict[tuple[Term, Term], set[Term]] = defaultdict(set)
        for _, strategy, *said in game.says(self.position.row):
            move, *places = (game.rules.seen(term, exchanged) for term in said)
            reasons[move, strategy].update(places)
        for (move, strategy), why in reasons.items():
            if weight := game.strategies[strategy]:
                yield move, Firing(render(strategy), weight, tuple(sorted(why, key=render)))

    def at_sight(self, move: Term) -> Bounds:
        """Nothing is."""
        return _OPEN

    def bounds(self, score: Score) -> Bounds:
        """By the plies; what takes at most so many may take fewer."""
        if score.kind == "heuristic":
            return _OPEN
        if score.kind == "draw":
            return Bounds(0, 0)
        least = 1 if score.plies is None else WIN - score.plies
        won = Bounds(least, WIN if score.within or score.plies is None else least)
        return won if score.kind == "win" else -won

    def forced(self, bounds: Bounds) -> Score | None:
        """With the plies, where they are known."""
        if bounds.outcome is None:
            return None
        least = bounds.lower if bounds.outcome == "win" else -bounds.upper
        if least < FORCED:
            return Score(bounds.outcome, proved=True)
        plies = WIN - least
        moves = (plies + 1) // 2 if self.position.game.alternates else None
        within = bounds.score is None
        return Score(bounds.outcome, moves, proved=True, plies=plies, within=within)

    @property
    def key(self) -> tuple[bytes, int]:
        """The state, and how many moves led there."""
        return self.position.row.tobytes(), len(self.position.moves)

    def find(self, typed: str, place: str = "") -> Term:
        """As the notation reads it."""
        return self.position.move(typed, place)

    def prepare(self, seconds: float) -> None:
        """Machine code of trees, if it is kept."""
        circuits = self.position.game
        if circuits.selective:
            circuits.prepare()
            circuits.tree.kept()
        if not circuits.weights:
            circuits.tree.grower(seconds)

    def from_middle(self, move: Term) -> float:
        """Of the last of the squares that it names; of a move without squares 0."""
        squares = _squares(self.position.game)
        shown = squares.shown(move)
        if not shown:
            return 0.0
        ends = [max(axis) for axis in zip(*squares.all, strict=True)]
        return hypot(*(2 * at - end - 1 for at, end in zip(shown[-1], ends, strict=True)))

    @property
    def likeness(self) -> str:
        """The state, counters apart that do not matter."""
        playing = self.position
        row = identity(playing.row, playing.game.counters).hex()
        return f"{playing.game.rules.name}:{playing.turn}:{row}"

    @property
    def puzzle_text(self) -> tuple[str, str]:
        rules = self.position.game.rules
        sizes = "".join(f" --const {key}={value}" for key, value in rules.constants.items())
        return f" --game {rules.source}{sizes}", self.position.file_text

    def candidates(
        self, win_in: int, seed: int, task: int, stop: Stop
    ) -> "Iterator[Sequence[RuleAbilities]]":
        """One of each game."""
        rng = np.random.default_rng((seed, task))
        for moves in [*candidates(self.position.game, win_in, rng, stop)]:
            state = self.position
            for number in moves:
                state = state.play(state.name(number))
            # By its text, so that what led there does not matter where a text does not tell it.
            yield [RuleAbilities(state.of(state.game, state.text))]

    def by_another_program(self, moves: int) -> set[str] | None:
        return self.position.by_another_program(moves)

    def wins(self, moves: int, stop: Stop) -> bool:
        """By the plainest search."""
        wins = ForcedWins(self.position.game, np.random.default_rng(0), stop)
        return bool(wins.within(self.position.row[None], moves)[0])

    def winning(self, moves: int, stop: Stop) -> list[Term]:
        """By the plainest search."""
        wins = ForcedWins(self.position.game, np.random.default_rng(0), stop)
        found = wins.first_moves(self.position.row, moves)
        return [self.position.name(number) for number in found]

    def after(self, move: Term) -> "RuleAbilities":
        return RuleAbilities(self.position.play(move))

    def backed_up(self, later: Bounds, mine: bool) -> Bounds:
        """A ply later."""
        bounds = Bounds(_later(later.lower), _later(later.upper))
        return bounds if mine else -bounds

    def scene(self, marks: Marks | None = None) -> Scene:
        """The state, with a move to point at if there is one."""
        playing = self.position

        def drawn() -> str | None:
            try:
                return playing.svg(marks)
            except InputError:
                return None

        return Scene(lambda: playing.rows, drawn, str, numbered=True)

    def certain(self, stop: Stop, on_progress: Callable[[Solved], None], jobs: int = 1) -> Solved:
        """By a search of every move to the end of the game."""
        found = solve(self.position, True, jobs, stop)
        moves = found.moves or {}
        return replace(found, moves={m: moves[name] for m, name in self.position.names.items()})


@lru_cache(maxsize=2)
def _squares(game: Circuits) -> Squares:
    return Squares(game.rules)


def _later(score: int) -> int:
    """The exact score of what takes a ply more; what is open stays so."""
    return score - sign(score) if FORCED <= abs(score) < WIN else score


_locks: WeakKeyDictionary[Circuits, threading.RLock] = WeakKeyDictionary()
_locking = threading.Lock()


@contextmanager
def serving(circuits: Circuits, stop: Stop | None = None) -> Iterator[None]:
    """Circuits work in memory of their own, so that one thread at a time is served.

    Raises:
        KeyboardInterrupt: `stop` was set while another thread was served.
    """
    with _locking:
        lock = _locks.setdefault(circuits, threading.RLock())
    while not lock.acquire(timeout=POLL):
        if stop is not None:
            stop.check()
    try:
        yield
    finally:
        lock.release()
