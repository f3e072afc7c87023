"""What the JSON interface says of itself at `/api`, as an OpenAPI document; see `api_page`."""

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter

from advisor.web import answers, models
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
    answer: type
    request: type[BaseModel] | None = None
    progress: str = ""
    example: Json = field(default_factory=dict)


_PUZZLE = "/api/puzzles/{chapter}/{number}"
_ENDPOINTS = (
    _Endpoint("/api/health", "Whether the server answers, and its load", answers.Health),
    _Endpoint("/api/server", "Presets and limits", answers.Server),
    _Endpoint("/api/games", "What there is to play", answers.Games),
    _Endpoint("/api/program", "A game's rules and what it knows, as programs", answers.Program),
    _Endpoint(
        "/api/position",
        "A position: what it shows and what can be played",
        answers.Position,
        models.PositionRequest,
        example={"board": "4453"},
    ),
    _Endpoint(
        "/api/setup",
        "A position with other things on some squares, and what may stand on them",
        answers.Setup,
        models.SetupRequest,
        example={"game": "tictactoe", "squares": [[2, 2, "x"]], "turn": "o"},
    ),
    _Endpoint(
        "/api/suggest",
        "Advice on a position, the object of `advisor suggest --json`",
        answers.Advice,
        models.SuggestRequest,
        '{"depth", "best", "pv", "scores"}, with "exact" then the advice so far',
        example={"board": "4453", "depth": 6, "explain": True},
    ),
    _Endpoint(
        "/api/exact",
        "The exact score of every move, as far as it is proved in time",
        answers.Exact,
        models.ExactRequest,
        "what is proved so far",
        example={"board": "7272456227752556353746443337"},
    ),
    _Endpoint(
        "/api/prove",
        "A proof that a player holds or wins, the object of `advisor prove --json`",
        answers.Proof,
        models.ProveRequest,
        example={"width": 6, "height": 6},
    ),
    _Endpoint(
        "/api/batch",
        "Advice on many positions, the objects of `advisor analyse`",
        answers.Batch,
        models.BatchRequest,
        "a result of the answer",
        example={"boards": ["4453", "444444"], "depth": 6},
    ),
    _Endpoint(
        "/api/review",
        "Every move of a game graded, the object of `advisor review --json`",
        answers.Review,
        models.ReviewRequest,
        "a move of the answer, the last one first",
        example={"board": "44535"},
    ),
    _Endpoint(
        "/api/export",
        "A game, with its review if that is wanted, or a puzzle as one page that needs no server",
        answers.Exported,
        models.ExportRequest,
        "a move of the review, the last one first",
        example={"game": "tictactoe", "moves": ["b2", "a1"]},
    ),
    _Endpoint(
        "/api/enough",
        "Ends a client's advice, exact scores or proof with what is known by then",
        answers.Enough,
        models.EnoughRequest,
        example={"client": "me"},
    ),
    _Endpoint(
        "/api/weights",
        "Effective weights, one by one and as a weights file",
        answers.Weights,
        models.WeightsRequest,
        example={"weights": "default"},
    ),
    _Endpoint("/api/puzzles", "The puzzle book", answers.Book),
    _Endpoint(_PUZZLE, "A puzzle with its solution", answers.SolvedPuzzle),
    _Endpoint(
        f"{_PUZZLE}/try",
        "Whether a try at a puzzle still wins, and the longest defence's reply",
        answers.Try,
        models.TryRequest,
        example={"moves": []},
    ),
    _Endpoint(
        f"{_PUZZLE}/hint",
        "A step towards the solution, each time another one",
        answers.Hint,
        models.HintRequest,
        example={"moves": []},
    ),
)
_OLDER: dict[str, tuple[str, Json]] = {
    "/api/game": ("/api/position", {"game": "tictactoe", "moves": ["b2"]}),
    "/api/game/suggest": ("/api/suggest", {"game": "tictactoe", "moves": ["b2"], "depth": 3}),
    "/api/game/review": (
        "/api/review",
        {"game": "tictactoe", "moves": ["b2", "a1"], "depth": 3},
    ),
}
"""Older names of some, for games that are named."""


@cache
def document() -> Json:
    """The OpenAPI 3.1 document."""
    known = {endpoint.path: endpoint for endpoint in _ENDPOINTS}
    older = [
        replace(known[now], path=path, summary=f"An older name of {now}", example=example)
        for path, (now, example) in _OLDER.items()
    ]
    info = {"title": "asp-advisor", "version": "1", "description": _ABOUT}
    return {
        "openapi": "3.1.0",
        "info": info,
        "paths": {each.path: _item(each) for each in (*known.values(), *older)},
        "components": {"schemas": {"Error": _schema(answers.Error)}},
    }


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
