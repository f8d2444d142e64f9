"""A robot that is an MCP server: tools become skills, and answers become relations, by a few lines in a robot's file.

tool_table.py  the table [mcp] of the file: which tools may be called, with what, and how the robot is stopped
connection.py  the connection to the server, in a thread of its own
robot.py       the world: a robot in a text file whose skills really happen
"""

from __future__ import annotations

from thinkaloud.robots.mcp_robot.robot import McpRobot as McpRobot
from thinkaloud.robots.mcp_robot.tool_table import read_tool_table as read_tool_table
