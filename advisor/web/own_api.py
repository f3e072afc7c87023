"""The JSON interface of rules that the owner of a game edits."""

from collections.abc import Callable

import anyio
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request

from advisor.web import answers, own_rules
from advisor.web.api import endpoint
from advisor.web.limits import MAX_RULES, MAX_START
from advisor.web.models import Constant, Json, Moves, Owned
from advisor.web.own_rules import File, OwnRules

_at_once = anyio.CapacityLimiter(1)
"""Of what is tried: it may take all that a process may have."""


class OwnGame(Owned):
    """A game, asked about by its owner."""

    game: str = Field(max_length=64)


class Drafts(OwnGame):
    """Texts in place of files, and a position to see where they fire."""

    files: dict[File, str] = Field({}, description="The texts that are not on the disk.")
    constants: dict[str, Constant] = Field({}, max_length=8)
    board: str = Field("", max_length=MAX_START)
    moves: Moves = Field([])


class Saved(OwnGame):
    """Texts to be written."""

    files: dict[File, str]
    seen: dict[File, str] = Field(description="What was said of each file when it was read.")


async def _answer_owner(request: Request, asked: OwnGame, work: Callable[[OwnRules], Json]) -> Json:
    """Do some work where the owner asks for it, and refuse others."""
    own: OwnRules = request.app.state.own
    if not own.names:
        raise HTTPException(
            404, "no rules are edited here (advisor serve --game FOLDER, on this machine alone)"
        )
    request.app.state.owner.check(asked.key)
    return await anyio.to_thread.run_sync(work, own, limiter=_at_once)


_SERVED = "--game FOLDER, on this machine alone"


@endpoint("/rules", answers.OwnFiles, most=MAX_RULES, served=_SERVED, key="KEY", game="FOLDER")
async def texts(request: Request, asked: OwnGame) -> Json:
    """The files of the owner's own game."""
    return await _answer_owner(request, asked, lambda own: own.texts(asked.game))


@endpoint("/rules/check", answers.Checked, most=MAX_RULES, served=_SERVED, key="KEY", game="FOLDER")
async def check(request: Request, asked: Drafts) -> Json:
    """What is wrong with the owner's rules, or where they fire in a position."""
    here = asked.constants, asked.board, asked.moves
    return await _answer_owner(
        request,
        asked,
        lambda own: own.tried(asked.game, asked.files, own_rules.checked, *here),
    )


@endpoint("/rules/fires", answers.Fires, most=MAX_RULES, served=_SERVED, key="KEY", game="FOLDER")
async def fires(request: Request, asked: Drafts) -> Json:
    """How often the owner's rules fire in games, the object of `advisor fires --json`."""
    return await _answer_owner(
        request,
        asked,
        lambda own: own.tried(asked.game, asked.files, own_rules.counted, asked.constants),
    )


@endpoint(
    "/rules/save",
    answers.OwnFiles,
    most=MAX_RULES,
    served=_SERVED,
    key="KEY",
    game="FOLDER",
    files={"features.lp": ""},
    seen={"features.lp": ""},
)
async def save(request: Request, asked: Saved) -> Json:
    """Writes the owner's rules, if they are right."""
    return await _answer_owner(
        request, asked, lambda own: own.save(asked.game, asked.files, asked.seen)
    )
