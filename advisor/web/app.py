"""The web application: static files, the JSON interface, and guards for both."""

import re
import socket
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from advisor.errors import AdvisorError, InputError
from advisor.library.engines import try_engine
from advisor.web import api, games
from advisor.web.describe import Interface
from advisor.web.parts import Starting, make_parts
from advisor.web.pool import WorkerPool
from aspcircuits.texts import quote_text

STATIC = Path(__file__).parent / "static"

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def create(
    host: str = "127.0.0.1",
    workers: int | None = None,
    folders: Sequence[str] = (),
    names: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    engine: str | None = None,
    cors: Sequence[str] = (),
) -> Starlette:
    """Make the application, with the parts that plugins add.

    Args:
        host: the address to listen on. On the loopback interface the server answers to that and to
            `localhost`, beyond it to every address and to the machine's own name, so that no page
            from elsewhere can reach it by a name of its own.
        workers: number of workers; by default one per processor, at most four.
        folders: folders of games that the page offers besides the advisor's own.
        names: further host names to which the server answers.
        options: of plugins, see `advisor.web.parts`.
        engine: the program that decides in chess, see `advisor.suggest`; it is started once as a
            test.
        cors: origins whose pages may send requests from a browser; ``*`` for every origin.

    Raises:
        InputError: the engine does not start, or an origin is malformed.
        AdvisorError: see `advisor.web.games.find_games` and `advisor.web.parts.make_parts`.
    """
    if engine is not None:
        try_engine(engine)
    offered = games.find_games(folders)
    own = dict([*offered.items()][len(offered) - len(folders) :])
    parts = [*make_parts(Starting(own, is_loopback(host), options or {}))]
    interface = Interface(each for part in parts for each in part.endpoints)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as ending:  # in reverse order
            app.state.pool = WorkerPool(workers)
            await app.state.pool.start()
            ending.push_async_callback(app.state.pool.stop)
            for part in parts:
                if part.stop:
                    ending.callback(part.stop)
            yield

    packages: list[str | tuple[str, str]] = [
        (package, STATIC.name) for part in parts for package in part.static
    ]
    known = {"localhost", *names}
    known |= {"127.0.0.1", "::1", host} if is_loopback(host) else {socket.gethostname()}
    middleware = [Middleware(_Guard, names=known, addresses=not is_loopback(host))]
    if cors:  # inside the guard: allowed pages also need the server's own name
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=[*map(_read_origin, cors)],
                allow_methods=["GET", "POST"],
                allow_headers=["Content-Type"],
                expose_headers=["Retry-After"],
            )
        )
    served = Starlette(
        routes=[
            Route("/api", interface.serve),
            Mount("/api", routes=interface.routes),
            Mount("/", StaticFiles(directory=STATIC, packages=packages, html=True)),
        ],
        middleware=middleware,
        exception_handlers={
            AdvisorError: _on_advisor_error,
            HTTPException: _on_http_error,
            ClientDisconnect: _on_gone,
            Exception: _on_bug,
        },
        lifespan=lifespan,
    )
    served.state.games = offered
    served.state.books = {}
    served.state.engine = engine
    served.state.can = defaultdict[str, list[str]](list)
    for part in parts:
        for name, value in part.state.items():
            setattr(served.state, name, value)
        for game, more in part.can.items():
            served.state.can[game] += more
    served.state.scripts = [script for part in parts for script in part.scripts]
    served.state.addresses = [address for part in parts for address in part.addresses]
    return served


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server at this address."""
    address = api.ip_address(host)
    return host == "localhost" if address is None else address.is_loopback


def _read_origin(text: str) -> str:
    """Normalise an origin as browsers send it: without the default port."""
    found = re.fullmatch(
        r"([a-z][a-z0-9+.-]*)://(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?", text.lower()
    )
    if text == "*":
        return text
    if not found:
        wanted = "use scheme://host or scheme://host:port, such as https://example.org, or *"
        raise InputError(f"cors: {quote_text(text)} is not an origin ({wanted})")
    usual = {"http": ":80", "https": ":443"}.get(found[1])
    return found[0].removesuffix(found[2]) if found[2] == usual else found[0]


async def _on_advisor_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, AdvisorError)
    return JSONResponse({"error": games.error_text(error), "code": error.code}, 422)


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = error.detail
    if detail == HTTPStatus(error.status_code).phrase:  # the framework's text, which names nothing
        asked = quote_text(f"{request.method} {request.url.path}")
        detail = f"{asked}: {detail.lower()} (see /api)"
    status = HTTPStatus(error.status_code).name.lower()
    code = error.code if isinstance(error, api.Failure) else status
    return JSONResponse({"error": detail, "code": code}, error.status_code, headers=error.headers)


async def _on_gone(_: Request, error: Exception) -> Response:
    """Answer a client that closed the connection amid its request, and so reads nothing."""
    return Response(status_code=400)


async def _on_bug(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the server failed", "code": "fault"}, 500)


class _Guard:
    """Refuses requests to a name that is not the server's; adds headers to every response.

    Args:
        app: the application to guard.
        names: allowed names, without ports.
        addresses: whether any IP address is allowed, since a foreign page made to point here has a
            name.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], addresses: bool) -> None:
        self._app = app
        self._names = {name.lower() for name in names}
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers["Cache-Control"] = "no-cache"  # no response may be cached unless asked
            await send(message)

        answer: ASGIApp = self._app
        if scope["type"] == "http" and not self._is_own(Headers(scope=scope).get("host", "")):
            error = "this server has no such name (serve --name NAME gives it one)"
            answer = JSONResponse({"error": error, "code": "bad_request"}, 400)
        await answer(scope, receive, send_guarded)

    def _is_own(self, host: str) -> bool:
        found = re.fullmatch(r"(?:\[(.*)\]|([^:]*))(?::\d*)?", host)
        if not found:
            return False
        name = (found[1] or found[2] or "").lower()
        return name in self._names or (self._addresses and api.ip_address(name) is not None)
