"""What the tests of the MCP server share: a robot behind it, and clients of both eras, each by several ways."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the MCP server needs the extra `mcp`")

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

from mcp_walker import WANTED, open_hub
from thinkaloud.records import Started
from thinkaloud.web.access import AccessRules
from thinkaloud.web.mcp_server.serving import build_app
from thinkaloud.web.mcp_server.shared_robot import SharedRobot
from thinkaloud.web.mcp_server.tools import build_server
from thinkaloud.web.server import HubServer, bind

SUPPORT = Path(__file__).parents[2] / "support"
ERAS = ("legacy", "2026-07-28")
PATIENCE = 20.0


class Offered:
    """A robot that clients may ask for something, and what it did."""

    def __init__(self, robot: SharedRobot) -> None:
        self.robot = robot
        self.server: Any = build_server(robot)
        self.rules = AccessRules()
        self.url = ""

    def client(self, era: str, answer: str | None = None, to: Any = None) -> Client:
        """A client of an era, whose person answers; without an answer, it cannot be asked."""

        async def answers(context: Any, params: Any) -> ElicitResult:
            self.asked.append(params.message)
            return (
                ElicitResult(action="accept", content={"answer": answer}) if answer else ElicitResult(action="decline")
            )

        self.asked: list[str] = []
        return Client(to or self.server, mode=era, elicitation_callback=None if answer is None else answers)

    @property
    def thread(self) -> Any:
        return self.robot._hub.robot_of(self.robot.session)

    @property
    def world(self) -> Any:
        return self.thread._agent.world

    @property
    def motions(self) -> list[str]:
        return [event.record.step.words for event in self.thread.events if isinstance(event.record, Started)]

    @property
    def kinds(self) -> list[str]:
        return [type(event.record).__name__ for event in self.thread.events]

    async def until(self, state: str) -> None:
        """Wait until the robot is doing something."""
        async with asyncio.timeout(PATIENCE):
            while self.thread.state != state:
                changed = self.robot._changed
                if self.thread.state != state:
                    await changed.wait()

    async def until_moving(self) -> None:
        """Wait until the robot moves."""
        await self.until("moving")

    @asynccontextmanager
    async def over_http(self) -> AsyncIterator[str]:
        """Serve it at an address."""
        bound: socket.socket = bind("127.0.0.1", 0)
        ready = asyncio.Event()
        server = HubServer(self.robot._hub, build_app(self.robot, self.rules), ready.set)
        serving = asyncio.ensure_future(server.serve(sockets=[bound]))
        await ready.wait()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            await serving


@asynccontextmanager
async def offered(home: Path) -> AsyncIterator[Offered]:
    robot = SharedRobot(open_hub(home), WANTED)
    await robot.open()
    try:
        yield Offered(robot)
    finally:
        await robot.close()


Play = Callable[[Callable[[Offered], Awaitable[None]]], None]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Plays a story with a robot."""

    def run(story: Callable[[Offered], Awaitable[None]]) -> None:
        async def whole() -> None:
            async with asyncio.timeout(3 * PATIENCE), offered(tmp_path / "home") as robot:
                await story(robot)

        asyncio.run(whole())

    return run


def over_stdio(home: Path) -> StdioServerParameters:
    """How to start the robot as a program of its own."""
    path = os.pathsep.join(str(each) for each in (SUPPORT.parents[1] / "src", SUPPORT))
    return StdioServerParameters(
        command=sys.executable, args=[str(SUPPORT / "mcp_walker.py"), str(home)], env={**os.environ, "PYTHONPATH": path}
    )
