"""One notation for calls, `pour("working area", "milk")`: how they are rendered and parsed, and their grammar.

    render_call("pour", ["working area", "milk"])    the text
    read_call('pour("working area", "milk")')        name and values; nothing is ever executed
    read_step(call, skills, vocabulary)              the step, checked against what the robot can do here
    call_grammar(skills, vocabulary)                 the grammar that constrains a model

Differences between methods are parameters: ProgPrompt's listings escape nothing, MultiTalk's actions take points.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from thinkaloud.errors import SkillError, UnknownName, Unparseable
from thinkaloud.models import grammar as gbnf
from thinkaloud.records import Arguments, Step, Value
from thinkaloud.skills import Skill
from thinkaloud.skills.signatures import Parameter, Signature, Vocabulary
from thinkaloud.untrusted.python_text import parse_expression

_BUILTINS = (
    "abs all any bool dict enumerate float int len list max min range reversed round set sorted str sum tuple zip"
)
BUILTINS = frozenset(_BUILTINS.split())
"""The Python functions that programs may use. No robot function may have one of these names."""
FREE_TEXT = r'[^"\\\n]{1,120}'
"""What may appear between quotes if any text is allowed."""
_UNESCAPED = re.compile(r"\s*(\w+)\((.*)\)\s*")


class WrittenCall(NamedTuple):
    """A call as written: positional values and named values."""

    name: str
    values: Sequence[object] = ()
    named: Mapping[str, object] = {}


class RunsCode(Protocol):
    """Runs a program with these functions and nothing else; raises CodeRefused."""

    def run(self, code: str, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Run it to its end."""
        ...


# Writing --------------------------------------------------------------------------------------------------------------


def render_call(name: str, values: Iterable[Any], render: Callable[[Any], str] | None = None) -> str:
    """A call as text; `render` writes a value, by default as in Python."""
    return f"{name}({', '.join(map(render or _render_value, values))})"


