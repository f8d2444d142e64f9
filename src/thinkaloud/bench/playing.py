"""Playing one episode: the preset's own agent, or the expert in the same loop, and then the judge."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from thinkaloud.agent import Agent
from thinkaloud.bench.contract import CEILING, Expert, Item, Played, Setup
from thinkaloud.bench.watching import Watched
from thinkaloud.models import Model, Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.records import Decision, ModelCall, Started

SAME_LOOP = "inner_monologue:feedback=object+success"  # looks and checks after each step; only the planner is another


@dataclass
class Knows:
    """A planner that is told everything: the expert, as a stage of the loop."""

    decide: Expert

    async def plan(self, monologue: Monologue) -> Decision:
        """What the expert would do now."""
        return self.decide(monologue)


async def play(item: Item, setup: Setup, model: Callable[[], Model]) -> Played:
    """An episode from its first look to its end, judged by the true state of the world."""
    began = time.perf_counter()
    if item.preset == CEILING:
        agent = Agent(setup.world, Scripted(name=CEILING), SAME_LOOP, seed=item.seed, limits=setup.limits)
        agent.loop.mind = replace(agent.loop.mind, plan=Knows(setup.expert))
    else:
        agent = Agent(setup.world, Watched(model()), item.preset, seed=item.seed, limits=setup.limits)
    end = await agent.run(setup.request)
    if isinstance(agent.model, Watched) and agent.model.lost is not None:
        raise agent.model.lost
    calls, said = agent.monologue.since(None, ModelCall), agent.monologue
    return Played(
        item.preset,
        item.task,
        item.index,
        item.seed,
        setup.request,
        success=setup.met(),
        result=end.result,
        because=end.because,
        steps=len(said.since(None, Started)),
        calls=len(calls),
        evaluated=sum(call.evaluated for call in calls),
        cached=sum(call.cached for call in calls),
        generated=sum(call.generated for call in calls),
        later_evaluated=sum(call.evaluated for call in calls[1:]),
        later_cached=sum(call.cached for call in calls[1:]),
        seconds=round(time.perf_counter() - began, 3),
        thinking=round(sum(call.seconds for call in calls), 3),
        model=agent.model.name,
    )
