"""Robots by rosbridge against real ROS 1: rospy and actionlib as Debian has them, and a bridge that speaks for them.

It runs where ROS is installed; thinkaloud_bench/real_ros says how. There is no ROS 2 node and no rosbridge_suite in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

pytest.importorskip("websockets", reason="a robot that speaks ROS needs the extra `ros`")

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput
from thinkaloud.models import Scripted
from thinkaloud.records import Outcome
from thinkaloud.robots.ros_robot import RosRobot, proof, read_ros_table, stopping
from thinkaloud.robots.text_file import parse_robot
from thinkaloud_bench.real_ros.running import BRAKE, CART, find_missing, running_ros

pytestmark = pytest.mark.skipif(bool(find_missing()), reason=f"ROS 1 is not installed: {find_missing()}")
CANCELLED, BRAKED = 'stop = "cancel"', BRAKE


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_ros() as url:
        yield url


_opened: list[RosRobot] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while _opened:
        _opened.pop().connection.close()


def robot(url: str, stop: str = CANCELLED, **others: str) -> RosRobot:
    text = CART.replace("URL", url).replace(CANCELLED, stop)
    for before, after in others.items():
        text = text.replace(before, after)
    described = parse_robot(text, "cart.toml")
    table = read_ros_table(described, text)
    assert table is not None
    _opened.append(RosRobot(described, table))
    return _opened[-1]


def agent_of(world: RosRobot, room: str) -> Agent:
    return Agent(world, Scripted(lambda prompt: f'drive("{room}")'), "thinkaloud:confirm=never")


def report(agent: Agent) -> str:
    return next(event.record.report for event in reversed(agent.monologue) if isinstance(event.record, Outcome))


@pytest.mark.parametrize("stop", [CANCELLED, BRAKED], ids=["cancel", "brake"])
def test_real_ros_drives_stops_and_drives_on(address: str, stop: str) -> None:
    world = robot(address, stop)
    asyncio.run(agent_of(world, "office").run("Drive to the office."))
    agent = agent_of(world, "kitchen")
    assert asyncio.run(agent.run("Drive to the kitchen.")).result == "goal met"
    assert world.facts() == {"at(kitchen)"} and report(agent) == "Arrived."
    assert len(world.connection.proven) == 1 and max(world.connection.proven.values()) < stopping.STOPPING

    agent, ticks = agent_of(world, "office"), list[int]()

    def tick() -> None:
        told = [goal.feedback[1] for goal in world.connection.goals.under_way() if goal.feedback]
        if told and told[0]["base_position"]["pose"]["position"]["x"] < 3:
            agent.stop()
            ticks.append(1)

    agent.loop.ticking.append(tick)
    assert asyncio.run(agent.run("Drive to the office.")).result == "stopped"
    assert len(ticks) <= 2 and "may still move" not in report(agent)
    world.observe()
    assert world.facts() == set()  # between the rooms

    assert asyncio.run(agent_of(world, "office").run("Drive to the office.")).result == "goal met"


def test_types_are_those_that_real_ros_tells(address: str) -> None:
    for before, after, line in (
        ("target_pose = { header", "target = { header", "has no field 'target'"),
        ("/amcl_pose", "/amcl", "has no topic /amcl"),
        ("pose.pose.position", "pose.position", r"has no 'pose\.position'"),
        ("/move_base", "/move_arm", "has no topic /move_arm/goal"),
    ):
        with pytest.raises(BadInput, match=line):
            robot(address, **{before: after}).observe()


def test_a_real_cart_that_ignores_a_cancel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "STOPPING", 0.5)
    monkeypatch.setattr(proof, "STOPPING", 0.5)
    with running_ros(deaf=True) as url, pytest.raises(BadInput, match="the goal did not end"):
        robot(url).observe()
