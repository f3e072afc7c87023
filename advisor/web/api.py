"""The endpoints of the server, which `describe` documents at `/api`."""

import asyncio
import ipaddress
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import cache, partial
from inspect import get_annotations
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

import advisor
from advisor.errors import InputError
from advisor.library.engines import ENGINES_GAME
from advisor.web import answers, games, models
from advisor.web.jobs import THIS_MACHINE, BusyError, Job
from advisor.web.limits import (
    MAX_BODY,
    MAX_DEPTH,
    MAX_REVIEW,
    MAX_SECONDS,
    MAX_SENDING,
    MAX_TREE_BODY,
)
from advisor.web.models import USUAL, WEIGHTS, Json
from advisor.web.pool import STOPPED, WorkerPool
from aspcircuits.texts import quote_text

Answered = Json | AsyncIterator[Json]
"""An answer, or messages that end with it, for clients that want to see progress."""

F = TypeVar("F", bound=Callable[..., Awaitable[Answered]])
M = TypeVar("M", bound=BaseModel)

LINES = "application/x-ndjson"

_LOOK_SECONDS = 0.5
"""Seconds between checks whether a client that waits for one answer is still connected."""

PUZZLE = "/puzzles/{chapter:path}/{number}"
"""Path of a puzzle; the name of a chapter may contain a slash, which only the server sees."""

_KEPT_APART = {"client", "constants", "width", "height", "connect"}
"""Keys of a request that a job does not have, or has as a part of its game."""


