"""Reviews of many games: which events a player misses and allows, how often, and when."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from advisor.advice.line_events import PlyEvent, events_along, first_apart
from advisor.advice.review import Review, Reviewed
from advisor.errors import InputError
from advisor.files import outfile
from advisor.games import rooms
from advisor.games.game import Game, Position
from advisor.lab.batch import Sharing, check_sharing, run
from advisor.library import arguments
from advisor.library.reviewing import review
from advisor.settings import grading
from advisor.settings.config import DEFAULT, fingerprint
from advisor.settings.grading import MARKS
from aspcircuits.clingo_api import Term
from aspcircuits.stopping import Stop
from aspcircuits.texts import file_name, quote_text

PHASES = ("opening", "middle", "end")
"""The first, second and last third of a game's moves."""

WIN, LOSS, NONE = "a forced win", "a forced loss", "no event"
"""Things that an error misses or allows, besides the kinds of events."""

_CLEAREST = 3
"""Positions of each kind that are shown: the positions of the worst errors."""

_SHORT = 3
"""A missed win of at most this many own moves is posed as a win; a longer one as its first move."""

Blamed = Literal["missed", "allowed"]


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """Errors with the same cause.

    >>> games = advisor.Summary(["4453"])
    >>> reviews = [*games]
    >>> [(kind.blamed, kind.event) for kind in games.kinds("allowed")]
    [('allowed', 'a forced loss')]

    Attributes:
        blamed: whether they missed or allowed it.
        event: the kind of event, such as ``forks``; or `WIN`, `LOSS` or `NONE`.
        errors: all of them, the worst first, as `Summary` yields them.
    """

    blamed: Blamed
    event: str
    errors: tuple[dict[str, Any], ...]

    @property
    def phases(self) -> dict[str, int]:
        """The number of errors in each phase of a game."""
        return {phase: sum(each["phase"] == phase for each in self.errors) for phase in PHASES}

    @property
    def clearest(self) -> tuple[dict[str, Any], ...]:
        """The worst errors in different positions."""
        worst: dict[str, dict[str, Any]] = {}
        for error in self.errors:
            worst.setdefault(error["position"], error)
        return (*worst.values(),)[:_CLEAREST]

    def to_json(self) -> dict[str, Any]:
        """Return the kind as ``review --summary --json`` gives it."""
        clearest = [
            {key: each[key] for key in each if key not in ("missed", "allowed", "file")}
            | each[self.blamed]
            for each in self.clearest
        ]
        phases = {"count": len(self.errors), "phases": self.phases}
        return {"event": self.event, **phases, "clearest": clearest}


