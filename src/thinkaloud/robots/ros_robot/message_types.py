"""What messages of a type have in them, as rosapi tells it; what a robot's file sends and reads has to fit.

types = MessageTypes(typedefs)
types.refuse_misfit("/move goal", "pkg/MoveGoal", {"speed": "fast"})    # BadInput: … takes 'speed' as float64
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thinkaloud.errors import BadInput
from thinkaloud.robots.connected.table_parts import SLOT
from thinkaloud.untrusted.text import as_data

_NUMBERS = ("int", "uint", "float", "double", "long", "short")
_PLAIN: Mapping[str, Callable[[Any], bool]] = {
    "bool": lambda value: isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "wstring": lambda value: isinstance(value, str),
    "byte": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "char": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "octet": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "time": lambda value: isinstance(value, Mapping),
    "duration": lambda value: isinstance(value, Mapping),
}
_MOST_TYPES, _MOST_FIELDS = 500, 500


@dataclass(frozen=True)
class FieldType:
    """The type of a field, and whether it is a list of them."""

    type: str
    several: bool


class MessageTypes:
    """The types that rosapi told of; anything in its answer that is not as it should be is left out."""

    def __init__(self, typedefs: object) -> None:
        self.first = ""
        """The name of the first one: the type that was asked for."""
        self._fields: dict[str, dict[str, FieldType]] = {}
        for typedef in typedefs[:_MOST_TYPES] if isinstance(typedefs, list) else ():
            if not isinstance(typedef, Mapping) or not isinstance(name := typedef.get("type"), str):
                continue
            columns = [typedef.get(key) for key in ("fieldnames", "fieldtypes", "fieldarraylen")]
            if all(isinstance(column, list) for column in columns):
                self.first = self.first or name
                self._fields[name] = _read_fields(*columns)  # type: ignore[arg-type]

    def refuse_misfit(self, what: str, kind: str, value: Any, path: str = "") -> None:
        """Raise BadInput, in one line, if a value cannot be sent as this type."""
        fields = self._fields.get(kind)
        if _is_slot(value):
            return
        if fields is None:
            if not _fits_plain(kind, value):
                raise BadInput(f"{what} takes {path!r} as {as_data(kind, 60)}, not {value!r:.60}.")
            return
        if not isinstance(value, Mapping):
            raise BadInput(f"{what} takes {path or 'its content'!r} as {as_data(kind, 60)}, not {value!r:.60}.")
        for key, each in value.items():
            here = f"{path}.{key}" if path else key
            if key not in fields:
                raise BadInput(f"{what} has no field {here!r}; it has {_list(list(fields))}.")
            many = each if fields[key].several and isinstance(each, list | tuple) else [each]
            if fields[key].several and not isinstance(each, list | tuple | str):
                raise BadInput(f"{what} takes {here!r} as a list of {as_data(fields[key].type, 60)}.")
            for one in many:
                self.refuse_misfit(what, fields[key].type, one, here)

    def find(self, what: str, path: Sequence[str], kind: str = "") -> FieldType:
        """The type of a part of the message, or of a type in it; BadInput where there is no such part."""
        found = FieldType(kind or self.first, False)
        for number, key in enumerate(path):
            if found.several and key.isdigit():
                found = FieldType(found.type, False)
                continue
            fields = self._fields.get(found.type, {})
            if found.several or key not in fields:
                there = f"; there is {_list(list(fields))}" if fields and not found.several else ""
                raise BadInput(f"{what} has no {'.'.join(path[: number + 1])!r}{there}.")
            found = fields[key]
        return found

    def fields(self, kind: str) -> Mapping[str, FieldType]:
        """The fields of a type."""
        return self._fields.get(kind, {})


def is_number(kind: FieldType) -> bool:
    """Whether a field is one number."""
    return not kind.several and kind.type.startswith(_NUMBERS)


def _read_fields(names: list[Any], types: list[Any], lengths: list[Any]) -> dict[str, FieldType]:
    rows = list(zip(names, types, lengths, strict=False))[:_MOST_FIELDS]
    return {
        name: FieldType(kind, isinstance(length, int) and length >= 0)
        for name, kind, length in rows
        if isinstance(name, str) and isinstance(kind, str)
    }


def _fits_plain(kind: str, value: Any) -> bool:
    if kind in _PLAIN:
        return _PLAIN[kind](value)
    if kind.startswith(("int", "uint", "long", "short")):
        return isinstance(value, int) and not isinstance(value, bool)
    if kind.startswith(("float", "double")):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, Mapping)


def _is_slot(value: Any) -> bool:
    """Whether a value is only known when the skill is called."""
    return isinstance(value, str) and SLOT.fullmatch(value) is not None


def _list(names: Sequence[str]) -> str:
    return (", ".join(as_data(name, 40) for name in names[:12]) or "none") + (" …" if len(names) > 12 else "")
