"""The JSON interface: one function an endpoint."""

import asyncio
import ipaddress
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from advisor.errors import InputError
from advisor.web import api_page, boards, catalogue, describe, games, requests, views
from advisor.web.jobs import THIS_MACHINE, BusyError, Job
from advisor.web.limits import MAX_BODY, MAX_SECONDS, MAX_SENDING
from advisor.web.models import (
    BatchRequest,
    BoardRequest,
    EnoughRequest,
    ExactRequest,
    GameRequest,
    GameReviewRequest,
    GameSuggestRequest,
    HintRequest,
    ProveRequest,
    ReviewRequest,
    SuggestRequest,
    TryRequest,
    WeightsRequest,
)
from advisor.web.pool import STOPPED, Pool
from advisor.web.requests import R

LINES = "application/x-ndjson"

_LOOK_SECONDS = 0.5
"""How often it is looked whether a client who waits for one answer is still there."""


async def description(request: Request) -> Response:
    """`/api`: for people who ask for HTML, otherwise for programs."""
    if "text/html" in request.headers.get("accept", ""):
        return Response(api_page.page(), media_type="text/html")
    return JSONResponse(describe.document())


async def openapi(_: Request) -> Response:
    """`/api/openapi.json`."""
    return JSONResponse(describe.document())


async def health(request: Request) -> Response:
    """`/api/health`."""
    return JSONResponse({"status": "ok", **_pool(request).load})


async def server(request: Request) -> Response:
    """`/api/server`."""
    return JSONResponse(views.server(request.app.state.games))


async def offered(request: Request) -> Response:
    """`/api/games`."""
    found = await run_in_threadpool(catalogue.view, request.app.state.games)
    return JSONResponse(found)


async def position(request: Request) -> Response:
    """`/api/position`."""
    asked = await read(request, BoardRequest)
    found = await run_in_threadpool(boards.position, asked)
    return JSONResponse(boards.view(found))


async def suggest(request: Request) -> Response:
    """`/api/suggest`: one object, or its progress line by line if the client accepts that."""
    asked = await read(request, SuggestRequest)
    found = await run_in_threadpool(boards.position, asked)
    await run_in_threadpool(requests.settings, asked.weights)
    limit = requests.limit(asked)
    return await _answer(
        request,
        asked.client,
        task="advise",
        position=boards.pack(found),
        weights=asked.weights,
        depth=limit.depth,
        seconds=(limit.seconds or MAX_SECONDS) + asked.exact,
        level=asked.level,
        exact=asked.exact,
        explain=asked.explain,
    )


async def exact(request: Request) -> Response:
    """`/api/exact`: every move's exact score, with what is proved so far as progress."""
    asked = await read(request, ExactRequest)
    found = await run_in_threadpool(boards.position, asked)
    if found.over:
        raise InputError("board: the game is over")
    return await _answer(
        request, asked.client, task="exact", position=boards.pack(found), seconds=asked.time
    )


async def prove(request: Request) -> Response:
    """`/api/prove`: a proof by Allis' rules or by a plan."""
    asked = await read(request, ProveRequest)
    found = await run_in_threadpool(boards.position, asked)
    return await _answer(
        request,
        asked.client,
        task="prove",
        position=boards.pack(found),
        player=asked.player,
        by=asked.by,
        seconds=asked.time,
    )


async def batch(request: Request) -> Response:
    """`/api/batch`: advice on many positions, with each one as progress."""
    asked = await read(request, BatchRequest)
    await run_in_threadpool(requests.settings, asked.weights)
    return await _answer(
        request,
        asked.client,
        task="batch",
        boards=asked.boards,
        size=[asked.width, asked.height, asked.connect],
        weights=asked.weights,
        depth=asked.depth,
        seconds=asked.time,
    )


