"""Readings that are nearly right, as a model gets them wrong: what the judge learns to say no to.

    said = Heard("the soup for Paolo", lexicon, known={"soup": ("barley broth", "lentil stew")})
    draw_misses('serve(the("soup"), "Paolo")', said, rng, 2)      # ("chosen", 'serve("lentil stew", "Paolo")'), …

`mistaking` changes a name, a function, a number, a condition or a step. Here are, besides these, a description that is
too narrow or too wide for how the person spoke, another thing for a pronoun or for a thing that is not here, arguments
exchanged, a condition that nobody set, steps in another order, a question for a deed and the reverse, a note for a
deed, a ban for a deed, and something taken back that was not to be, or not taken back that was. Whether a miss comes
to something else is for the caller to find out.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from thinkaloud.language.words import stems
from thinkaloud.program.lexicon import THINGS, Lexicon
from thinkaloud.program.words import (
    ALL_OF,
    ALLOW,
    ALWAYS,
    ANY_OF,
    IT,
    KEEP,
    NOTE,
    SAY,
    STOP,
    THE,
    THE_OTHER,
    THEM,
    UNDO,
)
from thinkaloud.skills.signatures import Parameter, Signature
from training.robots.mistaking import Edit, Where, find_edits, is_program, places_in, span_of, text_of
from training.words import one

NEVER = "never"
_DESCRIBED = {
    THE: (ANY_OF, ALL_OF),
    ANY_OF: (THE, ALL_OF),
    ALL_OF: (THE, ANY_OF),
    THE_OTHER: (THE, ANY_OF, ALL_OF),
}
"""What stands for a description that is too narrow or too wide."""
_UNITS = ("gram", "kilogram", "teaspoon", "tablespoon", "cup", "litre", "millilitre", "minute", "second", "degree")
_SPEECH = (SAY, NOTE, "ask", "cannot", "unclear")
_CONTROL = {STOP: (UNDO, "previous"), UNDO: (STOP, "previous"), "previous": (STOP, UNDO)}
_NEAREST = 0.5
"""How often the likeliest to be confused is taken: what shares most words with what was said."""
_TWICE = 0.1
_TAKES_LISTS = re.compile(r"\b(?:len|sorted|max|min|any|for)\b")
_OFTEN = {"chosen": 2.5, "described": 2.5, "one": 1.5, "spoken": 1.5, "absent": 1.5, "less": 1.5, "thing": 1.5}
_SELDOM = {"other": 0.3, "asked": 0.35, "note": 0.2, "ban": 0.4, "undone": 0.5, "more": 0.5, "kind": 0.4}
"""Ways to go wrong that are drawn more often, or less often, than others."""


@dataclass(frozen=True)
class Heard:
    """What was said, to whom, and after what."""

    words: str
    lexicon: Lexicon
    mentioned: Sequence[str] = ()
    """The things that were spoken of before."""
    known: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Which things words name that is in none of their names."""
    others: Sequence[tuple[str, str]] = ()
    """What else was said to the same robot, each with its program."""
    amid: bool = False
    """Whether something was said before it in the conversation."""


def draw_misses(program: str, said: Heard, rng: np.random.Generator, many: int) -> Iterator[tuple[str, str]]:
    """Readings that are nearly right, up to so many, each by another way to go wrong."""
    found = _by_way(program, said, rng)
    ways = sorted(found)
    if not ways:
        return
    weights = np.array([(_OFTEN | _SELDOM).get(way, 1.0) for way in ways])
    chosen = rng.choice(len(ways), min(many, len(ways)), replace=False, p=weights / weights.sum())
    for way in (ways[int(number)] for number in chosen):
        miss = _draw(found[way], said, rng)
        if way not in ("other", "note") and ANY_OF not in program and rng.random() < _TWICE:
            again = [each for other, each in _by_way(miss, said, rng).items() if other not in ("other", "note")]
            miss = one(rng, again[int(rng.integers(len(again)))]) if again else miss
        if miss != program and is_program(miss) and not _is_odd(miss):
            yield way, miss


