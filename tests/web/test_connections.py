"""Connections whose clients stop: each ends by itself, and others are answered meanwhile."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import httpx
import pytest
import uvicorn

from advisor.web import api, app, protocol

LIMIT = 0.5
"""Seconds, in place of the ten of a real server."""


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where a server listens, without workers."""
    monkeypatch.setattr(api, "MAX_SENDING", LIMIT)
    monkeypatch.setattr(protocol, "MAX_SENDING", LIMIT)
    monkeypatch.setattr(protocol, "MAX_UNREAD", LIMIT)
    config = uvicorn.Config(
        app.create(), http=protocol.TimedProtocol, log_level="error", lifespan="off"
    )
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0), backlog=200)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join()


def send(port: int, *parts: bytes) -> socket.socket:
    """A connection on which this much has been sent."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    for part in parts:
        connection.sendall(part)
    return connection


def received(connection: socket.socket) -> bytes:
    """All that comes until the server ends the connection; a time-out fails the test."""
    found = b""
    with closing(connection):
        try:
            while part := connection.recv(65536):
                found += part
        except ConnectionResetError:
            pass
    return found


def test_headers_that_never_end_are_ended(port: int) -> None:
    starts = (b"", b"GET /", b"GET /api HTTP/1.1\r\nHost: localhost\r\nX: ")
    waiting = [send(port, starts[number % 3]) for number in range(150)]
    assert httpx.get(f"http://localhost:{port}/api/server").status_code == 200
    assert {received(connection) for connection in waiting} == {b""}


def test_the_second_request_of_a_connection_has_no_longer(port: int) -> None:
    connection = send(port, b"GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = b""
    while b"</svg>" not in answer:  # in one packet with the first, uvicorn's own limit holds
        answer += connection.recv(65536)
    connection.sendall(b"GET /icon.svg HTTP/1.1\r\n")
    assert received(connection) == b""


def test_a_body_that_stops_is_answered_and_ended(port: int) -> None:
    head = (
        b"POST /api/weights HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100\r\n\r\n{"
    )
    assert received(send(port, head)).startswith(b"HTTP/1.1 408")


def test_a_body_that_nobody_wants_does_not_hold_the_connection(port: int) -> None:
    connection = send(
        port, b"POST /icon.svg HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n"
    )

    def drip() -> None:
        try:
            while True:
                connection.sendall(b" ")
                time.sleep(LIMIT / 5)
        except OSError:
            pass

    dripping = threading.Thread(target=drip, daemon=True)
    dripping.start()
    assert received(connection).startswith(b"HTTP/1.1 405")
    dripping.join()


def test_an_answer_that_nobody_reads_is_ended(port: int) -> None:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", port))
    request = b"GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n"

    def ask_on() -> None:
        while True:
            connection.sendall(request * 100)

    with pytest.raises(OSError, match=r"reset|Broken pipe"):
        ask_on()
    connection.close()
