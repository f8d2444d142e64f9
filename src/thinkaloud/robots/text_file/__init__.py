"""A world from a text file: a robot that is described, not built, to try out a vocabulary before the robot exists.

    world = TextFileWorld("examples/robots/tea_kitchen.toml")
    print(world.observe().objects, world.facts())

Only what the file says is true: a skill makes its declared effects true, and nothing else happens. `thinkaloud run
--world FILE.toml` opens one, too. docs/your-robot.md describes the file.
"""

from __future__ import annotations

from thinkaloud.robots.text_file.facts import GroundFact as GroundFact
from thinkaloud.robots.text_file.facts import spell_fact as spell_fact
from thinkaloud.robots.text_file.reading import parse_robot as parse_robot
from thinkaloud.robots.text_file.reading import read_declared_fact as read_declared_fact
from thinkaloud.robots.text_file.reading import read_robot as read_robot
from thinkaloud.robots.text_file.reading import read_robot_text as read_robot_text
from thinkaloud.robots.text_file.reading import robot_from as robot_from
from thinkaloud.robots.text_file.robot import RobotFile as RobotFile
from thinkaloud.robots.text_file.world import TextFileWorld as TextFileWorld
