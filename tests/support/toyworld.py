"""A world of words: three things, three places, and skills that work, slip, break, take long or need approval."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from typing import Annotated

from thinkaloud.clock import Clock, ManualClock
from thinkaloud.episode.ticks import safe_point, tick
from thinkaloud.errors import SkillError, UnknownName
from thinkaloud.records import Arguments, Condition, Observation, Step
from thinkaloud.skills import Kind, Relation, Skill, relation, relations_of, skill, skills_of

THINGS, PLACES = ("ball", "cup", "box"), ("shelf", "bin", "floor")
Thing = Annotated[str, Kind("object")]
Place = Annotated[str, Kind("place")]


def _moves(thing: str, place: str) -> tuple[tuple[str, Arguments], ...]:
    return (("at", {"thing": thing, "place": place}),)


class ToyWorld:
    """Everything lies on the floor at first. `slips` is how many of the next moves will come to nothing."""

    name = "toy"

    def __init__(self) -> None:
        self.time = ManualClock()
        self.clock: Clock = self.time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.gate, self.inside = threading.Event(), threading.Event()
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.time.seconds, self.ticks, self.slips = 0.0, 0, 0
        self.where, self.hand = dict.fromkeys(THINGS, "floor"), ""

    def observe(self) -> Observation:
        return Observation(THINGS, {"object": THINGS, "place": PLACES})

    def holds(self, condition: Condition) -> bool:
        if condition.relation not in self.relations:
            raise UnknownName("relation", condition.relation, self.relations)
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        return json.dumps([self.time.seconds, self.ticks, self.slips, self.where, self.hand]).encode()

    def restore(self, snapshot: bytes) -> None:
        self.time.seconds, self.ticks, self.slips, self.where, self.hand = json.loads(snapshot)

    def twin(self) -> ToyWorld:
        """The test that opens the gate of one opens that of both."""
        other = type(self)()
        other.gate, other.inside = self.gate, self.inside
        other.restore(self.snapshot())
        return other

    @relation("{thing} is on the {place}.")
    def at(self, thing: Thing, place: Place) -> bool:
        """Whether a thing is there, and not in the hand."""
        if thing not in THINGS:
            raise UnknownName("object", thing, THINGS)
        return self.hand != thing and self.where[thing] == place

    @skill("Move the {thing} to the {place}.", effects=_moves)
    async def move(self, thing: Thing, place: Place) -> str:
        """Ten ticks: the first three can be left off, from then on the thing is in the hand."""
        for number in range(10):
            if number < 3:
                safe_point()
            self.hand = thing if number >= 3 else self.hand
            self.ticks += 1
            self.time.seconds += 0.1
            await tick()
        self.hand = ""
        if self.slips:
            self.slips -= 1
            return f"The {thing} slipped."
        self.where[thing] = place
        return f"The {thing} is put down."

    @skill("Throw the {thing} away.", approval=True)
    async def discard(self, thing: Thing) -> None:
        """Throw a thing into the bin; asks first."""
        self.where[thing] = "bin"

    @skill("Paint the {thing}.")
    def paint(self, thing: Thing) -> str:
        """A plain function that takes as long as the test wants it to."""
        self.inside.set()
        assert self.gate.wait(20)
        return f"The {thing} is painted."

    def _grip(self, thing: str) -> str | None:
        return f"The gripper let go of the {thing}." if self.slips else None

    @skill("Hold the {thing} up.", check=_grip)
    async def show(self, thing: Thing) -> str:
        """Hold a thing up; the gripper's own sensor says whether it is still there."""
        return f"The {thing} is held up."

    @skill("Stare at the {thing}.")
    async def stare(self, thing: Thing) -> None:
        """Never ticks, and never ends by itself."""
        await asyncio.Event().wait()

    @skill("Lift the {thing}.")
    async def lift(self, thing: Thing) -> None:
        """Cannot be done."""
        raise SkillError(f"The {thing} is too heavy.")

    @skill("Open the {thing}.")
    async def open(self, thing: Thing) -> None:
        """Somebody's faulty code."""
        raise ZeroDivisionError("division by zero")

    def step(self, skill: str, *values: str) -> Step:
        """A step, from the skill's name and its arguments in order."""
        chosen = self.skills[skill]
        return chosen.step(dict(zip((p.name for p in chosen.signature.parameters), values, strict=True)))

    def condition(self, thing: str, place: str) -> Condition:
        """That a thing is somewhere."""
        return self.relations["at"].condition({"thing": thing, "place": place})
