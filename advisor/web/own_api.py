"""The JSON interface of rules that the owner of a game edits."""

from collections.abc import Callable
from typing import TypeVar

import anyio
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from advisor.web import api, own_rules
from advisor.web.limits import MAX_RULES, MAX_START
from advisor.web.models import Constant, Json, Moves
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
    constants: dict[str, Constant] = Field({}, max_length=8)
    board: str = Field("", max_length=MAX_START)
    moves: Moves = Field([])


class Saved(Owned):
    """Texts to be written."""

    files: dict[File, str]
    seen: dict[File, str] = Field(description="What was said of each file when it was read.")


B = TypeVar("B", bound=Owned)


def _route(path: str, model: type[B], work: Callable[[OwnRules, B], Json]) -> Route:
    """Where the owner of the games asks for some work; others are refused."""

    async def answer(request: Request) -> Response:
        own: OwnRules = request.app.state.own
        if not own.names:
            raise HTTPException(
                404, "no rules are edited here (advisor serve --game FOLDER, on this machine alone)"
            )
        asked = await api.read(request, model, MAX_RULES)
        if not own.admits(asked.key):
            raise HTTPException(403, "key: open the address that `advisor serve` has printed")
        return JSONResponse(await anyio.to_thread.run_sync(work, own, asked, limiter=_at_once))

    return Route(path, answer, methods=["POST"])


def _check(own: OwnRules, asked: Drafts) -> Json:
    """What is wrong, or where the rules fire in a position."""
    here = asked.constants, asked.board, asked.moves
    return own.tried(asked.game, asked.files, own_rules.checked, *here)


def _fires(own: OwnRules, asked: Drafts) -> Json:
    """How often they fire in games."""
    return own.tried(asked.game, asked.files, own_rules.counted, asked.constants)


ROUTES = [
    _route("/rules", Owned, lambda own, asked: own.texts(asked.game)),
    _route("/rules/check", Drafts, _check),
    _route("/rules/fires", Drafts, _fires),
    _route("/rules/save", Saved, lambda own, asked: own.save(asked.game, asked.files, asked.seen)),
]
