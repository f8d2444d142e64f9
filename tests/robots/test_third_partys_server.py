"""A robot made of the tools of a server that others wrote: ros-mcp, over an older SDK, with no robot behind it.

It needs a program of its own: `python -m venv DIR; DIR/bin/pip install ros-mcp==3.1.2`, and
THINKALOUD_ROS_MCP=DIR/bin/ros-mcp.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="a robot that is an MCP server needs the extra `mcp`")

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput
from thinkaloud.models import Scripted
from thinkaloud.records import Outcome
from thinkaloud.robots.mcp_robot import McpRobot, read_tool_table
from thinkaloud.robots.mcp_robot.connection import MAY_START
from thinkaloud.robots.text_file import parse_robot

COMMAND = os.environ.get("THINKALOUD_ROS_MCP", "")
pytestmark = pytest.mark.skipif(not Path(COMMAND).is_file(), reason="THINKALOUD_ROS_MCP names no ros-mcp")
FILE = f"""
name = "turtle"
about = "A robot on wheels."

[kinds]
model = ["unitree_go2", "teapot"]

[skills.roll]
says = "Roll forward."
doc = "Drive forward for a second."
makes = ["rolled()"]

[relations.rolled]
says = "The robot has rolled forward."
doc = "Whether it has moved."

[relations.known]
says = "{{model}} is a known robot."
doc = "Whether somebody has tried it."
parameters = {{ model = "model" }}

[mcp]
command = ["{COMMAND}", "--transport", "stdio"]
stop = {{ tool = "publish_once", arguments = {{ topic = "/cmd_vel", msg_type = "geometry_msgs/Twist", msg = {{}} }} }}

[mcp.skills.roll]
tool = "publish_once"
arguments = {{ topic = "/cmd_vel", msg_type = "geometry_msgs/Twist", msg = {{ linear = {{ x = 0.1 }} }} }}
fails = "error"

[mcp.relations]
known = {{ tool = "get_verified_robots_list", answer = "robot_specifications.2", is = "{{model}}" }}
"""


@pytest.fixture
def turtle(monkeypatch: pytest.MonkeyPatch) -> Iterator[McpRobot]:
    monkeypatch.setenv(MAY_START, "yes")
    yield (world := opened(FILE))
    world.connection.close()


def opened(text: str) -> McpRobot:
    described = parse_robot(text, "turtle.toml")
    tools = read_tool_table(described, text)
    assert tools is not None
    return McpRobot(described, tools)


def test_its_tools_are_read_and_a_failure_that_it_reports_as_an_answer_is_no_success(turtle: McpRobot) -> None:
    turtle.observe()
    assert turtle.facts() == {"known(unitree_go2)"}
    agent = Agent(turtle, Scripted(lambda prompt: "roll()"), "thinkaloud:confirm=never")
    end = asyncio.run(agent.run("Roll forward."))
    told = [event.record.report for event in agent.monologue if isinstance(event.record, Outcome)]
    assert end.result not in ("goal met", "answered")
    assert told and all("Connection refused" in report for report in told)


def test_a_tool_that_it_has_not_is_refused_at_connecting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MAY_START, "yes")
    world = opened(FILE.replace('tool = "publish_once"\n', 'tool = "publish_twice"\n'))
    with pytest.raises(BadInput, match="has no tool 'publish_twice'"):
        world.observe()
    world.connection.close()
