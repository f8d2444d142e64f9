"""The grammar of plain programs, for the things and the skills at hand: calls with names, as the papers' listings have
them. What a model without a grammar writes may be any program of the sandbox's language."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Observation
from thinkaloud.signatures import Parameter
from thinkaloud.skills import Skill, Vocabulary
from thinkaloud.worlds import World
from thinkaloud.worlds.lessons import lesson_of

MOST_CALLS = 8
PROGRAM_END = "\n#"
"""What follows a program in every prompt, and so tells that it is over."""
TEXT = r'[^"\\\n]{1,120}'
"""What is said or noted in a program."""


def program_grammar(bodies: Iterable[str], before: Sequence[str] = ()) -> str:
    """One of several bodies to its end; `before` it come expressions that are no code, such as thoughts."""
    return gbnf.grammar(gbnf.sequence(*before, gbnf.choice(bodies), gbnf.literal(PROGRAM_END)))


def plain_bodies(world: World, scene: Observation, most: int = MOST_CALLS) -> list[str]:
    """At most so many calls with names, or an answer, or nothing."""
    return [calls_expression(world, scene, most), text_call("say"), gbnf.literal("noop()")]


def calls_expression(world: World, scene: Observation, most: int = MOST_CALLS) -> str:
    """Calls of skills, a line each, by the names that programs have for them."""
    lesson = lesson_of(world)
    call = a_call(world.skills, scene.vocabulary, lambda skill: lesson.function_of(skill.name))
    return gbnf.separated(call, "\n", most=most)


def text_call(function: str) -> str:
    """A call with some text."""
    return gbnf.sequence(gbnf.literal(f'{function}("'), TEXT, gbnf.literal('")'))


def a_call(
    skills: Mapping[str, Skill], vocabulary: Vocabulary, name: Callable[[Skill], str] = lambda skill: skill.name
) -> str:
    """A call of any skill, with things that are here, and never with the same thing twice where that makes no sense."""
    calls = []
    for skill in skills.values():
        signature = skill.signature
        if any(p.options(vocabulary) == () for p in signature.parameters):
            continue
        head, first = gbnf.literal(name(skill) + "("), signature.parameters[:1]
        if len(signature.parameters) > 1 and first[0].name in signature.distinct and first[0].options(vocabulary):
            each = [
                gbnf.sequence(gbnf.literal(f"{_text(name)}, "), *_arguments(signature.parameters[1:], vocabulary, name))
                for name in first[0].options(vocabulary) or ()
            ]
            calls.append(gbnf.sequence(head, gbnf.choice(each), '")"'))
        else:
            calls.append(gbnf.sequence(head, *_arguments(signature.parameters, vocabulary), '")"'))
    return gbnf.choice(calls)


def _arguments(parameters: Iterable[Parameter], vocabulary: Vocabulary, without: str = "") -> list[str]:
    parts: list[str] = []
    for p in parameters:
        options = p.options(vocabulary)
        parts += [gbnf.literal(", ")] if parts else []
        if p.type is not str:
            parts.append(p.expression(vocabulary, without=(without,)))
        elif options is None:
            parts.append(gbnf.sequence(gbnf.literal('"'), TEXT, gbnf.literal('"')))
        else:
            parts.append(gbnf.one_of(_text(option) for option in options if option != without))
    return parts


def _text(name: str) -> str:
    """A name as a literal: what it contains of quotes is escaped."""
    return json.dumps(name, ensure_ascii=False)
