"""The grammar of programs, for the things and the skills at hand: thoughts in comments, then calls with names, as the
papers' listings have them. What a model without a grammar writes may be any program of the sandbox's language.

A call with a list of things may be of a function that there is not; the model is asked for that one next.
"""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.language.calls import call_grammar
from thinkaloud.language.name_matching import all_names
from thinkaloud.models import grammar as gbnf
from thinkaloud.plan.programs.example_choice import lesson_of
from thinkaloud.records import Observation
from thinkaloud.skills.built_in_steps import SAY
from thinkaloud.worlds import World

MOST_LINES = 40
THINK = "# THINK: "
"""How a line of thought begins, as in the paper Statler."""
PROGRAM_END = "\n#"
"""What follows a program in every prompt, and so tells that it is over."""
_THOUGHT = r"[^\n]+"
_TEXT = r'[^"\\\n]+'
"""As long as it takes to name everything on a full table."""
_MOST_THOUGHTS = 12
_NEW_NAME = '[a-z] [a-z0-9]{1,20} ("_" [a-z0-9]{1,20}){1,4}'


def plan_program_grammar(
    world: World,
    scene: Observation,
    own: Sequence[str] = (SAY,),
    *,
    think: bool = False,
    before: Sequence[str] = (),
    most: int = MOST_LINES,
) -> str:
    """A program to its end: some thoughts, then calls of skills, of functions of its `own` with a text, or `noop()`.

    `before` it come expressions that are no code, such as states that are worked out.
    """
    lesson = lesson_of(world)
    call = call_grammar(world.skills, scene.vocabulary, name=lambda skill: lesson.function_of(skill.name))
    lines = [call, *map(text_call, own), gbnf.literal("noop()")]
    rules = {"line": gbnf.choice(lines)}
    if names := all_names(scene.vocabulary):
        rules["name"] = gbnf.one_of(f'"{name}"' for name in names)
        listed = f'"[" {gbnf.separated("name", ", ", most=MOST_LINES)} "]"'
        rules["line"] = gbnf.choice([*lines, f'{_NEW_NAME} "(" {listed} (", " name)* ")"'])
    thoughts = f"({gbnf.literal(THINK)} {_THOUGHT} {gbnf.literal(chr(10))}){{0,{_MOST_THOUGHTS}}}" if think else ""
    program = gbnf.separated("line", "\n", most=most)
    return gbnf.grammar(gbnf.sequence(*before, thoughts, program, gbnf.literal(PROGRAM_END)), rules)


def definition_grammar(name: str) -> str:
    """A function of that name: its head, then lines that are indented."""
    head = gbnf.sequence(gbnf.literal(f"def {name}("), '[a-z_0-9, ]{1,80} "):"')
    body = r'("\n    " [^\n#]{1,160}){1,12}'
    return gbnf.grammar(gbnf.sequence(head, body, gbnf.literal(PROGRAM_END)))


def text_call(function: str) -> str:
    """A call with some text."""
    return gbnf.sequence(gbnf.literal(f'{function}("'), _TEXT, gbnf.literal('")'))
