"""Requests to try first in a world that declares none: sentences of the robot's own skills that can be done now.

Each was rehearsed in a twin of the world. No model is asked, so nothing says that one would understand them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress

from thinkaloud.loop import Mind
from thinkaloud.models import Recorded, Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.presets import DEFAULT, preset_for, read_preset
from thinkaloud.records import Plan, Step
from thinkaloud.robots.example_requests import possible_steps
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Twinned, find_ability

_MOST = 3
_ENOUGH_TIME = 10.0
"""Seconds of rehearsing, after which no other sentence is tried."""


def suggest_requests(world: World) -> tuple[str, ...]:
    """At most three sentences; the last, if there is one, says two things in a row.

    None where another preset than ours suits the world: what people ask for there is not a call of a skill.
    """
    if preset_for(world) != DEFAULT:
        return ()
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
        if await _can_be_done(world, [step]):
            possible.append(step)
    alone = [step.words for step in possible]
    for second in possible[1:]:
        if time.monotonic() < until and await _follows(world, possible[0], second):
            later = second.words[:1].lower() + second.words[1:]
            return (*alone[: _MOST - 1], f"{possible[0].words.rstrip('.')}, then {later}")
    return tuple(alone[:_MOST])


async def _can_be_done(world: World, steps: Sequence[Step]) -> bool:
    """Whether steps can be rehearsed; where there is no twin, one that nothing prevents now."""
    if find_ability(world, Twinned) is None:
        return len(steps) == 1
    rehearse = _mind_of(world).rehearse
    if rehearse is None:
        return len(steps) == 1
    return (await rehearse.rehearse(Plan("", (), tuple(steps)), Monologue(world.clock))).feasible


def _mind_of(world: World) -> Mind:
    """Our own preset over this world, with a model that is never asked."""
    preset, options = read_preset(DEFAULT)
    return preset.build(world, Recorded(Scripted(), emit=lambda call: None), options, None)


async def _follows(world: World, first: Step, second: Step) -> bool:
    """Whether both can be done in a row, the second changes something after the first, and it leaves that as it is."""
    twinned = find_ability(world, Twinned)
    if twinned is None or not await _can_be_done(world, [first, second]):
        return False
    twin = twinned.twin()
    one, other = (twin.skills[step.skill] for step in (first, second))
    await one.run(first.arguments)
    promised = other.promises(second.arguments, twin.relations)
    if promised and all(map(twin.holds, promised)):
        return False
    await other.run(second.arguments)
    return all(map(twin.holds, one.promises(first.arguments, twin.relations)))
