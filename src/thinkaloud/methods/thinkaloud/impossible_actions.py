"""Skips the actions that cannot be done, says so, and does the others; all of it is read from the monologue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from thinkaloud.methods.thinkaloud.current_requests import Work, promises_of_step
from thinkaloud.monologue import Monologue
from thinkaloud.records import Started, Step
from thinkaloud.skills.built_in_steps import SAY, say
from thinkaloud.worlds.contract import World
from thinkaloud.worlds.effects import waits_for

COULD_NOT = "I could not do this: "
_GO_ON = " I go on with the rest."


def skip_part(step: Step, why: str, left: Sequence[Step], world: World) -> Step | None:
    """Return what to say if one of the remaining actions is given up; None if the others depend on it."""
    others = [action for action in left if action != step]
    if step not in left or not others:
        return None
    about = {value for value in step.arguments.values() if isinstance(value, str)}
    if any(about & {*action.arguments.values()} or waits_for(action, step, world) for action in others):
        return None
    return say(f"{COULD_NOT}{step.words} {why}{_GO_ON}")


def find_skipped_parts(work: Work, monologue: Monologue) -> dict[str, str]:
    """Return the actions that were given up while the others continued, each by its words, with the explanation."""
    told = [each.step.arguments.get("text", "") for each in monologue.since(work.since, Started) if _speaks(each.step)]
    found: dict[str, str] = {}
    for text in map(str, told):
        for action in work.actions:
            if text.startswith(f"{COULD_NOT}{action.words} ") and text.endswith(_GO_ON):
                found[action.words] = text.removesuffix(_GO_ON)
    return found


def without_skipped_parts(work: Work, given_up: dict[str, str], world: World) -> Work:
    """Return the work without the actions that were given up, and without goals that only they would reach."""
    if not given_up:
        return work
    actions = tuple(action for action in work.actions if action.words not in given_up)
    kept = {each.words for action in actions for each in promises_of_step(action, world)}
    over = {
        each.words for action in work.actions if action not in actions for each in promises_of_step(action, world)
    } - kept
    return replace(work, actions=actions, goals=tuple(each for each in work.goals if each.words not in over))


def _speaks(step: Step) -> bool:
    return step.skill == SAY
