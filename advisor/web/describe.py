"""What the JSON interface says of itself at `/api`: an OpenAPI document and a page."""

import html
from functools import cache
from typing import Any

from pydantic import BaseModel

from advisor.web.limits import MAX_BODY, MAX_DEPTH, MAX_SECONDS, MAX_SIDE
from advisor.web.requests import BoardRequest, SuggestRequest, TryRequest, WeightsRequest

Json = dict[str, Any]

_ABOUT = (
    "The advisor's JSON interface. Rows count from 1 at the bottom and columns from 1 at the left; "
    "x (red) moves first, o (yellow) second. A score is forced (win, loss or draw, with the "
    "winner's own moves as 'in') or heuristic (a value in weight units), from the view of the "
    f"player to move. Requests take at most {MAX_BODY} bytes, sides of {MAX_SIDE}, "
    f"{MAX_DEPTH} plies and {MAX_SECONDS:g} seconds. An error is one line, the same that the "
    "command line prints: 422 for what cannot be used, 413 for what is too large."
)

_WHOLE: Json = {"type": "integer"}
_COLUMNS: Json = {"type": "array", "items": _WHOLE}
_TEXT: Json = {"type": "string"}
_TRUTH: Json = {"type": "boolean"}
_SQUARES: Json = {"type": "array", "items": _COLUMNS}
_ERROR: Json = {"$ref": "#/components/schemas/Error"}
_PUZZLE_PATH = [
    {"name": "chapter", "in": "path", "required": True, "schema": _TEXT, "example": "chapter1"},
    {"name": "number", "in": "path", "required": True, "schema": _TEXT, "example": "1"},
]


def _object(explained: Json | None = None, /, **properties: Json) -> Json:
    """An object with these properties, and others where `explain` or a level is asked for."""
    every = {**properties, **(explained or {})}
    return {"type": "object", "properties": every, "required": list(properties)}


_SCORE: Json = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["win", "loss", "draw", "heuristic"]},
        "in": {**_WHOLE, "description": "Of a win or loss: the winner's own moves, if known."},
        "value": {**_WHOLE, "description": "Of a heuristic score."},
        "proved": {"const": True, "description": "By exact play, not by the look-ahead."},
    },
    "required": ["kind"],
}
_FIRING = _object({"sentence": _TEXT}, strategy=_TEXT, weight=_WHOLE, squares=_SQUARES)
_MOVE = _object(
    {
        "outcome": _TEXT,
        "total": {**_WHOLE, "description": "What the strategies say."},
        "ahead": {**_WHOLE, "description": "What the look-ahead sees; with total the score."},
    },
    column=_WHOLE,
    row=_WHOLE,
    score=_SCORE,
    fires={"type": "array", "items": _FIRING},
)
_ADVICE = _object(
    {
        "explanation": {"type": "array", "items": _TEXT},
        "choices": _COLUMNS,
        "book": {"const": True, "description": "The opening book knows all moves' results."},
    },
    turn=_TEXT,
    best=_COLUMNS,
    score=_SCORE,
    depth=_WHOLE,
    nodes=_WHOLE,
    leaves=_WHOLE,
    seconds={"type": "number"},
    pv=_COLUMNS,
    moves={"type": "array", "items": _MOVE},
)
_POSITION = _object(
    width=_WHOLE,
    height=_WHOLE,
    connect=_WHOLE,
    rows={"type": "array", "items": _TEXT},
    turn=_TEXT,
    moves={**_SQUARES, "description": "[column, row on which the disc rests]"},
    discs=_WHOLE,
    over=_TRUTH,
    winner={"type": ["string", "null"]},
    lines={"type": "array", "items": _SQUARES},
    status=_TEXT,
    text=_TEXT,
    yaml=_TEXT,
)
_PUZZLE = _object(
    id=_TEXT,
    chapter=_WHOLE,
    number=_WHOLE,
    width=_WHOLE,
    height=_WHOLE,
    connect=_WHOLE,
    rows={"type": "array", "items": _TEXT},
    turn=_TEXT,
    win_in=_WHOLE,
    extra=_TRUTH,
    text=_TEXT,
)
_SOLVED_PUZZLE = _object(**_PUZZLE["properties"], solution=_COLUMNS, source=_TEXT)
_WEIGHT = _object(
    program=_TEXT,
    name=_TEXT,
    path={"type": "array", "description": "Its place in a weights file."},
    value=_WHOLE,
    title={**_TEXT, "description": "What it is for."},
)


