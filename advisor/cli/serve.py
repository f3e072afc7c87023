"""`advisor serve`: the page in the browser."""

import socket
import webbrowser
from contextlib import suppress
from typing import Annotated

import typer

from advisor import extras
from advisor.cli import options
from advisor.cli.groups import command
from advisor.errors import InputError


@command("serve", "advisor serve --open")
def serve(
    *,
    port: Annotated[int, typer.Option(min=0, max=65535)] = 8400,
    host: str = "127.0.0.1",
    game: Annotated[list[str] | None, typer.Option(metavar="FOLDER")] = None,
    name: list[str] | None = None,
    cors: Annotated[list[str] | None, typer.Option(metavar="ORIGIN")] = None,
    engine: options.Engine = None,
    open_browser: Annotated[bool, typer.Option("--open")] = False,
    **more: object,
) -> None:
    """Serve the page on which to play, analyse and solve puzzles.

    Args:
        port: 0 takes any free port.
        host: The address to listen on; use 0.0.0.0 for other machines.
        game: A folder with a game's rules, to be played on the page too; may be given several
            times.
        name: A host name that the server answers to, beside its addresses and this machine's name;
            may be given several times.
        cors: An origin, such as https://example.org, whose pages may ask this server; may be given
            several times; * for all.
        engine: Let a program that speaks UCI decide in chess, by the command that starts it; its
            options follow as ';Threads=2;Hash=64'.
        open_browser: Open the page in the browser.
        more: Options that plugins add, see `advisor.cli.groups`.
    """
    try:
        import uvicorn

        from advisor.web import app
        from advisor.web.protocol import TimedProtocol
    except ImportError as error:
        if error.name not in ("starlette", "uvicorn"):
            raise
        raise InputError(
            f"the page needs {error.name} (install it with: {extras.install('web')})"
        ) from None
    listener = _listen(host, port)
    served = app.create(
        listener.getsockname()[0],
        folders=game or (),
        names=name or (),
        options=more,
        engine=engine,
        cors=cors or (),
    )
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}/"
    print(f"{address} (Ctrl-C ends it)", flush=True)
    opened = address
    for place, purpose in served.state.addresses:
        opened = f"{address}{place}"
        print(f"{opened} {purpose}", flush=True)
    if open_browser:
        webbrowser.open(opened)  # the socket listens already and lets the browser wait

    class Server(uvicorn.Server):
        """A server that answers waiting clients before it ends."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            served.state.pool.dismiss()
            await super().shutdown(sockets)

        async def on_tick(self, counter: int) -> bool:
            return await super().on_tick(counter) or served.state.pool.failed

    server = Server(
        uvicorn.Config(
            served,
            http=TimedProtocol,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )
    with suppress(KeyboardInterrupt):  # raised once more when the server has shut down
        with suppress(SystemExit):  # uvicorn's way not to start; it has said why
            server.run(sockets=[listener])
        if not server.started or served.state.pool.failed:
            raise InputError("the page cannot be served: its workers do not start")


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        raise InputError(
            f"cannot listen on {host}, port {port} ({error.strerror or error})"
        ) from None
