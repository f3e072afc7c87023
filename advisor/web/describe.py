"""What the JSON interface says of itself at `/api`: an OpenAPI document and a page."""

import html
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter

from advisor.web import models
from advisor.web.limits import MAX_BODY, MAX_DEPTH, MAX_SECONDS, MAX_SIDE

Json = dict[str, Any]

_ABOUT = (
    "The advisor's JSON interface. Rows count from 1 at the bottom and columns from 1 at the left; "
    "x (red) moves first, o (yellow) second. A score is forced (win, loss or draw, with the "
    "winner's own moves as 'in') or heuristic (a value in weight units), from the view of the "
    f"player to move. Requests take at most {MAX_BODY} bytes, sides of {MAX_SIDE}, "
    f"{MAX_DEPTH} plies and {MAX_SECONDS:g} seconds. An error is one line, the same that the "
    "command line prints: 422 for what cannot be used, 413 for what is too large."
)
_STREAM = (
    "With `Accept: application/x-ndjson` the answer is a stream of lines: any number of "
    '{{"progress": {}}}, then one of {{"result": the answer}}, {{"error": message}}, '
    '{{"superseded": true}}.'
)
_MEANING = {
    404: "There is no such puzzle; /api/puzzles lists them.",
    409: "A newer request of the same client superseded this one.",
    413: "The request is too large.",
    415: "The request is not application/json.",
    422: "The request cannot be used; the error says where and what is allowed.",
    503: "Too many requests are waiting.",
}


@dataclass(frozen=True, slots=True)
class _Endpoint:
    """What is asked at a path, and answered; with a request it is a POST."""

    path: str
    summary: str
    answer: type
    request: type[BaseModel] | None = None
    errors: tuple[int, ...] = ()
    progress: str = ""


_PUZZLE = "/api/puzzles/{chapter}/{number}"
_ENDPOINTS = (
    _Endpoint("/api/health", "Whether the server answers, and its load", models.Health),
    _Endpoint("/api/server", "Presets and limits", models.Server),
    _Endpoint(
        "/api/position",
        "A position: what it shows and what can be played",
        models.Position,
        models.BoardRequest,
    ),
    _Endpoint(
        "/api/suggest",
        "Advice on a position, the object of `advisor suggest --json`",
        models.Advice,
        models.SuggestRequest,
        (409, 503),
        '{"depth", "best", "pv", "scores"}',
    ),
    _Endpoint(
        "/api/exact",
        "The exact score of every move, as far as it is proved in time",
        models.Exact,
        models.ExactRequest,
        (409, 503),
        "what is proved so far",
    ),
    _Endpoint(
        "/api/review",
        "Every move of a game graded, the object of `advisor review --json`",
        models.Review,
        models.ReviewRequest,
        (409, 503),
        "a move of the answer, the last one first",
    ),
    _Endpoint(
        "/api/weights",
        "Effective weights, one by one and as a weights file",
        models.Weights,
        models.WeightsRequest,
    ),
    _Endpoint(
        "/api/game",
        "Any game that is given by its rules: its board and what can be played",
        models.GameView,
        models.GameRequest,
        (409, 503),
    ),
    _Endpoint(
        "/api/game/suggest",
        "Advice on such a game, the object of `advisor suggest --game --json`",
        models.GameAdvice,
        models.GameSuggestRequest,
        (409, 503),
    ),
    _Endpoint("/api/puzzles", "The puzzle book", models.Book),
    _Endpoint(_PUZZLE, "A puzzle with its solution", models.SolvedPuzzle, errors=(404,)),
    _Endpoint(
        f"{_PUZZLE}/try",
        "How a try at a puzzle stands, and the longest defence's reply",
        models.Try,
        models.TryRequest,
        (404, 409, 503),
    ),
    _Endpoint(
        f"{_PUZZLE}/hint",
        "A step towards the solution, each time another one",
        models.Hint,
        models.HintRequest,
        (404, 409, 503),
    ),
)


