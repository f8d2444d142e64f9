"""What is left of a reading when an answer names one of the things that it is about."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from thinkaloud.language.picking import find_fitting
from thinkaloud.program import tree
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import read_program
from thinkaloud.program.written_steps import write_steps
from thinkaloud.records import Reading, Step


def narrow_reading(text: str, reading: Reading, lexicon: Lexicon) -> Reading | None:
    """The reading, or what it would do with the only thing that an answer names; None if that cannot be told.

    Who names one of several things that a reading is about means that thing, not the whole reading. The things may be
    written in the program, or be what a list, a description or a comprehension in it comes to.
    """
    groups = [*_written_together(reading.program), *_done_together(reading.deeds)]
    found = [(names, find_fitting(text, names)) for names in map(sorted, groups)]
    named = {names[place] for names, fits in found if len(fits) < len(names) for place in fits}
    if not named:
        return reading
    steps = tuple(step for step in reading.deeds if named <= {*map(str, step.arguments.values())})
    if len(named) > 1 or not steps or not _is_list(reading, lexicon):
        return None
    return replace(
        reading, program=write_steps(steps, lexicon), words=" ".join(step.words for step in steps), deeds=steps
    )


def _written_together(program: str) -> Iterator[set[str]]:
    """The names in each place of each skill's calls: `empty("big pot"); empty("small pot")` names two side by side."""
    try:
        parsed = ast.parse(program)
    except (SyntaxError, ValueError):
        return
    found = defaultdict[tuple[str, int | str], set[str]](set)
    for call in ast.walk(parsed):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        places: list[tuple[int | str, ast.expr]] = [*enumerate(call.args)]
        places += [(each.arg, each.value) for each in call.keywords if each.arg is not None]
        for place, value in places:
            items = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
            texts = [each.value for each in items if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            found[call.func.id, place].update(texts)
    yield from found.values()


def _done_together(deeds: Sequence[Step]) -> Iterator[set[str]]:
    """The names that each skill is given for each of its parameters, as things are now."""
    found = defaultdict[tuple[str, str], set[str]](set)
    for step in deeds:
        for name, value in step.arguments.items():
            if isinstance(value, str):
                found[step.skill, name].add(value)
    yield from found.values()


def _is_list(reading: Reading, lexicon: Lexicon) -> bool:
    """Whether a reading does one thing with several things, whatever else is so: no part of it belongs to another."""
    program = read_program(reading.program, lexicon)
    if program is None or not all(isinstance(statement, tree.Do) for statement in program.statements):
        return False
    first = reading.deeds[0]
    differing = {
        name
        for step in reading.deeds
        for name in {*step.arguments, *first.arguments}
        if step.arguments.get(name) != first.arguments.get(name)
    }
    return len(differing) == 1 and all(step.skill == first.skill for step in reading.deeds)
