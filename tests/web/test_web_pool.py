"""The queue of jobs and its workers: the order of jobs, and the cost of a worker's failure."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.types import Message

from advisor.settings import config
from advisor.web import app
from advisor.web.api import address_of
from advisor.web.jobs import STANDARD, THIS_MACHINE, BusyError, Job, Waiting
from advisor.web.limits import MAX_EACH, MAX_MAKING, MAX_MEMORY, MAX_SENDING, MAX_WAITING
from advisor.web.pool import _LINE, WorkerPool, _Process

Json = dict[str, Any]


def advice(depth: int | None, width: int = 7, height: int = 6) -> Json:
    """A request for advice; without a depth it takes its time and counts as long."""
    size = {"width": width, "height": height}
    return {
        "task": "advise",
        "game": ["connect4", *(size.items() if (width, height) != (7, 6) else ())],
        "weights": config.DEFAULT,
        "board": "",
        "moves": [],
        "depth": depth,
        "time": None if depth is not None else 30.0,
        "seconds": 30.0,
        "level": None,
        "exact": 0.0,
        "explain": False,
    }


# Order


def next_clients(waiting: Waiting, seconds: float, short: bool = False) -> list[str | None]:
    """Take all jobs at this cost each, and return their clients."""
    found = []
    while job := waiting.take(short):
        found.append(job.client)
        waiting.charge(job, seconds)
    return found


def test_addresses_then_their_clients_take_turns() -> None:
    waiting = Waiting()
    for client, address in [*[("a", "1")] * 3, *[("b", "1")] * 2, *[("c", "2")] * 4]:
        waiting.add(Job(advice(None), client, address))
    assert next_clients(waiting, 2.0) == ["a", "c", "b", "c", "a", "c", "b", "c", "a"]


def test_nobody_saves_time_up() -> None:
    waiting = Waiting()
    for _ in range(20):  # one address alone has had a lot
        waiting.add(Job(advice(None), "a", "1"))
    next_clients(waiting, 30.0)
    for _ in range(3):
        waiting.add(Job(advice(None), "a", "1"))
        waiting.add(Job(advice(None), "b", "2"))
    assert next_clients(waiting, 1.0)[:2] == ["b", "b"]
    for _ in range(3):
        waiting.add(Job(advice(None), "a", "1"))
        waiting.add(Job(advice(None), "c", "3"))
    assert sorted(map(str, next_clients(waiting, 1.0)[:2])) == ["a", "c"]


def test_short_jobs_are_told_from_long_ones() -> None:
    assert Job(advice(3), None, THIS_MACHINE).board == STANDARD
    waiting = Waiting()
    for name, request in (
        ("long", advice(None)),
        ("deep", advice(20)),
        ("short", advice(3)),
        ("quick", advice(20) | {"seconds": 0.2}),
        ("exact", {"task": "exact", "game": ["connect4"], "seconds": 5.0}),
    ):
        waiting.add(Job(request, name, THIS_MACHINE))
    assert next_clients(waiting, 0.1, short=True) == ["short", "quick"]
    assert next_clients(waiting, 0.1) == ["long", "deep", "exact"]


def test_a_note_ends_no_job() -> None:
    job = Job(advice(3), None, THIS_MACHINE)
    told = [{"note": "still grounding"}, {"progress": {"depth": 1}}, {"result": {}}]
    for message in told:
        assert not job.ended
        job.answer(message)
    assert job.ended
    assert job.note == "still grounding"

    async def receive() -> list[Json]:
        return [message async for message in job]

    assert asyncio.run(receive()) == told


def test_background_jobs_come_last_and_are_never_short() -> None:
    waiting = Waiting()
    spare = {"background": True}
    for name, request in (("spare", advice(3) | spare), ("long", advice(None)), ("b", advice(3))):
        waiting.add(Job(request, name, THIS_MACHINE))
    assert next_clients(waiting, 0.1, short=True) == ["b"]
    assert next_clients(waiting, 0.1) == ["long", "spare"]


def test_a_background_job_ends_with_what_is_known_once_another_one_waits() -> None:
    async def answers() -> list[Json]:
        pool = WorkerPool(1)
        await pool.start()
        try:
            asked = advice(None) | {"board": "44444", "partial": True}  # which no book knows
            found = list[Json]()
            async for message in pool.submit(asked | {"background": True}, "a", "1"):
                if not found:  # it has begun
                    pool.submit(asked, "b", "2")
                found.append(message)
            return found
        finally:
            await pool.stop()

    first, *_, last = asyncio.run(asyncio.wait_for(answers(), 120))
    assert "progress" in first
    assert last["result"]["interrupted"]


def test_a_client_is_one_of_its_address() -> None:
    pool = WorkerPool(1)  # not started, so that all jobs wait
    mine = pool.submit(advice(None), "me", "192.0.2.1")
    other = pool.submit(advice(None), "me", "192.0.2.2")
    assert not mine.ended
    assert not other.ended
    pool.submit(advice(None), "me", "192.0.2.1")
    assert mine.ended
    assert not other.ended


def test_an_address_has_a_part_of_the_queue() -> None:
    pool = WorkerPool(1)
    for number in range(MAX_EACH):
        pool.submit(advice(None), str(number), "192.0.2.1")
    with pytest.raises(BusyError, match="from your address"):
        pool.submit(advice(None), "one more", "192.0.2.1")
    pool.submit(advice(None), "0", "192.0.2.1")  # in place of its older one
    for _ in range(MAX_WAITING - MAX_EACH):
        pool.submit(advice(None), None, THIS_MACHINE)
    with pytest.raises(BusyError, match="are waiting"):
        pool.submit(advice(None), None, THIS_MACHINE)


def test_short_jobs_have_a_queue_of_their_own() -> None:
    pool = WorkerPool(1)
    for _ in range(MAX_WAITING):
        pool.submit(advice(None), None, THIS_MACHINE)
    pool.submit(advice(1), None, THIS_MACHINE)
    for _ in range(MAX_WAITING - 1):
        pool.submit(advice(1), None, THIS_MACHINE)
    with pytest.raises(BusyError, match="are waiting"):
        pool.submit(advice(1), None, THIS_MACHINE)


# Real workers


class Running:
    """A pool with one worker for all jobs and one for short ones, in a loop of its own."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self._runner = runner
        self.pool = WorkerPool(1)

    def do(self, work: Any) -> Any:
        async def in_time() -> Any:
            async with asyncio.timeout(300):  # instead of a hanging test
                return await work

        return self._runner.run(in_time())

    async def answers(self, request: Json) -> list[Json]:
        """All answers to a request."""
        return [message async for message in self.pool.submit(request, None, THIS_MACHINE)]


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with asyncio.Runner() as runner:
        found = Running(runner)
        found.do(found.pool.start())
        try:
            yield found
        finally:
            found.do(found.pool.stop())


