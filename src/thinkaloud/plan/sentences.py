"""Sentences of a small language, made of the skills and relations of a world and the names in its scene.

A model that is constrained to them always says something that parses; the words of one that is not are read here too,
and refused with the reason where they name what is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from thinkaloud.errors import SkillError, Unparseable
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Condition, Step
from thinkaloud.skills import Relation, Signature, Skill, Vocabulary


def an_action(skills: Mapping[str, Skill], vocabulary: Vocabulary) -> str:
    """The grammar of a sentence that calls one of the skills."""
    return _any(("skill", (s.signature for s in skills.values())), vocabulary)


def a_condition(relations: Mapping[str, Relation], vocabulary: Vocabulary) -> str:
    """The grammar of a sentence that says that a relation holds."""
    return _any(("relation", (r.signature for r in relations.values())), vocabulary)


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


def _any(named: tuple[str, Iterable[Signature]], vocabulary: Vocabulary) -> str:
    kind, signatures = named
    expressions = [e for e in (s.expression(vocabulary) for s in signatures) if e is not None]
    if not expressions:
        raise Unparseable(f"No {kind} fits anything in this scene.")
    return gbnf.choice(expressions)
