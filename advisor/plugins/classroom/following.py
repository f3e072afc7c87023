"""Answers of work that may take long: notes meanwhile, for clients that accept lines."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request

from advisor.errors import AdvisorError
from advisor.plugins.classroom.bounded import TellLine, ignore
from advisor.web import games
from advisor.web.api import LINES, Answered
from advisor.web.models import Json


async def follow_work(request: Request, work: Callable[[TellLine], Awaitable[Json]]) -> Answered:
    """Do some work; return its answer, or its notes and its answer if the client accepts lines.

    Args:
        request: the HTTP request.
        work: takes a function to which any thread may pass notes. It goes on if the client leaves.
    """
    if LINES in request.headers.get("accept", ""):
        return _messages(work)
    return await work(ignore)


async def _messages(work: Callable[[TellLine], Awaitable[Json]]) -> AsyncIterator[Json]:
    """Yield a message for each note and one for the answer."""
    notes: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def tell(text: str | None) -> None:
        loop.call_soon_threadsafe(notes.put_nowait, text)

    async def find_answer() -> Json:
        try:
            return {"result": await work(tell)}
        except AdvisorError as error:
            return {"error": games.error_text(error), "code": error.code, "status": 422}
        except HTTPException as error:
            code = HTTPStatus(error.status_code).name.lower()
            return {"error": error.detail, "code": code, "status": error.status_code}
        except Exception:  # a bug: the client must hear of it, too
            logging.getLogger(__name__).exception("the work failed")
            return {"error": "the server failed", "code": "fault", "status": 500}
        finally:
            tell(None)

    answer = asyncio.ensure_future(find_answer())
    while (note := await notes.get()) is not None:
        yield {"note": note}
    yield await answer
