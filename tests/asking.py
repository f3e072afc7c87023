"""Questions over HTTP, as programs ask them."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import httpx

from commands import ENTRY, environment


@contextmanager
def serving(*options: object) -> Iterator[tuple[httpx.Client, IO[str]]]:
    """A client of a server of its own, and what the server prints after its address."""
    command = [*ENTRY, "serve", "--port", "0", *map(str, options)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[0]
        with httpx.Client(base_url=address, timeout=180) as client:
            yield client, server.stdout
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)


def ask(client: httpx.Client, path: str, /, **body: Any) -> Any:
    """The answer to what can be answered."""
    response = client.post(f"/api/{path}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def refusal(client: httpx.Client, path: str, /, **body: Any) -> str:
    """What is said of what cannot be used."""
    response = client.post(f"/api/{path}", json=body)
    assert response.status_code == 422, response.text
    assert list(response.json()) == ["error", "code"]
    return str(response.json()["error"])
