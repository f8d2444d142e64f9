"""Playing an episode: the robot, its person, and the judge who knows where everything really is."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from thinkaloud.agent import Agent
from thinkaloud.converse.inbox import Inbox
from thinkaloud.errors import BadInput
from thinkaloud.models import Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.own_steps import SAY
from thinkaloud.presets import PRESETS, open_preset, read_preset
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Decline,
    End,
    Look,
    ModelCall,
    Outcome,
    Plan,
    Refusal,
    Rehearsal,
    Started,
    Stop,
)
from thinkaloud.worlds import open_world
from thinkaloud_bench.contract import CEILING, Item, OpenedModel, Played
from thinkaloud_bench.multitalk.episodes import Episode
from thinkaloud_bench.multitalk.goals import Truth, displaced, unmet
from thinkaloud_bench.multitalk.person import Person
from thinkaloud_bench.playing import played_as

SAME_LOOP = "multitalk:analyzer=rules"
"""What carries out the expert's plans: rules and a twin judge them like anybody's; only the planner is another."""
LIMITS = PRESETS["multitalk"].limits
"""The same for every preset: what the paper's own needs."""
_REFUSING = re.compile(r"\b(?:no|not|cannot|\w+n't|unable|impossible|sorry|outside|too)\b", re.IGNORECASE)


class Judged(Truth, Protocol):
    """What is asked of the world when an episode is over."""

    @property
    def collisions(self) -> tuple[str, ...]:
        """What ran into what, in sentences."""
        ...


async def play(item: Item, model: OpenedModel) -> Played:
    """The episode of a file, of the paper, or of the seed."""
    began = time.perf_counter()
    episode: Episode = item.episode or episode_of(item)
    expert = item.preset == CEILING
    world: Any = open_world("franka", scene=json.dumps(episode.scene))
    world.reset(episode.seed)
    preset = SAME_LOOP if expert else item.preset
    inbox = Inbox(present=read_preset(preset)[1].get("human", "on") != "off")
    person = Person(episode, inbox)
    thinks, chosen = (Scripted(name=CEILING) if expert else model()), open_preset(preset)
    if expert:
        from thinkaloud_bench.multitalk.expert import Expert

        chosen = chosen.changed(lambda mind: replace(mind, plan=Expert(episode, world, mind)), CEILING)
    agent = Agent(world, thinks, chosen, seed=item.seed, person=inbox, limits=LIMITS, listeners=[person])
    try:
        end = await agent.run(episode.request)
    except BadInput as error:  # refused before anything was planned
        end = End("declined", str(error))
    said = agent.monologue
    wrong = judge(episode, world, person, said, end)
    return played_as(
        item,
        said.since(None, ModelCall),
        request=episode.request,
        success=not wrong,
        result=end.result,
        because=wrong or end.because,
        steps=len(said.since(None, Started)),
        seconds=time.perf_counter() - began,
        model=agent.model.name,
        scores=scores(episode, person, said, world.collisions),
        details=details(episode, person, said, end, world.collisions),
    )


def episode_of(item: Item) -> Episode:
    """The episode that the seed draws."""
    from thinkaloud_bench.multitalk.generating import generate

    return generate(item.task, item.seed, item.index)


def judge(episode: Episode, world: Judged, person: Person, said: Monologue, end: End) -> str:
    """What is wrong with how an episode ended, in words; "" for a success.

    What cannot be done has to be told, and nothing may have been moved for it.
    """
    if episode.feasible:
        return unmet(episode, world)
    if moved := displaced(world, episode.names):
        return f"although it cannot be done: {moved}"
    spoken = (str(each.step.arguments.get("text", "")) for each in said.since(None, Started) if each.step.skill == SAY)
    told = end.result == "declined" or person.was_told or any(_REFUSING.search(text) for text in spoken)
    return "" if told else "it was not said that this cannot be done"


def scores(episode: Episode, person: Person, said: Monologue, collisions: tuple[str, ...]) -> dict[str, float]:
    """The numbers that the rows are made of."""
    tried = said.since(None, Rehearsal)
    refused = [rehearsal for rehearsal in tried if not rehearsal.feasible]
    asked = {topic for each in person.heard for topic in each.topics}
    return {
        "feasible": float(episode.feasible),
        "carried_out": float(carried_out(said)),
        "questions": len(person.heard),
        "needed_topics": len(episode.needed),
        "needed_asked": len(asked & {*episode.needed}),
        "needless": sum(not each.needed for each in person.heard),
        "revisions": sum(bool(each.violations) for each in said.since(None, Critique)) + len(refused),
        "collisions": len(collisions),
        "rehearsals": len(tried),
        "rehearsal_seconds": round(sum(rehearsal.seconds for rehearsal in tried), 3),
        "saved": round(sum(rehearsal.lasted for rehearsal in refused), 3),
    }


def carried_out(said: Monologue) -> bool:
    """Whether the latest plan with steps in it was carried out, and each of its steps completed."""
    at = next((e.index for e in reversed([*said]) if isinstance(e.record, Plan) and e.record.steps), None)
    if at is None:
        return False
    plan = said[at].record
    assert isinstance(plan, Plan)
    endings = [outcome.ending for outcome in said.since(at, Outcome)]
    planned = [*said.since(None, Plan)]
    one_by_one = all(len(each.steps) < 2 for each in planned) and len(planned) > 1
    if one_by_one:
        endings = [outcome.ending for outcome in said.since(None, Outcome)]
        return bool(endings) and all(ending == "completed" for ending in endings)
    return len(endings) >= len(plan.steps) and all(ending == "completed" for ending in endings)


def details(
    episode: Episode, person: Person, said: Monologue, end: End, collisions: tuple[str, ...]
) -> list[dict[str, Any]]:
    """What happened, for people who read it: the request, one line for every event that matters, the end."""
    answers = iter(person.heard)
    happened: list[dict[str, Any]] = [{"request": episode.request, "id": episode.id}]
    for event in said:
        match event.record:
            case Plan(_, _, steps) if steps:
                happened.append({"plan": [_line(step.words, step.reason) for step in steps]})
            case Ask(questions):
                happened.append({"asked": [_heard(next(answers, None), question) for question in questions]})
            case Answer(text):
                happened.append({"answer": text})
            case Stop(because):
                happened.append({"stop": because})
            case Look(because):
                happened.append({"looked again": because})
            case Critique(violations, by) if violations:
                found = [f"{'plan' if v.step is None else v.step + 1}: {v.why}" for v in violations]
                happened.append({"critique": found, "by": by})
            case Rehearsal(feasible, step, error, lasted) if not feasible:
                where = "" if step is None else f"{step + 1}: "
                happened.append({"rehearsal": f"{where}{error}", "after": round(lasted, 2)})
            case Outcome(step, ending, report) if ending != "completed":
                happened.append({"step": step.words, ending: report})
            case Refusal(_, words, why):
                happened.append({"refused": why, "words": words})
            case Decline(why):
                happened.append({"declined": why})
    if collisions:
        happened.append({"collisions": [*collisions]})
    happened.append({"end": f"{end.result}: {end.because}"})
    return happened


def _line(words: str, reason: str) -> str:
    return f"{words} # {reason}" if reason else words


def _heard(heard: Any, question: str) -> Mapping[str, Any]:
    if heard is None:
        return {"question": question}
    return {"question": question, "topics": list(heard.topics), "needed": heard.needed}
