"""The endpoints of the JSON interface, and what it says of them at `/api`: OpenAPI, or a page."""

import html
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from advisor.errors import InputError
from advisor.web import answers, api, models
from advisor.web.limits import MAX_BODY, MAX_DEPTH, MAX_SECONDS, MAX_SIDE
from advisor.web.models import Json

_ABOUT = (
    "The advisor's JSON interface. Rows count from 1 at the bottom and columns from 1 at the left; "
    "x (red) moves first, o (yellow) second. A score is forced (win, loss or draw, with the "
    "winner's own moves as 'in') or heuristic (a value in weight units), from the view of the "
    f"player to move. Requests take at most {MAX_BODY} bytes, sides of {MAX_SIDE}, "
    f"{MAX_DEPTH} plies and {MAX_SECONDS:g} seconds. An error is one line, as the command line "
    "prints it: 422 for what cannot be used, 413 for what is too large."
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
    """What is asked at a path, and answered; with a request it is a POST, of which one is shown.

    Without one, `?game=` says of which game where that matters.
    """

    path: str
    summary: str
    call: Callable[..., Awaitable[Json | Response]]
    answer: type
    request: type[BaseModel] | None = None
    progress: str = ""
    example: Json = field(default_factory=dict)
    of_game: bool = False

    async def serve(self, request: Request) -> Response:
        """Reads what is asked; `/api/game` and what is below it do not know the usual game."""
        asked: list[BaseModel] = []
        if self.request:
            asked = [await api.read(request, self.request)]
            if api.is_old(request) and "game" not in asked[0].model_fields_set:
                raise InputError("game: is missing")
        found = await self.call(request, *asked)
        return found if isinstance(found, Response) else JSONResponse(found)

    @property
    def method(self) -> str:
        return "POST" if self.request else "GET"


_PUZZLE = "/puzzles/{chapter:path}/{number}"
"""The name of a chapter may have a slash in it, which concerns the server alone."""

_PARAMETERS = {"chapter": "chapter1", "number": "1"}
"""Of that path, with examples."""

_ENDPOINTS = (
    _Endpoint("/health", "Whether the server answers, and its load", api.health, answers.Health),
    _Endpoint("/server", "Presets and limits", api.server, answers.Server),
    _Endpoint("/games", "What there is to play", api.offered, answers.Games),
    _Endpoint(
        "/program",
        "A game's rules and what it knows, as programs",
        api.program,
        answers.Program,
        of_game=True,
    ),
    _Endpoint(
        "/position",
        "A position: what it shows and what can be played",
        api.position,
        answers.Position,
        models.PositionRequest,
        example={"board": "4453"},
    ),
    _Endpoint(
        "/setup",
        "A position with other things on some squares, and what may stand on them",
        api.asking("setup"),
        answers.Setup,
        models.SetupRequest,
        example={"game": "tictactoe", "squares": [[2, 2, "x"]], "turn": "o"},
    ),
    _Endpoint(
        "/suggest",
        "Advice on a position, the object of `advisor suggest --json`",
        api.suggest,
        answers.Advice,
        models.SuggestRequest,
        '{"depth", "best", "pv", "scores"}, with "exact" then the advice so far',
        example={"board": "4453", "depth": 6, "explain": True},
    ),
    _Endpoint(
        "/exact",
        "The exact score of every move, as far as it is proved in time",
        api.asking("exact"),
        answers.Exact,
        models.ExactRequest,
        "what is proved so far",
        example={"board": "7272456227752556353746443337"},
    ),
    _Endpoint(
        "/prove",
        "A proof that a player holds or wins, the object of `advisor prove --json`",
        api.asking("prove"),
        answers.Proof,
        models.ProveRequest,
        example={"width": 6, "height": 6},
    ),
    _Endpoint(
        "/batch",
        "Advice on many positions, the objects of `advisor analyse`",
        api.asking("batch"),
        answers.Batch,
        models.BatchRequest,
        "a result of the answer",
        example={"boards": ["4453", "444444"], "depth": 6},
    ),
    _Endpoint(
        "/review",
        "Every move of a game graded, the object of `advisor review --json`",
        api.asking("review"),
        answers.Review,
        models.ReviewRequest,
        "a move of the answer, the last one first",
        example={"board": "44535"},
    ),
    _Endpoint(
        "/export",
        "A game, with its review if that is wanted, or a puzzle as one page that needs no server",
        api.asking("export", seconds=10.0),
        answers.Exported,
        models.ExportRequest,
        "a move of the review, the last one first",
        example={"game": "tictactoe", "moves": ["b2", "a1"]},
    ),
    _Endpoint(
        "/enough",
        "Ends a client's advice, exact scores or proof with what is known by then",
        api.enough,
        answers.Enough,
        models.EnoughRequest,
        example={"client": "me"},
    ),
    _Endpoint(
        "/weights",
        "Effective weights, one by one and as a weights file",
        api.weights,
        answers.Weights,
        models.WeightsRequest,
        example={"weights": "default"},
    ),
    _Endpoint("/puzzles", "The puzzle book", api.book, answers.Book, of_game=True),
    _Endpoint(
        _PUZZLE, "A puzzle with its solution", api.puzzle, answers.SolvedPuzzle, of_game=True
    ),
    _Endpoint(
        f"{_PUZZLE}/try",
        "Whether a try at a puzzle still wins, and the longest defence's reply",
        api.attempt,
        answers.Try,
        models.TryRequest,
        example={"moves": []},
    ),
    _Endpoint(
        f"{_PUZZLE}/hint",
        "A step towards the solution, each time another one",
        api.attempt,
        answers.Hint,
        models.HintRequest,
        example={"moves": []},
    ),
)
_OLDER: dict[str, tuple[str, Json]] = {
    "/game": ("/position", {"game": "tictactoe", "moves": ["b2"]}),
    "/game/suggest": ("/suggest", {"game": "tictactoe", "moves": ["b2"], "depth": 3}),
    "/game/review": ("/review", {"game": "tictactoe", "moves": ["b2", "a1"], "depth": 3}),
}
"""Older names of some, for games that are named."""

_KNOWN = {endpoint.path: endpoint for endpoint in _ENDPOINTS}
_ALL = (
    *_ENDPOINTS,
    *(
        replace(_KNOWN[now], path=path, summary=f"An older name of /api{now}", example=example)
        for path, (now, example) in _OLDER.items()
    ),
)


@cache
def document() -> Json:
    """The OpenAPI 3.1 document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "asp-advisor", "version": "1", "description": _ABOUT},
        "paths": {f"/api{each.path}".replace(":path", ""): _item(each) for each in _ALL},
        "components": {"schemas": {"Error": _schema(answers.Error)}},
    }


async def description(request: Request) -> Response:
    """For people who ask for HTML, otherwise for programs."""
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(page())
    return await _openapi(request)


async def _openapi(_: Request) -> Response:
    return JSONResponse(document())


ROUTES = [
    Route("/", description),
    Route("/openapi.json", _openapi),
    *(Route(each.path, each.serve, methods=[each.method]) for each in _ALL),
]
"""Below `/api`."""


def _item(endpoint: _Endpoint) -> Json:
    """A path of the document."""
    operation: Json = {"summary": endpoint.summary}
    answer: Json = {"application/json": {"schema": _schema(endpoint.answer)}}
    errors = (404,) if endpoint.path.startswith(_PUZZLE) else ()
    if endpoint.request:
        schema = _schema(endpoint.request)
        body = {"application/json": {"schema": schema, "example": endpoint.example}}
        operation["requestBody"] = {"required": True, "content": body}
        waits = endpoint.request not in (models.EnoughRequest, models.WeightsRequest)
        errors = (413, 415, 422, *errors, *((409, 503) if waits else ()))
    if endpoint.progress:
        operation["description"] = _STREAM.format(endpoint.progress)
        answer["application/x-ndjson"] = {"schema": {"type": "string"}}
    if endpoint.of_game:
        known = {"type": "string", "default": models.USUAL}
        about = "One of the games of /api/games."
        game = {"name": "game", "in": "query", "schema": known, "description": about}
        operation["parameters"] = [game]
        errors = (*errors, 422)
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    operation["responses"] = {
        "200": {"description": "The answer.", "content": answer},
        **{str(code): {"description": _MEANING[code], "content": error} for code in errors},
    }
    item: Json = {endpoint.method.lower(): operation}
    if endpoint.path.startswith(_PUZZLE):
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
    """The same for people: what can be asked, answered and tried. Needs no network."""
    operations = [
        (method.upper(), path, operation)
        for path, item in document()["paths"].items()
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
    """An endpoint."""
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
