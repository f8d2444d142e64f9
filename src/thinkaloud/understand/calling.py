"""Function calling: the second way in which a model may give a meaning. Its calls, in order, are the same program.

A skill is a function that the model is offered, and so is each of ours (`say`, `ask`, `cannot`, …). An argument is a
name, a list of names or, where sets are meant, an expression of the language as a text:

    fill(cup="small cup")                                fill("small cup")
    fill(cup="[c for c in cups if not full(c)]")         fill([c for c in cups if not full(c)])
    fill(cup="kettle", only_if="not full('kettle')")     if not full('kettle'): fill("kettle")

From there on nothing knows how a program came about. Only what is offered can be called: what this robot cannot do is a
`cannot`. Not covered: variables and loops; how likely each piece was, which nobody tells of calls.
"""

from __future__ import annotations

import ast
import json
import keyword
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import resources
from itertools import groupby, takewhile
from typing import Any

from thinkaloud.calls import render_call
from thinkaloud.errors import ModelRefused, Unparseable
from thinkaloud.models import Call, Model, Turn
from thinkaloud.signatures import Parameter, Signature
from thinkaloud.understand.certainty import Written
from thinkaloud.understand.lacking import find_lacking
from thinkaloud.understand.language import ALWAYS, CANNOT, spelled
from thinkaloud.understand.lexicon import THINGS, Lexicon
from thinkaloud.understand.prompt import PastTurn, choose_examples, quoted, render_robot, render_turns, words_of

MOST_CALLS = 12
_MOST_TOKENS = 400
_ONLY_IF = "only_if"
_CALLED = ("say", "ask", "note", "cannot", "keep", "allow", "undo", "previous", "stop", "unclear")
"""Those of our functions that are calls; the others are for expressions."""
_LOOKED_UP = ("value", "things", "options")
"""Arguments of ours that may be expressions."""
_TEXT: Mapping[str, Any] = {"type": "string"}
_NAMES: Mapping[str, Any] = {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]}


async def write_calls(model: Model, lexicon: Lexicon, earlier: Iterable[PastTurn], request: str) -> Written:
    """The program that a model's calls come to."""
    chat, functions = render_chat(lexicon, earlier, request), describe_functions(lexicon)
    try:
        reply = await model.chat(chat, tools=functions, calls=MOST_CALLS + 1, most=_MOST_TOKENS)
    except ModelRefused as error:
        raise Unparseable(str(error), role="understanding") from error
    if len(reply.calls) > MOST_CALLS:
        raise Unparseable(f"these are more than {MOST_CALLS} calls; give lists.", role="understanding")
    return Written(program_of(reply.calls, lexicon), usage=reply.usage)


def describe_functions(lexicon: Lexicon) -> list[dict[str, Any]]:
    """All that can be called, as function descriptions; what is the same for every robot first, for the cache."""
    found = []
    for name, signature in _functions(lexicon).items():
        takes = {p.name: _schema(p, lexicon) for p in signature.parameters}
        if name in lexicon.skills:
            takes.setdefault(_ONLY_IF, _TEXT)
        needed = [p.name for p in signature.parameters if p.default is None]
        parameters = {"type": "object", "properties": takes} | ({"required": needed} if needed else {})
        about = " ".join(signature.about.split("\n\n")[0].split())
        found.append({"name": name, "description": about, "parameters": parameters})
    return found


def _functions(lexicon: Lexicon) -> dict[str, Signature]:
    return {spelled(word, lexicon): _ours(word) for word in _CALLED} | dict(lexicon.skills)


@cache
def _ours(word: str) -> Signature:
    heads = [each.partition("=") for each in ALWAYS[word].head.partition("(")[2].rstrip(")").split(", ") if each]
    kinds = {name: THINGS if name in _LOOKED_UP else None for name, _, _ in heads}
    types = {name: int if value.isdigit() else str for name, _, value in heads}
    parameters = [Parameter(name, types[name], "", kinds[name], default=value or None) for name, _, value in heads]
    return Signature(word, ALWAYS[word].about, tuple(parameters), "")


def _schema(parameter: Parameter, lexicon: Lexicon) -> Mapping[str, Any]:
    """What an argument may be: any name, so that what is not here can be named; choices and lists are told."""
    if parameter.choices is not None:
        return {**_TEXT, "description": " | ".join(parameter.choices)}
    if parameter.type is not str:
        return {"type": "boolean"} if parameter.type is bool else {"anyOf": [{"type": "number"}, _TEXT]}
    kind = lexicon.list_of(parameter)
    names = _TEXT if parameter.kind is None else _NAMES
    return {**names, "description": f"of {kind}"} if kind else names


def program_of(calls: Iterable[Call], lexicon: Lexicon) -> str:
    """The program that says what these calls say; Unparseable where one of them cannot be written down."""
    lines: list[str] = []
    for condition, group in groupby(calls, key=lambda call: _condition(call, lexicon)):
        lines += [f"if {condition}:"] if condition else []
        lines += [("    " if condition else "") + _statement(call, lexicon) for call in group]
    return "\n".join(lines)


def _takes(name: str, lexicon: Lexicon) -> list[str]:
    signature = _functions(lexicon).get(name)
    return [] if signature is None else [p.name for p in signature.parameters]


