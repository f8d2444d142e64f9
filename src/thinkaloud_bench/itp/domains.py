"""What a benchmark has to know of a world: how steps and calls go together, what is really so, and what is finished."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from thinkaloud.records import Condition, Step
from thinkaloud.worlds import World
from thinkaloud_bench.itp.episodes import OrderEpisode
from thinkaloud_bench.itp.expected_steps import ExpectedSteps


class OrderDomain(Protocol):
    """An episode's world, for its judge and its expert. An order is one of the world's kind."""

    @property
    def world(self) -> World:
        """Where the robot acts."""
        ...

    def expected(self, order: Any) -> ExpectedSteps:
        """What is left to do for an order, as things really are."""
        ...

    def lines(self, lines: Sequence[str]) -> list[str | None]:
        """The steps that lines of a plan mean."""
        ...

    def calls(self, calls: Sequence[Step]) -> list[str | None]:
        """The steps that calls of skills amount to."""
        ...

    def how(self, key: str) -> list[Step]:
        """The calls that carry out a step, as things really are."""
        ...

    def sentence(self, key: str) -> str:
        """A step as the guidelines say it."""
        ...

    def missing(self, order: Any) -> str:
        """Why an order is not finished, from the true state; nothing if it is."""
        ...

    def spoiled(self, order: Any) -> str:
        """Why an order can no longer be finished, or something was harmed; nothing if not."""
        ...

    def goal(self, order: Any) -> tuple[Condition, ...]:
        """What holds when an order is finished."""
        ...


def open_domain(episode: OrderEpisode, seed: int, *, by_hand: bool = False) -> OrderDomain:
    """The world of an episode at its beginning, and what there is to know about it."""
    if episode.steps or not (episode.says or episode.first or episode.wanted):
        from thinkaloud_bench.itp.step_lists import StepList

        return StepList(episode, seed, by_hand=by_hand)
    if episode.world == "drinks":
        from thinkaloud_bench.itp.counter import CounterDomain

        return CounterDomain(episode, seed)
    from thinkaloud_bench.itp.machine import MachineDomain

    return MachineDomain(episode, seed)
