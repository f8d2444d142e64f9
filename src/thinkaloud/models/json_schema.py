"""Check a JSON value against the part of JSON Schema that our prompts use, whatever the server has promised.

Not covered: `$ref`, patterns, formats and ranges of numbers. What a schema says about those is taken for granted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def find_misfit(value: Any, schema: Mapping[str, Any], where: str = "the answer") -> str:
    """Return in words why a value does not fit a schema; empty if it does."""
    if options := schema.get("anyOf") or schema.get("oneOf"):
        whys = [find_misfit(value, option, where) for option in options]
        return "" if "" in whys else whys[0]
    if "const" in schema and value != schema["const"]:
        return f"{where} has to be {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} has to be one of {', '.join(map(repr, schema['enum']))}"
    if not _is_of_type(value, schema.get("type")):
        return f"{where} has to be of the type {schema['type']}"
    if isinstance(value, dict):
        return _misfit_of_object(value, schema, where)
    if isinstance(value, list):
        return _misfit_of_list(value, schema, where)
    return ""


def _is_of_type(value: Any, name: object) -> bool:
    names = name if isinstance(name, list) else [name]
    kinds = [_TYPES[each] for each in names if isinstance(each, str) and each in _TYPES]
    if not kinds:
        return True
    if isinstance(value, bool):  # Python counts it as a whole number
        return (bool,) in kinds
    return any(isinstance(value, kind) for kind in kinds)


def _misfit_of_object(value: Mapping[str, Any], schema: Mapping[str, Any], where: str) -> str:
    properties: Mapping[str, Any] = schema.get("properties") or {}
    if missing := [name for name in schema.get("required") or () if name not in value]:
        return f"{where} lacks {', '.join(missing)}"
    unknown = [name for name in value if name not in properties]
    if unknown and schema.get("additionalProperties") is False:
        return f"{where} must not have {', '.join(unknown)}"
    found = (find_misfit(value[name], properties[name], f"{name!r} in {where}") for name in value if name in properties)
    return next(filter(None, found), "")


def _misfit_of_list(value: Sequence[Any], schema: Mapping[str, Any], where: str) -> str:
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        return f"{where} has to have {least} to {most} items"
    items = schema.get("items")
    if not isinstance(items, Mapping):
        return ""
    found = (find_misfit(each, items, f"item {at + 1} of {where}") for at, each in enumerate(value))
    return next(filter(None, found), "")
