"""Endpoints for rules that their owner edits, and the part of the server with these and a class.

The owner is the person who started the server. They have the key that `advisor serve` prints as
``#owner=KEY`` of an address; logs do not record that part of an address.
"""

from collections.abc import Callable, Sequence
from functools import partial
from urllib.parse import quote

import anyio
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request

import advisor
from advisor.errors import InputError
from advisor.files.textfile import suggest_name
from advisor.plugins.classroom import answers, class_routes
from advisor.plugins.classroom.bounded import TellLine
from advisor.plugins.classroom.class_routes import MAX_RULES
from advisor.plugins.classroom.class_work import USUAL
from advisor.plugins.classroom.classroom import Classroom
from advisor.plugins.classroom.following import follow_work
from advisor.plugins.classroom.own_rules import (
    File,
    OwnRules,
    check_rules,
    count_firings,
    explain_atom,
)
from advisor.plugins.classroom.owner import Owned, Owner
from advisor.web import models
from advisor.web.answers import Why
from advisor.web.api import Answered, Endpoints
from advisor.web.limits import MAX_START
from advisor.web.models import Json
from advisor.web.parts import ServerPart, Starting
from aspcircuits.texts import quote_text

ENDPOINTS = Endpoints()
endpoint = ENDPOINTS.add

_OWN_GAME = "--game FOLDER, on this machine alone"
"""Options of `advisor serve` that offer the endpoints."""

_KEY = (403,)
"""Status code of a request without the owner's key."""

_at_once = anyio.CapacityLimiter(1)
"""Runs one trial of rules at a time, since each may use all that a process may use."""


def make_part(starting: Starting) -> ServerPart:
    """Serve the class of a folder; without one, let the owner edit rules on a local server.

    Raises:
        InputError: the class cannot be served, see `Classroom`.
    """
    classroom = _make_class(starting)
    own = OwnRules(starting.own_games if classroom is None and starting.is_local else {})
    owner = Owner()
    return ServerPart(
        endpoints=(*class_routes.ENDPOINTS, *ENDPOINTS),
        state={
            "classroom": classroom,
            "checks": class_routes.make_turns(),
            "own_rules": own,
            "owner": owner,
        },
        static=("advisor.plugins.classroom",),
        scripts=("rules.js",) if own.names else (),
        can=dict.fromkeys(own.names, ("rules",)),
        addresses=_addresses(classroom is not None, own.names, f"owner={owner.key}"),
        stop=classroom.stop if classroom else None,
    )


def _make_class(starting: Starting) -> Classroom | None:
    """Make the class of the options, if they name one.

    Raises:
        InputError: the class cannot be served, or an option needs another one.
    """
    folder, game, students = (
        starting.options.get(name) for name in ("class_folder", "class_game", "students")
    )
    if folder is None:
        for option, value in (("class-game", game), ("students", students)):
            if value is not None:
                raise InputError(f"`{option}`: needs a class (add `class`)")
        return None
    name = str(game or USUAL)
    known = {each: each for each in advisor.game_names()} | dict(starting.own_games)
    if name not in known:
        raise InputError(
            f"`class-game`: no game {quote_text(name)} is served ({suggest_name(name, known)}; "
            "serve a folder with --game FOLDER)"
        )
    return Classroom(str(folder), known[name], None if students is None else str(students))


def _addresses(has_class: bool, own: Sequence[str], key: str) -> list[tuple[str, str]]:
    if has_class:
        return [
            ("class.html", "is for the class"),
            (f"teacher.html#{key}", "is for you alone: see what came, play tournaments"),
        ]
    if own:
        edit = f"is for you alone: edit the rules of {', '.join(own)}"
        return [(f"#game={quote(own[0])}&{key}", edit)]
    return []


# Requests


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


# Rules of the owner's games


_rules = partial(endpoint, most=MAX_RULES, served=_OWN_GAME, errors=_KEY, key="KEY", game="FOLDER")


async def _work_for_owner(
    request: Request, asked: OwnGame, work: Callable[[OwnRules, TellLine], Json]
) -> Answered:
    """Do some work if the owner asks for it; refuse others."""
    own: OwnRules = request.app.state.own_rules
    if not own.names:
        raise HTTPException(
            404, "no rules are edited here (advisor serve --game FOLDER, on this machine alone)"
        )
    request.app.state.owner.check(asked.key)

    async def work_alone(tell: TellLine) -> Json:
        return await anyio.to_thread.run_sync(work, own, tell, limiter=_at_once)

    return await follow_work(request, work_alone)


@_rules("/rules", answers.OwnFiles)
async def texts(request: Request, asked: OwnGame) -> Answered:
    """The files of the owner's own game."""
    return await _work_for_owner(request, asked, lambda own, _: own.read_files(asked.game))


@_rules("/rules/check", answers.Checked)
async def check(request: Request, asked: Drafts) -> Answered:
    """What is wrong with the owner's rules, or where they fire in a position."""
    here = asked.constants, asked.board, asked.moves
    return await _work_for_owner(
        request,
        asked,
        lambda own, tell: own.try_files(asked.game, asked.files, check_rules, *here, tell=tell),
    )


@_rules("/rules/why", Why, atom="legal(x,put(2,2))")
async def why(request: Request, asked: AskedAtom) -> Answered:
    """Why an atom holds in a position by the owner's rules, or why not."""
    here = asked.constants, asked.board, asked.moves, asked.atom
    return await _work_for_owner(
        request,
        asked,
        lambda own, tell: own.try_files(asked.game, asked.files, explain_atom, *here, tell=tell),
    )


@_rules("/rules/fires", answers.Fires)
async def fires(request: Request, asked: Drafts) -> Answered:
    """How often the owner's rules fire in games, the object of `advisor fires --json`."""
    return await _work_for_owner(
        request,
        asked,
        lambda own, tell: own.try_files(
            asked.game, asked.files, count_firings, asked.constants, tell=tell
        ),
    )


@_rules("/rules/save", answers.OwnFiles, files={"features.lp": ""}, seen={"features.lp": ""})
async def save(request: Request, asked: Saved) -> Answered:
    """Writes the owner's rules, if they are right."""
    return await _work_for_owner(
        request, asked, lambda own, tell: own.save_files(asked.game, asked.files, asked.seen, tell)
    )
