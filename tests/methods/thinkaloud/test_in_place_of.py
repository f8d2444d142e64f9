"""One thing that is to be in several ways, and deeds that undo each other: nothing goes round and round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from said import Talk
from thinkaloud import Kind, ManualClock, Observation, relation, relations_of, skill, skills_of, tick
from thinkaloud.clock import Clock
from thinkaloud.records import Condition
from thinkaloud.skills import Relation, Skill

Telescope = Annotated[str, Kind("telescope")]
Target = Annotated[str, Kind("target")]
Somebody = Annotated[str, Kind("person")]


class Dome:
    """A telescope that looks at one thing at a time; nothing that it declares says so."""

    name = "dome"

    def __init__(self) -> None:
        self.at = ""
        self.clock: Clock = ManualClock()
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)

    def observe(self) -> Observation:
        return Observation(("refractor",), {"telescope": ("refractor",), "target": ("moon", "mars", "saturn")})

    def reset(self, seed: int) -> None:
        self.at = ""

    def holds(self, condition: Condition) -> bool:
        return self.relations[condition.relation].holds(**condition.arguments)

    def snapshot(self) -> bytes:
        return self.at.encode()

    def restore(self, snapshot: bytes) -> None:
        self.at = snapshot.decode()

    @skill(
        "Aim the {scope} at {target}.", effects=lambda scope, target: (("aimed", {"scope": scope, "target": target}),)
    )
    async def aim(self, scope: Telescope, target: Target) -> None:
        """Turn a telescope."""
        await tick()
        self.at = target

    @relation("{scope} is aimed at {target}.")
    def aimed(self, scope: Telescope, target: Target) -> bool:
        """What a telescope looks at."""
        return self.at == target


def test_one_thing_that_is_to_be_in_several_ways_goes_through_them_once() -> None:
    talk = Talk(['aim("refractor", targets)'], Dome())
    talk.say("Show me the moon, mars and saturn.")
    assert talk.steps == [f"Aim the refractor at {each}." for each in ("moon", "mars", "saturn")]


class Bench(Dome):
    """Room for one: who sits down makes the other one get up."""

    name = "bench"

    def observe(self) -> Observation:
        return Observation(("ann", "bob"), {"person": ("ann", "bob"), "telescope": (), "target": ()})

    @skill("Seat {person}.", effects=lambda person: (("seated", {"person": person}),))
    async def seat(self, person: Somebody) -> None:
        """Give somebody the seat."""
        await tick()
        self.at = person

    @relation("{person} sits.")
    def seated(self, person: Somebody) -> bool:
        """Who sits."""
        return self.at == person


def test_what_works_every_time_and_is_of_no_use_is_given_up() -> None:
    talk = Talk(['seat(["ann", "bob"])'], Bench())
    end = talk.say("Seat both of them.")
    assert end.result == "failed" and "These do not stay so together: Ann sits." in end.because
    assert talk.steps == ["Seat ann.", "Seat bob."]
