"""A robot whose skills are tools of an MCP server: described by a text file, carried out by the server.

What is true is read from the server wherever the file says how. The rest is what the skills declare, as in any text
file: nothing checks that, so say how to read it if you can.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from typing import Any

from thinkaloud.clock import WallClock
from thinkaloud.episode.ticks import tick
from thinkaloud.errors import DidNotWork, SkillError
from thinkaloud.records import Arguments, Condition, Observation, Value
from thinkaloud.robots.mcp_robot.connection import STOPPING, Connection, ToolAnswer, find_part
from thinkaloud.robots.mcp_robot.tool_table import ToolCall, ToolReading, ToolSkill, ToolTable
from thinkaloud.robots.text_file.facts import GroundFact
from thinkaloud.robots.text_file.robot import RobotFile, RobotSkill
from thinkaloud.robots.text_file.world import TextFileWorld
from thinkaloud.untrusted.text import as_data

PERIOD = 0.02
"""Seconds between two control ticks while a tool works: a stop is heard that often."""
_MOST_READINGS, _LONGEST_FAULT = 200, 200


class McpRobot(TextFileWorld):
    """The world of such a robot. It connects when it is first looked at; nothing moves then."""

    def __init__(self, robot: RobotFile, tools: ToolTable, to: Any = None) -> None:
        """`to` takes the place of the server that the table names; a test has it in its own process."""
        self._tools = tools
        self.connection = Connection(tools, to)
        super().__init__(robot)
        self.clock = WallClock()
        weakref.finalize(self, self.connection.close)

    def observe(self) -> Observation:
        """What there is, and what is true of it, read from the server."""
        self._read()
        return super().observe()

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true, really and now."""
        self._read()
        return super().holds(condition)

    def twin(self) -> TextFileWorld:
        """What the file says would happen, from here: to try plans in."""
        other = TextFileWorld(self.robot)
        other.restore(TextFileWorld.snapshot(self))
        return other

    def snapshot(self) -> bytes:
        """A real robot cannot be put back."""
        raise NotImplementedError

    def restore(self, snapshot: bytes) -> None:
        """A real robot cannot be put back."""
        raise NotImplementedError

    # What is so -------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """Take what the server tells in place of what was thought to be so."""
        self.connection.ensure()
        told: dict[str, object] = {}
        facts = {fact for fact in self._facts if fact[0] not in self._tools.relations}
        for name, reading in self._tools.relations.items():
            for given in self.robot.relations[name].signature.calls(self.robot.kinds):
                if reading.holds(self._ask(reading, given, told), given):
                    facts.add((name, tuple(given.values())))
        self._facts = frozenset(facts)
        values: dict[GroundFact, Value] = dict(self._values)
        for name, reading in self._tools.values.items():
            for given in self.robot.values[name].calls(self.robot.kinds):
                found = self._ask(reading, given, told)
                if isinstance(found, bool | int | float | str):
                    values[name, tuple(given.values())] = found
        self._values = values

    def _ask(self, reading: ToolReading, given: Mapping[str, Value], told: dict[str, object]) -> object:
        """What a tool tells; asked once for the same arguments."""
        key = repr((reading.call.tool, reading.call.filled(given)))
        if key not in told:
            if len(told) >= _MOST_READINGS:
                raise SkillError(f"More than {_MOST_READINGS} calls would be needed to see what is so.")
            told[key] = self.connection.read(reading.call, given).data
        return find_part(told[key], reading.answer)

    # Acting -----------------------------------------------------------------------------------------------------------

    async def _do(self, described: RobotSkill, given: Arguments) -> str:
        """Call the tool, and wait for it tick by tick. Whatever ends this before its answer stops the robot."""
        arguments = described.signature.check(given, self._vocabulary)
        name = described.signature.name
        how = self._tools.skills[name]
        answer = await self._carry_out(how, arguments)
        if answer.failed:
            raise DidNotWork(answer.report or f"{how.call.tool} failed.")
        if how.fails and (wrong := _find_if_there(answer.data, how.fails)):
            raise DidNotWork(as_data(str(wrong), _LONGEST_FAULT))
        unread = [
            fact for fact in self._after(described, arguments, self._facts) if fact[0] not in self._tools.relations
        ]
        self._facts = frozenset(unread) | {fact for fact in self._facts if fact[0] in self._tools.relations}
        self._values = self._changed = described.changes.after(arguments, self._values)
        self._calls.append((name, arguments))
        return answer.report or "Done."

    async def _carry_out(self, how: ToolSkill, arguments: Arguments) -> ToolAnswer:
        working = self.connection.begin(how.call, arguments)
        answering = asyncio.wrap_future(working)
        answering.add_done_callback(lambda done: done.cancelled() or done.exception())  # `working` tells it
        until = self.clock.now() + how.timeout
        try:
            while not working.done():
                if self.clock.now() > until:
                    raise DidNotWork(f"{how.call.tool} has not answered in {how.timeout:g} s.")
                await tick()
                await asyncio.wait([answering], timeout=PERIOD)
            return working.result()
        finally:
            if not working.done():
                self._halt(working, how.stop, arguments)

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


def _find_if_there(data: object, path: Sequence[str]) -> object:
    """A part of an answer; None where there is none."""
    try:
        return find_part(data, path)
    except DidNotWork:
        return None
