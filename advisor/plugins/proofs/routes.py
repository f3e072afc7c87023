"""The endpoint for proofs, and the work that it asks for."""

from typing import Literal

from pydantic import Field
from starlette.requests import Request

import advisor
from advisor.errors import at
from advisor.plugins.proofs import answers
from advisor.web.api import Answered, Endpoints, do_job
from advisor.web.limits import MAX_SECONDS
from advisor.web.models import USUAL, Json, Player, PositionRequest, Seconds
from advisor.web.parts import ServerPart, Starting
from aspcircuits.stopping import Stop

ENDPOINTS = Endpoints()


class ProveRequest(PositionRequest):
    """A position of which something is to be proved."""

    player: Player | None = Field(
        None, description="Prove something for this player only; by default for either."
    )
    by: Literal["rules", "plan"] | None = Field(
        None, description="By Allis' rules or by a plan only; by default the rules, then a plan."
    )
    time: Seconds = Field(5.0, description="Seconds to look for a plan.")


@ENDPOINTS.add("/prove", answers.Proof, tag="positions", width=6, height=6)
async def ask_for_proof(request: Request, asked: ProveRequest) -> Answered:
    """A proof that a player holds or wins, the object of `advisor prove --json`."""
    return await do_job(request, asked, "prove", partial=True)


def make_part(_: Starting) -> ServerPart:
    """Serve proofs, and let the page show them and plans."""
    return ServerPart(endpoints=ENDPOINTS, can={USUAL: ("plan", "proof")})


def prove(position: advisor.Position, asked: Json, stop: Stop) -> Json:
    """Look for a proof, within the seconds of the request."""
    seconds = asked["seconds"]
    try:
        with at("board"):
            found = advisor.prove(
                position,
                player=asked["player"],
                by=asked["by"],
                seconds=seconds,
                stop=stop.with_limit(seconds + MAX_SECONDS),
            )
    except KeyboardInterrupt:  # the time is up, or the task was ended
        found = None
    told, text = advisor.describe_proof(found)
    return {**told, "text": [] if found is None else text}
