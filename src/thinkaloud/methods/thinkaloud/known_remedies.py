"""Remedies that need no model: what helped before in the task, and what ends the state a failure mentions.

One drawer was locked, and unlocking it helped; the next drawer is locked, too. "It cannot eat with the hood on", and
there is one way to change something about that bird's hood.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from thinkaloud.errors import SkillError
from thinkaloud.methods.thinkaloud.current_requests import promises_of_step
from thinkaloud.monologue import Monologue
from thinkaloud.records import Observation, Plan, Step
from thinkaloud.worlds.contract import World, surely_holds
from thinkaloud.worlds.effects import is_told_by_effects

AS_BEFORE = "As before, this may help:"


def find_known_remedy(failed: Step | None, trouble: str, monologue: Monologue, world: World) -> Step | None:
    """Return the step that helped against the same trouble, with the current things; None if there is none.

    `trouble` begins with the words of the failed step. Each remedy is tried once per trouble: what did not help is not
    repeated.
    """
    if failed is None:
        return None
    scene = monologue.last(Observation)
    proposed = [plan.steps[0] for plan in monologue.in_task(Plan) if plan.verbatim and plan.steps]
    worked = monologue.worked()
    for remedy in reversed(proposed):
        then = worked[worked.index(remedy) + 1 :] if remedy in worked else []
        for before in then:
            if before.skill != failed.skill or not _is_same(remedy.reason, before, trouble, failed):
                continue
            now = {
                before.arguments[name]: value for name, value in failed.arguments.items() if name in before.arguments
            }
            skill = world.skills[remedy.skill]
            arguments = {name: now.get(value, value) for name, value in remedy.arguments.items()}
            try:
                checked = skill.signature.check(arguments, scene.vocabulary if scene else {})
            except SkillError:
                continue
            step = skill.step(checked, reason=trouble)
            if step not in proposed:
                return step
    return None


def changes_nothing(step: Step, world: World) -> bool:
    """Whether all known effects of a step already hold."""
    promised, skill = promises_of_step(step, world), world.skills[step.skill]
    told = is_told_by_effects(skill, step.arguments, world)
    return told and all(surely_holds(world, each) for each in promised)


def find_only_way(failed: Step, bears_on: Callable[[Step], bool], scene: Observation, world: World) -> Step | None:
    """Return the only step with things of the failed one that relates to the failure and would change something, if
    any."""
    about = {*failed.arguments.values()}
    found: list[Step] = []
    for skill in world.skills.values():
        calls = skill.signature.calls(scene.vocabulary) if skill.signature.name != failed.skill else []
        steps = [skill.step(call) for call in calls if call and {*call.values()} <= about]
        helpful = (each for each in steps if promises_of_step(each, world) and not changes_nothing(each, world))
        found += filter(bears_on, helpful)
    return found[0] if len(found) == 1 else None


def _is_same(told: str, before: Step, trouble: str, failed: Step) -> bool:
    """Whether two troubles differ only in the things of their steps."""
    if not told.startswith(before.words):
        return False
    return _form(told.removeprefix(before.words), before) == _form(trouble.removeprefix(failed.words), failed)


def _form(words: str, step: Step) -> str:
    """Replace the values of arguments in words by the names of the arguments."""
    for name, value in sorted(step.arguments.items(), key=lambda each: -len(str(each[1]))):
        words = re.sub(rf"(?<!\w){re.escape(str(value))}(?!\w)", f"{{{name}}}", words, flags=re.IGNORECASE)
    return words
