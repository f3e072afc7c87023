"""Settings: weights by name, the encodings that derive the names, and the depth."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from advisor.errors import ConfigError, EncodingError
from advisor.files import textfile
from advisor.files.resources import ENCODINGS, PRESETS, Versions, game_of, versions
from advisor.settings import texts
from advisor.settings.texts import Texts
from aspcircuits.clingo_api import Term, render
from aspcircuits.source import statements
from aspcircuits.texts import file_name

WeightTable = Mapping[Term, int]
"""A weight for each name; ``center: {0: 30}`` is the weight of ``("center", 0)``."""

WEIGHT_LIMIT = 10**6
"""Sums of weights have to stay within clingo's 32-bit integers."""

MAX_ENDGAME = 42
"""Squares of the standard board. Even with far fewer, hardly anything is proved in time."""

DEFAULT = "default"

OWN = ENCODINGS / "connect4"


def _own(*names: str) -> tuple[Path, ...]:
    return tuple(OWN / f"{name}.lp" for name in names)


_RULES = _own("board", "outcome", "threats")
_MOVES = (*_RULES, *_own("follow_up"))

KINDS = texts.KINDS

SEARCHES = ("look-ahead", "tree")
"""How moves are compared in games defined by rules: by features, or by a tree of random games."""


@dataclass(frozen=True, slots=True)
class Home:
    """A game as its settings see it: its own encodings, and the defaults of settings.

    Attributes:
        frames: per program ("moves", "features") the files that it is based on.
        knowledge: per program the files that derive its names, unless settings name others.
        nameable: its own encodings that a weights file may name.
        presets: its own weights files by name.
        given: atoms that a program gets as input, such as ``cell/3``.
        placeholders: in the sentence of a strategy, filled in for each move.
        depth: of settings without one; None for as deep as the time allows.
        by_rules: a game defined by rules alone; the other one is Connect Four, whose moves, players
            and predicates are known.
    """

    frames: Mapping[str, tuple[Path, ...]]
    knowledge: Mapping[str, tuple[Path, ...]]
    nameable: frozenset[Path]
    presets: Mapping[str, Path]
    given: tuple[str, ...]
    placeholders: tuple[str, ...]
    depth: int | None
    by_rules: bool

    @property
    def game(self) -> str:
        """Its name if it comes with the advisor, or the path of its folder."""
        return game_of(self.frames["moves"][0])

    @property
    def owner(self) -> str:
        """The owner of its own encodings, for errors."""
        return "the game's" if self.by_rules else "the advisor's"


_KNOWLEDGE = _own("strategy", "forced", "common", "position", "any_size", "areas", "runs")
CONNECT4 = Home(
    frames={
        "moves": (*_MOVES, *_own("suggest")),
        "features": (*_RULES, *_own("worth", "evaluate")),
    },
    knowledge={"moves": _own("strategy"), "features": _own("forced", "common", "position")},
    nameable=frozenset(_KNOWLEDGE),
    presets={file.stem: file for file in sorted(PRESETS.glob("*.yaml"))},
    given=("cell/3", "turn/1", "weight/2"),
    placeholders=texts.PLACEHOLDERS,
    depth=0,
    by_rules=False,
)


