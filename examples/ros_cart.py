"""A robot that speaks ROS by rosbridge, and thinkaloud as its mind.

`robots/ros_cart.toml` says what carries out its skills. The rosbridge here is one to practise with, and needs no ROS;
for a real robot the file is enough. Run it with a model of yours: python examples/ros_cart.py openai:gpt-4o
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from thinkaloud import Agent
from thinkaloud.models import Model, open_model
from thinkaloud.records import End
from thinkaloud.robots import open_world
from thinkaloud.robots.ros_robot.practice_server import PracticeRosbridge
from thinkaloud.settings import load

FILE = Path(__file__).parent / "robots" / "ros_cart.toml"


def main(model: Model, request: str = "Drive to the kitchen.") -> End:
    """Carry out a request."""
    with PracticeRosbridge() as server:
        text = FILE.read_text(encoding="utf-8").replace("ws://127.0.0.1:9090", server.url)
        return asyncio.run(Agent(open_world(str(FILE), scene=text), model).run(request))


if __name__ == "__main__":
    print(main(open_model(sys.argv[1] if len(sys.argv) > 1 else "embedded", load().for_model())))
