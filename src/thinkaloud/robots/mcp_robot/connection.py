"""The connection to an MCP server, in a thread of its own, so that a slow server never holds up a stop.

Everything that comes from a server is data: of an answer only a part that the robot's file names is read, or one short
line for people; of a tool only its name and the names of its arguments. Servers may ask for nothing: neither for a
person's answer nor for a model's.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, TypeVar

from thinkaloud.errors import BadInput, DidNotWork, MissingExtra, describe_fault
from thinkaloud.robots.mcp_robot.tool_table import ToolCall, ToolTable
from thinkaloud.untrusted.text import as_data, one_line

_T = TypeVar("_T")
CONNECTING, STARTING, READING, STOPPING = 15.0, 60.0, 3.0, 3.0
"""Seconds that a server has: to be connected to, to be started as well, to answer a reading, to take in a stop."""
MAY_START = "THINKALOUD_START_SERVERS"
"""The environment variable that lets a robot's file start a program; nobody expects that of a text file."""
LARGEST_ANSWER = 1_000_000
"""Characters of an answer that are looked at; a longer one is refused."""
_CLOSED = -32000
"""The SDK's code for a connection that has ended."""
_NO_ENTRY = (401, 403)
"""The statuses of HTTP by which a server refuses who asks."""
logging.getLogger("mcp").addHandler(logging.NullHandler())  # otherwise the SDK prints tracebacks of what it cannot read
_MOST_PAGES, _LONGEST_REPORT = 20, 200


@dataclass(frozen=True)
class ToolAnswer:
    """What a tool told: its data, if it is any, and one line for people."""

    data: object
    report: str
    failed: bool