async def spoil(pool: WorkerPool, line: bytes) -> Json:
    """Has the worker for all jobs say something else than an answer: the answer to its job."""
    job = pool.submit(advice(None), None, THIS_MACHINE)
    async for message in job:
        if "progress" not in message:
            return message
        stdout = pool._running[job][0]._process.stdout
        assert stdout is not None
        stdout.feed_data(line)
    raise AssertionError


@pytest.mark.slow
@pytest.mark.parametrize("line", [b"{\n", b"[]\n", b'{"job": 0}\n{}\n', b" " * (2 * _LINE)])
def test_what_is_no_answer_costs_its_job_alone(running: Running, line: bytes) -> None:
    assert running.do(spoil(running.pool, line)) == {"error": None}
    *_, last = running.do(running.answers(advice(1) | {"task": "advise"}))
    assert last["result"]["depth"] == 1


@pytest.mark.slow
def test_a_job_that_is_cancelled_while_its_worker_is_replaced_is_not_done(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.web.pool._BOARDS_A_WORKER", 2)  # the standard one and another

    async def scenario() -> int:
        pool = running.pool
        await spoil(pool, b"{\n")  # a worker that knows no board yet comes
        await running.answers(advice(None, 1, 1))
        before = pool._count
        job = pool.submit(advice(None, 2, 1), None, THIS_MACHINE)
        while job in pool._waiting:
            await asyncio.sleep(0)
        assert job not in pool._running, "its worker is being replaced"
        pool.cancel(job)
        await running.answers(advice(None, 3, 1))
        return pool._count - before

    assert running.do(scenario()) == 1


@pytest.mark.slow
def test_many_sizes_of_board_wear_out_one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.web.pool._BOARDS_A_WORKER", 2)  # the standard one and another
    started: list[_Process] = []
    start = _Process.start

    async def record(short: bool) -> _Process:
        started.append(await start(short))
        return started[-1]

    monkeypatch.setattr(_Process, "start", record)

    async def scenario() -> list[bool]:
        pool = WorkerPool(2)
        await pool.start()
        for width in range(1, 7):
            job = pool.submit(advice(9, width, 1), "me", THIS_MACHINE)
            assert [message async for message in job]
        long = [process for process in started if not process.short]
        assert len(long) > 2, "none was replaced"
        running = [process._process.returncode is None for process in long[:2]]
        await pool.stop()
        return running

    assert sorted(asyncio.run(scenario())) == [False, True]


def test_a_short_job_does_not_wait_for_long_ones(running: Running) -> None:
    async def scenario() -> list[bool]:
        pool = running.pool
        for_ever = advice(None) | {"time": 250.0, "seconds": 250.0}
        long = [pool.submit(for_ever, str(n), THIS_MACHINE) for n in range(3)]
        *_, last = await running.answers(advice(3))
        assert last["result"]["depth"] == 3
        ended = [job.ended for job in long]
        for job in long:
            pool.cancel(job)
        return ended

    assert running.do(scenario()) == [False] * 3


def test_what_turns_out_long_begins_again_and_says_nothing_twice(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.web.pool._SHORT", 0.01)
    *progress, last = running.do(running.answers(advice(6) | {"weights": "extends: default\n"}))
    assert [message["progress"]["depth"] for message in progress] == [1, 2, 3, 4, 5, 6]
    assert last["result"]["depth"] == 6


def test_what_a_game_costs_is_bounded_whatever_its_size(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.web.pool._SHORT_MAKING", 0.01)
    monkeypatch.setattr("advisor.web.pool.MAX_MAKING", 0.01)
    game = {"task": "position", "game": ["hex", ["size", 12]], "board": "", "moves": []}
    found = running.do(running.answers({**game, "seconds": 0.01}))
    assert "too large" in found[0]["error"]


def test_a_worker_ends_with_its_input_before_it_is_ready() -> None:
    command = [sys.executable, "-P", "-m", "advisor.web.worker", "10"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    assert ended.stdout == b""


# Clients


def test_who_hangs_up_within_a_request_leaves_no_trace() -> None:
    async def receive() -> Message:
        return messages.pop()

    async def send(_: Message) -> None:
        pass

    messages: list[Message] = [
        {"type": "http.disconnect"},
        {"type": "http.request", "body": b'{"bo', "more_body": True},
    ]
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "path": "/api/position",
        "headers": headers,
    }
    scope |= {"query_string": b"", "root_path": "", "scheme": "http", "http_version": "1.1"}
    asyncio.run(app.create()(scope, receive, send))  # an error would be printed
    assert not messages


def test_beyond_loopback_it_answers_to_addresses_and_to_its_names() -> None:
    served = httpx.ASGITransport(app.create("0.0.0.0", names=["Board.example"]))

    async def status(host: str) -> int:
        async with httpx.AsyncClient(transport=served, base_url="http://x") as asking:
            return (await asking.get("/api/server", headers={"Host": host})).status_code

    for host in ("192.0.2.7:8400", "[2001:db8::1]:8400", "localhost", "board.example", "x:y"):
        expected = 400 if host == "x:y" else 200
        assert asyncio.run(status(host)) == expected, host
    for host in ("evil.example", "192.0.2.7.evil.example", "", "board.example@evil.example"):
        assert asyncio.run(status(host)) == 400, host
    assert asyncio.run(status(os.uname().nodename)) == 200


@pytest.mark.parametrize(
    ("client", "address"),
    [
        ("127.0.0.1", THIS_MACHINE),
        ("::1", THIS_MACHINE),
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ],
)
def test_only_this_machine_is_ones_own(client: str, address: str) -> None:
    assert address_of(Request({"type": "http", "client": (client, 1)})) == address


def test_on_loopback_a_page_from_another_address_is_refused() -> None:
    served = httpx.ASGITransport(app.create())

    async def status(host: str) -> int:
        async with httpx.AsyncClient(transport=served, base_url="http://localhost") as client:
            return (await client.get("/icon.svg", headers={"Host": host})).status_code

    for host, expected in (("127.0.0.1:8400", 200), ("[::1]", 200), ("192.0.2.1", 400)):
        assert asyncio.run(status(host)) == expected


def test_the_page_on_http_tells_the_limits() -> None:
    text = " ".join((Path(__file__).parents[2] / "docs" / "http.md").read_text().split())
    for limit in (
        f"{MAX_EACH} of them from one address",
        f"{MAX_MAKING} seconds beside its own time",
        f"{MAX_MEMORY >> 30} GB of memory",
        f"within {MAX_SENDING:g} seconds",
    ):
        assert limit in text
