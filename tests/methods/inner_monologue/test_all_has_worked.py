"""Where every thing has been handled once, the robot can still say that it is done."""

from __future__ import annotations

import asyncio

import pytest

from campaign.babbling import Babbling
from campaign.hostile_table import Table
from thinkaloud.agent import Agent
from thinkaloud.models import Model, Scripted
from thinkaloud.records import Observation, Started


class OneThing(Table):
    """One block, and one bowl to put it in."""

    def observe(self) -> Observation:
        return Observation(("red block", "red bowl"), {"object": ("red block",), "target": ("red bowl",)})


@pytest.mark.parametrize(
    "model",
    [Scripted([" Pick the red block and place it on the red bowl.", " Done."]), Babbling()],
    ids=["in its own words", "held to the grammar"],
)
def test_after_all_that_can_be_done_it_says_so(model: Model) -> None:
    agent = Agent(OneThing(), model, "inner_monologue:feedback=object+success")
    end = asyncio.run(agent.run("Put the red block in the red bowl."))
    assert len(agent.monologue.in_task(Started)) <= 1
    spoke = end.result == "answered"  # whoever babbles may also begin with an answer
    assert spoke or (end.result, "no further action" in end.because) == ("unconfirmed", True), end
