"""What models may use up for a request is limited, and a request that reaches the limit ends as that."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud.agent import Agent
from thinkaloud.episode.limits import Limits
from thinkaloud.models import Completion, Scripted, Usage
from thinkaloud.robots import open_world


class Costly(Scripted):
    """Plans without an end, and every call costs."""

    async def complete(self, prompt: str, **given: object) -> Completion:
        return Completion(' {"never": "usable"}', Usage(90, 0, 10, 2.0, 0.5))


@pytest.mark.parametrize(
    "limits, why",
    [
        (Limits(refusals=99, tokens=250), "used 300 tokens, and may use 250"),
        (Limits(refusals=99, money=1.2), "cost 1.5, and may cost 1.2"),
        (Limits(refusals=99, thinking=5.0), "took 6.0 s, and may take 5 s"),
        (Limits(refusals=3), "no usable answer 3 times"),
    ],
)
def test_a_request_that_costs_too_much_ends_as_a_limit(limits: Limits, why: str) -> None:
    agent = Agent(open_world("by_hand"), Costly(), "inner_monologue", limits=limits)
    end = asyncio.run(agent.run("Tidy up."))
    assert end.result == "limit" and why in end.because
