"""HiCRISP's Fig. 4: an arm that is 3 cm off and trembles places a box around a cylinder.

    python examples/box_around_cylinder.py
    python examples/box_around_cylinder.py --low off
    python examples/box_around_cylinder.py --model embedded --seed 8

With low-level feedback the hand itself notices that the box stands too far away, and places it again, farther to the
other side: it learns the offset within the step, without asking a model. With `--low off` the model is told what is
wrong, and has to say what to do: locate the box, and pick it up again. Without `--model`, the plan and the corrections
come from a list.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from PIL import Image

from thinkaloud import Agent, End, Model, Scripted, open_model
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.monologue import Monologue
from thinkaloud_worlds.tabletop import Scene, Thing
from thinkaloud_worlds.tabletop.around_world import Around
from thinkaloud_worlds.tabletop.put_beside import gap_between
from thinkaloud_worlds.tabletop.sensor_noise import Disturbance, Disturbed

REQUEST = "Place a box around a cylinder."
SCENE = Scene((Thing("red box", "box", -0.15, -0.60, yaw=20.0), Thing("blue cylinder", "cylinder", 0.10, -0.40)))
NOISE = Disturbance(offset=0.03, place=0.02)
PLAN = (
    "Locate the red box. -> The robot knows where the red box is.",
    "Pick up the red box. -> The robot holds the red box.",
    "Locate the blue cylinder. -> The robot knows where the blue cylinder is.",
    "Place the red box around the blue cylinder. -> The red box is close to the blue cylinder.",
    "Done.",
)


class Told:
    """Says the plan, and then what is missing: the box in the hand, or knowing where it is."""

    def __init__(self) -> None:
        self._plan = list(PLAN)

    def __call__(self, prompt: str) -> str:
        """Answer with the things, the next line of the plan, or a correction chosen by why something failed."""
        asked = prompt.rpartition("\n")[2]
        if asked == "Things:":
            return "red box, blue cylinder."
        if asked not in ("Needed:", "Do first:"):
            return self._plan.pop(0)
        lost = "locate it" in prompt.rpartition("Why: ")[2]
        if asked == "Needed:":
            return "The robot knows where the red box is." if lost else "The robot holds the red box."
        return "Locate the red box." if lost else "Pick up the red box."


def main(
    low: str = "on", seed: int = 3, model: Model | None = None, picture: Path | None = None
) -> tuple[End, Monologue]:
    """Carry out the request aloud; return how it ended, and everything that was said."""
    table, view = Around(SCENE), Terminal(console())
    world = Disturbed(table, NOISE)
    world.reset(seed)
    thinks = model or Scripted(Told(), name="as it is told")
    agent = Agent(world, thinks, f"hicrisp:low={low}", seed=seed, listeners=[view])
    end = asyncio.run(agent.run(REQUEST))
    view.conclude()
    print(f"In truth: {100 * gap_between(table.physics, 'red box', 'blue cylinder'):.1f} cm between their edges.")
    if picture is not None:
        Image.fromarray(table.render(640, 480)).save(picture)
        print(f"Picture: {picture}")
    return end, agent.monologue


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A box around a cylinder, with an arm that is off.")
    parser.add_argument("--low", choices=("on", "off"), default="on", help="whether the hand corrects what it notices")
    parser.add_argument("--seed", type=int, default=3, help="determines the direction in which the arm is off")
    parser.add_argument("--model", help="see `thinkaloud models`; default: a fixed plan and corrections")
    parser.add_argument("--picture", type=Path, help="where to save a picture of the table")
    given = parser.parse_args()
    main(given.low, given.seed, open_model(given.model) if given.model else None, given.picture)
