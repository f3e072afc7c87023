"""Endpoints for a class: those of everybody, and those of its owner, the teacher."""

from base64 import b64encode
from datetime import UTC, datetime
from functools import partial
from typing import Literal

import anyio
from pydantic import AwareDatetime, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request

from advisor.plugins.classroom import answers, exporting
from advisor.plugins.classroom.bounded import TellLine
from advisor.plugins.classroom.classroom import MAX_MEMBERS, Classroom, hash_code
from advisor.plugins.classroom.following import follow_work
from advisor.plugins.classroom.owner import Owned
from advisor.plugins.classroom.tournament import TournamentPlan
from advisor.plugins.classroom.waiting import CheckQueue
from advisor.web import models
from advisor.web.api import Answered, Endpoints, address_of
from advisor.web.jobs import THIS_MACHINE, BusyError
from advisor.web.models import Json

MAX_RULES = 262_144
"""Maximum bytes of a request with rules."""

MAX_CHECKED, MAX_CHECKS, MAX_EACH = 2, 3 * MAX_MEMBERS, MAX_MEMBERS
"""Maximum strategies checked side by side, checked or waiting in all, and from one address.

A check may take long, so each student has one at a time. Requests from the server's own machine
have no limit of their address.
"""

ENDPOINTS = Endpoints()
endpoint = ENDPOINTS.add

_CLASS = "--class FOLDER"
"""Option of `advisor serve` that offers the endpoints."""

_owned = partial(endpoint, served=_CLASS, errors=(403,), key="KEY")


def make_turns() -> CheckQueue:
    """Make the queue of strategies that wait to be checked."""
    return CheckQueue(MAX_CHECKED, MAX_CHECKS, MAX_EACH)


class Coded(models.Request):
    """A request of somebody who has handed in."""

    key: str = Field(
        min_length=8,
        max_length=64,
        description="The code: random letters that the client makes and keeps, or those that a "
        "list gives the student. Later strategies of the name must come with them.",
    )


class HandIn(Coded):
    """A strategy."""

    name: str = Field(max_length=60)
    weights: str = Field(description="The text of a weights file.")
    rules: str = Field("", description="That of `strategy.lp`, which the weights may name.")


class WantedGames(models.Request):
    """Which games to show."""

    player: str = Field("", max_length=60, description="Of this player; by default of all.")
    page: int = Field(0, ge=0, le=10_000)


class PlayTournament(Owned):
    """A tournament to be played."""

    depth: int = Field(2, ge=0, le=4, description="Plies of look-ahead.")
    openings: int = Field(2, ge=1, le=10, description="A pair plays each with both colours.")
    rounds: int = Field(
        0, ge=0, le=100, description="Of the Swiss system; 0: everybody plays everybody."
    )


class Freeze(Owned):
    """Whether strategies are taken."""

    frozen: bool
    at: AwareDatetime | None = Field(None, description="From when on none are; null: from now on.")


class OfStudent(Owned):
    """A student, whom the owner asks about."""

    name: str = Field("", max_length=60)


class Export(Owned):
    """A file that the owner wants."""

    kind: Literal["csv", "zip"]


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
    """The members of a class, and what goes on in it."""
    return await anyio.to_thread.run_sync(_classroom(request).view)


@endpoint("/class/results", answers.ClassResults, served=_CLASS)
async def results(request: Request) -> Json:
    """The table of the tournament in progress or of the last one, and what could be better."""
    return await anyio.to_thread.run_sync(_classroom(request).results)


@endpoint("/class/games", answers.ClassGames, served=_CLASS, player="Anna", page=0)
async def games(request: Request, asked: WantedGames) -> Json:
    """A page of the games of the tournament."""
    return await anyio.to_thread.run_sync(_classroom(request).games, asked.player, asked.page)


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
async def hand_in(request: Request, asked: HandIn) -> Answered:
    """Takes a strategy that can play."""
    classroom, sent = _classroom(request), datetime.now(UTC)
    address, turns = address_of(request), request.app.state.checks
    classroom.check_open(sent)
    classroom.check_code(asked.name, asked.key)
    given = asked.name, asked.weights, asked.rules, asked.key, address, sent
    # Whoever has a code of a list is known, so their address does not matter.
    trusted = address == THIS_MACHINE or classroom.students is not None

    async def check(tell: TellLine) -> Json:
        try:
            async with turns.turn(hash_code(asked.key), address, trusted=trusted):
                found = await anyio.to_thread.run_sync(classroom.hand_in, *given, tell)
        except BusyError as error:
            raise HTTPException(503, str(error), {"Retry-After": "5"}) from None
        return {"example": classroom.example, "fires": found}

    return await follow_work(request, check)


@endpoint("/class/mine", answers.OwnHandIns, served=_CLASS, key="0123456789abcdef")
async def mine(request: Request, asked: Coded) -> Json:
    """What was handed in with a code, so that it can be changed on another machine."""
    turns, student = request.app.state.checks, hash_code(asked.key)
    found = await anyio.to_thread.run_sync(_classroom(request).find_own, asked.key)
    checking = {"checking": turns.has(student), "ahead": turns.ahead_of(student)}
    return {"strategies": found, **checking}


# The owner's


@_owned("/class/overview", answers.Overview)
async def overview(request: Request, asked: Owned) -> Json:
    """What each student has handed in, for the owner of the class."""
    found = await anyio.to_thread.run_sync(_classroom(request, asked).overview)
    return {"students": found, "checking": request.app.state.checks.count}


@_owned("/class/versions", answers.Versions, name="Anna")
async def versions(request: Request, asked: OfStudent) -> Json:
    """The texts that a student has handed in, for the owner of the class."""
    found = await anyio.to_thread.run_sync(_classroom(request, asked).versions, asked.name)
    return {"versions": found}


@_owned("/class/play", answers.Done)
async def play(request: Request, asked: PlayTournament) -> Json:
    """Begins a tournament, for the owner of the class."""
    plan = TournamentPlan(asked.depth, asked.openings, asked.rounds)
    await anyio.to_thread.run_sync(_classroom(request, asked).play, plan)
    return {}


@_owned("/class/stop", answers.Done)
async def stop(request: Request, asked: Owned) -> Json:
    """Ends a tournament, for the owner of the class; the games so far are kept."""
    await anyio.to_thread.run_sync(_classroom(request, asked).stop)
    return {}


@_owned("/class/freeze", answers.Done, frozen=True)
async def freeze(request: Request, asked: Freeze) -> Json:
    """Takes no more strategies, at once or from some time on, or takes them again."""
    await anyio.to_thread.run_sync(_classroom(request, asked).freeze, asked.frozen, asked.at)
    return {}


@_owned("/class/reset", answers.Done, name="Anna")
async def reset(request: Request, asked: OfStudent) -> Json:
    """Puts away what a student, or everybody, has handed in; without a name, the results too."""
    await anyio.to_thread.run_sync(_classroom(request, asked).reset, asked.name)
    return {}


@_owned("/class/export", answers.ClassFile, kind="csv")
async def export(request: Request, asked: Export) -> Json:
    """The class as a table, or with all strategies and games as an archive, for its owner."""
    return await anyio.to_thread.run_sync(_export, _classroom(request, asked), asked.kind)


def _export(classroom: Classroom, kind: str) -> Json:
    students, found = classroom.overview(), classroom.results()
    if kind == "csv":
        content = exporting.table_csv(students, found.get("table", ())).encode("utf-8-sig")
    else:
        games = classroom.all_games()
        content = exporting.archive(classroom.strategies(), students, found, games)
    return {"name": f"class.{kind}", "base64": b64encode(content).decode()}
