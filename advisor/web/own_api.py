"""The JSON interface of rules that the owner of a game edits."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import anyio
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from advisor.web import api, own_rules
from advisor.web.limits import MAX_RULES, MAX_START
from advisor.web.models import Constant, Moves
from advisor.web.models import Request as Body
from advisor.web.own_rules import File, OwnRules

_at_once = anyio.CapacityLimiter(1)
"""Of what is tried: it may take all that a process may have."""


class Owned(Body):
    """A game, asked about by its owner."""

    key: str = Field(max_length=64, description="That the server printed when it began.")
    game: str = Field(max_length=64)


class Drafts(Owned):
    """Texts in place of files, and a position to see where they fire."""

    files: dict[File, str] = Field({}, description="The texts that are not on the disk.")
    constants: Annotated[dict[str, Constant], Field(max_length=8)] = Field({})
    board: str = Field("", max_length=MAX_START)
    moves: Moves = Field([])


class Saved(Owned):
    """Texts to be written."""

    files: dict[File, str]
    seen: dict[File, str] = Field(description="What was said of each file when it was read.")


B = TypeVar("B", bound=Owned)


async def _owned(request: Request, model: type[B]) -> tuple[OwnRules, B]:
    """The games, and what their owner asks; others are refused."""
    found: OwnRules = request.app.state.own
    if not found.names:
        raise HTTPException(
            404, "no rules are edited here (advisor serve --game FOLDER, on this machine alone)"
        )
    asked = await api.read(request, model, MAX_RULES)
    if not found.admits(asked.key):
        raise HTTPException(403, "key: open the address that `advisor serve` has printed")
    return found, asked


async def _answer(work: Callable[..., Any], *arguments: Any) -> Response:
    return JSONResponse(await anyio.to_thread.run_sync(work, *arguments, limiter=_at_once))


async def read(request: Request) -> Response:
    """`/api/rules`: the files."""
    own, asked = await _owned(request, Owned)
    return await _answer(own.texts, asked.game)


async def check(request: Request) -> Response:
    """`/api/rules/check`: what is wrong, or where the rules fire in a position."""
    own, asked = await _owned(request, Drafts)
    here = asked.constants, asked.board, asked.moves
    return await _answer(own.tried, asked.game, asked.files, own_rules.checked, *here)


async def fires(request: Request) -> Response:
    """`/api/rules/fires`: how often they fire in games."""
    own, asked = await _owned(request, Drafts)
    how = own_rules.counted, asked.constants
    return await _answer(own.tried, asked.game, asked.files, *how)


async def save(request: Request) -> Response:
    """`/api/rules/save`: writes the files, if they are right."""
    own, asked = await _owned(request, Saved)
    return await _answer(own.save, asked.game, asked.files, asked.seen)


ROUTES = [
    Route("/rules", read, methods=["POST"]),
    Route("/rules/check", check, methods=["POST"]),
    Route("/rules/fires", fires, methods=["POST"]),
    Route("/rules/save", save, methods=["POST"]),
]