@dataclass(frozen=True, slots=True)
class Config:
    """Effective settings.

    Attributes:
        name: the preset or the file that they come from.
        depth: plies of look-ahead; 0 is the answer set of the one position.
        endgame: with at most this many empty squares, a search to the end of the game comes first
            if time, not depth, limits the thinking.
        other_boards: the preset whose knowledge and weights serve on boards that the weights were
            not learned on; None if they serve on all. As with the book, a file that changes weights
            or encodings has none unless it names one.
        book: a look-ahead keeps to the opening book and the solution of 7x6. A user's own weights
            and encodings are meant to be tried, so a file that changes any has no book unless it
            asks for it.
        search: one of `SEARCHES`; None for the first one if there are features, else the other.
        selective: a look-ahead may leave out moves that seem hopeless.
        knowledge: per program ("moves", "features") the files that derive its names.
        extra: per program the user's own files beside that knowledge.
        weights: per program the weight of every name.
        home: the game.
        versions: its files that do not come with the advisor, as they were when it was read.
    """

    name: str
    depth: int | None
    knowledge: Mapping[str, tuple[Path, ...]]
    endgame: int = 0
    book: bool = False
    other_boards: str | None = None
    search: str | None = None
    selective: bool = False
    extra: Mapping[str, tuple[Path, ...]] = field(default_factory=lambda: dict.fromkeys(KINDS, ()))
    weights: Mapping[str, WeightTable] = field(default_factory=lambda: {key: {} for key in KINDS})
    home: Home = field(default=CONNECT4, repr=False)
    versions: Versions = field(default=(), repr=False, compare=False)

    def __hash__(self) -> int:
        return hash(self.name)  # weights are not hashable

    def files(self, program: str) -> tuple[Path, ...]:
        """Return the encodings of a program: "moves" scores moves, "features" scores positions."""
        return (*self.home.frames[program], *self.derivers(program))

    def strategies(self) -> tuple[Path, ...]:
        """Return the encodings that derive strategies, with their base but without choice rules."""
        return (*_MOVES, *self.derivers("moves"))

    def derivers(self, program: str) -> tuple[Path, ...]:
        """Return the encodings that derive the names of a program, the user's own last."""
        return (*self.knowledge[program], *self.extra[program])

    def check_unchanged(self) -> Self:
        """Return the settings; raise an EncodingError if an encoding has changed since loading.

        Otherwise, some parts may already be compiled from the old text.
        """
        now = {*versions(file for file, *_ in self.versions)}
        encodings = {file for program in KINDS for file in self.files(program)}
        for version in self.versions:
            if version not in now and version[0] in encodings:
                name = file_name(version[0])
                raise EncodingError(f"{name}: is not what was loaded (load the game again)")
        return self

    @property
    def texts(self) -> Texts:
        """The meanings of its strategies and features, in words."""
        sources = (self.home.frames, self.knowledge, self.extra)
        return texts.read(
            (file for source in sources for files in source.values() for file in files),
            self.home.placeholders,
        )

    def require_weight(self, program: str, name: Term) -> int:
        """Return the weight of a name that an encoding derived; a ConfigError if it has none."""
        try:
            return self.weights[program][name]
        except KeyError:
            kind, word = KINDS[program], name if isinstance(name, str) else name[0]
            files = [file for file in self.derivers(program) if _mentions(file, str(word))]
            own = self.extra[program]
            derived = ", ".join(file_name(file if file in own else file.name) for file in files)
            raise ConfigError(
                f"{self.name}: {program}: no weight for {kind} '{render(name)}', "
                f"derived by {derived or 'its encodings'}"
            ) from None


def _mentions(file: Path, word: str) -> bool:
    """Return whether a rule of a file can derive a name with this word."""
    return re.search(rf"\b{re.escape(word)}\b", textfile.read_text(file)) is not None


def fingerprint(config: Config) -> str:
    """Return a text that differs if the settings or the contents of the encodings do."""
    files = {*(ENCODINGS.rglob("*.lp")), *config.files("moves"), *config.files("features")}
    contents = [(file.name, file.read_bytes()) for file in sorted(files)]
    programs = [[file.name for file in config.files(program)] for program in KINDS]
    elsewhere = config.other_boards and (PRESETS / f"{config.other_boards}.yaml").read_bytes()
    how = config.depth, config.endgame, config.book, config.search, config.selective
    parts = (how, elsewhere, contents, _weights(config), programs)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def content_without_layout(config: Config) -> str:
    """Return a text that ignores differences in comments, blanks and order."""
    rules = [sorted(each.text for each in statements(config.derivers(p))) for p in KINDS]
    how = config.depth, config.endgame, config.book, config.search, config.selective
    return repr((how, config.other_boards, _weights(config), rules))


def _weights(config: Config) -> list[tuple[str, list[str]]]:
    return [(program, sorted(map(repr, config.weights[program].items()))) for program in KINDS]
