"""A position of any game as a user's file: the game, its sizes, and the moves so far.

    game: reversi
    moves: put(4,3) put(3,3)

Connect Four's own files say more; see `advisor.games.connect4.notation`.
"""

import os.path
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import InputError
from advisor.files import textfile
from advisor.games.rules import RULES, games

_KEYS = ("game", "moves", "const", "source", "title", "note")


@dataclass(frozen=True, slots=True)
class Given:
    """What such a file says.

    Attributes:
        name: of the file, as errors show it.
        game: the name of a game, or a folder.
        constants: values for ``#const`` statements.
        moves: with a space between them.
    """

    name: str
    game: str
    constants: Mapping[str, int]
    moves: str


def read(source: str, default: str) -> Given | None:
    """What a file says of a position; None for what is no YAML file with a ``game:``.

    Args:
        source: the path of a file, or whatever else a user may type where a board is wanted.
        default: the game whose files have a form of their own; None for those, too.

    Raises:
        InputError: one line with the file, what was found and what is allowed.
    """
    if not source.lower().endswith((".yaml", ".yml")) or not os.path.isfile(source):
        return None
    name = textfile.file_name(source)
    text = textfile.read_text(source)
    with _at(name):
        root = textfile.parse_yaml(text)
        said, _ = textfile.plain(root)
        if not isinstance(said, dict) or said.get("game", default) == default:
            return None
        keys = textfile.mapping(root, _KEYS)
        with _at("game"):
            game = _game(textfile.scalar(keys["game"]), Path(source).parent)
        with _at("const"):
            constants = _constants(keys["const"]) if "const" in keys else {}
        with _at("moves"):
            moves = _moves(keys["moves"]) if "moves" in keys else ""
    return Given(name, game, constants, moves)


def _game(named: str | None, folder: Path) -> str:
    if named in games():
        return str(named)
    if named and (folder / named / RULES).is_file():
        return str(folder / named)
    found = "a list or mapping" if named is None else textfile.quoted(named)
    known = ", ".join(games())
    raise InputError(f"{found} is neither a game ({known}) nor a folder with a {RULES} beside it")


def _constants(node: yaml.Node) -> dict[str, int]:
    values, lines = textfile.plain(node)
    if not isinstance(values, dict):
        raise InputError(f"expected names and numbers as {{size: 5}}, found {textfile.kind(node)}")
    for name, value in values.items():
        if type(value) is not int or not isinstance(name, str):
            shown = textfile.quoted(str(value))
            raise InputError(f"{lines[(name,)]}: {name}: {shown} is no whole number")
    return values


def _moves(node: yaml.Node) -> str:
    listed = textfile.items(node)
    texts = [textfile.scalar(item) for item in ([node] if listed is None else listed)]
    moves = [text for text in texts if text is not None]
    if len(moves) < len(texts):
        raise InputError(f"expected moves as put(2,2) put(1,1), found {textfile.kind(node)}")
    return " ".join(moves)


@contextmanager
def _at(place: str) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
