"""A plan that has run out: what has to be true now, so that it is checked; or why that cannot be said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Done, Observation, Plan, Request, Started, Step, Verdict
from thinkaloud.state.lasting import lasting
from thinkaloud.worlds import World


def failed_steps(monologue: Monologue) -> list[str]:
    """The steps for the request at hand that failed, in words; not what was tried to put them right."""
    failed, correcting = list[str](), False
    for record in monologue.since(monologue.task_start(), (Started, Verdict)):
        if isinstance(record, Started):
            correcting = record.correcting
        elif isinstance(record, Verdict) and not record.ok and not correcting:
            failed.append(record.step.words)
    return failed


def conclude(world: World, monologue: Monologue, because: str, given_up: Iterable[str]) -> Plan | Done:
    """A plan that is over: what it was to come to, so that this is checked; or that it is done, if that was said.

    `given_up`: the steps that failed, in words. Where one of them never worked, there is nothing to check: that is said
    instead.
    """
    start = monologue.task_start()
    latest = {verdict.step.words: verdict.ok for verdict in monologue.since(start, Verdict)}
    failed = [words for words in dict.fromkeys(given_up) if not latest[words]]
    if failed:
        return Done(f"the plan is over, and this did not work: {' '.join(failed)}", "gave up")
    steps = [started.step for started in monologue.since(start, Started) if not started.correcting]
    first = next(iter(monologue.since(start, Observation)), None)
    if first is not None and any(world.skills[step.skill].remembers for step in steps):
        conditions = list(lasting(world, first, steps))
    else:
        conditions = outcomes_of(world, steps)
    request = monologue.last(Request)
    if request is None or monologue.goal() or not conditions:
        return Done(because)
    return Plan(request.text, tuple(conditions), ())


def outcomes_of(world: World, steps: Sequence[Step]) -> list[Condition]:
    """What the plan comes to: of every thing that steps promise something about, what the last of them promises."""
    latest: dict[object, list[Condition]] = {}
    for step in steps:
        promised: dict[object, list[Condition]] = {}
        for condition in world.skills[step.skill].promises(step.arguments, world.relations):
            promised.setdefault(next(iter(condition.arguments.values()), None), []).append(condition)
        latest |= promised
    return [condition for promised in latest.values() for condition in promised]
