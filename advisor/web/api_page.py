"""The OpenAPI document as a page: what can be asked, answered and tried. Needs no network."""

import html
import json
from collections.abc import Iterator
from typing import Any

from advisor.web.models import Json


def page(document: Json) -> str:
    """The document for people."""
    operations = [
        (method.upper(), path, item[method], item.get("parameters", ()))
        for path, item in document["paths"].items()
        for method in ("get", "post")
        if method in item
    ]
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        "<title>JSON interface - asp-advisor</title>",
        "<link rel='icon' href='/icon.svg'>",
        "<link rel='stylesheet' href='/style.css'>",
        "<script type='module' src='/try.js'></script></head><body class='document'><main>",
        "<p><a href='/'>asp-advisor</a></p><h1>JSON interface</h1>",
        f"<p>{html.escape(document['info']['description'])}</p>",
        "<p>For programs: <a href='/api/openapi.json'>/api/openapi.json</a> (OpenAPI 3.1).</p>",
        "<nav aria-label='Endpoints'><ul>",
        *(
            f"<li><a href='#{_anchor(path)}'><code>{method} {html.escape(path)}</code></a> "
            f"{html.escape(operation['summary'])}</li>"
            for method, path, operation, _ in operations
        ),
        "</ul></nav>",
        *(line for operation in operations for line in _section(*operation)),
    ]
    return "\n".join([*parts, "</main></body></html>"])


def _anchor(path: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in path).strip("-")


def _section(method: str, path: str, operation: Json, parameters: Any) -> Iterator[str]:
    """An endpoint."""
    yield f"<section id='{_anchor(path)}'><h2><code>{method} {html.escape(path)}</code></h2>"
    yield f"<p>{html.escape(operation['summary'])}.</p>"
    yield f"<p>{html.escape(operation.get('description', ''))}</p>"
    example, address = None, path
    for parameter in parameters:
        address = address.replace(f"{{{parameter['name']}}}", parameter["example"])
    if body := operation.get("requestBody"):
        content = body["content"]["application/json"]
        example = json.dumps(content["example"])
        yield from _table(content["schema"], "Request", default=True)
    answers = operation["responses"]
    yield "<details><summary>Answer</summary>"
    yield from _table(answers["200"]["content"]["application/json"]["schema"], "Answer")
    yield "</details>"
    for code, answer in answers.items():
        if code != "200":
            yield f"<p><code>{code}</code> {html.escape(answer['description'])}</p>"
    yield f"<div class='try' data-method='{method}' data-path='{html.escape(address)}'>"
    if example is not None:
        label = f"Body of a request to {html.escape(path)}"
        yield f"<textarea rows='2' aria-label='{label}'>{html.escape(example)}</textarea>"
    yield "<button type='button'>Try it</button><pre tabindex='0' hidden></pre></div></section>"


def _table(schema: Json, name: str, default: bool = False) -> Iterator[str]:
    """The keys of an object, and of the objects in it."""
    heads = ("key", "type", *(("default",) if default else ()), "meaning")
    yield f"<table><caption>{name}</caption><tr>"
    yield "".join(f"<th scope='col'>{head}</th>" for head in heads) + "</tr>"
    for key, value in dict(_keys(schema)).items():
        cells = [f"<code>{html.escape(key)}</code>", html.escape(_type(value))]
        if default:
            cells.append(html.escape(json.dumps(value["default"]) if "default" in value else ""))
        cells.append(html.escape(value.get("description", "")))
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
    yield "</table>"


def _keys(schema: Json, before: str = "") -> Iterator[tuple[str, Json]]:
    for key, value in schema.get("properties", {}).items():
        yield before + key, value
        inner, place = value, f"{before}{key}."
        while inner.get("type") == "array":
            inner, place = inner.get("items", {}), place.removesuffix(".") + "[]."
        for each in inner.get("anyOf", [inner]):
            yield from _keys(each, place)


def _type(schema: Json) -> str:
    """A type in a few words."""
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("type", "any"))
