"""When a plan has run out: what must hold now, so that the loop can check it, or why that is unknown.

What must hold follows from what the skills declare, by one rule (`find_lasting`). If the skills say what is known after
them, it is everything that differs from the first look. Otherwise it is, for each thing, the promise of the last step
that promised anything about it. Only programs, which may run in the middle of a longer conversation, use a more careful
rule (`find_untouched`): what nobody has handled since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from thinkaloud.monologue import Monologue
from thinkaloud.records import (
    Arguments,
    Condition,
    Done,
    Observation,
    Outline,
    Plan,
    Request,
    Started,
    Step,
    Verdict,
    WorldState,
)
from thinkaloud.skills import Skill
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.state.edits import HELD
from thinkaloud.state.predicted_state import AT_RELATION, find_moved_things, foresee, tells_places
from thinkaloud.state.state_history import state_of_scene
from thinkaloud.worlds import World


def conclude(world: World, monologue: Monologue, because: str, given_up: Iterable[str]) -> Plan | Done:
    """End a plan that was made for the current request and has been carried out.

    `given_up` lists the steps that failed, in words. If one of them never worked, there is nothing to check; the result
    says so instead.
    """
    latest = {verdict.step.words: verdict.ok for verdict in monologue.in_task(Verdict)}
    failed = [words for words in dict.fromkeys(given_up) if not latest[words]]
    if failed:
        return Done(f"the plan is over, and this did not work: {' '.join(failed)}", "gave up")
    steps = [started.step for started in monologue.in_task(Started) if not started.correcting]
    first = monologue.first(Observation, after=monologue.task_start())
    request = monologue.last(Request)
    goal = "" if request is None else request.text
    return check_or_done(goal, find_lasting(world, first, steps), because, monologue)


def check_or_done(
    goal: str, conditions: tuple[Condition, ...], because: str, monologue: Monologue, outline: Outline | None = None
) -> Plan | Done:
    """Return a last plan without steps that says what must hold; Done if that was already said or nothing is known."""
    if not conditions or monologue.goal() == conditions:
        return Done(because)
    return Plan(goal, conditions, (), outline=outline)


def failed_steps(monologue: Monologue) -> list[str]:
    """Return the steps for the current request that failed, in words; not the attempts to correct them."""
    failed, correcting = list[str](), False
    for record in monologue.in_task((Started, Verdict)):
        if isinstance(record, Started):
            correcting = record.correcting
        elif isinstance(record, Verdict) and not record.ok and not correcting:
            failed.append(record.step.words)
    return failed


def find_lasting(world: World, first: Observation | None, steps: Sequence[Step]) -> tuple[Condition, ...]:
    """Return what must be true after these steps and was not at the first look, before any of them.

    If things have coordinates, that is the position of each moved thing; what it is near to or on follows from that.
    """
    done = [step for step in steps if step.skill not in STEPS]
    if first is None or not any(world.skills[step.skill].remembers for step in done):
        return tuple(_last_promises(world, done))
    before = after = state_of_scene(first)
    for step in done:
        skill = world.skills[step.skill]
        after = foresee(skill, _complete(skill, step), after, world.relations)
    return tuple(_moved(world, before, after) if _measured(world, after) else _new(world, before, after))


def find_untouched(world: World, steps: Sequence[Step]) -> tuple[Condition, ...]:
    """Return what the steps promised, unless a later step took away the thing, or what it was put on."""
    found: list[Condition] = []
    for at, step in enumerate(steps):
        later = {next(iter(other.arguments.values()), None) for other in steps[at + 1 :]}
        promised = world.skills[step.skill].promises(step.arguments, world.relations)
        found += [condition for condition in promised if not later & {*condition.arguments.values()}]
    return tuple(found)


def _measured(world: World, state: WorldState) -> bool:
    """Return whether the world can say that a thing is at (x, y), and its state there."""
    return tells_places(world.relations) and any({"x", "y"} <= known.keys() for known in state.attributes.values())


def _moved(world: World, before: WorldState, after: WorldState) -> Iterator[Condition]:
    for name, x, y in find_moved_things(before, after):
        yield world.relations[AT_RELATION].condition({"object": name, "x": x, "y": y})


def _new(world: World, before: WorldState, after: WorldState) -> Iterator[Condition]:
    was = {relation.words for relation in before.relations}
    for relation in after.relations:
        if relation.words not in was and relation.relation in world.relations and relation.relation != HELD:
            yield relation


def _last_promises(world: World, steps: Sequence[Step]) -> Iterator[Condition]:
    """For every thing that steps promise something about, return the last promise."""
    latest: dict[object, list[Condition]] = {}
    for step in steps:
        skill = world.skills[step.skill]
        promised: dict[object, list[Condition]] = {}
        for condition in skill.promises(_complete(skill, step), world.relations):
            promised.setdefault(next(iter(condition.arguments.values()), None), []).append(condition)
        latest |= promised
    yield from (condition for promised in latest.values() for condition in promised)


def _complete(skill: Skill, step: Step) -> Arguments:
    """Return the arguments of a step, with defaults for those it leaves out."""
    return {p.name: p.default for p in skill.signature.parameters if p.default is not None} | dict(step.arguments)
