"""One connection to rosbridge, in a thread of its own: what is sent is never held up by what others read.

Everything that comes over it is data. A message that is too large ends the connection before it is read.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from contextlib import suppress
from typing import Any

from thinkaloud.errors import BadInput, DidNotWork, MissingExtra
from thinkaloud.untrusted.secrets import hide_credentials
from thinkaloud.untrusted.text import as_data

CONNECTING = 10.0
"""Seconds that rosbridge has to be connected to."""
LARGEST_MESSAGE = 1_000_000
"""Bytes of a message; a larger one ends the connection."""
_MOST_UNSENT = 1000
_TOO_BIG = 1009
"""What this side says when it ends a connection because of a large message."""
_LONGEST_REPORT = 200


class Link:
    """A connection that hands every message it receives to `hear`, in its own thread."""

    def __init__(
        self, url: str, name: str, hear: Callable[[Mapping[str, Any]], None], ended: Callable[[], None]
    ) -> None:
        """Connect; BadInput, in one line, where that cannot be done. `ended` is called when the connection is over."""
        self._url, self._hear, self._ended = url, hear, ended
        self._loop: asyncio.AbstractEventLoop | None = None
        self._outgoing: asyncio.Queue[str | None] | None = None
        self.lost = ""
        """Why the connection is over; empty as long as it is not."""
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._work, args=(ready,), name=f"rosbridge {name}", daemon=True)
        self._thread.start()
        try:
            ready.result(CONNECTING + 1)
        except TooLate:
            self.close()
            raise BadInput(f"{self.where} has not answered in {CONNECTING:.0f} s.") from None

    @property
    def where(self) -> str:
        """The address, for messages."""
        return hide_credentials(self._url)

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a message, without waiting until it is on its way; DidNotWork where the connection is lost."""
        loop, outgoing = self._loop, self._outgoing
        if self.lost or loop is None or outgoing is None:
            raise DidNotWork(f"The connection to {self.where} was lost ({self.lost or 'it was closed'}).")
        text = json.dumps(message)
        with suppress(RuntimeError):  # its event loop has just ended
            loop.call_soon_threadsafe(self._put, outgoing, text)

    def close(self) -> None:
        """End the connection."""
        self.lost = self.lost or "it was closed"
        if self._loop is not None and self._outgoing is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._put, self._outgoing, None)

    def join(self, seconds: float) -> None:
        """Wait until its thread has ended."""
        if self._thread is not threading.current_thread():
            self._thread.join(seconds)

    # in its own thread ------------------------------------------------------------------------------------------------

    def _put(self, outgoing: asyncio.Queue[str | None], text: str | None) -> None:
        if text is not None and outgoing.qsize() >= _MOST_UNSENT:
            self.lost, text = "it takes nothing in any more", None
        outgoing.put_nowait(text)

    def _work(self, ready: Future[None]) -> None:
        try:
            asyncio.run(self._live(ready))
        except BaseException as error:
            self.lost = self.lost or as_data(f"{type(error).__name__}: {error}", _LONGEST_REPORT)
            if not ready.done():
                ready.set_exception(
                    error
                    if isinstance(error, BadInput)
                    else BadInput(f"{self.where} cannot be used as rosbridge: {self.lost.rstrip('.')}.")
                )
        self.lost = self.lost or "it has ended"
        self._ended()

    async def _live(self, ready: Future[None]) -> None:
        try:
            from websockets.asyncio.client import connect
            from websockets.exceptions import ConnectionClosed
        except ModuleNotFoundError as error:
            raise MissingExtra("A robot that speaks ROS", "ros") from error

        self._loop, self._outgoing = asyncio.get_running_loop(), asyncio.Queue()
        async with connect(
            self._url,
            max_size=LARGEST_MESSAGE,
            compression=None,  # so that the size on the line is the size
            open_timeout=CONNECTING,
            close_timeout=1,
            ping_interval=5,
            ping_timeout=5,
            proxy=None,
            user_agent_header=None,
        ) as socket:
            ready.set_result(None)
            writing = asyncio.ensure_future(self._write(socket))
            reading = asyncio.ensure_future(self._listen(socket))
            try:
                done, _ = await asyncio.wait((writing, reading), return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            except ConnectionClosed as error:
                self.lost = self.lost or _say_close(error)
            finally:
                self.lost = self.lost or "it was closed"
                writing.cancel()
                reading.cancel()

    async def _write(self, socket: Any) -> None:
        assert self._outgoing is not None
        while (text := await self._outgoing.get()) is not None:
            await socket.send(text)

    async def _listen(self, socket: Any) -> None:
        async for text in socket:
            with suppress(ValueError, RecursionError):
                message = json.loads(text)
                if isinstance(message, dict):
                    self._hear(message)


def _say_close(error: Any) -> str:
    """Why a connection has ended."""
    if error.sent is not None and error.sent.code == _TOO_BIG:
        return f"a message of more than {LARGEST_MESSAGE // 1000:,} KB came"
    return as_data((error.rcvd.reason if error.rcvd is not None else "") or "it was closed", _LONGEST_REPORT)
