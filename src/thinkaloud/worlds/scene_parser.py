"""Parse the text of a scene, TOML or JSON, into data or a scene of tables; errors name the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec
from msgspec.inspect import StructType, VarTupleType, type_info

from thinkaloud.errors import BadScene
from thinkaloud.untrusted.files import Malformed, read_json, read_toml

Problem = tuple[tuple[str, int], str]
"""The entry that a problem is about (its table or field, and its index there), and what would be right."""
_T = TypeVar("_T", bound=msgspec.Struct)


def is_json(text: str, source: str) -> bool:
    """Whether a text is JSON, by its file name or its beginning."""
    name = source.lower()
    return name.endswith(".json") or (not name.endswith(".toml") and text.lstrip()[:1] == "{")


def read_scene_data(text: str, source: str, shape: str) -> Any:
    """Parse the data; raises BadScene with the line. `shape` describes what such a scene contains."""
    form, read = ("JSON", read_json) if is_json(text, source) else ("TOML", read_toml)
    try:
        return read(text)
    except Malformed as error:
        place, usual = (f"{source}:{error.line}", "") if error.line else (f"{source}:1", f"; {shape}")
        raise BadScene(f"{place}: is not {form}: {error}{usual}.") from None


# A scene of tables ----------------------------------------------------------------------------------------------------


def read_scene(
    text: str, source: str, kind: type[_T], find_problems: Callable[[_T], Iterable[Problem]], *, shape: str, has: str
) -> _T:
    """Parse a scene of fields and tables; raises BadScene with the line of the first problem.

    `has` says which fields there are.
    """
    data = read_scene_data(text, source, shape)
    try:
        scene = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise BadScene(_located(str(error), text, source, kind, has)) from None
    for (table, index), problem in find_problems(scene):
        raise BadScene(f"{source}:{_line_of(text, source, table, index)}: {problem}")
    return scene


def _located(problem: str, text: str, source: str, kind: type[msgspec.Struct], has: str) -> str:
    """Msgspec's error with its line, and which fields are allowed there."""
    what, _, where = problem.partition(" - at ")
    tables = _fields_of_entries(kind)
    entry = re.search(rf"\$\.({'|'.join(map(re.escape, tables))})\[(\d+)\]", where)
    field = re.search(r"\.(\w+)(?:\[\.*\d*\])?`?$", where)
    unknown = re.search(r"unknown field `([^`]+)`", what)
    if entry:
        table, index = entry[1], int(entry[2])
        about, has = f"{table} {index + 1}: ", f"an entry of {table!r} has {', '.join(tables[table])}"
    else:
        named_field = field or unknown
        table, index, about = named_field[1] if named_field else msgspec.structs.fields(kind)[0].encode_name, 0, ""
    named = f" for {field[1]!r}" if field and "unknown" not in what and "missing" not in what else ""
    told = re.sub(r"^Object missing required field (.*)$", r"the field \1 is missing", what).replace("Object ", "it ")
    return f"{source}:{_line_of(text, source, table, index)}: {about}{told}{named}; {has}."


def _fields_of_entries(kind: type[msgspec.Struct]) -> dict[str, list[str]]:
    """The fields that an entry has, for each table of a scene."""
    about, found = type_info(kind), dict[str, list[str]]()
    for field in about.fields if isinstance(about, StructType) else ():
        if isinstance(field.type, VarTupleType) and isinstance(field.type.item_type, StructType):
            found[field.encode_name] = [each.encode_name for each in field.type.item_type.fields]
    return found


def _line_of(text: str, source: str, table: str, index: int) -> int:
    """The line of the n-th entry of a table, or of a field."""
    if is_json(text, source):
        start = max(text.find(f'"{table}"'), 0)
        listed = re.match(r'"\w+"\s*:\s*\[\s*\{', text[start:])
        found = [start + match.start() for match in re.finditer(r"\{", text[start:])] if listed else [start]
    else:
        found = [match.end() for match in re.finditer(rf"^\s*(?:\[\[?\s*)?{re.escape(table)}\b", text, re.MULTILINE)]
    start = found[min(index, len(found) - 1)] if found else 0
    return text.count("\n", 0, start) + 1
