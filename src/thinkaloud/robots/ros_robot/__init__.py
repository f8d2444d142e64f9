"""A robot that speaks ROS 2 or ROS 1: actions, services and topics become skills, and topics become relations.

ros_table.py      the table [rosbridge] or [zenoh] of a robot's file: what may be sent and read, how it is stopped
link.py           one connection to rosbridge, in a thread of its own
zenoh_link.py     the same over Zenoh, without rosbridge; zenoh_graph.py knows what there is
ros_types.py      packing messages for Zenoh, from definitions of their types
connection.py     the three links to a robot, and what comes over them
goals.py          goals of actions, in ROS 2 and in ROS 1
lookup.py         at connecting: whether everything in the file is there, and has the types that it is used with
message_types.py  what messages of a type have in them
proof.py          at connecting: whether the robot can be stopped
stopping.py       stopping it, and seeing that it is still
motions.py        what a skill sets going
robot.py          the world: a robot in a text file whose skills really happen
practice_server.py  a rosbridge to practise with, which can be made to misbehave
"""

from __future__ import annotations

from thinkaloud.robots.ros_robot.robot import RosRobot as RosRobot
from thinkaloud.robots.ros_robot.ros_table import TABLES as TABLES
from thinkaloud.robots.ros_robot.ros_table import read_ros_table as read_ros_table
