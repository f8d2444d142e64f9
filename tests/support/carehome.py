"""Robots near people: a care home in Python, the same in a text file, and a café."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated

from thinkaloud import Kind, ManualClock, Observation, relation, relations_of, skill, skills_of
from thinkaloud.clock import Clock
from thinkaloud.records import Condition
from thinkaloud.skills import Relation, Skill, measure, measures_of

Resident = Annotated[str, Kind("resident")]
Medicine = Annotated[str, Kind("medicine")]
Room = Annotated[str, Kind("room")]
ROOMS = ("hall", "kitchen", "lounge", "garden", "bath", "library", "office", "chapel")
PRESCRIBED = {("Ada", "insulin"), ("Bert", "aspirin")}


def prescribed(observation: Observation, medicine: str, resident: str) -> str | None:
    return None if (resident, medicine) in PRESCRIBED else f"{resident} has no prescription for {medicine}."


class CareHome:
    """Drives, leads residents, gives medicines and locks the garden."""

    name = "care_home"
    never: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    budget: Mapping[str, float | str] = {"battery": 1000}

    def __init__(self) -> None:
        self.clock: Clock = ManualClock()
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.measures = measures_of(self)
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.room, self.where = "hall", {"Ada": "lounge", "Bert": "garden"}
        self.given: list[list[str]] = []
        self.is_locked, self.charge_left = False, 40
        self.done: list[str] = []

    def observe(self) -> Observation:
        kinds = {"resident": ("Ada", "Bert"), "medicine": ("insulin", "aspirin"), "room": ROOMS}
        return Observation(tuple(name for names in kinds.values() for name in names), kinds)

    def holds(self, condition: Condition) -> bool:
        return self.relations[condition.relation].holds(**condition.arguments)

    def snapshot(self) -> bytes:
        return json.dumps([self.room, self.where, self.given, self.is_locked, self.charge_left]).encode()

    def restore(self, snapshot: bytes) -> None:
        self.room, self.where, self.given, self.is_locked, self.charge_left = json.loads(snapshot)

    @skill("Drive to the {room}.", effects=lambda room: (("robot_in", {"room": room}),), costs={"battery": 5})
    async def drive(self, room: Room) -> None:
        """Drive to a room."""
        self.done.append(f"drive {room}")
        self.room, self.charge_left = room, self.charge_left - 5

    @skill(
        "Lead {resident} to the {room}.",
        effects=lambda resident, room: (("resident_in", {"resident": resident, "room": room}),),
    )
    async def lead(self, resident: Resident, room: Room) -> None:
        """Lead a resident to a room."""
        self.done.append(f"lead {resident} {room}")
        self.where[resident] = room

    @skill(
        "Give {medicine} to {resident}.",
        approval=True,
        preconditions=(prescribed,),
        effects=lambda medicine, resident: (("taken", {"resident": resident, "medicine": medicine}),),
    )
    async def give(self, medicine: Medicine, resident: Resident) -> None:
        """Give a medicine to a resident."""
        self.done.append(f"give {medicine} {resident}")
        self.given.append([resident, medicine])

    @skill(
        "Bathe {resident}.",
        needs=lambda resident: (("resident_in", {"resident": resident, "room": "bath"}),),
        effects=lambda resident: (("bathed", {"resident": resident}),),
    )
    async def bathe(self, resident: Resident) -> None:
        """Bathe a resident, who has to be in the bath."""
        self.done.append(f"bathe {resident}")
        self.given.append([resident, "bath"])

    @skill("Lock the garden.", effects=lambda: (("locked", {}),))
    async def lock(self) -> None:
        """Lock the garden."""
        self.done.append("lock")
        self.is_locked = True

    @relation("The robot is in the {room}.", single=True)
    def robot_in(self, room: Room) -> bool:
        """Where the robot is."""
        return self.room == room

    @relation("{resident} is in the {room}.", single=True)
    def resident_in(self, resident: Resident, room: Room) -> bool:
        """Where a resident is."""
        return self.where[resident] == room

    @relation("{resident} has taken {medicine}.")
    def taken(self, resident: Resident, medicine: Medicine) -> bool:
        """Whether a resident has taken a medicine."""
        return [resident, medicine] in self.given

    @relation("{resident} is bathed.")
    def bathed(self, resident: Resident) -> bool:
        """Whether a resident was bathed."""
        return [resident, "bath"] in self.given

    @relation("The garden is locked.")
    def locked(self) -> bool:
        """Whether the garden is locked."""
        return self.is_locked

    @measure("the charge of the battery")
    def charge(self) -> int:
        """What is left in the battery."""
        return self.charge_left


CARE_HOME = """\
name = "care_home"
about = "A robot helps in a care home."
people = ["resident"]
never = [
    "locked(garden door) and inside(resident, garden)",
    "taken(resident, medicine) and not prescribed(resident, medicine)",
]

