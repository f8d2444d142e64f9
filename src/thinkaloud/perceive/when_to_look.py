"""When and how to look: once, after every step, with the goal in mind (Inner Monologue's variants), or on request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Look, Observation, Outcome, Request, Value, WorldState
from thinkaloud.skills.signatures import Vocabulary
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Measured, Scanning, doubt_of, find_ability, holds_in, surely_holds, tell
from thinkaloud.worlds.full_world import is_opposite


class LookOnce:
    """Sees the objects when a request arrives, and never again: the open loop."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """Return the scene, once per request."""
        if monologue.where(Observation, after=monologue.task_start()) is not None:
            return None
        return self._world.observe()


class LookAfterEachStep:
    """Sees which objects are in view and which have disappeared."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """Return the current scene."""
        return self._world.observe()


class WatchProgress:
    """Sees the objects, and which of the planner's own goal conditions hold now (the paper's Scene feedback)."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """Return the current scene and the progress in it."""
        achieved = self._achieved(monologue.goal())
        return replace(self._world.observe(), achieved=achieved, doubt=doubt_of(self._world, achieved))

    def _achieved(self, wanted: Iterable[Condition]) -> tuple[Condition, ...]:
        """Which of these hold; raises what the robot's own code raises."""
        return tuple(condition for condition in wanted if holds_in(self._world, condition))


def relations_in(world: World, scene: Observation) -> WorldState:
    """Return what is known of a scene, with all the relations that hold in it."""
    known = scene.state or WorldState(scene.objects)
    told = {condition.words for condition in known.relations}
    every = (
        (relation, call) for relation in world.relations.values() for call in relation.signature.calls(scene.vocabulary)
    )
    more = [r.condition(call) for r, call in every if world.holds(Condition(r.signature.name, call, ""))]
    return replace(known, relations=(*known.relations, *(each for each in more if each.words not in told)))


class ScanOnOrder(WatchProgress):
    """The same; if the planner asks for it, look from all sides and find what was hidden or added."""

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """Return the current scene, looked at more closely after a Look."""
        cause = monologue.last((Look, Request, Outcome))  # a resumed run has to look again, too
        scanning = find_ability(self._world, Scanning)
        if isinstance(cause, Look) and scanning is not None:
            scanning.rescan()  # what the scan finds stays known
        return await super().perceive(monologue)


class WatchFacts(ScanOnOrder):
    """Sees the progress and all that is known: what holds in view now, and what was last known of things out of sight.

    Relations are checked one by one if there are few enough. In a larger world, only what the look reports counts. If
    skills declare that they change values, the values of single things are read, too. What the robot's own code fails
    to tell is neither so nor not so: it is `untold`, and no goal is met by it.
    """

    def __init__(self, world: World, most: int = 400) -> None:
        super().__init__(world)
        self._most = most

    async def perceive(self, monologue: Monologue) -> Observation | None:
        """Return the current scene, the progress in it, and what is known by now."""
        scene = await super().perceive(monologue)
        return None if scene is None else replace(scene, state=self._known(scene, monologue.last(Observation)))

    def _achieved(self, wanted: Iterable[Condition]) -> tuple[Condition, ...]:
        return tuple(condition for condition in wanted if surely_holds(self._world, condition))

    def _known(self, scene: Observation, before: Observation | None) -> WorldState:
        told = scene.state or WorldState(scene.objects)
        known = {condition.words: condition for condition in told.relations}
        asked, untold = set[str](), list[str]()
        for name, relation in self._world.relations.items():
            if is_opposite(name):
                continue
            calls = relation.signature.calls(scene.vocabulary, most=self._most)
            if relation.signature.parameters and not calls:
                continue
            asked.add(name)
            for call in calls or [{}]:
                condition = relation.condition(call)
                if (so := tell(self._world, condition)) is None:
                    untold.append(condition.words)
                if so:
                    known[condition.words] = condition
                else:
                    known.pop(condition.words, None)
        hidden = {*scene.hidden} - {*scene.objects}
        former = () if before is None or before.state is None else before.state.relations
        for condition in former:
            out_of_sight = any(value in hidden for value in condition.arguments.values())
            if condition.relation not in asked and out_of_sight:
                known.setdefault(condition.words, condition)
        values = self._with_values(told, scene.vocabulary)
        return replace(told, relations=tuple(known.values()), attributes=values, untold=tuple(untold))

    def _with_values(self, told: WorldState, vocabulary: Vocabulary) -> dict[str, dict[str, Value]]:
        """What is known of single things, with the values that the look does not report."""
        found = {thing: dict(known) for thing, known in told.attributes.items()}
        able = find_ability(self._world, Measured)
        if able is None or not any(skill.changes for skill in self._world.skills.values()):
            return found
        for name, measure in able.measures.items():
            parameters = measure.signature.parameters
            calls = measure.signature.calls(vocabulary, most=self._most) if len(parameters) == 1 else []
            for thing, call in ((str(call[parameters[0].name]), call) for call in calls):
                try:
                    value = measure.read(**call)
                except Exception:  # a robot builder's own code: if it fails, the value is unknown
                    continue
                if name not in found.get(thing, {}) and isinstance(value, str | int | float):
                    found.setdefault(thing, {})[name] = value
        return found
