"""HiCRISP's AGV (Fig. 5): landmarks in order, with a pallet in the way and two signs mixed up; it corrects both errors.

    python examples/agv_course.py
    python examples/agv_course.py --model embedded "Visit the gate, then the press, then the loading dock."
    python examples/agv_course.py --preset hicrisp:low=off --model embedded

The pallet is a low-level error: the robot drives around it without asking the model. The mixed-up signs are a
high-level error: the drive itself works, but it ends at the lathe instead of the press, and the model is told. Without
`--model`, the plan and the correction come from a list. The picture of the hall shows the driven path in green, the
points that the scanner found in red, and at each sign the name on the map.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from thinkaloud import Agent, End, Model, Scripted, open_model
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud_worlds.warehouse import Warehouse, read_hall_scene
from thinkaloud_worlds.warehouse.picture import hall_picture

SCENE = Path(__file__).parent / "scenes" / "hall.toml"
REQUEST = "Visit the press, then the gate."
ANSWERS = [
    "press, gate.",
    "Drive to the press. -> The robot is at the press.",
    "Drive to the gate. -> The robot is at the gate.",
    "Done.",
    "The robot is at the press.",
    "Drive to the press.",
]


class Trail:
    """Where the robot has been: a point at every control tick."""

    def __init__(self, world: Warehouse) -> None:
        self._world, self.points = world, [world.pose.xy]

    def tick(self) -> None:
        """Record where the robot is."""
        self.points.append(self._world.pose.xy)

    def picture(self, width: int = 900, height: int = 560) -> NDArray[np.uint8]:
        """The hall as it is now, with the driven path and the map as it was at the start."""
        world = self._world
        return hall_picture(world.hall, world.chart, tuple(self.points), world.scene.believed(), width, height)


def main(
    request: str = REQUEST, model: Model | None = None, preset: str = "hicrisp", picture: Path | None = None
) -> tuple[End, Warehouse]:
    """Drive the course aloud, and save a picture if asked; return how it ended, and the hall."""
    world, view = Warehouse(read_hall_scene(SCENE.read_text(encoding="utf-8"), SCENE.name)), Terminal(console())
    agent = Agent(world, model or Scripted(ANSWERS, name="as it is told"), preset, listeners=[view])
    trail = Trail(world)
    agent.loop.ticking.append(trail.tick)
    end = asyncio.run(agent.run(request))
    view.conclude()
    drives = "; ".join(f"to the {each.aim}: got to the {each.reached or 'floor'}" for each in world.arrivals)
    print(f"Drives {drives}. Collisions: {len(world.collisions)}.")
    if picture is not None:
        Image.fromarray(trail.picture()).save(picture)
        print(f"Picture: {picture}")
    return end, world


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A course through a hall.")
    parser.add_argument("request", nargs="?", default=REQUEST)
    parser.add_argument("--model", help="see `thinkaloud models`; default: a fixed plan and correction")
    parser.add_argument("--preset", default="hicrisp", help="see `thinkaloud presets`")
    parser.add_argument("--picture", type=Path, default=Path("agv_course.png"), help="where to save a picture")
    given = parser.parse_args()
    main(given.request, open_model(given.model) if given.model else None, given.preset, given.picture)
