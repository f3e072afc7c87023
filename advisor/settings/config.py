"""What settings are: weights by name, the encodings that derive the names, and how far to look."""

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
from aspcircuits.texts import file_name

WeightTable = Mapping[Term, int]
"""A weight for each name; ``center: {0: 30}`` is the weight of ``("center", 0)``."""

WEIGHT_LIMIT = 10**6
"""Sums of weights have to stay within clingo's 32-bit integers."""

MAX_ENDGAME = 42
"""Squares of the standard board. From far fewer on hardly anything is proved in time."""

DEFAULT = "default"

OWN = ENCODINGS / "connect4"


def _own(*names: str) -> tuple[Path, ...]:
    return tuple(OWN / f"{name}.lp" for name in names)


_RULES = _own("board", "outcome", "threats")
_MOVES = (*_RULES, *_own("follow_up"))

KINDS = texts.KINDS

SEARCHES = ("look-ahead", "tree")
"""How moves are compared in games that are given by their rules: by their features, or by random
games in a tree."""


@dataclass(frozen=True, slots=True)
class Home:
    """A game as its settings see it: its own encodings, and what settings begin with.

    Attributes:
        frames: per program ("moves", "features") the files that it rests on.
        knowledge: per program the files that derive its names, unless settings name others.
        nameable: those of its own encodings that a weights file may name.
        presets: its own weights files by name.
        given: what comes from outside a program, as ``cell/3``.
        placeholders: what the sentence of a strategy may have filled in for each move.
        depth: of settings that name none; None for as deep as the time allows.
        by_rules: a game that is given by its rules alone; the others are Connect Four, whose moves,
            players and predicates are known.
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
        """Whose its own encodings are, in errors."""
        return "the game's" if self.by_rules else "the advisor's"


CONNECT4 = Home(
    frames={
        "moves": (*_MOVES, *_own("suggest")),
        "features": (*_RULES, *_own("worth", "evaluate")),
    },
    knowledge={"moves": _own("strategy"), "features": _own("forced", "position")},
    nameable=frozenset(_own("strategy", "forced", "position", "any_size", "areas", "runs")),
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
        endgame: from so many empty squares on, a search to the end of the game comes first where
            not depth but time limits the thinking.
        other_boards: the preset whose knowledge and weights are used on boards that the weights
            were not learned on; None if they serve on all. As with the book, a file that changes
            weights or encodings goes without unless it names one.
        book: a look-ahead keeps to the opening book and the solution of 7x6. Weights and encodings
            of one's own are there to be tried, so a file that changes any goes without unless it
            asks for the book.
        search: one of `SEARCHES`; None for the first one if there are features, else the other.
        selective: a look-ahead may leave out what seems hopeless.
        knowledge: per program ("moves", "features") the files that derive its names.
        extra: per program the user's own files beside that knowledge.
        weights: per program the weight of every name.
        home: the game.
        versions: its files that do not come with the advisor, as they stood when it was read.
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
        return hash(self.name)  # weights have none

    def files(self, program: str) -> tuple[Path, ...]:
        """The encodings of a program: "moves" scores moves, "features" scores positions."""
        return (*self.home.frames[program], *self.derivers(program))

    def strategies(self) -> tuple[Path, ...]:
        """The encodings that derive strategies, with all that they build on but no choice."""
        return (*_MOVES, *self.derivers("moves"))

    def derivers(self, program: str) -> tuple[Path, ...]:
        """Those of its encodings that derive its names, the user's own last."""
        return (*self.knowledge[program], *self.extra[program])

    def unchanged(self) -> Self:
        """Itself; an EncodingError once an encoding is not what was loaded, half of which may be
        compiled already."""
        now = {*versions(file for file, *_ in self.versions)}
        encodings = {file for program in KINDS for file in self.files(program)}
        for version in self.versions:
            if version not in now and version[0] in encodings:
                name = file_name(version[0])
                raise EncodingError(f"{name}: is not what was loaded (load the game again)")
        return self

    @property
    def texts(self) -> Texts:
        """What its strategies and features mean, in words."""
        sources = (self.home.frames, self.knowledge, self.extra)
        return texts.read(
            (file for source in sources for files in source.values() for file in files),
            self.home.placeholders,
        )

    def require_weight(self, program: str, name: Term) -> int:
        """The weight of a name that an encoding derived; a ConfigError if it has none."""
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
    """Whether a rule of a file can derive a name with this word."""
    return re.search(rf"\b{re.escape(word)}\b", textfile.read_text(file)) is not None


def fingerprint(config: Config) -> str:
    """A text that differs wherever the settings or the contents of the encodings do."""
    files = {*(ENCODINGS.rglob("*.lp")), *config.files("moves"), *config.files("features")}
    contents = [(file.name, file.read_bytes()) for file in sorted(files)]
    weights = [(program, sorted(map(repr, config.weights[program].items()))) for program in KINDS]
    programs = [[file.name for file in config.files(program)] for program in KINDS]
    elsewhere = config.other_boards and (PRESETS / f"{config.other_boards}.yaml").read_bytes()
    how = config.depth, config.endgame, config.book, config.search, config.selective
    parts = (how, elsewhere, contents, weights, programs)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
