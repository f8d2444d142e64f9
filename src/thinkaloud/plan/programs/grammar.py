"""The grammar of programs for the current things and skills: thoughts in comments, then calls, as in the papers.

A loop goes over things by their names and calls skills. A call with a list of things may name a function that does not
exist; the model is then asked to write it. A model without a grammar may write any program of the sandbox's language.
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
"""How a line of thought begins, as in the Statler paper."""
PROGRAM_END = "\n#"
"""What follows a program in every prompt, and therefore marks its end."""
_THOUGHT = r"[^\n]+"
_TEXT = r'[^"\\\n]+'
"""Long enough to name everything on a full table."""
_MOST_THOUGHTS = 12
_MOST_IN_LOOP = 4
_VARIABLE = "[a-z] [a-z_]{0,15}"
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
    """The grammar of a whole program: thoughts, then calls of skills, of its `own` functions with a text, or `noop()`.

    `before` it come expressions that are not code, such as states that the model works out.
    """
    lesson = lesson_of(world)
    call = call_grammar(world.skills, scene.vocabulary, name=lambda skill: lesson.function_of(skill.name))
    lines = [call, *map(text_call, own), gbnf.literal("noop()")]
    rules = {"line": gbnf.choice(lines)}
    if names := all_names(scene.vocabulary):
        rules["name"] = gbnf.one_of(f'"{name}"' for name in names)
        listed = f'"[" {gbnf.separated("name", ", ", most=MOST_LINES)} "]"'
        loop = f'"for " {_VARIABLE} " in " {listed} ":" ("\\n    " inner){{1,{_MOST_IN_LOOP}}}'
        skills = [lesson.function_of(name) for name, each in world.skills.items() if each.signature.parameters]
        rules["inner"] = f'{gbnf.one_of(skills)} "(" argument (", " argument)* ")"'
        rules["argument"] = f"name | {_VARIABLE}"
        rules["line"] = gbnf.choice([*lines, f'{_NEW_NAME} "(" {listed} (", " name)* ")"', *([loop] if skills else [])])
    thoughts = f"({gbnf.literal(THINK)} {_THOUGHT} {gbnf.literal(chr(10))}){{0,{_MOST_THOUGHTS}}}" if think else ""
    program = gbnf.separated("line", "\n", most=most)
    return gbnf.grammar(gbnf.sequence(*before, thoughts, program, gbnf.literal(PROGRAM_END)), rules)


def definition_grammar(name: str) -> str:
    """The grammar of a function with that name: its head, then indented lines."""
    head = gbnf.sequence(gbnf.literal(f"def {name}("), '[a-z_0-9, ]{1,80} "):"')
    body = r'("\n    " [^\n#]{1,160}){1,12}'
    return gbnf.grammar(gbnf.sequence(head, body, gbnf.literal(PROGRAM_END)))


def text_call(function: str) -> str:
    """The grammar of a call with a text."""
    return gbnf.sequence(gbnf.literal(f'{function}("'), _TEXT, gbnf.literal('")'))
