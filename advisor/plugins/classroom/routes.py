"""Endpoints for a class and for rules that their owner edits, and their part of the server.

The owner is the person who started the server. They have the key that `advisor serve` prints as
``#owner=KEY`` of an address; logs do not record that part of an address.
"""

import hmac
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from urllib.parse import quote

import anyio
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request

from advisor.plugins.classroom import answers
from advisor.plugins.classroom.class_work import EXAMPLE
from advisor.plugins.classroom.classroom import Classroom
from advisor.plugins.classroom.own_rules import (
    File,
    OwnRules,
    check_rules,
    count_firings,
    explain_atom,
)
from advisor.web import models
from advisor.web.answers import Why
from advisor.web.api import Endpoints, address_of
from advisor.web.jobs import THIS_MACHINE
from advisor.web.limits import MAX_START
from advisor.web.models import Json
from advisor.web.parts import ServerPart, Starting

MAX_RULES = 262_144
"""Maximum bytes of a request with rules."""

MAX_CHECKED, MAX_CHECKS, MAX_EACH = 2, 20, 2
"""Maximum strategies checked side by side, checked or waiting in all, and from one address.

A check may take long. Requests from the server's own machine have no limit of their address.
"""

ENDPOINTS = Endpoints()
endpoint = ENDPOINTS.add

_CLASS, _OWN_GAME = "--class FOLDER", "--game FOLDER, on this machine alone"
"""Options of `advisor serve` that offer the endpoints."""

_KEY = (403,)
"""Status code of a request without the owner's key."""

_side_by_side = anyio.CapacityLimiter(MAX_CHECKED)
_checked: Counter[str] = Counter()  # strategies being checked or waiting for it, by address

_at_once = anyio.CapacityLimiter(1)
"""Runs one trial of rules at a time, since each may use all that a process may use."""


class Owner:
    """Recognises the owner of a server by a key."""

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(18)

    def check(self, key: str) -> None:
        """Refuse a request without the owner's key.

        Raises:
            HTTPException: status 403.
        """
        if not hmac.compare_digest(key.encode(), self.key.encode()):
            raise HTTPException(403, "key: open the address that `advisor serve` has printed")


def make_part(starting: Starting) -> ServerPart:
    """Serve the class of a folder; without one, let the owner edit rules on a local server.

    Raises:
        InputError: the class cannot be served, see `Classroom`.
    """
    folder = starting.options.get("class_folder")
    classroom = None if folder is None else Classroom(str(folder))
    own = OwnRules(starting.own_games if classroom is None and starting.is_local else {})
    owner = Owner()
    return ServerPart(
        endpoints=ENDPOINTS,
        state={"classroom": classroom, "own_rules": own, "owner": owner},
        static=("advisor.plugins.classroom",),
        scripts=("rules.js",) if own.names else (),
        can=dict.fromkeys(own.names, ("rules",)),
        addresses=_addresses(classroom is not None, own.names, f"owner={owner.key}"),
        stop=classroom.stop if classroom else None,
    )


def _addresses(has_class: bool, own: Sequence[str], key: str) -> list[tuple[str, str]]:
    if has_class:
        return [
            ("class.html", "is for the class"),
            (f"class.html#{key}", "is for you alone: start and stop tournaments"),
        ]
    if own:
        edit = f"is for you alone: edit the rules of {', '.join(own)}"
        return [(f"#game={quote(own[0])}&{key}", edit)]
    return []


# Requests


class Owned(models.Request):
    """A request of the server's owner."""

    key: str = Field(max_length=64, description="The one that the server printed when it began.")


class HandIn(models.Request):
    """A strategy."""

    name: str = Field(max_length=60)
    weights: str = Field(description="The text of a weights file.")
    rules: str = Field("", description="That of `strategy.lp`, which the weights may name.")
    key: str = Field(
        min_length=16,
        max_length=64,
        description="Random letters that the client makes and keeps: later strategies of the name "
        "must come with them.",
    )


class Freeze(Owned):
    """Whether strategies are taken."""

    frozen: bool


class OwnGame(Owned):
    """A game, whose owner asks."""

    game: str = Field(max_length=64)


class Drafts(OwnGame):
    """Texts in place of files, and a position to see where they fire."""

    files: dict[File, str] = Field({}, description="The texts that are not on the disk.")
    constants: dict[str, models.Constant] = Field({}, max_length=8)
    board: str = Field("", max_length=MAX_START)
    moves: models.Moves = Field([])


class AskedAtom(Drafts):
    """An atom in a position, by such texts."""

    atom: str = Field(max_length=400, description="As 'legal(x,put(2,2))'; _ stands for any term.")


class Saved(OwnGame):
    """Texts to be written."""

    files: dict[File, str]
    seen: dict[File, str] = Field(description="What was said of each file when it was read.")


# The class


