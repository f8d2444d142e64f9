"""The open loop in calls, for worlds in which steps are written as calls (the form of the paper's Listing 2).

    Task: Stack all the blocks.
    Scene: Visible objects are ["brown block", "purple block"]
    Scene: Occluded objects are []
    Robot action: robot.pick_place("brown block", "purple block")
    Successful action: True
    Robot action: robot.stop()

The model writes the whole plan as though each step worked: the listing has a line of feedback after each action, and
nobody gives any.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from thinkaloud.errors import Unparseable
from thinkaloud.methods.open_loop.planner import PROMPTS
from thinkaloud.models import Model, Prompts
from thinkaloud.models import grammar as gbnf
from thinkaloud.monologue import Monologue
from thinkaloud.plan.call_lines import ACTION, STOP, calls_with, read_call_line, render_visible
from thinkaloud.records import Decision, Done, Plan
from thinkaloud.worlds import World

_WORKED = "Successful action: True"
CALLS_PART = "planner in calls"
"""The part of the prompts with examples in calls."""


@dataclass
class CallingOpenLoop:
    """Plans once, in calls, and does not check."""

    model: Model
    world: World
    prompts: Prompts = field(default_factory=PROMPTS.open)
    most: int = 15

    async def plan(self, monologue: Monologue) -> Decision:
        """Return all the steps; when they are carried out, Done."""
        if monologue.in_task(Plan):
            return Done("the plan has been carried out")
        request, scene = monologue.situation()
        calls = calls_with(self.world.skills, scene.vocabulary)
        tail = gbnf.literal(f"\n{_WORKED}\n{ACTION} ")
        plan = f"({gbnf.sequence(gbnf.one_of(calls), tail)}){{0,{self.most}}}" if calls else ""
        root = gbnf.sequence(gbnf.literal(" "), plan, gbnf.literal(STOP))
        now = "\n".join([f"Task: {request.text}", *render_visible(scene), ACTION])
        said = await self.model.complete(
            self.prompts.introduce(self.model, CALLS_PART) + now,
            stop=["\nSTOP", "\nTask:"],
            grammar=gbnf.grammar(root),
            most=50 * self.most,
        )
        lines = said.text.replace(_WORKED, "").replace(ACTION, "").splitlines()
        said_calls = [line.strip() for line in lines if line.strip() and not line.startswith("Scene:")]
        until = said_calls.index(STOP) if STOP in said_calls else len(said_calls)
        steps = [read_call_line(call, self.world.skills, scene.vocabulary) for call in said_calls[:until]]
        if not said_calls:
            raise Unparseable("The plan has no steps; say what the robot does.", said.text)
        return Plan(request.text, (), tuple(steps[: self.most])) if steps else Done("there is nothing to do")
