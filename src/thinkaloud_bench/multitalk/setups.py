"""A request, ready to begin: the table, the robot's person, and the judge who knows where everything really is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from thinkaloud.converse.inbox import Inbox
from thinkaloud.loop import Mind
from thinkaloud.monologue import Monologue
from thinkaloud.plan import Planner
from thinkaloud.presets import PRESETS, read_preset
from thinkaloud.records import (
    Answer,
    Ask,
    Critique,
    Decline,
    End,
    Look,
    Outcome,
    Plan,
    Refusal,
    Rehearsal,
    Started,
    Stop,
)
from thinkaloud.robots import open_world
from thinkaloud.skills.built_in_steps import SAY
from thinkaloud_bench.contract import CEILING, Item
from thinkaloud_bench.multitalk.episodes import TalkEpisode
from thinkaloud_bench.multitalk.goals import TableTruth, displaced, unmet
from thinkaloud_bench.multitalk.person import AnsweringPerson
from thinkaloud_bench.playing import Judged, Setup, changed_preset

_LOOP = "multitalk:analyzer=rules"
"""What carries out the expert's plans: rules and a twin judge them like anybody's; only the planner is another."""
_LIMITS = PRESETS["multitalk"].limits
"""The same for every preset: what the paper's own needs."""
_REFUSING = re.compile(r"\b(?:no|not|cannot|\w+n't|unable|impossible|sorry|outside|too)\b", re.IGNORECASE)


class Outcomes(TableTruth, Protocol):
    """What is asked of the world when an episode is over."""

    @property
    def collisions(self) -> tuple[str, ...]:
        """What ran into what, in sentences."""
        ...


def set_up_request(item: Item) -> Setup:
    """The episode of a file, of the paper, or of the seed."""
    episode: TalkEpisode = item.episode or _episode_of(item)
    world: Any = open_world("franka", scene=json.dumps(episode.scene))
    world.reset(episode.seed)
    preset = _LOOP if item.preset == CEILING else item.preset
    inbox = Inbox(present=read_preset(preset)[1].get("human", "on") != "off")
    person = AnsweringPerson(episode, inbox)

    def judge(said: Monologue, end: End) -> Judged:
        wrong = _find_fault(episode, world, person, said, end)
        return Judged(
            not wrong,
            wrong or None,
            scores=_scores(episode, person, said, world.collisions),
            details=_details(episode, person, said, end, world.collisions),
        )

    expert = changed_preset(_LOOP, lambda mind: replace(mind, plan=_expert(episode, world, mind)))
    return Setup(world, episode.request, judge, expert, _LIMITS, person=inbox, listeners=[person])


def _expert(episode: TalkEpisode, world: Any, mind: Mind) -> Planner:
    from thinkaloud_bench.multitalk.expert import MultitalkExpert

    return MultitalkExpert(episode, world, mind)


def _episode_of(item: Item) -> TalkEpisode:
    """The episode that the seed draws."""
    from thinkaloud_bench.multitalk.generating import draw_request

    return draw_request(item.task, item.seed, item.index)


def _find_fault(episode: TalkEpisode, world: Outcomes, person: AnsweringPerson, said: Monologue, end: End) -> str:
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


def _scores(
    episode: TalkEpisode, person: AnsweringPerson, said: Monologue, collisions: tuple[str, ...]
) -> dict[str, float]:
    """The numbers that the rows are made of."""
    tried = said.since(None, Rehearsal)
    refused = [rehearsal for rehearsal in tried if not rehearsal.feasible]
    asked = {topic for each in person.heard for topic in each.topics}
    return {
        "feasible": float(episode.feasible),
        "carried_out": float(_carried_out(said)),
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


def _carried_out(said: Monologue) -> bool:
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


def _details(
    episode: TalkEpisode, person: AnsweringPerson, said: Monologue, end: End, collisions: tuple[str, ...]
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
