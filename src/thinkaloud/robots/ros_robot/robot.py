"""A robot that speaks ROS 2 or ROS 1 by rosbridge: described by a text file, carried out by actions and services."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from thinkaloud.episode.ticks import tick
from thinkaloud.errors import DidNotWork
from thinkaloud.records import Arguments, Value
from thinkaloud.robots.connected import PERIOD, ConnectedRobot
from thinkaloud.robots.connected.table_parts import fill, find_part
from thinkaloud.robots.ros_robot.connection import RosConnection
from thinkaloud.robots.ros_robot.motions import ActionMotion, Motion, ServiceMotion, TopicMotion
from thinkaloud.robots.ros_robot.proof import prove_stops
from thinkaloud.robots.ros_robot.ros_table import RosReading, RosSkill, RosTable
from thinkaloud.robots.ros_robot.stopping import Brake
from thinkaloud.robots.text_file.robot import RobotFile

_MOTIONS: Mapping[str, Callable[[RosConnection, RosSkill, Mapping[str, Any]], Motion]] = {
    "action": ActionMotion,
    "service": ServiceMotion,
    "topic": TopicMotion,
}


class RosRobot(ConnectedRobot[RosReading]):
    """The world of such a robot. It connects, and its stops are proven, when it is first looked at."""

    def __init__(self, robot: RobotFile, table: RosTable) -> None:
        self._table = table
        self.connection = RosConnection(table, prove_stops)
        self._brake = Brake(self.connection)
        self._moved_at = 0.0
        super().__init__(robot, table.relations, table.values)
        weakref.finalize(self, self.connection.close)

    def _connect(self) -> None:
        if not self.connection.proven_now():
            self.connection.ensure()
            self._brake.forget()

    def _read(self) -> None:
        super()._read()
        self._moved_at = 0.0

    def _ask(self, reading: RosReading, given: Mapping[str, Value], told: dict[str, object]) -> object:
        filled = self._table.filled(given)
        key = repr((reading.way, reading.name, reading.frame, reading.fresh, fill(reading.arguments, filled)))
        if key not in told:
            told[key] = self.connection.tell(reading, filled, self._moved_at)
        return find_part(told[key], reading.part)

    async def _carry_out(self, skill: str, given: Arguments) -> str:
        """Send it once, and wait for it tick by tick. Whatever ends this before its end stops the robot."""
        how = self._table.skills[skill]
        self._connect()
        self._brake.ready()
        motion = _MOTIONS[how.send.way](self.connection, how, self._table.filled(given))
        try:
            report = await self._wait_for(motion, how)
        finally:
            self._moved_at = time.monotonic()
            if motion.needs_stop():
                self._brake.stop(how.stop, motion.goal)
        notes, self.connection.notes = self.connection.notes, []
        return " ".join([report, *notes]).strip()

    async def _wait_for(self, motion: Motion, how: RosSkill) -> str:
        until = self.clock.now() + how.timeout
        while not motion.over():
            if (lost := self.connection.lost()) is not None:
                raise DidNotWork(f"The connection to {self._table.where} was lost ({lost or 'it was closed'}).")
            if self.clock.now() > until:
                raise DidNotWork(f"{how.send.name} has not ended in {how.timeout:g} s.{motion.last_told()}")
            motion.go_on()
            await tick()
            await asyncio.wait([motion.ending()], timeout=PERIOD)
        return motion.report()
