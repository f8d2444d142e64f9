"""A remark about what has just gone wrong ("it is too heavy"): the request is read anew, without what did not work.

Which two of the blocks "any two blocks" are is settled when a request is read; a remark that comes after a step has
failed unsettles it. The program of the request is run again as if the thing that the step failed with were not here: it
then comes to other things, where the request left a choice. Where it did not, a person is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from thinkaloud.errors import Unparseable
from thinkaloud.language.words import singular
from thinkaloud.monologue import Monologue
from thinkaloud.program.switches import switchable
from thinkaloud.program.words import KEEP
from thinkaloud.records import Act, Ask, Meaning, MeaningKind, Observation, Outcome, Question, Started, Step, Verdict
from thinkaloud.skills import touched_by
from thinkaloud.skills.built_in_steps import STEPS
from thinkaloud.worlds.contract import World

_REMARKS: tuple[MeaningKind, ...] = ("note", "refusal", "unclear")
"""What a remark may be read as: none of these wants anything done."""
_MOST_OPTIONS = 4
Rerun = Callable[[str, Observation], Meaning]
"""What a program comes to in a scene."""


@dataclass(frozen=True)
class Trouble:
    """A request under way, the step that failed last for it, and the things that this was done to."""

    work: Meaning
    step: Step
    things: tuple[str, ...]


@switchable(None)
def take_hint(
    text: str, remark: Meaning, monologue: Monologue, world: World, scene: Observation, rerun: Rerun, keep: str = KEEP
) -> Meaning | None:
    """What a remark amid the work means for it, if it is about what went wrong; None where it is not.

    `keep` is what this robot's language calls leaving something alone.
    """
    trouble = find_trouble(monologue, world) if remark.sort in _REMARKS else None
    if trouble is None or not _is_about(text, trouble.step, scene):
        return None
    told = remark.kept or tuple(thing for thing in trouble.things if _mentions(text, thing)) or trouble.things[:1]
    avoided = tuple(dict.fromkeys((*trouble.work.kept, *told)))
    program = trouble.work.program.removeprefix(_keep_line(keep, trouble.work.kept))  # of an earlier remark
    try:
        anew = rerun(program, without_things(scene, avoided))
    except Unparseable:
        anew = remark
    if isinstance(anew.content, Act) and not any(_touches(deed, avoided, world) for deed in anew.deeds):
        words = f"I leave the {' and the '.join(told)} alone. {anew.words}"
        program = _keep_line(keep, avoided) + program
        content = replace(anew.content, kept=avoided)
        return replace(anew, program=program, words=words, content=content, notes=remark.notes)
    return _ask_instead(text, remark, trouble, scene, monologue) if remark.sort == "note" else None


def find_trouble(monologue: Monologue, world: World) -> Trouble | None:
    """What went wrong last with the request that is under way; None where all is well."""
    work, failed, cut_short = None, None, None
    for event in monologue.order():
        match event.record:
            case Meaning(content=Act()):
                work, failed = event.record, None
            case Started():
                cut_short = None
            case Outcome(step, "interrupted"):
                cut_short = step
            case Outcome(step, "failed") | Verdict(step, False) if step.skill not in STEPS and step != cut_short:
                failed = step
            case Verdict(step, True) if failed is not None and step == failed:
                failed = None
            case _:
                pass
    if work is None or failed is None or failed.skill not in world.skills:
        return None
    touched = touched_by(world.skills[failed.skill], failed.arguments, world.relations)
    things = tuple(value for value in failed.arguments.values() if isinstance(value, str) and value in touched)
    return Trouble(work, failed, things) if things else None


def _is_about(text: str, step: Step, scene: Observation) -> bool:
    """Whether a remark may be about a step: it names something that this was done with, or nothing at all."""
    named = {name for name in scene.known if _mentions(text, name)}
    return not named or bool(named & {*step.arguments.values()})


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def _touches(deed: Step, things: Collection[str], world: World) -> bool:
    skill = world.skills.get(deed.skill)
    return skill is not None and bool(touched_by(skill, deed.arguments, world.relations) & {*things})


def without_things(scene: Observation, things: Collection[str]) -> Observation:
    """The scene as if some things were not there."""

    def left(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if name not in things)

    vocabulary = {kind: left(names) for kind, names in scene.vocabulary.items()}
    return replace(scene, objects=left(scene.objects), hidden=left(scene.hidden), vocabulary=vocabulary)


def _keep_line(keep: str, things: Collection[str]) -> str:
    return f"{keep}({[*things]!r})\n"


def _ask_instead(
    text: str, remark: Meaning, trouble: Trouble, scene: Observation, monologue: Monologue
) -> Meaning | None:
    """The question what to do instead, once for each thing; with what is here of its kind."""
    thing = trouble.things[0]
    question = f"I could not do this: {trouble.step.words} You say: {text.strip()} What should I do instead?"
    if any(question in ask.questions for ask in monologue.in_task(Ask)):
        return None
    noun = singular(thing.lower().split()[-1])
    alike = [name for name in scene.objects if name != thing and singular(name.lower().split()[-1]) == noun]
    options = (*(f"Take the {name} instead." for name in alike[:_MOST_OPTIONS]), "Leave it.")
    return replace(remark, words=question, content=Question(question, options))
