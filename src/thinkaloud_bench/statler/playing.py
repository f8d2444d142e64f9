"""Playing an episode: its queries one after another to one agent, each judged at once, until the first wrong one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput
from thinkaloud.loop import Limits
from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.own_steps import SAY, STEPS
from thinkaloud.records import ModelCall, Started, WorldState
from thinkaloud.state.edit import supports
from thinkaloud.worlds import World
from thinkaloud.worlds.tabletop.domains import DomainWorld, scene_of
from thinkaloud.worlds.tabletop.rules import DOMAINS, after_put
from thinkaloud_bench.contract import CEILING, Item, OpenedModel, Played
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.statler.episodes import Episode, Move, Query
from thinkaloud_bench.statler.generating import generate
from thinkaloud_bench.statler.judging import weights_of
from thinkaloud_bench.statler.replaying import happened, start
from thinkaloud_bench.statler.scoring import EpisodeScore, why_wrong

LIMITS = Limits(steps=60)
EXPERT = "code_as_policies"
"""What carries out the gold programs: the same loop, arm and checks as any other preset."""


async def play(item: Item, model: OpenedModel) -> Played:
    """The episode of a file, or else of the seed."""
    episode: Episode = item.episode or generate(item.task, item.seed)
    world = world_of(episode, item.seed)
    return await play_in(item, model, episode, world, world)


async def play_in(item: Item, model: OpenedModel, episode: Episode, world: DomainWorld, seen: World) -> Played:
    """An episode in its world, which the robot knows as `seen`: the world itself, or what it is seen through."""
    began = time.perf_counter()
    gold = item.preset == CEILING
    thinks = Scripted([gold_program(query) for query in episode.queries], name=CEILING) if gold else model()
    agent = Agent(seen, thinks, EXPERT if gold else item.preset, seed=item.seed, limits=LIMITS)
    if (told := _told(episode, seen)) is not None:
        agent.monologue.append(told)
    truth, weights = start(episode), weights_of(episode)
    rights: list[bool] = []
    details: list[dict[str, Any]] = []
    because = ""
    for query in episode.queries:
        if query.happens is not None:
            world.happens(**asdict(query.happens))
            truth = happened(DOMAINS[episode.domain], truth, query.happens)
        refused = await _refused(agent, query)
        moves, said = reaction(agent.monologue)
        because = refused or why_wrong(query, moves, said, truth, weights)
        details.append({"query": query.text, "moves": moves, "said": said, "wrong": because})
        rights.append(not because)
        for thing, target in moves:
            truth = after_put(DOMAINS[episode.domain], truth, thing, target)
        if because and not query.unsure:
            break
    score = EpisodeScore.of(episode, rights)
    slipped = supports(world.truth()) != supports(truth)
    return played_as(
        item,
        agent.monologue.since(None, ModelCall),
        request=episode.id,
        success=score.success,
        result="right" if score.success else "wrong",
        because="" if score.success else because,
        steps=sum(len(each["moves"]) for each in details),
        seconds=time.perf_counter() - began,
        model=agent.model.name,
        scores={**asdict(score), "queries": len(details), "slipped": float(slipped)},
        details=details,
    )


def _told(episode: Episode, world: World) -> WorldState | None:
    """What the robot is told of the beginning besides what it sees; None where that is nothing."""
    initial, seen = episode.initial, world.observe().state
    if seen is None or not (initial.attributes or initial.facts):
        return None
    return replace(seen, attributes=initial.attributes, facts=initial.facts)


async def _refused(agent: Agent, query: Query) -> str:
    """Have the robot carry out a query; why it would not even begin, if so."""
    try:
        await agent.run(query.text)
    except BadInput as error:
        return str(error)
    return ""


def reaction(said: Monologue) -> tuple[list[Move], list[str]]:
    """What the robot moved, and what it said, for the latest query."""
    steps = [started.step for started in said.since(said.task_start(), Started) if not started.correcting]
    moves = [(str(s.arguments["object"]), str(s.arguments["target"])) for s in steps if s.skill not in STEPS]
    return moves, [str(step.arguments["text"]) for step in steps if step.skill == SAY]


def gold_program(query: Query) -> str:
    """The right reaction as a program."""
    lines = [f"put_first_on_second({thing!r}, {target!r})" for thing, target in query.actions]
    return "\n".join([*lines, *([f"say({query.say!r})"] if query.say is not None else [])]) or "noop()"


def world_of(episode: Episode, seed: int) -> DomainWorld:
    """The episode's world, as it is before the first query."""
    truth = episode.truth
    scene = scene_of(episode.initial, seed, episode.domain, truth.weights if truth else {})
    world = DomainWorld(episode.domain, scene)
    world.reset(seed)
    if truth is not None:
        world.set_truth(truth.dirty, truth.clean)
    return world


def by_task(episodes: Sequence[Episode]) -> dict[str, list[Episode]]:
    """Episodes by their domain."""
    found: dict[str, list[Episode]] = {}
    for episode in episodes:
        found.setdefault(episode.domain, []).append(episode)
    return found
