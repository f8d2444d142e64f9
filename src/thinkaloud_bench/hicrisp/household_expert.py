"""The expert in the home works backwards from the goal to a step that is possible now.

It sees the true state. For every fact, a rule says what has to hold first; the next step makes the first missing fact
true. It does not plan ahead, so it copes with any home and with steps that fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, Decline, Done, Outcome, Plan, Step
from thinkaloud_bench.hicrisp.household_goals import Choice, Did, Fact, HomeGoal, Witness, holds, is_true
from thinkaloud_worlds.household import Household

_FIRST: Mapping[str, str] = {"eat": "holding", "drink": "holding", "read": "holding", "watch": "facing"}
"""What has to hold of a thing before the robot does something with it; by default, that the robot is close to it."""
_DONE_BY: Mapping[str, str] = {
    "holding": "grab",
    "opened": "open",
    "closed": "close",
    "on_top": "put_back",
    "switched_on": "switch_on",
    "switched_off": "switch_off",
    "plugged_in": "plug_in",
    "sitting_on": "sit",
    "lying_on": "lie",
    "clean": "wash",
    "facing": "turn_to",
    "standing": "stand_up",
    "wearing": "put_on",
}
"""The skill that makes a fact true, once its needs are met."""


@dataclass
class HouseholdExpert:
    """Decides for a home, step by step; `witness` knows what is done."""

    world: Household
    goal: HomeGoal
    witness: Witness
    _hopeless: set[Choice] = field(default_factory=set)
    _chosen: Choice = ()

    def __call__(self, monologue: Monologue) -> Decision:
        """Return the next step until the goal is met; after a failure, another way if there is one."""
        if self.witness.met:
            return Done("the judge says so")
        outcome = monologue.last(Outcome)
        if outcome is not None and outcome.ending == "failed":
            self._hopeless.add(self._chosen)
        step = self.next_step()
        return Plan("", (), (step,)) if step is not None else Decline("nothing that helps can be done")

    def next_step(self) -> Step | None:
        """Return a step towards the first part of the goal that is not done; last, towards what has to be restored."""
        want = next((want for want in self.goal.wanted if not self.witness.saw(want)), None)
        if want is None:
            want = next((part for part in self.goal.kept if not holds(self.world, part)), None)
        if want is None:
            return None
        if isinstance(want, Did):
            want = want.with_thing(want.things[0])
        self._chosen = next((choice for choice in want.choices if choice not in self._hopeless), want.choices[0])
        if isinstance(want, Did):
            return self._do(want.skills[0], want.things[0])
        return self._first(self._chosen)

    def _do(self, skill: str, thing: str) -> Step:
        """Do something with a thing: take it, set up the circumstances, go there, and do it."""
        need = (_FIRST.get(skill, "close_to"), thing)
        facts = (need, *self._chosen) if need[0] == "holding" else (*self._chosen, need)
        return self._first(facts) or self._step(skill, thing)

    def _first(self, facts: Choice) -> Step | None:
        """Towards the first of the facts that does not hold."""
        return next((self._towards(fact) for fact in facts if not is_true(self.world, fact)), None)

    def _towards(self, fact: Fact) -> Step:
        """The first step of what makes a fact true."""
        for need in self._needs(fact):
            if not is_true(self.world, need):
                return self._towards(need)
        relation, *things = fact
        if relation in ("close_to", "in_room"):
            return self._step("find" if relation == "close_to" else "walk", things[0])
        if relation == "inside":
            return self._step("pour" if self._poured(*things) else "put_in", *things)
        if relation in ("holding", "opened", "plugged_in") and (spare := self._spare(things[0])) is not None:
            return self._step("drop", spare)
        return self._step(_DONE_BY[relation], *things)

    def _needs(self, fact: Fact) -> list[Fact]:
        """What has to hold before a fact can be made true, in an order in which nothing undoes what came before."""
        relation, *things = fact
        thing = things[0] if things else ""
        match relation:
            case "standing":
                return []
            case "close_to" | "in_room":
                return [("standing",)]
            case "holding":
                box = self.world.state.box_of(self.world.id_of(thing))
                return [("close_to", thing), *([] if box is None else [("opened", self.world.names[box])])]
            case "on_top":
                return [("holding", thing), ("close_to", things[1])]
            case "inside":
                at: list[Fact] = [("holding", thing), ("close_to", things[1])]
                return [*at, ("opened", things[1])] if "CAN_OPEN" in self._can(things[1]) else at
            case "opened":
                return [("close_to", thing), *([("switched_off", thing)] if self._so("switched_on", thing) else [])]
            case "switched_on":
                unplugged = self._so("plugged_out", thing)
                return [("close_to", thing), *([("plugged_in", thing)] if unplugged else [])]
            case "wearing":
                return [("holding", thing)]
            case _:
                return [("close_to", thing)]

    def _poured(self, thing: str, target: str) -> bool:
        return bool(self._can(thing) & {"POURABLE", "DRINKABLE"}) and not self._can(target) & {"CONTAINERS", "CAN_OPEN"}

    def _can(self, thing: str) -> frozenset[str]:
        return self.world.state.properties(self.world.id_of(thing))

    def _spare(self, wanted: str) -> str | None:
        """What to put down when both hands are full and one is needed."""
        held = [self.world.names[thing] for thing in self.world.state.held()]
        return next((name for name in held if name != wanted), None) if len(held) > 1 else None

    def _so(self, relation: str, *things: str) -> bool:
        return is_true(self.world, (relation, *things))

    def _step(self, name: str, *things: str) -> Step:
        skill = self.world.skills[name]
        return skill.step(dict(zip((p.name for p in skill.signature.parameters), things, strict=True)))
