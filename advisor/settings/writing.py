"""Settings as a weights file that says all of them, to save and change."""

import json
import os.path
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from advisor.asp.clingo_api import Term, render
from advisor.settings.config import KINDS, Config


def to_yaml(config: Config, folder: Path | None = None) -> str:
    """The settings as a complete weights file, with what each weight is for beside it.

    Args:
        folder: where the file will be; a user's own encodings are named as seen from there, so that
            both may move together. Without one they are named in full.
    """

    def name(file: Path) -> str:
        if file in config.home.nameable:  # by name, so that the file works elsewhere too
            return file.name
        full = file.resolve()
        return str(full) if folder is None else os.path.relpath(full, folder.resolve())

    def named(files: tuple[Path, ...]) -> str:
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
        lines.append(f"  {program}: {named(config.knowledge[program])}")
    extra = {program: named(config.extra[program]) for program in KINDS}
    if extra["moves"] == extra["features"]:
        lines.append(f"  extra: {extra['moves']}")
    else:
        lines += ["  extra:", *(f"    {program}: {files}" for program, files in extra.items())]
    for program in KINDS:
        lines += ["", f"{program}:" if config.weights[program] else f"{program}: {{}}"]
        tree: dict[Term, Any] = {}
        for term, weight in config.weights[program].items():
            path = term if isinstance(term, tuple) else (term,)
            branch = tree
            for step in path[:-1]:
                branch = branch.setdefault(step, {})
            branch[path[-1]] = (weight, texts.comment(program, render(term)))
        lines += _yaml_lines(tree, "  ")
    return "\n".join(lines) + "\n"


def _yaml_lines(tree: Mapping[Term, Any], indent: str) -> Iterator[str]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield f"{indent}{key}:"
            yield from _yaml_lines(value, indent + "  ")
        else:
            weight, comment = value
            line = f"{indent}{key}: {weight}"
            yield f"{line:<28}# {comment}" if comment else line
