"""Puzzles played out by the advisor: one move by move, or a whole book."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from advisor.advice import explain, facade
from advisor.advice.advice import Advice
from advisor.asp.clingo_api import Term
from advisor.errors import InputError
from advisor.files.textfile import file_name
from advisor.games import knowledge, rooms
from advisor.games import puzzles as files
from advisor.lab import replay as replaying
from advisor.lab.batch import Sharing
from advisor.lab.replay import Verdict
from advisor.library import arguments
from advisor.library.positions import Position
from advisor.library.puzzles import Puzzle, puzzle, puzzles
from advisor.limits import Stop
from advisor.settings import reading
from advisor.settings.config import DEFAULT, fingerprint


@dataclass(frozen=True, slots=True)
class Step:
    """A move of a puzzle that was played out.

    Attributes:
        position: before it.
        name: as `play` takes it.
        player: who makes it, as sentences name him.
        move: in words.
        reason: of a move of the attacker, empty if there is none to tell; None for a defence.
    """

    position: Position
    name: Any
    player: str
    move: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Replayed:
    """A puzzle that the advisor has played out.

    Attributes:
        puzzle: which one.
        steps: all moves, in their order.
        end: the position after them.
        verdict: how it went (internal).
    """

    puzzle: Puzzle
    steps: tuple[Step, ...]
    end: Position
    verdict: Verdict = field(repr=False)

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
    puzzle_id: str,
    *,
    game: str | None = None,
    weights: str = DEFAULT,
    depth: int | None = None,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Replayed:
    """A puzzle played out by the advisor, against the defence that resists longest.

    >>> found = advisor.replay("chapter1/1")
    >>> found.solved, found.moves_used
    (True, 1)

    Args:
        puzzle_id, game: see `puzzle`.
        weights: a weights file or a preset.
        depth, seconds: of each look-ahead; by default as far as the win needs.
        stop: ends it.

    Raises:
        InputError: there is no such puzzle, or a depth or a time that is none.
        ConfigError, EncodingError: weights that cannot be used.
        KeyboardInterrupt: it was to stop.
    """
    stop, limit = stop or Stop(), arguments.limit(depth, seconds)
    posed = files.load(puzzle_id, game)
    begun, usual = replaying.begin(posed, weights, limit)
    enough = replaying.enough(limit, posed, begun, usual)
    advices: dict[object, Advice] = {}

    def attack(at: Any) -> Term:
        advice = facade.advise(at, enough, 1, stop)
        stop.check()  # a verdict on half a look-ahead would be none
        advices[at.key] = advice
        return advice.chosen[0]

    verdict = replaying.replay(posed, begun, attack, replaying.longest_defence(posed, stop))
    told, steps = puzzle(puzzle_id, game=game), []
    here, now = begun, told.position
    for move in verdict.line:
        advice = advices.get(here.key)
        reason = explain.main_reason(advice, move) if advice else None
        say, name = here.phrasing, now.state.names[move]
        steps.append(Step(now, name, say.called(say.turn), say.moves([move]), reason))
        here, now = here.after(move), now.play(name)
    return Replayed(told, tuple(steps), now, verdict)


class Book:
    """Puzzles played out by the advisor, one after the other; iterated, it is done.

    >>> book = advisor.Book("chapter1")
    >>> for verdict in book:
    ...     assert verdict["solved"]
    >>> book.total, len(book.verdicts)
    (30, 30)

    Args:
        place, game, chapter, extra: see `puzzles`.
        every_defence: against all of them, not only the longest.
        weights, depth, seconds: see `replay`.
        sharing: who does it, and what is kept of it.

    Raises:
        InputError, ConfigError, EncodingError: what cannot be used.

    Attributes:
        total: puzzles.
        verdicts: of those that are done, as `Replayed.to_json` gives them.
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
        limit, self._sharing = arguments.limit(depth, seconds), sharing or Sharing()
        if place is not None and (chapter is not None or extra):
            raise InputError("--chapter and --extra are for the book alone, not for a folder")
        self._ids = puzzles(place, game=game, chapter=chapter, extra=extra)
        found = files.load(self._ids[0], game).game
        if game not in (None, found):
            assert place is not None
            raise InputError(f"{file_name(place)}: puzzles of {found}, but --game {game}")
        whose = None if found == rooms.USUAL else found
        settings = reading.load(weights) if whose is None else knowledge.settings(whose, weights)
        self._work = replaying.player(weights, limit, every_defence, whose)
        self._run = {
            "weights": fingerprint(settings),
            "depth": limit.depth,
            "time": limit.seconds,
            "all_defences": every_defence,
            **({} if whose is None else {"game": whose}),
            **({} if place is None else {"place": place}),
        }
        self.total = len(self._ids)
        self.verdicts: list[dict[str, Any]] = []

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The verdict on each puzzle."""
        for verdict in self._sharing.run(self._work, self._ids, "puzzles", self._run):
            self.verdicts.append(verdict)
            yield verdict
