"""Robots by rosbridge, measured: from a stop to stillness at real ROS 1, and what hostile servers achieve.

    python -m thinkaloud_bench.connecting --what ros --times 20 --out bench/connect/ros.json

Real ROS 1 has to be installed (`real_ros` says how); without it, only the server to practise with is measured. No ROS 2
node and no rosbridge_suite takes part.
"""

from __future__ import annotations

import asyncio
import math
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput
from thinkaloud.models import Scripted
from thinkaloud.records import Outcome
from thinkaloud.robots.connected import PERIOD
from thinkaloud.robots.ros_robot import RosRobot, read_ros_table
from thinkaloud.robots.ros_robot.practice_server import FAULTS, PracticeRosbridge
from thinkaloud.robots.text_file import parse_robot
from thinkaloud_bench.real_ros.running import BRAKE, CART, find_missing, running_ros

ROBOT = Path("examples/robots/ros_cart.toml")
DEAF_LATER = "ignores cancels once it was proven"
ATTACKS = {**FAULTS, DEAF_LATER: "hears a cancel at connecting, and none later"}
_STOPPED = ("answers late", DEAF_LATER)
"""Attacks on a robot that is being stopped."""
_LOST = ("hangs up", "hangs up for good")
"""Attacks after which nothing may be repeated; a robot that has only not arrived is asked again."""
_AT_A_SERVICE = "gives up waiting"
KITCHEN = (4.0, 1.0)
_AFTER_FEEDBACKS = 3


def measure(times: int) -> dict[str, Any]:
    """The rows of stops, and those of attacks."""
    text = ROBOT.read_text(encoding="utf-8")
    with PracticeRosbridge(slow=True) as server:
        stops = [stop_often("practice server", "cancel", _placed(text, server.url), ROBOT, times, ("kitchen",))]
    if missing := find_missing():
        return {"real_ros": f"not measured: {missing}", "stops": stops, "attacks": _attacks(text)}
    with running_ros() as url:
        real = CART.replace("URL", url)
        stops.append(stop_often("real ROS 1, actionlib", "cancel", real, ROBOT, times))
        stops.append(stop_often("real ROS 1, a service", "brake", real.replace('stop = "cancel"', BRAKE), ROBOT, times))
    return {"real_ros": "rospy and actionlib, as Debian has them", "stops": stops, "attacks": _attacks(text)}


def _placed(text: str, url: str) -> str:
    return text.replace("ws://127.0.0.1:9090", url)


@contextmanager
def opened_robot(text: str, path: Path) -> Iterator[RosRobot]:
    """The robot of a file's text; closed at the end."""
    described = parse_robot(text, str(path))
    table = read_ros_table(described, text)
    assert table is not None
    world = RosRobot(described, table)
    try:
        yield world
    finally:
        world.connection.close()


def _agent(world: RosRobot, room: str) -> Agent:
    return _agent_for(world, f'drive("{room}")')


def _agent_for(world: RosRobot, program: str) -> Agent:
    return Agent(world, Scripted(lambda prompt: program), "thinkaloud:confirm=never")


# From a stop to stillness ---------------------------------------------------------------------------------------------


