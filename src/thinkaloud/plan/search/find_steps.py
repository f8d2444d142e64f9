"""Find the steps that do what is asked, or say why there are none."""

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
from thinkaloud.worlds.people import TreatedAsThing

MOST = 4000
"""How many situations are examined at most."""
_SECONDS = 10.0


def find_steps(
    world: World,
    scene: Observation,
    sought: Sought,
    *,
    avoid: Collection[Step] = (),
    most: int = MOST,
    seconds: float = _SECONDS,
    holds: Callable[[Condition], bool] | None = None,
    halted: Callable[[], bool] = lambda: False,
) -> Found | NotFound:
    """Return the steps that do what is asked, or why there are none.

    The state of the scene is what is known; anything else is asked of the world, or of `holds`. Steps in `avoid` are
    not used. At most `most` situations are examined; `seconds` is a limit only for skills whose own code is extremely
    slow. Once `halted` returns True, the search ends at once (raising Halted), and so does an external planner that it
    has started.
    """
    search = StepSearch(Setting(world, scene, holds, halted), sought, avoid, Budget.of(most, seconds))
    try:
        search.prepare()
    except SkillError as error:
        return NotFound(str(error), deed=search.at_hand, forbidden=isinstance(error, TreatedAsThing))
    except LookupError as error:
        return NotFound(str(error.args[0]))
    return search.find() or explain_failure(search)


async def find_steps_meanwhile(
    world: World, scene: Observation, sought: Sought, *, avoid: Collection[Step] = ()
) -> Found | NotFound:
    """The same in a thread, so that a person can be heard meanwhile; a cancelled caller waits until it has ended."""
    halted = threading.Event()
    call = functools.partial(find_steps, world, scene, sought, avoid=avoid, halted=halted.is_set)
    search = asyncio.ensure_future(asyncio.to_thread(call))
    try:
        return await asyncio.shield(search)
    except asyncio.CancelledError:
        halted.set()
        await asyncio.gather(search, return_exceptions=True)
        raise
