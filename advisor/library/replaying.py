"""Puzzles that the advisor plays out: one move by move, or a whole book.

It plays against the defence that resists longest, or against every defence.
"""

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from advisor.advice import explain, facade
from advisor.advice.advice import Advice
from advisor.advice.choice import choose
from advisor.engine.search import search
from advisor.errors import InputError, at
from advisor.games import puzzles as files
from advisor.games import rooms, rules
from advisor.games.abilities import Abilities
from advisor.games.game import Position
from advisor.games.puzzles import Posed
from advisor.lab.batch import Sharing, check_sharing, run
from advisor.library import arguments
from advisor.library.puzzles import Puzzle, puzzle, puzzles
from advisor.limits import NO_LIMIT, Limit
from advisor.settings import reading
from advisor.settings.config import DEFAULT, fingerprint
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name

Attack = Callable[[Abilities], Term]
"""Picks the attacker's move in a position."""

Defence = Callable[[Abilities], Sequence[Term]]
"""Returns the replies that the attacker has to beat."""

_Line = tuple[bool, tuple[Term, ...]]
"""Whether the attacker wins, and the moves played."""


@dataclass(frozen=True, slots=True)
class PuzzleVerdict:
    """The outcome of a puzzle that was played out.

    Attributes:
        begun: its position.
        line: the moves played.
        moves_used: own moves until the win; None if there was none.
        seconds: for all moves of both sides.
    """

    puzzle: Posed
    begun: Abilities
    line: tuple[Term, ...]
    moves_used: int | None
    seconds: float

    @property
    def solved(self) -> bool:
        """Whether it was won in the book's number of moves."""
        return self.moves_used is not None and self.moves_used <= self.puzzle.win_in

    def to_json(self) -> dict[str, object]:
        line = [*map(self.begun.phrasing.code, self.line)]
        return {
            "id": self.puzzle.id,
            "win_in": self.puzzle.win_in,
            "solved": self.solved,
            "moves_used": self.moves_used,
            "first_move": line[0],
            "line": line,
            "seconds": round(self.seconds, 4),
        }


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a puzzle that was played out.

    Attributes:
        position: before it.
        name: as `play` takes it.
        player: the player who makes it, as sentences name the player.
        move: in words.
        reason: of an attacker's move, empty if there is none; None for a defence.
    """

    position: Position
    name: Any
    player: str
    move: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Replayed:
    """A puzzle that the advisor has played out.

    >>> found = advisor.replay("chapter1/1")
    >>> found.solved, [step.name for step in found.steps]
    (True, [3])

    Attributes:
        steps: all moves, in their order.
        end: the position after them.
        verdict: the outcome (internal).
    """

    puzzle: Puzzle
    steps: tuple[Step, ...]
    end: Position
    verdict: PuzzleVerdict = field(repr=False)

    @property
    def solved(self) -> bool:
        """Whether it was won in the book's number of moves."""
        return self.verdict.solved

    @property
    def moves_used(self) -> int | None:
        """Own moves until the win; None if there was none."""
        return self.verdict.moves_used

    def to_json(self) -> dict[str, Any]:
        """The object of ``puzzle --json``."""
        return self.verdict.to_json()


