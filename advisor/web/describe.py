"""The endpoints of the JSON interface, and what it says of them at `/api`; see `api_page`."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from advisor.errors import InputError
from advisor.web import answers, api, api_page, models
from advisor.web.limits import MAX_BODY, MAX_DEPTH, MAX_SECONDS, MAX_SIDE
from advisor.web.models import Json

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
    """What is asked at a path, and answered; with a request it is a POST, of which one is shown."""

    path: str
    summary: str
    call: Callable[..., Awaitable[Json | Response]]
    answer: type
    request: type[BaseModel] | None = None
    progress: str = ""
    example: Json = field(default_factory=dict)

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

_ENDPOINTS = (
    _Endpoint("/health", "Whether the server answers, and its load", api.health, answers.Health),
    _Endpoint("/server", "Presets and limits", api.server, answers.Server),
    _Endpoint("/games", "What there is to play", api.offered, answers.Games),
    _Endpoint(
        "/program",
        "A game's rules and what it knows, as programs",
        api.program,
        answers.Program,
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
    _Endpoint("/puzzles", "The puzzle book", api.book, answers.Book),
    _Endpoint(_PUZZLE, "A puzzle with its solution", api.puzzle, answers.SolvedPuzzle),
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


@cache
def _page() -> str:
    return api_page.page(document())


async def description(request: Request) -> Response:
    """For people who ask for HTML, otherwise for programs."""
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(_page())
    return await _openapi(request)


async def _openapi(_: Request) -> Response:
    return JSONResponse(document())


ROUTES = [
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
