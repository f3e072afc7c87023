"""The description of the JSON interface at `/api`, as OpenAPI or as a page."""

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from advisor.web import answers, models
from advisor.web.api import ENDPOINTS, PUZZLE, Endpoint, adapter
from advisor.web.limits import MAX_BODY, MAX_DEPTH, MAX_SECONDS, MAX_SIDE
from advisor.web.models import Json

_ABOUT = (
    "The advisor's JSON interface. Rows count from 1 at the bottom and columns from 1 at the left; "
    "x (red) moves first, o (yellow) second. A score is forced (win, loss or draw, with the "
    "winner's own moves as 'in') or heuristic (a value in weight units), from the view of the "
    f"player to move. Requests take at most {MAX_BODY} bytes, sides of {MAX_SIDE}, "
    f"{MAX_DEPTH} plies and {MAX_SECONDS:g} seconds. An error is one line, as the command line "
    "prints it: 422 for what cannot be used, 413 for what is too large. Its 'code' names the "
    "kind of error and stays when the wording changes."
)
_STREAM = (
    "With `Accept: application/x-ndjson` the answer is a stream of lines: any number of "
    '{{"progress": {}}}, and {{"note": text}} if a program takes long to ground, then one of '
    '{{"result": the answer}}, {{"error": message, "code": its kind, "status": what the answer '
    'would have had}}, {{"superseded": true}}.'
)
_MEANING = {
    403: "The key is not the one that permits this.",
    404: "There is no such puzzle (/api/puzzles lists them), or this path is not served here.",
    409: "A newer request of the same client superseded this one.",
    413: "The request is too large.",
    415: "The request is not application/json.",
    422: "The request cannot be used; the error says where and what is allowed.",
    503: "Too many requests are waiting.",
}


_PARAMETERS = {"chapter": "chapter1", "number": "1"}
"""Parameters in the path of a puzzle, with examples."""

_PARTS = "#/components/schemas/"


class Interface:
    """The JSON interface of a server: its endpoints and their description.

    Args:
        brought: the endpoints of plugins.
    """

    def __init__(self, brought: Iterable[Endpoint]) -> None:
        self._endpoints = (*ENDPOINTS, *brought)

    @property
    def routes(self) -> list[Route]:
        """All routes below `/api`."""
        return [
            Route("/", self.serve),
            Route("/openapi.json", self._serve_document),
            *(Route(each.path, each.serve, methods=[each.method]) for each in self._endpoints),
        ]

    async def serve(self, request: Request) -> Response:
        """Describe the interface: for people if they ask for HTML, otherwise for programs."""
        if "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(self._page)
        return await self._serve_document(request)

    async def _serve_document(self, _: Request) -> Response:
        return JSONResponse(self.document)

    @cached_property
    def document(self) -> Json:
        """The OpenAPI 3.1 document."""
        schemas, parts = _schemas(self._endpoints)
        items: Json = {}
        for each in self._endpoints:
            items[f"/api{each.path}".replace(":path", "")] = _item(each, schemas)
        return {
            "openapi": "3.1.0",
            "info": {"title": "asp-advisor", "version": "1", "description": _ABOUT},
            "paths": items,
            "components": {"schemas": parts},
        }

    @cached_property
    def _page(self) -> str:
        """The description as a page for people, which needs no network."""
        return _page(_in_place(self.document["paths"], self.document["components"]["schemas"]))


