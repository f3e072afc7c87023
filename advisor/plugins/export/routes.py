"""The endpoint that writes a game as one file, and the work that it asks for."""

from starlette.requests import Request

import advisor
from advisor.plugins.export.description import describe_loaded
from advisor.plugins.export.page import write_page
from advisor.web.answers import Exported
from advisor.web.api import Answered, Endpoints, do_job
from advisor.web.models import Json, PositionRequest
from advisor.web.parts import ServerPart, Starting
from aspcircuits.stopping import Stop

ENDPOINTS = Endpoints()


@ENDPOINTS.add("/export/game", Exported, tag="games", game="tictactoe")
async def ask_for_file(request: Request, asked: PositionRequest) -> Answered:
    """A game as one page that plays, advises and explains without a server."""
    return await do_job(request, asked, "export game")


def make_part(starting: Starting) -> ServerPart:
    """Serve games as files, and let the page offer them."""
    names = [*advisor.game_names(), *starting.own_games]
    return ServerPart(endpoints=ENDPOINTS, can=dict.fromkeys(names, ("file",)))


def write_game(position: advisor.Position, _: Json, stop: Stop) -> Json:
    """Write the game of a position, with its weights and constants."""
    described = describe_loaded(position.game)
    stop.check()
    return {"html": write_page(described, described["title"])}
