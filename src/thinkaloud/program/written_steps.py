"""Steps as a program: `pick_and_place("red block", "blue bowl")`, line by line."""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.program import tree
from thinkaloud.program.evaluate import literal
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import program_of
from thinkaloud.records import Step


def write_steps(steps: Sequence[Step], lexicon: Lexicon) -> str:
    """The text of a program that does these steps, without default values at the end of a call."""
    called = {own: name for name, own in lexicon.own_names.items()}
    deeds = []
    for step in steps:
        name = called.get(step.skill, step.skill)
        given = [(p, step.arguments.get(p.name, p.default)) for p in lexicon.skills[name].parameters]
        while given and given[-1][1] == given[-1][0].default:
            given.pop()
        deeds.append(tree.Do(tree.Call(name, "skill", tuple(literal(value) for _, value in given))))
    return program_of(deeds, lexicon).text