class Summary:
    """Reviews of many games, and their errors by cause; iterate to make them.

    >>> games = advisor.Summary(["4453", "4455333"], player="o")
    >>> len([*games]), games.grades["blunder"]
    (2, 1)
    >>> [kind.event for kind in games.kinds("missed")]
    ['a forced win']

    Args:
        games: texts that `position` reads, or its results; or pairs of a title and one of these. An
            InputError in place of a game goes to `wrong`.
        player: the player whose errors count, by name or a part of it, or by side; by default both
            sides.
        game, constants, weights: see `load_game`; by default Connect Four.
        depth, engine, grades: of each, see `review`.
        sharing: the workers, and the file of finished results.

    Raises:
        InputError, ConfigError, EncodingError: an argument cannot be used; while iterating, an
            engine that fails. All games until then count.
        BatchError: workers or a file that cannot be used.
        KeyboardInterrupt: Ctrl-C, likewise.

    Attributes:
        done: the result of each game.
        wrong: games that could not be read or have no moves.
    """

    def __init__(
        self,
        games: Iterable[Any],
        *,
        player: str | None = None,
        game: str | None = None,
        constants: Mapping[str, int] | None = None,
        weights: str | None = DEFAULT,
        depth: int | None = None,
        engine: str | None = None,
        grades: str | os.PathLike[str] | None = None,
        sharing: Sharing | None = None,
    ) -> None:
        self._player = player
        self._games = games
        numbers = arguments.constants(constants)
        file = None if weights is None else arguments.path("weights", weights)
        named = rooms.name_game(arguments.path("game", game or rooms.USUAL), file, numbers)
        self._game: Game = rooms.load_once(named)
        limit = arguments.limit(depth, None)
        arguments.engine(engine, self._game)
        thresholds = None if grades is None else arguments.path("grades", grades)
        told = {
            "weights": fingerprint(self._game.settings),
            "depth": limit.depth,
            "engine": engine,
            "grades": grading.load(thresholds).model_dump(),
            "game": self._game.name,
            "const": numbers,
        }
        ask = partial(review, depth=limit.depth, engine=engine, grades=thresholds)
        self._work = partial(_review_game, named, ask)
        self._ready = check_sharing(sharing).ready("review --summary", told)
        self.done: list[dict[str, Any]] = []
        self.wrong: list[InputError] = []

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the result of each game as soon as it is known."""
        self.done, self.wrong = [], []
        for found in run(self._work, self._tasks(), *self._ready):
            self.done.append(found)
            yield found

    def _tasks(self) -> Iterator[str]:
        """Yield the games as texts: title, moves and the players' names."""
        for number, each in enumerate(self._games, 1):
            title, given = each if isinstance(each, tuple) else (f"game {number}", each)
            try:
                found = self._game.position(given) if isinstance(given, str) else given
            except InputError as error:
                found = error
            if isinstance(found, Position) and not found.played:
                found = InputError(f"{title}: no moves to review (give a game by its moves)")
            if isinstance(found, InputError):
                self.wrong.append(found)
            else:
                yield json.dumps([title, found.moves_line, found.people])

    @property
    def chosen(self) -> list[tuple[dict[str, Any], list[int]]]:
        """The games of the player, each with the player's sides there, 0 for the side that begins.

        Raises:
            InputError: there are none.
        """
        found = [(each, self._sides(each["people"])) for each in self.done]
        if self.done and not any(sides for _, sides in found):
            names = sorted({name for each in self.done for name in each["people"]})
            known = ", ".join([*names[:10], *(["..."] if len(names) > 10 else [])])
            raise InputError(f"`player`: no game of {quote_text(self._player or '')} (use {known})")
        return [(each, sides) for each, sides in found if sides]

    def _sides(self, people: Sequence[str]) -> list[int]:
        if self._player is None:
            return [0, 1]
        wanted = self._player.casefold()
        names = zip(people, self._game.players, strict=True)
        return [
            side
            for side, (name, own) in enumerate(names)
            if wanted in name.casefold() or wanted == own.casefold()
        ]

    @property
    def _player_sides(self) -> list[dict[str, Any]]:
        return [each["sides"][side] for each, sides in self.chosen for side in sides]

    @property
    def moves(self) -> int:
        """The number of the player's moves that were graded."""
        return sum(side["moves"] for side in self._player_sides)

    @property
    def accuracy(self) -> float | None:
        """The mean accuracy of these moves, see `Review`."""
        rated = [side for side in self._player_sides if side["moves"]]
        total = sum(side["moves"] * side["accuracy"] for side in rated)
        return total / self.moves if rated else None

    @property
    def grades(self) -> dict[str, int]:
        """The number of moves of each grade."""
        return {mark: sum(side["grades"][mark] for side in self._player_sides) for mark in MARKS}

    def kinds(self, blamed: Blamed) -> list[ErrorKind]:
        """Return the causes that errors missed or allowed, the most frequent first."""
        errors: dict[str, list[dict[str, Any]]] = {}
        for each, sides in self.chosen:
            for error in each["errors"]:
                if error["side"] in sides:
                    errors.setdefault(error[blamed]["event"], []).append(error)
        kinds = [
            ErrorKind(blamed, event, tuple(sorted(some, key=lambda error: -error["drop"])))
            for event, some in errors.items()
        ]
        return sorted(kinds, key=lambda kind: (kind.event == NONE, -len(kind.errors), kind.event))

    def export(self, folder: Path) -> list[Path]:
        """Write the clearest positions of all kinds as puzzles, each once, for `advisor quiz`.

        Args:
            folder: a new one, or an empty one.

        Raises:
            InputError: it holds files already, or cannot be written to.
        """
        check_empty(folder)
        outfile.make_folder(folder)
        texts: dict[str, str] = {}
        for kind in (*self.kinds("missed"), *self.kinds("allowed")):
            for error in kind.clearest:
                texts.setdefault(error["position"], error["file"])
        files = []
        for number, text in enumerate(texts.values(), 1):
            files.append(folder / f"{number}.yaml")
            outfile.write(files[-1], text.encode())
        return files

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``review --summary --json``."""
        accuracy = self.accuracy
        return {
            "game": self._game.name,
            "player": self._player,
            "games": len(self.chosen),
            "moves": self.moves,
            "accuracy": None if accuracy is None else round(accuracy, 1),
            "grades": self.grades,
            "missed": [kind.to_json() for kind in self.kinds("missed")],
            "allowed": [kind.to_json() for kind in self.kinds("allowed")],
        }


def check_empty(folder: Path) -> None:
    """Raise an InputError if a folder holds files already."""
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise InputError(f"{file_name(folder)}: holds files already (choose another folder)")


def _review_game(named: rooms.Named, ask: Any, task: str, stop: Stop) -> dict[str, Any]:
    """Review a game, and name what its errors missed and allowed."""
    title, moves, people = json.loads(task)
    position = rooms.load_once(named).position(moves)
    found: Review = ask(position, title=title, stop=stop)
    if found.failed:
        raise InputError(f"{title}: {found.failed}")
    stop.check()
    errors = [each for each in found.moves if each.error]
    return {
        "game": title,
        "people": people,
        "sides": [side.to_json() for side in found.sides],
        "errors": [_error(title, people, position, found.length, each, stop) for each in errors],
    }


def _error(
    title: str, people: Sequence[str], game: Position, length: int, move: Reviewed, stop: Stop
) -> dict[str, Any]:
    """Return an error in the form that a summary keeps."""
    path = [*game.positions]
    before, after = path[move.ply - 1 : move.ply + 1]
    refuted = move.refutation.line if move.refutation else ()
    played = (game.path[move.ply - 1], *_terms(after, refuted))
    better = _terms(before, move.instead)
    here, there = (events_along(before.abilities, line) for line in (played, better))
    allowed = _describe_event(before, played, first_apart(here.bad, there.bad))
    missed = _describe_event(before, better, first_apart(there.good, here.good))
    best, own = move.best, move.prospect
    if own.kind == "loss" != best.kind:
        allowed = {"event": LOSS, "text": f"{move.name} loses{_in(own.moves)}"}
    if best.kind == "win" != own.kind:
        missed = {"event": WIN, "text": f"{move.better[0]} wins{_in(best.moves)}"}
    numeral = move.before.numeral or f"{move.ply}."
    heading = f"{title}, {people[move.side]} played {numeral} {move.name}"
    return {
        "game": title,
        "ply": move.ply,
        "side": move.side,
        "phase": PHASES[(move.ply - 1) * len(PHASES) // length],
        "numeral": numeral,
        "move": move.name,
        "better": list(move.better),
        "grade": move.mark.grade,
        "drop": round(move.mark.drop, 4),
        "position": before.text,
        "missed": missed,
        "allowed": allowed,
        "file": _puzzle(before, move, heading, stop),
    }


def _terms(position: Position, names: Sequence[str]) -> tuple[Term, ...]:
    """Return the moves of a line from a position on."""
    found = []
    for name in names:
        found.append(position.read_typed(name))
        position = position.after(found[-1])
    return tuple(found)


def _describe_event(
    before: Position, line: Sequence[Term], found: PlyEvent | None
) -> dict[str, str]:
    """Describe an event by its kind, and in a sentence with the moves that lead to it."""
    if found is None:
        return {"event": NONE, "text": ""}
    ply, event = found
    *earlier, last = before.phrasing.names_along(line[: ply + 1])
    after = f"after {' '.join(earlier)}, " if earlier else ""
    return {"event": event.kind, "text": f"{after}{last} {event.text}"}


def _in(moves: int | None) -> str:
    return "" if moves is None else f" in {moves}"


def _puzzle(before: Position, move: Reviewed, heading: str, stop: Stop) -> str:
    """Return a position before an error as a puzzle's file: a short win, or else the best moves."""
    best, solution, win_in = move.best, list(move.better), 0
    if best.kind == "win" and 0 < (best.moves or 0) <= _SHORT:
        won = before.abilities.winning(best.moves or 0, stop)
        if won:
            solution, win_in = [str(before.names[each]) for each in won], best.moves or 0
    said = {"solution": solution} | ({"win_in": win_in} if win_in else {})
    _, lines = before.game.puzzle_maker.options_and_lines(before)
    told = "".join(f"{key}: {json.dumps(value)}\n" for key, value in said.items())
    return f"# {heading}\n{lines}{told}"
