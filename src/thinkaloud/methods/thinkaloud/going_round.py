"""Notices that the robot goes round: it comes back to a state that it was in before, with the same goal open."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from thinkaloud.methods.thinkaloud.current_requests import Work, lost_with, promises_of_step
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Observation, Plan, Step, Value
from thinkaloud.worlds.contract import World


def has_come_round(steps: Sequence[Step], since: int, monologue: Monologue) -> bool:
    """Whether these steps were planned from the same state before, and all of them worked."""
    now = _state(monologue, None)
    for event in monologue[since:]:
        if isinstance(event.record, Plan) and event.record.steps == tuple(steps):
            worked = monologue.worked_between(event.index, None)[: len(steps)]
            if worked == [*steps] and _state(monologue, event.index) == now:
                return True
    return False


def find_rivals(work: Work, left: Sequence[Step], monologue: Monologue, world: World) -> tuple[str, ...]:
    """Return what does not stay so together, if all that is left was done and ended with another action of its kind.

    Who visits one room after another is in one of them in the end, also if nobody declared that. Such actions are an
    order and no final state: done again, each would end the others again.
    """
    lost = lost_with(work, monologue, asked=False)
    worked = monologue.worked_between(work.since, None)
    goals = {each.words: each for each in work.goals}
    ended = [each.words for step in left for each in promises_of_step(step, world) if each.words in lost]
    rivals = [words for words in ended if _is_rival(goals[words], lost[words], world)]
    done = all(step in worked and _brings(step, rivals, world) for step in left)
    return tuple(dict.fromkeys(rivals)) if done else ()


def without_rivals(work: Work, rivals: Collection[str]) -> Work:
    """Return the work without goals that do not stay so together."""
    return replace(work, goals=tuple(each for each in work.goals if each.words not in rivals))


def _brings(step: Step, conditions: Sequence[str], world: World) -> bool:
    return any(each.words in conditions for each in promises_of_step(step, world))


def _is_rival(goal: Condition, step: Step, world: World) -> bool:
    """Whether a step is for the same relation as a goal, with another last value."""
    return any(
        each.relation == goal.relation and each != goal and _but_last(each) == _but_last(goal)
        for each in promises_of_step(step, world)
    )


def _but_last(condition: Condition) -> list[Value]:
    return [*condition.arguments.values()][:-1]


def _state(monologue: Monologue, before: int | None) -> frozenset[str] | None:
    """What was known to be so at an event."""
    look = monologue.last(Observation, before=before)
    return None if look is None or look.state is None else frozenset(each.words for each in look.state.relations)
