"""Prove at connecting that the robot can be stopped: nothing that has to be stopped begins before.

A cancel is tried on a goal that does nothing. rosbridge may hear a cancel only after the goal has ended (its issue
909): the goal then ends as something else than cancelled, or not in time. Another stop has to show on a topic, and to
go away again where it can be released.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from thinkaloud.errors import BadInput, DidNotWork
from thinkaloud.robots.ros_robot.connection import RosConnection
from thinkaloud.robots.ros_robot.ros_table import CANCEL, ROSBRIDGE, RosStop
from thinkaloud.robots.ros_robot.stopping import STOPPING, hold_still, release

TAKING = 2.0
"""Seconds in which the server of an action has to say that it has taken a goal, where it says so."""
STARTING = 0.3
"""Seconds that a goal is given to start, where nobody says that it was taken."""
_NEW_THREAD = "rosbridge may hear a cancel only after the goal has ended; start it with {name}:=true"


def prove_stops(connection: RosConnection) -> list[str]:
    """What could not be proven, where a person stands beside the robot; otherwise, BadInput with one line."""
    unproven = []
    for name, prove in _proofs(connection):
        try:
            connection.proven[name] = prove()
        except DidNotWork as error:
            line = f"its stop ({name}) is not proven: {error}"
            if not connection.table.person:
                raise BadInput(
                    f"{connection.table.where}: {line} Mend that, or have somebody stand beside the robot with an "
                    "emergency stop, and write person_with_emergency_stop = true."
                ) from None
            unproven.append(f"Stay beside the robot: {line}")
    return unproven


def _proofs(connection: RosConnection) -> list[tuple[str, Callable[[], float]]]:
    """Every stop, and how it is proven."""
    proofs: list[tuple[str, Callable[[], float]]] = []
    for stop in connection.table.stops():
        proofs.append((_name(stop), partial(_prove_shown, connection, stop)))
    idle: dict[str, Mapping[str, Any] | None] = {}
    for name, skill in connection.table.skills.items():
        if skill.stop.send is None:
            action = skill.send.name if skill.send.way == "action" else f"{name}, which cannot be cancelled"
            idle[action] = idle.get(action) or skill.idle
    for action, goal in idle.items():
        proofs.append((f"cancelling {action}", partial(_prove_cancel, connection, action, goal)))
    return proofs


def _name(stop: RosStop) -> str:
    assert stop.send is not None
    return stop.send.name


def _prove_cancel(connection: RosConnection, action: str, idle: Mapping[str, Any] | None) -> float:
    """Cancel a goal that does nothing; the seconds until it was cancelled."""
    if idle is None:
        raise DidNotWork("there is no goal that does nothing to try it on.")
    goal = connection.begin_goal(action, idle)
    says_taken = connection.table.ros == 1
    _wait(lambda: goal.taken or goal.ended.done(), TAKING if says_taken else STARTING)
    if goal.ended.done():
        how = goal.ended.result()
        raise DidNotWork(f"the goal that does nothing ended before it could be cancelled ({how.how} {how.report}).")
    if says_taken and not goal.taken:
        raise DidNotWork(f"nothing has taken a goal in {TAKING:g} s.")
    late = connection.table.ros == 2 and connection.table.wire == ROSBRIDGE
    hint = _NEW_THREAD.format(name="send_action_goals_in_new_thread") + "." if late else ""
    try:
        seconds = hold_still(connection, CANCEL, goal)
    except DidNotWork:
        raise DidNotWork(f"the goal did not end in {STOPPING:g} s. {hint}".strip()) from None
    if (how := goal.ended.result()).how != "cancelled":
        raise DidNotWork(f"the goal ended as {how.how}, not as cancelled. {hint}".strip())
    return seconds


def _prove_shown(connection: RosConnection, stop: RosStop) -> float:
    """Stop the robot, see what that shows, and release it again; the seconds until it showed."""
    if stop.shows is None:
        raise DidNotWork("the file does not say what shows it.")
    connection.newest(stop.shows)
    if connection.shows(stop.shows, 0.0, 0.0):
        if connection.held is None or connection.held.shows != stop.shows:
            raise DidNotWork(
                f"{stop.shows.name} shows already that the robot is stopped, and not by us. Release it yourself if it "
                "may move."
            )
        return connection.proven.get(_name(stop), 0.0)  # our own stop shows, and stays until the robot is to move
    seconds = hold_still(connection, stop, None)
    release(connection, stop)
    return seconds


def _wait(done: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not done() and time.monotonic() < until:
        time.sleep(0.005)