def _render_value(value: object) -> str:
    """A value as text in a call."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def render_skill_call(skill: Skill, arguments: Arguments) -> str:
    """The call of a skill: `pour("working area", "milk")`, without default values at the end."""
    values = [(p, arguments.get(p.name, p.default)) for p in skill.signature.parameters]
    while values and values[-1][0].default is not None and values[-1][1] == values[-1][0].default:
        values.pop()
    return render_call(skill.name, [value for _, value in values])


def render_call_form(signature: Signature) -> str:
    """The form of a call, with parameter names: `pour(location, ingredient)`."""
    return render_call(signature.name, [p.name for p in signature.parameters], str)


def render_function(skill: Skill) -> str:
    """A function and its documentation in one line."""
    return f"{render_call_form(skill.signature)}: {' '.join(skill.signature.about.split())}"


# Reading --------------------------------------------------------------------------------------------------------------


def read_call(text: str, *, unescaped: bool = False) -> WrittenCall:
    """Parse a call with plain values; raises Unparseable for anything else.

    `unescaped`: everything between commas is a value, with or without quotes: `find('men's hat')`.
    """
    if unescaped:
        match = _UNESCAPED.fullmatch(text)
        if match is None:
            raise Unparseable(f"{text.strip()!r} is no call such as find('cup').", text)
        return WrittenCall(match[1], [value.strip().strip("'\"") for value in match[2].split(",") if value.strip()])
    try:
        node = parse_expression(text)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise ValueError
        values = [_read_value(each) for each in node.args]
        named = {str(each.arg): _read_value(each.value) for each in node.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise Unparseable(f'{text!r} is no function call such as name("argument", 2).', text) from None
    return WrittenCall(node.func.id, values, named)


def _read_value(node: ast.expr) -> object:
    """The value of a node; grammars write flags in lower case."""
    if isinstance(node, ast.Name) and node.id in ("true", "false"):
        return node.id == "true"
    value: object = ast.literal_eval(node)
    return value


def read_step(call: WrittenCall, skills: Mapping[str, Skill], vocabulary: Vocabulary, reason: str = "") -> Step:
    """The step that a call stands for; Unparseable names the unknown skill or argument."""
    if call.name not in skills:
        raise Unparseable(str(UnknownName("function", call.name, skills)), call.name)
    skill = skills[call.name]
    return skill.step(read_arguments(call, skill.signature, vocabulary), reason)


def read_arguments(call: WrittenCall, signature: Signature, vocabulary: Vocabulary) -> dict[str, Value]:
    """The arguments of a call, checked, with defaults added; Unparseable says what does not fit."""
    names = [p.name for p in signature.parameters]
    if len(call.values) > len(names):
        listed = ", ".join(names)
        raise Unparseable(f"{call.name} takes {len(names)} arguments ({listed}), not {len(call.values)}.", call.name)
    if twice := [each for each in names[: len(call.values)] if each in call.named]:
        raise Unparseable(f"{call.name}: {twice[0]} is given twice.", call.name)
    given = dict(zip(names, call.values, strict=False)) | dict(call.named)
    try:
        return signature.check(given, vocabulary)  # type: ignore[arg-type]
    except SkillError as error:
        raise Unparseable(str(error), call.name) from None


# Grammar --------------------------------------------------------------------------------------------------------------


def call_grammar(
    skills: Mapping[str, Skill],
    vocabulary: Vocabulary,
    *,
    name: Callable[[Skill], str] = lambda skill: skill.name,
    coordinate: str = "",
) -> str:
    """The grammar of a call of any skill with things that are here, never with the same thing twice if they must
    differ.

    `name`: what to call a skill instead of its own name. `coordinate`: the grammar of one coordinate, if skills that
    take only numbers are given a point.
    """
    calls = []
    for skill in skills.values():
        signature = skill.signature
        if any(p.options(vocabulary) == () for p in signature.parameters):
            continue
        head, first = gbnf.literal(name(skill) + "("), signature.parameters[:1]
        if coordinate and takes_point(signature):
            calls.append(_point_call(name(skill), signature, coordinate))
        elif len(signature.parameters) > 1 and first[0].name in signature.distinct and first[0].options(vocabulary):
            each = [
                [gbnf.literal(f"{_render_value(thing)}, "), *_values(signature.parameters[1:], vocabulary, thing)]
                for thing in first[0].options(vocabulary) or ()
            ]
            calls.append(gbnf.sequence(head, gbnf.choice(gbnf.sequence(*parts) for parts in each), '")"'))
        else:
            calls.append(gbnf.sequence(head, *_values(signature.parameters, vocabulary), '")"'))
    return gbnf.choice(calls)


def takes_point(signature: Signature) -> bool:
    """Whether a function takes only numbers, which can then be given as one point."""
    return bool(signature.parameters) and all(p.type is float for p in signature.parameters)


def _point_call(name: str, signature: Signature, coordinate: str) -> str:
    needed = max(sum(p.default is None for p in signature.parameters), 1)
    rest = [f"({gbnf.literal(', ')} {coordinate})?"] * (len(signature.parameters) - needed)
    point = gbnf.sequence(*[f"{gbnf.literal(', ')} {coordinate}" if i else coordinate for i in range(needed)], *rest)
    end = ",))" if len(signature.parameters) == 1 else "))"
    return gbnf.sequence(gbnf.literal(f"{name}(("), point, gbnf.literal(end))


def _values(parameters: Iterable[Parameter], vocabulary: Vocabulary, without: str = "") -> list[str]:
    parts: list[str] = []
    for p in parameters:
        options = p.options(vocabulary)
        parts += [gbnf.literal(", ")] if parts else []
        if p.type is not str:
            parts.append(p.expression(vocabulary, without=(without,)))
        elif options is None:
            parts.append(gbnf.sequence(gbnf.literal('"'), FREE_TEXT, gbnf.literal('"')))
        else:
            parts.append(gbnf.choice(_written(option) for option in options if option != without))
    return parts


@lru_cache(maxsize=4096)
def _written(option: str) -> str:
    """The grammar of a text in a call. Cached: in a home, a few hundred names appear thousands of times."""
    return gbnf.literal(_render_value(option))
