"""Damages journals: flips a bit in a value or anywhere in the file, swaps values, or cuts the file short."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thinkaloud.remember.schema import column_names

DATA = ("data",)
"""The columns that record what happened and the state of the world."""


_UNTOUCHED = ("checksum", "heard_checksum", "number")
"""Columns that are left alone: checksums, because only what they check is damaged; and the numbers rows refer to."""


@dataclass(frozen=True)
class Place:
    """A value in a journal: its place, its session, and whether a resume of that session has to read it."""

    table: str
    column: str
    key: tuple[Any, ...]
    session: str
    needed: bool

    def __str__(self) -> str:
        return f"{self.table}.{self.column} {self.key} of {self.session or 'no session'}"


def list_places(path: Path, columns: Collection[str] = ()) -> list[Place]:
    """All values in columns of these names, or in all columns."""
    with closing(_open(path)) as db:
        return list(_places(db, columns))


def _places(db: sqlite3.Connection, columns: Collection[str]) -> Iterator[Place]:
    ids = dict(db.execute("SELECT number, id FROM sessions").fetchall())
    cut_short = {row[0] for row in db.execute("SELECT session FROM checkpoints")}
    latest = dict(db.execute("SELECT session, max(event_index) FROM snapshots GROUP BY session").fetchall())
    for table, names in column_names().items():
        keys = _keys(db, table)
        for key in db.execute(f"SELECT {', '.join(keys)} FROM {table} ORDER BY {', '.join(keys)}").fetchall():
            owner = str(key[0]).partition(" ")[0] if table == "messages" else ids.get(key[0], "")
            kept = table != "snapshots" or (key[0] not in cut_short and key[1] == latest[key[0]])
            for name in names:
                if name not in _UNTOUCHED and (not columns or name in columns):
                    yield Place(table, name, key, owner, kept and table in ("events", "snapshots", "checkpoints"))


def flip_value(path: Path, place: Place, draw: random.Random) -> None:
    """Flip one bit of a value, or change a number."""
    with closing(_open(path)) as db, db:
        _write(db, place, _flipped(_value(db, place), draw))


def swap_values(path: Path, one: Place, other: Place) -> None:
    """Swap two values."""
    with closing(_open(path)) as db, db:
        mine, theirs = _value(db, one), _value(db, other)
        _write(db, one, theirs)
        _write(db, other, mine)


def read_value(path: Path, place: Place) -> Any:
    """Read the value at a place."""
    with closing(_open(path)) as db:
        return _value(db, place)


def flip_anywhere(path: Path, draw: random.Random) -> str:
    """Flip one bit of the file; return where."""
    content = bytearray(path.read_bytes())
    bit = draw.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    return f"byte {bit // 8} of {len(content)}, bit {bit % 8}"


def cut_short(path: Path, draw: random.Random) -> str:
    """Cut off the end of the file; return where."""
    content = path.read_bytes()
    at = draw.randrange(len(content))
    path.write_bytes(content[:at])
    return f"byte {at} of {len(content)}"


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path)


def _keys(db: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5]]


def _where(db: sqlite3.Connection, place: Place) -> str:
    return " AND ".join(f"{key} = ?" for key in _keys(db, place.table))


def _value(db: sqlite3.Connection, place: Place) -> Any:
    query = f"SELECT {place.column} FROM {place.table} WHERE {_where(db, place)}"
    return db.execute(query, place.key).fetchone()[0]


def _write(db: sqlite3.Connection, place: Place, value: Any) -> None:
    where = _where(db, place)
    db.execute(f"UPDATE {place.table} SET {place.column} = ? WHERE {where}", (value, *place.key))


def _flipped(value: Any, draw: random.Random) -> Any:
    match value:
        case None:
            return draw.randrange(1, 99)
        case int():
            return value + 1000 * (1 << draw.randrange(8))
        case float():
            return value + 2.0 ** draw.randrange(-20, 20)
        case str():
            at, bit = draw.randrange(len(value)), draw.randrange(5)
            return value[:at] + chr(ord(value[at]) ^ 1 << bit) + value[at + 1 :]
        case bytes():
            content = bytearray(value)
            content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
            return bytes(content)
    raise TypeError(value)
