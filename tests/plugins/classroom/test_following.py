"""Work that takes long sends notes before its answer, to clients that accept lines."""

import asyncio
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from advisor.errors import InputError
from advisor.plugins.classroom.bounded import TellLine
from advisor.plugins.classroom.following import follow_work


def answers(accept: str, ending: object) -> list[Any]:
    """All that a client receives of work that sends two notes."""

    async def work(tell: TellLine) -> Any:
        await asyncio.to_thread(tell, "still grounding")
        tell("mine.lp:3")
        if isinstance(ending, Exception):
            raise ending
        return ending

    async def ask() -> list[Any]:
        request = Request({"type": "http", "headers": [(b"accept", accept.encode())]})
        found = await follow_work(request, work)
        return [each async for each in found] if hasattr(found, "__aiter__") else [found]

    return asyncio.run(ask())


NOTES = [{"note": "still grounding"}, {"note": "mine.lp:3"}]


@pytest.mark.parametrize(
    ("ending", "last"),
    [
        ({"fired": []}, {"result": {"fired": []}}),
        (InputError("it is wrong"), {"error": "it is wrong", "code": "input", "status": 422}),
        (
            HTTPException(503, "busy"),
            {"error": "busy", "code": "service_unavailable", "status": 503},
        ),
        (KeyError("a bug"), {"error": "the server failed", "code": "fault", "status": 500}),
    ],
)
def test_notes_come_before_the_answer(ending: object, last: object) -> None:
    assert answers("application/x-ndjson", ending) == [*NOTES, last]


def test_who_wants_one_answer_gets_one() -> None:
    assert answers("application/json", {"fired": []}) == [{"fired": []}]
    with pytest.raises(InputError, match="it is wrong"):
        answers("*/*", InputError("it is wrong"))
