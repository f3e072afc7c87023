"""Checks that everything installed works, and finds the machine code.

Another process does what may crash (importing a package, reading a game).
"""

import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from advisor import extras
from advisor.engine.compiled import KERNEL
from advisor.engine.compiled_playouts import PLAYOUTS, UCT
from advisor.engine.compiled_selective import SELECTIVE
from advisor.engine.rows import perft
from advisor.errors import InputError
from advisor.games import knowledge, rooms
from advisor.games.circuits import Circuits
from advisor.games.rules import games as all_games
from advisor.games.rules import rule_files
from aspcircuits import code_cache, llvm, own_process
from aspcircuits.stopping import Stop
from aspcircuits.tiers import Tiers

PACKAGES = {
    **{name: name for name in ("clingo", "numpy", "pydantic", "rich", "typer")},
    "pydantic_core": "pydantic-core",
    "typing_extensions": "typing-extensions",
    "yaml": "pyyaml",
}
"""The required packages: the module to import, and its package."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A package.

    Attributes:
        name: of the package.
        extra: that requires it; empty for a required package.
        version: None if it is not installed.
        failure: why it cannot be imported; empty if it can, or is not there.
    """

    name: str
    extra: str
    version: str | None
    failure: str = ""


@dataclass(frozen=True, slots=True)
class CodeFound:
    """Some machine code.

    Attributes:
        what: a description of it.
        state: "there", "missing" or "failed".
        failure: why it cannot be made or run; empty if it can, or has not been tried.
    """

    what: str
    state: str
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Test:
    """A part of the self-test; `failure` says what went wrong, and is empty if nothing did."""

    what: str
    failure: str


CodeWanted = tuple[str, Callable[[], Tiers[Any] | None]]
"""A description of some code, and a function that finds it; None if a game has none."""


def codes(games: Sequence[str]) -> list[CodeWanted]:
    """List the code that all games share, the usual game's own, and that of games by rules.

    Args:
        games: names or folders.

    Raises:
        InputError, EncodingError: there is no such game.
    """
    for game in games:
        rule_files(game)
    made = KERNEL, SELECTIVE, PLAYOUTS, UCT
    return [
        *((tiers.recipe.what, lambda tiers=tiers: tiers) for tiers in made),
        *rooms.code(),
        *((f"the game {game}", partial(_of_game, game)) for game in games),
    ]


def look(wanted: CodeWanted, make: bool) -> CodeFound | None:
    """Find or make some code, and load it to see whether it runs; None if there is none.

    Raises:
        KeyboardInterrupt: it was stopped; code made so far is kept.
        InputError, ConfigError, EncodingError: a game or its weights cannot be used.
    """
    what, find = wanted
    tiers = find()
    if tiers is None:
        return None
    code = tiers.get_now() if make else tiers.get_cached()
    if tiers.failure:
        return CodeFound(what, "failed", tiers.failure)
    return CodeFound(what, "missing" if code is None else "there")


def _of_game(game: str) -> Tiers[Any] | None:
    own_process.run(_read, game, what=game)  # it can be stopped, and caches the rules
    code = knowledge.load(game)[0].tree.code
    return Tiers(code) if code.playable else None


def _read(game: str) -> None:
    knowledge.load(game)


def _find_package(extra: str, module: str, name: str) -> Installed:
    try:
        found = version(name)
    except PackageNotFoundError:
        return Installed(name, extra, None)
    imported = partial(own_process.run, _import, module, what=module)
    return Installed(name, extra, found, _failure(imported))


def _import(module: str) -> None:
    import_module(module)


def _ways_to_play() -> str:
    game: Circuits = knowledge.load("tictactoe")[0]
    ways = perft(game, game.start[None], 4)
    return f"it has {ways}" if ways != 3024 else ""


def _failure(test: Callable[[], str | None]) -> str:
    """Return what a test says or raises, in one line."""
    try:
        found = test()
    except Exception as error:  # any exception is what the test was to find
        found = f"{type(error).__name__}: {error}"
    return " ".join((found or "").split())


class Diagnosis:
    """The installed packages, whether they work, and the machine code, as far as known.

    >>> found = advisor.Diagnosis(["tictactoe"])
    >>> found.usable in (True, False), found.packages
    (True, [])

    Args:
        games: games whose machine code is examined; by default all that come with the advisor.
        make: compile what is missing.

    Raises:
        InputError: machine code cannot be made, or there is no such game.

    Attributes:
        fast: whether there can be machine code.
        wanted: the machine code that there may be.
        packages, codes, tests: the findings so far; see `look_into`.
    """

    UNUSABLE = (
        "nothing can be kept for the next run (set XDG_CACHE_HOME to a folder on a disk that is "
        "not full, to which nobody but you may write)"
    )

    def __init__(self, games: Sequence[str] | None = None, make: bool = False) -> None:
        self.make = make
        self.packages: list[Installed] = []
        self.codes: list[CodeFound] = []
        self.tests: list[Test] = []
        self.fast = llvm.available()
        if make and not self.fast:
            raise InputError(f"`compile`: needs the extra fast ({extras.install('fast')})")
        if make and not self.usable:
            raise InputError(f"`compile`: {self.UNUSABLE}")
        self.wanted = codes(games or all_games()) if self.fast else []

    def look_into(self, stop: Stop) -> Iterator[str]:
        """Examine everything, and yield the name of each part before it.

        Raises:
            KeyboardInterrupt: `stop` was set; the findings by then are kept.
        """
        yield "packages"
        for extra, wanted in {"": PACKAGES, **extras.EXTRAS}.items():
            for module, name in wanted.items():
                self.packages.append(_find_package(extra, module, name))
        for each in self.wanted:
            yield f"{'compiling' if self.make else 'looking at'} {each[0]}"
            code = look(each, self.make)
            self.codes += [code] if code else []
            stop.check()
        yield "self-test"
        tests: dict[str, Callable[[], str]] = {
            **rooms.tests(),
            "tic-tac-toe by its rules has 3,024 ways to play four moves": _ways_to_play,
        }
        for what, test in tests.items():
            self.tests.append(Test(what, _failure(test)))

    @property
    def python(self) -> str:
        """The interpreter and the machine."""
        return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"

    @property
    def usable(self) -> bool:
        """Whether machine code can be kept for the next run."""
        return code_cache.usable()

    @property
    def cache_contents(self) -> code_cache.Contents | None:
        """The folder in which machine code is kept, and its contents."""
        return code_cache.contents(("advisor", "aspcircuits"))

    @property
    def has_failure(self) -> bool:
        """Whether something that is installed does not work."""
        found: list[Installed | CodeFound | Test] = [*self.packages, *self.codes, *self.tests]
        return any(each.failure for each in found)

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``doctor --json``."""
        kept = self.cache_contents
        return {
            "python": self.python,
            "packages": [asdict(each) for each in self.packages],
            "cache": kept and asdict(kept) | {"folder": str(kept.folder)},
            "cache_usable": self.usable,
            "machine_code": [asdict(each) for each in self.codes],
            "tests": [asdict(each) for each in self.tests],
        }
