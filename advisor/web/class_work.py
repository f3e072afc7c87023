"""What is done with strategies that strangers have written, by `advisor.web.bounded`.

Nobody but `advisor.web.classroom` asks for it.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import advisor
from advisor.errors import InputError, at
from advisor.files import textfile
from advisor.library import matches

WEIGHTS, RULES = "weights.yaml", "strategy.lp"
"""The files of a strategy that was handed in."""

ADVISOR = "default"
"""The advisor's own weights play with the class."""

_DEPTH, _FAULTS = 2, 3


def check(folder: str) -> None:
    """Whether a strategy can play, which it shows by a game against itself.

    Raises:
        InputError, ConfigError, EncodingError: file, place and what is wrong.
    """
    file = Path(folder) / WEIGHTS
    if RULES not in stays_here(file, advisor.presets()) and (Path(folder) / RULES).exists():
        raise InputError(
            f"{WEIGHTS}: encodings: does not name {RULES}, so that your rules would not be read "
            f"(add encodings: {{extra: [{RULES}]}} or hand in no rules)"
        )
    matches.play_opening(str(file), str(file), "44", depth=1)


def play(folder: str, first: str, second: str, opening: str) -> list[matches.GameRecord]:
    """Two games of two members, whose strategies stand in the folder, from an opening.

    Raises:
        InputError: a strategy fails.
    """
    one, other = (
        name if name == ADVISOR else str(Path(folder) / name / WEIGHTS) for name in (first, second)
    )
    return matches.play_opening(one, other, opening, depth=_DEPTH)


def faults(moves: str, begins: bool, opening: int, seconds: float) -> list[dict[str, Any]]:
    """The worst moves of a player in a game, by the advisor's own weights.

    Args:
        moves: of the game, from the empty board.
        begins: whether the player made the first one.
        opening: how many moves nobody chose.
    """
    found = advisor.review(advisor.position(moves), seconds=seconds)
    chosen = (move for move in found.moves if move.ply > opening and move.ply % 2 == begins)
    errors = (move for move in chosen if move.error)
    worst = sorted(errors, key=lambda move: -move.mark.drop)[:_FAULTS]
    return [
        {
            "ply": move.ply,
            "move": move.name,
            "grade": move.mark.grade,
            "better": list(move.better),
            "moves": moves[: move.ply - 1],
        }
        for move in sorted(worst, key=lambda move: move.ply)
    ]


def stays_here(file: Path, presets: Sequence[str]) -> set[str]:
    """That a weights file names these presets and its own rules, no other file.

    Returns:
        the encodings that it names.

    Raises:
        InputError: it is no YAML, or says which name is not allowed.
    """
    text, named = textfile.read_text(file), set[str]()
    with at(WEIGHTS):
        said, _ = textfile.parse_yaml(text)
    for key, value in said.items() if isinstance(said, dict) else ():
        if key in ("extends", "other_boards") and value not in presets:
            raise InputError(
                f"{WEIGHTS}: {key}: {textfile.shown(value)} (use one of {', '.join(presets)})"
            )
        if key == "encodings":
            named |= {*_names(value)}
            for name in sorted(named):
                if name != Path(name).name or name.startswith((".", "~")) or "\\" in name:
                    raise InputError(
                        f"{WEIGHTS}: encodings: {textfile.quoted(name)} (use {RULES} or a name "
                        "of the advisor's own encodings)"
                    )
    return named


def _names(said: Any) -> Iterator[str]:
    """The texts in a part of a weights file, keys too."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, dict | list):
        for part in (*said, *(said.values() if isinstance(said, dict) else ())):
            yield from _names(part)