[budget]
steps = 10
battery = "charge"

[kinds]
resident = ["Ada", "Bert"]
medicine = ["aspirin", "insulin"]
room = ["lounge", "garden"]
door = ["garden door"]
item = ["cup", "Ada", "Bert"]

[relations.locked]
says = "{door} is locked."
doc = "Whether a door is locked."
parameters = { door = "door" }

[relations.inside]
says = "{resident} is in the {room}."
doc = "Where a resident is."
parameters = { resident = "resident", room = "room" }
single = true

[relations.taken]
says = "{resident} has taken {medicine}."
doc = "Whether a resident has taken a medicine."
parameters = { resident = "resident", medicine = "medicine" }

[relations.prescribed]
says = "{medicine} is prescribed for {resident}."
doc = "Whether a resident may take a medicine."
parameters = { resident = "resident", medicine = "medicine" }

[relations.stored]
says = "{item} is put away."
doc = "Whether something is put away."
parameters = { item = "item" }

[values.charge]
says = "the charge of the battery"
doc = "What is left in the battery."

[skills.lock]
says = "Lock the {door}."
doc = "Lock a door."
parameters = { door = "door" }
makes = ["locked({door})"]
changes = ["charge() -= 3"]
costs = { battery = 3 }

[skills.unlock]
says = "Unlock the {door}."
doc = "Unlock a door."
parameters = { door = "door" }
ends = ["locked({door})"]

[skills.lead]
says = "Lead {resident} to the {room}."
doc = "Lead a resident to a room."
parameters = { resident = "resident", room = "room" }
makes = ["inside({resident}, {room})"]

[skills.give]
says = "Give {medicine} to {resident}."
doc = "Give a medicine to a resident."
parameters = { medicine = "medicine", resident = "resident" }
makes = ["taken({resident}, {medicine})"]

[skills.store]
says = "Put away the {item}."
doc = "Put something away."
parameters = { item = "item" }
makes = ["stored({item})"]

[start]
facts = ["inside(Ada, garden)", "inside(Bert, lounge)", "prescribed(Ada, insulin)"]
values = ["charge() = 7"]
"""

CAFE = """\
name = "cafe"
about = "A robot makes drinks in a café."

[kinds]
drink = ["coffee", "hot chocolate", "tea"]
cup = ["blue cup", "red cup"]
machine = ["machine"]

[relations.is_on]
says = "{machine} is on."
doc = "Whether a machine is on."
parameters = { machine = "machine" }

[relations.full]
says = "The tank is full."
doc = "Whether there is water."

[relations.clean]
says = "{cup} is clean."
doc = "Whether a cup is clean."
parameters = { cup = "cup" }

[relations.contains]
says = "{drink} is in the {cup}."
doc = "What is in a cup."
parameters = { drink = "drink", cup = "cup" }

[skills.switch]
says = "Switch the {machine} {state}."
doc = "Switch a machine on or off."
parameters = { machine = "machine", state = ["on", "off"] }
makes = { on = ["is_on({machine})"] }
ends = { off = ["is_on({machine})"] }

[skills.fill]
says = "Fill the tank."
doc = "Fill the tank."
makes = ["full()"]

[skills.empty]
says = "Empty the tank."
doc = "Empty the tank."
ends = ["full()"]

[skills.rinse]
says = "Rinse the {cup}."
doc = "Rinse a cup; what was in it is gone."
parameters = { cup = "cup" }
makes = ["clean({cup})"]
ends = ["contains(coffee, {cup})", "contains(hot chocolate, {cup})", "contains(tea, {cup})"]

[skills.make]
says = "Make {drink} in the {cup}."
doc = "Make a drink."
parameters = { drink = "drink", cup = "cup" }
needs = ["is_on(machine)", "full()", "clean({cup})"]
makes = ["contains({drink}, {cup})"]
ends = ["clean({cup})"]
"""
