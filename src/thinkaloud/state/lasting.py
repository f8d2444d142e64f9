"""What has to be true in the end, by what the skills declare of the steps that were taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thinkaloud.own_steps import STEPS
from thinkaloud.records import Arguments, Condition, Observation, Step, WorldState
from thinkaloud.skills import Skill
from thinkaloud.state.edit import HELD
from thinkaloud.state.foresight import foreseen
from thinkaloud.state.memory import state_of_scene
from thinkaloud.worlds import World

_AT = "at"
"""The relation by which a world says where in the plane a thing is: at(object, x, y)."""


def lasting(world: World, first: Observation, steps: Sequence[Step]) -> tuple[Condition, ...]:
    """What must be true after these steps and was not at the first look, the one before any of them.

    Where things have coordinates, that is where each thing that was moved is now: what it is near to or on follows.
    """
    done = [step for step in steps if step.skill not in STEPS]
    if not any(world.skills[step.skill].remembers for step in done):
        return tuple(_promised(world, done))
    before = after = state_of_scene(first)
    for step in done:
        skill = world.skills[step.skill]
        after = foreseen(skill, _complete(skill, step), after, world.relations)
    return tuple(_moved(world, before, after) if _measured(world, after) else _new(world, before, after))


def _measured(world: World, state: WorldState) -> bool:
    """Whether the world can say of a thing that it is at (x, y), and its state where that is."""
    at = world.relations.get(_AT)
    told = any({"x", "y"} <= known.keys() for known in state.attributes.values())
    return told and at is not None and {p.name for p in at.signature.parameters} == {"object", "x", "y"}


def _moved(world: World, before: WorldState, after: WorldState) -> Iterator[Condition]:
    held = {value for relation in after.relations if relation.relation == HELD for value in relation.arguments.values()}
    for name, known in after.attributes.items():
        was = before.attributes.get(name, {})
        if {"x", "y"} <= known.keys() and name not in held and any(was.get(axis) != known[axis] for axis in "xy"):
            yield world.relations[_AT].condition({"object": name, "x": known["x"], "y": known["y"]})


def _new(world: World, before: WorldState, after: WorldState) -> Iterator[Condition]:
    was = {relation.words for relation in before.relations}
    for relation in after.relations:
        if relation.words not in was and relation.relation in world.relations and relation.relation != HELD:
            yield relation


def _promised(world: World, steps: Sequence[Step]) -> Iterator[Condition]:
    """What the steps promised, unless a later one promised something else of the same thing."""
    latest: dict[tuple[str, object], Condition] = {}
    for step in steps:
        skill = world.skills[step.skill]
        for condition in skill.promises(_complete(skill, step), world.relations):
            latest[condition.relation, next(iter(condition.arguments.values()), None)] = condition
    yield from latest.values()


def _complete(skill: Skill, step: Step) -> Arguments:
    """The arguments of a step with the defaults of those that it leaves out."""
    return {p.name: p.default for p in skill.signature.parameters if p.default is not None} | dict(step.arguments)
