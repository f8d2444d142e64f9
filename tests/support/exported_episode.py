"""Prints the exports of episodes under disturbances, for a test that runs them in two processes.

python exported_episode.py MODEL PRESET,PRESET SEED STEPS JOURNAL
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from thinkaloud.agent import Agent
from thinkaloud.loop import Limits
from thinkaloud.models import Model, ModelSettings, Scripted, open_model
from thinkaloud.remember.journal import Journal, export_lines
from thinkaloud.robots import open_world


def corner(prompt: str) -> str:
    """Puts the first block into a corner, over and over; with the noise of the paper it often misses."""
    now = prompt.rsplit("\n\n", 1)[-1]
    block = re.findall(r"\w+ block", now)[0]
    if now.endswith("Robot thought:") and "Goal state is" not in now:
        other = next(name for name in ("red bowl", "blue bowl", "top left corner") if name in now or "corner" in name)
        return f' Goal state is ["{block.capitalize()} is on the {other}.", "{block.capitalize()} is on the middle."].'
    action = f" Pick the {block} and place it on the {'middle' if now.count('action') % 2 else 'top left corner'}."
    return action if now.endswith("Robot action:") else f" {block.capitalize()} is not done yet.\nRobot action:{action}"


def exported(model: Model, presets: Sequence[str], seed: int, steps: int, path: Path) -> Iterator[str]:
    """The lines of an episode with each preset."""
    world = open_world("tabletop", disturbance="paper")
    for preset in presets:
        world.reset(seed)
        with Journal(path) as journal, journal.begin() as session:
            agent = Agent(world, model, preset, seed=seed, session=session, limits=Limits(steps=steps))
            asyncio.run(agent.run("Put all the blocks in the top left corner."))
            yield from export_lines(session)


def main() -> None:
    name, presets, seed, steps, path = sys.argv[1:]
    model = Scripted(corner) if name == "scripted" else open_model(name, ModelSettings(threads=1))
    for line in exported(model, presets.split(","), int(seed), int(steps), Path(path)):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
