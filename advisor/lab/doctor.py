"""Whether all that is installed works, and which machine code there is.

What may fail in ways of its own (importing a package, reading a game) is done by another process.
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
"""What is always needed: what is imported, and the package that it is in."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A package.

    Attributes:
        extra: that asks for it; empty for what is always needed.
        version: None if it is not installed.
        failure: why it cannot be imported; empty if it can, or is not there.
    """

    name: str
    extra: str
    version: str | None
    failure: str = ""


@dataclass(frozen=True, slots=True)
class CodeFound:
    """Some machine code, by what it is the code of.

    Attributes:
        state: "there", "missing" or "failed".
        failure: why it cannot be made or run; empty if it can, or nobody has tried.
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
"""What some code is of, and what finds it; None where a game has none."""


def codes(games: Sequence[str]) -> list[CodeWanted]:
    """The code that all games have in common, the usual game's own, and that of games by rules.

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
    """Which code there is, or is made; it is loaded to see whether it runs. None if there is none.

    Raises:
        KeyboardInterrupt: it was to stop; what has been made is kept.
        InputError, ConfigError, EncodingError: a game or its weights cannot be used.
    """
    what, find = wanted
    tiers = find()
    if tiers is None:
        return None
    code = tiers.now() if make else tiers.kept()
    if tiers.failure:
        return CodeFound(what, "failed", tiers.failure)
    return CodeFound(what, "missing" if code is None else "there")


def _of_game(game: str) -> Tiers[Any] | None:
    own_process.run(_read, game, what=game)  # which can be stopped; it is kept for the next line
    code = knowledge.load(game)[0].tree.code
    return Tiers(code) if code.playable else None


def _read(game: str) -> None:
    knowledge.load(game)


def _installed(extra: str, module: str, name: str) -> Installed:
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
    """What a test says or raises, in one line."""
    try:
        found = test()
    except Exception as error:  # whatever it is, it is what was to be found out
        found = f"{type(error).__name__}: {error}"
    return " ".join((found or "").split())


class Diagnosis:
    """What is installed, whether it works, and which machine code there is, as far as it is known.

    >>> found = advisor.Diagnosis(["tictactoe"])
    >>> found.usable in (True, False), found.packages
    (True, [])

    Args:
        games: those whose machine code is looked at; by default all that come with the advisor.
        make: what is missing is made.

    Raises:
        InputError: machine code cannot be made, or there is no such game.

    Attributes:
        fast: whether there can be machine code.
        wanted: what there may be machine code of.
        packages, codes, tests: what is known of them; see `look_into`.
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
        """Finds out, and says before each part what comes next.

        Raises:
            KeyboardInterrupt: it was to stop; what was found by then is there.
        """
        yield "packages"
        for extra, wanted in {"": PACKAGES, **extras.EXTRAS}.items():
            for module, name in wanted.items():
                self.packages.append(_installed(extra, module, name))
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
        """Whether it can be kept for the next run."""
        return code_cache.usable()

    @property
    def kept(self) -> code_cache.Contents | None:
        """The folder in which it is kept, and what was found there."""
        return code_cache.contents(("advisor", "aspcircuits"))

    @property
    def failed(self) -> bool:
        """Whether something that is installed does not work."""
        found: list[Installed | CodeFound | Test] = [*self.packages, *self.codes, *self.tests]
        return any(each.failure for each in found)

    def to_json(self) -> dict[str, Any]:
        """The object of ``doctor --json``."""
        kept = self.kept
        return {
            "python": self.python,
            "packages": [asdict(each) for each in self.packages],
            "cache": kept and asdict(kept) | {"folder": str(kept.folder)},
            "cache_usable": self.usable,
            "machine_code": [asdict(each) for each in self.codes],
            "tests": [asdict(each) for each in self.tests],
        }
