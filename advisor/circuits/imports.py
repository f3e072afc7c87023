"""What a module is made of: its text and the texts of all modules of its package that it imports.

What is kept for later runs is named after these, so that a change of any of them makes it again.
Nothing is imported to find that out.
"""

import re
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

_STATEMENT = re.compile(
    r"\n[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|.*)|import[ \t]+(.*))"
)
"""An import, wherever it stands. What only looks like one, in a text, does no harm."""


@cache
def fingerprint(*modules: str) -> str:
    """The same one only if these modules, and all that they import of their package, are the same.

    Args: see `imported`.
    """
    found = imported(*modules)
    return sha256(repr(sorted(found.items())).encode()).hexdigest()


def imported(*modules: str) -> dict[str, str]:
    """The texts of these modules and of all that they import of their package, step by step.

    Args:
        modules: by their full names, all of one package, in which imports are absolute.
    """
    package = modules[0].partition(".")[0]
    found: dict[str, str] = {}
    waiting = {*modules}
    while waiting:
        name = waiting.pop()
        file = _file(name, package)
        if file is not None:
            found[name] = file.read_text("utf-8")
            waiting |= {each for each in _names(found[name]) if each not in found}
    return found


def _names(text: str) -> set[str]:
    """What a module imports: modules, and names of what may be one."""
    found = set()
    for module, names, plain in _STATEMENT.findall(f"\n{text}"):
        parts = re.findall(r"[\w.]+", names or plain)
        found |= {module, *(f"{module}.{part}" for part in parts)} if module else {*parts}
    return found


@cache
def _file(name: str, package: str) -> Path | None:
    """Where a module of the package is; None if there is none of this name."""
    first, *others = name.split(".")
    spec = find_spec(package) if first == package else None
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent.joinpath(*others)
    places = path / "__init__.py", path.with_suffix(".py")
    return next((file for file in places if file.is_file()), None)