@cache
def document() -> Json:
    """The OpenAPI 3.1 document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Connect Four advisor",
            "version": "1",
            "description": _ABOUT,
        },
        "paths": {
            "/api/health": {
                "get": _get(
                    "Whether the server answers, and its load",
                    _object(status=_TEXT, workers=_WHOLE, busy=_WHOLE, waiting=_WHOLE),
                )
            },
            "/api/server": {
                "get": _get(
                    "Presets and limits",
                    _object(
                        presets={"type": "array", "items": _TEXT},
                        default=_TEXT,
                        max_level=_WHOLE,
                        max_seconds={"type": "number"},
                        max_side=_WHOLE,
                        weight_limit=_WHOLE,
                    ),
                )
            },
            "/api/position": {
                "post": _post(
                    "A position: what it shows and what can be played", BoardRequest, _POSITION
                )
            },
            "/api/suggest": {"post": _suggest()},
            "/api/weights": {
                "post": _post(
                    "Effective weights, one by one and as a weights file",
                    WeightsRequest,
                    _object(
                        name=_TEXT,
                        depth=_WHOLE,
                        weights={"type": "array", "items": _WEIGHT},
                        yaml=_TEXT,
                    ),
                )
            },
            "/api/puzzles": {
                "get": _get("The puzzle book", _object(puzzles={"type": "array", "items": _PUZZLE}))
            },
            "/api/puzzles/{chapter}/{number}": {
                "parameters": _PUZZLE_PATH,
                "get": {**_get("A puzzle with its solution", _SOLVED_PUZZLE, (404,))},
            },
            "/api/puzzles/{chapter}/{number}/try": {
                "parameters": _PUZZLE_PATH,
                "post": _post(
                    "How a try at a puzzle stands, and the longest defence's reply",
                    TryRequest,
                    _object(
                        state={"enum": ["open", "solved", "slipped", "missed"]},
                        reply={"type": ["integer", "null"]},
                        moves_used=_WHOLE,
                        win_in=_WHOLE,
                    ),
                    (404, 409, 503),
                ),
            },
        },
        "components": {"schemas": {"Error": _object(error=_TEXT)}},
    }


def _suggest() -> Json:
    found = _post(
        "Advice on a position, the object of `advisor suggest --json`",
        SuggestRequest,
        _ADVICE,
        (409, 503),
    )
    found["description"] = (
        "With `Accept: application/x-ndjson` the answer is a stream of lines: any number of "
        '{"progress": {"depth", "best", "pv", "scores"}}, then one of {"result": the advice}, '
        '{"error": message}, {"superseded": true}.'
    )
    found["responses"]["200"]["content"]["application/x-ndjson"] = {"schema": _TEXT}
    return found


def _get(summary: str, answer: Json, errors: tuple[int, ...] = ()) -> Json:
    return {"summary": summary, "responses": _responses(answer, errors)}


def _post(
    summary: str, request: type[BaseModel], answer: Json, errors: tuple[int, ...] = ()
) -> Json:
    schema = request.model_json_schema()
    return {
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": _responses(answer, (413, 415, 422, *errors)),
    }


def _responses(answer: Json, errors: tuple[int, ...]) -> Json:
    meaning = {
        404: "There is no such puzzle; /api/puzzles lists them.",
        409: "A newer request of the same client superseded this one.",
        413: "The request is too large.",
        415: "The request is not application/json.",
        422: "The request cannot be used; the error says where and what is allowed.",
        503: "Too many requests are waiting.",
    }
    good = {"description": "The answer.", "content": {"application/json": {"schema": answer}}}
    content = {"application/json": {"schema": _ERROR}}
    bad = {str(code): {"description": meaning[code], "content": content} for code in errors}
    return {"200": good, **bad}


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
        "<pre>curl -H 'Content-Type: application/json' \\\n"
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