def _by_way(program: str, said: Heard, rng: np.random.Generator) -> dict[str, list[str]]:
    """All near misses by the way in which they go wrong; some may be no programs."""
    found: dict[str, list[str]] = {}
    others = [each for _, each in said.others if each != program]
    edits = [*find_edits(program, said.lexicon, others, rng), *_finer_edits(program, said, rng)]
    for way, (start, end, text) in edits:
        found.setdefault(way, []).append((program[:start] + text + program[end:]).strip("\n"))
    for way, miss in _whole(program, said):
        found.setdefault(way, []).append(miss)
    return found


def _draw(misses: list[str], said: Heard, rng: np.random.Generator) -> str:
    """One of the misses; often one of those that share most words with what was said."""
    if rng.random() < _NEAREST:
        words = stems(said.words)
        shared = [len(stems(each.replace("_", " ")) & words) for each in misses]
        misses = [each for each, many in zip(misses, shared, strict=True) if many == max(shared)]
    return one(rng, misses)


def _is_odd(program: str) -> bool:
    """Whether a name stands where only a list can."""
    if "[" not in program and not _TAKES_LISTS.search(program):
        return ' in "' in program
    for node in ast.walk(ast.parse(program)):
        match node:
            case ast.Subscript(value=ast.Constant()) | ast.comprehension(iter=ast.Constant()):
                return True
            case ast.Call(func=ast.Name(id="len" | "sorted" | "max" | "min" | "any"), args=[ast.Constant(), *_]):
                return True
    return ' in "' in program


# In places of a program -----------------------------------------------------------------------------------------------


def _finer_edits(program: str, said: Heard, rng: np.random.Generator) -> Iterator[tuple[str, Edit]]:
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return
    at = places_in(program)
    functions = said.lexicon.functions
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in functions:
                yield from _in_call(node, functions[name], program, said, rng, at)
            case ast.Call(func=ast.Name(id=name)) if name in _DESCRIBED or name in (IT, THEM):
                yield from ((way, (*span_of(node, at), text)) for way, text in _described(node, program, said, at))
            case ast.Call(func=ast.Name(id="amount"), args=[ast.Constant(), ast.Constant(value=str(unit)), *_]):
                instead = one(rng, [each for each in _UNITS if each != unit])
                yield "number", (*span_of(node.args[1], at), json.dumps(instead))
            case ast.Constant(value=float(number)):
                yield "number", (*span_of(node, at), str(round(number * (0.5, 2.0, 10.0)[int(rng.integers(3))], 2)))
    yield from _in_order(tree, program, at)
    for step in tree.body:
        yield from _in_step(step, program, said, rng, at)


def _in_call(
    call: ast.Call, signature: Signature, program: str, said: Heard, rng: np.random.Generator, at: Where
) -> Iterator[tuple[str, Edit]]:
    """Another thing for what is not here or was spoken of, one of a kind for a name, and arguments exchanged."""
    lexicon = said.lexicon
    for given, parameter in zip(call.args, signature.parameters, strict=False):
        title = lexicon.list_of(parameter)
        names = lexicon.named.get(title or "", ())
        span = span_of(given, at)
        match given:
            case ast.Constant(value=str(name)) if names and name not in names:
                for other in _some(names, rng):
                    yield "absent", (*span, _quoted(other))
            case ast.Constant(value=str(name)) if title and len(names) > 1:
                yield "all", (*span, f"{ANY_OF}({title})")
                for other in said.mentioned:
                    if other in names and other != name:
                        yield "spoken", (*span, _quoted(other))
            case ast.Name(id=kind) if kind in lexicon.named and len(lexicon.named[kind]) > 1:
                yield "one", (*span, f"{ANY_OF}({kind})")
                for relation in _relations_for(parameter, lexicon):
                    letter = kind[0]
                    asked = f"{relation}({letter})" if rng.random() < 0.5 else f"not {relation}({letter})"
                    yield "condition", (*span, f"[{letter} for {letter} in {kind} if {asked}]")
            case ast.List(elts=[_, _, *_] as listed):
                yield "one", (*span, text_of(listed[int(rng.integers(len(listed)))], program, at))
                kept = [each for each in listed if each is not listed[int(rng.integers(len(listed)))]]
                yield "less", (*span, f"[{', '.join(text_of(each, program, at) for each in kept)}]")
                if title is not None:
                    yield "all", (*span, title)
    lists = [lexicon.list_of(each) for each in signature.parameters]
    if len(call.args) == 2 and len(lists) == 2 and lists[0] == lists[1] is not None:
        first, second = (text_of(each, program, at) for each in call.args)
        yield "exchanged", (span_of(call.args[0], at)[0], span_of(call.args[1], at)[1], f"{second}, {first}")


