"""Write the reference of the library, the compiler and the JSON interface from their code."""

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import advisor
import aspcircuits
from advisor.web.describe import Interface
from advisor.web.parts import Starting, make_parts

_SECTIONS = {
    "functions": ("Functions of the library", "function", "What `advisor` does, by name."),
    "classes": ("Classes of the library", "class", "What the functions take and return."),
    "errors": ("Errors of the library", "exception", "What the functions raise."),
}


def write_pages(target: Path) -> None:
    """Write the pages of the public names of both packages, and of the requests over HTTP.

    Args:
        target: a folder, which is made.
    """
    target.mkdir(parents=True, exist_ok=True)
    names = public_names(advisor)
    for page, (title, kind, about) in _SECTIONS.items():
        found = [name for name in names if _kind(advisor, name) == kind]
        _write(target / f"{page}.rst", title, about, advisor, found)
    _write(
        target / "aspcircuits.rst",
        "The compiler's names",
        "The public interface of `aspcircuits`.",
        aspcircuits,
        public_names(aspcircuits),
    )
    (target / "requests.md").write_text("\n".join(_requests()), encoding="utf-8")


def public_names(package: ModuleType) -> list[str]:
    """Return the public names of a package, without its version."""
    return sorted({*package.__all__, "compile"} - {"__version__"}, key=str.lower)


def _kind(package: ModuleType, name: str) -> str:
    found = getattr(package, name)
    if not inspect.isclass(found):
        return "function"
    return "exception" if issubclass(found, BaseException) else "class"


def _write(file: Path, title: str, about: str, package: ModuleType, names: Iterable[str]) -> None:
    lines = [title, "=" * len(title), "", about, ""]
    for name in names:
        full = f"{package.__name__}.{name}"
        lines += [name, "-" * len(name), "", f".. auto{_kind(package, name)}:: {full}"]
        if package is not advisor and name in advisor.__all__:
            lines.append("   :no-index:")  # the library has it, too
        lines.append("")
    file.write_text("\n".join(lines), encoding="utf-8")


def _requests() -> Iterator[str]:
    """Yield the page of the JSON interface, read from its OpenAPI description."""
    brought = [each for part in make_parts(Starting({}, True, {})) for each in part.endpoints]
    document = Interface(brought).document
    yield "# Requests over HTTP\n"
    yield f"{document['info']['description']}\n"
    yield "[How to use it](../docs/http.md) has the examples.\n"
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                schemas = document["components"]["schemas"]
                yield from _request(f"{method.upper()} {path}", operation, schemas)


def _request(name: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    yield f"## `{name}`\n"
    yield f"{operation['summary']}. {operation.get('description', '')}\n"
    if body := operation.get("requestBody"):
        content = body["content"]["application/json"]
        yield "| member | what it is |\n|---|---|"
        for member, about in _resolve(content["schema"], schemas).get("properties", {}).items():
            meaning = " ".join(_resolve(about, schemas).get("description", "").split())
            yield f"| `{member}` | {meaning.replace('|', chr(92) + '|')} |"
        yield f"\n```json\n{json.dumps(content['example'], indent=2)}\n```\n"
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    if members := _resolve(answer, schemas).get("properties"):
        yield f"The answer has {', '.join(f'`{member}`' for member in members)}.\n"


def _resolve(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema with the parts that it refers to."""
    if "$ref" not in schema:
        return schema
    return {**schemas[schema["$ref"].rpartition("/")[2]], **schema}
