"""Playing an episode of one request: the preset's own agent, or the expert in the same loop, and then the judge."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.loop import Limits, Mind
from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.presets import Preset, open_preset
from thinkaloud.records import Decision, ModelCall, Started
from thinkaloud.worlds import World
from thinkaloud_bench.contract import CEILING, Item, OpenedModel, Played

SAME_LOOP = "inner_monologue:feedback=object+success"  # looks and checks after each step; only the planner is another

Expert = Callable[[Monologue], Decision]


@dataclass(frozen=True)
class Setup:
    """An episode of one request, ready to begin; `met` is the paper's binary reward, from the world's true state."""

    world: World
    request: str
    met: Callable[[], bool]
    expert: Expert
    limits: Limits
    mind: Callable[[Mind], Mind] = lambda mind: mind
    """What is to be changed about the mind of a preset."""


@dataclass
class Knows:
    """A planner that is told everything: the expert, as a stage of the loop."""

    decide: Expert

    async def plan(self, monologue: Monologue) -> Decision:
        """What the expert would do now."""
        return self.decide(monologue)


def with_expert(loop: str, expert: Expert) -> Preset:
    """The loop of a preset with the expert as its planner."""
    return open_preset(loop).changed(lambda mind: replace(mind, plan=Knows(expert)), CEILING)


async def play_request(item: Item, setup: Setup, model: OpenedModel) -> Played:
    """An episode from its first look to its end, judged by the true state of the world."""
    began = time.perf_counter()
    ceiling = item.preset == CEILING
    thinks = Scripted(name=CEILING) if ceiling else model()
    preset = with_expert(SAME_LOOP, setup.expert) if ceiling else open_preset(item.preset)
    preset = preset.changed(setup.mind, preset.name)
    agent = Agent(setup.world, thinks, preset, seed=item.seed, limits=setup.limits)
    end = await agent.run(setup.request)
    return played_as(
        item,
        agent.monologue.since(None, ModelCall),
        request=setup.request,
        success=setup.met(),
        result=end.result,
        because=end.because,
        steps=len(agent.monologue.since(None, Started)),
        seconds=time.perf_counter() - began,
        model=agent.model.name,
    )


def played_as(
    item: Item,
    calls: Sequence[ModelCall],
    *,
    success: bool,
    seconds: float,
    model: str,
    request: str = "",
    result: str = "",
    because: str = "",
    steps: int = 0,
    scores: Mapping[str, float] | None = None,
    details: Sequence[Mapping[str, Any]] = (),
) -> Played:
    """The line of an episode, with what its calls of the model cost."""
    return Played(
        item.preset,
        item.task,
        item.index,
        item.seed,
        request,
        success,
        result,
        because,
        steps,
        calls=len(calls),
        evaluated=sum(call.evaluated for call in calls),
        cached=sum(call.cached for call in calls),
        generated=sum(call.generated for call in calls),
        later_evaluated=sum(call.evaluated for call in calls[1:]),
        later_cached=sum(call.cached for call in calls[1:]),
        seconds=round(seconds, 3),
        thinking=round(sum(call.seconds for call in calls), 3),
        model=model,
        scores=dict(scores or {}),
        details=[dict(each) for each in details],
    )
