"""Modules of JavaScript as one script, so that a page needs no other file.

Each module becomes a function that is called once, when another one imports it. This reads the form
in which this project writes modules: an import or an export begins a line, or is the last statement
of a minified file.
"""

import json
import re
from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath

from advisor.errors import InputError
from aspcircuits.texts import quote_text

_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)|(\w+)) from "([^"]+)";$', re.MULTILINE)
_OTHER = re.compile(r"^import\b.*", re.MULTILINE)
_EXPORT = re.compile(
    r"^export (default|async function|function\*?|class|const|let) ?", re.MULTILINE
)
_NAMED = re.compile(r"^(?:async function|function\*?|class|const|let) (?:\{([^}]*)\}|(\w+))")
_LIST = re.compile(r"export\s*\{([^}]*)\};?\s*$")
_DYNAMIC = re.compile(r"\bimport\(")


def bundle(modules: Mapping[str, str], entry: str) -> str:
    """Return a script that runs a module, with all that it imports.

    Args:
        modules: their texts by path; paths in imports are relative.
        entry: the path of the first module.

    Raises:
        InputError: a module imports one that is missing, or in another form, or imports go in a
            circle.
    """
    wanted = [*_in_order(modules, entry)]
    # A module that is imported while the page runs is known by its path alone.
    wanted += [path for path in modules if path not in wanted and dirname(path)]
    parts = [f"{json.dumps(path)}: {_function(modules[path], path)}" for path in wanted]
    return (
        RELATIVE
        + "const modules = {\n"
        + ",\n".join(parts)
        + "\n};\nconst made = {};\nconst load = (path) => (made[path] ??= modules[path]());\n"
        + f"load({json.dumps(entry)});\n"
    )


def _in_order(modules: Mapping[str, str], entry: str) -> Iterator[str]:
    """Yield the modules that one needs, each after its imports, itself last."""
    done: set[str] = set()

    def visit(path: str, above: tuple[str, ...]) -> Iterator[str]:
        if path in above:
            raise InputError(f"{path}: imports itself, by way of {' and '.join(above)}")
        if path not in modules:
            raise InputError(f"{above[-1]}: imports {quote_text(path)}, which is missing")
        if path not in done:
            for *_, place in _IMPORT.findall(modules[path]):
                yield from visit(_path(place, path), (*above, path))
            done.add(path)
            yield path

    return visit(entry, ())


def _path(place: str, path: str) -> str:
    return normpath(join(dirname(path), place))


def _function(text: str, path: str) -> str:
    """Return a module as a function that returns what it exports."""
    exported: dict[str, str] = {}

    def write_import(found: re.Match[str]) -> str:
        names, whole, default, place = found.groups()
        loaded = f"await load({json.dumps(_path(place, path))})"
        if whole:
            return f"const {whole} = {loaded};"
        wanted = f"default: {default}" if default else names.replace(" as ", ": ")
        return f"const {{ {wanted.strip()} }} = {loaded};"

    def plain(found: re.Match[str]) -> str:
        if found[1] == "default":
            exported["default"] = "_default"
            return "const _default = "
        rest = text[found.start() + len("export ") :]
        named = _NAMED.match(rest)
        assert named, f"{path}: an export without a name"
        for name in (named[1] or named[2]).split(","):
            exported[name.strip()] = name.strip()
        return found[0].removeprefix("export ")

    made = _EXPORT.sub(plain, text)
    if listed := _LIST.search(made):
        made = made[: listed.start()]
        for each in listed[1].split(","):
            local, _, name = each.strip().partition(" as ")
            exported[name or local] = local
    made = _IMPORT.sub(write_import, made)
    if other := _OTHER.search(made):
        raise InputError(f"{path}: {quote_text(other[0])} cannot be bundled")
    folder = json.dumps(dirname(path))
    made = _DYNAMIC.sub(f"_load({folder}, ", made)
    given = ", ".join(f"{name}: {local}" for name, local in exported.items())
    return f"async () => {{\n{made.strip()}\nreturn {{ {given} }};\n}}"


RELATIVE = (
    'const _load = (folder, place) => load(`${folder ? `${folder}/` : ""}${place.slice(2)}`);\n'
)
"""Loads what a module imports while it runs, by a path such as ``./en.js``."""