def replay(
    puzzle_id: str | Puzzle,
    *,
    game: str | None = None,
    weights: str = DEFAULT,
    depth: int | None = None,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Replayed:
    """Play out a puzzle against the defence that resists longest.

    >>> found = advisor.replay("chapter1/1")
    >>> found.solved, found.moves_used
    (True, 1)

    Args:
        puzzle_id, game: see `puzzle`; or a result of it.
        weights: a weights file or a preset.
        depth, seconds: of each look-ahead; by default as far as the win needs.

    Raises:
        InputError: there is no such puzzle, or an invalid depth or time.
        ConfigError, EncodingError: weights that cannot be used.
        KeyboardInterrupt: `stop` was set.
    """
    stop, limit = arguments.stop(stop), arguments.limit(depth, seconds)
    if isinstance(puzzle_id, Puzzle):
        game, puzzle_id = puzzle_id.position.game.source, puzzle_id.id
    posed = files.load(arguments.path("puzzle", puzzle_id), game)
    begun, enough = begin(posed, weights, limit)
    advices: dict[object, Advice] = {}

    def attack(at: Any) -> Term:
        advice = facade.advise(at, enough, 1, stop)
        stop.check()  # a verdict on half a look-ahead would be worthless
        advices[at.key] = advice
        return advice.chosen[0]

    verdict = play_out(posed, begun, attack, longest_defence(posed, stop))
    told, steps = puzzle(posed.id, game=game), []
    here, now = begun, told.position
    for move in verdict.line:
        advice = advices.get(here.key)
        reason = explain.main_reason(advice, move) if advice else None
        say, name = here.phrasing, now.names[move]
        steps.append(Step(now, name, say.player_name(say.turn), say.moves([move]), reason))
        here, now = here.after(move), now.play(name)
    return Replayed(told, tuple(steps), now, verdict)


class Book:
    """Puzzles that the advisor plays out, one after the other; iterate to play them.

    >>> book = advisor.Book("chapter1")
    >>> for verdict in book:
    ...     assert verdict["solved"]
    >>> book.total, len(book.verdicts)
    (30, 30)

    Args:
        place, game, chapter, extra: see `puzzles`.
        every_defence: play against all defences, not only the longest.
        weights, depth, seconds: see `replay`.
        sharing: the workers, and the file of finished results.

    Raises:
        InputError, ConfigError, EncodingError: an argument cannot be used.

    Attributes:
        total: puzzles.
        verdicts: of the finished puzzles, as `Replayed.to_json` gives them.
    """

    def __init__(
        self,
        place: str | None = None,
        *,
        game: str | None = None,
        chapter: int | None = None,
        extra: bool = False,
        every_defence: bool = False,
        weights: str = DEFAULT,
        depth: int | None = None,
        seconds: float | None = None,
        sharing: Sharing | None = None,
    ) -> None:
        limit = arguments.limit(depth, seconds)
        if place is not None and (chapter is not None or extra):
            raise InputError("`chapter` and `extra` are for the book alone, not for a folder")
        self._ids = puzzles(place, game=game, chapter=chapter, extra=extra)
        found = files.load(self._ids[0], game).game
        if game is not None and not rules.same(game, found):
            assert place is not None
            raise InputError(f"{file_name(place)}: puzzles of {found}, but `game` {game}")
        whose = None if found == rooms.USUAL else found
        settings = reading.load(weights, rooms.home(found))
        self._work = partial(_play, weights, limit, every_defence, whose)
        told = {
            "weights": fingerprint(settings),
            "depth": limit.depth,
            "time": limit.seconds,
            "all_defences": every_defence,
            **({} if whose is None else {"game": whose}),
            **({} if place is None else {"place": place}),
        }
        self._ready = check_sharing(sharing).ready("puzzles", told)
        self.total = len(self._ids)
        self.verdicts: list[dict[str, Any]] = []

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the verdict on each puzzle."""
        self.verdicts = []
        for verdict in run(self._work, self._ids, *self._ready):
            self.verdicts.append(verdict)
            yield verdict


def play_out(
    puzzle: Posed, begun: Abilities, attack: Attack, defence: Defence, max_moves: int | None = None
) -> PuzzleVerdict:
    """Play a puzzle out from its position, against every reply that the defence names.

    Of several lines, the verdict is on one that is not won within `max_moves` of the attacker (the
    player to move at the start), or otherwise on the longest line.
    """
    started = time.monotonic()
    known: dict[Hashable, _Line] = {}
    attacker = begun.phrasing.turn

    def worst(game: Abilities, moves_left: int) -> _Line:
        if game.key not in known:
            known[game.key] = _worst(game, moves_left)
        return known[game.key]

    def _worst(game: Abilities, moves_left: int) -> _Line:
        move = attack(game)
        after = game.after(move)
        if after.result is not None or (moves_left == 1 and not game.backfires):
            return _won_by(attacker, after), (move,)
        longest: _Line = (True, ())
        for reply in defence(after):
            reached = after.after(reply)
            won, rest = _won_by(attacker, reached), ()
            if reached.result is None and moves_left > 1:
                won, rest = worst(reached, moves_left - 1)
            line = (move, reply, *rest)
            if not won:
                return False, line
            longest = max(longest, (True, line), key=lambda found: len(found[1]))
        return longest

    won, line = worst(begun, max_moves or begun.root().plies_left)
    used = (len(line) + 1) // 2 if won else None
    return PuzzleVerdict(puzzle, begun, line, used, time.monotonic() - started)


def _won_by(player: int, game: Abilities) -> bool:
    """Return whether a player has won; the turn need not have passed after the last move."""
    wanted = "win" if game.phrasing.turn == player else "loss"
    return game.result is not None and game.result.kind == wanted


def longest_defence(puzzle: Posed, stop: Stop | None = None) -> Defence:
    """Return the defence with the replies that lose last.

    It looks ahead twice as deep as the book's number of moves, and raises a KeyboardInterrupt if
    stopped.
    """
    heard, depth = arguments.stop(stop), 2 * puzzle.win_in

    def defend(game: Abilities) -> list[Term]:
        found = search(game.root(), game.evaluator(heard), depth=depth, stop=heard)
        heard.check()
        legal = game.legal()
        return [legal[number] for number in found.best]

    return defend


def all_defences(game: Abilities) -> list[Term]:
    return [*game.legal().values()]


def begin(
    puzzle: Posed, weights: str = DEFAULT, limit: Limit = NO_LIMIT
) -> tuple[Abilities, Limit]:
    """Return the position of a puzzle with weights for the replay, and the limit of its search.

    By default the depth is that of the weights, or more if the win needs it: with the usual weights
    and no limit only the game's rules are loaded. A solution that is no move is an InputError.
    """
    alone = weights == DEFAULT and limit == NO_LIMIT
    named = rooms.name_game(puzzle.game, None if alone else weights, puzzle.constants)
    game = rooms.load_once(named)
    position = game.begin(puzzle.position)
    with at(puzzle.id):
        if not puzzle.win_in:
            raise InputError("asks for the best move alone, not for a win (quiz poses it)")
        for move in puzzle.solution:
            position.read_typed(str(move))
    begun = position.abilities
    needed = 2 * puzzle.win_in - 1 + begun.backfires - begun.foresees
    return begun, limit.with_default_depth(max(game.settings.depth or 0, needed))


def _play(
    weights: str, limit: Limit, every_defence: bool, game: str | None, puzzle_id: str, stop: Stop
) -> dict[str, Any]:
    """Return the verdict on the puzzle with an id."""
    posed = files.load(puzzle_id, game)
    begun, enough = begin(posed, weights, limit)

    def attack(position: Abilities) -> Term:
        found = choose(position, enough, stop, followed=False).move
        stop.check()
        return found

    defence = all_defences if every_defence else longest_defence(posed, stop)
    return play_out(posed, begun, attack, defence, posed.win_in).to_json()
