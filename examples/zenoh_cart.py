"""A robot that speaks ROS 2 over Zenoh, and thinkaloud as its mind.

`robots/zenoh_cart.toml` says what carries out its skills. The cart here is imagined; it is made of `zenoh-ros2-sdk`,
which others wrote (docs/ros.md says how to install it). For a real robot the file is enough. Run it with a model of
yours: python examples/zenoh_cart.py openai:gpt-4o
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from thinkaloud import Agent
from thinkaloud.models import Model, open_model
from thinkaloud.records import End
from thinkaloud.robots import open_world
from thinkaloud.settings import load
from thinkaloud_bench.zenoh_cart import Cart, Router

FILE = Path(__file__).parent / "robots" / "zenoh_cart.toml"


def main(model: Model, request: str = "Drive to the kitchen.") -> End:
    """Carry out a request."""
    with Router() as url, Cart(url):
        text = FILE.read_text(encoding="utf-8").replace("tcp/127.0.0.1:7447", url)
        return asyncio.run(Agent(open_world(str(FILE), scene=text), model).run(request))


if __name__ == "__main__":
    print(main(open_model(sys.argv[1] if len(sys.argv) > 1 else "embedded", load().for_model())))
