"""Whether the client of a call over HTTP is still there."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")
_GONE = "thinkaloud.gone"
"""Where a request keeps the event that its client is gone."""


class TellsGone:
    """Round an application: each request knows when its client is gone.

    Up to 2025-11-25 the SDK lets a call go on whose connection has ended, since a client may come back for the answer.
    Nobody keeps answers here, so a client that is gone has gone for good.
    """

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        gone = scope[_GONE] = asyncio.Event()

        async def watched() -> Any:
            message = await receive()
            if message["type"] == "http.disconnect":
                gone.set()
            return message

        try:
            await self._app(scope, watched, send)
        finally:
            gone.set()


async def while_here(request: Any, work: Coroutine[Any, Any, _T]) -> _T:
    """Do something for the client of a request, and break it off when the client is gone."""
    gone: asyncio.Event | None = getattr(request, "scope", {}).get(_GONE)
    if gone is None:  # over standard input and output, the server ends with its client
        return await work
    doing, leaving = asyncio.ensure_future(work), asyncio.ensure_future(gone.wait())
    try:
        await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            doing.cancel()
        return await doing
    finally:
        leaving.cancel()
        doing.cancel()
