"""What all robots elsewhere share: a text file describes them, and something outside carries out their skills.

table_parts.py  what their tables in the file have in common: values in place of `{room}`, comparisons, parts of answers
robot.py        the world: what is true is read from the robot, the rest is what the skills declare
"""

from __future__ import annotations

from thinkaloud.robots.connected.robot import PERIOD as PERIOD
from thinkaloud.robots.connected.robot import ConnectedRobot as ConnectedRobot

ELSEWHERE = frozenset({"mcp", "rosbridge", "zenoh"})
"""The tables that say where a robot is: a file with one of them connects to something."""