def _described(call: ast.Call, program: str, said: Heard, at: Where) -> Iterator[tuple[str, str]]:
    """What might stand for a description: a wider or a narrower one, or one thing."""
    assert isinstance(call.func, ast.Name)
    form = call.func.id
    inside = ", ".join(text_of(each, program, at) for each in call.args)
    words = next((str(each.value) for each in call.args if isinstance(each, ast.Constant)), "")
    if form in (IT, THEM):
        yield "described", f"{THEM if form == IT else IT}()"
        for thing in (*said.mentioned[1:3], *said.lexicon.things[:8]):
            yield "spoken", _quoted(thing)
        return
    for other in _DESCRIBED[form]:
        yield "described", f"{other}({inside})"
    if form != ALL_OF:
        yield "described", f"{ANY_OF}({inside}, n=2)"
    if form != ANY_OF:  # any of them would do
        listed = (said.lexicon.named.get(each.id, ()) for each in call.args if isinstance(each, ast.Name))
        for thing in (*named_by(words, said), *(name for names in listed for name in names[:8])):
            yield "chosen", _quoted(thing)
    if form == THE_OTHER:
        for thing in said.mentioned[:2]:
            yield "spoken", _quoted(thing)
    if len(call.args) > 1 and words:
        yield "lost", f"{form}({_quoted(words)})"
    for kind, names in said.lexicon.kinds.items():
        if kind != THINGS and {*named_by(words, said)} & {*names}:
            yield "all", kind


def named_by(words: str, said: Heard) -> list[str]:
    """The things that the words of a description name."""
    known = said.known.get(words.lower(), ())
    parts = [each for each in said.lexicon.things if words and stems(words) and stems(words) <= stems(each)]
    return list(dict.fromkeys([*known, *parts]))


def _in_order(tree: ast.Module, program: str, at: Where) -> Iterator[tuple[str, Edit]]:
    """Two steps the other way round, or one thing for another between them."""
    for first, second in zip(tree.body, tree.body[1:], strict=False):
        texts = text_of(second, program, at), text_of(first, program, at)
        yield "order", (span_of(first, at)[0], span_of(second, at)[1], "\n".join(texts))


