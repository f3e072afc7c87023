"""What the endpoints of `describe` do: each is given the request and what it asks."""

import asyncio
import ipaddress
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

import advisor
from advisor.errors import InputError
from advisor.files.textfile import quoted
from advisor.web import games, models
from advisor.web.jobs import THIS_MACHINE, BusyError, Job
from advisor.web.limits import MAX_BODY, MAX_DEPTH, MAX_SECONDS, MAX_SENDING
from advisor.web.models import (
    USUAL,
    WEIGHTS,
    EnoughRequest,
    GameRequest,
    HintRequest,
    Json,
    PositionRequest,
    SuggestRequest,
    TryRequest,
    WeightsRequest,
)
from advisor.web.pool import STOPPED, WorkerPool

M = TypeVar("M", bound=BaseModel)

LINES = "application/x-ndjson"

_LOOK_SECONDS = 0.5
"""How often it is looked whether a client who waits for one answer is still there."""


async def health(request: Request) -> Json:
    """Whether the server answers, and its load."""
    return {"status": "ok", **_pool(request).load}


async def server(request: Request) -> Json:
    """What a page has to know of the server."""
    return games.server(request.app.state.games)


async def offered(request: Request) -> Json:
    """What there is to play."""
    state = request.app.state
    return await run_in_threadpool(games.catalogue, state.games, state.own.names)


async def program(request: Request) -> Json:
    """The programs of the usual game, or of another one with `?game=chess`."""
    return await run_in_threadpool(games.program, _source(request, _game_of_query(request)))


async def position(request: Request, asked: PositionRequest) -> Json:
    """How to draw a position and what can be played; at once, unless rules are read."""
    job, found = await _job(request, asked)
    if found is not None:
        return found.to_json()
    return await _result(request, asked.client, task="position", **job, seconds=0.0)


async def suggest(request: Request, asked: SuggestRequest) -> Response:
    """Advice; the depth of a level is its own."""
    old = is_old(request)
    if asked.level is not None and asked.depth is not None and not old:
        raise InputError("level: depth is given too (use one of them)")
    job, _ = await _job(request, asked)
    depth = asked.level if asked.depth is None else asked.depth
    if depth is None and asked.time is None and asked.game == USUAL:
        depth = min(games.weighed(USUAL, asked.weights).depth or 0, MAX_DEPTH)
    told = {**job, **_beside(asked), "depth": depth, "old": old}
    seconds = (asked.time or MAX_SECONDS) + asked.exact
    return await _answer(request, asked.client, task="advise", **told, seconds=seconds)


def asking(task: str, seconds: float = 0.0) -> Callable[..., Awaitable[Response]]:
    """An endpoint that hands a request on to a worker, with a time if the request names none."""

    async def answer(request: Request, asked: GameRequest) -> Response:
        if isinstance(asked, PositionRequest):
            job, _ = await _job(request, asked)
        else:
            job = await _game(request, asked)
        told = _beside(asked)
        time = told.pop("time", seconds)
        return await _answer(request, asked.client, task=task, **job, **told, seconds=time)

    return answer


def _beside(asked: GameRequest) -> Json:
    """What is asked beside the position."""
    return asked.model_dump(exclude={*PositionRequest.model_fields})


def is_old(request: Request) -> bool:
    """Whether it is asked as it once was of all games but the usual one.

    A text is then called ``start``, an advice has reasons besides, and a level may look as far as
    a depth says, but not at a finished game.
    """
    return request.url.path.startswith("/api/game")


async def _game(request: Request, asked: GameRequest) -> Json:
    """A game and its weights, which are looked at, as a job has them."""
    source = _source(request, asked.game)
    if asked.game == USUAL or asked.weights != WEIGHTS:
        await _weighed(request, asked)
    return {
        "game": [source, *sorted(asked.chosen.items())],
        "weights": asked.weights,
        "edition": games.edition(source),
    }


async def _weighed(request: Request, asked: GameRequest | WeightsRequest) -> advisor.Weights:
    source = _source(request, asked.game)
    return await run_in_threadpool(games.weighed, source, asked.weights, games.edition(source))


def _source(request: Request, game: str) -> str:
    return games.source(request.app.state.games, game)


def _game_of_query(request: Request) -> str:
    return request.query_params.get("game", USUAL)


