"""A connection that fails as connections do: a TCP proxy which cuts, refuses, stalls, delays, or goes dead.

proxy = UnreliableProxy(port_of_the_server)
await proxy.open()
proxy.fail("stall")     # from now on
proxy.fail("none")      # all is well again
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

Fault = Literal["none", "cut", "refuse", "stall", "delay", "dead"]
"""`cut`: what is open is reset, once. `refuse`: the same, and nobody gets in. `stall`: nothing passes; it comes later.

`delay`: everything takes up to 1.5 s each way. `dead`: what is sent is lost, now and for ever, and nobody is told.
"""
_LONGEST_DELAY = 1.5
_CHUNK = 65536


@dataclass(eq=False)
class _Link:
    """A connection from a client to the server, both ways."""

    task: asyncio.Task[None] | None
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    dead: bool = False


class UnreliableProxy:
    """Passes everything on to a port of this machine, except when told to fail. For one event loop."""

    def __init__(self, to: int, seed: int = 0) -> None:
        self.port = 0
        self._to, self._random = to, random.Random(f"unreliable {seed}")
        self._fault: Fault = "none"
        self._links: set[_Link] = set()
        self._closed, self._flows = asyncio.Event(), asyncio.Event()
        self._flows.set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen at `port`."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Listen no longer, and cut what is open."""
        assert self._server is not None
        self._server.close()
        serving = [link.task for link in self._links if link.task is not None]
        self._closed.set()
        self._flows.set()
        self._cut()
        await asyncio.gather(*serving, return_exceptions=True)

    def fail(self, fault: Fault) -> None:
        """Fail in this way until told otherwise; `none`: no longer."""
        self._fault = fault
        if fault in ("cut", "refuse"):
            self._cut()
        if fault == "dead":
            for link in self._links:
                link.dead = True
        if fault == "stall":
            self._flows.clear()
        else:
            self._flows.set()

    def _cut(self) -> None:
        for link in list(self._links):
            for writer in link.writers:
                writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._fault == "refuse":
            writer.transport.abort()
            return
        link = _Link(asyncio.current_task(), [writer], self._fault == "dead")
        self._links.add(link)
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._to)
            link.writers.append(back)
            await asyncio.gather(self._pass(link, reader, back), self._pass(link, there, writer))
        except OSError:  # the server is not there, or one of the two has gone
            pass
        finally:
            self._links.discard(link)
            for each in link.writers:
                each.transport.abort()

    async def _pass(self, link: _Link, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while chunk := await source.read(_CHUNK):
            if self._fault == "delay":
                await asyncio.sleep(self._random.uniform(0.0, _LONGEST_DELAY))
            await self._flows.wait()
            if not link.dead:
                target.write(chunk)
                await target.drain()
        if link.dead:
            await self._closed.wait()  # nobody is told that the other one has gone, either
        with suppress(OSError):
            target.write_eof()
