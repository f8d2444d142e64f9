"""Playing a request in a home: the preset's own agent, or an expert in the loop that all experts have."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.bench.contract import CEILING, Item, OpenedModel, Played
from thinkaloud.bench.hicrisp.scoring import scores_of
from thinkaloud.bench.playing import SAME_LOOP, Expert, Knows, played_as
from thinkaloud.errors import BadInput
from thinkaloud.loop import Limits
from thinkaloud.models import Scripted
from thinkaloud.monologue import Listener
from thinkaloud.presets import read_preset
from thinkaloud.records import End, ModelCall, Request, Started
from thinkaloud.worlds.household import Household

Judge = Callable[[], tuple[float, bool, Sequence[str]]]
"""When it is over: the share of what was wanted that is done, whether all is as wanted, and what is not, in words."""


async def play_at_home(
    item: Item,
    model: OpenedModel,
    world: Household,
    request: str,
    *,
    expert: Expert,
    judge: Judge,
    limits: Limits,
    listeners: Sequence[Listener] = (),
    about: Mapping[str, Any] | None = None,
) -> Played:
    """An episode from its first look to its end, judged by the true state of the home."""
    began = time.perf_counter()
    if item.preset == CEILING:
        agent = Agent(world, Scripted(name=CEILING), SAME_LOOP, seed=item.seed, limits=limits, listeners=listeners)
        agent.loop.mind = replace(agent.loop.mind, plan=Knows(expert))
        agent.person.say(Request(request))
        end, low = await agent.loop.run(), True
    else:
        agent = Agent(world, model(), item.preset, seed=item.seed, limits=limits, listeners=listeners)
        low = read_preset(item.preset)[1].get("low") != "off"
        try:
            end = await agent.run(request)
        except BadInput as error:  # refused before anything was planned
            end = End("declined", str(error))
    recall, met, missing = judge()
    said = agent.monologue
    return played_as(
        item,
        said.since(None, ModelCall),
        request=request,
        success=met,
        result=end.result,
        because=end.because,
        steps=len(said.since(None, Started)),
        seconds=time.perf_counter() - began,
        model=agent.model.name,
        scores={"recall": recall, "success": float(met), **scores_of(said, low=low)},
        details=[
            {**(about or {}), "script": list(world.script), "errors": list(world.errors), "missing": list(missing)}
        ],
    )
