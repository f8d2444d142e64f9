"""Playing an episode: the preset's own agent, or an expert in a loop that is given, and then the judge."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput
from thinkaloud.loop import Limits
from thinkaloud.models import Scripted
from thinkaloud.monologue import Listener, Monologue
from thinkaloud.presets import open_preset
from thinkaloud.records import End, ModelCall, Request, Started
from thinkaloud.worlds import World
from thinkaloud_bench.contract import CEILING, Item, OpenedModel, Played
from thinkaloud_bench.hicrisp.scoring import scores_of
from thinkaloud_bench.playing import SAME_LOOP, Expert, played_as, with_expert

STEPS = 40
LIMITS = Limits(steps=STEPS, plans=2 * STEPS)
FIXING = "hicrisp:high=off"
"""The loop of experts that have the low-level fixes: what those leave undone, the expert sees to itself."""


@dataclass(frozen=True)
class Judged:
    """What the judge says when it is over; `because` in place of the robot's own words, where it says anything."""

    recall: float
    met: bool
    because: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    details: Sequence[Mapping[str, Any]] = ()


Judge = Callable[[Monologue, End], Judged]


async def play_episode(
    item: Item,
    model: OpenedModel,
    world: World,
    request: str,
    *,
    expert: Expert,
    judge: Judge,
    loop: str = SAME_LOOP,
    limits: Limits = LIMITS,
    listeners: Sequence[Listener] = (),
) -> Played:
    """An episode from its first look to its end, judged by the true state of the world; `loop` is the expert's."""
    began = time.perf_counter()
    ceiling = item.preset == CEILING
    thinks = Scripted(name=CEILING) if ceiling else model()
    preset = with_expert(loop, expert) if ceiling else open_preset(item.preset)
    agent = Agent(world, thinks, preset, seed=item.seed, limits=limits, listeners=listeners)
    if ceiling:
        agent.person.say(Request(request))
        end = await agent.loop.run()
    else:
        try:
            end = await agent.run(request)
        except BadInput as error:  # refused before anything was planned
            end = End("declined", str(error))
    said = agent.monologue
    judged = judge(said, end)
    return played_as(
        item,
        said.since(None, ModelCall),
        request=request,
        success=judged.met,
        result=end.result,
        because=judged.because or end.because,
        steps=len(said.since(None, Started)),
        seconds=time.perf_counter() - began,
        model=agent.model.name,
        scores={"recall": judged.recall, **judged.scores, **scores_of(said, low=preset.defaults().get("low") == "on")},
        details=judged.details,
    )
