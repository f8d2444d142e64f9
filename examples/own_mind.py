"""Your own mind: Inner Monologue plans, a twin tries the plan, HiCRISP corrects what fails, Statler remembers."""

import asyncio

from thinkaloud import Agent, End, Mind, Model, Preset, open_model, open_world
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.methods.hicrisp.correction_stack import CorrectionStack
from thinkaloud.methods.inner_monologue.planner import InnerMonologue
from thinkaloud.methods.statler.writer import Writer
from thinkaloud.perceive.when_to_look import WatchProgress
from thinkaloud.rehearse.twin import Twin
from thinkaloud.verify.failure_levels import TwoLevels

MIXED = Preset(
    "mixed",
    "parts of three methods",
    lambda world, model, options, guidelines: Mind(
        perceive=WatchProgress(world),
        plan=InnerMonologue(model.as_role("planner"), world),
        rehearse=Twin(world),
        execute=CallSkill(world),
        verify=TwoLevels(world),
        correct=CorrectionStack(model.as_role("corrector"), world),
        remember=Writer(model.as_role("writer"), world, steps=True),
    ),
)


def main(model: Model | None = None) -> End:
    """Give this mind a request, and print what it says."""
    view = Terminal(console())
    agent = Agent(open_world("pick_and_place"), model or open_model("embedded"), MIXED, listeners=[view])
    return asyncio.run(agent.run("Put the amber block and the golden block in the violet bowl."))


if __name__ == "__main__":
    main()
