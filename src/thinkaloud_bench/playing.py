"""Play an episode: a preset's agent, or an expert in the same loop, gets a request; then the judge decides.

A benchmark supplies a setup for each item, with the world, the request and the judge; this module plays it:

    def _set_up(item: Item) -> Setup:
        world, goal = …                                          # from --episodes-file (item.episode), or from the seed
        return Setup(world, "Put the red block in the bowl.", judge=…, expert=expert_in(SAME_LOOP, Knows(…)))

    BENCH = Bench("name", "about", tasks, presets, play=Plays(_set_up), …)
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.errors import BadInput
from thinkaloud.guidelines import Guidelines
from thinkaloud.loop import Limits, Mind
from thinkaloud.models import Model, Scripted
from thinkaloud.monologue import EventListener, Monologue
from thinkaloud.plan import Planner
from thinkaloud.presets import Preset, open_preset
from thinkaloud.records import Decision, End, ModelCall, Request, Started
from thinkaloud.robots import give_eyes, give_hands, with_senses
from thinkaloud.worlds import World
from thinkaloud_bench.contract import CEILING, Item, OpenedModel, Played

if TYPE_CHECKING:
    from thinkaloud_bench.lost_where import Watch

SAME_LOOP = "inner_monologue:feedback=object+success"
"""Looks and checks after each step. Most experts run in this loop, so that only the planner differs."""


@dataclass(frozen=True)
class Judged:
    """The judge's decision at the end. Where a field is None or empty, the robot's own report counts."""

    success: bool
    because: str | None = None
    result: str = ""
    steps: int | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    details: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Setup:
    """An episode, ready to begin. `judge` knows the world's true state, and gets the monologue and the ending.

    `request` is the request, and names the episode; `talk` holds a longer conversation, if there is one. `expert` is
    the preset that plays the ceiling, with `answers` for its model if it has one. `change` modifies the mind of every
    preset here; `limits` defaults to the preset's own.
    """

    world: World
    request: str
    judge: Callable[[Monologue, End], Judged]
    expert: str | Preset
    limits: Limits | None = None
    answers: Sequence[str] = ()
    talk: Callable[[Robot], Awaitable[End]] | None = None
    person: Inbox | None = None
    listeners: Sequence[EventListener] = ()
    guidelines: Guidelines | None = None
    change: Callable[[Mind], Mind] | None = None


@dataclass(frozen=True)
class Robot:
    """The agent as the person in an episode sees it. A request to an expert is never refused."""

    agent: Agent
    expert: bool

    async def ask(self, request: str) -> End:
        """Have it carry out a request; a request that it does not start counts as declined."""
        try:
            return await self.agent.run(request)
        except BadInput as error:
            if not self.expert:
                return End("declined", str(error))
        self.agent.person.say(Request(request))
        return await self.agent.loop.run()


@dataclass(frozen=True)
class Plays:
    """How the episodes of a benchmark are played: each is set up, played to its end, and judged."""

    set_up: Callable[[Item], Setup]

    async def __call__(self, item: Item, model: OpenedModel) -> Played:
        """Play one episode."""
        return await play_episode(item, model, self.set_up(item))


async def play_episode(item: Item, model: OpenedModel, setup: Setup) -> Played:
    """Play an episode from its first look to its end, and judge it by the true state of the world."""
    began = time.perf_counter()
    watch = _watched(item, setup.world)
    robot = _robot(item, model, setup, watch)
    end = await (robot.ask(setup.request) if setup.talk is None else setup.talk(robot))
    said = robot.agent.monologue
    judged = setup.judge(said, end)
    return played_as(
        item,
        said.since(None, ModelCall),
        request=setup.request,
        success=judged.success,
        result=judged.result or end.result,
        because=end.because if judged.because is None else judged.because,
        steps=len(said.since(None, Started)) if judged.steps is None else judged.steps,
        seconds=time.perf_counter() - began,
        model=robot.agent.model.name,
        scores=judged.scores,
        details=judged.details,
        lost="" if watch is None else watch.lost(judged.success),
    )


def _watched(item: Item, world: World) -> Watch | None:
    """Give a world the parts of an item, and watch those of a table."""
    if item.eyes or item.hands or item.senses:
        from thinkaloud_bench.lost_where import Watch

        if (watch := Watch.over(world, item)) is not None:
            return watch
    give_eyes(world, item.eyes)
    give_hands(world, item.hands)
    return None


def _robot(item: Item, model: OpenedModel, setup: Setup, watch: Watch | None) -> Robot:
    expert = item.preset == CEILING
    thinks: Model = Scripted(setup.answers, name=CEILING) if expert else model()
    preset = setup.expert if expert else item.preset
    agent = Agent(
        with_senses(setup.world, item.senses),
        thinks,
        preset if setup.change is None else changed_preset(preset, setup.change),
        seed=item.seed,
        person=setup.person,
        limits=setup.limits,
        listeners=setup.listeners if watch is None else (*setup.listeners, watch.hear),
        guidelines=setup.guidelines,
    )
    return Robot(agent, expert)


# Who plays the ceiling ------------------------------------------------------------------------------------------------


@dataclass
class Knows:
    """A planner that is told everything: an expert, as a stage of the loop."""

    decide: Callable[[Monologue], Decision]

    async def plan(self, monologue: Monologue) -> Decision:
        """Return the expert's next step."""
        return self.decide(monologue)


def expert_in(loop: str, decide: Callable[[Monologue], Decision]) -> Preset:
    """Return a preset in which the expert replaces the planner; everything else stays the same."""
    planner: Planner = Knows(decide)
    return changed_preset(loop, lambda mind: replace(mind, plan=planner))


def changed_preset(preset: str | Preset, change: Callable[[Mind], Mind]) -> Preset:
    """Return a preset with other parts under its own name: counting depends on its options, not on its planner."""
    found = open_preset(preset) if isinstance(preset, str) else preset
    return found.changed(change, found.name)


# What is written down -------------------------------------------------------------------------------------------------


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
    lost: str = "",
) -> Played:
    """Return the line for an episode, with the cost of its model calls."""
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
        money=round(sum(call.money for call in calls), 9),
        lost=lost,
    )
