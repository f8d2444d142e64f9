"""A machine that is loaded, started and waited for: the judge and the expert of the world `dishwasher`."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence

from thinkaloud.records import Condition, Step
from thinkaloud_bench.itp.episodes import MachineOrder, OrderEpisode
from thinkaloud_bench.itp.expected_steps import ExpectedSteps, MachineState, expected_at_machine
from thinkaloud_bench.itp.matching import Matcher
from thinkaloud_worlds.dishwasher import Dishwasher, read_machine_scene
from thinkaloud_worlds.dishwasher.scene import kind_without_number

_PLAIN = ("open", "pull", "close", "start", "wait", "check", "return")
"""Steps that are about nothing in particular."""


class MachineDomain:
    """What was put where, what is ready, and how to get there."""

    def __init__(self, episode: OrderEpisode, seed: int) -> None:
        self.world = Dishwasher(read_machine_scene(episode.scene) if episode.scene else None)
        self.world.reset(seed)
        self._says = episode.says
        self._skill = {deed: name for name, deed in self.world.deeds.items()}
        scene = self.world.scene
        self._belongs = {each.kind: each.belongs for each in scene.items}
        additives = {key.removeprefix("additive ") for key in episode.says if key.startswith("additive ")}
        self._matcher = Matcher(episode.says, {*self._belongs, *scene.additives} | additives)
        self._finished = scene.finished

    # Steps ------------------------------------------------------------------------------------------------------------

    def expected(self, order: MachineOrder) -> ExpectedSteps:
        """What is left to do for an order, as things really are."""
        known, world = self.world.process.known, self.world
        loaded = Tally(
            kind_without_number(name)
            for name, place in world.loaded_now().items()
            if place == self._belongs[kind_without_number(name)] and name in known.prepared
        )
        held = world.holding()
        state = MachineState(
            loaded,
            None if held is None else kind_without_number(held),
            held in known.prepared,
            known.open,
            known.out,
            known.additive or None,
        )
        return expected_at_machine(order, state)

    def lines(self, lines: Sequence[str]) -> list[str | None]:
        """The steps that lines of a plan mean."""
        return self._matcher.lines(lines)

    def calls(self, calls: Sequence[Step]) -> list[str | None]:
        """The steps that calls of skills amount to; to wait and to check once more is part of the guidelines."""
        found = list[str | None]()
        puts = [str(next(iter(c.arguments.values()), "")) for c in calls if self.world.deeds.get(c.skill) == "put"]
        kind = next(iter(puts), "")  # what is in the hand already, until something is grasped
        for call in calls:
            deed, given = (
                self.world.deeds.get(call.skill, ""),
                [str(value) for value in call.arguments.values()] or [""],
            )
            if deed in ("wait", "check") and deed in found:
                continue
            if deed in ("grasp", "put"):
                kind = given[0]
            if deed in _PLAIN:
                found.append(deed)
            elif deed == "additive":
                found.append(f"additive {given[0]}")
            elif deed == "put" and self._belongs.get(given[0]) != given[-1]:
                found.append(None)
            else:
                found.append(f"{deed} {kind}" if deed in ("grasp", "prepare", "put") and kind else None)
        return found

    def how(self, key: str) -> list[Step]:
        """The calls that carry out a step, as things really are."""
        held = self.world.holding()
        deed, _, what = key.partition(" ")
        if deed == "grasp" and held is not None:
            return [] if kind_without_number(held) == what else [self._call("put_back"), self._call("grasp", what)]
        if deed == "put":
            return [self._call("put", what, self._belongs[what])]
        if deed == "check" and not self.world.all_ready():
            return [self._call("wait"), self._call("check")]
        return [self._call(deed, *([what] if deed in ("grasp", "additive") else []))]

    def sentence(self, key: str) -> str:
        """A step as the guidelines say it."""
        return self._says.get(key, key)

    def goal(self, order: MachineOrder) -> tuple[Condition, ...]:
        """What holds when an order is finished: everything is out again, and the hand empty."""
        return tuple(self.world.relations[name].condition({}) for name in ("all_returned", "hand_empty"))

    def _call(self, deed: str, *given: str) -> Step:
        skill = self.world.skills[self._skill[deed]]
        names = [parameter.name for parameter in skill.signature.parameters]
        return skill.step(dict(zip(names, given, strict=False)) if given else {"minutes": 5} if deed == "wait" else {})

    # What is really so ------------------------------------------------------------------------------------------------

    def missing(self, order: MachineOrder) -> str:
        """Why not exactly the things ordered are ready and at their place, treated with what was ordered."""
        wanted, there = Tally(dict(order.items)), self.world.items_at(self._finished)
        if there != wanted:
            return f"at the {self._finished}: {_listed(there)}; ordered: {_listed(wanted)}"
        places = self.world.process.known.places
        unready = [n for n, place in places.items() if place == self._finished and not self.world.ready(n)]
        if unready:
            return f"not {self.world.scene.ready}: {', '.join(unready)}"
        if {*self.world.additives_used()} != {order.additive}:
            return f"treated with {', '.join(str(each) for each in self.world.additives_used())}"
        return "something is left in the gripper" if self.world.holding() else ""

    def spoiled(self, order: MachineOrder) -> str:
        """What was put in that nobody ordered, or treated with something else; nothing if all is well."""
        inside = Tally(kind_without_number(name) for name in self.world.loaded_now())
        if extra := inside - Tally(dict(order.items)):
            return f"in the {self.world.scene.machine} without being ordered: {_listed(extra)}"
        wrong = [each for each in self.world.additives_used() if each != order.additive]
        return f"treated with {wrong[0]}" if wrong else ""


def _listed(counts: Tally[str]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "nothing"
