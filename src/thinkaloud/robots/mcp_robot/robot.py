"""A robot whose skills are tools of an MCP server: described by a text file, carried out by the server."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass
from typing import Any

from thinkaloud.episode.ticks import tick
from thinkaloud.errors import BadInput, DidNotWork, SkillError
from thinkaloud.records import Arguments, Value
from thinkaloud.robots.connected import PERIOD, ConnectedRobot
from thinkaloud.robots.connected.table_parts import find_part, find_part_if_there
from thinkaloud.robots.mcp_robot.connection import STOPPING, Connection, ToolAnswer
from thinkaloud.robots.mcp_robot.tool_table import ToolReading, ToolSkill, ToolTable
from thinkaloud.robots.text_file.robot import RobotFile
from thinkaloud.untrusted.text import as_data

_LONGEST_FAULT = 200


@dataclass(frozen=True)
class _Halt:
    """A call that is given up."""

    how: ToolSkill
    given: Arguments
    working: Future[ToolAnswer]
    lost: bool
    """Whether it ended because the connection was lost: what became of it at the server, nobody knows."""


class McpRobot(ConnectedRobot[ToolReading]):
    """The world of such a robot. It connects when it is first looked at; nothing moves then."""

    def __init__(self, robot: RobotFile, tools: ToolTable, to: Any = None) -> None:
        """`to` takes the place of the server that the table names; a test has it in its own process."""
        self._tools = tools
        self._unconfirmed: _Halt | None = None
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
        """Call the tool, and wait for it tick by tick. Whatever ends this without an answer stops the robot."""
        how = self._tools.skills[skill]
        self._finish_last_stop()
        working, answer = self.connection.begin(how.call, given), None
        try:
            answer = await self._wait_for(working, how)
        finally:
            if answer is None and not _was_refused_here(working):
                self._halt(_Halt(how, given, working, lost=self.connection.lost))
        if answer.failed:
            raise DidNotWork(answer.report or f"{how.call.tool} failed.")
        if how.fails and (wrong := find_part_if_there(answer.data, how.fails)):
            raise DidNotWork(as_data(str(wrong), _LONGEST_FAULT))
        return answer.report

    async def _wait_for(self, working: Future[ToolAnswer], how: ToolSkill) -> ToolAnswer:
        answering = asyncio.wrap_future(working)
        answering.add_done_callback(lambda done: done.cancelled() or done.exception())  # `working` tells it
        until = self.clock.now() + how.timeout
        while not working.done():
            if self.clock.now() > until:
                raise DidNotWork(f"{how.call.tool} has not answered in {how.timeout:g} s.")
            await tick()
            await asyncio.wait([answering], timeout=PERIOD)
        return working.result()

    def _halt(self, halt: _Halt) -> None:
        """Stop the robot, and keep in mind that it may still move until that was confirmed; then, SkillError."""
        self._unconfirmed = halt
        try:
            self._stop(halt)
        except (DidNotWork, BadInput) as error:
            raise SkillError(f"The robot may still move: {error}") from None
        self._unconfirmed = None

    def _stop(self, halt: _Halt) -> None:
        """Call the robot's own stop first, then cancel the call. Its late answer is never read."""
        stop = halt.how.stop
        if stop is None:
            halt.working.cancel()
            if halt.lost:
                raise DidNotWork(f"The connection to {self._tools.where} was lost, and with it the call to cancel.")
            return
        stopping = self.connection.begin(stop, halt.given, whatever_changed=True)
        halt.working.cancel()
        try:
            if (answer := stopping.result(STOPPING)).failed:
                raise DidNotWork(f"{stop.tool} failed: {answer.report}")
        except TooLate:
            raise DidNotWork(f"{stop.tool} has not answered in {STOPPING:g} s.") from None

    def _finish_last_stop(self) -> None:
        """See that the last stop was confirmed; DidNotWork where it still is not, and nothing new begins."""
        if self._unconfirmed is None:
            return
        try:
            self._halt(self._unconfirmed)
        except SkillError as error:
            raise DidNotWork(f"The last stop was not confirmed, so nothing new begins. {error}") from None


def _was_refused_here(working: Future[ToolAnswer]) -> bool:
    """Whether a call was never sent, because the tools at the server are other ones by now."""
    return working.done() and not working.cancelled() and isinstance(working.exception(), BadInput)
