"""What is known of the world after a step, by what the skill itself declares."""

from __future__ import annotations

from collections.abc import Mapping

from thinkaloud.records import Arguments, Step, WorldState
from thinkaloud.skills import Relation, Skill
from thinkaloud.state.edit import TABLE, with_placed


def foresee(skill: Skill, arguments: Arguments, state: WorldState, relations: Mapping[str, Relation]) -> WorldState:
    """The state after a step: what the skill says is remembered of it, or else that its effects hold.

    A part of the table is the table here: what lies there is on no other thing.
    """
    if skill.remembers is not None:
        return skill.remembers(state, **arguments)
    for condition in skill.promises(arguments, relations):
        if condition.relation == "on" and {"object", "target"} <= condition.arguments.keys():
            target = str(condition.arguments["target"])
            state = with_placed(state, str(condition.arguments["object"]), target if target in state.objects else TABLE)
    return state


def can_foresee(skill: Skill, arguments: Arguments, relations: Mapping[str, Relation]) -> bool:
    """Whether `foresee` can tell all that a step changes, as far as the skill declares anything."""
    if skill.remembers is not None:
        return True
    promised = skill.promises(arguments, relations)
    return bool(promised) and all(condition.relation == "on" for condition in promised)


def nothing_follows(step: Step) -> str:
    """What is said of a step that comes after one which nothing can follow."""
    return f"After {step.words!r} nothing can be done in the same plan."
