"""A toy world with a motion that ends only when somebody stops it, and one that takes some steps."""

from __future__ import annotations

import re

from thinkaloud.episode.ticks import tick
from thinkaloud.models import Scripted
from thinkaloud.skills import skill
from toyworld import THINGS, ToyWorld


class Walker(ToyWorld):
    """The toy world, with legs."""

    name = "walker"

    @skill("Walk about.")
    async def walk(self) -> str:
        """Ticks until it is stopped."""
        while True:
            self.ticks += 1
            self.time.seconds += 0.02
            await tick()


def obliging(name: str = "obliging") -> Scripted:
    """A planner that does what `Put the X on the Y.`, `Throw the X away.` and `Walk.` say, one thing after another."""

    def answer(prompt: str) -> str:
        said = prompt.rsplit("Human: ", 1)[1]
        asked = said.splitlines()[0].lower()
        wanted = re.findall(r"the (\w+) on the (\w+)", asked)
        if "Goal state" not in said:
            goal = [f'"{thing.capitalize()} is on the {place}."' for thing, place in wanted]
            return " Goal state is [" + ", ".join(goal or ['"Ball is on the bin."']) + "]."
        if "walk" in asked:
            action = "Walk about."
        elif "throw" in asked:
            action = f"Throw the {next(thing for thing in THINGS if thing in asked)} away."
        else:
            done = said.rsplit("You have completed", 1)[-1].lower() if "You have completed" in said else ""
            left = [pair for pair in wanted if f"{pair[0]} is on the {pair[1]}" not in done]
            if not left:
                return " None."
            action = f"Move the {left[0][0]} to the {left[0][1]}."
        if prompt.endswith("Robot thought:"):
            return f" I go on.\nRobot action: {action}"
        return " " + action

    return Scripted(answer, name=name)
