"""A policy as a skill: a function of the latest observation that returns the next action.

    class Robot(GymnasiumWorld):
        @policy("Open the {drawer}.", effects=lambda drawer: (("is_open", {"drawer": drawer}),), most=200)
        def open(self, drawer: Drawer) -> Policy:
            '''Open a drawer.'''
            return SawyerDrawerOpenV3Policy().get_action

The method is called once for each call of the skill, so a policy may remember what it has done so far.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from thinkaloud.records import Arguments, Observation, Value
from thinkaloud.skills import skill

Policy = Callable[[Any], Any]
"""From an observation of the environment to an action; None says that the policy has given up."""
USUAL_STEPS = 200


class FollowsPolicies(Protocol):
    """A world in which policies act."""

    def tell_end(self) -> str:
        """Why no more step can be taken, in words; empty if one can."""
        ...

    async def follow(
        self,
        chosen: Policy,
        skill: str,
        given: Arguments,
        until: Callable[[], bool] | None = None,
        *,
        most: int,
        steady: int = 1,
    ) -> str:
        """Let a policy act until it is so, and say in how many steps."""
        ...


def _refuse_after_the_end(self: FollowsPolicies, observation: Observation, **_: Value) -> str | None:
    return self.tell_end() or None


def policy(
    says: str | None = None,
    *,
    most: int = USUAL_STEPS,
    until: Callable[..., bool] | None = None,
    steady: int = 1,
    **declared: Any,
) -> Callable[[Callable[..., Policy]], Callable[..., Coroutine[Any, Any, str]]]:
    """Mark a method that returns a policy as a skill; `declared` is what `skill` takes.

    The policy runs until its `effects` hold (and its `ends` do not) for `steady` steps, or until the method `until`
    says so. After `most` steps it has not worked, and may be tried again.
    """
    if until is None and "effects" not in declared and "ends" not in declared:
        raise TypeError("A policy needs `effects`, `ends` or `until`: without them nobody knows when it is done.")
    if most < 1 or steady < 1:
        raise TypeError("`most` and `steady` count steps: at least 1.")

    def mark(function: Callable[..., Policy]) -> Callable[..., Coroutine[Any, Any, str]]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        async def run(self: FollowsPolicies, *args: Any, **kwargs: Any) -> str:
            bound = signature.bind(self, *args, **kwargs)
            bound.apply_defaults()
            given = {name: value for name, value in bound.arguments.items() if name != "self"}
            over = functools.partial(until, self, **given) if until is not None else None
            chosen = function(self, **given)
            return await self.follow(chosen, function.__name__, given, over, most=most, steady=steady)

        preconditions = (_refuse_after_the_end, *declared.pop("preconditions", ()))
        return skill(says, preconditions=preconditions, **declared)(run)

    return mark
