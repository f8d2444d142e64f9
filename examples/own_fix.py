"""Your own gripper, which corrects what it notices: a check, a fix, and `may_fix` (HiCRISP's low level).

    python examples/own_fix.py
    python examples/own_fix.py --model embedded "Screw the nut into the plate."
    python examples/own_fix.py --model embedded --preset hicrisp:low=off

Two skills show two ways. `pick` corrects itself: if it notices during the motion that the fingers closed on nothing, it
asks `may_fix` and grasps once more. `screw` knows nothing of errors: its precondition looks before, its `check` reads
the torque afterwards, and its `fix` says what to do about either. With `low=off` none of this happens, and every error
goes to the model.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping
from typing import Annotated

from thinkaloud import (
    Agent,
    Condition,
    End,
    Kind,
    ManualClock,
    Model,
    Observation,
    Scripted,
    SkillError,
    may_fix,
    open_model,
    relation,
    relations_of,
    skill,
    skills_of,
    tick,
)
from thinkaloud.cli.terminal import Terminal, console
from thinkaloud.clock import Clock
from thinkaloud.errors import UnknownName
from thinkaloud.records import Arguments, WorldState
from thinkaloud.skills import Relation, Skill

PARTS, PLACES = ("nut", "bolt"), ("plate", "frame")
Part = Annotated[str, Kind("part")]
Place = Annotated[str, Kind("place")]
REQUEST = "Screw the bolt into the frame."
PLAN = (
    "Pick up the bolt. -> The hand holds the bolt.",
    "Screw the bolt into the frame. -> The bolt is tight in the frame.",
    "Done.",
)
TIGHT = 5  # newton metres


def picks(part: str) -> tuple[tuple[str, Arguments], ...]:
    """What should be true after `pick`."""
    return (("held", {"part": part}),)


def screws(part: str, place: str) -> tuple[tuple[str, Arguments], ...]:
    """What should be true after `screw`."""
    return (("fixed", {"part": part, "place": place}),)


class Bench:
    """A workbench, two parts, and a hand that slips at first and turns too weakly."""

    name = "workbench"

    def __init__(self) -> None:
        self.time = ManualClock()  # a real robot has WallClock()
        self.clock: Clock = self.time
        self.skills: Mapping[str, Skill] = skills_of(self)
        self.relations: Mapping[str, Relation] = relations_of(self)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Hold nothing, screw in nothing, put swarf on the frame, and make the first grasp miss."""
        self.time.seconds, self.slips, self.torque = 0.0, 1, 0
        self.hand, self.swarf = "", ["frame"]
        self.where = dict.fromkeys(PARTS, "tray")

    # A skill that corrects itself -------------------------------------------------------------------------------------

    @skill("Pick up the {part}.", effects=picks)
    async def pick(self, part: Part) -> str:
        """Take a part out of the tray.

        Args:
            part: what to take.
        """
        if self.hand not in ("", part):
            raise SkillError(f"The hand holds the {self.hand}.")
        while not await self._grasp(part):
            if not may_fix("The fingers closed on nothing.", "Look again and grasp once more.", looked=True):
                raise SkillError("The fingers closed on nothing.")
        return f"The {part} is in the hand."

    async def _grasp(self, part: str) -> bool:
        """Grasp once; the fingers feel whether there is something between them."""
        await self.clock.sleep(1.0)
        await tick()
        self.slips -= 1
        if self.slips < 0:
            self.hand, self.where[part] = part, "hand"
        return self.hand == part

    # A skill that is corrected from outside ---------------------------------------------------------------------------

    def clean(self, seen: Observation, part: str, place: str) -> str | None:
        """The precondition: what is in the way, checked before anything moves."""
        return f"There is swarf on the {place}." if place in self.swarf else None

    def tight(self, part: str, place: str) -> str | None:
        """The check: the torque that the wrench felt at the end."""
        return f"The {part} sits loose: {self.torque} Nm." if self.torque < TIGHT else None

    async def tidy(self, problem: str, part: str, place: str) -> str:
        """The fix for both problems; it acts, and says what it did."""
        await self.clock.sleep(0.5)
        if place in self.swarf:
            self.swarf.remove(place)
            return "Blow it away."
        self.torque += 2
        return "Turn it a little further."

    @skill("Screw the {part} into the {place}.", effects=screws, preconditions=(clean,), check=tight, fix=tidy)
    async def screw(self, part: Part, place: Place) -> str:
        """Screw the part that is in the hand into a place.

        Args:
            part: what to screw in.
            place: where.
        """
        if self.hand != part:
            raise SkillError(f"The hand does not hold the {part}.")
        await self.clock.sleep(2.0)
        await tick()
        self.hand, self.where[part], self.torque = "", place, 2
        return "Turned until it stopped."

    @skill("Put the {part} back.", effects=lambda part: (("free", {}),))
    async def put_back(self, part: Part) -> str:
        """Put the part that is in the hand back into the tray.

        Args:
            part: what to put back.
        """
        if self.hand != part:
            raise SkillError(f"The hand does not hold the {part}.")
        self.hand, self.where[part] = "", "tray"
        return f"The {part} is in the tray."

    # The rest of the world --------------------------------------------------------------------------------------------

    @relation("The hand holds the {part}.")
    def held(self, part: Part) -> bool:
        """Whether a part is in the hand."""
        return self.hand == part

    @relation("The hand is free.")
    def free(self) -> bool:
        """Whether the hand holds nothing."""
        return not self.hand

    @relation("The {part} is tight in the {place}.")
    def fixed(self, part: Part, place: Place) -> bool:
        """Whether a part has been screwed in, and tightly."""
        return self.where[part] == place and self.torque >= TIGHT

    def observe(self) -> Observation:
        """The parts, the places, and what is in the hand."""
        held = [self.relations["held"].condition({"part": self.hand})] if self.hand else []
        state = WorldState(
            (*PARTS, *PLACES), tuple(held), facts=tuple(f"There is swarf on the {x}" for x in self.swarf)
        )
        return Observation((*PARTS, *PLACES), {"part": PARTS, "place": PLACES}, state=state)

    def holds(self, condition: Condition) -> bool:
        """Whether a condition is true now."""
        if condition.relation not in self.relations:
            raise UnknownName("relation", condition.relation, self.relations)
        return bool(self.relations[condition.relation].holds(**condition.arguments))

    def snapshot(self) -> bytes:
        """The state, for the journal."""
        return json.dumps([self.time.seconds, self.slips, self.torque, self.hand, self.swarf, self.where]).encode()

    def restore(self, snapshot: bytes) -> None:
        """Restore the state. A real robot raises NotImplementedError here, and thinkaloud observes it instead."""
        self.time.seconds, self.slips, self.torque, self.hand, self.swarf, self.where = json.loads(snapshot)


def main(request: str = REQUEST, model: Model | None = None, preset: str = "hicrisp") -> End:
    """Carry out a request at the workbench, aloud."""
    view = Terminal(console())
    thinks = model or Scripted(["bolt, frame.", *PLAN], name="as it is told")
    end = asyncio.run(Agent(Bench(), thinks, preset, listeners=[view]).run(request))
    view.conclude()
    return end


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A gripper that corrects what it notices.")
    parser.add_argument("request", nargs="?", default=REQUEST)
    parser.add_argument("--model", help="see `thinkaloud models`; default: a fixed plan")
    parser.add_argument("--preset", default="hicrisp", help="see `thinkaloud presets`")
    given = parser.parse_args()
    main(given.request, open_model(given.model) if given.model else None, given.preset)
