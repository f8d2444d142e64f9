"""The robot remembers what the camera cannot see: a toy goes under a cup, and a person asks for it.

    python examples/out_of_sight.py

The model here reads its programs and its memories from a list; replace it with `open_model("embedded")` for a model
that writes them.
"""

from __future__ import annotations

import asyncio

from thinkaloud import Agent, End, Scripted
from thinkaloud.records import Observation, WorldState
from thinkaloud_worlds.tabletop.statler_worlds import DomainWorld, scene_of

TALK = {
    "Cover the toy car with the red cup.": [
        'put_first_on_second("red cup", "toy car")\nupdate_wm("Put the red cup on the toy car")',
        "red cup is on toy car",  # what the state writer adds
    ],
    "Where is the toy car?": ['# THINK: on toy car: red cup\nsay("under the red cup")'],
    "Put the blue block on the toy car.": [
        "# THINK: on toy car: red cup\n"
        'put_first_on_second("red cup", "empty space")\nput_first_on_second("blue block", "toy car")\n'
        'update_wm("Put the red cup on the empty space and the blue block on the toy car")',
        "red cup is on the table\nblue block is on toy car",
    ],
    "Which cup is empty?": ['say("red cup and white cup")'],
}


async def converse(agent: Agent) -> End:
    """Make one request after another; the robot keeps the state in between."""
    for query in TALK:
        end = await agent.run(query)
        print(f"\nHuman: {query}\n{end.result}: {end.because}")
        hidden = agent.monologue.last(Observation).hidden  # type: ignore[union-attr]
        print(f"out of sight: {', '.join(hidden) or 'nothing'}")
        for state in agent.monologue.since(agent.monologue.task_start(), WorldState):
            for change in state.changes:
                print(f"remembered: {change.what} (because: {change.cause})")
    return end


def main() -> End:
    """Hide a toy car on a table with a block and two cups, and ask for it."""
    things = WorldState(("toy car", "blue block", "red cup", "white cup"))
    world = DomainWorld("cups", scene_of(things, seed=0, domain="cups"))
    return asyncio.run(
        converse(
            Agent(world, Scripted([said for answers in TALK.values() for said in answers]), "statler:writer=delta")
        )
    )


if __name__ == "__main__":
    main()