def _item(endpoint: Endpoint, schemas: Mapping[type, Json]) -> Json:
    """Describe the path of an endpoint as an OpenAPI path item."""
    name = re.sub(r"\W+", "_", endpoint.path.replace(PUZZLE, "/puzzle").strip("/"))
    operation: Json = {
        "operationId": name,
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
    }
    answer: Json = {"application/json": {"schema": schemas[endpoint.answer]}}
    errors = {*endpoint.errors}
    if endpoint.path.startswith(PUZZLE) or endpoint.served:
        errors.add(404)
    if endpoint.request:
        schema = schemas[endpoint.request]
        body = {"application/json": {"schema": schema, "example": endpoint.example}}
        operation["requestBody"] = {"required": True, "content": body}
        errors |= {413, 415, 422}
        at_once = endpoint.request in (models.EnoughRequest, models.WeightsRequest)
        if not (at_once or endpoint.served):  # a worker does the job
            errors |= {409, 503}
    if endpoint.served:
        operation["description"] = f"Served with `advisor serve {endpoint.served}`."
    if endpoint.progress:
        operation["description"] = _STREAM.format(endpoint.progress)
        answer["application/x-ndjson"] = {"schema": {"type": "string"}}
    if endpoint.of_game:
        known = {"type": "string", "default": models.USUAL}
        about = "One of the games of /api/games."
        game = {"name": "game", "in": "query", "schema": known, "description": about}
        operation["parameters"] = [game]
        errors.add(422)
    error = {"application/json": {"schema": schemas[answers.Error]}}
    operation["responses"] = {
        "200": {"description": "The answer.", "content": answer},
        **{str(code): {"description": _MEANING[code], "content": error} for code in sorted(errors)},
    }
    item: Json = {endpoint.method.lower(): operation}
    if endpoint.path.startswith(PUZZLE):
        item["parameters"] = [
            {
                "name": name,
                "in": "path",
                "required": True,
                "schema": {"type": "string"},
                "example": example,
            }
            for name, example in _PARAMETERS.items()
        ]
    return item


def _schemas(endpoints: Iterable[Endpoint]) -> tuple[dict[type, Json], Json]:
    """Return a reference to each type of request or answer, and the schemas of all parts by name.

    If two modules use the same name, it is prefixed with the module.
    """
    types: dict[type, None] = {answers.Error: None}
    for each in endpoints:
        types[each.answer] = None
        if each.request:
            types[each.request] = None
    asked: list[tuple[type, Literal["validation"], TypeAdapter[Any]]] = [
        (each, "validation", adapter(each)) for each in types
    ]
    found, parts = TypeAdapter.json_schemas(asked, ref_template=f"{_PARTS}{{model}}")
    return {each: found[each, "validation"] for each in types}, parts["$defs"]


def _in_place(value: Any, parts: Json) -> Any:
    """Replace references in a part of the document by their content, for people to read."""
    if isinstance(value, dict):
        if "$ref" in value:
            value = {**parts[value["$ref"].removeprefix(_PARTS)], **value}
            del value["$ref"]
        return {key: _in_place(each, parts) for key, each in value.items()}
    return [_in_place(each, parts) for each in value] if isinstance(value, list) else value


def _page(paths: Json) -> str:
    operations = [
        (method.upper(), path, operation)
        for path, item in paths.items()
        for method, operation in item.items()
        if method != "parameters"
    ]
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        "<title>JSON interface - asp-advisor</title>",
        "<link rel='icon' href='/icon.svg'>",
        "<link rel='stylesheet' href='/style.css'>",
        "<script type='module' src='/try.js'></script></head><body class='document'><main>",
        "<p><a href='/'>asp-advisor</a></p><h1>JSON interface</h1>",
        f"<p>{html.escape(_ABOUT)}</p>",
        "<p>For programs: <a href='/api/openapi.json'>/api/openapi.json</a> (OpenAPI 3.1).</p>",
        "<nav aria-label='Endpoints'><ul>",
        *(
            f"<li><a href='#{_anchor(path)}'><code>{method} {html.escape(path)}</code></a> "
            f"{html.escape(operation['summary'])}</li>"
            for method, path, operation in operations
        ),
        "</ul></nav>",
        *(line for operation in operations for line in _section(*operation)),
    ]
    return "\n".join([*parts, "</main></body></html>"])


def _anchor(path: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in path).strip("-")


def _section(method: str, path: str, operation: Json) -> Iterator[str]:
    """Describe an endpoint in HTML."""
    yield f"<section id='{_anchor(path)}'><h2><code>{method} {html.escape(path)}</code></h2>"
    yield f"<p>{html.escape(operation['summary'])}.</p>"
    yield f"<p>{html.escape(operation.get('description', ''))}</p>"
    example, address = None, path.format(**_PARAMETERS)
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
    """Describe the keys of an object, and of the objects in it, as a table."""
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
    """Describe a type in a few words."""
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("type", "any"))
