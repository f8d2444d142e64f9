"""Sentences of a small language, built from a world's skills and relations and the names in its scene.

A model that is constrained to them always says something that parses. The words of an unconstrained model are parsed
here, too; the error says why if they name something that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.language.name_matching import all_names, things_in
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Condition, Step, Value
from thinkaloud.skills import Relation, Signature, Skill, Vocabulary

MISSING = "There is no "
"""The beginning of a sentence that says what is missing."""


def action_grammar(skills: Mapping[str, Skill], vocabulary: Vocabulary, needless: Sequence[Step] = ()) -> str:
    """The grammar of a sentence that calls one of the skills, without steps that are known to be needless."""
    found: list[str] = []
    for skill in skills.values():
        without = [step.arguments for step in needless if step.skill == skill.name]
        found += skill.signature.expressions(vocabulary, without).values()
    if not found:
        raise Unparseable("No skill fits anything in this scene.")
    return gbnf.choice(found)


def condition_grammar(relations: Mapping[str, Relation], vocabulary: Vocabulary) -> str:
    """The grammar of a quoted sentence that states one of the relations."""
    found = [each for relation in relations.values() for each in relation.signature.expressions(vocabulary).values()]
    if not found:
        raise Unparseable("No relation fits anything in this scene.")
    return gbnf.sequence(gbnf.literal('"'), gbnf.choice(found), gbnf.literal('"'))


def read_action(text: str, skills: Mapping[str, Skill], vocabulary: Vocabulary, reason: str = "") -> Step:
    """The step that a sentence asks for."""
    signatures = {name: skill.signature for name, skill in skills.items()}
    name, arguments = _read(text, signatures, vocabulary, "none of the robot's skills")
    return skills[name].step(arguments, reason)


def read_goal(text: str, relations: Mapping[str, Relation], vocabulary: Vocabulary) -> tuple[Condition, ...]:
    """The conditions in a list of quoted sentences; that something stays as it is does not count."""
    sentences = re.findall(r'"([^"]+)"', text)
    if not sentences:
        raise Unparseable(f'{text.strip()!r} states no goal; say Goal state is ["…", "…"].', text)
    things = all_names(vocabulary)
    staying = {r.left_alone(thing).lower() for r in relations.values() if r.otherwise for thing in things}
    stated = [sentence for sentence in sentences if sentence.strip().lower() not in staying]
    read = [read_condition(sentence, relations, vocabulary) for sentence in stated]
    if not read:
        raise Unparseable("In this goal everything stays where it is; a request is there to change something.", text)
    return tuple({condition.words: condition for condition in read}.values())


def read_missing(text: str, vocabulary: Vocabulary) -> str | None:
    """What a sentence says is missing, if anything; raises Unparseable if it is there."""
    match = re.fullmatch(re.escape(MISSING) + r"(.+?) here\.?", text.strip())
    if match is None:
        return None
    if there := things_in(match[1], all_names(vocabulary)):
        raise Unparseable(f"There is: {', '.join(there)}.", text)
    return match[1]


def read_condition(text: str, relations: Mapping[str, Relation], vocabulary: Vocabulary) -> Condition:
    """The condition that a sentence states."""
    signatures = {name: relation.signature for name, relation in relations.items()}
    name, arguments = _read(text, signatures, vocabulary, "nothing that can be checked")
    return relations[name].condition(arguments)


def _read(
    text: str, signatures: Mapping[str, Signature], vocabulary: Vocabulary, otherwise: str
) -> tuple[str, dict[str, Value]]:
    """The signature that a sentence matches, and its arguments; absent names are reported only if none matches."""
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
