"""The web application: static files, the JSON interface, and what guards both."""

import ipaddress
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from advisor.errors import AdvisorError
from advisor.files import textfile
from advisor.web import api, games
from advisor.web.pool import Pool

STATIC = Path(__file__).parent / "static"

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def create(
    host: str = "127.0.0.1", workers: int | None = None, folders: Sequence[str] = ()
) -> Starlette:
    """The application.

    Args:
        host: the address it will listen on. On the loopback interface it answers to no other
            name, so that no page from elsewhere can reach it by a name of its own.
        workers: processes; by default one to a processor, at most four.
        folders: of games that the page offers besides the advisor's own.

    Raises:
        InputError, EncodingError: see `advisor.web.games.offered`.
    """
    offered = games.offered(folders)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.pool = Pool(workers)
        await app.state.pool.start()
        try:
            yield
        finally:
            await app.state.pool.stop()

    own = f"[{host}]" if ":" in host else host
    names = ["localhost", "127.0.0.1", "[::1]", own] if is_loopback(host) else ["*"]
    served = Starlette(
        routes=[
            Route("/api", api.description),
            Mount("/api", routes=api.ROUTES),
            Mount("/", StaticFiles(directory=STATIC, html=True)),
        ],
        middleware=[
            Middleware(_SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=names, www_redirect=False),
        ],
        exception_handlers={
            AdvisorError: _on_advisor_error,
            HTTPException: _on_http_error,
            Exception: _on_bug,
        },
        lifespan=lifespan,
    )
    served.state.games = offered
    return served


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _on_advisor_error(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 422)


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = error.detail
    if detail == HTTPStatus(error.status_code).phrase:  # the framework's, which names nothing
        asked = textfile.quoted(f"{request.method} {request.url.path}")
        detail = f"{asked}: {detail.lower()} (see /api)"
    return JSONResponse({"error": detail}, error.status_code, headers=error.headers)


async def _on_bug(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the server failed"}, 500)


class _SecurityHeaders:
    """Adds the headers to every response; nothing here may be cached unasked."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers["Cache-Control"] = "no-cache"
            await send(message)

        await self._app(scope, receive, send_guarded)
