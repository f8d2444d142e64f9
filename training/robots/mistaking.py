"""Meanings that are nearly right: what a reading goes wrong by, so that a second opinion can be learnt.

    mistake('water("fern")', lexicon, ['water(plants)', 'say(wet("rose"))'], rng)     # 'water("rose")', perhaps

One or two places of a program are changed in its own text, so that a wrong one looks no different from a right one:
another thing, another skill or relation, one for all or all for one, a condition lost or turned round, another number,
a step too few or too many; or it is what something else means that was said to the same robot.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from thinkaloud.program.lexicon import THINGS, Lexicon
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand.prompting.prompt import NO, SO, YES
from training.samples import Sample
from training.words import one

Edit = tuple[int, int, str]
"""From here to there, and what stands there then."""
_OTHERS = 0.25
_TWICE = 0.2
_MORE = 0.4
_NO_DEED = ("say(", "ask(", "note(", "cannot(", "unclear(", "stop(")
_TURNED = {"Lt": " > ", "Gt": " < ", "LtE": " > ", "GtE": " < ", "Eq": " != ", "NotEq": " == "}
_OPPOSITE = {"max": "min", "min": "max", "any": "all", "all": "any"}
_ALIKE = 4
"""Other names that are tried for one."""


def mistake(program: str, lexicon: Lexicon, others: Sequence[str], rng: np.random.Generator) -> str | None:
    """Another program than this one; None where nothing was found to be wrong about."""
    different = [each for each in others if each != program]
    if different and rng.random() < _OTHERS:
        return one(rng, different)
    found = program
    for _ in range(2 if rng.random() < _TWICE else 1):
        edits = list(find_edits(found, lexicon, different, rng))
        if not edits:
            break
        ways = sorted({way for way, _ in edits})
        way = one(rng, ways)
        chosen = [edit for each, edit in edits if each == way]
        start, end, text = chosen[int(rng.integers(len(chosen)))]
        found = (found[:start] + text + found[end:]).strip("\n")
    if found == program or ' in "' in found or not is_program(found):
        return one(rng, different) if different else None
    return found


def with_opinion(sample: Sample, lexicon: Lexicon, rng: np.random.Generator) -> Sample:
    """The same session, but a meaning of what was said last is shown, right or nearly so: is that it?"""
    *before, (prompt, answer) = sample.parts
    program = answer.strip("\n")
    wrong = None
    if rng.random() < 0.5:
        wrong = mistake(program, lexicon, [said.strip("\n") for _, said in before], rng)
    judged = f"{prompt}{wrong or program}\n{SO}", f"{NO if wrong else YES}\n\n"
    return Sample(sample.family, (*before, judged))


def is_program(program: str) -> bool:
    """Whether a text can be read as a program."""
    try:
        ast.parse(program)
    except SyntaxError:
        return False
    return bool(program.strip())


def find_edits(
    program: str, lexicon: Lexicon, others: Sequence[str], rng: np.random.Generator
) -> Iterator[tuple[str, Edit]]:
    """All ways to go wrong once, each with its sort."""
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return
    at = places_in(program)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.Name | ast.Call | ast.ListComp | ast.Compare | ast.UnaryOp):
            for way, text in _instead(node, program, lexicon, rng, at):
                yield way, (*span_of(node, at), text)
    yield from _steps(tree, program, others, rng, at)


Where = Callable[[int, int], int]


def places_in(program: str) -> Where:
    """Where a line and a column are in the text; columns of the tree count bytes."""
    lines = program.splitlines(keepends=True)
    starts = [sum(len(line) for line in lines[:number]) for number in range(len(lines))]
    return lambda line, column: starts[line - 1] + len(lines[line - 1].encode()[:column].decode())


def span_of(node: ast.expr | ast.stmt, at: Where) -> tuple[int, int]:
    """Where a part of a program begins and ends in its text."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)


def text_of(node: ast.expr | ast.stmt, program: str, at: Where) -> str:
    """The text of a part of a program."""
    start, end = span_of(node, at)
    return program[start:end]


