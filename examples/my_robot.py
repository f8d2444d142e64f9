"""Your own robot: a world with three skills and two relations, and a mind for it.

    python examples/my_robot.py
    python examples/my_robot.py --model openai:NAME "Put the book on the upper shelf and switch the lamp off."

Nothing else is needed: prompts, grammars, argument checks and the success detector all come from the functions below.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping
from typing import Annotated, Literal

from thinkaloud import (
    Agent,
    Condition,
    End,
    Kind,
    Model,
    Observation,
    open_model,
    relation,
    relations_of,
    safe_point,
    skill,
    skills_of,
    tick,
)
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.clock import Clock, ManualClock
from thinkaloud.errors import UnknownName
from thinkaloud.records import Arguments
from thinkaloud.skills import Relation, Skill

THINGS, PLACES, LAMPS = ("book", "mug", "key"), ("upper shelf", "lower shelf", "desk"), ("lamp",)
Thing = Annotated[str, Kind("thing")]
Seen = Annotated[str, Kind("thing in view")]
Place = Annotated[str, Kind("place")]
Lamp = Annotated[str, Kind("lamp")]


def puts(thing: str, place: str) -> tuple[tuple[str, Arguments], ...]:
    """What should be true after `put`."""
    return (("at", {"thing": thing, "place": place}),)


def needs_light(thing: str, place: str) -> tuple[tuple[str, Arguments], ...]:
    """What has to be true before `put`; a search finds what brings it about."""
    return (("shines", {"lamp": LAMPS[0], "state": "on"}),)


def switches(lamp: str, state: str) -> tuple[tuple[str, Arguments], ...]:
    """What should be true after `switch`."""
    return (("shines", {"lamp": lamp, "state": state}),)


class Study:
    """A desk, two shelves, a lamp, and a robot that tidies up."""

    name = "study"

    def __init__(self) -> None:
        self.time = ManualClock()  # a real robot has WallClock()
        self.clock: Clock = self.time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Everything on the desk, the lamp off."""
        self.time.seconds, self.where, self.lamp = 0.0, dict.fromkeys(THINGS, "desk"), "off"

    def observe(self) -> Observation:
        """The lamp, and what it shines on."""
        seen, unseen = (THINGS, ()) if self.lamp == "on" else ((), THINGS)
        known = {"thing": THINGS, "thing in view": seen, "place": PLACES, "lamp": LAMPS}
        return Observation((*LAMPS, *seen), known, hidden=unseen)

    @skill("Put the {thing} on the {place}.", needs=needs_light, effects=puts)
    async def put(self, thing: Seen, place: Place) -> str:
        """Take a thing to another place.

        Args:
            thing: what to take.
            place: where to put it.
        """
        for _ in range(10):
            safe_point()  # the robot holds nothing yet: a new request may take over here
            await self.clock.sleep(0.1)
            await tick()  # once per control period: `stop` takes effect here
        self.where[thing] = place
        return f"The {thing} is down."

    @skill("Switch the {lamp} {state}.", effects=switches)
    async def switch(self, lamp: Lamp, state: Literal["on", "off"]) -> None:
        """Switch a lamp on or off."""
        self.lamp = state

    @skill("Throw the {thing} away.", approval=True)
    async def throw_away(self, thing: Seen) -> None:
        """Throw a thing away; a person is asked first."""
        self.where[thing] = "bin"

    @relation("{thing} is on the {place}.")
    def at(self, thing: Thing, place: Place) -> bool:
        """Whether a thing is at a place."""
        return self.where[thing] == place

    @relation("{lamp} is {state}.")
    def shines(self, lamp: Lamp, state: Literal["on", "off"]) -> bool:
        """Whether a lamp is on, or off."""
        return self.lamp == state

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true now."""
        if condition.relation not in self.relations:
            raise UnknownName("relation", condition.relation, self.relations)
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        """The state, for the journal."""
        return json.dumps([self.time.seconds, self.where, self.lamp]).encode()

    def restore(self, snapshot: bytes) -> None:
        """Restore the state. A real robot raises NotImplementedError here, and thinkaloud observes it instead."""
        self.time.seconds, self.where, self.lamp = json.loads(snapshot)


def main(request: str = "Put the key on the upper shelf.", model: Model | None = None) -> End:
    """Carry out a request in the study, aloud."""
    view = Terminal(console())
    agent = Agent(Study(), model or open_model("embedded"), listeners=[view])
    end = asyncio.run(agent.run(request))
    view.conclude()
    return end


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Your own robot.")
    parser.add_argument("request", nargs="?", default="Put the key on the upper shelf.")
    parser.add_argument("--model", default="embedded", help="see `thinkaloud models`")
    given = parser.parse_args()
    raise SystemExit(0 if main(given.request, open_model(given.model)).result == "goal met" else 1)
