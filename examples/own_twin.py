"""Your own robot that thinks before it moves: its plans are criticised, and then tried in a twin.

    python examples/own_twin.py
    python examples/own_twin.py --model openai:NAME "Bring the crate to the lab."

A cart carries parcels between rooms. Its skills say what they need (`preconditions`), what a careful mind would object
to (`cautions`), and what is known afterwards (`remembers`); the world can be copied (`twin`). The preset `multitalk`
needs nothing else: its rules and rehearsals come from these. By default the planner's answers come from a list, and two
of its plans are bad: the rules catch the first one, and only the twin catches the second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from thinkaloud import (
    Agent,
    Condition,
    End,
    Inbox,
    Kind,
    Model,
    Observation,
    Scripted,
    SkillError,
    open_model,
    relation,
    relations_of,
    skill,
    skills_of,
    tick,
)
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.clock import Clock, ManualClock
from thinkaloud.records import WorldState
from thinkaloud.skills import Relation, Skill
from thinkaloud.worlds.contract import Briefing

ROOMS = {"mail room": 0.0, "store": 20.0, "lab": 50.0}  # metres along a corridor
PARCELS = {"crate": 60.0, "box": 4.0, "folder": 1.0}  # kilograms; nobody has told the planner
CART, ROOM_FOR = "cart", 2
Room = Annotated[str, Kind("room")]
Parcel = Annotated[str, Kind("parcel")]
Thing = Annotated[str, Kind("thing")]


def place(state: WorldState | None, thing: str) -> str | None:
    """The room in which a thing is, as far as is known."""
    known = state.relations if state is not None else ()
    return next((str(r.arguments["room"]) for r in known if r.relation == "at" and r.arguments["thing"] == thing), None)


def loaded(state: WorldState | None) -> str | None:
    """What is on the cart, as far as is known."""
    known = state.relations if state is not None else ()
    return next((str(r.arguments["thing"]) for r in known if r.relation == "held"), None)


def not_here(seen: Observation, parcel: str) -> str | None:
    """A precondition of `take`: the parcel has to be where the cart is, and the cart empty."""
    where, here, load = place(seen.state, parcel), place(seen.state, CART), loaded(seen.state)
    if load is not None:
        return f"The {load} is on the cart already: unload it first."
    return None if where == here else f"The {parcel} is in the {where}, and the cart in the {here}: drive there first."


def empty(seen: Observation) -> str | None:
    """A precondition of `unload`."""
    return None if loaded(seen.state) else "There is nothing on the cart."


def no_room(seen: Observation) -> str | None:
    """A caution about `unload`, based on what was seen; the cart itself would try anyway, and find out."""
    here = place(seen.state, CART)
    there = [parcel for parcel in PARCELS if place(seen.state, parcel) == here]
    full = len(there) >= ROOM_FOR
    return f"There is no room left in the {here}: {' and '.join(there)} are there." if full else None


def away(seen: Observation) -> str | None:
    """A precondition of `charge`."""
    here = place(seen.state, CART)
    return None if here == "mail room" else f"The charger is in the mail room, and the cart in the {here}."


class Depot:
    """Three rooms along a corridor, and a cart with a battery."""

    name = "depot"
    briefing = Briefing(
        about="A cart carries one parcel at a time between the mail room, the store and the lab. Each has room for two."
    )

    def __init__(self) -> None:
        self.time = ManualClock()  # a real robot has WallClock(), and its twin is its simulation
        self.clock: Clock = self.time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start with half of the cart's charge left."""
        self.time.seconds, self.charged, self.load = 0.0, 50.0, ""
        self.where = {CART: "mail room", "crate": "store", "box": "lab", "folder": "lab"}

    def observe(self) -> Observation:
        """Everything except weights and the battery."""
        things = (CART, *PARCELS)
        known = {"thing": things, "parcel": tuple(PARCELS), "room": tuple(ROOMS)}
        return Observation(things, known, state=self._told({**self.where}, self.load))

    def _told(self, where: Mapping[str, str], load: str) -> WorldState:
        at = [self.relations["at"].condition({"thing": each, "room": room}) for each, room in where.items()]
        held = [self.relations["held"].condition({"thing": load})] if load else []
        return WorldState((CART, *PARCELS), (*at, *held))

    def after(self, state: WorldState, moved: str | None, room: str | None, load: str | None) -> WorldState:
        """The known state after a thing has moved to a room (None: on its way), with or without a load on the cart."""
        where = {each: known for each in (CART, *PARCELS) if (known := place(state, each)) is not None}
        if moved is not None:
            where.pop(moved, None)
            where |= {moved: room} if room is not None else {}
        return replace(state, relations=self._told(where, load or "").relations)

    def driven(self, state: WorldState, room: str) -> WorldState:
        """What is known after `drive`."""
        return self.after(state, CART, room, loaded(state))

    def taken(self, state: WorldState, parcel: str) -> WorldState:
        """What is known after `take`."""
        return self.after(state, parcel, None, parcel)

    def unloaded(self, state: WorldState) -> WorldState:
        """What is known after `unload`."""
        return self.after(state, loaded(state), place(state, CART), None)

    @skill("Drive to the {room}.", remembers=driven)
    async def drive(self, room: Room) -> str:
        """Drive to a room, with whatever is on the cart."""
        metres = abs(ROOMS[room] - ROOMS[self.where[CART]])
        for _ in range(int(metres)):
            await self.clock.sleep(1)
            await tick()
            self.charged -= 0.3 + 0.02 * PARCELS.get(self.load, 0.0)
            if self.charged <= 0:
                raise SkillError(f"The battery is empty, on the way to the {room}.")
        self.where[CART] = room
        return f"{self.charged:.0f} % of the charge is left."

    @skill("Take the {parcel}.", preconditions=(not_here,), remembers=taken)
    async def take(self, parcel: Parcel) -> None:
        """Load a parcel that is in the same room."""
        self.load = parcel
        del self.where[parcel]

    @skill("Unload.", preconditions=(empty,), cautions=(no_room,), remembers=unloaded)
    async def unload(self) -> None:
        """Unload what is on the cart."""
        if sum(room == self.where[CART] for room in self.where.values()) > ROOM_FOR:  # counts the cart itself, too
            raise SkillError(f"There is no room left in the {self.where[CART]}.")
        self.where[self.load], self.load = self.where[CART], ""

    @skill("Charge the battery.", preconditions=(away,), remembers=lambda state: state)
    async def charge(self) -> None:
        """Charge the battery, in the mail room."""
        await self.clock.sleep(600)
        self.charged = 100.0

    @skill("Park.", remembers=lambda state: state, last=True)
    async def park(self) -> None:
        """Stay and switch off; nothing can be done after that."""

    @relation("{thing} is in the {room}.")
    def at(self, thing: Thing, room: Room) -> bool:
        """Whether a thing is in a room, and not on the cart."""
        return self.where.get(thing) == room

    @relation("{thing} is on the cart.")
    def held(self, thing: Parcel) -> bool:
        """Whether a parcel is on the cart."""
        return self.load == thing

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true now."""
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        """The state, for the journal and the twin."""
        return json.dumps([self.time.seconds, self.charged, self.load, self.where]).encode()

    def restore(self, snapshot: bytes) -> None:
        """Restore the state."""
        self.time.seconds, self.charged, self.load, self.where = json.loads(snapshot)

    def twin(self) -> Depot:
        """A copy in its present state, for trying plans."""
        other = Depot()
        other.restore(self.snapshot())
        return other


def plan(*lines: str) -> str:
    """A planner's answer."""
    return "\n".join(["Step-by-step Instructions:", *(f"{number}: {line}" for number, line in enumerate(lines, 1))])


