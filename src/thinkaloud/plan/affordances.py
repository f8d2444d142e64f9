"""What can be done now, and how likely each step is to work, according to the value functions of the robot's skills.

A skill without an affordance has the value 1 if its preconditions allow the step, and 0 otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from thinkaloud.errors import BadInput, SkillError, describe_fault
from thinkaloud.language.name_matching import all_names, restrict_vocabulary, things_in
from thinkaloud.records import Observation, Step
from thinkaloud.skills import Skill, Vocabulary
from thinkaloud.worlds import World

_MOST_OFFERED = 400
"""Up to this many skill calls are weighed; if there are more, only those about things in view or named."""


@dataclass(frozen=True, slots=True)
class ValuedStep:
    """A step, and how likely it is to work now, 0 to 1."""

    step: Step
    value: float


def valued_steps(world: World, scene: Observation, request: str = "") -> list[ValuedStep]:
    """Return every step that could work now; BadInput if a value function does not return a number."""
    vocabulary = _limited(world, scene, request)
    found = []
    for skill in world.skills.values():
        for call in skill.signature.calls(vocabulary, most=_MOST_OFFERED):
            step = skill.step(call)
            if (value := read_value(skill, step, scene)) > 0.0:
                found.append(ValuedStep(step, value))
    return found[:_MOST_OFFERED]


def read_value(skill: Skill, step: Step, scene: Observation) -> float:
    """Return how likely a step is to work, by the skill's value function; BadInput if it is no number from 0 to 1."""
    if skill.affordance is None:
        try:
            skill.refuse(step.arguments, scene)
        except SkillError:
            return 0.0
        return 1.0
    try:
        value: object = skill.affordance(scene, **step.arguments)
    except Exception as error:  # a robot builder's own code: without a value, do nothing
        raise BadInput(f"The affordance of {skill.name} failed for {step.words!r}: {describe_fault(error)}") from None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise BadInput(
            f"The affordance of {skill.name} for {step.words!r} is {value!r}; it must be a number from 0 to 1. "
            "The robot does not move until this is fixed."
        )
    return float(value)


def _limited(world: World, scene: Observation, request: str) -> Vocabulary:
    """Return the vocabulary or, if that is too long, the part of it that is in view or was named."""
    ways = sum(len(skill.signature.calls(scene.vocabulary, most=_MOST_OFFERED * 10)) for skill in world.skills.values())
    if ways <= _MOST_OFFERED and all(_is_few(skill, scene.vocabulary) for skill in world.skills.values()):
        return scene.vocabulary
    names = all_names(scene.vocabulary)
    near = [*things_in(request, names), *scene.objects]
    for count in (len(near), 24, 12, 6):
        some = restrict_vocabulary(scene.vocabulary, {*near[:count]})
        if all(_is_few(skill, some) for skill in world.skills.values()):
            break
    return some


def _is_few(skill: Skill, vocabulary: Vocabulary) -> bool:
    options = [p.options(vocabulary) for p in skill.signature.parameters if p.default is None]
    if any(each is None for each in options):
        return True  # free text or a number: such a skill cannot be weighed, so it is left out
    return math.prod(len(each or ()) for each in options) <= _MOST_OFFERED
