"""What a skill sets going: a goal of an action, a call of a service, or messages on a topic."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Protocol

from thinkaloud.errors import DidNotWork
from thinkaloud.robots.connected.table_parts import fill, find_part_if_there
from thinkaloud.robots.ros_robot.connection import RosConnection, ServiceAnswer
from thinkaloud.robots.ros_robot.goals import Goal, tell
from thinkaloud.robots.ros_robot.ros_table import RosSkill
from thinkaloud.untrusted.text import as_data

TAKING = 5.0
"""Seconds in which a goal has to be taken in ROS 1, where the server of an action says so."""


class Motion(Protocol):
    """Something under way. Making one begins it, once."""

    goal: Goal | None

    def over(self) -> bool:
        """Whether it has ended."""
        ...

    def needs_stop(self) -> bool:
        """Whether the robot has to be stopped, if nobody waits for it any longer."""
        ...

    def go_on(self) -> None:
        """Called at every tick; DidNotWork where it cannot go on."""
        ...

    def ending(self) -> asyncio.Future[Any]:
        """Done when it has ended, or at any later time."""
        ...

    def report(self) -> str:
        """What was told of it; DidNotWork where it failed."""
        ...

    def last_told(self) -> str:
        """The last that was told on the way."""
        ...


class ActionMotion:
    """A goal of an action."""

    def __init__(self, connection: RosConnection, skill: RosSkill, given: Mapping[str, Any]) -> None:
        self._connection, self._skill = connection, skill
        self.goal: Goal | None = connection.begin_goal(skill.send.name, fill(skill.send.content, given))
        self._goal = self.goal
        self._ending = _waiting_for(self._goal.ended)

    def over(self) -> bool:
        """Whether the goal has ended."""
        return self._goal.ended.done()

    def needs_stop(self) -> bool:
        """Whether the goal has not ended, or nobody knows how."""
        return not self.over() or self._goal.ended.result().may_go_on

    def go_on(self) -> None:
        """See that the goal was taken, and that something is told of it."""
        now = time.monotonic()
        if self._connection.table.ros == 1 and not self._goal.taken and now > self._goal.sent_at + TAKING:
            raise DidNotWork(f"{self._goal.action} has not taken the goal in {TAKING:g} s.")
        heard = self._goal.feedback[0] if self._goal.feedback else self._goal.sent_at
        if self._skill.silence is not None and now > heard + self._skill.silence:
            raise DidNotWork(f"{self._goal.action} has told nothing for {self._skill.silence:g} s.{self.last_told()}")

    def ending(self) -> asyncio.Future[Any]:
        """Done when the goal has ended."""
        return self._ending

    def report(self) -> str:
        """What the result says in words; DidNotWork unless the goal succeeded."""
        end = self._goal.ended.result()
        if end.how == "refused":  # or rosbridge failed at it: it may have reached the robot
            with suppress(DidNotWork):
                self._connection.cancel(self._goal)
        if end.how != "succeeded":
            raise DidNotWork(f"{self._goal.action}: {end.how}. {end.report}{self.last_told()}".strip())
        return end.report

    def last_told(self) -> str:
        """The part of the feedback that the file names."""
        if not self._skill.feedback or self._goal.feedback is None:
            return ""
        told = find_part_if_there(self._goal.feedback[1], self._skill.feedback)
        return f" Last told: {self._skill.feedback[-1]} {as_data(str(told), 60)}."


class ServiceMotion:
    """A call of a service."""

    def __init__(self, connection: RosConnection, skill: RosSkill, given: Mapping[str, Any]) -> None:
        self.goal: Goal | None = None
        self._name = skill.send.name
        answer = connection.send(skill.send, given)
        assert answer is not None
        self._answer: Future[ServiceAnswer] = answer
        self._ending = _waiting_for(answer)

    def over(self) -> bool:
        """Whether it has answered."""
        return self._answer.done()

    def needs_stop(self) -> bool:
        """Whether the service has not answered by itself: rosbridge may have given up waiting for it."""
        return not self.over() or not self._answer.result().ok

    def go_on(self) -> None:
        """Nothing is told on the way."""

    def ending(self) -> asyncio.Future[Any]:
        """Done when it has answered."""
        return self._ending

    def report(self) -> str:
        """Its message, if it has one; DidNotWork where it failed, or says `success: false`."""
        answer = self._answer.result()
        values = answer.values if isinstance(answer.values, Mapping) else {}
        told = tell(values.get("message", "") if answer.ok else answer.values)
        if not answer.ok or values.get("success") is False:
            raise DidNotWork(f"{self._name} failed: {told or 'it gave no reason'}")
        return told

    def last_told(self) -> str:
        """Nothing."""
        return ""


class TopicMotion:
    """A message on a topic; or many, until something is so, or for so long."""

    def __init__(self, connection: RosConnection, skill: RosSkill, given: Mapping[str, Any]) -> None:
        self.goal: Goal | None = None
        self._connection, self._skill, self._given = connection, skill, given
        self._began = self._sent = time.monotonic()
        self._ending = _waiting_for(Future[None]())
        connection.send(skill.send, given)

    def over(self) -> bool:
        """Whether what it waits for is so, or its time is over."""
        until, lasts = self._skill.until, self._skill.lasts
        if lasts is not None and time.monotonic() > self._began + lasts:
            return True
        if until is not None:
            return self._connection.shows(until, self._began, 0.0, given=self._given)
        return lasts is None

    def needs_stop(self) -> bool:
        """A robot that is kept moving has to be stopped; one message alone has done what it does."""
        return self._skill.every is not None or not self.over()

    def go_on(self) -> None:
        """Send the message again where it is time."""
        now = time.monotonic()
        if self._skill.every is not None and now > self._sent + self._skill.every:
            self._connection.send(self._skill.send, self._given)
            self._sent = now

    def ending(self) -> asyncio.Future[Any]:
        """Never done: `over` tells."""
        return self._ending

    def report(self) -> str:
        """Nobody says anything."""
        return ""

    def last_told(self) -> str:
        """Nothing."""
        return ""


def _waiting_for(ended: Future[Any]) -> asyncio.Future[Any]:
    waiting: asyncio.Future[Any] = asyncio.wrap_future(ended)
    waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
    return waiting
