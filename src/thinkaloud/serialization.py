"""Records as plain data, for the journal and for JSON, and back again, checked field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args

import msgspec

from thinkaloud.records import Record

RECORD_KINDS: dict[str, type[Any]] = {kind.__name__.lower(): kind for kind in get_args(Record)}
_FIELDS = {name: frozenset(column.name for column in fields(kind)) for name, kind in RECORD_KINDS.items()}


def record_kind(record: Record) -> str:
    """The name under which a record is written down: `request`, `modelcall`, …"""
    return type(record).__name__.lower()


def to_data(record: Record, *, measurements: bool = True) -> dict[str, Any]:
    """A record as plain data, ready for JSON."""
    data: dict[str, Any] = msgspec.to_builtins(record, enc_hook=dict)  # a mapping need not be a dict
    if not measurements:
        for column in fields(record):
            if column.metadata.get("measured"):
                data.pop(column.name)
    return data


def from_data(kind: str, data: Mapping[str, Any]) -> Record:
    """Read a record back, checked field by field; raises ValueError if the data is not a record."""
    if kind not in RECORD_KINDS:
        raise ValueError(f"Unknown kind of record {kind!r}; it may come from a newer thinkaloud")
    record: Record = msgspec.convert(data, RECORD_KINDS[kind])
    if not data.keys() <= _FIELDS[kind]:  # msgspec ignores fields that a dataclass does not have
        unknown = ", ".join(sorted(data.keys() - _FIELDS[kind]))
        raise ValueError(f"A {kind} has no field {unknown}; it may come from a newer thinkaloud")
    return record
