"""Why each step is in a plan: what needs it, or what is so because of it. What a person asked for needs no reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from thinkaloud.methods.thinkaloud.current_requests import promises_of_step
from thinkaloud.plan.search import Sought
from thinkaloud.records import Step
from thinkaloud.worlds.contract import World


def with_reasons(steps: Sequence[Step], sought: Sought, world: World) -> tuple[Step, ...]:
    """The steps, each that nobody asked for with its reason: `needed for: Boil the water`."""
    return tuple(
        step
        if step.reason or step in sought.deeds
        else replace(step, reason=_reason(step, steps[at + 1 :], sought, world))
        for at, step in enumerate(steps)
    )


def _reason(step: Step, later: Sequence[Step], sought: Sought, world: World) -> str:
    brought = {condition.words for condition in promises_of_step(step, world)}
    for other in later:
        if brought & _needed_by(other, world):
            return f"needed for: {other.words.rstrip('.')}"
    wished = [each.words.rstrip(".") for each in sought.wishes if each.words in brought]
    if wished:
        return f"done for this: {wished[0]}"
    asked = next((other for other in later if other in sought.deeds), None)
    return "" if asked is None else f"done on the way to: {asked.words.rstrip('.')}"


def _needed_by(step: Step, world: World) -> set[str]:
    skill = world.skills.get(step.skill)
    try:
        return set() if skill is None else {each.words for each in skill.requires(step.arguments, world.relations)}
    except Exception:  # a robot builder's own code: if it cannot tell, nothing is declared
        return set()