def _condition(call: Call, lexicon: Lexicon) -> str:
    given = "" if _ONLY_IF in _takes(call.name, lexicon) else call.arguments.get(_ONLY_IF) or ""
    condition = " ".join(str(given).split())
    if condition and _read(condition) is None:
        raise Unparseable(f"only_if takes an expression, and this is none: {condition[:80]}", role="understanding")
    return condition


def _statement(call: Call, lexicon: Lexicon) -> str:
    takes = _takes(call.name, lexicon)
    given = {k: v for k, v in call.arguments.items() if v is not None and (k in takes or k != _ONLY_IF)}
    if odd := [each for each in (call.name, *given) if not each.isidentifier() or keyword.iskeyword(each)]:
        raise Unparseable(f"{odd[0][:80]!r} is no name of a function or an argument.", role="understanding")
    prose = {each for each in takes if each not in _LOOKED_UP and call.name not in lexicon.skills}
    written = {key: _value(value, lexicon, prose=key in prose) for key, value in given.items()}
    placed = list(takewhile(lambda key: key in written, takes))
    named = [f"{key}={text}" for key, text in written.items() if key not in placed]
    return render_call(call.name, [*(written[key] for key in placed), *named], str)


def _value(value: Any, lexicon: Lexicon, *, prose: bool) -> str:
    match value:
        case str():
            if not prose and value.lstrip().startswith("[") and _read(value) is None:
                raise Unparseable(f"This list is not closed, or is none: {value[:80]}", role="understanding")
            code = not prose and is_expression(value, lexicon)
            return " ".join(value.split()) if code else json.dumps(value, ensure_ascii=False)
        case bool() | int() | float():
            return repr(value)
        case [one]:
            return _value(one, lexicon, prose=prose)
        case [*several]:
            return f"[{', '.join(_value(each, lexicon, prose=prose) for each in several)}]"
    raise Unparseable(f"{str(value)[:80]} is no name, number or text.", role="understanding")


def is_expression(text: str, lexicon: Lexicon) -> bool:
    """Whether a text is to be looked up, rather than a name: `cups`, `max(cups, key=volume)`; not `left-hand cup`."""
    body = None if text in lexicon.things else _read(text)
    if isinstance(body, ast.Name | ast.Constant):
        return body.id in lexicon.named if isinstance(body, ast.Name) else isinstance(body.value, str | int | float)
    nodes = [] if body is None else list(ast.walk(body))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    looks_up = any(isinstance(node, ast.Call | ast.ListComp | ast.List | ast.Subscript) for node in nodes)
    return looks_up or (isinstance(body, ast.BinOp | ast.Compare) and names <= lexicon.named.keys())


def _read(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def calls_of(program: str, lexicon: Lexicon) -> list[Call]:
    """The calls that come to a program; ValueError for one that calls cannot say."""
    calls: list[Call] = []
    for statement in ast.parse(program).body:
        match statement:
            case ast.If(test, body, []):
                calls += [_call(each, lexicon, {_ONLY_IF: ast.unparse(test)}) for each in body]
            case _:
                calls.append(_call(statement, lexicon, {}))
    return calls


def _call(statement: ast.stmt, lexicon: Lexicon, condition: Mapping[str, str]) -> Call:
    match statement:
        case ast.Expr(ast.Call(ast.Name(name), values, named)) if name in _functions(lexicon):
            given = dict(zip(_takes(name, lexicon), values, strict=False)) | {str(k.arg): k.value for k in named}
            plain = {k: v.value if isinstance(v, ast.Constant) else ast.unparse(v) for k, v in given.items()}
            return Call(name, {**plain, **condition})
        case ast.Expr(ast.Call(ast.Name())):
            return Call(spelled(CANNOT, lexicon), {"reason": find_lacking(ast.unparse(statement), ()) or ""})
    raise ValueError(f"This cannot be said by calls: {ast.unparse(statement)}")


def render_chat(lexicon: Lexicon, earlier: Iterable[PastTurn], request: str) -> list[Turn]:
    """What a model is told beside the functions: how they are called, by examples of other robots; what was said."""
    robot = render_robot(replace(lexicon, skills={}), short=False)
    said = render_turns(_with_calls(earlier, lexicon)) + f"# {quoted(request)}\n"
    return [Turn("system", _introduction(frozenset(words_of(lexicon)))), Turn("user", robot + said)]


@cache
def _introduction(taken: frozenset[str]) -> str:
    parts = [resources.files("thinkaloud.understand").joinpath("calling.txt").read_text(encoding="utf-8")]
    for example in choose_examples(taken):
        turns = _with_calls((PastTurn(*turn) for turn in example.turns), example.lexicon)
        parts.append(render_robot(example.lexicon, short=False) + render_turns(turns))
    return "\n".join(parts)


def _with_calls(turns: Iterable[PastTurn], lexicon: Lexicon) -> Iterable[PastTurn]:
    """What was said, with the calls in place of each program; one that calls cannot say stays as it is."""
    for turn in turns:
        with suppress(SyntaxError, ValueError):
            calls = [{"name": call.name, "arguments": call.arguments} for call in calls_of(turn.program, lexicon)]
            turn = replace(turn, program=json.dumps(calls, ensure_ascii=False))
        yield turn
