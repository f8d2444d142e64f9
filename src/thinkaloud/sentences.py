"""Sentences of a small language, made of the skills and relations of a world and the names in its scene.

A model that is constrained to them always says something that parses; the words of one that is not are read here too,
and refused with the reason where they name what is not there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.models import grammar as gbnf
from thinkaloud.names import all_names
from thinkaloud.records import Condition, Observation, Step, Value
from thinkaloud.skills import Relation, Signature, Skill, Vocabulary
from thinkaloud.worlds import World


def action_grammar(skills: Mapping[str, Skill], vocabulary: Vocabulary, needless: Sequence[Step] = ()) -> str:
    """The grammar of a sentence that calls one of the skills, other than for steps that are known to be needless."""
    found: list[str] = []
    for skill in skills.values():
        without = [step.arguments for step in needless if step.skill == skill.name]
        found += skill.signature.expressions(vocabulary, without).values()
    if not found:
        raise Unparseable("No skill fits anything in this scene.")
    return gbnf.choice(found)


def steps_towards(world: World, scene: Observation, wanted: Collection[Condition]) -> list[Step]:
    """The steps that can be done now and bring about one of the wanted conditions, by their skills' declarations."""
    facts = [(condition.relation, dict(condition.arguments)) for condition in wanted]
    found = []
    for skill in world.skills.values():
        if skill.effects is None:
            continue
        for call in skill.signature.calls(scene.vocabulary):
            promised = [(relation, dict(given)) for relation, given in skill.effects(**call)]
            if not any(each in facts for each in promised) and all(name in world.relations for name, _ in promised):
                continue  # told before anything else is looked at: most steps serve nothing of what is wanted
            skill.promises(call, world.relations)
            try:
                found.append(skill.step(skill.refuse(call, scene)))
            except SkillError:
                continue
    return found


def goal_list_grammar(relations: Mapping[str, Relation], vocabulary: Vocabulary) -> str:
    """The grammar of a list of quoted conditions.

    What can be in one place only is spoken of once, if only to stay there; but not everything can stay.
    """
    changes: list[str] = []
    stays: list[str] = []
    often: list[str] = []
    for relation in relations.values():
        for thing, sentence in relation.signature.expressions(vocabulary).items():
            if relation.otherwise:
                changes.append(_quoted(sentence))
                stays.append(_quoted(gbnf.literal(relation.left_alone(thing))))
            else:
                often.append(_quoted(sentence))
    if not changes and not often:
        raise Unparseable("No relation fits anything in this scene.")
    several = gbnf.separated(gbnf.choice(often), ", ", most=8) if often else ""
    if not changes:
        return several
    either = [gbnf.choice(pair) for pair in zip(changes, stays, strict=True)]
    first_change = [_listed([*stays[:i], changes[i], *either[i + 1 :]]) for i in range(len(changes))]
    more = f"({gbnf.literal(', ')} {several})?" if several else ""
    return gbnf.sequence(gbnf.choice(first_change), more)


def _quoted(expression: str) -> str:
    return gbnf.sequence(gbnf.literal('"'), expression, gbnf.literal('"'))


def _listed(expressions: Sequence[str]) -> str:
    return f" {gbnf.literal(', ')} ".join(expressions)


def read_action(text: str, skills: Mapping[str, Skill], vocabulary: Vocabulary, reason: str = "") -> Step:
    """The step that a sentence asks for."""
    signatures = {name: skill.signature for name, skill in skills.items()}
    name, arguments = _read(text, signatures, vocabulary, "none of the robot's skills")
    return skills[name].step(arguments, reason)


def read_goal(text: str, relations: Mapping[str, Relation], vocabulary: Vocabulary) -> tuple[Condition, ...]:
    """The conditions in a list of quoted sentences; that something stays is no condition."""
    sentences = re.findall(r'"([^"]+)"', text)
    if not sentences:
        raise Unparseable(f'{text.strip()!r} states no goal; say Goal state is ["…", "…"].', text)
    things = all_names(vocabulary)
    staying = {r.left_alone(thing).lower() for r in relations.values() if r.otherwise for thing in things}
    stated = [sentence for sentence in sentences if sentence.strip().lower() not in staying]
    read = [_read_condition(sentence, relations, vocabulary) for sentence in stated]
    if not read:
        raise Unparseable("In this goal everything stays where it is; a request is there to change something.", text)
    return tuple({condition.words: condition for condition in read}.values())


def _read_condition(text: str, relations: Mapping[str, Relation], vocabulary: Vocabulary) -> Condition:
    """The condition that a sentence states."""
    signatures = {name: relation.signature for name, relation in relations.items()}
    name, arguments = _read(text, signatures, vocabulary, "nothing that can be checked")
    return relations[name].condition(arguments)


def _read(
    text: str, signatures: Mapping[str, Signature], vocabulary: Vocabulary, otherwise: str
) -> tuple[str, dict[str, Value]]:
    """Which signature a sentence is of, and its arguments; that it names what is not here is said only if none fits."""
    misnamed: SkillError | None = None
    for name, signature in signatures.items():
        try:
            return name, signature.check(signature.parse(text, vocabulary), vocabulary)
        except SkillError as error:
            misnamed = misnamed or error
        except Unparseable:
            continue
    if misnamed is not None:
        raise Unparseable(str(misnamed), text)
    forms = " or ".join(repr(signature.says) for signature in signatures.values())
    raise Unparseable(f"{text.strip()!r} is {otherwise}; say {forms}.", text)