class Connection:
    """A connection that is made at the first call, and again after it was lost."""

    def __init__(self, table: ToolTable, to: Any = None) -> None:
        """`to`: a server in this process, or anything else that the SDK's client takes; else what the table says."""
        self._table, self._to = table, to
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over: asyncio.Event | None = None
        self._client: Any = None
        self._changed = False
        self._status = 0
        self._lock = threading.Lock()

    def ensure(self) -> None:
        """Connect, unless that is done; BadInput, in one line, where it cannot be, or a tool is not as it should be."""
        with self._lock:
            if self._thread is not None and self._thread.is_alive() and self._client is not None:
                return
            ready: Future[None] = Future()
            self._thread = threading.Thread(target=self._work, args=(ready,), name="mcp robot", daemon=True)
            self._thread.start()
            try:
                ready.result(self._patience + STOPPING)
            except TooLate:
                self._lose()
                raise BadInput(f"{self._table.where} has not answered in {self._patience:.0f} s.") from None

    @property
    def lost(self) -> bool:
        """Whether there is no connection."""
        return self._client is None

    def begin(self, call: ToolCall, given: Mapping[str, Any], *, whatever_changed: bool = False) -> Future[ToolAnswer]:
        """Call a tool; cancelling the future cancels the call. A stop is called `whatever_changed` at the server."""
        self.ensure()
        return self._run(self._call(call, given, checks=not whatever_changed))

    def read(self, call: ToolCall, given: Mapping[str, Any]) -> ToolAnswer:
        """Call a tool that only tells something, and wait; DidNotWork where it does not tell."""
        reading = self.begin(call, given)
        try:
            answer = reading.result(READING)
        except TooLate:
            reading.cancel()
            raise DidNotWork(f"{call.tool} has not answered in {READING:.0f} s.") from None
        if answer.failed:
            raise DidNotWork(f"{call.tool} failed: {answer.report}")
        return answer

    def close(self) -> None:
        """Let go of the server."""
        self._lose()
        if self._thread is not None:
            self._thread.join(STOPPING)

    def _lose(self) -> None:
        """The connection is over; the next call makes another one."""
        self._client = None
        if self._loop is not None and self._over is not None:
            with suppress(RuntimeError):  # its event loop has ended
                self._loop.call_soon_threadsafe(self._over.set)

    def _run(self, work: Coroutine[Any, Any, _T]) -> Future[_T]:
        assert self._loop is not None
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:  # its event loop has ended
            work.close()
            raise DidNotWork(f"The connection to {self._table.where} is lost.") from None

    # in its own thread ------------------------------------------------------------------------------------------------

    def _work(self, ready: Future[None]) -> None:
        with Path(os.devnull).open("w") as silence:  # what a program complains of may hold control codes
            asyncio.run(self._live(ready, silence))

    async def _live(self, ready: Future[None], silence: TextIO) -> None:
        """Be connected, until it is over."""
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        over = self._over
        try:
            async with asyncio.timeout(self._patience) as connecting, self._open(silence) as client:
                self._check(await self._list(client))
                self._client, self._changed = client, False
                connecting.reschedule(None)
                ready.set_result(None)
                await over.wait()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error if isinstance(error, BadInput) else BadInput(self._unreachable(error)))
        finally:
            if over is self._over:
                self._client = None

    @property
    def _patience(self) -> float:
        return STARTING if self._table.command else CONNECTING

    def _open(self, silence: TextIO) -> Any:
        try:
            from mcp import Client, StdioServerParameters, stdio_client
            from mcp.client.streamable_http import streamable_http_client
        except ModuleNotFoundError as error:
            raise MissingExtra("A robot that is an MCP server", "mcp") from error

        if self._to is not None:
            to = self._to
        elif self._table.command:
            if os.environ.get(MAY_START, "") != "yes":
                raise BadInput(
                    f"This robot's file starts a program ({as_data(self._table.where, 100)}). If you trust it, set "
                    f"{MAY_START}=yes."
                )
            first, *rest = self._table.command
            to = stdio_client(StdioServerParameters(command=first, args=rest), errlog=silence)
        else:
            import httpx2  # the SDK's own client of HTTP

            headers = {"authorization": f"Bearer {self._token()}"} if self._table.token else {}
            http = httpx2.AsyncClient(
                headers=headers,
                timeout=None,
                follow_redirects=not headers,  # a token goes nowhere else
                event_hooks={"response": [self._note_status]},
            )
            to = streamable_http_client(self._table.url, http_client=http)
        return Client(to, message_handler=self._hear, cache=None)

    def _token(self) -> str:
        if not (token := os.environ.get(self._table.token, "")):
            raise BadInput(f"{self._table.where} needs a token: set {self._table.token}.")
        return token

    async def _note_status(self, response: Any) -> None:
        """Keep what the server answered last: the SDK's error does not say that a token was refused."""
        self._status = response.status_code

    async def _hear(self, message: Any) -> None:
        """A notification of the server: all that counts is that its tools are other ones."""
        if type(message).__name__ == "ToolListChangedNotification":
            self._changed = True

    async def _list(self, client: Any) -> dict[str, Any]:
        tools: dict[str, Any] = {}
        cursor = None
        for _ in range(_MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            tools |= {tool.name: tool.input_schema for tool in page.tools}
            if not (cursor := page.next_cursor):
                break
        return tools

    def _check(self, tools: Mapping[str, Any]) -> None:
        """Refuse a server whose tools are not what the robot's file calls."""
        for call in self._table.calls():
            if call.tool not in tools:
                raise BadInput(f"{self._table.where} has no tool {call.tool!r}{_list_names(list(tools))}.")
            schema = tools[call.tool] if isinstance(tools[call.tool], Mapping) else {}
            takes = schema.get("properties") or {}
            needs = schema.get("required") or []
            if strange := [name for name in call.arguments if name not in takes]:
                raise BadInput(f"The tool {call.tool!r} takes no argument {strange[0]!r}{_list_names(list(takes))}.")
            if missing := [name for name in needs if name not in call.arguments]:
                raise BadInput(f"The tool {call.tool!r} needs the argument {as_data(str(missing[0]), 60)!r}.")
            for name, value in call.arguments.items():
                if (why := _misfit(takes[name], value)) is not None:
                    raise BadInput(f"The tool {call.tool!r} takes {name!r} as {why}.")

    async def _call(self, call: ToolCall, given: Mapping[str, Any], *, checks: bool) -> ToolAnswer:
        if checks and self._changed:  # a tool may be gone, or another one under its name
            self._check(await self._list(self._client))
            self._changed = False
        try:
            result = await self._client.call_tool(call.tool, call.filled(given))
        except Exception as error:
            from mcp.shared.exceptions import MCPError

            if not isinstance(error, MCPError) or error.code == _CLOSED:
                self._lose()
            raise DidNotWork(f"{call.tool}: {as_data(describe_fault(error), _LONGEST_REPORT)}") from None
        return _read_answer(call.tool, result)

    def _unreachable(self, error: BaseException) -> str:
        if isinstance(error, TimeoutError):
            return f"{self._table.where} has not answered in {self._patience:.0f} s."
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        if self._status in _NO_ENTRY:
            token = self._table.token
            what = f"the token in {token}" if token else 'a call without a token; name one with token = "ROBOT_…"'
            return f"{self._table.where} refused {what} (status {self._status})."
        told = as_data(f"{type(error).__name__}: {error}", _LONGEST_REPORT)
        return f"{self._table.where} cannot be used as an MCP server: {told}."


def _read_answer(tool: str, result: Any) -> ToolAnswer:
    texts = [each.text for each in result.content if getattr(each, "type", "") == "text"]
    if sum(map(len, texts)) > LARGEST_ANSWER:
        return ToolAnswer(None, f"The answer of {tool} is too long.", failed=True)
    text = "\n".join(texts)
    data: object = result.structured_content
    if data is None:
        data = text
        with suppress(ValueError, RecursionError):
            data = json.loads(text)
    return ToolAnswer(data, as_data(one_line(text, _LONGEST_REPORT)), bool(result.is_error))


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list | tuple),
    "object": lambda value: isinstance(value, Mapping),
}


def _misfit(schema: Any, value: Any) -> str | None:
    """The type that an argument should have, if it has another; a slot may become a text or a number."""
    wanted = schema.get("type") if isinstance(schema, Mapping) else None
    if not isinstance(wanted, str) or wanted not in _TYPES or _TYPES[wanted](value):
        return None
    slot = isinstance(value, str) and value.startswith("{") and value.endswith("}")
    return None if slot and wanted in ("number", "integer") else wanted


def _list_names(names: Sequence[str]) -> str:
    """Names that a server gave, for a message."""
    known = ", ".join(as_data(name, 40) for name in names[:12])
    return f"; it has {known}{' …' if len(names) > 12 else ''}" if known else ""
