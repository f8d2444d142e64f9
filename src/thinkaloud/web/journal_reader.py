"""The journal as the hub reads it: in a thread of its own, since SQLite wants one connection per thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from thinkaloud.models.contract import Verbatim
from thinkaloud.monologue import Event
from thinkaloud.remember.acts import Act
from thinkaloud.remember.journal import Journal, SessionInfo

_T = TypeVar("_T")


class JournalReader:
    """All sessions that were ever written down."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._journal: Journal | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")

    async def sessions(self) -> list[SessionInfo]:
        """All of them, the newest first."""
        return await self._do(lambda journal: journal.sessions())

    async def find(self, id: str) -> str:
        """The whole id of a session, by the beginning of it; UnknownName where there is none."""
        return await self._do(lambda journal: journal.open(id).id)

    async def events(self, id: str) -> list[Event]:
        """Everything that was said in a session."""
        return await self._do(lambda journal: [Event(*row) for row in journal.open(id).events()])

    async def verbatim(self, id: str, index: int) -> Verbatim | None:
        """What a model was asked and said at an event."""
        return await self._do(lambda journal: journal.open(id).verbatim(index))

    async def snapshot_at(self, id: str, index: int) -> bytes | None:
        """The world as it was at an event."""
        return await self._do(lambda journal: journal.open(id).snapshot_at(index))

    async def rename(self, id: str, name: str) -> None:
        """Give a session another name."""
        await self._do(lambda journal: journal.open(id).rename(name))

    async def delete(self, id: str) -> None:
        """Delete a session for good."""
        await self._do(lambda journal: journal.open(id).discard())

    async def note(self, message: str, session: str) -> bool:
        """Take note of a message; False where it was heard before."""
        return await self._do(lambda journal: journal.note(message, session))

    async def noted(self, message: str) -> str | None:
        """The session in which a message was heard."""
        return await self._do(lambda journal: journal.noted(message))

    async def add_act(self, who: str, what: str, session: str = "") -> None:
        """Take note of what somebody did."""
        await self._do(lambda journal: journal.acts.add(who, what, session))

    async def latest_acts(self, most: int) -> list[Act]:
        """What people did, the newest first."""
        return await self._do(lambda journal: journal.acts.latest(most))

    async def close(self) -> None:
        """Let go of the file."""
        if self._journal is not None:
            await self._do(lambda journal: journal.close())
        self._thread.shutdown()

    async def _do(self, work: Callable[[Journal], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(self._opened()))

    def _opened(self) -> Journal:
        if self._journal is None:
            self._journal = Journal(self._path)
        return self._journal
