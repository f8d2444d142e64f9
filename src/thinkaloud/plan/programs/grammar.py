"""The grammar of plain programs, for the things and the skills at hand: calls with names, as the papers' listings have
them. What a model without a grammar writes may be any program of the sandbox's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from thinkaloud.calls import FREE_TEXT, call_grammar
from thinkaloud.models import grammar as gbnf
from thinkaloud.plan.programs.lessons import lesson_of
from thinkaloud.records import Observation
from thinkaloud.worlds import World

_MOST_CALLS = 8
PROGRAM_END = "\n#"
"""What follows a program in every prompt, and so tells that it is over."""


def program_grammar(bodies: Iterable[str], before: Sequence[str] = ()) -> str:
    """One of several bodies to its end; `before` it come expressions that are no code, such as thoughts."""
    return gbnf.grammar(gbnf.sequence(*before, gbnf.choice(bodies), gbnf.literal(PROGRAM_END)))


def plain_bodies(world: World, scene: Observation, most: int = _MOST_CALLS) -> list[str]:
    """At most so many calls with names, or an answer, or nothing."""
    return [calls_expression(world, scene, most), text_call("say"), gbnf.literal("noop()")]


def calls_expression(world: World, scene: Observation, most: int = _MOST_CALLS) -> str:
    """Calls of skills, a line each, by the names that programs have for them."""
    lesson = lesson_of(world)
    call = call_grammar(world.skills, scene.vocabulary, name=lambda skill: lesson.function_of(skill.name))
    return gbnf.separated(call, "\n", most=most)


def text_call(function: str) -> str:
    """A call with some text."""
    return gbnf.sequence(gbnf.literal(f'{function}("'), FREE_TEXT, gbnf.literal('")'))
