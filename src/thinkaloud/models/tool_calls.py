"""Function calling for models not trained for it: tools in the system turn, and a schema for the answer.

A tool is an OpenAI function description: `{"type": "function", "function": {"name", "description", "parameters"}}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from thinkaloud.errors import ModelRefused
from thinkaloud.models.contract import Call, Turn
from thinkaloud.untrusted.files import read_json

_ASK_FOR_A_CALL = """You can call these functions:
{tools}
Answer with one call, as JSON: {{"name": "the function", "arguments": {{"its": "arguments"}}}}"""

_ASK_FOR_CALLS = """You can call these functions:
{tools}
Answer with the calls that are needed, one to {calls}, in their order, as a JSON list: \
[{{"name": "the function", "arguments": {{"its": "arguments"}}}}]"""


def function_of(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the description itself, with or without OpenAI's wrapping."""
    function: Mapping[str, Any] = tool.get("function", tool)
    return function


def with_tools(turns: Sequence[Turn], tools: Sequence[Mapping[str, Any]], calls: int = 1) -> list[Turn]:
    """Describe the tools in the system turn. The text is the same in every call, so that it can be cached."""
    listed = "\n".join(json.dumps(function_of(tool), ensure_ascii=False) for tool in tools)
    told = (_ASK_FOR_CALLS if calls > 1 else _ASK_FOR_A_CALL).format(tools=listed, calls=calls)
    if turns and turns[0].role == "system":
        return [Turn("system", f"{turns[0].text}\n\n{told}"), *turns[1:]]
    return [Turn("system", told), *turns]


def tool_schema(tools: Sequence[Mapping[str, Any]], calls: int = 1) -> dict[str, Any]:
    """Return a JSON schema for a call of one of these tools, or for a list of calls if several are allowed."""
    one = {"anyOf": [_call_schema(function_of(tool)) for tool in tools]}
    return one if calls == 1 else {"type": "array", "items": one, "minItems": 1, "maxItems": calls}


def _call_schema(function: Mapping[str, Any]) -> dict[str, Any]:
    arguments = function.get("parameters") or {"type": "object", "properties": {}}
    properties = {"name": {"const": function["name"]}, "arguments": arguments}
    return {
        "type": "object",
        "properties": properties,
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }


def unfenced(text: str) -> str:
    """Return JSON without the fence that chat models put round it."""
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        return text.partition("\n")[2].removesuffix("```").strip()
    return text


def json_of(text: str, model: str, most: int) -> Any:
    """Parse the JSON value that a model wrote, with a fence round it or without."""
    try:
        return read_json(unfenced(text))
    except ValueError as error:
        why = f"{model} did not write valid JSON ({error}); it may have run into its limit of {most} tokens."
        raise ModelRefused(f"{why} Allow more tokens, or ask for less.") from error


def calls_in(text: str, model: str, most: int, calls: int = 1) -> tuple[Call, ...]:
    """Return the call that a model wrote as JSON, or the first calls of its list if several are allowed."""
    value = json_of(text, model, most)
    several = calls > 1 and isinstance(value, list) and value  # without a schema, a model may write a single call
    return tuple(_call_of(each, text, model) for each in (value[:calls] if several else [value]))


def _call_of(value: Any, text: str, model: str) -> Call:
    if not isinstance(value, dict) or not isinstance(value.get("arguments"), dict) or "name" not in value:
        raise ModelRefused(f"{model} did not write a function call but: {text[:200]}")
    return Call(str(value["name"]), value["arguments"])
