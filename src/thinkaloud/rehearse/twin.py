"""Rehearse a plan in a twin of the world: do its steps there, one by one, until the first problem."""

from __future__ import annotations

import asyncio
import time

from thinkaloud.episode.ticks import Interrupted, Pace, pacing, rehearsal_watcher
from thinkaloud.errors import BadInput, SkillError, ThinkaloudError, UnknownName
from thinkaloud.monologue import Monologue
from thinkaloud.records import Arguments, Plan, Rehearsal, Step, writable
from thinkaloud.skills import Skill
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.skills.self_repair import SelfRepair, allowing_repairs
from thinkaloud.state.predicted_state import nothing_follows
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Guarded, Twinned, find_ability
from thinkaloud.worlds.invariants import find_broken, invariants_of, tell_never


class Twin:
    """Tries plans in copies of a world; each rehearsal begins with a fresh copy.

    With `fixes`, a step may also fix that many problems by itself, as in the real run.
    """

    def __init__(self, world: World, fixes: int = 0) -> None:
        self._fixes = fixes
        twinned = find_ability(world, Twinned)
        if twinned is None:
            raise BadInput(
                f"The world {world.name!r} has no twin to rehearse in: add a method twin(), "
                "or turn rehearsals off with simulator=off."
            )
        self._world: Twinned = twinned

    async def rehearse(self, plan: Plan, monologue: Monologue) -> Rehearsal:
        """Whether all the steps can be done in the world as it is now, or the first that cannot and why.

        The mind's own steps (say, note) are skipped. Other tasks get a turn of the event loop at every tick.
        """
        began = time.perf_counter()
        try:
            twin = self._world.twin()
        except NotImplementedError as error:
            why = f"The world {self._world.name!r} cannot be rehearsed: {str(error) or 'it cannot be copied'}"
            return Rehearsal(False, None, writable(why), seconds=time.perf_counter() - began)
        start, trouble, at = twin.clock.now(), "", None
        gone: Step | None = None
        never = invariants_of(twin, twin.observe().vocabulary) if find_ability(twin, Guarded) is not None else ()
        broken = find_broken(twin, never)
        for number, step in enumerate(plan.steps):
            if step.skill in STEPS:
                continue
            await _turn()
            trouble = nothing_follows(gone) if gone is not None else await _tried(twin, step, self._fixes)
            trouble = trouble or tell_never(find_broken(twin, never) - broken)
            if trouble:
                at = number
                break
            gone = step if twin.skills[step.skill].last else None
        lasted = round(twin.clock.now() - start, 6)
        return Rehearsal(not trouble, at, writable(trouble), lasted, time.perf_counter() - began)


async def _tried(twin: World, step: Step, fixes: int) -> str:
    """What went wrong with a step, or nothing."""
    skill = twin.skills.get(step.skill)
    if skill is None:
        return str(UnknownName("skill", step.skill, twin.skills))
    watcher = rehearsal_watcher.get()
    shown = [] if watcher is None else [lambda: watcher(twin)]
    try:
        with pacing(Pace(listeners=shown, wait=_turn)), allowing_repairs(fixes) as repair:
            arguments = await _ready(twin, skill, step, repair)
            report = await skill.run(arguments)
    except (SkillError, Interrupted) as error:
        return str(error)
    except Exception as error:  # the robot's own code
        return f"{step.skill} raised {type(error).__name__}: {error}"
    try:
        wrong = _broken(twin, skill, arguments)
    except Exception as error:
        fault = "" if isinstance(error, ThinkaloudError) else f"{type(error).__name__}: "
        wrong = f"What {step.skill} did cannot be checked: {fault}{error}"
    return f"{report} {wrong}".strip() if wrong else ""


async def _ready(twin: World, skill: Skill, step: Step, repair: SelfRepair) -> Arguments:
    """The arguments, once no precondition is violated; raises SkillError with the violation."""
    while True:
        try:
            return skill.refuse(step.arguments, twin.observe())
        except SkillError as error:
            if skill.fix is None or not repair.allows():
                raise
            repair.note(str(error), "")
            await skill.fix(str(error), **skill.signature.check(step.arguments, twin.observe().vocabulary))


def _broken(twin: World, skill: Skill, arguments: Arguments) -> str:
    """Which declared effects do not hold, or what the skill's own check found."""
    missing = [c.words for c in skill.promises(arguments, twin.relations) if not twin.holds(c)]
    if missing:
        return f"Not so: {' '.join(missing)}"
    return str(skill.check(**arguments) or "") if skill.check is not None else ""


async def _turn() -> None:
    await asyncio.sleep(0)
