"""Find the steps that do what is sought, or say why there are none."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable, Collection

from thinkaloud.errors import SkillError
from thinkaloud.plan.search.best_first import Budget
from thinkaloud.plan.search.facts import Setting
from thinkaloud.plan.search.failure_reasons import explain_failure
from thinkaloud.plan.search.search_results import Found, NotFound, Sought
from thinkaloud.plan.search.step_search import StepSearch
from thinkaloud.records import Condition, Observation, Step
from thinkaloud.worlds import World

MOST = 4000
"""So many situations are looked at."""
SECONDS = 10.0


def find_steps(
    world: World,
    scene: Observation,
    sought: Sought,
    *,
    avoid: Collection[Step] = (),
    most: int = MOST,
    seconds: float = SECONDS,
    holds: Callable[[Condition], bool] | None = None,
    halted: Callable[[], bool] = lambda: False,
) -> Found | NotFound:
    """The steps that do what is sought; or why there are none.

    The state of the scene is what is known; what it does not say is asked of the world, or of `holds`. Steps of `avoid`
    are not used. `most` situations are looked at; `seconds` is only for skills whose own code is slow beyond reason.
    Once it is `halted`, it ends at once (raising Halted), and so does a planner of another package that it has asked.
    """
    search = StepSearch(Setting(world, scene, holds, halted), sought, avoid, Budget.of(most, seconds))
    try:
        search.prepare()
    except SkillError as error:
        return NotFound(str(error), deed=search.at_hand)
    except LookupError as error:
        return NotFound(str(error.args[0]))
    return search.find() or explain_failure(search)


async def find_steps_meanwhile(
    world: World, scene: Observation, sought: Sought, *, avoid: Collection[Step] = ()
) -> Found | NotFound:
    """The same in a thread, so that a person is heard meanwhile; who is cancelled waits until it has ended."""
    halted = threading.Event()
    call = functools.partial(find_steps, world, scene, sought, avoid=avoid, halted=halted.is_set)
    search = asyncio.ensure_future(asyncio.to_thread(call))
    try:
        return await asyncio.shield(search)
    except asyncio.CancelledError:
        halted.set()
        await asyncio.gather(search, return_exceptions=True)
        raise
