"""Sentences of a small language, made of the skills and relations of a world and the names in its scene.

A model that is constrained to them always says something that parses; the words of one that is not are read here too,
and refused with the reason where they name what is not there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Condition, Step
from thinkaloud.skills import Relation, Skill, Vocabulary


def an_action(skills: Mapping[str, Skill], vocabulary: Vocabulary, needless: Sequence[Step] = ()) -> str:
    """The grammar of a sentence that calls one of the skills, other than for steps that are known to be needless."""
    expressions = []
    for skill in skills.values():
        without = [step.arguments for step in needless if step.skill == skill.name]
        expressions.append(skill.signature.expression(vocabulary, without))
    found = [expression for expression in expressions if expression is not None]
    if not found:
        raise Unparseable("No skill fits anything in this scene.")
    return gbnf.choice(found)


def conditions(relations: Mapping[str, Relation], vocabulary: Vocabulary) -> tuple[str, dict[str, str]]:
    """The grammar of a list of quoted conditions, and its rules. What can be in one place only is listed once."""
    once: dict[str, str] = {}
    often: list[str] = []
    for number, relation in enumerate(relations.values()):
        sentences = relation.signature.expressions(vocabulary)
        quoted = [gbnf.sequence(gbnf.literal('"'), sentence, gbnf.literal('"')) for sentence in sentences.values()]
        if relation.single:
            once |= {f"thing{number}x{i}": sentence for i, sentence in enumerate(quoted)}
        else:
            often += quoted
    if not once and not often:
        raise Unparseable("No relation fits anything in this scene.")
    several = gbnf.separated(gbnf.choice(often), ", ", most=8) if often else ""
    if not once:
        return several, {}
    single = gbnf.some_in_order(list(once), ", ")
    return (gbnf.sequence(single, f"({gbnf.literal(', ')} {several})?") if several else single), once


def read_action(text: str, skills: Mapping[str, Skill], vocabulary: Vocabulary, reason: str = "") -> Step:
    """The step that a sentence asks for."""
    for skill in skills.values():
        try:
            arguments = skill.signature.parse(text, vocabulary)
            return skill.step(skill.signature.check(arguments, vocabulary), reason)
        except SkillError as error:
            raise Unparseable(str(error), text) from None
        except Unparseable:
            continue
    forms = " or ".join(repr(skill.signature.says) for skill in skills.values())
    raise Unparseable(f"{text.strip()!r} is none of the robot's skills; say {forms}.", text)


def read_condition(text: str, relations: Mapping[str, Relation], vocabulary: Vocabulary) -> Condition:
    """The condition that a sentence states."""
    for relation in relations.values():
        try:
            arguments = relation.signature.parse(text, vocabulary)
            return relation.condition(relation.signature.check(arguments, vocabulary))
        except SkillError as error:
            raise Unparseable(str(error), text) from None
        except Unparseable:
            continue
    forms = " or ".join(repr(relation.signature.says) for relation in relations.values())
    raise Unparseable(f"{text.strip()!r} is nothing that can be checked; say {forms}.", text)
