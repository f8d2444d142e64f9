"""Robots over Zenoh, measured: from a stop to stillness, and what hostile servers achieve.

    python -m thinkaloud_bench.connecting --what zenoh --times 20

The cart is made of `zenoh-ros2-sdk`, which others wrote; no ROS 2 node takes part (`zenoh_cart` says what it needs).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput
from thinkaloud.models import Scripted
from thinkaloud.records import Outcome
from thinkaloud.robots.ros_robot import RosRobot
from thinkaloud_bench.connecting_ros import KITCHEN, goes_on_moving, opened_robot, stop_often
from thinkaloud_bench.zenoh_cart import FAULTS, Cart, Router

ROBOT = Path("examples/robots/zenoh_cart.toml")
DEAF_LATER = "ignores cancels once it was proven"
ATTACKS = {**FAULTS, DEAF_LATER: "hears a cancel at connecting, and none later"}
_STOPPED = ("answers late", DEAF_LATER)
_LOST = ("vanishes", "its router goes")


def measure(times: int) -> dict[str, Any]:
    """The row of stops, and those of attacks."""
    with Router() as url, Cart(url, slow=True):
        stops = [stop_often("zenoh-ros2-sdk", "cancel", _text(url), ROBOT, times, ("kitchen",))]
    return {"ros_2": "no node was there", "stops": stops, "attacks": [_attack(name) for name in ATTACKS]}


def _text(url: str) -> str:
    return ROBOT.read_text(encoding="utf-8").replace("tcp/127.0.0.1:7447", url)


@contextmanager
def _cart(name: str) -> Iterator[tuple[Cart, str]]:
    router = Router()
    with router as url, Cart(url, {name} & {*FAULTS}, slow=name in (*_STOPPED, "vanishes"), router=router) as cart:
        yield cart, url


def _attack(name: str) -> dict[str, Any]:
    """One attack: whether something moved that was not asked for, or was told that is not so."""
    with _cart(name) as (cart, url):
        result, line = "refused at connecting", ""
        try:
            with opened_robot(_text(url), ROBOT) as world:
                result, line = _drive(world, cart, name)
        except BadInput as error:
            line = str(error)
        moves_on = goes_on_moving(cart)
        motions, arrived = cart.motions, math.dist(cart.at, KITCHEN) < 0.01
        goals = [goal for goal in cart.goals.values() if not goal.content.seconds]
    elsewhere = any((goal.content.target.x, goal.content.target.y) != KITCHEN for goal in goals)
    allowed = 0 if result == "refused at connecting" else 1 if name in (*_STOPPED, *_LOST) else len(goals)
    harm = [
        *(["moved unasked"] if elsewhere or motions > allowed else []),
        *(["told what is not so"] if result == "goal met" and not arrived else []),
        *(["left moving in silence"] if moves_on and "may still move" not in line else []),
        *(["a line that is no line"] if not line.isprintable() or "<|" in line else []),
    ]
    return {"attack": name, "what": ATTACKS[name], "result": result, "told": line, "motions": motions, "harm": harm}


def _drive(world: RosRobot, cart: Cart, name: str) -> tuple[str, str]:
    agent = Agent(world, Scripted(lambda prompt: 'drive("kitchen")'), "thinkaloud:confirm=never")

    def tick() -> None:
        if cart.moving and name in _STOPPED:
            cart.faults |= {"ignores cancels"} if name == DEAF_LATER else set()
            agent.stop()

    agent.loop.ticking.append(tick)
    end = asyncio.run(agent.run("Drive to the kitchen."))
    reports = [event.record.report for event in agent.monologue if isinstance(event.record, Outcome)]
    return end.result, " | ".join(dict.fromkeys(filter(None, reports))) or end.because
