"""Records as plain data, for the journal and for JSON, and back again, checked field by field.

The content of a `Meaning` is one of several kinds; `sort` tells which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields, is_dataclass, make_dataclass
from functools import cache
from types import UnionType
from typing import Any, get_args, get_type_hints

import msgspec

from thinkaloud.records import CONTENTS, Content, Meaning, Record

RECORD_KINDS: dict[str, type[Any]] = {kind.__name__.lower(): kind for kind in get_args(Record)}
_FIELDS = {name: frozenset(column.name for column in fields(kind)) for name, kind in RECORD_KINDS.items()}
_AROUND = tuple(column.name for column in fields(Meaning) if column.name != "content")
_Around: Any = make_dataclass(  # msgspec reads no union of dataclasses: the content is read by itself
    "_Around",
    [
        (
            column.name,
            get_type_hints(Meaning)[column.name] if column.name in _AROUND else dict[str, Any],
            field(default=column.default),
        )
        for column in fields(Meaning)
    ],
)


def record_kind(record: Record) -> str:
    """The name under which a record is written down: `request`, `modelcall`, …"""
    return type(record).__name__.lower()


def to_data(record: Record, *, measurements: bool = True) -> dict[str, Any]:
    """A record as plain data, ready for JSON."""
    data: dict[str, Any] = msgspec.to_builtins(record, enc_hook=dict)  # a mapping need not be a dict
    _leave_out_defaults(record, data)
    if not measurements:
        for name in _measured(record_kind(record)):
            data.pop(name, None)
    if isinstance(record, Meaning):
        data["content"] = {"sort": record.sort, **data["content"]}
    return data


def _leave_out_defaults(record: Any, data: dict[str, Any]) -> None:
    """Leave out the optional fields that have their default, also of the records that are fields of this one."""
    kind: Any = type(record)
    for name, default in _optional(kind):
        if getattr(record, name) == default:
            data.pop(name)
    for name in _inner(kind):
        if (inner := getattr(record, name)) is not None:
            _leave_out_defaults(inner, data[name])


@cache
def _optional(kind: Any) -> tuple[tuple[str, Any], ...]:
    """The fields that are left out if they have their default, and that default."""
    return tuple((column.name, column.default) for column in fields(kind) if column.metadata.get("optional"))


@cache
def _inner(kind: Any) -> tuple[str, ...]:
    """The fields that may hold one record with such fields."""
    hints = get_type_hints(kind).items()
    return tuple(
        name for name, hint in hints if isinstance(hint, UnionType) and any(map(_has_optional, get_args(hint)))
    )


def _has_optional(kind: object) -> bool:
    return isinstance(kind, type) and is_dataclass(kind) and bool(_optional(kind))


@cache
def _measured(kind: str) -> tuple[str, ...]:
    """The fields that differ from run to run."""
    return tuple(column.name for column in fields(RECORD_KINDS[kind]) if column.metadata.get("measured"))


def from_data(kind: str, data: Mapping[str, Any]) -> Record:
    """Read a record back, checked field by field; raises ValueError if the data is not a record."""
    if kind not in RECORD_KINDS:
        raise ValueError(f"Unknown kind of record {kind!r}; it may come from a newer thinkaloud")
    record: Record = _meaning(data) if kind == "meaning" else msgspec.convert(data, RECORD_KINDS[kind])
    _check_fields(kind, data, _FIELDS[kind])
    return record


def _check_fields(kind: str, data: Mapping[str, Any], known: frozenset[str]) -> None:
    """Refuse unknown fields: msgspec ignores those that a dataclass does not have."""
    if not data.keys() <= known:
        unknown = ", ".join(sorted(data.keys() - known))
        raise ValueError(f"A {kind} has no field {unknown}; it may come from a newer thinkaloud")


def _meaning(data: Mapping[str, Any]) -> Meaning:
    around: _Around = msgspec.convert(data, _Around)
    return Meaning(content=_content(around.content), **{name: getattr(around, name) for name in _AROUND})


def _content(data: Mapping[str, Any]) -> Content:
    kind = CONTENTS.get(str(data.get("sort")))
    if kind is None:
        raise ValueError(f"Unknown kind of meaning {data.get('sort')!r}; it may come from a newer thinkaloud")
    content: Content = msgspec.convert(data, kind)
    _check_fields(kind.__name__, data, frozenset({"sort", *(column.name for column in fields(kind))}))
    return content