def _in_step(
    step: ast.stmt, program: str, said: Heard, rng: np.random.Generator, at: Where
) -> Iterator[tuple[str, Edit]]:
    """Of a whole step: a question for a deed and the reverse, a ban for a deed, a condition that nobody set."""
    lexicon, span = said.lexicon, span_of(step, at)
    match step:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=args) as call) if name in lexicon.skills:
            given = [text_of(each, program, at) for each in args]
            for asked in _calls_with(lexicon.relations, lexicon.skills[name].parameters, given, lexicon):
                yield "asked", (*span, f"{SAY}({asked})")
                turned = asked if rng.random() < 0.5 else f"not {asked}"
                yield "condition", (*span, f"if {turned}:\n    {text_of(call, program, at)}")
            if given:
                yield "ban", (*span, f"{KEEP}({given[0]})")
            if NEVER in ALWAYS:
                yield "ban", (*span, f"{NEVER}({text_of(call, program, at)})")
        case ast.Expr(value=ast.Call(func=ast.Name(id="say"), args=[asked])):
            for inner in ast.walk(asked):
                if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
                    given = [text_of(each, program, at) for each in inner.args]
                    known = lexicon.relations.get(inner.func.id)
                    if known is not None and all('"' in each or "(" in each for each in given):
                        for done in _calls_with(lexicon.skills, known.parameters, given, lexicon):
                            yield "done", (*span, done)
        case ast.Expr(value=ast.Call(func=ast.Name(id="keep" | "allow" as name), args=[thing])):
            yield "ban", (*span, f"{ALLOW if name == KEEP else KEEP}({text_of(thing, program, at)})")
            for skill, signature in lexicon.skills.items():
                if len(signature.parameters) == 1:
                    yield "done", (*span, f"{skill}({text_of(thing, program, at)})")
        case ast.Expr(value=ast.Call(func=ast.Name(id="never"), args=[ast.Call(args=given) as deed])):
            yield "done", (*span, text_of(deed, program, at))
            if given:
                yield "ban", (*span, f"{KEEP}({text_of(given[0], program, at)})")
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=args)) if name not in (*_SPEECH, *_CONTROL):
            for skill, signature in lexicon.skills.items():  # a deed that it does not have
                if len(signature.parameters) == len(args):
                    yield "absent", (*span, f"{skill}({', '.join(text_of(each, program, at) for each in args)})")


def _calls_with(
    functions: Mapping[str, Signature], parameters: Sequence[Parameter], given: Sequence[str], lexicon: Lexicon
) -> Iterator[str]:
    """Calls of functions that take things of the same lists."""
    lists = {lexicon.list_of(each): text for each, text in zip(parameters, given, strict=False)}
    for name, signature in functions.items():
        taken = [lexicon.list_of(each) for each in signature.parameters]
        if taken and None not in taken and {*taken} <= {*lists}:
            yield f"{name}({', '.join(lists[each] for each in taken)})"


def _relations_for(parameter: Parameter, lexicon: Lexicon) -> list[str]:
    """The relations that can be asked of a thing that a parameter takes."""
    title = lexicon.list_of(parameter)
    return [
        name for name, each in lexicon.relations.items() if [lexicon.list_of(own) for own in each.parameters] == [title]
    ]


# Another program ------------------------------------------------------------------------------------------------------


def _whole(program: str, said: Heard) -> Iterator[tuple[str, str]]:
    """What something else means, a note, or something taken back that was not to be, or not taken back that was."""
    for _, other in said.others:
        yield "other", other
    name = program.partition("(")[0]
    if name in _CONTROL and "\n" not in program:
        for other in _CONTROL[name]:
            yield "control", f"{other}()"
        if name == STOP:
            yield "control", f'{STOP}("after this")' if "after" not in program else f"{STOP}()"
    if name not in _SPEECH:
        yield "note", f"{NOTE}({_quoted(said.words)})"
    if program.startswith(f"{UNDO}()\n"):
        yield "undone", program.removeprefix(f"{UNDO}()\n")
        yield "undone", f"{UNDO}()"
    elif said.amid and name in said.lexicon.skills:
        yield "undone", f"{UNDO}()\n{program}"
    if name in ("ask", "cannot", "unclear"):
        words = stems(said.words)
        shared = sorted(said.others, key=lambda each: -len(stems(f"{each[0]} {each[1]}") & words))
        for _, other in shared[:3]:
            yield "absent", other


def _some(names: Sequence[str], rng: np.random.Generator) -> list[str]:
    return [names[int(number)] for number in rng.permutation(len(names))[:6]]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