ROOM_IN_LAB = ('drive("lab")', 'take("folder") # Make room', 'drive("mail room")', "unload()")
FETCH = ('drive("store")', 'take("crate")', 'drive("lab")', "unload()", "park()")
ANSWERS = (
    plan('take("crate")', 'drive("lab")', "unload()", "park()"),
    plan(*ROOM_IN_LAB, *FETCH),
    plan(*ROOM_IN_LAB, "charge() # The crate is heavy", *FETCH),
)


def main(request: str = "Bring the crate to the lab.", model: Model | None = None) -> End:
    """Carry out a request aloud, with a model of yours or with answers from the list."""
    world, view = Depot(), Terminal(console())
    agent = Agent(
        world, model or Scripted(ANSWERS), "multitalk:analyzer=rules;human=off", person=Inbox(), listeners=[view]
    )
    end = asyncio.run(agent.run(request))
    view.conclude()
    print(f"In truth: {', '.join(f'{thing} in the {room}' for thing, room in world.where.items())}.")
    return end


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Your own robot, with a twin.")
    parser.add_argument("request", nargs="?", default="Bring the crate to the lab.")
    parser.add_argument("--model", help="see `thinkaloud models`; default: answers from a list")
    given = parser.parse_args()
    main(given.request, open_model(given.model) if given.model else None)
