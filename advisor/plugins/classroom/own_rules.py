"""Rules that the owner of a game edits on the page: read, tested, and saved if they are valid.

The owner is the person who started the server with a folder of their own, see `routes`. They can
edit three files of that folder and nothing else. The files are tested in a copy of the folder, in a
process with limits (`bounded`), so that unfinished rules do not affect anyone's advice.
"""

import hashlib
import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import advisor
from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.textfile import read_text
from advisor.plugins.classroom import bounded
from advisor.plugins.classroom.bounded import TellLine, ignore
from advisor.plugins.classroom.class_work import WEIGHTS, check_names
from advisor.web import games
from advisor.web.models import Json
from aspcircuits.stopping import Stop
from aspcircuits.texts import quote_text

File = Literal["features.lp", "strategy.lp", "weights.yaml"]
FILES: tuple[File, ...] = ("features.lp", "strategy.lp", "weights.yaml")

GAMES, SECONDS = 100, 20.0
"""Number of games in which firings are counted, and seconds after which no further game begins."""

_CHECKED, _COMPARED = 20, 5
"""Number of random games of a check, and of states of each that are compared with clingo."""


class OwnRules:
    """The games that the owner of the server may edit, by name."""

    def __init__(self, folders: Mapping[str, str]) -> None:
        self._folders = {name: Path(folder) for name, folder in folders.items()}
        self._saving = threading.Lock()

    @property
    def names(self) -> list[str]:
        """Names of the games."""
        return [*self._folders]

    def read_files(self, game: str) -> Json:
        """Read the files from disk, each with a `seen` that `save_files` takes.

        Raises:
            InputError: the server has no such game to edit, or a file cannot be read.
        """
        files = []
        for file in (self._folder(game) / name for name in FILES):
            text = read_text(file) if file.exists() else ""
            files.append({"name": file.name, "text": text, "seen": _seen(file)})
        return {"files": files}

    def try_files(
        self,
        game: str,
        files: Mapping[File, str],
        work: Callable[..., Json],
        *arguments: Any,
        tell: TellLine = ignore,
    ) -> Json:
        """Do some work with a copy of a game in which these texts replace its files.

        Args:
            game: name of the game.
            files: the texts that differ from the files on disk.
            work: `check_rules`, `explain_atom` or `count_firings`.
            arguments: arguments of the work, after the folder.
            tell: is called with a line if the rules take long to ground.

        Raises:
            InputError: the rules are faulty, with file and line, or need too much time or memory.
        """
        folder = self._folder(game)
        with tempfile.TemporaryDirectory(prefix="asp-advisor-") as place:
            copy = Path(place).resolve() / game
            copy.mkdir()
            for part in games.parts(folder):
                target = copy / part.relative_to(folder)
                target.parent.mkdir(exist_ok=True)
                shutil.copyfile(part, target)
            for name, text in files.items():
                (copy / name).write_bytes(text.encode())
            found: Json = bounded.run(work, *arguments, folder=copy, tell=tell)
            return found

    def save_files(
        self,
        game: str,
        files: Mapping[File, str],
        seen: Mapping[File, str],
        tell: TellLine = ignore,
    ) -> Json:
        """Save valid texts, each file as a whole, and answer as `read_files` does.

        Args:
            game: name of the game.
            files: the texts.
            seen: the `seen` of each of these files when it was read.
            tell: see `try_files`.

        Raises:
            InputError: the texts are not valid, or a file has changed on disk; nothing is written.
        """
        folder = self._folder(game)
        with self._saving:
            self.try_files(game, files, check_rules, {}, tell=tell)
            for name in files:
                if _seen(folder / name) != seen.get(name):
                    raise InputError(
                        f"{name}: has changed on the disk since it was read here (nothing is "
                        "written; copy what you wrote and read the file again)"
                    )
                outfile.check_writable(folder / name)
            for name, text in files.items():
                outfile.write(folder / name, text.encode())
            return self.read_files(game)

    def _folder(self, game: str) -> Path:
        if game not in self._folders:
            raise InputError(
                f"game: {quote_text(game)} is not the owner's (use one of {', '.join(self.names)})"
            )
        return self._folders[game]


def check_rules(
    folder: str, constants: Mapping[str, int], board: str = "", moves: Sequence[Any] = ()
) -> Json:
    """Check the rules of a folder as `advisor game check` does; report where they fire.

    Args:
        folder: the folder of the game.
        constants: constants of its rules, by name.
        board, moves: the position in which the rules may fire.

    Raises:
        AdvisorError: the rules are faulty; the message says where.
    """
    _check_names_here(folder)
    warnings = list[str]()
    advisor.check_game(
        folder,
        games=_CHECKED,
        compare=_COMPARED,
        constants=constants,
        on_warning=lambda told: warnings.append(told.replace(f"{folder}/", "")),
    )
    game = advisor.load_game(folder, constants=constants)
    fired = advisor.firing(games.position(game, board, moves))
    return {"warnings": warnings, "fired": [each.to_json() for each in fired]}


def explain_atom(
    folder: str, constants: Mapping[str, int], board: str, moves: Sequence[Any], atom: str
) -> Json:
    """Explain why an atom holds in a position by the rules of a folder, or why not.

    Raises:
        AdvisorError: the rules or the atom are faulty; the message says where.
    """
    _check_names_here(folder)
    game = advisor.load_game(folder, constants=constants)
    return advisor.why(games.position(game, board, moves), atom).to_json()


def count_firings(folder: str, constants: Mapping[str, int]) -> Json:
    """Count how often the rules of a folder fire in games, as `advisor fires` does."""
    _check_names_here(folder)
    game = advisor.load_game(folder, constants=constants)
    return advisor.fires(game, games=GAMES, stop=Stop().with_limit(SECONDS)).to_json()


def _check_names_here(folder: str) -> None:
    """Refuse weights that name a file outside the folder."""
    if (file := Path(folder) / WEIGHTS).is_file():
        own = (preset.stem for preset in sorted(Path(folder).glob("presets/*.yaml")))
        check_names(file, ["rules", *own])


def _seen(file: Path) -> str:
    """Return a hash of a file's content; empty if there is no file."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""