def stop_often(
    where: str, how: str, text: str, path: Path, times: int, rooms: tuple[str, ...] = ("kitchen", "office")
) -> dict[str, Any]:
    """One row: a robot is stopped while it moves, again and again."""
    ticks, still, unconfirmed = list[int](), list[float](), 0
    with opened_robot(text, path) as world:
        began = time.perf_counter()
        world.observe()
        opened = time.perf_counter() - began
        for number in range(times):
            agent, told, said = _agent(world, rooms[number % len(rooms)]), set[float](), list[float]()

            def tick(agent: Agent = agent, told: set[float] = told, said: list[float] = said) -> None:
                if said:
                    said.append(time.perf_counter())
                    return
                told |= {goal.feedback[0] for goal in world.connection.goals.under_way() if goal.feedback}
                if len(told) >= _AFTER_FEEDBACKS:
                    said.append(time.perf_counter())
                    agent.stop()

            agent.loop.ticking.append(tick)
            agent_end = asyncio.run(agent.run("Drive there."))
            if agent_end.result != "stopped":
                continue  # it was there before it could be stopped
            still.append(time.perf_counter() - said[0])
            ticks.append(len(said) - 1)
            outcome = _last_outcome(agent)
            unconfirmed += "may still move" in outcome.report
        proven = world.connection.proven
    return {
        "where": where,
        "stop": how,
        "n": len(still),
        "seconds_to_open_and_prove": round(opened, 3),
        "seconds_from_stop_to_shown_at_connecting": {name: round(each, 4) for name, each in proven.items()},
        "ticks_to_hear_stop_most": max(ticks, default=None),
        "ticks_from_stop_to_confirmed_still_most": max((math.ceil(each / PERIOD) for each in still), default=None),
        "seconds_to_confirmed_still_median": round(statistics.median(still), 4) if still else None,
        "seconds_to_confirmed_still_most": round(max(still), 4) if still else None,
        "stops_not_confirmed": unconfirmed,
    }


def _last_outcome(agent: Agent) -> Outcome:
    return next(event.record for event in reversed([*agent.monologue]) if isinstance(event.record, Outcome))


# Attacks --------------------------------------------------------------------------------------------------------------


def _attacks(text: str) -> list[dict[str, Any]]:
    return [_attack(name, text) for name in ATTACKS]


def _attack(name: str, text: str) -> dict[str, Any]:
    """One attack: whether something moved that was not asked for, or was told that is not so."""
    with PracticeRosbridge({name} & {*FAULTS}, slow=name in (*_STOPPED, "loses track")) as server:
        result, line = "refused at connecting", ""
        try:
            with opened_robot(_placed(text, server.url), ROBOT) as world:
                result, line = _drive(world, server, name)
        except BadInput as error:
            line = str(error)
        motions, at, moves_on = server.cart.motions, server.cart.at, goes_on_moving(server.cart)
        targets = [each["args"]["target"] for each in server.asked("send_action_goal") if "target" in each["args"]]
    arrived = math.dist(at, KITCHEN) < 0.01
    elsewhere = any((target["x"], target["y"]) != KITCHEN for target in targets)
    once = (*_STOPPED, *_LOST, "loses track")
    asked = (
        sum(each["service"] == "/grip" for each in server.asked("call_service"))
        if name == _AT_A_SERVICE
        else len(targets)
    )
    allowed = 0 if result == "refused at connecting" else 1 if name in once else asked
    harm = [
        *(["moved unasked"] if elsewhere or motions > allowed else []),
        *(["told what is not so"] if result == "goal met" and not arrived else []),
        *(["left moving in silence"] if moves_on and "may still move" not in line else []),
        *(["a line that is no line"] if not line.isprintable() or "<|" in line else []),
    ]
    return {"attack": name, "what": ATTACKS[name], "result": result, "told": line, "motions": motions, "harm": harm}


def goes_on_moving(cart: Any) -> bool:
    """Whether a cart still moves a second after everything is over."""
    until = time.monotonic() + 1
    while cart.moving and time.monotonic() < until:
        time.sleep(0.01)
    return bool(cart.moving)


def _drive(world: RosRobot, server: PracticeRosbridge, name: str) -> tuple[str, str]:
    agent = _agent(world, "kitchen") if name != _AT_A_SERVICE else _agent_for(world, "grip()")

    def tick() -> None:
        if server.cart.moving and name in _STOPPED:
            server.faults |= {"ignores cancels"} if name == DEAF_LATER else set()
            agent.stop()

    agent.loop.ticking.append(tick)
    end = asyncio.run(agent.run("Drive to the kitchen."))
    reports = [event.record.report for event in agent.monologue if isinstance(event.record, Outcome)]
    return end.result, " | ".join(dict.fromkeys(filter(None, reports))) or end.because


def summarise(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows to show: each stop, and one for all attacks."""
    attacks = found["attacks"]
    withstood = sum(not each["harm"] for each in attacks)
    return [*found["stops"], {"attacks": len(attacks), "withstood": withstood}]
