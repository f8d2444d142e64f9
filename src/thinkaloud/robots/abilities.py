"""What a robot can do, in words: its skills with an example each, what it can know, and what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from thinkaloud.errors import describe_fault
from thinkaloud.robots.example_requests import IN_VIEW, example_calls, example_requests
from thinkaloud.skills.signatures import Signature, capitalised
from thinkaloud.worlds.contract import Measured, World, briefing_of, find_ability
from thinkaloud.worlds.full_world import FullWorld


@dataclass(frozen=True, slots=True)
class SkillToTell:
    """A skill: what it is for, a sentence to say, and who has to agree or ask."""

    name: str
    call: str
    """How it is called in code: `pour(cup, amount=1)  Pour something.`"""
    about: str
    example: str
    approval: bool = False
    asked_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RelationToTell:
    """Something that the robot can know, ask and be asked."""

    name: str
    words: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Abilities:
    """All of it; `problem` says what is wrong where the robot's own code fails."""

    robot: str
    about: str
    skills: tuple[SkillToTell, ...] = ()
    relations: tuple[RelationToTell, ...] = ()
    values: tuple[RelationToTell, ...] = ()
    kinds: tuple[tuple[str, tuple[str, ...]], ...] = ()
    examples: tuple[str, ...] = ()
    """Whole requests to try, other than the skills' own: first those that were measured in this world."""
    problem: str = ""


def tell_abilities(world: World, name: str = "") -> Abilities:
    """What a robot can do, as things are now. Nothing moves."""
    about = briefing_of(world).about
    try:
        examples = example_calls(world)
        skills = tuple(
            SkillToTell(
                skill.name,
                skill.signature.text(),
                skill.signature.about.partition("\n")[0],
                examples[skill.name],
                bool(skill.approval),
                tuple(sorted(skill.asked_by)),
            )
            for skill in world.skills.values()
        )
        relations = tuple(
            RelationToTell(
                each.signature.name, capitalised(_name_things(each.signature)), each.signature.about.partition("\n")[0]
            )
            for each in world.relations.values()
        )
        measured = find_ability(world, Measured)
        values = tuple(
            RelationToTell(each.signature.name, _name_things(each.signature))
            for each in (measured.measures.values() if measured else ())
        )
        vocabulary = FullWorld(world).observe().vocabulary
        kinds = tuple(
            (kind, tuple(things)) for kind, things in vocabulary.items() if things and not kind.endswith(IN_VIEW)
        )
        told = {each.example for each in skills}
        tried = dict.fromkeys((*briefing_of(world).examples, *example_requests(world)))
        others = tuple(each for each in tried if each not in told)
        return Abilities(name or world.name, about, skills, relations, values, kinds, others)
    except Exception as error:  # the robot's own code: `thinkaloud check` tells what is wrong with it
        return Abilities(name or world.name, about, problem=describe_fault(error))


def _name_things(signature: Signature) -> str:
    """The sentence with the names of its parameters in place of things: `The thing is on the target.`"""
    things = "|".join(each.name for each in signature.parameters if each.kind)
    said = re.sub(rf"(?<!the )\{{({things})\}}", r"the \1", signature.says, flags=re.IGNORECASE)
    return re.sub(r"[{}]", "", said)
