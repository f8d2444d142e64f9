"""A Gymnasium environment as a robot: Gymnasium's own Reacher, with one policy and one predicate.

    python examples/pointing_arm.py
    thinkaloud chat --world examples/pointing_arm.py

The policy is a spring between the fingertip and the mark. Somebody holds the arm at first: the first attempt fails, the
robot notices, and tries again.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import gymnasium
import mujoco
import numpy as np

from thinkaloud import Agent, End, Kind, Scripted, relation
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.robots.gymnasium import GymnasiumWorld, Policy, policy

MARKS = {"red mark": (0.12, 0.08), "blue mark": (-0.1, 0.1), "green mark": (0.05, -0.13)}
Mark = Annotated[str, Kind("mark")]


class Pointer(GymnasiumWorld):
    """An arm with two joints."""

    name = "pointer"
    about = "An arm on a table points at marks."
    environment = "Reacher-v5"
    options = {"max_episode_steps": 5000}  # noqa: RUF012
    kinds = {"mark": tuple(MARKS)}  # noqa: RUF012

    @policy("Point at the {mark}.", effects=lambda mark: (("pointed_at", {"mark": mark}),), most=150)
    def point(self, mark: Mark) -> Policy:
        """Point at a mark on the table.

        Args:
            mark: which mark.
        """
        model, data, pull = self.env.unwrapped.model, self.env.unwrapped.data, np.zeros((3, 4))

        def spring(seen: Any) -> Any:
            mujoco.mj_jacBody(model, data, pull, None, model.body("fingertip").id)
            return np.clip(pull[:2, :2].T @ (np.array(MARKS[mark]) - self.tip()) * 20 - 0.02 * seen[6:8], -1, 1)

        return spring

    @relation("The arm points at the {mark}.", single=True)
    def pointed_at(self, mark: Mark) -> bool:
        """Whether the fingertip is at a mark."""
        return bool(np.linalg.norm(self.tip() - MARKS[mark]) < 0.015)

    def tip(self) -> Any:
        """Where the fingertip is on the table."""
        return self.env.unwrapped.data.body("fingertip").xpos[:2]


class Held(gymnasium.ActionWrapper[Any, Any, Any]):
    """Somebody holds the arm during the first steps."""

    def __init__(self, env: Any, steps: int) -> None:
        super().__init__(env)
        self.left = steps

    def action(self, action: Any) -> Any:
        """What becomes of an action."""
        self.left -= 1
        return action * (self.left < 0)


def main() -> End:
    """Point at two marks, one after the other."""
    world = Pointer()
    world.env = Held(world.env, 160)
    terminal = Terminal(console())
    said = ['point("red mark")\npoint("blue mark")', 'point("red mark")']  # the request; what to do about the failure
    agent = Agent(world, Scripted(said), "thinkaloud:confirm=never")
    agent.monologue.listeners.append(terminal)
    return asyncio.run(agent.run("Point at the red mark, and then at the blue one."))


if __name__ == "__main__":
    main()
