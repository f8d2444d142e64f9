"""HiCRISP's correction stack in a small home: step by step, it corrects a plan that forgets to go somewhere (Fig. 3).

    python examples/hicrisp_stack.py sofa
    python examples/hicrisp_stack.py milk --told
    python examples/hicrisp_stack.py sofa --model openai:NAME --plans

`sofa` is the paper's figure: the plan says "sit" while the robot still stands at the table. In `milk` a correction
itself fails, so the stack grows: the fridge has to be opened, and it cannot be opened from the living room.

The plans are fixed, as in the figure; a model, embedded or any other, corrects their errors. With `--told` the
corrections are fixed as well, and with `--plans` the model makes the plan, too. The home needs the extra `sim` and
VirtualHome's simulator: `pip install --no-deps eai-eval==1.0.5`.
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from thinkaloud import Agent, End, Model, Scripted, open_model, open_preset
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.methods.hicrisp.failure_history import under_way
from thinkaloud.methods.hicrisp.planner import WholePlan
from thinkaloud.monologue import Event, Monologue
from thinkaloud.records import Started, Verdict
from thinkaloud_worlds.household import HomeGraph, Household
from thinkaloud_worlds.household.virtualhome_package import HINT, is_there

SCENE = Path(__file__).parent / "scenes" / "flat.json"


class Story(NamedTuple):
    """A request, a plan with a gap in it, and the correction that closes the gap."""

    request: str
    plan: tuple[str, ...]
    corrections: tuple[str, ...]


STORIES = {
    "sofa": Story(
        "Eat the apple on the sofa.",
        (
            "Find the apple. -> The robot is close to the apple.",
            "Grab the apple. -> The robot holds the apple.",
            "Sit down on the sofa. -> The robot sits on the sofa.",
            "Eat the apple. -> Nothing new.",
        ),
        ("The robot is close to the sofa.", "Find the sofa."),
    ),
    "milk": Story(
        "Drink the milk from the fridge.",
        ("Grab the milk. -> The robot holds the milk.", "Drink the milk. -> Nothing new."),
        ("The fridge is open.", "Open the fridge.", "The robot is close to the fridge.", "Find the fridge."),
    ),
}
"""A step includes the state that it leads to; a correction has two lines: what is needed, and what to do first."""


class Shown:
    """Prints the stack whenever a step failed, and while it is being corrected."""

    def __init__(self, monologue: Monologue) -> None:
        self._monologue = monologue

    def __call__(self, event: Event) -> None:
        """Hear a verdict, and look at what is left to correct."""
        started, verdict = self._monologue.last(Started), event.record
        if isinstance(verdict, Verdict) and started is not None and (started.correcting or not verdict.ok):
            case = under_way(self._monologue)
            stack = [] if case is None else [f"{failure.step.words} ({failure.why})" for failure in case.stack]
            for number, line in enumerate(stack or ["empty"]):
                print(f"{'':9}{'' if number else 'Stack':15}{line}")


def main(story: str = "sofa", model: Model | None = None, *, plans: bool = False) -> tuple[End, Household]:
    """Play a story aloud, with corrections by a model or fixed ones; return how it ended, and the home."""
    request, plan, corrections = STORIES[story]
    world, view = Household(HomeGraph.from_json(SCENE.read_text(encoding="utf-8"), SCENE.name)), Terminal(console())
    preset = open_preset("hicrisp")
    if not plans:
        given = WholePlan(Scripted(["none.", *plan, "Done."]), world)
        preset = preset.changed(lambda mind: replace(mind, plan=given), "hicrisp with a given plan")
    agent = Agent(world, model or Scripted(corrections, name="as it is told"), preset, listeners=[view])
    agent.monologue.listeners.append(Shown(agent.monologue))
    end = asyncio.run(agent.run(request))
    view.conclude()
    print(f"In truth: {' '.join(world.script)}")
    return end, world


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A correction stack at work.")
    parser.add_argument("story", choices=sorted(STORIES), nargs="?", default="sofa")
    parser.add_argument("--told", action="store_true", help="use the fixed corrections of this file")
    parser.add_argument("--model", default="embedded", help="see `thinkaloud models`")
    parser.add_argument("--plans", action="store_true", help="let the model make the plan, too")
    given = parser.parse_args()
    if not is_there():
        print(f"Skipped. {HINT}")
    else:
        main(given.story, None if given.told else open_model(given.model), plans=given.plans)
