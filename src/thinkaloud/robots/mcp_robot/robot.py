"""A robot whose skills are tools of an MCP server: described by a text file, carried out by the server."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from typing import Any

from thinkaloud.episode.ticks import tick
from thinkaloud.errors import DidNotWork, SkillError
from thinkaloud.records import Arguments, Value
from thinkaloud.robots.connected import PERIOD, ConnectedRobot
from thinkaloud.robots.connected.table_parts import find_part, find_part_if_there
from thinkaloud.robots.mcp_robot.connection import STOPPING, Connection, ToolAnswer
from thinkaloud.robots.mcp_robot.tool_table import ToolCall, ToolReading, ToolTable
from thinkaloud.robots.text_file.robot import RobotFile
from thinkaloud.untrusted.text import as_data

_LONGEST_FAULT = 200


class McpRobot(ConnectedRobot[ToolReading]):
    """The world of such a robot. It connects when it is first looked at; nothing moves then."""

    def __init__(self, robot: RobotFile, tools: ToolTable, to: Any = None) -> None:
        """`to` takes the place of the server that the table names; a test has it in its own process."""
        self._tools = tools
        self.connection = Connection(tools, to)
        super().__init__(robot, tools.relations, tools.values)
        weakref.finalize(self, self.connection.close)

    def _connect(self) -> None:
        self.connection.ensure()

    def _ask(self, reading: ToolReading, given: Mapping[str, Value], told: dict[str, object]) -> object:
        key = repr((reading.call.tool, reading.call.filled(given)))
        if key not in told:
            told[key] = self.connection.read(reading.call, given).data
        return find_part(told[key], reading.answer)

    async def _carry_out(self, skill: str, given: Arguments) -> str:
        """Call the tool, and wait for it tick by tick. Whatever ends this before its answer stops the robot."""
        how = self._tools.skills[skill]
        working = self.connection.begin(how.call, given)
        answering = asyncio.wrap_future(working)
        answering.add_done_callback(lambda done: done.cancelled() or done.exception())  # `working` tells it
        until = self.clock.now() + how.timeout
        try:
            while not working.done():
                if self.clock.now() > until:
                    raise DidNotWork(f"{how.call.tool} has not answered in {how.timeout:g} s.")
                await tick()
                await asyncio.wait([answering], timeout=PERIOD)
            answer = working.result()
        finally:
            if not working.done():
                self._halt(working, how.stop, given)
        if answer.failed:
            raise DidNotWork(answer.report or f"{how.call.tool} failed.")
        if how.fails and (wrong := find_part_if_there(answer.data, how.fails)):
            raise DidNotWork(as_data(str(wrong), _LONGEST_FAULT))
        return answer.report

    def _halt(self, working: Future[ToolAnswer], stop: ToolCall | None, arguments: Arguments) -> None:
        """Stop the robot: by its own tool first, then by cancelling the call. Its late answer is never read."""
        stopping = None if stop is None else self.connection.begin(stop, arguments, whatever_changed=True)
        working.cancel()
        if stop is None or stopping is None:
            return
        try:
            if (answer := stopping.result(STOPPING)).failed:
                raise SkillError(f"The robot may still move: {stop.tool} failed: {answer.report}")
        except TooLate:
            raise SkillError(f"The robot may still move: {stop.tool} has not answered in {STOPPING:g} s.") from None
        except DidNotWork as error:
            raise SkillError(f"The robot may still move: {error}") from None
