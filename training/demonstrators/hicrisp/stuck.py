"""A failure, told to the real correction stack in a world where nothing moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from thinkaloud.methods.hicrisp.correction_stack import CorrectionStack
from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Plan, Request, Started, Step, Verdict
from training.demonstrators.hicrisp.planning import state_after
from training.demonstrators.hicrisp.stands import Stand
from training.teacher import Teacher


def _stated(stand: Stand, step: Step) -> Step:
    """A step as a plan has it: with the state that it leads to."""
    return replace(step, reason=state_after(stand, step.skill, {k: str(v) for k, v in step.arguments.items()}))


async def corrected(
    stand: Stand, request: str, done: Sequence[Step], failed: Step, why: str, teacher: Teacher, *, moved: bool = True
) -> Step | None:
    """What the stack does about a step that failed, after others that worked; `moved`: it did change something."""
    said, before = Monologue(stand.clock), stand.observe()
    *done, failed = (_stated(stand, step) for step in (*done, failed))
    if moved and before.state is not None:
        before = replace(before, state=replace(before.state, facts=("The robot was somewhere else.",)))
    said.append(Request(request))
    said.append(before)
    said.append(Plan(request, (), (*done, failed)))
    for step in done:
        for record in (Started(step), Outcome(step, "completed"), Verdict(step, True, "action")):
            said.append(record)
    verdict = Verdict(failed, False, "action", why=why)
    for record in (Started(failed), Outcome(failed, "failed", why), verdict):
        said.append(record)
    said.append(stand.observe())
    return await CorrectionStack(teacher, stand).correct(verdict, said)