async def _job(request: Request, asked: PositionRequest) -> tuple[Json, advisor.Position | None]:
    """A position as a job has it; and itself, where no rules have to be read for it."""
    game, found = await _game(request, asked), None
    if asked.game == USUAL:
        found = await run_in_threadpool(games.usual, asked)
        game["game"] = [USUAL, *sorted(found.game.constants.items())]
    key = "start" if is_old(request) else "board"
    return {**game, "board": asked.board, "moves": asked.moves, "key": key}, found


async def enough(request: Request, asked: EnoughRequest) -> Json:
    """Ends the client's running job with what is known."""
    return {"ended": _pool(request).enough(asked.client, address_of(request))}


async def weights(request: Request, asked: WeightsRequest) -> Json:
    """A preset, or weights that come as a text, in full."""
    return (await _weighed(request, asked)).to_json()


async def book(request: Request) -> Response:
    """All puzzles of a game, see `program`; kept as they were sent first."""
    game = _game_of_query(request)
    kept: dict[str, bytes] = request.app.state.books
    if game not in kept:
        asked = {
            "game": [_source(request, game)],
            "ids": games.puzzles(game),
            "seconds": MAX_SECONDS,
        }
        kept[game] = json.dumps(await _result(request, None, task="book", **asked)).encode()
    return Response(kept[game], media_type=JSONResponse.media_type)


async def puzzle(request: Request) -> Json:
    """A puzzle with its solution, likewise."""
    return await _result(request, None, task="puzzle", **_posed(request, _game_of_query(request)))


async def attempt(request: Request, asked: TryRequest) -> Json:
    """How a try at a puzzle stands and the best defence's reply, or a hint."""
    step = asked.step if isinstance(asked, HintRequest) else None
    job = {**_posed(request, asked.game), "moves": asked.moves, "step": step}
    return await _result(request, asked.client, task="try", **job)


def _posed(request: Request, game: str) -> Json:
    """A puzzle of a game as a job has it; an HTTPException if there is none."""
    name = "{chapter}/{number}".format(**request.path_params)
    if name not in games.puzzles(game):
        raise HTTPException(404, f"no puzzle {quoted(name)} (see /api/puzzles)")
    return {"game": [game], "puzzle": name, "seconds": MAX_SECONDS}


def _pool(request: Request) -> WorkerPool:
    pool: WorkerPool = request.app.state.pool
    return pool


async def read(request: Request, model: type[M], most: int = MAX_BODY) -> M:
    """The body, not larger than allowed and of the type that a page cannot send elsewhere."""
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


def address_of(request: Request) -> str:
    """Who asks, as far as that is known; of IPv6 the network, which has many addresses."""
    try:
        address = ipaddress.ip_address(request.client.host if request.client else "")
    except ValueError:
        return THIS_MACHINE
    if address.is_loopback:
        return THIS_MACHINE
    return str(address if address.version == 4 else ipaddress.ip_network((address, 64), False))


def _submit(request: Request, client: str | None, asked: Json) -> Job:
    try:
        return _pool(request).submit(asked, client, address_of(request))
    except BusyError as error:
        raise HTTPException(503, str(error), {"Retry-After": "5"}) from None


async def _answer(request: Request, client: str | None, **asked: object) -> Response:
    """What a job finds: one object, or its progress line by line if the client accepts that."""
    if LINES in request.headers.get("accept", ""):
        job = _submit(request, client, asked)
        return StreamingResponse(_lines(_pool(request), job), media_type=LINES)
    return JSONResponse(await _result(request, client, **asked))


async def _result(request: Request, client: str | None, **asked: object) -> Json:
    """What a job finds; it ends when nobody waits for it any more."""
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
                raise _failure(message["error"])
    finally:
        watch.cancel()
        if not job.ended:
            _pool(request).cancel(job)
    raise _failure(None)


async def _cancel_when_gone(request: Request, job: Job) -> None:
    while not await request.is_disconnected():
        await asyncio.sleep(_LOOK_SECONDS)
    _pool(request).cancel(job)


def _failure(message: str | None) -> Exception:
    if message is None:
        return HTTPException(500, "the look-ahead failed")
    return HTTPException(503, message) if message == STOPPED else InputError(message)


async def _lines(pool: WorkerPool, job: Job) -> AsyncIterator[str]:
    """A job's answers as lines; if the client goes away the job ends."""
    try:
        async for message in job:
            if message.get("error", "") is None:
                message = {"error": "the look-ahead failed"}
            yield json.dumps(message) + "\n"
    finally:
        if not job.ended:
            pool.cancel(job)
