"""What goes wrong in homes, and what is done about it: plans that left something out, and actions without effect."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np

from thinkaloud.episode.ticks import Pace
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.methods.hicrisp.correction_stack import CorrectionStack
from thinkaloud.methods.hicrisp.expected_states import IntermediateStates
from thinkaloud.methods.hicrisp.failure_history import under_way
from thinkaloud.monologue import Monologue
from thinkaloud.records import Outcome, Plan, Request, Started, Step
from thinkaloud_worlds.household import Household
from training.demonstrators.hicrisp.advice import Stuck, answered
from training.demonstrators.hicrisp.homes import Wanted, home_of
from training.demonstrators.hicrisp.household import wishes
from training.demonstrators.hicrisp.planning import Names, Unknown, step_of
from training.samples import Sample
from training.teacher import Teacher

Rng = np.random.Generator
_LEFT_OUT = {"Find": 0.4, "Walk": 0.3, "Open": 0.6, "Grab": 0.3, "Turn": 0.6, "Close": 0.1, "Sit": 0.1, "Plug": 0.3}
"""How often such a step is forgotten."""


def forgetful(rng: Rng, steps: Sequence[str], wanted: Wanted) -> list[str]:
    """The steps of somebody who forgets some, and who sat down or took things into both hands before."""
    kept = [step for step in steps if rng.random() >= _LEFT_OUT.get(step.split()[0], 0.0)] or list(steps)
    before: list[str] = []
    used = " ".join(steps)
    for name, kind in wanted.kinds.items():
        if kind in ("seat", "bed") and rng.random() < 0.12 and not before:
            before = [f"Find the {name}.", f"{'Sit' if kind == 'seat' else 'Lie'} down on the {name}."]
        elif kind == "misc" and rng.random() < 0.12 and name not in used and len(before) < 4:
            before = [*(step for step in before if "down" not in step), f"Find the {name}.", f"Grab the {name}."]
    return [*before, *kept]


def _begun(world: Household, request: str, steps: Sequence[Step]) -> Monologue:
    said = Monologue(world.clock)
    for record in (Request(request), world.observe(), Plan(request, (), tuple(steps))):
        said.append(record)
    return said


async def carried_out(
    world: Household,
    request: str,
    steps: Sequence[Step],
    teacher: Teacher,
    *,
    fixes: int = 3,
    slips: str = "",
    times: int = 0,
) -> Monologue:
    """A plan carried out as HiCRISP does it: every failure goes to the stack, until it is put right or given up.

    `slips`: the step, in words, that comes to nothing so many times, whatever it reports.
    """
    said, stack = _begun(world, request, steps), CorrectionStack(teacher, world)
    body, eyes = CallSkill(world, fixes=fixes), IntermediateStates(world)
    for planned_step in steps:
        step: Step | None = planned_step
        correcting = False
        while step is not None:
            said.append(Started(step, correcting))
            if step.words == slips and times > 0:
                times -= 1
                line = world.line_of(step.skill, *map(str, step.arguments.values()))
                outcome = Outcome(step, "completed", f"Done: {line}")
            else:
                outcome = await body.execute(step, said, Pace(hear=lambda: None))
            said.append(outcome)
            verdict = await eyes.verify(outcome, said)
            said.append(verdict)
            said.append(world.observe())
            step = None
            if under_way(said) is not None:
                step, correcting = await stack.correct(verdict, said), True
    return said


def corrections(rng: Rng) -> Iterator[Sample]:
    """What is said about failures: of plans that left something out, and of actions that came to nothing."""
    wanted, found = wishes(rng)
    home = home_of(wanted, others=int(rng.integers(2, 8)), twice=0.05)
    for wish in found:
        world = Household(home)
        slipping = rng.random() < 0.2
        words = list(wish.steps) if slipping else forgetful(rng, wish.steps, wanted)
        teacher = Teacher(answered, "hicrisp.corrector", check=False)  # it looks at the grammar itself
        with suppress(Stuck, Unknown):
            steps = [step_of(world, each) for each in Names(world).resolve(words)]
            slips = steps[int(rng.integers(len(steps)))].words if slipping else ""
            times, fixes = int(rng.choice([1, 1, 1, 2, 3, 4])), 3 if rng.random() < 0.4 else 0
            asyncio.run(carried_out(world, wish.request, steps, teacher, fixes=fixes, slips=slips, times=times))
        yield from teacher.samples
