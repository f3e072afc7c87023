"""Weights by name, and as a complete weights file, to save and change."""

import json
import os.path
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from advisor.settings.config import KINDS, WEIGHT_LIMIT, Config
from aspcircuits.clingo_api import Term, render

_LOGICAL = re.compile(r"(?i)y|n|yes|no|on|off|true|false|null|~")
"""Texts that YAML does not read as a name unless they are quoted."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Effective weights, as `load_weights` gives them and `load_game` takes them.

    >>> weights = advisor.load_weights()
    >>> weights.name, weights.moves["win"]
    ('default', 10000)

    Attributes:
        settings: all settings of their file (internal).
        LIMIT: the greatest weight, up or down.
    """

    settings: Config = field(repr=False)
    LIMIT: ClassVar[int] = WEIGHT_LIMIT

    @property
    def name(self) -> str:
        """The preset or the file that they come from."""
        return self.settings.name

    @property
    def depth(self) -> int | None:
        """Plies of look-ahead; None for as deep as the time allows."""
        return self.settings.depth

    @property
    def moves(self) -> Mapping[str, int]:
        """The weight of each strategy."""
        return {render(name): value for name, value in self.settings.weights["moves"].items()}

    @property
    def features(self) -> Mapping[str, int]:
        """The weight of each feature."""
        return {render(name): value for name, value in self.settings.weights["features"].items()}

    def to_yaml(self) -> str:
        """Return a complete weights file."""
        return to_yaml(self.settings)

    def to_json(self, language: str = "") -> dict[str, Any]:
        """Return the answer of ``/api/weights``: each weight with its path in a file and its
        meaning, in a language such as "de" if its rules have it.
        """
        texts = self.settings.texts
        return {
            "name": self.name,
            "depth": self.depth,
            "weights": [
                {
                    "program": program,
                    "name": render(name),
                    "path": [program, *(name if isinstance(name, tuple) else (name,))],
                    "value": value,
                    "title": texts.comment(program, render(name), language),
                }
                for program, named in self.settings.weights.items()
                for name, value in named.items()
            ],
            "yaml": self.to_yaml(),
        }


def to_yaml(config: Config, folder: Path | None = None) -> str:
    """Return the settings as a complete weights file, with a comment on each weight.

    Args:
        config: the settings.
        folder: where the file will be; paths of a user's own encodings are relative to it, so that
            both can move together. Without it, paths are absolute.
    """

    def name(file: Path) -> str:
        if file in config.home.nameable:  # by name, so the file works elsewhere, too
            return file.name
        full = file.resolve()
        return str(full) if folder is None else os.path.relpath(full, folder.resolve())

    def names_json(files: tuple[Path, ...]) -> str:
        return json.dumps([*map(name, files)])

    texts = config.texts
    lines = [f"# The effective settings of {config.name}."]
    if config.depth is not None:
        lines.append(f"depth: {config.depth}")
    lines += [] if config.home.by_rules else [f"endgame: {config.endgame}"]
    lines += [] if config.search is None else [f"search: {config.search}"]
    lines += ["selective: true"] if config.selective else []
    lines += ["", "encodings:"]
    for program in KINDS:
        lines.append(f"  {program}: {names_json(config.knowledge[program])}")
    extra = {program: names_json(config.extra[program]) for program in KINDS}
    if extra["moves"] == extra["features"]:
        lines.append(f"  extra: {extra['moves']}")
    else:
        lines += ["  extra:", *(f"    {program}: {files}" for program, files in extra.items())]
    for program in KINDS:
        lines += ["", f"{program}:" if config.weights[program] else f"{program}: {{}}"]
        told = {
            name: (weight, texts.comment(program, render(name)))
            for name, weight in config.weights[program].items()
        }
        lines += _yaml_lines(tree(told), "  ")
    return "\n".join(lines) + "\n"


def tree(weights: Mapping[Term, Any]) -> dict[Term, Any]:
    """Nest weights by their names' parts, as in a weights file: ``{"near": {1: 30, 2: 20}}``."""
    found: dict[Term, Any] = {}
    for name, weight in weights.items():
        *path, last = name if isinstance(name, tuple) else (name,)
        branch = found
        for step in path:
            branch = branch.setdefault(step, {})
        branch[last] = weight
    return found


def key(part: Term) -> str:
    """Return a part of a name in a form that YAML reads as a name.

    >>> key("near"), key("no"), key(3)
    ('near', '"no"', '3')
    """
    text = render(part)
    return f'"{text}"' if _LOGICAL.fullmatch(text) else text


def _yaml_lines(tree: Mapping[Term, Any], indent: str) -> Iterator[str]:
    for part, value in tree.items():
        if isinstance(value, dict):
            yield f"{indent}{key(part)}:"
            yield from _yaml_lines(value, indent + "  ")
        else:
            weight, comment = value
            line = f"{indent}{key(part)}: {weight}"
            yield f"{line:<28}# {comment}" if comment else line
