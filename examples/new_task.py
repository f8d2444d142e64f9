"""A task of your own: a robot gets bicycles ready, and the customer changes their mind.

    python examples/new_task.py
    python examples/new_task.py --model openai:NAME "The evening bicycle, with mudguards."

Two things define the task: guidelines/bicycles.txt says in plain words how it is done, and the skills below say what
the robot can do. The preset `itp` plans by the guidelines and calls the skills; it needs no prompt or demonstration. A
larger model declines the child seat; the embedded one without its adapter overlooks it. Either way the example prints
the true state.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from thinkaloud import Agent, End, Kind, Model, open_model, relation, relations_of, skill, skills_of, tick
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.clock import Clock, ManualClock
from thinkaloud.episode.outline import completed_lines
from thinkaloud.guidelines import load_guidelines
from thinkaloud.monologue import Event
from thinkaloud.records import Arguments, Condition, Observation, Verdict, WorldState
from thinkaloud.skills import Relation, Skill

GUIDELINES = load_guidelines(Path(__file__).parent / "guidelines" / "bicycles.txt")
PARTS = GUIDELINES.available
ORDER, CHANGE, IMPOSSIBLE = "A bicycle with a lamp.", "No lamp. A basket instead.", "One with a child seat."
Thing = Annotated[str, Kind("thing")]
Part = Annotated[str, Kind("part")]


def now(thing: str, state: str) -> tuple[tuple[str, Arguments], ...]:
    """The state of a thing after a skill; thinkaloud checks it."""
    return (("is_so", {"thing": thing, "state": state}),)


class Workshop:
    """A bicycle, a stand, a box of parts, and a robot that fits them."""

    name = "workshop"

    def __init__(self) -> None:
        self.time = ManualClock()  # a real robot has WallClock()
        self.clock: Clock = self.time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """A bare bicycle with flat tyres stands at the door."""
        self.time.seconds = 0.0
        self.state = {"bicycle": "at the door", "tyres": "flat", **dict.fromkeys(PARTS, "in the box")}

    def observe(self) -> Observation:
        """Everything, with its state."""
        facts = tuple(f"{thing}: {state}" for thing, state in self.state.items())
        known = {"thing": tuple(self.state), "part": PARTS}
        return Observation(tuple(self.state), known, state=WorldState(facts=facts))

    def not_clamped(self, seen: Observation, **arguments: object) -> str | None:
        """Why the robot cannot work on the bicycle now."""
        return None if self.state["bicycle"] == "in the stand" else "The bicycle has to be clamped in the stand first."

    async def change(self, thing: str, state: str, seconds: int) -> None:
        """Change a thing; your robot would move here."""
        for _ in range(0 if self.state[thing] == state else seconds):
            await self.clock.sleep(1)
            await tick()  # once per control period: `stop` takes effect here
        self.state[thing] = state

    @skill("Clamp the bicycle.", effects=lambda: now("bicycle", "in the stand"))
    async def clamp_bicycle(self) -> None:
        """Clamp the bicycle in the stand, where it can be worked on."""
        await self.change("bicycle", "in the stand", 4)

    @skill("Fit the {part}.", preconditions=(not_clamped,), effects=lambda part: now(part, "on the bicycle"))
    async def fit(self, part: Part) -> None:
        """Fit a part to the bicycle: mount or add it."""
        await self.change(part, "on the bicycle", 10)

    @skill("Unscrew the {part}.", preconditions=(not_clamped,), effects=lambda part: now(part, "in the box"))
    async def unscrew(self, part: Part) -> None:
        """Unscrew a fitted part that is not wanted any more, and put it back into the box."""
        await self.change(part, "in the box", 10)

    @skill("Inflate the tyres.", preconditions=(not_clamped,), effects=lambda: now("tyres", "hard"))
    async def inflate_tyres(self) -> None:
        """Inflate both tyres: pump them up until they are hard."""
        await self.change("tyres", "hard", 6)

    @skill("Hand the bicycle over.", preconditions=(not_clamped,), effects=lambda: now("bicycle", "handed over"))
    async def hand_over(self) -> None:
        """Hand the bicycle over to the customer."""
        await self.change("bicycle", "handed over", 4)

    @relation("{thing}: {state}.")
    def is_so(self, thing: Thing, state: str) -> bool:
        """Whether a thing really is in this state."""
        return self.state[thing] == state

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true now."""
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        """The state, for the journal."""
        return json.dumps([self.time.seconds, self.state]).encode()

    def restore(self, snapshot: bytes) -> None:
        """Restore the state. A real robot raises NotImplementedError here, and thinkaloud observes it instead."""
        self.time.seconds, self.state = json.loads(snapshot)


def main(order: str = ORDER, model: Model | None = None) -> list[End]:
    """Carry out two orders aloud: one that changes after two steps, and one that cannot be met."""
    world, view, ends, changes = Workshop(), Terminal(console()), list[End](), [CHANGE]
    agent = Agent(world, model or open_model("embedded"), "itp", guidelines=GUIDELINES, listeners=[view])

    def customer(event: Event) -> None:
        """Speak after two steps; in a real program this is a terminal, a web page or a microphone."""
        if changes and isinstance(event.record, Verdict) and len(completed_lines(agent.monologue)) == 2:
            agent.say(changes.pop())

    agent.monologue.listeners.append(customer)
    for request in (order, IMPOSSIBLE):
        world.reset(0)
        ends.append(asyncio.run(agent.run(request)))
        view.conclude()
        print(f"In truth: {', '.join(f'{thing} {state}' for thing, state in world.state.items())}.\n")
    return ends


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A new task, by guidelines.")
    parser.add_argument("order", nargs="?", default=ORDER)
    parser.add_argument("--model", default="embedded", help="see `thinkaloud models`")
    given = parser.parse_args()
    main(given.order, open_model(given.model))