async def review(request: Request) -> Response:
    """`/api/review`: every move of a game graded, with the moves as progress."""
    asked = await read(request, ReviewRequest)
    played = await run_in_threadpool(boards.game, asked)
    await run_in_threadpool(requests.settings, asked.weights)
    return await _answer(
        request,
        asked.client,
        task="review",
        position=boards.pack(played.start),
        moves=played.moves,
        weights=asked.weights,
        depth=asked.depth,
        seconds=asked.time,
    )


async def enough(request: Request) -> Response:
    """`/api/enough`: the client's running job ends with what is known."""
    asked = await read(request, EnoughRequest)
    return JSONResponse({"ended": _pool(request).enough(asked.client, _address(request))})


async def weights(request: Request) -> Response:
    """`/api/weights`."""
    asked = await read(request, WeightsRequest)
    settings = await run_in_threadpool(requests.settings, asked.weights)
    return JSONResponse(views.weights(settings))


async def game(request: Request) -> Response:
    """`/api/game`: a state of a game that is given by its rules."""
    asked = await read(request, GameRequest)
    job = _game(request, asked)
    return JSONResponse(await _result(request, asked.client, task="game", **job, seconds=0.0))


async def game_suggest(request: Request) -> Response:
    """`/api/game/suggest`: advice on such a state."""
    asked = await read(request, GameSuggestRequest)
    limit = requests.game_limit(asked)
    return await _answer(
        request,
        asked.client,
        task="advise",
        **_game(request, asked),
        depth=limit.depth,
        seconds=(limit.seconds or MAX_SECONDS) + asked.exact,
        level=asked.level,
        exact=asked.exact,
        explain=asked.explain,
    )


async def game_review(request: Request) -> Response:
    """`/api/game/review`: every move of such a game graded, with the moves as progress."""
    asked = await read(request, GameReviewRequest)
    return await _answer(
        request,
        asked.client,
        task="review",
        **_game(request, asked),
        depth=asked.depth,
        seconds=asked.time,
    )


def _game(request: Request, asked: GameRequest) -> dict[str, Any]:
    """A game as its job has it."""
    source = games.source(request.app.state.games, asked.game)
    return {
        "game": [source, *sorted(asked.constants.items())],
        "start": asked.start,
        "moves": asked.moves,
    }


async def book(_: Request) -> Response:
    """`/api/puzzles`."""
    content = await run_in_threadpool(boards.book_view)
    return Response(content, media_type=JSONResponse.media_type)


async def puzzle(request: Request) -> Response:
    """`/api/puzzles/chapter1/1`."""
    posed = await run_in_threadpool(boards.puzzle, **request.path_params)
    return JSONResponse(
        {**boards.puzzle_view(posed), "solution": posed.solution, "source": posed.source}
    )


async def attempt(request: Request) -> Response:
    """`/api/puzzles/chapter1/1/try`: how a try stands, and the best defence's reply."""
    posed = await run_in_threadpool(boards.puzzle, **request.path_params)
    asked = await read(request, TryRequest)
    reached = boards.play_on(posed.position, asked.moves)
    attacker = posed.position.turn
    used = (len(asked.moves) + 1) // 2
    view = {"moves_used": used, "win_in": posed.win_in, "reply": None, "refutation": None}
    if reached.winner == attacker and used <= posed.win_in:
        return JSONResponse({**view, "state": "solved"})
    if reached.result() is not None or used >= posed.win_in:
        return JSONResponse({**view, "state": "missed"})
    if reached.turn == attacker:
        return JSONResponse({**view, "state": "open"})
    found = await _result(
        request,
        asked.client,
        task="defend",
        position=boards.pack(reached),
        moves_left=posed.win_in - used,
        seconds=MAX_SECONDS,
    )
    state = "open" if found["won"] else "slipped"
    told = None if found["won"] else found["told"]
    return JSONResponse({**view, "state": state, "reply": found["reply"], "refutation": told})


