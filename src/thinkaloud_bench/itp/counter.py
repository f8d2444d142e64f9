"""A counter at which things are put into a vessel, layer by layer: the judge and the expert of the world `drinks`."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence

from thinkaloud.records import Condition, Step
from thinkaloud_bench.itp.episodes import CounterOrder, OrderEpisode
from thinkaloud_bench.itp.expected_steps import CounterState, ExpectedSteps, can_become, expected_at_counter
from thinkaloud_bench.itp.matching import Matcher
from thinkaloud_worlds.drinks import Drinks, read_counter_scene

_ENOUGH = 0.6
"""The share of a portion that has to be in."""
_TRACE = 1.0  # ml of something else that nobody tastes
_SPILLED = 5.0  # ml beside the vessel that are no mishap


class CounterDomain:
    """What is in which vessel, and how to get it there."""

    def __init__(self, episode: OrderEpisode, seed: int) -> None:
        self.world = Drinks(read_counter_scene(episode.scene) if episode.scene else None)
        self.world.reset(seed)
        self._says = episode.says
        scene = self.world.scene
        self._places = scene.called
        self._portions = {each.name: each.portion for each in scene.ingredients}
        materials = {key.removeprefix("add ") for key in episode.says if key.startswith("add ")}
        self._matcher = Matcher(episode.says, materials | {*self._portions})

    # Steps ------------------------------------------------------------------------------------------------------------

    def expected(self, order: CounterOrder) -> ExpectedSteps:
        """What is left to do for an order, as things really are."""
        there, finished = self._vessel()
        if there is None:
            return expected_at_counter(order, CounterState())
        return expected_at_counter(order, CounterState(tuple(self._amounts(there)), finished))

    def lines(self, lines: Sequence[str]) -> list[str | None]:
        """The steps that lines of a plan mean."""
        return self._matcher.lines(lines)

    def calls(self, calls: Sequence[Step]) -> list[str | None]:
        """The steps that calls of skills amount to: to grasp and to place is one step."""
        found, taken_from = list[str | None](), ""
        for call in calls:
            place = str(call.arguments.get("location", ""))
            if call.skill.startswith("grasp_"):
                taken_from = place
            elif call.skill.startswith("place_"):
                fresh = taken_from in ("", self._places.stack)
                steps = {self._places.finished: "finish", self._places.waste: "discard"}
                found.append("get" if fresh and place == self._places.work else steps.get(place))
            elif call.skill.startswith(("pour", "scoop")):
                found.append(f"add {self._ingredient(call)}" if place == self._places.work else None)
            else:
                found.append(None)
        return found

    def how(self, key: str) -> list[Step]:
        """The calls that carry out a step, as things really are."""
        places = self._places
        if key == "get":
            return self._carry(places.stack, places.work)
        if key == "discard":
            return self._carry(places.work if self.world.cups_at(places.work) else places.finished, places.waste)
        if key == "finish":
            return self._carry(places.work, places.finished)
        away = [] if self.world.holding() is None else [self._call("place_", location=places.work)]
        return [*away, self._adding(key.removeprefix("add "))]

    def sentence(self, key: str) -> str:
        """A step as the guidelines say it."""
        return self._says.get(key, key)

    def goal(self, order: CounterOrder) -> tuple[Condition, ...]:
        """What holds when an order is finished."""
        place, relations = self._places.finished, self.world.relations
        inside = [
            relations["has"].condition({"location": place, "ingredient": material}) for material in order.materials
        ]
        return (relations["cup_at"].condition({"location": place}), *inside, relations["hand_empty"].condition({}))

    def _carry(self, source: str, target: str) -> list[Step]:
        grasp = [] if self.world.holding() is not None else [self._call("grasp_", location=source)]
        return [*grasp, self._call("place_", location=target)]

    def _adding(self, material: str) -> Step:
        place = self._places.work
        for name, skill in self.world.skills.items():
            kinds = {p.name: p.kind for p in skill.signature.parameters}
            if name.startswith("scoop_") and self._scooped(material):
                return skill.step({"location": place} | ({"ingredient": material} if "ingredient" in kinds else {}))
        return self._call("pour", location=place, ingredient=material)

    def _scooped(self, material: str) -> bool:
        return any(each.name == material and each.scooped for each in self.world.scene.ingredients)

    def _call(self, begins: str, **arguments: str) -> Step:
        name = next(name for name in self.world.skills if name.startswith(begins))
        return self.world.skills[name].step(arguments)

    def _ingredient(self, call: Step) -> str:
        """What a call adds; a scoop whose name says what it scoops has no argument for that."""
        scooped = [each.name for each in self.world.scene.ingredients if each.scooped]
        return str(call.arguments.get("ingredient", scooped[0] if len(scooped) == 1 else ""))

    # What is really so ------------------------------------------------------------------------------------------------

    def missing(self, order: CounterOrder) -> str:
        """Why the order is not there, alone and as it should be; nothing if it is."""
        finished = self.world.cups_at(self._places.finished)
        if len(finished) != 1:
            return f"{len(finished)} at the {self._places.finished}"
        return self._wrong_inside(finished[0], order) or self._untidy()

    def spoiled(self, order: CounterOrder) -> str:
        """Why what is at work can no longer become the order, or what was lost or spilled; nothing if all is well."""
        there, _ = self._vessel()
        if there is not None and not can_become(tuple(self._amounts(there)), order):
            return f"there is {', '.join(self._amounts(there))} in it"
        if self.world.cups_at(self._places.waste):
            return "something was thrown away"
        if self.world.holding() is not None:
            return "something is left in the gripper"
        return self._mishap()

    def _vessel(self) -> tuple[str | None, bool]:
        """What is being made, and whether it counts as finished."""
        for vessel in (*self.world.cups_at(self._places.work), self.world.holding()):
            if vessel is not None:
                return vessel, False
        finished = self.world.cups_at(self._places.finished)
        return (finished[0], True) if finished else (None, False)

    def _amounts(self, vessel: str) -> dict[str, float]:
        """What is in a vessel, in the order in which it first went in; traces left out."""
        found = Tally[str]()
        for material, amount in self.world.contents(vessel):
            found[material] += amount  # type: ignore[assignment]
        return {material: amount for material, amount in found.items() if amount > _TRACE}

    def _wrong_inside(self, vessel: str, order: CounterOrder) -> str:
        inside = self._amounts(vessel)
        for material in order.materials:
            if inside.get(material, 0.0) < _ENOUGH * self._portions.get(material, 0.0):
                return f"there is no {material} in it" if material not in inside else f"there is too little {material}"
        if others := [material for material in inside if material not in order.materials]:
            return f"there is {' and '.join(others)} in it"
        rank = {material: at for at, layer in enumerate(order.layers) for material in layer}
        poured = [rank[material] for material, amount in self.world.contents(vessel) if amount > _TRACE]
        return "" if poured == sorted(poured) else f"it went in in the wrong order: {', '.join(inside)}"

    def _untidy(self) -> str:
        if self.world.holding() is not None:
            return "something is left in the gripper"
        if self.world.cups_at(self._places.work):
            return f"something is left at the {self._places.work}"
        return self._mishap()

    def _mishap(self) -> str:
        spilled = sum(self.world.spilled().values())
        if spilled > _SPILLED:
            return f"{spilled:.0f} ml were spilled"
        places = (self._places.stack, self._places.work, self._places.finished, self._places.waste)
        known = sum(len(self.world.cups_at(place)) for place in places) + (self.world.holding() is not None)
        return "" if known >= self.world.scene.vessels else f"a {self.world.scene.vessel} is lost"
