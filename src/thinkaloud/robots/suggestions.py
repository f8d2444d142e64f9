"""Requests to try first in a world that declares none: sentences of the robot's own skills that can be done now.

Each was tried in a twin of the world. No model is asked, so nothing says that one would understand them.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from thinkaloud.episode.ticks import Pace, pacing
from thinkaloud.records import Step
from thinkaloud.robots.example_requests import possible_steps
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Guarded, Twinned, find_ability
from thinkaloud.worlds.invariants import find_broken, invariants_of

_MOST = 3
_ENOUGH_TIME = 10.0
"""Seconds of trying, after which no other sentence is tried."""


def suggest_requests(world: World) -> tuple[str, ...]:
    """At most three sentences; the last, if there is one, says two things in a row."""
    with suppress(Exception):  # the robot's own code: `thinkaloud check` tells what is wrong with it
        return asyncio.run(_suggest(world))
    return ()


async def _suggest(world: World) -> tuple[str, ...]:
    world.reset(0)
    until = time.monotonic() + _ENOUGH_TIME
    possible: list[Step] = []
    for step in possible_steps(world):
        if len(possible) > _MOST or time.monotonic() > until:
            break
        if await _can_be_done(world, step):
            possible.append(step)
    alone = [step.words for step in possible]
    for second in possible[1:]:
        if time.monotonic() < until and await _follows(world, possible[0], second):
            later = second.words[:1].lower() + second.words[1:]
            return (*alone[: _MOST - 1], f"{possible[0].words.rstrip('.')}, then {later}")
    return tuple(alone[:_MOST])


async def _can_be_done(world: World, step: Step) -> bool:
    """Whether a step comes out as declared in a twin; without one, nothing prevents it now, as far as is known."""
    twinned = find_ability(world, Twinned)
    return twinned is None or await _does(twinned.twin(), step)


async def _follows(world: World, first: Step, second: Step) -> bool:
    """Whether both can be done in a row, the second changes something after the first, and it leaves that as it is."""
    twinned = find_ability(world, Twinned)
    if twinned is None or not await _does(twin := twinned.twin(), first) or _is_so(twin, second, unless_empty=True):
        return False
    return await _does(twin, second) and _is_so(twin, first)


async def _does(twin: World, step: Step) -> bool:
    """Do a step, and find out whether its effects hold and nothing is so that must never be."""
    guarded = find_ability(twin, Guarded) is not None
    never = invariants_of(twin, twin.observe().vocabulary) if guarded else ()
    before, skill = find_broken(twin, never), twin.skills[step.skill]
    try:
        with pacing(Pace(wait=_turn)):
            await skill.run(skill.refuse(step.arguments, twin.observe()))
        wrong = skill.check is not None and skill.check(**step.arguments)
    except Exception:  # it cannot be done, or the robot's own code is wrong
        return False
    return not wrong and _is_so(twin, step) and not find_broken(twin, never) - before


def _is_so(twin: World, step: Step, *, unless_empty: bool = False) -> bool:
    """Whether what a step should bring about is so."""
    promised = twin.skills[step.skill].promises(step.arguments, twin.relations)
    return not (unless_empty and not promised) and all(map(twin.holds, promised))


async def _turn() -> None:
    await asyncio.sleep(0)
