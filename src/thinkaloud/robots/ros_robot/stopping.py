"""Stopping a robot by rosbridge, and seeing that it is still."""

from __future__ import annotations

import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from typing import Any

from thinkaloud.errors import BadInput, DidNotWork, SkillError
from thinkaloud.robots.ros_robot.connection import RosConnection
from thinkaloud.robots.ros_robot.goals import Goal
from thinkaloud.robots.ros_robot.ros_table import RosStop

STOPPING = 3.0
"""Seconds that a robot has to be seen still."""
AGAIN = 0.25
"""Seconds after which a stop is sent again: unlike a motion, it may be repeated."""


class Brake:
    """Stops the robot; until that was confirmed, or released, nothing new begins."""

    def __init__(self, connection: RosConnection) -> None:
        self._connection = connection
        self._unconfirmed: tuple[RosStop, Goal | None] | None = None

    def stop(self, stop: RosStop, goal: Goal | None) -> None:
        """Stop, and see that it worked; SkillError where the robot may still move."""
        self._unconfirmed = (stop, goal)
        if stop.release is not None:
            self._connection.held = stop
        try:
            hold_still(self._connection, stop, goal)
        except DidNotWork as error:
            raise SkillError(f"The robot may still move: {error}") from None
        self._unconfirmed = None

    def ready(self) -> None:
        """Make sure that the last stop was confirmed, and release the robot; DidNotWork where that fails."""
        if self._unconfirmed is not None:
            try:
                self.stop(*self._unconfirmed)
            except SkillError as error:
                raise DidNotWork(f"The last stop was not confirmed, so nothing new begins. {error}") from None
        if (held := self._connection.held) is not None:
            release(self._connection, held)
            self._connection.held = None

    def forget(self) -> None:
        """The connection is a new one, whose stops were proven."""
        self._unconfirmed = None


def hold_still(connection: RosConnection, stop: RosStop, goal: Goal | None) -> float:
    """Stop, again and again, until it shows; the seconds that took. DidNotWork where it does not show."""
    if stop.send is None and goal is None:
        raise DidNotWork("nothing stops it.")
    if stop.send is None and goal is not None and goal.ended.done() and (end := goal.ended.result()).may_go_on:
        connection.cancel(goal)
        raise DidNotWork(f"{goal.action} ended as {end.how}, and nothing shows that it was cancelled.")
    began = time.monotonic()
    why = ""
    while (left := began + STOPPING - time.monotonic()) > 0:
        try:
            answer = _send(connection, stop, goal)
        except DidNotWork as error:
            why = str(error)
            _reconnect(connection, why)
            continue
        if _is_still(connection, stop, goal, answer, began, min(AGAIN, left)):
            return time.monotonic() - began
        if (lost := connection.lost()) is not None:
            why = f"The connection to {connection.table.where} was lost ({lost or 'it was closed'})."
            _reconnect(connection, why)
    raise DidNotWork(why or f"{_say(stop, goal)} has shown nothing in {STOPPING:g} s.")


def release(connection: RosConnection, stop: RosStop) -> None:
    """Let the robot move again; DidNotWork where it still shows that it is held."""
    if stop.release is None:
        return
    began = time.monotonic()
    answer = connection.send(stop.release, {})
    if answer is not None:
        connection.wait(answer, stop.release.name, STOPPING)
    if stop.shows is not None and not connection.shows(stop.shows, began, STOPPING, wanted=False):
        raise DidNotWork(f"{stop.release.name} has not released the robot in {STOPPING:g} s.")


def _send(connection: RosConnection, stop: RosStop, goal: Goal | None) -> Future[Any] | None:
    answer = None if stop.send is None else connection.send(stop.send, {}, over="stopping")
    if goal is not None and not goal.ended.done():
        connection.cancel(goal)
    return answer


def _is_still(
    connection: RosConnection,
    stop: RosStop,
    goal: Goal | None,
    answer: Future[Any] | None,
    began: float,
    seconds: float,
) -> bool:
    """Whether it shows in so many seconds that the robot has stopped, and that its goal will not go on."""
    until = time.monotonic() + seconds
    if stop.shows is not None:
        if not connection.shows(stop.shows, began, seconds):
            return False
    elif answer is not None:
        try:
            if not answer.result(seconds).ok:
                return False
        except TooLate:
            return False
    if goal is None:
        return True
    try:
        goal.ended.result(max(0.0, until - time.monotonic()))
    except TooLate:
        return False
    return True


def _reconnect(connection: RosConnection, why: str) -> None:
    try:
        connection.reopen()
    except BadInput as error:
        raise DidNotWork(f"{why.rstrip('.')}, and cannot be made again: {error}") from None


def _say(stop: RosStop, goal: Goal | None) -> str:
    if stop.send is not None:
        return stop.send.name
    return f"cancelling {goal.action}" if goal is not None else "a cancel"
