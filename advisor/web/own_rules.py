"""Rules that the owner of a game edits on the page: read, tried, and written when they are right.

The owner is whoever started the server with a folder of his own, see `advisor.web.owner`.
What is edited are three files of that folder and nothing else. They are tried in a copy of it, in a
process with bounds (`advisor.web.bounded`), so that what is half written harms nobody's advice.
"""

import hashlib
import shutil
import tempfile
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import advisor
from advisor.errors import InputError
from advisor.files import outfile
from advisor.files.textfile import read_text
from advisor.web import bounded, games
from advisor.web.class_work import WEIGHTS, stays_here
from advisor.web.models import Json
from aspcircuits.stopping import Stop
from aspcircuits.texts import quoted

File = Literal["features.lp", "strategy.lp", "weights.yaml"]
FILES: tuple[File, ...] = ("features.lp", "strategy.lp", "weights.yaml")

GAMES = 100
"""In which the rules are counted, unless they take longer than this."""

PLAYED = 20.0
"""Seconds for these games."""

_CHECKED, _COMPARED = 20, 5
"""Random games of a check, and their states of which clingo is asked, too."""


class OwnRules:
    """The games that the owner of the server may change, by their names."""

    def __init__(self, folders: Mapping[str, str]) -> None:
        self._folders = {name: Path(folder) for name, folder in folders.items()}
        self._saving = threading.Lock()

    @property
    def names(self) -> Collection[str]:
        """Of the games."""
        return self._folders.keys()

    def texts(self, game: str) -> Json:
        """The files as they are on the disk; `seen` is what `save` is told again.

        Raises:
            InputError: the server has no such game to be changed, or a file cannot be read.
        """
        files = []
        for file in (self._folder(game) / name for name in FILES):
            text = read_text(file) if file.exists() else ""
            files.append({"name": file.name, "text": text, "seen": _seen(file)})
        return {"files": files}

    def tried(
        self, game: str, files: Mapping[File, str], work: Callable[..., Json], *arguments: Any
    ) -> Json:
        """What some work finds in a game with these texts in place of its files.

        Args:
            files: the texts that differ from those on the disk.
            work: `checked` or `counted`.
            arguments: what it is told beside the folder.

        Raises:
            InputError: what is wrong with the rules, with file and line; they need too much.
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
            found: Json = bounded.run(work, *arguments, folder=copy)
            return found

    def save(self, game: str, files: Mapping[File, str], seen: Mapping[File, str]) -> Json:
        """Writes texts that are right, each file whole.

        Args:
            seen: what `texts`, as which it answers, said of each of these files.

        Raises:
            InputError: they are not right, or a file has changed on the disk; nothing is written.
        """
        folder = self._folder(game)
        with self._saving:
            self.tried(game, files, checked, {})
            for name in files:
                if _seen(folder / name) != seen.get(name):
                    raise InputError(
                        f"{name}: has changed on the disk since it was read here (nothing is "
                        "written; copy what you wrote and read the file again)"
                    )
                outfile.check_writable(folder / name)
            for name, text in files.items():
                outfile.write(folder / name, text.encode())
            return self.texts(game)

    def _folder(self, game: str) -> Path:
        if game not in self._folders:
            raise InputError(
                f"game: {quoted(game)} is not the owner's (use one of {', '.join(self.names)})"
            )
        return self._folders[game]


def checked(
    folder: str, constants: Mapping[str, int], board: str = "", moves: Sequence[Any] = ()
) -> Json:
    """Whether the rules of a folder are right, as `advisor game check` has it; where they fire.

    Args:
        board, moves: the position in which they are to fire.

    Raises:
        AdvisorError: what is wrong with them.
    """
    _stays_here(folder)
    warnings = list[str]()
    advisor.check_game(
        folder,
        games=_CHECKED,
        compare=_COMPARED,
        constants=constants,
        on_warning=lambda told: warnings.append(told.replace(f"{folder}/", "")),
    )
    game = advisor.load_game(folder, constants=constants)
    fired = advisor.firing(games.position(game, board, moves, "board"))
    return {"warnings": warnings, "fired": [each.to_json() for each in fired]}


def counted(folder: str, constants: Mapping[str, int]) -> Json:
    """How often the rules of a folder fire in games, as `advisor fires` says it."""
    _stays_here(folder)
    game = advisor.load_game(folder, constants=constants)
    return advisor.fires(game, games=GAMES, stop=Stop().within(PLAYED)).to_json()


def _stays_here(folder: str) -> None:
    """That the weights of a folder name nothing outside it."""
    if (file := Path(folder) / WEIGHTS).is_file():
        own = (preset.stem for preset in sorted(Path(folder).glob("presets/*.yaml")))
        stays_here(file, ["rules", *own])


def _seen(file: Path) -> str:
    """What tells one content of a file from another; empty where there is none."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""