@cache
def document() -> Json:
    """The OpenAPI 3.1 document."""
    info = {"title": "Connect Four advisor", "version": "1", "description": _ABOUT}
    return {
        "openapi": "3.1.0",
        "info": info,
        "paths": {endpoint.path: _item(endpoint) for endpoint in _ENDPOINTS},
        "components": {"schemas": {"Error": _schema(models.Error)}},
    }


def _item(endpoint: _Endpoint) -> Json:
    """A path of the document."""
    operation: Json = {"summary": endpoint.summary}
    answer: Json = {"application/json": {"schema": _schema(endpoint.answer)}}
    errors = endpoint.errors
    if endpoint.request:
        body = {"application/json": {"schema": _schema(endpoint.request)}}
        operation["requestBody"] = {"required": True, "content": body}
        errors = (413, 415, 422, *errors)
    if endpoint.progress:
        operation["description"] = _STREAM.format(endpoint.progress)
        answer["application/x-ndjson"] = {"schema": {"type": "string"}}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    operation["responses"] = {
        "200": {"description": "The answer.", "content": answer},
        **{str(code): {"description": _MEANING[code], "content": error} for code in errors},
    }
    item: Json = {"post" if endpoint.request else "get": operation}
    if endpoint.path.startswith(_PUZZLE):
        item["parameters"] = [
            {
                "name": name,
                "in": "path",
                "required": True,
                "schema": {"type": "string"},
                "example": example,
            }
            for name, example in (("chapter", "chapter1"), ("number", "1"))
        ]
    return item


def _schema(model: type) -> Json:
    """The JSON schema of a model, in one piece: what it refers to stands where it is used."""
    schema = TypeAdapter(model).json_schema()
    parts = schema.pop("$defs", {})

    def whole(value: Any) -> Any:
        if isinstance(value, dict):
            if "$ref" in value:
                value = {**parts[value.pop("$ref").rpartition("/")[2]], **value}
            return {key: whole(each) for key, each in value.items()}
        return [whole(each) for each in value] if isinstance(value, list) else value

    found: Json = whole(schema)
    return found


@cache
def page() -> str:
    """The same for people."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        "<title>JSON interface - Connect Four advisor</title>",
        "<link rel='icon' href='/icon.svg'>",
        "<link rel='stylesheet' href='/style.css'></head><body class='document'><main>",
        "<p><a href='/'>Connect Four advisor</a></p><h1>JSON interface</h1>",
        f"<p>{html.escape(_ABOUT)}</p>",
        "<p>For programs: <a href='/api/openapi.json'>/api/openapi.json</a> (OpenAPI 3.1).</p>",
        "<pre tabindex='0'>curl -H 'Content-Type: application/json' \\\n"
        '     -d \'{"board": "4453", "depth": 6}\' http://127.0.0.1:8400/api/suggest</pre>',
    ]
    for path, item in document()["paths"].items():
        for method in ("get", "post"):
            if method in item:
                parts += _section(method.upper(), path, item[method])
    return "\n".join([*parts, "</main></body></html>"])


def _section(method: str, path: str, operation: Json) -> list[str]:
    lines = [
        f"<section><h2><code>{method} {html.escape(path)}</code></h2>",
        f"<p>{html.escape(operation['summary'])}.</p>",
        f"<p>{html.escape(operation.get('description', ''))}</p>",
    ]
    body = operation.get("requestBody")
    if body:
        schema = body["content"]["application/json"]["schema"]
        lines.append("<table><tr><th>key</th><th>default</th><th>meaning</th></tr>")
        for key, value in schema["properties"].items():
            default = html.escape(repr(value.get("default", "")))
            text = html.escape(value.get("description", ""))
            lines.append(f"<tr><td><code>{key}</code></td><td>{default}</td><td>{text}</td></tr>")
        lines.append("</table>")
    return [*lines, "</section>"]
