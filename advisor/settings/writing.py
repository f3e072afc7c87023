"""Settings as a weights file that says all of them, to save and change."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from advisor.asp.clingo_api import Term, render
from advisor.settings.config import KINDS, OWN, Config


def to_yaml(config: Config) -> str:
    """The settings as a complete weights file, with what each weight is for beside it."""
    texts = config.texts
    lines = [f"# The effective settings of {config.name}."]
    if config.depth is not None:
        lines.append(f"depth: {config.depth}")
    lines += [] if config.home.by_rules else [f"endgame: {config.endgame}"]
    lines.append("")
    lines += ["encodings:"]
    for program in KINDS:
        lines.append(f"  {program}: {_file_list(config.knowledge[program])}")
    extra = {program: _file_list(config.extra[program]) for program in KINDS}
    if extra["moves"] == extra["features"]:
        lines.append(f"  extra: {extra['moves']}")
    else:
        lines += ["  extra:", *(f"    {program}: {files}" for program, files in extra.items())]
    for program in KINDS:
        lines += ["", f"{program}:" if config.weights[program] else f"{program}: {{}}"]
        tree: dict[Term, Any] = {}
        for name, weight in config.weights[program].items():
            path = name if isinstance(name, tuple) else (name,)
            branch = tree
            for step in path[:-1]:
                branch = branch.setdefault(step, {})
            branch[path[-1]] = (weight, texts.comment(program, render(name)))
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


def _file_list(files: tuple[Path, ...]) -> str:
    """A YAML list; the advisor's own encodings by name, so that the file works elsewhere too."""
    names = [file.name if file.parent == OWN else str(file.resolve()) for file in files]
    return json.dumps(names)