def _classroom(request: Request, asked: Owned | None = None) -> Classroom:
    """Return the class that is served; check the key of a request that only its owner may send."""
    found: Classroom | None = request.app.state.classroom
    if found is None:
        raise HTTPException(404, "no class is served (advisor serve --class FOLDER)")
    if asked is not None:
        request.app.state.owner.check(asked.key)
    return found


@endpoint("/class", answers.Class, served=_CLASS)
async def members(request: Request) -> Json:
    """The members of a class, and the table, the games and the faults of its last tournament."""
    return await anyio.to_thread.run_sync(_classroom(request).view)


@endpoint(
    "/class/hand-in",
    answers.HandedIn,
    most=MAX_RULES,
    served=_CLASS,
    errors=(503,),
    name="Anna",
    weights="extends: default",
    key="0123456789abcdef",
)
async def hand_in(request: Request, asked: HandIn) -> Json:
    """Takes a strategy that can play."""
    classroom = _classroom(request)
    limiter = _side_by_side.statistics()
    if limiter.borrowed_tokens + limiter.tasks_waiting >= MAX_CHECKS:
        raise HTTPException(503, "too many strategies wait to be checked", {"Retry-After": "10"})
    address = address_of(request)
    if address != THIS_MACHINE and _checked[address] >= MAX_EACH:
        raise HTTPException(503, "strategies of yours are being checked", {"Retry-After": "10"})
    work = partial(classroom.hand_in, asked.name, asked.weights, asked.rules, asked.key, address)
    _checked[address] += 1
    try:
        found = await anyio.to_thread.run_sync(work, limiter=_side_by_side)
    finally:
        _checked[address] -= 1
    return {"example": EXAMPLE, "fires": found}


@endpoint("/class/play", answers.Done, served=_CLASS, errors=_KEY, key="KEY")
async def play(request: Request, asked: Owned) -> Json:
    """Begins a tournament, for the owner of the class."""
    await anyio.to_thread.run_sync(_classroom(request, asked).play)
    return {}


@endpoint("/class/stop", answers.Done, served=_CLASS, errors=_KEY, key="KEY")
async def stop(request: Request, asked: Owned) -> Json:
    """Ends a tournament, for the owner of the class; the games so far are kept."""
    await anyio.to_thread.run_sync(_classroom(request, asked).stop)
    return {}


@endpoint("/class/freeze", answers.Done, served=_CLASS, errors=_KEY, key="KEY", frozen=True)
async def freeze(request: Request, asked: Freeze) -> Json:
    """Takes no more strategies, or takes them again, for the owner of the class."""
    await anyio.to_thread.run_sync(_classroom(request, asked).freeze, asked.frozen)
    return {}


# Rules of the owner's games


_rules = partial(endpoint, most=MAX_RULES, served=_OWN_GAME, errors=_KEY, key="KEY", game="FOLDER")


async def _work_for_owner(
    request: Request, asked: OwnGame, work: Callable[[OwnRules], Json]
) -> Json:
    """Do some work if the owner asks for it; refuse others."""
    own: OwnRules = request.app.state.own_rules
    if not own.names:
        raise HTTPException(
            404, "no rules are edited here (advisor serve --game FOLDER, on this machine alone)"
        )
    request.app.state.owner.check(asked.key)
    return await anyio.to_thread.run_sync(work, own, limiter=_at_once)


@_rules("/rules", answers.OwnFiles)
async def texts(request: Request, asked: OwnGame) -> Json:
    """The files of the owner's own game."""
    return await _work_for_owner(request, asked, lambda own: own.read_files(asked.game))


@_rules("/rules/check", answers.Checked)
async def check(request: Request, asked: Drafts) -> Json:
    """What is wrong with the owner's rules, or where they fire in a position."""
    here = asked.constants, asked.board, asked.moves
    return await _work_for_owner(
        request,
        asked,
        lambda own: own.try_files(asked.game, asked.files, check_rules, *here),
    )


@_rules("/rules/why", Why, atom="legal(x,put(2,2))")
async def why(request: Request, asked: AskedAtom) -> Json:
    """Why an atom holds in a position by the owner's rules, or why not."""
    here = asked.constants, asked.board, asked.moves, asked.atom
    return await _work_for_owner(
        request,
        asked,
        lambda own: own.try_files(asked.game, asked.files, explain_atom, *here),
    )


@_rules("/rules/fires", answers.Fires)
async def fires(request: Request, asked: Drafts) -> Json:
    """How often the owner's rules fire in games, the object of `advisor fires --json`."""
    return await _work_for_owner(
        request,
        asked,
        lambda own: own.try_files(asked.game, asked.files, count_firings, asked.constants),
    )


@_rules("/rules/save", answers.OwnFiles, files={"features.lp": ""}, seen={"features.lp": ""})
async def save(request: Request, asked: Saved) -> Json:
    """Writes the owner's rules, if they are right."""
    return await _work_for_owner(
        request, asked, lambda own: own.save_files(asked.game, asked.files, asked.seen)
    )
