"""The JSON interface of a class, where one is served."""

from collections import Counter
from functools import partial

import anyio
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from advisor.web import api
from advisor.web.classroom import Classroom
from advisor.web.jobs import THIS_MACHINE
from advisor.web.models import Request as Body

MAX_CHECKED, MAX_CHECKS, MAX_EACH = 2, 20, 2
"""Strategies that are checked side by side, and those that are checked or wait for it, of all and
of one address that is not this machine's: a check may take long."""

_side_by_side = anyio.CapacityLimiter(MAX_CHECKED)
_checked: Counter[str] = Counter()  # and those that wait, by their addresses


class HandIn(Body):
    """A strategy."""

    name: str = Field(max_length=60)
    weights: str = Field(description="The text of a weights file.")
    rules: str = Field("", description="That of `strategy.lp`, which the weights may name.")
    key: str = Field("", max_length=60, description="The answer to the name's first strategy.")


def _classroom(request: Request) -> Classroom:
    found: Classroom | None = request.app.state.classroom
    if found is None:
        raise HTTPException(404, "no class is served (advisor serve --class FOLDER)")
    return found


async def members(request: Request) -> Response:
    """`/api/class`: the members, the table, the games and the faults."""
    classroom = _classroom(request)
    return JSONResponse(await anyio.to_thread.run_sync(classroom.view))


async def hand_in(request: Request) -> Response:
    """`/api/class/hand-in`: takes a strategy that can play."""
    classroom = _classroom(request)
    asked = await api.read(request, HandIn)
    limiter = _side_by_side.statistics()
    if limiter.borrowed_tokens + limiter.tasks_waiting >= MAX_CHECKS:
        raise HTTPException(503, "too many strategies wait to be checked", {"Retry-After": "10"})
    address = api.address_of(request)
    if address != THIS_MACHINE and _checked[address] >= MAX_EACH:
        raise HTTPException(503, "strategies of yours are being checked", {"Retry-After": "10"})
    work = partial(classroom.hand_in, asked.name, asked.weights, asked.rules, asked.key)
    _checked[address] += 1
    try:
        key = await anyio.to_thread.run_sync(work, limiter=_side_by_side)
    finally:
        _checked[address] -= 1
    return JSONResponse({"key": key})


async def play(request: Request) -> Response:
    """`/api/class/play`: begins a tournament."""
    classroom = _classroom(request)
    await api.read(request, Body)  # which no page from elsewhere can send
    await anyio.to_thread.run_sync(classroom.play)
    return JSONResponse({})


ROUTES = [
    Route("/class", members),
    Route("/class/hand-in", hand_in, methods=["POST"]),
    Route("/class/play", play, methods=["POST"]),
]