async def hint(request: Request) -> Response:
    """`/api/puzzles/chapter1/1/hint`: a step towards the solution."""
    posed = await run_in_threadpool(boards.puzzle, **request.path_params)
    asked = await read(request, HintRequest)
    reached = boards.play_on(posed.position, asked.moves)
    left = posed.win_in - len(asked.moves) // 2
    if reached.result() is not None or reached.turn != posed.position.turn or left < 1:
        raise InputError("moves: it is not the solver's turn, or the puzzle is over")
    found = await _result(
        request,
        asked.client,
        task="hint",
        position=boards.pack(reached),
        moves_left=left,
        step=asked.step,
        seconds=MAX_SECONDS,
    )
    return JSONResponse(found)


def _pool(request: Request) -> Pool:
    pool: Pool = request.app.state.pool
    return pool


async def read(request: Request, model: type[R]) -> R:
    """The body, not larger than allowed and of the type that a page cannot send elsewhere."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "request: expected application/json")
    body = b""
    try:
        async with asyncio.timeout(MAX_SENDING):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BODY:
                    raise HTTPException(413, f"request: is too large (at most {MAX_BODY} bytes)")
    except TimeoutError:
        raise HTTPException(408, f"request: took more than {MAX_SENDING:g} s to send") from None
    return requests.read(model, body)


def _address(request: Request) -> str:
    """Who asks, as far as that is known; of IPv6 the network, which has many addresses."""
    try:
        address = ipaddress.ip_address(request.client.host if request.client else "")
    except ValueError:
        return THIS_MACHINE
    if address.is_loopback:
        return THIS_MACHINE
    return str(address if address.version == 4 else ipaddress.ip_network((address, 64), False))


def _submit(request: Request, client: str | None, asked: dict[str, object]) -> Job:
    try:
        return _pool(request).submit(asked, client, _address(request))
    except BusyError as error:
        raise HTTPException(503, str(error), {"Retry-After": "5"}) from None


async def _answer(request: Request, client: str | None, **asked: object) -> Response:
    """What a job finds: one object, or its progress line by line if the client accepts that."""
    if LINES in request.headers.get("accept", ""):
        job = _submit(request, client, asked)
        return StreamingResponse(_lines(_pool(request), job), media_type=LINES)
    return JSONResponse(await _result(request, client, **asked))


async def _result(request: Request, client: str | None, **asked: object) -> dict[str, object]:
    """What a job finds; it ends when nobody waits for it any more."""
    job = _submit(request, client, asked)
    watch = asyncio.create_task(_cancel_when_gone(request, job))
    try:
        async for message in job:
            if "result" in message:
                found: dict[str, object] = message["result"]
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


async def _lines(pool: Pool, job: Job) -> AsyncIterator[str]:
    """A job's answers as lines; if the client goes away the job ends."""
    try:
        async for message in job:
            if message.get("error", "") is None:
                message = {"error": "the look-ahead failed"}
            yield json.dumps(message) + "\n"
    finally:
        if not job.ended:
            pool.cancel(job)


ROUTES = [
    Route("/", description),
    Route("/openapi.json", openapi),
    Route("/health", health),
    Route("/server", server),
    Route("/games", offered),
    Route("/position", position, methods=["POST"]),
    Route("/suggest", suggest, methods=["POST"]),
    Route("/exact", exact, methods=["POST"]),
    Route("/prove", prove, methods=["POST"]),
    Route("/batch", batch, methods=["POST"]),
    Route("/review", review, methods=["POST"]),
    Route("/enough", enough, methods=["POST"]),
    Route("/weights", weights, methods=["POST"]),
    Route("/game", game, methods=["POST"]),
    Route("/game/suggest", game_suggest, methods=["POST"]),
    Route("/game/review", game_review, methods=["POST"]),
    Route("/puzzles", book),
    Route("/puzzles/{chapter:path}/{number}/try", attempt, methods=["POST"]),
    Route("/puzzles/{chapter:path}/{number}/hint", hint, methods=["POST"]),
    Route("/puzzles/{chapter:path}/{number}", puzzle),
]
