"""HTTP connections that close when a client stops sending a request or reading an answer.

uvicorn only limits the pause between an answer and the first byte of the next request.
"""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from advisor.web.limits import MAX_SENDING

MAX_UNREAD = 60.0
"""Seconds for which a client may pause while reading an answer."""


class TimedProtocol(H11Protocol):
    """A connection with time limits for sending and reading.

    While a request is being answered, only reading is limited here; `advisor.web.api` limits the
    time to send a body.
    """

    _sending: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._sending = self.loop.call_later(MAX_SENDING, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._cancel_sending()
        elif self._sending is None:  # a part of the next request, or an unread body
            self._sending = self.loop.call_later(MAX_SENDING, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading = self.loop.call_later(MAX_UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._cancel_sending()
        self._cancel_reading()

    def _cancel_sending(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    def _cancel_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
