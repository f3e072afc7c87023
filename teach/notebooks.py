"""Notebooks as files: their cells, and the exercises among them.

An exercise is a cell with a call such as ``checks.full_column(full_column)``; the text above it
begins with its number in bold.
"""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
"""The folder of the course."""


class NotebookError(Exception):
    """Raised if a file is no notebook; the message names it."""


@dataclass(frozen=True)
class Exercise:
    """An exercise of a notebook.

    Attributes:
        number: as in the text above it, such as ``1.1``; empty if there is none.
        check: the name of its check.
        source: the text of its cell.
        names: the arguments of the call of the check, if these are variables.
    """

    number: str
    check: str
    source: str
    names: tuple[str, ...]


def read_notebook(file: Path) -> dict[str, Any]:
    """Read a notebook.

    Raises:
        NotebookError: the file can't be read, or is no notebook.
    """
    try:
        held = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise NotebookError(f"{file}: {error.strerror}") from None
    except ValueError:
        raise NotebookError(f"{file}: is no notebook (it holds no JSON)") from None
    cells = held.get("cells") if isinstance(held, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise NotebookError(f"{file}: is no notebook (it holds no list of cells)")
    return dict(held)


def cell_text(cell: dict[str, Any]) -> str:
    """Return the text of a cell, which may be stored line by line."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def list_exercises(notebook: dict[str, Any]) -> Iterator[Exercise]:
    """Yield the exercises of a notebook."""
    number = ""
    for cell in notebook["cells"]:
        text = cell_text(cell)
        if cell.get("cell_type") == "markdown":
            numbered = re.findall(r"^\*\*(\d+\.\d+)\*\*", text, re.MULTILINE)
            number = numbered[-1] if numbered else number
        elif cell.get("cell_type") == "code":
            for check, names in _calls(text):
                yield Exercise(number, check, text, names)


def _calls(source: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the calls of checks in a cell: the check, and the variables among its arguments."""
    tree = parse_cell(source)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "checks":
                names = tuple(each.id for each in node.args if isinstance(each, ast.Name))
                yield node.func.attr, names


def parse_cell(source: str) -> ast.Module | None:
    """Parse a cell without its command lines (``!``, ``%``); None if it is no Python."""
    try:
        return ast.parse(re.sub(r"^[!%].*$", "", source, flags=re.MULTILINE))
    except (SyntaxError, ValueError):
        return None


def handed_out() -> list[Path]:
    """Return the notebooks of the course, in order."""
    return sorted(FOLDER.glob("[0-9]*.ipynb"))
