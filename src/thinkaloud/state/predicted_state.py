"""Predict the state after a step from what the skill itself declares."""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.records import Arguments, Step, Value, WorldState
from thinkaloud.skills import Relation, Skill
from thinkaloud.state.edits import TABLE, with_placed
from thinkaloud.state.scene_text import held_things

AT_RELATION = "at"
"""The relation with which a world says where in the plane a thing is: at(object, x, y)."""


def foresee(skill: Skill, arguments: Arguments, state: WorldState, relations: Mapping[str, Relation]) -> WorldState:
    """Return the state after a step: what the skill says is remembered, or else its effects.

    Here a part of the table counts as the table: a thing that lies there is on no other thing.
    """
    if skill.remembers is not None:
        return skill.remembers(state, **arguments)
    for condition in skill.promises(arguments, relations):
        if condition.relation == "on" and {"object", "target"} <= condition.arguments.keys():
            target = str(condition.arguments["target"])
            state = with_placed(state, str(condition.arguments["object"]), target if target in state.objects else TABLE)
    return state


def can_foresee(skill: Skill, arguments: Arguments, relations: Mapping[str, Relation]) -> bool:
    """Whether `foresee` can predict everything that a step changes, as far as the skill declares anything."""
    if skill.remembers is not None:
        return True
    promised = skill.promises(arguments, relations)
    return bool(promised) and all(condition.relation == "on" for condition in promised)


def is_so(foreseen: WorldState, before: WorldState, now: WorldState, relations: Mapping[str, Relation]) -> bool:
    """Whether all predicted changes have happened; False if none were predicted.

    The prediction covers what is in the hand, and where things are. Positions are compared by coordinates if they are
    known and the world has `at`; otherwise by the relations that are new or have ended.
    """
    was, will, is_ = ({each.words for each in state.relations} for state in (before, foreseen, now))
    if tells_places(relations) and (moved := find_moved_things(before, foreseen)):
        there = all(relations[AT_RELATION].holds(object=name, x=x, y=y) for name, x, y in moved)
        return there and set(held_things(now)) == set(held_things(foreseen))
    if set(held_things(before)) != set(held_things(foreseen)):
        return set(held_things(now)) == set(held_things(foreseen))
    return will != was and will - was <= is_ and not (was - will) & is_


def tells_places(relations: Mapping[str, Relation]) -> bool:
    """Whether the world can say that a thing is at (x, y)."""
    at = relations.get(AT_RELATION)
    return at is not None and {p.name for p in at.signature.parameters} == {"object", "x", "y"}


def find_moved_things(before: WorldState, after: WorldState) -> list[tuple[str, Value, Value]]:
    """Return each thing whose coordinates change, and the new ones; except what is in the hand."""
    held = held_things(after)
    known = {name: each for name, each in after.attributes.items() if {"x", "y"} <= each.keys() and name not in held}
    was = {name: before.attributes.get(name, {}) for name in known}
    changed = [name for name in known if any(was[name].get(axis) != known[name][axis] for axis in "xy")]
    return [(name, known[name]["x"], known[name]["y"]) for name in changed]


def nothing_follows(step: Step) -> str:
    """Return the message for a step after one that nothing can follow."""
    return f"After {step.words!r} nothing can be done in the same plan."
