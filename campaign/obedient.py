"""A planner that does what it is told, one thing after another, for attempts that are not about the model."""

from __future__ import annotations

import re

_WANTED = re.compile(r"the (\w+ block) (?:in|on) the ([\w ]+?)(?:\.| and |$)")


def obey(prompt: str) -> str:
    """The answer of an `inner_monologue` planner to `Put the X block in/on the Y and the …`."""
    said = prompt.rsplit("Human: ", 1)[1]
    wanted = _WANTED.findall(said.splitlines()[0])
    if "Goal state" not in said:
        return " Goal state is [" + ", ".join(f'"{thing} is on the {target}."' for thing, target in wanted) + "]."
    completed = said.rsplit("You have completed", 1)[-1].lower() if "You have completed" in said else ""
    left = [each for each in wanted if f"{each[0]} is on the {each[1]}" not in completed]
    if not left:
        return " None."
    thing, target = left[0]
    action = f"Pick the {thing} and place it on the {target}."
    if prompt.endswith("Robot thought:"):
        return f" The {thing} is not done yet.\nRobot action: {action}"
    return " " + action