def _instead(
    node: ast.expr, program: str, lexicon: Lexicon, rng: np.random.Generator, at: Where
) -> Iterator[tuple[str, str]]:
    """What might stand in a place instead, each with its sort."""
    match node:
        case ast.Constant(value=str(name)):
            for other in _draw(_like(name, lexicon), rng):
                yield "thing", json.dumps(other, ensure_ascii=False)
            for kind, names in lexicon.kinds.items():
                if name in names and len(names) > 1 and kind != THINGS:
                    yield "all", kind
        case ast.Constant(value=bool(is_so)):
            yield "number", str(not is_so)
        case ast.Constant(value=int(number)):
            yield "number", str(max(0, number + int(rng.choice([-2, -1, 1, 2, 5]))))
        case ast.Name(id=name) if name in lexicon.kinds:
            for other in _draw([kind for kind in lexicon.kinds if kind != name], rng):
                yield "kind", other
            for thing in _draw(lexicon.kinds[name], rng)[:2]:
                yield "one", json.dumps(thing, ensure_ascii=False)
        case ast.Name(id=name):
            if name in _OPPOSITE:
                yield "turned", _OPPOSITE[name]
            for functions in (lexicon.skills, lexicon.relations, lexicon.measures):
                for other in _draw(_functions_like(name, functions), rng):
                    yield "function", other
        case ast.Call(func=ast.Name(id="order" | "change" as name), args=[_, _, *_] as args):
            lost = int(rng.integers(len(args)))
            kept = [text_of(each, program, at) for each in args if each is not args[lost]]
            kept += [f"{each.arg}={text_of(each.value, program, at)}" for each in node.keywords]
            yield "less", f"{name}({', '.join(kept)})"
        case ast.Call(func=ast.Name(id="len"), args=[counted]):
            yield "counted", text_of(counted, program, at)
        case ast.ListComp(generators=[ast.comprehension(iter=every, ifs=[condition])]):
            yield "lost", text_of(every, program, at)
            whole, asked = text_of(node, program, at), text_of(condition, program, at)
            turned = asked.removeprefix("not ") if asked.startswith("not ") else f"not {asked}"
            if " and " not in asked and " or " not in asked:
                yield "turned", whole.replace(f"if {asked}", f"if {turned}")
        case ast.Compare(ops=[sign], left=left, comparators=[right]) if type(sign).__name__ in _TURNED:
            yield "turned", text_of(left, program, at) + _TURNED[type(sign).__name__] + text_of(right, program, at)
        case ast.UnaryOp(op=ast.Not(), operand=denied):
            yield "turned", text_of(denied, program, at)


def _steps(
    tree: ast.Module, program: str, others: Sequence[str], rng: np.random.Generator, at: Where
) -> Iterator[tuple[str, Edit]]:
    """A step less, a step more, a condition less or turned round."""
    lines = program.count("\n") + 1
    for step in tree.body:
        start, end = span_of(step, at)
        if len(tree.body) > 1:
            yield "less", (start, min(end + 1, len(program)), "")
        if isinstance(step, ast.If):
            asked = text_of(step.test, program, at)
            turned = asked.removeprefix("not ") if asked.startswith("not ") else f"not {asked}"
            yield "turned", (*span_of(step.test, at), turned)
            yield "lost", (start, end, "\n".join(text_of(each, program, at) for each in step.body))
    plain = [each for each in others if "\n" not in each and not each.startswith(_NO_DEED)]
    if plain and lines < 5 and rng.random() < _MORE:
        yield "more", (len(program), len(program), "\n" + one(rng, plain))


def _like(name: str, lexicon: Lexicon) -> list[str]:
    """Names that might be taken for this one: of the same lists, or the other choices."""
    same = [names for kind, names in lexicon.kinds.items() if name in names and kind != "things"]
    choices = [
        parameter.choices
        for functions in (lexicon.skills, lexicon.relations)
        for signature in functions.values()
        for parameter in signature.parameters
        if parameter.choices and name in parameter.choices
    ]
    found = [*same, *choices] or [names for names in lexicon.kinds.values() if name in names]
    return list(dict.fromkeys(other for names in found for other in names if other != name))


def _functions_like(name: str, functions: Mapping[str, Signature]) -> list[str]:
    if name not in functions:
        return []
    many = len(functions[name].parameters)
    return [other for other, each in functions.items() if other != name and len(each.parameters) == many]


def _draw(names: Sequence[str], rng: np.random.Generator) -> list[str]:
    return [names[int(i)] for i in rng.permutation(len(names))[:_ALIKE]]