class Failure(HTTPException):
    """The HTTP error of a job that failed.

    Attributes:
        code: the kind of error.
    """

    def __init__(self, code: str, status: int, message: str) -> None:
        super().__init__(status, message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A path of the interface, with its request and answer.

    An endpoint with a request is a POST and has an example of it. One without is a GET; if the game
    matters, `?game=` gives it.

    Attributes:
        tag: its purpose, in a word.
        most: maximum bytes of a request.
        served: the options of `advisor serve` without which the path is not served; empty if none.
        errors: status codes of answers, besides the ones that `advisor.web.describe` adds.
    """

    path: str
    summary: str
    call: Callable[..., Awaitable[Answered]]
    answer: type
    progress: str
    example: Json
    tag: str
    of_game: bool
    most: int
    served: str
    errors: tuple[int, ...]

    @property
    def request(self) -> type[BaseModel] | None:
        """The type of the request; None for a GET."""
        return get_annotations(self.call).get("asked")

    @property
    def method(self) -> str:
        return "POST" if self.request else "GET"

    async def serve(self, request: Request) -> Response:
        """Read the request and answer it."""
        asked: list[BaseModel] = []
        if self.request:
            asked = [await read(request, self.request, self.most)]
        found = await self.call(request, *asked)
        if isinstance(found, AsyncIterator):
            return StreamingResponse(self._lines(found), media_type=LINES)
        return JSONResponse(self._validate(found))

    async def _lines(self, messages: AsyncIterator[Json]) -> AsyncIterator[str]:
        async for message in messages:
            if "result" in message:
                message["result"] = self._validate(message["result"])
            yield json.dumps(message) + "\n"

    def _validate(self, found: Json) -> Json:
        """Validate an answer by the documented type, which drops all other keys."""
        answer: Json = adapter(self.answer).validate_python(found)
        return answer


adapter = cache(TypeAdapter)
"""The validator of a type of answer, which also gives its schema."""


class Endpoints(list[Endpoint]):
    """Endpoints below `/api`, in the order of their description."""

    def add(
        self,
        path: str,
        answer: Any,
        progress: str = "",
        *,
        tag: str = "",
        of_game: bool = False,
        most: int = MAX_BODY,
        served: str = "",
        errors: tuple[int, ...] = (),
        **example: Any,
    ) -> Callable[[F], F]:
        """Make a function an endpoint: its docstring is the summary, `asked` the request's body.

        Args:
            path: below `/api`.
            answer: the type of the answer.
            progress: content of the messages before the answer, for clients that accept lines.
            tag: see `Endpoint`; by default the first word of the path.
            of_game, most, served, errors: see `Endpoint`.
            example: an example of the request.
        """

        def register(call: F) -> F:
            summary = (call.__doc__ or "").removesuffix(".")
            about = tag or path.split("/")[1]
            told = about, of_game, most, served, errors
            self.append(Endpoint(path, summary, call, answer, progress, example, *told))
            return call

        return register


ENDPOINTS = Endpoints()
"""The endpoints that every server has."""

_server = partial(ENDPOINTS.add, tag="server")
_position = partial(ENDPOINTS.add, tag="positions")
_game = partial(ENDPOINTS.add, tag="games")
_puzzles = ENDPOINTS.add


@_server("/health", answers.Health)
async def health(request: Request) -> Json:
    """Whether the server answers, and its load."""
    return {"status": "ok", **_pool(request).load}


@_server("/server", answers.Server)
async def server(request: Request) -> Json:
    """Presets and limits."""
    state = request.app.state
    return games.server(state.games, state.scripts)


@_game("/games", answers.Games)
async def list_games(request: Request) -> Json:
    """The games to play."""
    state = request.app.state
    return await run_in_threadpool(games.catalogue, state.games, state.can)


@_game("/program", answers.Program, of_game=True)
async def program(request: Request) -> Json:
    """A game's rules and knowledge, as programs."""
    return await run_in_threadpool(games.program, _source(request, _game_of_query(request)))


@_position("/position", answers.Position, board="4453")
async def position(request: Request, asked: models.PositionRequest) -> Answered:
    """A position: its board and its legal moves."""
    job, found = await _job(request, asked)
    if found is not None:  # at once, since no rules need to be read
        return found.to_json()
    return await _answer(request, asked.client, task="position", **job, seconds=0.0)


@_game(
    "/tree",
    answers.Tree,
    most=MAX_TREE_BODY,
    game="chess",
    board="1. e4 {best} (1. d4 d5) 1... e5",
)
async def tree(request: Request, asked: models.TreeRequest) -> Answered:
    """A game with its variations and comments, from its text."""
    return await do_job(request, asked, "tree")


@_game(
    "/record",
    answers.Record,
    most=MAX_TREE_BODY,
    game="chess",
    moves=[{"move": "e4", "follows": 0, "after": ["{best}"]}],
)
async def record(request: Request, asked: models.RecordRequest) -> Answered:
    """A game with its variations and comments as a file."""
    return await do_job(request, asked, "record")


@_position("/setup", answers.Setup, game="tictactoe", squares=[[2, 2, "x"]], turn="o")
async def setup(request: Request, asked: models.SetupRequest) -> Answered:
    """A position with other things on some squares, and what may stand on them."""
    return await do_job(request, asked, "setup")


@_position(
    "/suggest",
    answers.Advice,
    '{"depth", "best", "chance", "pv", "scores"}, with "exact" then the advice so far',
    board="4453",
    depth=6,
    explain=True,
)
async def suggest(request: Request, asked: models.SuggestRequest) -> Answered:
    """Advice on a position, the object of `advisor suggest --json`."""
    if asked.level is not None and asked.depth is not None:
        raise InputError("level: depth is given too (use one of them)")
    job, _ = await _job(request, asked)
    depth = asked.depth
    if depth is asked.level is asked.time is None and asked.game == USUAL:
        depth = min(games.load_weights(USUAL, asked.weights).depth or 0, MAX_DEPTH)
    told = {**job, "depth": depth}
    seconds = (asked.time or MAX_SECONDS) + asked.exact
    told |= {"task": "advise", "partial": True, "seconds": seconds}
    return await _answer(request, asked.client, **told)


@_position("/why", answers.Why, board="4453", strategy="center(0)", move=4)
async def why(request: Request, asked: models.WhyRequest) -> Json:
    """Why an atom, a strategy or a feature holds in a position, or why not."""
    named = [name for name in ("atom", "strategy", "feature") if getattr(asked, name) is not None]
    if len(named) != 1:
        raise InputError("why: give one of atom, strategy and feature")
    if asked.move is not None and named != ["strategy"]:
        raise InputError("move: needs a strategy")
    job, _ = await _job(request, asked)
    return await _result(request, asked.client, task="why", **job, seconds=0.0)


@_position("/threats", answers.Threats, board="142454")
async def threats(request: Request, asked: models.ThreatsRequest) -> Json:
    """What the opponent threatens, the object of `advisor threats --json`."""
    job, _ = await _job(request, asked)
    return await _result(request, asked.client, task="threats", **job, seconds=0.0)


@_position("/draw", answers.Picture, board="4453")
async def draw(request: Request, asked: models.PositionRequest) -> Json:
    """The position as a picture, the one of `advisor draw`."""
    job, _ = await _job(request, asked)
    return await _result(request, asked.client, task="draw", **job, seconds=0.0)


@_position("/exact", answers.Exact, "what is proved so far", board="7272456227752556353746443337")
async def exact(request: Request, asked: models.ExactRequest) -> Answered:
    """The exact score of every move, as far as it is proved in time."""
    return await do_job(request, asked, "exact", partial=True)


@_position("/batch", answers.Batch, "a result of the answer", boards=["4453", "444444"], depth=6)
async def batch(request: Request, asked: models.BatchRequest) -> Answered:
    """Advice on many positions, the objects of `advisor analyse`."""
    return await do_job(request, asked, "batch")


@_game("/review", answers.Review, "a move of the answer, the last one first", board="44535")
async def review(request: Request, asked: models.ReviewRequest) -> Answered:
    """Every move of a game graded, the object of `advisor review --json`."""
    return await do_job(request, asked, "review")


@_game(
    "/export",
    answers.Exported,
    "a move of the review, the last one first",
    game="tictactoe",
    moves=["b2", "a1"],
)
async def export(request: Request, asked: models.ExportRequest) -> Answered:
    """A game, with its review if that is wanted, or a puzzle as one page that needs no server."""
    return await do_job(request, asked, "export", seconds=MAX_REVIEW)


@_server("/enough", answers.Enough, client="me")
async def enough(request: Request, asked: models.EnoughRequest) -> Json:
    """Ends a client's advice, exact scores or proof with its results so far."""
    return {"ended": _pool(request).enough(asked.client, address_of(request))}


@_game("/weights", answers.Weights, weights="default")
async def weights(request: Request, asked: models.WeightsRequest) -> Json:
    """Effective weights, one by one and as a weights file."""
    return (await _load_weights(request, asked)).to_json(asked.language)


@_puzzles("/puzzles", answers.Book, of_game=True)
async def book(request: Request) -> Answered:
    """The puzzle book."""
    game = _game_of_query(request)
    kept: dict[str, Json] = request.app.state.books
    if game not in kept:
        asked = {
            "game": [_source(request, game)],
            "ids": games.puzzles(game),
            "seconds": MAX_SECONDS,
        }
        kept[game] = await _result(request, None, task="book", **asked)
    return kept[game]


@_puzzles(PUZZLE, answers.SolvedPuzzle, of_game=True)
async def puzzle(request: Request) -> Json:
    """A puzzle with its solution."""
    return await _result(
        request, None, task="puzzle", **_puzzle_job(request, _game_of_query(request))
    )


@_puzzles(f"{PUZZLE}/try", answers.Try, moves=[])
async def attempt(request: Request, asked: models.TryRequest) -> Json:
    """Whether a try at a puzzle still wins, and the longest defence's reply."""
    return await _attempt(request, asked, None)


@_puzzles(f"{PUZZLE}/hint", answers.Hint, moves=[])
async def hint(request: Request, asked: models.HintRequest) -> Json:
    """A step towards the solution, each time another one."""
    return await _attempt(request, asked, asked.step)


async def _attempt(request: Request, asked: models.TryRequest, step: int | None) -> Json:
    job = {**_puzzle_job(request, asked.game), "moves": asked.moves, "step": step}
    return await _result(request, asked.client, task="attempt", **job)


def _puzzle_job(request: Request, game: str) -> Json:
    """Return the arguments of a job on a puzzle of a game.

    Raises:
        HTTPException: there is no such puzzle.
    """
    name = "{chapter}/{number}".format(**request.path_params)
    if name not in games.puzzles(game):
        raise HTTPException(404, f"no puzzle {quote_text(name)} (see /api/puzzles)")
    return {"game": [game], "puzzle": name, "seconds": MAX_SECONDS}


async def do_job(
    request: Request,
    asked: models.GameRequest,
    task: str,
    *,
    seconds: float = 0.0,
    partial: bool = False,
) -> Answered:
    """Let a worker do a task of its own or of a plugin.

    Args:
        request: the HTTP request.
        asked: its body.
        task: name of the task.
        seconds: time for the work, if the request has no ``time``.
        partial: whether the client may request the results so far.
    """
    job, _ = await _job(request, asked)
    told = {**job, "task": task, "partial": partial, "seconds": job.get("time", seconds)}
    return await _answer(request, asked.client, **told)


async def _job(request: Request, asked: models.GameRequest) -> tuple[Json, advisor.Position | None]:
    """Turn a request into a job, after a check of its weights.

    Returns:
        The job, and the position if no rules need to be read for it.
    """
    source = _source(request, asked.game)
    if asked.game == USUAL or asked.weights != WEIGHTS:
        await _load_weights(request, asked)
    job = asked.model_dump(exclude=_KEPT_APART)
    job |= {"game": [source, *sorted(asked.chosen.items())], "edition": games.edition(source)}
    if asked.game == ENGINES_GAME:
        job["engine"] = request.app.state.engine
    found = None
    if isinstance(asked, models.PositionRequest) and asked.game == USUAL:
        found = await run_in_threadpool(games.usual, asked)
        job["game"] = [USUAL, *sorted(found.game.constants.items())]
    return job, found


async def _load_weights(
    request: Request, asked: models.GameRequest | models.WeightsRequest
) -> advisor.Weights:
    source = _source(request, asked.game)
    return await run_in_threadpool(games.load_weights, source, asked.weights, games.edition(source))


def _source(request: Request, game: str) -> str:
    return games.source(request.app.state.games, game)


def _game_of_query(request: Request) -> str:
    return request.query_params.get("game", USUAL)


def _pool(request: Request) -> WorkerPool:
    pool: WorkerPool = request.app.state.pool
    return pool


async def read(request: Request, model: type[M], most: int) -> M:
    """Read a body of limited size, as JSON, a type that a page from elsewhere cannot send."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "request: expected application/json")
    body = b""
    try:
        async with asyncio.timeout(MAX_SENDING):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise HTTPException(413, f"request: is too large (at most {most} bytes)")
    except TimeoutError:
        raise HTTPException(408, f"request: took more than {MAX_SENDING:g} s to send") from None
    return models.read(model, body)


def ip_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse a text as an IP address; None if it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def address_of(request: Request) -> str:
    """Return the client's address; for IPv6 its network, since one client has many addresses."""
    address = ip_address(request.client.host if request.client else "")
    if address is None or address.is_loopback:
        return THIS_MACHINE
    return str(address if address.version == 4 else ipaddress.ip_network((address, 64), False))


def _submit(request: Request, client: str | None, asked: Json) -> Job:
    try:
        return _pool(request).submit(asked, client, address_of(request))
    except BusyError as error:
        raise HTTPException(503, str(error), {"Retry-After": "5"}) from None


async def _answer(request: Request, client: str | None, **asked: object) -> Answered:
    """Queue a job; return its result, or its messages if the client accepts lines."""
    if LINES in request.headers.get("accept", ""):
        return _messages(_pool(request), _submit(request, client, asked))
    return await _result(request, client, **asked)


async def _result(request: Request, client: str | None, **asked: object) -> Json:
    """Return a job's result; the job ends if the client disconnects."""
    job = _submit(request, client, asked)
    watch = asyncio.create_task(_cancel_when_gone(request, job))
    try:
        async for message in job:
            if "result" in message:
                found: Json = message["result"]
                return found
            if "superseded" in message:
                raise HTTPException(409, "superseded by a newer request")
            if "error" in message:
                raise _failure(message)
    finally:
        watch.cancel()
        if not job.ended:
            _pool(request).cancel(job)
    raise _failure({"error": None})


async def _cancel_when_gone(request: Request, job: Job) -> None:
    while not await request.is_disconnected():
        await asyncio.sleep(_LOOK_SECONDS)
    _pool(request).cancel(job)


def _failure(answer: Json) -> Failure:
    if answer["error"] is None:
        return Failure("fault", 500, "the look-ahead failed")
    return Failure(answer["code"], 503 if answer["code"] == STOPPED else 422, answer["error"])


async def _messages(pool: WorkerPool, job: Job) -> AsyncIterator[Json]:
    """Yield a job's messages; the job ends if the client disconnects."""
    try:
        async for message in job:
            if "error" in message:
                failed = _failure(message)
                message = {
                    "error": failed.detail,
                    "code": failed.code,
                    "status": failed.status_code,
                }
            yield message
    finally:
        if not job.ended:
            pool.cancel(job)
